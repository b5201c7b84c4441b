/* SPDX-License-Identifier: MIT */
/* What makes a pixel's program: attributes from LDS, exports.  The definitions
 * are in core/interp/ops_vintrp_kernel.c and core/interp/ops_export_kernel.c.
 *
 * A region copies each parameter that it interpolates from LDS to a table in the
 * stack frame, an entry a primitive; each strip then permutes the tables by the
 * primitives of its lanes. */
#include "core/cu.h"
#include "core/jit/jit.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_pixel.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

#define FRAME(disp, bytes) jit_x_mem(ZYDIS_REGISTER_RSP, disp, bytes)

/* --- parameters --- */

/* Dwords from the attribute's start: P0, P10 and P20 of channel c. */
static unsigned param_dword(unsigned source, unsigned c)
{
	enum { P10, P20 };
	return source == P10 ? 2 * c + 1 : source == P20 ? 8 + c : 2 * c;
}
enum { SOURCE_P10, SOURCE_P20, SOURCE_P0 };

int jit_param(struct jit_region *g, unsigned attr, unsigned dword)
{
	unsigned i = 0;
	while (i < g->param_count && (g->params[i].attr != attr || g->params[i].dword != dword))
		i++;
	if (i == PARAMS)
		return -1;
	if (i == g->param_count) {
		g->params[i].attr = (uint8_t)attr;
		g->params[i].dword = (uint8_t)dword;
		g->param_count++;
	}
	return (int)i;
}

bool jit_params_fit(struct jit_region *g, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	unsigned c = in->attrchan;
	if (in->op == GCN_V_INTERP_MOV_F32)
		return jit_param(g, in->attr, param_dword(in->src[0] & 3, c)) >= 0;
	if (in->op == GCN_V_INTERP_P2_F32)
		return jit_param(g, in->attr, param_dword(SOURCE_P20, c)) >= 0;
	return jit_param(g, in->attr, param_dword(SOURCE_P0, c)) >= 0
		&& jit_param(g, in->attr, param_dword(SOURCE_P10, c)) >= 0;
}

/* edi gets 48 times the number of primitives, ecx the bit of each quad that
 * begins one; rax the offset in LDS. */
static void primitives(struct jit_region *g)
{
	X(g->b, MOV, R(EAX), jit_sgpr(GCN_SRC_M0, 4));
	X(g->b, MOV, R(ECX), R(EAX));
	X(g->b, SHR, R(ECX), jit_x_imm(15));
	X(g->b, AND, R(ECX), jit_x_imm(0xfffe));
	X(g->b, POPCNT, R(EDI), R(ECX));
	X(g->b, ADD, R(EDI), jit_x_imm(1));
	X(g->b, IMUL, R(EDI), R(EDI), jit_x_imm(48));
	X(g->b, AND, R(EAX), jit_x_imm(0xffff));
}

void jit_check_params(struct jit_region *g, uint32_t i)
{
	unsigned attrs = 0;
	int good = jit_x_label(g->b);
	for (unsigned k = 0; k < g->param_count; k++)
		attrs = g->params[k].attr + 1u > attrs ? g->params[k].attr + 1u : attrs;
	primitives(g);
	X(g->b, IMUL, R(ECX), R(EDI), jit_x_imm(attrs));
	X(g->b, ADD, R(ECX), R(EAX));
	X(g->b, CMP, R(ECX), JIT_FIELD(lds_bytes));
	XJ(g->b, JBE, good);
	X(g->b, ADD, JIT_FIELD(instructions), jit_x_imm((int64_t)i));
	X(g->b, MOV, JIT_FIELD(pc), jit_x_imm((int32_t)jit_rec(g->t, i)->pc));
	X(g->b, MOV, R(EAX), jit_x_imm(CU_JIT_BAIL));
	XJ(g->b, JMP, g->t->exit_label);
	jit_x_bind(g->b, good);
}

