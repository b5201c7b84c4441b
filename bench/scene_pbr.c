/* SPDX-License-Identifier: MIT */
/* A viewer of models: metal and roughness, normal maps and an environment, on a knot and four balls. */
#include "bench/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/pbr_model.h"

#include "pbr_frag.h"
#include "pbr_sky_frag.h"
#include "pbr_sky_vert.h"
#include "pbr_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

/* Quads along and around; a mesh has a column and a row more, since the texture's seam is there. */
enum { KNOT_LONG = 256, KNOT_ROUND = 24, BALL_LONG = 48, BALL_ROUND = 24 };
enum { KNOT_VERTICES = (KNOT_LONG + 1) * (KNOT_ROUND + 1), BALL_VERTICES = (BALL_LONG + 1) * (BALL_ROUND + 1) };
enum { KNOT_INDICES = 6 * KNOT_LONG * KNOT_ROUND, BALL_INDICES = 6 * BALL_LONG * BALL_ROUND };
enum { OBJECTS = 5, CUBE = 256, AROUND = 32, TABLE = 128, MAP = 512, MAP_LEVELS = 10, FACES = 6, MAPS = 3 };

static const struct pbr_object objects[OBJECTS] = {
	{ { 0, 0, 0, 1 }, { 1, 0.86f, 0.57f, 1 }, { 1, 0.8f, 0, 0 } },
	{ { -1.75f, 0.62f, 0.3f, 0.5f }, { 1, 1, 1, 1 }, { 1, 0.25f, 0, 0 } },
	{ { 1.75f, 0.62f, 0.3f, 0.5f }, { 0.35f, 0.55f, 1, 1 }, { 0.3f, 1, 0, 0 } },
	{ { -1.6f, -0.75f, -0.1f, 0.45f }, { 1, 0.35f, 0.25f, 1 }, { 0.2f, 0.6f, 0, 0 } },
	{ { 1.6f, -0.75f, -0.1f, 0.45f }, { 0.6f, 1, 0.55f, 1 }, { 1, 0.45f, 0, 0 } },
};

/* --- meshes --- */

static const double pi = 3.14159265358979;

static void knot_at(double t, double p[3])
{
	const double a = 2 * pi * t, radius = 0.62 * (1 + 0.38 * cos(3 * a));
	p[0] = radius * cos(2 * a);
	p[1] = radius * sin(2 * a);
	p[2] = 0.3 * sin(3 * a);
}

static void cross(const double a[3], const double b[3], double out[3])
{
	double length = 0;
	for (int i = 0; i < 3; i++) {
		out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
		length += out[i] * out[i];
	}
	for (int i = 0; i < 3; i++)
		out[i] /= sqrt(length);
}

/* A tube around a closed line, by its tangent and by where it bends to. */
static void make_knot(struct bench_vertex *out)
{
	const double step = 1e-3, radius = 0.2;
	for (int i = 0; i <= KNOT_LONG; i++) {
		double p[3], before[3], after[3], tangent[3], bend[3], side[3], up[3];
		knot_at((double)i / KNOT_LONG, p);
		knot_at((double)i / KNOT_LONG - step, before);
		knot_at((double)i / KNOT_LONG + step, after);
		for (int c = 0; c < 3; c++) {
			tangent[c] = after[c] - before[c];
			bend[c] = after[c] + before[c];
		}
		cross(tangent, bend, side);
		cross(side, tangent, up);
		for (int j = 0; j <= KNOT_ROUND; j++, out++) {
			const double a = 2 * pi * j / KNOT_ROUND, length = sqrt(tangent[0] * tangent[0] + tangent[1] * tangent[1] +
				tangent[2] * tangent[2]);
			for (int c = 0; c < 3; c++) {
				const double normal = cos(a) * up[c] + sin(a) * side[c];
				out->position[c] = (float)(p[c] + radius * normal);
				out->normal[c] = (float)normal;
				out->tangent[c] = (float)(tangent[c] / length);
			}
			out->tangent[3] = 1;
			out->uv[0] = 12 * (float)i / KNOT_LONG;
			out->uv[1] = 2 * (float)j / KNOT_ROUND;
		}
	}
}

