/* SPDX-License-Identifier: MIT */
/* MODE and what hangs on it: rounding, denormals, clamp, IEEE, vector skip,
 * VGPR indexing, forks; hardware registers, kill and halt. */
#include "core/mode.h"
#include "interp_harness.h"

static void setreg(struct code *c, unsigned lo, unsigned bits, uint32_t value)
{
	struct gcn_inst in = inst(GCN_S_SETREG_IMM32_B32);
	in.offset = (int16_t)(1 | lo << 6 | (bits - 1) << 11);
	in.src[0] = LITERAL;
	in.literal = value;
	put(c, &in);
}
static void getreg(struct code *c, unsigned dst, unsigned reg, unsigned lo, unsigned bits)
{
	struct gcn_inst in = inst(GCN_S_GETREG_B32);
	in.dst = (uint16_t)dst;
	in.offset = (int16_t)(reg | lo << 6 | (bits - 1) << 11);
	put(c, &in);
}

/* 1 + 2^-30 and its negative, in the four directions, back to nearest at the end. */
static void rounding(enum cu_level level)
{
	struct code c = { .n = 0 };
	for (unsigned i = 0; i < 4; i++) {
		setreg(&c, 0, 4, i | i << 2);
		op2(&c, GCN_V_ADD_F32, V(2 * i), V(20), V(21));
		op1(&c, GCN_V_CVT_F16_F32, V(2 * i + 1), V(22));
	}
	setreg(&c, 0, 2, 0);
	op2(&c, GCN_V_ADD_F32, V(8), V(20), V(21));
	end(&c);
	struct cu_wave *w = wave(~0ull);
	for (int l = 0; l < 64; l++) {
		float sign = l & 1 ? -1 : 1;
		w->vgpr[20][l] = float_bits(sign);
		w->vgpr[21][l] = float_bits(sign * 0x1p-30f);
		w->vgpr[22][l] = float_bits(sign * 0x1.001p0f); /* a half's ulp is 2^-10 */
	}
	EXPECT(run(level, &c, w) == CU_DONE, "rounding");
	for (int l = 0; l < 64; l++) {
		/* by mode: does the magnitude grow? */
		bool grows[4] = { false, !(l & 1), l & 1, false };
		for (int i = 0; i < 4; i++) {
			EXPECT((w->vgpr[2 * i][l] & 0x7fffffff) == 0x3f800000u + grows[i], "f32 mode %d lane %d", i, l);
			EXPECT((w->vgpr[2 * i + 1][l] & 0x7fff) == 0x3c00u + grows[i], "f16 mode %d lane %d", i, l);
		}
		EXPECT((w->vgpr[8][l] & 0x7fffffff) == 0x3f800000u, "back to nearest, lane %d", l);
	}
	EXPECT(w->mode == (CU_MODE_PLAIN | 0xc), "MODE 0x%x", w->mode);
	free(w);
}

/* What a wave starts with counts as much as what it sets. */
static void denormals(enum cu_level level)
{
	struct code c = { .n = 0 };
	struct gcn_inst in;
	op2(&c, GCN_V_MUL_F32, V(1), GCN_SRC_1F, V(0));
	op2(&c, GCN_V_MUL_F32, V(2), GCN_SRC_HALF, V(10));
	op2(&c, GCN_V_MUL_F16, V(3), GCN_SRC_1F, V(11));
	in = inst(GCN_V_ADD_F32);
	in.fmt = GCN_VOP3, in.dst = V(4), in.src[0] = V(12), in.src[1] = GCN_SRC_1F, in.omod = 1;
	put(&c, &in);
	in.dst = V(5), in.omod = 0, in.clamp = 1, in.src[0] = V(13);
	put(&c, &in);
	op2(&c, GCN_V_MIN_F32, V(6), V(14), V(12));
	end(&c);
	struct cu_program *p = program(level, &c);
	struct cu_wave *w = wave(~0ull);
	for (uint32_t mode = 0; mode < 1024; mode += 16) {
		cu_wave_init(w, ~0ull, NULL);
		w->mode = mode;
		for (int l = 0; l < 64; l++) {
			w->vgpr[0][l] = 0x80000123, w->vgpr[10][l] = 0x00800000, w->vgpr[11][l] = 0x8123;
			w->vgpr[12][l] = float_bits(3), w->vgpr[13][l] = 0x7fc00000, w->vgpr[14][l] = 0x7f800001;
		}
		EXPECT(cu_wave_run(p, w) == CU_DONE, "%s", w->error.text);
		bool in32 = mode & 16, out32 = mode & 32, in16 = mode & 64, out16 = mode & 128;
		EXPECT(w->vgpr[1][5] == (in32 && out32 ? 0x80000123 : 0x80000000), "f32 in, mode 0x%x", mode);
		EXPECT(w->vgpr[2][5] == (out32 ? 0x00400000u : 0), "f32 out, mode 0x%x", mode);
		EXPECT(w->vgpr[3][5] == (in16 && out16 ? 0x8123u : 0x8000u), "f16, mode 0x%x", mode);
		EXPECT(bits_float(w->vgpr[4][5]) == (out32 || mode & 512 ? 4 : 8), "omod, mode 0x%x", mode);
		EXPECT(w->vgpr[5][5] == (mode & 256 ? 0 : 0x7fc00000), "clamp of NaN, mode 0x%x", mode);
		EXPECT(w->vgpr[6][5] == (mode & 512 ? 0x7fc00000 : float_bits(3)), "min, mode 0x%x", mode);
	}
	free(w);
	cu_program_destroy(p);
	EXPECT(cu_mode_of_rsrc1(0xf0 << 12 | 1 << 21) == CU_MODE_PLAIN, "RSRC1");
	EXPECT(cu_mode_of_rsrc1(0x5a << 12 | 1 << 23) == (0x5a | CU_MODE_IEEE), "RSRC1");
}

