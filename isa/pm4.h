/* SPDX-License-Identifier: MIT */
/* PM4 packets: headers, opcodes, payloads.  All dwords little endian; 64-bit
 * addresses are lo, hi.  What the packets do is said in pm4.def. */
#ifndef ISA_PM4_H
#define ISA_PM4_H

#include <stdint.h>

enum pm4_op {
#define PM4(name, packet, op, min, max, payload) PM4_##name = (op),
#include "isa/pm4.def"
};

/* Header of a packet with n >= 1 payload dwords (n = 0 is not expressible);
 * bit 0 (predicate): skipped while SET_PREDICATION says so. */
static inline uint32_t pm4_header(enum pm4_op op, uint32_t n, uint32_t predicate)
{
	return 3u << 30 | ((n - 1) & 0x3fff) << 16 | (uint32_t)op << 8 | predicate;
}
static inline uint32_t pm4_type(uint32_t h) { return h >> 30; }
static inline uint32_t pm4_opcode(uint32_t h) { return h >> 8 & 0xff; }
static inline uint32_t pm4_payload(uint32_t h) { return (h >> 16 & 0x3fff) + 1; }

/* Payloads: struct pm4_draw_index_2, .. of pm4.def's rows. */
#define DW(field) uint32_t field;
#define DW_OF(field, set) uint32_t field;
#define SDW(field) int32_t field;
#define LOHI(field) uint32_t field##_lo, field##_hi;
#define DW4(field) uint32_t field[4];
#define SURFACE(field) struct pm4_surface field;
#define BUFFER_IMAGE(field) struct pm4_buffer_image field;
#define REST(field) uint32_t field[];
#define PART(part, payload) struct pm4_##part { payload };
#define PM4(name, packet, op, min, max, payload) struct pm4_##packet { payload };
#include "isa/pm4.def"
#undef DW
#undef DW_OF
#undef SDW
#undef LOHI
#undef DW4
#undef SURFACE
#undef BUFFER_IMAGE
#undef REST

/* Of a payload; without what a REST holds. */
#define PM4_DWORDS(type) (sizeof(struct type) / 4)
#define PM4(name, packet, op, min, max, payload) \
	_Static_assert((max) == 0 || PM4_DWORDS(pm4_##packet) == (max), #name ": payload_max is another size");
#include "isa/pm4.def"

enum { PM4_DI_SRC_AUTO = 2, PM4_DI_USE_OPAQUE = 1 << 6 };
/* STRMOUT_BUFFER_UPDATE.control: with the buffer << PM4_STRMOUT_BUFFER_LO. */
enum { PM4_STRMOUT_STORE = 1, PM4_STRMOUT_FROM_PACKET = 0 << 1, PM4_STRMOUT_FROM_MEMORY = 2 << 1,
	PM4_STRMOUT_KEEP = 3 << 1, PM4_STRMOUT_SOURCE = 3 << 1, PM4_STRMOUT_BUFFER_LO = 8 };
enum { PM4_COPY_DATA_MEM_TO_REG = 1 };
enum { PM4_PREDICATE_OFF = 0, PM4_PREDICATE_SKIP_ZERO = 1, PM4_PREDICATE_SKIP_NONZERO = 2 };
enum { PM4_WAIT_EQUAL = 3, PM4_WAIT_NOT_EQUAL = 4 };
enum { PM4_EVENT_ZPASS_DONE = 0x15,       /* writes the 64-bit samples-passed counter, in order */
	PM4_EVENT_CS_DONE = 0x07, PM4_EVENT_BOTTOM_OF_PIPE = 0x28,
	PM4_EVENT_PIPELINESTAT_START = 0x19, PM4_EVENT_PIPELINESTAT_STOP = 0x1A,
	PM4_EVENT_SAMPLE_PIPELINESTAT = 0x1E,
	/* PM4_STREAM_* of stream 0; of 1, 2, 3 */
	PM4_EVENT_SAMPLE_STREAMOUTSTATS = 0x20, PM4_EVENT_SAMPLE_STREAMOUTSTATS1 = 1,
	/* Not the hardware's: PM4_STREAM_GENERATED counts from here, to here. */
	PM4_EVENT_QW_PRIMITIVES_START = 0x3E, PM4_EVENT_QW_PRIMITIVES_STOP = 0x3F };
enum { PM4_DATA_SEL_NONE = 0, PM4_DATA_SEL_32 = 1, PM4_DATA_SEL_64 = 2,
	PM4_DATA_SEL_CLOCK = 3 /* nanoseconds of CLOCK_MONOTONIC, 64 bits */ };
enum { PM4_ACQUIRE_ICACHE = 1u << 29 /* programs in memory may have changed */ };

enum { PM4_COPY_IMAGE_TO_IMAGE, PM4_COPY_BUFFER_TO_IMAGE, PM4_COPY_IMAGE_TO_BUFFER };
/* AVERAGE: the mean of the samples, of sRGB in linear values; sample 0 of integer
 * formats.  MIN and MAX: of each component (depth; integers too). */
enum { PM4_RESOLVE_AVERAGE, PM4_RESOLVE_SAMPLE_ZERO, PM4_RESOLVE_MIN, PM4_RESOLVE_MAX };
enum { PM4_FILTER_NEAREST, PM4_FILTER_LINEAR, PM4_FILTER_CUBIC /* of 2D images */ };
/* UNREAD, of clears: no program reads the target before it is drawn to. */
enum { PM4_CLEAR_COLOR0 = 1 << 0 /* << n */, PM4_CLEAR_DEPTH = 1 << 8, PM4_CLEAR_STENCIL = 1 << 9,
	PM4_CLEAR_UNREAD = 1 << 10 };
/* What SAMPLE_PIPELINESTAT writes, 64 bits each, in the hardware's order: how often since
 * the device began, while counting was on (PIPELINESTAT_START and _STOP).  Clipping counts
 * the primitives that came to it, and those of which it left something. */
enum { PM4_STAT_PS_INVOCATIONS, PM4_STAT_CLIP_PRIMITIVES, PM4_STAT_CLIP_INVOCATIONS, PM4_STAT_VS_INVOCATIONS,
	PM4_STAT_GS_INVOCATIONS, PM4_STAT_GS_PRIMITIVES, PM4_STAT_IA_PRIMITIVES, PM4_STAT_IA_VERTICES,
	PM4_STAT_HS_INVOCATIONS, PM4_STAT_DS_INVOCATIONS, PM4_STAT_CS_INVOCATIONS,
	/* Not gfx9's, which has no such stages. */
	PM4_STAT_TS_INVOCATIONS, PM4_STAT_MS_INVOCATIONS, PM4_STAT_MS_PRIMITIVES, PM4_STATS };
/* What SAMPLE_STREAMOUTSTATS writes of a stream, 64 bits each: primitives that streamout wrote, that
 * it would have written with room for all, and, while that is counted, all that came. */
enum { PM4_STREAM_WRITTEN, PM4_STREAM_NEEDED, PM4_STREAM_GENERATED, PM4_STREAM_COUNTS };

/* QW_COPY_QUERY.kind: isa/query.h. */
enum { PM4_QUERY_OCCLUSION, PM4_QUERY_TIMESTAMP, PM4_QUERY_STATISTICS, PM4_QUERY_STREAMOUT, PM4_QUERY_PRIMITIVES };
enum { PM4_QUERY_64 = 1, PM4_QUERY_WAIT = 2, PM4_QUERY_AVAILABILITY = 4, PM4_QUERY_PARTIAL = 8 };

#endif
