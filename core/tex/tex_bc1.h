/* SPDX-License-Identifier: MIT */
/* Single texels of BC1 blocks, each decoded by itself: the bytes that cu_bc1_decode gives.  Where no neighbours are wanted,
 * that is less work than whole blocks. */
#ifndef CORE_TEX_TEX_BC1_H
#define CORE_TEX_TEX_BC1_H

#include "core/tex/tex_fetch_taps.h"

/* Channels of both ends, 8 bits each in words, of `bits` bits; scale and drop repeat the highest in what is below. */
V_INLINE vi tex_bc1_ends(vi ends, int at, int bits, int scale, int drop)
{
	const vi c = (vi)V_OP(srli_epi16)((v_int_reg)ends, at) & v_set(((1 << bits) - 1) * 0x10001);
	return (vi)V_OP(srli_epi16)((v_int_reg)V_TWO(mullo_epi16, c, v_set(scale * 0x10001)), drop);
}

/* Weighed by words that come to 3, over 3. */
V_INLINE vi tex_bc1_mix(vi ends, vi weights)
{
	return v_shr(V_TWO(madd_epi16, V_TWO(madd_epi16, ends, weights), v_set(683)), 11);
}

/* at: block numbers and texels, as in struct tex_footprint. */
V_INLINE vi tex_bc1_texels(const uint8_t *base, vi at)
{
	static const int32_t weight[4] = { 3, 3 << 16, 2 | 1 << 16, 1 | 2 << 16 };
	alignas(64) int32_t from[VL];
	vi raw[4];
	v_store(from, v_shr(at & ~15, 1));
	tex_load_qwords(base, from, raw);
	const vi which = (vi)((vu)raw[1] >> (vu)((at & 15) + (at & 15))) & 3, w = v_pick4(v_repeat4(weight), which);
	const vi r = tex_bc1_ends(raw[0], 11, 5, 33, 2), g = tex_bc1_ends(raw[0], 5, 6, 65, 4), b = tex_bc1_ends(raw[0], 0, 5, 33, 2);
	vi red = tex_bc1_mix(r, w), green = tex_bc1_mix(g, w), blue = tex_bc1_mix(b, w), alpha = v_set((int32_t)0xff000000);
	const vi three = (which > 1) & ((raw[0] & 0xffff) <= v_shr(raw[0], 16));
	if (__builtin_expect(v_any(three), 0)) { /* the mean, and transparent black */
		const vi mean = v_set(0x10001), black = three & (which == 3);
		red = v_sel(three, v_shr(V_TWO(madd_epi16, r, mean), 1), red) & ~black;
		green = v_sel(three, v_shr(V_TWO(madd_epi16, g, mean), 1), green) & ~black;
		blue = v_sel(three, v_shr(V_TWO(madd_epi16, b, mean), 1), blue) & ~black;
		alpha &= ~black;
	}
	return red | green << 8 | blue << 16 | alpha;
}

#endif
