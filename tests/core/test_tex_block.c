/* SPDX-License-Identifier: MIT */
/* Compressed images read as their twins do, images of the texels that their blocks decode to: each format, type and
 * tiling, levels whose sides are no multiple of a block's, loads, samples and gathers, bit for bit but for filtered bytes.  And what nobody can
 * do with blocks is refused. */
#include "tex_harness.h"

#include "core/format/block.h"

enum { ADDR = 10, DATA = 60, TWIN = 70 };

/* Not in rows, for which there is a filter of bytes with coarser weights. */
static struct image twin_of(const struct image *img, const struct cu_block_format *f)
{
	struct image twin = image_create(img->type, f->dfmt, f->nfmt, TILING_4X4, img->w, img->h, img->slices, img->levels);
	for (unsigned l = 0; l < img->levels; l++) {
		const struct surf_plane p = surf_level(image_plane(img), l);
		for (uint32_t z = 0; z < p.slices; z++)
			for (uint32_t y = 0; y < p.height; y++)
				for (uint32_t x = 0; x < p.width; x++) {
					alignas(16) uint8_t texels[CU_BLOCK_BYTES];
					f->decode(image_texel(img, l, x / f->width, y / f->height, z / f->depth), texels);
					memcpy(image_texel(&twin, l, x, y, z), texels + ((z % f->depth * f->height + y % f->height) *
						f->width + x % f->width) * f->texel_bytes, f->texel_bytes);
				}
	}
	return twin;
}

static void address(struct cu_wave *w, const struct image *img, bool texels)
{
	unsigned n = image_dims(img) + image_arrayed(img);
	for (unsigned i = 0; i <= n; i++)
		for (int l = 0; l < 64; l++) {
			uint32_t limit = i == n ? img->levels : i == 0 ? img->w : i == 1 ? img->h : img->slices;
			float slack = i == n ? (float)img->levels : i < image_dims(img) ? 1.5f : (float)img->slices;
			w->vgpr[ADDR + i][l] = texels ? rnd() % (limit + 1) : float_bits((float)rnd01() * slack - (i == n ? 0 : 0.25f));
		}
}

/* Bytes that are filtered may be so before they become fractions: the last bits differ. */
static bool same(uint32_t a, uint32_t b, bool filtered_bytes)
{
	return a == b || (filtered_bytes && fabsf(bits_float(a) - bits_float(b)) < 0x1p-20f);
}

static void compare(struct cu_wave *w, enum gcn_op op, unsigned dmask, struct image *img, struct image *twin, const uint32_t s[4])
{
	struct gcn_inst a = mimg(op, ADDR, DATA, dmask, img), b = mimg(op, ADDR, TWIN, dmask, twin);
	const char *name = gcn_op_info(op)->name;
	bool filtered_bytes = op == GCN_IMAGE_SAMPLE_L && twin->dfmt == DFMT_8_8_8_8;
	address(w, img, op == GCN_IMAGE_LOAD_MIP);
	EXPECT(run(w, &a, img, s), "%s: %s", name, w->error.text);
	EXPECT(run(w, &b, twin, s), "%s: %s", name, w->error.text);
	for (unsigned n = 0; n < 4; n++)
		for (int l = 0; l < 64; l++)
			EXPECT(same(w->vgpr[DATA + n][l], w->vgpr[TWIN + n][l], filtered_bytes), "%s of format %u, %u, type %u: channel %u, lane %d: %08x not %08x",
				name, img->dfmt, img->nfmt, img->type, n, l, w->vgpr[DATA + n][l], w->vgpr[TWIN + n][l]);
}

static void refused(struct cu_wave *w, struct image *img)
{
	static const enum gcn_op ops[] = { GCN_IMAGE_STORE, GCN_IMAGE_ATOMIC_ADD, GCN_IMAGE_LOAD_PCK };
	address(w, img, true);
	for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
		struct gcn_inst in = mimg(ops[i], ADDR, DATA, 1, img);
		EXPECT(!run(w, &in, img, NULL) && strstr(w->error.text, "compressed"), "%s", gcn_op_info(ops[i])->name);
	}
}

