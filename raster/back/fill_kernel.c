/* SPDX-License-Identifier: MIT */
/* Filling memory with a repeated texel, in whole vectors. */
#include "raster/back/fill.h"

#include <assert.h>
#include <string.h>
#include "core/level.h"
#include "core/vec.h"

/* A register: of wider ones compilers make the narrowest there are. */
typedef uint8_t fill_vec __attribute__((vector_size(4 * VL), aligned(1), may_alias));
enum { LINE = 64, OF_LINE = LINE / sizeof(fill_vec), OF_PATTERN = RS_FILL_PATTERN / sizeof(fill_vec) };
static_assert(RS_FILL_PATTERN == 3 * LINE, "three lines hold whole texels of any size");

void CU_FN(rs_fill)(uint8_t *dst, size_t bytes, const uint8_t *pattern)
{
	fill_vec v[OF_PATTERN];
	memcpy(v, pattern, sizeof v);
	if (!memcmp(pattern, pattern + LINE, LINE)) /* line by line is what memory likes best */
		for (; bytes >= LINE; bytes -= LINE, dst += LINE)
			V_UNROLL
			for (unsigned k = 0; k < OF_LINE; k++)
				((fill_vec *)dst)[k] = v[k];
	for (; bytes >= RS_FILL_PATTERN; bytes -= RS_FILL_PATTERN, dst += RS_FILL_PATTERN)
		V_UNROLL
		for (unsigned k = 0; k < OF_PATTERN; k++)
			((fill_vec *)dst)[k] = v[k];
	for (; bytes >= 16; bytes -= 16, dst += 16, pattern += 16)
		memcpy(dst, pattern, 16);
	memcpy(dst, pattern, bytes);
}
