/* SPDX-License-Identifier: MIT */
/* Discards and demotions in switches that fall through, as fragment waves on the
 * compute unit: what live lanes export and store, which lanes end, and what helper
 * lanes give to the derivatives of their neighbours; the same text as C says what is
 * right.  With all registers, and with so few that values are spilled.
 * Argument: the directory of the modules. */
#include "compiler/compile.h"
#include "compiler/spv/spv.h"
#include "core/cu.h"
#include "isa/abi.h"
#include "isa/regs.h"
#include "isa/resource.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 1 << 14, UNTOUCHED = 0xcdcdcdcd };

static uint32_t words[MAX_WORDS], data[CU_LANES], results[2 * CU_LANES];

static const struct variant {
	const char *name;
	bool demote, once, ballot;
} variants[] = {
	{ .name = "discard_call" }, { .name = "discard_direct", .once = true }, { .name = "discard_loop" },
	{ .name = "discard_ballot", .ballot = true },
	{ .name = "demote_call", .demote = true }, { .name = "demote_direct", .demote = true, .once = true },
	{ .name = "demote_loop", .demote = true }, { .name = "demote_ballot", .demote = true, .ballot = true },
};

/* --- what is right --- */

/* dead: a helper, from the start or since it met END; met: it did, and its g is only
 * known if that was a demotion. */
struct lane { uint32_t g, note; bool dead, met, noted; };

typedef uint32_t uint;
#define NOTE if (!l->dead) { l->note = g; l->noted = true; }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#define END { l->dead = l->met = true; return; }
static void fall_discard(struct lane *l, uint x)
{
	uint g = l->g;
#include "back/discard_switch.glsl"
	l->g = g;
}
#undef END
#define END l->dead = l->met = true;
static void fall_demote(struct lane *l, uint x)
{
	uint g = l->g;
#include "back/discard_switch.glsl"
	l->g = g;
}
#pragma GCC diagnostic pop

static struct lane expected(const struct variant *v, uint32_t word, bool live)
{
	struct lane l = { .g = word & 1023, .dead = !live };
	for (uint32_t k = 0; k < (v->once ? 1 : 3) && (v->demote || !l.met); k++)
		(v->demote ? fall_demote : fall_discard)(&l, ((word >> 10) + k * 7) % 16);
	return l;
}

/* --- what comes out --- */

static bool compile(const char *dir, const char *name, const struct compile_limits *limits, struct compiler_shader *out)
{
	static const struct compiler_binding bindings[] = {
		{ .set = 0, .binding = 0, .type = COMPILER_DESC_SSBO, .count = 1, .offset = 0, .stride = 16 },
		{ .set = 0, .binding = 1, .type = COMPILER_DESC_SSBO, .count = 1, .offset = 16, .stride = 16 },
	};
	char path[4096], message[300] = "";
	snprintf(path, sizeof path, "%s/%s.spv", dir, name);
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(words, 4, MAX_WORDS, f) : 0;
	if (f)
		fclose(f);
	struct compiler_input in = { .stage = COMPILER_PS, .words = words, .word_count = n, .entry = "main",
		.bindings = bindings, .binding_count = 2, .dump_dir = getenv("QW_DUMP"), .dump_name = name };
	struct ir_pool *pool = ir_pool_create();
	struct ir_func *func = NULL;
	enum compiler_status status = spv_to_ir(&in, pool, &func, message, sizeof message);
	if (status == COMPILER_OK)
		status = compile_ir(&in, func, limits, out, message, sizeof message);
	if (status != COMPILER_OK)
		printf("%s: status %d: %s\n", path, status, message);
	ir_pool_destroy(pool);
	return status == COMPILER_OK;
}

static void buffer_descriptor(uint32_t *v, const void *base, uint32_t bytes)
{
	memset(v, 0, 16);
	ISA_SET(v, V_BASE_LO, (uint32_t)(uintptr_t)base);
	ISA_SET(v, V_BASE_HI, (uint32_t)((uintptr_t)base >> 32));
	ISA_SET(v, V_NUM_RECORDS, bytes);
}

/* One wave with these lanes covered; lane l is the pixel at x = l. */
static bool execute(const struct compiler_shader *shader, uint64_t exec, struct cu_exports *exports)
{
	static struct cu_wave w;
	static uint32_t set[8];
	static uint64_t root[ABI_ROOT_BYTES / 8];
	struct cu_scratch scratch = { 0 };
	struct cu_error err = { "" };
	enum cu_level level;
	const char *why;
	buffer_descriptor(set, data, sizeof data);
	buffer_descriptor(set + 4, results, sizeof results);
	root[ABI_ROOT_SETS / 8] = (uintptr_t)set;
	if (!cu_level_detect(getenv("QW_CPU"), &level, &why))
		return printf("%s\n", why), false;
	struct cu_program *p = cu_program_create(level, shader->code, shader->code_dwords, &err);
	bool ok = p && cu_scratch_reserve(&scratch, shader->scratch_bytes * 64);
	if (ok) {
		cu_wave_init(&w, exec, exports);
		cu_wave_fresh(&w, p, 1, CU_SETS_QUADS, 0);
		exports->valid = ~0ull;
		w.budget = 1 << 20; /* instructions */
		w.sgpr[ABI_S_ROOT] = (uint32_t)(uintptr_t)root;
		w.sgpr[ABI_S_ROOT + 1] = (uint32_t)((uintptr_t)root >> 32);
		for (unsigned l = 0; l < CU_LANES; l++) {
			float x = (float)l + 0.5f;
			memcpy(&w.vgpr[0][l], &x, 4);
		}
		cu_wave_scratch(&w, &scratch, 0, shader->scratch_bytes * 64, 0);
		unsigned mxcsr = cu_fp_enter();
		ok = cu_wave_run(p, &w) == CU_DONE;
		cu_fp_leave(mxcsr);
	}
	if (!ok)
		printf("%s\n", p ? w.error.text : err.text);
	cu_scratch_free(&scratch);
	cu_program_destroy(p);
	return ok;
}

