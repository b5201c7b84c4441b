/* SPDX-License-Identifier: MIT */
/* Executable memory: code runs, space is reused, nothing is writable and
 * executable at once; on systems that refuse some of it, or executable memory
 * altogether. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/jit/jit_exec_mem.h"
#include "tests/jit/refuse.h"

enum { PIECES = 3000, NO_FILTER = 77 };

static void check(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "failed: %s\n", what);
		_exit(1);
	}
}

/* mov eax, value; ret; then int3 up to n bytes. */
static void *publish(struct cu_exec_heap *h, uint32_t value, size_t n)
{
	uint8_t *code = malloc(n);
	check(code != NULL, "malloc");
	memset(code, 0xcc, n);
	code[0] = 0xb8;
	memcpy(code + 1, &value, 4);
	code[5] = 0xc3;
	void *entry = cu_exec_publish(h, code, n);
	free(code);
	return entry;
}

static uint32_t call(void *entry)
{
	uint32_t (*fn)(void);
	memcpy(&fn, &entry, sizeof(fn));
	return fn();
}

static void no_writable_code(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];
	check(f != NULL, "/proc/self/maps");
	while (fgets(line, sizeof(line), f))
		check(!strstr(line, " rwx"), "a mapping is writable and executable");
	fclose(f);
}

static void run_pieces(void)
{
	struct cu_exec_heap *h = cu_exec_heap_create(0);
	static void *entry[PIECES];
	check(h != NULL, "heap");
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < PIECES; i++)
			if (!entry[i])
				entry[i] = publish(h, i * 7 + 1, 6 + i * 37 % 900);
		no_writable_code();
		for (unsigned i = 0; i < PIECES; i++) {
			check(entry[i] && (uintptr_t)entry[i] % 64 == 0, "publish, aligned");
			check(call(entry[i]) == i * 7 + 1, "the code that was published runs");
		}
		for (unsigned i = round; i < PIECES; i += 2) {
			cu_exec_release(h, entry[i]);
			entry[i] = NULL;
		}
	}
	size_t bytes = cu_exec_heap_bytes(h);
	void *big = publish(h, 5, 3 << 20);
	check(big && call(big) == 5, "a piece above the size of a chunk");
	check(cu_exec_heap_bytes(h) >= bytes + (3 << 20), "bytes grow");
	cu_exec_release(h, big);
	check(cu_exec_heap_bytes(h) == bytes, "an empty chunk goes back to the system");
	cu_exec_heap_destroy(h);
}

static void run_refused(void)
{
	struct cu_exec_heap *h = cu_exec_heap_create(0);
	char why[CU_EXEC_ERROR_BYTES];
	check(h && !publish(h, 1, 64), "publish fails");
	cu_exec_heap_error(h, why);
	check(strstr(why, "mprotect: ") == why, "the error names the call");
	check(cu_exec_heap_bytes(h) == 0, "nothing stays mapped");
	cu_exec_heap_destroy(h);
}

static void run_failing(void)
{
	struct cu_exec_heap *h = cu_exec_heap_create(3);
	check(h != NULL, "heap");
	for (unsigned i = 0; i < 9; i++) {
		void *entry = publish(h, i, 64);
		check(!entry == (i % 3 == 0), "every third publish fails");
		check(!entry || call(entry) == i, "the others work");
	}
	cu_exec_heap_destroy(h);
}

/* Several threads at once, each with pieces of its own that come and go. */
static void *publish_and_call(void *heap)
{
	void *entry[64] = { NULL };
	uint32_t value[64] = { 0 }, random = (uint32_t)(uintptr_t)&random;
	for (uint32_t i = 0; i < 4000; i++) {
		random = random * 1664525 + 1013904223;
		unsigned k = random >> 26;
		check(!entry[k] || call(entry[k]) == value[k], "what a thread published is still there");
		cu_exec_release(heap, entry[k]);
		value[k] = random ^ i;
		entry[k] = publish(heap, value[k], 6 + random % 5000);
		check(entry[k] && call(entry[k]) == value[k], "and what it published now");
	}
	for (unsigned k = 0; k < 64; k++)
		cu_exec_release(heap, entry[k]);
	return NULL;
}

static void run_threads(void)
{
	struct cu_exec_heap *h = cu_exec_heap_create(0);
	pthread_t thread[4];
	check(h != NULL, "heap");
	for (unsigned i = 0; i < 4; i++)
		check(!pthread_create(&thread[i], NULL, publish_and_call, h), "thread");
	for (unsigned i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	check(cu_exec_heap_bytes(h) == 0, "all chunks went back");
	cu_exec_heap_destroy(h);
}

static void in_child(const char *name, enum refusal filter, void (*body)(void))
{
	pid_t child = fork();
	check(child >= 0, "fork");
	if (!child) {
		if (!refuse(filter))
			_exit(NO_FILTER);
		body();
		_exit(0);
	}
	int status;
	check(waitpid(child, &status, 0) == child, "waitpid");
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER) {
		printf("%s: skipped, no seccomp here\n", name);
		return;
	}
	check(WIFEXITED(status) && !WEXITSTATUS(status), name);
	printf("%s: ok\n", name);
}

int main(void)
{
	in_child("shared memory", REFUSE_NOTHING, run_pieces);
	in_child("threads", REFUSE_NOTHING, run_threads);
	in_child("no memory to write and execute", REFUSE_WX, run_pieces);
	in_child("no memfd_create", REFUSE_WX_MEMFD, run_pieces);
	in_child("threads without memfd_create", REFUSE_WX_MEMFD, run_threads);
	in_child("no executable memory", REFUSE_CODE, run_refused);
	in_child("made to fail", REFUSE_NOTHING, run_failing);
	return 0;
}
