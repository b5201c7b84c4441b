/* SPDX-License-Identifier: MIT */
/* Programs whose shaders are long: what is drawn by a formula alone, and kernels that work in shared memory. */
#include "bench/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nbody_comp.h"
#include "sort_comp.h"
#include "toy_julia_frag.h"
#include "toy_lights_frag.h"
#include "toy_march_frag.h"
#include "toy_noise_frag.h"
#include "toy_rules_frag.h"
#include "toy_shadow_frag.h"
#include "toy_sort_frag.h"
#include "toy_tables_frag.h"
#include "toy_turns_frag.h"

enum { PIXELS = BENCH_WIDTH * BENCH_HEIGHT };

/* --- pictures --- */

/* The shader, and the colour that it gives at a place: (x - 640, y - 360) / 360. */
struct toy {
	const uint32_t *words;
	size_t size;
	void (*color)(double x, double y, double rgb[3]);
};

static double march_distance(const double at[3])
{
	const double a = 0.2 * at[2], p[3] = { at[0] * cos(a) - at[1] * sin(a), at[0] * sin(a) + at[1] * cos(a), at[2] };
	double squares = 0;
	for (int c = 0; c < 3; c++) {
		const double q = p[c] - 2 * floor(0.5 * p[c] + 0.5);
		squares += q * q;
	}
	return fmin(sqrt(squares) - 0.45, p[1] + 1.5);
}

static void march_color(double x, double y, double rgb[3])
{
	static const double eye[3] = { 0.9, 0.8, 0.2 }, ball[3] = { 0.9, 0.5, 0.2 }, sky[3] = { 0.4, 0.5, 0.7 };
	static const double sun[3] = { 0.48, 0.6, -0.64 };
	const double length = sqrt(x * x + y * y + 1.4 * 1.4), ray[3] = { x / length, y / length, 1.4 / length };
	double far = 0.3, p[3], n[3], squares = 0, light = 0;
	for (int step = 0; step < 64; step++) {
		for (int c = 0; c < 3; c++)
			p[c] = eye[c] + far * ray[c];
		const double d = march_distance(p);
		if (d < 0.002 * far || far > 24)
			break;
		far += 0.8 * d;
	}
	for (int c = 0; c < 3; c++)
		p[c] = eye[c] + far * ray[c];
	for (int c = 0; c < 3; c++) {
		double up[3] = { p[0], p[1], p[2] }, down[3] = { p[0], p[1], p[2] };
		up[c] += 0.01;
		down[c] -= 0.01;
		n[c] = march_distance(up) - march_distance(down);
		squares += n[c] * n[c];
	}
	for (int c = 0; c < 3; c++)
		light += sun[c] * n[c] / sqrt(squares);
	light = fmax(light, 0);
	for (int c = 0; c < 3; c++) {
		const double lit = ball[c] * (0.2 + 0.8 * light) + pow(light, 16), fog = 1 - exp(-0.08 * far);
		rgb[c] = lit + fog * (sky[c] - lit);
	}
}

static double lattice(int x, int y)
{
	uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
	h = (h ^ h >> 15) * 0x2c1b3c6du;
	h = (h ^ h >> 12) * 0x297a2d39u;
	return (double)(h >> 8) / 16777216;
}

static double noise(double x, double y)
{
	const int i = (int)floor(x), j = (int)floor(y);
	double u = x - i, v = y - j;
	u = u * u * (3 - 2 * u);
	v = v * v * (3 - 2 * v);
	const double up = lattice(i, j) * (1 - u) + lattice(i + 1, j) * u, down = lattice(i, j + 1) * (1 - u) + lattice(i + 1, j + 1) * u;
	return up * (1 - v) + down * v;
}

static double clouds(double x, double y)
{
	double sum = 0, weight = 0.5;
	for (int i = 0; i < 5; i++, weight *= 0.5) {
		const double turned = 2 * (0.8 * x - 0.6 * y);
		sum += weight * noise(x, y);
		y = 2 * (0.6 * x + 0.8 * y);
		x = turned;
	}
	return sum;
}

static void noise_color(double x, double y, double rgb[3])
{
	const double q[2] = { clouds(3 * x, 3 * y), clouds(3 * x + 5.2, 3 * y + 1.3) };
	const double f = clouds(3 * x + 2 * q[0], 3 * y + 2 * q[1]);
	for (int c = 0; c < 3; c++)
		rgb[c] = 0.5 + 0.5 * cos(6 * f + c + sqrt(q[0] * q[0] + q[1] * q[1]));
}

