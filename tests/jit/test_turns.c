/* SPDX-License-Identifier: MIT */
/* Loops of doubles, of integers of 64 bits and of halves: whatever the translator keeps registers as from one turn to the
 * next, words that only look like one of them come out as the interpreter leaves them. */
#include "tests/jit/jit_harness.h"

enum { VGPRS = 24, S_COUNT = 20 };
static unsigned vgprs; /* of this program: some, or more than there are registers */

static unsigned word(uint64_t *s) { return V(rnd(s) % vgprs); }
static unsigned pair(uint64_t *s) { return V(rnd(s) % 8 ? 2 * (rnd(s) % (vgprs / 2)) : rnd(s) % (vgprs - 1)); }
static unsigned half(uint64_t *s) { return rnd(s) % 4 ? word(s) : rnd(s) & 1 ? (unsigned)K(rnd(s) % 9) : 2 * (rnd(s) % 8); }

static void put_word(struct code *c, uint64_t *s)
{
	static const enum gcn_op two[] = { GCN_V_ADD_U32, GCN_V_XOR_B32, GCN_V_MUL_F32, GCN_V_MAX_F32, GCN_V_LSHRREV_B32 };
	if (rnd(s) % 4 == 0)
		op1(c, GCN_V_MOV_B32, word(s), rnd(s) & 1 ? word(s) : (unsigned)K(rnd(s) % 20));
	else
		op2(c, two[rnd(s) % 5], word(s), word(s), word(s));
}

static void put_half(struct code *c, uint64_t *s)
{
	static const enum gcn_op two[] = { GCN_V_ADD_F16, GCN_V_MUL_F16, GCN_V_SUB_F16, GCN_V_MAX_F16 };
	switch (rnd(s) % 8) {
	case 0: op1(c, GCN_V_CVT_F16_F32, word(s), word(s)); break;
	case 1: op1(c, GCN_V_CVT_F32_F16, word(s), word(s)); break;
	case 2: op3(c, GCN_V_FMA_F16, word(s), word(s), word(s), half(s)); break;
	case 3: put_word(c, s); break;
	default: op2(c, two[rnd(s) % 4], word(s), half(s), word(s)); break;
	}
}

static void put_pair(struct code *c, uint64_t *s)
{
	static const enum gcn_op two[] = { GCN_V_ADD_F64, GCN_V_MUL_F64, GCN_V_MAX_F64 };
	static const enum gcn_op shifts[] = { GCN_V_LSHLREV_B64, GCN_V_LSHRREV_B64 };
	switch (rnd(s) % 6) {
	case 0: op3(c, GCN_V_FMA_F64, pair(s), pair(s), pair(s), pair(s)); break;
	case 1: op2(c, shifts[rnd(s) % 2], pair(s), K(rnd(s) % 40), pair(s)); break;
	case 2: op1(c, GCN_V_CVT_F64_F32, pair(s), word(s)); break;
	default: op2(c, two[rnd(s) % 3], pair(s), pair(s), pair(s)); break;
	}
}

/* Mostly of one kind. */
static void body(struct code *c, uint64_t *s, unsigned depth)
{
	const unsigned kind = vgprs > 8 && rnd(s) & 1 ? 0 : rnd(s) % 3;
	(void)depth;
	for (unsigned n = 1 + rnd(s) % (vgprs > 8 ? 48 : 6); n; n--) {
		const unsigned k = rnd(s) % 4 ? kind : rnd(s) % 3;
		(k == 0 ? put_half : k == 1 ? put_pair : put_word)(c, s);
	}
}

/* Numbers near each other, so that few are lost in sums; NaNs and what makes them; anything. */
static uint32_t bits(uint64_t *s)
{
	static const uint32_t special[] = { 0x7ff00000, 0xfff00000, 0x7ff80000, 0xfff80001, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0xffff7c01 };
	switch (rnd(s) % 4) {
	case 0: return special[rnd(s) % 9];
	case 1: return 0x3c000000 | (rnd(s) & 0x83ff83ff);
	case 2: return 0x3ff00000 | (rnd(s) & 0x800fffff);
	default: return any_bits(s);
	}
}

static void set_up(struct side *x, uint64_t *s) { fill_side(x, s, VGPRS, bits); }

static bool one(struct cu_exec_heap *heap, enum cu_level level, uint64_t *s, unsigned *shorter)
{
	static struct code c;
	const struct cu_jit_options o = { .keep_all = rnd(s) & 1, .seed = rnd(s) % 4 ? 0 : rnd(s), .no_registers = rnd(s) % 16 == 0 };
	c.n = 0;
	vgprs = rnd(s) & 1 ? 8 : VGPRS;
	if (rnd(s) & 1)
		body(&c, s, 0);
	put_turns(&c, s, S_COUNT, body);
	if (rnd(s) & 1)
		body(&c, s, 0);
	put_outputs(&c, VGPRS);
	return program_alike(heap, level, &c, &o, set_up, s, keeps_registers, shorter);
}

int main(int argc, char **argv)
{
	return random_programs(argc, argv, 3, 8000, 20, one, "test_turns", "keep VGPRs in registers");
}
