/* SPDX-License-Identifier: MIT */
/* Which code a stage stands for, without compiling it. */
#include <assert.h>
#include <string.h>
#include "icd/program.h"
#include "icd/shader_module.h"

static_assert(ICD_HASH_BYTES <= VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT, "an identity can be an identifier");

void icd_module_identity(const uint32_t *words, size_t count, uint8_t out[ICD_HASH_BYTES])
{
	icd_hash_all("quadwave module 1", words, count * 4, out);
}

/* Without the zeros at their end, which most pipelines have: icd_hash_add puts the length before. */
static size_t significant_bytes(const struct compiler_options *options)
{
	size_t bytes = sizeof *options;
	for (uint32_t last; bytes; bytes -= sizeof last) {
		memcpy(&last, (const uint8_t *)options + bytes - sizeof last, sizeof last);
		if (last)
			break;
	}
	return bytes;
}

void icd_program_key(const VkPipelineShaderStageCreateInfo *stage, const uint8_t module[ICD_HASH_BYTES],
	const struct icd_pipeline_layout *layout, struct compiler_options options, uint8_t key[ICD_HASH_BYTES])
{
	const VkSpecializationInfo *spec = stage->pSpecializationInfo;
	struct icd_hash h;
	icd_hash_init(&h, "quadwave program");
	icd_hash_u32(&h, stage->stage);
	icd_hash_digest(&h, module);
	icd_hash_digest(&h, layout->hash);
	icd_hash_add(&h, stage->pName, strlen(stage->pName));
	icd_hash_add(&h, &options, significant_bytes(&options));
	icd_hash_u32(&h, spec ? spec->mapEntryCount : 0);
	for (uint32_t i = 0; spec && i < spec->mapEntryCount; i++) {
		const VkSpecializationMapEntry *e = &spec->pMapEntries[i];
		icd_hash_u32(&h, e->constantID);
		icd_hash_add(&h, (const uint8_t *)spec->pData + e->offset, e->size);
	}
	icd_hash_finish(&h, key);
}
