/* SPDX-License-Identifier: MIT */
/* image_sample, image_gather4 and image_get_lod against a plain scalar
 * reference in double precision, for random images, samplers and coordinates.
 * Lanes whose result hangs on a rounding (nearest texel or level at its
 * boundary) are left out. */
#include "tex_harness.h"

static unsigned checked; /* lanes that were not left out */

#define EPS 2e-3 /* texels or levels: how near to a boundary is left out */

struct sampler {
	unsigned clamp[3], border, compare, mip;
	bool mag_linear, min_linear, unnormalized;
	double min_lod, max_lod, bias;
	uint32_t s[4];
};

/* One lane's operands. */
struct lane { double coord[3], slice, ddx[3], ddy[3], bias, lod, compare; int offset[3]; };

struct request {
	const struct image *img;
	const struct sampler *smp;
	const char *name;
	unsigned sel[4];
	bool integer, use_c, use_d, use_l, use_lz, use_b, use_cl, use_o, gather, own_level;
	bool unsure; /* set by the reference */
	double slack[4]; /* likewise */
};

/* floor(v), noting when v is near an integer. */
static int sure_floor(struct request *q, double v)
{
	double f = floor(v);
	if (v - f < EPS || v - f > 1 - EPS)
		q->unsure = true;
	return (int)f;
}

static int wrap(int i, int n, unsigned mode, bool *border)
{
	int m = ((i % (2 * n)) + 2 * n) % (2 * n);
	switch (mode) {
	case S_WRAP: return ((i % n) + n) % n;
	case S_MIRROR: return m < n ? m : 2 * n - 1 - m;
	case S_CLAMP_LAST_TEXEL: return i < 0 ? 0 : i >= n ? n - 1 : i;
	case S_MIRROR_ONCE_LAST_TEXEL: i = i < 0 ? -1 - i : i; return i >= n ? n - 1 : i;
	case S_MIRROR_ONCE_BORDER: i = i < 0 ? -1 - i : i; /* fall through */
	default: if (i < 0 || i >= n) { *border = true; return 0; } return i;
	}
}

static double compare(unsigned func, double r, double d)
{
	bool res[8] = { false, r < d, r == d, r <= d, r > d, r != d, r >= d, true };
	return res[func];
}

/* One texel of the view by wrapped index, in memory components. */
static void texel(struct request *q, const struct lane *l, unsigned level, const int size[3], const int index[3], double out[4])
{
	const struct image *img = q->img;
	bool border = false;
	int c[3] = { 0 };
	for (unsigned d = 0; d < image_dims(img); d++)
		c[d] = wrap(index[d], size[d], q->smp->clamp[d], &border);
	uint32_t slice = ISA_GET(img->t, T_BASE_ARRAY), count = ISA_GET(img->t, T_LAST_ARRAY) - slice + 1;
	if (image_is_3d(img))
		slice = (uint32_t)c[2];
	else if (image_arrayed(img)) {
		double s = nearbyint(l->slice);
		slice += s < 0 ? 0 : s > count - 1 ? count - 1 : (uint32_t)s;
	}
	uint32_t v[4];
	cu_format_unpack(img->dfmt, img->nfmt, image_texel(img, level + ISA_GET(img->t, T_BASE_LEVEL), (uint32_t)c[0], (uint32_t)c[1], slice), v);
	static const unsigned alphas[] = { [BC_XYZW] = 3, [BC_XWYZ] = 1, [BC_WZYX] = 0, [BC_WXYZ] = 0, [BC_ZYXW] = 3, [BC_YXWZ] = 2 };
	unsigned alpha = alphas[ISA_GET(img->t, T_BC_SWIZZLE)];
	for (unsigned k = 0; k < 4; k++) {
		bool one = q->smp->border == S_BORDER_OPAQUE_WHITE || (q->smp->border == S_BORDER_OPAQUE_BLACK && k == alpha);
		out[k] = border ? one : q->integer ? (double)v[k] : (double)bits_float(v[k]);
	}
	if (q->use_c) {
		double r = l->compare;
		if (img->nfmt == NFMT_UNORM)
			r = fmin(fmax(r, 0), 1);
		out[0] = compare(q->smp->compare, r, out[0]);
		out[1] = out[2] = 0;
		out[3] = 1;
	}
}

