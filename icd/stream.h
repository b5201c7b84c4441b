/* SPDX-License-Identifier: MIT */
/* A growable PM4 stream: chunks that never move, and data for the GPU beside
 * them.  A packet never straddles chunks.  Each chunk is executed as an
 * INDIRECT_BUFFER, in list order. */
#ifndef ICD_STREAM_H
#define ICD_STREAM_H

#include <stdbool.h>
#include "icd/alloc.h"

struct icd_chunk {
	struct icd_chunk *next;
	uint32_t used, size;           /* dwords (streams) or bytes (data) */
	_Alignas(64) uint32_t dw[];
};

struct rs_gpu;

/* What the streams of a pool share: chunks that nobody uses, to be used again.  The GPU knows those of data. */
struct icd_chunks {
	struct rs_gpu *gpu;
	VkAllocationCallbacks alloc;
	struct icd_chunk *packets, *data;
	size_t bytes;                          /* of all of them */
};

struct icd_stream {
	struct icd_chunks *chunks;             /* the pool's */
	struct icd_chunk *first, *last;        /* packets */
	struct icd_chunk *data_first, *data_last;
	uint32_t chunk_count;                  /* of packets, those with used > 0 */
	bool failed;                           /* out of memory: vkEndCommandBuffer reports it */
};

#endif
