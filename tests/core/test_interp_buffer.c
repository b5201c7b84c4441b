/* SPDX-License-Identifier: MIT */
/* The buffer unit: address formulas, swizzle, TID_ENABLE and range rules of
 * the memory handling document against a direct transcription, for loads,
 * stores, atomics and formats. */
#include "interp_harness.h"
#include "core/format/format.h"
#include "isa/resource.h"

enum { BYTES = 1 << 16 };
static uint8_t memory[BYTES] __attribute__((aligned(64)));
static uint8_t shadow[BYTES] __attribute__((aligned(64)));

struct access {
	uint32_t v[4];
	bool idxen, offen;
	uint32_t inst_offset, soffset;
	uint32_t index[64], offset[64];
};

/* The document's expressions; *addr relative to BASE, dword i of the access. */
static bool locate(const struct access *a, unsigned lane, unsigned i, uint64_t *addr)
{
	uint32_t stride = ISA_GET(a->v, V_STRIDE), num = ISA_GET(a->v, V_NUM_RECORDS);
	bool tid = ISA_GET(a->v, V_TID_ENABLE);
	uint32_t aoffset = a->inst_offset + (a->offen ? a->offset[lane] : 0);
	uint32_t aindex = (a->idxen ? a->index[lane] : 0) + (tid ? lane : 0);
	uint32_t bufoffset = aindex * stride + aoffset;
	if (ISA_GET(a->v, V_SWIZZLE_EN)) {
		uint32_t elem = 2u << ISA_GET(a->v, V_ELEM_SIZE);
		uint32_t istride = 8u << ISA_GET(a->v, V_INDEX_STRIDE);
		bufoffset = aoffset % elem + elem * (aindex % istride)
			+ istride * ((aindex / istride) * stride + (aoffset / elem) * elem);
	}
	*addr = (uint64_t)a->soffset + bufoffset + 4 * i;
	if (stride == 0)
		return (uint64_t)bufoffset + 4 * i < (num > a->soffset ? num - a->soffset : 0);
	if (a->idxen || tid)
		return aindex < num && (uint64_t)aoffset + 4 * i < stride;
	uint64_t size = (uint64_t)num * stride;
	return (uint64_t)aoffset + 4 * i < (size > a->soffset ? size - a->soffset : 0);
}

static void describe(struct access *a, uint64_t *seed)
{
	memset(a, 0, sizeof(*a));
	uint32_t kind = rnd(seed) % 4, stride = kind == 0 ? 0 : 16 * (1 + rnd(seed) % 4);
	bool swizzle = kind == 2;
	ISA_SET(a->v, V_BASE_LO, (uint32_t)(uintptr_t)memory);
	ISA_SET(a->v, V_BASE_HI, (uint32_t)((uintptr_t)memory >> 32));
	ISA_SET(a->v, V_STRIDE, stride);
	ISA_SET(a->v, V_SWIZZLE_EN, swizzle);
	ISA_SET(a->v, V_ELEM_SIZE, 1 + rnd(seed) % 3);
	ISA_SET(a->v, V_INDEX_STRIDE, rnd(seed) % 4);
	ISA_SET(a->v, V_TID_ENABLE, kind && rnd(seed) & 1);
	ISA_SET(a->v, V_NUM_RECORDS, stride ? 40 + rnd(seed) % 40 : 4 * (rnd(seed) % 1024));
	a->idxen = swizzle || (kind && rnd(seed) & 1);
	a->offen = rnd(seed) & 1;
	a->inst_offset = 4 * (rnd(seed) % 12);
	a->soffset = rnd(seed) & 1 ? 4 * (rnd(seed) % 64) : 0;
	for (int l = 0; l < 64; l++) {
		a->index[l] = rnd(seed) % 90;
		a->offset[l] = 4 * (rnd(seed) % (rnd(seed) & 3 ? 16 : 1100));
		if (rnd(seed) % 40 == 0) {
			a->offset[l] = 0xfffffff0 & ~3u;
			a->index[l] = 0x80000000;
		}
	}
	if (rnd(seed) & 1)
		return;
	/* Lanes that lie one behind the other, or nearly. */
	const uint32_t step = 4 * (rnd(seed) % 9), other = rnd(seed) & 1 ? 64 : rnd(seed) % 64;
	for (uint32_t l = 0; l < 64; l++) {
		a->index[l] = l;
		a->offset[l] = step * l + (l == other ? 4 * (rnd(seed) % 3) : 0);
	}
}

