/* SPDX-License-Identifier: MIT */
/* Loops that lanes leave one by one, by breaks with and without something to do first, by masks and by counts: strips that go
 * round by themselves, as often as they have lanes, leave what the interpreter leaves, and count what it counts. */
#include "tests/jit/jit_harness.h"

enum { VGPRS = 20, PAIRS = 6, KEEP = 28, SAVE = 20, TURNS = 30 };
static unsigned vgprs;   /* of this program: few, or more than twins have registers for */
static size_t behind;    /* dwords: what follows the first branch out of the loop; 0: none */
static size_t out[8];    /* such branches */
static unsigned out_count;
static size_t before;    /* dwords: where some of them go, in front of the loop; 0: nowhere */

static unsigned word(uint64_t *s) { return V(rnd(s) % vgprs); }
static unsigned mask(uint64_t *s) { return 4 + 2 * (rnd(s) % PAIRS); }
static unsigned number(uint64_t *s)
{
	return rnd(s) % 3 ? word(s) : rnd(s) & 1 ? rnd(s) % 4 : rnd(s) & 1 ? (unsigned)K(rnd(s) % 9) : TURNS;
}

static void compare_to(struct code *c, unsigned pair, uint64_t *s)
{
	static const enum gcn_op ops[] = { GCN_V_CMP_GT_F32, GCN_V_CMP_LT_F32, GCN_V_CMP_NE_U32, GCN_V_CMP_LT_I32, GCN_V_CMP_LE_U32,
		GCN_V_CMP_NLE_F32 };
	const enum gcn_op op = ops[rnd(s) % 6];
	const unsigned a = number(s);
	put_compare(c, op, pair, a, word(s));
}

static void select_by(struct code *c, uint64_t *s)
{
	const unsigned to = word(s), off = word(s), on = word(s);
	put_select(c, to, off, on, rnd(s) % 8 ? mask(s) : EXEC);
}

/* Signs of floats, NaNs' too; and what looks like it and tells one NaN from another. */
static void put_sign(struct code *c, uint64_t *s)
{
	static const enum gcn_op ops[] = { GCN_V_AND_B32, GCN_V_XOR_B32, GCN_V_OR_B32 };
	static const uint32_t others[] = { 0x7fc00000, 0xffc00000, 0x80400000, 0x807fffff };
	const unsigned k = rnd(s) % 3;
	struct gcn_inst in = inst(ops[k]);
	in.dst = (uint16_t)word(s);
	in.src[0] = LITERAL;
	in.literal = rnd(s) % 4 == 0 ? others[rnd(s) % 4] : k ? 0x80000000 : 0x7fffffff;
	in.src[1] = (uint16_t)word(s);
	put(c, &in);
}

static void put_word(struct code *c, uint64_t *s)
{
	static const enum gcn_op two[] = { GCN_V_ADD_F32, GCN_V_MUL_F32, GCN_V_MAX_F32, GCN_V_ADD_U32, GCN_V_XOR_B32, GCN_V_LSHRREV_B32 };
	switch (rnd(s) % 10) {
	case 0: op1(c, GCN_V_MOV_B32, word(s), number(s)); break;
	case 8: put_sign(c, s); break;
	case 9: op2(c, rnd(s) & 1 ? GCN_V_MIN_F32 : GCN_V_MAX_F32, word(s), number(s), word(s)); break;
	case 1: op3(c, GCN_V_FMA_F32, word(s), word(s), word(s), number(s)); break;
	case 2: select_by(c, s); break;
	case 3: op1(c, GCN_V_RCP_F32, word(s), word(s)); break;
	default: op2(c, two[rnd(s) % 6], word(s), number(s), word(s)); break;
	}
}

static void put_mask(struct code *c, uint64_t *s)
{
	static const enum gcn_op two[] = { GCN_S_AND_B64, GCN_S_OR_B64, GCN_S_ANDN2_B64, GCN_S_XOR_B64, GCN_S_ORN2_B64 };
	switch (rnd(s) % 4) {
	case 0:
		op2(c, GCN_S_CMP_LT_I32, NONE, rnd(s) % 4, K(rnd(s) % 9));
		op2(c, GCN_S_CSELECT_B64, mask(s), rnd(s) % 4 ? K(-1) : K(0), rnd(s) % 4 ? K(0) : K(-1));
		break;
	case 1: op1(c, rnd(s) & 1 ? GCN_S_NOT_B64 : GCN_S_MOV_B64, mask(s), rnd(s) % 4 ? mask(s) : EXEC); break;
	default: op2(c, two[rnd(s) % 5], mask(s), mask(s), rnd(s) % 4 ? mask(s) : EXEC); break;
	}
}

/* Numbers of all lanes: s0 to s3. */
static void put_scalar(struct code *c, uint64_t *s)
{
	static const enum gcn_op two[] = { GCN_S_ADD_U32, GCN_S_SUB_U32, GCN_S_MUL_I32, GCN_S_XOR_B32, GCN_S_MIN_I32 };
	op2(c, two[rnd(s) % 5], rnd(s) % 4, rnd(s) % 4, rnd(s) & 1 ? rnd(s) % 4 : (unsigned)K(rnd(s) % 9));
}

static void body(struct code *c, uint64_t *s, unsigned most)
{
	for (unsigned n = rnd(s) % most; n; n--)
		switch (rnd(s) % 8) {
		case 0: put_mask(c, s); break;
		case 1: put_scalar(c, s); break;
		case 2: compare_to(c, mask(s), s); break;
		default: put_word(c, s); break;
		}
}

static void leave(struct code *c, enum gcn_op op, uint64_t *s)
{
	if (before && rnd(s) & 1) {
		imm(c, op, (int32_t)before - (int32_t)c->n - 1);
	} else {
		out[out_count++] = c->n;
		imm(c, op, 0);
	}
	behind = behind ? behind : c->n;
}

