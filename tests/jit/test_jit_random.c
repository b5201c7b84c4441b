/* SPDX-License-Identifier: MIT */
/* Random programs with control flow on random waves: interpreter and translation
 * must leave the same state.  --seconds N: that long; --from S: seeds
 * from S on; --seed S: that one. */
#include "tests/jit/jit_harness.h"
#include <time.h>

struct gen {
	struct code c;
	uint64_t s;
	enum gcn_op ops[GCN_OP_COUNT], common[GCN_OP_COUNT], forms[GCN_OP_COUNT];
	unsigned op_count, common_count, form_count;
	bool forms_often;
	unsigned depth;
};

static void list_ops(struct gen *g)
{
	for (int op = 0; op < GCN_OP_COUNT; op++) {
		const struct gcn_op_info *info = gcn_op_info((enum gcn_op)op);
		if (!is_simple((enum gcn_op)op))
			continue;
		g->ops[g->op_count++] = (enum gcn_op)op;
		/* What registers hold otherwise than as words, and constants. */
		if (info->fmt >= GCN_VOP2 && info->fmt <= GCN_VOP3
			&& (strstr(info->name, "_f64") || strstr(info->name, "_f16") || op == GCN_V_MOV_B32))
			g->forms[g->form_count++] = (enum gcn_op)op;
		/* 32-bit vector opcodes without a handler's rarities come more often. */
		if ((info->fmt == GCN_VOP2 || info->fmt == GCN_VOP1 || info->fmt == GCN_VOP3)
			&& info->dst_dw == 1 && info->src_dw[0] == 1 && !strstr(info->name, "16"))
			g->common[g->common_count++] = (enum gcn_op)op;
	}
}

static void lane_number(struct gen *g, unsigned v)
{
	op3(&g->c, GCN_V_MBCNT_LO_U32_B32, V(v), K(-1), K(0), NONE);
	op3(&g->c, GCN_V_MBCNT_HI_U32_B32, V(v), K(-1), V(v), NONE);
}

/* v26, v27: the data's address + v`index`, in some lanes an aperture's. */
static void address(struct gen *g, unsigned index, bool apertures)
{
	if (rnd(&g->s) & 1) { /* lanes in a row */
		lane_number(g, index);
		op2(&g->c, GCN_V_LSHLREV_B32, V(index), K(2), V(index));
	}
	op2(&g->c, GCN_V_ADD_CO_U32, V(26), SGPR_DATA, V(index));
	op1(&g->c, GCN_V_MOV_B32, V(27), SGPR_DATA + 1);
	op3(&g->c, GCN_V_ADDC_CO_U32, V(27), K(0), V(27), VCC);
	if (rnd(&g->s) % 4 == 0) /* near the end of the first half */
		op2(&g->c, GCN_V_ADD_U32, V(26), SGPR_NEAR, V(26));
	if (apertures && rnd(&g->s) & 1) {
		op2(&g->c, GCN_V_CMP_LT_U32, VCC, K((int)(rnd(&g->s) % 64)), V(rnd(&g->s) % 12));
		op3(&g->c, GCN_V_CNDMASK_B32, V(26), V(26), V(index), VCC);
		op1(&g->c, GCN_V_MOV_B32, V(28), K(1 + (int)(rnd(&g->s) & 1)));
		op2(&g->c, GCN_V_LSHLREV_B32, V(28), K(16), V(28));
		op3(&g->c, GCN_V_CNDMASK_B32, V(27), V(27), V(28), VCC);
	}
}

