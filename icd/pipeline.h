/* SPDX-License-Identifier: MIT */
/* VkPipeline: programs and a baked run of register packets. */
#ifndef ICD_PIPELINE_H
#define ICD_PIPELINE_H

#include <stdbool.h>
#include "compiler/compiler.h"
#include "icd/graphics_state.h"
#include "icd/pipeline_layout.h"

/* A vertex attribute.  At draw, recording writes the V# of its location to the
 * attribute table (16 * location): base = buffer + binding offset + offset,
 * the binding's stride, records by icd_attr_records, and word 3 as given. */
struct icd_vertex_attr {
	uint8_t location, binding;
	uint8_t bytes;                 /* of the format */
	bool per_instance;             /* known to the program as well */
	uint32_t offset;
	uint32_t v3;                   /* DST_SEL, NUM_FORMAT, DATA_FORMAT */
};

struct icd_pipeline {
	struct icd_object base;
	VkPipelineBindPoint bind_point;
	struct icd_pipeline_layout *layout;  /* referenced */

	/* Packets that set every register that does not depend on dynamic state or
	 * draws: copy them on bind.  SET_CONTEXT_REG, SET_SH_REG (programs,
	 * RSRC, workgroup size) and SET_UCONFIG_REG (primitive type, restart enable;
	 * VGT_MULTI_PRIM_IB_RESET_INDX goes with the index type). */
	uint32_t *pm4;
	uint32_t pm4_dwords;

	/* Graphics */
	uint64_t dynamic;                    /* states left to the command buffer */
	struct icd_graphics_state state;     /* the others */
	uint32_t hw_stages;                  /* bit enum isa_hw_stage: whose user SGPRs its programs have */
	uint8_t vertex_hw;                   /* the one that has the vertex program's */
	uint32_t baked;                      /* groups of registers that pm4 sets */
	uint32_t mixed;                      /* groups that draws write after a bind: static states
	                                      * are among those they depend on, and dynamic ones */
	uint32_t attr_count;
	struct icd_vertex_attr attr[ICD_MAX_VERTEX_ATTRS];

	/* Compute */
	uint32_t workgroup[3];

	uint32_t *code;                      /* all programs, each 256-byte aligned */
	uint32_t program_count, *program[COMPILER_STAGES]; /* in it */
};
ICD_OBJECT(icd_pipeline, VkPipeline, VK_OBJECT_TYPE_PIPELINE)

/* The steps of creation; icd_pipeline_destroy undoes any prefix of them. */
struct icd_pm4;
struct icd_pipeline *icd_pipeline_alloc(struct icd_device *device,
	const VkAllocationCallbacks *alloc, VkPipelineBindPoint bind_point, VkPipelineLayout layout);
/* Copies the programs into GPU-visible memory and makes them ready to run;
 * addresses are 256-byte aligned.  cache (or NULL): where translations are
 * looked up and kept.  Takes what ids hold decoded. */
struct icd_pipeline_cache;
struct icd_program_id;
VkResult icd_pipeline_place_code(struct icd_pipeline *p, const VkAllocationCallbacks *alloc,
	struct icd_pipeline_cache *cache, const struct compiler_shader *const shaders[], struct icd_program_id *const ids[],
	uint32_t count, uint64_t addresses[]);
VkResult icd_pipeline_keep_pm4(struct icd_pipeline *p, const VkAllocationCallbacks *alloc,
	const struct icd_pm4 *pm4);
void icd_pipeline_destroy(struct icd_pipeline *p, const VkAllocationCallbacks *alloc);

/* Records of an attribute's V# when `bytes` bytes of the buffer follow the
 * attribute's first byte: bytes if stride is 0, else whole elements. */
static inline uint32_t icd_attr_records(const struct icd_vertex_attr *a, uint32_t stride, uint64_t bytes)
{
	uint64_t n;
	if (bytes < a->bytes)
		return 0;
	n = stride ? (bytes - a->bytes) / stride + 1 : bytes;
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

#endif
