/* SPDX-License-Identifier: MIT */
/* Tests that run parts of themselves in processes of their own. */
#ifndef TESTS_ICD_CHILD_H
#define TESTS_ICD_CHILD_H

#include <sys/wait.h>
#include <unistd.h>
#include "tests/check.h"

/* fork(), after which neither side prints again what is still buffered. */
static inline pid_t child_start(void)
{
	fflush(stdout);
	pid_t pid = fork();
	CHECK(pid >= 0);
	return pid;
}

/* Waits for the child, which must exit with status 0. */
static inline void child_ends_well(pid_t pid)
{
	int status = 1;
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Variants 0 .. of run, each of every core (QW_CORE) in a child, which must end with 0. */
static inline void on_every_core(int (*run)(const char *core, unsigned variant), unsigned variants)
{
	static const char *const cores[] = { "interp", "jit", "check" };
	for (unsigned i = 0; i < 3 * variants; i++) {
		pid_t pid = child_start();
		if (pid == 0)
			exit(run(cores[i / variants], i % variants));
		child_ends_well(pid);
	}
}

#endif
