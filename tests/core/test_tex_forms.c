/* SPDX-License-Identifier: MIT */
/* Packed image instructions: a16, d16 (packed and gfx8's), tfe, lwe, the raw
 * loads and stores, 64-bit atomics, and what is no memory.  Each form must do
 * what the plain instruction does with its operands written out as dwords; the
 * order of the address operands is that of the memory handling document
 * (offset, bias, compare, derivatives, body, clamp or lod). */
#include "core/memory.h"
#include "core/tex_cache.h"
#include "tex_harness.h"

enum { ADDR = 10, PACKED = 40, DATA = 60, RESULT = 70 };

/* Operands of an opcode: kinds in address order. */
struct operand { bool packs, starts; }; /* starts: begins a new VGPR */

static const struct { enum gcn_op op; const char *layout; } samples[] = {
	/* o offset, b bias, c compare, d derivatives, r the rest (c_l: clamp or lod) */
	{ GCN_IMAGE_SAMPLE, "r" }, { GCN_IMAGE_SAMPLE_L, "rl" }, { GCN_IMAGE_SAMPLE_B, "br" },
	{ GCN_IMAGE_SAMPLE_CL, "rl" }, { GCN_IMAGE_SAMPLE_LZ, "r" }, { GCN_IMAGE_SAMPLE_D, "dr" },
	{ GCN_IMAGE_SAMPLE_D_CL, "drl" }, { GCN_IMAGE_SAMPLE_O, "or" }, { GCN_IMAGE_SAMPLE_B_CL_O, "obrl" },
	{ GCN_IMAGE_SAMPLE_C, "cr" }, { GCN_IMAGE_SAMPLE_C_B, "bcr" }, { GCN_IMAGE_SAMPLE_C_D_CL_O, "ocdrl" },
	{ GCN_IMAGE_SAMPLE_CD, "dr" }, { GCN_IMAGE_SAMPLE_C_L_O, "ocrl" }, { GCN_IMAGE_GET_LOD, "r" },
	{ GCN_IMAGE_GATHER4, "r" }, { GCN_IMAGE_GATHER4_B_O, "obr" }, { GCN_IMAGE_GATHER4_C_L, "crl" },
};

static unsigned operands(const struct image *img, const char *layout, struct operand list[16])
{
	unsigned n = 0, dims = image_dims(img);
	for (; *layout; layout++) {
		if (*layout == 'd') {
			for (unsigned i = 0; i < 2 * dims; i++)
				list[n++] = (struct operand){ true, i % dims == 0 };
		} else if (*layout == 'r' || *layout == 'l') {
			unsigned count = *layout == 'l' ? 1 : dims + image_arrayed(img);
			for (unsigned i = 0; i < count; i++)
				list[n++] = (struct operand){ true, *layout == 'r' && i == 0 };
		} else {
			list[n++] = (struct operand){ *layout == 'b', true };
		}
	}
	return n;
}
/* The dwords from ADDR on, whose values halves hold, packed from PACKED on. */
static void pack_address(struct cu_wave *w, const struct operand *list, unsigned n, bool is_float)
{
	for (int l = 0; l < 64; l++) {
		unsigned at = PACKED - 1, half = 2;
		for (unsigned i = 0; i < n; i++) {
			uint32_t x = w->vgpr[ADDR + i][l];
			if (list[i].starts || half == 2) {
				at++;
				half = 0;
				w->vgpr[at][l] = 0xbead0000;
			}
			if (!list[i].packs) {
				w->vgpr[at][l] = x;
				half = 2;
				continue;
			}
			if (is_float)
				x = cu_float_to_half(bits_float(x));
			w->vgpr[at][l] = half ? (w->vgpr[at][l] & 0xffff) | x << 16 : 0xbead0000 | (x & 0xffff);
			half++;
		}
	}
}
static uint32_t narrowed(const struct image *img, uint32_t x)
{
	if (img->nfmt == NFMT_UINT)
		return x < 0xffff ? x : 0xffff;
	if (img->nfmt == NFMT_SINT) {
		int32_t i = (int32_t)x;
		return (uint32_t)(i < -0x8000 ? -0x8000 : i > 0x7fff ? 0x7fff : i) & 0xffff;
	}
	return cu_float_to_half(bits_float(x));
}

