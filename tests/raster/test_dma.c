/* SPDX-License-Identifier: MIT */
/* The copy engine against texel-by-texel references: copies of odd sizes in
 * every pair of tilings, fills, clears, blits, refusals; with and without
 * threads. */
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/format/block.h"
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

#define SEL_RGBA (SEL_R | SEL_G << 3 | SEL_B << 6 | SEL_A << 9)

struct image { struct pm4_surface p; uint8_t *mem; size_t bytes; unsigned bpe; struct surf_plane l; };

/* With random contents. */
static struct image create_as(struct pm4_surface p)
{
	struct image i = { .p = p, .bpe = surf_dfmt_bytes(p.dfmt) };
	i.l = (struct surf_plane){ .width = p.width, .height = p.height, .slices = p.slices, .is_3d = p.is_3d != 0,
		.tiling = (uint8_t)p.tiling, .samples = 1, .dfmt = (uint8_t)p.dfmt, .nfmt = (uint8_t)p.nfmt };
	surf_init(&i.l);
	i.bytes = surf_plane_bytes(&i.l, 3);
	i.mem = i.l.base = aligned_alloc(256, i.bytes);
	i.l = surf_level(i.l, i.p.level);
	for (size_t n = 0; n < i.bytes; n++)
		i.mem[n] = (uint8_t)rnd();
	i.p.base_lo = (uint32_t)(uintptr_t)i.mem;
	i.p.base_hi = (uint32_t)((uintptr_t)i.mem >> 32);
	return i;
}

static struct image create(unsigned dfmt, unsigned nfmt, uint32_t max, bool is_3d, unsigned tiling)
{
	return create_as((struct pm4_surface){ 0, 0, 1 + rnd() % max, 1 + rnd() % max, 1 + rnd() % 5, is_3d, rnd() % 3, tiling,
		dfmt, nfmt, SEL_RGBA, 1 });
}

static size_t texel(const struct image *i, uint32_t x, uint32_t y, uint32_t z)
{
	return (size_t)(surf_at(&i->l, x, y, z) - i->mem);
}

static unsigned random_tiling(void) { return rnd() & 1 ? TILING_4X4 : TILING_LINEAR; }
static uint32_t min_u(uint32_t a, uint32_t b) { return a < b ? a : b; }
static const unsigned sizes[8] = { DFMT_8, DFMT_16, DFMT_32, DFMT_32_32, DFMT_32_32_32, DFMT_32_32_32_32, DFMT_8_8_8, DFMT_16_16_16 };