static void level_sizes(const struct request *q, unsigned level, int size[3])
{
	unsigned real = level + ISA_GET(q->img->t, T_BASE_LEVEL);
	size[0] = (int)surf_minify(q->img->w, real);
	size[1] = (int)surf_minify(q->img->h, real);
	size[2] = image_is_3d(q->img) ? (int)surf_minify(q->img->slices, real) : 1;
}

/* Positions have 8 bits within a texel (subTexelPrecisionBits): q->slack is how far that may take a result. */
static void sample_level(struct request *q, const struct lane *l, unsigned level, bool linear, double out[4], double tap[4][4])
{
	int size[3], base[3] = { 0 };
	double f[3] = { 0 }, low[4] = { INFINITY, INFINITY, INFINITY, INFINITY }, high[4] = { -INFINITY, -INFINITY, -INFINITY, -INFINITY };
	unsigned dims = image_dims(q->img);
	level_sizes(q, level, size);
	for (unsigned d = 0; d < dims; d++) {
		double u = q->smp->unnormalized ? l->coord[d] : l->coord[d] * size[d];
		if (linear && !q->gather) {
			base[d] = (int)floor(u - 0.5);
			f[d] = u - 0.5 - base[d];
		} else { /* discontinuous */
			base[d] = sure_floor(q, u - (linear ? 0.5 : 0));
		}
		base[d] += l->offset[d];
	}
	for (int c = 0; c < 4; c++)
		out[c] = 0;
	for (unsigned k = 0; k < (linear ? 1u << dims : 1); k++) {
		double weight = 1, v[4];
		int index[3];
		for (unsigned d = 0; d < dims; d++) {
			index[d] = base[d] + (k >> d & 1);
			weight *= k >> d & 1 ? f[d] : 1 - f[d];
		}
		texel(q, l, level, size, index, v);
		for (int c = 0; c < 4; c++) {
			out[c] += weight * v[c];
			low[c] = fmin(low[c], v[c]);
			high[c] = fmax(high[c], v[c]);
			if (tap && k < 4)
				tap[k][c] = v[c];
		}
	}
	for (int c = 0; c < 4; c++)
		q->slack[c] = fmax(q->slack[c], linear ? dims * (high[c] - low[c]) / 512 : 0);
	if (!linear)
		texel(q, l, level, size, base, out);
}

static double base_lambda(const struct request *q, const struct lane *l)
{
	int size[3];
	double x = 0, y = 0;
	if (q->use_l)
		return l->lod;
	if (q->use_lz)
		return 0;
	level_sizes(q, 0, size);
	for (unsigned d = 0; d < image_dims(q->img); d++) {
		x += pow(l->ddx[d] * size[d], 2);
		y += pow(l->ddy[d] * size[d], 2);
	}
	return log2(fmax(sqrt(x), sqrt(y)));
}

