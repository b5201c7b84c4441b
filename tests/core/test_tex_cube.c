/* SPDX-License-Identifier: MIT */
/* Cube maps: seams and corners against a reference that works on directions
 * in 3D, arrays of cubes, LOD of quads that span faces. */
#include "tex_harness.h"

/* Vulkan's table of faces: directions of s, t and the normal. */
static const int axes[6][3][3] = {
	{ { 0, 0, -1 }, { 0, -1, 0 }, { 1, 0, 0 } }, { { 0, 0, 1 }, { 0, -1, 0 }, { -1, 0, 0 } },
	{ { 1, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 } }, { { 1, 0, 0 }, { 0, 0, -1 }, { 0, -1, 0 } },
	{ { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, 1 } }, { { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } },
};

static double dot(const double a[3], const int b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Face and face coordinates in [-1, 1] of a direction. */
static int project(const double dir[3], double *s, double *t)
{
	int best = 0;
	for (int f = 1; f < 6; f++)
		if (dot(dir, axes[f][2]) > dot(dir, axes[best][2]))
			best = f;
	*s = dot(dir, axes[best][0]) / dot(dir, axes[best][2]);
	*t = dot(dir, axes[best][1]) / dot(dir, axes[best][2]);
	return best;
}

static double texel(const struct image *img, unsigned level, int x, int y, int slice)
{
	uint32_t v[4];
	cu_format_unpack(img->dfmt, img->nfmt, image_texel(img, level, (uint32_t)x, (uint32_t)y, (uint32_t)slice), v);
	return bits_float(v[0]);
}

/* Texel of a face's plane extended by one; false at a corner. */
static bool plane_texel(const struct image *img, unsigned level, int size, int layer, int face, int x, int y, double *v)
{
	double s = (2.0 * x + 1 - size) / size, t = (2.0 * y + 1 - size) / size, dir[3];
	if ((x < 0 || x >= size) && (y < 0 || y >= size))
		return false;
	for (int k = 0; k < 3; k++)
		dir[k] = s * axes[face][0][k] + t * axes[face][1][k] + axes[face][2][k];
	face = project(dir, &s, &t);
	*v = texel(img, level, (int)floor((s + 1) / 2 * size), (int)floor((t + 1) / 2 * size), 6 * layer + face);
	return true;
}

static double sample_linear(const struct image *img, unsigned level, int layer, int face, double s, double t)
{
	int size = (int)surf_minify(img->w, level), corner = -1;
	double u = s * size - 0.5, v = t * size - 0.5, tap[4] = { 0 }, sum = 0, fx = u - floor(u), fy = v - floor(v);
	for (int k = 0; k < 4; k++) {
		if (plane_texel(img, level, size, layer, face, (int)floor(u) + (k & 1), (int)floor(v) + (k >> 1), &tap[k]))
			sum += tap[k];
		else
			corner = k;
	}
	if (corner >= 0)
		tap[corner] = sum / 3;
	return (tap[0] * (1 - fx) + tap[1] * fx) * (1 - fy) + (tap[2] * (1 - fx) + tap[3] * fx) * fy;
}

static void set_sampler(uint32_t s[4], unsigned linear)
{
	memset(s, 0, 16);
	ISA_SET(s, S_XY_MAG_FILTER, linear);
	ISA_SET(s, S_XY_MIN_FILTER, linear);
	ISA_SET(s, S_MIP_FILTER, S_MIP_POINT);
	ISA_SET(s, S_MAX_LOD, 4095);
	ISA_SET(s, S_CLAMP_X, S_WRAP); /* must not matter */
}

/* Random directions, many near edges and corners. */
static void random_direction(double dir[3])
{
	for (int k = 0; k < 3; k++)
		dir[k] = rnd01() * 2 - 1;
	if (rnd() & 1)
		dir[1] = dir[0] * (1 + (rnd01() - 0.5) * 0.2) * (rnd() & 1 ? 1 : -1);
	if (rnd() & 1)
		dir[2] = dir[0] * (1 + (rnd01() - 0.5) * 0.2) * (rnd() & 1 ? 1 : -1);
}

static void test_seams(struct cu_wave *w)
{
	for (int round = 0; round < 400; round++) {
		uint32_t size = 1 + rnd() % 9, s[4];
		struct image img = image_create(T_TYPE_CUBE, DFMT_8, NFMT_UNORM, rnd() & 1 ? TILING_4X4 : TILING_LINEAR, size, size, 12, 2);
		double expect[64];
		bool linear = rnd() % 4 != 0, gather = rnd() % 4 == 0;
		unsigned level = rnd() & 1;
		set_sampler(s, linear);
		for (int i = 0; i < 64; i++) {
			double dir[3], sc, tc;
			int layer = (int)(rnd() & 1), n = (int)surf_minify(size, level);
			random_direction(dir);
			int face = project(dir, &sc, &tc);
			float x = (float)(sc / 2 + 1.5), y = (float)(tc / 2 + 1.5);
			w->vgpr[0][i] = float_bits(x);
			w->vgpr[1][i] = float_bits(y);
			int asked = layer ? 1 + (int)(rnd() & 3) : 0; /* one past the last is the last */
			w->vgpr[2][i] = float_bits((float)(8 * asked + face));
			w->vgpr[3][i] = float_bits((float)level);
			int px = (int)floorf((x - 1) * (float)n), py = (int)floorf((y - 1) * (float)n);
			expect[i] = linear ? sample_linear(&img, level, layer, face, x - 1, y - 1) :
				texel(&img, level, px >= n ? n - 1 : px, py >= n ? n - 1 : py, 6 * layer + face);
			if (gather && !plane_texel(&img, level, n, layer, face, (int)floor((x - 1) * (double)n - 0.5), (int)floor((y - 1) * (double)n - 0.5), &expect[i]))
				expect[i] = -1; /* a corner */
		}
		cu_set_exec(w, ~0ull);
		struct gcn_inst in = mimg(gather ? GCN_IMAGE_GATHER4_L : GCN_IMAGE_SAMPLE_L, 0, 10, 1, &img);
		EXPECT(run(w, &in, &img, s), "cube refused");
		for (int i = 0; i < 64; i++) {
			float got = bits_float(w->vgpr[gather ? 13 : 10][i]);
			EXPECT(expect[i] < 0 || fabs(got - expect[i]) < 1e-5, "cube size %u level %u lane %d: %f not %f%s", size, level, i, got, expect[i],
				gather ? " (gather)" : "");
		}
		image_destroy(&img);
	}
}

/* A quad over a corner: its lane 3 on its own face has that face's LOD. */
static void test_corner_lod(struct cu_wave *w)
{
	struct image img = image_create(T_TYPE_CUBE, DFMT_8, NFMT_UNORM, TILING_4X4, 16, 16, 6, 5);
	uint32_t s[4];
	set_sampler(s, 1);
	for (int i = 0; i < 64; i++) {
		double e = 1.0 / 16, a = 1 + e - (i & 1) * 2 * e, b = 1 + e - (i >> 1 & 1) * 2 * e, sc, tc;
		int face = project((double[3]){ a, b, 1 }, &sc, &tc);
		w->vgpr[0][i] = float_bits((float)(sc / 2 + 1.5));
		w->vgpr[1][i] = float_bits((float)(tc / 2 + 1.5));
		w->vgpr[2][i] = float_bits((float)face);
	}
	cu_set_exec(w, ~0ull);
	struct gcn_inst in = mimg(GCN_IMAGE_GET_LOD, 0, 10, 3, &img);
	EXPECT(run(w, &in, &img, s), "get_lod refused");
	for (int i = 3; i < 64; i += 4)
		EXPECT(fabsf(bits_float(w->vgpr[11][i])) < 1e-3f, "corner lod %f", bits_float(w->vgpr[11][i]));
	image_destroy(&img);
}

/* A quad over an edge has the LOD of its neighbours, not of a jump. */
static void test_lod(struct cu_wave *w)
{
	struct image img = image_create(T_TYPE_CUBE, DFMT_8, NFMT_UNORM, TILING_4X4, 64, 64, 6, 7);
	uint32_t s[4];
	set_sampler(s, 1);
	for (int i = 0; i < 64; i++) {
		/* 1/64 of a face a pixel, along an edge of two faces each. */
		double a = 0.99 + (i & 1) * 2.0 / 64, b = (i >> 2) / 20.0 - 0.4 + (i >> 1 & 1) * 2.0 / 64, dir[3] = { 1, b, a }, sc, tc;
		int face = project(dir, &sc, &tc);
		w->vgpr[0][i] = float_bits((float)(sc / 2 + 1.5));
		w->vgpr[1][i] = float_bits((float)(tc / 2 + 1.5));
		w->vgpr[2][i] = float_bits((float)face);
	}
	cu_set_exec(w, ~0ull);
	struct gcn_inst in = mimg(GCN_IMAGE_GET_LOD, 0, 10, 3, &img);
	EXPECT(run(w, &in, &img, s), "get_lod refused");
	for (int i = 0; i < 64; i++)
		EXPECT(fabsf(bits_float(w->vgpr[11][i])) < 0.1f, "edge lod %f", bits_float(w->vgpr[11][i]));
	image_destroy(&img);
}

int main(void)
{
	struct cu_wave *w = wave_create();
	test_seams(w);
	test_lod(w);
	test_corner_lod(w);
	free(w);
	printf("%d failures\n", failures);
	return failures != 0;
}
