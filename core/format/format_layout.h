/* SPDX-License-Identifier: MIT */
/* Memory formats as data (isa/formats.def): where components lie.  Shared by the scalar definition (format.c), the vector
 * conversions (format_vec.h) and the tests. */
#ifndef CORE_FORMAT_FORMAT_LAYOUT_H
#define CORE_FORMAT_FORMAT_LAYOUT_H

#include <stdint.h>
#include "isa/resource.h"

/* A pair as one number, for tables and switches. */
#define CU_FORMAT_KEY(dfmt, nfmt) ((dfmt) << 4 | (nfmt))

/* Components in memory order; none crosses a dword. */
struct cu_format_layout {
	uint8_t count, bytes;
	uint8_t bits[4], shift[4]; /* shift: lowest bit in the texel */
};

#define CU_LAYOUT(bytes, n, b0, b1, b2, b3) \
	(struct cu_format_layout){ n, bytes, { b0, b1, b2, b3 }, { 0, b0, b0 + b1, b0 + b1 + b2 } }

/* Inline, however long the list gets, so that a constant dfmt folds to constants; count 0 for no format. */
static inline __attribute__((always_inline)) struct cu_format_layout cu_format_layout(unsigned dfmt)
{
	switch (dfmt) {
#define DATA_FORMAT(name, number, bytes, width, height, n, b0, b1, b2, b3) \
	case DFMT_##name: return CU_LAYOUT(bytes, n, b0, b1, b2, b3);
	ISA_DATA_FORMATS(DATA_FORMAT)
#undef DATA_FORMAT
	default: return (struct cu_format_layout){ 0 };
	}
}

/* The data formats of V#. */
static inline int cu_format_in_buffers(unsigned dfmt)
{
	return dfmt < 15 || dfmt == DFMT_8_8_8 || dfmt == DFMT_16_16_16;
}

/* True when channels are integers rather than floats. */
static inline int cu_nfmt_is_integer(unsigned nfmt)
{
	return nfmt == NFMT_UINT || nfmt == NFMT_SINT;
}

/* Largest float that 5_9_9_9 holds: 511/512 * 2^16. */
#define CU_MAX_5999 65408.0f

/* sRGB with 8 bits (format_srgb.c).  Decoding is a look-up.  Encoding is exact: `steps` has an entry for the top 16 bits
 * of a float in [2^-13, 1); the float's low 16 bits are added to it, and the sum's top 16 bits are the code. */
#define CU_SRGB_BUCKETS 1664
#define CU_SRGB_FIRST 0x39000000u /* bits of 2^-13; anything below encodes to 0 */
#define CU_SRGB_LAST 0x3f7fffffu  /* the largest float below 1 encodes to 255 */
extern const uint32_t cu_srgb_decode_bits[256];
extern const uint32_t cu_srgb_filter_bits[256]; /* tex_srgb_linear (core/tex/tex_srgb.h) of each */
extern const uint32_t cu_srgb_steps[CU_SRGB_BUCKETS];

#endif
