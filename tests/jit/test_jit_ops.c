/* SPDX-License-Identifier: MIT */
/* Every simple opcode alone, with random operands, modifiers and EXEC, at both
 * levels, with and without vector registers: as the interpreter does it. */
#include "tests/jit/jit_harness.h"

static void at_levels(struct bench_state *b, const struct code *c, const struct cu_jit_options *o, int runs, uint64_t *s,
	const char *name)
{
	for (int level = 3; level <= 4; level++)
		if (has_level((enum cu_level)level))
			EXPECT(compare(b, (enum cu_level)level, c, o, runs, s), "%s", name);
}

/* A product by an SGPR pair, which is in a register from before, in a result that has one
 * VGPR in common with the addend: all registers are in use. */
static void shared_double(struct bench_state *b, uint64_t *s)
{
	static struct code c;
	struct cu_jit_options o = { .keep_all = true };
	op2(&c, GCN_V_CMP_LT_F64, VCC, 10, V(0));
	op2(&c, GCN_V_CMP_LT_F64, VCC, 10, V(2));
	op3(&c, GCN_V_FMA_F64, V(8), V(4), 10, V(7));
	end(&c);
	at_levels(b, &c, &o, 8, s, "v_fma_f64 of a pair in common");
}

/* A register that is read by DPP, as words, and as halves. */
static void moved_half(struct bench_state *b, uint64_t *s)
{
	static struct code c;
	struct cu_jit_options o = { .keep_all = true };
	struct gcn_inst in = inst(GCN_V_SUBREV_F16);
	in.dst = V(4);
	in.src[0] = in.src[1] = V(11);
	in.sub = GCN_SUB_DPP;
	in.dpp_ctrl = 0x84;
	in.row_mask = in.bank_mask = 15;
	in.bound_ctrl = 1;
	put(&c, &in);
	end(&c);
	at_levels(b, &c, &o, 8, s, "v_subrev_f16 of one register");
}

/* Halves of few bits, whose products and sums are often between two halves, or have lost what says to which. */
static void fused_halves(struct bench_state *b, uint64_t *s)
{
	static struct code c;
	struct cu_jit_options o = { .keep_all = true };
	c.n = 0;
	for (unsigned n = 0; n < 3; n++) {
		op2(&c, GCN_V_AND_B32, V(4 + n), 20 + n, V(n));
		op2(&c, GCN_V_AND_B32, V(7 + n), 23 + n, V(n));
	}
	op3(&c, GCN_V_FMA_F16, V(10), V(4), V(5), V(6));
	op3(&c, GCN_V_FMA_F16, V(11), V(4), V(5), V(9));
	op3(&c, GCN_V_FMA_F16, V(12), V(7), V(5), V(3));
	op3(&c, GCN_V_PK_FMA_F16, V(13), V(4), V(8), V(6));
	end(&c);
	at_levels(b, &c, &o, 600, s, "fused halves");
}

/* Powers of two by which numbers become denormals, or no longer are. */
static void exponents(struct bench_state *b, uint64_t *s)
{
	static struct code c;
	struct cu_jit_options o = { .keep_all = true };
	c.n = 0;
	op2(&c, GCN_S_LSHL_B32, 20, K(1), K(8));
	for (unsigned n = 0; n < 4; n++) {
		op3(&c, GCN_V_BFE_U32, V(8), V(n), K(8 * n % 32), K(9));
		op2(&c, GCN_V_SUBREV_U32, V(8), 20, V(8));
		op2(&c, GCN_V_LDEXP_F32, V(9 + n), V(4), V(8));
	}
	op2(&c, GCN_V_LDEXP_F32, V(13), V(5), K(64));
	op1(&c, GCN_V_FREXP_MANT_F32, V(14), V(9));
	op1(&c, GCN_V_FREXP_EXP_I32_F32, V(15), V(9));
	end(&c);
	at_levels(b, &c, &o, 200, s, "exponents");
}