static void reference(struct request *q, const struct lane *l, double out[4], double lod[2])
{
	const struct sampler *smp = q->smp;
	double lambda = base_lambda(q, l) + fmin(fmax(smp->bias + (q->use_b ? l->bias : 0), -16), 16);
	double min_lod = smp->min_lod, view_min = ISA_GET(q->img->t, T_MIN_LOD) / 256.0, tap[4][4];
	unsigned last = ISA_GET(q->img->t, T_LAST_LEVEL) - ISA_GET(q->img->t, T_BASE_LEVEL);
	if (q->use_cl)
		min_lod = fmax(min_lod, l->lod);
	lod[1] = lambda;
	lambda = fmin(fmax(lambda, min_lod), smp->max_lod);
	if (smp->unnormalized)
		lambda = 0;
	if (fabs(lambda) < EPS && smp->mag_linear != smp->min_linear && !smp->unnormalized && lambda != 0)
		q->unsure = true;
	bool linear = (lambda <= 0 ? smp->mag_linear : smp->min_linear) && !q->integer;
	double d = fmin(fmax(lambda, view_min), last), delta = 0;
	unsigned first = 0;
	if (smp->mip == S_MIP_LINEAR) {
		first = (unsigned)floor(d);
		delta = d - first;
	} else if (smp->mip == S_MIP_POINT) {
		first = (unsigned)(ceil(d + 0.5) - 1);
		if (d != floor(d) && fabs(d - floor(d) - 0.5) < EPS)
			q->unsure = true;
	}
	if (q->gather && q->use_lz)
		first = 0;
	lod[0] = first + delta;
	if (q->gather) {
		static const int order[4] = { 2, 3, 1, 0 };
		sample_level(q, l, first, true, out, tap);
		if (smp->mip == S_MIP_LINEAR && !q->use_lz && (delta < EPS || delta > 1 - EPS))
			q->unsure = true;
		for (int i = 0; i < 4; i++)
			out[i] = view_min >= 1 ? 0 : tap[order[i]][q->sel[0] - SEL_R];
		return;
	}
	sample_level(q, l, first, linear, out, NULL);
	if (delta > 0 && first < last && !q->integer) {
		double more[4];
		sample_level(q, l, first + 1, linear, more, NULL);
		for (int c = 0; c < 4; c++) {
			q->slack[c] += fabs(more[c] - out[c]) / 512; /* mipmapPrecisionBits */
			out[c] += delta * (more[c] - out[c]);
		}
	}
	if (q->integer && delta > 1 - EPS)
		q->unsure = true;
}

/* Writes the operands in the unit's order; returns the number of VGPRs. */
static unsigned write_address(struct cu_wave *w, const struct request *q, const struct lane l[64])
{
	unsigned n = 0, dims = image_dims(q->img);
	for (int i = 0; i < 64; i++) {
		n = 0;
		if (q->use_o)
			w->vgpr[n++][i] = (uint32_t)((l[i].offset[0] & 63) | (l[i].offset[1] & 63) << 8 | (l[i].offset[2] & 63) << 16);
		if (q->use_b)
			w->vgpr[n++][i] = float_bits((float)l[i].bias);
		if (q->use_c)
			w->vgpr[n++][i] = float_bits((float)l[i].compare);
		if (q->use_d) {
			for (unsigned d = 0; d < dims; d++)
				w->vgpr[n++][i] = float_bits((float)l[i].ddx[d]);
			for (unsigned d = 0; d < dims; d++)
				w->vgpr[n++][i] = float_bits((float)l[i].ddy[d]);
		}
		for (unsigned d = 0; d < dims; d++)
			w->vgpr[n++][i] = float_bits((float)l[i].coord[d]);
		if (image_arrayed(q->img))
			w->vgpr[n++][i] = float_bits((float)l[i].slice);
		if (q->use_l || q->use_cl)
			w->vgpr[n++][i] = float_bits((float)l[i].lod);
	}
	return n;
}

