/* SPDX-License-Identifier: MIT */
/* Atomics of a wave against the same lane by lane: lanes apart, all at one place, in pairs, and mixtures; results beside memory. */
#include <string.h>

#include "core/mem/atomic_lanes.h"
#include "tests/check.h"

enum { PLACES = 160, ROUNDS = 40000 };

static uint32_t seed = 1;

static uint32_t any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

/* Small integers and floats, so that what is compared is often equal. */
static uint32_t value(void)
{
	static const uint32_t values[] = { 0, 1, 2, 3, 0x80000000, 0xffffffff, 0x3f800000, 0x40000000, 0x7fc00000, 0x80000000 };
	return any() % 4 ? values[any() % (sizeof values / sizeof *values)] : any();
}

enum shape { SHAPE_ONE, SHAPE_ROW, SHAPE_ANY, SHAPE_FEW, SHAPE_COUNT };

static uint32_t place(enum shape shape, unsigned l)
{
	switch (shape) {
	case SHAPE_ONE: return 5;
	case SHAPE_ROW: return l;
	case SHAPE_FEW: return any() % 3;
	default: return any() % (PLACES / 2);
	}
}

static uint64_t lanes_of(uint32_t how)
{
	const uint64_t some = (uint64_t)any() << 32 | any();
	return how % 3 == 0 ? ~0ull : how % 3 == 1 ? some : 1ull << (some & 63);
}

static void round_of(struct cu_wave *w)
{
	static _Alignas(16) uint32_t memory[PLACES], want[PLACES];
	uint32_t data[4][CU_LANES], old[4][CU_LANES], kept[4][CU_LANES];
	const enum cu_atomic op = (enum cu_atomic)(any() % (CU_ATOMIC_FCMPSWAP + 1));
	const bool wide = any() & 1, returns = any() & 1, same_rows = any() & 1;
	const enum shape shape = (enum shape)(any() % SHAPE_COUNT);
	const uint32_t first = any() % 4; /* pairs may begin in the middle of 8 bytes */
	struct cu_atomic_lanes a = { .op = op, .wide = wide, .exec = lanes_of(any()) };
	a.live = a.exec & lanes_of(any());
	for (unsigned i = 0; i < PLACES; i++)
		memory[i] = want[i] = value();
	for (unsigned k = 0; k < 4; k++)
		for (unsigned l = 0; l < CU_LANES; l++) {
			data[k][l] = value();
			old[k][l] = kept[k][l] = same_rows ? data[k][l] : any();
		}
	a.data = same_rows ? old[0] : data[0];
	a.old = returns ? old[0] : NULL;
	for (unsigned l = 0; l < CU_LANES; l++) {
		const uint32_t at = wide ? 2 * place(shape, l) : first + place(shape, l);
		const bool compares = cu_atomic_compares(op);
		uint64_t before = 0;
		a.at[l] = &memory[at];
		if (!(a.exec >> l & 1))
			continue;
		if (a.live >> l & 1 && wide) {
			memcpy(&before, &want[at], 8);
			const uint64_t now = cu_atomic_next64(op, before, (uint64_t)data[1][l] << 32 | data[0][l],
				compares ? (uint64_t)data[3][l] << 32 | data[2][l] : 0);
			memcpy(&want[at], &now, 8);
		} else if (a.live >> l & 1) {
			before = want[at];
			want[at] = cu_atomic_next32(op, (uint32_t)before, data[0][l], compares ? data[1][l] : 0);
		}
		if (returns)
			kept[0][l] = (uint32_t)before;
		if (returns && wide)
			kept[1][l] = (uint32_t)(before >> 32);
	}
	cu_atomic_wave(w, 0, &a);
	CHECK(!memcmp(memory, want, sizeof memory), "operation %d, %s, shape %d, lanes %016llx of %016llx: memory differs", (int)op,
		wide ? "wide" : "narrow", (int)shape, (unsigned long long)a.live, (unsigned long long)a.exec);
	CHECK(!memcmp(old, kept, sizeof old), "operation %d, %s, shape %d, lanes %016llx of %016llx: results differ", (int)op,
		wide ? "wide" : "narrow", (int)shape, (unsigned long long)a.live, (unsigned long long)a.exec);
}

int main(void)
{
	static struct cu_wave w;
	for (unsigned i = 0; i < ROUNDS; i++)
		round_of(&w);
	return 0;
}
