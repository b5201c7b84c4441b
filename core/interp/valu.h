/* SPDX-License-Identifier: MIT */
/* Vector opcodes from one-line definitions.  Each definition gives the kernel
 * (the definition of the opcode, on plain buffers) and, for common opcodes,
 * handlers that read and write the wave directly: full EXEC or masked, and
 * each source a VGPR or one scalar for all lanes.
 *
 *   VALU1(NAME, D, A, expr), VALU2, VALU3: expr of vu a, b, c gives vu
 *   VCMP(NAME, A, expr): expr gives vm; also defines V_CMPX from V_CMP names
 *   FLOAT2, FLOAT3: VALU2 and VALU3 of floats, also with abs, neg, clamp
 *   LANE1..LANE3: expr of uint32_t a, b, c; kernel only, for rare opcodes
 *   KERNEL(NAME, flags, D, A, B, C): kernel only, its body follows
 * D, A, B, C are enum cu_type without CU_T_. */
#ifndef CORE_INTERP_VALU_H
#define CORE_INTERP_VALU_H

#include "core/interp/interp.h"
#include "core/interp/value.h"

#if CU_LEVEL == 4
static inline vm exec_mask(const struct cu_wave *w, int i)
{
	return ((const uint16_t *)&w->sgpr[GCN_SRC_EXEC])[i];
}
#else
static inline vm exec_mask(const struct cu_wave *w, int i)
{
	return m_from(((const uint8_t *)&w->sgpr[GCN_SRC_EXEC])[i]);
}
#endif

/* Keeps a blend a blend: as a masked store, the next reader could not be
 * served from the store buffer (25 cycles instead of 13). */
static inline vu settled(vu x)
{
#if CU_LEVEL == 4
	__asm__("" : "+v"(x));
#else
	__asm__("" : "+x"(x));
#endif
	return x;
}

/* Source n as V(GPR) or S(calar). */
#define SRC_V(n) const vu *s##n = (const vu *)((const char *)w + r->s[n]);
#define SRC_S(n) const vu s##n = v_setu(cu_src32(w, r, n));
#define GET_V(n) s##n[i]
#define GET_S(n) s##n
#define PUT_F(x) d[i] = (x);
#define PUT_M(x) d[i] = settled(m_sel(exec_mask(w, i), (x), d[i]));

