/* SPDX-License-Identifier: MIT */
/* Scalar instructions: the table is ref_salu.def; control is here. */
#include "ref.h"

static int64_t s32(uint64_t x) { return (int32_t)x; }
static bool overflows(int64_t exact)
{
	return exact != (int32_t)exact;
}
/* Offset in the low bits of b, width in b[22:16]; what is beyond the top is 0, or sign. */
static uint64_t bit_field(uint64_t a, unsigned bits, uint64_t b, unsigned offset_mask, bool is_signed)
{
	unsigned offset = b & offset_mask, width = b >> 16 & 0x7f;
	if (width > bits - offset)
		width = bits - offset;
	if (!width)
		return 0;
	uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1, field = a >> offset & mask;
	return is_signed && field >> (width - 1) & 1 ? field | ~mask : field;
}
static uint64_t ones(uint64_t x)
{
	uint64_t n = 0;
	for (; x; x >>= 1)
		n += x & 1;
	return n;
}
static uint64_t first_one(uint64_t x, int bits, bool from_top)
{
	for (int i = 0; i < bits; i++)
		if (x >> (from_top ? bits - 1 - i : i) & 1)
			return (uint64_t)i;
	return ~0ull;
}
static uint64_t reversed(uint64_t x, int bits)
{
	uint64_t r = 0;
	for (int i = 0; i < bits; i++)
		r |= (x >> i & 1) << (bits - 1 - i);
	return r;
}
static uint64_t whole_quads(uint64_t x)
{
	uint64_t r = 0;
	for (int q = 0; q < 64; q += 4)
		r |= x >> q & 15 ? 15ull << q : 0;
	return r;
}
static uint64_t quad_mask(uint64_t x)
{
	uint64_t r = 0;
	for (int q = 0; q < 16; q++)
		r |= (uint64_t)((x >> (4 * q) & 15) != 0) << q;
	return r;
}
static uint64_t doubled_bits(uint64_t x)
{
	uint64_t r = 0;
	for (int i = 0; i < 32; i++)
		r |= (x >> i & 1) * (3ull << (2 * i));
	return r;
}

/* --- operands --- */
static uint64_t source(const struct ref_wave *w, const struct gcn_inst *in, unsigned src, unsigned bits)
{
	uint64_t x;
	if (ref_constant(src, bits, false, in->literal, &x))
		return bits == 32 ? x & 0xffffffff : x;
	if (src == GCN_SRC_SCC)
		return w->scc;
	if (src == GCN_SRC_VCCZ)
		return ref_pair(w, 106) == 0;
	if (src == GCN_SRC_EXECZ)
		return ref_pair(w, 126) == 0;
	return bits == 64 ? ref_pair(w, src) : w->sgpr[src];
}
static void set(struct ref_wave *w, unsigned dst, unsigned bits, uint64_t x)
{
	if (bits == 64)
		ref_set_pair(w, dst, x);
	else if (bits == 32)
		w->sgpr[dst] = (uint32_t)x;
}

/* --- the table's opcodes --- */
static bool from_table(struct ref_wave *w, const struct gcn_inst *in)
{
	const int64_t k = in->offset;
	const uint64_t scc = w->scc, exec = ref_pair(w, 126);
	(void)k, (void)exec;
	switch (in->op) {
#define OP(NAME, D, A, B, SCC, ...) \
	case GCN_##NAME: { \
		uint64_t a = A ? source(w, in, in->src[0], A) : 0, b = B ? source(w, in, in->src[1], B) : 0; \
		uint64_t old = D == 64 ? ref_pair(w, in->dst) : D ? w->sgpr[in->dst] : 0; \
		uint64_t d = (uint64_t)(__VA_ARGS__); \
		d = D == 64 ? d : d & 0xffffffff; \
		(void)a, (void)b, (void)old; \
		set(w, in->dst, D, d); \
		w->scc = (SCC) != 0; \
		return true; \
	}
#define EXEC_OP(NAME, RESULT, ...) \
	case GCN_##NAME: { \
		uint64_t a = source(w, in, in->src[0], 64), d = (__VA_ARGS__); \
		ref_set_pair(w, in->dst, RESULT); \
		ref_set_pair(w, 126, d); \
		w->scc = d != 0; \
		return true; \
	}
#include "ref_salu.def"
#undef OP
#undef EXEC_OP
	default:
		return false;
	}
}

