/* SPDX-License-Identifier: MIT */
/* How a test says that something is wrong.
 * CHECK(condition [, format, ...]) ends the test with status 1;
 * EXPECT(condition [, format, ...]) counts it in `failures`, prints the first
 * 40 and goes on: the test ends with `failures != 0`. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int failures __attribute__((unused));

static __attribute__((unused, format(printf, 4, 5))) void check_say(const char *file, int line, const char *what,
	const char *format, ...)
{
	va_list args;
	fprintf(stderr, "%s:%d: %s:", file, line, what);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

#define CHECK(condition, ...) do { if (!(condition)) { \
	check_say(__FILE__, __LINE__, #condition, " " __VA_ARGS__); exit(1); } } while (0)
#define EXPECT(condition, ...) do { if (!(condition) && failures++ < 40) \
	check_say(__FILE__, __LINE__, #condition, " " __VA_ARGS__); } while (0)

#endif
