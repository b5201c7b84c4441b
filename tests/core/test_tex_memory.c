/* SPDX-License-Identifier: MIT */
/* image_load, _store, _atomic_*, _get_resinfo, null descriptors, refusals. */
#include <sys/mman.h>
#include "tex_harness.h"

static const unsigned types[] = { T_TYPE_1D, T_TYPE_2D, T_TYPE_3D, T_TYPE_CUBE, T_TYPE_1D_ARRAY, T_TYPE_2D_ARRAY,
	T_TYPE_2D_MSAA, T_TYPE_2D_MSAA_ARRAY };
static const unsigned formats[][2] = {
	{ DFMT_8, NFMT_UNORM }, { DFMT_8_8, NFMT_SINT }, { DFMT_8_8_8_8, NFMT_UNORM }, { DFMT_8_8_8_8, NFMT_SRGB },
	{ DFMT_32, NFMT_FLOAT }, { DFMT_16_16_16_16, NFMT_FLOAT }, { DFMT_32_32, NFMT_UINT },
	{ DFMT_32_32_32_32, NFMT_FLOAT }, { DFMT_5_6_5, NFMT_UNORM }, { DFMT_2_10_10_10, NFMT_UINT },
	{ DFMT_32_32_32, NFMT_SINT }, { DFMT_8_8_8, NFMT_SNORM }, { DFMT_16_16_16, NFMT_FLOAT },
};

static struct image random_image(void)
{
	unsigned type = types[rnd() % 8], f = rnd() % (sizeof(formats) / sizeof(formats[0]));
	uint32_t w = 1 + rnd() % 37, h = type == T_TYPE_1D || type == T_TYPE_1D_ARRAY ? 1 : 1 + rnd() % 29, slices = 1 + rnd() % 5;
	if (type == T_TYPE_CUBE) {
		h = w;
		slices = 12;
	}
	bool blocks = rnd() & 1 || type == T_TYPE_2D_MSAA || type == T_TYPE_2D_MSAA_ARRAY;
	struct image img = image_create(type, formats[f][0], formats[f][1], blocks ? TILING_4X4 : TILING_LINEAR, w, h,
		slices, 1 + rnd() % 4);
	uint32_t base = rnd() % img.levels;
	ISA_SET(img.t, T_BASE_LEVEL, base);
	if (image_arrayed(&img) && type != T_TYPE_CUBE) {
		uint32_t first = rnd() % slices;
		ISA_SET(img.t, T_BASE_ARRAY, first);
		ISA_SET(img.t, T_LAST_ARRAY, first + rnd() % (slices - first));
	}
	return img;
}

/* Address VGPRs 10.. for random texels, some outside; returns per lane the
 * texel or NULL. */
static void random_address(struct cu_wave *w, const struct image *img, bool mip, uint8_t *texel[64])
{
	uint32_t base = ISA_GET(img->t, T_BASE_LEVEL), last = image_msaa(img) ? 0 : ISA_GET(img->t, T_LAST_LEVEL);
	uint32_t first = ISA_GET(img->t, T_BASE_ARRAY), last_slice = ISA_GET(img->t, T_LAST_ARRAY);
	for (int i = 0; i < 64; i++) {
		uint32_t level = mip ? rnd() % (img->levels + 1) : 0, c[3] = { 0 }, size[3];
		uint32_t real = base + level;
		size[0] = surf_minify(img->w, real);
		size[1] = surf_minify(img->h, real);
		size[2] = image_is_3d(img) ? surf_minify(img->slices, real) : image_arrayed(img) ? last_slice - first + 1 : 1;
		bool inside = real <= last;
		unsigned n = 10, body[3] = { 0, 1, 2 }, count = image_dims(img);
		if (image_arrayed(img))
			body[count++] = 2;
		for (unsigned k = 0; k < count; k++) {
			unsigned d = body[k];
			c[d] = rnd() % (size[d] + 2) - (rnd() % 16 == 0);
			inside &= c[d] < size[d];
			w->vgpr[n++][i] = c[d];
		}
		if (mip)
			w->vgpr[n][i] = level;
		if (image_msaa(img)) {
			uint32_t sample = w->vgpr[n][i] = rnd() % ((1u << img->samples_log2) + 1);
			inside &= sample < 1u << img->samples_log2;
			texel[i] = inside ? image_sample(img, c[0], c[1], c[2] + first, sample) : NULL;
			continue;
		}
		texel[i] = inside ? image_texel(img, real, c[0], c[1], c[2] + (image_is_3d(img) ? 0 : first)) : NULL;
	}
}

