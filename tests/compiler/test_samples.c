/* SPDX-License-Identifier: MIT */
/* What a fragment shader says about samples: whether it has to run for each of
 * them, and what it exports when alpha becomes one or components are not seen.
 * Usage: test_samples SAMPLES.frag.spv OTHER.frag.spv: the first uses samples, both write MRT 0. */
#include "isa/regs.h"
#include "tests/check.h"
#include "spv_test.h"

/* Of its code, the size alone. */
static struct compiler_shader compile(const char *path, struct compiler_input in)
{
	struct module m;
	struct compiler_shader shader;
	char message[512];
	CHECK(module_read(&m, path));
	module_reflect(&m);
	in.words = m.words;
	in.word_count = m.count;
	in.bindings = m.bindings;
	in.binding_count = m.binding_count;
	in.stage = module_entry(&m, &in.entry);
	if (compiler_compile(&in, &shader, message, sizeof message) != COMPILER_OK)
		fprintf(stderr, "%s: %s\n", path, message);
	CHECK(shader.code);
	const uint32_t dwords = shader.code_dwords;
	compiler_shader_finish(&shader);
	shader.code_dwords = dwords;
	free(m.words);
	return shader;
}

static void check_shading(const char *with, const char *without)
{
	for (uint32_t samples = 1; samples <= 8; samples *= 2) {
		const struct compiler_input plain = { .options.samples = samples }, forced = { .options = { .samples = samples, .sample_shading = 1 } };
		CHECK(compile(with, plain).sample_shading);
		CHECK(!compile(without, plain).sample_shading);
		CHECK(compile(without, forced).sample_shading);
	}
}

static bool exports_coverage(const struct compiler_shader *s)
{
	return REG_GET(s->db_shader_control, DB_SHADER_CONTROL, COVERAGE_TO_MASK_ENABLE);
}

static void check_alpha(const char *path)
{
	const struct compiler_input plain = { .options.samples = 4 }, one = { .options = { .samples = 4, .alpha_to_one = 1 } },
		both = { .options = { .samples = 4, .alpha_to_one = 1, .alpha_to_mask = 1 } };
	struct compiler_shader s = compile(path, plain);
	CHECK(!exports_coverage(&s) && !s.z_format && s.cb_shader_mask == 0xf);
	s = compile(path, one);
	CHECK(!exports_coverage(&s) && !s.z_format && s.cb_shader_mask == 0xf);
	s = compile(path, both);
	CHECK(exports_coverage(&s) && s.z_format && s.cb_shader_mask == 0xf);
}

/* Components that nobody sees are neither exported nor computed; of other targets they change nothing. */
static void check_unseen(const char *path)
{
	const struct compiler_input plain = { 0 }, red = { .options.unseen = 0xe }, none = { .options.unseen = 0xf }, others = { .options.unseen = 0xfffffff0 };
	const struct compiler_shader all = compile(path, plain);
	struct compiler_shader s = compile(path, red);
	CHECK(s.cb_shader_mask == 1 && s.code_dwords <= all.code_dwords);
	s = compile(path, none);
	CHECK(!s.cb_shader_mask && !s.col_format && s.code_dwords < all.code_dwords);
	s = compile(path, others);
	CHECK(s.cb_shader_mask == 0xf && s.code_dwords == all.code_dwords);
}

int main(int argc, char **argv)
{
	CHECK(argc == 3);
	check_shading(argv[1], argv[2]);
	check_alpha(argv[2]);
	check_unseen(argv[2]);
	return 0;
}
