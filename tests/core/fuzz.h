/* SPDX-License-Identifier: MIT */
/* What core_fuzz_exec is made of: random programs (fuzz_programs.c) and random
 * state for them (fuzz_state.c), all from numbers, so that a seed says it all. */
#ifndef TESTS_CORE_FUZZ_H
#define TESTS_CORE_FUZZ_H

#include "core/cu.h"
#include "core/memory.h"
#include "isa/gcn.h"

enum { ARENA = 1 << 16, LDS = 8192, SCRATCH = 256 * 16, GDS = 1024, MAX_WORDS = 160, BUDGET = 3000 };

/* Blocks of their own, so that a sanitizer sees an access beyond. */
struct fuzz_side {
	struct cu_wave *w;
	struct cu_exports *exports;
	uint8_t *arena, *lds, *scratch, *gds;
};

/* Random numbers; *state is the seed. */
static inline uint32_t fuzz_rnd(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 32);
}

enum fuzz_kind {
	FUZZ_DRAWN, /* opcodes of the table with operands that aim at what fuzz_setup puts where;
	             * now and then a random word */
	FUZZ_WORDS, /* random bits behind the bits of an encoding */
	FUZZ_KINDS
};
/* Words of a random program; *timed: its result depends on clocks. */
size_t fuzz_program(enum fuzz_kind kind, enum gcn_gen gen, uint64_t *state, uint32_t code[MAX_WORDS], bool *timed);

/* Registers and memory: descriptors and addresses where programs of that kind
 * look for them, some of them damaged; any MODE. */
void fuzz_setup(enum fuzz_kind kind, struct fuzz_side *d, const struct cu_memory *memory, uint64_t seed);

#endif
