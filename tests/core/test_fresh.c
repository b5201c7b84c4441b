/* SPDX-License-Identifier: MIT */
/* Registers that a program has not written: of another program's values nothing
 * shows, whatever way they are read.  A program that fills all registers runs
 * before each; interpreted, translated and both, zeros and poison. */
#include "core/group.h"
#include "core/jit/jit.h"
#include "core/jit/jit_host.h"
#include "core/mode.h"
#include "interp_harness.h"

enum { GIVEN = 5, POISON = 0x7fedbad1, EXEC_HI = EXEC + 1, ROWS = 16 };
static const uint32_t trace = 0xc0ffee00;
static uint32_t found[ROWS][CU_LANES] __attribute__((aligned(4096)));

/* All registers but s[0:1] and EXEC. */
static void fill(struct code *c)
{
	for (unsigned s = 2; s < 102; s++)
		lit1(c, GCN_S_MOV_B32, s, trace);
	lit1(c, GCN_S_MOV_B32, VCC, trace);
	lit1(c, GCN_S_MOV_B32, M0, trace);
	for (unsigned v = 0; v < CU_VGPRS; v++)
		lit1(c, GCN_V_MOV_B32, V(v), trace);
	end(c);
}

/* v0: the lane, s[0:1]: where the next row goes. */
static void show(struct code *c, unsigned v)
{
	struct gcn_inst in = inst(GCN_GLOBAL_STORE_DWORD);
	in.src[0] = V(0);
	in.src[1] = (uint16_t)V(v);
	in.src[2] = 0;
	put(c, &in);
	struct gcn_inst next = inst(GCN_S_ADD_U32);
	next.dst = next.src[0] = 0;
	next.src[1] = LITERAL;
	next.literal = sizeof(found[0]);
	put(c, &next);
}

