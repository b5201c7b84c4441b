/* SPDX-License-Identifier: MIT */
/* Samples through Y'CbCr conversions against a model in doubles that has its constants and formulas from the text of
 * the specification ("Chroma Reconstruction", "Sampler Y'CbCr Conversion"): every format with every model and range;
 * every siting and filter; swizzles; arrays of conversions and of layers; planes in memory of their own. */
#include <math.h>
#include "ycbcr_rig.h"
#include "ycbcr_array_comp.h"

enum { WIDTH = 12, HEIGHT = 8, SAMPLES = 256 };

static uint32_t rnd(void)
{
	static uint64_t state = 88172645463325252ull;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

/* --- the model --- */

/* R, G and B as the specification writes them, of Cr, Y' and Cb. */
static void to_rgb(VkSamplerYcbcrModelConversion model, double c[3])
{
	double cr = c[0], y = c[1], cb = c[2];
	switch (model) {
	case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709:
		c[0] = y + 1.5748 * cr;
		c[1] = y - 0.13397432 / 0.7152 * cb - 0.33480248 / 0.7152 * cr;
		c[2] = y + 1.8556 * cb;
		break;
	case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601:
		c[0] = y + 1.402 * cr;
		c[1] = y - 0.202008 / 0.587 * cb - 0.419198 / 0.587 * cr;
		c[2] = y + 1.772 * cb;
		break;
	case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020:
		c[0] = y + 1.4746 * cr;
		c[1] = y - 0.11156702 / 0.6780 * cb - 0.38737742 / 0.6780 * cr;
		c[2] = y + 1.8814 * cb;
		break;
	default:
		break;
	}
}

/* c: Cr, Y', Cb as shares of the largest code. */
static void convert(const VkSamplerYcbcrConversionCreateInfo *info, unsigned bits, double c[3])
{
	double max = pow(2, bits) - 1, unit = pow(2, (double)bits - 8);
	if (info->ycbcrModel == VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY)
		return;
	for (int i = 0; i < 3; i++) {
		if (info->ycbcrRange == VK_SAMPLER_YCBCR_RANGE_ITU_FULL)
			c[i] -= i == 1 ? 0 : pow(2, bits - 1.0) / max;
		else
			c[i] = i == 1 ? (c[i] * max - 16 * unit) / (219 * unit) : (c[i] * max - 128 * unit) / (224 * unit);
	}
	to_rgb(info->ycbcrModel, c);
}

struct plane { const uint16_t *codes; int width, height; double max; };

static int clamped(int x, int size)
{
	return x < 0 ? 0 : x >= size ? size - 1 : x;
}

static double texel(const struct plane *p, int x, int y)
{
	return p->codes[clamped(y, p->height) * p->width + clamped(x, p->width)] / p->max;
}

/* At (u, v) in texels. */
static double filtered(const struct plane *p, VkFilter filter, double u, double v)
{
	if (filter == VK_FILTER_NEAREST)
		return texel(p, (int)floor(u), (int)floor(v));
	double x = floor(u - 0.5), y = floor(v - 0.5), a = u - 0.5 - x, b = v - 0.5 - y;
	int i = (int)x, j = (int)y;
	return (1 - a) * (1 - b) * texel(p, i, j) + a * (1 - b) * texel(p, i + 1, j) + (1 - a) * b * texel(p, i, j + 1) +
		a * b * texel(p, i + 1, j + 1);
}

/* Chroma at coordinate x of luma's texels along one dimension, explicitly: which two texels, and the second's share. */
static void taps(bool half, VkChromaLocation at, VkFilter filter, int x, int out[2], double *share)
{
	int even = x & ~1;
	out[0] = out[1] = half ? even / 2 : x;
	*share = 0;
	if (!half || filter == VK_FILTER_NEAREST)
		return;
	if (at == VK_CHROMA_LOCATION_COSITED_EVEN) {
		out[1] = even / 2 + (x & 1);
		*share = 0.5;
	} else {
		out[0] = x & 1 ? even / 2 : even / 2 - 1;
		out[1] = out[0] + 1;
		*share = x & 1 ? 0.25 : 0.75;
	}
}

static double explicit_texel(const struct plane *p, const struct ycc_format *f, const VkSamplerYcbcrConversionCreateInfo *info,
	int x, int y)
{
	int i[2], j[2];
	double a, b;
	taps(f->half_x, info->xChromaOffset, info->chromaFilter, clamped(x, WIDTH), i, &a);
	taps(f->half_y, info->yChromaOffset, info->chromaFilter, clamped(y, HEIGHT), j, &b);
	return (1 - b) * ((1 - a) * texel(p, i[0], j[0]) + a * texel(p, i[1], j[0])) +
		b * ((1 - a) * texel(p, i[0], j[1]) + a * texel(p, i[1], j[1]));
}

static double chroma(const struct plane *p, const struct ycc_format *f, const VkSamplerYcbcrConversionCreateInfo *info,
	VkFilter luma, double u, double v)
{
	if (info->forceExplicitReconstruction) {
		bool linear = luma == VK_FILTER_LINEAR;
		double x = floor(linear ? u - 0.5 : u), y = floor(linear ? v - 0.5 : v), a = u - 0.5 - x, b = v - 0.5 - y;
		int i = (int)x, j = (int)y;
		if (!linear)
			return explicit_texel(p, f, info, i, j);
		return (1 - b) * ((1 - a) * explicit_texel(p, f, info, i, j) + a * explicit_texel(p, f, info, i + 1, j)) +
			b * ((1 - a) * explicit_texel(p, f, info, i, j + 1) + a * explicit_texel(p, f, info, i + 1, j + 1));
	}
	if (f->half_x)
		u = info->xChromaOffset == VK_CHROMA_LOCATION_COSITED_EVEN ? (u + 0.5) / 2 : u / 2;
	if (f->half_y)
		v = info->yChromaOffset == VK_CHROMA_LOCATION_COSITED_EVEN ? (v + 0.5) / 2 : v / 2;
	return filtered(p, f->half_x ? info->chromaFilter : luma, u, v);
}

/* What a sample at (s, t) is to give: R, G, B. */
static void model(const struct ycc_codes *k, const struct ycc_format *f, const VkSamplerYcbcrConversionCreateInfo *info,
	VkFilter luma, const float st[2], double out[3])
{
	double max = pow(2, f->bits) - 1, u = (double)st[0] * WIDTH, v = (double)st[1] * HEIGHT;
	const struct plane y = { k->y, WIDTH, HEIGHT, max }, cb = { k->cb, WIDTH >> f->half_x, HEIGHT >> f->half_y, max },
		cr = { k->cr, cb.width, cb.height, max };
	bool swapped = info->components.r == VK_COMPONENT_SWIZZLE_B;
	out[0] = chroma(swapped ? &cb : &cr, f, info, luma, u, v);
	out[1] = filtered(&y, luma, u, v);
	out[2] = chroma(swapped ? &cr : &cb, f, info, luma, u, v);
	convert(info, f->bits, out);
}

/* --- what is compared --- */

static struct ycc_codes random_codes(const struct ycc_format *f)
{
	struct ycc_codes k = ycc_codes_new(WIDTH, HEIGHT);
	for (size_t i = 0; i < 3 * WIDTH * HEIGHT; i++)
		k.y[i] = (uint16_t)(rnd() & ((1u << f->bits) - 1));
	return k;
}

static void check(struct ycc_rig *r, const struct ycc_codes *k, const struct ycc_format *f,
	const VkSamplerYcbcrConversionCreateInfo *info, VkFilter luma, uint32_t count, double tolerance)
{
	const float *st = r->in.map, *got = r->out.map;
	for (uint32_t i = 0; i < count; i++, st += 2, got += 4) {
		double want[3];
		model(k, f, info, luma, st, want);
		for (int c = 0; c < 3; c++)
			EXPECT(fabs((double)got[c] - want[c]) <= tolerance, "%s model %d range %d siting %d %d filters %d %d explicit %d at "
				"(%g, %g): component %d is %.7g, not %.7g", f->name, info->ycbcrModel, info->ycbcrRange, info->xChromaOffset,
				info->yChromaOffset, luma, info->chromaFilter, info->forceExplicitReconstruction, (double)st[0] * WIDTH,
				(double)st[1] * HEIGHT, c, (double)got[c], want[c]);
		float alpha = info->components.a == VK_COMPONENT_SWIZZLE_ZERO ? 0 : 1;
		EXPECT(got[3] == alpha, "%s: alpha %g", f->name, (double)got[3]);
	}
}

static VkSamplerYcbcrConversionCreateInfo conversion(const struct ycc_format *f)
{
	return (VkSamplerYcbcrConversionCreateInfo){ .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
		.format = f->format, .xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT, .yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT };
}

/* At the centres of luma's texels, unfiltered: one rounding to float is all that may differ. */
static void models_and_ranges(struct ycc_rig *r)
{
	float *st = r->in.map;
	for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
		st[2 * i] = ((float)(i % WIDTH) + 0.5f) / WIDTH;
		st[2 * i + 1] = ((float)(i / WIDTH) + 0.5f) / HEIGHT;
	}
	for (unsigned n = 0; n < YCC_FORMATS + YCC_PLAIN; n++) {
		const struct ycc_format *f = n < YCC_FORMATS ? &ycc_formats[n] : &ycc_plain[n - YCC_FORMATS];
		struct ycc_codes k = random_codes(f);
		struct ycc_image image = ycc_image(&r->vk, f, &k, 1, f->planes > 1 && n % 2);
		for (int i = 0; i < 10; i++) {
			VkSamplerYcbcrConversionCreateInfo info = conversion(f);
			info.ycbcrModel = (VkSamplerYcbcrModelConversion)(i / 2);
			info.ycbcrRange = (VkSamplerYcbcrRange)(i % 2);
			if (i % 3 == 1)
				info.components = (VkComponentMapping){ .r = VK_COMPONENT_SWIZZLE_B, .b = VK_COMPONENT_SWIZZLE_R,
					.a = i == 4 ? VK_COMPONENT_SWIZZLE_ZERO : VK_COMPONENT_SWIZZLE_ONE };
			ycc_sample_one(r, &image, &info, VK_FILTER_NEAREST, WIDTH * HEIGHT);
			check(r, &k, f, &info, VK_FILTER_NEAREST, WIDTH * HEIGHT, 1.5e-6);
		}
		ycc_image_free(&r->vk, &image);
		free(k.y);
	}
}