static void test_copy_image(const struct rs_dma *dma, int rounds, uint32_t max)
{
	for (int round = 0; round < rounds; round++) {
		unsigned dfmt = sizes[rnd() % 8], kind = rnd() % 3;
		struct image a = create(dfmt, NFMT_UINT, max, rnd() & 1, random_tiling()), b = create(dfmt, NFMT_UINT, max, rnd() & 1, random_tiling());
		struct pm4_copy_image c = { .kind = kind, .src = a.p, .dst = b.p };
		c.width = 1 + rnd() % min_u(a.l.width, b.l.width);
		c.height = 1 + rnd() % min_u(a.l.height, b.l.height);
		c.depth = 1 + rnd() % min_u(a.l.slices, b.l.slices);
		c.src_x = rnd() % (a.l.width - c.width + 1);
		c.src_y = rnd() % (a.l.height - c.height + 1);
		c.src_z = rnd() % (a.l.slices - c.depth + 1);
		c.dst_x = rnd() % (b.l.width - c.width + 1);
		c.dst_y = rnd() % (b.l.height - c.height + 1);
		c.dst_z = rnd() % (b.l.slices - c.depth + 1);
		if (rnd() & 1 && c.dst_x / 4 * 4 + c.src_x % 4 + c.width <= b.l.width && c.dst_y / 4 * 4 + c.src_y % 4 + c.height <= b.l.height) {
			c.dst_x = c.dst_x / 4 * 4 + c.src_x % 4; /* aligned alike */
			c.dst_y = c.dst_y / 4 * 4 + c.src_y % 4;
		}
		c.buffer.row_texels = c.width + rnd() % 5;
		c.buffer.image_rows = c.height + rnd() % 5;
		size_t buffer_bytes = (size_t)c.buffer.row_texels * c.buffer.image_rows * c.depth * a.bpe;
		uint8_t *buffer = malloc(buffer_bytes), *expect = malloc(b.bytes + buffer_bytes), *buffer_expect = expect + b.bytes;
		for (size_t i = 0; i < buffer_bytes; i++)
			buffer[i] = (uint8_t)rnd();
		c.buffer.address_lo = (uint32_t)(uintptr_t)buffer;
		c.buffer.address_hi = (uint32_t)((uintptr_t)buffer >> 32);
		memcpy(expect, b.mem, b.bytes);
		memcpy(buffer_expect, buffer, buffer_bytes);
		for (uint32_t z = 0; z < c.depth; z++)
			for (uint32_t y = 0; y < c.height; y++)
				for (uint32_t x = 0; x < c.width; x++) {
					size_t s = texel(&a, c.src_x + x, c.src_y + y, c.src_z + z), d = texel(&b, c.dst_x + x, c.dst_y + y, c.dst_z + z);
					size_t at = (((size_t)z * c.buffer.image_rows + y) * c.buffer.row_texels + x) * a.bpe;
					memcpy(kind == PM4_COPY_IMAGE_TO_BUFFER ? buffer_expect + at : expect + d,
						kind == PM4_COPY_BUFFER_TO_IMAGE ? buffer + at : a.mem + s, a.bpe);
				}
		EXPECT(rs_dma_copy_image(dma, (const uint32_t *)&c, PM4_DWORDS(pm4_copy_image)), "copy refused");
		EXPECT(!memcmp(expect, b.mem, b.bytes) && !memcmp(buffer_expect, buffer, buffer_bytes), "copy kind %u dfmt %u tilings %u %u", kind,
			dfmt, a.p.tiling, b.p.tiling);
		c.width = a.l.width + 1;
		EXPECT(!rs_dma_copy_image(dma, (const uint32_t *)&c, PM4_DWORDS(pm4_copy_image)) || (kind == PM4_COPY_BUFFER_TO_IMAGE && b.l.width > a.l.width),
			"copy outside accepted");
		free(buffer);
		free(expect);
		free(a.mem);
		free(b.mem);
	}
}

static void test_buffers(const struct rs_dma *dma)
{
	size_t bytes = 1000003, fill = 700000;
	uint8_t *a = malloc(bytes), *b = malloc(bytes + 1);
	for (size_t i = 0; i < bytes; i++)
		a[i] = (uint8_t)rnd();
	b[bytes] = 77;
	uint64_t s = (uintptr_t)a, d = (uintptr_t)b;
	uint32_t copy[6] = { (uint32_t)s, (uint32_t)(s >> 32), (uint32_t)d, (uint32_t)(d >> 32), (uint32_t)bytes, 0 };
	EXPECT(rs_dma_copy_buffer(dma, copy, 6) && !memcmp(a, b, bytes) && b[bytes] == 77, "copy buffer");
	uint32_t value = 0x12345678, f[5] = { (uint32_t)d, (uint32_t)(d >> 32), (uint32_t)fill, 0, value };
	EXPECT(rs_dma_fill_buffer(dma, f, 5), "fill refused");
	for (size_t i = 0; i < fill; i += 4)
		EXPECT(!memcmp(b + i, &value, 4), "fill");
	EXPECT(!memcmp(a + fill, b + fill, bytes - fill), "fill past the end");
	f[2] = 7;
	EXPECT(!rs_dma_fill_buffer(dma, f, 5) && !rs_dma_fill_buffer(dma, f, 4) && !rs_dma_copy_buffer(dma, copy, 5), "malformed accepted");
	free(a);
	free(b);
}