static struct gcn_inst mubuf(enum gcn_op op, const struct access *a, unsigned dst)
{
	struct gcn_inst in = inst(op);
	in.dst = V(dst), in.src[0] = a->idxen || a->offen ? V(0) : NONE, in.src[1] = 8, in.src[2] = 4;
	in.idxen = a->idxen, in.offen = a->offen, in.offset = (int32_t)a->inst_offset;
	return in;
}
static struct cu_wave *setup(const struct access *a, uint64_t exec)
{
	struct cu_wave *w = wave(exec);
	memcpy(&w->sgpr[8], a->v, 16);
	w->sgpr[4] = a->soffset;
	memcpy(w->vgpr[0], a->idxen ? a->index : a->offset, 256);
	memcpy(w->vgpr[1], a->offset, 256);
	return w;
}

static void load_store(enum cu_level level, uint64_t seed)
{
	static const enum gcn_op loads[] = { GCN_BUFFER_LOAD_DWORD, GCN_BUFFER_LOAD_DWORDX2,
		GCN_BUFFER_LOAD_DWORDX3, GCN_BUFFER_LOAD_DWORDX4 };
	static const enum gcn_op stores[] = { GCN_BUFFER_STORE_DWORD, GCN_BUFFER_STORE_DWORDX2,
		GCN_BUFFER_STORE_DWORDX3, GCN_BUFFER_STORE_DWORDX4 };
	struct access a;
	describe(&a, &seed);
	unsigned n = 1 + rnd(&seed) % 4;
	uint64_t exec = rnd(&seed) & 1 ? ~0ull : (uint64_t)rnd(&seed) << 32 | rnd(&seed), at;
	struct code c = { .n = 0 };
	struct gcn_inst in = mubuf(loads[n - 1], &a, 4);
	put(&c, &in);
	in = mubuf(stores[n - 1], &a, 8);
	put(&c, &in);
	end(&c);
	for (size_t i = 0; i < BYTES; i++)
		memory[i] = shadow[i] = (uint8_t)rnd(&seed);
	struct cu_wave *w = setup(&a, exec);
	for (unsigned i = 0; i < n; i++)
		for (unsigned l = 0; l < 64; l++) {
			w->vgpr[4 + i][l] = 0xdead;
			w->vgpr[8 + i][l] = rnd(&seed);
		}
	run(level, &c, w);
	for (unsigned i = 0; i < n; i++)
		for (unsigned l = 0; l < 64; l++) {
			uint32_t want = 0xdead;
			if (exec >> l & 1) {
				want = 0;
				if (locate(&a, l, i, &at))
					memcpy(&want, shadow + at, 4);
			}
			EXPECT(w->vgpr[4 + i][l] == want, "load seed, dword %u lane %u: 0x%x, not 0x%x", i, l,
				w->vgpr[4 + i][l], want);
		}
	for (unsigned l = 0; l < 64; l++) /* where lanes meet the last one stays */
		for (unsigned i = 0; i < n; i++)
			if (exec >> l & 1 && locate(&a, l, i, &at))
				memcpy(shadow + at, &w->vgpr[8 + i][l], 4);
	EXPECT(!memcmp(memory, shadow, BYTES), "stores");
	free(w);
}

static void narrow(enum cu_level level)
{
	struct access a;
	uint64_t seed = 1;
	describe(&a, &seed);
	memset(a.v + 1, 0, 8);
	ISA_SET(a.v, V_BASE_HI, (uint32_t)((uintptr_t)memory >> 32));
	ISA_SET(a.v, V_NUM_RECORDS, 50);
	ISA_SET(a.v, V_TID_ENABLE, 0);
	a.idxen = false, a.offen = true, a.inst_offset = 0, a.soffset = 0;
	for (unsigned l = 0; l < 64; l++)
		a.offset[l] = l;
	struct code c = { .n = 0 };
	static const enum gcn_op ops[] = { GCN_BUFFER_LOAD_UBYTE, GCN_BUFFER_LOAD_SBYTE,
		GCN_BUFFER_LOAD_USHORT, GCN_BUFFER_LOAD_SSHORT, GCN_BUFFER_LOAD_SHORT_D16_HI,
		GCN_BUFFER_STORE_BYTE };
	for (unsigned i = 0; i < 6; i++) {
		struct gcn_inst in = mubuf(ops[i], &a, 4 + i);
		put(&c, &in);
	}
	end(&c);
	for (int i = 0; i < 64; i++)
		memory[i] = (uint8_t)(0x70 + 7 * i);
	memcpy(shadow, memory, 64);
	struct cu_wave *w = setup(&a, ~0ull);
	for (uint32_t l = 0; l < 64; l++) {
		w->vgpr[8][l] = 0x1234;
		w->vgpr[9][l] = l;
	}
	run(level, &c, w);
	for (unsigned l = 0; l < 64; l++) {
		bool in = l < 50;
		uint8_t b = shadow[l];
		uint16_t h = (uint16_t)(shadow[l & ~1u] | shadow[l | 1] << 8);
		EXPECT(w->vgpr[4][l] == (in ? b : 0) && w->vgpr[5][l] == (in ? (uint32_t)(int8_t)b : 0),
			"bytes, lane %u", l);
		EXPECT(w->vgpr[6][l] == (in ? h : 0) && w->vgpr[7][l] == (in ? (uint32_t)(int16_t)h : 0),
			"shorts, lane %u", l);
		EXPECT(w->vgpr[8][l] == ((in ? (uint32_t)h << 16 : 0) | 0x1234), "d16, lane %u", l);
		EXPECT(memory[l] == (in ? l : shadow[l]), "byte store, lane %u", l);
	}
	free(w);
}