/* FRAME_LANES: each lane's primitive, a dword each. */
static void lane_primitives(struct jit_region *g)
{
	uint8_t shuffle[64] = { 0 };
	uint64_t ones[8] = { 0x0101010101010101 };
	/* Sums over the quads so far, a byte each. */
	X(g->b, MOV, R(R8), jit_x_mem(RB_POOL, jit_x_vector(g->b, ones), 8));
	X(g->b, MOVZX, R(EDX), R(CL));
	X(g->b, PDEP, R(RDX), R(RDX), R(R8));
	X(g->b, IMUL, R(RDX), R(R8));
	X(g->b, SHR, R(ECX), jit_x_imm(8));
	X(g->b, PDEP, R(RCX), R(RCX), R(R8));
	X(g->b, IMUL, R(RCX), R(R8));
	X(g->b, MOV, R(R9), R(RDX));
	X(g->b, SHR, R(R9), jit_x_imm(56));
	X(g->b, IMUL, R(R9), R(R8));
	X(g->b, ADD, R(RCX), R(R9));
	X(g->b, VMOVQ, R(XMM0), R(RDX));
	X(g->b, VPINSRQ, R(XMM0), R(XMM0), R(RCX), jit_x_imm(1));
	for (unsigned s = 0; s < 8; s++) {
		for (unsigned l = 0; l < 8; l++)
			shuffle[8 * s + l] = (uint8_t)(2 * s + l / 4);
	}
	int32_t at = jit_x_vector(g->b, shuffle);
	for (unsigned s = 0; s < 8; s += 2) {
		X(g->b, VPSHUFB, R(XMM1), R(XMM0), jit_x_mem(RB_POOL, at + 8 * (int32_t)s, 16));
		if (g->v4) {
			VX(g, VPMOVZXBD, R(ZMM2), R(XMM1));
			VX(g, VMOVUPS, FRAME(FRAME_LANES + 32 * (int)s, 64), R(ZMM2));
			continue;
		}
		X(g->b, VPMOVZXBD, R(YMM2), R(XMM1));
		X(g->b, VMOVUPS, FRAME(FRAME_LANES + 32 * (int)s, 32), R(YMM2));
		X(g->b, VPSRLDQ, R(XMM1), R(XMM1), jit_x_imm(8));
		X(g->b, VPMOVZXBD, R(YMM2), R(XMM1));
		X(g->b, VMOVUPS, FRAME(FRAME_LANES + 32 * (int)s + 32, 32), R(YMM2));
	}
}

/* Tables: a turn for each primitive; rax its parameters in attribute 0, r9 in
 * the attribute at hand, rdx four times its number. */
void jit_load_params(struct jit_region *g)
{
	int turn = jit_x_label(g->b);
	unsigned attr = 0, last = 0;
	primitives(g);
	lane_primitives(g);
	X(g->b, ADD, R(RAX), JIT_FIELD(lds));
	X(g->b, LEA, R(R11), (struct xo){ .kind = XO_MEM, .reg = ZYDIS_REGISTER_RAX,
		.index = ZYDIS_REGISTER_RDI, .scale = 1, .size = 8 });
	X(g->b, XOR, R(EDX), R(EDX));
	for (unsigned k = 0; k < g->param_count; k++)
		last = g->params[k].attr > last ? g->params[k].attr : last;
	jit_x_bind(g->b, turn);
	X(g->b, MOV, R(R9), R(RAX));
	for (;; attr++) {
		for (unsigned k = 0; k < g->param_count; k++) {
			if (g->params[k].attr != attr)
				continue;
			struct xo slot = FRAME(FRAME_PARAMS + 64 * (int)k, 4);
			slot.index = ZYDIS_REGISTER_RDX;
			slot.scale = 1;
			X(g->b, MOV, R(ECX), jit_x_mem(ZYDIS_REGISTER_R9, 4 * g->params[k].dword, 4));
			X(g->b, MOV, slot, R(ECX));
		}
		if (attr == last)
			break;
		X(g->b, ADD, R(R9), R(RDI));
	}
	X(g->b, ADD, R(RAX), jit_x_imm(48));
	X(g->b, ADD, R(EDX), jit_x_imm(4));
	X(g->b, CMP, R(RAX), R(R11));
	XJ(g->b, JB, turn);
}

void jit_spread_params(struct jit_region *g)
{
	if (g->v4)
		return;
	X(g->b, MOVZX, R(ECX), jit_sgpr(GCN_SRC_M0, 2));
	X(g->b, ADD, R(RCX), JIT_FIELD(lds));
	for (unsigned k = 0; k < g->param_count; k++) {
		const int32_t at = 48 * (int32_t)g->params[k].attr + 4 * (int32_t)g->params[k].dword;
		X(g->b, VBROADCASTSS, R(YMM0), jit_x_mem(ZYDIS_REGISTER_RCX, at, 4));
		X(g->b, VMOVAPS, FRAME(FRAME_PARAMS + 64 * (int)k, 32), R(YMM0));
	}
}

/* The parameter of a wave's only primitive, an operand. */
static struct xo only(struct jit_region *g, unsigned attr, unsigned dword)
{
	if (!g->v4)
		return FRAME(FRAME_PARAMS + 64 * jit_param(g, attr, dword), 32);
	struct xo x = jit_x_mem(RB_LANES, 48 * (int32_t)attr + 4 * (int32_t)dword, 4);
	x.bcast = 16;
	return x;
}

