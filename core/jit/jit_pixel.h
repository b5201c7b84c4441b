/* SPDX-License-Identifier: MIT */
/* What makes a pixel's program: attributes from LDS, exports. */
#ifndef CORE_JIT_JIT_PIXEL_H
#define CORE_JIT_JIT_PIXEL_H

#include <stdbool.h>
#include <stdint.h>

struct jit_translator;
struct jit_region;

/* Which table of the frame holds a parameter of the region; -1: no room. */
int jit_param(struct jit_region *g, unsigned attr, unsigned dword);
bool jit_params_fit(struct jit_region *g, uint32_t i);
void jit_check_params(struct jit_region *g, uint32_t i); /* in LDS, else to the interpreter */
void jit_load_params(struct jit_region *g);
void jit_spread_params(struct jit_region *g);            /* the same of a wave's only primitive: it is one in all lanes */
void jit_export_once(struct jit_region *g, uint32_t i);  /* what is not lanes' data */
/* To the label where the region, behind which the program ends, does nothing but export whole targets and the wave's
 * owner finds what it exports in VGPRs (cu_exported). */
void jit_exports_stay(struct jit_region *g, int end);
void jit_export(struct jit_region *g, uint32_t i);
void jit_interp_p1(struct jit_region *g, uint32_t i);
void jit_interp_p2(struct jit_region *g, uint32_t i);
void jit_interp_mov(struct jit_region *g, uint32_t i);

#endif
