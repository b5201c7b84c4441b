/* SPDX-License-Identifier: MIT */
/* QW_BLIT_IMAGE: vkCmdBlitImage.  A destination texel's centre maps linearly
 * to the source; linear filtering reads two texels along each scaled axis,
 * cubic filtering four along x and y, clamped to the edges of the source level.
 *
 * Source rows are decoded once, in chunks of 16 texels ([component][texel], as
 * the block converters give them), and kept while neighbouring destination
 * rows need them. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include "core/format/block.h"
#include "core/format/format.h"
#include "core/level.h"
#include "isa/bits.h"
#include "isa/pm4.h"
#include "isa/resource.h"
#include "raster/copy_row.h"
#include "raster/dma/dma.h"
#include "raster/dma/dma_priv.h"

/* One destination coordinate: source coordinates from one before to two behind, the weight of
 * the third (of two), weights of all four. */
struct blit_tap { uint32_t i[4]; float weight, cubic[4]; };

struct blit_job {
	struct surf_plane src, dst;
	const struct cu_block_format *block; /* of a compressed source; NULL: its elements are texels */
	unsigned texel_bytes;            /* of the source, before it is unpacked */
	cu_unpack_block_fn unpack;
	cu_pack_block_fn pack;
	uint8_t from[4];                 /* destination component k: a source component, or 4: zero, 5: one */
	uint32_t one;
	bool linear, cubic;              /* cubic: linear too, along z */
	uint32_t dst_at[3], extent[3];   /* destination box, mirroring resolved */
	struct blit_tap *tap[3];         /* [extent] of each axis */
	uint32_t first, chunks;          /* source columns decoded: [first, first + 16 chunks) */
	uint32_t bands, rows;
	_Atomic bool failed;
};

/* Decoded source rows of one band: direct mapped by the low bits of y and z, for cubic filters
 * (2D) of y. */
struct blit_rows {
	const struct blit_job *job;
	uint8_t *raw;
	uint32_t *row[4];
	uint64_t key[4];
};

/* Texels [first, first + n) of a row that goes through blocks. */
static void block_row(const struct blit_job *j, uint8_t *out, uint32_t y, uint32_t z, uint32_t n)
{
	const struct cu_block_format *f = j->block;
	uint32_t x = j->first, end = x + n;
	while (x < end) {
		alignas(16) uint8_t texels[CU_BLOCK_BYTES];
		uint32_t within = x % f->width, count = f->width - within < end - x ? f->width - within : end - x;
		f->decode(surf_at(&j->src, x / f->width, y / f->height, z / f->depth), texels);
		memcpy(out, texels + ((z % f->depth * f->height + y % f->height) * f->width + within) * f->texel_bytes, count * f->texel_bytes);
		out += count * f->texel_bytes;
		x += count;
	}
}

static const uint32_t *source_row(struct blit_rows *r, uint32_t y, uint32_t z)
{
	const struct blit_job *j = r->job;
	unsigned slot = j->cubic ? y & 3 : (y & 1) | (z & 1) << 1;
	uint64_t key = (uint64_t)z << 32 | y;
	if (r->key[slot] == key)
		return r->row[slot];
	uint32_t n = j->src.width - j->first;
	if (n > j->chunks * 16)
		n = j->chunks * 16;
	if (j->block)
		block_row(j, r->raw, y, z, n);
	else
		rs_copy_row(j->src.bpe, r->raw, TILING_LINEAR, 0, surf_row(&j->src, y, z), j->src.tiling, j->first, n);
	for (uint32_t c = 0; c < j->chunks; c++)
		j->unpack(r->raw + c * 16 * j->texel_bytes, (uint32_t (*)[16])(r->row[slot] + c * 64));
	r->key[slot] = key;
	return r->row[slot];
}

/* Weight 0 takes a as it is: an infinite b must not reach it. */
static float lerp(float a, float b, float f) { return f == 0 ? a : a + f * (b - a); }

static float row_value(const uint32_t *row, uint32_t o0, uint32_t o1, float weight)
{
	return lerp(bits_float(row[o0]), bits_float(row[o1]), weight);
}

/* Component c of source texel `x` in a decoded row. */
static uint32_t row_offset(const struct blit_job *j, uint32_t x, unsigned c)
{
	x -= j->first;
	return (x >> 4) * 64 + c * 16 + (x & 15);
}

static void filter_chunk(const struct blit_job *j, const uint32_t *const row[4], const struct blit_tap *tx, uint32_t n,
	float wy, float wz, unsigned c, uint32_t out[16])
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t o0 = row_offset(j, tx[i].i[1], c), o1 = row_offset(j, tx[i].i[2], c);
		if (!j->linear) {
			out[i] = row[0][o0];
			continue;
		}
		float v = lerp(row_value(row[0], o0, o1, tx[i].weight), row_value(row[1], o0, o1, tx[i].weight), wy);
		if (wz != 0)
			v = lerp(v, lerp(row_value(row[2], o0, o1, tx[i].weight), row_value(row[3], o0, o1, tx[i].weight), wy), wz);
		memcpy(&out[i], &v, 4);
	}
}

