/* SPDX-License-Identifier: MIT */
/* A vertex and a geometry program as one: what each half may touch, what the link makes of
 * them, and what a wave of both emits, translated and compared with the interpreter.
 * Arguments: the directory of the modules. */
#include "back_exec.h"
#include "core/launch.h"
#include "isa/bits.h"
#include "isa/gcn_uses.h"
#include "isa/gsvs.h"
#include "isa/regs.h"
#include "tests/check.h"

static uint32_t words[1 << 16];

static enum compiler_status compile(const char *dir, const char *file, enum compiler_stage stage,
	const struct compiler_shader *second, void (*change)(uint32_t *words, size_t count), struct compiler_shader *out,
	char message[300])
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s.spv", dir, file);
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(words, 4, sizeof words / 4, f) : 0;
	if (f)
		fclose(f);
	if (change)
		change(words, n);
	struct compiler_input in = { .stage = stage, .words = words, .word_count = n, .entry = "main" };
	if (second) {
		in.options.first_half = 1;
		memcpy(in.options.linked, second->reads, sizeof second->reads);
	}
	return compiler_compile(&in, out, message, 300);
}

/* The first half leaves what the second finds at entry, and does not end the wave. */
static void check_first(const struct compiler_shader *s)
{
	struct gcn_inst in;
	struct gcn_uses u;
	unsigned stores = 0, ends = 0;
	for (uint32_t at = 0, size; at < s->code_dwords; at += size) {
		size = gcn_decode(GCN_GFX9, s->code + at, s->code_dwords - at, &in);
		CHECK(size);
		gcn_uses(GCN_GFX9, &in, &u);
		stores += in.op == GCN_DS_WRITE_B32;
		ends += in.op == GCN_S_ENDPGM;
		for (unsigned i = 0; i < u.writes; i++) {
			EXPECT(u.written[i].first >= ABI_MERGED_KEPT_SGPRS);
			EXPECT(u.written[i].first < GCN_SRC_VGPR0 || u.written[i].first >= GCN_SRC_VGPR0 + ABI_ESGS_KEPT_VGPRS);
		}
	}
	EXPECT(s->first_half && !ends && stores == 4 + 1); /* a position and a number */
}

static unsigned count_op(const struct compiler_shader *s, enum gcn_op op)
{
	unsigned n = 0;
	struct gcn_inst in;
	for (uint32_t at = 0, size, end = compiler_program_dwords(s); at < end; at += size) {
		size = gcn_decode(GCN_GFX9, s->code + at, end - at, &in);
		CHECK(size);
		n += in.op == op;
	}
	return n;
}

static void check_link(const struct compiler_shader *first, const struct compiler_shader *second)
{
	struct compiler_shader both, other = *first;
	CHECK(compiler_link(first, second, &both) == COMPILER_OK);
	EXPECT(both.code_dwords == first->code_dwords + second->code_dwords && both.stage == COMPILER_GS);
	EXPECT(both.vgprs >= first->vgprs && both.vgprs >= second->vgprs && both.lds_bytes == 2048);
	EXPECT(!count_op(&both, GCN_S_SETREG_IMM32_B32));
	compiler_shader_finish(&both);
	other.float_mode ^= 0x30;
	CHECK(compiler_link(&other, second, &both) == COMPILER_OK);
	EXPECT(both.float_mode == other.float_mode && count_op(&both, GCN_S_SETREG_IMM32_B32) == 1);
	compiler_shader_finish(&both);
}

/* What is indexed by a number that is not known is read where it lies: a number before the loop, in it a position and
 * a number. */
static void check_second(const struct compiler_shader *s)
{
	unsigned loads = count_op(s, GCN_DS_READ_B32);
	EXPECT(loads == 1 + 4 + 1, "%u loads", loads);
	EXPECT(!s->scratch_bytes);
}

/* --- a wave --- */

enum { PRIMS = 7, VERTICES = 3 * PRIMS, LANES = 2 * PRIMS, BASE = 100, OWN = 1024 /* bytes of scratch in front */, FIRST = 10, INSTANCE = 5,
	ITEM = 7, SCRATCH = OWN + 5 * ITEM * 4 * CU_LANES };

/* What the table behind the code says: x to w of the position, then x to w of both outputs. */
static struct isa_gsvs_component table[12];

/* No dword for what no vertex has, nor for what all have. */
static void check_table(const struct compiler_shader *s)
{
	unsigned used = 0;
	CHECK(s->gsvs_dwords == sizeof table / 4);
	EXPECT(s->gs_item_dwords == ITEM, "%u dwords", s->gs_item_dwords);
	memcpy(table, s->code + compiler_gsvs_at(s), sizeof table);
	for (unsigned i = 0; i < 12; i++)
		if (i < 7)
			used |= table[i].dword < ITEM ? 1u << table[i].dword : 0;
		else
			EXPECT(table[i].dword == ISA_GSVS_FIXED && table[i].value == (i == 8 ? float_bits(0.25f) : 0));
	EXPECT(used == (1u << ITEM) - 1, "0x%x", used);
}

static uint32_t get(const uint32_t *vertex, unsigned component)
{
	return vertex[table[component].dword * CU_LANES];
}

static void fill(struct cu_wave *w, unsigned vertices)
{
	static const uint8_t pair[3] = { 0, 1, 4 };
	memset(w->vgpr, 0, 8 * sizeof w->vgpr[0]);
	for (unsigned l = 0; l < CU_LANES; l++) {
		w->vgpr[ABI_ESGS_V_VERTEX][l] = FIRST + l;
		w->vgpr[ABI_ESGS_V_INSTANCE][l] = INSTANCE;
		for (unsigned i = 0; i < 3 && l < LANES; i++)
			w->vgpr[pair[i / 2]][l] |= (l / 2 * 3 + i) << i % 2 * 16;
		w->vgpr[ABI_ESGS_V_PRIM][l] = l / 2;
		w->vgpr[ABI_ESGS_V_INVOCATION][l] = l % 2;
	}
	w->sgpr[ABI_MERGED_S_GSVS] = OWN / CU_LANES;
	w->sgpr[ABI_MERGED_S_WAVE_INFO] = vertices | LANES << 8;
	w->sgpr[ABI_MERGED_USER + ABI_VS_S_BASE_VERTEX] = BASE;
}

