/* Damages SPIR-V modules, for fuzz tests: the same mutant for the same seed. */
#ifndef TESTS_SPV_MUTATE_H
#define TESTS_SPV_MUTATE_H

#include <spirv/unified1/spirv.h>
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

#endif