/* --- control; addresses are bytes from the program's start, pc is after the
 * instruction already --- */
static void jump(struct ref_wave *w, const struct gcn_inst *in, bool taken)
{
	if (taken)
		w->pc = (uint32_t)((int64_t)w->pc + in->offset);
}
static void branch_fork(struct ref_wave *w, uint64_t mask, uint64_t target)
{
	uint64_t exec = ref_pair(w, 126), pass = mask & exec, fail = ~mask & exec, next = 4 * (uint64_t)w->pc;
	unsigned depth = w->mode >> 29;
	if (pass == exec) {
		w->pc = (uint32_t)(target / 4);
	} else if (fail != exec) {
		bool first_fails = ones(fail) < ones(pass);
		ref_set_pair(w, 126, first_fails ? fail : pass);
		ref_set_pair(w, 4 * depth, first_fails ? pass : fail);
		ref_set_pair(w, 4 * depth + 2, first_fails ? target : next);
		w->mode += 1u << 29;
		w->pc = first_fails ? w->pc : (uint32_t)(target / 4);
	}
}
static void join(struct ref_wave *w, uint32_t depth)
{
	if (w->mode >> 29 == depth)
		return;
	w->mode -= 1u << 29;
	depth = w->mode >> 29;
	ref_set_pair(w, 126, ref_pair(w, 4 * depth));
	w->pc = (uint32_t)(ref_pair(w, 4 * depth + 2) / 4);
}
/* A field of MODE: low bit in imm[10:6], bits less one in imm[15:11]. */
static uint32_t field(const struct gcn_inst *in, unsigned *low)
{
	unsigned bits = ((unsigned)in->offset >> 11 & 31) + 1;
	*low = (unsigned)in->offset >> 6 & 31;
	return bits == 32 ? ~0u : (1u << bits) - 1;
}
static void set_mode(struct ref_wave *w, const struct gcn_inst *in, uint32_t value)
{
	unsigned low;
	uint32_t mask = field(in, &low) << low;
	w->mode = (w->mode & ~mask) | (value << low & mask);
}
static void set_m0(struct ref_wave *w, uint32_t mask, uint32_t value)
{
	w->sgpr[124] = (w->sgpr[124] & ~mask) | (value & mask);
}

