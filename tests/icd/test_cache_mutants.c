/* SPDX-License-Identifier: MIT */
/* Cache files that somebody made to do harm, with the right checksums: what they hold
 * is not used unless all of it is fit to run.  First one case for each thing that is
 * checked, then thousands of random ones, each run: whatever the code does, the worst
 * is a lost device.  Take a build with sanitizers.  Arguments: rounds and seed. */
#define WORK_DRAWS 3
#include "cache_run.h"

static struct vk vk;
static struct blob good;
static const uint32_t stages[] = { COMPILER_VS, COMPILER_PS, COMPILER_CS }; /* of its programs */
static uint64_t state;

static uint32_t rnd(uint32_t below)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(state >> 33) % below;
}

/* --- one thing at a time --- */

static struct blob copy(struct blob b)
{
	struct blob c = { malloc(b.size), b.size };
	CHECK(c.p);
	memcpy(c.p, b.p, b.size);
	return c;
}

/* Of the program of a stage. */
static size_t find(struct blob b, uint32_t stage, struct icd_record *r)
{
	for (size_t at = BLOB_HEADER; blob_record(b, at, r); at += r->bytes)
		if (r->kind == ICD_RECORD_PROGRAM && r->shader.stage == stage)
			return at;
	CHECK(!"a program of each stage");
	return 0;
}

static int must_miss(struct blob b, const char *what)
{
	blob_fix(b);
	VkResult result = cache_run(&vk, b, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, NULL);
	free(b.p);
	if (result == VK_PIPELINE_COMPILE_REQUIRED)
		return 0;
	fprintf(stderr, "%s is taken, result %d\n", what, result);
	return 1;
}

static int one_number(uint32_t stage, size_t offset, uint32_t value, const char *what)
{
	struct icd_record r;
	struct blob b = copy(good);
	size_t at = find(b, stage, &r);
	memcpy((uint8_t *)&r.shader + offset, &value, 4);
	memcpy(b.p + at, &r, sizeof r);
	return must_miss(b, what);
}

/* The dword that is so many before the end. */
static int one_dword(uint32_t stage, uint32_t from_end, uint32_t value, const char *what)
{
	struct icd_record r;
	struct blob b = copy(good);
	size_t at = find(b, stage, &r);
	memcpy(b.p + at + r.bytes - 4 * from_end, &value, 4);
	return must_miss(b, what);
}