#define FAST1(NAME, P, X) \
	CU_HANDLER(h##P##X##_##NAME) \
	{ \
		SRC_##X(0) \
		vu *d = (vu *)cu_dst(w, r); \
		for (int i = 0; i < NV; i++) \
			PUT_##P(f_##NAME(GET_##X(0))) \
		return r + 1; \
	}
#define FAST2(NAME, P, X, Y) \
	CU_HANDLER(h##P##X##Y##_##NAME) \
	{ \
		SRC_##X(0) SRC_##Y(1) \
		vu *d = (vu *)cu_dst(w, r); \
		for (int i = 0; i < NV; i++) \
			PUT_##P(f_##NAME(GET_##X(0), GET_##Y(1))) \
		return r + 1; \
	}
#define FAST3(NAME, P, X, Y, Z) \
	CU_HANDLER(h##P##X##Y##Z##_##NAME) \
	{ \
		SRC_##X(0) SRC_##Y(1) SRC_##Z(2) \
		vu *d = (vu *)cu_dst(w, r); \
		for (int i = 0; i < NV; i++) \
			PUT_##P(f_##NAME(GET_##X(0), GET_##Y(1), GET_##Z(2))) \
		return r + 1; \
	}

/* A float source with abs and neg, VGPR or scalar. */
struct mod_source {
	const char *p;
	int step;
	vu clear, flip, value;
};
static inline void mod_source(struct mod_source *m, const struct cu_wave *w, const struct cu_rec *r, int n)
{
	m->clear = v_setu(r->in->abs >> n & 1 ? 0x7fffffff : ~0u);
	m->flip = v_setu(r->in->neg >> n & 1 ? 0x80000000u : 0);
	m->p = cu_src(w, r, n);
	m->step = sizeof(vu);
	if (r->scalar >> n & 1) {
		m->value = v_setu(*(const uint32_t *)m->p);
		m->p = (const char *)&m->value;
		m->step = 0;
	}
}
static inline vu mod_get(const struct mod_source *m, int i)
{
	return (*(const vu *)(m->p + i * m->step) & m->clear) ^ m->flip;
}
static inline vu mod_clamp(vu x, bool clamp)
{
	return clamp ? (vu)v_minf(v_maxf((vf)x, v_setf(0.0f)), v_setf(1.0f)) : x;
}
/* Plain but for abs, neg and clamp; any EXEC. */
#define MODDED2(NAME) \
	CU_HANDLER(hX_##NAME) \
	{ \
		struct mod_source a, b; \
		mod_source(&a, w, r, 0), mod_source(&b, w, r, 1); \
		bool clamp = r->in->clamp; \
		vu *d = (vu *)cu_dst(w, r); \
		for (int i = 0; i < NV; i++) \
			PUT_M(mod_clamp(f_##NAME(mod_get(&a, i), mod_get(&b, i)), clamp)) \
		return r + 1; \
	}
#define MODDED3(NAME) \
	CU_HANDLER(hX_##NAME) \
	{ \
		struct mod_source a, b, c; \
		mod_source(&a, w, r, 0), mod_source(&b, w, r, 1), mod_source(&c, w, r, 2); \
		bool clamp = r->in->clamp; \
		vu *d = (vu *)cu_dst(w, r); \
		for (int i = 0; i < NV; i++) \
			PUT_M(mod_clamp(f_##NAME(mod_get(&a, i), mod_get(&b, i), mod_get(&c, i)), clamp)) \
		return r + 1; \
	}
/* Float opcodes that are often modified. */
#define FLOAT2(NAME, FLAGS, EXPR) \
	static const struct cu_rec *hX_##NAME(struct cu_wave *w, const struct cu_rec *r); \
	VALU2_(NAME, F32, F32, F32, FLAGS, EXPR, .modified = hX_##NAME); \
	MODDED2(NAME)
#define FLOAT3(NAME, FLAGS, EXPR) \
	static const struct cu_rec *hX_##NAME(struct cu_wave *w, const struct cu_rec *r); \
	VALU3_(NAME, F32, F32, F32, F32, FLAGS, EXPR, .modified = hX_##NAME); \
	MODDED3(NAME)

#define KERNEL_LOOP(NAME, ...) \
	static void k_##NAME(struct cu_vop *o) \
	{ \
		const vu *s0 = (const vu *)o->s[0], *s1 = (const vu *)o->s[1], \
			*s2 = (const vu *)o->s[2]; \
		vu *d = (vu *)o->d; \
		(void)s1, (void)s2; \
		for (int i = 0; i < NV; i++) \
			d[i] = f_##NAME(__VA_ARGS__); \
	}
#define VALU_DESC(NAME, N, D, A, B, C, FLAGS, ...) \
	CU_OPDESC(NAME) = { .cls = CU_CLASS_VALU, .flags = (FLAGS) & 255, .traits = (FLAGS) >> 8, \
		.nsrc = N, .dtype = CU_T_##D, .stype = { CU_T_##A, CU_T_##B, CU_T_##C }, .kernel = k_##NAME, __VA_ARGS__ }

#define VALU1_(NAME, D, A, FLAGS, EXPR, ...) \
	static inline vu f_##NAME(vu a) { return (EXPR); } \
	KERNEL_LOOP(NAME, s0[i]) \
	FAST1(NAME, F, V) FAST1(NAME, F, S) FAST1(NAME, M, V) FAST1(NAME, M, S) \
	VALU_DESC(NAME, 1, D, A, NONE, NONE, FLAGS, \
		.fast = { CU_FAST(2, hMV_##NAME, hMS_##NAME), CU_FAST(2, hFV_##NAME, hFS_##NAME) }, __VA_ARGS__)
#define VALU1(NAME, D, A, EXPR) VALU1_(NAME, D, A, 0, EXPR, )

#define VALU2_(NAME, D, A, B, FLAGS, EXPR, ...) \
	static inline vu f_##NAME(vu a, vu b) { return (EXPR); } \
	KERNEL_LOOP(NAME, s0[i], s1[i]) \
	FAST2(NAME, F, V, V) FAST2(NAME, F, S, V) FAST2(NAME, F, V, S) \
	FAST2(NAME, M, V, V) FAST2(NAME, M, S, V) FAST2(NAME, M, V, S) \
	VALU_DESC(NAME, 2, D, A, B, NONE, FLAGS, \
		.fast = { CU_FAST(4, hMVV_##NAME, hMSV_##NAME, hMVS_##NAME), \
			CU_FAST(4, hFVV_##NAME, hFSV_##NAME, hFVS_##NAME) }, __VA_ARGS__)
#define VALU2(NAME, D, A, B, EXPR) VALU2_(NAME, D, A, B, 0, EXPR, )

#define VALU3_(NAME, D, A, B, C, FLAGS, EXPR, ...) \
	static inline vu f_##NAME(vu a, vu b, vu c) { return (EXPR); } \
	KERNEL_LOOP(NAME, s0[i], s1[i], s2[i]) \
	FAST3(NAME, F, V, V, V) FAST3(NAME, F, S, V, V) FAST3(NAME, F, V, S, V) \
	FAST3(NAME, F, S, S, V) FAST3(NAME, F, V, V, S) FAST3(NAME, F, S, V, S) \
	FAST3(NAME, F, V, S, S) \
	FAST3(NAME, M, V, V, V) FAST3(NAME, M, S, V, V) FAST3(NAME, M, V, S, V) \
	FAST3(NAME, M, S, S, V) FAST3(NAME, M, V, V, S) FAST3(NAME, M, S, V, S) \
	FAST3(NAME, M, V, S, S) \
	VALU_DESC(NAME, 3, D, A, B, C, FLAGS, \
		.fast = { CU_FAST(8, hMVVV_##NAME, hMSVV_##NAME, hMVSV_##NAME, hMSSV_##NAME, \
			hMVVS_##NAME, hMSVS_##NAME, hMVSS_##NAME), \
			CU_FAST(8, hFVVV_##NAME, hFSVV_##NAME, hFVSV_##NAME, hFSSV_##NAME, \
			hFVVS_##NAME, hFSVS_##NAME, hFVSS_##NAME) }, __VA_ARGS__)
#define VALU3(NAME, D, A, B, C, EXPR) VALU3_(NAME, D, A, B, C, 0, EXPR, )

/* Vector kernels without handlers of their own. */
#define SLOW1(NAME, D, A, FLAGS, EXPR) \
	static inline vu f_##NAME(vu a) { return (EXPR); } \
	KERNEL_LOOP(NAME, s0[i]) \
	VALU_DESC(NAME, 1, D, A, NONE, NONE, FLAGS, )
#define SLOW2_(NAME, D, A, B, FLAGS, EXPR, ...) \
	static inline vu f_##NAME(vu a, vu b) { return (EXPR); } \
	KERNEL_LOOP(NAME, s0[i], s1[i]) \
	VALU_DESC(NAME, 2, D, A, B, NONE, FLAGS, __VA_ARGS__)
#define SLOW2(NAME, D, A, B, FLAGS, EXPR) SLOW2_(NAME, D, A, B, FLAGS, EXPR, )
#define SLOW3_(NAME, D, A, B, C, FLAGS, EXPR, ...) \
	static inline vu f_##NAME(vu a, vu b, vu c) { return (EXPR); } \
	KERNEL_LOOP(NAME, s0[i], s1[i], s2[i]) \
	VALU_DESC(NAME, 3, D, A, B, C, FLAGS, __VA_ARGS__)
#define SLOW3(NAME, D, A, B, C, FLAGS, EXPR) SLOW3_(NAME, D, A, B, C, FLAGS, EXPR, )

/* Lane by lane. */
#define LANE_LOOP(NAME, ...) \
	static void k_##NAME(struct cu_vop *o) \
	{ \
		const uint32_t *s0 = o->s[0], *s1 = o->s[1], *s2 = o->s[2]; \
		(void)s1, (void)s2; \
		for (int l = 0; l < 64; l++) \
			o->d[l] = f_##NAME(__VA_ARGS__); \
	}
#define LANE3_(NAME, D, A, B, C, FLAGS, EXPR, ...) \
	static inline uint32_t f_##NAME(uint32_t a, uint32_t b, uint32_t c) { return (EXPR); } \
	LANE_LOOP(NAME, s0[l], s1[l], s2[l]) VALU_DESC(NAME, 3, D, A, B, C, FLAGS, __VA_ARGS__)
#define LANE1(NAME, D, A, FLAGS, EXPR) \
	static inline uint32_t f_##NAME(uint32_t a) { return (EXPR); } \
	LANE_LOOP(NAME, s0[l]) VALU_DESC(NAME, 1, D, A, NONE, NONE, FLAGS, )
#define LANE2(NAME, D, A, B, FLAGS, EXPR) \
	static inline uint32_t f_##NAME(uint32_t a, uint32_t b) { return (EXPR); } \
	LANE_LOOP(NAME, s0[l], s1[l]) VALU_DESC(NAME, 2, D, A, B, NONE, FLAGS, )
#define LANE3(NAME, D, A, B, C, FLAGS, EXPR) \
	static inline uint32_t f_##NAME(uint32_t a, uint32_t b, uint32_t c) { return (EXPR); } \
	LANE_LOOP(NAME, s0[l], s1[l], s2[l]) VALU_DESC(NAME, 3, D, A, B, C, FLAGS, )

/* 64-bit lanes of a buffer. */
static inline uint64_t lane64(const uint32_t *s, int l)
{
	return (uint64_t)s[64 + l] << 32 | s[l];
}
static inline void put64(uint32_t *d, int l, uint64_t x)
{
	d[l] = (uint32_t)x;
	d[64 + l] = (uint32_t)(x >> 32);
}

#endif