static void julia_color(double x, double y, double rgb[3])
{
	double u = 1.5 * x, v = 1.5 * y, turns = 0;
	int n = 0;
	for (; n < 200 && u * u + v * v < 64; n++) {
		const double next = u * u - v * v - 0.7269;
		v = 2 * u * v + 0.1889;
		u = next;
	}
	if (n < 200)
		turns = n + 1 - log2(0.5 * log2(u * u + v * v));
	for (int c = 0; c < 3; c++)
		rgb[c] = n > 40 ? NAN : 0.5 + 0.5 * sin(0.2 * turns + c); /* of many turns rounding decides */
}

/* i * 5 mod 16, .. are the colours; steps of 22.5 degrees, to two digits, the gradients. */
static double corner(int i, int j, double x, double y)
{
	static const double quarter[5] = { 1, 0.92, 0.71, 0.38, 0 };
	const int n = (i * 5 ^ j * 11 ^ i * j) & 15, turn = n & 7, back = n & 8 ? -1 : 1;
	const double u = turn <= 4 ? quarter[turn] : -quarter[8 - turn], v = turn <= 4 ? quarter[4 - turn] : quarter[turn - 4];
	return back * (u * x + v * y);
}

static double gradient_noise(double x, double y)
{
	const int i = (int)floor(x), j = (int)floor(y);
	const double f = x - i, g = y - j, u = f * f * (3 - 2 * f), v = g * g * (3 - 2 * g);
	const double up = corner(i, j, f, g) * (1 - u) + corner(i + 1, j, f - 1, g) * u;
	const double down = corner(i, j + 1, f, g - 1) * (1 - u) + corner(i + 1, j + 1, f - 1, g - 1) * u;
	return up * (1 - v) + down * v;
}

static void tables_color(double x, double y, double rgb[3])
{
	const double f = 0.6 * gradient_noise(4 * x, 4 * y) + 0.3 * gradient_noise(8 * x, 8 * y) + 0.15 * gradient_noise(16 * x, 16 * y);
	const int column = (int)floor(x * 360 + 640), row = (int)floor(y * 360 + 360);
	int dot = 0;
	for (int bit = 0; bit < 3; bit++)
		dot = dot * 4 + ((column ^ row) >> bit & 1) * 2 + (row >> bit & 1);
	const int level = (int)(8 + 12 * f + dot / 64.0) & 15;
	rgb[0] = level * 5 % 16 / 15.0;
	rgb[1] = level * 11 % 16 / 15.0;
	rgb[2] = level * 7 % 16 / 15.0;
}

static void sort_color(double x, double y, double rgb[3])
{
	double a[16];
	const int k = (int)floor(360 * x + 640) & 15;
	for (int i = 0; i < 16; i++)
		a[i] = x * i + 3.1 * y + 0.137 - floor(x * i + 3.1 * y + 0.137);
	for (int last = 15; last > 0; last--)
		for (int i = 0; i < last; i++) {
			const double less = fmin(a[i], a[i + 1]), more = fmax(a[i], a[i + 1]);
			a[i] = less;
			a[i + 1] = more;
		}
	rgb[0] = a[k];
	rgb[1] = a[(k + 5) & 15];
	rgb[2] = a[(k + 9) & 15];
}

static void rules_color(double x, double y, double rgb[3])
{
	const int square_x = (int)floor(360 * x + 640) / 40, square_y = (int)floor(360 * y + 360) / 40;
	double v = 0;
	for (int i = 0; i < 6; i++)
		switch ((7 * square_x + 3 * square_y + i) % 6) {
		case 0: v += sin(9 * x); break;
		case 1: v += 0.5 * cos(9 * y); break;
		case 2: v -= sqrt(x * x + y * y); break;
		case 3: v = fabs(v); break;
		case 4: v *= 0.7; break;
		default: v += 0.3 * (5 * x - floor(5 * x)); break;
		}
	rgb[0] = rgb[1] = rgb[2] = 0.5 + 0.2 * v;
}