static void test_clear(const struct rs_dma *dma)
{
	static const unsigned formats[][2] = { { DFMT_8_8_8_8, NFMT_SRGB }, { DFMT_32_32_32, NFMT_FLOAT }, { DFMT_16, NFMT_UNORM }, { DFMT_16_16_16_16, NFMT_FLOAT },
		{ DFMT_8_8_8, NFMT_UNORM } };
	for (int round = 0; round < 300; round++) {
		const unsigned *f = formats[rnd() % 5];
		struct image a = create(f[0], f[1], round % 10 ? 40 : 500, rnd() & 1, random_tiling());
		struct pm4_clear_image c = { .dst = a.p, .value = { float_bits(0.25f), float_bits(0.5f), float_bits(0.75f), float_bits(1) } };
		if (f[0] == DFMT_8_8_8_8)
			c.dst.sel = SEL_B | SEL_G << 3 | SEL_R << 6 | SEL_A << 9;
		uint32_t mem[4] = { c.value[0], c.value[1], c.value[2], c.value[3] };
		if (f[0] == DFMT_8_8_8_8) {
			mem[0] = c.value[2];
			mem[2] = c.value[0];
		}
		uint8_t expect[16], *before = malloc(a.bytes);
		memcpy(before, a.mem, a.bytes);
		cu_format_pack(f[0], f[1], mem, expect);
		c.first_slice = rnd() % a.l.slices;
		c.slice_count = rnd() % (a.l.slices - c.first_slice + 1);
		EXPECT(rs_dma_clear_image(dma, (const uint32_t *)&c, PM4_DWORDS(pm4_clear_image)), "clear refused");
		for (uint32_t z = 0; z < a.l.slices; z++)
			for (uint32_t y = 0; y < a.l.height; y++)
				for (uint32_t x = 0; x < a.l.width; x++) {
					size_t at = texel(&a, x, y, z);
					bool in = z >= c.first_slice && z < c.first_slice + c.slice_count;
					EXPECT(!memcmp(a.mem + at, in ? expect : before + at, a.bpe), "clear dfmt %u", f[0]);
				}
		size_t end = (size_t)(a.l.base - a.mem) + a.l.slices * a.l.slice_stride;
		EXPECT(!memcmp(a.mem, before, (size_t)(a.l.base - a.mem)) && !memcmp(a.mem + end, before + end, a.bytes - end),
			"clear outside its level");
		c.slice_count = a.l.slices + 1;
		EXPECT(!rs_dma_clear_image(dma, (const uint32_t *)&c, PM4_DWORDS(pm4_clear_image)), "clear outside accepted");
		free(before);
		free(a.mem);
	}
}

static void source(const struct image *a, const int64_t at[3], uint32_t out[4])
{
	int64_t size[3] = { a->l.width, a->l.height, a->l.slices }, c[3];
	for (int k = 0; k < 3; k++)
		c[k] = at[k] < 0 ? 0 : at[k] >= size[k] ? size[k] - 1 : at[k];
	cu_format_unpack(a->p.dfmt, a->p.nfmt, a->mem + texel(a, (uint32_t)c[0], (uint32_t)c[1], (uint32_t)c[2]), out);
}

/* Vulkan's formula, one texel; false when nearest hangs on a rounding. */
static bool blit_reference(const struct image *a, const struct pm4_blit_image *b, const int32_t d[3], bool linear, bool filter_z, double out[4])
{
	const int32_t *s0 = &b->src_x0, *s1 = &b->src_x1, *d0 = &b->dst_x0, *d1 = &b->dst_x1;
	int64_t base[3];
	double f[3];
	for (int k = 0; k < 3; k++) {
		double u = (d[k] + 0.5 - d0[k]) * ((double)(s1[k] - s0[k]) / (d1[k] - d0[k])) + s0[k];
		bool filter = linear && (k < 2 || filter_z);
		base[k] = (int64_t)floor(u - (filter ? 0.5 : 0));
		f[k] = filter ? u - 0.5 - (double)base[k] : 0;
		if (!filter && (u - floor(u) < 1e-9 || u - floor(u) > 1 - 1e-9))
			return false;
	}
	memset(out, 0, 32);
	for (int n = 0; n < 8; n++) {
		int64_t at[3];
		double w = 1;
		uint32_t v[4];
		for (int k = 0; k < 3; k++) {
			at[k] = base[k] + (n >> k & 1);
			w *= n >> k & 1 ? f[k] : 1 - f[k];
		}
		source(a, at, v);
		for (int c = 0; c < 4; c++)
			if (w > 0)
				out[c] += w * (a->p.nfmt == NFMT_UINT ? (double)v[c] : (double)bits_float(v[c]));
	}
	return true;
}

