/* SPDX-License-Identifier: MIT */
/* Program decoding, scalar code, branches, EXEC, counting, faults. */
#include "interp_harness.h"

/* Sums 1..10 in a loop; counts instructions exactly. */
static void loop(enum cu_level level)
{
	struct code c = { .n = 0 };
	op1(&c, GCN_S_MOV_B32, 0, K(10));
	op1(&c, GCN_S_MOV_B32, 1, K(0));
	size_t top = c.n;
	op2(&c, GCN_S_ADD_U32, 1, 1, 0);
	op2(&c, GCN_S_SUB_U32, 0, 0, K(1));
	op2(&c, GCN_S_CMP_LG_U32, NONE, 0, K(0));
	imm(&c, GCN_S_CBRANCH_SCC1, (int32_t)top - (int32_t)c.n - 1);
	end(&c);
	struct cu_wave *w = wave(~0ull);
	EXPECT(run(level, &c, w) == CU_DONE, "loop did not end");
	EXPECT(w->sgpr[1] == 55, "sum %u", w->sgpr[1]);
	EXPECT(w->instructions == 2 + 40 + 1, "%llu instructions", (unsigned long long)w->instructions);
	free(w);
}

/* if (lane < 20) v1 = 7 else v1 = 9, by EXEC. */
static void diverge(enum cu_level level)
{
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_V_CMP_GT_U32);
	in.src[0] = K(20);
	in.src[1] = V(0);
	put(&c, &in);
	op1(&c, GCN_S_AND_SAVEEXEC_B64, 4, VCC);
	op1(&c, GCN_V_MOV_B32, V(1), K(7));
	op2(&c, GCN_S_XOR_B64, EXEC, 4, EXEC);
	op1(&c, GCN_V_MOV_B32, V(1), K(9));
	op1(&c, GCN_S_MOV_B64, EXEC, 4);
	op2(&c, GCN_V_ADD_U32, V(1), K(1), V(1));
	end(&c);
	for (int full = 0; full < 2; full++) {
		struct cu_wave *w = wave(full ? ~0ull : 0x00ffffffffffff0full);
		uint64_t exec = cu_exec(w);
		for (uint32_t l = 0; l < 64; l++)
			w->vgpr[0][l] = l;
		EXPECT(run(level, &c, w) == CU_DONE, "diverge");
		for (uint32_t l = 0; l < 64; l++) {
			uint32_t want = exec >> l & 1 ? (l < 20 ? 8 : 10) : 0;
			EXPECT(w->vgpr[1][l] == want, "lane %u: %u", l, w->vgpr[1][l]);
		}
		free(w);
	}
}

static void refuse(enum cu_level level, const struct code *c, const char *text)
{
	struct cu_error err = { "" };
	struct cu_program *p = cu_program_create(level, c->dw, c->n, &err);
	EXPECT(!p && strstr(err.text, text), "want '%s', got '%s'", text, err.text);
	cu_program_destroy(p);
}
static void refusals(enum cu_level level)
{
	struct code c = { .dw = { 0xffffffff }, .n = 1 };
	refuse(level, &c, "no gfx900 instruction");
	c.n = 0;
	imm(&c, GCN_S_BRANCH, 100);
	refuse(level, &c, "outside");
	c.n = 0;
	imm(&c, GCN_S_BRANCH, -2);
	refuse(level, &c, "outside");
	c.n = 0;
	imm(&c, GCN_S_NOP, 0);
	refuse(level, &c, "outside");
	c.n = 0;
	op1(&c, GCN_S_RFE_B64, NONE, 4);
	refuse(level, &c, "trap handler");
	c.n = 0;
	imm(&c, GCN_S_SENDMSG, 4); /* MSG_SAVEWAVE */
	end(&c);
	refuse(level, &c, "message");
	c.n = 0;
	lit1(&c, GCN_S_MOV_B32, 0, 0xbf810000); /* s_endpgm as a literal */
	imm(&c, GCN_S_CBRANCH_SCC0, -2);
	end(&c);
	refuse(level, &c, "middle");
}

