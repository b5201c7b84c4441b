/* SPDX-License-Identifier: MIT */
/* Integers of 64 bits in words and choices of the lesser or greater float: what the compiler makes of them, and what is not quite that, gives the interpreter's
 * registers and exports, whatever the translator takes for one operation (core/jit/jit_fused.c). */
#include "tests/jit/jit_harness.h"

enum { NUMBERS = 6, TEMPS = 2 * NUMBERS, LAST = TEMPS + 6, S_NUMBER = 8, S_MASK = 20, S_SAVE = 28, S_EXEC = 30, S_COUNT = 32 };

/* A number: VGPRs, mostly those of a pair; SGPRs; constants. */
struct wide { unsigned word[2]; };

static struct wide number(uint64_t *s)
{
	unsigned n = rnd(s) % NUMBERS;
	switch (rnd(s) % 8) {
	case 0: return (struct wide){ { S_NUMBER + 2 * n % 8, S_NUMBER + 2 * n % 8 + 1 } };
	case 1: return (struct wide){ { K(rnd(s) % 20), K(rnd(s) % 3) } };
	case 2: return (struct wide){ { V(rnd(s) % LAST), rnd(s) & 1 ? K(0) : V(rnd(s) % LAST) } };
	default: return (struct wide){ { V(2 * n), V(2 * n + 1) } };
	}
}
static unsigned result(uint64_t *s) { return rnd(s) % 8 ? V(2 * (rnd(s) % NUMBERS)) : V(rnd(s) % (LAST - 1)); }
static unsigned temp(uint64_t *s) { return rnd(s) % 16 ? V(TEMPS + rnd(s) % (LAST - TEMPS)) : V(rnd(s) % LAST); }
static unsigned mask(uint64_t *s) { return rnd(s) % 4 ? S_MASK + 2 * (rnd(s) % 3) : VCC; }

/* Now and then something that is no part of it. */
static void disturb(struct code *c, uint64_t *s)
{
	if (rnd(s) % 64 == 0)
		op2(c, GCN_V_XOR_B32, temp(s), V(rnd(s) % LAST), V(rnd(s) % LAST));
}
static void swap(uint64_t *s, unsigned *a, unsigned *b)
{
	if (rnd(s) & 1) {
		const unsigned t = *a;
		*a = *b;
		*b = t;
	}
}

/* VOP3, with one SGPR at most: of a second one the first takes the place, which is as good. */
static void vop(struct code *c, enum gcn_op op, unsigned d, unsigned x, unsigned y, unsigned z)
{
	struct gcn_inst in = inst(op);
	const bool carry = op == GCN_V_CNDMASK_B32;
	in.fmt = GCN_VOP3;
	if (op == GCN_V_CMP_LT_U32)
		in.sdst = (uint16_t)d;
	else
		in.dst = (uint16_t)d;
	in.src[0] = (uint16_t)x;
	in.src[1] = (uint16_t)(y < K(0) && x < K(0) ? x : y);
	in.src[2] = (uint16_t)(z < K(0) && !carry && (x < K(0) || y < K(0)) ? in.src[x < K(0) ? 0 : 1] : z);
	put(c, &in);
}

static void add(struct code *c, uint64_t *s)
{
	const struct wide a = number(s), b = number(s);
	const unsigned d = result(s), m = mask(s), t = temp(s);
	unsigned x[3] = { a.word[1], b.word[1], t };
	vop(c, GCN_V_ADD_U32, d, a.word[0], b.word[0], NONE);
	disturb(c, s);
	vop(c, GCN_V_CMP_LT_U32, m, d, rnd(s) & 1 ? b.word[0] : a.word[0], NONE);
	vop(c, GCN_V_CNDMASK_B32, t, K(0), K(rnd(s) % 16 != 0), m);
	disturb(c, s);
	swap(s, &x[0], &x[1]);
	swap(s, &x[1], &x[2]);
	if (rnd(s) % 4 == 0)
		vop(c, GCN_V_ADD_U32, d + 1, x[1], x[2], NONE);
	else
		vop(c, GCN_V_ADD3_U32, d + 1, x[0], x[1], x[2]);
}