static void test_load(void)
{
	struct cu_wave *w = wave_create();
	for (int round = 0; round < 1500; round++) {
		struct image img = random_image();
		uint8_t *texel[64];
		bool mip = rnd() & 1 && !image_msaa(&img);
		unsigned dmask = 1 + rnd() % 15, sel[4];
		for (unsigned c = 0; c < 4; c++) {
			static const unsigned sels[6] = { SEL_0, SEL_1, SEL_R, SEL_G, SEL_B, SEL_A };
			ISA_SET(img.t, T_DST_SEL(c), sel[c] = sels[rnd() % 6]);
		}
		memset(w->vgpr, 0x55, sizeof(w->vgpr));
		random_address(w, &img, mip, texel);
		uint64_t exec = rnd() % 3 ? ~0ull : (uint64_t)rnd() << 32 | rnd();
		cu_set_exec(w, exec);
		struct gcn_inst in = mimg(mip ? GCN_IMAGE_LOAD_MIP : GCN_IMAGE_LOAD, 10, 20, dmask, &img);
		EXPECT(run(w, &in, &img, NULL), "load refused");
		for (int i = 0; i < 64; i++) {
			uint32_t mem[4] = { 0 }, one = img.nfmt == NFMT_UINT || img.nfmt == NFMT_SINT ? 1 : 0x3f800000;
			unsigned n = 20;
			if (texel[i])
				cu_format_unpack(img.dfmt, img.nfmt, texel[i], mem);
			for (unsigned c = 0; c < 4; c++) {
				if (!(dmask >> c & 1))
					continue;
				uint32_t v = sel[c] >= SEL_R ? mem[sel[c] - SEL_R] : sel[c] == SEL_1 ? one : 0;
				if (!(exec >> i & 1))
					v = 0x55555555;
				EXPECT(w->vgpr[n][i] == v, "load dfmt %u nfmt %u type %u lane %d: %08x not %08x", img.dfmt, img.nfmt,
					img.type, i, w->vgpr[n][i], v);
				n++;
			}
			EXPECT(w->vgpr[n][i] == 0x55555555, "load wrote too much");
		}
		image_destroy(&img);
	}
	free(w);
}

static void test_store(void)
{
	struct cu_wave *w = wave_create();
	for (int round = 0; round < 1500; round++) {
		struct image img = random_image();
		uint8_t *texel[64], *expect = malloc(img.bytes);
		bool mip = rnd() & 1 && !image_msaa(&img), bgra = rnd() & 1;
		if (bgra) {
			ISA_SET(img.t, T_DST_SEL(0), SEL_B);
			ISA_SET(img.t, T_DST_SEL(2), SEL_R);
		}
		random_address(w, &img, mip, texel);
		uint64_t exec = rnd() % 3 ? ~0ull : (uint64_t)rnd() << 32 | rnd();
		cu_set_exec(w, exec);
		memcpy(expect, img.mem, img.bytes);
		for (int i = 0; i < 64; i++) {
			uint32_t v[4];
			for (int c = 0; c < 4; c++)
				v[c] = w->vgpr[20 + c][i] = float_bits((float)(rnd01() * 1.2 - 0.1));
			if (bgra) {
				uint32_t r = v[0];
				v[0] = v[2];
				v[2] = r;
			}
			if (texel[i] && exec >> i & 1)
				cu_format_pack(img.dfmt, img.nfmt, v, expect + (texel[i] - img.mem));
		}
		struct gcn_inst in = mimg(mip ? GCN_IMAGE_STORE_MIP : GCN_IMAGE_STORE, 10, 20, 15, &img);
		EXPECT(run(w, &in, &img, NULL), "store refused");
		EXPECT(!memcmp(img.mem, expect, img.bytes), "store dfmt %u nfmt %u type %u", img.dfmt, img.nfmt, img.type);
		free(expect);
		image_destroy(&img);
	}
	free(w);
}

