/* SPDX-License-Identifier: MIT */
/* The table of streamout: which exports of a vertex are captured, and where to.  The compiler
 * writes it behind the program that makes the vertices (compiler_shader.captures), registers name
 * it (QW_STRMOUT_TABLE), and the streamout unit reads it; a Vega's shaders store instead.
 *
 * A run is up to four components of one export that follow one another in the buffer.  Runs are
 * in the order of buffers and, in a buffer, of offsets; one without components ends the table. */
#ifndef ISA_STRMOUT_H
#define ISA_STRMOUT_H

#include <stdint.h>

enum { ISA_STREAMS = 4, ISA_STRMOUT_BUFFERS = 4,
	ISA_STRMOUT_RUNS = 160,          /* of a table, without its end */
	ISA_STRMOUT_MAX_STRIDE = 2048 }; /* bytes between vertices in a buffer */

/* Below: params.  NOTHING: the program does not write it, but it has its place; zeros. */
enum isa_strmout_source { ISA_STRMOUT_POSITION = 32, ISA_STRMOUT_SIZE, ISA_STRMOUT_LAYER, ISA_STRMOUT_VIEWPORT,
	ISA_STRMOUT_NOTHING, ISA_STRMOUT_SOURCES };
/* What is stored of a component: its word, the low half of it, or the number as a half. */
enum isa_strmout_kind { ISA_STRMOUT_WORD, ISA_STRMOUT_SHORT, ISA_STRMOUT_HALF, ISA_STRMOUT_KINDS };

struct isa_strmout_run {
	uint16_t offset;                 /* in the vertex's record, bytes */
	uint8_t buffer, stream;
	uint8_t source;                  /* enum isa_strmout_source */
	uint8_t first, count;            /* components */
	uint8_t kind;                    /* enum isa_strmout_kind */
};
enum { ISA_STRMOUT_RUN_DWORDS = 2 };

static inline unsigned isa_strmout_bytes(uint8_t kind) { return kind == ISA_STRMOUT_WORD ? 4 : 2; }

#endif