static enum ref_result control(struct ref_wave *w, const struct gcn_inst *in)
{
	uint64_t vcc = ref_pair(w, 106), exec = ref_pair(w, 126), target;
	uint32_t m0 = w->sgpr[124];
	unsigned low;
	switch (in->op) {
	case GCN_S_BRANCH: jump(w, in, true); return REF_GO;
	case GCN_S_CBRANCH_SCC0: jump(w, in, !w->scc); return REF_GO;
	case GCN_S_CBRANCH_SCC1: jump(w, in, w->scc); return REF_GO;
	case GCN_S_CBRANCH_VCCZ: jump(w, in, !vcc); return REF_GO;
	case GCN_S_CBRANCH_VCCNZ: jump(w, in, vcc); return REF_GO;
	case GCN_S_CBRANCH_EXECZ: jump(w, in, !exec); return REF_GO;
	case GCN_S_CBRANCH_EXECNZ: jump(w, in, exec); return REF_GO;
	case GCN_S_CBRANCH_CDBGSYS: case GCN_S_CBRANCH_CDBGUSER: case GCN_S_CBRANCH_CDBGSYS_OR_USER:
	case GCN_S_CBRANCH_CDBGSYS_AND_USER: /* no debugger */
		return REF_GO;
	case GCN_S_GETPC_B64:
		ref_set_pair(w, in->dst, 4 * (uint64_t)w->pc);
		return REF_GO;
	case GCN_S_SETPC_B64:
		w->pc = (uint32_t)(source(w, in, in->src[0], 64) / 4);
		return REF_GO;
	case GCN_S_SWAPPC_B64:
		target = source(w, in, in->src[0], 64);
		ref_set_pair(w, in->dst, 4 * (uint64_t)w->pc);
		w->pc = (uint32_t)(target / 4);
		return REF_GO;
	case GCN_S_CALL_B64:
		ref_set_pair(w, in->dst, 4 * (uint64_t)w->pc);
		jump(w, in, true);
		return REF_GO;
	case GCN_S_CBRANCH_G_FORK:
		branch_fork(w, source(w, in, in->src[0], 64), source(w, in, in->src[1], 64));
		return REF_GO;
	case GCN_S_CBRANCH_I_FORK:
		target = 4 * (uint64_t)((int64_t)w->pc + in->offset);
		branch_fork(w, source(w, in, in->src[0], 64), target);
		return REF_GO;
	case GCN_S_CBRANCH_JOIN:
		join(w, (uint32_t)source(w, in, in->src[0], 32));
		return REF_GO;
	case GCN_S_MOVRELS_B32: w->sgpr[in->dst] = w->sgpr[in->src[0] + m0]; return REF_GO;
	case GCN_S_MOVRELS_B64: ref_set_pair(w, in->dst, ref_pair(w, in->src[0] + m0)); return REF_GO;
	case GCN_S_MOVRELD_B32:
		w->sgpr[in->dst + m0] = (uint32_t)source(w, in, in->src[0], 32);
		return REF_GO;
	case GCN_S_MOVRELD_B64:
		ref_set_pair(w, in->dst + m0, source(w, in, in->src[0], 64));
		return REF_GO;
	case GCN_S_GETREG_B32:
		if ((in->offset & 63) != 1)
			return REF_UNKNOWN;
		w->sgpr[in->dst] = field(in, &low) & w->mode >> ((unsigned)in->offset >> 6 & 31);
		return REF_GO;
	case GCN_S_SETREG_B32: set_mode(w, in, (uint32_t)source(w, in, in->src[0], 32)); return REF_GO;
	case GCN_S_SETREG_IMM32_B32: set_mode(w, in, in->literal); return REF_GO;
	case GCN_S_SET_GPR_IDX_ON:
		set_m0(w, 0xf0ff, ((uint32_t)source(w, in, in->src[0], 32) & 255) | (in->src[1] & 15u) << 12);
		w->mode |= 1u << 27;
		return REF_GO;
	case GCN_S_SET_GPR_IDX_OFF: w->mode &= ~(1u << 27); return REF_GO;
	case GCN_S_SET_GPR_IDX_IDX: set_m0(w, 0xff, (uint32_t)source(w, in, in->src[0], 32)); return REF_GO;
	case GCN_S_SET_GPR_IDX_MODE: set_m0(w, 0xf000, (uint32_t)in->offset << 12); return REF_GO;
	case GCN_S_SETVSKIP:
		w->mode &= ~(1u << 28);
		w->mode |= (uint32_t)(source(w, in, in->src[0], 32) >> (source(w, in, in->src[1], 32) & 31) & 1) << 28;
		return REF_GO;
	case GCN_S_NOP: case GCN_S_SLEEP: case GCN_S_WAITCNT: case GCN_S_SETPRIO: case GCN_S_WAKEUP:
	case GCN_S_ICACHE_INV: case GCN_S_INCPERFLEVEL: case GCN_S_DECPERFLEVEL: case GCN_S_TTRACEDATA:
	case GCN_S_TRAP: /* there is no handler */
		return REF_GO;
	case GCN_S_ENDPGM: case GCN_S_ENDPGM_SAVED: case GCN_S_ENDPGM_ORDERED_PS_DONE:
		return REF_END;
	default:
		return REF_UNKNOWN;
	}
}

enum ref_result ref_salu(struct ref_wave *w, const struct gcn_inst *in)
{
	w->pc += in->size / 4;
	return from_table(w, in) ? REF_GO : control(w, in);
}
bool ref_knows_salu(enum gcn_op op)
{
	/* On a wave and operands that any opcode takes. */
	static struct ref_wave scratch;
	struct gcn_inst in;
	struct ref_wave w = scratch;
	gcn_inst_init(&in, op);
	in.src[0] = in.src[1] = GCN_SRC_0;
	in.dst = 0;
	in.offset = 1;
	w.mode = 0;
	if (op == GCN_S_MOVRELS_B32 || op == GCN_S_MOVRELS_B64)
		in.src[0] = 4;
	return ref_salu(&w, &in) != REF_UNKNOWN;
}

enum ref_result ref_step(struct ref_wave *w, const struct gcn_inst *in)
{
	bool vector = in->fmt >= GCN_VOP2 && in->fmt <= GCN_VINTRP;
	if (!vector)
		return ref_salu(w, in);
	if (!(w->mode >> 28 & 1))
		return ref_valu(w, in);
	w->pc += in->size / 4; /* VSKIP */
	return REF_GO;
}
