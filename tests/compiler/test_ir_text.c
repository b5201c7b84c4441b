/* SPDX-License-Identifier: MIT */
/* Runs steps over a function and prints what comes of it, for ir/run.py.
 * Usage: test_ir_text FILE TEXT STEP...; FILE.ir as ir_text.h says, or a module, FILE.spv.  Steps:
 *   a pass (ssa, fold, ...; simplify: fold, cse, dce until nothing changes), print,
 *   reread: the function is what can be read from its print,
 *   code: the whole compiler; the listing of its code,
 *   run: the function for 64 lanes, and its code on the compute unit: they must agree about
 *        buffer (0,1), whose words are printed up to the last that is not zero.  Words 60 to 63
 *        of the push constants are the addresses of buffers (0,1) and (0,0).
 * Data of runs are lines of TEXT: "# in: WORD.." (or "; in:") buffer (0,0), "# uniform:" buffer (1,0), "# push:". */
#include "back_exec.h"
#include "ir_run.h"
#include "ir_text.h"
#include "isa/text/gcn_dis.h"
#include "spv_test.h"

enum { WORDS = EVAL_BUFFER_WORDS };

struct subject {
	const char *path, *text;
	struct module module;
	struct ir_pool *pool;
	struct ir_func *f;
	char message[400];
};

static bool read_subject(struct subject *s)
{
	size_t n = strlen(s->path);
	s->pool = ir_pool_create();
	if (n > 4 && !strcmp(s->path + n - 4, ".spv")) {
		if (!module_read(&s->module, s->path))
			return false;
		struct compiler_input in = { .words = s->module.words, .word_count = s->module.count,
			.bindings = back_bindings, .binding_count = BACK_BUFFERS };
		in.stage = module_entry(&s->module, &in.entry);
		if (spv_to_ir(&in, s->pool, &s->f, s->message, sizeof s->message) != COMPILER_OK)
			return false;
		ir_cfg(s->f);
		return true;
	}
	FILE *in = fopen(s->path, "r");
	if (!in)
		return false;
	s->f = ir_text_read(s->pool, in, back_bindings, BACK_BUFFERS, s->message, sizeof s->message);
	fclose(in);
	return s->f != NULL;
}

static void drop_subject(struct subject *s)
{
	ir_pool_destroy(s->pool);
	free(s->module.words);
}

static void simplify(struct ir_func *f)
{
	for (bool again = true; again;) {
		again = ir_pass_fold(f);
		again |= ir_pass_cse(f);
		again |= ir_pass_dce(f);
	}
}

static bool pass(struct ir_func *f, const char *name)
{
#define PASS(p) if (!strcmp(name, #p)) { ir_pass_##p(f); return true; }
	PASS(bounds) PASS(unroll) PASS(tables) PASS(lower_vars) PASS(ssa) PASS(fold) PASS(cse) PASS(dce) PASS(lower_alu) PASS(licm) PASS(flatten)
	PASS(divergence) PASS(lcssa) PASS(branches)
#undef PASS
	if (strcmp(name, "simplify"))
		return false;
	simplify(f);
	return true;
}

/* --- code and runs: of the function as it was read --- */

static bool compile(const char *path, const struct compile_limits *limits, struct compiler_shader *shader)
{
	struct compiler_input in = { .stage = COMPILER_CS, .bindings = back_bindings, .binding_count = BACK_BUFFERS };
	struct subject s = { .path = path };
	bool ok = read_subject(&s) && compile_ir(&in, s.f, limits, shader, s.message, sizeof s.message) == COMPILER_OK;
	if (!ok)
		printf("refused: %s\n", s.message);
	drop_subject(&s);
	return ok;
}

static bool list_code(const char *path)
{
	const struct gcn_dis_options options = { false, false };
	const struct compile_limits limits = { 102, 256 };
	struct compiler_shader shader;
	if (!compile(path, &limits, &shader))
		return false;
	printf("# %u VGPRs, %u SGPRs, %u bytes of scratch\n", shader.vgprs, shader.sgprs, shader.scratch_bytes);
	bool ok = gcn_dis(stdout, GCN_GFX9, shader.code, compiler_program_dwords(&shader) * 4u, NULL, 0, &options, NULL);
	for (uint32_t i = compiler_program_dwords(&shader); i < shader.code_dwords; i++)
		printf(".long 0x%x\n", shader.code[i]);
	compiler_shader_finish(&shader);
	return ok;
}

/* The words of lines "# KEY: .." */
static void read_words(const char *text, const char *key, uint32_t *words, size_t room)
{
	char line[2000];
	FILE *in = fopen(text, "r");
	size_t n = 0, skip = strlen(key);
	while (in && fgets(line, sizeof line, in)) {
		if ((strncmp(line, "# ", 2) && strncmp(line, "; ", 2)) || strncmp(line + 2, key, skip) || line[2 + skip] != ':')
			continue;
		for (char *t = strtok(line + 3 + skip, " \n"); t && n < room; t = strtok(NULL, " \n"))
			words[n++] = (uint32_t)strtoull(t, NULL, 0);
	}
	if (in)
		fclose(in);
}