static void random_sampler(struct sampler *smp, bool linear_allowed)
{
	static const unsigned modes[] = { S_WRAP, S_MIRROR, S_CLAMP_LAST_TEXEL, S_MIRROR_ONCE_LAST_TEXEL, S_CLAMP_BORDER, S_MIRROR_ONCE_BORDER };
	memset(smp, 0, sizeof(*smp));
	for (int d = 0; d < 3; d++)
		ISA_SET(smp->s, (d == 0 ? S_CLAMP_X : d == 1 ? S_CLAMP_Y : S_CLAMP_Z), smp->clamp[d] = modes[rnd() % 6]);
	int bias = rnd() % 2 ? (int)(rnd() % 512) - 256 : 0, min = (int)(rnd() % 3) * 128 * (int)(rnd() & 1), max = rnd() & 1 ? 4095 : (int)(rnd() % 1024);
	if (rnd() % 4 == 0)
		max = 64 * (int)(rnd() % 4); /* where all lanes read the first level, and just not */
	smp->border = rnd() % 3;
	smp->compare = rnd() % 8;
	smp->mip = rnd() % 3;
	smp->mag_linear = rnd() & 1 && linear_allowed;
	smp->min_linear = rnd() & 1 && linear_allowed;
	if (max < min)
		max = min;
	smp->bias = bias / 256.0;
	smp->min_lod = min / 256.0;
	smp->max_lod = max / 256.0;
	ISA_SET(smp->s, S_BORDER_COLOR_TYPE, smp->border);
	ISA_SET(smp->s, S_DEPTH_COMPARE_FUNC, smp->compare);
	ISA_SET(smp->s, S_MIP_FILTER, smp->mip);
	ISA_SET(smp->s, S_XY_MAG_FILTER, smp->mag_linear);
	ISA_SET(smp->s, S_XY_MIN_FILTER, smp->min_linear);
	ISA_SET(smp->s, S_MIN_LOD, (uint32_t)min);
	ISA_SET(smp->s, S_MAX_LOD, (uint32_t)max);
	ISA_SET(smp->s, S_LOD_BIAS, (uint32_t)bias);
	smp->unnormalized = rnd() % 8 == 0;
	ISA_SET(smp->s, S_FORCE_UNNORMALIZED, smp->unnormalized);
}

/* Opcode variants with their operands: the name's parts. */
static const struct { enum gcn_op op; const char *parts; } ops[] = {
#define V(name) { GCN_IMAGE_##name, #name "_" }
#define V2(name) V(name), V(name##_O)
	V2(SAMPLE), V2(SAMPLE_CL), V2(SAMPLE_D), V2(SAMPLE_D_CL), V2(SAMPLE_L), V2(SAMPLE_B), V2(SAMPLE_B_CL), V2(SAMPLE_LZ),
	V2(SAMPLE_C), V2(SAMPLE_C_CL), V2(SAMPLE_C_D), V2(SAMPLE_C_D_CL), V2(SAMPLE_C_L), V2(SAMPLE_C_B), V2(SAMPLE_C_B_CL),
	V2(SAMPLE_C_LZ), V2(SAMPLE_CD), V2(SAMPLE_CD_CL), V2(SAMPLE_C_CD), V2(SAMPLE_C_CD_CL),
	V2(GATHER4), V2(GATHER4_CL), V2(GATHER4_L), V2(GATHER4_B), V2(GATHER4_B_CL), V2(GATHER4_LZ),
	V2(GATHER4_C), V2(GATHER4_C_CL), V2(GATHER4_C_L), V2(GATHER4_C_B), V2(GATHER4_C_B_CL), V2(GATHER4_C_LZ),
	V(GET_LOD),
};
#define OP_COUNT (sizeof(ops) / sizeof(ops[0]))

static const unsigned color_formats[][2] = {
	{ DFMT_8_8_8_8, NFMT_UNORM }, { DFMT_8_8_8_8, NFMT_SRGB }, { DFMT_8, NFMT_UNORM }, { DFMT_16, NFMT_SNORM },
	{ DFMT_16_16_16_16, NFMT_UNORM }, { DFMT_5_6_5, NFMT_UNORM }, { DFMT_8_8_8_8, NFMT_UINT }, { DFMT_32_32, NFMT_UINT },
	{ DFMT_16_16, NFMT_SNORM }, { DFMT_8_8, NFMT_UNORM }, { DFMT_32, NFMT_FLOAT }, { DFMT_16_16_16_16, NFMT_FLOAT },
	{ DFMT_32_32_32_32, NFMT_FLOAT }, { DFMT_4_4_4_4, NFMT_UNORM }, { DFMT_2_10_10_10, NFMT_UNORM }, { DFMT_10_11_11, NFMT_FLOAT },
};
static const unsigned depth_formats[][2] = { { DFMT_16, NFMT_UNORM }, { DFMT_32, NFMT_FLOAT } };

