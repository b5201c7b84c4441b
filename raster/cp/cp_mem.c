/* SPDX-License-Identifier: MIT */
/* Packets that order and move memory: writes, waits, events, predication,
 * query results, and the doors of the copy engine.  Each first ends the pass,
 * so that earlier work is complete; a barrier may leave that to what follows it. */
#include <string.h>
#include <time.h>
#include "isa/pm4.h"
#include "isa/query.h"
#include "raster/cp/cp.h"
#include "raster/cp/cp_pass.h"
#include "raster/cp/gpu.h"
#include "raster/dma/dma.h"
#include "raster/program_cache.h"

static uint64_t clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool rs_cp_WRITE_DATA(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_write_data *k = (const void *)p;
	uint32_t *dst = NULL;
	if (!rs_cp_address(gpu, &k->address_lo, 4, &dst) || !rs_pass_flush(gpu))
		return false;
	memcpy(dst, k->data, (n - PM4_DWORDS(pm4_write_data)) * 4);
	return true;
}

bool rs_cp_RELEASE_MEM(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_release_mem *k = (const void *)p;
	uint32_t select = k->data_sel;
	uint64_t value = (uint64_t)k->data_hi << 32 | k->data_lo;
	if (!rs_pass_flush(gpu))
		return false;
	if (select == PM4_DATA_SEL_NONE)
		return true;
	void *dst = NULL;
	if (!rs_cp_address(gpu, &k->address_lo, select == PM4_DATA_SEL_32 ? 4 : 8, &dst))
		return false;
	switch (select) {
	case PM4_DATA_SEL_32:
		__atomic_store_n((uint32_t *)dst, (uint32_t)value, __ATOMIC_RELEASE);
		return true;
	case PM4_DATA_SEL_64:
		__atomic_store_n((uint64_t *)dst, value, __ATOMIC_RELEASE);
		return true;
	case PM4_DATA_SEL_CLOCK:
		__atomic_store_n((uint64_t *)dst, clock_ns(), __ATOMIC_RELEASE);
		return true;
	}
	return rs_gpu_fail(gpu, "data select %u does not exist", select);
}

bool rs_cp_ACQUIRE_MEM(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_acquire_mem *k = (const void *)p;
	rs_pass_barrier(gpu);
	if (!(k->coher & PM4_ACQUIRE_ICACHE))
		return true;
	if (!rs_pass_flush(gpu))
		return false;
	rs_programs_unverify(gpu->programs);
	return true;
}

/* The totals that an event writes, enum rs_total; false: none. */
static bool total_of(unsigned event, unsigned *total)
{
	switch (event) {
	case PM4_EVENT_ZPASS_DONE: *total = RS_TOTAL_SAMPLES; return true;
	case PM4_EVENT_SAMPLE_PIPELINESTAT: *total = RS_TOTAL_STATS; return true;
	case PM4_EVENT_SAMPLE_STREAMOUTSTATS: *total = RS_TOTAL_STREAM0; return true;
	default:
		*total = RS_TOTAL_STREAM0 + 1 + event - PM4_EVENT_SAMPLE_STREAMOUTSTATS1;
		return event - PM4_EVENT_SAMPLE_STREAMOUTSTATS1 < ISA_STREAMS - 1;
	}
}

bool rs_cp_EVENT_WRITE(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_event_write *k = (const void *)p;
	unsigned event = k->event & 0x3f;
	void *dst = NULL;
	switch (event) {
	case PM4_EVENT_PIPELINESTAT_START:
	case PM4_EVENT_PIPELINESTAT_STOP:
		gpu->stats += event == PM4_EVENT_PIPELINESTAT_START ? 1u : gpu->stats ? -1u : 0;
		return true;
	case PM4_EVENT_QW_PRIMITIVES_START:
	case PM4_EVENT_QW_PRIMITIVES_STOP:
		gpu->primitives = event == PM4_EVENT_QW_PRIMITIVES_START;
		return true;
	}
	unsigned total;
	if (!total_of(event, &total))
		return true;
	if (n < PM4_DWORDS(pm4_event_write))
		return rs_gpu_fail(gpu, "%s without an address", total == RS_TOTAL_SAMPLES ? "ZPASS_DONE" :
			total == RS_TOTAL_STATS ? "SAMPLE_PIPELINESTAT" : "SAMPLE_STREAMOUTSTATS");
	return rs_cp_address(gpu, &k->address_lo, 8, &dst) && rs_pass_sample(gpu, (uint64_t)(uintptr_t)dst, total);
}

/* Sleeps longer the longer it waits: 1 us up to 100 us.  Another queue may have its turn. */
static void pause_between_polls(struct rs_gpu *gpu, unsigned round)
{
	long ns = round < 100 ? 1000 : round < 1000 ? 10000 : 100000;
	rs_gpu_end_turn(gpu);
	nanosleep(&(struct timespec){ 0, ns }, NULL);
	rs_gpu_begin_turn(gpu);
}