/* Of gfx6 and gfx7; the other value where one is NaN, the old one of equals. */
static uint32_t reference_float(enum gcn_op op, uint32_t m, uint32_t d, uint32_t cmp)
{
	float a = bits_float(m), b = bits_float(d);
	if (op == GCN_IMAGE_ATOMIC_FCMPSWAP)
		return a == bits_float(cmp) ? d : m;
	if (isnan(a) || isnan(b))
		return isnan(a) ? d : m;
	return op == GCN_IMAGE_ATOMIC_FMIN ? (b < a ? d : m) : b > a ? d : m;
}
static uint32_t any_float(void)
{
	static const float odd[] = { 0.0f, -0.0f, 1.0f, -1.0f, 0x1p-149f, INFINITY, -INFINITY, NAN };
	return rnd() % 3 ? float_bits(odd[rnd() % 8]) : rnd();
}
static uint32_t reference_atomic(enum gcn_op op, uint32_t m, uint32_t d, uint32_t cmp)
{
	switch (op) {
	case GCN_IMAGE_ATOMIC_SWAP: return d;
	case GCN_IMAGE_ATOMIC_CMPSWAP: return m == cmp ? d : m;
	case GCN_IMAGE_ATOMIC_ADD: return m + d;
	case GCN_IMAGE_ATOMIC_SUB: return m - d;
	case GCN_IMAGE_ATOMIC_SMIN: return (int32_t)m < (int32_t)d ? m : d;
	case GCN_IMAGE_ATOMIC_UMIN: return m < d ? m : d;
	case GCN_IMAGE_ATOMIC_SMAX: return (int32_t)m > (int32_t)d ? m : d;
	case GCN_IMAGE_ATOMIC_UMAX: return m > d ? m : d;
	case GCN_IMAGE_ATOMIC_AND: return m & d;
	case GCN_IMAGE_ATOMIC_OR: return m | d;
	case GCN_IMAGE_ATOMIC_XOR: return m ^ d;
	case GCN_IMAGE_ATOMIC_INC: return m >= d ? 0 : m + 1;
	case GCN_IMAGE_ATOMIC_RSUB: return d - m;
	case GCN_IMAGE_ATOMIC_FCMPSWAP: case GCN_IMAGE_ATOMIC_FMIN: case GCN_IMAGE_ATOMIC_FMAX:
		return reference_float(op, m, d, cmp);
	default: return m == 0 || m > d ? d : m - 1;
	}
}

static void test_atomic(void)
{
	static const enum gcn_op ops[] = { GCN_IMAGE_ATOMIC_SWAP, GCN_IMAGE_ATOMIC_CMPSWAP, GCN_IMAGE_ATOMIC_ADD,
		GCN_IMAGE_ATOMIC_SUB, GCN_IMAGE_ATOMIC_SMIN, GCN_IMAGE_ATOMIC_UMIN, GCN_IMAGE_ATOMIC_SMAX, GCN_IMAGE_ATOMIC_UMAX,
		GCN_IMAGE_ATOMIC_AND, GCN_IMAGE_ATOMIC_OR, GCN_IMAGE_ATOMIC_XOR, GCN_IMAGE_ATOMIC_INC, GCN_IMAGE_ATOMIC_DEC,
		GCN_IMAGE_ATOMIC_RSUB, GCN_IMAGE_ATOMIC_FCMPSWAP, GCN_IMAGE_ATOMIC_FMIN, GCN_IMAGE_ATOMIC_FMAX };
	struct cu_wave *w = wave_create();
	for (int round = 0; round < 1360; round++) {
		enum gcn_op op = ops[round % 17];
		bool is_float = round % 17 > 13;
		unsigned kind = rnd() % 3;
		struct image img = image_create(kind == 2 ? T_TYPE_2D_MSAA_ARRAY : T_TYPE_2D_ARRAY, DFMT_32, NFMT_UINT,
			kind ? TILING_4X4 : TILING_LINEAR, 5, 3, 2, kind == 2 ? 2 : 1);
		uint8_t *texel[64], *expect = malloc(img.bytes);
		uint32_t old[64];
		for (size_t i = 0; i < img.bytes; i += 4)
			if (is_float)
				memcpy(img.mem + i, &(uint32_t){ any_float() }, 4);
			else if (rnd() & 1)
				memset(img.mem + i, 0, 3);
		memcpy(expect, img.mem, img.bytes);
		random_address(w, &img, false, texel);
		cu_set_exec(w, ~0ull);
		bool glc = rnd() & 1;
		for (int i = 0; i < 64; i++) {
			uint32_t m = 0, d = w->vgpr[20][i] = is_float ? any_float() : rnd() >> rnd() % 32;
			uint32_t cmp = w->vgpr[21][i] = is_float ? any_float() : rnd() & 1 ? 0 : rnd() << 24;
			old[i] = glc ? 0 : d;
			if (!texel[i])
				continue;
			uint8_t *p = expect + (texel[i] - img.mem);
			memcpy(&m, p, 4);
			old[i] = glc ? m : d;
			m = reference_atomic(op, m, d, cmp);
			memcpy(p, &m, 4);
		}
		bool compare = op == GCN_IMAGE_ATOMIC_CMPSWAP || op == GCN_IMAGE_ATOMIC_FCMPSWAP;
		struct gcn_inst in = mimg(op, 10, 20, compare ? 3 : 1, &img);
		in.glc = glc;
		EXPECT(run(w, &in, &img, NULL), "atomic refused");
		EXPECT(!memcmp(img.mem, expect, img.bytes), "memory after %s", gcn_op_info(op)->name);
		EXPECT(!memcmp(w->vgpr[20], old, sizeof(old)), "result of %s", gcn_op_info(op)->name);
		free(expect);
		image_destroy(&img);
	}
	free(w);
}

