/* SPDX-License-Identifier: MIT */
/* Test support: reads a module, makes the bindings that its variables ask for. */
#ifndef TESTS_SPV_TEST_H
#define TESTS_SPV_TEST_H

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/spv/spv.h"

struct module { uint32_t *words; size_t count; struct compiler_binding bindings[64]; size_t binding_count; };

static inline bool module_read(struct module *m, const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return false;
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	m->words = malloc((size_t)size);
	m->count = fread(m->words, 4, (size_t)size / 4, f);
	m->binding_count = 0;
	fclose(f);
	return m->count > 5;
}

static inline const uint32_t *module_find(const struct module *m, uint32_t op, uint32_t word, uint32_t id)
{
	for (size_t at = 5; at < m->count; at += m->words[at] >> 16)
		if ((m->words[at] & 0xffff) == op && m->words[at + word] == id)
			return m->words + at;
	return NULL;
}

static inline const uint32_t *module_type(const struct module *m, uint32_t id)
{
	for (size_t at = 5; at < m->count; at += m->words[at] >> 16) {
		uint32_t op = m->words[at] & 0xffff;
		if (op >= SpvOpTypeVoid && op <= SpvOpTypeFunction && m->words[at + 1] == id)
			return m->words + at;
	}
	return NULL;
}

static inline bool module_decorated(const struct module *m, uint32_t id, uint32_t decoration, uint32_t *value)
{
	for (size_t at = 5; at < m->count; at += m->words[at] >> 16)
		if ((m->words[at] & 0xffff) == SpvOpDecorate && m->words[at + 1] == id && m->words[at + 2] == decoration) {
			if (value)
				*value = m->words[at + 3];
			return true;
		}
	return false;
}

static inline uint32_t module_desc(const struct module *m, uint32_t storage, const uint32_t *type)
{
	uint32_t op = type[0] & 0xffff;
	if (op == SpvOpTypeSampler)
		return COMPILER_DESC_SAMPLER;
	if (op == SpvOpTypeSampledImage)
		return module_type(m, type[2])[3] == SpvDimBuffer ? COMPILER_DESC_UNIFORM_TEXEL : COMPILER_DESC_COMBINED;
	if (op == SpvOpTypeImage) {
		if (type[3] == SpvDimSubpassData)
			return COMPILER_DESC_INPUT_ATTACHMENT;
		if (type[3] == SpvDimBuffer)
			return type[7] == 1 ? COMPILER_DESC_UNIFORM_TEXEL : COMPILER_DESC_STORAGE_TEXEL;
		return type[7] == 1 ? COMPILER_DESC_SAMPLED_IMAGE : COMPILER_DESC_STORAGE_IMAGE;
	}
	if (storage == SpvStorageClassStorageBuffer || module_decorated(m, type[1], SpvDecorationBufferBlock, NULL))
		return COMPILER_DESC_SSBO;
	return COMPILER_DESC_UBO;
}

/* Bindings for every variable that has a set and a binding. */
static inline void module_reflect(struct module *m)
{
	for (size_t at = 5; at < m->count; at += m->words[at] >> 16) {
		uint32_t set, binding, id, count = 1;
		if ((m->words[at] & 0xffff) != SpvOpVariable)
			continue;
		id = m->words[at + 2];
		if (m->binding_count == 64 ||
			!module_decorated(m, id, SpvDecorationDescriptorSet, &set) ||
			!module_decorated(m, id, SpvDecorationBinding, &binding))
			continue;
		const uint32_t *type = module_type(m, module_type(m, m->words[at + 1])[3]);
		if ((type[0] & 0xffff) == SpvOpTypeArray) {
			const uint32_t *length = module_find(m, SpvOpConstant, 2, type[3]);
			count = length ? length[3] : 1;
			type = module_type(m, type[2]);
		}
		m->bindings[m->binding_count++] = (struct compiler_binding){ .set = set, .binding = binding,
			.type = module_desc(m, m->words[at + 3], type), .count = count, .stride = 64,
			.offset = (uint32_t)m->binding_count * 1024 };
	}
}

/* Stage of the first entry point, its name in *entry. */
static inline enum compiler_stage module_entry(const struct module *m, const char **entry)
{
	for (size_t at = 5; at < m->count; at += m->words[at] >> 16)
		if ((m->words[at] & 0xffff) == SpvOpEntryPoint) {
			*entry = (const char *)&m->words[at + 3];
			switch (m->words[at + 1]) {
#define S(name, text, model, ...) case SpvExecutionModel##model: return COMPILER_##name;
			ISA_STAGES(S)
#undef S
			}
		}
	*entry = "main";
	return COMPILER_CS;
}

#endif
