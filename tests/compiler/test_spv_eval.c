/* SPDX-License-Identifier: MIT */
/* Runs compute shaders that check themselves, as translated and after the SSA
 * and optimisation passes.  In buffer 0 of set 0 a shader leaves: [0] number of
 * checks that failed, [1] number of checks, [2] the first that failed.
 * Usage: test_spv_eval FILE.spv... */
#include "ir_run.h"
#include "spv_test.h"

static bool judge(const struct ir_func *f, const char *path, const char *when)
{
	struct eval *e = calloc(1, sizeof *e);
	for (unsigned i = 0; i < 64; i++)
		e->push[i] = i + 1;
	for (unsigned b = 1; b < 16; b++)
		for (unsigned i = 0; i < EVAL_BUFFER_WORDS; i++)
			e->buffer[b][i] = i * 16 + b;
	bool ok = eval_run(e, f);
	if (!ok)
		fprintf(stderr, "%s: %s: %s\n", path, when, e->message);
	else if (e->buffer[0][0] || !e->buffer[0][1])
		fprintf(stderr, "%s: %s: %u of %u checks failed, the first is %u\n", path, when, e->buffer[0][0],
			e->buffer[0][1], e->buffer[0][2]);
	ok = ok && !e->buffer[0][0] && e->buffer[0][1];
	free(e);
	return ok;
}

static bool run(const char *path)
{
	struct module m;
	char message[512];
	if (!module_read(&m, path)) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return false;
	}
	module_reflect(&m);
	struct compiler_input in = { .words = m.words, .word_count = m.count, .bindings = m.bindings,
		.binding_count = m.binding_count };
	in.stage = module_entry(&m, &in.entry);
	struct ir_pool *pool = ir_pool_create();
	struct ir_func *f;
	bool ok = spv_to_ir(&in, pool, &f, message, sizeof message) == COMPILER_OK;
	if (!ok)
		fprintf(stderr, "%s: %s\n", path, message);
	if (ok) {
		ir_cfg(f);
		ok = ir_check(f, message, sizeof message) && judge(f, path, "translated");
		ir_pass_lower_vars(f);
		ir_pass_ssa(f);
		ir_cfg(f);
		ok = ok && judge(f, path, "ssa");
		for (bool again = true; again;) {
			again = ir_pass_fold(f);
			again |= ir_pass_cse(f);
			again |= ir_pass_dce(f);
		}
		ir_cfg(f);
		ok = ok && judge(f, path, "optimised");
	}
	ir_pool_destroy(pool);
	free(m.words);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = true;
	for (int i = 1; i < argc; i++)
		ok &= run(argv[i]);
	return ok && argc > 1 ? 0 : 1;
}
