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
#include "core/jit/jit_pixel.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

#define FRAME(disp, bytes) x_mem(ZYDIS_REGISTER_RSP, disp, bytes)

/* --- parameters --- */

/* Dwords from the attribute's start: P0, P10 and P20 of channel c. */
static unsigned param_dword(unsigned source, unsigned c)
{
	enum { P10, P20 };
	return source == P10 ? 2 * c + 1 : source == P20 ? 8 + c : 2 * c;
}
enum { SOURCE_P10, SOURCE_P20, SOURCE_P0 };

int j_param(struct translator *t, unsigned attr, unsigned dword)
{
	unsigned i = 0;
	while (i < t->param_count && (t->params[i].attr != attr || t->params[i].dword != dword))
		i++;
	if (i == PARAMS)
		return -1;
	if (i == t->param_count) {
		t->params[i].attr = (uint8_t)attr;
		t->params[i].dword = (uint8_t)dword;
		t->param_count++;
	}
	return (int)i;
}

bool j_params_fit(struct translator *t, uint32_t i)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	unsigned c = in->attrchan;
	if (in->op == GCN_V_INTERP_MOV_F32)
		return j_param(t, in->attr, param_dword(in->src[0] & 3, c)) >= 0;
	if (in->op == GCN_V_INTERP_P2_F32)
		return j_param(t, in->attr, param_dword(SOURCE_P20, c)) >= 0;
	return j_param(t, in->attr, param_dword(SOURCE_P0, c)) >= 0
		&& j_param(t, in->attr, param_dword(SOURCE_P10, c)) >= 0;
}

/* edi gets 48 times the number of primitives, ecx the bit of each quad that
 * begins one; rax the offset in LDS. */
static void primitives(struct translator *t)
{
	X(&t->b, MOV, R(EAX), j_sgpr(GCN_SRC_M0, 4));
	X(&t->b, MOV, R(ECX), R(EAX));
	X(&t->b, SHR, R(ECX), x_imm(15));
	X(&t->b, AND, R(ECX), x_imm(0xfffe));
	X(&t->b, POPCNT, R(EDI), R(ECX));
	X(&t->b, ADD, R(EDI), x_imm(1));
	X(&t->b, IMUL, R(EDI), R(EDI), x_imm(48));
	X(&t->b, AND, R(EAX), x_imm(0xffff));
}

void j_check_params(struct translator *t, uint32_t i)
{
	unsigned attrs = 0;
	int good = x_label(&t->b);
	for (unsigned k = 0; k < t->param_count; k++)
		attrs = t->params[k].attr + 1u > attrs ? t->params[k].attr + 1u : attrs;
	primitives(t);
	X(&t->b, IMUL, R(ECX), R(EDI), x_imm(attrs));
	X(&t->b, ADD, R(ECX), R(EAX));
	X(&t->b, CMP, R(ECX), J_FIELD(lds_bytes));
	XJ(&t->b, JBE, good);
	X(&t->b, ADD, J_FIELD(instructions), x_imm((int64_t)i));
	X(&t->b, MOV, J_FIELD(pc), x_imm((int32_t)j_rec(t, i)->pc));
	X(&t->b, MOV, R(EAX), x_imm(CU_JIT_BAIL));
	XJ(&t->b, JMP, t->exit_label);
	x_bind(&t->b, good);
}

