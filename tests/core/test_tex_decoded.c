/* SPDX-License-Identifier: MIT */
/* Compressed images with decoded planes are read as without, bit for bit, before, while and after the planes are filled in, and
 * once levels have been written to anew: each format, loads, samples of all kinds, gathers, levels of odd sizes.  A plane is
 * whole after a while, holds what the blocks come to, and one of another image is never touched. */
#include "core/format/block.h"
#include "core/tex_cache.h"
#include "isa/decoded.h"
#include "tests/core/tex_harness.h"

enum { ADDR = 10, DATA = 60 };

static struct cu_wave *waves[3]; /* by blocks alone; with a plane, by level */
static struct cu_tex_cache caches[3];
static cu_mimg_fn *const functions[3] = { cu_mimg_exec_v3, cu_mimg_exec_v3, cu_mimg_exec_v4 };

struct decoded { struct image img; uint32_t t[8]; struct isa_decoded *plane; uint64_t bytes; };

static struct decoded decoded_create(unsigned type, unsigned dfmt, unsigned nfmt, uint32_t w, uint32_t h, uint32_t slices, uint32_t levels)
{
	const struct cu_block_format *f = cu_block_format(dfmt, nfmt);
	struct decoded d = { .img = image_create(type, dfmt, nfmt, rnd() % 4 ? TILING_LINEAR : TILING_4X4, w, h, slices, levels) };
	const struct surf_plane blocks = image_plane(&d.img);
	d.bytes = isa_decoded_bytes(&blocks, levels, f->dfmt, f->nfmt);
	d.plane = aligned_alloc(256, (d.bytes + 255) & ~(uint64_t)255);
	memset(d.plane, 0, d.bytes);
	d.plane->base = (uintptr_t)d.img.mem;
	memcpy(d.t, d.img.t, sizeof d.t);
	ISA_SET(d.t, T_DECODED_LO, (uint32_t)((uintptr_t)d.plane >> 8));
	ISA_SET(d.t, T_DECODED_HI, (uint32_t)((uint64_t)(uintptr_t)d.plane >> 40));
	return d;
}

static void decoded_destroy(struct decoded *d)
{
	image_destroy(&d->img);
	free(d->plane);
}

/* Floats near one another or anywhere, or texels; then what else an instruction may want. */
static void address(struct cu_wave *w, const struct image *img, bool texels)
{
	const float step = (float)rnd01() * (rnd() & 1 ? 2 : 30), at[2] = { (float)rnd01() * 3 - 1, (float)rnd01() * 3 - 1 };
	const bool near = rnd() & 1;
	for (unsigned i = 0; i < 8; i++)
		for (int l = 0; l < CU_LANES; l++) {
			const float lane = (float)(i ? l >> 3 : l & 7) * step / (float)(i ? img->h : img->w);
			const uint32_t limit = i == 0 ? img->w : i == 1 ? img->h : img->slices > img->levels ? img->slices : img->levels;
			w->vgpr[ADDR + i][l] = texels ? rnd() % (limit + 1) : float_bits(i < 2 && near ? at[i] + lane :
				(float)rnd01() * (i < 2 ? 3 : (float)limit) - (i < 2 ? 1 : 0.5f));
		}
	const bool all = rnd() & 1;
	w->sgpr[126] = all ? ~0u : rnd();
	w->sgpr[127] = all ? ~0u : rnd();
}

static void compare(struct decoded *d, enum gcn_op op, const uint32_t s[4])
{
	const struct gcn_inst in = mimg(op, ADDR, DATA, op == GCN_IMAGE_GATHER4_L ? 1u << rnd() % 4 : op == GCN_IMAGE_GET_LOD ? 3 : 15, &d->img);
	address(waves[0], &d->img, op == GCN_IMAGE_LOAD_MIP || op == GCN_IMAGE_LOAD || op == GCN_IMAGE_GET_RESINFO);
	for (unsigned k = 0; k < 2u + has_v4(); k++) {
		if (k) {
			memcpy(waves[k]->vgpr, waves[0]->vgpr, DATA * sizeof *waves[0]->vgpr);
			memcpy(waves[k]->sgpr, waves[0]->sgpr, sizeof waves[0]->sgpr);
		}
		waves[k]->tex = &caches[k];
		memset(waves[k]->vgpr[DATA], 0, 4 * sizeof *waves[k]->vgpr);
	}
	for (unsigned k = 0; k < 2u + has_v4(); k++)
		EXPECT(functions[k](waves[k], &in, k ? d->t : d->img.t, s), "%s: %s", gcn_op_info(op)->name, waves[k]->error.text);
	for (unsigned k = 1; k < 2u + has_v4(); k++)
		for (unsigned n = 0; n < 4; n++)
			for (int l = 0; l < CU_LANES; l++)
				EXPECT(waves[k]->vgpr[DATA + n][l] == waves[0]->vgpr[DATA + n][l], "%s of format %u, %u, type %u, done %x: channel %u, lane %d: %08x not %08x",
					gcn_op_info(op)->name, d->img.dfmt, d->img.nfmt, d->img.type, d->plane->done[0], n, l, waves[k]->vgpr[DATA + n][l], waves[0]->vgpr[DATA + n][l]);
}