static void skip(enum cu_level level)
{
	struct code c = { .n = 0 };
	op2(&c, GCN_S_SETVSKIP, NONE, 0, K(3));
	imm(&c, GCN_S_NOP, 0);
	op1(&c, GCN_V_MOV_B32, V(0), K(1));
	op1(&c, GCN_V_READFIRSTLANE_B32, 5, V(0));
	op1(&c, GCN_S_MOV_B32, 4, K(9));
	op2(&c, GCN_S_SETVSKIP, NONE, K(0), K(0));
	op1(&c, GCN_V_MOV_B32, V(1), K(1));
	end(&c);
	for (uint32_t s0 = 0; s0 < 16; s0 += 8) {
		struct cu_wave *w = wave(~0ull);
		w->sgpr[0] = s0;
		EXPECT(run(level, &c, w) == CU_DONE, "skip");
		EXPECT(w->vgpr[0][7] == !s0 && w->sgpr[5] == !s0, "skipped: %u %u", w->vgpr[0][7], w->sgpr[5]);
		EXPECT(w->vgpr[1][7] == 1 && w->sgpr[4] == 9, "not skipped");
		free(w);
	}
}

/* The same v_mov with indexing on and off, by a loop around it. */
static void indexing(enum cu_level level)
{
	struct code c = { .n = 0 };
	op1(&c, GCN_S_MOV_B32, 1, K(0));
	size_t top = c.n;
	op1(&c, GCN_V_MOV_B32, V(1), V(0));
	op2(&c, GCN_S_CMP_EQ_U32, NONE, 1, K(1));
	size_t out = c.n;
	imm(&c, GCN_S_CBRANCH_SCC1, 0);
	op1(&c, GCN_S_MOV_B32, 1, K(1));
	struct gcn_inst in = inst(GCN_S_SET_GPR_IDX_ON);
	in.src[0] = K(4), in.src[1] = 8; /* destination */
	put(&c, &in);
	imm(&c, GCN_S_BRANCH, (int32_t)top - (int32_t)c.n - 1);
	patch(&c, out);
	imm(&c, GCN_S_SET_GPR_IDX_OFF, 0);
	end(&c);
	struct cu_wave *w = wave(~0ull);
	w->vgpr[0][3] = 77;
	EXPECT(run(level, &c, w) == CU_DONE, "indexing");
	EXPECT(w->vgpr[1][3] == 77 && w->vgpr[5][3] == 77, "v1 %u v5 %u", w->vgpr[1][3], w->vgpr[5][3]);
	free(w);
}

/* Lanes by bits 0 and 1 of their number on four ways through two nested forks.
 * A join leaves EXEC at the last way's lanes; the program restores it. */
