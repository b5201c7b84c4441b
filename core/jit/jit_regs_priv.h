/* SPDX-License-Identifier: MIT */
/* What the files of registers share. */
#ifndef CORE_JIT_JIT_REGS_PRIV_H
#define CORE_JIT_JIT_REGS_PRIV_H

#include "core/jit/jit_region.h"

struct xo jit_r_reg(const struct jit_region *g, unsigned n);   /* vector register n */
struct xo jit_r_spare(const struct jit_region *g);             /* the one that nothing keeps */
void jit_r_move(struct jit_region *g, struct xo to, struct xo from);
bool jit_r_wanted(const struct jit_region *g, unsigned vgpr);  /* somebody reads it, here or behind the region */
struct xo jit_r_occupy(struct jit_region *g, unsigned n, int vgpr); /* register n is the VGPR's, or a temporary */
void jit_r_drop(struct jit_region *g, unsigned n);             /* it is free */
void jit_r_store(struct jit_region *g, unsigned n);            /* its VGPR to the wave, if it is dirty */
void jit_r_merge_off(struct jit_region *g, unsigned n);        /* it, of words, gets lanes that are off, which were in the wave alone */
/* Whether the VGPR's lanes that are off may be left in the wave, until its register is stored. */
bool jit_r_off_in_wave(const struct jit_region *g, unsigned vgpr);

/* All VGPRs are words, but for those that the state has as they are; NULL: for none. */
void jit_r_plain_but(struct jit_region *g, const struct jit_r_state *s);
bool jit_r_has_form(const struct jit_region *g, const struct jit_r_state *s, unsigned n);

#endif
