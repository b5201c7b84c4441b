/* SPDX-License-Identifier: MIT */
/* Command processor: walks PM4, keeps registers, collects draws and clears into a pass. */
#ifndef RASTER_CP_CP_H
#define RASTER_CP_CP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_gpu;

bool rs_cp_stream(struct rs_gpu *gpu, const uint32_t *ib, size_t dwords);
/* Handlers: payload of n dwords, n within pm4.def's limits; false: gpu has failed. */
#define PM4(name, packet, op, min, max, payload) bool rs_cp_##name(struct rs_gpu *gpu, const uint32_t *p, uint32_t n);
#include "isa/pm4.def"

static inline void *rs_pointer(uint32_t lo, uint32_t hi)
{
	return (void *)(uintptr_t)((uint64_t)hi << 32 | lo);
}

/* A memory operand of a packet; fails when NULL or not aligned. */
bool rs_cp_address(struct rs_gpu *gpu, const uint32_t *p, unsigned align, void *out);

#endif