static void test_blit(const struct rs_dma *dma)
{
	static const unsigned formats[][3] = { { DFMT_8_8_8_8, NFMT_UNORM, 255 }, { DFMT_8_8_8_8, NFMT_SRGB, 255 }, { DFMT_16_16_16_16, NFMT_UNORM, 65535 },
		{ DFMT_8_8_8_8, NFMT_UINT, 1 }, { DFMT_16_16_16_16, NFMT_UINT, 1 } };
	for (int round = 0; round < 1500; round++) {
		unsigned fa = rnd() % 5, fb = fa >= 3 ? 3 + rnd() % 2 : rnd() % 3;
		bool is_3d = rnd() & 1, linear = rnd() & 1, swap = rnd() & 1, integer = fa >= 3;
		const bool halves = rnd() % 3 == 0; /* as mip levels are made */
		struct image a = create(formats[fa][0], formats[fa][1], round % 50 ? 30 : 300, is_3d, random_tiling());
		struct image d = create(formats[fb][0], formats[fb][1], round % 50 ? 30 : 300, is_3d, random_tiling());
		struct pm4_blit_image b = { .src = a.p, .dst = d.p, .filter = linear };
		int32_t *s0 = &b.src_x0, *s1 = &b.src_x1, *d0 = &b.dst_x0, *d1 = &b.dst_x1;
		uint32_t sa[3] = { a.l.width, a.l.height, a.l.slices }, sd[3] = { d.l.width, d.l.height, d.l.slices };
		for (int k = 0; k < 3; k++) {
			uint32_t ns = 1 + rnd() % sa[k], nd = 1 + rnd() % sd[k], ms = 0, md;
			if (k == 2 && (!is_3d || halves))
				ns = nd = min_u(ns, nd);
			if (k < 2 && halves && sa[k] > 1) {
				nd = 1 + rnd() % min_u(sd[k], sa[k] / 2);
				ns = 2 * nd;
			}
			ms = rnd() % (sa[k] - ns + 1);
			md = rnd() % (sd[k] - nd + 1);
			bool ma = rnd() & 1 && (k < 2 || is_3d), mb = halves ? ma : rnd() & 1 && (k < 2 || is_3d);
			s0[k] = (int32_t)(ms + (ma ? ns : 0));
			s1[k] = (int32_t)(ms + (ma ? 0 : ns));
			d0[k] = (int32_t)(md + (mb ? nd : 0));
			d1[k] = (int32_t)(md + (mb ? 0 : nd));
		}
		if (swap)
			b.dst.sel = SEL_B | SEL_G << 3 | SEL_R << 6 | SEL_A << 9;
		uint8_t *before = malloc(d.bytes);
		memcpy(before, d.mem, d.bytes);
		EXPECT(rs_dma_blit_image(dma, (const uint32_t *)&b, PM4_DWORDS(pm4_blit_image)), "blit refused");
		for (int32_t z = 0; z < (int32_t)sd[2]; z++)
			for (int32_t y = 0; y < (int32_t)sd[1]; y++)
				for (int32_t x = 0; x < (int32_t)sd[0]; x++) {
					int32_t at[3] = { x, y, z };
					size_t t = texel(&d, (uint32_t)x, (uint32_t)y, (uint32_t)z);
					bool in = true;
					for (int k = 0; k < 3; k++)
						in &= (at[k] >= d0[k] && at[k] < d1[k]) || (at[k] >= d1[k] && at[k] < d0[k]);
					if (!in) {
						EXPECT(!memcmp(d.mem + t, before + t, d.bpe), "blit outside its box");
						continue;
					}
					double expect[4];
					uint32_t got[4];
					if (!blit_reference(&a, &b, at, linear && !integer, is_3d, expect))
						continue;
					cu_format_unpack(d.p.dfmt, d.p.nfmt, d.mem + t, got);
					for (int c = 0; c < 4; c++) {
						double g = integer ? (double)got[swap && c < 3 ? 2 - c : c] : bits_float(got[swap && c < 3 ? 2 - c : c]);
						double e = integer ? fmin(expect[c], formats[fb][0] == DFMT_8_8_8_8 ? 255 : 65535) : expect[c];
						double tolerance = integer ? 0 : formats[fb][1] == NFMT_SRGB ? 0.006 : 0.501 / formats[fb][2] + 1e-5;
						EXPECT(fabs(g - e) <= tolerance, "blit %u to %u (%d %d %d) channel %d: %f not %f", fa, fb, x, y, z, c, g, e);
					}
				}
		d1[0] = (int32_t)sd[0] + 1;
		EXPECT(d0[0] == d1[0] || !rs_dma_blit_image(dma, (const uint32_t *)&b, PM4_DWORDS(pm4_blit_image)), "blit outside accepted");
		free(before);
		free(a.mem);
		free(d.mem);
	}
}