static void lights_color(double x, double y, double rgb[3])
{
	const double slope[2] = { 0.3 * cos(9 * x), 0.3 * sin(7 * y) }, length = sqrt(slope[0] * slope[0] + slope[1] * slope[1] + 1);
	rgb[0] = rgb[1] = rgb[2] = 0.02;
	for (int i = 0; i < 16; i++) {
		const double way[3] = { 0.25 * i - 1.9 - x, 0.9 - 0.125 * i - y, 0.3 + 0.03125 * i };
		const double squares = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
		const double along = (slope[0] * way[0] + slope[1] * way[1] + way[2]) / (length * sqrt(squares));
		const double lit = fmax(along, 0) / (1 + 8 * squares);
		rgb[0] += lit * 0.0625 * i;
		rgb[1] += lit * 0.4;
		rgb[2] += lit * (0.9 - 0.0625 * i);
	}
}

static double error_function(double x)
{
	const double a = fabs(x), t = 1 + (0.278393 + (0.230389 + 0.078108 * a * a) * a) * a;
	return (x < 0 ? -1 : 1) * (1 - 1 / (t * t * t * t));
}

/* How far (x, y) is outside of a card with round corners. */
static double beyond_card(double x, double y)
{
	const double u = fabs(x) - 0.17, v = fabs(y) - 0.09, out[2] = { fmax(u, 0), fmax(v, 0) };
	return sqrt(out[0] * out[0] + out[1] * out[1]) + fmin(fmax(u, v), 0) - 0.05;
}

static void shadow_color(double x, double y, double rgb[3])
{
	static const double table[3] = { 0.85, 0.87, 0.9 }, paper[3] = { 0.98, 0.97, 0.96 };
	double shadow = 0;
	x -= 0.6 * floor((x + 4) / 0.6) - 4 + 0.3;
	y -= 0.45 * floor((y + 4) / 0.45) - 4 + 0.225;
	for (int i = 0; i < 8; i++) {
		const double down = (i - 3.5) * 0.03, at = y - 0.03 + down, inside = fmin(0.09 - fabs(at), 0);
		const double across = 0.17 + sqrt(fmax(0.0025 - inside * inside, 0));
		if (fabs(at) < 0.14)
			shadow += 0.5 * (error_function((x + across) * 14) - error_function((x - across) * 14)) * exp(-down * down * 196) * 14 * 0.56419 * 0.03;
	}
	const double card = fmin(fmax(0.5 - 360 * beyond_card(x, y), 0), 1);
	for (int c = 0; c < 3; c++)
		rgb[c] = table[c] * (1 - 0.5 * shadow) * (1 - card) + paper[c] * card;
}

static void turns_color(double x, double y, double rgb[3])
{
	double u = 0, v = 0;
	for (int i = 0; i < 200; i++) {
		const double next = 0.6 * (u * u - v * v) + 0.225 * x;
		v = 1.2 * u * v + 0.225 * y;
		u = next;
	}
	rgb[0] = 0.5 + 0.5 * u;
	rgb[1] = 0.5 + 0.5 * v;
	rgb[2] = 0.5 + u * v;
}

/* Where a little to the side it is nearly the same. */
static bool toy_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	static const double aside[3][2] = { { 0, 0 }, { 3e-5, 2e-5 }, { -2e-5, 3e-5 } };
	const struct toy *t = b->scene->how;
	double color[3][3];
	for (int i = 0; i < 3; i++)
		t->color((x + 0.5 - 640) / 360 + aside[i][0], (y + 0.5 - 360) / 360 + aside[i][1], color[i]);
	for (int c = 0; c < 3; c++) {
		if (!(fabs(color[1][c] - color[0][c]) < 0.004 && fabs(color[2][c] - color[0][c]) < 0.004))
			return false;
		rgb[c] = (float)fmin(fmax(color[0][c], 0), 1);
	}
	return true;
}

static void toy_setup(struct bench *b)
{
	const struct toy *t = b->scene->how;
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	b->pipeline = vh_make_pipeline(&b->vh, &(struct vh_pipeline_info){ .vertex = bench_full_shader(b),
		.fragment = vh_make_shader(&b->vh, t->words, t->size), .layout = b->layout.pipeline, .pass = &b->pass });
}

static void toy_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdDraw(commands, 6, 1, 0, 0);
	vkCmdEndRenderPass(commands);
}

#define TOY(scene, text, program, colors) { .name = "toy_" scene, .unit = "Mpixel/s", .what = text, .setup = toy_setup, .record = toy_record, \
	.work = 1e-6 * PIXELS, .expect = toy_expect, .tolerance = 4, .how = &(const struct toy){ program, sizeof program, colors } }

