/* SPDX-License-Identifier: MIT */
/* The copy engine on multisampled images, sample by sample against references
 * that find samples by the words of isa/surface.h: copies, clears, resolves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/format/format.h"
#include "isa/bits.h"
#include "isa/pm4.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "raster/dma/dma.h"
#include "raster/pool.h"
#include "tests/check.h"

static uint64_t state = 88172645463325252ull;
static uint32_t rnd(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return (uint32_t)(state >> 16); }

struct image { struct pm4_surface p; uint8_t *mem; size_t bytes; unsigned bpe; };

static struct image create(unsigned dfmt, unsigned nfmt, uint32_t max, unsigned samples, unsigned tiling)
{
	struct image i = { .bpe = surf_dfmt_bytes(dfmt) };
	i.p = (struct pm4_surface){ .width = 1 + rnd() % max, .height = 1 + rnd() % max, .slices = 1 + rnd() % 4, .tiling = tiling,
		.dfmt = dfmt, .nfmt = nfmt, .sel = SEL_R | SEL_G << 3 | SEL_B << 6 | SEL_A << 9, .samples = samples };
	struct surf_plane p = { .width = i.p.width, .height = i.p.height, .slices = i.p.slices, .tiling = (uint8_t)tiling,
		.samples = (uint8_t)samples, .dfmt = (uint8_t)dfmt };
	surf_init(&p);
	i.bytes = surf_plane_bytes(&p, 1);
	i.mem = aligned_alloc(256, i.bytes);
	for (size_t n = 0; n < i.bytes; n++)
		i.mem[n] = (uint8_t)(nfmt == NFMT_FLOAT && n % 4 == 3 ? 0x3f : rnd());
	i.p.base_lo = (uint32_t)(uintptr_t)i.mem;
	i.p.base_hi = (uint32_t)((uintptr_t)i.mem >> 32);
	return i;
}

static size_t sample_at(const struct image *i, uint32_t x, uint32_t y, uint32_t z, unsigned sample)
{
	size_t samples = i->p.samples;
	if (i->p.tiling == TILING_LINEAR) {
		size_t pitch = ((size_t)i->p.width * i->bpe + 63) / 64 * 64;
		return z * ((pitch * i->p.height + 255) / 256 * 256) + y * pitch + x * i->bpe;
	}
	size_t columns = (i->p.width + 7) / 8 * 2, rows = (i->p.height + 7) / 8 * 2;
	size_t slice = (columns * rows * samples * 16 * i->bpe + 255) / 256 * 256;
	size_t block = (y / 4 * columns + x / 4) * samples + sample;
	return z * slice + (block * 16 + x % 2 + y % 2 * 2 + x / 2 % 2 * 4 + y / 2 % 2 * 8) * i->bpe;
}

static uint32_t min_u(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void test_copy(const struct rs_dma *dma, int rounds, uint32_t max)
{
	static const unsigned sizes[6] = { DFMT_8, DFMT_16, DFMT_32, DFMT_32_32, DFMT_32_32_32, DFMT_32_32_32_32 };
	for (int round = 0; round < rounds; round++) {
		unsigned dfmt = sizes[rnd() % 6], samples = 2u << rnd() % 3;
		struct image a = create(dfmt, NFMT_UINT, max, samples, TILING_4X4), b = create(dfmt, NFMT_UINT, max, samples, TILING_4X4);
		struct pm4_copy_image c = { .kind = PM4_COPY_IMAGE_TO_IMAGE, .src = a.p, .dst = b.p };
		c.width = 1 + rnd() % min_u(a.p.width, b.p.width);
		c.height = 1 + rnd() % min_u(a.p.height, b.p.height);
		c.depth = 1 + rnd() % min_u(a.p.slices, b.p.slices);
		c.src_x = rnd() % (a.p.width - c.width + 1);
		c.src_y = rnd() % (a.p.height - c.height + 1);
		c.src_z = rnd() % (a.p.slices - c.depth + 1);
		c.dst_x = rnd() % (b.p.width - c.width + 1);
		c.dst_y = rnd() % (b.p.height - c.height + 1);
		c.dst_z = rnd() % (b.p.slices - c.depth + 1);
		if (rnd() & 1 && c.dst_x / 4 * 4 + c.src_x % 4 + c.width <= b.p.width && c.dst_y / 4 * 4 + c.src_y % 4 + c.height <= b.p.height) {
			c.dst_x = c.dst_x / 4 * 4 + c.src_x % 4; /* aligned alike */
			c.dst_y = c.dst_y / 4 * 4 + c.src_y % 4;
		}
		uint8_t *expect = malloc(b.bytes);
		memcpy(expect, b.mem, b.bytes);
		for (uint32_t z = 0; z < c.depth; z++)
			for (uint32_t y = 0; y < c.height; y++)
				for (uint32_t x = 0; x < c.width; x++)
					for (unsigned s = 0; s < samples; s++)
						memcpy(expect + sample_at(&b, c.dst_x + x, c.dst_y + y, c.dst_z + z, s),
							a.mem + sample_at(&a, c.src_x + x, c.src_y + y, c.src_z + z, s), a.bpe);
		EXPECT(rs_dma_copy_image(dma, (const uint32_t *)&c, PM4_DWORDS(pm4_copy_image)), "copy refused");
		EXPECT(!memcmp(expect, b.mem, b.bytes), "copy dfmt %u samples %u", dfmt, samples);
		c.src.samples = samples == 2 ? 4 : 2;
		EXPECT(!rs_dma_copy_image(dma, (const uint32_t *)&c, PM4_DWORDS(pm4_copy_image)), "copy between sample counts accepted");
		free(expect);
		free(a.mem);
		free(b.mem);
	}
}

