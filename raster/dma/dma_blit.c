/* SPDX-License-Identifier: MIT */
/* QW_BLIT_IMAGE: vkCmdBlitImage.  A destination texel's centre maps linearly
 * to the source; linear filtering reads two texels along each scaled axis,
 * cubic filtering four along x and y, clamped to the edges of the source level.
 *
 * A source row is decoded in chunks of 16 texels ([component][texel], as the block converters
 * give them), filtered along x, its texels' components side by side, and kept while neighbouring
 * destination rows need it.  Where each destination texel is the mean of 2x2 others, as those of most
 * mip levels are, components stay apart. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>
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
 * the third (of two). */
struct blit_tap { uint32_t i[4]; float weight; };

enum { CHUNK = 16 };

struct blit_job {
	struct surf_plane src, dst;
	const struct cu_block_format *block; /* of a compressed source; NULL: its elements are texels */
	unsigned texel_bytes;            /* of the source, before it is unpacked */
	cu_unpack_block_fn unpack;
	cu_pack_block_fn pack;
	uint8_t from[4];                 /* destination component k: a source component, or 4: zero, 5: one */
	uint32_t one;
	bool linear, cubic;              /* cubic: linear too, along z */
	bool halves;                     /* linear, along x and y to half of them */
	bool copies;                     /* texels as they are: the nearest ones, of the same format */
	uint32_t dst_at[3], extent[3];   /* destination box, mirroring resolved */
	struct blit_tap *tap[3];         /* [extent] of each axis */
	uint32_t first, chunks;          /* source columns decoded: [first, first + 16 chunks) */
	uint32_t bands, rows;
	_Atomic bool failed;
};

/* Source rows of one band, filtered along x: direct mapped by the low bits of y and z, for cubic
 * filters (2D) of y. */
