/* SPDX-License-Identifier: MIT */
/* Slots of queries, as the packets fill them in and QW_COPY_QUERY reads them.
 *
 * A kind is PM4_QUERY_*, in the upper half of its word the results that are wanted of
 * statistics: bit i the counter isa_query_stat(i). */
#ifndef ISA_QUERY_H
#define ISA_QUERY_H

#include <stddef.h>
#include <stdint.h>
#include "isa/pm4.h"

/* Of occlusion the result is end - begin, of a timestamp end. */
struct isa_query_slot { uint64_t begin, end, available, unused; };
/* As SAMPLE_PIPELINESTAT writes them. */
struct isa_stats_slot { uint64_t begin[PM4_STATS], end[PM4_STATS], available, unused; };

#define ISA_QUERY_KIND(kind, wanted) ((uint32_t)(kind) | (uint32_t)(wanted) << 16)

/* Counters in the order of the pipeline, which is that of results. */
static inline unsigned isa_query_stat(unsigned i)
{
	static const uint8_t order[PM4_STATS] = { PM4_STAT_IA_VERTICES, PM4_STAT_IA_PRIMITIVES, PM4_STAT_VS_INVOCATIONS,
		PM4_STAT_GS_INVOCATIONS, PM4_STAT_GS_PRIMITIVES, PM4_STAT_CLIP_INVOCATIONS, PM4_STAT_CLIP_PRIMITIVES,
		PM4_STAT_PS_INVOCATIONS, PM4_STAT_HS_INVOCATIONS, PM4_STAT_DS_INVOCATIONS, PM4_STAT_CS_INVOCATIONS };
	return order[i];
}

static inline int isa_query_is_stats(uint32_t kind) { return (kind & 0xffff) == PM4_QUERY_STATISTICS; }

/* Bytes of a slot. */
static inline size_t isa_query_stride(uint32_t kind)
{
	return isa_query_is_stats(kind) ? sizeof(struct isa_stats_slot) : sizeof(struct isa_query_slot);
}

/* Where in a slot its end and its availability are, in bytes; its beginning is at 0. */
static inline size_t isa_query_end(uint32_t kind)
{
	return isa_query_is_stats(kind) ? offsetof(struct isa_stats_slot, end) : offsetof(struct isa_query_slot, end);
}

static inline size_t isa_query_available(uint32_t kind)
{
	return isa_query_is_stats(kind) ? offsetof(struct isa_stats_slot, available) :
		offsetof(struct isa_query_slot, available);
}

/* The results of a slot, and how many they are.  What is not available is not read, for somebody
 * may be writing it, and counts as zeros. */
static inline unsigned isa_query_results(uint32_t kind, const void *slot, int available, uint64_t out[PM4_STATS])
{
	const struct isa_query_slot *one = slot;
	const struct isa_stats_slot *stats = slot;
	unsigned n = 0;
	if (!isa_query_is_stats(kind)) {
		out[0] = !available ? 0 : (kind & 0xffff) == PM4_QUERY_OCCLUSION ? one->end - one->begin : one->end;
		return 1;
	}
	for (unsigned i = 0; i < PM4_STATS; i++)
		if (kind >> (16 + i) & 1)
			out[n++] = available ? stats->end[isa_query_stat(i)] - stats->begin[isa_query_stat(i)] : 0;
	return n;
}

#endif
