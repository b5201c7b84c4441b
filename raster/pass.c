/* SPDX-License-Identifier: MIT */
/* What blocks report of a pass; see pass.h. */
#include "raster/pass.h"

#include <stdatomic.h>
#include <stdio.h>

void rs_pass_fail(struct rs_pass *pass, const char *what, const struct cu_program *program, const struct cu_error *error)
{
	int none = 0;
	if (!atomic_compare_exchange_strong(&pass->failed, &none, 1))
		return;
	pass->what = what;
	pass->program = program;
	pass->error = *error;
}
