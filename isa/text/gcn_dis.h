/* SPDX-License-Identifier: MIT */
/* Listing: machine code as text that assembles to the same bytes again.
 *
 * Branches go to labels.  What does not decode, or would not come back as it
 * was (a literal that is written where a constant would do), is data:
 * .long, with what it means in a comment. */
#ifndef ISA_TEXT_GCN_DIS_H
#define ISA_TEXT_GCN_DIS_H

#include <stdio.h>

#include "isa/gcn.h"
#include "isa/text/gcn_elf.h"

struct gcn_dis_options {
	bool offsets;   /* a comment with the offset in bytes */
	bool encodings; /* a comment with the dwords */
};

struct gcn_dis_counts { size_t instructions, data; /* dwords that are data */ };

/* Writes the listing of `size` bytes.  symbols (of .text, sorted by value; NULL
 * if count is 0) become labels, and .globl where they are global.  False when
 * memory is short; errors of the stream are the caller's to ask for.  *counts
 * may be NULL. */
bool gcn_dis(FILE *out, enum gcn_gen gen, const void *code, size_t size,
	const struct gcn_elf_symbol *symbols, size_t count, const struct gcn_dis_options *options,
	struct gcn_dis_counts *counts);

#endif