static void make_ball(struct bench_vertex *out)
{
	for (int i = 0; i <= BALL_LONG; i++)
		for (int j = 0; j <= BALL_ROUND; j++, out++) {
			const double a = 2 * pi * i / BALL_LONG, b = pi * j / BALL_ROUND;
			const double normal[3] = { sin(b) * cos(a), cos(b), sin(b) * sin(a) }, tangent[3] = { -sin(a), 0, cos(a) };
			for (int c = 0; c < 3; c++) {
				out->position[c] = out->normal[c] = (float)normal[c];
				out->tangent[c] = (float)tangent[c];
			}
			out->tangent[3] = 1;
			out->uv[0] = 3 * (float)i / BALL_LONG;
			out->uv[1] = 1.5f * (float)j / BALL_ROUND;
		}
}

/* turned: seen from outside, `around` runs the other way. */
static uint16_t *make_indices(uint16_t *out, int along, int around, bool turned)
{
	static const int corners[2][6] = { { 0, 1, 2, 2, 1, 3 }, { 0, 2, 1, 1, 2, 3 } };
	const int *corner = corners[turned];
	for (int q = 0; q < along * around; q++)
		for (int i = 0; i < 6; i++)
			*out++ = (uint16_t)((q / around + (corner[i] >> 1)) * (around + 1) + q % around + (corner[i] & 1));
	return out;
}

