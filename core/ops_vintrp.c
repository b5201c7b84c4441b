/* Attribute interpolation.  M0[15:0] is the byte offset in LDS, M0[30:16] the
 * newprimmask: bit q - 1 set where quad q begins a new primitive.  Dwords in
 * LDS, from that offset:
 *   S = 12 * (ATTR * NUMPRIM + PRIMID(quad))
 *   P0 at S + 2 c, P10 at S + 2 c + 1, P20 at S + 8 + c
 * Product and sum round separately, as the hardware's do. */
#include <string.h>
#include "core/valu.h"

enum param { P10, P20, P0 }; /* v_interp_mov's source codes */

static inline uint32_t param_dword(enum param p, unsigned chan)
{
	return p == P0 ? 2 * chan : p == P10 ? 2 * chan + 1 : 8 + chan;
}
static inline uint32_t lds_dword(const struct cu_wave *w, uint32_t dword)
{
	uint32_t x = 0;
	uint64_t at = (w->sgpr[124] & 0xffff) + 4 * (uint64_t)dword;
	if (at + 4 <= w->lds_bytes)
		memcpy(&x, w->lds + at, 4);
	return x;
}
/* The parameter for each lane; returns true when one value is for all. */
static inline bool param_lanes(const struct cu_wave *w, const struct cu_rec *r, enum param p,
	uint32_t out[64])
{
	uint32_t mask = w->sgpr[124] >> 16 & 0x7fff;
	uint32_t prims = 1 + (uint32_t)__builtin_popcount(mask);
	uint32_t s = 12 * r->in->attr * prims + param_dword(p, r->in->attrchan);
	uint32_t x = lds_dword(w, s);
	if (!mask) {
		out[0] = x;
		return true;
	}
	for (int q = 0; q < 16; q++) {
		if (q && mask >> (q - 1) & 1)
			x = lds_dword(w, s += 12);
		for (int i = 0; i < 4; i++)
			out[4 * q + i] = x;
	}
	return false;
}
static inline vu param_vec(const uint32_t *p, bool uniform, int i)
{
	return uniform ? splat(p[0]) : ((const vu *)p)[i];
}

CU_HANDLER(h_V_INTERP_P1_F32)
{
	_Alignas(64) uint32_t p0[64], p10[64];
	bool uniform = param_lanes(w, r, P0, p0);
	param_lanes(w, r, P10, p10);
	const vu *s = (const vu *)cu_src(w, r, 0);
	vu *d = (vu *)cu_dst(w, r);
	for (int i = 0; i < NV; i++) {
		vf x = F(param_vec(p10, uniform, i)) * F(s[i]);
		PUT_M(canon(F(param_vec(p0, uniform, i)) + x))
	}
	return r + 1;
}
CU_HANDLER(h_V_INTERP_P2_F32)
{
	_Alignas(64) uint32_t p20[64];
	bool uniform = param_lanes(w, r, P20, p20);
	const vu *s = (const vu *)cu_src(w, r, 0);
	vu *d = (vu *)cu_dst(w, r);
	for (int i = 0; i < NV; i++) {
		vf x = F(param_vec(p20, uniform, i)) * F(s[i]);
		PUT_M(canon(F(d[i]) + x))
	}
	return r + 1;
}
CU_HANDLER(h_V_INTERP_MOV_F32)
{
	_Alignas(64) uint32_t p[64];
	bool uniform = param_lanes(w, r, (enum param)(r->in->src[0] & 3), p);
	vu *d = (vu *)cu_dst(w, r);
	for (int i = 0; i < NV; i++)
		PUT_M(param_vec(p, uniform, i))
	return r + 1;
}
CU_DIRECT(V_INTERP_P1_F32, .nsrc = 1, .stype = { CU_T_F32 });
CU_DIRECT(V_INTERP_P2_F32, .nsrc = 1, .stype = { CU_T_F32 });
CU_DIRECT(V_INTERP_MOV_F32);