/* Runs `plain` with results from DATA on, then its form with a16 and d16, tfe or
 * lwe, from RESULT on, and compares. */
static void compare_forms(struct cu_wave *w, struct image *img, struct gcn_inst plain, const uint32_t s[4],
	unsigned results)
{
	struct gcn_inst form = plain;
	bool d16 = plain.op != GCN_IMAGE_GET_LOD && rnd() & 1, status = rnd() & 1;
	plain.dst = GCN_SRC_VGPR0 + DATA;
	form.dst = GCN_SRC_VGPR0 + RESULT;
	form.src[0] = GCN_SRC_VGPR0 + PACKED;
	form.r128_a16 = 1;
	form.d16 = d16;
	form.tfe = status && rnd() & 1;
	form.lwe = status && !form.tfe;
	for (int l = 0; l < 64; l++)
		for (unsigned n = 0; n < 6; n++)
			w->vgpr[RESULT + n][l] = 0x77777777;
	EXPECT(run(w, &plain, img, s), "plain: %s", w->error.text);
	EXPECT(run(w, &form, img, s), "form: %s", w->error.text);
	for (int l = 0; l < 64; l++) {
		unsigned n = 0;
		if (!(cu_exec(w) >> l & 1)) {
			EXPECT(w->vgpr[RESULT][l] == 0x77777777, "dead lane written");
			continue;
		}
		for (; n < (d16 ? (results + 1) / 2 : results); n++) {
			uint32_t want = w->vgpr[DATA + n][l];
			if (d16)
				want = narrowed(img, w->vgpr[DATA + 2 * n][l]) |
					(2 * n + 1 < results ? narrowed(img, w->vgpr[DATA + 2 * n + 1][l]) << 16 : 0);
			EXPECT(w->vgpr[RESULT + n][l] == want, "op %u, d16 %d, result %u, lane %d: %08x, not %08x", form.op,
				d16, n, l, w->vgpr[RESULT + n][l], want);
		}
		EXPECT(w->vgpr[RESULT + n][l] == (status ? 0 : 0x77777777), "status");
	}
}

static void test_samples(void)
{
	static const unsigned types[] = { T_TYPE_1D, T_TYPE_2D, T_TYPE_3D, T_TYPE_1D_ARRAY, T_TYPE_2D_ARRAY, T_TYPE_CUBE };
	static const unsigned formats[][2] = { { DFMT_8_8_8_8, NFMT_UNORM }, { DFMT_16_16_16_16, NFMT_FLOAT },
		{ DFMT_32_32_32_32, NFMT_SINT }, { DFMT_32, NFMT_UINT }, { DFMT_32, NFMT_FLOAT } };
	struct cu_wave *w = wave_create();
	for (unsigned round = 0; round < 2000; round++) {
		unsigned k = round % (sizeof(samples) / sizeof(samples[0])), f = rnd() % 5, type = types[rnd() % 6];
		bool gathers = strstr(gcn_op_info(samples[k].op)->name, "gather");
		if (gathers)
			type = rnd() & 1 ? T_TYPE_2D : T_TYPE_CUBE;
		uint32_t size = 4 + rnd() % 13;
		struct image img = image_create(type, formats[f][0], formats[f][1], TILING_LINEAR, size,
			type == T_TYPE_1D || type == T_TYPE_1D_ARRAY ? 1 : size, type == T_TYPE_CUBE ? 6 :
			type == T_TYPE_2D || type == T_TYPE_1D ? 1 : 4, 3);
		uint32_t s[4] = { 0 };
		struct operand list[16];
		ISA_SET(s, S_MAX_LOD, 4095);
		ISA_SET(s, S_XY_MAG_FILTER, rnd() & 1);
		ISA_SET(s, S_XY_MIN_FILTER, rnd() & 1);
		ISA_SET(s, S_MIP_FILTER, rnd() % 3);
		ISA_SET(s, S_DEPTH_COMPARE_FUNC, rnd() % 8);
		cu_set_exec(w, rnd() & 1 ? ~0ull : (uint64_t)rnd() << 32 | rnd());
		unsigned n = operands(&img, samples[k].layout, list);
		for (unsigned i = 0; i < n; i++)
			for (int l = 0; l < 64; l++)
				w->vgpr[ADDR + i][l] = !list[i].packs && *samples[k].layout == 'o' && i == 0 ? rnd() & 0x3f3f3f :
					float_bits(cu_half_to_float(cu_float_to_half((float)(rnd01() * 2.5 - 0.5))));
		pack_address(w, list, n, true);
		struct gcn_inst in = mimg(samples[k].op, ADDR, DATA, gathers ? 1u << rnd() % 4 : 1 + rnd() % 15, &img);
		compare_forms(w, &img, in, s, gathers ? 4 : (unsigned)__builtin_popcount(in.dmask));
		image_destroy(&img);
	}
	free(w);
}