static void check_image(struct cu_wave *w, unsigned type, unsigned dfmt, unsigned nfmt, unsigned tiling)
{
	uint32_t width = 1 + rnd() % 40, height = type == T_TYPE_CUBE ? width : 1 + rnd() % 40;
	uint32_t slices = type == T_TYPE_2D ? 1 : type == T_TYPE_CUBE ? 6 : 1 + rnd() % 5, levels = 1;
	while (levels < 4 && (width | height) >> levels)
		levels++;
	struct image img = image_create(type, dfmt, nfmt, tiling, width, height, slices, levels);
	bool shared = cu_block_format(dfmt, nfmt)->dfmt == DFMT_5_9_9_9;
	if (dfmt == DFMT_BC6 || dfmt == DFMT_ETC2_RGB || shared) /* of it and the twin one has no alpha, which the border shows */
		ISA_SET(img.t, T_DST_SEL(3), SEL_1);
	struct image twin = twin_of(&img, cu_block_format(dfmt, nfmt));
	ISA_SET(twin.t, T_DST_SEL(3), ISA_GET(img.t, T_DST_SEL(3)));
	for (unsigned k = 0; k < 8; k++) {
		uint32_t s[4] = { 0 };
		ISA_SET(s, S_CLAMP_X, rnd() % 8);
		ISA_SET(s, S_CLAMP_Y, rnd() % 8);
		ISA_SET(s, S_CLAMP_Z, rnd() % 8);
		ISA_SET(s, S_BORDER_COLOR_TYPE, rnd() % 3);
		ISA_SET(s, S_MAX_LOD, 4095);
		ISA_SET(s, S_MIP_FILTER, k & 2 ? S_MIP_LINEAR : S_MIP_POINT);
		ISA_SET(s, S_XY_MAG_FILTER, k & 1 ? S_FILTER_BILINEAR : 0);
		ISA_SET(s, S_XY_MIN_FILTER, k & 1 ? S_FILTER_BILINEAR : 0);
		compare(w, GCN_IMAGE_LOAD_MIP, 15, &img, &twin, NULL);
		compare(w, GCN_IMAGE_SAMPLE_L, 15, &img, &twin, s);
		if (type != T_TYPE_3D)
			compare(w, GCN_IMAGE_GATHER4_L, 1u << k % 4, &img, &twin, s);
	}
	refused(w, &img);
	image_destroy(&img);
	image_destroy(&twin);
}

/* Lanes of EXEC near one another, anywhere in the image and around it, as a tile wants them. */
static void address_near(struct cu_wave *w, const struct image *img, float step)
{
	const float period = (float)(rnd() % 3) - 1.05f, near = (float)(rnd() % 2) * 0.9f + 0.1f;
	const float at[2] = { period + (float)rnd01() * near, period + (float)rnd01() * near };
	const float slice = (float)(rnd() % img->slices);
	const int other = rnd() & 1 ? -1 : (int)(rnd() % 64); /* a lane of another slice, maybe */
	w->sgpr[126] = rnd() & 1 ? ~0u : (uint32_t)rnd();
	w->sgpr[127] = rnd() & 1 ? ~0u : (uint32_t)rnd();
	for (int l = 0; l < 64; l++) {
		const bool on = (l < 32 ? w->sgpr[126] >> l : w->sgpr[127] >> (l - 32)) & 1;
		const float lane[2] = { (float)(l & 7) * step, (float)(l >> 3) * step };
		w->vgpr[ADDR][l] = float_bits(on ? at[0] + lane[0] / (float)img->w : 1e9f);
		w->vgpr[ADDR + 1][l] = float_bits(on ? at[1] + lane[1] / (float)img->h : -1e9f);
		w->vgpr[ADDR + 2][l] = float_bits(!on ? -3 : l == other ? (float)img->slices : slice);
		for (unsigned c = 0; c < 4; c++)
			w->vgpr[DATA + c][l] = w->vgpr[TWIN + c][l] = 0;
	}
}

