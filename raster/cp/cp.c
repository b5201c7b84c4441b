/* SPDX-License-Identifier: MIT */
/* Command processor: walks PM4 and keeps the register files. */
#include "raster/cp/cp.h"

#include <stdio.h>
#include <string.h>
#include "isa/pm4.h"
#include "isa/regs.h"
#include "raster/cp/gpu.h"

enum { MAX_DEPTH = 8 };

struct packet {
	const char *name;
	unsigned min, max;
	bool (*run)(struct rs_gpu *gpu, const uint32_t *p, uint32_t n);
};

static const struct packet packets[256] = {
#define PM4(name, packet, op, min, max, payload) [op] = { #name, min, max, rs_cp_##name },
#include "isa/pm4.def"
};

/* Puts what failed where in front of a handler's message; the innermost
 * packet only. */
static bool locate(struct rs_gpu *gpu, const char *name, size_t at)
{
	if (gpu->located)
		return false;
	gpu->located = true;
	char text[sizeof gpu->error];
	memcpy(text, gpu->error, sizeof text);
	snprintf(gpu->error, sizeof gpu->error, "%s at dword %zu of buffer level %u: %.300s",
		name, at, gpu->depth, text);
	return false;
}

static bool run_packet(struct rs_gpu *gpu, const uint32_t *ib, size_t dwords, size_t at, uint32_t *size)
{
	uint32_t h = ib[at];
	if (pm4_type(h) == 2) { /* filler */
		*size = 1;
		return true;
	}
	if (pm4_type(h) != 3)
		return rs_gpu_fail(gpu, "packet of type %u (0x%08x) at dword %zu of buffer level %u",
			pm4_type(h), h, at, gpu->depth);
	const struct packet *k = &packets[pm4_opcode(h)];
	uint32_t n = pm4_payload(h);
	*size = n + 1;
	if (!k->run)
		return rs_gpu_fail(gpu, "unknown packet opcode 0x%02x at dword %zu of buffer level %u",
			pm4_opcode(h), at, gpu->depth);
	if (n > dwords - at - 1)
		return rs_gpu_fail(gpu, "%s at dword %zu of buffer level %u: %u payload dwords, %zu left",
			k->name, at, gpu->depth, n, dwords - at - 1);
	if (n < k->min || (k->max && n > k->max))
		return rs_gpu_fail(gpu, "%s at dword %zu of buffer level %u: %u payload dwords are wrong",
			k->name, at, gpu->depth, n);
	if ((h & 1) && gpu->skip)
		return true;
	unsigned depth = gpu->depth;
	if (k->run(gpu, ib + at + 1, n))
		return true;
	gpu->depth = depth;
	return locate(gpu, k->name, at);
}

static bool stopped(struct rs_gpu *gpu, size_t at)
{
	char where[64];
	snprintf(where, sizeof where, " at dword %zu of buffer level %u", at, gpu->depth);
	return rs_gpu_stopped(gpu, where);
}

bool rs_cp_stream(struct rs_gpu *gpu, const uint32_t *ib, size_t dwords)
{
	for (size_t at = 0; at < dwords;) {
		uint32_t size = 1;
		if (rs_gpu_aborted(gpu))
			return stopped(gpu, at);
		if (!run_packet(gpu, ib, dwords, at, &size))
			return false;
		at += size;
	}
	return true;
}

bool rs_cp_address(struct rs_gpu *gpu, const uint32_t *p, unsigned align, void *out)
{
	void *address = rs_pointer(p[0], p[1]);
	if (!address || (uintptr_t)address % align || p[1] >> 16)
		return rs_gpu_fail(gpu, "bad address 0x%08x%08x", p[1], p[0]);
	memcpy(out, &address, sizeof address);
	return true;
}

bool rs_cp_NOP(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	return true;
}

bool rs_cp_INDIRECT_BUFFER(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_indirect_buffer *k = (const void *)p;
	const uint32_t *ib = NULL;
	if (!k->dwords)
		return true;
	if (!rs_cp_address(gpu, &k->address_lo, 4, &ib))
		return false;
	if (gpu->depth + 1 >= MAX_DEPTH)
		return rs_gpu_fail(gpu, "more than %d levels", MAX_DEPTH);
	gpu->depth++;
	bool ok = rs_cp_stream(gpu, ib, k->dwords);
	gpu->depth--;
	return ok;
}

static bool check_range(struct rs_gpu *gpu, uint32_t first, uint32_t count, uint32_t limit)
{
	if (first >= limit || count > limit - first)
		return rs_gpu_fail(gpu, "registers %u..%u are outside the space of %u",
			first, first + count - 1, limit);
	return true;
}

/* A register's share of the context's hash; nothing for 0. */
static uint64_t hash_register(uint32_t index, uint32_t value)
{
	uint64_t h = value * 0x9E3779B97F4A7C15ull;
	h = (h ^ h >> 32) * (2 * (uint64_t)index + 0xBF58476D1CE4E5B9ull);
	return value ? h ^ h >> 29 : 0;
}

bool rs_cp_SET_CONTEXT_REG(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_set_context_reg *k = (const void *)p;
	uint32_t first = k->index & 0xffff;
	if (!check_range(gpu, first, n - 1, REG_CONTEXT_DWORDS))
		return false;
	/* Only a changed value makes a new context; its hash follows. */
	for (uint32_t i = 0; i < n - 1; i++) {
		uint32_t *reg = &gpu->context.reg[first + i], value = k->values[i];
		if (*reg == value)
			continue;
		gpu->context_hash ^= hash_register(first + i, *reg) ^ hash_register(first + i, value);
		*reg = value;
		gpu->context_dirty = true;
	}
	return true;
}

bool rs_cp_SET_SH_REG(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_set_sh_reg *k = (const void *)p;
	uint32_t first = k->index & 0xffff;
	if (!check_range(gpu, first, n - 1, REG_SH_DWORDS))
		return false;
	memcpy(&gpu->sh[first], k->values, (n - 1) * 4);
	return true;
}

bool rs_cp_SET_UCONFIG_REG(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_set_uconfig_reg *k = (const void *)p;
	uint32_t first = k->index & 0xffff;
	if (!check_range(gpu, first, n - 1, REG_UCONFIG_DWORDS))
		return false;
	memcpy(&gpu->uconfig[first], k->values, (n - 1) * 4);
	gpu->bounds.border_colors = ((uint64_t)gpu->uconfig[R_TA_CS_BC_BASE_ADDR_HI] << 32 |
		gpu->uconfig[R_TA_CS_BC_BASE_ADDR]) << 8;
	return true;
}

bool rs_cp_NUM_INSTANCES(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_num_instances *k = (const void *)p;
	gpu->uconfig[R_VGT_NUM_INSTANCES] = k->count;
	return true;
}