/* FRAME_LANES: each lane's primitive, a dword each. */
static void lane_primitives(struct translator *t)
{
	uint8_t shuffle[64] = { 0 };
	uint64_t ones[8] = { 0x0101010101010101 };
	/* Sums over the quads so far, a byte each. */
	X(&t->b, MOV, R(R8), x_mem(RB_POOL, x_vector(&t->b, ones), 8));
	X(&t->b, MOVZX, R(EDX), R(CL));
	X(&t->b, PDEP, R(RDX), R(RDX), R(R8));
	X(&t->b, IMUL, R(RDX), R(R8));
	X(&t->b, SHR, R(ECX), x_imm(8));
	X(&t->b, PDEP, R(RCX), R(RCX), R(R8));
	X(&t->b, IMUL, R(RCX), R(R8));
	X(&t->b, MOV, R(R9), R(RDX));
	X(&t->b, SHR, R(R9), x_imm(56));
	X(&t->b, IMUL, R(R9), R(R8));
	X(&t->b, ADD, R(RCX), R(R9));
	X(&t->b, VMOVQ, R(XMM0), R(RDX));
	X(&t->b, VPINSRQ, R(XMM0), R(XMM0), R(RCX), x_imm(1));
	for (unsigned s = 0; s < 8; s++) {
		for (unsigned l = 0; l < 8; l++)
			shuffle[8 * s + l] = (uint8_t)(2 * s + l / 4);
	}
	int32_t at = x_vector(&t->b, shuffle);
	for (unsigned s = 0; s < 8; s += 2) {
		X(&t->b, VPSHUFB, R(XMM1), R(XMM0), x_mem(RB_POOL, at + 8 * (int32_t)s, 16));
		if (t->v4) {
			VX(t, VPMOVZXBD, R(ZMM2), R(XMM1));
			VX(t, VMOVUPS, FRAME(FRAME_LANES + 32 * (int)s, 64), R(ZMM2));
			continue;
		}
		X(&t->b, VPMOVZXBD, R(YMM2), R(XMM1));
		X(&t->b, VMOVUPS, FRAME(FRAME_LANES + 32 * (int)s, 32), R(YMM2));
		X(&t->b, VPSRLDQ, R(XMM1), R(XMM1), x_imm(8));
		X(&t->b, VPMOVZXBD, R(YMM2), R(XMM1));
		X(&t->b, VMOVUPS, FRAME(FRAME_LANES + 32 * (int)s + 32, 32), R(YMM2));
	}
}

/* Tables: a turn for each primitive; rax its parameters in attribute 0, r9 in
 * the attribute at hand, rdx four times its number. */
void j_load_params(struct translator *t)
{
	int turn = x_label(&t->b);
	unsigned attr = 0, last = 0;
	primitives(t);
	lane_primitives(t);
	X(&t->b, ADD, R(RAX), J_FIELD(lds));
	X(&t->b, LEA, R(R11), (struct xo){ .kind = XO_MEM, .reg = ZYDIS_REGISTER_RAX,
		.index = ZYDIS_REGISTER_RDI, .scale = 1, .size = 8 });
	X(&t->b, XOR, R(EDX), R(EDX));
	for (unsigned k = 0; k < t->param_count; k++)
		last = t->params[k].attr > last ? t->params[k].attr : last;
	x_bind(&t->b, turn);
	X(&t->b, MOV, R(R9), R(RAX));
	for (;; attr++) {
		for (unsigned k = 0; k < t->param_count; k++) {
			if (t->params[k].attr != attr)
				continue;
			struct xo slot = FRAME(FRAME_PARAMS + 64 * (int)k, 4);
			slot.index = ZYDIS_REGISTER_RDX;
			slot.scale = 1;
			X(&t->b, MOV, R(ECX), x_mem(ZYDIS_REGISTER_R9, 4 * t->params[k].dword, 4));
			X(&t->b, MOV, slot, R(ECX));
		}
		if (attr == last)
			break;
		X(&t->b, ADD, R(R9), R(RDI));
	}
	X(&t->b, ADD, R(RAX), x_imm(48));
	X(&t->b, ADD, R(EDX), x_imm(4));
	X(&t->b, CMP, R(RAX), R(R11));
	XJ(&t->b, JB, turn);
}

/* The parameter for the strip's lanes, in a temporary. */
static struct xo fetch(struct translator *t, struct xo lanes, unsigned attr, unsigned dword)
{
	struct xo x = r_temp(t), table;
	if (t->alone) {
		VX(t, VBROADCASTSS, x, x_mem(RB_LANES, 48 * (int32_t)attr + 4 * (int32_t)dword, 4));
		return x;
	}
	table = FRAME(FRAME_PARAMS + 64 * j_param(t, attr, dword), 64);
	if (t->v4) {
		VX(t, VPERMPS, x, lanes, table);
		return x;
	}
	struct xo y = r_temp(t), high = r_temp(t);
	table.size = 32;
	X(&t->b, VPERMPS, x, lanes, table);
	table.value += 32;
	X(&t->b, VPERMPS, y, lanes, table);
	X(&t->b, VPSLLD, high, lanes, x_imm(28)); /* primitives 8 and up */
	X(&t->b, VBLENDVPS, x, x, y, high);
	r_free(t, y);
	r_free(t, high);
	return x;
}
static struct xo lanes_of(struct translator *t)
{
	struct xo lanes = r_temp(t);
	if (!t->alone)
		v_load(t, lanes, x_mem(RB_LANES, 0, t->v4 ? 64 : 32));
	return lanes;
}