static void atomics(enum cu_level level)
{
	struct access a;
	memset(&a, 0, sizeof(a));
	ISA_SET(a.v, V_BASE_LO, (uint32_t)(uintptr_t)memory);
	ISA_SET(a.v, V_BASE_HI, (uint32_t)((uintptr_t)memory >> 32));
	ISA_SET(a.v, V_NUM_RECORDS, 8);
	a.offen = true;
	for (unsigned l = 0; l < 64; l++)
		a.offset[l] = l < 60 ? 0 : 8; /* the last four are out of range */
	struct code c = { .n = 0 };
	struct gcn_inst in = mubuf(GCN_BUFFER_ATOMIC_ADD, &a, 4);
	in.glc = 1;
	put(&c, &in);
	in = mubuf(GCN_BUFFER_ATOMIC_UMAX, &a, 5);
	put(&c, &in);
	in = mubuf(GCN_BUFFER_ATOMIC_CMPSWAP, &a, 6);
	in.glc = 1;
	put(&c, &in);
	end(&c);
	memset(memory, 0, 64);
	struct cu_wave *w = setup(&a, ~0ull);
	for (uint32_t l = 0; l < 64; l++) {
		w->vgpr[4][l] = 2;
		w->vgpr[5][l] = l;
		w->vgpr[6][l] = 1000 + l; /* new */
		w->vgpr[7][l] = l < 60 ? 120 : 0; /* compared */
	}
	run(level, &c, w);
	for (uint32_t l = 0; l < 60; l++) {
		EXPECT(w->vgpr[4][l] == 2 * l, "add returned %u in lane %u", w->vgpr[4][l], l);
		EXPECT(w->vgpr[5][l] == l, "no return without glc");
		EXPECT(w->vgpr[6][l] == (l ? 1000 : 120), "cmpswap returned %u", w->vgpr[6][l]);
	}
	uint32_t x[3];
	memcpy(x, memory, 12);
	EXPECT(x[0] == 1000 && x[1] == 0 && x[2] == 0, "memory %u %u %u", x[0], x[1], x[2]);
	EXPECT(w->vgpr[4][63] == 0, "out of range returns 0");
	free(w);
}

