/* SPDX-License-Identifier: MIT */
/* A Vulkan driver that has nothing to offer: it appends to the file SPY_FILE what
 * a process of qwbench was started with. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static const char *value_of(const char *variable)
{
	const char *value = getenv(variable);
	return value ? value : "-";
}

__attribute__((constructor)) static void write_down(void)
{
	cpu_set_t cpus;
	FILE *f = getenv("SPY_FILE") ? fopen(getenv("SPY_FILE"), "a") : NULL;
	CPU_ZERO(&cpus);
	sched_getaffinity(0, sizeof cpus, &cpus);
	if (!f)
		return;
	fprintf(f, "cpu %s caps %s threads %s %s cpus %d\n", value_of("QW_CPU"), value_of("GALLIUM_OVERRIDE_CPU_CAPS"),
		value_of("QW_THREADS"), value_of("LP_NUM_THREADS"), CPU_COUNT(&cpus));
	fclose(f);
}