/* The last VGPR is an address where an SGPR pair is the base. */
static void last_register(enum cu_level level)
{
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_GLOBAL_STORE_DWORD);
	struct cu_error err;
	in.src[0] = V(255);
	in.src[1] = V(0);
	in.src[2] = 4;
	put(&c, &in);
	end(&c);
	struct cu_program *p = cu_program_create(level, c.dw, c.n, &err);
	EXPECT(p, "%s", err.text);
	cu_program_destroy(p);
}

/* What geometry programs tell is counted by lane, where there is something to count with. */
static void vertices(enum cu_level level)
{
	enum { GS = 2, GS_DONE = 3, CUT = 1 << 4, EMIT = 2 << 4, STREAM_2 = 2 << 8 };
	struct code c = { .n = 0 };
	imm(&c, GCN_S_SENDMSG, GS | EMIT);
	imm(&c, GCN_S_SENDMSG, GS | EMIT | CUT);
	op1(&c, GCN_S_MOV_B64, GCN_SRC_EXEC, K(2)); /* lane 1 alone */
	imm(&c, GCN_S_SENDMSG, GS | EMIT);
	imm(&c, GCN_S_SENDMSG, GS | EMIT | STREAM_2);
	imm(&c, GCN_S_SENDMSG, GS_DONE);
	end(&c);
	struct cu_program *p = program(level, &c);
	struct cu_wave *w = wave(7);
	static struct cu_gs told;
	EXPECT(cu_wave_run(p, w) == CU_FAULT && strstr(w->error.text, "nobody to take this message"), "%s", w->error.text);
	memset(&told, 0, sizeof told);
	cu_wave_init(w, 7, NULL);
	w->gs = &told;
	EXPECT(cu_wave_run(p, w) == CU_DONE, "%s", w->error.text);
	EXPECT(told.count[0][0] == 2 && told.count[0][1] == 3 && told.count[0][2] == 2 && !told.count[0][3], "emitted");
	EXPECT(told.cut[0][0][0] == 4 && told.cut[0][1][0] == 4 && !told.cut[0][3][0], "cut behind the second");
	EXPECT(told.count[2][1] == 1 && !told.count[2][0] && !told.count[1][1], "another stream");
	free(w);
	cu_program_destroy(p);
}

static void matches(enum cu_level level)
{
	struct code c = { .n = 0 };
	imm(&c, GCN_S_BRANCH, 1);
	c.dw[c.n++] = 0x12345678; /* never reached */
	end(&c);
	struct cu_program *p = program(level, &c);
	EXPECT(cu_program_matches(p, c.dw), "same code");
	c.dw[1] = 0;
	EXPECT(cu_program_matches(p, c.dw), "unreachable dword changed");
	c.dw[2] ^= 1;
	EXPECT(!cu_program_matches(p, c.dw), "changed code");
	cu_program_destroy(p);
}

static void stops(enum cu_level level)
{
	struct code c = { .n = 0 };
	imm(&c, GCN_S_BRANCH, -1);
	struct cu_program *p = program(level, &c);
	struct cu_wave *w = wave(~0ull);
	volatile int stop = 1;
	w->abort = &stop;
	EXPECT(cu_wave_run(p, w) == CU_FAULT && strstr(w->error.text, "stopped"), "%s", w->error.text);
	cu_wave_init(w, ~0ull, NULL);
	w->budget = 1000;
	EXPECT(cu_wave_run(p, w) == CU_FAULT && strstr(w->error.text, "pc 0x0 (s_branch") &&
		strstr(w->error.text, "stopped after 1000"), "%s", w->error.text);
	free(w);
	cu_program_destroy(p);
}

static void calls(enum cu_level level)
{
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_S_CALL_B64);
	in.dst = 10;
	in.offset = 2; /* over the two after it */
	put(&c, &in);
	op2(&c, GCN_S_ADD_U32, 0, 0, K(1));
	end(&c);
	op1(&c, GCN_S_MOV_B32, 0, K(5));
	op1(&c, GCN_S_SETPC_B64, NONE, 10);
	struct cu_wave *w = wave(~0ull);
	EXPECT(run(level, &c, w) == CU_DONE && w->sgpr[0] == 6, "call: s0 %u", w->sgpr[0]);
	EXPECT(w->sgpr[10] == 4, "return address %u", w->sgpr[10]);
	EXPECT(w->instructions == 5, "%llu instructions", (unsigned long long)w->instructions);
	w->pc = 0;
	w->sgpr[20] = 999;
	c.n = 0;
	op1(&c, GCN_S_SETPC_B64, NONE, 20);
	struct cu_program *p = program(level, &c);
	EXPECT(cu_wave_run(p, w) == CU_FAULT && strstr(w->error.text, "jump"), "%s", w->error.text);
	cu_program_destroy(p);
	free(w);
}

