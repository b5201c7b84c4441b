/* SPDX-License-Identifier: MIT */
/* What decides which code runs: no two different things have one key, wherever the
 * bytes of their parts are cut; and the digests are what hash.h says they are. */
#include "icd/program.h"
#include "icd/shader_module.h"

#include <stdio.h>
#include <string.h>

enum { MAX_KEYS = 256 };

static uint8_t keys[MAX_KEYS][ICD_HASH_BYTES];
static const char *names[MAX_KEYS];
static int count, failures;

static void check(bool ok, const char *what)
{
	if (!ok) {
		printf("%s\n", what);
		failures++;
	}
}

/* One more that must differ from all before. */
static void add(const char *name, const VkPipelineShaderStageCreateInfo *stage, const uint8_t *module,
	const struct icd_pipeline_layout *layout, struct compiler_options options)
{
	uint8_t again[ICD_HASH_BYTES];
	icd_program_key(stage, module, layout, options, keys[count]);
	icd_program_key(stage, module, layout, options, again);
	check(!memcmp(keys[count], again, sizeof again), "a key is a function of its parts");
	names[count] = name;
	for (int i = 0; i < count; i++) {
		if (!memcmp(keys[i], keys[count], ICD_HASH_BYTES)) {
			printf("\"%s\" has the key of \"%s\"\n", name, names[i]);
			failures++;
		}
	}
	count++;
}

/* The same bytes of data in other cuts, under other numbers, in another order. */
static void specialization(VkPipelineShaderStageCreateInfo stage, const uint8_t *module,
	const struct icd_pipeline_layout *layout)
{
	static const uint8_t data[32] = { 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0 };
	static const struct { const char *name; uint32_t n; VkSpecializationMapEntry e[4]; } lists[] = {
		{ "one of 4", 1, { { 0, 0, 4 } } },
		{ "one of 4, another place", 1, { { 0, 4, 4 } } },
		{ "one of 4, another number", 1, { { 1, 0, 4 } } },
		{ "one of 8", 1, { { 0, 0, 8 } } },
		{ "two of 4", 2, { { 0, 0, 4 }, { 1, 4, 4 } } },
		{ "two of 4, changed round", 2, { { 1, 4, 4 }, { 0, 0, 4 } } },
		{ "4 and 8", 2, { { 0, 0, 4 }, { 1, 4, 8 } } },
		{ "8 and 4", 2, { { 0, 0, 8 }, { 1, 8, 4 } } },
		/* Data that looks like the number and the length of a second entry. */
		{ "16, of which 12 look like an entry", 1, { { 0, 0, 16 } } },
		{ "one of 20", 1, { { 0, 0, 20 } } },
		{ "the same twice", 2, { { 0, 0, 4 }, { 0, 0, 4 } } },
	};
	struct compiler_options none = { 0 };
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		VkSpecializationInfo info = { lists[i].n, lists[i].e, sizeof data, data };
		stage.pSpecializationInfo = &info;
		add(lists[i].name, &stage, module, layout, none);
	}
}

/* Whichever byte of the options is another. */
static void options(const VkPipelineShaderStageCreateInfo *stage, const uint8_t *module,
	const struct icd_pipeline_layout *layout)
{
	static char name[sizeof(struct compiler_options)][32];
	for (size_t i = 0; i < sizeof(struct compiler_options); i++) {
		uint8_t bytes[sizeof(struct compiler_options)] = { 0 };
		struct compiler_options flipped;
		bytes[i] = 0xff;
		memcpy(&flipped, bytes, sizeof flipped);
		snprintf(name[i], sizeof name[i], "byte %zu of the options", i);
		add(name[i], stage, module, layout, flipped);
	}
}

static void programs(void)
{
	VkPipelineShaderStageCreateInfo stage = { .stage = VK_SHADER_STAGE_VERTEX_BIT, .pName = "main" };
	static struct icd_pipeline_layout layout, other;
	uint8_t module[ICD_HASH_BYTES] = { 1 }, second[ICD_HASH_BYTES] = { 2 };
	struct compiler_options none = { 0 };
	other.hash[31] = 1;
	add("plain", &stage, module, &layout, none);
	add("another module", &stage, second, &layout, none);
	add("another layout", &stage, module, &other, none);
	specialization(stage, module, &layout);
	stage.stage = VK_SHADER_STAGE_FRAGMENT_BIT;
	add("another stage", &stage, module, &layout, none);
	static const char *const entries[] = { "", "a", "ab", "abc", "mainmain", "main\1", "bc" };
	for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
		stage.pName = entries[i];
		add(entries[i], &stage, module, &layout, none);
	}
	options(&stage, module, &layout);
}

/* "ab" + "c" is not "a" + "bc", in one domain and over two. */
static void parts(void)
{
	static const char *const cut[][3] = { { "x", "ab", "c" }, { "x", "a", "bc" }, { "x", "abc", "" }, { "x", "", "abc" },
		{ "xa", "b", "c" }, { "xab", "", "c" } };
	uint8_t out[6][ICD_HASH_BYTES];
	for (int i = 0; i < 6; i++) {
		struct icd_hash h;
		icd_hash_init(&h, cut[i][0]);
		icd_hash_add(&h, cut[i][1], strlen(cut[i][1]));
		icd_hash_add(&h, cut[i][2], strlen(cut[i][2]));
		icd_hash_finish(&h, out[i]);
		for (int k = 0; k < i; k++)
			check(memcmp(out[i], out[k], ICD_HASH_BYTES), "two cuts of the same bytes have one digest");
	}
}

/* The bytes that go into the digest, written out: lengths of 8 bytes before the parts. */
static void structure(void)
{
	static const uint32_t words[2] = { 0x07230203, 0x00010000 };
	static const char domain[] = "quadwave module 1";
	uint8_t bytes[64] = { sizeof domain - 1 }, want[ICD_HASH_BYTES], got[ICD_HASH_BYTES], keyed[ICD_HASH_BYTES];
	size_t n = 8;
	struct icd_hash h;
	memcpy(bytes + n, domain, sizeof domain - 1);
	n += sizeof domain - 1;
	bytes[n] = sizeof words;
	memcpy(bytes + n + 8, words, sizeof words);
	cu_blake2s(bytes, n + 8 + sizeof words, want);
	icd_module_identity(words, 2, got);
	check(!memcmp(want, got, sizeof want), "a module's identity is BLAKE2s over domain and words");
	icd_hash_init_keyed(&h, domain, want);
	icd_hash_add(&h, words, sizeof words);
	icd_hash_finish(&h, keyed);
	check(memcmp(keyed, got, sizeof got), "a MAC is not the digest");
}

int main(void)
{
	programs();
	parts();
	structure();
	printf("test_keys: %d keys, %s\n", count, failures ? "FAILED" : "ok");
	return failures != 0;
}