static void filter_cubic(const struct blit_job *j, const uint32_t *const row[4], const struct blit_tap *tx, uint32_t n,
	const float wy[4], unsigned c, uint32_t out[16])
{
	for (uint32_t i = 0; i < n; i++) {
		float v = 0;
		for (unsigned y = 0; y < 4; y++) {
			float sum = 0;
			for (unsigned x = 0; x < 4; x++)
				if (tx[i].cubic[x] != 0) /* infinite values must not reach others */
					sum += tx[i].cubic[x] * bits_float(row[y][row_offset(j, tx[i].i[x], c)]);
			if (wy[y] != 0)
				v += wy[y] * sum;
		}
		memcpy(&out[i], &v, 4);
	}
}

/* One destination row; packed is a linear row of at least `extent` texels. */
static void blit_row(struct blit_rows *r, uint8_t *packed, uint32_t y, uint32_t z)
{
	const struct blit_job *j = r->job;
	struct blit_tap ty = j->tap[1][y], tz = j->tap[2][z];
	const uint32_t *row[4] = { NULL };
	for (unsigned k = 0; k < 4; k++)
		if (j->cubic)
			row[k] = source_row(r, ty.i[k], tz.i[1]);
		else if (k < 2 || tz.weight != 0)
			row[k] = source_row(r, ty.i[1 + (k & 1)], tz.i[1 + (k >> 1)]);
	for (uint32_t x = 0; x < j->extent[0]; x += 16) {
		uint32_t mem[4][16] = { 0 }, n = j->extent[0] - x < 16 ? j->extent[0] - x : 16;
		for (unsigned k = 0; k < 4; k++) {
			if (j->from[k] < 4 && j->cubic)
				filter_cubic(j, row, j->tap[0] + x, n, ty.cubic, j->from[k], mem[k]);
			else if (j->from[k] < 4)
				filter_chunk(j, row, j->tap[0] + x, n, ty.weight, tz.weight, j->from[k], mem[k]);
			else if (j->from[k] == 5)
				for (uint32_t i = 0; i < 16; i++)
					mem[k][i] = j->one;
		}
		j->pack((const uint32_t (*)[16])mem, packed + x * j->dst.bpe);
	}
	rs_copy_row(j->dst.bpe, surf_row(&j->dst, j->dst_at[1] + y, j->dst_at[2] + z), j->dst.tiling, j->dst_at[0],
		packed, TILING_LINEAR, 0, j->extent[0]);
}

static void blit_band(void *data, uint32_t index, unsigned thread)
{
	struct blit_job *j = data;
	uint32_t z = index / j->bands, y0 = index % j->bands * j->rows, y1 = y0 + j->rows;
	size_t row_dwords = (size_t)j->chunks * 64, raw_bytes = (size_t)j->chunks * 16 * j->texel_bytes;
	size_t packed_bytes = ((size_t)j->extent[0] + 15) / 16 * 16 * j->dst.bpe;
	/* The raw row's tail past the source's last column is decoded but not used. */
	uint8_t *memory = calloc(1, row_dwords * 4 * 4 + raw_bytes + packed_bytes);
	if (!memory) {
		j->failed = true;
		return;
	}
	struct blit_rows r = { .job = j, .raw = memory + row_dwords * 16 };
	for (int i = 0; i < 4; i++) {
		r.row[i] = (uint32_t *)(void *)memory + i * row_dwords;
		r.key[i] = UINT64_MAX;
	}
	for (uint32_t y = y0; y < y1 && y < j->extent[1]; y++)
		blit_row(&r, r.raw + raw_bytes, y, z);
	free(memory);
}

/* Catmull-Rom weights of four texels (Vulkan, "Texel Filtering"), f from the second to the third. */
static void set_cubic(float weight[4], float f)
{
	float rest = 1 - f;
	weight[0] = -0.5f * f * rest * rest;
	weight[1] = f * f * (1.5f * f - 2.5f) + 1;
	weight[2] = rest * rest * (1.5f * rest - 2.5f) + 1;
	weight[3] = -0.5f * rest * f * f;
}

static uint32_t clamped(int64_t i, int64_t last)
{
	return (uint32_t)(i < 0 ? 0 : i > last ? last : i);
}

/* One axis: checks both ranges, resolves mirroring, makes the taps. False for
 * coordinates outside the level, or no memory. */
