/* SPDX-License-Identifier: MIT */
/* Inside the reader of gcnrun's state files: a line's words (gcnrun_words.c), images
 * and descriptors (gcnrun_resource.c). */
#ifndef TOOLS_GCNRUN_READ_H
#define TOOLS_GCNRUN_READ_H

#include "tools/gcnrun.h"

/* Where the reader is.  After the first error nothing more is read. */
struct run_reader {
	struct run_state *s;
	const char *file, *p;
	unsigned line;
	bool failed;
};

/* The file, the line, the message and what was found, on stderr; false. */
__attribute__((format(printf, 2, 3)))
bool run_fail(struct run_reader *r, const char *format, ...);

void run_skip(struct run_reader *r); /* blanks and commas */
bool run_at_end(struct run_reader *r); /* of the line */
bool run_accept(struct run_reader *r, const char *word); /* true: it was there */
bool run_expect(struct run_reader *r, const char *word);
size_t run_name(struct run_reader *r, const char **start); /* its length, perhaps 0 */
uint64_t run_number(struct run_reader *r);
/* A value of 32 bits, or of 64 (*wide): an integer, a float (with a point or an
 * exponent), or &NAME+OFFSET, the address of a block. */
uint64_t run_value(struct run_reader *r, bool *wide);
/* [N], [N..M] or nothing: all. */
bool run_range(struct run_reader *r, uint64_t *first, uint64_t *last);
/* The value of the name in a list that ends with NULL. */
struct run_word { const char *name; unsigned value; };
unsigned run_word(struct run_reader *r, const struct run_word *list);

/* A new block without memory, NULL after an error; then its memory. */
struct run_block *run_add_block(struct run_reader *r, const char *text, size_t length);
bool run_take_memory(struct run_reader *r, struct run_block *b, uint64_t bytes, bool addressable);
/* image NAME ..; false when the line is another. */
bool run_add_image(struct run_reader *r);
/* V# .., T# .. or S# .. into SGPRs from `at` on; false when it is none of them. */
bool run_set_resource(struct run_reader *r, unsigned at);

#endif