/* --- the comparison --- */

static int differs(const char *name, unsigned lane, const char *what, uint32_t got, uint32_t want)
{
	if (got != want)
		printf("%s: lane %u: %s is 0x%x, not 0x%x\n", name, lane, what, got, want);
	return got != want;
}

static uint32_t difference(uint32_t a, uint32_t b)
{
	float d = (float)a - (float)b;
	uint32_t bits;
	memcpy(&bits, &d, sizeof bits);
	return bits;
}

static int compare_derivatives(const char *name, const struct lane *lanes, unsigned l, const struct cu_exports *e)
{
	const struct lane *right = &lanes[l | 1], *left = &lanes[l & ~1u], *low = &lanes[l | 2], *high = &lanes[l & ~2u];
	return differs(name, l, "dFdx", e->data[0][1][l], difference(right->g & 0xffff, left->g & 0xffff)) +
		differs(name, l, "dFdy", e->data[0][2][l], difference(low->g & 0xffff, high->g & 0xffff)) +
		differs(name, l, "dFdx of being a helper", e->data[0][3][l], difference(right->dead, left->dead));
}

/* Helper lanes of any kind have no vote. */
static int compare_ballot(const char *name, unsigned lane, uint64_t want, const struct cu_exports *e)
{
	return differs(name, lane, "the ballot's low half", e->data[0][1][lane], (uint32_t)want) +
		differs(name, lane, "the ballot's high half", e->data[0][2][lane], (uint32_t)(want >> 32));
}

/* No lane of the quad has discarded: derivatives are defined. */
static bool quad_is_whole(const struct variant *v, const struct lane *lanes, unsigned l)
{
	const struct lane *quad = &lanes[l & ~3u];
	return v->demote || !(quad[0].met || quad[1].met || quad[2].met || quad[3].met);
}

struct seen { unsigned lived, ended, derivatives; };

static int run_wave(const struct variant *v, const struct compiler_shader *shader, const char *name, uint64_t exec,
	struct seen *seen)
{
	static struct cu_exports exports;
	struct lane lanes[CU_LANES];
	uint64_t valid = 0;
	memset(results, 0xcd, sizeof results);
	if (!execute(shader, exec, &exports))
		return 1;
	for (unsigned l = 0; l < CU_LANES; l++) {
		lanes[l] = expected(v, data[l], exec >> l & 1);
		valid |= (uint64_t)!lanes[l].dead << l;
		seen->lived += !lanes[l].dead;
		seen->ended += lanes[l].met && exec >> l & 1;
	}
	int bad = differs(name, 0, "lanes that live, low half", (uint32_t)(exports.valid & exec), (uint32_t)valid) +
		differs(name, 32, "lanes that live, high half", (uint32_t)((exports.valid & exec) >> 32), (uint32_t)(valid >> 32));
	for (unsigned l = 0; l < CU_LANES; l++) {
		const struct lane *want = &lanes[l];
		bad += differs(name, l, "the store at the end", results[l], want->dead ? UNTOUCHED : want->g);
		bad += differs(name, l, "the store on the way", results[CU_LANES + l], want->noted ? want->note : UNTOUCHED);
		if (want->dead)
			continue;
		bad += differs(name, l, "the value", exports.data[0][0][l], want->g);
		if (v->ballot) {
			bad += compare_ballot(name, l, valid, &exports);
		} else if (quad_is_whole(v, lanes, l)) {
			seen->derivatives++;
			bad += compare_derivatives(name, lanes, l, &exports);
		}
	}
	return bad;
}

static int run_variant(const struct variant *v, const char *dir, const struct compile_limits *limits, uint32_t *seed)
{
	enum { WAVES = 40 };
	static const uint64_t covered[] = { ~0ull, 0x7777777777777777, 0x1248124812481248, 0xf0f0f00f3c5a9600 };
	struct compiler_shader shader;
	struct seen seen = { 0 };
	char name[64];
	snprintf(name, sizeof name, "%s, %u VGPRs", v->name, limits->vgprs);
	if (!compile(dir, v->name, limits, &shader))
		return 1;
	int bad = differs(name, 0, "inputs", shader.ps_input_ena, REG_SET(SPI_PS_INPUT_ENA, POS_X_FLOAT_ENA, 1));
	for (unsigned i = 0; i < WAVES && !bad; i++) {
		for (unsigned l = 0; l < CU_LANES; l++) {
			*seed = *seed * 1664525u + 1013904223u;
			data[l] = *seed ^ *seed >> 15;
		}
		bad += run_wave(v, &shader, name, covered[i % 4], &seen);
	}
	printf("%s: %u lanes lived, %u ended, %u have derivatives; %u + %u spilled\n", name, seen.lived, seen.ended,
		seen.derivatives, shader.spilled_sgprs, shader.spilled_vgprs);
	bad += seen.lived < 100 || seen.ended < 100 || (!v->ballot && seen.derivatives < 100); /* else it tests nothing */
	compiler_shader_finish(&shader);
	return bad;
}

int main(int argc, char **argv)
{
	static const struct compile_limits limits[] = { { 102, 256 }, { 28, 8 } };
	uint32_t seed = 12345;
	int bad = argc != 2;
	for (unsigned i = 0; !bad && i < sizeof variants / sizeof *variants; i++)
		for (unsigned k = 0; k < 2; k++)
			bad += run_variant(&variants[i], argv[1], &limits[k], &seed);
	return bad != 0;
}
