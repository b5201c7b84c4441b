/* SPDX-License-Identifier: MIT */
/* Random state, see fuzz.h. */
#include "fuzz.h"

#include <string.h>
#include "core/mode.h"
#include "isa/abi.h"
#include "isa/resource.h"

static uint32_t rn(uint64_t *s, uint32_t n) { return fuzz_rnd(s) % n; }

static void set64(struct cu_wave *w, unsigned s, uint64_t x)
{
	w->sgpr[s] = (uint32_t)x;
	w->sgpr[s + 1] = (uint32_t)(x >> 32);
}

static void make_descriptors(uint64_t *s, struct cu_wave *w, const uint8_t *arena)
{
	uint64_t a = (uintptr_t)arena;
	uint32_t *v = &w->sgpr[8], *t = &w->sgpr[16], *sampler = &w->sgpr[24];
	memset(v, 0, 16);
	ISA_SET(v, V_BASE_LO, (uint32_t)a + rn(s, 64));
	ISA_SET(v, V_BASE_HI, (uint32_t)(a >> 32));
	ISA_SET(v, V_STRIDE, rn(s, 3) ? 0 : rn(s, 64));
	ISA_SET(v, V_NUM_RECORDS, rn(s, 2) ? 256 : rn(s, 8) ? rn(s, ARENA / 2) : fuzz_rnd(s));
	v[3] = fuzz_rnd(s);
	v[1] |= rn(s, 4) ? 0 : 1u << 31;
	memset(t, 0, 32);
	ISA_SET(t, T_BASE_LO, (uint32_t)(a >> 8));
	ISA_SET(t, T_BASE_HI, (uint32_t)(a >> 40));
	ISA_SET(t, T_DATA_FORMAT, rn(s, 4) ? 1 + rn(s, 20) : rn(s, 64));
	ISA_SET(t, T_NUM_FORMAT, rn(s, 10));
	ISA_SET(t, T_WIDTH, rn(s, 20));
	ISA_SET(t, T_HEIGHT, rn(s, 20));
	t[3] = fuzz_rnd(s);
	ISA_SET(t, T_BASE_LEVEL, 0);
	ISA_SET(t, T_LAST_LEVEL, rn(s, 4));
	ISA_SET(t, T_TYPE, 8 + rn(s, 8));
	ISA_SET(t, T_TILING_INDEX, rn(s, 2) ? TILING_LINEAR : TILING_4X4);
	ISA_SET(t, T_DEPTH, rn(s, 8));
	ISA_SET(t, T_LAST_ARRAY, rn(s, 8));
	for (int i = 0; i < 4; i++)
		sampler[i] = fuzz_rnd(s);
	if (!rn(s, 6)) /* damage */
		w->sgpr[8 + rn(s, 20)] ^= 1u << rn(s, 32);
	if (!rn(s, 10))
		for (int i = 0; i < 8; i++)
			t[i] = fuzz_rnd(s);
}
/* Programs drawn from the table: V# in s[8:11], T# in s[16:23], S# in s[24:27];
 * v[0:1] in the arena, v[2:3] in an aperture, v[4:5] wild. */
static void setup_drawn(uint64_t *s, struct cu_wave *w, const uint8_t *arena)
{
	uint64_t a = (uintptr_t)arena;
	for (unsigned i = 0; i < 32; i++)
		for (int l = 0; l < 64; l++)
			w->vgpr[i][l] = rn(s, 2) ? rn(s, 300) : fuzz_rnd(s) << rn(s, 32);
	for (unsigned i = 0; i < 104; i++)
		w->sgpr[i] = rn(s, 3) ? rn(s, 200) : fuzz_rnd(s);
	memcpy(&w->sgpr[0], &a, 8);
	make_descriptors(s, w, arena);
	for (int l = 0; l < 64; l++) {
		uint64_t near = a + rn(s, ARENA), far = (rn(s, 2) ? ABI_SHARED_BASE : ABI_PRIVATE_BASE) + rn(s, 9000);
		w->vgpr[0][l] = (uint32_t)near, w->vgpr[1][l] = (uint32_t)(near >> 32);
		w->vgpr[2][l] = (uint32_t)far, w->vgpr[3][l] = (uint32_t)(far >> 32);
	}
}