/* The specification's cubic matrix: powers of f to the weights of four texels. */
static void cubic_weights(double f, double w[4])
{
	static const double m[4][4] = { { 0, 2, 0, 0 }, { -1, 0, 1, 0 }, { 2, -5, 4, -1 }, { -1, 3, -3, 1 } };
	for (int k = 0; k < 4; k++)
		w[k] = 0.5 * (m[0][k] + f * (m[1][k] + f * (m[2][k] + f * m[3][k])));
}

/* A whole 2D image scaled by cubic filters; of a 3D image they are refused. */
static void test_blit_cubic(const struct rs_dma *dma)
{
	for (int round = 0; round < 100; round++) {
		struct image a = create(DFMT_16_16_16_16, NFMT_UNORM, 20, false, random_tiling());
		struct image d = create(DFMT_32_32_32_32, NFMT_FLOAT, 20, false, random_tiling());
		struct pm4_blit_image b = { .src = a.p, .dst = d.p, .filter = PM4_FILTER_CUBIC, .src_x1 = (int32_t)a.l.width,
			.src_y1 = (int32_t)a.l.height, .src_z1 = 1, .dst_x1 = (int32_t)d.l.width, .dst_y1 = (int32_t)d.l.height, .dst_z1 = 1 };
		EXPECT(rs_dma_blit_image(dma, (const uint32_t *)&b, PM4_DWORDS(pm4_blit_image)), "cubic blit refused");
		for (uint32_t n = 0; n < d.l.width * d.l.height; n++) {
			const uint32_t x = n % d.l.width, y = n / d.l.width;
			double u = (x + 0.5) * a.l.width / d.l.width - 0.5, v = (y + 0.5) * a.l.height / d.l.height - 0.5, wx[4], wy[4];
			double expect[4] = { 0 };
			uint32_t got[4], from[4];
			cubic_weights(u - floor(u), wx);
			cubic_weights(v - floor(v), wy);
			for (int k = 0; k < 16; k++) {
				source(&a, (int64_t[3]){ (int64_t)floor(u) + k % 4 - 1, (int64_t)floor(v) + k / 4 - 1, 0 }, from);
				for (int c = 0; c < 4; c++)
					expect[c] += wx[k % 4] * wy[k / 4] * bits_float(from[c]);
			}
			cu_format_unpack(d.p.dfmt, d.p.nfmt, d.mem + texel(&d, x, y, 0), got);
			for (int c = 0; c < 4; c++)
				EXPECT(fabs(bits_float(got[c]) - expect[c]) < 1e-5, "cubic (%u %u) channel %d: %f not %f", x, y, c,
					(double)bits_float(got[c]), expect[c]);
		}
		free(a.mem);
		free(d.mem);
	}
	struct image deep = create(DFMT_8_8_8_8, NFMT_UNORM, 20, true, random_tiling());
	struct pm4_blit_image b = { .src = deep.p, .dst = deep.p, .filter = PM4_FILTER_CUBIC, .src_x1 = 1, .src_y1 = 1, .src_z1 = 1,
		.dst_x1 = 1, .dst_y1 = 1, .dst_z1 = 1 };
	EXPECT(!rs_dma_blit_image(dma, (const uint32_t *)&b, PM4_DWORDS(pm4_blit_image)), "cubic blit of a 3D image accepted");
	free(deep.mem);
}

