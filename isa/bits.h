/* SPDX-License-Identifier: MIT */
/* The bits of a single-precision number (IEEE 754 binary32), and back. */
#ifndef ISA_BITS_H
#define ISA_BITS_H

#include <stdint.h>
#include <string.h>

static inline float bits_float(uint32_t u)
{
	float f;
	memcpy(&f, &u, 4);
	return f;
}

static inline uint32_t float_bits(float f)
{
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}

#endif