static struct image random_image(const struct request *q)
{
	static const unsigned all_types[] = { T_TYPE_2D, T_TYPE_1D, T_TYPE_3D, T_TYPE_1D_ARRAY, T_TYPE_2D_ARRAY };
	unsigned type = q->gather ? rnd() & 1 ? T_TYPE_2D : T_TYPE_2D_ARRAY : all_types[rnd() % 5];
	const unsigned *f = q->use_c ? depth_formats[rnd() % 2] : color_formats[rnd() % (sizeof color_formats / sizeof *color_formats)];
	uint32_t w = rnd() & 1 ? 1u << rnd() % 7 : 1 + rnd() % 60, h = rnd() & 1 ? 1u << rnd() % 7 : 1 + rnd() % 60;
	if (type == T_TYPE_1D || type == T_TYPE_1D_ARRAY)
		h = 1;
	struct image img = image_create(type, f[0], f[1], rnd() & 1 ? TILING_LINEAR : TILING_4X4, w, h, 1 + rnd() % 6, 1 + rnd() % 6);
	if (f[1] == NFMT_FLOAT) /* [0, 1] with few values, so that depths are equal at times */
		for (size_t i = 0; i < img.bytes; i += img.bpe) {
			uint32_t v[4];
			for (int c = 0; c < 4; c++)
				v[c] = float_bits((float)(rnd() % 17) / 16);
			cu_format_pack(f[0], f[1], v, img.mem + i);
		}
	ISA_SET(img.t, T_BASE_LEVEL, rnd() % img.levels);
	ISA_SET(img.t, T_MIN_LOD, rnd() % 4 ? 0 : rnd() % 300);
	if (image_arrayed(&img)) {
		uint32_t first = rnd() % img.slices;
		ISA_SET(img.t, T_BASE_ARRAY, first);
		ISA_SET(img.t, T_LAST_ARRAY, first + rnd() % (img.slices - first));
	}
	return img;
}

/* Quads with derivatives of a random scale; coordinates in [-1.7, 2.7]. */
static void random_lanes(const struct request *q, struct lane l[64])
{
	int size[3];
	level_sizes(q, 0, size);
	for (int quad = 0; quad < 16; quad++) {
		double at[3], dx[3], dy[3], scale = exp2(rnd01() * 10 - 3);
		const double level = rnd01() * 7 - 1;
		for (int d = 0; d < 3; d++) {
			double unit = q->smp->unnormalized ? 1 : 1.0 / size[d];
			at[d] = (rnd01() * 4.4 - 1.7) * unit * size[d];
			dx[d] = (float)((rnd01() - 0.5) * scale * unit);
			dy[d] = (float)((rnd01() - 0.5) * scale * unit);
		}
		for (int i = 4 * quad; i < 4 * quad + 4; i++) {
			for (int d = 0; d < 3; d++)
				l[i].coord[d] = (float)(at[d] + (i & 1 ? dx[d] : 0) + (i & 2 ? dy[d] : 0));
			l[i].slice = (float)(rnd01() * 8 - 1);
			l[i].bias = (float)(rnd01() * 4 - 2);
			l[i].lod = (float)(q->own_level ? rnd01() * 7 - 1 : level);
			l[i].compare = rnd() % 3 ? (double)(rnd() % 17) / 16 : (float)(rnd01() * 1.4 - 0.2);
			for (int d = 0; d < 3; d++)
				l[i].offset[d] = q->use_o ? (int)(rnd() % 64) - 32 : 0;
		}
		for (int i = 4 * quad; i < 4 * quad + 4; i++)
			for (int d = 0; d < 3; d++) {
				l[i].ddx[d] = q->use_d ? dx[d] : l[4 * quad + 1].coord[d] - l[4 * quad].coord[d];
				l[i].ddy[d] = q->use_d ? dy[d] : l[4 * quad + 2].coord[d] - l[4 * quad].coord[d];
			}
	}
}

/* Some lanes off; what they have matters where derivatives are not the quad's. */
static uint64_t lose_lanes(struct cu_wave *w, const struct request *q)
{
	const uint64_t exec = (uint64_t)rnd() << 32 | rnd();
	for (int i = 0; i < 64 && (q->use_d || q->use_l); i++)
		for (int n = 0; n < 12 && !(exec >> i & 1); n++)
			w->vgpr[n][i] = float_bits((float)rnd01());
	return exec;
}

