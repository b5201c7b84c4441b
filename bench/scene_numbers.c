/* SPDX-License-Identifier: MIT */
/* Kernels of the textbooks: a Fourier transform in shared memory, a hash. */
#include "bench/bench.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft_comp.h"
#include "sha256_comp.h"

/* --- Fourier transforms --- */

enum { ROWS = 1024, ROW = 512 };

static float sample_at(uint32_t i) { return (float)(i * 2654435761u >> 8) * 0x1p-24f - 0.5f; }

static void fft_setup(struct bench *b)
{
	b->buffer[0] = vh_make_buffer(&b->vh, 8 * ROWS * ROW, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	for (uint32_t i = 0; i < 2 * ROWS * ROW; i++)
		((float *)b->buffer[0].map)[i] = sample_at(i);
	b->result = vh_make_buffer(&b->vh, 8 * ROWS * ROW, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	KERNEL(b, fft_comp, 1, 0);
}

static void fft_record(struct bench *b, VkCommandBuffer commands) { bench_run_kernel(b, commands, ROWS, 1, NULL, 0); }

/* By the definition: some of some rows. */
static void fft_check(const struct bench *b)
{
	const float *got = b->result.map;
	for (uint32_t row = 0; row < ROWS; row += 41)
		for (uint32_t k = row % 7; k < ROW; k += 29) {
			double complex sum = 0;
			for (uint32_t i = 0; i < ROW; i++) {
				const double angle = -2 * 3.14159265358979 * (double)(i * k % ROW) / ROW;
				const uint32_t at = 2 * (row * ROW + i);
				sum += ((double)sample_at(at) + I * (double)sample_at(at + 1)) * (cos(angle) + I * sin(angle));
			}
			const float *is = got + 2 * ((size_t)row * ROW + k);
			if (fabs(creal(sum) - (double)is[0]) > 2e-3 || fabs(cimag(sum) - (double)is[1]) > 2e-3)
				vh_fail("wrong result: row %u at %u is %g, %g", row, k, (double)is[0], (double)is[1]);
		}
}

const struct bench_scene bench_fft = { .name = "fft", .unit = "Mpoint/s",
	.what = "1,024 Fourier transforms of 512 complex numbers in shared memory",
	.setup = fft_setup, .record = fft_record, .work = 1e-6 * ROWS * ROW, .check = fft_check };

/* --- SHA-256 --- */

enum { MESSAGES = 1 << 17 };

static void sha_setup(struct bench *b)
{
	b->result = vh_make_buffer(&b->vh, 32 * MESSAGES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	KERNEL(b, sha256_comp, 0, 0);
}

static void sha_record(struct bench *b, VkCommandBuffer commands) { bench_run_kernel(b, commands, MESSAGES / 64, 1, NULL, 0); }

/* What sha256sum says of the messages 0, 1 and 99,999. */
static void sha_check(const struct bench *b)
{
	static const struct { uint32_t message, digest[8]; } known[] = {
		{ 0, { 0x7a5a970f, 0x0aa3eaf4, 0xac7ba33c, 0x434dc64f, 0xe5c969ee, 0x898335cf, 0x91c978d8, 0x61979f98 } },
		{ 1, { 0x52eb74bf, 0x6a5354a4, 0x9a96c759, 0x98cc67a4, 0xa377cbea, 0xb6520932, 0x6f10ae87, 0xd4384b35 } },
		{ 99999, { 0xf8b7ff2f, 0xe12df83f, 0x84f44863, 0x64d2d8a9, 0x05253e6a, 0xc0297080, 0x11d62a9b, 0xefe07d99 } },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (memcmp((const uint32_t *)b->result.map + 8 * (size_t)known[i].message, known[i].digest, sizeof known[i].digest) != 0)
			vh_fail("wrong result: message %u", known[i].message);
}

const struct bench_scene bench_sha256 = { .name = "sha256", .unit = "Mhash/s", .what = "hashes of a block each, SHA-256",
	.setup = sha_setup, .record = sha_record, .work = 1e-6 * MESSAGES, .check = sha_check };
