/* SPDX-License-Identifier: MIT */
/* Attribute interpolation.  M0[15:0] is the byte offset in LDS, M0[30:16] the
 * newprimmask: bit q - 1 set where quad q begins a new primitive.  Dwords in
 * LDS, from that offset:
 *   S = 12 * (ATTR * NUMPRIM + PRIMID(quad))
 *   P0 at S + 2 c, P10 at S + 2 c + 1, P20 at S + 8 + c
 * Product and sum round separately, as the hardware's do. */
#include <string.h>
#include "core/interp/interp_priv.h"
#include "core/interp/valu.h"
#include "core/mode.h"

enum param { P10, P20, P0 }; /* v_interp_mov's source codes */

static inline uint32_t param_dword(enum param p, unsigned chan)
{
	return p == P0 ? 2 * chan : p == P10 ? 2 * chan + 1 : 8 + chan;
}
static inline uint32_t lds_dword(const struct cu_wave *w, uint32_t dword)
{
	uint32_t x = 0;
	uint64_t at = (w->sgpr[GCN_SRC_M0] & 0xffff) + 4 * (uint64_t)dword;
	if (at + 4 <= w->lds_bytes)
		memcpy(&x, w->lds + at, 4);
	return x;
}
/* The parameter for each lane; returns true when one value is for all. */
static inline bool param_lanes(const struct cu_wave *w, const struct cu_rec *r, enum param p,
	uint32_t out[64])
{
	uint32_t mask = w->sgpr[GCN_SRC_M0] >> 16 & 0x7fff;
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
	return uniform ? v_setu(p[0]) : ((const vu *)p)[i];
}

/* The same as an operand: the halves of a dword are two attributes. */
void CU_FN(cu_param_lanes)(const struct cu_wave *w, const struct cu_rec *r, enum cu_type t,
	uint32_t out[64])
{
	if (param_lanes(w, r, t == CU_T_P0 ? P0 : t == CU_T_P10 ? P10 : P20, out))
		for (int l = 63; l >= 0; l--)
			out[l] = out[0];
}

/* A parameter of up to 16 primitives. */
struct param_table { vu v[16 / VL]; };

/* Which primitive each quad of the wave belongs to, and the table's index of it
 * by lane. */
struct quad_prims {
	uint32_t prims;
	_Alignas(16) uint8_t quad[16];
};

static inline struct quad_prims quad_prims(const struct cu_wave *w)
{
	const uint64_t ones = 0x0101010101010101ull;
	uint32_t mask = w->sgpr[GCN_SRC_M0] >> 16 & 0x7fff, starts = mask << 1; /* bit q: quad q begins one */
	struct quad_prims out = { .prims = 1 + (uint32_t)__builtin_popcount(mask) };
	/* sums over the quads so far, a byte each */
	uint64_t lo = _pdep_u64(starts & 0xff, ones) * ones;
	uint64_t hi = _pdep_u64(starts >> 8, ones) * ones + (lo >> 56) * ones;
	memcpy(out.quad, &lo, 8);
	memcpy(out.quad + 8, &hi, 8);
	return out;
}

/* Parameter p of the attribute for every primitive. */
static inline struct param_table load_params(const struct cu_wave *w, const struct cu_rec *r, enum param p,
	uint32_t prims)
{
	_Alignas(sizeof(vu)) uint32_t out[16];
	struct param_table t;
	uint32_t s = 12 * r->in->attr * prims + param_dword(p, r->in->attrchan);
	uint64_t at = (w->sgpr[GCN_SRC_M0] & 0xffff) + 4 * (uint64_t)s;
	if (at + 48 * (uint64_t)(prims - 1) + 4 > w->lds_bytes) {
		for (uint32_t n = 0; n < 16; n++)
			out[n] = n < prims ? lds_dword(w, s + 12 * n) : 0;
		memcpy(&t, out, sizeof t);
		return t;
	}
	const int *from = (const int *)(w->lds + at);
#if CU_LEVEL == 4
	const __m512i step = _mm512_setr_epi32(0, 12, 24, 36, 48, 60, 72, 84, 96, 108, 120, 132, 144, 156, 168, 180);
	t.v[0] = (vu)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)((1u << prims) - 1), step, from, 4);
