/* SPDX-License-Identifier: MIT */
/* Params from rows, a component each, to records, a vertex each. */
#ifndef RASTER_FRONT_PARAMS_H
#define RASTER_FRONT_PARAMS_H

#include <stdint.h>

/* n vertices of x, y, z, w to dst, dst + stride, ...; rows are 16-byte aligned and, as
 * dst, have room for n rounded up to four. */
static inline void rs_params_store(float *dst, unsigned stride, const uint32_t *x_row, const uint32_t *y_row,
	const uint32_t *z_row, const uint32_t *w_row, unsigned n)
{
	typedef uint32_t u32x4 __attribute__((vector_size(16), may_alias));
	for (unsigned l = 0; l < n; l += 4) {
		u32x4 x = *(const u32x4 *)&x_row[l], y = *(const u32x4 *)&y_row[l];
		u32x4 z = *(const u32x4 *)&z_row[l], w = *(const u32x4 *)&w_row[l];
		u32x4 xy0 = __builtin_shufflevector(x, y, 0, 4, 1, 5);
		u32x4 xy1 = __builtin_shufflevector(x, y, 2, 6, 3, 7);
		u32x4 zw0 = __builtin_shufflevector(z, w, 0, 4, 1, 5);
		u32x4 zw1 = __builtin_shufflevector(z, w, 2, 6, 3, 7);
		*(u32x4 *)dst = __builtin_shufflevector(xy0, zw0, 0, 1, 4, 5);
		*(u32x4 *)(dst + stride) = __builtin_shufflevector(xy0, zw0, 2, 3, 6, 7);
		*(u32x4 *)(dst + 2 * stride) = __builtin_shufflevector(xy1, zw1, 0, 1, 4, 5);
		*(u32x4 *)(dst + 3 * stride) = __builtin_shufflevector(xy1, zw1, 2, 3, 6, 7);
		dst += 4 * stride;
	}
}

#endif