/* Product and sum round separately. */
void j_interp_p1(struct translator *t, uint32_t i)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	struct xo s = v_source(t, i, 0), lanes = lanes_of(t);
	struct xo x = fetch(t, lanes, in->attr, param_dword(SOURCE_P10, in->attrchan));
	struct xo p0 = fetch(t, lanes, in->attr, param_dword(SOURCE_P0, in->attrchan));
	VX(t, VMULPS, x, x, s);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VADDPS, p0, x);
	v_put(t, i, &o);
}
void j_interp_p2(struct translator *t, uint32_t i)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	struct xo s = v_source(t, i, 0), d = r_use(t, (unsigned)t->in[i].vd), lanes = lanes_of(t);
	struct xo x = fetch(t, lanes, in->attr, param_dword(SOURCE_P20, in->attrchan));
	VX(t, VMULPS, x, x, s);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VADDPS, d, x);
	v_put(t, i, &o);
}
void j_interp_mov(struct translator *t, uint32_t i)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	struct xo lanes = lanes_of(t);
	struct xo x = fetch(t, lanes, in->attr, param_dword(in->src[0] & 3, in->attrchan));
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VMOVAPS, x);
	v_put(t, i, &o);
}

/* --- exports --- */

#define E_AT(field) ((int64_t)offsetof(struct cu_exports, field))

void j_export_once(struct translator *t, uint32_t i)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	unsigned target = in->exp_target & 63;
	j_mark(t, i);
	X(&t->b, MOV, R(RSI), J_FIELD(exports));
	X(&t->b, TEST, R(RSI), R(RSI));
	int back = j_slow(t, ZYDIS_MNEMONIC_JZ, i); /* which faults */
	X(&t->b, MOV, R(RAX), j_sgpr(GCN_SRC_EXEC, 8));
	if (in->en)
		X(&t->b, OR, x_mem(ZYDIS_REGISTER_RSI, E_AT(exec) + 8 * target, 8), R(RAX));
	if (in->vm)
		X(&t->b, MOV, x_mem(ZYDIS_REGISTER_RSI, E_AT(valid), 8), R(RAX));
	/* Components of targets that were written before stay. */
	struct xo mask = x_mem(ZYDIS_REGISTER_RSI, E_AT(mask) + target, 1);
	struct xo targets = x_mem(ZYDIS_REGISTER_RSI, E_AT(targets), 8);
	X(&t->b, MOV, R(RDX), targets);
	X(&t->b, MOVZX, R(ECX), mask);
	X(&t->b, XOR, R(EAX), R(EAX));
	X(&t->b, BTS, R(RDX), x_imm(target));
	X(&t->b, CMOVNB, R(ECX), R(EAX));
	X(&t->b, OR, R(ECX), x_imm(in->en));
	X(&t->b, MOV, mask, R(CL));
	X(&t->b, MOV, targets, R(RDX));
	x_bind(&t->b, back);
}

void j_export(struct translator *t, uint32_t i)
{
	const struct gcn_inst *in = j_rec(t, i)->in;
	unsigned bytes = t->v4 ? 64 : 32;
	for (unsigned c = 0; c < 4; c++) {
		if (!(in->en >> c & 1))
			continue;
		unsigned vgpr = in->src[c] & 255;
		r_settle(t, vgpr);
		struct xo x = r_use(t, vgpr);
		struct xo to = x_mem(RB_EXPORTS, E_AT(data[in->exp_target & 63][c]), bytes);
		if (t->full)
			VX(t, VMOVAPS, to, x);
		else if (t->v4)
			VXK(t, 1, VMOVAPS, to, x);
		else
			X(&t->b, VMASKMOVPS, to, j_exec(t), x);
	}
}