/* Loads with integer addresses; raw ones against memory; stores. */
static void test_loads_and_stores(void)
{
	static const unsigned formats[][2] = { { DFMT_8, NFMT_UNORM }, { DFMT_16, NFMT_UINT }, { DFMT_8_8_8_8, NFMT_SRGB },
		{ DFMT_32_32, NFMT_SINT }, { DFMT_32_32_32_32, NFMT_FLOAT }, { DFMT_16_16_16_16, NFMT_FLOAT } };
	struct cu_wave *w = wave_create();
	for (unsigned round = 0; round < 1000; round++) {
		unsigned f = rnd() % 6, levels = 2, dmask = 1 + rnd() % 15, count = (unsigned)__builtin_popcount(dmask);
		struct image img = image_create(T_TYPE_2D_ARRAY, formats[f][0], formats[f][1],
			rnd() & 1 ? TILING_LINEAR : TILING_4X4, 9, 7, 3, levels);
		struct operand list[16];
		bool mip = rnd() & 1, sgn = rnd() & 1;
		unsigned n = operands(&img, mip ? "rl" : "r", list);
		cu_set_exec(w, rnd() & 1 ? ~0ull : (uint64_t)rnd() << 32 | rnd());
		for (int l = 0; l < 64; l++) {
			w->vgpr[ADDR][l] = rnd() % 10;
			w->vgpr[ADDR + 1][l] = rnd() % 8;
			w->vgpr[ADDR + 2][l] = rnd() % 4;
			w->vgpr[ADDR + 3][l] = rnd() % 3;
		}
		pack_address(w, list, n, false);
		struct gcn_inst in = mimg(mip ? GCN_IMAGE_LOAD_MIP : GCN_IMAGE_LOAD, ADDR, DATA, dmask, &img);
		compare_forms(w, &img, in, NULL, count);
		in.op = mip ? (sgn ? GCN_IMAGE_LOAD_MIP_PCK_SGN : GCN_IMAGE_LOAD_MIP_PCK)
			: sgn ? GCN_IMAGE_LOAD_PCK_SGN : GCN_IMAGE_LOAD_PCK;
		EXPECT(run(w, &in, &img, NULL), "raw load");
		for (int l = 0; l < 64; l++) {
			uint32_t x = w->vgpr[ADDR][l], y = w->vgpr[ADDR + 1][l], z = w->vgpr[ADDR + 2][l];
			uint32_t level = mip ? w->vgpr[ADDR + 3][l] : 0, raw[4] = { 0 };
			if (!(cu_exec(w) >> l & 1))
				continue;
			if (level < levels && x < surf_minify(9, level) && y < surf_minify(7, level) && z < 3)
				memcpy(raw, image_texel(&img, level, x, y, z), img.bpe);
			if (sgn && img.bpe < 4)
				raw[0] = img.bpe == 1 ? (uint32_t)(int8_t)raw[0] : (uint32_t)(int16_t)raw[0];
			for (unsigned c = 0, k = 0; c < 4; c++)
				if (dmask >> c & 1)
					EXPECT(w->vgpr[DATA + k++][l] == raw[c], "raw dword %u, lane %d", c, l);
		}
		/* A store of d16 data is the store of the same numbers. */
		uint8_t *before = malloc(img.bytes), *want = malloc(img.bytes);
		memcpy(before, img.mem, img.bytes);
		struct gcn_inst store = mimg(mip ? GCN_IMAGE_STORE_MIP : GCN_IMAGE_STORE, ADDR, DATA, dmask, &img);
		for (unsigned c = 0; c < count; c++)
			for (int l = 0; l < 64; l++) {
				uint32_t h = rnd() & 0x7bff;
				uint32_t *half = &w->vgpr[RESULT + c / 2][l];
				w->vgpr[DATA + c][l] = img.nfmt == NFMT_UINT || img.nfmt == NFMT_SINT ? h :
					float_bits(cu_half_to_float((uint16_t)h));
				*half = c & 1 ? *half | h << 16 : h;
			}
		EXPECT(run(w, &store, &img, NULL), "store");
		memcpy(want, img.mem, img.bytes);
		memcpy(img.mem, before, img.bytes);
		store.d16 = store.r128_a16 = 1;
		store.src[0] = GCN_SRC_VGPR0 + PACKED;
		store.dst = GCN_SRC_VGPR0 + RESULT;
		EXPECT(run(w, &store, &img, NULL), "d16 store");
		EXPECT(!memcmp(want, img.mem, img.bytes), "d16 store, format %u", f);
		/* What was loaded raw goes back raw. */
		in.op = mip ? GCN_IMAGE_LOAD_MIP_PCK : GCN_IMAGE_LOAD_PCK;
		in.dmask = 15;
		run(w, &in, &img, NULL);
		in.op = mip ? GCN_IMAGE_STORE_MIP_PCK : GCN_IMAGE_STORE_PCK;
		EXPECT(run(w, &in, &img, NULL) && !memcmp(want, img.mem, img.bytes), "raw store");
		free(before);
		free(want);
		image_destroy(&img);
	}
	free(w);
}

