/* SPDX-License-Identifier: MIT */
/* Executable memory.  A heap of code that is never writable and executable at
 * once: code is written through a file descriptor into shared memory that is
 * mapped for reading and execution only (where the system refuses that, into
 * private memory that is made executable, and no longer writable, afterwards).
 * All executable memory of the process that is ours comes from here. */
#ifndef CORE_JIT_JIT_EXEC_MEM_H
#define CORE_JIT_JIT_EXEC_MEM_H

#include <stdbool.h>
#include <stddef.h>

#define CU_EXEC_ERROR_BYTES 96

struct cu_exec_heap;

/* NULL without memory.  Asks the system for nothing yet.  Each publish number
 * n with n % fail_every == 0 fails, for tests; 0: none does. */
struct cu_exec_heap *cu_exec_heap_create(unsigned fail_every);
/* All code of the heap goes with it. */
void cu_exec_heap_destroy(struct cu_exec_heap *h);

/* Copies n bytes of code; the copy starts at a multiple of 64 bytes and may be
 * called until it is released.  NULL when executable memory cannot be had; the
 * caller then does without.  Thread-safe. */
void *cu_exec_publish(struct cu_exec_heap *h, const void *code, size_t n);
/* Gives the memory of one publish back.  NULL is ignored.  Thread-safe. */
void cu_exec_release(struct cu_exec_heap *h, void *entry);

/* Why the last failed publish failed ("mmap: Permission denied"), or "". */
void cu_exec_heap_error(struct cu_exec_heap *h, char text[CU_EXEC_ERROR_BYTES]);
/* Bytes mapped, for statistics. */
size_t cu_exec_heap_bytes(struct cu_exec_heap *h);

#endif