/* GLOBAL or FLAT. */
static struct gcn_inst address_access(struct gen *g, unsigned index, unsigned data)
{
	static const enum gcn_op ops[][2] = { { GCN_GLOBAL_LOAD_DWORD, GCN_FLAT_LOAD_DWORD },
		{ GCN_GLOBAL_STORE_DWORD, GCN_FLAT_STORE_DWORD }, { GCN_GLOBAL_LOAD_DWORDX2, GCN_FLAT_LOAD_DWORDX2 },
		{ GCN_GLOBAL_LOAD_DWORDX4, GCN_FLAT_LOAD_DWORDX4 }, { GCN_GLOBAL_STORE_DWORDX3, GCN_FLAT_STORE_DWORDX3 },
		{ GCN_GLOBAL_STORE_DWORDX4, GCN_FLAT_STORE_DWORDX2 },
		{ GCN_GLOBAL_LOAD_DWORDX3, GCN_FLAT_LOAD_DWORDX3 }, { GCN_GLOBAL_ATOMIC_ADD, GCN_FLAT_ATOMIC_ADD },
		{ GCN_GLOBAL_LOAD_UBYTE, GCN_FLAT_LOAD_UBYTE } };
	bool flat = rnd(&g->s) % 3 == 0, pair = !flat && rnd(&g->s) & 1;
	struct gcn_inst in = inst(ops[rnd(&g->s) % (sizeof ops / sizeof *ops)][flat]);
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in.op);
	if (!pair)
		address(g, index, flat);
	in.src[0] = pair ? V(index) : V(26);
	in.src[1] = info->src_dw[1] ? V(data) : NONE;
	in.src[2] = pair ? SGPR_DATA : NONE;
	in.dst = info->flags & GCN_F_LOAD ? V(rnd(&g->s) % 8 ? data : rnd(&g->s) & 1 ? 24 : 26) : NONE;
	in.offset = (int32_t)(rnd(&g->s) % 512);
	if (!flat && rnd(&g->s) % 16 == 0)
		in.offset = -(int32_t)(rnd(&g->s) % 64);
	return in;
}

/* Dwords of scratch, LDS, buffers and addresses; mostly in range. */
static void some_dwords(struct gen *g)
{
	static const enum gcn_op scratch[] = { GCN_SCRATCH_LOAD_DWORD, GCN_SCRATCH_STORE_DWORD,
		GCN_SCRATCH_LOAD_DWORDX2, GCN_SCRATCH_STORE_DWORDX3, GCN_SCRATCH_LOAD_DWORDX4,
		GCN_SCRATCH_STORE_DWORDX2 };
	static const enum gcn_op lds[] = { GCN_DS_READ_B32, GCN_DS_WRITE_B32, GCN_DS_READ_B64, GCN_DS_READ_B128,
		GCN_DS_READ2_B32, GCN_DS_WRITE_B64, GCN_DS_WRITE_B96, GCN_DS_WRITE_B128, GCN_DS_READ_B96, GCN_DS_ADD_RTN_U32 };
	static const enum gcn_op buffer[] = { GCN_BUFFER_LOAD_DWORD, GCN_BUFFER_STORE_DWORD,
		GCN_BUFFER_LOAD_DWORDX2, GCN_BUFFER_LOAD_DWORDX4, GCN_BUFFER_STORE_DWORDX4, GCN_BUFFER_LOAD_DWORDX3,
		GCN_BUFFER_STORE_DWORDX2, GCN_BUFFER_STORE_DWORDX3,
		GCN_BUFFER_LOAD_UBYTE, GCN_BUFFER_LOAD_SBYTE, GCN_BUFFER_LOAD_USHORT, GCN_BUFFER_LOAD_SSHORT };
	struct gcn_inst in;
	unsigned kind = rnd(&g->s) % 4, index = 24 + rnd(&g->s) % 2, data = rnd(&g->s) % 12;
	bool row = rnd(&g->s) % 4 == 0;
	if (row)
		lane_number(g, index);
	else
		op2(&g->c, GCN_V_AND_B32, V(index), K((int)(rnd(&g->s) & 63)), V(rnd(&g->s) % 12));
	if (rnd(&g->s) & 1 || row)
		op2(&g->c, GCN_V_LSHLREV_B32, V(index), K(2), V(index));
	if (kind == 0) {
		in = inst(scratch[rnd(&g->s) % 6]);
		bool store = !strstr(gcn_op_info((enum gcn_op)in.op)->name, "load");
		unsigned form = rnd(&g->s) & 1;
		unsigned saddr = SGPR_FREE + 24;
		if (form == 0)
			op1(&g->c, GCN_S_MOV_B32, saddr, K((int)(rnd(&g->s) % 65)));
		in.src[0] = form == 1 ? V(index) : NONE;
		in.src[2] = form == 0 ? (uint16_t)saddr : NONE;
		in.offset = rnd(&g->s) % 64 == 0 ? 4095 : (int32_t)(rnd(&g->s) % 400);
		*(store ? &in.src[1] : &in.dst) = V(data);
	} else if (kind == 1) {
		in = inst(lds[rnd(&g->s) % (sizeof lds / sizeof *lds)]);
		const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in.op);
		in.src[0] = rnd(&g->s) % 8 ? V(index) : V(rnd(&g->s) % 12);
		in.src[1] = info->src_dw[1] ? V(data) : NONE;
		in.dst = info->dst_dw ? V(data) : NONE;
		in.offset = (int32_t)(rnd(&g->s) % 8 ? rnd(&g->s) & 0xff : rnd(&g->s) & 0xffff);
	} else if (kind == 2) {
		in = address_access(g, index, data);
	} else {
		in = inst(buffer[rnd(&g->s) % (sizeof buffer / sizeof *buffer)]);
		in.dst = V(data);
		in.src[0] = V(rnd(&g->s) % 8 ? index : rnd(&g->s) % 12);
		in.src[1] = rnd(&g->s) & 1 ? SGPR_BUFFER : SGPR_RECORDS;
		in.src[2] = K((int)(rnd(&g->s) % 3) * 4 + (int)(rnd(&g->s) % 8 == 0));
		in.offen = rnd(&g->s) & 1;
		in.idxen = rnd(&g->s) & 1;
		in.offset = (int32_t)(rnd(&g->s) % 64);
		if (!in.offen && !in.idxen)
			in.src[0] = NONE;
		if (in.offen && in.idxen)
			in.src[0] = V(24);
	}
	const char *why;
	struct gcn_inst back;
	unsigned size = gcn_encode(GCN_GFX9, &in, g->c.dw + g->c.n, &why);
	if (size && gcn_decode(GCN_GFX9, g->c.dw + g->c.n, size, &back))
		g->c.n += size;
	else
		EXPECT(false, "%s: %s", gcn_op_info((enum gcn_op)in.op)->name, why);
}

