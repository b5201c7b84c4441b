/* SPDX-License-Identifier: MIT */
/* The DS opcodes that only use the LDS crossbar: lanes exchange values.  A
 * value from an inactive lane is 0. */
#include "core/interp/interp.h"
#include "core/vec.h"

enum { VECS = CU_LANES / VL };

/* out = lanes of s, each from where `from` says, 0 to 63. */
static inline void pick(vi out[VECS], const uint32_t *s, const int32_t from[CU_LANES])
{
#if VL == 16
	__m512i t[4];
	for (unsigned i = 0; i < 4; i++)
		t[i] = _mm512_load_si512(s + 16 * i);
	V_UNROLL for (unsigned i = 0; i < VECS; i++) {
		const __m512i at = _mm512_load_si512(from + 16 * i);
		const __mmask16 high = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
		out[i] = (vi)_mm512_mask_mov_epi32(_mm512_permutex2var_epi32(t[0], at, t[1]), high, _mm512_permutex2var_epi32(t[2], at, t[3]));
	}
#else
	V_UNROLL for (unsigned i = 0; i < VECS; i++) {
		const int32_t *at = from + VL * i;
		const vi lane = v_load(at), row = v_shr(lane, 3);
		const int32_t first = at[0] >> 3, last = at[7] >> 3;
		const vi of_first = row == first;
		if (v_any(~(of_first | (row == last)))) { /* of more than two rows */
			out[i] = (vi)_mm256_setr_epi32((int)s[at[0]], (int)s[at[1]], (int)s[at[2]], (int)s[at[3]], (int)s[at[4]], (int)s[at[5]],
				(int)s[at[6]], (int)s[at[7]]);
			continue;
		}
		const vi a = (vi)_mm256_permutevar8x32_epi32((__m256i)v_load(s + 8 * first), (__m256i)lane);
		const vi b = (vi)_mm256_permutevar8x32_epi32((__m256i)v_load(s + 8 * last), (__m256i)lane);
		out[i] = v_sel(of_first, a, b);
	}
#endif
}

/* d[l] = s[from[l]] for active l, 0 where that lane is inactive. */
static void exchange(struct cu_wave *w, const struct cu_rec *r, const uint32_t *s, const int32_t from[CU_LANES])
{
	const uint64_t exec = cu_exec(w);
	_Alignas(64) uint32_t live[CU_LANES];
	uint32_t *d = cu_dst(w, r);
	vi v[VECS];
	if (exec != ~0ull) {
		for (unsigned l = 0; l < CU_LANES; l += VL)
			v_store(live + l, v_load(s + l) & v_mask_of((uint32_t)(exec >> l)));
		s = live;
	}
	pick(v, s, from);
	for (unsigned i = 0; i < VECS; i++)
		v_store_lanes(d + VL * i, v[i], (uint32_t)(exec >> VL * i));
}

/* FFT: the lane number reversed, as many places down as the mask has bits,
 * lanes of the mask kept. */
static unsigned fft_lane(unsigned l, unsigned mask)
{
	unsigned reversed = 0;
	for (unsigned i = 0; i < 5; i++)
		reversed |= (l >> i & 1) << (4 - i);
	return ((reversed >> __builtin_popcount(mask)) | (l & mask)) & 31;
}

/* Offset: 0xe000.. FFT, 0xc000.. rotation in 32 lanes, 0x8000.. quad
 * permutation, else and, or, xor masks in 32 lanes. */
CU_HANDLER(h_DS_SWIZZLE_B32)
{
	uint32_t o = (uint32_t)r->in->offset & 0xffff;
	_Alignas(64) int32_t from[CU_LANES];
	for (unsigned l = 0; l < CU_LANES; l++) {
		unsigned x;
		if (o >= 0xe000) {
			x = fft_lane(l & 31, o & 31);
		} else if (o >= 0xc000) {
			unsigned n = o >> 5 & 31, keep = o & 31, turn = o >> 10 & 1 ? 32 - n : n;
			x = ((l & keep) | ((l + turn) & 31 & ~keep));
		} else if (o & 0x8000) {
			x = (l & 28) | (o >> (2 * (l & 3)) & 3);
		} else {
			x = (((l & 31 & o) | (o >> 5 & 31)) ^ (o >> 10)) & 31;
		}
		from[l] = (int32_t)((l & 32) | x);
	}
	exchange(w, r, w->vgpr[r->in->src[0] & 255], from);
	return r + 1;
}
CU_DIRECT(DS_SWIZZLE_B32);

/* Pull: lane l reads lane (address / 4) % 64. */
CU_HANDLER(h_DS_BPERMUTE_B32)
{
	const uint32_t *addr = w->vgpr[r->in->src[0] & 255];
	_Alignas(64) int32_t from[CU_LANES];
	for (unsigned l = 0; l < CU_LANES; l += VL)
		v_store(from + l, v_shr(v_load(addr + l) + v_set(r->in->offset), 2) & 63);
	exchange(w, r, w->vgpr[r->in->src[1] & 255], from);
	return r + 1;
}
CU_DIRECT(DS_BPERMUTE_B32);

/* Push: the highest lane wins. */
CU_HANDLER(h_DS_PERMUTE_B32)
{
	const uint32_t *addr = w->vgpr[r->in->src[0] & 255], *s = w->vgpr[r->in->src[1] & 255];
	uint32_t value[64] = { 0 }, *d = cu_dst(w, r);
	CU_EACH(l, cu_exec(w))
		value[(addr[l] + (uint32_t)r->in->offset) >> 2 & 63] = s[l];
	CU_EACH(l, cu_exec(w))
		d[l] = value[l];
	return r + 1;
}
CU_DIRECT(DS_PERMUTE_B32);
