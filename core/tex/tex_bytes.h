/* SPDX-License-Identifier: MIT */
/* Bilinear filtering of bytes, four components a texel.
 *
 * Texels less 128 are weighed along x as bytes, two a multiply-add, with weights 255 - w and w; the first texel once
 * more makes that 256 - w.  The rows are weighed along y as words.  All of that is exact, scaled by 256 * TEX_SUM_Y,
 * which is such that one multiplication gives the correctly rounded c / 255 where all texels are c, for each of the
 * 256. */
#ifndef CORE_TEX_TEX_BYTES_H
#define CORE_TEX_TEX_BYTES_H

#include "core/tex/mimg.h"
#include "core/vec.h"

enum { TEX_SUM_Y = CU_MIMG_SUM_Y, TEX_BYTES_BIAS = 128 * 256 * TEX_SUM_Y };
#define TEX_BYTES_UNIT 0x1.56ac02p-31f /* 1 / (255 * 256 * TEX_SUM_Y) */

/* A row of texels, a qword a pair: lanes 0, 1, 4, 5, ... and lanes 2, 3, 6, 7, ... so that the unpacking of 128-bit
 * lanes brings them into order. */
struct tex_row { vi v[2]; };

#define V_TWO(op, a, b) (vi)V_OP(op)((v_int_reg)(a), (v_int_reg)(b))

/* From first and second texels. */
V_INLINE struct tex_row tex_row_of(vi first, vi second)
{
	return (struct tex_row){ { V_TWO(unpacklo_epi32, first, second), V_TWO(unpackhi_epi32, first, second) } };
}

/* Constants of the loop over strips: opaque, so that they are not made anew in it. */
struct tex_bytes_constants { vi bias, first, flip, by_component, x_words, x_first, y_twice, y_unit, y_first; vf unit; };

V_INLINE struct tex_bytes_constants tex_bytes_constants(void)
{
	const __m128i by_component = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
	const __m128i words = _mm_setr_epi8(0, 0, 4, 4, 8, 8, 12, 12, 0, 0, 4, 4, 8, 8, 12, 12);
	const __m128i twice = _mm_setr_epi8(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1);
	return (struct tex_bytes_constants){ .bias = v_opaque(v_set(TEX_BYTES_BIAS)), .first = v_opaque(v_set(0x00010001)),
		.flip = v_opaque(v_set((int32_t)0x80808080)), .by_component = v_opaque(v_per_line(by_component)),
		.x_words = v_opaque(v_per_line(words)), .x_first = v_opaque(v_set(0x00ff00ff)),
		.y_twice = v_opaque(v_per_line(twice)),
		.y_unit = v_opaque(v_set(TEX_SUM_Y / 256 << 16 | (0x10000 - TEX_SUM_Y / 256))),
		.y_first = v_opaque(v_set(TEX_SUM_Y)), .unit = (vf)v_opaque((vi)v_setf(TEX_BYTES_UNIT)) };
}

/* Texels less 128, weighed along x: words of a component of four lanes, and of the next one. */
V_INLINE vi tex_weigh_pairs(const struct tex_bytes_constants *k, vi bytes, vi weights)
{
	return V_TWO(add_epi16, V_TWO(maddubs_epi16, weights, bytes), V_TWO(maddubs_epi16, k->first, bytes));
}

/* The four components by lane; of wx and wy the lowest byte counts. */
V_INLINE void tex_weigh_bytes(const struct tex_bytes_constants *k, const struct tex_row row[2], vi wx, vi wy, vf out[4])
{
	/* Bytes: the weight of the first texel but one, that of the second.  Words: of the first row, of the second. */
	const vi weight_x = V_TWO(shuffle_epi8, wx, k->x_words) ^ k->x_first;
	const vi weight_y = V_TWO(add_epi16, V_TWO(mullo_epi16, V_TWO(shuffle_epi8, wy, k->y_twice), k->y_unit), k->y_first);
	vi low[2], high[2];
	V_UNROLL
	for (int r = 0; r < 2; r++) {
		const vi a = V_TWO(shuffle_epi8, row[r].v[0], k->by_component) ^ k->flip;
		const vi b = V_TWO(shuffle_epi8, row[r].v[1], k->by_component) ^ k->flip;
		low[r] = tex_weigh_pairs(k, V_TWO(unpacklo_epi32, a, b), weight_x);
		high[r] = tex_weigh_pairs(k, V_TWO(unpackhi_epi32, a, b), weight_x);
	}
	const vi sums[4] = { V_TWO(unpacklo_epi16, low[0], low[1]), V_TWO(unpackhi_epi16, low[0], low[1]),
		V_TWO(unpacklo_epi16, high[0], high[1]), V_TWO(unpackhi_epi16, high[0], high[1]) };
	V_UNROLL
	for (int c = 0; c < 4; c++)
		out[c] = v_float(V_TWO(madd_epi16, sums[c], weight_y) + k->bias) * k->unit;
}

#endif