static void check_lane(struct request *q, const struct lane *l, const struct cu_wave *w, int i, unsigned dmask, unsigned data)
{
	double out[4], lod[2];
	bool get_lod = !strcmp(q->name, "GET_LOD_");
	q->unsure = false;
	memset(q->slack, 0, sizeof q->slack);
	reference(q, l, out, lod);
	if (image_arrayed(q->img) && fabs(l->slice - floor(l->slice) - 0.5) < 1e-6)
		return;
	if (get_lod) {
		EXPECT(fabs(bits_float(w->vgpr[data + 1][i]) - lod[1]) < 1e-3 || lod[1] < -20, "raw lod %f not %f", bits_float(w->vgpr[data + 1][i]), lod[1]);
		EXPECT(q->unsure || fabs(bits_float(w->vgpr[data][i]) - lod[0]) < 1e-3, "lod %f not %f", bits_float(w->vgpr[data][i]), lod[0]);
		return;
	}
	if (q->unsure)
		return;
	checked++;
	for (unsigned c = 0, n = data; c < 4; c++) {
		if (!q->gather && !(dmask >> c & 1))
			continue;
		uint32_t got = w->vgpr[n++][i];
		double expect = q->gather ? out[c] : out[q->sel[c] - SEL_R];
		double error = q->integer ? (double)got - expect : bits_float(got) - expect;
		double most = 1e-3 + (q->gather ? 0 : q->slack[q->sel[c] - SEL_R]);
		EXPECT(fabs(error) < most, "%s type %u dfmt %u nfmt %u lane %d channel %u: %f not %f (coord %f %f %f)", q->name, q->img->type,
			q->img->dfmt, q->img->nfmt, i, c, q->integer ? (double)got : bits_float(got), expect, l->coord[0], l->coord[1], l->coord[2]);
	}
}

static unsigned component_count(unsigned dfmt)
{
	switch (dfmt) {
	case DFMT_8: case DFMT_16: case DFMT_32: return 1;
	case DFMT_8_8: case DFMT_16_16: case DFMT_32_32: return 2;
	case DFMT_5_6_5: case DFMT_10_11_11: return 3;
	default: return 4;
	}
}

static bool has_part(const char *name, const char *part) { return strstr(name, part) != NULL; }

static void test_random(int rounds)
{
	struct cu_wave *w = wave_create();
	static struct lane l[64];
	for (int round = 0; round < rounds; round++) {
		const char *name = ops[(unsigned)round % OP_COUNT].parts;
		struct request q = { .name = name, .gather = has_part(name, "GATHER"), .use_c = has_part(name, "_C_"),
			.use_d = has_part(name, "_D_") || has_part(name, "_CD_"), .use_l = has_part(name, "_L_"),
			.use_lz = has_part(name, "_LZ_"), .use_b = has_part(name, "_B_"), .use_cl = has_part(name, "_CL_"),
			.use_o = has_part(name, "_O_"), .own_level = rnd() & 1 };
		struct image img = random_image(&q);
		struct sampler smp;
		q.integer = img.nfmt == NFMT_UINT;
		random_sampler(&smp, !q.integer);
		if (!strcmp(name, "GET_LOD_") && smp.unnormalized) {
			smp.unnormalized = false;
			ISA_SET(smp.s, S_FORCE_UNNORMALIZED, 0);
		}
		q.img = &img;
		q.smp = &smp;
		unsigned count = component_count(img.dfmt);
		for (unsigned c = 0; c < 4; c++)
			ISA_SET(img.t, T_DST_SEL(c), q.sel[c] = SEL_R + rnd() % count);
		ISA_SET(img.t, T_BC_SWIZZLE, rnd() % 6);
		random_lanes(&q, l);
		write_address(w, &q, l);
		unsigned dmask = q.gather ? 1 : !strcmp(name, "GET_LOD_") ? 3 : 1 + rnd() % 15, data = rnd() & 1 ? 40 : 0;
		const uint64_t exec = rnd() & 3 ? ~0ull : lose_lanes(w, &q);
		cu_set_exec(w, exec);
		struct gcn_inst in = mimg(ops[(unsigned)round % OP_COUNT].op, 0, data, dmask, &img);
		EXPECT(run(w, &in, &img, smp.s), "%s refused", name);
		for (int i = 0; i < 64; i++)
			if (exec >> i & 1)
				check_lane(&q, &l[i], w, i, dmask, data);
		image_destroy(&img);
	}
	free(w);
}

