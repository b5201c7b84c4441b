/* SPDX-License-Identifier: MIT */
/* State of a draw and its pixel program, decoded once for both. */
#ifndef RASTER_BACK_PS_STATE_H
#define RASTER_BACK_PS_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include "core/launch.h"
#include "isa/regs_table.h"
#include "raster/draw.h"

/* When depth and stencil are tested and written relative to the shader. */
enum rs_z_order {
	RS_Z_EARLY,       /* tested, written and counted before it */
	RS_Z_EARLY_TEST,  /* tested before it, tested again, written and counted after it */
	RS_Z_LATE,        /* all after it */
};

struct rs_stencil_face {
	uint8_t func, fail, zpass, zfail;  /* COMPARE_*; STENCIL_* */
	uint8_t ref, mask, write_mask;
};

enum rs_attr_kind { RS_ATTR_SMOOTH, RS_ATTR_FLAT, RS_ATTR_DEFAULT, RS_ATTR_POINT, RS_ATTR_WEIGHTS, RS_ATTR_VERTICES };
struct rs_attr {
	uint8_t kind, param;  /* param export number */
	float value[4];       /* RS_ATTR_DEFAULT */
};

struct rs_blend {
	bool enable;
	uint8_t color_src, color_dst, color_op;
	uint8_t alpha_src, alpha_dst, alpha_op;
};

/* VGPR at entry of each SPI_PS_INPUT_ENA bit; 0xff: not enabled. */
#define RS_VGPR_NONE 0xff

struct rs_ps_state {
	/* db */
	bool z_enable, z_write, stencil_enable, bounds_enable;
	uint8_t z_func;       /* COMPARE_* */
	uint8_t order;        /* enum rs_z_order */
	bool z_export, stencil_export, mask_export, kill, side_effects;
	bool depth_first;     /* a test of depths can come as soon as the shader has said them; where it may discard them later,
	                       * one that those fail that will fail the late one, too */
	bool alpha_to_mask;   /* alpha of mrt0, or of mrtz, takes samples away */
	bool alpha_from_z;
	/* Samples. */
	unsigned samples;
	uint32_t sample_mask; /* bit k: sample k is drawn at all */
	bool iterate;         /* a lane is a sample, not a pixel */
	bool sample_inputs;   /* inputs differ from those of pixels with one sample */
	uint8_t position;     /* POS_FLOAT_* */
	float sample_x[RS_MAX_SAMPLES], sample_y[RS_MAX_SAMPLES]; /* pixels from the centre */
	int32_t offset_x[RS_MAX_SAMPLES], offset_y[RS_MAX_SAMPLES]; /* the same in 1/256 */
	struct rs_stencil_face face[2]; /* [0] back, [1] front */
	float bounds_min, bounds_max;
	float clamp_min[16], clamp_max[16]; /* per viewport */
	/* spi */
	uint32_t ena;
	uint8_t vgpr[ISA_PS_INPUTS];
	uint8_t linear[3], perspective[3]; /* first VGPRs of the I, J pairs of each kind */
	uint8_t linear_count, perspective_count;
	struct cu_inputs inputs; /* VGPRs of all of them, from v0 on */
	unsigned num_interp;
	bool provoking_last;
	struct rs_attr attr[RS_MAX_ATTRS];
	/* cb */
	uint32_t write_mask;  /* 4 bits a target, RGBA */
	struct rs_blend blend[RS_MAX_COLOR];
	bool dual_source;
	float constant[4];
	uint8_t rop;          /* ROP3_*; COPY: none */
};

/* Lanes of any sample. */
static inline uint64_t rs_any_sample(const struct rs_ps_state *s, const uint64_t mask[RS_MAX_SAMPLES])
{
	uint64_t any = 0;
	for (unsigned k = 0; k < s->samples; k++)
		any |= mask[k];
	return any;
}

#endif