static void plain(struct code *c)
{
	for (unsigned v = 1; v < 12; v++)
		show(c, v == 11 ? 255 : 3 * v);
}
static void some_lanes(struct code *c)
{
	op1(c, GCN_S_MOV_B32, EXEC_HI, K(0));
	op1(c, GCN_V_MOV_B32, V(10), K(GIVEN));
	op1(c, GCN_S_MOV_B32, EXEC_HI, K(-1));
	show(c, 10);
}
static void lane_that_is_off(struct code *c)
{
	op1(c, GCN_S_MOV_B32, EXEC_HI, K(0));
	op1(c, GCN_V_MOV_B32, V(10), K(GIVEN));
	op2(c, GCN_V_READLANE_B32, 4, V(10), K(40));
	op1(c, GCN_S_MOV_B32, EXEC_HI, K(-1));
	op1(c, GCN_V_MOV_B32, V(11), 4);
	show(c, 11);
}
static void branch_around(struct code *c)
{
	op2(c, GCN_S_CMP_EQ_U32, NONE, K(0), K(0));
	imm(c, GCN_S_CBRANCH_SCC1, 1);
	op1(c, GCN_V_MOV_B32, V(10), K(GIVEN));
	show(c, 10);
}
static void load_scratch(struct code *c, unsigned v)
{
	struct gcn_inst in = inst(GCN_SCRATCH_LOAD_DWORD);
	in.dst = V(v);
	in.src[0] = V(9);
	in.src[2] = NONE;
	put(c, &in);
}
static void store_scratch(struct code *c, unsigned v)
{
	struct gcn_inst in = inst(GCN_SCRATCH_STORE_DWORD);
	in.src[0] = V(9);
	in.src[1] = V(v);
	in.src[2] = NONE;
	put(c, &in);
}
/* Scratch as it is at first; then something is there. */
static void scratch_row(struct code *c)
{
	op1(c, GCN_V_MOV_B32, V(9), K(0));
	load_scratch(c, 10);
	op1(c, GCN_V_MOV_B32, V(11), K(GIVEN));
	store_scratch(c, 11);
	show(c, 10);
}
static void indexed(struct code *c)
{
	struct gcn_inst on = inst(GCN_S_SET_GPR_IDX_ON);
	on.src[0] = K(10);
	on.src[1] = 1; /* source 0 */
	put(c, &on);
	op1(c, GCN_V_MOV_B32, V(11), V(20));
	imm(c, GCN_S_SET_GPR_IDX_OFF, 0);
	show(c, 11);
}
static void half_written(struct code *c)
{
	op2(c, GCN_V_CVT_PKRTZ_F16_F32, V(9), K(0), K(0));
	struct gcn_inst in = inst(GCN_V_MOV_B32);
	in.sub = GCN_SUB_SDWA;
	in.dst = V(10);
	in.src[0] = V(9);
	in.dst_sel = in.src_sel[0] = 4; /* a word; the other is kept */
	in.dst_unused = 2;
	put(c, &in);
	op2(c, GCN_V_LSHRREV_B32, V(10), K(16), V(10));
	op2(c, GCN_V_LSHLREV_B32, V(10), K(16), V(10));
	show(c, 10);
}
/* The lanes' numbers again, where lanes are on that the group has not. */
static void own_lane(struct code *c)
{
	op2(c, GCN_V_MBCNT_LO_U32_B32, V(0), K(-1), K(0));
	op2(c, GCN_V_MBCNT_HI_U32_B32, V(0), K(-1), V(0));
	op2(c, GCN_V_LSHLREV_B32, V(0), K(2), V(0));
}
static void whole_quads(struct code *c)
{
	op1(c, GCN_S_WQM_B64, EXEC, EXEC);
	own_lane(c);
	show(c, 10);
}
static void quads_and_all(struct code *c)
{
	op1(c, GCN_S_MOV_B64, 4, EXEC);
	op1(c, GCN_V_MOV_B32, V(10), K(GIVEN));
	op1(c, GCN_S_WQM_B64, EXEC, EXEC);
	op1(c, GCN_V_MOV_B32, V(11), K(GIVEN));
	op1(c, GCN_S_MOV_B64, EXEC, 4);
	op1(c, GCN_V_MOV_B32, V(12), K(GIVEN));
	op1(c, GCN_S_MOV_B64, EXEC, K(-1));
	own_lane(c);
	for (unsigned v = 10; v < 13; v++)
		show(c, v);
}
/* A copy of EXEC that a vector instruction has changed is none. */
static void changed_copy(struct code *c)
{
	op1(c, GCN_S_MOV_B64, 4, EXEC);
	op1(c, GCN_V_MOV_B32, V(10), K(GIVEN));
	op1(c, GCN_V_MOV_B32, V(11), K(-1));
	op2(c, GCN_V_READLANE_B32, 5, V(11), K(0));
	op1(c, GCN_S_MOV_B64, EXEC, 4);
	own_lane(c);
	op1(c, GCN_V_MOV_B32, V(12), V(10));
	show(c, 12);
}
static void scalars(struct code *c)
{
	static const unsigned registers[] = { 2, 50, 101, VCC, M0 };
	for (unsigned i = 0; i < 5; i++) {
		op1(c, GCN_V_MOV_B32, V(11), registers[i]);
		show(c, 11);
	}
}

static const struct test_case { const char *name; void (*make)(struct code *); unsigned rows, given, lanes; } cases[] = {
	{ "plain", plain, 11, 0 }, { "some lanes", some_lanes, 1, 32 }, { "a lane that is off", lane_that_is_off, 1, 0 },
	{ "a branch around", branch_around, 1, 0 }, { "indexed", indexed, 1, 0 },
	{ "half written", half_written, 1, 0 }, { "scalars", scalars, 5, 0 },
	{ "whole quads", whole_quads, 1, 0, 33 }, { "quads and all", quads_and_all, 3, 33 + 36 + 33, 33 },
	{ "a changed copy", changed_copy, 1, 33, 33 }, { "scratch", scratch_row, 1, 0, 0 },
};

