/* SPDX-License-Identifier: MIT */
/* The generators: modules that grow with n in one respect. */
#ifndef TESTS_GROWTH_H
#define TESTS_GROWTH_H

#include "module.h"

struct growth_case {
	const char *name;
	/* Writes main's code; gives the uint that it stores. */
	uint32_t (*write)(struct module *m, uint32_t n);
	uint32_t n;                /* the smaller of the two sizes; the other is 4 n */
	enum compiler_stage stage;
	bool doubles;              /* what it says is 2^n: a refusal is right */
};

extern const struct growth_case growth_flow[], growth_data[]; /* end in a case without a name */

#endif
