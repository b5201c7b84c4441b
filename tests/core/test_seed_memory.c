/* SPDX-License-Identifier: MIT */
/* The memory handling document (seed 004, GcnMemHandling), rule by rule, with
 * numbers worked out by hand.  test_ref_mem.c has the same rules on random
 * operands; test_tex_forms.c has the order of image addresses. */
#include "core/memory.h"
#include "interp_harness.h"
#include "isa/resource.h"

enum { WORDS = 4096, S_V = 8 };
static uint32_t mem[WORDS] __attribute__((aligned(4096))); /* mem[i] = i */
static uint8_t lds[1024] __attribute__((aligned(64)));
static enum cu_level level;

struct v { unsigned stride, records, elem, index, swizzle, tid, dfmt, nfmt; unsigned sel[4]; };
static void put_v(struct cu_wave *w, struct v d)
{
	uint32_t *v = &w->sgpr[S_V];
	uint64_t a = (uintptr_t)mem;
	ISA_SET(v, V_BASE_LO, (uint32_t)a);
	ISA_SET(v, V_BASE_HI, (uint32_t)(a >> 32));
	ISA_SET(v, V_STRIDE, d.stride);
	ISA_SET(v, V_NUM_RECORDS, d.records);
	ISA_SET(v, V_ELEM_SIZE, d.elem);
	ISA_SET(v, V_INDEX_STRIDE, d.index);
	ISA_SET(v, V_SWIZZLE_EN, d.swizzle);
	ISA_SET(v, V_TID_ENABLE, d.tid);
	ISA_SET(v, V_DATA_FORMAT, d.dfmt);
	ISA_SET(v, V_NUM_FORMAT, d.nfmt);
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(v, V_DST_SEL(c), d.sel[0] ? d.sel[c] : SEL_R + c);
}
/* A wave that ran the instruction: v0 = a, v1 = b in all lanes, result from v8. */
static struct cu_wave *run_one(enum gcn_gen gen, struct gcn_inst in, struct v d, uint32_t a, uint32_t b)
{
	struct code c = { .n = 0 };
	struct cu_error err;
	struct cu_wave *w = wave(~0ull);
	unsigned n = gcn_encode(gen, &in, c.dw, NULL);
	c.n = n;
	c.dw[c.n++] = 0xbf810000; /* s_endpgm */
	struct cu_program *p = n ? cu_program_create_gen(level, gen, c.dw, c.n, &err) : NULL;
	EXPECT(p, "%s: %s", gcn_op_info((enum gcn_op)in.op)->name, n ? err.text : "cannot be encoded");
	put_v(w, d);
	w->sgpr[4] = 16; /* an SGPR offset */
	w->lds = lds, w->lds_bytes = sizeof(lds);
	for (int l = 0; l < 64; l++)
		w->vgpr[0][l] = a, w->vgpr[1][l] = b;
	if (p)
		EXPECT(cu_wave_run(p, w) == CU_DONE, "%s", w->error.text);
	cu_program_destroy(p);
	return w;
}
static struct gcn_inst mubuf(enum gcn_op op, bool idxen, bool offen, int32_t offset, unsigned soffset)
{
	struct gcn_inst in = inst(op);
	in.dst = V(8), in.src[0] = idxen || offen ? V(0) : NONE, in.src[1] = S_V, in.src[2] = (uint16_t)soffset;
	in.idxen = idxen, in.offen = offen, in.offset = offset;
	return in;
}
/* What lane l of a dword load gets. */
static uint32_t loaded(struct gcn_inst in, struct v d, uint32_t a, uint32_t b, int l)
{
	struct cu_wave *w = run_one(GCN_GFX9, in, d, a, b);
	uint32_t x = w->vgpr[8][l];
	free(w);
	return x;
}
#define SEED(got, want, rule) do { uint32_t g_ = (got), w_ = (want); \
	EXPECT(g_ == w_, "seed 004, %s: 0x%x, not 0x%x", rule, g_, w_); } while (0)