/* Random words name any register: descriptors and addresses lie about. */
static void setup_words(uint64_t *s, struct cu_wave *w, const uint8_t *arena)
{
	uint64_t base = (uintptr_t)arena;
	for (int v = 0; v < 40; v++)
		for (int l = 0; l < 64; l++)
			w->vgpr[v][l] = fuzz_rnd(s) & 3 ? fuzz_rnd(s) >> fuzz_rnd(s) % 32 : (uint32_t)(base + fuzz_rnd(s) % ARENA);
	for (int l = 0; l < 64; l++) /* pairs that are addresses */
		for (int v = 1; v < 16; v += 2)
			w->vgpr[v][l] = fuzz_rnd(s) & 7 ? (uint32_t)(base >> 32) : fuzz_rnd(s);
	for (unsigned i = 0; i < 108; i++)
		w->sgpr[i] = fuzz_rnd(s) >> fuzz_rnd(s) % 32;
	for (unsigned i = 0; i < 32; i += 4) {
		set64(w, i, base + fuzz_rnd(s) % ARENA);
		if (fuzz_rnd(s) & 1) { /* a V#: stride, records, formats */
			w->sgpr[i + 1] = (w->sgpr[i + 1] & 0xffff) | (fuzz_rnd(s) & 0xffff) >> fuzz_rnd(s) % 16 << 16;
			w->sgpr[i + 2] = fuzz_rnd(s) % ARENA >> fuzz_rnd(s) % 16;
			w->sgpr[i + 3] = fuzz_rnd(s) & 0x3fffffff;
		}
	}
	for (unsigned i = 32; i < 64; i += 8) { /* a T#: address / 256, small sizes, random formats */
		w->sgpr[i] = (uint32_t)(base >> 8) + fuzz_rnd(s) % 64;
		w->sgpr[i + 1] = (uint32_t)(base >> 40) | (fuzz_rnd(s) & 0xffffff00);
		w->sgpr[i + 2] = (fuzz_rnd(s) & 63) | (fuzz_rnd(s) & 63) << 14 | (fuzz_rnd(s) & 0xf0000000);
		w->sgpr[i + 3] = fuzz_rnd(s) | (fuzz_rnd(s) & 1 ? 0x80000000 : 0);
		w->sgpr[i + 4] = fuzz_rnd(s) & 0x1fff;
	}
}

static void fill_memory(uint64_t *s, struct fuzz_side *d)
{
	for (unsigned i = 0; i < ARENA; i += 4) {
		uint32_t x = i * 2654435761u >> (i & 64 ? i / 4 % 32 : 0);
		memcpy(d->arena + i, &x, 4);
	}
	memset(d->lds, (int)(fuzz_rnd(s) & 255), LDS);
	memset(d->scratch, 0x15, SCRATCH);
	memset(d->gds, 7, GDS);
}

void fuzz_setup(enum fuzz_kind kind, struct fuzz_side *d, const struct cu_memory *memory, uint64_t seed)
{
	uint64_t *s = &seed, exec = rn(s, 2) ? ~0ull : (uint64_t)fuzz_rnd(s) << 32 | fuzz_rnd(s);
	struct cu_wave *w = d->w;
	memset(d->exports, 0, sizeof(*d->exports));
	cu_wave_init(w, rn(s, 16) ? exec : 0, rn(s, 4) ? d->exports : NULL);
	for (unsigned i = 0; i < 256; i++)
		memset(w->vgpr[i], (int)i, sizeof(w->vgpr[i]));
	(kind == FUZZ_DRAWN ? setup_drawn : setup_words)(s, w, d->arena);
	w->mode = rn(s, 3) ? CU_MODE_PLAIN : fuzz_rnd(s) & 0x800fff;
	w->sgpr[124] = rn(s, 2) ? rn(s, LDS) : fuzz_rnd(s);
	w->lds = d->lds, w->lds_bytes = rn(s, 4) ? LDS : rn(s, LDS);
	w->scratch = d->scratch, w->scratch_bytes = rn(s, 4) ? SCRATCH : 0;
	set64(w, 102, (uintptr_t)d->scratch);
	w->gds = rn(s, 2) ? d->gds : NULL, w->gds_bytes = GDS;
	w->memory = memory;
	w->budget = BUDGET;
	fill_memory(s, d);
}
