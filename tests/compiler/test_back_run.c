/* SPDX-License-Identifier: MIT */
/* Compiles the cases of tests/compiler/back and runs them on the compute unit:
 * each invocation must give what the same text gives as C, translated too.  With all
 * registers, and with so few that values are spilled.
 * Arguments: NAME=module.spv ... */
#include "compiler/spv/spv.h"

#include "back_cases.h"
#include "back_exec.h"

enum { ITEMS = 256, MAX_WORDS = 1 << 20 };
uint32_t back_data[512], back_params[16];
static uint32_t results[ITEMS], words[MAX_WORDS];

static bool compile(const char *path, const struct compile_limits *limits, const char *name, struct compiler_shader *out)
{
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(words, 4, MAX_WORDS, f) : 0;
	if (f)
		fclose(f);
	struct compiler_input in = { .stage = COMPILER_CS, .words = words, .word_count = n, .entry = "main",
		.bindings = back_bindings, .binding_count = 3, .dump_dir = getenv("QW_DUMP"), .dump_name = name };
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

static bool execute(const struct compiler_shader *shader, const char *name)
{
	const struct back_buffer buffers[BACK_BUFFERS] = { { back_data, sizeof back_data }, { results, sizeof results },
		{ back_params, sizeof back_params } };
	struct cu_error err = { "" };
	struct back_program program = { 0 };
	bool ok = back_program_create(&program, shader, name, &err) &&
		back_program_run(&program, buffers, NULL, ITEMS / 64, &err);
	if (!ok)
		printf("%s: %s\n", name, err.text);
	back_program_destroy(&program);
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
