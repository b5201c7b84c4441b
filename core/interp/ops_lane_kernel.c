/* SPDX-License-Identifier: MIT */
/* Opcodes that move values between lanes and the scalar side. */
#include "core/interp/valu.h"

/* Source VGPR's value in one lane; a scalar source has one value. */
static inline uint32_t value_at(const struct cu_wave *w, const struct cu_rec *r, unsigned lane)
{
	const uint32_t *s = cu_src(w, r, 0);
	return r->scalar & 1 ? s[0] : s[lane];
}
CU_HANDLER(h_V_READFIRSTLANE_B32)
{
	uint64_t exec = cu_load64(&w->sgpr[GCN_SRC_EXEC]);
	*cu_dst(w, r) = value_at(w, r, exec ? (unsigned)__builtin_ctzll(exec) : 0);
	return r + 1;
}
CU_HANDLER(h_V_READLANE_B32)
{
	*cu_dst(w, r) = value_at(w, r, cu_src32(w, r, 1) & 63);
	return r + 1;
}
CU_HANDLER(h_V_WRITELANE_B32)
{
	cu_dst(w, r)[cu_src32(w, r, 1) & 63] = cu_src32(w, r, 0);
	return r + 1;
}
CU_DIRECT(V_READFIRSTLANE_B32, .nsrc = 1, .stype = { CU_T_B32 });
CU_DIRECT(V_READLANE_B32, .nsrc = 2, .stype = { CU_T_B32, CU_T_B32 });
CU_DIRECT(V_WRITELANE_B32, .nsrc = 2, .stype = { CU_T_B32, CU_T_B32 });

CU_HANDLER(h_V_SWAP_B32)
{
	vu *d = (vu *)cu_dst(w, r), *s = (vu *)(uintptr_t)cu_src(w, r, 0);
	for (int i = 0; i < NV; i++) {
		vm m = exec_mask(w, i);
		vu x = d[i], y = s[i];
		d[i] = m_sel(m, y, x);
		s[i] = m_sel(m, x, y);
	}
	return r + 1;
}
CU_DIRECT(V_SWAP_B32, .nsrc = 1, .stype = { CU_T_B32 });

/* --- before gfx9: VGPR numbers relative to M0 --- */
static const struct cu_rec *movrel(struct cu_wave *w, const struct cu_rec *r, bool source, bool result)
{
	int64_t move = (int64_t)(int32_t)w->sgpr[GCN_SRC_M0] * 256, file = sizeof(w->vgpr) - 256;
	int64_t s = r->s[0] + (source ? move : 0), d = (int64_t)r->d + (result ? move : 0);
	_Static_assert(offsetof(struct cu_wave, vgpr) == 0, "VGPRs come first");
	if (!(r->scalar & 1) && (s < 0 || s > file))
		return cu_fault(w, r, "source VGPR out of range, M0 is %u", w->sgpr[GCN_SRC_M0]);
	if (r->scalar & 1 && source)
		return cu_fault(w, r, "the source is no VGPR");
	if (d < 0 || d > file)
		return cu_fault(w, r, "destination VGPR out of range, M0 is %u", w->sgpr[GCN_SRC_M0]);
	const uint32_t *from = r->scalar & 1 ? cu_src(w, r, 0) : (const void *)((char *)w + s);
	uint32_t *to = (uint32_t *)((char *)w + d);
	CU_EACH (l, cu_exec(w))
		to[l] = r->scalar & 1 ? from[0] : from[l];
	return r + 1;
}
CU_HANDLER(h_V_MOVRELD_B32)
{
	return movrel(w, r, false, true);
}
CU_HANDLER(h_V_MOVRELS_B32)
{
	return movrel(w, r, true, false);
}
CU_HANDLER(h_V_MOVRELSD_B32)
{
	return movrel(w, r, true, true);
}
CU_DIRECT(V_MOVRELD_B32, .nsrc = 1, .stype = { CU_T_B32 });
CU_DIRECT(V_MOVRELS_B32, .nsrc = 1, .stype = { CU_T_B32 });
CU_DIRECT(V_MOVRELSD_B32, .nsrc = 1, .stype = { CU_T_B32 });

/* Where all bits of the mask are set, as of a lane's own number: s plus the lanes from `first` on, `most` of them, below the lane. */
static bool counts_all(struct cu_vop *o, int first, int most)
{
	static const int32_t number[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	vi all = v_set(-1);
	for (int l = 0; l < 64; l += VL)
		all &= v_load(&o->s[0][l]);
	if (v_any(all != v_set(-1)))
		return false;
	for (int l = 0; l < 64; l += VL) {
		const vi below = v_load(number) + (l - first);
		v_store(&o->d[l], v_load(&o->s[1][l]) + v_min(v_max(below, v_set(0)), v_set(most)));
	}
	return true;
}

/* Bits of the mask below the lane, plus source 1. */
static void k_V_MBCNT_LO_U32_B32(struct cu_vop *o)
{
	if (counts_all(o, 0, 32))
		return;
	for (int l = 0; l < 64; l++) {
		uint32_t below = l < 32 ? (1u << l) - 1 : ~0u;
		o->d[l] = (uint32_t)__builtin_popcount(o->s[0][l] & below) + o->s[1][l];
	}
}
static void k_V_MBCNT_HI_U32_B32(struct cu_vop *o)
{
	if (counts_all(o, 32, 32))
		return;
	for (int l = 0; l < 64; l++) {
		uint32_t below = l < 32 ? 0 : (1u << (l - 32)) - 1;
		o->d[l] = (uint32_t)__builtin_popcount(o->s[0][l] & below) + o->s[1][l];
	}
}
VALU_DESC(V_MBCNT_LO_U32_B32, 2, B32, B32, B32, NONE, 0, );
VALU_DESC(V_MBCNT_HI_U32_B32, 2, B32, B32, B32, NONE, 0, );
