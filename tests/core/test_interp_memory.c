/* SPDX-License-Identifier: MIT */
/* LDS, GLOBAL, SCRATCH, exports, and workgroups with barriers. */
#include "core/group.h"
#include "core/mode.h"
#include "interp_harness.h"
#include "isa/abi.h"

static struct gcn_inst ds(enum gcn_op op, unsigned dst, unsigned addr, unsigned a, unsigned b, int32_t offset)
{
	struct gcn_inst in = inst(op);
	const struct gcn_op_info *info = gcn_op_info(op);
	in.dst = info->dst_dw ? V(dst) : NONE;
	in.src[0] = info->src_dw[0] ? V(addr) : NONE;
	in.src[1] = info->src_dw[1] ? V(a) : NONE;
	in.src[2] = info->src_dw[2] ? V(b) : NONE;
	in.offset = offset;
	return in;
}

static void lds(enum cu_level level)
{
	struct code c = { .n = 0 };
	struct gcn_inst list[] = {
		ds(GCN_DS_WRITE_B32, 0, 0, 1, 0, 16),
		ds(GCN_DS_READ_B32, 2, 0, 0, 0, 16),
		ds(GCN_DS_WRITE2_B32, 0, 0, 1, 2, 64 | 65 << 8),    /* last addresses are outside */
		ds(GCN_DS_READ2_B32, 4, 0, 0, 0, 64 | 65 << 8),
		ds(GCN_DS_READ_I16, 6, 0, 0, 0, 17),
		ds(GCN_DS_WRITE_B8, 0, 0, 1, 0, 19),
		ds(GCN_DS_READ_U8, 7, 0, 0, 0, 19),
		ds(GCN_DS_ADD_RTN_U32, 8, 9, 10, 0, 0),
		ds(GCN_DS_MIN_RTN_F32, 11, 9, 12, 0, 4),
		ds(GCN_DS_CMPST_RTN_B32, 13, 9, 14, 10, 8),
		ds(GCN_DS_BPERMUTE_B32, 15, 16, 1, 0, 0),
		ds(GCN_DS_PERMUTE_B32, 17, 16, 1, 0, 0),
		ds(GCN_DS_SWIZZLE_B32, 18, 1, 0, 0, 0x041f),        /* and 31, xor 1 */
		ds(GCN_DS_SWIZZLE_B32, 19, 1, 0, 0, 0x8000 | 0x1b), /* quad reversed */
	};
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		put(&c, &list[i]);
	end(&c);
	static uint8_t mem[512];
	memset(mem, 0, sizeof(mem));
	struct cu_wave *w = wave(~0ull);
	w->lds = mem, w->lds_bytes = sizeof(mem);
	for (uint32_t l = 0; l < 64; l++) {
		w->vgpr[0][l] = 32 + 4 * l;
		w->vgpr[1][l] = 0x00018000 + l;
		w->vgpr[9][l] = 0;
		w->vgpr[10][l] = 1;
		w->vgpr[12][l] = float_bits(-(float)l);
		w->vgpr[14][l] = l; /* compared; data 1 */
		w->vgpr[16][l] = 4 * (63 - l);
	}
	run(level, &c, w);
	for (uint32_t l = 0; l < 64; l++) {
		EXPECT(w->vgpr[2][l] == 0x18000 + l, "read after write, lane %u", l);
		bool in0 = 32 + 4 * l + 256 + 4 <= 512, in1 = 32 + 4 * l + 260 + 4 <= 512;
		/* The neighbour's first write lands on this lane's second and is later
		 * overwritten by the second writes, in lane order. */
		EXPECT(in0 || w->vgpr[4][l] == 0, "out of range read, lane %u", l);
		EXPECT(in1 || w->vgpr[5][l] == 0, "out of range read 2, lane %u", l);
		EXPECT(!in1 || w->vgpr[5][l] == w->vgpr[2][l], "second of the pair, lane %u", l);
		EXPECT(l >= 60 || w->vgpr[6][l] == 0xffff8000 + l, "signed short, lane %u: 0x%x", l, w->vgpr[6][l]);
		EXPECT(w->vgpr[7][l] == l, "byte, lane %u", l);
		EXPECT(w->vgpr[8][l] == l, "atomic add, lane %u", l);
		EXPECT(w->vgpr[11][l] == (l ? float_bits(-(float)(l - 1)) : 0) || l == 1, "atomic min, lane %u", l);
		EXPECT(w->vgpr[13][l] == (l ? 1 : 0), "compare and store, lane %u: %u", l, w->vgpr[13][l]);
		EXPECT(w->vgpr[15][l] == w->vgpr[1][63 - l], "bpermute, lane %u", l);
		EXPECT(w->vgpr[17][l] == w->vgpr[1][63 - l], "permute, lane %u", l);
		EXPECT(w->vgpr[18][l] == w->vgpr[1][l ^ 1], "swizzle, lane %u", l);
		EXPECT(w->vgpr[19][l] == w->vgpr[1][l ^ 3], "quad swizzle, lane %u", l);
	}
	free(w);
}