static void test_wide_atomics(void)
{
	struct cu_wave *w = wave_create();
	struct image img = image_create(T_TYPE_1D, DFMT_32_32, NFMT_UINT, TILING_LINEAR, 64, 1, 1, 1);
	uint64_t old[64], data[64];
	for (int l = 0; l < 64; l++) {
		memcpy(&old[l], img.mem + 8 * l, 8);
		data[l] = (uint64_t)rnd() << 32 | rnd();
		w->vgpr[ADDR][l] = (uint32_t)l;
		w->vgpr[DATA][l] = (uint32_t)data[l];
		w->vgpr[DATA + 1][l] = (uint32_t)(data[l] >> 32);
		w->vgpr[DATA + 2][l] = (uint32_t)old[l];
		w->vgpr[DATA + 3][l] = (uint32_t)(old[l] >> 32) + (l & 1);
	}
	cu_set_exec(w, ~0ull);
	struct gcn_inst in = mimg(GCN_IMAGE_ATOMIC_CMPSWAP, ADDR, DATA, 15, &img);
	in.glc = 1;
	EXPECT(run(w, &in, &img, NULL), "64-bit compare and swap");
	for (int l = 0; l < 64; l++) {
		uint64_t now, got = (uint64_t)w->vgpr[DATA + 1][l] << 32 | w->vgpr[DATA][l];
		memcpy(&now, img.mem + 8 * l, 8);
		EXPECT(got == old[l] && now == (l & 1 ? old[l] : data[l]), "64-bit compare and swap, lane %d", l);
	}
	in = mimg(GCN_IMAGE_ATOMIC_RSUB, ADDR, DATA, 3, &img);
	EXPECT(run(w, &in, &img, NULL), "64-bit reverse subtraction");
	for (int l = 0; l < 64; l++) {
		uint64_t now;
		memcpy(&now, img.mem + 8 * l, 8);
		EXPECT(now == old[l] - (l & 1 ? old[l] : data[l]), "64-bit reverse subtraction, lane %d", l);
	}
	image_destroy(&img);
	free(w);
}

