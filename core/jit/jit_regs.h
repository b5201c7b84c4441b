/* SPDX-License-Identifier: MIT */
/* VGPRs in vector registers within a region. */
#ifndef CORE_JIT_JIT_REGS_H
#define CORE_JIT_JIT_REGS_H

#include <stdbool.h>
#include <stdint.h>
#include "core/jit/jit_emit.h"

struct jit_r_state;
struct vset;
struct jit_translator;
struct jit_region;

extern const char jit_r_few[]; /* what jit_x_buf.failed is where an instruction needs more registers than there are */
void jit_r_begin(struct jit_region *g);
struct xo jit_r_use(struct jit_region *g, unsigned vgpr);            /* its value, pinned */
/* The same for numbers that floats are reckoned with: what other lanes have left in lanes that are off, integers above all, may
 * be denormal, and arithmetic stops for each (150 cycles on some CPUs).  AVX2: a value that comes from the wave has zeros there. */
struct xo jit_r_use_on(struct jit_region *g, unsigned vgpr);
bool jit_r_may_stop(const struct jit_region *g, unsigned vgpr); /* it may have such */
/* Whether its value is in the wave alone and not worth a register: what comes next is not a read of it; where it is there. */
bool jit_r_only_home(const struct jit_region *g, unsigned vgpr, unsigned next);
struct xo jit_r_home(const struct jit_region *g, unsigned vgpr);
struct xo jit_r_def(struct jit_region *g, unsigned vgpr, bool keep); /* keep: old value is needed */
/* The same where only lanes that are off keep it: *merge says that the caller is to blend by EXEC, else the
 * register may be overwritten whole, and the old lanes come from the wave when somebody wants them. */
struct xo jit_r_def_active(struct jit_region *g, unsigned vgpr, bool *merge);
/* A result that is a constant: it takes a register when one is asked for. */
void jit_r_set_constant(struct jit_region *g, unsigned vgpr, uint32_t bits);
bool jit_r_constant(const struct jit_region *g, unsigned vgpr, uint32_t *bits);
/* Forms (jit_region.h).  Whoever asks for words turns a register into words, so an
 * instruction has read the others before it asks for the register of its result. */
void jit_r_words(struct jit_region *g, unsigned vgpr);
void jit_r_plain(struct jit_region *g);   /* all VGPRs are words, here or in the wave */
bool jit_r_is_pair(const struct jit_region *g, unsigned vgpr); /* of the VGPR and the one behind it */
void jit_r_use_pair(struct jit_region *g, unsigned vgpr, struct xo x[2]);
void jit_r_use_integer(struct jit_region *g, unsigned vgpr, struct xo x[2]); /* NaNs of doubles settled */
void jit_r_settle_pair(struct jit_region *g, unsigned vgpr);
/* To be written whole; one that was read by this instruction may be the same. */
void jit_r_def_pair(struct jit_region *g, unsigned vgpr, struct xo x[2]);
void jit_r_canonical_64(struct jit_region *g, struct xo x);
bool jit_r_is_half(const struct jit_region *g, unsigned vgpr);
struct xo jit_r_half(struct jit_region *g, unsigned vgpr);
bool jit_r_clean(const struct jit_region *g, unsigned vgpr);
void jit_r_set_half(struct jit_region *g, unsigned vgpr); /* of its register, as of now */
struct xo jit_r_temp(struct jit_region *g);
void jit_r_free(struct jit_region *g, struct xo temp);
/* AVX2: masks[i] is that temporary's value from now on, until something else needs the
 * register; its value, pinned; no longer. */
void jit_r_keep_mask(struct jit_region *g, unsigned i, struct xo temp);
bool jit_r_mask_alone(const struct jit_region *g, unsigned i); /* masks[i] is not in the wave, and somebody is to read it */
struct xo jit_r_use_mask(struct jit_region *g, unsigned i);
void jit_r_drop_mask(struct jit_region *g, unsigned i);
/* AVX2: what was made of SGPRs, by a key of the caller's; kind 0: not there.  A temporary
 * that becomes such a value, unless registers are few; both pinned.  All forgotten. */
struct xo jit_r_uniform(struct jit_region *g, int32_t key);
void jit_r_keep_uniform(struct jit_region *g, int32_t key, struct xo temp);
void jit_r_drop_uniforms(struct jit_region *g);
bool jit_r_plenty(const struct jit_region *g); /* registers are free */
bool jit_r_is_temp(const struct jit_region *g, struct xo x);
void jit_r_settle(struct jit_region *g, unsigned vgpr);  /* NaNs canonical from here on */
void jit_r_settle_all(struct jit_region *g, const struct vset *vgprs); /* ahead of jit_r_settle of each: cheaper */
void jit_r_settle_each(struct jit_region *g, const struct vset *vgprs); /* both */
void jit_r_settle_run(struct jit_region *g, unsigned vgpr, unsigned count); /* jit_r_settle of each */
/* Settles all, and registers get the lanes that are off: what an instruction that changes EXEC begins with. */
void jit_r_before_exec(struct jit_region *g);
void jit_r_unpin(struct jit_region *g, unsigned vgpr);   /* the instruction needs it no longer */
void jit_r_done(struct jit_region *g, uint32_t i);       /* behind an instruction */
void jit_r_done_all(struct jit_region *g, uint32_t i, uint32_t count); /* behind some that were done at once */
void jit_r_end(struct jit_region *g);                    /* live values to the wave */
void jit_r_flush(struct jit_region *g);                  /* the same between instructions: constants stay what they are */
void jit_r_read(struct jit_region *g, unsigned vgpr, unsigned next); /* the instruction has, ahead of jit_r_done */
/* For loops: unpins all; makes a resident value one to be stored; notes what is
 * where, and brings it about again. */
void jit_r_release(struct jit_region *g);
void jit_r_soil(struct jit_region *g, unsigned vgpr);
void jit_r_keep_state(struct jit_region *g, struct jit_r_state *s);
/* At a turn's end, which VGPRs were better pairs or halves between turns; before the first turn, they become that. */
void jit_r_note_forms(struct jit_region *g);
void jit_r_form(struct jit_region *g);
void jit_r_note_state(const struct jit_region *g, struct jit_r_state *s); /* without loops */
void jit_r_restore_state(struct jit_region *g, const struct jit_r_state *s);
bool jit_r_resident(const struct jit_region *g, unsigned vgpr);
void jit_r_lazy(struct jit_region *g, unsigned vgpr, bool lazy);
bool jit_r_asked(const struct jit_region *g, unsigned vgpr, unsigned next); /* somebody reads it, whose next use is that */
bool jit_r_is_lazy(const struct jit_region *g, unsigned vgpr);
bool jit_r_inherit(struct jit_region *g, unsigned from, unsigned to);

#endif