static struct gcn_inst flat(enum gcn_op op, unsigned dst, unsigned addr, unsigned data, unsigned saddr,
	int32_t offset)
{
	struct gcn_inst in = inst(op);
	bool store = gcn_op_info(op)->flags & GCN_F_STORE;
	in.dst = store ? NONE : V(dst);
	in.src[0] = V(addr);
	in.src[1] = store ? V(data) : NONE;
	in.src[2] = (uint16_t)saddr;
	in.offset = offset;
	return in;
}

static void global(enum cu_level level)
{
	static uint32_t mem[512];
	for (uint32_t i = 0; i < 512; i++)
		mem[i] = i * 3;
	struct code c = { .n = 0 };
	struct gcn_inst list[] = {
		flat(GCN_GLOBAL_LOAD_DWORDX2, 4, 0, 0, NONE, -4),
		flat(GCN_GLOBAL_LOAD_DWORD, 6, 2, 0, 4, 8), /* s[4:5] + v2 */
		flat(GCN_GLOBAL_STORE_DWORD, 0, 0, 2, NONE, 1024),
		flat(GCN_FLAT_LOAD_DWORD, 7, 0, 0, NONE, 0),
	};
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		put(&c, &list[i]);
	end(&c);
	struct cu_wave *w = wave(~0ull);
	uint64_t base = (uintptr_t)mem;
	memcpy(&w->sgpr[4], &base, 8);
	for (uint32_t l = 0; l < 64; l++) {
		uint64_t a = base + 4 + 4 * l;
		w->vgpr[0][l] = (uint32_t)a;
		w->vgpr[1][l] = (uint32_t)(a >> 32);
		w->vgpr[2][l] = 4 * l;
	}
	EXPECT(run(level, &c, w) == CU_DONE, "global");
	for (uint32_t l = 0; l < 64; l++) {
		EXPECT(w->vgpr[4][l] == 3 * l && w->vgpr[5][l] == 3 * (l + 1), "load, lane %u", l);
		EXPECT(w->vgpr[6][l] == 3 * (l + 2), "load through saddr, lane %u", l);
		EXPECT(mem[257 + l] == 4 * l, "store, lane %u", l);
		EXPECT(w->vgpr[7][l] == 3 * (l + 1), "flat load, lane %u", l);
	}
	free(w);
}