static void addresses(void)
{
	enum gcn_op op = GCN_BUFFER_LOAD_DWORD;
	struct v raw = { .records = 4 * WORDS }, rec = { .stride = 64, .records = 100 };
	/* IDXEN, OFFEN and the registers they take. */
	SEED(loaded(mubuf(op, 0, 0, 40, K(0)), raw, 800, 0, 0), 10, "no IDXEN, no OFFEN: the instruction's offset alone");
	SEED(loaded(mubuf(op, 0, 1, 40, K(0)), raw, 80, 0, 0), 30, "OFFEN: the offset is the first VGPR");
	SEED(loaded(mubuf(op, 1, 0, 8, K(0)), rec, 5, 0, 0), 5 * 16 + 2, "IDXEN: BUFOFFSET = AINDEX*STRIDE + AOFFSET");
	SEED(loaded(mubuf(op, 1, 1, 8, K(0)), rec, 5, 12, 0), 5 * 16 + 5, "both: index, then offset in the next VGPR");
	SEED(loaded(mubuf(op, 0, 0, 40, 4), raw, 0, 0, 0), 14, "the SGPR offset adds to the base");
	rec.tid = 1;
	SEED(loaded(mubuf(op, 0, 0, 4, K(0)), rec, 0, 0, 7), 7 * 16 + 1, "TID_ENABLE adds the lane to the index");
	SEED(loaded(mubuf(op, 1, 0, 4, K(0)), rec, 20, 0, 7), 27 * 16 + 1, "TID_ENABLE and IDXEN");
	/* ELEMSIZE 1: 4 bytes, INDEXSTRIDE 1: 16.  Index 37 = 2*16 + 5, offset 10 = 2*4 + 2, rounded to 8:
	 * 0 + 4*5 + 16*(2*64 + 2*4) = 2196 bytes. */
	struct v swz = { .stride = 64, .records = 100, .elem = 1, .index = 1, .swizzle = 1 };
	SEED(loaded(mubuf(op, 1, 1, 2, K(0)), swz, 37, 8, 0), 2196 / 4, "swizzle mode");
	/* ELEMSIZE 3: 16 bytes, INDEXSTRIDE 0: 8.  Index 9 = 1*8 + 1, offset 20 = 1*16 + 4:
	 * 4 + 16*1 + 8*(1*64 + 1*16) = 660. */
	swz.elem = 3, swz.index = 0;
	SEED(loaded(mubuf(op, 1, 1, 0, K(0)), swz, 9, 20, 0), 660 / 4, "2<<ELEMSIZE and 8<<INDEXSTRIDE");
	/* addr64, gfx6: BASE + VGPR + OFFSET + SGPR offset, no range check. */
	struct gcn_inst in = mubuf(op, 0, 0, 8, 4);
	in.src[0] = V(0), in.addr64 = 1;
	struct cu_wave *w = run_one(GCN_GFX6, in, (struct v){ .records = 0 }, 400, 0);
	SEED(w->vgpr[8][3], (400 + 8 + 16) / 4, "ADDR64");
	free(w);
}

static void ranges(void)
{
	enum gcn_op op = GCN_BUFFER_LOAD_DWORD;
	struct v raw = { .records = 100 }, rec = { .stride = 16, .records = 10 };
	SEED(loaded(mubuf(op, 0, 1, 0, K(0)), raw, 96, 0, 0), 24, "STRIDE=0: the last dword");
	SEED(loaded(mubuf(op, 0, 1, 0, K(0)), raw, 100, 0, 0), 0, "STRIDE=0: out of range from NUMRECORDS on");
	SEED(loaded(mubuf(op, 0, 1, 0, 4), raw, 80, 0, 0), 24, "STRIDE=0: the last dword under an SGPR offset");
	SEED(loaded(mubuf(op, 0, 1, 0, 4), raw, 84, 0, 0), 0, "STRIDE=0: out of range from NUMRECORDS-SGPR_OFFSET on");
	SEED(loaded(mubuf(op, 1, 1, 0, K(0)), rec, 9, 12, 0), 39, "STRIDE!=0: the last record's last dword");
	SEED(loaded(mubuf(op, 1, 1, 0, K(0)), rec, 10, 0, 0), 0, "STRIDE!=0: AINDEX >= NUMRECORDS");
	SEED(loaded(mubuf(op, 1, 1, 0, K(0)), rec, 3, 16, 0), 0, "STRIDE!=0: OFFSET >= STRIDE");
	struct gcn_inst store = mubuf(GCN_BUFFER_STORE_DWORD, 0, 1, 0, K(0));
	store.dst = V(1);
	free(run_one(GCN_GFX9, store, raw, 100, 0xdead));
	SEED(mem[25], 25, "writes out of range are ignored");
	free(run_one(GCN_GFX9, store, raw, 96, 0xdead));
	SEED(mem[24], 0xdead, "writes in range are not");
	mem[24] = 24;
	/* Alignment: 32-bit operations to 4 bytes, 16-bit ones to 2. */
	mem[2] = 0x44332211;
	struct v all = { .records = 4 * WORDS };
	SEED(loaded(mubuf(op, 0, 1, 0, K(0)), all, 11, 0, 0), 0x44332211, "dwords are aligned to 4 bytes");
	SEED(loaded(mubuf(GCN_BUFFER_LOAD_USHORT, 0, 1, 0, K(0)), all, 11, 0, 0), 0x4433, "shorts are aligned to 2 bytes");
	SEED(loaded(mubuf(GCN_BUFFER_LOAD_UBYTE, 0, 1, 0, K(0)), all, 11, 0, 0), 0x44, "bytes are where they are");
	mem[2] = 2;
}