struct blit_rows {
	const struct blit_job *job;
	uint8_t *raw, *packed;           /* a source row, a destination row */
	__m128 *decoded;             /* the source row */
	__m128 *row[4];                  /* [extent in whole chunks] */
	uint64_t key[4];
	uint64_t packed_key;             /* of `copies`: the source row that packed is of */
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

/* Texels of the row as they lie, those between first and the last that is read. */
static void read_raw(struct blit_rows *r, uint32_t y, uint32_t z)
{
	const struct blit_job *j = r->job;
	uint32_t n = j->src.width - j->first;
	if (n > j->chunks * CHUNK)
		n = j->chunks * CHUNK;
	if (j->block)
		block_row(j, r->raw, y, z, n);
	else
		rs_copy_row(j->src.bpe, r->raw, TILING_LINEAR, 0, surf_row(&j->src, y, z), j->src.tiling, j->first, n);
}

static void decode_row(struct blit_rows *r)
{
	const struct blit_job *j = r->job;
	for (uint32_t c = 0; c < j->chunks; c++) {
		alignas(16) uint32_t mem[4][CHUNK];
		__m128 *out = r->decoded + c * CHUNK;
		j->unpack(r->raw + c * CHUNK * j->texel_bytes, mem);
		for (unsigned i = 0; i < CHUNK; i += 4) {
			__m128 t[4];
			for (unsigned k = 0; k < 4; k++)
				t[k] = _mm_load_ps((const float *)&mem[k][i]);
			_MM_TRANSPOSE4_PS(t[0], t[1], t[2], t[3]);
			for (unsigned k = 0; k < 4; k++)
				out[i + k] = t[k];
		}
	}
}

static __m128 lerp(__m128 a, __m128 b, __m128 f) { return _mm_add_ps(a, _mm_mul_ps(f, _mm_sub_ps(b, a))); }

/* Catmull-Rom weights of four texels (Vulkan, "Texel Filtering"), f from the second to the third. */
static void find_cubic(float weight[4], float f)
{
	float rest = 1 - f;
	weight[0] = -0.5f * f * rest * rest;
	weight[1] = f * f * (1.5f * f - 2.5f) + 1;
	weight[2] = rest * rest * (1.5f * rest - 2.5f) + 1;
	weight[3] = -0.5f * rest * f * f;
}

/* Weights of 0 take nothing: infinite values must not reach others. */
static void filter_x(const struct blit_job *j, const __m128 *texels, __m128 *out)
{
	const struct blit_tap *tap = j->tap[0];
	for (uint32_t i = 0; i < j->extent[0]; i++, tap++) {
		if (!j->cubic) {
			const __m128 a = texels[tap->i[1] - j->first];
			out[i] = tap->weight == 0 ? a : lerp(a, texels[tap->i[2] - j->first], _mm_set1_ps(tap->weight));
			continue;
		}
		__m128 sum = _mm_setzero_ps();
		float weight[4];
		find_cubic(weight, tap->weight);
		for (unsigned x = 0; x < 4; x++)
			if (weight[x] != 0)
				sum = _mm_add_ps(sum, _mm_mul_ps(_mm_set1_ps(weight[x]), texels[tap->i[x] - j->first]));
		out[i] = sum;
	}
}

static const __m128 *filtered_row(struct blit_rows *r, uint32_t y, uint32_t z)
{
	const unsigned slot = r->job->cubic ? y & 3 : (y & 1) | (z & 1) << 1;
	const uint64_t key = (uint64_t)z << 32 | y;
	if (r->key[slot] != key) {
		read_raw(r, y, z);
		decode_row(r);
		filter_x(r->job, r->decoded, r->row[slot]);
		r->key[slot] = key;
	}
	return r->row[slot];
}

/* A chunk of a destination row, of texels of filtered rows: the second is the next one along y, the others along z. */
static void filter_yz(const __m128 *const row[4], float wy, float wz, __m128 out[CHUNK])
{
	const __m128 y = _mm_set1_ps(wy), z = _mm_set1_ps(wz);
	for (unsigned i = 0; i < CHUNK; i++)
		out[i] = wy == 0 ? row[0][i] : lerp(row[0][i], row[1][i], y);
	for (unsigned i = 0; i < CHUNK && wz != 0; i++)
		out[i] = lerp(out[i], wy == 0 ? row[2][i] : lerp(row[2][i], row[3][i], y), z);
}

static void filter_cubic(const __m128 *const row[4], float f, __m128 out[CHUNK])
{
	float wy[4];
	find_cubic(wy, f);
	for (unsigned i = 0; i < CHUNK; i++)
		out[i] = _mm_setzero_ps();
	for (unsigned y = 0; y < 4; y++)
		for (unsigned i = 0; i < CHUNK && wy[y] != 0; i++)
			out[i] = _mm_add_ps(out[i], _mm_mul_ps(_mm_set1_ps(wy[y]), row[y][i]));
}

/* A chunk's components, which from numbers. */
struct components { alignas(16) uint32_t c[4][CHUNK]; };

/* To destination components, and those to memory. */
static void pack_components(const struct blit_job *j, const struct components *mem, uint8_t *packed)
{
	alignas(16) uint32_t to[4][CHUNK];
	for (unsigned k = 0; k < 4; k++) {
		const uint32_t constant = j->from[k] == 5 ? j->one : 0;
		if (j->from[k] < 4)
			memcpy(to[k], mem->c[j->from[k]], sizeof to[k]);
		else
			for (unsigned i = 0; i < CHUNK; i++)
				to[k][i] = constant;
	}
	j->pack((const uint32_t (*)[CHUNK])to, packed);
}

static void pack_chunk(const struct blit_job *j, const __m128 texels[CHUNK], uint8_t *packed)
{
	struct components mem;
	for (unsigned i = 0; i < CHUNK; i += 4) {
		__m128 t[4] = { texels[i], texels[i + 1], texels[i + 2], texels[i + 3] };
		_MM_TRANSPOSE4_PS(t[0], t[1], t[2], t[3]);
		for (unsigned k = 0; k < 4; k++)
			_mm_store_ps((float *)&mem.c[k][i], t[k]);
	}
	pack_components(j, &mem, packed);
}

/* The means of two texels each of a source row. */
static void halve_x(struct blit_rows *r, uint32_t y, uint32_t z, struct components *out)
{
	const struct blit_job *j = r->job;
	const __m128 half = _mm_set1_ps(0.5f);
	read_raw(r, y, z);
	for (uint32_t c = 0; c < j->chunks; c += 2, out++) {
		struct components in[2];
		for (unsigned n = 0; n < 2; n++)
			j->unpack(r->raw + (c + n) * CHUNK * j->texel_bytes, in[n].c);
		for (unsigned k = 0; k < 4; k++)
			for (unsigned i = 0; i < CHUNK; i += 4) {
				const float *from = (const float *)&in[i / 8].c[k][2 * i % CHUNK];
				const __m128 a = _mm_load_ps(from), b = _mm_load_ps(from + 4);
				_mm_store_ps((float *)&out->c[k][i], lerp(_mm_shuffle_ps(a, b, 0x88), _mm_shuffle_ps(a, b, 0xdd), half));
			}
	}
}

static void halve_row(struct blit_rows *r, uint32_t y, uint32_t z)
{
	const struct blit_job *j = r->job;
	const uint32_t *from = j->tap[1][y].i;
	struct components *const row[2] = { (struct components *)r->row[0], (struct components *)r->row[1] };
	const __m128 half = _mm_set1_ps(0.5f);
	for (unsigned n = 0; n < 2; n++)
		halve_x(r, from[1 + n], j->tap[2][z].i[1], row[n]);
	for (uint32_t c = 0; c < j->chunks / 2; c++) {
		struct components mem;
		for (unsigned k = 0; k < 4; k++)
			for (unsigned i = 0; i < CHUNK; i += 4)
				_mm_store_ps((float *)&mem.c[k][i], lerp(_mm_load_ps((const float *)&row[0][c].c[k][i]),
					_mm_load_ps((const float *)&row[1][c].c[k][i]), half));
		pack_components(j, &mem, r->packed + c * CHUNK * j->dst.bpe);
	}
}

/* One destination row in linear order. */
static void blit_row(struct blit_rows *r, uint32_t y, uint32_t z)
{
	const struct blit_job *j = r->job;
	const struct blit_tap ty = j->tap[1][y], tz = j->tap[2][z];
	const __m128 *row[4] = { NULL };
	for (unsigned k = 0; k < 4; k++)
		if (j->cubic)
			row[k] = filtered_row(r, ty.i[k], tz.i[1]);
		else if ((!(k & 1) || ty.weight != 0) && (k < 2 || tz.weight != 0))
			row[k] = filtered_row(r, ty.i[1 + (k & 1)], tz.i[1 + (k >> 1)]);
	for (uint32_t x = 0; x < j->extent[0]; x += CHUNK) {
		__m128 texels[CHUNK];
		if (j->cubic)
			filter_cubic(row, ty.weight, texels);
		else
			filter_yz(row, ty.weight, tz.weight, texels);
		pack_chunk(j, texels, r->packed + x * j->dst.bpe);
		for (unsigned k = 0; k < 4; k++)
			row[k] = row[k] ? row[k] + CHUNK : NULL;
	}
}

/* The same of the nearest texels as they are, of so many bytes. */
static inline void pick(struct blit_rows *r, unsigned bytes)
{
	const struct blit_job *j = r->job;
	const struct blit_tap *tap = j->tap[0];
	for (uint32_t i = 0; i < j->extent[0]; i++)
		memcpy(r->packed + i * bytes, r->raw + (tap[i].i[1] - j->first) * bytes, bytes);
}

static void copy_texels(struct blit_rows *r, uint32_t y, uint32_t z)
{
	const struct blit_job *j = r->job;
	const uint32_t from[2] = { j->tap[1][y].i[1], j->tap[2][z].i[1] };
	const uint64_t key = (uint64_t)from[1] << 32 | from[0];
	if (r->packed_key == key)
		return;
	r->packed_key = key;
	read_raw(r, from[0], from[1]);
	switch (j->src.bpe) {
	case 1: pick(r, 1); break;
	case 2: pick(r, 2); break;
	case 4: pick(r, 4); break;
	case 8: pick(r, 8); break;
	default: pick(r, j->src.bpe); break;
	}
}

static bool make_rows(const struct blit_job *j, struct blit_rows *r)
{
	const size_t decoded = j->copies ? 0 : (size_t)j->chunks * CHUNK, out = ((size_t)j->extent[0] + CHUNK - 1) / CHUNK * CHUNK;
	const size_t row = j->copies ? 0 : out, raw = (size_t)j->chunks * CHUNK * j->texel_bytes;
	const size_t texels = decoded + 4 * row;
	const size_t tail = j->copies ? 0 : CHUNK;
	__m128 *memory = aligned_alloc(64, (texels * sizeof *memory + raw + out * j->dst.bpe + 63) / 64 * 64);
	if (!memory)
		return false;
	*r = (struct blit_rows){ .job = j, .decoded = memory, .raw = (uint8_t *)(memory + texels), .packed_key = UINT64_MAX };
	r->packed = r->raw + raw;
	memset(r->raw, 0, raw); /* what is behind the last column is decoded and filtered, but not used */
	for (unsigned i = 0; i < 4; i++) {
		r->row[i] = memory + decoded + i * row;
		r->key[i] = UINT64_MAX;
		memset(r->row[i] + row - tail, 0, tail * sizeof *memory);
	}
	return true;
}

static void blit_band(void *data, uint32_t index, unsigned thread)
{
	struct blit_job *j = data;
	const uint32_t z = index / j->bands, y0 = index % j->bands * j->rows, y1 = y0 + j->rows;
	struct blit_rows r;
	if (!make_rows(j, &r)) {
		j->failed = true;
		return;
	}
	for (uint32_t y = y0; y < y1 && y < j->extent[1]; y++) {
		if (j->copies)
			copy_texels(&r, y, z);
		else if (j->halves)
			halve_row(&r, y, z);
		else
			blit_row(&r, y, z);
		rs_copy_row(j->dst.bpe, surf_row(&j->dst, j->dst_at[1] + y, j->dst_at[2] + z), j->dst.tiling, j->dst_at[0],
			r.packed, TILING_LINEAR, 0, j->extent[0]);
	}
	free(r.decoded);
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
	j->copies = !j->linear && !j->block && b->src.dfmt == b->dst.dfmt && b->src.nfmt == b->dst.nfmt && b->src.sel == b->dst.sel;
	return true;
}

/* Whether texels of the axis are means of two each, one pair after the other. */
static bool is_halved(const struct blit_job *j, int axis)
{
	const struct blit_tap *tap = j->tap[axis];
	for (uint32_t i = 0; i < j->extent[axis]; i++)
		if (tap[i].weight != 0.5f || tap[i].i[1] != tap->i[1] + 2 * i || tap[i].i[2] != tap[i].i[1] + 1)
			return false;
	return true;
}

static bool is_flat(const struct blit_job *j)
{
	for (uint32_t z = 0; z < j->extent[2]; z++)
		if (j->tap[2][z].weight != 0)
			return false;
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
	j->chunks = (last - first) / CHUNK + 1;
	j->halves = j->linear && !j->cubic && is_halved(j, 0) && is_halved(j, 1) && is_flat(j);
	j->chunks += j->halves && j->chunks & 1;
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