/* Scattered addresses on both sides of the first lane's, some lanes off. */
static void scattered(enum cu_level level, uint64_t seed)
{
	static uint32_t mem[4096], copy[4096];
	uint64_t exec = seed & 1 ? ~0ull : (uint64_t)rnd(&seed) << 32 | rnd(&seed);
	struct code c = { .n = 0 };
	struct gcn_inst in = flat(GCN_GLOBAL_LOAD_DWORDX3, 4, 0, 0, NONE, 4);
	put(&c, &in);
	in = flat(GCN_GLOBAL_STORE_DWORDX2, 0, 0, 8, NONE, 12);
	put(&c, &in);
	end(&c);
	for (int i = 0; i < 4096; i++)
		mem[i] = copy[i] = rnd(&seed);
	struct cu_wave *w = wave(exec);
	uint32_t at[64];
	for (int l = 0; l < 64; l++) {
		at[l] = rnd(&seed) % 4000;
		uint64_t a = (uintptr_t)&mem[at[l]] + (l ? rnd(&seed) & 3 : 0); /* rounded down */
		w->vgpr[0][l] = (uint32_t)a;
		w->vgpr[1][l] = (uint32_t)(a >> 32);
		w->vgpr[8][l] = rnd(&seed);
		w->vgpr[9][l] = rnd(&seed);
	}
	EXPECT(run(level, &c, w) == CU_DONE, "scattered");
	for (int l = 0; l < 64; l++)
		for (uint32_t i = 0; i < 3; i++)
			EXPECT(w->vgpr[4 + i][l] == (exec >> l & 1 ? copy[at[l] + 1 + i] : 0),
				"scattered load, dword %u lane %d", i, l);
	for (int l = 0; l < 64; l++) /* where lanes meet the last one stays */
		for (uint32_t i = 0; i < 2; i++)
			if (exec >> l & 1)
				copy[at[l] + 3 + i] = w->vgpr[8 + i][l];
	EXPECT(!memcmp(mem, copy, sizeof(mem)), "scattered stores");
	free(w);
}

static void scratch(enum cu_level level)
{
	static uint32_t mem[2048];
	memset(mem, 0, sizeof(mem));
	struct code c = { .n = 0 };
	struct gcn_inst in = flat(GCN_SCRATCH_STORE_DWORDX2, 0, 0, 1, NONE, 4);
	put(&c, &in);
	in = flat(GCN_SCRATCH_LOAD_DWORDX2, 3, 0, 0, NONE, 4);
	put(&c, &in);
	end(&c);
	struct cu_wave *w = wave(~0ull);
	w->scratch = (uint8_t *)mem;
	w->scratch_bytes = sizeof(mem); /* 32 dwords a lane */
	memcpy(&w->sgpr[GCN_SRC_FLAT_SCRATCH], &(uint64_t){ (uintptr_t)mem }, 8);
	for (uint32_t l = 0; l < 64; l++) {
		w->vgpr[0][l] = 8 * (l % 4);
		w->vgpr[1][l] = 10 + l;
		w->vgpr[2][l] = 20 + l;
	}
	EXPECT(run(level, &c, w) == CU_DONE, "scratch");
	for (uint32_t l = 0; l < 64; l++) {
		EXPECT(w->vgpr[3][l] == 10 + l && w->vgpr[4][l] == 20 + l, "reloaded, lane %u", l);
		EXPECT(mem[(1 + 2 * (l % 4)) * 64 + l] == 10 + l, "layout, lane %u", l);
	}
	w->pc = 0;
	w->vgpr[0][9] = 124;
	struct cu_program *p = program(level, &c);
	EXPECT(cu_wave_run(p, w) == CU_FAULT && strstr(w->error.text, "scratch offset 128"), "%s",
		w->error.text);
	cu_program_destroy(p);
	free(w);
}

static void export(enum cu_level level)
{
	struct cu_exports *e = aligned_alloc(64, sizeof(*e));
	memset(e, 0, sizeof(*e));
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_EXPORT);
	in.exp_target = GCN_EXP_PARAM0 + 3, in.en = 5, in.src[0] = V(0), in.src[2] = V(1);
	put(&c, &in);
	op1(&c, GCN_S_MOV_B64, EXEC, 10);
	in = inst(GCN_EXPORT);
	in.exp_target = GCN_EXP_MRT0, in.en = 15, in.done = in.vm = 1;
	for (int i = 0; i < 4; i++)
		in.src[i] = V(1);
	put(&c, &in);
	end(&c);
	struct cu_wave *w = wave(~0ull);
	cu_wave_init(w, ~0ull, e);
	EXPECT(e->valid == ~0ull && e->targets == 0, "fresh exports");
	w->sgpr[10] = 0xff;
	for (uint32_t l = 0; l < 64; l++) {
		w->vgpr[0][l] = l;
		w->vgpr[1][l] = 100 + l;
	}
	EXPECT(run(level, &c, w) == CU_DONE, "export");
	EXPECT(e->targets == (1ull << 35 | 1) && e->mask[35] == 5 && e->mask[0] == 15, "targets");
	EXPECT(e->exec[35] == ~0ull && e->exec[0] == 0xff && e->valid == 0xff, "lanes");
	EXPECT(e->data[35][0][63] == 63 && e->data[35][1][63] == 0 && e->data[35][2][63] == 163, "param");
	EXPECT(e->data[0][3][7] == 107 && e->data[0][3][8] == 0, "mrt0");
	free(w);
	free(e);
}

