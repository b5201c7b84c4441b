/* SPDX-License-Identifier: MIT */
/* QW_DUMP: what the compiler saw and made, as files. */
#include "compiler/gcn/back.h"

#include "isa/text/gcn_elf.h"

FILE *back_dump_open(const struct compiler_input *in, const char *suffix)
{
	char path[4096];
	if (!in->dump_dir)
		return NULL;
	int n = snprintf(path, sizeof path, "%s/%s.%s", in->dump_dir, in->dump_name ? in->dump_name : "shader", suffix);
	return n > 0 && (size_t)n < sizeof path ? fopen(path, "wb") : NULL;
}

void back_dump_spv(const struct compiler_input *in)
{
	FILE *out = back_dump_open(in, "spv");
	if (!out)
		return;
	fwrite(in->words, 4, in->word_count, out);
	fclose(out);
}

void back_dump_ir(const struct compiler_input *in, unsigned step, const char *pass, const struct ir_func *f)
{
	char suffix[64];
	if (!in->dump_dir)
		return;
	snprintf(suffix, sizeof suffix, "%02u.%s.ir", step, pass);
	FILE *out = back_dump_open(in, suffix);
	if (!out)
		return;
	ir_print(f, out);
	fclose(out);
}

void back_dump_mir(const struct compiler_input *in, const char *pass, const struct mir_func *m)
{
	char suffix[64];
	if (!in->dump_dir)
		return;
	snprintf(suffix, sizeof suffix, "%s.mir", pass);
	FILE *out = back_dump_open(in, suffix);
	if (!out)
		return;
	mir_print(m, out);
	fclose(out);
}

void back_dump_elf(const struct compiler_input *in, const uint32_t *code, uint32_t dwords)
{
	FILE *out = back_dump_open(in, "elf");
	if (!out)
		return;
	struct gcn_elf_shader shader = { in->dump_name ? in->dump_name : "shader", code, dwords };
	gcn_elf_write(out, &shader, 1);
	fclose(out);
}