const struct bench_scene bench_toys[BENCH_TOYS] = {
	TOY("march", "rays that march through a lattice of spheres", toy_march_frag, march_color),
	TOY("noise", "clouds of noise, 15 octaves a pixel", toy_noise_frag, noise_color),
	TOY("tables", "gradient noise and dithering by tables of constants", toy_tables_frag, tables_color),
	TOY("julia", "up to 200 turns of a loop, pixel by pixel", toy_julia_frag, julia_color),
	TOY("sort", "16 numbers a pixel, sorted in an array", toy_sort_frag, sort_color),
	TOY("rules", "a switch of six cases in a loop, an order for each square", toy_rules_frag, rules_color),
	TOY("lights", "16 lights in a loop with a bound, as WGSL has them", toy_lights_frag, lights_color),
	TOY("shadow", "round cards over blurred shadows, as toolkits draw them", toy_shadow_frag, shadow_color),
	TOY("turns", "200 turns of a short loop, the same for all pixels", toy_turns_frag, turns_color),
};

/* --- kernels --- */

enum { KEYS = 1 << 20, SORTED = 512, BODIES = 4096, TILE = 128 };

static uint32_t key_at(uint32_t i) { return (i * 2654435761u ^ i >> 9) * 2246822519u; }

static void sort_setup(struct bench *b)
{
	b->buffer[0] = vh_make_buffer(&b->vh, 4 * KEYS, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	for (uint32_t i = 0; i < KEYS; i++)
		((uint32_t *)b->buffer[0].map)[i] = key_at(i);
	b->result = vh_make_buffer(&b->vh, 4 * KEYS, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	KERNEL(b, sort_comp, 1, 0);
}

static void sort_record(struct bench *b, VkCommandBuffer commands)
{
	bench_run_kernel(b, commands, KEYS / SORTED, 1, NULL, 0);
}

static int by_value(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static void sort_check(const struct bench *b)
{
	uint32_t keys[SORTED];
	for (uint32_t first = 0; first < KEYS; first += SORTED) {
		for (uint32_t i = 0; i < SORTED; i++)
			keys[i] = key_at(first + i);
		qsort(keys, SORTED, sizeof *keys, by_value);
		if (memcmp(keys, (const uint32_t *)b->result.map + first, sizeof keys) != 0)
			vh_fail("wrong result: the keys from %u on are not sorted", first);
	}
}

const struct bench_scene bench_sort = { .name = "sort", .unit = "Mkey/s", .what = "a million keys sorted by 512 in shared memory",
	.setup = sort_setup, .record = sort_record, .work = 1e-6 * KEYS, .check = sort_check };

static float body_at(uint32_t i, unsigned c) { return (float)(key_at(4 * i + c) >> 16) / 32768 - (c < 3 ? 1 : 0); }

static void nbody_setup(struct bench *b)
{
	b->buffer[0] = vh_make_buffer(&b->vh, 16 * BODIES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	for (uint32_t i = 0; i < 4 * BODIES; i++)
		((float *)b->buffer[0].map)[i] = body_at(i / 4, i % 4);
	b->result = vh_make_buffer(&b->vh, 16 * BODIES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	KERNEL(b, nbody_comp, 1, sizeof(uint32_t));
}

static void nbody_record(struct bench *b, VkCommandBuffer commands)
{
	const uint32_t count = BODIES;
	bench_run_kernel(b, commands, BODIES / TILE, 1, &count, sizeof count);
}

static void nbody_check(const struct bench *b)
{
	for (uint32_t i = 0; i < BODIES; i += 97) {
		double sum[3] = { 0 };
		for (uint32_t k = 0; k < BODIES; k++) {
			double d[3], r = 0.01;
			for (unsigned c = 0; c < 3; c++) {
				d[c] = (double)body_at(k, c) - (double)body_at(i, c);
				r += d[c] * d[c];
			}
			for (unsigned c = 0; c < 3; c++)
				sum[c] += (double)body_at(k, 3) * d[c] / (r * sqrt(r));
		}
		for (unsigned c = 0; c < 3; c++)
			if (!(fabs(sum[c] - (double)((const float *)b->result.map)[4 * i + c]) < 1e-2 * (1 + fabs(sum[c]))))
				vh_fail("wrong result: the force on body %u", i);
	}
}

const struct bench_scene bench_nbody = { .name = "nbody", .unit = "Mpair/s", .what = "forces among 4,096 bodies, tiles in shared memory",
	.setup = nbody_setup, .record = nbody_record, .work = 1e-6 * BODIES * BODIES, .check = nbody_check };
