/* SPDX-License-Identifier: MIT */
/* All graphics state, in Vulkan's terms: a pipeline holds what its create info says, a
 * command buffer what the next draw will use, and graphics_state.def says of each state
 * whether commands may set it and which registers depend on it.
 *
 * A pipeline bakes the groups of registers whose states are all static into its packets;
 * binding takes its static states, and a draw writes the groups that are dirty: between
 * draws, the registers of a group that is not dirty are those of the command buffer's
 * state. */
#ifndef ICD_GRAPHICS_STATE_H
#define ICD_GRAPHICS_STATE_H

#include <stdbool.h>
#include "icd/physical_device.h"

struct icd_pm4;

/* Enumerators are Vulkan's; they fit a byte. */
struct icd_depth_bias { float constant, clamp, slope; };
struct icd_stencil_op { uint8_t fail, pass, depth_fail, compare; };
struct icd_blend_equation { uint8_t src_color, dst_color, color_op, src_alpha, dst_alpha, alpha_op; };
/* Values of VGT_TF_PARAM, topology for an upper-left origin; vertices: of a patch that is written, 0 without
 * tessellation. */
struct icd_tess { uint8_t type, partitioning, topology, vertices; };
/* The first `count` were set. */
struct icd_viewports { uint32_t count; VkViewport at[ICD_MAX_VIEWPORTS]; };
struct icd_scissors { uint32_t count; VkRect2D at[ICD_MAX_VIEWPORTS]; };
enum { ICD_FRONT, ICD_BACK };
/* Of those who say nothing, what does not clamp clips. */
enum icd_depth_clip { ICD_CLIP_UNLESS_CLAMP, ICD_CLIP_OFF, ICD_CLIP_ON };

struct icd_graphics_state {
	uint8_t topology;
	bool primitive_restart;
	uint8_t patch_points;          /* vertices of a patch that is read */
	bool domain_lower;             /* the domain's origin is the lower left */
	struct icd_tess tess;
	uint16_t stride[ICD_MAX_VERTEX_BINDINGS]; /* bytes; 0: every vertex reads the same */

	struct icd_viewports viewport;
	struct icd_scissors scissor;

	uint8_t rasterization_stream;
	bool rasterizer_discard, depth_clamp, depth_bias_enable;
	uint8_t depth_clip;            /* enum icd_depth_clip */
	bool depth_symmetric;          /* the view volume's z goes from -w to w, else from 0 */
	bool depth_unrestricted;       /* depths may lie outside 0 to 1 */
	bool provoking_last;
	uint8_t polygon_mode, cull_mode, front_face, line_mode;
	struct icd_depth_bias depth_bias;
	float line_width;

	uint8_t samples;
	bool once_a_sample;            /* the fragment program runs */
	bool alpha_to_coverage;
	uint16_t sample_mask;

	uint8_t depth_aspects;         /* VkImageAspectFlags of the depth and stencil targets */
	bool depth_test, depth_write, depth_bounds_test, stencil_test;
	uint8_t depth_compare;
	float depth_bounds[2];
	struct icd_stencil_op stencil_op[2]; /* by ICD_FRONT, ICD_BACK, as those that follow */
	uint8_t stencil_compare_mask[2], stencil_write_mask[2], stencil_reference[2];

	uint8_t color_targets;         /* bit i: there is target i */
	uint8_t color_write_mask[ICD_MAX_COLOR];
	bool color_write_enable[ICD_MAX_COLOR];
	bool blend_enable[ICD_MAX_COLOR];
	struct icd_blend_equation blend_equation[ICD_MAX_COLOR];
	bool logic_op_enable;
	uint8_t logic_op;
	float blend_constants[4];
};

enum icd_state {
#define GROUP(name)
#define STATE(name, dynamic, member, groups) ICD_STATE_##name,
#define ALSO(name, dynamic)
#include "icd/graphics_state.def"
	ICD_STATE_COUNT
};
/* Sets of states are masks of 64 bits, sets of groups masks of 32. */
#define ICD_STATE_BIT(name) (1ull << ICD_STATE_##name)
#define ICD_STATES_ALL ((1ull << ICD_STATE_COUNT) - 1)

enum icd_group {
#define GROUP(name) ICD_GROUP_##name,
#define STATE(name, dynamic, member, groups)
#define ALSO(name, dynamic)
#include "icd/graphics_state.def"
	ICD_GROUP_COUNT
};
#define ICD_GROUP_BIT(name) (1u << ICD_GROUP_##name)
#define ICD_GROUPS_ALL ((1u << ICD_GROUP_COUNT) - 1)

/* Where a state lies, bytes, and the groups that depend on it. */
struct icd_state_row { uint16_t offset, size; uint32_t groups; };
extern const struct icd_state_row icd_state_rows[ICD_STATE_COUNT];

/* The states that the create info leaves to the command buffer (section "Dynamic State"). */
uint64_t icd_graphics_state_dynamic(const VkPipelineDynamicStateCreateInfo *info);

/* The groups that depend on any of the states. */
uint32_t icd_graphics_state_groups(uint64_t states);

/* Copies these states. */
void icd_graphics_state_take(struct icd_graphics_state *to, const struct icd_graphics_state *from, uint64_t states);

/* Appends packets for the groups, but for ATTRIBUTES, of which there are none. */
void icd_graphics_emit(struct icd_pm4 *pm4, const struct icd_graphics_state *state, uint32_t groups);

#endif