static void to_lds(void)
{
	static const struct { enum gcn_op op; uint32_t want; } ops[] = { { GCN_BUFFER_LOAD_UBYTE, 0xfe },
		{ GCN_BUFFER_LOAD_SBYTE, 0xfe }, { GCN_BUFFER_LOAD_USHORT, 0xfffe }, { GCN_BUFFER_LOAD_SSHORT, 0xfffe },
		{ GCN_BUFFER_LOAD_DWORD, 0xfffffffe }, { GCN_BUFFER_LOAD_FORMAT_X, 0xfffffffe } };
	mem[0] = 0xfffffffe;
	for (unsigned i = 0; i < 6; i++) {
		struct gcn_inst in = mubuf(ops[i].op, 0, 0, 0, K(0));
		struct code c = { .n = 0 };
		uint32_t got;
		in.lds = 1;
		lit1(&c, GCN_S_MOV_B32, M0, 0xabc0040); /* only 16 bits count */
		put(&c, &in);
		end(&c);
		struct cu_wave *w = wave(1ull << 5);
		put_v(w, (struct v){ .records = 64, .dfmt = DFMT_32, .nfmt = NFMT_UINT });
		memset(lds, 0x77, sizeof(lds));
		w->lds = lds, w->lds_bytes = sizeof(lds), w->vgpr[8][5] = 1;
		run(level, &c, w);
		memcpy(&got, lds + 0x40 + 4 * 5, 4);
		SEED(got, ops[i].want, "LDS_ADDR = LDS_BASE + (M0&0xffff) + LANEID*4, zero-extended");
		SEED(lds[0x40 + 4 * 4] | lds[0x40 + 4 * 6], 0x77, "other lanes write nothing");
		SEED(w->vgpr[8][5], 1, "no VGPR is written");
		free(w);
	}
	struct gcn_inst in = mubuf(GCN_BUFFER_LOAD_DWORD, 0, 0, 0, K(0));
	struct code c = { .n = 0 };
	struct cu_error err;
	in.lds = in.tfe = 1;
	EXPECT(!gcn_encode(GCN_GFX9, &in, c.dw, NULL) || !cu_program_create(level, c.dw, 2, &err),
		"seed 004, TFE and LDS together are illegal");
	mem[0] = 0;
}

