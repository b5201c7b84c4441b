/* SPDX-License-Identifier: MIT */
/* Blending into targets of other formats than RGBA8: layers over the whole picture, which is then shown by a blit. */
#include "bench/steps.h"

#include <math.h>

struct target { VkFormat format; unsigned channels, samples; bool srgb, add, most; };

static const struct target *of(const struct bench *b) { return b->scene->how; }

static void setup(struct bench *b)
{
	static const VkPipelineColorBlendAttachmentState sum = { VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE,
		VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, 15 };
	static const VkPipelineColorBlendAttachmentState most = { VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE,
		VK_BLEND_OP_MAX, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_MAX, 15 };
	const struct target *t = of(b);
	const VkFormatFeatureFlags wanted = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT;
	if (!vh_format_can(&b->vh, t->format, wanted))
		vh_lacks("format %d with blending", t->format);
	b->texture = vh_make_image(&b->vh, &(struct vh_image_info){ .format = t->format, .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
		.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT });
	b->target = vh_make_image(&b->vh, &(struct vh_image_info){ .format = t->srgb ? VK_FORMAT_R8G8B8A8_SRGB : VK_FORMAT_R8G8B8A8_UNORM,
		.width = BENCH_WIDTH, .height = BENCH_HEIGHT,
		.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT });
	const struct vh_image many = vh_make_image(&b->vh, &(struct vh_image_info){ .format = t->format, .width = BENCH_WIDTH,
		.height = BENCH_HEIGHT, .samples = t->samples, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT });
	const struct vh_pass_info pass = { .colors = { t->samples > 1 ? &many : &b->texture }, .resolve = t->samples > 1 ? &b->texture : NULL };
	b->pass = vh_make_pass(&b->vh, &pass);
	b->layout = vh_make_layout(&b->vh, NULL, 0, 0, 0);
	bench_make_layers(b, t->most ? &most : t->add ? &sum : &bench_over);
}

static void record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdDraw(commands, 6, BENCH_LAYERS, 0, 0);
	vkCmdEndRenderPass(commands);
	bench_show(b, commands, &b->texture, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const struct target *t = of(b);
	rgb[0] = rgb[1] = rgb[2] = 0;
	for (int layer = 0; layer < BENCH_LAYERS; layer++) {
		float color[3];
		bench_layer_color(x, y, layer, color);
		for (unsigned c = 0; c < t->channels; c++)
			rgb[c] = t->most ? fmaxf(rgb[c], color[c]) : rgb[c] + 0.25f * (t->add ? color[c] : color[c] - rgb[c]);
	}
	for (unsigned c = 0; c < 3; c++)
		rgb[c] = t->srgb ? bench_srgb_of_linear(rgb[c]) : fminf(rgb[c], 1);
	return true;
}

#define SCENE(scene, text, bound, ...) { .name = "target_" scene, .unit = "Mpixel/s", .what = text, .setup = setup, .record = record, \
	.work = 1e-6 * BENCH_WIDTH * BENCH_HEIGHT * BENCH_LAYERS, .expect = expect, .tolerance = bound, .how = &(const struct target){ __VA_ARGS__ } }

const struct bench_scene bench_targets[BENCH_TARGETS] = {
	SCENE("rgba8", "16 layers over one another in RGBA8", 4, VK_FORMAT_R8G8B8A8_UNORM, 3, .samples = 1),
	SCENE("rgba8_max", "the most of 16 layers in RGBA8", 1, VK_FORMAT_R8G8B8A8_UNORM, 3, .samples = 1, .most = true),
	SCENE("r8_max", "the most of 16 layers in R8", 1, VK_FORMAT_R8_UNORM, 1, .samples = 1, .most = true),
	SCENE("rgba16f_max", "the most of 16 layers in RGBA16F", 1, VK_FORMAT_R16G16B16A16_SFLOAT, 3, .samples = 1, .most = true),
	SCENE("bgra8_srgb", "16 layers over one another in BGRA8 sRGB", 6, VK_FORMAT_B8G8R8A8_SRGB, 3, .samples = 1, .srgb = true),
	SCENE("rgba16f", "16 layers over one another in RGBA16F", 2, VK_FORMAT_R16G16B16A16_SFLOAT, 3, .samples = 1),
	SCENE("rgba16f_add", "16 layers added up in RGBA16F", 2, VK_FORMAT_R16G16B16A16_SFLOAT, 3, .samples = 1, .add = true),
	SCENE("rgb10a2", "16 layers over one another in RGB10A2", 2, VK_FORMAT_A2B10G10R10_UNORM_PACK32, 3, .samples = 1),
	SCENE("r11g11b10f", "16 layers over one another in R11G11B10F", 24, VK_FORMAT_B10G11R11_UFLOAT_PACK32, 3, .samples = 1),
	SCENE("r8", "16 layers over one another in R8", 4, VK_FORMAT_R8_UNORM, 1, .samples = 1),
	SCENE("rg8", "16 layers over one another in RG8", 4, VK_FORMAT_R8G8_UNORM, 2, .samples = 1),
	SCENE("rg16f", "16 layers over one another in RG16F", 2, VK_FORMAT_R16G16_SFLOAT, 2, .samples = 1),
	SCENE("r16f", "16 layers over one another in R16F", 2, VK_FORMAT_R16_SFLOAT, 1, .samples = 1),
	SCENE("r32f", "16 layers over one another in R32F", 2, VK_FORMAT_R32_SFLOAT, 1, .samples = 1),
	SCENE("rgba32f", "16 layers over one another in RGBA32F", 2, VK_FORMAT_R32G32B32A32_SFLOAT, 3, .samples = 1),
	SCENE("r5g6b5", "16 layers over one another in R5G6B5", 40, VK_FORMAT_R5G6B5_UNORM_PACK16, 3, .samples = 1),
	SCENE("rgba8_msaa4", "16 layers over one another in RGBA8 of four samples, resolved", 4, VK_FORMAT_R8G8B8A8_UNORM, 3, .samples = 4),
	SCENE("rgba16f_msaa4", "16 layers over one another in RGBA16F of four samples, resolved", 2, VK_FORMAT_R16G16B16A16_SFLOAT, 3, .samples = 4),
	SCENE("rgba16", "16 layers over one another in RGBA16", 2, VK_FORMAT_R16G16B16A16_UNORM, 3, .samples = 1),
};
