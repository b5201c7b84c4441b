/* SPDX-License-Identifier: MIT */
/* Memory instructions: every opcode of the table that is not an image's, with
 * random descriptors, operands and modifiers, at both kernel levels against the
 * reference of ref_mem.c, bit for bit.  A wild address must be a fault in both. */
#include "core/memory.h"
#include "interp_harness.h"
#include "isa/abi.h"
#include "isa/resource.h"
#include "isa/text/gcn_disasm.h"
#include "ref/ref_format.h"
#include "ref/ref_mem.h"

enum { ARENA = 1 << 15, LDS = 4096, SCRATCH = 64 * 256, TRIES = 16 };
static uint8_t arena[ARENA] __attribute__((aligned(4096)));
static uint8_t lds[LDS], scratch[SCRATCH] __attribute__((aligned(256)));
static uint8_t first[ARENA + LDS + SCRATCH]; /* what they held before */
static uint64_t seed = 12345;
static uint32_t rn(uint32_t n) { return rnd(&seed) % n; }

/* Registers: s[2:3] base, s4 offset, s[8:11] V#, data SGPRs from s20; v[0:1]
 * address, data from v8, results from v16. */
enum { S_BASE = 2, S_OFFSET = 4, S_V = 8, S_DATA = 20, V_ADDR = 0, V_DATA = 8, V_RESULT = 16 };