static void sub_words(struct code *c, uint64_t *s, unsigned d, unsigned a, unsigned b)
{
	if (rnd(s) & 1)
		vop(c, GCN_V_SUBREV_U32, d, b, a, NONE);
	else
		vop(c, GCN_V_SUB_U32, d, a, b, NONE);
}
static void sub(struct code *c, uint64_t *s)
{
	const struct wide a = number(s), b = number(s);
	const unsigned d = result(s), m = mask(s), t = temp(s), rest = temp(s);
	sub_words(c, s, d, a.word[0], b.word[0]);
	vop(c, GCN_V_CMP_LT_U32, m, a.word[0], b.word[0], NONE);
	vop(c, GCN_V_CNDMASK_B32, t, K(0), K(1), m);
	disturb(c, s);
	if (rnd(s) & 1) {
		sub_words(c, s, d + 1, a.word[1], t);
		return;
	}
	sub_words(c, s, rest, a.word[1], b.word[1]);
	sub_words(c, s, d + 1, rest, t);
}

static void mul(struct code *c, uint64_t *s)
{
	const struct wide a = number(s), b = number(s);
	const unsigned d = result(s), t = temp(s), p = temp(s), q = temp(s);
	unsigned x[3] = { t, p, q };
	unsigned lo[2] = { a.word[0], b.word[0] };
	vop(c, GCN_V_MUL_HI_U32, t, a.word[0], b.word[0], NONE);
	swap(s, &lo[0], &lo[1]);
	vop(c, GCN_V_MUL_LO_U32, d, lo[0], lo[1], NONE);
	disturb(c, s);
	vop(c, GCN_V_MUL_LO_U32, p, a.word[0], b.word[1], NONE);
	if (rnd(s) % 3 == 0) {
		vop(c, GCN_V_ADD_U32, d + 1, p, t, NONE);
		return;
	}
	vop(c, GCN_V_MUL_LO_U32, q, a.word[1], b.word[0], NONE);
	swap(s, &x[0], &x[2]);
	swap(s, &x[0], &x[1]);
	vop(c, GCN_V_ADD3_U32, d + 1, x[0], x[1], x[2]);
}

static void halves(struct code *c, uint64_t *s)
{
	static const enum gcn_op ops[] = { GCN_V_AND_B32, GCN_V_OR_B32, GCN_V_XOR_B32 };
	const struct wide a = number(s), b = number(s);
	const unsigned d = result(s), op = rnd(s) % 4;
	for (unsigned k = 0; k < 2; k++) {
		unsigned x[2] = { a.word[k], b.word[k] };
		swap(s, &x[0], &x[1]);
		if (op == 3)
			op1(c, GCN_V_MOV_B32, d + k, a.word[k]);
		else
			vop(c, ops[op], d + k, x[0], x[1], NONE);
	}
}

static void shift(struct code *c, uint64_t *s)
{
	static const enum gcn_op ops[] = { GCN_V_LSHLREV_B64, GCN_V_LSHRREV_B64, GCN_V_ASHRREV_I64 };
	const unsigned from = rnd(s) % 8 ? V(2 * (rnd(s) % NUMBERS)) : V(rnd(s) % (LAST - 1));
	op2(c, ops[rnd(s) % 3], result(s), rnd(s) % 4 ? K(rnd(s) % 64) : V(rnd(s) % LAST), from);
}

/* What a float is read as: a VGPR or constant, with signs. */
struct number { unsigned from; bool neg, abs; };
static struct number any_float(uint64_t *s)
{
	const unsigned from = rnd(s) % 8 ? V(rnd(s) % LAST) : rnd(s) & 1 ? K(0) : K(rnd(s) % 20);
	return (struct number){ from, rnd(s) % 4 == 0, rnd(s) % 4 == 0 };
}
static void two_floats(struct code *c, struct gcn_inst in, unsigned mask, struct number x, struct number y)
{
	in.fmt = GCN_VOP3;
	in.src[0] = (uint16_t)x.from;
	in.src[1] = (uint16_t)y.from;
	in.src[2] = (uint16_t)mask;
	in.neg = (uint8_t)(x.neg | y.neg << 1);
	in.abs = (uint8_t)(x.abs | y.abs << 1);
	put(c, &in);
}

