/* SPDX-License-Identifier: MIT */
/* State that a pipeline may leave to the command buffer.  Pipelines bake none
 * of it: on bind, recording takes the fixed parts from pipeline->fixed and
 * emits registers for whatever changed. */
#ifndef ICD_DYNAMIC_STATE_H
#define ICD_DYNAMIC_STATE_H

#include "icd/physical_device.h"

enum icd_dynamic_bits {
	ICD_DYN_VIEWPORT = 1 << 0,           /* PA_CL_VPORT_*, PA_SC_VPORT_ZMIN/ZMAX */
	ICD_DYN_SCISSOR = 1 << 1,            /* PA_SC_VPORT_SCISSOR_* */
	ICD_DYN_LINE_WIDTH = 1 << 2,         /* PA_SU_LINE_CNTL */
	ICD_DYN_DEPTH_BIAS = 1 << 3,         /* PA_SU_POLY_OFFSET_* */
	ICD_DYN_BLEND_CONSTANTS = 1 << 4,    /* CB_BLEND_RED.. */
	ICD_DYN_DEPTH_BOUNDS = 1 << 5,       /* DB_DEPTH_BOUNDS_* */
	ICD_DYN_STENCIL_COMPARE = 1 << 6,    /* these three: DB_STENCILREFMASK(_BF) */
	ICD_DYN_STENCIL_WRITE = 1 << 7,
	ICD_DYN_STENCIL_REF = 1 << 8,
	ICD_DYN_ALL = (1 << 9) - 1,
};

struct icd_stencil_values { uint8_t compare_mask, write_mask, ref; };

struct icd_dynamic_state {
	VkViewport viewport[ICD_MAX_VIEWPORTS];
	VkRect2D scissor[ICD_MAX_VIEWPORTS];
	float line_width;
	float bias_constant, bias_clamp, bias_slope;
	float blend_constants[4];
	float depth_min, depth_max;
	struct icd_stencil_values stencil[2]; /* front, back */
};

#endif
