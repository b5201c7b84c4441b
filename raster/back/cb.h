/* SPDX-License-Identifier: MIT */
/* CB: a target as the pipeline at hand writes it. */
#ifndef RASTER_BACK_CB_H
#define RASTER_BACK_CB_H

#include <stdbool.h>
#include <stdint.h>
#include "core/format/format.h"
#include "core/level.h"
#include "isa/regs.h"

struct rs_blend;
struct rs_pass;
struct rs_ps_state;
struct rs_target;

/* Blend equations with code of their own, all of them sums: name, factors of the
 * source's and destination's colour, then alpha. */
#define RS_BLEND_KINDS(B) \
	B(NONE, BLEND_ONE, BLEND_ZERO, BLEND_ONE, BLEND_ZERO) \
	RS_BLEND_SUMS(B)
#define RS_BLEND_SUMS(B) \
	B(OVER, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_ONE, BLEND_ONE_MINUS_SRC_ALPHA) \
	B(OVER_ALL, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA) \
	B(PREMULTIPLIED, BLEND_ONE, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_ONE, BLEND_ONE_MINUS_SRC_ALPHA) \
	B(ADD, BLEND_ONE, BLEND_ONE, BLEND_ONE, BLEND_ONE) \
	B(ADD_ALPHA, BLEND_SRC_ALPHA, BLEND_ONE, BLEND_ONE, BLEND_ONE)
/* The same with the pipeline's own factors of alpha, which is one channel of four: name, factors of colour. */
#define RS_BLEND_OWN_ALPHA_KINDS(B) \
	B(OVER_OWN_ALPHA, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA) \
	B(PREMULTIPLIED_OWN_ALPHA, BLEND_ONE, BLEND_ONE_MINUS_SRC_ALPHA) \
	B(ADD_OWN_ALPHA, BLEND_ONE, BLEND_ONE) \
	B(ADD_ALPHA_OWN_ALPHA, BLEND_SRC_ALPHA, BLEND_ONE) \
	B(MULTIPLY_OWN_ALPHA, BLEND_DST_COLOR, BLEND_ZERO) \
	B(MULTIPLIED_OWN_ALPHA, BLEND_ZERO, BLEND_SRC_COLOR)
/* Of 8_8_8_8 in a usual order alone: one operation for all four; and, with the pipeline's own factors and operations, the rest. */
#define RS_BLEND_8_8_8_8_KINDS(B) B(MIN, COMB_MIN) B(MAX, COMB_MAX) B(USUAL, COMB_ADD)
enum rs_blend_kind {
#define B(name, ...) RS_BLEND_##name,
	RS_BLEND_KINDS(B)
	RS_BLEND_OWN_ALPHA_KINDS(B)
	RS_BLEND_8_8_8_8_KINDS(B)
#undef B
	RS_BLEND_ANY /* and of an order of components that is not usual */
};

/* 8_8_8_8 UNORM and sRGB have kernels of their own; the usual orders of components have code. */
enum rs_rgba8 { RS_RGBA8_NOT, RS_RGBA8, RS_BGRA8, RS_RGBA8_OTHER };

/* Formats that are blended without going through memory (cb_direct_kernel.c). */
#define RS_DIRECT_FORMATS(F) \
	F(8, UNORM) F(8_8, UNORM) F(16, FLOAT) F(16_16, FLOAT) F(16_16_16_16, FLOAT) F(32, FLOAT) F(32_32, FLOAT) \
	F(32_32_32_32, FLOAT) F(2_10_10_10, UNORM) F(10_11_11, FLOAT) F(5_6_5, UNORM) F(16, UNORM) F(16_16, UNORM) \
	F(16_16_16_16, UNORM) F(8, SNORM) F(8_8, SNORM) F(8_8_8_8, SNORM) F(16, SNORM) F(16_16, SNORM) F(16_16_16_16, SNORM)
