/* SPDX-License-Identifier: MIT */
/* Where in the module a compilation stopped, for messages. */
#include "compiler/spv/spv_priv.h"

#include <string.h>

#include "isa/abi.h"

/* The words of the instruction at `at`, 0: not one that fits the module. */
static uint32_t length_at(const struct compiler_input *in, uint32_t at)
{
	uint32_t n = at < in->word_count ? in->words[at] >> 16 : 0;
	return n <= in->word_count - at ? n : 0;
}

static uint32_t id_at(const struct compiler_input *in, uint32_t at)
{
	unsigned r = spv_result_word(in->words[at] & 0xffff);
	return r && r < in->words[at] >> 16 ? in->words[at + r] : 0;
}

/* OpName of an id, as far as `end`; "": none. */
static void name_of(const struct compiler_input *in, uint32_t id, uint32_t end, char *text, size_t size)
{
	uint32_t n;
	text[0] = 0;
	for (uint32_t at = 5; at < end && (n = length_at(in, at)) != 0; at += n)
		if ((in->words[at] & 0xffff) == SpvOpName && n > 2 && in->words[at + 1] == id) {
			size_t most = (n - 2) * sizeof(uint32_t) < size - 1 ? (n - 2) * sizeof(uint32_t) : size - 1;
			memcpy(text, &in->words[at + 2], most);
			text[most] = 0;
			return;
		}
}

void spv_where(const struct compiler_input *in, uint32_t word, char *text, size_t size)
{
	uint32_t function = 0, n;
	for (uint32_t at = 5; at <= word && (n = length_at(in, at)) != 0; at += n)
		if ((in->words[at] & 0xffff) == SpvOpFunction)
			function = at;
	if (word < 5 || !length_at(in, word)) {
		snprintf(text, size, "the shader");
		return;
	}
	char id[100] = "", inside[120] = "", name[64];
	if (id_at(in, word)) {
		name_of(in, id_at(in, word), word, name, sizeof name);
		snprintf(id, sizeof id, *name ? " %%%u (%s)" : " %%%u", id_at(in, word), name);
	}
	if (function) {
		name_of(in, id_at(in, function), function, name, sizeof name);
		snprintf(inside, sizeof inside, " in function %s%s(%%%u)", name, *name ? " " : "", id_at(in, function));
	}
	snprintf(text, size, "word %u: %s%s%s", word, spv_op_name(in->words[word] & 0xffff), id, inside);
}

enum compiler_status spv_budget_message(const struct compiler_input *in, const struct ir_budget *b, char *message,
	size_t size)
{
	char where[240];
	spv_where(in, b->word, where, sizeof where);
	const char *pass = b->pass ? b->pass : "compiler";
	if (b->fault == IR_FAULT_MEMORY)
		snprintf(message, size, "%s: %s: more than %llu MiB of memory", where, pass,
			(unsigned long long)(b->memory_limit >> 20));
	else if (b->fault == IR_FAULT_WORK)
		snprintf(message, size, "%s: %s: more than %llu ticks of work", where, pass, (unsigned long long)b->work_limit);
	else if (b->fault == IR_FAULT_SCRATCH)
		snprintf(message, size, "%s: %s: private memory and spilled registers of %llu bytes a lane, more than %u", where,
			pass, (unsigned long long)b->scratch, ABI_MAX_SCRATCH_BYTES);
	else
		snprintf(message, size, "%s: %s: out of memory", where, pass);
	return b->fault == IR_FAULT_NO_MEMORY ? COMPILER_NO_MEMORY : COMPILER_UNSUPPORTED;
}