/* The parameter for the strip's lanes, whose primitives lanes_of has found: a temporary, or an operand. */
static struct xo fetch(struct jit_region *g, struct xo lanes, unsigned attr, unsigned dword)
{
	if (g->alone)
		return only(g, attr, dword);
	struct xo x = jit_r_temp(g), table = FRAME(FRAME_PARAMS + 64 * jit_param(g, attr, dword), 64);
	if (g->v4) {
		VX(g, VPERMPS, x, lanes, table);
		return x;
	}
	const struct xo first = jit_r_temp(g);
	table.size = table.scale = 4;
	table.index = ZYDIS_REGISTER_R9;
	X(g->b, VBROADCASTSS, x, table);
	table.index = ZYDIS_REGISTER_R8;
	X(g->b, VBROADCASTSS, jit_low(g, first), table);
	X(g->b, VBLENDPS, x, x, first, jit_x_imm(15));
	jit_r_free(g, first);
	return x;
}

/* The primitives of instruction i's lanes; AVX2: in r8 and r9 those of the two quads, for instructions that follow one another. */
static struct xo lanes_of(struct jit_region *g, uint32_t i)
{
	if (g->alone)
		return (struct xo){ 0 };
	if (g->v4) {
		struct xo lanes = jit_r_temp(g);
		jit_v_load(g, lanes, jit_x_mem(RB_LANES, 0, 64));
		return lanes;
	}
	if (g->primitives_for != i || g->in[i].leader) {
		X(g->b, MOV, R(R8D), jit_x_mem(RB_LANES, 0, 4));
		X(g->b, MOV, R(R9D), jit_x_mem(RB_LANES, 16, 4));
	}
	g->primitives_for = i + 1;
	return (struct xo){ 0 };
}

/* A parameter times what the instruction reads, in a temporary. */
static struct xo times(struct jit_region *g, struct xo lanes, struct xo s, unsigned attr, unsigned dword)
{
	struct xo p = fetch(g, lanes, attr, dword), x = p.kind == XO_MEM ? jit_r_temp(g) : p;
	VX(g, VMULPS, x, jit_v_register(g, s), p); /* a constant is in memory, too */
	return x;
}

/* Product and sum round separately. */
void jit_interp_p1(struct jit_region *g, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	struct xo s = jit_v_source(g, i, 0), lanes = lanes_of(g, i);
	struct xo x = times(g, lanes, s, in->attr, param_dword(SOURCE_P10, in->attrchan));
	struct xo p0 = fetch(g, lanes, in->attr, param_dword(SOURCE_P0, in->attrchan));
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VADDPS, x, p0);
	jit_v_put(g, i, &o);
}
void jit_interp_p2(struct jit_region *g, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	struct xo s = jit_v_source(g, i, 0), d = jit_r_use(g, (unsigned)g->in[i].vd), lanes = lanes_of(g, i);
	struct xo x = times(g, lanes, s, in->attr, param_dword(SOURCE_P20, in->attrchan));
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VADDPS, d, x);
	jit_v_put(g, i, &o);
}
void jit_interp_mov(struct jit_region *g, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	struct xo lanes = lanes_of(g, i);
	struct xo x = fetch(g, lanes, in->attr, param_dword(in->src[0] & 3, in->attrchan));
	struct jit_v_out o = jit_v_result(g, i);
	if (x.bcast) {
		x.bcast = 0;
		V_LAST(g, &o, VBROADCASTSS, x);
	} else {
		V_LAST(g, &o, VMOVAPS, x);
	}
	jit_v_put(g, i, &o);
}

/* --- exports --- */

#define E_AT(field) ((int64_t)offsetof(struct cu_exports, field))

void jit_export_once(struct jit_region *g, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	unsigned target = in->exp_target & 63;
	jit_mark(g->t, i);
	X(g->b, MOV, R(RSI), JIT_FIELD(exports));
	X(g->b, TEST, R(RSI), R(RSI));
	int back = jit_slow(g->t, ZYDIS_MNEMONIC_JZ, i); /* which faults */
	X(g->b, MOV, R(RAX), jit_sgpr(GCN_SRC_EXEC, 8));
	if (in->en)
		X(g->b, OR, jit_x_mem(ZYDIS_REGISTER_RSI, E_AT(exec) + 8 * target, 8), R(RAX));
	if (in->vm)
		X(g->b, MOV, jit_x_mem(ZYDIS_REGISTER_RSI, E_AT(valid), 8), R(RAX));
	/* Components of targets that were written before stay. */
	struct xo mask = jit_x_mem(ZYDIS_REGISTER_RSI, E_AT(mask) + target, 1);
	struct xo targets = jit_x_mem(ZYDIS_REGISTER_RSI, E_AT(targets), 8);
	X(g->b, MOV, R(RDX), targets);
	X(g->b, MOVZX, R(ECX), mask);
	X(g->b, XOR, R(EAX), R(EAX));
	X(g->b, BTS, R(RDX), jit_x_imm(target));
	X(g->b, CMOVNB, R(ECX), R(EAX));
	X(g->b, OR, R(ECX), jit_x_imm(in->en));
	X(g->b, MOV, mask, R(CL));
	X(g->b, MOV, targets, R(RDX));
	jit_x_bind(g->b, back);
}

