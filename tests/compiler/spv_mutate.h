/* SPDX-License-Identifier: MIT */
/* Damages SPIR-V modules, for fuzz tests: the same mutant for the same seed. */
#ifndef TESTS_SPV_MUTATE_H
#define TESTS_SPV_MUTATE_H

#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*state >> 33);
}

static inline size_t find_functions(const uint32_t *words, size_t count)
{
	size_t at = 5;
	while (at < count && (words[at] & 0xffff) != SpvOpFunction)
		at += words[at] >> 16;
	return at < count ? at : 5;
}

/* Mostly in the functions: the rest is checked early. */
static inline void mutate(uint32_t *words, size_t *count, uint64_t *rng)
{
	unsigned changes = 1 + next_random(rng) % 3;
	size_t code = find_functions(words, *count);
	for (unsigned i = 0; i < changes && *count > code + 1; i++) {
		size_t first = next_random(rng) % 4 ? code : 5;
		size_t at = first + next_random(rng) % (*count - first), other = first + next_random(rng) % (*count - first);
		switch (next_random(rng) % 9) {
		case 0: words[at] ^= 1u << (next_random(rng) & 31); break;
		case 1: words[at] = words[other]; break;
		case 2: words[at] = next_random(rng) % words[3]; break;
		case 3: words[at]++; break;
		case 4: words[at]--; break;
		case 5: words[at] = (words[at] & 0xffff0000u) | (next_random(rng) % 400); break;
		case 6: words[at] = next_random(rng) << 3; break;
		case 7: words[at] = next_random(rng) % 8; break;
		default:
			if (next_random(rng) % 16 == 0)
				*count = at + 1;
			else
				words[at] = (words[at] & 0xffffu) | (next_random(rng) % 8) << 16;
		}
	}
}

/* A random instruction of the functions; of this opcode unless 0.  0: none found. */
static inline size_t pick_instruction(const uint32_t *words, size_t count, uint32_t op, uint64_t *rng)
{
	size_t at = find_functions(words, count), found = 0;
	unsigned seen = 0;
	for (; at < count && words[at] >> 16; at += words[at] >> 16)
		if ((!op || (words[at] & 0xffff) == op) && next_random(rng) % ++seen == 0)
			found = at;
	return found;
}

/* Keeps the shape: operands become those of other instructions of the same
 * opcode, so that most mutants get past the first checks. */
static inline void mutate_operands(uint32_t *words, size_t count, uint64_t *rng)
{
	static const uint16_t flow[] = { SpvOpBranch, SpvOpBranchConditional, SpvOpSelectionMerge, SpvOpLoopMerge,
		SpvOpSwitch, SpvOpPhi, SpvOpStore, SpvOpLoad, SpvOpAccessChain, SpvOpCompositeExtract };
	unsigned changes = 1 + next_random(rng) % 2;
	for (unsigned i = 0; i < changes; i++) {
		uint32_t want = next_random(rng) % 2 ? flow[next_random(rng) % (sizeof flow / sizeof flow[0])] : 0;
		size_t to = pick_instruction(words, count, want, rng);
		if (!to || words[to] >> 16 < 2)
			continue;
		uint32_t op = words[to] & 0xffff, n = words[to] >> 16;
		size_t from = pick_instruction(words, count, op, rng);
		bool has_result = op != SpvOpStore && op != SpvOpBranch && op != SpvOpBranchConditional &&
			op != SpvOpSelectionMerge && op != SpvOpLoopMerge && op != SpvOpSwitch && op != SpvOpReturnValue;
		uint32_t first = has_result ? 3 : 1, k = n > first ? first + next_random(rng) % (n - first) : 0;
		if (k && from && k < words[from] >> 16)
			words[to + k] = words[from + k];
	}
}

#endif
