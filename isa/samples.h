/* SPDX-License-Identifier: MIT */
/* Vulkan's standard sample positions (the limit standardSampleLocations) as
 * PA_SC_AA_SAMPLE_LOCS registers hold them. */
#ifndef ISA_SAMPLES_H
#define ISA_SAMPLES_H

#include <stdint.h>

enum { ISA_MAX_SAMPLES = 8 };

/* A position: offsets from the pixel's centre in 1/16 pixel. */
struct isa_sample { int8_t x, y; };

/* Sample k of 1, 2, 4 or 8 samples. */
static inline struct isa_sample isa_standard_sample(unsigned samples, unsigned k)
{
	static const struct isa_sample one = { 0, 0 }, two[2] = { { 4, 4 }, { -4, -4 } },
		four[4] = { { -2, -6 }, { 6, -2 }, { -6, 2 }, { 2, 6 } },
		eight[8] = { { 1, -3 }, { -1, 3 }, { 5, 1 }, { -3, -5 }, { -5, 5 }, { -7, -1 }, { 3, 7 }, { 7, -7 } };
	return samples == 8 ? eight[k & 7] : samples == 4 ? four[k & 3] : samples == 2 ? two[k & 1] : one;
}

/* PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0 number `reg`: samples 4 reg .. 4 reg + 3. */
static inline uint32_t isa_sample_locs(unsigned samples, unsigned reg)
{
	uint32_t v = 0;
	for (unsigned i = 0; i < 4 && 4 * reg + i < samples; i++) {
		struct isa_sample s = isa_standard_sample(samples, 4 * reg + i);
		v |= ((uint32_t)s.x & 15) << 8 * i | ((uint32_t)s.y & 15) << (8 * i + 4);
	}
	return v;
}

#endif
