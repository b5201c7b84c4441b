/* Scalar instructions: on the SGPRs in the wave, by general registers. */
#include "core/jit/translate.h"

#include <string.h>

#define M_(M) ZYDIS_MNEMONIC_##M

struct xo j_sgpr(unsigned n, unsigned bytes)
{
	return j_wave(offsetof(struct cu_wave, sgpr) + 4 * (size_t)n, bytes);
}
struct xo j_slice_of(const struct translator *t, unsigned pair)
{
	struct xo o = j_sgpr(pair, t->v4 ? 2 : 1);
	o.reg = RB_SLICE;
	return o;
}

enum s_kind {
	S_NONE,
	S_MOVE,    /* source 0, or the immediate of SOPK */
	S_ARITH,   /* x86 instruction, SCC by a condition of it */
	S_CARRY,   /* the same with SCC as carry in */
	S_LOGIC,   /* SCC: not zero; second source complemented, result complemented */
	S_SHIFT, S_SELECT, S_CMOVE, S_COMPARE, S_PICK, S_BIT, S_EXTEND, S_NOT,
	S_SAVEEXEC, S_LOAD, S_BUFFER_LOAD,
};
enum { NOT_B = 1, NOT_A = 2, NOT_D = 4, WREXEC = 8 };
struct s_op {
	uint8_t kind, bytes;
	uint8_t flags;   /* of LOGIC and SAVEEXEC; loads: dwords */
	uint16_t m;      /* x86 instruction */
	uint16_t cond;   /* setcc for SCC; M_(INVALID): SCC is kept */
};

