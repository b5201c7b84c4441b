/* VINTRP: the newprimmask example and the LDS layout of the interpolation
 * document, and its pseudo-code on random parameters. */
#include "interp_harness.h"

#define MASK 0x53u /* 0b1010011 */

/* Lane ranges of the example's table. */
static const struct { unsigned first, last, prim; } lanes[] = {
	{ 0, 3, 0 }, { 4, 7, 1 }, { 8, 19, 2 }, { 20, 27, 3 }, { 28, 63, 4 } };
/* Byte offsets of the example's LDS table: attribute, primitive. */
static const struct { unsigned offset, attr, prim; } table[] = {
	{ 0, 0, 0 }, { 48, 0, 1 }, { 96, 0, 2 }, { 144, 0, 3 }, { 0xc0, 0, 4 }, { 0xc0 + 48, 1, 0 },
	{ 0xc0 + 96, 1, 1 }, { 0xc0 + 144, 1, 2 }, { 0x180, 1, 3 }, { 0x180 + 48, 1, 4 },
	{ 0x180 + 96, 2, 0 }, { 0x180 + 144, 2, 1 }, { 0x240, 2, 2 }, { 0x240 + 48, 2, 3 },
	{ 0x240 + 96, 2, 4 } };

static void mov(struct code *c, unsigned dst, unsigned param, unsigned attr, unsigned chan)
{
	struct gcn_inst in = inst(GCN_V_INTERP_MOV_F32);
	in.dst = V(dst), in.src[0] = (uint16_t)param, in.attr = (uint8_t)attr, in.attrchan = (uint8_t)chan;
	put(c, &in);
}

static void example(enum cu_level level, uint32_t base)
{
	struct code c = { .n = 0 };
	for (unsigned attr = 0; attr < 3; attr++)
		mov(&c, attr, 2, attr, 0);
	end(&c);
	static uint8_t lds[4096];
	memset(lds, 0, sizeof(lds));
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t id = 100 * table[i].attr + table[i].prim + 1;
		memcpy(lds + base + table[i].offset, &id, 4);
	}
	struct cu_wave *w = wave(~0ull);
	w->lds = lds, w->lds_bytes = sizeof(lds);
	w->sgpr[124] = MASK << 16 | base;
	CHECK(run(level, &c, w) == CU_DONE, "vintrp");
	for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++)
		for (unsigned l = lanes[i].first; l <= lanes[i].last; l++)
			for (unsigned attr = 0; attr < 3; attr++)
				CHECK(w->vgpr[attr][l] == 100 * attr + lanes[i].prim + 1,
					"attr %u lane %u: %u", attr, l, w->vgpr[attr][l]);
	free(w);
}

static void pseudo_code(enum cu_level level, uint64_t seed, uint64_t exec)
{
	uint32_t mask = seed % 3 == 0 ? 0 : rnd(&seed) & 0x7fff, base = 4 * (rnd(&seed) % 8);
	unsigned attr = rnd(&seed) % 4, chan = rnd(&seed) & 3;
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_V_INTERP_P1_F32);
	in.attr = (uint8_t)attr, in.attrchan = (uint8_t)chan, in.dst = V(2), in.src[0] = V(0);
	put(&c, &in);
	in.op = GCN_V_INTERP_P2_F32, in.src[0] = V(1);
	put(&c, &in);
	for (unsigned p = 0; p < 3; p++)
		mov(&c, 3 + p, p, attr, chan);
	end(&c);
	static uint32_t lds[16384];
	for (size_t i = 0; i < 16384; i++)
		lds[i] = fbits((float)(int32_t)rnd(&seed) * 0x1p-28f);
	struct cu_wave *w = wave(exec);
	w->lds = (uint8_t *)lds, w->lds_bytes = sizeof(lds);
	w->sgpr[124] = mask << 16 | base;
	for (int l = 0; l < 64; l++) {
		w->vgpr[0][l] = fbits((float)(rnd(&seed) >> 8) * 0x1p-24f);
		w->vgpr[1][l] = fbits((float)(rnd(&seed) >> 8) * 0x1p-24f);
	}
	run(level, &c, w);
	unsigned numprim = 1 + (unsigned)__builtin_popcount(mask), prim = 0;
	for (unsigned l = 0; l < 64; l++) {
		if (l % 4 == 0 && l && mask >> (l / 4 - 1) & 1)
			prim++;
		if (!(exec >> l & 1)) {
			CHECK(w->vgpr[2][l] == 0 && w->vgpr[3][l] == 0, "inactive lane %u", l);
			continue;
		}
		const float *s = (const float *)lds + base / 4 + 12 * (attr * numprim + prim);
		float p0 = s[chan * 2], p10 = s[chan * 2 + 1], p20 = s[chan + 8];
		float i = bitsf(w->vgpr[0][l]), j = bitsf(w->vgpr[1][l]);
		volatile float t = i * p10, d = p0 + t, u = j * p20, e = d + u;
		CHECK(w->vgpr[2][l] == fbits(e), "lane %u: %a, not %a", l, bitsf(w->vgpr[2][l]), e);
		CHECK(w->vgpr[3][l] == fbits(p10) && w->vgpr[4][l] == fbits(p20) &&
			w->vgpr[5][l] == fbits(p0), "parameters of lane %u", l);
	}
	free(w);
}

int main(void)
{
	unsigned mxcsr = cu_fp_enter();
	for (int level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		if (!has_level((enum cu_level)level))
			continue;
		example((enum cu_level)level, 0);
		example((enum cu_level)level, 256);
		for (uint64_t seed = 0; seed < 60; seed++)
			pseudo_code((enum cu_level)level, seed, seed & 1 ? ~0ull : 0x0f0ff00ff1248fffull);
	}
	cu_fp_leave(mxcsr);
	return finish("test_interp_vintrp");
}