static void some_memory(struct gen *g)
{
	struct gcn_inst in;
	switch (rnd(&g->s) % 6) {
	case 0:
		in = inst(GCN_S_LOAD_DWORDX4);
		in.dst = (uint16_t)(4 * (rnd(&g->s) % 4));
		in.src[0] = SGPR_DATA;
		in.offset = (int32_t)(rnd(&g->s) % 4096);
		break;
	case 1:
		in = inst(rnd(&g->s) & 1 ? GCN_S_BUFFER_LOAD_DWORDX2 : GCN_S_BUFFER_LOAD_DWORDX8);
		in.dst = (uint16_t)(8 * (rnd(&g->s) % 2));
		in.src[0] = SGPR_BUFFER;
		in.offset = (int32_t)(rnd(&g->s) % 512);
		break;
	case 2:
		in = inst(rnd(&g->s) & 1 ? GCN_BUFFER_LOAD_DWORD : GCN_BUFFER_LOAD_DWORDX3);
		in.dst = V(rnd(&g->s) % 12);
		in.src[0] = V(rnd(&g->s) % 12);
		in.src[1] = SGPR_BUFFER;
		in.src[2] = K(0);
		in.offen = 1;
		in.offset = (int32_t)(rnd(&g->s) % 64);
		break;
	case 3:
		in = inst(rnd(&g->s) & 1 ? GCN_V_INTERP_P1_F32 : GCN_V_INTERP_P2_F32);
		in.dst = V(rnd(&g->s) % 12);
		in.src[0] = V(rnd(&g->s) % 12);
		in.attr = rnd(&g->s) % 4;
		in.attrchan = rnd(&g->s) & 3;
		break;
	case 4:
		in = inst(GCN_V_INTERP_MOV_F32);
		in.dst = V(rnd(&g->s) % 12);
		in.src[0] = rnd(&g->s) % 3;
		in.attr = rnd(&g->s) % 4;
		in.attrchan = rnd(&g->s) & 3;
		break;
	default:
		in = inst(GCN_EXPORT);
		in.exp_target = rnd(&g->s) % 4;
		in.en = rnd(&g->s) & 15;
		for (int i = 0; i < 4; i++)
			in.src[i] = in.en >> i & 1 ? V(rnd(&g->s) % 12) : NONE;
		in.vm = rnd(&g->s) & 1;
	}
	put(&g->c, &in);
}

