/* SPDX-License-Identifier: MIT */
/* Filling memory with a repeated texel, in whole vectors. */
#include "raster/back/fill.h"

#include <assert.h>
#include <string.h>
#include "core/level.h"

typedef uint8_t fill_vec __attribute__((vector_size(64), aligned(1), may_alias));
static_assert(RS_FILL_PATTERN == 3 * sizeof(fill_vec), "three vectors hold whole texels of any size");

void CU_FN(rs_fill)(uint8_t *dst, size_t bytes, const uint8_t *pattern)
{
	const fill_vec *p = (const fill_vec *)pattern;
	const fill_vec a = p[0], b = p[1], c = p[2];
	for (; bytes >= RS_FILL_PATTERN; bytes -= RS_FILL_PATTERN, dst += RS_FILL_PATTERN) {
		fill_vec *q = (fill_vec *)dst;
		q[0] = a;
		q[1] = b;
		q[2] = c;
	}
	for (; bytes >= sizeof(fill_vec); bytes -= sizeof(fill_vec), dst += sizeof(fill_vec), pattern += sizeof(fill_vec))
		*(fill_vec *)dst = *(const fill_vec *)pattern;
	for (; bytes >= 16; bytes -= 16, dst += 16, pattern += 16)
		memcpy(dst, pattern, 16);
	memcpy(dst, pattern, bytes);
}