/* Bad coordinates must stay inside the image; dead lanes keep their data but
 * still lend their coordinates to their quad. */
static void test_wild(void)
{
	static const uint32_t wild[] = { 0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 1, 0x80000000, 0x4f000000, 0xcf000000 };
	struct cu_wave *w = wave_create();
	for (int round = 0; round < 4000; round++) {
		struct request q = { .use_c = rnd() & 1 };
		struct image img = random_image(&q);
		struct sampler smp;
		random_sampler(&smp, true);
		for (int n = 0; n < 12; n++)
			for (int i = 0; i < 64; i++)
				w->vgpr[n][i] = rnd() & 1 ? wild[rnd() % 10] : rnd() & 1 ? rnd() : float_bits((float)rnd01());
		uint64_t exec = (uint64_t)rnd() << 32 | rnd();
		memset(w->vgpr[40], 0x11, 4 * sizeof(w->vgpr[0]));
		cu_set_exec(w, exec);
		unsigned k = rnd() % OP_COUNT;
		struct gcn_inst in = mimg(ops[k].op, 0, 40, 1, &img);
		if (run(w, &in, &img, smp.s))
			for (int i = 0; i < 64; i++)
				EXPECT(exec >> i & 1 || w->vgpr[40][i] == 0x11111111, "dead lane written");
		image_destroy(&img);
	}
	free(w);
}

/* At a texel's centre its neighbours weigh nothing, even infinite ones. */
static void test_infinite_neighbour(void)
{
	static const unsigned types[] = { T_TYPE_2D, T_TYPE_3D };
	struct cu_wave *w = wave_create();
	for (int k = 0; k < 2; k++) {
		struct image img = image_create(types[k], DFMT_32, NFMT_FLOAT, TILING_LINEAR, 4, 1, 1, 1);
		struct sampler smp;
		random_sampler(&smp, true);
		memset(smp.s, 0, sizeof(smp.s));
		ISA_SET(smp.s, S_XY_MAG_FILTER, S_FILTER_BILINEAR);
		ISA_SET(smp.s, S_XY_MIN_FILTER, S_FILTER_BILINEAR);
		for (uint32_t x = 0; x < 4; x++) {
			uint32_t v = x & 1 ? 0x7f800000 : float_bits((float)x);
			memcpy(image_texel(&img, 0, x, 0, 0), &v, 4);
		}
		for (int i = 0; i < 64; i++) {
			w->vgpr[0][i] = float_bits(((float)(i & 3) + 0.5f) / 4);
			w->vgpr[1][i] = w->vgpr[2][i] = float_bits(0.5f);
		}
		cu_set_exec(w, ~0ull);
		struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE_LZ, 0, 10, 1, &img);
		EXPECT(run(w, &in, &img, smp.s), "refused");
		for (int i = 0; i < 64; i += 2)
			EXPECT(bits_float(w->vgpr[10][i]) == (float)(i & 3), "infinite neighbour: %f", bits_float(w->vgpr[10][i]));
		image_destroy(&img);
	}
	free(w);
}

/* What a quad reads does not depend on what the wave's other quads read: one by one they get the same bits as all together,
 * whether those agree on levels and filters or not, and whether others are at a border. */
