/* SPDX-License-Identifier: MIT */
/* The DS opcodes that only use the LDS crossbar: lanes exchange values.  A
 * value from an inactive lane is 0. */
#include "core/interp/interp.h"
#include <string.h>

/* d[l] = s[from[l]] for active l, 0 where that lane is inactive. */
static void exchange(struct cu_wave *w, const struct cu_rec *r, const uint32_t *s,
	const uint8_t from[64])
{
	uint64_t exec = cu_exec(w);
	uint32_t value[64], *d = cu_dst(w, r);
	for (int l = 0; l < 64; l++)
		value[l] = exec >> from[l] & 1 ? s[from[l]] : 0;
	CU_EACH(l, exec)
		d[l] = value[l];
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
	uint8_t from[64];
	for (unsigned l = 0; l < 64; l++) {
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
		from[l] = (uint8_t)((l & 32) | x);
	}
	exchange(w, r, w->vgpr[r->in->src[0] & 255], from);
	return r + 1;
}
CU_DIRECT(DS_SWIZZLE_B32);

/* Pull: lane l reads lane (address / 4) % 64. */
CU_HANDLER(h_DS_BPERMUTE_B32)
{
	const uint32_t *addr = w->vgpr[r->in->src[0] & 255];
	uint8_t from[64];
	for (int l = 0; l < 64; l++)
		from[l] = (uint8_t)((addr[l] + (uint32_t)r->in->offset) >> 2 & 63);
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
