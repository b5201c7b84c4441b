/* SPDX-License-Identifier: MIT */
/* From a shader stage of a create info to gfx900 code, through the cache. */
#ifndef ICD_PROGRAM_H
#define ICD_PROGRAM_H

#include "compiler/compiler.h"
#include "icd/pipeline_cache.h"
#include "icd/pipeline_feedback.h"
#include "icd/pipeline_layout.h"
#include "isa/regs.h"

/* Of one program in one pipeline: what the cache knows it by; its name in dumps and
 * debuggers, by the order of creation; what messages call it, also by entry point,
 * key, and the shader module's name if it has one; and, of one that came out of a
 * file, what checking it gave: rs_gpu_prepare's, or ends with rs_gpu_drop. */
struct icd_program_id {
	uint8_t key[ICD_HASH_BYTES];
	char name[16], label[96];
	struct icd_stage_feedback feedback;
	struct cu_program *decoded;
};

/* The key: a digest of everything that the code depends on besides this build (which
 * the UUID of a cache stands for).  Needs no compiling, and of the module no more than
 * icd_module_identity. */
void icd_program_key(const VkPipelineShaderStageCreateInfo *stage, const uint8_t module[ICD_HASH_BYTES],
	const struct icd_pipeline_layout *layout, struct compiler_options options, uint8_t key[ICD_HASH_BYTES]);

/* flags: with FAIL_ON_PIPELINE_COMPILE_REQUIRED only the cache is asked.
 * What the cache has from a file is decoded within its bounds first, and compiled if
 * that fails.  The result ends with compiler_shader_finish.  Compile errors are
 * reported as messages with the compiler's words. */
VkResult icd_program_get(struct icd_device *device, struct icd_pipeline_cache *cache,
	const VkPipelineShaderStageCreateInfo *stage, const struct icd_pipeline_layout *layout,
	VkPipelineCreateFlags flags, struct compiler_options options, struct compiler_shader *out,
	struct icd_program_id *id);

/* Of several pipelines: the first error, else VK_PIPELINE_COMPILE_REQUIRED if any. */
static inline VkResult icd_program_merge_results(VkResult first, VkResult next)
{
	return first < 0 || next == VK_SUCCESS ? first : next;
}

/* RSRC1, the same fields in all stages. */
uint32_t icd_program_rsrc1(const struct compiler_shader *shader);
/* Packets that say where a stage's program is (0: it has none) and what it needs.
 * rsrc2: bits of RSRC2 that are this stage's alone. */
struct icd_pm4;
void icd_program_emit(struct icd_pm4 *pm4, enum compiler_stage stage, const struct compiler_shader *shader,
	uint64_t address, uint32_t rsrc2);

/* The bits of RSRC2 that groups have, in the same place for all their stages. */
uint32_t icd_program_group_rsrc2(const struct compiler_shader *shader);

/* False, and why, where registers cannot say what a program needs; the compiler refuses
 * such shaders, and icd_program_get gives none. */
bool icd_program_fits(const struct compiler_shader *shader, char *message, size_t size);

/* WAVESIZE for so many bytes of scratch a lane, ABI_MAX_SCRATCH_BYTES at most. */
uint32_t icd_program_wavesize(uint32_t scratch_bytes);

#endif