static void test_quads_alone(void)
{
	static const unsigned types[] = { T_TYPE_2D, T_TYPE_2D, T_TYPE_2D_ARRAY, T_TYPE_3D, T_TYPE_CUBE, T_TYPE_1D };
	static const unsigned formats[][2] = { { DFMT_8_8_8_8, NFMT_UNORM }, { DFMT_8_8_8_8, NFMT_SRGB }, { DFMT_16_16_16_16, NFMT_FLOAT },
		{ DFMT_16_16_16_16, NFMT_UNORM }, { DFMT_5_6_5, NFMT_UNORM }, { DFMT_16_16, NFMT_SNORM } };
	static const float steps[3] = { 1.4f, 0.7f, 1.05f }; /* the last ones are filtered as minified, and next to it */
	static const uint32_t clamps[3] = { S_WRAP, S_CLAMP_LAST_TEXEL, S_CLAMP_BORDER };
	struct cu_wave *w = wave_create();
	for (unsigned round = 0; round < 1800; round++) {
		const unsigned type = types[round % 6], *format = formats[round / 6 % 6], slices = type == T_TYPE_2D || type == T_TYPE_1D ? 1 : 6;
		struct image img = image_create(type, format[0], format[1], round & 1 ? TILING_4X4 : TILING_LINEAR, 32, type == T_TYPE_1D ? 1 : 32, slices, 5);
		struct gcn_inst in = mimg(GCN_IMAGE_SAMPLE, 0, 10, 15, &img);
		uint32_t s[4] = { 0 }, address[3][64], together[4][64];
		ISA_SET(s, S_CLAMP_X, clamps[round / 7 % 3]);
		ISA_SET(s, S_CLAMP_Y, clamps[round / 11 % 3]);
		ISA_SET(s, S_BORDER_COLOR_TYPE, S_BORDER_OPAQUE_WHITE);
		ISA_SET(s, S_XY_MAG_FILTER, round & 4 ? S_FILTER_BILINEAR : S_FILTER_POINT);
		ISA_SET(s, S_XY_MIN_FILTER, round & 16 ? S_FILTER_BILINEAR : S_FILTER_POINT);
		ISA_SET(s, S_MIP_FILTER, round & 8 ? S_MIP_LINEAR : S_MIP_POINT);
		ISA_SET(s, S_MAX_LOD, 4095);
		for (unsigned i = 0; i < 64; i++) { /* a few quads, or none, are further away than the rest */
			const float step = (i / 4 % 7 < round % 3 ? 5.0f : steps[(round / 3 + i / 4 * (round / 9)) % 3]) / 32;
			const float wide = round / 13 % 3 == 1 ? 2.5f : 1, begin = round / 13 % 3 == 2 ? 0.02f : 0; /* or just inside */
			address[0][i] = float_bits(begin + (float)(i / 4) / 17 * wide + (i & 1 ? step : 0) + (type == T_TYPE_CUBE ? 1 : 0));
			address[1][i] = float_bits(0.4f + (i & 2 ? step : 0) + (type == T_TYPE_CUBE ? 1 : 0));
			address[2][i] = float_bits(type == T_TYPE_3D ? 0.3f : (float)(i / 4 % 6));
		}
		for (unsigned quad = 0; quad <= 16; quad++) {
			memcpy(w->vgpr[0], address, sizeof address);
			memset(w->vgpr[10], 0, sizeof together);
			for (unsigned i = 0; i < 64 && quad; i++) /* what lanes have that are off does not matter either */
				if (i / 4 != quad - 1)
					w->vgpr[0][i] = w->vgpr[1][i] = float_bits(3);
			cu_set_exec(w, quad ? 15ull << (4 * quad - 4) : ~0ull);
			EXPECT(run(w, &in, &img, s), "refused");
			for (unsigned c = 0; c < 4 && quad; c++)
				EXPECT(!memcmp(&w->vgpr[10 + c][4 * quad - 4], &together[c][4 * quad - 4], 16), "round %u, quad %u", round, quad - 1);
			if (!quad)
				memcpy(together, w->vgpr[10], sizeof together);
		}
		image_destroy(&img);
	}
	free(w);
}

int main(void)
{
	test_random((int)OP_COUNT * 120);
	test_wild();
	test_infinite_neighbour();
	test_quads_alone();
	EXPECT(checked > 100000, "too few lanes were sure: %u", checked);
	printf("%u lanes checked, %d failures\n", checked, failures);
	return failures != 0;
}
