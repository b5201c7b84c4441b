/* SPDX-License-Identifier: MIT */
/* What registers say to both ends of the GPU. */
#include "raster/draw.h"
#include "isa/regs.h"

unsigned rs_samples(const struct rs_context *c, int32_t x[RS_MAX_SAMPLES], int32_t y[RS_MAX_SAMPLES])
{
	unsigned log2 = REG_GET(c->reg[R_PA_SC_AA_CONFIG], PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES);
	unsigned n = 1u << (log2 > 3 ? 3 : log2);
	x[0] = y[0] = 0;
	for (unsigned k = 0; n > 1 && k < n; k++) {
		uint32_t at = c->reg[R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0 + k / 4] >> 8 * (k % 4);
		/* four signed bits, in 1/16 pixel */
		x[k] = (int32_t)((at & 15) ^ 8) * 16 - 128;
		y[k] = (int32_t)((at >> 4 & 15) ^ 8) * 16 - 128;
	}
	return n;
}