static void formats(enum cu_level level)
{
	struct access a;
	memset(&a, 0, sizeof(a));
	ISA_SET(a.v, V_BASE_LO, (uint32_t)(uintptr_t)memory);
	ISA_SET(a.v, V_BASE_HI, (uint32_t)((uintptr_t)memory >> 32));
	ISA_SET(a.v, V_STRIDE, 4);
	ISA_SET(a.v, V_NUM_RECORDS, 60);
	ISA_SET(a.v, V_DATA_FORMAT, DFMT_8_8_8_8);
	ISA_SET(a.v, V_NUM_FORMAT, NFMT_UNORM);
	static const unsigned sel[4] = { SEL_B, SEL_G, SEL_R, SEL_1 };
	for (unsigned i = 0; i < 4; i++)
		ISA_SET(a.v, V_DST_SEL(i), sel[i]);
	a.idxen = true;
	for (unsigned l = 0; l < 64; l++)
		a.index[l] = l;
	struct code c = { .n = 0 };
	struct gcn_inst in = mubuf(GCN_BUFFER_LOAD_FORMAT_XYZW, &a, 4);
	put(&c, &in);
	in = mubuf(GCN_TBUFFER_LOAD_FORMAT_XYZ, &a, 8);
	in.dfmt = DFMT_32, in.nfmt = NFMT_UINT;
	put(&c, &in);
	in = mubuf(GCN_BUFFER_STORE_FORMAT_XYZW, &a, 4);
	in.offset = 0;
	put(&c, &in);
	end(&c);
	for (int i = 0; i < 256; i++)
		memory[i] = shadow[i] = (uint8_t)(i * 37);
	struct cu_wave *w = setup(&a, ~0ull);
	run(level, &c, w);
	for (unsigned l = 0; l < 64; l++) {
		uint32_t t[4] = { 0 }, raw;
		memcpy(&raw, shadow + 4 * l, 4);
		if (l < 60)
			cu_format_unpack(DFMT_8_8_8_8, NFMT_UNORM, shadow + 4 * l, t);
		EXPECT(w->vgpr[4][l] == t[2] && w->vgpr[5][l] == t[1] && w->vgpr[6][l] == t[0] &&
			w->vgpr[7][l] == 0x3f800000, "swizzled load, lane %u", l);
		EXPECT(w->vgpr[8][l] == (l < 60 ? raw : 0) && w->vgpr[9][l] == 0 && w->vgpr[10][l] == 0,
			"typed load, lane %u", l);
		uint32_t want = l < 60 ? (raw & 0xffffff) : raw, got;
		memcpy(&got, memory + 4 * l, 4);
		EXPECT(got == want, "store, lane %u: 0x%08x, not 0x%08x", l, got, want);
	}
	free(w);
}

/* Texels and vertices are mostly records of whole waves, which have a way of their own: it gives what others do, whose lanes
 * are not all on. */
static void whole_waves(enum cu_level level, uint64_t seed)
{
	static const struct { uint8_t dfmt, nfmt; } formats[] = { { DFMT_8, NFMT_UNORM }, { DFMT_8_8, NFMT_SNORM },
		{ DFMT_8_8_8_8, NFMT_UNORM }, { DFMT_8_8_8_8, NFMT_UINT }, { DFMT_16_16, NFMT_FLOAT }, { DFMT_16_16_16_16, NFMT_SINT },
		{ DFMT_2_10_10_10, NFMT_UNORM }, { DFMT_32, NFMT_FLOAT }, { DFMT_32, NFMT_UINT }, { DFMT_32_32, NFMT_FLOAT },
		{ DFMT_32_32_32, NFMT_FLOAT }, { DFMT_32_32_32_32, NFMT_SINT }, { DFMT_16, NFMT_USCALED },
		{ DFMT_32_32, NFMT_SSCALED }, { DFMT_32_32_32_32, NFMT_USCALED } };
	static const uint8_t orders[][4] = { { SEL_R, SEL_G, SEL_B, SEL_A }, { SEL_R, SEL_0, SEL_0, SEL_1 },
		{ SEL_B, SEL_G, SEL_R, SEL_A }, { SEL_R, SEL_G, SEL_B, SEL_1 } };
	static const enum gcn_op ops[] = { GCN_BUFFER_LOAD_FORMAT_X, GCN_BUFFER_LOAD_FORMAT_XY, GCN_BUFFER_LOAD_FORMAT_XYZ,
		GCN_BUFFER_LOAD_FORMAT_XYZW };
	struct access a;
	describe(&a, &seed);
	const unsigned f = rnd(&seed) % (sizeof formats / sizeof *formats), o = rnd(&seed) % 6;
	if (rnd(&seed) % 4) { /* what is to have the way */
		ISA_SET(a.v, V_SWIZZLE_EN, rnd(&seed) % 8 == 0);
		ISA_SET(a.v, V_TID_ENABLE, rnd(&seed) % 8 == 0);
		a.idxen = true;
		a.offen = rnd(&seed) % 8 == 0;
	}
	if (rnd(&seed) & 1)
		ISA_SET(a.v, V_STRIDE, 1 + rnd(&seed) % 24);
	a.inst_offset = rnd(&seed) % (rnd(&seed) & 1 ? 8 : 40);
	a.soffset = rnd(&seed) & 1 ? rnd(&seed) % 64 : 0;
	if (rnd(&seed) & 1) { /* whole dwords, as vertices are */
		a.v[0] &= ~3u;
		ISA_SET(a.v, V_STRIDE, 4 + 4 * (rnd(&seed) % 6));
		a.inst_offset &= ~3u;
		a.soffset &= ~3u;
	}
	ISA_SET(a.v, V_DATA_FORMAT, formats[f].dfmt);
	ISA_SET(a.v, V_NUM_FORMAT, formats[f].nfmt);
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(a.v, V_DST_SEL(c), orders[o < 4 ? o : 0][c]);
	const bool most = rnd(&seed) & 1;
	for (unsigned l = 0; l < 64 && most; l++) /* are inside */
		a.index[l] %= ISA_GET(a.v, V_NUM_RECORDS) + (rnd(&seed) % 64 == 0) + !ISA_GET(a.v, V_NUM_RECORDS);
	for (unsigned i = 0; i < BYTES; i++)
		memory[i] = (uint8_t)(i * 37 + (i >> 8) * 11);
	struct code c = { .n = 0 };
	struct gcn_inst in = mubuf(ops[rnd(&seed) % 4], &a, 4);
	put(&c, &in);
	end(&c);
	struct cu_wave *all = setup(&a, ~0ull), *even = setup(&a, 0x5555555555555555), *odd = setup(&a, 0xaaaaaaaaaaaaaaaa);
	memset(even->vgpr[4], 0x5a, sizeof even->vgpr[4] * 4);
	memset(odd->vgpr[4], 0x5a, sizeof odd->vgpr[4] * 4);
	memset(all->vgpr[4], 0x5a, sizeof all->vgpr[4] * 4);
	EXPECT(run(level, &c, all) == CU_DONE && run(level, &c, even) == CU_DONE && run(level, &c, odd) == CU_DONE, "%s", all->error.text);
	for (unsigned v = 4; v < 8; v++)
		for (unsigned l = 0; l < 64; l++)
			EXPECT(all->vgpr[v][l] == (l & 1 ? odd : even)->vgpr[v][l] && (l & 1 ? even : odd)->vgpr[v][l] == 0x5a5a5a5a, "format %u, order %u, v%u, lane %u: 0x%08x", f, o, v, l, all->vgpr[v][l]);
	free(all);
	free(even);
	free(odd);
}