/* Those that nothing is blended with, 8_8_8_8 here. */
#define RS_DIRECT_INTEGERS(F) \
	F(8_8_8_8, UNORM) F(8, UINT) F(8_8, UINT) F(8_8_8_8, UINT) F(16, UINT) F(16_16, UINT) F(16_16_16_16, UINT) F(32, UINT) F(32_32, UINT) \
	F(32_32_32_32, UINT) F(2_10_10_10, UINT) F(8, SINT) F(8_8, SINT) F(8_8_8_8, SINT) F(16, SINT) F(16_16, SINT) \
	F(16_16_16_16, SINT) F(32, SINT) F(32_32, SINT) F(32_32_32_32, SINT)
enum rs_direct_format {
	RS_DIRECT_NOT,
#define F(dfmt, nfmt) RS_DIRECT_##dfmt##_##nfmt,
	RS_DIRECT_FORMATS(F) RS_DIRECT_INTEGERS(F)
#undef F
};
enum rs_factor {
	RS_FACTOR_ZERO, RS_FACTOR_ONE, RS_FACTOR_SRC_ALPHA, RS_FACTOR_ONE_MINUS_SRC_ALPHA, RS_FACTOR_DST_ALPHA,
	RS_FACTOR_ONE_MINUS_DST_ALPHA
};
/* Factors of the source's and destination's colour, of each kind with code of its own for a format; ANY: what the pipeline says;
 * GENERAL: and that is no sum, or has factors that are not one number for all of the colour. */
#define RS_DIRECT_SUMS(K, dfmt, nfmt) \
	K(OVER, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, dfmt, nfmt) K(PREMULTIPLIED, ONE, ONE_MINUS_SRC_ALPHA, dfmt, nfmt) \
	K(ADD, ONE, ONE, dfmt, nfmt) K(ADD_ALPHA, SRC_ALPHA, ONE, dfmt, nfmt)
#define RS_DIRECT_KINDS(K, dfmt, nfmt) \
	K(COPY, ONE, ZERO, dfmt, nfmt) RS_DIRECT_SUMS(K, dfmt, nfmt) K(ANY, ZERO, ZERO, dfmt, nfmt) \
	K(GENERAL, ZERO, ZERO, dfmt, nfmt)
enum rs_direct_kind {
#define K(name, ...) RS_DIRECT_##name,
	RS_DIRECT_KINDS(K, , )
#undef K
	RS_DIRECT_KIND_COUNT
};
struct rs_direct {
	uint8_t format;               /* enum rs_direct_format */
	uint8_t kind;                 /* enum rs_direct_kind */
	uint8_t channel[4];           /* of a component of memory */
	uint8_t color[2], alpha[2];   /* enum rs_factor, of source and destination, which are added up */
};

/* A target as the pipeline at hand writes it: rs_pass's target with what the
 * state adds. */
struct rs_color {
	const struct rs_target *target;
	unsigned index;
	cu_unpack_block_fn unpack;
	cu_pack_block_fn pack;
	uint8_t rgba8;                 /* enum rs_rgba8 */
	bool srgb;                     /* rgba8 */
	const struct rs_blend *blend;  /* NULL: none */
	bool partial;                  /* some bits of a texel are kept */
	bool read;                     /* the destination takes part */
	uint8_t rop;
	float clamp_lo, clamp_hi;      /* of blend inputs; lo > hi: no clamp */
	uint8_t needs;                 /* channels that the wave must have exported, a bit each: others are not looked at */
	int8_t from[4];                /* channel c is memory component from[c]; -1: absent */
	uint8_t shift[4];              /* rgba8: bit of channel c in a texel; 32: absent */
	uint32_t fixed;                /* rgba8: components that are constant */
	uint8_t blend_kind;            /* enum rs_blend_kind */
	bool single;                   /* each component is a channel of its own, and none a constant */
	struct rs_direct direct;
	uint8_t texel_mask[3 * 16];    /* bits that may be written, again and again: a whole number of texels of every size */
};

/* Combines target n, which is t, with the state; false when nothing of it is written. */
bool rs_color_bind(struct rs_color *c, struct rs_pass *pass, const struct rs_target *t, const struct rs_ps_state *s,
	unsigned n, const struct cu_formats *formats);
/* Bits of a texel that belong to the memory components of `components`. */
void rs_texel_mask(unsigned dfmt, unsigned components, uint8_t mask[16]);

#endif
