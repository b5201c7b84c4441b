/* SPDX-License-Identifier: MIT */
/* Lane masks that are combined within a region: whatever registers hold of them, pairs that overlap, that are written and
 * read by one instruction, and EXEC come out as the interpreter leaves them. */
#include "tests/jit/jit_harness.h"

enum { VGPRS = 8, PAIRS = 6, SAVE = 16 };

static unsigned word(uint64_t *s) { return V(rnd(s) % VGPRS); }
/* Few, so that they soon meet again. */
static unsigned mask(uint64_t *s)
{
	return rnd(s) % 12 == 0 ? VCC : 4 + 2 * (rnd(s) % PAIRS);
}
static unsigned source(uint64_t *s)
{
	switch (rnd(s) % 12) {
	case 0: return EXEC;
	case 1: return (unsigned)K(rnd(s) & 1 ? -1 : 0);
	default: return mask(s);
	}
}

static void compare_to(struct code *c, unsigned pair, uint64_t *s)
{
	static const enum gcn_op ops[] = { GCN_V_CMP_GT_F32, GCN_V_CMP_NE_U32, GCN_V_CMP_LT_I32, GCN_V_CMP_LE_U32 };
	const enum gcn_op op = ops[rnd(s) % 4];
	const unsigned a = word(s);
	put_compare(c, op, pair, a, word(s));
}

/* Or nothing. */
static unsigned word_or_0(uint64_t *s) { return rnd(s) % 8 ? word(s) : (unsigned)K(0); }

static void select_by(struct code *c, uint64_t *s)
{
	const unsigned to = word(s), off = word_or_0(s), on = word_or_0(s);
	put_select(c, to, off, on, rnd(s) % 16 ? mask(s) : EXEC);
}

static void combine(struct code *c, uint64_t *s)
{
	static const enum gcn_op two[] = { GCN_S_AND_B64, GCN_S_OR_B64, GCN_S_XOR_B64, GCN_S_ANDN2_B64, GCN_S_ORN2_B64,
		GCN_S_NAND_B64, GCN_S_NOR_B64, GCN_S_XNOR_B64 };
	static const enum gcn_op save[] = { GCN_S_AND_SAVEEXEC_B64, GCN_S_OR_SAVEEXEC_B64, GCN_S_XOR_SAVEEXEC_B64,
		GCN_S_ANDN2_SAVEEXEC_B64, GCN_S_ORN2_SAVEEXEC_B64, GCN_S_NAND_SAVEEXEC_B64, GCN_S_NOR_SAVEEXEC_B64,
		GCN_S_XNOR_SAVEEXEC_B64, GCN_S_ANDN1_SAVEEXEC_B64, GCN_S_ORN1_SAVEEXEC_B64, GCN_S_ANDN1_WREXEC_B64,
		GCN_S_ANDN2_WREXEC_B64 };
	const unsigned to = rnd(s) % 12 ? mask(s) : EXEC;
	switch (rnd(s) % 8) {
	case 0: op1(c, rnd(s) & 1 ? GCN_S_MOV_B64 : GCN_S_NOT_B64, to, source(s)); break;
	case 1: op1(c, save[rnd(s) % 12], to, source(s)); break;
	default: op2(c, two[rnd(s) % 8], to, source(s), source(s)); break;
	}
}

static void body(struct code *c, uint64_t *s, unsigned depth)
{
	(void)depth;
	for (unsigned k = 0; k < PAIRS; k++)
		if (rnd(s) % 8)
			compare_to(c, 4 + 2 * k, s);
	compare_to(c, VCC, s);
	for (unsigned n = 4 + rnd(s) % 24; n; n--)
		switch (rnd(s) % 6) {
		case 0: compare_to(c, mask(s), s); break;
		case 1: op2(c, GCN_V_ADD_U32, word(s), word(s), word(s)); break;
		case 2: case 3: select_by(c, s); break;
		default: combine(c, s); break;
		}
}

/* VGPRs that are often equal. */
static uint32_t bits(uint64_t *s) { return rnd(s) % 4 ? rnd(s) % 4 : rnd(s); }

static void set_up(struct side *x, uint64_t *s) { fill_side(x, s, VGPRS, bits); }

/* What SCC says of a mask of all lanes decides, where most of them may be off. */
static void decide(struct code *c, uint64_t *s)
{
	op2(c, rnd(s) & 1 ? GCN_S_NAND_B64 : GCN_S_ORN2_B64, 4 + 2 * (rnd(s) % PAIRS), source(s), source(s));
	imm(c, GCN_S_CBRANCH_SCC1, 1);
	op2(c, GCN_V_ADD_U32, V(1), V(1), V(2));
}

static bool one(struct cu_exec_heap *heap, enum cu_level level, uint64_t *s, unsigned *shorter)
{
	static struct code c;
	const struct cu_jit_options o = { .keep_all = rnd(s) & 1, .seed = rnd(s) % 4 ? 0 : rnd(s), .no_registers = rnd(s) % 16 == 0 };
	c.n = 0;
	if (rnd(s) % 3 == 0)
		op1(&c, GCN_S_MOV_B64, EXEC, (unsigned)K(rnd(s) % 64));
	if (rnd(s) & 1) {
		compare_to(&c, VCC, s);
		put_body(&c, s, SAVE, VCC, body);
	} else {
		body(&c, s, 0);
	}
	if (rnd(s) & 1)
		decide(&c, s);
	op1(&c, GCN_S_MOV_B64, EXEC, (unsigned)K(-1));
	put_outputs(&c, VGPRS);
	return program_alike(heap, level, &c, &o, set_up, s, keeps_registers, shorter);
}

int main(int argc, char **argv)
{
	return random_programs(argc, argv, 5, 6000, 20, one, "test_slices", "keep VGPRs in registers");
}
