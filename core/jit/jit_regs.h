/* SPDX-License-Identifier: MIT */
/* VGPRs in vector registers within a region. */
#ifndef CORE_JIT_JIT_REGS_H
#define CORE_JIT_JIT_REGS_H

#include <stdbool.h>
#include <stdint.h>
#include "core/jit/jit_emit.h"

struct r_state;
struct translator;

void r_begin(struct translator *t);
struct xo r_use(struct translator *t, unsigned vgpr);            /* its value, pinned */
struct xo r_def(struct translator *t, unsigned vgpr, bool keep); /* keep: old value is needed */
struct xo r_temp(struct translator *t);
void r_free(struct translator *t, struct xo temp);
bool r_is_temp(const struct translator *t, struct xo x);
void r_settle(struct translator *t, unsigned vgpr);  /* NaNs canonical from here on */
void r_settle_all(struct translator *t);
void r_done(struct translator *t, uint32_t i);       /* behind an instruction */
void r_end(struct translator *t);                    /* live values to the wave */
/* For loops: unpins all; makes a resident value one to be stored; notes what is
 * where, and brings it about again. */
void r_release(struct translator *t);
void r_soil(struct translator *t, unsigned vgpr);
void r_keep_state(struct translator *t, struct r_state *s);
void r_note_state(const struct translator *t, struct r_state *s); /* without loops */
void r_restore_state(struct translator *t, const struct r_state *s);
bool r_resident(const struct translator *t, unsigned vgpr);
void r_lazy(struct translator *t, unsigned vgpr, bool lazy);
bool r_inherit(struct translator *t, unsigned from, unsigned to);

#endif