static void test_unmapped(void)
{
	struct cu_wave *w = wave_create();
	struct image img = image_create(T_TYPE_2D, DFMT_32, NFMT_UINT, TILING_LINEAR, 16, 16, 1, 1);
	struct cu_memory *m = cu_memory_create();
	struct gcn_inst in = mimg(GCN_IMAGE_LOAD, ADDR, DATA, 1, &img);
	cu_memory_add(m, img.mem, img.bytes - 1);
	cu_set_exec(w, 1);
	w->memory = m;
	EXPECT(!cu_mimg_exec_v3(w, &in, img.t, NULL) && strstr(w->error.text, "no memory of the device"), "unmapped");
	cu_memory_remove(m, img.mem);
	cu_memory_add(m, img.mem, img.bytes);
	EXPECT(cu_mimg_exec_v3(w, &in, img.t, NULL), "mapped: %s", w->error.text);
	cu_memory_destroy(m);
	image_destroy(&img);
	free(w);
}

/* Waves of one thread, one after another: where an image is known to be mapped nobody searches again, until ranges
 * change. */
static void test_known(void)
{
	enum { IMAGES = 300 };
	static struct image img[IMAGES];
	struct cu_wave *w = wave_create();
	struct cu_memory *m = cu_memory_create();
	struct cu_tex_cache cache = { 0 };
	for (uint32_t i = 0; i < IMAGES; i++) {
		img[i] = image_create(T_TYPE_2D, DFMT_32, NFMT_UINT, TILING_LINEAR, 4, 4, 1, 1);
		memcpy(img[i].mem, &i, 4);
		cu_memory_add(m, img[i].mem, img[i].bytes);
	}
	for (int wave = 0; wave < 4; wave++) {
		cu_set_exec(w, 1);
		w->memory = m;
		w->tex = &cache;
		memset(w->vgpr[ADDR], 0, sizeof w->vgpr[ADDR]);
		memset(w->vgpr[ADDR + 1], 0, sizeof w->vgpr[ADDR]);
		memset(w->span, 0, sizeof w->span);
		for (uint32_t i = 0; i < IMAGES; i++) {
			const struct gcn_inst in = mimg(GCN_IMAGE_LOAD, ADDR, DATA, 1, &img[i]);
			w->error.text[0] = 0;
			const bool ok = cu_mimg_exec_v3(w, &in, img[i].t, NULL);
			EXPECT(ok == (wave < 2 || i != 5), "wave %d, image %u: %s", wave, i, w->error.text);
			EXPECT(!ok || w->vgpr[DATA][0] == i, "wave %d: image %u reads %u", wave, i, w->vgpr[DATA][0]);
		}
		if (wave == 1)
			cu_memory_remove(m, img[5].mem);
	}
	/* The last image once more: its range takes no place from those of buffers. */
	const struct gcn_inst in = mimg(GCN_IMAGE_LOAD, ADDR, DATA, 1, &img[IMAGES - 1]);
	memset(w->span, 0, sizeof w->span);
	EXPECT(cu_mimg_exec_v3(w, &in, img[IMAGES - 1].t, NULL), "%s", w->error.text);
	for (int i = 0; i < CU_SPANS; i++)
		EXPECT(!w->span[i].bytes, "an image that is known takes place %d", i);
	cu_tex_cache_finish(&cache);
	cu_memory_destroy(m);
	for (uint32_t i = 0; i < IMAGES; i++)
		image_destroy(&img[i]);
	free(w);
}

int main(void)
{
	test_samples();
	test_loads_and_stores();
	test_wide_atomics();
	test_unmapped();
	test_known();
	printf("%d failures\n", failures);
	return failures != 0;
}