/* Some lanes, or all, leave; or some do something for themselves. */
static void step(struct code *c, uint64_t *s)
{
	static const enum gcn_op narrow[] = { GCN_S_AND_SAVEEXEC_B64, GCN_S_AND_SAVEEXEC_B64, GCN_S_ANDN1_SAVEEXEC_B64, GCN_S_ANDN2_SAVEEXEC_B64 };
	const unsigned pair = mask(s);
	body(c, s, 8);
	compare_to(c, pair, s);
	if (rnd(s) % 3 == 0)
		put_mask(c, s);
	switch (rnd(s) % 6) {
	case 0:
		op2(c, rnd(s) & 1 ? GCN_S_AND_B64 : GCN_S_ANDN2_B64, EXEC, EXEC, pair);
		leave(c, GCN_S_CBRANCH_EXECZ, s);
		break;
	case 1:
		op2(c, rnd(s) & 1 ? GCN_S_CMP_EQ_U32 : GCN_S_CMP_LT_I32, NONE, TURNS, K(rnd(s) % 4));
		leave(c, GCN_S_CBRANCH_SCC1, s);
		break;
	case 2: /* an if, behind which all are back */
		op1(c, narrow[rnd(s) % 4], SAVE, pair);
		body(c, s, 4);
		op1(c, GCN_S_MOV_B64, EXEC, SAVE);
		break;
	default:
		op1(c, narrow[rnd(s) % (rnd(s) & 1 ? 4 : 2)], SAVE, pair);
		body(c, s, 5);
		op2(c, GCN_S_ANDN2_B64, EXEC, SAVE, EXEC);
		if (rnd(s) % 8)
			leave(c, GCN_S_CBRANCH_EXECZ, s);
		break;
	}
}

/* Some of those who leave have something to do first, all together: in front of the loop or behind it. */
static void loop(struct code *c, uint64_t *s)
{
	size_t over = 0;
	behind = out_count = 0;
	op1(c, GCN_S_MOV_B32, TURNS, K(1 + (int)(rnd(s) % 12)));
	op1(c, GCN_S_MOV_B64, KEEP, EXEC);
	before = 0;
	if (rnd(s) & 1) {
		const size_t enter = c->n;
		imm(c, GCN_S_BRANCH, 0);
		before = c->n;
		body(c, s, 4);
		over = c->n;
		imm(c, GCN_S_BRANCH, 0);
		patch(c, enter);
	}
	const size_t top = c->n;
	for (unsigned n = 1 + rnd(s) % 3; n; n--)
		step(c, s);
	body(c, s, 8);
	op2(c, GCN_S_SUB_U32, TURNS, TURNS, K(1));
	op2(c, GCN_S_CMP_LG_U32, NONE, TURNS, K(0));
	switch (rnd(s) % 3) {
	case 0:
		leave(c, GCN_S_CBRANCH_SCC0, s);
		imm(c, GCN_S_BRANCH, (int32_t)top - (int32_t)c->n - 1);
		break;
	case 1:
		op2(c, GCN_S_CSELECT_B64, SAVE, K(-1), K(0));
		op2(c, GCN_S_AND_B64, EXEC, EXEC, SAVE);
		imm(c, GCN_S_CBRANCH_EXECNZ, (int32_t)top - (int32_t)c->n - 1);
		break;
	default:
		imm(c, GCN_S_CBRANCH_SCC1, (int32_t)top - (int32_t)c->n - 1);
		break;
	}
	const unsigned later = rnd(s) & 1 ? rnd(s) % 8 : 8;
	for (unsigned k = 0; k < out_count && k < later; k++)
		patch(c, out[k]);
	body(c, s, 3);
	for (unsigned k = later; k < out_count; k++)
		patch(c, out[k]);
	if (over)
		patch(c, over);
	op1(c, GCN_S_MOV_B64, EXEC, KEEP);
}

/* Numbers that lanes often have in common, NaNs, anything. */
static uint32_t bits(uint64_t *s)
{
	static const uint32_t floats[] = { 0, 0x3f800000, 0xbf800000, 0x40000000, 0x7fc00000, 0x7fa00001, 0x7f800000, 5 };
	return rnd(s) % 4 == 0 ? rnd(s) % 12 : rnd(s) % 3 ? floats[rnd(s) % 8] : rnd(s);
}

static void set_up(struct side *x, uint64_t *s) { fill_side(x, s, VGPRS, bits); }

/* Nobody can come to what is behind a branch out of the loop but through the loop: strips go round by themselves.  With AVX-512
 * they do not. */
static bool parts(const struct cu_program *p, const struct cu_jit_options *o, const struct cu_jit_image *code)
{
	(void)o;
	return p->level == CU_LEVEL_V4 || (behind && code->entry[p->index[behind]] == CU_JIT_NO_ENTRY);
}

static bool one(struct cu_exec_heap *heap, enum cu_level level, uint64_t *s, unsigned *seen)
{
	static struct code c;
	const struct cu_jit_options o = { .keep_all = rnd(s) % 4 == 0, .seed = rnd(s) % 3 ? rnd(s) : 0, .no_registers = rnd(s) % 16 == 0 };
	c.n = 0;
	vgprs = rnd(s) % 4 ? 5 : VGPRS;
	body(&c, s, 8);
	loop(&c, s);
	body(&c, s, 8);
	put_outputs(&c, VGPRS);
	return program_alike(heap, level, &c, &o, set_up, s, parts, seen);
}

int main(int argc, char **argv)
{
	return random_programs(argc, argv, 7, 16000, 10, one, "test_parts", "have strips that part");
}