/* The one of two that is less or greater, mostly. */
static void choice(struct code *c, uint64_t *s)
{
	static const enum gcn_op compares[] = { GCN_V_CMP_LT_F32, GCN_V_CMP_GT_F32, GCN_V_CMP_LT_F32, GCN_V_CMP_GT_F32, GCN_V_CMP_LE_F32 };
	struct number x[2] = { any_float(s), any_float(s) };
	const unsigned m = mask(s);
	struct gcn_inst compare = inst(compares[rnd(s) % 5]), choose = inst(GCN_V_CNDMASK_B32);
	compare.sdst = (uint16_t)m;
	two_floats(c, compare, NONE, x[0], x[1]);
	disturb(c, s);
	if (rnd(s) % 16 == 0)
		x[rnd(s) & 1] = any_float(s);
	if (rnd(s) % 16 == 0)
		x[rnd(s) & 1].neg ^= true;
	if (rnd(s) % 16 == 0)
		x[rnd(s) & 1].abs ^= true;
	choose.dst = (uint16_t)result(s);
	const unsigned first = rnd(s) & 1;
	two_floats(c, choose, rnd(s) % 16 ? m : mask(s), x[first], x[!first]);
}

static void step(struct code *c, uint64_t *s)
{
	switch (rnd(s) % 15) {
	case 13: op2(c, GCN_V_MUL_F32, result(s), V(rnd(s) % LAST), V(rnd(s) % LAST)); break;
	case 14: op2(c, GCN_V_ADD_F32, result(s), V(rnd(s) % LAST), V(rnd(s) % LAST)); break;
	case 10: case 11: case 12: choice(c, s); break;
	case 0: case 1: add(c, s); break;
	case 2: sub(c, s); break;
	case 3: case 4: mul(c, s); break;
	case 5: case 6: halves(c, s); break;
	case 7: op2(c, GCN_V_ADD_F64, result(s), V(2 * (rnd(s) % NUMBERS)), V(2 * (rnd(s) % NUMBERS))); break;
	default: shift(c, s); break;
	}
}

static void block(struct code *c, uint64_t *s, unsigned depth)
{
	for (unsigned n = 2 + rnd(s) % 10; n; n--) {
		const unsigned what = depth ? rnd(s) % 16 : 15;
		if (what == 0) {
			put_body(c, s, S_SAVE, S_EXEC, block);
		} else if (what == 1) {
			put_turns(c, s, S_COUNT, block);
		} else if (what == 2) { /* somebody reads a carry after all */
			vop(c, GCN_V_CNDMASK_B32, temp(s), K(1), K(2), mask(s));
		} else if (what == 3) {
			op1(c, GCN_S_MOV_B64, S_NUMBER + 2 * (rnd(s) % 4), rnd(s) & 1 ? (unsigned)S_MASK : (unsigned)K(7));
		} else {
			step(c, s);
		}
	}
}

static void set_up(struct side *x, uint64_t *s)
{
	cu_wave_init(&x->w, any_exec(s), &x->e);
	memset(&x->e, 0, sizeof x->e);
	memset(x->w.vgpr, 0, sizeof x->w.vgpr);
	for (unsigned v = 0; v < LAST; v++)
		for (unsigned l = 0; l < CU_LANES; l++)
			x->w.vgpr[v][l] = any_bits(s);
	for (unsigned k = 0; k < 40; k++)
		x->w.sgpr[k] = any_bits(s);
	x->w.budget = 5000;
}

static bool has_loose_masks(const struct cu_program *p, const struct cu_jit_options *o, const struct cu_jit_image *code)
{
	(void)p;
	(void)o;
	return code->loose[0] >> S_MASK & 63;
}

static bool one(struct cu_exec_heap *heap, enum cu_level level, uint64_t *s, unsigned *loose)
{
	static struct code c;
	const struct cu_jit_options o = { .keep_all = rnd(s) & 1, .seed = rnd(s) % 4 ? 0 : rnd(s), .no_registers = rnd(s) % 8 == 0 };
	c.n = 0;
	block(&c, s, 1);
	put_outputs(&c, TEMPS);
	return program_alike(heap, level, &c, &o, set_up, s, has_loose_masks, loose);
}

int main(int argc, char **argv)
{
	return random_programs(argc, argv, 7, 6000, 20, one, "test_fused", "have carries that nobody wants");
}