bool rs_cp_WAIT_REG_MEM(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_wait_reg_mem *k = (const void *)p;
	const uint32_t *src = NULL;
	if (!rs_cp_address(gpu, &k->address_lo, 4, &src))
		return false;
	if (k->function != PM4_WAIT_EQUAL && k->function != PM4_WAIT_NOT_EQUAL)
		return rs_gpu_fail(gpu, "function %u is not supported", k->function);
	if (!rs_pass_flush(gpu))
		return false;
	for (unsigned round = 0;; round++) {
		bool equal = (__atomic_load_n(src, __ATOMIC_ACQUIRE) & k->mask) == k->reference;
		if (equal == (k->function == PM4_WAIT_EQUAL))
			return true;
		if (rs_gpu_aborted(gpu))
			return rs_gpu_fail(gpu, "aborted while waiting");
		pause_between_polls(gpu, round);
	}
}

bool rs_cp_SET_PREDICATION(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_set_predication *k = (const void *)p;
	gpu->skip = false;
	if (k->op == PM4_PREDICATE_OFF)
		return true;
	if (k->op != PM4_PREDICATE_SKIP_ZERO && k->op != PM4_PREDICATE_SKIP_NONZERO)
		return rs_gpu_fail(gpu, "operation %u does not exist", k->op);
	const uint32_t *src = NULL;
	if (!rs_cp_address(gpu, &k->address_lo, 4, &src) || !rs_pass_flush(gpu))
		return false;
	gpu->skip = (__atomic_load_n(src, __ATOMIC_ACQUIRE) != 0) == (k->op == PM4_PREDICATE_SKIP_NONZERO);
	return true;
}

static void store_result(uint8_t *dst, unsigned i, bool wide, uint64_t value)
{
	uint32_t narrow = (uint32_t)value;
	if (wide)
		memcpy(dst + 8 * i, &value, 8);
	else
		memcpy(dst + 4 * i, &narrow, 4);
}

/* Whether the slot is available, once it is where the packet waits. */
static bool wait_query(struct rs_gpu *gpu, const struct pm4_copy_query *q, const uint8_t *slot, bool *available)
{
	const uint64_t *word = (const uint64_t *)(slot + isa_query_available(q->kind));
	*available = __atomic_load_n(word, __ATOMIC_ACQUIRE);
	for (unsigned round = 0; !*available && (q->flags & PM4_QUERY_WAIT); round++) {
		if (rs_gpu_aborted(gpu))
			return rs_gpu_fail(gpu, "aborted while waiting for a query");
		pause_between_polls(gpu, round);
		*available = __atomic_load_n(word, __ATOMIC_ACQUIRE);
	}
	return true;
}

static void store_results(const struct pm4_copy_query *q, const uint8_t *slot, bool available, uint8_t *dst)
{
	uint64_t value[ISA_QUERY_RESULTS];
	unsigned n = isa_query_results(q->kind, slot, available, value);
	bool wide = q->flags & PM4_QUERY_64;
	if (available || q->flags & PM4_QUERY_PARTIAL) /* between nothing and the final result */
		for (unsigned i = 0; i < n; i++)
			store_result(dst, i, wide, value[i]);
	if (q->flags & PM4_QUERY_AVAILABILITY)
		store_result(dst, n, wide, available);
}

bool rs_cp_QW_COPY_QUERY(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	struct pm4_copy_query q;
	if (n != PM4_DWORDS(pm4_copy_query))
		return rs_gpu_fail(gpu, "%u payload dwords are wrong", n);
	memcpy(&q, p, sizeof q);
	const uint8_t *slot = NULL;
	uint8_t *dst = NULL;
	if (!q.count)
		return true;
	if (!rs_cp_address(gpu, &q.src_lo, 8, &slot) || !rs_cp_address(gpu, &q.dst_lo, 4, &dst) ||
	    !rs_pass_flush(gpu))
		return false;
	uint64_t stride = (uint64_t)q.stride_hi << 32 | q.stride_lo;
	for (uint32_t i = 0; i < q.count; i++, slot += isa_query_stride(q.kind), dst += stride) {
		bool available;
		if (!wait_query(gpu, &q, slot, &available))
			return false;
		store_results(&q, slot, available, dst);
	}
	return true;
}

#define DOOR(packet, engine) \
	bool rs_cp_##packet(struct rs_gpu *gpu, const uint32_t *p, uint32_t n) \
	{ \
		const struct rs_dma dma = { gpu->pool, gpu->kernels.formats }; \
		return rs_pass_flush(gpu) && \
			(engine(&dma, p, n) || rs_gpu_fail(gpu, "malformed packet")); \
	}
DOOR(QW_COPY_BUFFER, rs_dma_copy_buffer)
DOOR(QW_FILL_BUFFER, rs_dma_fill_buffer)
DOOR(QW_COPY_IMAGE, rs_dma_copy_image)
DOOR(QW_BLIT_IMAGE, rs_dma_blit_image)
DOOR(QW_CLEAR_IMAGE, rs_dma_clear_image)
DOOR(QW_RESOLVE_IMAGE, rs_dma_resolve_image)
