/* SPDX-License-Identifier: MIT */
/* VkCommandBuffer: a stream and the state that recording carries along. */
#ifndef ICD_COMMAND_BUFFER_H
#define ICD_COMMAND_BUFFER_H

#include "icd/command_pool.h"
#include "icd/descriptor_set.h"
#include "icd/framebuffer.h"
#include "icd/pipeline.h"
#include "icd/render_pass.h"
#include "icd/rendering.h"
#include "icd/stream.h"
#include "isa/strmout.h"

enum icd_command_status { ICD_CMD_INITIAL, ICD_CMD_RECORDING, ICD_CMD_EXECUTABLE, ICD_CMD_INVALID };

/* Of one bind point. */
struct icd_bind_state {
	struct icd_pipeline *pipeline;
	uint64_t set[ABI_MAX_SETS];            /* addresses for the root table */
	uint32_t dynamic_v[ABI_MAX_DYNAMIC][4];
	uint32_t dirty_root;                   /* bit enum isa_hw_stage: whose root table is an old one */
	struct icd_push_set {                  /* what vkCmdPushDescriptorSet wrote; in stream data */
		uint8_t *memory;
		uint32_t bytes, set;
		bool used;                         /* some root table names it: no more writes */
	} push;
};

enum { ICD_MAX_ENDED_QUERIES = 64 };

struct icd_vertex_buffer { uint64_t address, bytes; };
struct icd_xfb_buffer { uint64_t address, bytes; }; /* of transform feedback; nothing is bound: zeros */

/* Where a render pass is. */
struct icd_pass_state {
	const struct icd_render_pass *pass;
	const struct icd_framebuffer *framebuffer;
	uint32_t subpass;
	VkRect2D area;
	VkClearValue *clear;                   /* by attachment; in stream data, as the next */
	const struct icd_image_view **view;
};

struct icd_command_state {
	struct icd_bind_state graphics, compute;
	uint64_t descriptor_buffer[ICD_MAX_DESCRIPTOR_BUFFERS]; /* addresses; of those not bound 0 */
	uint8_t push[ABI_PUSH_BYTES];          /* shared by both */
	struct icd_graphics_state draw;        /* what the next draw uses */
	uint32_t dirty;                        /* groups whose registers are not those of draw */
	uint64_t set;                          /* states that commands set since the last bind */
	struct icd_vertex_buffer vertex[ICD_MAX_VERTEX_BINDINGS];
	struct icd_xfb_buffer xfb[ISA_STRMOUT_BUFFERS];
	uint64_t index_address, index_bytes;
	uint32_t index_type;                   /* VGT_INDEX_TYPE */
	struct icd_rendering rendering;
	struct icd_pass_state pass;
	/* Queries that ended while rendering and wait to become available. */
	uint64_t ended[ICD_MAX_ENDED_QUERIES];   /* addresses of their availability */
	uint32_t ended_count;
	uint32_t primitive_queries;            /* that are active */
	bool conditional;                      /* rendering, or may be where a secondary is executed */
};

struct icd_command_buffer {
	struct icd_object base;
	struct icd_command_pool *pool;
	struct icd_command_buffer *next, *prev; /* in the pool */
	VkCommandBufferLevel level;
	VkCommandBufferUsageFlags usage;
	enum icd_command_status status;
	struct icd_stream stream;              /* vkQueueSubmit executes its packet chunks */
	struct icd_command_state state;
};
ICD_OBJECT(icd_command_buffer, VkCommandBuffer, VK_OBJECT_TYPE_COMMAND_BUFFER)

#endif
