/* SPDX-License-Identifier: MIT */
/* The compare function of a depth test, on 16 lanes. */
#ifndef RASTER_BACK_COMPARE_H
#define RASTER_BACK_COMPARE_H

#include <stdint.h>
#include "core/vec.h"
#include "isa/regs.h"
#include "raster/back/plane.h"

/* Lanes where `a func b` (COMPARE_*); unordered only for NOTEQUAL (and ALWAYS). */
static inline uint32_t rs_compare(unsigned func, const struct vf16 *a, const struct vf16 *b)
{
	struct vi16 m;
#define COMPARE(op) \
	for (unsigned i = 0; i < RS_VECS; i++) \
		m.v[i] = (vi)(a->v[i] op b->v[i]); \
	break
	switch (func) {
	case COMPARE_LESS: COMPARE(<);
	case COMPARE_EQUAL: COMPARE(==);
	case COMPARE_LEQUAL: COMPARE(<=);
	case COMPARE_GREATER: COMPARE(>);
	case COMPARE_NOTEQUAL: COMPARE(!=);
	case COMPARE_GEQUAL: COMPARE(>=);
	case COMPARE_ALWAYS: return 0xffff;
	default: return 0;
	}
#undef COMPARE
	return vi16_signs(&m);
}

#endif