static void forks(enum cu_level level, uint64_t exec)
{
	struct code c = { .n = 0 };
	struct gcn_inst in;
	getreg(&c, 40, 1, 29, 3); /* CSP */
	lit1(&c, GCN_S_MOV_B32, 42, 0xaaaaaaaa);
	op1(&c, GCN_S_MOV_B32, 43, 42);
	lit1(&c, GCN_S_MOV_B32, 44, 0xcccccccc);
	op1(&c, GCN_S_MOV_B32, 45, 44);
	op1(&c, GCN_S_MOV_B64, 46, EXEC);
	size_t at[4] = { 0 };
	in = inst(GCN_S_CBRANCH_I_FORK), in.src[0] = 42;
	at[0] = c.n, put(&c, &in);
	for (int half = 0; half < 2; half++) { /* not taken, then taken */
		if (half)
			patch(&c, at[0]);
		getreg(&c, 41, 1, 29, 3);
		in = inst(GCN_S_CBRANCH_I_FORK), in.src[0] = 44;
		at[1] = c.n, put(&c, &in);
		op2(&c, GCN_V_ADD_U32, V(0), K(1 + half), V(0));
		at[2] = c.n, imm(&c, GCN_S_BRANCH, 0);
		patch(&c, at[1]);
		op2(&c, GCN_V_ADD_U32, V(0), K(3 + half), V(0));
		patch(&c, at[2]);
		op1(&c, GCN_S_CBRANCH_JOIN, NONE, 41);
		if (!half)
			at[3] = c.n, imm(&c, GCN_S_BRANCH, 0);
	}
	patch(&c, at[3]);
	op1(&c, GCN_S_CBRANCH_JOIN, NONE, 40);
	op1(&c, GCN_S_MOV_B64, EXEC, 46);
	op2(&c, GCN_V_ADD_U32, V(1), K(5), V(1));
	end(&c);
	struct cu_wave *w = wave(exec);
	EXPECT(run(level, &c, w) == CU_DONE, "forks");
	for (unsigned l = 0; l < 64; l++) {
		bool on = exec >> l & 1;
		uint32_t want = on ? (l & 2 ? 3u : 1u) + (l & 1) : 0;
		EXPECT(w->vgpr[0][l] == want, "lane %u: %u, not %u", l, w->vgpr[0][l], want);
		EXPECT(w->vgpr[1][l] == (on ? 5u : 0), "lane %u after the join: %u", l, w->vgpr[1][l]);
	}
	EXPECT(cu_exec(w) == exec && w->mode >> 29 == 0, "EXEC and CSP");
	free(w);
}

static void registers(enum cu_level level)
{
	struct code c = { .n = 0 };
	op2(&c, GCN_S_CMP_EQ_U32, NONE, K(1), K(1));
	getreg(&c, 0, 2, 0, 1);  /* SCC */
	getreg(&c, 1, 2, 9, 2);  /* EXECZ, VCCZ */
	getreg(&c, 2, 6, 12, 9); /* LDS_SIZE */
	op1(&c, GCN_S_MOV_B32, 3, GCN_SRC_VCCZ);
	op1(&c, GCN_S_MOV_B64, 4, GCN_SRC_EXECZ);
	op1(&c, GCN_S_MOV_B64, 6, GCN_SRC_SCC);
	op1(&c, GCN_V_MOV_B32, V(0), GCN_SRC_VCCZ);
	imm(&c, GCN_S_TRAP, 1);
	imm(&c, GCN_S_SENDMSG, 1);
	imm(&c, GCN_S_SETHALT, 0);
	imm(&c, GCN_S_SETKILL, 1);
	op1(&c, GCN_S_MOV_B32, 8, K(1));
	end(&c);
	struct cu_wave *w = wave(1);
	w->lds_bytes = 1024;
	w->sgpr[5] = w->sgpr[7] = 99;
	EXPECT(run(level, &c, w) == CU_DONE, "registers");
	EXPECT(w->sgpr[0] == 1 && w->sgpr[1] == 2 && w->sgpr[2] == 2, "getreg: %u %u %u", w->sgpr[0],
		w->sgpr[1], w->sgpr[2]);
	EXPECT(w->sgpr[3] == 1 && w->sgpr[4] == 0 && w->sgpr[5] == 0 && w->sgpr[6] == 1 && w->sgpr[7] == 0,
		"VCCZ, EXECZ, SCC");
	EXPECT(w->vgpr[0][0] == 1 && w->sgpr[8] == 0, "VCCZ %u, killed %u", w->vgpr[0][0], w->sgpr[8]);
	c.n = 0;
	imm(&c, GCN_S_SETHALT, 1);
	end(&c);
	struct cu_program *p = program(level, &c);
	cu_wave_init(w, 1, NULL);
	EXPECT(cu_wave_run(p, w) == CU_FAULT && strstr(w->error.text, "pc 0x0 (s_sethalt 0x1): halted"), "%s",
		w->error.text);
	cu_program_destroy(p);
	free(w);
}

int main(void)
{
	unsigned mxcsr = cu_fp_enter();
	for (int level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		enum cu_level l = (enum cu_level)level;
		if (!has_level(l))
			continue;
		rounding(l);
		denormals(l);
		skip(l);
		indexing(l);
		forks(l, ~0ull);
		forks(l, 0x00ff1234f0e10003);
		forks(l, 0x5555555555555555);
		registers(l);
	}
	cu_fp_leave(mxcsr);
	return finish("test_interp_mode");
}