static void test_clear(const struct rs_dma *dma)
{
	static const unsigned dfmts[3] = { DFMT_8_8_8_8, DFMT_32_32_32, DFMT_16 };
	for (int round = 0; round < 100; round++) {
		unsigned dfmt = dfmts[rnd() % 3], samples = 2u << rnd() % 3;
		struct image a = create(dfmt, NFMT_UINT, 40, samples, TILING_4X4);
		struct pm4_clear_image c = { .dst = a.p, .value = { 1, 2, 3, 4 }, .first_slice = rnd() % a.p.slices };
		c.slice_count = rnd() % (a.p.slices - c.first_slice + 1);
		uint8_t expect[16], *before = malloc(a.bytes);
		memcpy(before, a.mem, a.bytes);
		cu_format_pack(dfmt, NFMT_UINT, c.value, expect);
		EXPECT(rs_dma_clear_image(dma, (const uint32_t *)&c, PM4_DWORDS(pm4_clear_image)), "clear refused");
		for (uint32_t z = 0; z < a.p.slices; z++)
			for (uint32_t y = 0; y < a.p.height; y++)
				for (uint32_t x = 0; x < a.p.width * samples; x++) {
					size_t at = sample_at(&a, x / samples, y, z, x % samples);
					bool in = z >= c.first_slice && z < c.first_slice + c.slice_count;
					EXPECT(!memcmp(a.mem + at, in ? expect : before + at, a.bpe), "clear dfmt %u samples %u", dfmt, samples);
				}
		free(before);
		free(a.mem);
	}
}

/* What resolving a pixel gives, by component; exact for all but AVERAGE. */
static double reference(const struct image *a, size_t at[8], unsigned mode, unsigned c)
{
	double r = 0;
	for (unsigned s = 0; s < a->p.samples; s++) {
		uint32_t m[4];
		cu_format_unpack(a->p.dfmt, a->p.nfmt, a->mem + at[s], m);
		double v = a->p.nfmt == NFMT_UINT ? (double)m[c] : a->p.nfmt == NFMT_SINT ? (double)(int32_t)m[c] : (double)bits_float(m[c]);
		bool integer = a->p.nfmt == NFMT_UINT || a->p.nfmt == NFMT_SINT;
		if (mode == PM4_RESOLVE_SAMPLE_ZERO || (mode == PM4_RESOLVE_AVERAGE && integer))
			return v;
		r = mode == PM4_RESOLVE_AVERAGE ? r + v / a->p.samples : s == 0 ? v : mode == PM4_RESOLVE_MIN ? fmin(r, v) : fmax(r, v);
	}
	return r;
}

