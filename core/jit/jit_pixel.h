/* SPDX-License-Identifier: MIT */
/* What makes a pixel's program: attributes from LDS, exports. */
#ifndef CORE_JIT_JIT_PIXEL_H
#define CORE_JIT_JIT_PIXEL_H

#include <stdbool.h>
#include <stdint.h>

struct translator;

/* Which table of the frame holds a parameter of the region; -1: no room. */
int j_param(struct translator *t, unsigned attr, unsigned dword);
bool j_params_fit(struct translator *t, uint32_t i);
void j_check_params(struct translator *t, uint32_t i); /* in LDS, else to the interpreter */
void j_load_params(struct translator *t);
void j_export_once(struct translator *t, uint32_t i);  /* what is not lanes' data */
void j_export(struct translator *t, uint32_t i);
void j_interp_p1(struct translator *t, uint32_t i);
void j_interp_p2(struct translator *t, uint32_t i);
void j_interp_mov(struct translator *t, uint32_t i);

#endif