/* Two VGPRs of two halves each are four floats; the other lanes and components stay. */
static void compressed_export(enum cu_level level)
{
	struct cu_exports *e = aligned_alloc(64, sizeof(*e));
	memset(e, 0, sizeof(*e));
	for (unsigned en = 3; en < 16; en += en == 3 ? 9 : 3) { /* 3, 12, 15 */
		struct code c = { .n = 0 };
		struct gcn_inst in = inst(GCN_EXPORT);
		in.exp_target = GCN_EXP_MRT0 + 2, in.en = (uint8_t)en, in.compr = in.done = in.vm = 1;
		in.src[0] = en & 3 ? V(5) : NONE, in.src[1] = en & 12 ? V(7) : NONE;
		put(&c, &in);
		end(&c);
		struct cu_wave *w = wave(~0ull);
		memset(e->data[2], 0x11, sizeof(e->data[2]));
		cu_wave_init(w, 1ull << 9 | 1ull << 40, e);
		w->vgpr[5][9] = 0xc0003c00; /* 1, -2 */
		w->vgpr[7][9] = 0x00017bff; /* 65504, the least denormal */
		EXPECT(run(level, &c, w) == CU_DONE, "export");
		static const float want[4] = { 1.0f, -2.0f, 65504.0f, 0x1p-24f };
		for (int i = 0; i < 4; i++) {
			uint32_t on = en >> i & 1 ? float_bits(want[i]) : 0x11111111;
			EXPECT(e->data[2][i][9] == on, "en %u, component %d: 0x%08x", en, i, e->data[2][i][9]);
			EXPECT(e->data[2][i][10] == 0x11111111, "en %u, a lane that is off", en);
			EXPECT(!(en >> i & 1) || e->data[2][i][40] == 0, "en %u, another lane", en);
		}
		EXPECT(e->mask[2] == en && e->targets == 4 && e->valid == (1ull << 9 | 1ull << 40), "targets");
		free(w);
	}
	free(e);
}

/* 256 invocations reverse an array through LDS, over a barrier; then a wave
 * that has ended early counts as arrived. */
static void group(enum cu_level level)
{
	static uint32_t out[256];
	struct code c = { .n = 0 };
	op2(&c, GCN_V_LSHLREV_B32, V(1), K(2), V(0));           /* 4 x */
	struct gcn_inst in = ds(GCN_DS_WRITE_B32, 0, 1, 0, 0, 0);
	put(&c, &in);
	in = inst(GCN_V_CMP_GT_U32);                             /* 192 > x: the last wave ends here */
	in.src[0] = 6, in.src[1] = V(0);
	put(&c, &in);
	imm(&c, GCN_S_CBRANCH_VCCNZ, 1);
	end(&c);
	imm(&c, GCN_S_BARRIER, 0);
	lit1(&c, GCN_S_MOV_B32, 10, 1020);
	op2(&c, GCN_V_SUB_U32, V(2), 10, V(1));                  /* 4 (255 - x) */
	in = ds(GCN_DS_READ_B32, 3, 2, 0, 0, 0);
	put(&c, &in);
	in = flat(GCN_GLOBAL_STORE_DWORD, 0, 1, 3, 0, 0);
	put(&c, &in);
	imm(&c, GCN_S_BARRIER, 0);
	end(&c);
	struct cu_program *p = program(level, &c);
	struct cu_group_ctx *ctx = cu_group_ctx_create();
	struct cu_error err;
	uint64_t base = (uintptr_t)out;
	uint32_t user[ABI_CS_USER_SGPRS] = { (uint32_t)base, (uint32_t)(base >> 32), 9, 8, 7 };
	struct cu_group g = { .use = { .program = p, .mode = CU_MODE_PLAIN, .user_count = 5 },
		.tgid_en = { true, true, false }, .tgid = { 3, 192, 5 }, .size = { 256, 1, 1 },
		.tidig_comp_cnt = 0, .lds_bytes = 1024 };
	/* s5 = tgid x, s6 = tgid y: 192 doubles as the bound. */
	memset(out, 0xff, sizeof(out));
	memcpy(g.use.user, user, sizeof user);
	EXPECT(cu_group_run(ctx, &g, &err), "%s", err.text);
	for (uint32_t i = 0; i < 256; i++)
		EXPECT(out[i] == (i < 192 ? 255 - i : ~0u), "out[%u] is %u", i, out[i]);
	g.size[0] = 5000;
	EXPECT(!cu_group_run(ctx, &g, &err) && strstr(err.text, "4096"), "too large");
	cu_group_ctx_destroy(ctx);
	cu_program_destroy(p);
}