static void make_meshes(struct bench *b)
{
	static struct bench_vertex vertices[KNOT_VERTICES + BALL_VERTICES];
	static uint16_t indices[KNOT_INDICES + BALL_INDICES];
	make_knot(vertices);
	make_ball(vertices + KNOT_VERTICES);
	make_indices(make_indices(indices, KNOT_LONG, KNOT_ROUND, true), BALL_LONG, BALL_ROUND, false);
	b->vertices = vh_make_buffer(&b->vh, sizeof vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices);
	b->indices = vh_make_buffer(&b->vh, sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
}

/* --- textures --- */

/* Of 0 to 65504; what a half has no normal number for is 0. */
static uint16_t half_of(float v)
{
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	return v < 0x1p-14f ? 0 : (uint16_t)(((bits + 0x1000) >> 13) - (112 << 10));
}

/* The direction of a texel's middle: "Cube Map Face Selection". */
static void way_of(int face, int size, int x, int y, float way[3])
{
	const float s = (2 * (float)x + 1) / (float)size - 1, t = (2 * (float)y + 1) / (float)size - 1;
	const float ways[FACES][3] = { { 1, -t, -s }, { -1, -t, s }, { s, 1, t }, { s, -1, -t }, { s, -t, 1 }, { -s, -t, -1 } };
	const float scale = 1 / sqrtf(1 + s * s + t * t);
	for (int c = 0; c < 3; c++)
		way[c] = scale * ways[face][c];
}

/* rough: of the first level, which the others add a share of 1 to. */
static VkImageView make_cube(struct bench *b, uint32_t size, uint32_t levels, float rough)
{
	const struct vh_image_info info = { .format = VK_FORMAT_R16G16B16A16_SFLOAT, .width = size, .height = size,
		.levels = levels, .layers = FACES, .flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT, .view_type = VK_IMAGE_VIEW_TYPE_CUBE,
		.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	const struct vh_image image = vh_make_image(&b->vh, &info);
	static uint16_t texels[CUBE * CUBE][4];
	for (uint32_t level = 0; level < levels; level++)
		for (uint32_t face = 0; face < FACES; face++) {
			const uint32_t side = size >> level;
			for (uint32_t i = 0; i < side * side; i++) {
				float way[3], rgb[3];
				way_of((int)face, (int)side, (int)(i % side), (int)(i / side), way);
				pbr_environment(way, rough + (float)level / (PBR_LEVELS - 1), rgb);
				for (int c = 0; c < 4; c++)
					texels[i][c] = half_of(c < 3 ? rgb[c] : 1);
			}
			vh_upload(&b->vh, &image, level, face, texels, sizeof *texels * side * side,
				level + face ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
				VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
		}
	return image.view;
}

static VkImageView make_table(struct bench *b)
{
	static uint16_t texels[TABLE * TABLE][2];
	for (int i = 0; i < TABLE * TABLE; i++) {
		float pair[2];
		pbr_brdf(((float)(i % TABLE) + 0.5f) / TABLE, ((float)(i / TABLE) + 0.5f) / TABLE, pair);
		texels[i][0] = half_of(pair[0]);
		texels[i][1] = half_of(pair[1]);
	}
	return bench_make_texture(b, VK_FORMAT_R16G16_SFLOAT, TABLE, TABLE, (const uint8_t *)texels, sizeof texels).view;
}

static uint8_t byte_of(float v)
{
	return (uint8_t)(255 * v + 0.5f);
}

/* The material's three maps; a level is the mean of fours of the one before. */
static void make_maps(struct bench *b, VkImageView views[MAPS])
{
	static uint8_t texels[MAPS][MAP * MAP][4];
	for (int i = 0; i < MAP * MAP; i++) {
		float albedo[3], material[3], normal[3];
		pbr_material(((float)(i % MAP) + 0.5f) / MAP, ((float)(i / MAP) + 0.5f) / MAP, albedo, material, normal);
		for (int c = 0; c < 4; c++) {
			texels[0][i][c] = c < 3 ? (uint8_t)albedo[c] : 255;
			texels[1][i][c] = c < 3 ? byte_of(0.5f + 0.5f * normal[c]) : 255;
			texels[2][i][c] = c < 3 ? byte_of(material[c]) : 255;
		}
	}
	for (int m = 0; m < MAPS; m++) {
		const struct vh_image_info info = { .format = m ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_R8G8B8A8_SRGB, .width = MAP,
			.height = MAP, .levels = MAP_LEVELS, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
		const struct vh_image image = vh_make_image(&b->vh, &info);
		for (uint32_t level = 0; level < MAP_LEVELS; level++) {
			const uint32_t side = MAP >> level;
			vh_upload(&b->vh, &image, level, 0, texels[m], sizeof texels[m][0] * side * side,
				level ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
				VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
			for (uint32_t i = 0; i < side * side / 4; i++) { /* in place: what is read lies behind */
				const uint8_t (*four)[4] = texels[m] + i / (side / 2) * 2 * side + i % (side / 2) * 2;
				for (int c = 0; c < 4; c++)
					texels[m][i][c] = (uint8_t)((four[0][c] + four[1][c] + four[side][c] + four[side + 1][c] + 2) / 4);
			}
		}
		views[m] = image.view;
	}
}

/* --- the scene --- */

static struct pbr_frame make_frame(void)
{
	struct pbr_frame f = { .eye = { 0, 0.55f, -3.1f, 1 }, .tilt = { 0.17f, 0, 0, 0 },
		.light = { { { 3, 4, -3, 1 }, { 2.2f, 2, 1.8f, 0 } }, { { -4, 2, -2, 1 }, { 0.7f, 0.9f, 1.2f, 0 } },
			{ { 0, -3, -2, 1 }, { 0.5f, 0.3f, 0.2f, 0 } }, { { 1, 3, 4, 1 }, { 1, 1, 1, 0 } } } };
	f.tilt[1] = sqrtf(1 - f.tilt[0] * f.tilt[0]);
	reference_view(f.view, f.eye, f.tilt[0]);
	return f;
}

static void make_set(struct bench *b)
{
	const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
	enum { BINDINGS = 7 };
	const VkShaderStageFlags both = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
	VkDescriptorSetLayoutBinding bindings[BINDINGS] = { { 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, both, NULL } };
	const struct vh_sampler_info wrapped = { .filter = VK_FILTER_LINEAR, .mipmap = VK_SAMPLER_MIPMAP_MODE_LINEAR,
		.max_lod = MAP_LEVELS };
	struct vh_sampler_info edged = wrapped;
	edged.address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
	const VkSampler repeat = vh_make_sampler(&b->vh, &wrapped), clamp = vh_make_sampler(&b->vh, &edged);
	const struct pbr_frame frame = make_frame();
	VkImageView views[BINDINGS] = { VK_NULL_HANDLE, make_cube(b, AROUND, 1, 1.2f), make_cube(b, CUBE, PBR_LEVELS, 0), make_table(b) };
	make_maps(b, views + 4);
	b->buffer[0] = vh_make_buffer(&b->vh, sizeof frame, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, &frame);
	for (uint32_t i = 1; i < BINDINGS; i++)
		bindings[i] = (VkDescriptorSetLayoutBinding){ i, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	b->layout = vh_make_layout(&b->vh, bindings, BINDINGS, both, sizeof(struct pbr_object));
	b->set = vh_make_set(&b->vh, &b->layout);
	vh_set_buffer(&b->vh, b->set, 0, bindings[0].descriptorType, &b->buffer[0]);
	for (uint32_t i = 1; i < BINDINGS; i++)
		vh_set_image(&b->vh, b->set, i, type, views[i], i < 4 ? clamp : repeat, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

static void make_pipelines(struct bench *b)
{
	const struct vh_pipeline_info sky = { .vertex = SHADER(&b->vh, pbr_sky_vert), .fragment = SHADER(&b->vh, pbr_sky_frag),
		.layout = b->layout.pipeline, .pass = &b->pass, .depth_test = true, .depth_compare = VK_COMPARE_OP_LESS_OR_EQUAL };
	bench_make_mesh_pipeline(b, SHADER(&b->vh, pbr_vert), SHADER(&b->vh, pbr_frag), VK_FRONT_FACE_COUNTER_CLOCKWISE);
	b->second = vh_make_pipeline(&b->vh, &sky);
}

static const uint16_t *indices_of(const struct bench *b, uint32_t object, uint32_t *count)
{
	*count = object ? BALL_INDICES : KNOT_INDICES;
	return (const uint16_t *)b->indices.map + (object ? KNOT_INDICES : 0);
}

static const struct bench_vertex *vertices_of(const struct bench *b, uint32_t object)
{
	return (const struct bench_vertex *)b->vertices.map + (object ? KNOT_VERTICES : 0);
}

static void setup(struct bench *b)
{
	const struct vh_image_info depth = { .format = VK_FORMAT_D32_SFLOAT, .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
		.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT };
	const struct pbr_frame frame = make_frame();
	b->target = bench_make_attachment(b, VK_FORMAT_R8G8B8A8_SRGB);
	b->depth = vh_make_image(&b->vh, &depth);
	const struct vh_pass_info pass = { .colors = { &b->target }, .depth = &b->depth };
	b->pass = vh_make_pass(&b->vh, &pass);
	make_meshes(b);
	make_set(b);
	make_pipelines(b);
	b->reference = reference_create(BENCH_WIDTH, BENCH_HEIGHT);
	for (uint32_t i = 0, count; i < OBJECTS; i++) {
		const uint16_t *indices = indices_of(b, i, &count);
		reference_draw(b->reference, i, frame.view, vertices_of(b, i)->position, sizeof(struct bench_vertex) / sizeof(float),
			objects[i].place, indices, count);
	}
}

static void record(struct bench *b, VkCommandBuffer commands)
{
	const VkShaderStageFlags both = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
	bench_begin_mesh(b, commands);
	for (int i = 0; i < OBJECTS; i++) {
		vkCmdPushConstants(commands, b->layout.pipeline, both, 0, sizeof objects[i], &objects[i]);
		vkCmdDrawIndexed(commands, i ? BALL_INDICES : KNOT_INDICES, 1, i ? KNOT_INDICES : 0, i ? KNOT_VERTICES : 0, 0);
	}
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->second);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdEndRenderPass(commands);
}

static struct pbr_point point_of(const struct bench *b, const struct reference_hit *hit)
{
	const float *place = objects[hit->draw].place;
	struct pbr_point p = { 0 };
	for (int i = 0; i < 3; i++) {
		const struct bench_vertex *v = vertices_of(b, hit->draw) + hit->vertex[i];
		for (int c = 0; c < 4; c++) {
			if (c < 3)
				p.at[c] += hit->weight[i] * (place[c] + place[3] * v->position[c]);
			if (c < 3)
				p.normal[c] += hit->weight[i] * v->normal[c];
			if (c < 2)
				p.uv[c] += hit->weight[i] * v->uv[c];
			p.tangent[c] += hit->weight[i] * v->tangent[c];
		}
	}
	return p;
}

static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const struct pbr_frame *frame = b->buffer[0].map;
	struct reference_hit hit;
	bool sure = true;
	if (!reference_find(b->reference, x, y, 0.1f, &hit))
		return false;
	if (hit.w == 0) {
		pbr_sky(frame, ((float)x + 0.5f) / BENCH_WIDTH * 2 - 1, ((float)y + 0.5f) / BENCH_HEIGHT * 2 - 1, rgb);
	} else {
		const struct pbr_point p = point_of(b, &hit);
		sure = pbr_shade(frame, &objects[hit.draw], &p, rgb);
	}
	for (int c = 0; c < 3; c++)
		rgb[c] = bench_srgb_of_linear(rgb[c]);
	return sure;
}

const struct bench_scene bench_pbr = { .name = "pbr", .unit = "frame/s",
	.what = "21,504 triangles of five objects, lit by four lights and cubes of RGBA16F, three maps; sRGB attachment, 1280x720",
	.setup = setup, .record = record, .work = 1, .expect = expect, .tolerance = 16 }; /* the model knows neither texels nor levels */