/* Largest error of AVERAGE: half a step of the format and the sum's rounding. */
static double tolerance(const struct image *a, double v)
{
	switch (a->p.nfmt) {
	case NFMT_UNORM: return 0.5 / (a->p.dfmt == DFMT_8_8_8_8 ? 255 : 65535) + 1e-6;
	case NFMT_SRGB: return 0.0045; /* steps of up to 1/113 in linear values */
	case NFMT_FLOAT: return fabs(v) * (a->p.dfmt == DFMT_16_16_16_16 ? 0x1p-11 : 0x1p-22) + 1e-6;
	default: return 0;
	}
}

static void check_resolve(const struct image *a, const struct image *b, const uint8_t *before, const struct pm4_resolve_image *r)
{
	for (uint32_t z = 0; z < b->p.slices; z++)
		for (uint32_t y = 0; y < b->p.height; y++)
			for (uint32_t x = 0; x < b->p.width; x++) {
				size_t at = sample_at(b, x, y, z, 0), from[8];
				if (x - r->dst_x >= r->width || y - r->dst_y >= r->height || z - r->dst_z >= r->depth) {
					EXPECT(!memcmp(b->mem + at, before + at, b->bpe), "resolve outside its box");
					continue;
				}
				for (unsigned s = 0; s < a->p.samples; s++)
					from[s] = sample_at(a, x - r->dst_x + r->src_x, y - r->dst_y + r->src_y, z - r->dst_z + r->src_z, s);
				uint32_t m[4];
				cu_format_unpack(b->p.dfmt, b->p.nfmt, b->mem + at, m);
				for (unsigned c = 0; c < 4; c++) {
					double e = reference(a, from, r->mode, c);
					double g = b->p.nfmt == NFMT_UINT ? (double)m[c] : b->p.nfmt == NFMT_SINT ? (double)(int32_t)m[c] : (double)bits_float(m[c]);
					double t = r->mode == PM4_RESOLVE_AVERAGE ? tolerance(a, e) : 0;
					EXPECT(fabs(g - e) <= t, "resolve dfmt %u nfmt %u mode %u samples %u: %.9g not %.9g", b->p.dfmt, b->p.nfmt,
						r->mode, a->p.samples, g, e);
				}
			}
}

/* Every other part has the same bytes in all samples, as pixels that no edge goes through have. */
static void even_out(struct image *a)
{
	const size_t part = 16 * a->bpe;
	for (size_t at = 0; at + part * a->p.samples <= a->bytes; at += 2 * part * a->p.samples)
		for (unsigned s = 1; s < a->p.samples; s++)
			memcpy(a->mem + at + s * part, a->mem + at, part);
}

