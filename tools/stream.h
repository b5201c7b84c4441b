/* SPDX-License-Identifier: MIT */
/* Reading whole files and streams, for the instruction tools. */
#ifndef TOOLS_STREAM_H
#define TOOLS_STREAM_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole of a file, "-" for standard input, with a NUL behind it that *size
 * does not count.  NULL after a message that begins with `tool`. */
static inline char *stream_read(const char *tool, const char *path, size_t *size)
{
	FILE *in = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	char *data = NULL;
	size_t limit = 0;
	*size = 0;
	if (!in) {
		fprintf(stderr, "%s: %s: %s\n", tool, path, strerror(errno));
		return NULL;
	}
	for (;;) {
		if (*size + 1 >= limit) {
			limit = limit ? limit * 2 : 65536;
			char *grown = realloc(data, limit);
			if (!grown)
				break;
			data = grown;
		}
		size_t n = fread(data + *size, 1, limit - *size - 1, in);
		*size += n;
		if (!n)
			break;
	}
	bool ok = feof(in) && !ferror(in) && data;
	if (!ok)
		fprintf(stderr, "%s: %s: %s\n", tool, path, ferror(in) ? strerror(errno) : "out of memory");
	if (in != stdin)
		fclose(in);
	if (!ok) {
		free(data);
		return NULL;
	}
	data[*size] = 0;
	return data;
}

/* Opens what is written to, "-" for standard output. */
static inline FILE *stream_create(const char *tool, const char *path)
{
	FILE *out = strcmp(path, "-") ? fopen(path, "wb") : stdout;
	if (!out)
		fprintf(stderr, "%s: %s: %s\n", tool, path, strerror(errno));
	return out;
}

/* Closes it; false after a message when not all could be written. */
static inline bool stream_finish(const char *tool, const char *path, FILE *out)
{
	bool ok = !fflush(out) && !ferror(out);
	if (out != stdout && fclose(out))
		ok = false;
	if (!ok)
		fprintf(stderr, "%s: %s: %s\n", tool, path, strerror(errno));
	return ok;
}

#endif