/* Anywhere, also beyond the edges; between texels at eighths of chroma's, which every filter's weights hold. */
static void sitings_and_filters(struct ycc_rig *r)
{
	float *st = r->in.map;
	for (uint32_t i = 0; i < SAMPLES; i++) {
		st[2 * i] = ((float)(rnd() % (4 * WIDTH + 32)) - 16 + 0.5f) / (4 * WIDTH);
		st[2 * i + 1] = ((float)(rnd() % (4 * HEIGHT + 32)) - 16 + 0.5f) / (4 * HEIGHT);
	}
	for (unsigned n = 0; n < YCC_FORMATS; n++) {
		const struct ycc_format *f = &ycc_formats[n];
		struct ycc_codes k = random_codes(f);
		struct ycc_image image = ycc_image(&r->vk, f, &k, 1, false);
		for (int i = 0; i < 32; i++) {
			VkSamplerYcbcrConversionCreateInfo info = conversion(f);
			VkFilter luma = i & 1 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
			info.chromaFilter = i & 2 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
			info.xChromaOffset = i & 4 ? VK_CHROMA_LOCATION_MIDPOINT : VK_CHROMA_LOCATION_COSITED_EVEN;
			info.yChromaOffset = i & 8 ? VK_CHROMA_LOCATION_MIDPOINT : VK_CHROMA_LOCATION_COSITED_EVEN;
			info.forceExplicitReconstruction = i >> 4;
			ycc_sample_one(r, &image, &info, luma, SAMPLES);
			check(r, &k, f, &info, luma, SAMPLES, 2e-3);
		}
		ycc_image_free(&r->vk, &image);
		free(k.y);
	}
}

