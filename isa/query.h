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

/* A slot: counters as they were at its beginning, as many at its end, then whether it is available,
 * and a word for its size; 64 bits each. */

#define ISA_QUERY_KIND(kind, wanted) ((uint32_t)(kind) | (uint32_t)(wanted) << 16)
enum { ISA_QUERY_RESULTS = PM4_STATS }; /* of a slot, at most */

/* Counters in the order of the pipeline, which is that of results. */
static inline unsigned isa_query_stat(unsigned i)
{
	static const uint8_t order[PM4_STATS] = { PM4_STAT_IA_VERTICES, PM4_STAT_IA_PRIMITIVES, PM4_STAT_VS_INVOCATIONS,
		PM4_STAT_GS_INVOCATIONS, PM4_STAT_GS_PRIMITIVES, PM4_STAT_CLIP_INVOCATIONS, PM4_STAT_CLIP_PRIMITIVES,
		PM4_STAT_PS_INVOCATIONS, PM4_STAT_HS_INVOCATIONS, PM4_STAT_DS_INVOCATIONS, PM4_STAT_CS_INVOCATIONS,
		PM4_STAT_TS_INVOCATIONS, PM4_STAT_MS_INVOCATIONS, PM4_STAT_MS_PRIMITIVES };
	return order[i];
}

/* Counters of a slot: what the event writes that samples them. */
static inline unsigned isa_query_counters(uint32_t kind)
{
	switch (kind & 0xffff) {
	case PM4_QUERY_STATISTICS: return PM4_STATS;
	case PM4_QUERY_STREAMOUT: case PM4_QUERY_PRIMITIVES: return PM4_STREAM_COUNTS;
	default: return 1;
	}
}

/* Where in a slot its end and its availability are, and bytes of all of it; its beginning is at 0. */
static inline size_t isa_query_end(uint32_t kind) { return 8 * isa_query_counters(kind); }
static inline size_t isa_query_available(uint32_t kind) { return 16 * isa_query_counters(kind); }
static inline size_t isa_query_stride(uint32_t kind) { return isa_query_available(kind) + 16; }

/* The results of a slot, and how many they are.  What is not available is not read, for somebody
 * may be writing it, and counts as zeros. */
static inline unsigned isa_query_results(uint32_t kind, const void *slot, int available, uint64_t out[ISA_QUERY_RESULTS])
{
	const uint64_t *begin = slot, *end = begin + isa_query_counters(kind);
	unsigned n = 0;
#define RESULT(i) (out[n++] = available ? end[i] - begin[i] : 0)
	switch (kind & 0xffff) {
	case PM4_QUERY_STATISTICS:
		for (unsigned i = 0; i < PM4_STATS; i++)
			if (kind >> (16 + i) & 1)
				RESULT(isa_query_stat(i));
		break;
	case PM4_QUERY_STREAMOUT:
		RESULT(PM4_STREAM_WRITTEN);
		RESULT(PM4_STREAM_NEEDED);
		break;
	case PM4_QUERY_PRIMITIVES: RESULT(PM4_STREAM_GENERATED); break;
	case PM4_QUERY_TIMESTAMP: out[n++] = available ? end[0] : 0; break;
	default: RESULT(0);
	}
#undef RESULT
	return n;
}

#endif
