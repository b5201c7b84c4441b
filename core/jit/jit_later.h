/* SPDX-License-Identifier: MIT */
/* Ways of images that are not what most strips go: code behind the loop over strips, so that what is common is in one piece
 * and jumps over nothing. */
#ifndef CORE_JIT_JIT_LATER_H
#define CORE_JIT_JIT_LATER_H

#include <stdbool.h>
#include <stdint.h>
#include "core/jit/jit_emit.h"

struct jit_region;

enum { OPERAND_LAYER = 2, OPERAND_OFFSET, OPERAND_COMPARE, OPERANDS };
/* Registers that are free for a step, of texels that are read and that are looked for: nothing takes one between
 * branches.  The fewer, the more coordinates of later images keep theirs.  From SPARES_APART on they are the results' where
 * there are any, so that they are used up before a result is written. */
enum { SPARES = 9, FIND_SPARES = 6, SPARES_APART = 4 };

/* Texels to be found, of a group's tap; and to be read, into channels, kind 0 where nobody wants one. */
struct jit_find { struct xo from[OPERANDS], t[FIND_SPARES]; unsigned tap; };
struct jit_read { struct xo x[4], t[SPARES]; unsigned row, weight[2]; bool load, layered; };

struct jit_later {
	void (*make)(struct jit_region *g, const struct jit_later *l); /* ends with a jump to `done` */
	uint32_t at;              /* instruction */
	bool tiles;               /* it may find a tile */
	int begin, aside, done;   /* labels: a way into it, another one, and where the strip goes on */
	int look, weigh;          /* of reads: jit_linear_read_same, and where that is left */
	struct jit_find find;     /* one of these two, as it is when the strip leaves its way */
	struct jit_read read;
};

/* One of the instruction at hand, of which the caller sets find or read. */
struct jit_later *jit_later(struct jit_region *g, void (*make)(struct jit_region *g, const struct jit_later *l));
/* Makes those that there are, behind what jumps back to a loop's beginning. */
void jit_later_make(struct jit_region *g);

#endif