/* For the next group not to find. */
static void leave_something(struct code *c)
{
	static const unsigned registers[] = { 2, 50, 101, VCC, M0 };
	op1(c, GCN_S_MOV_B64, EXEC, K(-1));
	for (unsigned v = 10; v <= 20; v++)
		op1(c, GCN_V_MOV_B32, V(v), K(GIVEN));
	for (unsigned i = 0; i < 5; i++)
		op1(c, GCN_S_MOV_B32, registers[i], K(GIVEN));
}

static void run_group(struct cu_group_ctx *ctx, const char *core, enum cu_level level, const struct code *c,
	unsigned lanes, uint32_t poison)
{
	struct cu_host_info info = { 0 };
	const char *why = "";
	cu_core_parse(core, &info.core);
	struct cu_host *host = cu_host_create(&info, &why);
	uint64_t address = (uintptr_t)found;
	uint32_t user[2] = { (uint32_t)address, (uint32_t)(address >> 32) };
	struct cu_program *p = program(level, c);
	struct cu_error err = { "" };
	cu_host_add(host, p, "fresh", (struct cu_host_blob){ 0 });
	struct cu_group g = { .use = { .program = p, .mode = CU_MODE_PLAIN, .user_count = 2, .scratch_bytes = 1024 }, .size = { lanes, 1, 1 } };
	g.bounds.poison = poison;
	memcpy(g.use.user, user, sizeof user);
	EXPECT(cu_group_run(ctx, &g, &err), "%s", err.text);
	memset(found, 0x55, sizeof(found));
	EXPECT(cu_group_run_next(ctx, &g, &err), "%s", err.text); /* finds as little of the first */
	cu_program_destroy(p);
	cu_host_destroy(host);
}

static void one(const struct test_case *t, enum cu_level level, const char *core, uint32_t poison)
{
	static struct code before, after;
	struct cu_group_ctx *ctx = cu_group_ctx_create();
	before.n = after.n = 0;
	fill(&before);
	op2(&after, GCN_V_LSHLREV_B32, V(0), K(2), V(0));
	t->make(&after);
	leave_something(&after);
	end(&after);
	memset(found, 0x55, sizeof(found));
	run_group(ctx, "interp", level, &before, CU_LANES, poison); /* translated, what nobody reads is not written */
	run_group(ctx, core, level, &after, t->lanes ? t->lanes : CU_LANES, poison);
	unsigned given = 0, others = 0, rows = t->make == whole_quads ? 36 : t->rows * CU_LANES;
	uint32_t blank = t->make == half_written ? poison & 0xffff0000 : poison;
	for (unsigned i = 0; i < rows; i++) {
		uint32_t x = found[i / CU_LANES][i % CU_LANES];
		given += x == GIVEN;
		others += x != GIVEN && x != blank;
	}
	EXPECT(given == t->given && !others, "%s, level %d, %s, poison %x: %u of %u lanes are given, %u show something (0x%08x)",
		t->name, level, core, poison, given, t->given, others, found[0][63]);
	cu_group_ctx_destroy(ctx);
}

/* Waves of a group have scratch of their own, when they are launched again, too. */
static void test_scratch_of_waves(enum cu_level level, const char *core)
{
	enum { LANES = 2 * CU_LANES };
	struct code c = { .n = 0 };
	struct cu_group_ctx *ctx = cu_group_ctx_create();
	op2(&c, GCN_V_LSHLREV_B32, V(0), K(2), V(0));
	op1(&c, GCN_V_MOV_B32, V(9), K(0));
	store_scratch(&c, 0);
	imm(&c, GCN_S_BARRIER, 0);
	load_scratch(&c, 10);
	show(&c, 10);
	end(&c);
	run_group(ctx, core, level, &c, LANES, 0);
	for (uint32_t l = 0; l < LANES; l++) {
		const uint32_t is = found[l / CU_LANES][l % CU_LANES];
		EXPECT(is == 4 * l, "level %d, %s, lane %u has scratch with %u", level, core, l, is / 4);
	}
	cu_group_ctx_destroy(ctx);
}

