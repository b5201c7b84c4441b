/* SPDX-License-Identifier: MIT */
/* Programs whose code anyone may have made, as a file can hold it. */
#ifndef CORE_INTERP_CLOSED_H
#define CORE_INTERP_CLOSED_H

#include "core/cu.h"

/* True when the program goes only where it was decoded and runs in one MODE: no jump is
 * computed, nothing changes MODE.  So it never asks for code outside its dwords.  What
 * the driver's compiler makes is like that. */
bool cu_program_is_closed(const struct cu_program *p);

#endif