/* Positions in a group, its last wave perhaps partly empty.  comp_cnt: 2, or 3, which says no more. */
static void positions(enum cu_level level, struct cu_group_ctx *ctx, const uint32_t size[3], uint32_t comp_cnt)
{
	static uint32_t out[3 * 128];
	const uint32_t count = size[0] * size[1] * size[2];
	struct code c = { .n = 0 };
	op3(&c, GCN_V_MAD_U32_U24, V(3), V(1), K(size[0]), V(0)); /* x + size[0] y */
	op3(&c, GCN_V_MAD_U32_U24, V(3), V(2), K(size[0] * size[1]), V(3));
	op2(&c, GCN_V_LSHLREV_B32, V(4), K(2), V(3));
	op2(&c, GCN_V_ADD_U32, V(3), K(1), V(3));
	struct gcn_inst in = flat(GCN_GLOBAL_STORE_DWORD, 0, 4, 3, 0, 0);
	put(&c, &in);
	end(&c);
	struct cu_program *p = program(level, &c);
	struct cu_error err;
	uint64_t base = (uintptr_t)out;
	uint32_t user[2] = { (uint32_t)base, (uint32_t)(base >> 32) };
	struct cu_group g = { .use = { .program = p, .mode = CU_MODE_PLAIN, .user_count = 2 },
		.size = { size[0], size[1], size[2] }, .tidig_comp_cnt = comp_cnt };
	memset(out, 0, sizeof(out));
	memcpy(g.use.user, user, sizeof user);
	EXPECT(cu_group_run(ctx, &g, &err), "%s", err.text);
	for (uint32_t i = 0; i < 128; i++)
		EXPECT(out[i] == (i < count ? i + 1 : 0), "%u x %u x %u: out[%u] is %u", size[0], size[1], size[2], i, out[i]);
	cu_program_destroy(p);
}

/* Groups of several sizes, one after another. */
static void sizes(enum cu_level level)
{
	static const uint32_t size[][3] = { { 3, 5, 7 }, { 1, 1, 1 }, { 5, 3, 7 }, { 64, 1, 1 }, { 32, 2, 2 }, { 2, 4, 16 } };
	struct cu_group_ctx *ctx = cu_group_ctx_create();
	for (unsigned i = 0; i < 6; i++) {
		positions(level, ctx, size[i], 2);
		positions(level, ctx, size[i], 3);
	}
	cu_group_ctx_destroy(ctx);
}

int main(void)
{
	for (int level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		enum cu_level l = (enum cu_level)level;
		if (!has_level(l))
			continue;
		lds(l);
		global(l);
		for (uint64_t seed = 0; seed < 40; seed++)
			scattered(l, seed);
		scratch(l);
		export(l);
		compressed_export(l);
		group(l);
		sizes(l);
	}
	return finish("test_interp_memory");
}
