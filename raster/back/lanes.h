/* SPDX-License-Identifier: MIT */
/* Lanes of an 8x8 block, in the order that group.h gives them. */
#ifndef RASTER_BACK_LANES_H
#define RASTER_BACK_LANES_H

#include <stdint.h>

/* Lanes of an 8x8 block with x < n; with y < n; n in 0..8. */
static inline uint64_t rs_lanes_left(int n)
{
	static const uint64_t mask[9] = { 0, 0x0000050500000505, 0x00000f0f00000f0f,
		0x00005f5f00005f5f, 0x0000ffff0000ffff, 0x0505ffff0505ffff, 0x0f0fffff0f0fffff,
		0x5f5fffff5f5fffff, ~0ull };
	return mask[n];
}
static inline uint64_t rs_lanes_top(int n)
{
	static const uint64_t mask[9] = { 0, 0x0000000000330033, 0x0000000000ff00ff,
		0x0000000033ff33ff, 0x00000000ffffffff, 0x00330033ffffffff, 0x00ff00ffffffffff,
		0x33ff33ffffffffff, ~0ull };
	return mask[n];
}
/* Lanes of the block at tile position (8 bx, 8 by) within [x0, x1) x [y0, y1). */
static inline uint64_t rs_lanes_within(int bx, int by, int x0, int y0, int x1, int y1)
{
	int l = x0 - 8 * bx, r = x1 - 8 * bx, t = y0 - 8 * by, b = y1 - 8 * by;
	l = l < 0 ? 0 : l > 8 ? 8 : l;
	r = r < 0 ? 0 : r > 8 ? 8 : r;
	t = t < 0 ? 0 : t > 8 ? 8 : t;
	b = b < 0 ? 0 : b > 8 ? 8 : b;
	return rs_lanes_left(r) & ~rs_lanes_left(l) & rs_lanes_top(b) & ~rs_lanes_top(t);
}
/* Position in its 8x8 block of a lane. */
static inline unsigned rs_lane_x(unsigned l)
{
	return (l & 1) | (l >> 1 & 2) | (l >> 2 & 4);
}
static inline unsigned rs_lane_y(unsigned l)
{
	return (l >> 1 & 1) | (l >> 2 & 2) | (l >> 3 & 4);
}

/* A lane bit for every quad that has a live lane: bit 4 q. */
static inline uint64_t rs_live_quads(uint64_t mask)
{
	mask |= mask >> 1;
	mask |= mask >> 2;
	return mask & 0x1111111111111111ull;
}

#endif