/* Whether nothing behind the region changes a VGPR any more. */
static bool ends_behind(const struct jit_region *g)
{
	uint32_t i = g->e.end;
	while (i < g->t->limit && g->in[i].kind == JIT_NOP)
		i++;
	return i < g->t->limit && g->in[i].kind == JIT_END;
}

/* A whole target's export, and the only one to it. */
static bool may_stay(const struct jit_region *g, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	if (in->op != GCN_EXPORT || in->en != 15 || in->compr || in->exp_target >= CU_STAY)
		return false;
	for (uint32_t k = 0; k < g->t->limit; k++) {
		const struct gcn_inst *other = jit_rec(g->t, k)->in;
		if (k != i && other->op == GCN_EXPORT && other->exp_target == in->exp_target)
			return false;
	}
	return true;
}

void jit_exports_stay(struct jit_region *g, int end)
{
	int strips = jit_x_label(g->b);
	unsigned targets = 0;
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		if (g->in[i].role != ROLE_NONE && g->in[i].role != ROLE_ONCE && !(g->in[i].role == ROLE_VECTOR && may_stay(g, i)))
			return;
	if (!g->e.exports || !ends_behind(g))
		return;
	X(g->b, CMP, jit_wave(offsetof(struct cu_wave, may_stay), 1), jit_x_imm(0));
	XJ(g->b, JZ, strips);
	for (uint32_t i = g->e.first; i < g->e.end; i++) {
		const struct gcn_inst *in = jit_rec(g->t, i)->in;
		uint32_t stay = 0;
		if (g->in[i].role != ROLE_VECTOR)
			continue;
		for (unsigned c = 0; c < 4; c++)
			stay |= (in->src[c] & 255u) << 8 * c;
		X(g->b, MOV, jit_wave(offsetof(struct cu_wave, stay) + 4 * in->exp_target, 4), jit_x_imm((int32_t)stay));
		targets |= 1u << in->exp_target;
	}
	X(g->b, OR, jit_wave(offsetof(struct cu_wave, stays), 1), jit_x_imm((int8_t)targets));
	XJ(g->b, JMP, end);
	jit_x_bind(g->b, strips);
}

/* Whether an export is of numbers (cu_wave.numbers), some of them NaNs that are not canonical yet, in registers that nothing
 * else asks for. */
static bool may_differ(const struct jit_region *g, uint32_t i)
{
	const struct jit_inst *j = &g->in[i];
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	bool lazy = false;
	if (g->twins || in->compr || in->exp_target > GCN_EXP_MRTZ || (in->exp_target == GCN_EXP_MRTZ && in->en != 1))
		return false;
	for (int n = 0; n < j->nvs; n++) {
		if (j->vs[n] < 0)
			continue;
		if (jit_r_asked(g, (unsigned)j->vs[n], j->next[n]))
			return false;
		lazy |= jit_r_is_lazy(g, (unsigned)j->vs[n]);
	}
	return lazy;
}

void jit_export(struct jit_region *g, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	unsigned bytes = g->v4 ? 64 : 32;
	struct vset exported = { { 0 } };
	for (unsigned c = 0; c < 4; c++)
		if (in->en >> c & 1)
			v_add(&exported, in->src[c] & 255);
	const int numbers = may_differ(g, i) ? jit_x_label(g->b) : -1;
	if (numbers >= 0) {
		X(g->b, CMP, jit_wave(offsetof(struct cu_wave, numbers), 1), jit_x_imm(0));
		XJ(g->b, JNZ, numbers);
	}
	jit_r_settle_each(g, &exported);
	if (numbers >= 0)
		jit_x_bind(g->b, numbers);
	for (unsigned c = 0; c < 4; c++) {
		if (!(in->en >> c & 1))
			continue;
		unsigned vgpr = in->src[c] & 255;
		struct xo x = jit_r_use(g, vgpr);
		struct xo to = jit_x_mem(RB_EXPORTS, E_AT(data[in->exp_target & 63][c]), bytes);
		jit_store_own_row(g, to, x);
	}
}