static void straight(struct gen *g, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned r = rnd(&g->s) % 16;
		if (r == 0 && rnd(&g->s) & 1)
			some_dwords(g);
		else if (r == 0)
			some_memory(g);
		else if (r < 13 && g->forms_often)
			random_inst(&g->c, g->forms[rnd(&g->s) % g->form_count], &g->s);
		else if (r < 6)
			random_inst(&g->c, g->ops[rnd(&g->s) % g->op_count], &g->s);
		else
			random_inst(&g->c, g->common[rnd(&g->s) % g->common_count], &g->s);
	}
}

static size_t branch(struct gen *g, enum gcn_op op)
{
	imm(&g->c, op, 0);
	return g->c.n - 1;
}

static void block(struct gen *g);

static void divergent_if(struct gen *g)
{
	unsigned save = SGPR_FREE + 2 * g->depth;
	static const enum gcn_op narrow[] = { GCN_S_AND_SAVEEXEC_B64, GCN_S_ANDN2_SAVEEXEC_B64,
		GCN_S_XOR_SAVEEXEC_B64, GCN_S_OR_SAVEEXEC_B64, GCN_S_ANDN1_SAVEEXEC_B64 };
	op2(&g->c, GCN_V_CMP_GT_F32, VCC, V(rnd(&g->s) % 12), V(rnd(&g->s) % 12));
	op1(&g->c, narrow[rnd(&g->s) % 5], save, VCC);
	size_t over = rnd(&g->s) & 3 ? branch(g, GCN_S_CBRANCH_EXECZ) : 0;
	block(g);
	if (over)
		patch(&g->c, over);
	if (rnd(&g->s) & 1) {
		op2(&g->c, GCN_S_ANDN2_B64, EXEC, save, EXEC);
		size_t other = branch(g, GCN_S_CBRANCH_EXECZ);
		block(g);
		patch(&g->c, other);
	}
	if (rnd(&g->s) & 1)
		op1(&g->c, GCN_S_MOV_B64, EXEC, save);
	else
		op2(&g->c, GCN_S_OR_B64, EXEC, EXEC, save);
}

static void uniform_loop(struct gen *g)
{
	unsigned counter = SGPR_FREE + 16 + g->depth;
	op1(&g->c, GCN_S_MOV_B32, counter, K((int)(1 + rnd(&g->s) % 5)));
	size_t top = g->c.n;
	block(g);
	op2(&g->c, GCN_S_SUB_U32, counter, counter, K(1));
	op2(&g->c, GCN_S_CMP_LG_U32, NONE, counter, K(0));
	imm(&g->c, GCN_S_CBRANCH_SCC1, (int32_t)top - (int32_t)g->c.n - 1);
}

/* Divergent ifs, nested, of instructions that strips can do, with masks that are
 * merged behind them as compilers do it. */