static void any_sampler(uint32_t s[4])
{
	memset(s, 0, 16);
	ISA_SET(s, S_CLAMP_X, rnd() % (rnd() % 4 ? 4 : 8));
	ISA_SET(s, S_CLAMP_Y, rnd() % (rnd() % 4 ? 4 : 8));
	ISA_SET(s, S_BORDER_COLOR_TYPE, rnd() % 3);
	ISA_SET(s, S_MAX_LOD, rnd() % 3 ? 4095 : 0);
	ISA_SET(s, S_MIP_FILTER, rnd() % 3);
	ISA_SET(s, S_XY_MAG_FILTER, rnd() % 3 ? S_FILTER_BILINEAR : 0);
	ISA_SET(s, S_XY_MIN_FILTER, rnd() % 3 ? S_FILTER_BILINEAR : 0);
	if (rnd() % 8 == 0) {
		ISA_SET(s, S_MAX_ANISO_RATIO, 2);
		ISA_SET(s, S_XY_MAG_FILTER, S_FILTER_ANISO_BILINEAR);
		ISA_SET(s, S_XY_MIN_FILTER, S_FILTER_ANISO_BILINEAR);
	}
	if (rnd() % 16 == 0) {
		ISA_SET(s, S_CUBIC_MAG, 1);
		ISA_SET(s, S_CUBIC_MIN, 1);
	}
}

static void compare_all(struct decoded *d, unsigned rounds)
{
	static const enum gcn_op ops[] = { GCN_IMAGE_LOAD, GCN_IMAGE_LOAD_MIP, GCN_IMAGE_SAMPLE, GCN_IMAGE_SAMPLE_L, GCN_IMAGE_SAMPLE_LZ,
		GCN_IMAGE_SAMPLE_B, GCN_IMAGE_SAMPLE_D, GCN_IMAGE_SAMPLE_O, GCN_IMAGE_GATHER4_L, GCN_IMAGE_GET_LOD, GCN_IMAGE_GET_RESINFO };
	for (unsigned k = 0; k < rounds; k++) {
		uint32_t s[4];
		any_sampler(s);
		compare(d, ops[k % (sizeof ops / sizeof *ops)], s);
	}
}

static bool is_whole(const struct decoded *d)
{
	for (uint32_t l = 0; l < d->img.levels; l++)
		if (d->plane->done[l] != ISA_DECODED_ALL)
			return false;
	return true;
}

/* One way of asking, until all is there; false: it never is. */
static bool fill(struct decoded *d)
{
	uint32_t s[4] = { 0 };
	ISA_SET(s, S_MAX_LOD, 4095);
	for (unsigned k = 0; k < 20000 && !is_whole(d); k++)
		compare(d, GCN_IMAGE_SAMPLE_L, s);
	return is_whole(d);
}

static void check_texels(const struct decoded *d)
{
	const struct cu_block_format *f = cu_block_format(d->img.dfmt, d->img.nfmt);
	const struct surf_plane blocks = image_plane(&d->img), first = isa_decoded_plane((uintptr_t)d->plane, &blocks, f->dfmt, f->nfmt);
	for (uint32_t l = 0; l < d->img.levels; l++) {
		const struct surf_plane p = surf_level(first, l);
		for (uint32_t z = 0; z < p.slices; z++)
			for (uint32_t y = 0; y < p.height; y++)
				for (uint32_t x = 0; x < p.width; x++) {
					alignas(16) uint8_t texels[CU_BLOCK_BYTES];
					f->decode(image_texel(&d->img, l, x / f->width, y / f->height, z), texels);
					EXPECT(!memcmp(surf_at(&p, x, y, z), texels + (y % f->height * f->width + x % f->width) * f->texel_bytes, f->texel_bytes),
						"format %u, %u: texel %u, %u, %u of level %u", d->img.dfmt, d->img.nfmt, x, y, z, l);
				}
	}
}