static bool run_lanes(struct eval *e, const struct ir_func *f)
{
	bool ok = true;
	for (e->lane = 0; ok && e->lane < 64; e->lane++) {
		memset(e->scratch, 0, sizeof e->scratch);
		ok = eval_run(e, f);
	}
	if (!ok)
		printf("cannot be run: %s\n", e->message);
	return ok;
}

static bool run_code(const char *path, const struct compile_limits *limits, struct eval *e)
{
	struct compiler_shader shader;
	struct back_program program = { 0 };
	struct cu_error err = { "" };
	const struct back_buffer buffers[BACK_BUFFERS] = { { e->buffer[0], WORDS * 4 }, { e->buffer[1], WORDS * 4 },
		{ e->buffer[2], WORDS * 4 } };
	if (!compile(path, limits, &shader))
		return false;
	bool ok = back_program_create(&program, &shader, "text", &err) &&
		back_program_run(&program, buffers, e->push, 1, &err);
	if (!ok)
		printf("the compute unit fails: %s\n", err.text);
	back_program_destroy(&program);
	compiler_shader_finish(&shader);
	return ok;
}

static bool agree(const struct eval *lanes, const struct eval *code)
{
	for (unsigned i = 0; i < WORDS; i++)
		if (lanes->buffer[1][i] != code->buffer[1][i]) {
			printf("word %u: 0x%x, by the code 0x%x\n", i, lanes->buffer[1][i], code->buffer[1][i]);
			return false;
		}
	return true;
}

static void print_results(const struct eval *lanes)
{
	unsigned last = WORDS;
	while (last && !lanes->buffer[1][last - 1])
		last--;
	for (unsigned i = 0; i < last; i++)
		printf("%s%x%s", i % 8 ? " " : "", lanes->buffer[1][i], i % 8 == 7 || i + 1 == last ? "\n" : "");
}

static void put_addresses(struct eval *e)
{
	uint64_t address[2] = { (uintptr_t)e->buffer[1], (uintptr_t)e->buffer[0] };
	memcpy(e->push + 60, address, sizeof address);
}

/* With all registers, and with so few that values are spilled. */
static bool run(const char *path, const char *text, const struct ir_func *f)
{
	static const struct compile_limits limits[] = { { 102, 256 }, { 102, 12 }, { 28, 14 } };
	struct eval *start = calloc(3, sizeof *start), *lanes = start + 1, *code = start + 2;
	read_words(text, "in", start->buffer[0], WORDS);
	read_words(text, "uniform", start->buffer[2], WORDS);
	read_words(text, "push", start->push, 64);
	start->place_bytes = back_bindings[1].offset;
	*lanes = *start;
	put_addresses(lanes);
	bool ok = run_lanes(lanes, f);
	for (unsigned i = 0; ok && i < 3; i++) {
		*code = *start;
		put_addresses(code);
		ok = run_code(path, &limits[i], code) && agree(lanes, code);
	}
	if (ok)
		print_results(lanes);
	free(start);
	return ok;
}

static bool reread(struct subject *s)
{
	FILE *text = tmpfile();
	ir_print(s->f, text);
	rewind(text);
	s->f = ir_text_read(s->pool, text, back_bindings, BACK_BUFFERS, s->message, sizeof s->message);
	fclose(text);
	bool ok = s->f && ir_check(s->f, s->message, sizeof s->message);
	if (!ok)
		printf("cannot be read again: %s\n", s->message);
	return ok;
}

static bool step(struct subject *s, const char *name)
{
	if (!strcmp(name, "reread"))
		return reread(s);
	if (!strcmp(name, "code"))
		return list_code(s->path);
	if (!strcmp(name, "run"))
		return run(s->path, s->text, s->f);
	if (!strcmp(name, "print")) {
		ir_print(s->f, stdout);
		return true;
	}
	if (!pass(s->f, name)) {
		printf("no step %s\n", name);
		return false;
	}
	if (!ir_check(s->f, s->message, sizeof s->message)) {
		printf("after %s: %s\n", name, s->message);
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct subject s = { .path = argc > 2 ? argv[1] : "", .text = argv[2] };
	bool ok = read_subject(&s);
	if (!ok)
		printf("cannot be read: %s\n", s.message);
	else if (!(ok = ir_check(s.f, s.message, sizeof s.message)))
		printf("check: %s\n", s.message);
	for (int i = 3; ok && i < argc; i++)
		ok = step(&s, argv[i]);
	drop_subject(&s);
	return ok ? 0 : 1;
}