#define LOGIC(NAME, M, FLAGS) \
	[GCN_##NAME##_B32] = { S_LOGIC, 4, FLAGS, M_(M), M_(SETNZ) }, \
	[GCN_##NAME##_B64] = { S_LOGIC, 8, FLAGS, M_(M), M_(SETNZ) }
#define COMPARE(NAME, CC_I, CC_U) \
	[GCN_S_CMP_##NAME##_I32] = { S_COMPARE, 4, 0, 0, M_(CC_I) }, \
	[GCN_S_CMP_##NAME##_U32] = { S_COMPARE, 4, 0, 0, M_(CC_U) }, \
	[GCN_S_CMPK_##NAME##_I32] = { S_COMPARE, 4, 0, 0, M_(CC_I) }, \
	[GCN_S_CMPK_##NAME##_U32] = { S_COMPARE, 4, 1, 0, M_(CC_U) }
static const struct s_op ops[GCN_OP_COUNT] = {
	[GCN_S_MOV_B32] = { S_MOVE, 4, 0, 0, 0 },
	[GCN_S_MOV_B64] = { S_MOVE, 8, 0, 0, 0 },
	[GCN_S_MOVK_I32] = { S_MOVE, 4, 0, 0, 0 },
	[GCN_S_ADD_U32] = { S_ARITH, 4, 0, M_(ADD), M_(SETB) },
	[GCN_S_SUB_U32] = { S_ARITH, 4, 0, M_(SUB), M_(SETB) },
	[GCN_S_ADD_I32] = { S_ARITH, 4, 0, M_(ADD), M_(SETO) },
	[GCN_S_SUB_I32] = { S_ARITH, 4, 0, M_(SUB), M_(SETO) },
	[GCN_S_ADDK_I32] = { S_ARITH, 4, 0, M_(ADD), M_(SETO) },
	[GCN_S_MUL_I32] = { S_ARITH, 4, 0, M_(IMUL), 0 },
	[GCN_S_MULK_I32] = { S_ARITH, 4, 0, M_(IMUL), 0 },
	[GCN_S_ADDC_U32] = { S_CARRY, 4, 0, M_(ADC), M_(SETB) },
	[GCN_S_SUBB_U32] = { S_CARRY, 4, 0, M_(SBB), M_(SETB) },
	LOGIC(S_AND, AND, 0), LOGIC(S_OR, OR, 0), LOGIC(S_XOR, XOR, 0),
	LOGIC(S_ANDN2, AND, NOT_B), LOGIC(S_ORN2, OR, NOT_B),
	LOGIC(S_NAND, AND, NOT_D), LOGIC(S_NOR, OR, NOT_D), LOGIC(S_XNOR, XOR, NOT_D),
	[GCN_S_LSHL_B32] = { S_SHIFT, 4, 0, M_(SHLX), M_(SETNZ) },
	[GCN_S_LSHR_B32] = { S_SHIFT, 4, 0, M_(SHRX), M_(SETNZ) },
	[GCN_S_ASHR_I32] = { S_SHIFT, 4, 0, M_(SARX), M_(SETNZ) },
	[GCN_S_LSHL_B64] = { S_SHIFT, 8, 0, M_(SHLX), M_(SETNZ) },
	[GCN_S_LSHR_B64] = { S_SHIFT, 8, 0, M_(SHRX), M_(SETNZ) },
	[GCN_S_ASHR_I64] = { S_SHIFT, 8, 0, M_(SARX), M_(SETNZ) },
	[GCN_S_CSELECT_B32] = { S_SELECT, 4, 0, 0, 0 },
	[GCN_S_CSELECT_B64] = { S_SELECT, 8, 0, 0, 0 },
	[GCN_S_CMOV_B32] = { S_CMOVE, 4, 0, 0, 0 },
	[GCN_S_CMOV_B64] = { S_CMOVE, 8, 0, 0, 0 },
	COMPARE(EQ, SETZ, SETZ), COMPARE(LG, SETNZ, SETNZ), COMPARE(GT, SETNLE, SETNBE),
	COMPARE(GE, SETNL, SETNB), COMPARE(LT, SETL, SETB), COMPARE(LE, SETLE, SETBE),
	[GCN_S_CMP_EQ_U64] = { S_COMPARE, 8, 0, 0, M_(SETZ) },
	[GCN_S_CMP_LG_U64] = { S_COMPARE, 8, 0, 0, M_(SETNZ) },
	[GCN_S_MIN_I32] = { S_PICK, 4, 0, M_(CMOVNL), M_(SETL) },
	[GCN_S_MIN_U32] = { S_PICK, 4, 0, M_(CMOVNB), M_(SETB) },
	[GCN_S_MAX_I32] = { S_PICK, 4, 0, M_(CMOVLE), M_(SETNLE) },
	[GCN_S_MAX_U32] = { S_PICK, 4, 0, M_(CMOVBE), M_(SETNBE) },
	[GCN_S_BITCMP0_B32] = { S_BIT, 4, 0, 0, M_(SETNB) },
	[GCN_S_BITCMP1_B32] = { S_BIT, 4, 0, 0, M_(SETB) },
	[GCN_S_BITCMP0_B64] = { S_BIT, 8, 0, 0, M_(SETNB) },
	[GCN_S_BITCMP1_B64] = { S_BIT, 8, 0, 0, M_(SETB) },
	[GCN_S_SEXT_I32_I8] = { S_EXTEND, 1, 0, 0, 0 },
	[GCN_S_SEXT_I32_I16] = { S_EXTEND, 2, 0, 0, 0 },
	[GCN_S_NOT_B32] = { S_NOT, 4, 0, 0, M_(SETNZ) },
	[GCN_S_NOT_B64] = { S_NOT, 8, 0, 0, M_(SETNZ) },
	[GCN_S_AND_SAVEEXEC_B64] = { S_SAVEEXEC, 8, 0, M_(AND), M_(SETNZ) },
	[GCN_S_OR_SAVEEXEC_B64] = { S_SAVEEXEC, 8, 0, M_(OR), M_(SETNZ) },
	[GCN_S_XOR_SAVEEXEC_B64] = { S_SAVEEXEC, 8, 0, M_(XOR), M_(SETNZ) },
	[GCN_S_ANDN2_SAVEEXEC_B64] = { S_SAVEEXEC, 8, NOT_B, M_(AND), M_(SETNZ) },
	[GCN_S_ORN2_SAVEEXEC_B64] = { S_SAVEEXEC, 8, NOT_B, M_(OR), M_(SETNZ) },
	[GCN_S_NAND_SAVEEXEC_B64] = { S_SAVEEXEC, 8, NOT_D, M_(AND), M_(SETNZ) },
	[GCN_S_NOR_SAVEEXEC_B64] = { S_SAVEEXEC, 8, NOT_D, M_(OR), M_(SETNZ) },
	[GCN_S_XNOR_SAVEEXEC_B64] = { S_SAVEEXEC, 8, NOT_D, M_(XOR), M_(SETNZ) },
	[GCN_S_ANDN1_SAVEEXEC_B64] = { S_SAVEEXEC, 8, NOT_A, M_(AND), M_(SETNZ) },
	[GCN_S_ORN1_SAVEEXEC_B64] = { S_SAVEEXEC, 8, NOT_A, M_(OR), M_(SETNZ) },
	[GCN_S_ANDN1_WREXEC_B64] = { S_SAVEEXEC, 8, NOT_A | WREXEC, M_(AND), M_(SETNZ) },
	[GCN_S_ANDN2_WREXEC_B64] = { S_SAVEEXEC, 8, NOT_B | WREXEC, M_(AND), M_(SETNZ) },
	[GCN_S_LOAD_DWORD] = { S_LOAD, 4, 1, 0, 0 },
	[GCN_S_LOAD_DWORDX2] = { S_LOAD, 4, 2, 0, 0 },
	[GCN_S_LOAD_DWORDX4] = { S_LOAD, 4, 4, 0, 0 },
	[GCN_S_LOAD_DWORDX8] = { S_LOAD, 4, 8, 0, 0 },
	[GCN_S_LOAD_DWORDX16] = { S_LOAD, 4, 16, 0, 0 },
	[GCN_S_BUFFER_LOAD_DWORD] = { S_BUFFER_LOAD, 4, 1, 0, 0 },
	[GCN_S_BUFFER_LOAD_DWORDX2] = { S_BUFFER_LOAD, 4, 2, 0, 0 },
	[GCN_S_BUFFER_LOAD_DWORDX4] = { S_BUFFER_LOAD, 4, 4, 0, 0 },
	[GCN_S_BUFFER_LOAD_DWORDX8] = { S_BUFFER_LOAD, 4, 8, 0, 0 },
	[GCN_S_BUFFER_LOAD_DWORDX16] = { S_BUFFER_LOAD, 4, 16, 0, 0 },
};

bool j_scalar_known(const struct translator *t, uint32_t i)
{
	const struct cu_rec *r = j_rec(t, i);
	const struct cu_level_ops *l = t->v4 ? &cu_level_ops_v4 : &cu_level_ops_v3;
	if (r->fn != r->op->direct && r->fn != l->exec_write)
		return false;
	return ops[r->in->op].kind != S_NONE && (r->in->fmt != GCN_SMEM || r->in->dst + 16u <= 128);
}
bool j_is_load(const struct translator *t, uint32_t i)
{
	unsigned kind = ops[j_rec(t, i)->in->op].kind;
	return kind == S_LOAD || kind == S_BUFFER_LOAD;
}

/* --- pieces --- */

static struct xo gpr(unsigned n, unsigned bytes) /* rax, rcx, rdx */
{
	return x_reg((bytes == 8 ? ZYDIS_REGISTER_RAX : ZYDIS_REGISTER_EAX) + n);
}
static void x2(struct translator *t, unsigned m, struct xo a, struct xo b)
{
	x_emit(&t->b, (ZydisMnemonic)m, -1, false, 2, (struct xo[]){ a, b });
}
static struct xo immediate(uint64_t value, unsigned bytes)
{
	return x_imm(bytes == 8 ? (int64_t)value : (int64_t)(int32_t)value);
}

/* Source n: memory or an immediate that fits. */
static struct xo source(struct translator *t, uint32_t i, int n, unsigned bytes)
{
	const struct cu_rec *r = j_rec(t, i);
	uint64_t k;
	if (!(r->konst >> n & 1))
		return j_wave((size_t)r->s[n], bytes);
	memcpy(&k, (const char *)r->pool + r->s[n], 8);
	struct xo imm = immediate(k, bytes);
	if (imm.value == (int32_t)imm.value)
		return imm;
	uint64_t vector[8] = { k };
	return x_mem(RB_POOL, x_vector(&t->b, vector), 8);
}
static struct xo destination(const struct translator *t, uint32_t i, unsigned bytes)
{
	return j_wave(j_rec(t, i)->d, bytes);
}
/* SCC is 0 or 1 in 32 bits: its first byte is enough. */
static struct xo scc_byte(void)
{
	return j_wave(offsetof(struct cu_wave, scc), 1);
}
static void set_scc(struct translator *t, uint32_t i, unsigned cond)
{
	if (cond && t->in[i].scc_live)
		x_emit(&t->b, (ZydisMnemonic)cond, -1, false, 1, (struct xo[]){ scc_byte() });
}
static void test_scc(struct translator *t)
{
	X(&t->b, CMP, scc_byte(), x_imm(0));
}

/* --- loads --- */

static void copy(struct translator *t, struct xo to, struct xo from, unsigned dwords)
{
	struct xo r = dwords == 1 ? R(ECX) : dwords == 2 ? R(RCX) : dwords == 4 ? R(XMM0) : R(YMM0);
	unsigned bytes = dwords >= 8 ? 32 : 4 * dwords;
	for (unsigned at = 0; at < 4 * dwords; at += bytes) {
		struct xo d = to, s = from;
		d.value += at;
		s.value += at;
		d.size = s.size = (uint16_t)bytes;
		x2(t, dwords <= 2 ? M_(MOV) : M_(VMOVUPS), dwords == 16 && at ? R(YMM1) : r, s);
		if (dwords < 16)
			x2(t, dwords <= 2 ? M_(MOV) : M_(VMOVUPS), d, r);
	}
	if (dwords == 16)
		for (unsigned at = 0; at < 64; at += 32) {
			struct xo d = to;
			d.value += at;
			d.size = 32;
			X(&t->b, VMOVUPS, d, at ? R(YMM1) : R(YMM0));
		}
}

/* rax += the instruction's offset. */
static void add_offset(struct translator *t, uint32_t i)
{
	const struct cu_rec *r = j_rec(t, i);
	int64_t k = (int32_t)r->sd;
	if (r->konst & 2) {
		memcpy(&k, (const char *)r->pool + r->s[1], 8);
	} else {
		X(&t->b, MOV, R(ECX), j_wave((size_t)r->s[1], 4));
		X(&t->b, ADD, R(RAX), R(RCX));
	}
	if (k)
		X(&t->b, ADD, R(RAX), x_imm(k));
}

/* Copies from the dwords at rax, if the wave knows that it may: cu_mapped. */
static void load_mapped(struct translator *t, uint32_t i, unsigned dwords, int slow)
{
	struct xo span = J_FIELD(span);
	X(&t->b, MOV, R(RCX), R(RAX));
	X(&t->b, SHR, R(RCX), x_imm(12));
	X(&t->b, AND, R(ECX), x_imm(16 * (CU_SPANS - 1)));
	span.index = ZYDIS_REGISTER_RCX;
	span.scale = 1;
	span.size = 8;
	X(&t->b, MOV, R(RDX), R(RAX));
	X(&t->b, SUB, R(RDX), span);
	span.value += 8;
	X(&t->b, MOV, R(RCX), span);
	X(&t->b, SUB, R(RCX), x_imm(4 * (int64_t)dwords));
	XJ(&t->b, JB, slow);
	X(&t->b, CMP, R(RDX), R(RCX));
	XJ(&t->b, JNBE, slow);
	copy(t, destination(t, i, 4), x_mem(ZYDIS_REGISTER_RAX, 0, 4), dwords);
}
_Static_assert(sizeof(struct cu_span) == 16, "as load_mapped scales it");

static void scalar_load(struct translator *t, uint32_t i, unsigned dwords)
{
	int slow, back = j_slow_label(t, i, &slow);
	X(&t->b, MOV, R(RAX), j_wave((size_t)j_rec(t, i)->s[0], 8));
	add_offset(t, i);
	X(&t->b, AND, R(RAX), x_imm(-4));
	load_mapped(t, i, dwords, slow);
	x_bind(&t->b, back);
}

/* Wholly inside the buffer; anything else is the handler's. */
static void scalar_buffer_load(struct translator *t, uint32_t i, unsigned dwords)
{
	size_t v = (size_t)j_rec(t, i)->s[0];
	int slow, back = j_slow_label(t, i, &slow);
	X(&t->b, MOV, R(ECX), j_wave(v + 4, 4));
	X(&t->b, SHR, R(ECX), x_imm(16));
	X(&t->b, MOV, R(EDX), x_imm(1));
	X(&t->b, AND, R(ECX), x_imm(0x3fff));
	X(&t->b, CMOVZ, R(ECX), R(EDX));
	X(&t->b, MOV, R(EDX), j_wave(v + 8, 4));
	X(&t->b, IMUL, R(RDX), R(RCX));
	X(&t->b, XOR, R(EAX), R(EAX));
	add_offset(t, i);
	X(&t->b, AND, R(EAX), x_imm(-4));
	X(&t->b, LEA, R(RCX), x_mem(ZYDIS_REGISTER_RAX, 4 * (int64_t)dwords, 8));
	X(&t->b, CMP, R(RCX), R(RDX));
	XJ(&t->b, JNBE, slow);
	X(&t->b, MOV, R(RCX), j_wave(v, 8));
	X(&t->b, SHL, R(RCX), x_imm(16));
	X(&t->b, SHR, R(RCX), x_imm(16));
	X(&t->b, ADD, R(RAX), R(RCX));
	X(&t->b, AND, R(RAX), x_imm(-4));
	load_mapped(t, i, dwords, slow);
	x_bind(&t->b, back);
}

/* --- the rest --- */

static void arith(struct translator *t, uint32_t i, const struct s_op *s)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	bool k = in->fmt == GCN_SOPK;
	struct xo a = gpr(0, 4);
	if (s->kind == S_CARRY) { /* the carry after whatever the loads do to it */
		struct xo b = source(t, i, 1, 4);
		x2(t, M_(MOV), a, source(t, i, 0, 4));
		X(&t->b, BT, j_wave(offsetof(struct cu_wave, scc), 4), x_imm(0));
		x2(t, s->m, a, b);
	} else {
		x2(t, M_(MOV), a, k ? destination(t, i, 4) : source(t, i, 0, 4));
		struct xo b = k ? x_imm(in->offset) : source(t, i, 1, 4);
		if (s->m == M_(IMUL) && b.kind == XO_IMM) {
			X(&t->b, MOV, R(ECX), b);
			b = R(ECX);
		}
		x2(t, s->m, a, b);
	}
	x2(t, M_(MOV), destination(t, i, 4), a);
	set_scc(t, i, s->cond);
}

/* d = a op b with complements; flags are those of the result where asked for. */
static void logic(struct translator *t, unsigned m, unsigned flags, unsigned bytes, struct xo d,
	struct xo b)
{
	if (flags & NOT_A)
		x_emit(&t->b, M_(NOT), -1, false, 1, &d);
	if (flags & NOT_B) {
		struct xo c = gpr(1, bytes);
		if (b.kind != XO_REG || b.reg != c.reg)
			x2(t, M_(MOV), c, b);
		x_emit(&t->b, M_(NOT), -1, false, 1, &c);
		b = c;
	}
	x2(t, m, d, b);
	if (flags & NOT_D)
		x_emit(&t->b, M_(NOT), -1, false, 1, &d);
}

static void test(struct translator *t, uint32_t i, struct xo d, unsigned cond)
{
	if (!t->in[i].scc_live)
		return;
	x2(t, M_(TEST), d, d);
	set_scc(t, i, cond);
}

static void saveexec(struct translator *t, uint32_t i, const struct s_op *s)
{
	struct xo a = gpr(0, 8), exec = gpr(1, 8), old = gpr(2, 8), file = j_sgpr(GCN_SRC_EXEC, 8);
	x2(t, M_(MOV), a, source(t, i, 0, 8));
	x2(t, M_(MOV), exec, file);
	x2(t, M_(MOV), old, exec);
	logic(t, s->m, s->flags, 8, a, exec);
	x2(t, M_(MOV), destination(t, i, 8), s->flags & WREXEC ? a : old);
	x2(t, M_(MOV), file, a);
	test(t, i, a, s->cond);
}

static void compare(struct translator *t, uint32_t i, const struct s_op *s)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	struct xo a = gpr(0, s->bytes), b;
	if (!t->in[i].scc_live)
		return;
	x2(t, M_(MOV), a, source(t, i, 0, s->bytes));
	b = in->fmt != GCN_SOPK ? source(t, i, 1, s->bytes)
		: x_imm(s->flags ? (int64_t)(uint16_t)in->offset : in->offset);
	x2(t, M_(CMP), a, b);
	set_scc(t, i, s->cond);
}

static void select_by_scc(struct translator *t, uint32_t i, const struct s_op *s)
{
	unsigned bytes = s->bytes;
	struct xo a = gpr(0, bytes), b = gpr(1, bytes);
	x2(t, M_(MOV), a, source(t, i, 0, bytes));
	x2(t, M_(MOV), b, s->kind == S_CMOVE ? destination(t, i, bytes) : source(t, i, 1, bytes));
	test_scc(t);
	x2(t, M_(CMOVZ), a, b);
	x2(t, M_(MOV), destination(t, i, bytes), a);
}

/* Minimum and maximum: SCC says whether the first one it was. */
static void pick(struct translator *t, uint32_t i, const struct s_op *s)
{
	struct xo a = gpr(0, 4), b = gpr(1, 4);
	x2(t, M_(MOV), a, source(t, i, 0, 4));
	x2(t, M_(MOV), b, source(t, i, 1, 4));
	x2(t, M_(CMP), a, b);
	set_scc(t, i, s->cond);
	x2(t, s->m, a, b);
	x2(t, M_(MOV), destination(t, i, 4), a);
}

void j_scalar(struct translator *t, uint32_t i)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	const struct s_op *s = &ops[in->op];
	unsigned bytes = s->bytes;
	struct xo a = gpr(0, bytes), b;
	switch (s->kind) {
	case S_MOVE:
		b = in->fmt == GCN_SOPK ? x_imm(in->offset) : source(t, i, 0, bytes);
		if (b.kind == XO_MEM) {
			x2(t, M_(MOV), a, b);
			b = a;
		}
		x2(t, M_(MOV), destination(t, i, bytes), b);
		break;
	case S_ARITH:
	case S_CARRY:
		arith(t, i, s);
		break;
	case S_LOGIC:
		x2(t, M_(MOV), a, source(t, i, 0, bytes));
		logic(t, s->m, s->flags, bytes, a, source(t, i, 1, bytes));
		x2(t, M_(MOV), destination(t, i, bytes), a);
		test(t, i, a, s->cond);
		break;
	case S_NOT:
		x2(t, M_(MOV), a, source(t, i, 0, bytes));
		x_emit(&t->b, M_(NOT), -1, false, 1, &a);
		x2(t, M_(MOV), destination(t, i, bytes), a);
		test(t, i, a, s->cond);
		break;
	case S_SHIFT:
		x2(t, M_(MOV), a, source(t, i, 0, bytes));
		x2(t, M_(MOV), gpr(1, 4), source(t, i, 1, 4));
		x_emit(&t->b, (ZydisMnemonic)s->m, -1, false, 3, (struct xo[]){ a, a, gpr(1, bytes) });
		x2(t, M_(MOV), destination(t, i, bytes), a);
		test(t, i, a, s->cond);
		break;
	case S_SELECT:
	case S_CMOVE:
		select_by_scc(t, i, s);
		break;
	case S_COMPARE:
		compare(t, i, s);
		break;
	case S_PICK:
		pick(t, i, s);
		break;
	case S_BIT:
		if (!t->in[i].scc_live)
			break;
		x2(t, M_(MOV), a, source(t, i, 0, bytes));
		x2(t, M_(MOV), gpr(1, 4), source(t, i, 1, 4));
		x2(t, M_(BT), a, gpr(1, bytes));
		set_scc(t, i, s->cond);
		break;
	case S_EXTEND:
		x2(t, M_(MOV), gpr(1, 4), source(t, i, 0, 4));
		X(&t->b, MOVSX, R(EAX), s->bytes == 1 ? R(CL) : R(CX));
		x2(t, M_(MOV), destination(t, i, 4), R(EAX));
		break;
	case S_SAVEEXEC:
		saveexec(t, i, s);
		break;
	case S_LOAD:
		scalar_load(t, i, s->flags);
		break;
	default:
		scalar_buffer_load(t, i, s->flags);
	}
}

/* --- lane masks, a slice at a time --- */

static bool slice_source(const struct cu_rec *r, int n)
{
	uint64_t k;
	if (!(r->konst >> n & 1))
		return r->s[n] != (int32_t)offsetof(struct cu_wave, scc);
	memcpy(&k, (const char *)r->pool + r->s[n], 8);
	return k == 0 || k == ~0ull;
}
bool j_slice_known(const struct translator *t, uint32_t i)
{
	const struct cu_rec *r = j_rec(t, i);
	const struct s_op *s = &ops[r->in->op];
	if (s->bytes != 8 || t->in[i].kind != J_SCALAR)
		return false;
	if (s->kind == S_LOGIC)
		return slice_source(r, 0) && slice_source(r, 1);
	return (s->kind == S_MOVE || s->kind == S_NOT || s->kind == S_SAVEEXEC) && slice_source(r, 0);
}

static struct xo slice_at(const struct translator *t, size_t offset)
{
	return j_slice_of(t, (unsigned)((offset - offsetof(struct cu_wave, sgpr)) / 4));
}
static void load_slice(struct translator *t, struct xo reg, uint32_t i, int n)
{
	const struct cu_rec *r = j_rec(t, i);
	uint64_t k;
	if (r->konst >> n & 1) {
		memcpy(&k, (const char *)r->pool + r->s[n], 8);
		X(&t->b, MOV, reg, x_imm(k ? -1 : 0));
	} else {
		X(&t->b, MOVZX, reg, slice_at(t, (size_t)r->s[n]));
	}
}
static void store_slice(struct translator *t, struct xo to, unsigned reg)
{
	static const uint16_t low[3][2] = { { ZYDIS_REGISTER_AL, ZYDIS_REGISTER_AX },
		{ ZYDIS_REGISTER_CL, ZYDIS_REGISTER_CX }, { ZYDIS_REGISTER_DL, ZYDIS_REGISTER_DX } };
	X(&t->b, MOV, to, x_reg(low[reg][t->v4]));
}

void j_slice(struct translator *t, uint32_t i)
{
	const struct cu_rec *r = j_rec(t, i);
	const struct s_op *s = &ops[r->in->op];
	bool writes_exec = s->kind == S_SAVEEXEC || r->in->dst == GCN_SRC_EXEC;
	if (writes_exec)
		r_settle_all(t);
	load_slice(t, R(EAX), i, 0);
	if (s->kind == S_LOGIC) {
		load_slice(t, R(ECX), i, 1);
		logic(t, s->m, s->flags, 4, R(EAX), R(ECX));
	} else if (s->kind == S_NOT) {
		X(&t->b, NOT, R(EAX));
	} else if (s->kind == S_SAVEEXEC) {
		X(&t->b, MOVZX, R(ECX), j_slice_of(t, GCN_SRC_EXEC));
		X(&t->b, MOV, R(EDX), R(ECX));
		logic(t, s->m, s->flags, 4, R(EAX), R(ECX));
		store_slice(t, slice_at(t, r->d), s->flags & WREXEC ? 0 : 2);
		store_slice(t, j_slice_of(t, GCN_SRC_EXEC), 0);
	}
	if (s->kind != S_SAVEEXEC)
		store_slice(t, slice_at(t, r->d), 0);
	j_forget_masks(t);
	if (writes_exec) {
		j_load_exec(t);
		t->full = false;
	}
}

/* --- branches --- */

static void count_jump(struct translator *t, uint32_t i)
{
	const struct cu_rec *r = j_rec(t, i);
	struct xo count = J_FIELD(instructions);
	if (r->jump > 0) {
		if (r->jump != 1)
			X(&t->b, ADD, count, x_imm(1 - (int64_t)r->jump));
		return;
	}
	/* Backwards: the handler asks now and then whether to stop. */
	X(&t->b, MOV, R(RAX), count);
	X(&t->b, ADD, R(RAX), x_imm(1 - (int64_t)r->jump));
	X(&t->b, MOV, R(RCX), R(RAX));
	X(&t->b, SUB, R(RCX), J_FIELD(next_poll));
	int back = j_slow(t, M_(JNS), i);
	X(&t->b, MOV, count, R(RAX));
	x_bind(&t->b, back);
}

void j_branch(struct translator *t, uint32_t i)
{
	const struct cu_rec *r = j_rec(t, i);
	int target = t->labels[i + (uint32_t)r->jump], skip = x_label(&t->b);
	switch (r->in->op) {
	case GCN_S_BRANCH:
		break;
	case GCN_S_CBRANCH_SCC0:
		test_scc(t);
		XJ(&t->b, JNZ, skip);
		break;
	case GCN_S_CBRANCH_SCC1:
		test_scc(t);
		XJ(&t->b, JZ, skip);
		break;
	case GCN_S_CBRANCH_VCCZ:
	case GCN_S_CBRANCH_VCCNZ:
	case GCN_S_CBRANCH_EXECZ:
	case GCN_S_CBRANCH_EXECNZ: {
		bool vcc = r->in->op == GCN_S_CBRANCH_VCCZ || r->in->op == GCN_S_CBRANCH_VCCNZ;
		bool zero = r->in->op == GCN_S_CBRANCH_VCCZ || r->in->op == GCN_S_CBRANCH_EXECZ;
		X(&t->b, CMP, j_sgpr(vcc ? GCN_SRC_VCC : GCN_SRC_EXEC, 8), x_imm(0));
		x_jump(&t->b, zero ? M_(JNZ) : M_(JZ), skip);
		break;
	}
	default: /* the debugger's conditions are never met */
		x_bind(&t->b, skip);
		return;
	}
	count_jump(t, i);
	XJ(&t->b, JMP, target);
	x_bind(&t->b, skip);
}
