/* SPDX-License-Identifier: MIT */
/* What stands at addresses of this process: functions by the symbol tables of the
 * files that are mapped, shaders by the map that the driver writes (QW_PERF_MAP). */
#ifndef QW_BENCH_SYMBOLS_H
#define QW_BENCH_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct symbols;

struct symbol {
	char name[80];   /* "?" where nothing says */
	char where[64];  /* source file, or else the mapped one */
	const char *block; /* of the hardware, or of the driver */
	bool shader;
};

/* Of what is mapped now.  Ends the process when memory is out. */
struct symbols *symbols_open(void);
void symbols_close(struct symbols *s);
struct symbol symbols_at(struct symbols *s, uint64_t address);
/* A file of ours that has no table, so that its functions have no names; or NULL. */
const char *symbols_stripped(const struct symbols *s);

#endif