#else
	const __m256i step = _mm256_setr_epi32(0, 12, 24, 36, 48, 60, 72, 84);
	uint32_t have = (1u << prims) - 1;
	for (int i = 0; i < 2; i++)
		t.v[i] = (vu)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), from + 96 * i, step,
			(__m256i)m_from(have >> 8 * i), 4);
#endif
	return t;
}

/* The parameter for the lanes of vector i. */
static inline vu lane_params(const struct param_table *t, const struct quad_prims *q, int i)
{
	static const uint8_t quad_of[64] = {
		0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7,
		8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13,
		14, 14, 14, 14, 15, 15, 15, 15,
	};
	if (q->prims == 1)
		return v_setu(t->v[0][0]);
	__m128i quads = _mm_load_si128((const __m128i *)q->quad);
#if CU_LEVEL == 4
	__m128i byte = _mm_shuffle_epi8(quads, _mm_loadu_si128((const __m128i *)(quad_of + 16 * i)));
	return (vu)_mm512_permutexvar_epi32(_mm512_cvtepu8_epi32(byte), (__m512i)t->v[0]);
#else
	__m128i byte = _mm_shuffle_epi8(quads, _mm_loadl_epi64((const __m128i *)(quad_of + 8 * i)));
	__m256i lane = _mm256_cvtepu8_epi32(byte);
	vu lo = (vu)_mm256_permutevar8x32_epi32((__m256i)t->v[0], lane);
	vu hi = (vu)_mm256_permutevar8x32_epi32((__m256i)t->v[1], lane);
	return m_sel(i_gt((vu)lane, v_setu(7)), hi, lo);
#endif
}

CU_HANDLER(h_V_INTERP_P1_F32)
{
	const struct quad_prims q = quad_prims(w);
	const struct param_table p0 = load_params(w, r, P0, q.prims), p10 = load_params(w, r, P10, q.prims);
	const vu *s = (const vu *)cu_src(w, r, 0);
	vu *d = (vu *)cu_dst(w, r);
	for (int i = 0; i < NV; i++) {
		vf x = (vf)lane_params(&p10, &q, i) * (vf)s[i];
		PUT_M(canon((vf)lane_params(&p0, &q, i) + x))
	}
	return r + 1;
}
CU_HANDLER(h_V_INTERP_P2_F32)
{
	const struct quad_prims q = quad_prims(w);
	const struct param_table p20 = load_params(w, r, P20, q.prims);
	const vu *s = (const vu *)cu_src(w, r, 0);
	vu *d = (vu *)cu_dst(w, r);
	for (int i = 0; i < NV; i++) {
		vf x = (vf)lane_params(&p20, &q, i) * (vf)s[i];
		PUT_M(canon((vf)d[i] + x))
	}
	return r + 1;
}
CU_HANDLER(h_V_INTERP_MOV_F32)
{
	const struct quad_prims q = quad_prims(w);
	const struct param_table p = load_params(w, r, (enum param)(r->in->src[0] & 3), q.prims);
	vu *d = (vu *)cu_dst(w, r);
	for (int i = 0; i < NV; i++)
		PUT_M(lane_params(&p, &q, i))
	return r + 1;
}

/* Under another MODE, or with the modifiers of the 64-bit form: operands and
 * result flushed, rounding as MODE says. */