/* A function whose address is computed, and data beside it that is no code, with a
 * gap before both, in a program at `address`. */
static void far_calls(enum cu_level level, size_t gap, uint64_t address)
{
	static struct code c;
	c.n = 0;
	struct gcn_inst in = inst(GCN_S_ADD_U32);
	op1(&c, GCN_S_GETPC_B64, 4, NONE);
	size_t from = c.n;
	in.dst = 4, in.src[0] = 4, in.src[1] = LITERAL;
	size_t function = c.n;
	put(&c, &in);
	op2(&c, GCN_S_ADDC_U32, 5, 5, K(0));
	op1(&c, GCN_S_GETPC_B64, 6, NONE);
	size_t from_data = c.n, data = c.n;
	in.dst = 6, in.src[0] = 6;
	put(&c, &in);
	op1(&c, GCN_S_SWAPPC_B64, 10, 4);
	op2(&c, GCN_S_ADD_U32, 0, 0, K(1));
	op1(&c, GCN_S_SETPC_B64, NONE, 12);
	while (gap-- > 0)
		c.dw[c.n++] = 0xffffffff;
	const size_t at_data = c.n;
	c.dw[data + 1] = (uint32_t)(c.n - from_data) * 4;
	op1(&c, GCN_S_MOV_B32, 0, K(3)); /* looks like code at first */
	c.dw[c.n++] = 0xffffffff;
	c.dw[function + 1] = (uint32_t)(c.n - from) * 4;
	op1(&c, GCN_S_MOV_B32, 0, K(5));
	op1(&c, GCN_S_SETPC_B64, NONE, 10);
	size_t last = c.n;
	end(&c);
	struct cu_program *p = program(level, &c);
	cu_program_place(p, address);
	struct cu_wave *w = wave(~0ull);
	const uint64_t beyond = address + last * 4;
	memcpy(&w->sgpr[12], &beyond, sizeof beyond);
	EXPECT(cu_wave_run(p, w) == CU_FAULT && strstr(w->error.text, "no instruction of the program"),
		"what no constant leads to: %s", w->error.text);
	EXPECT(w->sgpr[0] == 6, "call: s0 %u", w->sgpr[0]);
	uint64_t got;
	memcpy(&got, &w->sgpr[6], sizeof got);
	EXPECT(got == address + at_data * 4, "data: 0x%llx", (unsigned long long)got);
	cu_program_destroy(p);
	free(w);
}

/* VGPR indexing: v[2 + 3] = v[1 + 3]. */
static void indexing(enum cu_level level)
{
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_S_SET_GPR_IDX_ON);
	in.src[0] = 0;
	in.src[1] = 1 | 8;
	put(&c, &in);
	op1(&c, GCN_V_MOV_B32, V(2), V(1));
	imm(&c, GCN_S_SET_GPR_IDX_OFF, 0);
	op1(&c, GCN_V_MOV_B32, V(9), V(1));
	end(&c);
	struct cu_wave *w = wave(~0ull);
	w->sgpr[0] = 3;
	for (int l = 0; l < 64; l++) {
		w->vgpr[4][l] = 100 + (uint32_t)l;
		w->vgpr[1][l] = 7;
	}
	EXPECT(run(level, &c, w) == CU_DONE, "indexing");
	EXPECT(w->vgpr[5][63] == 163 && w->vgpr[2][63] == 0 && w->vgpr[9][0] == 7, "indexed move");
	w->pc = 0;
	w->sgpr[0] = 255;
	struct cu_program *p = program(level, &c);
	EXPECT(cu_wave_run(p, w) == CU_FAULT && strstr(w->error.text, "v255"), "%s", w->error.text);
	cu_program_destroy(p);
	free(w);
}