/* A result whose other lanes are in the wave, then a body that loses lanes which have it. */
static void lost_lanes(struct bench_state *b, uint64_t *s)
{
	static struct code c;
	struct cu_jit_options o = { 0 };
	struct gcn_inst out = inst(GCN_EXPORT);
	c.n = 0;
	op1(&c, GCN_S_AND_SAVEEXEC_B64, 30, 20);
	op2(&c, GCN_V_ADD_F32, V(5), V(1), V(2));
	size_t over = c.n;
	imm(&c, GCN_S_CBRANCH_EXECZ, 0);
	op2(&c, GCN_V_MUL_F32, V(6), V(1), V(3));
	op2(&c, GCN_S_AND_B64, GCN_SRC_EXEC, GCN_SRC_EXEC, 22);
	c.dw[over] += (uint32_t)(c.n - over - 1);
	op2(&c, GCN_V_ADD_F32, V(7), V(6), V(1));
	op1(&c, GCN_S_MOV_B64, GCN_SRC_EXEC, 30);
	op2(&c, GCN_V_ADD_F32, V(8), V(5), V(7));
	out.exp_target = 32;
	out.en = 3;
	out.src[0] = V(5);
	out.src[1] = V(8);
	put(&c, &out);
	end(&c);
	at_levels(b, &c, &o, 32, s, "lanes lost in a body");
}

/* Bounds that are constants, of numbers, zeros of both signs and NaNs. */
static void bounds(struct bench_state *b, uint64_t *s)
{
	static const uint16_t bound[] = { GCN_SRC_0, GCN_SRC_1F, GCN_SRC_NEG1F };
	static struct code c;
	struct cu_jit_options o = { .keep_all = true };
	unsigned d = 8;
	c.n = 0;
	lit1(&c, GCN_V_MOV_B32, V(4), 0x80000000u);
	lit1(&c, GCN_V_MOV_B32, V(5), 0x7fc00000u);
	op2(&c, GCN_V_AND_B32, V(6), V(4), V(0));
	op2(&c, GCN_V_OR_B32, V(7), V(5), V(1));
	for (unsigned k = 0; k < sizeof bound / sizeof *bound; k++)
		for (unsigned n = 0; n < 3; n++) {
			const unsigned of = n ? V(5 + n) : V(2);
			op2(&c, GCN_V_MIN_F32, V(d++), bound[k], of);
			op2(&c, GCN_V_MAX_F32, V(d++), bound[k], of);
		}
	end(&c);
	at_levels(b, &c, &o, 8, s, "v_min_f32 and v_max_f32 of a constant");
}

int main(void)
{
	struct bench_state *b = new_bench(0);
	static struct code c;
	uint64_t s = 12345;
	unsigned ops = 0, programs = 0;
	for (int op = 0; op < GCN_OP_COUNT && failures < 8; op++) {
		if (!is_simple((enum gcn_op)op))
			continue;
		ops++;
		for (int k = 0; k < 12 && failures < 8; k++) {
			c.n = 0;
			for (int tries = 0; tries < 60 && !random_inst(&c, (enum gcn_op)op, &s); tries++)
				;
			if (!c.n)
				break;
			/* Before and after: registers that are in use, and NaNs not yet canonical. */
			if (k & 1) {
				static struct code with;
				with.n = 0;
				op2(&with, GCN_V_ADD_F32, V(rnd(&s) % 12), V(rnd(&s) % 12), V(rnd(&s) % 12));
				memcpy(with.dw + with.n, c.dw, c.n * 4);
				with.n += c.n;
				op2(&with, GCN_V_MUL_F32, V(rnd(&s) % 12), V(rnd(&s) % 12), V(rnd(&s) % 12));
				c = with;
			}
			end(&c);
			programs++;
			struct cu_jit_options o = { .keep_all = true, .no_registers = k % 4 == 2 };
			at_levels(b, &c, &o, 3, &s, gcn_op_info((enum gcn_op)op)->name);
		}
	}
	shared_double(b, &s);
	moved_half(b, &s);
	lost_lanes(b, &s);
	exponents(b, &s);
	fused_halves(b, &s);
	bounds(b, &s);
	EXPECT(ops > 400 && programs > 4000, "%u opcodes, %u programs", ops, programs);
	printf("%u opcodes, %u programs\n", ops, programs);
	free_bench(b);
	return finish("test_jit_ops");
}