static void compare_near(struct cu_wave *w, struct image *img, const uint32_t s[4])
{
	const bool linear = ISA_GET(s, S_XY_MAG_FILTER) != 0;
	struct image twin = twin_of(img, cu_block_format(img->dfmt, img->nfmt));
	ISA_SET(twin.t, T_DST_SEL(3), SEL_1);
	struct gcn_inst a = mimg(GCN_IMAGE_SAMPLE_LZ, ADDR, DATA, 15, img), b = mimg(GCN_IMAGE_SAMPLE_LZ, ADDR, TWIN, 15, &twin);
	EXPECT(run(w, &a, img, s) && run(w, &b, &twin, s), "%s", w->error.text);
	for (unsigned n = 0; n < 4; n++)
		for (int l = 0; l < 64; l++)
			EXPECT(same(w->vgpr[DATA + n][l], w->vgpr[TWIN + n][l], linear && twin.dfmt == DFMT_8_8_8_8),
				"near, format %u, %u: channel %u, lane %d: %08x not %08x", img->dfmt, img->nfmt, n, l,
				w->vgpr[DATA + n][l], w->vgpr[TWIN + n][l]);
	image_destroy(&twin);
}

/* Waves of few blocks, over an image's ends, too, whose blocks change from wave to wave. */
static void check_near(struct cu_wave *w, unsigned dfmt, unsigned nfmt)
{
	static const uint32_t sizes[4][2] = { { 256, 64 }, { 36, 128 }, { 20, 4 }, { 150, 61 } };
	for (unsigned k = 0; k < 16; k++) {
		const uint32_t *size = sizes[rnd() % 4];
		const unsigned type = k & 2 ? T_TYPE_2D_ARRAY : T_TYPE_2D, slices = k & 2 ? 3 : 1;
		struct image img = image_create(type, dfmt, nfmt, TILING_LINEAR, size[0], size[1], slices, 1);
		ISA_SET(img.t, T_DST_SEL(3), SEL_1);
		uint32_t s[4] = { 0 };
		ISA_SET(s, S_CLAMP_X, rnd() % 3);
		ISA_SET(s, S_CLAMP_Y, k & 4 ? rnd() % 3 : ISA_GET(s, S_CLAMP_X));
		ISA_SET(s, S_XY_MAG_FILTER, k & 8 ? S_FILTER_BILINEAR : 0);
		ISA_SET(s, S_XY_MIN_FILTER, k & 8 ? S_FILTER_BILINEAR : 0);
		address_near(w, &img, (float)rnd01() * 6 - 3);
		compare_near(w, &img, s);
		for (size_t i = 8; i < img.bytes; i += 16) /* the other halves of the same blocks */
			img.mem[i] ^= 0x55;
		compare_near(w, &img, s);
		image_destroy(&img);
	}
	w->sgpr[126] = w->sgpr[127] = ~0u;
}

int main(void)
{
	static const unsigned types[] = { T_TYPE_2D, T_TYPE_2D_ARRAY, T_TYPE_3D, T_TYPE_CUBE };
	struct cu_wave *w = wave_create();
	unsigned formats = 0;
	for (unsigned dfmt = 0; dfmt < 64; dfmt++)
		for (unsigned nfmt = 0; nfmt < 16; nfmt++) {
			formats += cu_block_format(dfmt, nfmt) != NULL;
			for (unsigned i = 0; i < 8 && cu_block_format(dfmt, nfmt); i++)
				if (cu_block_format(dfmt, nfmt)->depth == 1 || types[i / 2] == T_TYPE_3D)
					check_image(w, types[i / 2], dfmt, nfmt, i % 2 ? TILING_4X4 : TILING_LINEAR);
			if (cu_block_format(dfmt, nfmt) && cu_block_format(dfmt, nfmt)->depth == 1)
				check_near(w, dfmt, nfmt);
		}
	CHECK(formats >= 168, "%u", formats);
	free(w);
	return failures != 0;
}