/* From a compressed image, and from one of the texels that its blocks decode to: the same. */
static void test_blit_blocks(const struct rs_dma *dma)
{
	static const unsigned formats[][2] = { { DFMT_BC1, NFMT_UNORM }, { DFMT_BC5, NFMT_SNORM }, { DFMT_BC6, NFMT_UNORM },
		{ DFMT_ETC2_RGBA, NFMT_SRGB }, { DFMT_ASTC_8x5, NFMT_UNORM }, { DFMT_ASTC_12x12, NFMT_SRGB },
		{ DFMT_ASTC_4x3x3, NFMT_UNORM } };
	for (int round = 0; round < 300; round++) {
		const unsigned *format = formats[rnd() % 7];
		const struct cu_block_format *f = cu_block_format(format[0], format[1]);
		struct image a = create(format[0], format[1], 60, f->depth > 1 || rnd() & 1, random_tiling());
		struct pm4_surface p = a.p;
		p.dfmt = f->dfmt;
		p.nfmt = f->nfmt;
		struct image twin = create_as(p), d = create(DFMT_32_32_32_32, NFMT_FLOAT, 40, false, random_tiling());
		for (uint32_t i = 0; i < a.l.width * a.l.height * a.l.slices; i++) {
			alignas(16) uint8_t texels[CU_BLOCK_BYTES];
			uint32_t x = i % a.l.width, y = i / a.l.width % a.l.height, z = i / a.l.width / a.l.height;
			f->decode(a.mem + texel(&a, x / f->width, y / f->height, z / f->depth), texels);
			memcpy(twin.mem + texel(&twin, x, y, z), texels + ((z % f->depth * f->height + y % f->height) * f->width +
				x % f->width) * f->texel_bytes, f->texel_bytes);
		}
		struct pm4_blit_image b = { .src = a.p, .dst = d.p, .filter = rnd() & 1, .src_x0 = (int32_t)(rnd() % a.l.width),
			.src_x1 = (int32_t)a.l.width, .src_y0 = (int32_t)a.l.height, .src_y1 = (int32_t)(rnd() % a.l.height),
			.src_z0 = (int32_t)a.l.slices - 1, .src_z1 = (int32_t)a.l.slices,
			.dst_x1 = (int32_t)d.l.width, .dst_y1 = (int32_t)d.l.height, .dst_z1 = 1 };
		uint8_t *got = malloc(d.bytes);
		EXPECT(rs_dma_blit_image(dma, (const uint32_t *)&b, PM4_DWORDS(pm4_blit_image)), "blit of format %u refused", format[0]);
		memcpy(got, d.mem, d.bytes);
		b.src = twin.p;
		EXPECT(rs_dma_blit_image(dma, (const uint32_t *)&b, PM4_DWORDS(pm4_blit_image)), "blit of its texels refused");
		EXPECT(!memcmp(got, d.mem, d.bytes), "blit of format %u, %u", format[0], format[1]);
		free(got);
		free(a.mem);
		free(twin.mem);
		free(d.mem);
	}
}

