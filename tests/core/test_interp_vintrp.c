/* SPDX-License-Identifier: MIT */
/* The seed "GCN ISA VINTRP instructions": its newprimmask example 0b1010011, its
 * table of LDS offsets, its field list with both encoding types, and its
 * pseudo-code on random parameters; in the code of all four generations. */
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

static void emit(struct code *c, enum gcn_gen gen, struct gcn_inst *in)
{
	const char *why = "";
	unsigned n = gcn_encode(gen, in, c->dw + c->n, &why);
	EXPECT(n, "%s", why);
	c->n += n;
}
static enum cu_status run_gen(enum cu_level level, enum gcn_gen gen, struct code *c, struct cu_wave *w)
{
	struct cu_error err = { "" };
	struct gcn_inst in = inst(GCN_S_ENDPGM);
	emit(c, gen, &in);
	struct cu_program *p = cu_program_create_gen(level, gen, c->dw, c->n, &err);
	EXPECT(p, "%s", err.text);
	enum cu_status s = p ? cu_wave_run(p, w) : CU_FAULT;
	EXPECT(s == CU_DONE, "%s", w->error.text);
	cu_program_destroy(p);
	return s;
}
/* The document's list of fields; encoding 110010 for GCN 1.0 and 1.1, 110101 after. */
static void fields(enum gcn_gen gen)
{
	static const enum gcn_op ops[3] = { GCN_V_INTERP_P1_F32, GCN_V_INTERP_P2_F32, GCN_V_INTERP_MOV_F32 };
	for (uint32_t op = 0; op < 3; op++) {
		struct code c = { .n = 0 };
		struct gcn_inst in = inst(ops[op]), back;
		in.dst = V(0x9d), in.src[0] = op == 2 ? 1 : V(0x5b), in.attr = 0x2d, in.attrchan = 2;
		emit(&c, gen, &in);
		uint32_t vsrc = op == 2 ? 1 : 0x5b, type = gen < GCN_GFX8 ? 50 : 53;
		uint32_t want = vsrc | 2 << 8 | 0x2du << 10 | op << 16 | 0x9du << 18 | type << 26;
		EXPECT(c.n == 1 && c.dw[0] == want, "gen %d op %u: 0x%08x, not 0x%08x", gen, op, c.dw[0], want);
		EXPECT(gcn_decode(gen, &want, 1, &back) == 1 && back.op == ops[op] && back.attr == 0x2d &&
			back.attrchan == 2 && back.dst == V(0x9d), "gen %d op %u does not decode", gen, op);
		want ^= (50 ^ 53u) << 26; /* the other generations' */
		EXPECT(gcn_decode(gen, &want, 1, &back) != 1 || back.fmt != GCN_VINTRP, "gen %d takes 0x%08x", gen,
			want);
	}
}

static void mov(struct code *c, enum gcn_gen gen, unsigned dst, unsigned param, unsigned attr, unsigned chan)
{
	struct gcn_inst in = inst(GCN_V_INTERP_MOV_F32);
	in.dst = V(dst), in.src[0] = (uint16_t)param, in.attr = (uint8_t)attr, in.attrchan = (uint8_t)chan;
	emit(c, gen, &in);
}

static void example(enum cu_level level, enum gcn_gen gen, uint32_t base)
{
	struct code c = { .n = 0 };
	for (unsigned attr = 0; attr < 3; attr++)
		mov(&c, gen, attr, 2, attr, 0);
	static uint8_t lds[4096];
	memset(lds, 0, sizeof(lds));
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t id = 100 * table[i].attr + table[i].prim + 1;
		memcpy(lds + base + table[i].offset, &id, 4);
	}
	struct cu_wave *w = wave(~0ull);
	w->lds = lds, w->lds_bytes = sizeof(lds);
	w->sgpr[124] = MASK << 16 | base;
	run_gen(level, gen, &c, w);
	for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++)
		for (unsigned l = lanes[i].first; l <= lanes[i].last; l++)
			for (unsigned attr = 0; attr < 3; attr++)
				EXPECT(w->vgpr[attr][l] == 100 * attr + lanes[i].prim + 1,
					"attr %u lane %u: %u", attr, l, w->vgpr[attr][l]);
	free(w);
}

static void pseudo_code(enum cu_level level, enum gcn_gen gen, uint64_t seed, uint64_t exec)
{
	uint32_t mask = seed % 3 == 0 ? 0 : rnd(&seed) & 0x7fff, base = 4 * (rnd(&seed) % 8);
	unsigned attr = rnd(&seed) % 4, chan = rnd(&seed) & 3;
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_V_INTERP_P1_F32);
	in.attr = (uint8_t)attr, in.attrchan = (uint8_t)chan, in.dst = V(2), in.src[0] = V(0);
	emit(&c, gen, &in);
	in.op = GCN_V_INTERP_P2_F32, in.src[0] = V(1);
	emit(&c, gen, &in);
	for (unsigned p = 0; p < 3; p++)
		mov(&c, gen, 3 + p, p, attr, chan);
	static uint32_t lds[16384];
	for (size_t i = 0; i < 16384; i++)
		lds[i] = float_bits((float)(int32_t)rnd(&seed) * 0x1p-28f);
	struct cu_wave *w = wave(exec);
	w->lds = (uint8_t *)lds, w->lds_bytes = sizeof(lds);
	w->sgpr[124] = mask << 16 | base;
	for (int l = 0; l < 64; l++) {
		w->vgpr[0][l] = float_bits((float)(rnd(&seed) >> 8) * 0x1p-24f);
		w->vgpr[1][l] = float_bits((float)(rnd(&seed) >> 8) * 0x1p-24f);
	}
	run_gen(level, gen, &c, w);
	unsigned numprim = 1 + (unsigned)__builtin_popcount(mask), prim = 0;
	for (unsigned l = 0; l < 64; l++) {
		if (l % 4 == 0 && l && mask >> (l / 4 - 1) & 1)
			prim++;
		if (!(exec >> l & 1)) {
			EXPECT(w->vgpr[2][l] == 0 && w->vgpr[3][l] == 0, "inactive lane %u", l);
			continue;
		}
		const float *s = (const float *)lds + base / 4 + 12 * (attr * numprim + prim);
		float p0 = s[chan * 2], p10 = s[chan * 2 + 1], p20 = s[chan + 8];
		float i = bits_float(w->vgpr[0][l]), j = bits_float(w->vgpr[1][l]);
		volatile float t = i * p10, d = p0 + t, u = j * p20, e = d + u;
		EXPECT(w->vgpr[2][l] == float_bits(e), "lane %u: %a, not %a", l, bits_float(w->vgpr[2][l]), e);
		EXPECT(w->vgpr[3][l] == float_bits(p10) && w->vgpr[4][l] == float_bits(p20) &&
			w->vgpr[5][l] == float_bits(p0), "parameters of lane %u", l);
	}
	free(w);
}

int main(void)
{
	unsigned mxcsr = cu_fp_enter();
	for (int level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		if (!has_level((enum cu_level)level))
			continue;
		for (enum gcn_gen gen = GCN_GFX6; gen <= GCN_GFX9; gen++) {
			fields(gen);
			example((enum cu_level)level, gen, 0);
			example((enum cu_level)level, gen, 256);
			for (uint64_t seed = 0; seed < 60; seed++)
				pseudo_code((enum cu_level)level, gen, seed, seed & 1 ? ~0ull : 0x0f0ff00ff1248fffull);
		}
	}
	cu_fp_leave(mxcsr);
	return finish("test_interp_vintrp");
}
