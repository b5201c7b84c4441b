/* SPDX-License-Identifier: MIT */
/* Translated code as bytes that can be kept in a file. */
#ifndef CORE_JIT_JIT_BLOB_H
#define CORE_JIT_JIT_BLOB_H

#include "core/jit/jit.h"

/* The code attached to p, for cu_blob_attach of the same build on a CPU of the
 * same level; malloc'ed, NULL without code or memory. */
void *cu_blob_save(const struct cu_program *p, size_t *bytes);

/* Attaches code that cu_blob_save gave for a program with the same GCN code.
 * False, with nothing changed, for any other bytes: another version, level or
 * program, a wrong size, a byte that differs from what was saved. */
bool cu_blob_attach(struct cu_program *p, struct cu_exec_heap *heap, const void *data, size_t bytes);

#endif