static void easy_if(struct gen *g, unsigned depth)
{
	static const enum gcn_op vector[] = { GCN_V_FMA_F32, GCN_V_ADD_F32, GCN_V_MUL_F32, GCN_V_MAX_F32,
		GCN_V_ADD_U32, GCN_V_XOR_B32, GCN_V_MOV_B32, GCN_V_CNDMASK_B32, GCN_V_CMP_LT_F32,
		GCN_V_CMP_GT_U32, GCN_V_LSHLREV_B32, GCN_V_RCP_F32, GCN_V_MED3_F32, GCN_V_CMPX_LT_F32 };
	static const enum gcn_op narrow[] = { GCN_S_AND_SAVEEXEC_B64, GCN_S_AND_SAVEEXEC_B64,
		GCN_S_ANDN1_SAVEEXEC_B64, GCN_S_ANDN2_SAVEEXEC_B64 };
	unsigned save = SGPR_FREE + 8 + 2 * depth, phi = 20, temp = 22;
	for (unsigned i = rnd(&g->s) % 4; i > 0; i--)
		random_inst(&g->c, vector[rnd(&g->s) % 13], &g->s);
	op2(&g->c, GCN_V_CMP_GT_F32, VCC, V(rnd(&g->s) % 12), V(rnd(&g->s) % 12));
	op1(&g->c, narrow[rnd(&g->s) % 4], save, VCC);
	for (unsigned turn = 0; turn < 2; turn++) {
		size_t over = branch(g, GCN_S_CBRANCH_EXECZ);
		for (unsigned i = 1 + rnd(&g->s) % 8; i > 0; i--) {
			unsigned kind = rnd(&g->s) % 16;
			if (kind == 0 && depth < 3)
				easy_if(g, depth + 1);
			else if (kind == 1)
				some_dwords(g);
			else if (kind == 2)
				op2(&g->c, GCN_S_ADD_U32, rnd(&g->s) % 16, rnd(&g->s) % 16, K(3));
			else
				random_inst(&g->c, vector[rnd(&g->s) % 14], &g->s);
		}
		if (rnd(&g->s) & 1) {
			op2(&g->c, GCN_S_ANDN2_B64, phi, phi, rnd(&g->s) % 4 ? EXEC : 2 * (rnd(&g->s) % 8));
			op2(&g->c, GCN_S_AND_B64, temp, 2 * (rnd(&g->s) % 8), EXEC);
			op2(&g->c, GCN_S_OR_B64, phi, phi, temp);
		}
		patch(&g->c, over);
		if (turn == 0 && rnd(&g->s) & 1)
			break;
		if (turn == 0)
			op2(&g->c, GCN_S_ANDN2_B64, EXEC, save, EXEC);
	}
	op1(&g->c, GCN_S_MOV_B64, EXEC, save);
	for (unsigned i = rnd(&g->s) % 4; i > 0; i--)
		random_inst(&g->c, vector[rnd(&g->s) % 13], &g->s);
}

/* A block that branches to itself, of instructions that strips can do. */
static void tight_loop(struct gen *g)
{
	static const enum gcn_op vector[] = { GCN_V_FMA_F32, GCN_V_ADD_F32, GCN_V_MUL_F32, GCN_V_MAX_F32,
		GCN_V_ADD_U32, GCN_V_XOR_B32, GCN_V_MOV_B32, GCN_V_CNDMASK_B32, GCN_V_CMP_LT_F32,
		GCN_V_CMP_GT_U32, GCN_V_LSHLREV_B32, GCN_V_RCP_F32, GCN_V_MED3_F32, GCN_V_AND_B32 };
	static const enum gcn_op scalar[] = { GCN_S_ADD_U32, GCN_S_MUL_I32, GCN_S_LSHL_B32, GCN_S_MOV_B32,
		GCN_S_CSELECT_B32, GCN_S_XOR_B32, GCN_S_AND_B64, GCN_S_CMP_LT_I32 };
	unsigned counter = SGPR_FREE + 16 + g->depth, turns = 1 + rnd(&g->s) % 6;
	op1(&g->c, GCN_S_MOV_B32, counter, K((int)turns));
	size_t top = g->c.n;
	for (unsigned i = 1 + rnd(&g->s) % 24; i > 0; i--) {
		if (g->forms_often && rnd(&g->s) % 4) /* pairs and halves from one turn to the next */
			random_inst(&g->c, g->forms[rnd(&g->s) % g->form_count], &g->s);
		else
			random_inst(&g->c, rnd(&g->s) % 4 ? vector[rnd(&g->s) % 14] : scalar[rnd(&g->s) % 8], &g->s);
	}
	op2(&g->c, GCN_S_SUB_U32, counter, counter, K(1));
	bool ones = rnd(&g->s) & 1;
	op2(&g->c, ones ? GCN_S_CMP_LG_U32 : GCN_S_CMP_EQ_U32, NONE, counter, K(0));
	imm(&g->c, ones ? GCN_S_CBRANCH_SCC1 : GCN_S_CBRANCH_SCC0, (int32_t)top - (int32_t)g->c.n - 1);
}