static void scalar_loads(enum cu_level level)
{
	uint32_t v[4] = { 0 };
	ISA_SET(v, V_BASE_LO, (uint32_t)(uintptr_t)memory);
	ISA_SET(v, V_BASE_HI, (uint32_t)((uintptr_t)memory >> 32));
	ISA_SET(v, V_NUM_RECORDS, 20);
	for (uint32_t i = 0; i < 32; i++)
		memcpy(memory + 4 * i, &(uint32_t){ 100 + i }, 4);
	struct code c = { .n = 0 };
	struct gcn_inst in = inst(GCN_S_LOAD_DWORDX4);
	in.dst = 20, in.src[0] = 2, in.offset = 8;
	put(&c, &in);
	in = inst(GCN_S_BUFFER_LOAD_DWORDX8);
	in.dst = 24, in.src[0] = 8, in.src[1] = 4;
	put(&c, &in);
	end(&c);
	struct cu_wave *w = wave(~0ull);
	memcpy(&w->sgpr[2], &(uint64_t){ (uintptr_t)memory }, 8);
	memcpy(&w->sgpr[8], v, 16);
	w->sgpr[4] = 9; /* rounded down to 8 */
	run(level, &c, w);
	for (uint32_t i = 0; i < 4; i++)
		EXPECT(w->sgpr[20 + i] == 102 + i, "s_load dword %u", i);
	for (uint32_t i = 0; i < 8; i++)
		EXPECT(w->sgpr[24 + i] == (i < 3 ? 102 + i : 0), "s_buffer_load dword %u: %u", i, w->sgpr[24 + i]);
	w->pc = 0;
	w->sgpr[2] = w->sgpr[3] = 0;
	struct cu_program *p = program(level, &c);
	EXPECT(cu_wave_run(p, w) == CU_FAULT && strstr(w->error.text, "s_load_dwordx4"), "%s", w->error.text);
	cu_program_destroy(p);
	free(w);
}

int main(void)
{
	for (int level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		enum cu_level l = (enum cu_level)level;
		if (!has_level(l))
			continue;
		for (uint64_t seed = 0; seed < 300; seed++)
			load_store(l, seed);
		for (uint64_t seed = 0; seed < 1000; seed++)
			whole_waves(l, seed);
		narrow(l);
		atomics(l);
		formats(l);
		scalar_loads(l);
	}
	return finish("test_interp_buffer");
}
