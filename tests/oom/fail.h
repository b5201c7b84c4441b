/* SPDX-License-Identifier: MIT */
/* Calls that fail on purpose.  fail_install puts functions of ours into the global
 * offset table of the driver's library, so only the driver's own calls are met:
 * those that libc, xcb or libwayland make on its behalf work. */
#ifndef TESTS_OOM_FAIL_H
#define TESTS_OOM_FAIL_H

#include <stdbool.h>
#include <stddef.h>

enum { FAIL_FRAMES = 16, FAIL_NEVER = 1 << 30 };

enum fail_call {
#define CALL(name, value, error) FAIL_##name,
#define WRAP(name) FAIL_##name,
#include "calls.def"
#undef CALL
#undef WRAP
	FAIL_CALLS
};

/* What happened, in memory that the parent of a forked run shares. */
struct fail_report {
	int calls;                  /* made so far */
	int hit;                    /* failed so far */
	enum fail_call call;        /* the first that failed, and where it came from */
	int frames;
	void *frame[FAIL_FRAMES];
	const char *at;             /* command of Vulkan in progress */
	const char *command;        /* the one that ended the scenario, and its result */
	int result;
	int leak_frames;            /* where something came from that was never given back */
	void *leak[FAIL_FRAMES];
	char message[256];          /* what was wrong, or empty */
};

extern const char *const fail_names[FAIL_CALLS];

/* Hooks a library that dlopen returned.  `report` outlives it. */
void fail_install(void *library, struct fail_report *report);
/* The k-th call from now on fails, alone or with all that follow; FAIL_NEVER for none. */
void fail_arm(int k, bool once);
/* Imports of the library that calls.def does not name, on stdout. */
void fail_print_imports(void *library);

/* Says in the report what is wrong; the first complaint stays. */
void fail_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For calls.c: whether this call fails; the function behind a hook. */
bool fail_now(enum fail_call call);
void *fail_real(enum fail_call call);

/* Blocks and mappings that the driver has taken and not given back; where one of
 * them came from goes into the report. */
size_t fail_live(struct fail_report *report);

#endif