static uint32_t any_data(void)
{
	static const uint32_t odd[] = { 0, 1, 0x80000000, 0x7fffffff, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
		0x477fe000, 0x33000000, 0x38800000, 0x3effffff };
	return rn(3) ? rnd(&seed) : odd[rn(sizeof(odd) / sizeof(odd[0]))];
}
static void describe(struct ref_mem_wave *w, bool *idxen)
{
	uint32_t *v = &w->sgpr[S_V], stride = rn(3) ? 4 * (1 + rn(8)) : 0;
	bool swizzle = stride && !rn(4);
	ISA_SET(v, V_BASE_LO, (uint32_t)(w->address + 4096 + (rn(4) ? 0 : rn(16))));
	ISA_SET(v, V_BASE_HI, (uint32_t)(w->address >> 32));
	ISA_SET(v, V_STRIDE, stride);
	ISA_SET(v, V_SWIZZLE_EN, swizzle);
	ISA_SET(v, V_ELEM_SIZE, 1 + rn(3));
	ISA_SET(v, V_INDEX_STRIDE, rn(4));
	ISA_SET(v, V_TID_ENABLE, stride && rn(2));
	ISA_SET(v, V_NUM_RECORDS, stride ? 20 + rn(80) : rn(4) ? 4 * rn(1000) : rn(4000));
	for (unsigned c = 0; c < 4; c++) {
		static const uint8_t sel[6] = { SEL_0, SEL_1, SEL_R, SEL_G, SEL_B, SEL_A };
		ISA_SET(v, V_DST_SEL(c), rn(2) ? SEL_R + c : sel[rn(6)]);
	}
	v_set_dfmt(v, rn(4) ? rn(16) : 28 + rn(4));
	ISA_SET(v, V_NUM_FORMAT, rn(8));
	*idxen = swizzle || (stride && rn(2));
}
static void buffer_operands(struct ref_mem_wave *w, struct gcn_inst *in, bool store)
{
	bool idxen;
	describe(w, &idxen);
	if (strstr(gcn_op_info((enum gcn_op)in->op)->name, "wbinvl1"))
		return;
	in->dst = gcn_op_info((enum gcn_op)in->op)->dst_dw ? V(V_RESULT) : NONE;
	in->src[1] = S_V;
	in->src[2] = rn(2) ? S_OFFSET : K((int)rn(20));
	w->sgpr[S_OFFSET] = rn(3) ? 4 * rn(32) : rn(128);
	in->idxen = idxen;
	in->offen = rn(2);
	in->offset = (int32_t)(rn(3) ? 4 * rn(16) : rn(64));
	in->dfmt = (uint8_t)rn(16);
	in->nfmt = (uint8_t)rn(8);
	in->glc = rn(2);
	if (in->op == GCN_BUFFER_STORE_LDS_DWORD) {
		in->lds = 1;
		in->idxen = in->offen = 0;
	} else if (!store && in->fmt == GCN_MUBUF && !rn(6)) {
		in->lds = 1;
	} else if (!store && !rn(6)) {
		in->tfe = 1;
	}
	w->sgpr[GCN_SRC_M0] = 4 * rn(LDS / 4 + 20);
	in->src[0] = in->idxen || in->offen ? V(V_ADDR) : NONE;
	for (int l = 0; l < 64; l++) {
		uint32_t offset = rn(3) ? 4 * rn(16) : rn(1100), index = rn(110);
		if (!rn(60))
			offset = 0xfffffff0u - rn(9), index = 0x80000000;
		w->vgpr[V_ADDR][l] = in->idxen ? index : offset;
		w->vgpr[V_ADDR + 1][l] = offset;
	}
	if (!rn(12)) /* wild */
		w->sgpr[S_V + rn(2)] ^= 1u << rn(12);
}
static void scalar_operands(struct ref_mem_wave *w, struct gcn_inst *in)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	bool idxen;
	uint64_t base = w->address + 4096 + rn(4096);
	if (!info->src_dw[0])
		return;
	if (strstr(info->name, "s_scratch")) {
		base = (uintptr_t)scratch + 4 * rn(100);
		memcpy(&w->sgpr[S_BASE], &base, 8);
		in->dst = S_DATA, in->src[0] = S_BASE, in->src[1] = rn(2) ? S_OFFSET : NONE;
		in->offset = in->src[1] == NONE ? (int32_t)rn(280) : 0;
		w->sgpr[S_OFFSET] = rn(280);
		return;
	}
	describe(w, &idxen);
	memcpy(&w->sgpr[S_BASE], &base, 8);
	in->dst = info->dst_dw ? S_DATA : NONE;
	if (info->flags & GCN_F_RAW_OPERAND)
		in->dst = (uint16_t)rn(128);
	in->src[0] = info->src_dw[0] == 4 ? S_V : S_BASE;
	in->glc = rn(2);
	w->sgpr[S_OFFSET] = rn(3000);
	if (rn(2))
		in->src[1] = S_OFFSET;
	if (in->src[1] == NONE || rn(2))
		in->offset = rn(2) || info->src_dw[0] == 4 ? (int32_t)rn(4000) : -(int32_t)rn(2000);
	if (!rn(12))
		w->sgpr[S_BASE + rn(2)] ^= 1u << (13 + rn(12));
}
static void ds_operands(struct ref_mem_wave *w, struct gcn_inst *in)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	if (in->op == GCN_DS_NOP)
		return;
	in->dst = info->dst_dw ? V(V_RESULT) : NONE;
	in->src[0] = info->src_dw[0] ? V(V_ADDR) : NONE;
	in->src[1] = info->src_dw[1] ? V(V_DATA) : NONE;
	in->src[2] = info->src_dw[2] ? V(V_DATA + 4) : NONE;
	in->offset = (int32_t)(rn(2) ? rn(65536) : rn(64));
	w->sgpr[GCN_SRC_M0] = rn(LDS);
	for (int l = 0; l < 64; l++)
		w->vgpr[V_ADDR][l] = rn(20) ? rn(LDS + 64) : rnd(&seed);
}
static void flat_operands(struct ref_mem_wave *w, struct gcn_inst *in)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	uint64_t base = w->address + 4096 + 4 * rn(3000), skip = 256 * rn(3);
	bool saddr = in->fmt != GCN_FLAT && rn(2), row = rn(2), wild = !rn(12);
	const unsigned step = 4 * (1 + rn(8));
	memcpy(&w->sgpr[S_BASE], &base, 8);
	in->dst = info->dst_dw ? V(V_RESULT) : NONE;
	in->glc = info->flags & GCN_F_ATOMIC && rn(2);
	if (info->flags & GCN_F_ATOMIC && !in->glc)
		in->dst = NONE;
	in->src[0] = V(V_ADDR);
	in->src[1] = info->src_dw[1] ? V(V_DATA) : NONE;
	in->src[2] = saddr ? S_BASE : NONE;
	if (in->fmt == GCN_SCRATCH) {
		w->sgpr[S_BASE] = rn(100);
		if (saddr)
			in->src[0] = NONE;
	}
	if (info->flags & GCN_F_MAY_LDS && !rn(4)) {
		in->lds = 1, in->dst = NONE;
		w->sgpr[GCN_SRC_M0] = rnd(&seed) << 16 | rn(LDS + 80);
	}
	in->offset = in->fmt == GCN_FLAT ? (int32_t)rn(256) : (int32_t)rn(256) - 64;
	if (info->opcode[GCN_GFX9] < 0)
		in->offset = 0; /* FLAT has offsets on gfx9 only */
	skip += (uintptr_t)scratch;
	memcpy(&w->sgpr[GCN_SRC_FLAT_SCRATCH], &skip, 8);
	for (int l = 0; l < 64; l++) {
		uint64_t a = row ? base + step * (unsigned)l : base + rn(4000);
		if (in->fmt == GCN_SCRATCH) {
			a = 64 + rn(row ? 4 : 100);
		} else if (saddr) {
			a = row ? step * (unsigned)l : rn(4000);
		} else if (in->fmt == GCN_FLAT && !row && rn(2)) {
			a = (rn(2) ? ABI_SHARED_BASE + rn(LDS + 100) : ABI_PRIVATE_BASE + rn(100));
		}
		if (wild && !rn(20))
			a ^= 1ull << (14 + rn(49));
		w->vgpr[V_ADDR][l] = (uint32_t)a;
		w->vgpr[V_ADDR + 1][l] = (uint32_t)(a >> 32);
	}
}