static void test_resinfo(void)
{
	struct cu_wave *w = wave_create();
	struct image img = image_create(T_TYPE_3D, DFMT_8, NFMT_UNORM, TILING_4X4, 20, 9, 8, 4);
	ISA_SET(img.t, T_BASE_LEVEL, 1);
	cu_set_exec(w, ~0ull);
	for (int i = 0; i < 64; i++)
		w->vgpr[0][i] = (uint32_t)i % 4;
	struct gcn_inst in = mimg(GCN_IMAGE_GET_RESINFO, 0, 20, 15, &img);
	EXPECT(run(w, &in, &img, NULL), "resinfo refused");
	for (uint32_t i = 0; i < 64; i++) {
		uint32_t l = i % 4, in_view = l < 3;
		EXPECT(w->vgpr[20][i] == (in_view ? surf_minify(20, l + 1) : 0) && w->vgpr[22][i] == (in_view ? surf_minify(8, l + 1) : 0) &&
			w->vgpr[21][i] == (in_view ? surf_minify(9, l + 1) : 0) && w->vgpr[23][i] == 3, "resinfo lane %u", i);
	}
	image_destroy(&img);
	img = image_create(T_TYPE_CUBE, DFMT_8, NFMT_UNORM, TILING_4X4, 16, 16, 18, 1);
	in = mimg(GCN_IMAGE_GET_RESINFO, 0, 20, 5, &img);
	EXPECT(run(w, &in, &img, NULL) && w->vgpr[20][0] == 16 && w->vgpr[21][0] == 18, "resinfo cube");
	image_destroy(&img);
	img = image_create(T_TYPE_2D_MSAA_ARRAY, DFMT_8, NFMT_UNORM, TILING_4X4, 17, 5, 3, 3);
	in = mimg(GCN_IMAGE_GET_RESINFO, 0, 20, 15, &img);
	EXPECT(run(w, &in, &img, NULL) && w->vgpr[20][0] == 17 && w->vgpr[21][0] == 5 && w->vgpr[22][0] == 3 &&
		w->vgpr[23][0] == 4, "resinfo multisampled");
	image_destroy(&img);
	free(w);
}