/* Blocks of several slices from a buffer, from a block's first slice on, and back. */
static void test_copy_deep(const struct rs_dma *dma)
{
	enum { BLOCKS = 3 * 4 * 2, BYTES = 16 };
	struct image a = create_as((struct pm4_surface){ 0, 0, 30, 22, 11, 1, 0, random_tiling(), DFMT_ASTC_5x5x4, NFMT_UNORM, SEL_RGBA, 1 });
	uint8_t blocks[BLOCKS * BYTES], back[sizeof blocks];
	struct pm4_copy_image c = { .kind = PM4_COPY_BUFFER_TO_IMAGE, .dst = a.p, .src = a.p, .dst_x = 15, .dst_y = 5, .dst_z = 4,
		.src_x = 15, .src_y = 5, .src_z = 4, .width = 15, .height = 17, .depth = 7, .buffer = { .row_texels = 15, .image_rows = 17 } };
	for (unsigned i = 0; i < sizeof blocks; i++)
		blocks[i] = (uint8_t)rnd();
	for (unsigned step = 0; step < 2; step++) {
		uintptr_t at = (uintptr_t)(step ? back : blocks);
		c.buffer.address_lo = (uint32_t)at;
		c.buffer.address_hi = (uint32_t)((uint64_t)at >> 32);
		EXPECT(rs_dma_copy_image(dma, (const uint32_t *)&c, PM4_DWORDS(pm4_copy_image)), "copy of deep blocks refused");
		c.kind = PM4_COPY_IMAGE_TO_BUFFER;
	}
	for (unsigned i = 0; i < BLOCKS; i++)
		EXPECT(!memcmp(blocks + BYTES * i, a.mem + texel(&a, 3 + i % 3, 1 + i / 3 % 4, 1 + i / 12), BYTES), "block %u", i);
	EXPECT(!memcmp(blocks, back, sizeof blocks), "blocks and back");
	c.src_z = 3;
	EXPECT(!rs_dma_copy_image(dma, (const uint32_t *)&c, PM4_DWORDS(pm4_copy_image)), "from the middle of a block");
	free(a.mem);
}

static void test_malformed(const struct rs_dma *dma)
{
	struct image a = create(DFMT_32, NFMT_UINT, 10, false, TILING_LINEAR);
	struct pm4_clear_image good = { .dst = a.p }, c;
	EXPECT(rs_dma_clear_image(dma, (const uint32_t *)&good, PM4_DWORDS(pm4_clear_image)), "clear refused");
	EXPECT(!rs_dma_clear_image(dma, (const uint32_t *)&good, PM4_DWORDS(pm4_clear_image) - 1), "short packet");
	for (int k = 0; k < 6; k++) {
		c = good;
		switch (k) {
		case 0: c.dst.base_lo = c.dst.base_hi = 0; break;
		case 1: c.dst.tiling = 3; break;
		case 2: c.dst.dfmt = 60; break;
		case 3: c.dst.level = 20; break;
		case 4: c.dst.width = 0; break;
		case 5: c.dst.nfmt = NFMT_UNORM; break;
		}
		EXPECT(!rs_dma_clear_image(dma, (const uint32_t *)&c, PM4_DWORDS(pm4_clear_image)), "malformed %d accepted", k);
	}
	struct pm4_blit_image b = { .src = a.p, .dst = a.p, .src_x1 = 1, .src_y1 = 1, .src_z1 = 1, .dst_x1 = 1, .dst_y1 = 1, .dst_z1 = 1 };
	b.dst.nfmt = NFMT_FLOAT;
	EXPECT(!rs_dma_blit_image(dma, (const uint32_t *)&b, PM4_DWORDS(pm4_blit_image)), "integer to float accepted");
	free(a.mem);
}

int main(void)
{
	struct rs_pool *pool = rs_pool_create(3);
	if (!pool)
		return 1;
	const struct rs_dma dma[2] = { { NULL, &cu_formats_v3 },
		{ pool, CU_TABLE(cu_formats, __builtin_cpu_supports("avx512vl") ? CU_LEVEL_V4 : CU_LEVEL_V3) } };
	for (int k = 0; k < 2; k++) {
		test_copy_image(&dma[k], 1500, 40);
		test_copy_image(&dma[k], 30, 400);
		test_buffers(&dma[k]);
		test_clear(&dma[k]);
		test_blit(&dma[k]);
		test_blit_cubic(&dma[k]);
		test_blit_blocks(&dma[k]);
		test_copy_deep(&dma[k]);
		test_malformed(&dma[k]);
	}
	rs_pool_destroy(pool);
	printf("%d failures\n", failures);
	return failures != 0;
}
