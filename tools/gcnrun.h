/* SPDX-License-Identifier: MIT */
/* gcnrun's state: one wave, the memory it may access, and what to print.  The
 * state file is described in docs/man/gcnrun.1. */
#ifndef TOOLS_GCNRUN_H
#define TOOLS_GCNRUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/cu.h"
#include "isa/gcn.h"
#include "isa/surface.h"

enum { RUN_MAX_BLOCKS = 64, RUN_MAX_PRINTS = 256 };

/* A named piece of memory: a buffer, an image, or LDS, scratch and GDS. */
struct run_block {
	char name[32];
	uint8_t *mem;
	size_t bytes;
	bool image;
	unsigned type, dfmt, nfmt, tiling;
	uint32_t width, height, slices, levels;
};

/* Level 0 of an image. */
struct surf_plane run_plane(const struct run_block *b);

struct run_state {
	struct cu_wave *wave;
	struct cu_exports *exports;
	struct cu_memory *memory;
	struct run_block block[RUN_MAX_BLOCKS];
	unsigned blocks;
	char *print[RUN_MAX_PRINTS];
	unsigned prints;
};

/* An empty state: EXEC all ones, the rest zero.  False without memory. */
bool run_state_init(struct run_state *s);
void run_state_finish(struct run_state *s);
/* Reads a state file's text; false after a message on stderr that begins with
 * the file's name and line. */
bool run_state_read(struct run_state *s, const char *file, const char *text);
struct run_block *run_state_find(struct run_state *s, const char *name, size_t length);

/* Prints one item of a print line ("v2.f32[0..3]") to stdout; false after a
 * message when there is no such thing. */
bool run_print(struct run_state *s, const char *item);
/* "s4", "vcc_lo" .. of an operand number below 128. */
void run_sgpr_name(unsigned n, char *name, size_t size);
/* Every register that differs from what `before` holds. */
void run_print_changes(const struct cu_wave *before, const struct cu_wave *after);

#endif
