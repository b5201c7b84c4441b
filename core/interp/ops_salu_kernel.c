/* SPDX-License-Identifier: MIT */
/* Scalar opcodes: SOP2, SOP1, SOPC, SOPK.  A result in EXEC is the decoder's
 * business (it puts exec_write around the handler). */
#include "core/interp/interp.h"

#define GET_A32 uint32_t a = cu_src32(w, r, 0);
#define GET_A64 uint64_t a = cu_src64(w, r, 0);
#define GET_B32 uint32_t b = cu_src32(w, r, 1);
#define GET_B64 uint64_t b = cu_src64(w, r, 1);
#define PUT32(x) *cu_dst(w, r) = (x)
#define PUT64(x) cu_store64(cu_dst(w, r), (x))
#define OLD32 (*cu_dst(w, r))
#define OLD64 cu_load64(cu_dst(w, r))
#define IMM (r->in->offset)

/* One or two sources of the given widths; D_ is the result expression, SCC a
 * statement that sees d. */
#define KEEP_SCC
#define NONZERO w->scc = d != 0;
#define SOP1_(NAME, A_, D, EXPR, SCC) \
	CU_HANDLER(h_##NAME) \
	{ \
		GET_A##A_ \
		uint##D##_t d = (EXPR); \
		SCC \
		PUT##D(d); \
		return r + 1; \
	} \
	CU_DIRECT(NAME, .nsrc = 1, .stype = { CU_T_B##A_ })
#define SOP2_(NAME, A_, B_, D, EXPR, SCC) \
	CU_HANDLER(h_##NAME) \
	{ \
		GET_A##A_ GET_B##B_ \
		uint##D##_t d = (EXPR); \
		SCC \
		PUT##D(d); \
		return r + 1; \
	} \
	CU_DIRECT(NAME, .nsrc = 2, .stype = { CU_T_B##A_, CU_T_B##B_ })
#define SOPC_(NAME, A_, B_, EXPR) \
	CU_HANDLER(h_##NAME) \
	{ \
		GET_A##A_ GET_B##B_ \
		w->scc = (EXPR); \
		return r + 1; \
	} \
	CU_DIRECT(NAME, .nsrc = 2, .stype = { CU_T_B##A_, CU_T_B##B_ })

/* --- arithmetic --- */
SOP2_(S_ADD_U32, 32, 32, 32, a + b, w->scc = d < a;);
SOP2_(S_SUB_U32, 32, 32, 32, a - b, w->scc = b > a;);
SOP2_(S_ADD_I32, 32, 32, 32, a + b, w->scc = ((a ^ d) & (b ^ d)) >> 31;);
SOP2_(S_SUB_I32, 32, 32, 32, a - b, w->scc = ((a ^ b) & (a ^ d)) >> 31;);
SOP2_(S_ADDC_U32, 32, 32, 32, a + b + w->scc, w->scc = w->scc ? d <= a : d < a;);
SOP2_(S_SUBB_U32, 32, 32, 32, a - b - w->scc, w->scc = (uint64_t)b + w->scc > a;);
SOP2_(S_MIN_I32, 32, 32, 32, (int32_t)a < (int32_t)b ? a : b, w->scc = (int32_t)a < (int32_t)b;);
SOP2_(S_MIN_U32, 32, 32, 32, a < b ? a : b, w->scc = a < b;);
SOP2_(S_MAX_I32, 32, 32, 32, (int32_t)a > (int32_t)b ? a : b, w->scc = (int32_t)a > (int32_t)b;);
SOP2_(S_MAX_U32, 32, 32, 32, a > b ? a : b, w->scc = a > b;);
SOP2_(S_CSELECT_B32, 32, 32, 32, w->scc ? a : b, KEEP_SCC);
SOP2_(S_CSELECT_B64, 64, 64, 64, w->scc ? a : b, KEEP_SCC);
SOP2_(S_MUL_I32, 32, 32, 32, a * b, KEEP_SCC);
SOP2_(S_MUL_HI_U32, 32, 32, 32, (uint32_t)((uint64_t)a * b >> 32), KEEP_SCC);
SOP2_(S_MUL_HI_I32, 32, 32, 32,
	(uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32), KEEP_SCC);
SOP2_(S_ABSDIFF_I32, 32, 32, 32, (int32_t)a > (int32_t)b ? a - b : b - a, NONZERO);
#define SHIFT_ADD(N) \
	SOP2_(S_LSHL##N##_ADD_U32, 32, 32, 32, (a << N) + b, \
		w->scc = ((uint64_t)a << N) + b > 0xffffffff;)
SHIFT_ADD(1);
SHIFT_ADD(2);
SHIFT_ADD(3);
SHIFT_ADD(4);

/* --- bits --- */
#define LOGIC(NAME, EXPR) \
	SOP2_(NAME##_B32, 32, 32, 32, EXPR, NONZERO); \
	SOP2_(NAME##_B64, 64, 64, 64, EXPR, NONZERO)
LOGIC(S_AND, a & b);
LOGIC(S_OR, a | b);
LOGIC(S_XOR, a ^ b);
LOGIC(S_ANDN2, a & ~b);
LOGIC(S_ORN2, a | ~b);
LOGIC(S_NAND, ~(a & b));
LOGIC(S_NOR, ~(a | b));
LOGIC(S_XNOR, ~(a ^ b));
SOP2_(S_LSHL_B32, 32, 32, 32, a << (b & 31), NONZERO);
SOP2_(S_LSHL_B64, 64, 32, 64, a << (b & 63), NONZERO);
SOP2_(S_LSHR_B32, 32, 32, 32, a >> (b & 31), NONZERO);
SOP2_(S_LSHR_B64, 64, 32, 64, a >> (b & 63), NONZERO);
SOP2_(S_ASHR_I32, 32, 32, 32, (uint32_t)((int32_t)a >> (b & 31)), NONZERO);
SOP2_(S_ASHR_I64, 64, 32, 64, (uint64_t)((int64_t)a >> (b & 63)), NONZERO);
SOP2_(S_BFM_B32, 32, 32, 32, ((1u << (a & 31)) - 1) << (b & 31), KEEP_SCC);
SOP2_(S_BFM_B64, 32, 32, 64, ((1ull << (a & 63)) - 1) << (b & 63), KEEP_SCC);
SOP2_(S_PACK_LL_B32_B16, 32, 32, 32, (a & 0xffff) | b << 16, KEEP_SCC);
SOP2_(S_PACK_LH_B32_B16, 32, 32, 32, (a & 0xffff) | (b & 0xffff0000), KEEP_SCC);
SOP2_(S_PACK_HH_B32_B16, 32, 32, 32, a >> 16 | (b & 0xffff0000), KEEP_SCC);

/* Offset in the low bits of b, width in b[22:16]. */
static inline uint64_t bfe(uint64_t a, unsigned offset, unsigned width, bool is_signed, unsigned bits)
{
	if (width == 0)
		return 0;
	a = offset < bits ? a >> offset : 0;
	if (width > bits - offset)
		width = bits - offset; /* a is sign-extended to 64 bits by the caller */
	a <<= 64 - width;
	return is_signed ? (uint64_t)((int64_t)a >> (64 - width)) : a >> (64 - width);
}
#define WIDTH (b >> 16 & 0x7f)
SOP2_(S_BFE_U32, 32, 32, 32, (uint32_t)bfe(a, b & 31, WIDTH, false, 32), NONZERO);
SOP2_(S_BFE_I32, 32, 32, 32, (uint32_t)bfe(a, b & 31, WIDTH, true, 32), NONZERO);
SOP2_(S_BFE_U64, 64, 32, 64, bfe(a, b & 63, WIDTH, false, 64), NONZERO);
SOP2_(S_BFE_I64, 64, 32, 64, bfe(a, b & 63, WIDTH, true, 64), NONZERO);

SOP1_(S_MOV_B32, 32, 32, a, KEEP_SCC);
SOP1_(S_MOV_B64, 64, 64, a, KEEP_SCC);
SOP1_(S_CMOV_B32, 32, 32, w->scc ? a : OLD32, KEEP_SCC);
SOP1_(S_CMOV_B64, 64, 64, w->scc ? a : OLD64, KEEP_SCC);
SOP1_(S_NOT_B32, 32, 32, ~a, NONZERO);
SOP1_(S_NOT_B64, 64, 64, ~a, NONZERO);
SOP1_(S_ABS_I32, 32, 32, (int32_t)a < 0 ? -a : a, NONZERO);
SOP1_(S_SEXT_I32_I8, 32, 32, (uint32_t)(int8_t)a, KEEP_SCC);
SOP1_(S_SEXT_I32_I16, 32, 32, (uint32_t)(int16_t)a, KEEP_SCC);

/* All lanes of a quad where one is set; one bit a quad. */
static inline uint64_t quads(uint64_t a)
{
	return (a | a >> 1 | a >> 2 | a >> 3) & 0x1111111111111111;
}
static inline uint64_t quadmask(uint64_t a)
{
	uint64_t q = quads(a);
	q = (q | q >> 3) & 0x0303030303030303;
	q = (q | q >> 6) & 0x000f000f000f000f;
	q = (q | q >> 12) & 0x000000ff000000ff;
	return (q | q >> 24) & 0xffff;
}
static inline uint64_t reverse(uint64_t a)
{
	a = (a >> 1 & 0x5555555555555555) | (a & 0x5555555555555555) << 1;
	a = (a >> 2 & 0x3333333333333333) | (a & 0x3333333333333333) << 2;
	a = (a >> 4 & 0x0f0f0f0f0f0f0f0f) | (a & 0x0f0f0f0f0f0f0f0f) << 4;
	return __builtin_bswap64(a);
}
static inline uint64_t replicate(uint32_t x)
{
	uint64_t a = x;
	a = (a | a << 16) & 0x0000ffff0000ffff;
	a = (a | a << 8) & 0x00ff00ff00ff00ff;
	a = (a | a << 4) & 0x0f0f0f0f0f0f0f0f;
	a = (a | a << 2) & 0x3333333333333333;
	a = (a | a << 1) & 0x5555555555555555;
	return a | a << 1;
}
SOP1_(S_WQM_B32, 32, 32, (uint32_t)(quads(a) * 15), NONZERO);
SOP1_(S_WQM_B64, 64, 64, quads(a) * 15, NONZERO);
SOP1_(S_QUADMASK_B32, 32, 32, (uint32_t)quadmask(a), NONZERO);
SOP1_(S_QUADMASK_B64, 64, 64, quadmask(a), NONZERO);
SOP1_(S_BREV_B32, 32, 32, (uint32_t)(reverse(a) >> 32), KEEP_SCC);
SOP1_(S_BREV_B64, 64, 64, reverse(a), KEEP_SCC);
SOP1_(S_BITREPLICATE_B64_B32, 32, 64, replicate(a), KEEP_SCC);

#define CTZ(x) ((x) ? (uint32_t)__builtin_ctzll(x) : ~0u)
#define CLZ32(x) ((x) ? (uint32_t)__builtin_clz(x) : ~0u)
#define CLZ64(x) ((x) ? (uint32_t)__builtin_clzll(x) : ~0u)
SOP1_(S_BCNT0_I32_B32, 32, 32, (uint32_t)__builtin_popcount(~a), NONZERO);
SOP1_(S_BCNT0_I32_B64, 64, 32, (uint32_t)__builtin_popcountll(~a), NONZERO);
SOP1_(S_BCNT1_I32_B32, 32, 32, (uint32_t)__builtin_popcount(a), NONZERO);
SOP1_(S_BCNT1_I32_B64, 64, 32, (uint32_t)__builtin_popcountll(a), NONZERO);
SOP1_(S_FF0_I32_B32, 32, 32, CTZ((uint32_t)~a), KEEP_SCC);
SOP1_(S_FF0_I32_B64, 64, 32, CTZ(~a), KEEP_SCC);
SOP1_(S_FF1_I32_B32, 32, 32, CTZ(a), KEEP_SCC);
SOP1_(S_FF1_I32_B64, 64, 32, CTZ(a), KEEP_SCC);
SOP1_(S_FLBIT_I32_B32, 32, 32, CLZ32(a), KEEP_SCC);
SOP1_(S_FLBIT_I32_B64, 64, 32, CLZ64(a), KEEP_SCC);
/* Leading bits equal to the sign; -1 when all are. */
SOP1_(S_FLBIT_I32, 32, 32, CLZ32(a ^ (uint32_t)((int32_t)a >> 31)), KEEP_SCC);
SOP1_(S_FLBIT_I32_I64, 64, 32, CLZ64(a ^ (uint64_t)((int64_t)a >> 63)), KEEP_SCC);
SOP1_(S_BITSET0_B32, 32, 32, OLD32 & ~(1u << (a & 31)), KEEP_SCC);
SOP1_(S_BITSET0_B64, 32, 64, OLD64 & ~(1ull << (a & 63)), KEEP_SCC);
SOP1_(S_BITSET1_B32, 32, 32, OLD32 | 1u << (a & 31), KEEP_SCC);
SOP1_(S_BITSET1_B64, 32, 64, OLD64 | 1ull << (a & 63), KEEP_SCC);

/* --- EXEC with its old or new value as the result --- */
#define SAVEEXEC(NAME, EXPR, RESULT) \
	CU_HANDLER(h_##NAME) \
	{ \
		GET_A64 \
		uint64_t exec = cu_load64(&w->sgpr[GCN_SRC_EXEC]), now = (EXPR); \
		PUT64(RESULT); \
		cu_store64(&w->sgpr[GCN_SRC_EXEC], now); \
		w->scc = now != 0; \
		return cu_next_exec(w, r); \
	} \
	CU_DIRECT(NAME, .nsrc = 1, .stype = { CU_T_B64 }, .flags = CU_OP_WRITES_EXEC)
SAVEEXEC(S_AND_SAVEEXEC_B64, a & exec, exec);
SAVEEXEC(S_OR_SAVEEXEC_B64, a | exec, exec);
SAVEEXEC(S_XOR_SAVEEXEC_B64, a ^ exec, exec);
SAVEEXEC(S_ANDN2_SAVEEXEC_B64, a & ~exec, exec);
SAVEEXEC(S_ORN2_SAVEEXEC_B64, a | ~exec, exec);
SAVEEXEC(S_NAND_SAVEEXEC_B64, ~(a & exec), exec);
SAVEEXEC(S_NOR_SAVEEXEC_B64, ~(a | exec), exec);
SAVEEXEC(S_XNOR_SAVEEXEC_B64, ~(a ^ exec), exec);
SAVEEXEC(S_ANDN1_SAVEEXEC_B64, ~a & exec, exec);
SAVEEXEC(S_ORN1_SAVEEXEC_B64, ~a | exec, exec);
SAVEEXEC(S_ANDN1_WREXEC_B64, ~a & exec, now);
SAVEEXEC(S_ANDN2_WREXEC_B64, a & ~exec, now);

/* --- compares --- */
#define COMPARE(REL, OP) \
	SOPC_(S_CMP_##REL##_I32, 32, 32, (int32_t)a OP (int32_t)b); \
	SOPC_(S_CMP_##REL##_U32, 32, 32, a OP b)
COMPARE(EQ, ==);
COMPARE(LG, !=);
COMPARE(GT, >);
COMPARE(GE, >=);
COMPARE(LT, <);
COMPARE(LE, <=);
SOPC_(S_CMP_EQ_U64, 64, 64, a == b);
SOPC_(S_CMP_LG_U64, 64, 64, a != b);
SOPC_(S_BITCMP0_B32, 32, 32, !(a >> (b & 31) & 1));
SOPC_(S_BITCMP1_B32, 32, 32, a >> (b & 31) & 1);
SOPC_(S_BITCMP0_B64, 64, 32, !(a >> (b & 63) & 1));
SOPC_(S_BITCMP1_B64, 64, 32, a >> (b & 63) & 1);

/* --- with a 16-bit immediate --- */
#define SOPK_(NAME, STMT, ...) \
	CU_HANDLER(h_##NAME) \
	{ \
		STMT \
		return r + 1; \
	} \
	CU_DIRECT(NAME, __VA_ARGS__)
SOPK_(S_MOVK_I32, PUT32((uint32_t)IMM););
SOPK_(S_CMOVK_I32, if (w->scc) PUT32((uint32_t)IMM););
SOPK_(S_ADDK_I32,
	uint32_t a = OLD32; uint32_t b = (uint32_t)IMM; uint32_t d = a + b;
	w->scc = ((a ^ d) & (b ^ d)) >> 31; PUT32(d););
SOPK_(S_MULK_I32, PUT32(OLD32 * (uint32_t)IMM););
#define COMPARE_K(REL, OP) \
	SOPK_(S_CMPK_##REL##_I32, w->scc = (int32_t)cu_src32(w, r, 0) OP IMM;, \
		.nsrc = 1, .stype = { CU_T_B32 }); \
	SOPK_(S_CMPK_##REL##_U32, w->scc = cu_src32(w, r, 0) OP (uint32_t)(uint16_t)IMM;, \
		.nsrc = 1, .stype = { CU_T_B32 })
COMPARE_K(EQ, ==);
COMPARE_K(LG, !=);
COMPARE_K(GT, >);
COMPARE_K(GE, >=);
COMPARE_K(LT, <);
COMPARE_K(LE, <=);

/* --- relative SGPRs --- */
#define MOVREL(NAME, BITS, FROM, TO) \
	CU_HANDLER(h_##NAME) \
	{ \
		int64_t m0 = w->sgpr[GCN_SRC_M0]; \
		int64_t s = r->s[0] + 4 * (FROM), d = (int64_t)r->d + 4 * (TO); \
		int64_t lo = offsetof(struct cu_wave, sgpr), hi = lo + 4 * 104 - BITS / 8; \
		if (s < lo || s > hi || d < lo || d > hi) \
			return cu_fault(w, r, "SGPR out of range, M0 is %u", w->sgpr[GCN_SRC_M0]); \
		__builtin_memmove((char *)w + d, (char *)w + s, BITS / 8); \
		(void)m0; \
		return r + 1; \
	} \
	CU_DIRECT(NAME, .nsrc = 1, .stype = { CU_T_B##BITS })
MOVREL(S_MOVRELS_B32, 32, m0, 0);
MOVREL(S_MOVRELS_B64, 64, m0, 0);
MOVREL(S_MOVRELD_B32, 32, 0, m0);
MOVREL(S_MOVRELD_B64, 64, 0, m0);

/* --- hardware registers that mean something here --- */
enum { HWREG_MODE = 1, HWREG_STATUS, HWREG_TRAPSTS, HWREG_HW_ID, HWREG_GPR_ALLOC, HWREG_LDS_ALLOC,
	HWREG_IB_STS };
enum { STATUS_EXECZ = 9, STATUS_VCCZ = 10, STATUS_VALID = 16,
	/* SPI_PRIO, USER_PRIO, EXPORT_RDY, IN_TG, MUST_EXPORT: of schedulers that are not there. */
	STATUS_UNKNOWN = 0x1e | 1 << 8 | 1 << 11 | 1 << 27 };

static inline uint32_t field_mask(int32_t imm)
{
	return (uint32_t)((1ull << ((imm >> 11 & 31) + 1)) - 1);
}
static bool hwreg(const struct cu_wave *w, int32_t imm, uint32_t *value)
{
	uint32_t wanted = field_mask(imm) << (imm >> 6 & 31);
	switch (imm & 63) {
	case HWREG_MODE:
		*value = w->mode;
		return true;
	case HWREG_STATUS:
		*value = w->scc | (uint32_t)!cu_load64(&w->sgpr[GCN_SRC_EXEC]) << STATUS_EXECZ |
			(uint32_t)!cu_load64(&w->sgpr[GCN_SRC_VCC]) << STATUS_VCCZ | 1u << STATUS_VALID;
		return !(wanted & STATUS_UNKNOWN);
	case HWREG_LDS_ALLOC: /* LDS_SIZE in units of 128 dwords */
		*value = (w->lds_bytes + 511) / 512 << 12;
		return true;
	case HWREG_IB_STS: /* nothing is ever outstanding */
		*value = 0;
		return true;
	default:
		return false;
	}
}
CU_HANDLER(h_S_GETREG_B32)
{
	int32_t imm = r->in->offset;
	uint32_t value;
	if (!hwreg(w, imm, &value))
		return cu_fault(w, r, "field 0x%x of hardware registers is not emulated", imm & 0xffff);
	PUT32(value >> (imm >> 6 & 31) & field_mask(imm));
	return r + 1;
}
/* The next record, in the array for the MODE that is now. */
static const struct cu_rec *setreg(struct cu_wave *w, const struct cu_rec *r, uint32_t value)
{
	int32_t imm = r->in->offset;
	if ((imm & 63) != HWREG_MODE)
		return cu_fault(w, r, "hardware register %d cannot be written", imm & 63);
	const struct cu_program *p = r->pool->program;
	unsigned lo = imm >> 6 & 31;
	uint32_t mask = field_mask(imm) << lo, at = cu_rec_index(r) + (r->full ? p->count : 0);
	w->mode = (w->mode & ~mask) | (value << lo & mask);
	if (cu_mode_is_plain(w->mode))
		return p->recs + at + 1;
	const struct cu_rec *moded = cu_program_moded(p);
	return moded ? moded + at + 1 : cu_fault(w, r, "no memory for records of another MODE");
}
/* Bit b of a becomes MODE.VSKIP. */
CU_HANDLER(h_S_SETVSKIP)
{
	GET_A32 GET_B32
	w->mode = (w->mode & ~(uint32_t)CU_MODE_VSKIP) | (a >> (b & 31) & 1 ? CU_MODE_VSKIP : 0);
	return r + 1;
}
CU_DIRECT(S_SETVSKIP, .nsrc = 2, .stype = { CU_T_B32, CU_T_B32 });
CU_HANDLER(h_S_SETREG_B32)
{
	return setreg(w, r, cu_src32(w, r, 0));
}
CU_HANDLER(h_S_SETREG_IMM32_B32)
{
	return setreg(w, r, r->in->literal);
}
CU_DIRECT(S_GETREG_B32);
CU_DIRECT(S_SETREG_B32, .nsrc = 1, .stype = { CU_T_B32 });
CU_DIRECT(S_SETREG_IMM32_B32);

/* --- VGPR indexing: M0[7:0] the index, M0[15:12] which operands; the decoder
 * knows which instructions lie between on and off --- */
CU_HANDLER(h_S_SET_GPR_IDX_ON)
{
	uint32_t mode = (uint32_t)r->in->src[1] & 15;
	w->sgpr[GCN_SRC_M0] = (w->sgpr[GCN_SRC_M0] & 0xffff0f00) | (cu_src32(w, r, 0) & 255) | mode << 12;
	w->mode |= CU_MODE_GPR_IDX;
	return r + 1;
}
CU_HANDLER(h_S_SET_GPR_IDX_IDX)
{
	w->sgpr[GCN_SRC_M0] = (w->sgpr[GCN_SRC_M0] & 0xffffff00) | (cu_src32(w, r, 0) & 255);
	return r + 1;
}
CU_HANDLER(h_S_SET_GPR_IDX_MODE)
{
	w->sgpr[GCN_SRC_M0] = (w->sgpr[GCN_SRC_M0] & 0xffff0fff) | ((uint32_t)r->in->offset & 15) << 12;
	return r + 1;
}
CU_HANDLER(h_S_SET_GPR_IDX_OFF)
{
	w->mode &= ~(uint32_t)CU_MODE_GPR_IDX;
	return r + 1;
}
CU_DIRECT(S_SET_GPR_IDX_ON, .nsrc = 1, .stype = { CU_T_B32 });
CU_DIRECT(S_SET_GPR_IDX_IDX, .nsrc = 1, .stype = { CU_T_B32 });
CU_DIRECT(S_SET_GPR_IDX_MODE);
CU_DIRECT(S_SET_GPR_IDX_OFF);