static void formats(void)
{
	struct v d = { .stride = 4, .records = 16, .dfmt = DFMT_8_8_8_8, .nfmt = NFMT_UINT,
		.sel = { SEL_A, SEL_1, SEL_0, SEL_G } };
	mem[3] = 0x44332211;
	struct cu_wave *w = run_one(GCN_GFX9, mubuf(GCN_BUFFER_LOAD_FORMAT_XYZW, 1, 0, 0, K(0)), d, 3, 0);
	SEED(w->vgpr[8][0], 0x44, "DST_SEL_X = A");
	SEED(w->vgpr[9][0], 1, "DST_SEL_Y = 1");
	SEED(w->vgpr[10][0], 0, "DST_SEL_Z = 0");
	SEED(w->vgpr[11][0], 0x22, "DST_SEL_W = G");
	free(w);
	struct gcn_inst in = mubuf(GCN_TBUFFER_LOAD_FORMAT_XYZW, 1, 0, 0, K(0));
	in.dfmt = DFMT_16_16, in.nfmt = NFMT_SINT;
	w = run_one(GCN_GFX9, in, d, 3, 0);
	SEED(w->vgpr[8][0], 0x2211, "TBUFFER: formats of the instruction, DST_SEL is the identity");
	SEED(w->vgpr[9][0], 0x4433, "TBUFFER: second component");
	SEED(w->vgpr[10][0], 0, "TBUFFER: absent components");
	free(w);
	SEED(loaded(mubuf(GCN_BUFFER_LOAD_DWORD, 1, 0, 0, K(0)), d, 3, 0, 0), 0x44332211, "BUFFER_LOAD ignores the resource's formats");
	mem[3] = 3;
	/* One row a number format, 8 bits: 0x80 and 0x7f. */
	static const struct { unsigned nfmt; float low, high; const char *rule; } rows[] = {
		{ NFMT_UNORM, 128.0f / 255, 127.0f / 255, "UNORM is 0 to 1" }, { NFMT_SNORM, -1, 1, "SNORM: MIN+1 to MAX, -1 to 1" },
		{ NFMT_USCALED, 128, 127, "USCALED" }, { NFMT_SSCALED, -128, 127, "SSCALED" },
		{ NFMT_SNORM_OGL, -1, 1, "SNORM_OGL: MIN to MAX, -1 to 1" } };
	for (unsigned i = 0; i < 5; i++) {
		d = (struct v){ .stride = 4, .records = 16, .dfmt = DFMT_8_8, .nfmt = rows[i].nfmt };
		mem[1] = 0x7f80;
		w = run_one(GCN_GFX9, mubuf(GCN_BUFFER_LOAD_FORMAT_XY, 1, 0, 0, K(0)), d, 1, 0);
		SEED(w->vgpr[8][0], float_bits(rows[i].low), rows[i].rule);
		SEED(w->vgpr[9][0], float_bits(rows[i].high), rows[i].rule);
		free(w);
	}
	mem[1] = 1;
	/* One row a packed data format: which component has bit 31, which bit 0. */
	static const struct { unsigned dfmt; uint32_t first, top; unsigned components; const char *rule; } packed[] = {
		{ DFMT_10_11_11, 0x401, 0x200, 3, "10_11_11: two of 11 bits, one of 10, from the lowest bit" },
		{ DFMT_11_11_10, 0x001, 0x400, 3, "11_11_10: one of 10 bits, two of 11, from the lowest bit" },
		{ DFMT_10_10_10_2, 0x001, 0x200, 4, "10_10_10_2: one of 2 bits, three of 10, from the lowest bit" },
		{ DFMT_2_10_10_10, 0x001, 0x002, 4, "2_10_10_10: three of 10 bits, one of 2, from the lowest bit" } };
	for (unsigned i = 0; i < 4; i++) {
		d = (struct v){ .stride = 4, .records = 16, .dfmt = packed[i].dfmt, .nfmt = NFMT_UINT };
		mem[1] = i ? 0x80000001 : 0x80000401;
		w = run_one(GCN_GFX9, mubuf(GCN_BUFFER_LOAD_FORMAT_XYZW, 1, 0, 0, K(0)), d, 1, 0);
		SEED(w->vgpr[8][0], packed[i].first, packed[i].rule);
		SEED(w->vgpr[8 + packed[i].components - 1][0], packed[i].top, packed[i].rule);
		free(w);
	}
	mem[1] = 1;
	/* "rounding to nearest even" of stores. */
	struct gcn_inst store = mubuf(GCN_BUFFER_STORE_FORMAT_X, 1, 0, 0, K(0));
	store.dst = V(1);
	d = (struct v){ .stride = 4, .records = 16, .dfmt = DFMT_8, .nfmt = NFMT_UNORM };
	free(run_one(GCN_GFX9, store, d, 2, float_bits(0.5f)));
	SEED(mem[2] & 0xff, 128, "127.5 is rounded to the even 128");
	mem[2] = 2;
}

int main(void)
{
	for (unsigned i = 0; i < WORDS; i++)
		mem[i] = i;
	for (level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		if (!has_level(level))
			continue;
		addresses();
		ranges();
		to_lds();
		formats();
	}
	return finish("test_seed_memory");
}
