/* SPDX-License-Identifier: MIT */
/* Names for translated code, for debuggers and profilers. */
#ifndef CORE_JIT_JIT_SYMBOLS_H
#define CORE_JIT_JIT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

/* Where names go besides the debugger. */
struct cu_symbols;
/* With perf_map each name is also appended to /tmp/perf-PID.map, which Linux
 * perf reads: lines of start and size in hexadecimal and the name.  NULL
 * without memory; a file that cannot be opened is done without. */
struct cu_symbols *cu_symbols_create(bool perf_map);
/* Every symbol must be gone. */
void cu_symbols_destroy(struct cu_symbols *s);

/* Tells the debugger (GDB's JIT interface, "JIT Compilation Interface" of its
 * manual) that `bytes` of code at `entry` are the function `name`.  NULL
 * without memory: the code then stays nameless.  Thread-safe. */
struct cu_symbol;
struct cu_symbol *cu_symbol_add(struct cu_symbols *s, const char *name, const void *entry,
	size_t bytes);
/* Before the code is released.  NULL is ignored.  Thread-safe. */
void cu_symbol_remove(struct cu_symbol *symbol);

#endif