static void scalar(enum cu_level level)
{
	struct code c = { .n = 0 };
	lit1(&c, GCN_S_MOV_B32, 0, 0xffffffff);
	op2(&c, GCN_S_ADD_U32, 1, 0, K(1));      /* 0, carry */
	op2(&c, GCN_S_ADDC_U32, 2, K(5), K(0));  /* 6 */
	op2(&c, GCN_S_SUB_U32, 3, K(0), K(1));   /* -1, borrow */
	op2(&c, GCN_S_SUBB_U32, 4, K(0), K(0));  /* -1 */
	op2(&c, GCN_S_LSHL_B64, 6, K(1), K(40));
	op2(&c, GCN_S_BFM_B64, 8, K(4), K(62));
	op1(&c, GCN_S_WQM_B64, 10, K(32));       /* bit 5: lanes 4..7 */
	op1(&c, GCN_S_QUADMASK_B64, 12, K(-1));
	lit1(&c, GCN_S_MOV_B32, 14, 0x00040004);
	op1(&c, GCN_S_MOV_B32, 15, K(-16));
	op2(&c, GCN_S_BFE_I32, 16, 15, 14);      /* (-16)[7:4] = 15 -> -1 */
	op2(&c, GCN_S_BFE_U32, 17, 15, 14);
	op1(&c, GCN_S_FF1_I32_B64, 18, 6);
	op1(&c, GCN_S_FLBIT_I32_B32, 19, K(1));
	op1(&c, GCN_S_BCNT1_I32_B64, 20, K(-1));
	op2(&c, GCN_S_MUL_HI_I32, 21, K(-1), K(5));
	op1(&c, GCN_S_BREV_B32, 22, K(1));
	op2(&c, GCN_S_CMP_LT_I32, NONE, K(-1), K(1));
	op2(&c, GCN_S_CSELECT_B32, 23, K(11), K(12));
	op1(&c, GCN_S_MOV_B64, 24, GCN_SRC_1F);
	op2(&c, GCN_S_LSHL4_ADD_U32, 26, 0, K(3));
	op2(&c, GCN_S_PACK_LH_B32_B16, 27, K(7), 14);
	end(&c);
	struct cu_wave *w = wave(~0ull);
	EXPECT(run(level, &c, w) == CU_DONE, "scalar");
	static const struct { unsigned s; uint32_t want; } t[] = {
		{ 1, 0 }, { 2, 6 }, { 3, ~0u }, { 4, ~0u }, { 6, 0 }, { 7, 256 }, { 8, 0 },
		{ 9, 0xc0000000 }, { 10, 0xf0 }, { 11, 0 }, { 12, 0xffff }, { 13, 0 }, { 16, ~0u },
		{ 17, 15 }, { 18, 40 }, { 19, 31 }, { 20, 64 }, { 21, ~0u }, { 22, 1u << 31 },
		{ 23, 11 }, { 24, 0 }, { 25, 0x3ff00000 }, { 26, 0xfffffff3 }, { 27, 0x00040007 } };
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		EXPECT(w->sgpr[t[i].s] == t[i].want, "s%u is 0x%x, not 0x%x", t[i].s,
			w->sgpr[t[i].s], t[i].want);
	EXPECT(w->scc == 1, "carry of s_lshl4_add");
	free(w);
}

int main(void)
{
	for (int level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		if (!has_level((enum cu_level)level))
			continue;
		loop((enum cu_level)level);
		diverge((enum cu_level)level);
		refusals((enum cu_level)level);
		last_register((enum cu_level)level);
		vertices((enum cu_level)level);
		matches((enum cu_level)level);
		stops((enum cu_level)level);
		far_calls((enum cu_level)level, 0, 0);
		far_calls((enum cu_level)level, 1500, 0);
		far_calls((enum cu_level)level, 1500, 0x7fff12345678);
		calls((enum cu_level)level);
		indexing((enum cu_level)level);
		scalar((enum cu_level)level);
	}
	return finish("test_interp_flow");
}