static void test_resolve(const struct rs_dma *dma, int rounds, uint32_t max)
{
	static const unsigned formats[][2] = { { DFMT_8_8_8_8, NFMT_UNORM }, { DFMT_8_8_8_8, NFMT_SRGB }, { DFMT_16, NFMT_UNORM },
		{ DFMT_32, NFMT_FLOAT }, { DFMT_8, NFMT_UINT }, { DFMT_16_16_16_16, NFMT_SINT }, { DFMT_32_32_32_32, NFMT_FLOAT } };
	for (int round = 0; round < rounds; round++) {
		const unsigned *f = formats[rnd() % 7];
		struct image a = create(f[0], f[1], max, 2u << rnd() % 3, TILING_4X4);
		struct image b = create(f[0], f[1], max, 1, rnd() & 1 ? TILING_4X4 : TILING_LINEAR);
		struct pm4_resolve_image r = { .src = a.p, .dst = b.p, .mode = rnd() % 4 };
		even_out(&a);
		r.width = 1 + rnd() % min_u(a.p.width, b.p.width);
		r.height = 1 + rnd() % min_u(a.p.height, b.p.height);
		r.depth = 1 + rnd() % min_u(a.p.slices, b.p.slices);
		r.src_x = rnd() % (a.p.width - r.width + 1);
		r.src_y = rnd() % (a.p.height - r.height + 1);
		r.src_z = rnd() % (a.p.slices - r.depth + 1);
		r.dst_x = rnd() % (b.p.width - r.width + 1);
		r.dst_y = rnd() % (b.p.height - r.height + 1);
		r.dst_z = rnd() % (b.p.slices - r.depth + 1);
		uint8_t *before = malloc(b.bytes);
		memcpy(before, b.mem, b.bytes);
		EXPECT(rs_dma_resolve_image(dma, (const uint32_t *)&r, PM4_DWORDS(pm4_resolve_image)), "resolve refused");
		check_resolve(&a, &b, before, &r);
		free(before);
		free(a.mem);
		free(b.mem);
	}
}

static void test_malformed(void)
{
	const struct rs_dma dma = { NULL, &cu_formats_v3 };
	struct image a = create(DFMT_32, NFMT_FLOAT, 10, 4, TILING_4X4), b = create(DFMT_32, NFMT_FLOAT, 10, 1, TILING_4X4);
	struct pm4_resolve_image good = { .src = a.p, .dst = b.p, .width = 1, .height = 1, .depth = 1 };
	EXPECT(rs_dma_resolve_image(&dma, (const uint32_t *)&good, PM4_DWORDS(pm4_resolve_image)), "resolve refused");
	EXPECT(!rs_dma_resolve_image(&dma, (const uint32_t *)&good, PM4_DWORDS(pm4_resolve_image) - 1), "short packet");
	for (int k = 0; k < 9; k++) {
		struct pm4_resolve_image r = good;
		switch (k) {
		case 0: r.src.samples = 1; break;
		case 1: r.src.samples = 3; break;
		case 2: r.src.samples = 16; break;
		case 3: r.src.tiling = TILING_LINEAR; break;
		case 4: r.src.level = 1; break;
		case 5: r.dst.samples = 4; break;
		case 6: r.dst.nfmt = NFMT_UINT; break;
		case 7: r.mode = 4; break;
		case 8: r.width = a.p.width + 1; break;
		}
		EXPECT(!rs_dma_resolve_image(&dma, (const uint32_t *)&r, PM4_DWORDS(pm4_resolve_image)), "malformed %d accepted", k);
	}
	struct pm4_blit_image blit = { .src = a.p, .dst = b.p, .src_x1 = 1, .src_y1 = 1, .src_z1 = 1, .dst_x1 = 1, .dst_y1 = 1, .dst_z1 = 1 };
	EXPECT(!rs_dma_blit_image(&dma, (const uint32_t *)&blit, PM4_DWORDS(pm4_blit_image)), "blit of samples accepted");
	free(a.mem);
	free(b.mem);
}

int main(void)
{
	struct rs_pool *pool = rs_pool_create(3);
	if (!pool)
		return 1;
	const struct rs_dma dma[2] = { { NULL, &cu_formats_v3 },
		{ pool, CU_TABLE(cu_formats, __builtin_cpu_supports("avx512vl") ? CU_LEVEL_V4 : CU_LEVEL_V3) } };
	for (int k = 0; k < 2; k++) {
		test_copy(&dma[k], 500, 40);
		test_copy(&dma[k], 20, 300);
		test_clear(&dma[k]);
		test_resolve(&dma[k], 500, 40);
		test_resolve(&dma[k], 10, 300);
	}
	test_malformed();
	rs_pool_destroy(pool);
	printf("%d failures\n", failures);
	return failures != 0;
}
