/* SPDX-License-Identifier: MIT */
/* Words of a state file's line, see gcnrun_read.h. */
#include "tools/gcnrun_read.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool run_fail(struct run_reader *r, const char *format, ...)
{
	va_list args;
	if (r->failed)
		return false;
	r->failed = true;
	fprintf(stderr, "%s:%u: ", r->file, r->line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "; found \"%.*s\"\n", (int)strcspn(r->p, "\n"), r->p);
	return false;
}

void run_skip(struct run_reader *r)
{
	while (*r->p == ' ' || *r->p == '\t' || *r->p == ',' || *r->p == '\r')
		r->p++;
}
bool run_at_end(struct run_reader *r)
{
	run_skip(r);
	return !*r->p || *r->p == '\n' || *r->p == '#';
}
bool run_accept(struct run_reader *r, const char *word)
{
	size_t n = strlen(word);
	run_skip(r);
	if (strncmp(r->p, word, n) || (isalnum((unsigned char)word[n - 1]) && (isalnum((unsigned char)r->p[n]) || r->p[n] == '_')))
		return false;
	r->p += n;
	return true;
}
bool run_expect(struct run_reader *r, const char *word)
{
	return run_accept(r, word) || run_fail(r, "\"%s\" is expected", word);
}
size_t run_name(struct run_reader *r, const char **start)
{
	size_t n = 0;
	run_skip(r);
	*start = r->p;
	while (isalnum((unsigned char)r->p[n]) || r->p[n] == '_')
		n++;
	r->p += n;
	return n;
}
uint64_t run_number(struct run_reader *r)
{
	char *end;
	run_skip(r);
	uint64_t x = strtoull(r->p, &end, 0);
	if (end == r->p)
		run_fail(r, "a number is expected");
	r->p = end;
	return x;
}
uint64_t run_value(struct run_reader *r, bool *wide)
{
	char *end;
	*wide = false;
	if (run_accept(r, "&")) {
		const char *start;
		size_t n = run_name(r, &start);
		struct run_block *b = run_state_find(r->s, start, n);
		*wide = true;
		if (!b || !b->mem) {
			r->p = start;
			run_fail(r, "there is no block of that name");
			return 0;
		}
		return (uintptr_t)b->mem + (run_accept(r, "+") ? run_number(r) : 0);
	}
	run_skip(r);
	size_t n = strcspn(r->p, " \t,\n\r#");
	bool hex = memchr(r->p, 'x', n) || memchr(r->p, 'X', n);
	if (!hex && (memchr(r->p, '.', n) || memchr(r->p, 'e', n) || memchr(r->p, 'n', n))) {
		float f = strtof(r->p, &end);
		uint32_t bits;
		memcpy(&bits, &f, 4);
		if (end == r->p)
			run_fail(r, "a value is expected");
		r->p = end;
		return bits;
	}
	int64_t x = *r->p == '-' ? strtoll(r->p, &end, 0) : (int64_t)strtoull(r->p, &end, 0);
	if (end == r->p)
		run_fail(r, "a value is expected: a number, a float or &NAME");
	else if (x > 0xffffffffll || x < -0x80000000ll)
		run_fail(r, "the value does not fit into 32 bits");
	r->p = end;
	return (uint32_t)x;
}

bool run_range(struct run_reader *r, uint64_t *first, uint64_t *last)
{
	if (*r->p != '[')
		return false;
	r->p++;
	*first = *last = run_number(r);
	if (run_accept(r, ".."))
		*last = run_number(r);
	run_expect(r, "]");
	return true;
}

unsigned run_word(struct run_reader *r, const struct run_word *list)
{
	const char *start;
	size_t n = run_name(r, &start);
	for (const struct run_word *w = list; w->name; w++)
		if (strlen(w->name) == n && !memcmp(w->name, start, n))
			return w->value;
	r->p = start;
	fprintf(stderr, "gcnrun: there are");
	for (const struct run_word *w = list; w->name; w++)
		fprintf(stderr, " %s", w->name);
	fputc('\n', stderr);
	run_fail(r, "an unknown word");
	return 0;
}
