/* SPDX-License-Identifier: MIT */
/* Sines and cosines of what v_fract has made, or of what only looks like it: made under another EXEC, changed since, by
 * another way.  Translated code folds a turn that it knows to be one more quickly (core/jit/jit_math.c). */
#include "tests/jit/jit_harness.h"

enum { VGPRS = 6, S_SAVE = 28, S_EXEC = 30, S_COUNT = 20 };

static unsigned word(uint64_t *s) { return V(rnd(s) % VGPRS); }

static void vop3(struct code *c, uint64_t *s, enum gcn_op op, unsigned d, unsigned x)
{
	struct gcn_inst in = inst(op);
	in.fmt = GCN_VOP3;
	in.dst = (uint16_t)d;
	in.src[0] = (uint16_t)x;
	in.neg = rnd(s) & 1;
	in.abs = rnd(s) & 1;
	in.omod = rnd(s) % 4;
	in.clamp = rnd(s) & 1;
	put(c, &in);
}

static void sine(struct code *c, uint64_t *s)
{
	const enum gcn_op op = rnd(s) & 1 ? GCN_V_SIN_F32 : GCN_V_COS_F32;
	const unsigned turn = word(s);
	const unsigned how = rnd(s) % 8;
	if (how == 0)
		vop3(c, s, GCN_V_FRACT_F32, turn, word(s));
	else if (how > 1) /* else it may have been made long ago */
		op1(c, GCN_V_FRACT_F32, turn, word(s));
	switch (rnd(s) % 8) {
	case 0: op2(c, GCN_V_ADD_F32, word(s), K(1), turn); break;
	case 1: op2(c, GCN_V_CMPX_LT_F32, VCC, turn, word(s)); break;
	case 2: op1(c, GCN_V_CVT_F64_I32, V(rnd(s) % (VGPRS - 1)), word(s)); break;
	case 3: op1(c, GCN_S_MOV_B64, EXEC, S_EXEC); break;
	default: break;
	}
	if (rnd(s) % 8 == 0)
		vop3(c, s, op, word(s), turn);
	else
		op1(c, op, word(s), turn);
	if (rnd(s) & 1)
		op1(c, op == GCN_V_SIN_F32 ? GCN_V_COS_F32 : GCN_V_SIN_F32, word(s), turn);
}

/* What is a turn before the loop, and changed in it. */
static void changing(struct code *c, uint64_t *s)
{
	const unsigned turn = word(s), other = word(s);
	op1(c, GCN_S_MOV_B32, S_COUNT, K(3));
	op1(c, GCN_V_FRACT_F32, turn, word(s));
	const size_t top = c->n;
	op1(c, rnd(s) & 1 ? GCN_V_SIN_F32 : GCN_V_COS_F32, other, turn);
	op2(c, GCN_V_ADD_F32, turn, other, turn);
	op2(c, GCN_S_SUB_U32, S_COUNT, S_COUNT, K(1));
	op2(c, GCN_S_CMP_LG_U32, NONE, S_COUNT, K(0));
	imm(c, GCN_S_CBRANCH_SCC1, (int32_t)top - (int32_t)c->n - 1);
}

static void block(struct code *c, uint64_t *s, unsigned depth)
{
	for (unsigned n = 1 + rnd(s) % 6; n; n--) {
		const unsigned what = depth ? rnd(s) % 16 : 15;
		if (what == 0)
			put_body(c, s, S_SAVE, S_EXEC, block);
		else if (what == 1)
			put_turns(c, s, S_COUNT, block);
		else if (what == 2)
			changing(c, s);
		else
			sine(c, s);
	}
}

/* Turns and what lies around them, quarters above all; anything. */
static uint32_t bits(uint64_t *s)
{
	switch (rnd(s) % 4) {
	case 0: return float_bits((float)((int32_t)rnd(s) >> 24) / 8);
	case 1: return 0x3e800000 + (rnd(s) % 3 << 23) + rnd(s) % 5 - 2;
	case 2: return 0x3f800000 - rnd(s) % 0x04000000;
	default: return any_bits(s);
	}
}

static void set_up(struct side *x, uint64_t *s)
{
	fill_side(x, s, VGPRS, bits);
	for (unsigned k = 0; k < 40; k++)
		x->w.sgpr[k] = any_bits(s);
	x->w.budget = 5000;
}

static bool one(struct cu_exec_heap *heap, enum cu_level level, uint64_t *s, unsigned *shorter)
{
	static struct code c;
	const struct cu_jit_options o = { .keep_all = rnd(s) & 1, .seed = rnd(s) % 4 ? 0 : rnd(s), .no_registers = rnd(s) % 16 == 0 };
	c.n = 0;
	block(&c, s, 1);
	put_outputs(&c, VGPRS);
	return program_alike(heap, level, &c, &o, set_up, s, keeps_registers, shorter);
}

int main(int argc, char **argv)
{
	return random_programs(argc, argv, 11, 6000, 20, one, "test_sines", "keep VGPRs in registers");
}
