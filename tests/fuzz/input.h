/* SPDX-License-Identifier: MIT */
/* A fuzz target's decisions, taken from bytes: zeros once they are used up. */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

struct input { const uint8_t *p; size_t left; };

static inline uint8_t input_byte(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->p++;
}

/* 0 .. n - 1, n up to 256. */
static inline uint32_t input_pick(struct input *in, uint32_t n)
{
	return n > 1 ? input_byte(in) % n : 0;
}

/* What libFuzzer calls, and main.c when there is no libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A line about what the cases reached, for targets that count it. */
__attribute__((weak)) void input_report(void);

#endif
