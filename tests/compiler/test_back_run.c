/* SPDX-License-Identifier: MIT */
/* Compiles the cases of tests/compiler/back and runs them on the compute unit:
 * each invocation must give what the same text gives as C, translated too.  With all
 * registers, and with so few that values are spilled.
 * Arguments: NAME=module.spv ... */
#include "compiler/compile.h"
#include "compiler/spv/spv.h"
#include "core/cu.h"
#include "core/group.h"
#include "core/jit/jit.h"
#include "core/mode.h"
#include "isa/abi.h"
#include "isa/resource.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "back_cases.h"

enum { ITEMS = 256, MAX_WORDS = 1 << 20 };
uint32_t back_data[512], back_params[16];
static uint32_t results[ITEMS], words[MAX_WORDS];

static const struct compiler_binding bindings[] = {
	{ .set = 0, .binding = 0, .type = COMPILER_DESC_SSBO, .count = 1, .offset = 0, .stride = 16 },
	{ .set = 0, .binding = 1, .type = COMPILER_DESC_SSBO, .count = 1, .offset = 16, .stride = 16 },
	{ .set = 1, .binding = 0, .type = COMPILER_DESC_UBO, .count = 1, .offset = 0, .stride = 16 },
};

static void buffer_descriptor(uint32_t *v, const void *base, uint32_t bytes)
{
	memset(v, 0, 16);
	ISA_SET(v, V_BASE_LO, (uint32_t)(uintptr_t)base);
	ISA_SET(v, V_BASE_HI, (uint32_t)((uintptr_t)base >> 32));
	ISA_SET(v, V_NUM_RECORDS, bytes);
}

static bool compile(const char *path, const struct compile_limits *limits, const char *name, struct compiler_shader *out)
{
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(words, 4, MAX_WORDS, f) : 0;
	if (f)
		fclose(f);
	struct compiler_input in = { .stage = COMPILER_CS, .words = words, .word_count = n, .entry = "main",
		.bindings = bindings, .binding_count = 3, .dump_dir = getenv("QW_DUMP"), .dump_name = name };
	char message[300] = "";
	struct ir_pool *pool = ir_pool_create();
	struct ir_func *func = NULL;
	enum compiler_status status = spv_to_ir(&in, pool, &func, message, sizeof message);
	if (status == COMPILER_OK)
		status = compile_ir(&in, func, limits, out, message, sizeof message);
	if (status != COMPILER_OK)
		printf("%s: status %d: %s\n", name, status, message);
	ir_pool_destroy(pool);
	return status == COMPILER_OK;
}

/* Translated, and compared with the interpreter in every wave. */
static bool translate(struct cu_program *program, struct cu_exec_heap *heap, const char *name, struct cu_error *err)
{
	struct cu_jit_image image;
	const struct cu_jit_options options = { .keep_all = true }; /* as the comparison needs */
	bool ok = cu_jit_translate(program, &options, &image, err) && cu_jit_attach(program, heap, &image, err);
	cu_jit_image_free(&image);
	return ok && cu_jit_name(program, NULL, name, true);
}

static bool execute(const struct compiler_shader *shader, const char *name)
{
	static uint32_t set0[8], set1[4];
	static uint64_t root[ABI_ROOT_BYTES / 8];
	struct cu_error err = { "" };
	enum cu_level level;
	const char *why;
	buffer_descriptor(set0, back_data, sizeof back_data);
	buffer_descriptor(set0 + 4, results, sizeof results);
	buffer_descriptor(set1, back_params, sizeof back_params);
	root[ABI_ROOT_SETS / 8] = (uintptr_t)set0;
	root[ABI_ROOT_SETS / 8 + 1] = (uintptr_t)set1;
	if (!cu_level_detect(getenv("QW_CPU"), &level, &why))
		return printf("%s\n", why), false;
	struct cu_program *program = cu_program_create(level, shader->code, shader->code_dwords, &err);
	struct cu_group_ctx *ctx = cu_group_ctx_create();
	uint32_t user[5] = { (uint32_t)(uintptr_t)root, (uint32_t)((uintptr_t)root >> 32), ITEMS / 64, 1, 1 };
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	bool ok = program && ctx && heap && translate(program, heap, name, &err);
	unsigned mxcsr = cu_fp_enter();
	for (uint32_t i = 0; ok && i < ITEMS / 64; i++) {
		struct cu_group group = { .use = { .program = program, .mode = CU_MODE_PLAIN, .user_count = shader->user_sgprs },
			.tgid_en = { shader->tgid_en & 1, shader->tgid_en >> 1 & 1, shader->tgid_en >> 2 & 1 },
			.tgid = { i, 0, 0 }, .size = { 64, 1, 1 }, .tidig_comp_cnt = shader->tidig_comp_cnt,
			.lds_bytes = shader->lds_bytes };
		group.use.scratch_bytes = shader->scratch_bytes * 64;
		memcpy(group.use.user, user, sizeof user);
		ok = cu_group_run(ctx, &group, &err);
	}
	cu_fp_leave(mxcsr);
	if (!ok)
		printf("%s: %s\n", name, err.text);
	cu_group_ctx_destroy(ctx);
	cu_program_destroy(program);
	cu_exec_heap_destroy(heap);
	return ok;
}

static int run_case(const struct back_case *c, const char *path, const struct compile_limits *limits)
{
	struct compiler_shader shader;
	char name[64];
	snprintf(name, sizeof name, "%s_%u_%u", c->name, limits->sgprs, limits->vgprs);
	if (!compile(path, limits, name, &shader))
		return 1;
	memset(results, 0xcd, sizeof results);
	int bad = 0;
	if (!execute(&shader, name))
		bad = 1;
	for (uint32_t i = 0; !bad && i < ITEMS; i++) {
		uint32_t want = c->run(i, back_data[i]);
		if (results[i] != want) {
			printf("%s: invocation %u gives 0x%x, not 0x%x\n", name, i, results[i], want);
			bad = 1;
		}
	}
	printf("%s: %u instructions, %u SGPRs, %u VGPRs, %u + %u spilled\n", name, shader.instructions, shader.sgprs,
		shader.vgprs, shader.spilled_sgprs, shader.spilled_vgprs);
	compiler_shader_finish(&shader);
	return bad;
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed ^ *seed >> 15;
}

int main(int argc, char **argv)
{
	static const struct compile_limits limits[] = { { 102, 256 }, { 102, 12 }, { 28, 14 } };
	uint32_t seed = 12345;
	int bad = 0, found = 0;
	for (unsigned i = 0; i < 512; i++)
		back_data[i] = next_random(&seed);
	for (unsigned i = 0; i < 16; i++)
		back_params[i] = next_random(&seed) >> 7;
	for (int a = 1; a < argc; a++)
		for (unsigned i = 0; i < sizeof back_cases / sizeof back_cases[0]; i++) {
			size_t n = strlen(back_cases[i].name);
			if (strncmp(argv[a], back_cases[i].name, n) || argv[a][n] != '=')
				continue;
			found++;
			for (unsigned k = 0; k < 3; k++)
				bad += run_case(&back_cases[i], argv[a] + n + 1, &limits[k]);
		}
	if (!found)
		printf("no case was given\n");
	return bad || !found;
}