/* Three conversions of one image of two layers, in an array; what the shader adds is the size. */
static void arrays(struct ycc_rig *r)
{
	const struct ycc_format *f = &ycc_formats[0];
	struct ycc_codes k = random_codes(f);
	struct ycc_image image = ycc_image(&r->vk, f, &k, 2, true);
	VkSamplerYcbcrConversionCreateInfo info[3];
	struct ycc_conversion c[3];
	VkImageView views[3];
	float *st = r->in.map, *got = r->out.map;
	for (uint32_t i = 0; i < SAMPLES; i++) {
		st[2 * i] = ((float)(rnd() % WIDTH) + 0.5f) / WIDTH;
		st[2 * i + 1] = ((float)(rnd() % HEIGHT) + 0.5f) / HEIGHT;
	}
	for (int i = 0; i < 3; i++) {
		info[i] = conversion(f);
		info[i].ycbcrModel = (VkSamplerYcbcrModelConversion)(2 * i);
		info[i].ycbcrRange = (VkSamplerYcbcrRange)(i & 1);
		c[i] = ycc_convert(&r->vk, &info[i], VK_FILTER_NEAREST);
		views[i] = ycc_view(&r->vk, &image, &c[i], 2);
	}
	ycc_sample(r, views, c, 3, ycc_descriptors(&r->vk, f->format), 3 * SAMPLES);
	for (uint32_t i = 0; i < 3 * SAMPLES; i++) {
		double want[3];
		model(&k, f, &info[i % 3], VK_FILTER_NEAREST, st + 2 * (i / 3), want);
		for (int n = 0; n < 3; n++)
			EXPECT(fabs((double)got[4 * i + (uint32_t)n] - want[n] - (100 * WIDTH + 10 * HEIGHT + 2)) < 1e-3,
				"conversion %u of the array, component %d: %g, not %g", i % 3, n, (double)got[4 * i + (uint32_t)n], want[n]);
	}
	for (int i = 0; i < 3; i++) {
		FN(&r->vk, vkDestroyImageView)(r->vk.device, views[i], NULL);
		ycc_conversion_free(&r->vk, &c[i]);
	}
	ycc_image_free(&r->vk, &image);
	free(k.y);
}

int main(void)
{
	struct ycc_rig r;
	vk_start(&r.vk);
	ycc_start(&r, ycbcr_comp, sizeof ycbcr_comp, SAMPLES);
	models_and_ranges(&r);
	sitings_and_filters(&r);
	ycc_stop(&r);
	ycc_start(&r, ycbcr_array_comp, sizeof ycbcr_array_comp, 3 * SAMPLES);
	arrays(&r);
	ycc_stop(&r);
	vk_stop(&r.vk);
	printf("%d failures\n", failures);
	return failures != 0;
}