static void check_vertices(const uint32_t *gsvs, const struct cu_gs *told)
{
	for (unsigned l = 0; l < LANES; l++) {
		unsigned prim = l / 2, pivot = 7 * (BASE + FIRST + 3 * prim + prim % 3), count = (pivot & 3) + 3;
		count = count < 5 ? count : 5;
		EXPECT(told->count[0][l] == count);
		EXPECT(told->cut[0][l][0] == 8);
		for (unsigned i = 0; i < count; i++) {
			const uint32_t *v = gsvs + i * ITEM * CU_LANES + l;
			unsigned index = BASE + FIRST + 3 * prim + i % 3;
			EXPECT(get(v, 0) == float_bits((float)index) && get(v, 1) == float_bits(INSTANCE));
			EXPECT(get(v, 2) == float_bits(0.5f) && get(v, 3) == float_bits(1));
			EXPECT(get(v, 4) == 7 * index && get(v, 5) == l % 2);
			EXPECT(i < 3 || get(v, 6) == i);
		}
	}
	EXPECT(!told->count[0][LANES]);
}

static void check_wave(const struct compiler_shader *both)
{
	static struct cu_gs told;
	struct back_program p = { 0 };
	struct cu_error err = { "" };
	struct cu_slot slot = { 0 };
	if (!back_program_create(&p, both, "merged", &err)) {
		printf("%s\n", err.text);
		failures++;
		return;
	}
	const struct cu_program_use use = { .program = p.program, .mode = CU_MODE_PLAIN };
	const struct cu_inputs inputs = CU_INPUTS(ABI_ESGS_VGPRS, CU_SETS_ALL);
	CHECK(cu_slot_init(&slot, CU_SLOT_WAVE | CU_SLOT_LDS) && cu_scratch_reserve(&slot.scratch, SCRATCH));
	for (unsigned round = 0; round < 2; round++) { /* the second finds the vertices of the first in LDS */
		cu_launch(&slot, &use, &inputs, ~0ull, 0);
		cu_wave_scratch(slot.wave, &slot.scratch, 0, SCRATCH, 0xeeeeeeee);
		fill(slot.wave, round ? 0 : VERTICES);
		slot.wave->lds_bytes = both->lds_bytes;
		slot.wave->gs = &told;
		memset(&told, 0, sizeof told);
		if (cu_slot_run(&slot, &use) != CU_DONE) {
			printf("%s\n", slot.wave->error.text);
			failures++;
			break;
		}
		check_vertices((const uint32_t *)(slot.scratch.base + OWN), &told);
	}
	cu_slot_finish(&slot);
	back_program_destroy(&p);
}

/* --- limits --- */

static void change_mode(uint32_t *w, size_t count, uint32_t mode, uint32_t value)
{
	for (size_t at = 5; at < count; at += w[at] >> 16)
		if ((w[at] & 0xffff) == 16 /* OpExecutionMode */ && w[at + 2] == mode)
			w[at + 3] = value;
}
static void many_vertices(uint32_t *w, size_t count) { change_mode(w, count, 26, 257); }
static void many_invocations(uint32_t *w, size_t count) { change_mode(w, count, 0, 128); }

static void check_limits(const char *dir)
{
	static const struct { const char *file; void (*change)(uint32_t *w, size_t count); const char *limit; } cases[] = {
		{ "merged.geom", many_vertices, "maxGeometryOutputVertices is 256" },
		{ "wide.geom", NULL, "256 vertices of 20 components: maxGeometryTotalOutputComponents is 4096" },
		{ "merged.geom", many_invocations, "maxGeometryShaderInvocations is 127" },
	};
	for (unsigned i = 0; i < 3; i++) {
		struct compiler_shader s;
		char message[300];
		EXPECT(compile(dir, cases[i].file, COMPILER_GS, NULL, cases[i].change, &s, message) == COMPILER_UNSUPPORTED);
		EXPECT(strstr(message, cases[i].limit));
	}
}

int main(int argc, char **argv)
{
	struct compiler_shader first, second, both;
	char message[300];
	if (argc != 2)
		return printf("the modules' directory is missing\n"), 2;
	enum compiler_status status = compile(argv[1], "merged.geom", COMPILER_GS, NULL, NULL, &second, message);
	if (status == COMPILER_OK)
		status = compile(argv[1], "merged.vert", COMPILER_VS, &second, NULL, &first, message);
	if (status != COMPILER_OK)
		return printf("%s\n", message), 1;
	EXPECT(second.reads[0] == 1u << 3 && second.reads[1] == 1u << 8); /* IR_SLOT_POSITION */
	EXPECT(second.gs_vertices_in == 3 && second.gs_vertices_out == 5 && second.gs_invocations == 2);
	EXPECT(second.gs_out_type == GS_OUT_TRIANGLES && second.param_of_slot[2] == 0);
	check_first(&first);
	check_table(&second);
	check_second(&second);
	check_link(&first, &second);
	CHECK(compiler_link(&first, &second, &both) == COMPILER_OK);
	check_wave(&both);
	check_limits(argv[1]);
	compiler_shader_finish(&first);
	compiler_shader_finish(&second);
	compiler_shader_finish(&both);
	return failures != 0;
}
