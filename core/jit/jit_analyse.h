/* SPDX-License-Identifier: MIT */
/* Blocks, liveness, what each instruction reads and writes. */
#ifndef CORE_JIT_JIT_ANALYSE_H
#define CORE_JIT_JIT_ANALYSE_H

#include <stdbool.h>
#include <stdint.h>

struct jit_translator;

bool jit_analyse(struct jit_translator *t);

#endif