/* Lanes leave one by one: vN counts down, EXEC narrows. */
static void divergent_loop(struct gen *g)
{
	unsigned save = SGPR_FREE + 2 * g->depth, v = 20 + g->depth;
	op2(&g->c, GCN_V_AND_B32, V(v), K(3), V(rnd(&g->s) % 12));
	op1(&g->c, GCN_S_MOV_B64, save, EXEC);
	size_t top = g->c.n;
	block(g);
	op2(&g->c, GCN_V_CMP_LT_U32, VCC, K(0), V(v));
	op2(&g->c, GCN_V_SUBREV_U32, V(v), K(1), V(v));
	op2(&g->c, GCN_S_AND_B64, EXEC, EXEC, VCC);
	imm(&g->c, GCN_S_CBRANCH_EXECNZ, (int32_t)top - (int32_t)g->c.n - 1);
	op1(&g->c, GCN_S_MOV_B64, EXEC, save);
}

static void block(struct gen *g)
{
	static const enum gcn_op conditions[] = { GCN_S_CBRANCH_SCC0, GCN_S_CBRANCH_SCC1,
		GCN_S_CBRANCH_VCCZ, GCN_S_CBRANCH_VCCNZ, GCN_S_CBRANCH_EXECZ, GCN_S_CBRANCH_EXECNZ };
	unsigned n = 1 + rnd(&g->s) % (g->depth ? 12 : 40);
	straight(g, n);
	g->depth++;
	for (unsigned k = 0; k < 2 && g->depth < 4; k++) {
		unsigned r = rnd(&g->s) % 10;
		if (r >= 8) {
			easy_if(g, 0);
		} else if (r >= 6) {
			tight_loop(g);
		} else if (r == 0) {
			divergent_if(g);
		} else if (r == 1) {
			uniform_loop(g);
		} else if (r == 2) {
			divergent_loop(g);
		} else if (r == 3) {
			size_t over = branch(g, conditions[rnd(&g->s) % 6]);
			block(g);
			patch(&g->c, over);
		}
		straight(g, rnd(&g->s) % 8);
	}
	g->depth--;
}

static bool one(struct gen *g, struct bench_state *b, uint64_t seed)
{
	g->s = seed * 0x9e3779b97f4a7c15; /* small ones would begin alike */
	g->c.n = 0;
	g->depth = 0;
	g->forms_often = rnd(&g->s) % 4 == 0;
	block(g);
	for (unsigned i = 0; i < 12; i++) { /* what counts without keep_all */
		struct gcn_inst in = inst(GCN_EXPORT);
		in.exp_target = (uint8_t)(32 + i);
		in.en = 1;
		in.src[0] = V(i);
		put(&g->c, &in);
	}
	end(&g->c);
	bool ok = true;
	for (int level = 3; level <= 4; level++) {
		struct cu_jit_options o = { .keep_all = rnd(&g->s) & 1, .no_registers = rnd(&g->s) % 8 == 0,
			.seed = rnd(&g->s) & 3 ? 0 : rnd(&g->s) };
		uint8_t off[GCN_OP_COUNT / 8 + 1];
		for (size_t i = 0; i < sizeof(off); i++)
			off[i] = (uint8_t)(rnd(&g->s) & rnd(&g->s) & rnd(&g->s));
		if (rnd(&g->s) % 4 == 0)
			o.disabled = off;
		if (has_level((enum cu_level)level))
			ok &= compare(b, (enum cu_level)level, &g->c, &o, 3, &g->s);
	}
	return ok;
}

int main(int argc, char **argv)
{
	static struct gen g;
	double seconds = 5;
	uint64_t seed = 1, only = 0;
	for (int i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--seconds") == 0)
			seconds = atof(argv[i + 1]);
		if (strcmp(argv[i], "--seed") == 0)
			only = seed = strtoull(argv[i + 1], NULL, 0);
		if (strcmp(argv[i], "--from") == 0)
			seed = strtoull(argv[i + 1], NULL, 0);
	}
	struct bench_state *b = new_bench(5);
	list_ops(&g);
	clock_t until = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	unsigned n = 0;
	do {
		EXPECT(one(&g, b, seed), "seed %llu", (unsigned long long)seed);
		seed++;
		n++;
	} while (!only && clock() < until && failures < 3);
	printf("%u programs, %u runs of translated code\n", n, b->attached);
	EXPECT(b->attached > n, "hardly anything was translated");
	free_bench(b);
	return finish("test_jit_random");
}
