/* SPDX-License-Identifier: MIT */
/* How the programs of one GPU are run: interpreted, translated, or both and
 * compared; with the memory and the names that translated code needs. */
#ifndef CORE_JIT_JIT_HOST_H
#define CORE_JIT_JIT_HOST_H

#include "core/cu.h"

enum cu_core { CU_CORE_INTERP, CU_CORE_JIT, CU_CORE_CHECK };

struct cu_host;
struct cu_host_info {
	enum cu_core core;
	/* Fault switches for tests, separated by commas; NULL: none.
	 * "seed=N": vector registers in an order of its own; "no-registers":
	 * everything is spilled; "code-memory=N": each Nth allocation fails. */
	const char *faults;
	bool perf_map;          /* see jit_symbols.h */
	const char *dump_dir;   /* GCN and x86 side by side, DIR/NAME.x86; NULL: none */
};

/* "interp", "jit" (also NULL and ""), "check".  False for anything else. */
bool cu_core_parse(const char *text, enum cu_core *out);

/* NULL with a static message in *why: unknown fault; or NULL there too: no memory. */
struct cu_host *cu_host_create(const struct cu_host_info *info, const char **why);
/* After all its programs. */
void cu_host_destroy(struct cu_host *h);
enum cu_core cu_host_core(const struct cu_host *h);
/* Why nothing is translated although it should be ("mmap: Permission denied"),
 * found out at creation; NULL: nothing stands in the way. */
const char *cu_host_problem(const struct cu_host *h);

/* Code that was translated before and that is to be used instead of
 * translating again, as cu_host_save gave it; NULL data: none. */
struct cu_host_blob { const void *data; size_t bytes; };

/* Readies p, which no wave runs yet; what cannot be translated stays with the
 * interpreter.  name: for dumps, debuggers and messages.  A blob that is not
 * p's, was made by another version or for another level, or whose bytes are not
 * those that were saved is ignored.  Any thread. */
void cu_host_add(struct cu_host *h, struct cu_program *p, const char *name, struct cu_host_blob blob);

/* p's translated code; malloc'ed.  NULL when there is none, when it was made for
 * a check or with faults, or without memory. */
void *cu_host_save(const struct cu_host *h, const struct cu_program *p, size_t *bytes);

#endif