/* Scratch is blank whoever had it before: waves that write some rows of it, each their own part, in turn with others, in other
 * parts, elsewhere, and with another blank. */
static void test_scratch(void)
{
	enum { ROWS_OF = 8, PART = ROWS_OF * CU_SCRATCH_ROW, WAVES = 4 };
	static const uint32_t parts[] = { PART, PART, PART, PART / 2, PART / 4 };
	struct cu_scratch s[2] = { { 0 }, { 0 } };
	struct cu_wave *w[WAVES];
	uint32_t poison = 0, part = PART;
	uint64_t rest = 7;
	for (unsigned i = 0; i < WAVES; i++)
		w[i] = wave(~0ull);
	for (unsigned k = 0; k < 2; k++)
		EXPECT(cu_scratch_reserve(&s[k], WAVES * PART), "no memory");
	for (unsigned turn = 0; turn < 20000; turn++) {
		rest = rest * 6364136223846793005 + 1442695040888963407;
		const uint32_t r = (uint32_t)(rest >> 33);
		const unsigned n = r % WAVES, from = r >> 3 & 1;
		if (r >> 4 & 15)
			part = parts[r >> 8 & 3 ? 0 : r >> 10 & 3];
		else
			poison = r >> 12 & 1 ? POISON : 0;
		struct cu_wave *const by = w[r >> 13 & 7 ? n : r >> 16 & 3];
		cu_wave_init(by, ~0ull, NULL);
		cu_wave_scratch(by, &s[from], (size_t)part * n, part, poison);
		uint32_t differ = 0, *const dwords = (uint32_t *)by->scratch;
		for (unsigned i = 0; i < part / 4; i++)
			differ |= dwords[i] ^ poison;
		EXPECT(!differ, "turn %u: part %u of %u bytes is not blank", turn, n, part);
		if (differ)
			break;
		for (unsigned i = r >> 18 & 3; i; i--) {
			const uint32_t at = (r >> 20) * i % (part / 4);
			dwords[at] = trace;
			if (r >> 17 & 1)
				cu_scratch_written(by, 4 * at);
			else if (4 * at > by->scratch_high[at % 16])
				by->scratch_high[at % 16] = 4 * at;
		}
	}
	EXPECT(s[0].of[0] && s[1].of[0], "nobody had a part");
	for (unsigned i = 0; i < WAVES; i++)
		free(w[i]);
	for (unsigned k = 0; k < 2; k++)
		cu_scratch_free(&s[k]);
}

/* A sample reads the addresses of quads whose other lanes are off, and of no others. */
static void test_sample(void)
{
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_IMAGE_SAMPLE);
	in.dst = V(4);
	in.src[0] = V(8);
	in.src[1] = 8;
	in.src[2] = 16;
	in.dmask = 15;
	put(&c, &in);
	end(&c);
	struct cu_program *p = program(CU_LEVEL_V3, &c);
	cu_jit_unwritten(p);
	EXPECT((p->unwritten.on[0] & 0x7f0) == 0x300 && (p->unwritten.quad[0] & 0x7f0) == 0x300 && !(p->unwritten.off[0] & 0x7f0),
		"read by a sample: on 0x%llx, quad 0x%llx, off 0x%llx", (unsigned long long)p->unwritten.on[0],
		(unsigned long long)p->unwritten.quad[0], (unsigned long long)p->unwritten.off[0]);
	cu_program_destroy(p);
}

int main(void)
{
	static const char *const cores[] = { "interp", "jit", "check" };
	unsigned mxcsr = cu_fp_enter();
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (enum cu_level level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++)
			for (int core = 0; core < 6 && has_level(level); core++)
				one(&cases[i], level, cores[core / 2], core & 1 ? POISON : 0);
	for (enum cu_level level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++)
		for (int core = 0; core < 3 && has_level(level); core++)
			test_scratch_of_waves(level, cores[core]);
	test_scratch();
	test_sample();
	cu_fp_leave(mxcsr);
	return finish("fresh");
}