static bool make_axis(struct blit_job *j, int axis, int32_t s0, int32_t s1, int32_t d0, int32_t d1, bool linear)
{
	const uint32_t src_sizes[3] = { j->src.width, j->src.height, j->src.slices };
	const uint32_t dst_sizes[3] = { j->dst.width, j->dst.height, j->dst.slices };
	int64_t src_size = src_sizes[axis], dst_size = dst_sizes[axis];
	if (d1 < d0) {
		int32_t d = d0, s = s0;
		d0 = d1;
		d1 = d;
		s0 = s1;
		s1 = s;
	}
	if (d0 < 0 || d1 > dst_size || s0 < 0 || s1 < 0 || s0 > src_size || s1 > src_size || s0 == s1)
		return false;
	j->dst_at[axis] = (uint32_t)d0;
	j->extent[axis] = (uint32_t)(d1 - d0);
	j->tap[axis] = malloc(sizeof(struct blit_tap) * j->extent[axis]);
	if (!j->tap[axis])
		return false;
	double scale = ((double)s1 - s0) / ((double)d1 - d0);
	for (uint32_t i = 0; i < j->extent[axis]; i++) {
		double u = s0 + ((double)i + 0.5) * scale - (linear ? 0.5 : 0), whole = floor(u);
		struct blit_tap *tap = &j->tap[axis][i];
		tap->weight = linear ? (float)(u - whole) : 0;
		set_cubic(tap->cubic, tap->weight);
		for (int k = 0; k < 4; k++)
			tap->i[k] = clamped((int64_t)whole + (j->cubic ? k - 1 : k >= 2 && linear), src_size - 1);
	}
	return true;
}

/* Where destination components come from, by way of the channels. */
static void map_components(struct blit_job *j, uint32_t src_sel, uint32_t dst_sel)
{
	memset(j->from, 4, sizeof(j->from));
	for (unsigned ch = 0; ch < 4; ch++) {
		unsigned d = dst_sel >> 3 * ch & 7, s = src_sel >> 3 * ch & 7;
		if (d >= SEL_R)
			j->from[d - SEL_R] = (uint8_t)(s >= SEL_R ? s - SEL_R : s == SEL_1 ? 5 : 4);
	}
}

static bool decode_formats(struct blit_job *j, const struct pm4_blit_image *b, const struct cu_formats *formats)
{
	bool src_int = b->src.nfmt == NFMT_UINT || b->src.nfmt == NFMT_SINT;
	bool dst_int = b->dst.nfmt == NFMT_UINT || b->dst.nfmt == NFMT_SINT;
	j->block = cu_block_format(b->src.dfmt, b->src.nfmt);
	j->texel_bytes = j->block ? j->block->texel_bytes : j->src.bpe;
	j->unpack = j->block ? formats->unpack_block(j->block->dfmt, j->block->nfmt) :
		formats->unpack_block(b->src.dfmt, b->src.nfmt);
	j->pack = formats->pack_block(b->dst.dfmt, b->dst.nfmt);
	if (!j->unpack || !j->pack || src_int != dst_int || (src_int && b->src.nfmt != b->dst.nfmt))
		return false;
	j->one = src_int ? 1 : 0x3f800000;
	j->linear = b->filter != PM4_FILTER_NEAREST && !src_int;
	j->cubic = b->filter == PM4_FILTER_CUBIC && !src_int;
	map_components(j, b->src.sel, b->dst.sel);
	return true;
}

static void run_blit(struct rs_pool *pool, struct blit_job *j)
{
	uint32_t first = UINT32_MAX, last = 0;
	for (uint32_t i = 0; i < j->extent[0]; i++) {
		for (unsigned k = 0; k < 4; k++) {
			uint32_t at = j->tap[0][i].i[k];
			first = at < first ? at : first;
			last = at > last ? at : last;
		}
	}
	j->first = first;
	j->chunks = (last - first) / 16 + 1;
	j->rows = 16;
	j->bands = (j->extent[1] + j->rows - 1) / j->rows;
	uint64_t bytes = (uint64_t)j->extent[0] * j->extent[1] * j->extent[2] * 16;
	dma_run(pool, bytes, j->bands * j->extent[2], blit_band, j);
}

bool rs_dma_blit_image(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords)
{
	struct pm4_blit_image b;
	struct blit_job j = { 0 };
	if (dwords != PM4_DWORDS(pm4_blit_image))
		return false;
	memcpy(&b, payload, sizeof(b));
	if (b.dst_x0 == b.dst_x1 || b.dst_y0 == b.dst_y1 || b.dst_z0 == b.dst_z1)
		return true;
	if (!dma_surface(&b.src, &j.src) || !dma_surface(&b.dst, &j.dst) || !decode_formats(&j, &b, dma->formats) ||
	    j.src.samples > 1 || j.dst.samples > 1 || b.filter > PM4_FILTER_CUBIC || (j.cubic && j.src.is_3d))
		return false;
	bool ok = make_axis(&j, 0, b.src_x0, b.src_x1, b.dst_x0, b.dst_x1, j.linear) &&
		make_axis(&j, 1, b.src_y0, b.src_y1, b.dst_y0, b.dst_y1, j.linear) &&
		make_axis(&j, 2, b.src_z0, b.src_z1, b.dst_z0, b.dst_z1, j.linear && b.src.is_3d);
	if (ok)
		run_blit(dma->pool, &j);
	for (int axis = 0; axis < 3; axis++)
		free(j.tap[axis]);
	return ok && !j.failed;
}