static void randomize(struct ref_mem_wave *w)
{
	memset(w, 0, sizeof(*w));
	for (size_t i = 0; i < sizeof(first); i += 4) {
		uint32_t x = any_data();
		memcpy(first + i, &x, 4);
	}
	for (unsigned i = 0; i < 40; i++)
		for (int l = 0; l < 64; l++)
			w->vgpr[i][l] = any_data();
	for (unsigned i = 0; i < 104; i++)
		w->sgpr[i] = any_data();
	uint64_t exec = rn(2) ? ~0ull : (uint64_t)rnd(&seed) << 32 | rnd(&seed);
	memcpy(&w->sgpr[126], &exec, 8);
	w->address = (uintptr_t)arena;
	w->bytes = ARENA;
	w->lds_bytes = LDS;
	w->scratch_bytes = SCRATCH;
	w->scratch_address = (uintptr_t)scratch;
}
static bool is_nan(uint32_t x) { return (x & 0x7fffffff) > 0x7f800000; }

/* The last generation that has the opcode. */
static enum gcn_gen newest(enum gcn_op op)
{
	int gen = GCN_GFX9;
	while (gen > GCN_GFX6 && gcn_op_info(op)->opcode[gen] < 0)
		gen--;
	return (enum gcn_gen)gen;
}

static void compare(enum cu_level level, const struct ref_mem_wave *start, const struct ref_mem_wave *want,
	const struct gcn_inst *in, const struct code *c, const struct cu_memory *memory)
{
	char text[160];
	struct cu_error err;
	struct cu_program *p = cu_program_create_gen(level, newest((enum gcn_op)in->op), c->dw, c->n, &err);
	struct cu_wave *w = wave(0);
	memcpy(w->vgpr, start->vgpr, sizeof(w->vgpr));
	memcpy(w->sgpr, start->sgpr, sizeof(w->sgpr));
	w->memory = memory;
	w->lds = lds, w->lds_bytes = LDS;
	w->scratch = scratch, w->scratch_bytes = SCRATCH;
	memcpy(arena, first, ARENA);
	memcpy(lds, first + ARENA, LDS);
	memcpy(scratch, first + ARENA + LDS, SCRATCH);
	gcn_disasm(newest((enum gcn_op)in->op), in, 0, text, sizeof(text));
	enum cu_status s = cu_wave_run(p, w);
	EXPECT((s == CU_FAULT) == want->fault, "v%d %s: fault %d, not %d: %s", level == CU_LEVEL_V4 ? 4 : 3, text,
		s == CU_FAULT, want->fault, w->error.text);
	EXPECT(s == CU_FAULT || s == CU_DONE, "%s: status %d", text, s);
	if (s == CU_DONE && !want->fault) {
		for (unsigned i = 0; i < 40; i++)
			for (int l = 0; l < 64; l++)
				EXPECT(w->vgpr[i][l] == want->vgpr[i][l] ||
					(is_nan(w->vgpr[i][l]) && is_nan(want->vgpr[i][l])),
					"v%d %s: v%u lane %d is %08x, not %08x (offset %x)", level == CU_LEVEL_V4 ? 4 : 3, text, i, l,
					w->vgpr[i][l], want->vgpr[i][l], start->vgpr[V_ADDR][l]);
		for (unsigned i = 0; i < 104; i++)
			EXPECT(w->sgpr[i] == want->sgpr[i], "%s: s%u is %08x, not %08x", text, i, w->sgpr[i], want->sgpr[i]);
		EXPECT(!memcmp(arena, want->memory, ARENA), "%s: memory", text);
		EXPECT(!memcmp(lds, want->lds, LDS), "%s: LDS", text);
		EXPECT(!memcmp(scratch, want->scratch, SCRATCH), "%s: scratch", text);
	}
	free(w);
	cu_program_destroy(p);
}