#define NUMBER(stage, field, value) \
	one_number(stage, offsetof(struct compiler_shader, field), value, #field " of " #value)

static int swapped(void)
{
	struct icd_record vs, cs;
	struct blob b = copy(good);
	size_t v = find(b, COMPILER_VS, &vs), c = find(b, COMPILER_CS, &cs);
	memcpy(b.p + v + offsetof(struct icd_record, key), cs.key, sizeof cs.key);
	memcpy(b.p + c + offsetof(struct icd_record, key), vs.key, sizeof vs.key);
	return must_miss(b, "a program of another stage");
}

static int cases(void)
{
	int failed = NUMBER(COMPILER_VS, stage, 7) + NUMBER(COMPILER_VS, vgprs, 257) + NUMBER(COMPILER_VS, sgprs, 129) +
		NUMBER(COMPILER_VS, scratch_bytes, 131057) + NUMBER(COMPILER_CS, scratch_bytes, 0xffffffff) +
		NUMBER(COMPILER_CS, lds_bytes, 65537) + NUMBER(COMPILER_VS, user_sgprs, 9) + NUMBER(COMPILER_PS, user_sgprs, 32) +
		NUMBER(COMPILER_CS, user_sgprs, 17) + NUMBER(COMPILER_VS, param_count, 33) +
		NUMBER(COMPILER_VS, param_of_slot[4], 0x20202020) + NUMBER(COMPILER_PS, num_interp, 33) +
		NUMBER(COMPILER_PS, ps_input_ena, 0x10000) + NUMBER(COMPILER_PS, sample_shading, 2) +
		NUMBER(COMPILER_CS, workgroup[0], 0) + NUMBER(COMPILER_CS, workgroup[1], 1025) +
		NUMBER(COMPILER_CS, workgroup[2], 0x10001) + NUMBER(COMPILER_CS, tgid_en, 8) +
		NUMBER(COMPILER_CS, tidig_comp_cnt, 3);
	for (unsigned i = 0; i < 3; i++) {
		uint32_t stage = stages[i];
		failed += one_dword(stage, 1, 0xbf800000, "code without an s_endpgm");
		failed += one_dword(stage, 1, 0xbf827fff, "a branch beyond the end");
		failed += one_dword(stage, 1, 0xbf828000, "a branch before the beginning");
		failed += one_dword(stage, 1, 0xbe801d00, "s_setpc_b64");
		failed += one_dword(stage, 1, 0xbea00303 | 0xff, "a literal behind the end");
		failed += one_dword(stage, 1, 0xffffffff, "no instruction");
	}
	return failed + swapped();
}

/* --- many things at random --- */

/* A dword of some program: instructions that mean something, elsewhere. */
static uint32_t borrowed(void)
{
	struct icd_record r;
	uint32_t value = rnd(~0u);
	find(good, stages[rnd(3)], &r);
	size_t at = find(good, r.shader.stage, &r) + sizeof r + 4 * (size_t)rnd(r.shader.code_dwords);
	memcpy(&value, good.p + at, 4);
	return value;
}

static void mutate_code(struct blob b, size_t at, const struct icd_record *r)
{
	uint32_t value, n = r->shader.code_dwords;
	uint8_t *p = b.p + at + sizeof *r + 4 * (size_t)rnd(n);
	memcpy(&value, p, 4);
	switch (rnd(5)) {
	case 0: value ^= 1u << rnd(32); break;
	case 1: value = borrowed(); break;
	case 2: value = (value & 0xffff0000) | rnd(65536); break;
	case 3: value = 0xbf820000 | rnd(65536); break; /* s_branch */
	default: value = rnd(~0u);
	}
	memcpy(p, &value, 4);
}

static void mutate_numbers(struct blob b, size_t at)
{
	static const uint32_t odd[] = { 0, 1, 2, 3, 5, 8, 16, 31, 32, 33, 64, 255, 256, 1023, 1024, 65535, 65536, 131056,
		0x7fffffff, 0x80000000, 0xffffffff };
	const size_t fields = offsetof(struct compiler_shader, code) / 4;
	uint8_t *p = b.p + at + offsetof(struct icd_record, shader) + 4 * (size_t)rnd((uint32_t)fields);
	uint32_t value = rnd(3) ? odd[rnd(sizeof odd / sizeof odd[0])] : rnd(~0u);
	if (rnd(2))
		memcpy(p, &value, 4);
	else
		p[rnd(4)] = (uint8_t)value;
}

/* Shorter code, in a record that says so. */
static void cut(struct blob *b, size_t at, struct icd_record r)
{
	uint32_t drop = rnd(r.shader.code_dwords < 8 ? r.shader.code_dwords : 8);
	size_t end = at + r.bytes;
	memmove(b->p + end - 4 * (size_t)drop, b->p + end, b->size - end);
	b->size -= 4 * (size_t)drop;
	r.bytes -= 4 * drop;
	r.shader.code_dwords -= drop;
	memcpy(b->p + at, &r, sizeof r);
}

static struct blob mutant(void)
{
	struct blob b = copy(good);
	for (uint32_t n = 1 + rnd(3); n > 0; n--) {
		struct icd_record r;
		size_t at = find(b, stages[rnd(3)], &r);
		switch (rnd(8)) {
		case 0: mutate_numbers(b, at); return b; /* perhaps of another stage now */
		case 1: cut(&b, at, r); break;
		case 2: memcpy(b.p + at + offsetof(struct icd_record, key), b.p + BLOB_HEADER + offsetof(struct icd_record, key), 32); break;
		default: mutate_code(b, at, &r);
		}
	}
	return b;
}

int main(int argc, char **argv)
{
	struct blob none = { NULL, 0 };
	uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 400, taken = 0, lost = 0;
	state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	setenv("QW_BUDGET", "20000", 1);
	setenv("QW_THREADS", "1", 1);
	vk_start(&vk);
	OK(cache_run(&vk, none, 0, &good));
	CHECK(blob_count(good, ICD_RECORD_PROGRAM) == 3);
	OK(cache_run(&vk, good, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, NULL));
	int failed = cases();
	for (uint32_t i = 0; i < rounds; i++) {
		struct blob b = mutant();
		b.p = realloc(b.p, b.size); /* a sanitizer sees its end */
		blob_fix(b);
		VkResult result = cache_run(&vk, b, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, NULL);
		CHECK(result == VK_SUCCESS || result == VK_PIPELINE_COMPILE_REQUIRED || result == VK_ERROR_DEVICE_LOST);
		taken += result != VK_PIPELINE_COMPILE_REQUIRED;
		lost += result == VK_ERROR_DEVICE_LOST;
		/* What is refused is compiled, and the picture is made. */
		if (result == VK_PIPELINE_COMPILE_REQUIRED && i % 16 == 0)
			CHECK(cache_run(&vk, b, 0, NULL) != VK_PIPELINE_COMPILE_REQUIRED);
		free(b.p);
	}
	printf("%u mutants: %u fit to run, of which %u lost the device; %d cases failed\n", rounds, taken, lost, failed);
	free(good.p);
	vk_stop(&vk);
	return failed != 0;
}
