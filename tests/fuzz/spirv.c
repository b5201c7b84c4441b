/* SPDX-License-Identifier: MIT */
/* The compiler on damaged modules: the bytes choose a module and what is changed in it,
 * or are a module themselves.  It must refuse what comes out or make a program. */
#include "tests/compiler/spv_test.h"
#include "tests/fuzz/input.h"
#include "work_comp.h"
#include "endless_comp.h"
#include "scene_vert.h"
#include "scene_frag.h"

enum { MAX_CHANGES = 24 };

static uint32_t input_word(struct input *in)
{
	uint32_t high = input_byte(in);
	return high << 8 | input_byte(in);
}

static void change(struct module *m, struct input *in)
{
	uint32_t *to = &m->words[5 + input_word(in) % (m->count - 5)];
	uint32_t value = input_word(in);
	switch (input_pick(in, 4)) {
	case 0: *to = value % m->words[3]; break; /* another ID */
	case 1: *to = m->words[value % m->count]; break;
	case 2: *to ^= 1u << value % 32; break;
	default: *to = value;
	}
}

static void compile(const struct module *m, enum compiler_stage stage, const char *entry)
{
	char message[512] = "";
	struct compiler_shader shader;
	struct compiler_input in = { .stage = stage, .words = m->words, .word_count = m->count, .entry = entry,
		.bindings = m->bindings, .binding_count = m->binding_count, .options.samples = 8 };
	enum compiler_status status = compiler_compile(&in, &shader, message, sizeof message);
	if (status == COMPILER_OK ? !shader.code || !shader.code_dwords : !*message || strstr(message, "internal")) {
		fprintf(stderr, "\nstatus %d: %s\n", status, message);
		abort();
	}
	if (status == COMPILER_OK)
		compiler_shader_finish(&shader);
}

static struct module copy(const uint32_t *words, size_t bytes)
{
	struct module m = { .words = malloc(bytes), .count = bytes / 4 };
	if (!m.words)
		abort();
	memcpy(m.words, words, bytes);
	return m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct { const uint32_t *words; size_t bytes; } known[] = { { work_comp, sizeof work_comp },
		{ endless_comp, sizeof endless_comp }, { scene_vert, sizeof scene_vert }, { scene_frag, sizeof scene_frag } };
	uint32_t magic = 0;
	if (size >= 20)
		memcpy(&magic, data, 4);
	if (magic == SpvMagicNumber) {
		struct module own = copy((const uint32_t *)(const void *)data, size & ~(size_t)3);
		compile(&own, COMPILER_CS, "main");
		free(own.words);
		return 0;
	}
	struct input in = { data, size };
	while (in.left) {
		uint32_t which = input_pick(&in, 4);
		struct module m = copy(known[which].words, known[which].bytes);
		const char *entry;
		module_reflect(&m);
		enum compiler_stage stage = module_entry(&m, &entry);
		for (uint32_t n = input_pick(&in, MAX_CHANGES); n; n--)
			change(&m, &in);
		compile(&m, stage, "main");
		free(m.words);
	}
	return 0;
}
