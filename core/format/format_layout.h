/* SPDX-License-Identifier: MIT */
/* Memory formats as data: which (dfmt, nfmt) pairs exist and where their
 * components lie.  Shared by the scalar definition (format.c), the vector
 * conversions (format_vec.h) and the tests. */
#ifndef CORE_FORMAT_FORMAT_LAYOUT_H
#define CORE_FORMAT_FORMAT_LAYOUT_H

#include <stdint.h>
#include "isa/resource.h"

/* Every pair that exists: F(dfmt, nfmt). */
#define CU_FORMATS_INTEGER(F, d) F(d, UNORM) F(d, SNORM) F(d, USCALED) F(d, SSCALED) F(d, UINT) F(d, SINT)
#define CU_FORMATS_32(F, d) F(d, UINT) F(d, SINT) F(d, FLOAT)
#define CU_FORMATS(F) \
	CU_FORMATS_INTEGER(F, 8) F(8, SRGB) \
	CU_FORMATS_INTEGER(F, 8_8) F(8_8, SRGB) \
	CU_FORMATS_INTEGER(F, 8_8_8_8) F(8_8_8_8, SRGB) \
	CU_FORMATS_INTEGER(F, 16) F(16, FLOAT) \
	CU_FORMATS_INTEGER(F, 16_16) F(16_16, FLOAT) \
	CU_FORMATS_INTEGER(F, 16_16_16_16) F(16_16_16_16, FLOAT) \
	CU_FORMATS_32(F, 32) CU_FORMATS_32(F, 32_32) CU_FORMATS_32(F, 32_32_32) CU_FORMATS_32(F, 32_32_32_32) \
	CU_FORMATS_INTEGER(F, 2_10_10_10) CU_FORMATS_INTEGER(F, 10_10_10_2) \
	F(10_11_11, FLOAT) F(11_11_10, FLOAT) F(5_9_9_9, FLOAT) \
	F(5_6_5, UNORM) F(1_5_5_5, UNORM) F(5_5_5_1, UNORM) F(4_4_4_4, UNORM) \
	F(8_24, UNORM) F(24_8, UNORM)

/* A pair as one number, for tables and switches. */
#define CU_FORMAT_KEY(dfmt, nfmt) ((dfmt) << 4 | (nfmt))

/* Components in memory order; none crosses a dword. */
struct cu_format_layout {
	uint8_t count, bytes;
	uint8_t bits[4], shift[4]; /* shift: lowest bit in the texel */
};

#define CU_LAYOUT(bytes, n, b0, b1, b2, b3) \
	(struct cu_format_layout){ n, bytes, { b0, b1, b2, b3 }, { 0, b0, b0 + b1, b0 + b1 + b2 } }

/* Inline so that a constant dfmt folds to constants; count 0 for no format. */
static inline struct cu_format_layout cu_format_layout(unsigned dfmt)
{
	switch (dfmt) {
	case DFMT_8: return CU_LAYOUT(1, 1, 8, 0, 0, 0);
	case DFMT_16: return CU_LAYOUT(2, 1, 16, 0, 0, 0);
	case DFMT_8_8: return CU_LAYOUT(2, 2, 8, 8, 0, 0);
	case DFMT_32: return CU_LAYOUT(4, 1, 32, 0, 0, 0);
	case DFMT_16_16: return CU_LAYOUT(4, 2, 16, 16, 0, 0);
	case DFMT_10_11_11: return CU_LAYOUT(4, 3, 11, 11, 10, 0);
	case DFMT_11_11_10: return CU_LAYOUT(4, 3, 10, 11, 11, 0);
	case DFMT_10_10_10_2: return CU_LAYOUT(4, 4, 2, 10, 10, 10);
	case DFMT_2_10_10_10: return CU_LAYOUT(4, 4, 10, 10, 10, 2);
	case DFMT_8_8_8_8: return CU_LAYOUT(4, 4, 8, 8, 8, 8);
	case DFMT_32_32: return CU_LAYOUT(8, 2, 32, 32, 0, 0);
	case DFMT_16_16_16_16: return CU_LAYOUT(8, 4, 16, 16, 16, 16);
	case DFMT_32_32_32: return CU_LAYOUT(12, 3, 32, 32, 32, 0);
	case DFMT_32_32_32_32: return CU_LAYOUT(16, 4, 32, 32, 32, 32);
	case DFMT_5_6_5: return CU_LAYOUT(2, 3, 5, 6, 5, 0);
	case DFMT_1_5_5_5: return CU_LAYOUT(2, 4, 5, 5, 5, 1);
	case DFMT_5_5_5_1: return CU_LAYOUT(2, 4, 1, 5, 5, 5);
	case DFMT_4_4_4_4: return CU_LAYOUT(2, 4, 4, 4, 4, 4);
	case DFMT_8_24: return CU_LAYOUT(4, 2, 24, 8, 0, 0);
	case DFMT_24_8: return CU_LAYOUT(4, 2, 8, 24, 0, 0);
	case DFMT_5_9_9_9: return CU_LAYOUT(4, 3, 9, 9, 9, 5); /* the fourth is the exponent */
	default: return (struct cu_format_layout){ 0 };
	}
}

/* True when channels are integers rather than floats. */
static inline int cu_nfmt_is_integer(unsigned nfmt)
{
	return nfmt == NFMT_UINT || nfmt == NFMT_SINT;
}

/* Largest float that 5_9_9_9 holds: 511/512 * 2^16. */
#define CU_MAX_5999 65408.0f

/* sRGB with 8 bits (format_srgb.c).  Decoding is a look-up.  Encoding is exact:
 * `bucket` gives, for the top 16 bits of a float in [2^-13, 1), the code at the
 * bucket's lower end; the code is one more from limit[code] on. */
#define CU_SRGB_BUCKETS 1664
#define CU_SRGB_FIRST 0x39000000u /* bits of 2^-13; anything below encodes to 0 */
#define CU_SRGB_LAST 0x3f7fffffu  /* the largest float below 1 encodes to 255 */
extern const uint32_t cu_srgb_decode_bits[256];
extern const uint32_t cu_srgb_limit_bits[256];
extern const uint8_t cu_srgb_bucket[CU_SRGB_BUCKETS + 3]; /* padded for dword gathers */

#endif