static inline vu flushed(vu x, bool keep)
{
	vm tiny = f_lt(v_absf((vf)x), v_setf(0x1p-126f));
	return keep ? x : m_sel(tiny, x & v_setu(0x80000000u), x);
}
static inline vu signed_as(const struct gcn_inst *in, vu x)
{
	x = in->abs & 1 ? x & v_setu(0x7fffffff) : x;
	return in->neg & 1 ? x ^ v_setu(0x80000000u) : x;
}
/* core/mode.h: omod only where denormals are flushed, and then no -0. */
static inline vu modified(const struct gcn_inst *in, uint32_t mode, vu x, bool keep)
{
	static const float factors[4] = { 1, 2, 4, 0.5f };
	if (in->omod && !(mode & (CU_MODE_IEEE | CU_MODE_OUT_F32))) {
		x = flushed(canon((vf)x * v_setf(factors[in->omod & 3])), false);
		x = m_sel(i_eq(x, v_setu(0x80000000u)), v_setu(0), x);
	} else {
		x = flushed(x, keep);
	}
	if (!in->clamp)
		return x;
	vf y = v_minf(v_maxf((vf)x, v_setf(0.0f)), v_setf(1.0f)); /* NaN to 0 */
	return mode & CU_MODE_DX10_CLAMP ? (vu)y : (vu)m_self(m_nan((vf)x), (vf)x, y);
}
static void interp_moded(struct cu_wave *w, const struct cu_rec *r, enum param p, const uint32_t *a)
{
	_Alignas(64) uint32_t slope[64];
	bool uniform = param_lanes(w, r, p, slope);
	bool in = w->mode & CU_MODE_IN_F32, out = w->mode & CU_MODE_OUT_F32;
	unsigned old = __builtin_ia32_stmxcsr();
	const vu *s = (const vu *)cu_src(w, r, 0);
	vu *d = (vu *)cu_dst(w, r);
	__builtin_ia32_ldmxcsr(cu_mode_mxcsr(w->mode >> CU_MODE_ROUND_F32));
	for (int i = 0; i < NV; i++) {
		vf x = (vf)flushed(param_vec(slope, uniform, i), in) * (vf)flushed(signed_as(r->in, s[i]), in);
		vu sum = canon((vf)flushed(((const vu *)a)[i], in) + x);
		PUT_M(modified(r->in, w->mode, sum, out))
	}
	__builtin_ia32_ldmxcsr(old);
}
CU_HANDLER(hm_V_INTERP_P1_F32)
{
	_Alignas(64) uint32_t p0[64];
	CU_FN(cu_param_lanes)(w, r, CU_T_P0, p0);
	interp_moded(w, r, P10, p0);
	return r + 1;
}
CU_HANDLER(hm_V_INTERP_P2_F32)
{
	interp_moded(w, r, P20, cu_dst(w, r));
	return r + 1;
}
CU_HANDLER(hm_V_INTERP_MOV_F32)
{
	_Alignas(64) uint32_t x[64];
	bool uniform = param_lanes(w, r, (enum param)(r->in->src[0] & 3), x);
	unsigned old = __builtin_ia32_stmxcsr();
	vu *d = (vu *)cu_dst(w, r);
	__builtin_ia32_ldmxcsr(cu_mode_mxcsr(w->mode >> CU_MODE_ROUND_F32));
	for (int i = 0; i < NV; i++)
		PUT_M(modified(r->in, w->mode, param_vec(x, uniform, i), true))
	__builtin_ia32_ldmxcsr(old);
	return r + 1;
}
#define BOTH(H) .moded = H, .modified = H
CU_DIRECT(V_INTERP_P1_F32, .nsrc = 1, .stype = { CU_T_F32 }, BOTH(hm_V_INTERP_P1_F32));
CU_DIRECT(V_INTERP_P2_F32, .nsrc = 1, .stype = { CU_T_F32 }, BOTH(hm_V_INTERP_P2_F32));
CU_DIRECT(V_INTERP_MOV_F32, .nsrc = 0, BOTH(hm_V_INTERP_MOV_F32));

/* --- 16 bits: parameters are halves, "high" picks which of a dword --- */
static inline vu lerp(vf i, vf slope, vf base)
{
	vf x = slope * i;
	return canon(base + x);
}
/* P0 + P10 I, both from LDS; or P0 from a VGPR's half. */
SLOW3(V_INTERP_P1LL_F16, F32, F32, P10, P0, 0, lerp((vf)a, h2f(b), h2f(c)));
SLOW3(V_INTERP_P1LV_F16, F32, F32, P10, F16_ATTR, 0, lerp((vf)a, h2f(b), h2f(c)));
/* The sum so far + P20 J. */
SLOW3(V_INTERP_P2_LEGACY_F16, F16, F32, P20, F32, 0, f2h((vf)lerp((vf)a, h2f(b), (vf)c)));
SLOW3(V_INTERP_P2_F16, F16, F32, P20, F32, CU_OP_KEEP_HIGH, f2h((vf)lerp((vf)a, h2f(b), (vf)c)));