static void write_level(struct decoded *d, uint32_t level)
{
	const struct surf_plane p = surf_level(image_plane(&d->img), level);
	for (uint64_t i = 0; i < p.slices * p.slice_stride; i++)
		p.base[i] = (uint8_t)rnd();
	d->plane->done[level] = 0;
}

static void check_format(unsigned dfmt, unsigned nfmt)
{
	static const unsigned types[] = { T_TYPE_2D, T_TYPE_2D_ARRAY, T_TYPE_CUBE };
	for (unsigned i = 0; i < 3; i++) {
		const uint32_t w = 1 + rnd() % (i ? 40 : 200), h = types[i] == T_TYPE_CUBE ? w : 1 + rnd() % (i ? 40 : 200);
		uint32_t levels = 1;
		while (levels < 4 && (w | h) >> levels)
			levels++;
		struct decoded d = decoded_create(types[i], dfmt, nfmt, w, h, i == 0 ? 1 : i == 1 ? 3 : 6, levels);
		compare_all(&d, 33);
		EXPECT(fill(&d), "%ux%u of format %u, %u is never whole", w, h, dfmt, nfmt);
		check_texels(&d);
		compare_all(&d, 66);
		write_level(&d, rnd() % levels);
		compare_all(&d, 22);
		EXPECT(fill(&d), "format %u, %u is not whole again", dfmt, nfmt);
		compare_all(&d, 22);
		decoded_destroy(&d);
	}
}

/* Some views of an image: their levels alone are decoded. */
static void check_views(void)
{
	struct decoded d = decoded_create(T_TYPE_2D, DFMT_BC1, NFMT_UNORM, 96, 60, 1, 4);
	uint32_t s[4] = { 0 };
	ISA_SET(d.t, T_BASE_LEVEL, 1);
	ISA_SET(d.t, T_LAST_LEVEL, 2);
	ISA_SET(d.img.t, T_BASE_LEVEL, 1);
	ISA_SET(d.img.t, T_LAST_LEVEL, 2);
	for (unsigned k = 0; k < 2000; k++)
		compare(&d, GCN_IMAGE_SAMPLE_L, s);
	EXPECT(d.plane->done[1] == ISA_DECODED_ALL && d.plane->done[2] == ISA_DECODED_ALL, "%x, %x", d.plane->done[1], d.plane->done[2]);
	EXPECT(!d.plane->done[0] && !d.plane->done[3], "levels of no view: %x, %x", d.plane->done[0], d.plane->done[3]);
	decoded_destroy(&d);
}

/* Of another image, as of one whose memory somebody else has by now: it is left alone.  And one that says too much of itself. */
static void check_foreign(void)
{
	struct decoded d = decoded_create(T_TYPE_2D, DFMT_BC3, NFMT_UNORM, 64, 64, 1, 2);
	uint32_t s[4] = { 0 };
	uint8_t *const before = malloc(d.bytes);
	d.plane->base++;
	memcpy(before, d.plane, d.bytes);
	for (unsigned k = 0; k < 1000; k++)
		compare(&d, GCN_IMAGE_SAMPLE_LZ, s);
	EXPECT(!memcmp(before, d.plane, d.bytes), "a plane of another image was written to");
	free(before);
	decoded_destroy(&d);
	d = decoded_create(T_TYPE_2D, DFMT_BC3, NFMT_UNORM, 64, 64, 1, 1);
	d.plane->done[0] = ISA_DECODED_ALL - 1;
	const struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE_LZ, ADDR, DATA, 15, &d.img);
	for (unsigned k = 0; k < 1000; k++)
		EXPECT(functions[1](waves[1], &in, d.t, s), "%s", waves[1]->error.text);
	EXPECT(d.plane->done[0] == ISA_DECODED_ALL, "%x", d.plane->done[0]);
	decoded_destroy(&d);
}

/* With an argument: other images. */
int main(int argc, char **argv)
{
	unsigned formats = 0;
	rnd_state += argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	for (unsigned k = 0; k < 3; k++)
		waves[k] = wave_create();
	for (unsigned dfmt = 0; dfmt < 64; dfmt++)
		for (unsigned nfmt = 0; nfmt < 16; nfmt++) {
			const struct cu_block_format *f = cu_block_format(dfmt, nfmt);
			if (!f || f->depth > 1)
				continue;
			check_format(dfmt, nfmt);
			formats++;
		}
	CHECK(formats >= 80, "%u", formats);
	check_views();
	check_foreign();
	for (unsigned k = 0; k < 3; k++) {
		cu_tex_cache_finish(&caches[k]);
		free(waves[k]);
	}
	return failures != 0;
}
