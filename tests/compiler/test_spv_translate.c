/* SPDX-License-Identifier: MIT */
/* Translates modules and checks the IR as it comes and after the first passes.
 * Usage: test_spv_translate [-p] [-r] FILE.spv...
 *   -p prints the IR, -r expects the module to be refused. */
#include "spv_test.h"

static bool check(struct ir_func *f, const char *path, const char *when)
{
	char message[256] = "";
	ir_cfg(f);
	if (ir_check(f, message, sizeof message))
		return true;
	fprintf(stderr, "%s: %s: %s\n", path, when, message);
	ir_print(f, stderr);
	return false;
}

static bool run(const char *path, bool print, bool refuse)
{
	struct module m;
	char message[512];
	if (!module_read(&m, path)) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return false;
	}
	module_reflect(&m);
	struct compiler_input in = { .words = m.words, .word_count = m.count, .bindings = m.bindings,
		.binding_count = m.binding_count, .options.samples = 4 };
	in.stage = module_entry(&m, &in.entry);
	struct ir_pool *pool = ir_pool_create();
	struct ir_func *f;
	enum compiler_status status = spv_to_ir(&in, pool, &f, message, sizeof message);
	bool ok = (status == COMPILER_OK) != refuse;
	if (status != COMPILER_OK)
		fprintf(ok ? stdout : stderr, "%s: status %d: %s\n", path, status, message);
	else if (refuse)
		fprintf(stderr, "%s: was not refused\n", path);
	if (status == COMPILER_OK) {
		if (print)
			ir_print(f, stdout);
		ok = ok && check(f, path, "translated");
		if (ok) {
			ir_pass_lower_vars(f);
			ok = check(f, path, "lower_vars");
		}
		if (ok) {
			ir_pass_ssa(f);
			ok = check(f, path, "ssa");
		}
		if (ok) {
			for (bool again = true; again;) {
				again = ir_pass_fold(f);
				again |= ir_pass_cse(f);
				again |= ir_pass_dce(f);
			}
			ok = check(f, path, "fold, cse, dce");
		}
		if (print)
			ir_print(f, stdout);
	}
	ir_pool_destroy(pool);
	free(m.words);
	return ok;
}

int main(int argc, char **argv)
{
	bool print = false, refuse = false, ok = true;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-p") == 0)
			print = true;
		else if (strcmp(argv[i], "-r") == 0)
			refuse = true;
		else
			ok &= run(argv[i], print, refuse);
	}
	return ok ? 0 : 1;
}