/* An image of 4 GiB: offsets of more than 31 bits. */
static void test_wide(void)
{
	struct image img = { T_TYPE_2D, DFMT_32_32_32_32, NFMT_UINT, TILING_4X4, 16, 16384, 16384, 1, 1 };
	struct cu_wave *w = wave_create();
	struct image small = image_create(T_TYPE_2D, img.dfmt, img.nfmt, img.tiling, 1, 1, 1, 1);
	const struct surf_plane p = image_plane(&img);
	img.bytes = surf_plane_bytes(&p, 1);
	img.mem = mmap(NULL, img.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (img.mem == MAP_FAILED) {
		puts("no address space for the wide image: not tested");
		return;
	}
	memcpy(img.t, small.t, sizeof(img.t));
	ISA_SET(img.t, T_BASE_LO, (uint32_t)((uintptr_t)img.mem >> 8));
	ISA_SET(img.t, T_BASE_HI, (uint32_t)((uintptr_t)img.mem >> 40));
	ISA_SET(img.t, T_WIDTH, 16383);
	ISA_SET(img.t, T_HEIGHT, 16383);
	uint32_t s[4] = { 0 };
	for (int i = 0; i < 64; i++) {
		w->vgpr[0][i] = 16383 - (uint32_t)i;
		w->vgpr[1][i] = 16383 - 2 * (uint32_t)i;
		w->vgpr[10][i] = 0x1000 + (uint32_t)i;
		w->vgpr[30][i] = float_bits((16383.5f - (float)i) / 16384);
		w->vgpr[31][i] = float_bits((16383.5f - 2 * (float)i) / 16384);
	}
	cu_set_exec(w, ~0ull);
	struct gcn_inst store = mimg(GCN_IMAGE_STORE, 0, 10, 1, &img), load = mimg(GCN_IMAGE_LOAD, 0, 20, 1, &img),
		sample = mimg(GCN_IMAGE_SAMPLE_LZ, 30, 21, 1, &img);
	for (int level = 3; level <= (has_v4() ? 4 : 3); level++) {
		cu_mimg_fn *exec = level == 3 ? cu_mimg_exec_v3 : cu_mimg_exec_v4;
		EXPECT(exec(w, &store, img.t, NULL) && exec(w, &load, img.t, NULL) && exec(w, &sample, img.t, s), "wide refused");
		for (int i = 0; i < 64; i++)
			EXPECT(w->vgpr[20][i] == w->vgpr[10][i] && w->vgpr[21][i] == w->vgpr[10][i], "wide lane %d", i);
	}
	uint32_t last;
	memcpy(&last, image_texel(&img, 0, 16383, 16383, 0), 4);
	EXPECT(last == 0x1000, "wide address");
	munmap(img.mem, img.bytes);
	image_destroy(&small);
	free(w);
}

static void test_null_and_refusals(void)
{
	struct cu_wave *w = wave_create();
	struct image img = image_create(T_TYPE_2D, DFMT_8_8_8_8, NFMT_UNORM, TILING_LINEAR, 8, 8, 1, 1);
	uint32_t s[4] = { 0 };
	memset(w->vgpr, 0x33, sizeof(w->vgpr));
	cu_set_exec(w, 0xffff0000ffff0000ull);
	static const enum gcn_op ops[] = { GCN_IMAGE_LOAD, GCN_IMAGE_SAMPLE, GCN_IMAGE_SAMPLE_C_D_CL_O, GCN_IMAGE_GET_LOD,
		GCN_IMAGE_GET_RESINFO, GCN_IMAGE_STORE, GCN_IMAGE_ATOMIC_ADD };
	for (int k = 0; k < 7; k++) {
		struct gcn_inst in = mimg(ops[k], 0, 20 + 2 * (unsigned)k, ops[k] == GCN_IMAGE_ATOMIC_ADD ? 1 : 3, &img);
		EXPECT(run(w, &in, NULL, s), "null %d", k);
		EXPECT(w->vgpr[20 + 2 * k][16] == (k < 5 ? 0 : 0x33333333), "null result %d", k);
		EXPECT(w->vgpr[20 + 2 * k][0] == 0x33333333, "null wrote dead lanes");
	}
	struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE, 0, 20, 15, &img);
	EXPECT(!run(w, &in, &img, NULL), "no sampler");
	in = mimg(GCN_IMAGE_GET_LOD, 0, 20, 15, &img);
	in.d16 = 1;
	EXPECT(!run(w, &in, &img, s), "d16 of an LOD");
	in = mimg(GCN_IMAGE_LOAD_PCK, 0, 20, 15, &img);
	in.d16 = 1;
	EXPECT(!run(w, &in, &img, s), "d16 of raw data");
	in = mimg(GCN_IMAGE_STORE, 0, 20, 15, &img);
	in.tfe = 1;
	EXPECT(!run(w, &in, &img, s) && strstr(w->error.text, "tfe"), "tfe of a store");
	in = mimg(GCN_IMAGE_ATOMIC_ADD, 0, 20, 7, &img);
	EXPECT(!run(w, &in, &img, s), "dmask of an atomic");
	in = mimg(GCN_IMAGE_SAMPLE, 255, 20, 15, &img);
	EXPECT(!run(w, &in, &img, s), "address past the VGPRs");
	in = mimg(GCN_IMAGE_SAMPLE, 0, 254, 15, &img);
	EXPECT(!run(w, &in, &img, s), "data past the VGPRs");
	in = mimg(GCN_V_MOV_B32, 0, 20, 15, &img);
	EXPECT(!run(w, &in, &img, s), "not MIMG");
	image_destroy(&img);
	img = image_create(T_TYPE_2D_MSAA, DFMT_8_8_8_8, NFMT_UNORM, TILING_4X4, 8, 8, 1, 3);
	in = mimg(GCN_IMAGE_SAMPLE, 0, 20, 15, &img);
	EXPECT(!run(w, &in, &img, s), "samples of a pixel sampled");
	in = mimg(GCN_IMAGE_LOAD_MIP, 0, 20, 15, &img);
	EXPECT(!run(w, &in, &img, s), "level of a multisampled image");
	ISA_SET(img.t, T_TILING_INDEX, TILING_LINEAR);
	in = mimg(GCN_IMAGE_LOAD, 0, 20, 1, &img);
	EXPECT(run(w, &in, &img, s) && w->vgpr[20][16] == 0, "multisampled rows are null");
	image_destroy(&img);
	free(w);
}

int main(void)
{
	test_load();
	test_store();
	test_atomic();
	test_resinfo();
	test_wide();
	test_null_and_refusals();
	printf("%d failures\n", failures);
	return failures != 0;
}