/* One random instruction of the opcode; false when it cannot be encoded. */
static bool attempt(enum gcn_op op, const struct cu_memory *memory, unsigned *faults)
{
	static struct ref_mem_wave start, want;
	static uint8_t after[ARENA + LDS + SCRATCH];
	const struct gcn_op_info *info = gcn_op_info(op);
	struct gcn_inst in = inst(op);
	struct code c = { .n = 0 };
	randomize(&start);
	switch (in.fmt) {
	case GCN_MUBUF: case GCN_MTBUF: buffer_operands(&start, &in, !(info->flags & GCN_F_LOAD)); break;
	case GCN_SMEM: scalar_operands(&start, &in); break;
	case GCN_DS: ds_operands(&start, &in); break;
	default: flat_operands(&start, &in); break;
	}
	struct cu_error err;
	c.n = gcn_encode(newest(op), &in, c.dw, NULL);
	if (!c.n)
		return false;
	c.dw[c.n++] = 0xbf810000; /* s_endpgm, in every generation */
	struct cu_program *p = cu_program_create_gen(CU_LEVEL_V3, newest(op), c.dw, c.n, &err);
	if (!p)
		return false;
	cu_program_destroy(p);
	want = start;
	memcpy(after, first, sizeof(after));
	want.memory = after, want.lds = after + ARENA, want.scratch = after + ARENA + LDS;
	if (!ref_mem_run(&want, &in))
		return false;
	*faults += want.fault;
	for (int level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++)
		if (has_level((enum cu_level)level))
			compare((enum cu_level)level, &start, &want, &in, &c, memory);
	return true;
}

static bool is_memory(enum gcn_op op)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	switch (info->fmt) {
	case GCN_SMEM: case GCN_DS: case GCN_MUBUF: case GCN_MTBUF: case GCN_FLAT: case GCN_GLOBAL: case GCN_SCRATCH:
		return !strstr(info->name, "s_mem"); /* clocks */
	default:
		return false;
	}
}
/* Opcodes that the reference leaves to other tests or the program refuses. */
static bool is_left(const char *name)
{
	return strstr(name, "gws") || strstr(name, "ordered");
}

/* With an argument, --list: the mnemonics that are compared. */
int main(int argc, char **argv)
{
	bool list = argc == 2 && !strcmp(argv[1], "--list");
	struct cu_memory *memory = cu_memory_create();
	unsigned opcodes = 0, done = 0, faults = 0;
	cu_memory_add(memory, arena, ARENA);
	for (int op = 0; op < GCN_OP_COUNT; op++) {
		const char *name = gcn_op_info((enum gcn_op)op)->name;
		unsigned n = 0;
		if (!is_memory((enum gcn_op)op) || is_left(name))
			continue;
		if (list) {
			printf("%s\n", name);
			continue;
		}
		for (unsigned i = 0; i < 4 * TRIES && n < TRIES; i++)
			n += attempt((enum gcn_op)op, memory, &faults);
		EXPECT(n >= TRIES / 2, "%s: only %u tries could be run", name, n);
		opcodes++;
		done += n;
	}
	cu_memory_destroy(memory);
	if (list)
		return 0;
	printf("%u opcodes, %u instructions, %u of them wild\n", opcodes, done, faults);
	EXPECT(opcodes > 400 && faults > 100, "too few");
	return finish("test_ref_mem");
}
