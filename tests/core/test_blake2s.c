/* SPDX-License-Identifier: MIT */
/* BLAKE2s against its published vectors: RFC 7693 appendix B and the self-test of
 * appendix E, and the known answers of the BLAKE2 reference (blake2s.txt: key
 * 00..1f, input 00 01 02 ..; the same without a key), some by themselves and all
 * 256 lengths by the digest of their digests.  Argument "bench": cycles a byte. */
#include "core/blake2s.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

static int failures;

static void expect(const char *what, const uint8_t *got, const char *want)
{
	char hex[2 * CU_BLAKE2S_BYTES + 1];
	for (int i = 0; i < CU_BLAKE2S_BYTES; i++)
		snprintf(hex + 2 * i, 3, "%02x", got[i]);
	if (strcmp(hex, want)) {
		printf("%s:\n  got  %s\n  want %s\n", what, hex, want);
		failures++;
	}
}

/* RFC 7693 appendix E: Fibonacci numbers from a seed. */
static void sequence(uint8_t *out, size_t n, uint32_t seed)
{
	uint32_t a = 0xdead4bad * seed, b = 1;
	for (size_t i = 0; i < n; i++) {
		uint32_t t = a + b;
		a = b;
		b = t;
		out[i] = (uint8_t)(t >> 24);
	}
}

static void self_test(void)
{
	static const size_t digests[] = { 16, 20, 28, 32 }, inputs[] = { 0, 3, 64, 65, 255, 1024 };
	uint8_t in[1024], key[32], out[32];
	struct cu_blake2s all, one;
	cu_blake2s_init(&all, 32, NULL, 0);
	for (int d = 0; d < 4; d++) {
		for (int i = 0; i < 6; i++) {
			for (int keyed = 0; keyed < 2; keyed++) {
				sequence(in, inputs[i], (uint32_t)inputs[i]);
				sequence(key, digests[d], (uint32_t)digests[d]);
				cu_blake2s_init(&one, digests[d], key, keyed ? digests[d] : 0);
				cu_blake2s_add(&one, in, inputs[i]);
				cu_blake2s_finish(&one, out);
				cu_blake2s_add(&all, out, digests[d]);
			}
		}
	}
	cu_blake2s_finish(&all, out);
	expect("RFC 7693 appendix E", out, "6a411f08ce25adcdfb02aba641451cec53c598b24f4fc787fbdc88797f4c1dfe");
}

struct known { size_t bytes; const char *digest; };

/* In one piece, and cut in two at every place. */
static void known_answers(bool keyed, const struct known *known, size_t count, const char *all_want)
{
	uint8_t in[256], out[32], key[32];
	struct cu_blake2s all, one;
	for (int i = 0; i < 256; i++)
		in[i] = (uint8_t)i;
	memcpy(key, in, sizeof key);
	cu_blake2s_init(&all, 32, NULL, 0);
	for (size_t n = 0; n < 256; n++) {
		cu_blake2s_init(&one, 32, key, keyed ? sizeof key : 0);
		cu_blake2s_add(&one, in, n);
		cu_blake2s_finish(&one, out);
		cu_blake2s_add(&all, out, sizeof out);
		for (size_t k = 0; k < count; k++)
			if (known[k].bytes == n)
				expect("known answer", out, known[k].digest);
		for (size_t cut = 0; cut <= n; cut++) {
			uint8_t again[32];
			cu_blake2s_init(&one, 32, key, keyed ? sizeof key : 0);
			cu_blake2s_add(&one, in, cut);
			cu_blake2s_add(&one, in + cut, n - cut);
			cu_blake2s_finish(&one, again);
			if (memcmp(out, again, sizeof out)) {
				printf("%zu bytes cut at %zu differ from one piece\n", n, cut);
				failures++;
			}
		}
	}
	cu_blake2s_finish(&all, out);
	expect("all known answers", out, all_want);
}

static void bench(void)
{
	static uint8_t data[1 << 20];
	uint8_t out[32];
	uint64_t best = ~0ull;
	for (int i = 0; i < 50; i++) {
		uint64_t t = __rdtsc();
		cu_blake2s(data, sizeof data, out);
		t = __rdtsc() - t;
		best = t < best ? t : best;
	}
	printf("%.2f cycles a byte\n", (double)best / sizeof data);
}

int main(int argc, char **argv)
{
	static const struct known plain[] = {
		{ 0, "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9" },
		{ 1, "e34d74dbaf4ff4c6abd871cc220451d2ea2648846c7757fbaac82fe51ad64bea" },
		{ 64, "56f34e8b96557e90c1f24b52d0c89d51086acf1b00f634cf1dde9233b8eaaa3e" },
		{ 255, "f03f5789d3336b80d002d59fdf918bdb775b00956ed5528e86aa994acb38fe2d" }
	}, keyed[] = {
		{ 0, "48a8997da407876b3d79c0d92325ad3b89cbb754d86ab71aee047ad345fd2c49" },
		{ 1, "40d15fee7c328830166ac3f918650f807e7e01e177258cdc0a39b11f598066f1" },
		{ 64, "8975b0577fd35566d750b362b0897a26c399136df07bababbde6203ff2954ed4" },
		{ 255, "3fb735061abc519dfe979e54c1ee5bfad0a9d858b3315bad34bde999efd724dd" }
	};
	uint8_t out[32];
	if (argc > 1 && !strcmp(argv[1], "bench")) {
		bench();
		return 0;
	}
	cu_blake2s("abc", 3, out);
	expect("RFC 7693 appendix B", out, "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982");
	self_test();
	known_answers(false, plain, sizeof plain / sizeof plain[0], "6d86d20a9d486cc270bc10f4523a3e811f7f88636204b0a9a76277823b30b672");
	known_answers(true, keyed, sizeof keyed / sizeof keyed[0], "2582f7b18a91f66ef22aa9455384ada69b2590306a6470ee8588df75ee982f02");
	printf("test_blake2s: %s\n", failures ? "FAILED" : "ok");
	return failures != 0;
}
