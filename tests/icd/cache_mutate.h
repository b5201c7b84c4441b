/* SPDX-License-Identifier: MIT */
/* Damage to the programs of a saved pipeline cache, with checksums made right again: one
 * thing at a time, which must be refused, and many at random, which must do no harm. */
#ifndef TESTS_ICD_CACHE_MUTATE_H
#define TESTS_ICD_CACHE_MUTATE_H

#include "cache_blob.h"
#include "harness.h"

/* Makes the pipelines with a cache of these bytes and uses them; gives the result, after which there is a
 * device that works.  saved, if not NULL: what the cache has afterwards, the caller's to free. */
typedef VkResult mutate_run(void *context, struct blob b, VkPipelineCreateFlags flags, struct blob *saved);

struct mutate {
	mutate_run *run;
	void *context;
	struct blob good;            /* a program of each stage that there is */
	uint32_t stages[COMPILER_STAGES], count;
	uint64_t state;              /* of random numbers */
};

static inline uint32_t mutate_rnd(struct mutate *m, uint32_t below)
{
	m->state = m->state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(m->state >> 33) % below;
}

static inline VkResult mutate_use(const struct mutate *m, struct blob b)
{
	return m->run(m->context, b, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, NULL);
}

/* What the pipelines save, which has programs of `count` stages, one of each, and is fit to run. */
static inline struct mutate mutate_start(mutate_run *run, void *context, uint32_t count, uint64_t seed)
{
	struct mutate m = { .run = run, .context = context, .state = seed };
	struct icd_record r;
	OK(run(context, (struct blob){ NULL, 0 }, 0, &m.good));
	for (size_t at = BLOB_HEADER; blob_record(m.good, at, &r); at += r.bytes)
		if (r.kind == ICD_RECORD_PROGRAM) {
			CHECK(m.count < COMPILER_STAGES);
			for (uint32_t i = 0; i < m.count; i++)
				CHECK(m.stages[i] != r.shader.stage);
			m.stages[m.count++] = r.shader.stage;
		}
	CHECK(m.count == count);
	OK(mutate_use(&m, m.good));
	return m;
}

/* --- one thing at a time --- */

static inline struct blob mutate_copy(const struct mutate *m)
{
	struct blob c = { malloc(m->good.size), m->good.size };
	CHECK(c.p);
	memcpy(c.p, m->good.p, c.size);
	return c;
}

/* Of the program of a stage. */
static inline size_t mutate_find(struct blob b, uint32_t stage, struct icd_record *r)
{
	for (size_t at = BLOB_HEADER; blob_record(b, at, r); at += r->bytes)
		if (r->kind == ICD_RECORD_PROGRAM && r->shader.stage == stage)
			return at;
	CHECK(!"a program of each stage");
	return 0;
}

/* 1 if it is taken; frees b. */
static inline int mutate_must_miss(const struct mutate *m, struct blob b, const char *what)
{
	blob_fix(b);
	VkResult result = mutate_use(m, b);
	free(b.p);
	if (result == VK_PIPELINE_COMPILE_REQUIRED)
		return 0;
	fprintf(stderr, "%s is taken, result %d\n", what, result);
	return 1;
}

static inline int mutate_number(const struct mutate *m, uint32_t stage, size_t offset, uint32_t value, const char *what)
{
	struct icd_record r;
	struct blob b = mutate_copy(m);
	size_t at = mutate_find(b, stage, &r);
	memcpy((uint8_t *)&r.shader + offset, &value, 4);
	memcpy(b.p + at, &r, sizeof r);
	return mutate_must_miss(m, b, what);
}

#define MUTATE_NUMBER(m, stage, field, value) \
	mutate_number(m, stage, offsetof(struct compiler_shader, field), value, #stage ": " #field " of " #value)

/* A dword by its distance from where the instructions end: -1 is the last of them, 0 the first of the tables. */
static inline int mutate_dword(const struct mutate *m, uint32_t stage, int distance, uint32_t value, const char *what)
{
	struct icd_record r;
	struct blob b = mutate_copy(m);
	size_t at = mutate_find(b, stage, &r);
	int dword = (int)compiler_program_dwords(&r.shader) + distance;
	CHECK(dword >= 0 && dword < (int)r.shader.code_dwords);
	memcpy(b.p + at + sizeof r + 4 * (size_t)dword, &value, 4);
	return mutate_must_miss(m, b, what);
}

/* Code of each stage that is no program. */
static inline int mutate_code_cases(const struct mutate *m)
{
	int failed = 0;
	for (uint32_t i = 0; i < m->count; i++) {
		uint32_t stage = m->stages[i];
		struct icd_record r;
		mutate_find(m->good, stage, &r);
		if (!r.shader.first_half)
			failed += mutate_dword(m, stage, -1, 0xbf800000, "code without an s_endpgm");
		failed += mutate_dword(m, stage, -1, 0xbf827fff, "a branch beyond the end");
		failed += mutate_dword(m, stage, -1, 0xbf828000, "a branch before the beginning");
		failed += mutate_dword(m, stage, -1, 0xbe801d00, "s_setpc_b64");
		failed += mutate_dword(m, stage, -1, 0xbea00303 | 0xff, "a literal behind the end");
		failed += mutate_dword(m, stage, -1, 0xffffffff, "no instruction");
	}
	return failed;
}

/* --- many things at random --- */

static inline uint32_t mutate_stage(struct mutate *m) { return m->stages[mutate_rnd(m, m->count)]; }

/* A dword of some program: instructions that mean something, elsewhere. */
static inline uint32_t mutate_borrowed(struct mutate *m)
{
	struct icd_record r;
	uint32_t value;
	size_t at = mutate_find(m->good, mutate_stage(m), &r) + sizeof r;
	memcpy(&value, m->good.p + at + 4 * (size_t)mutate_rnd(m, r.shader.code_dwords), 4);
	return value;
}

/* Of what a record has for code, in which tables are as likely as instructions. */
static inline void mutate_code(struct mutate *m, struct blob b, size_t at, const struct icd_record *r)
{
	const uint32_t program = compiler_program_dwords(&r->shader), tables = r->shader.code_dwords - program;
	uint32_t value, dword = tables && mutate_rnd(m, 2) ? program + mutate_rnd(m, tables) : mutate_rnd(m, program);
	uint8_t *p = b.p + at + sizeof *r + 4 * (size_t)dword;
	memcpy(&value, p, 4);
	switch (mutate_rnd(m, 5)) {
	case 0: value ^= 1u << mutate_rnd(m, 32); break;
	case 1: value = mutate_borrowed(m); break;
	case 2: value = (value & 0xffff0000) | mutate_rnd(m, 65536); break;
	case 3: value = 0xbf820000 | mutate_rnd(m, 65536); break; /* s_branch */
	default: value = mutate_rnd(m, ~0u);
	}
	memcpy(p, &value, 4);
}

static inline void mutate_numbers(struct mutate *m, struct blob b, size_t at)
{
	static const uint32_t odd[] = { 0, 1, 2, 3, 4, 5, 8, 16, 31, 32, 33, 64, 127, 255, 256, 1023, 1024, 16384, 65535, 65536,
		131056, 0x7fffffff, 0x80000000, 0xffffffff };
	const size_t fields = offsetof(struct compiler_shader, code) / 4;
	uint8_t *p = b.p + at + offsetof(struct icd_record, shader) + 4 * (size_t)mutate_rnd(m, (uint32_t)fields);
	uint32_t value = mutate_rnd(m, 3) ? odd[mutate_rnd(m, sizeof odd / sizeof odd[0])] : mutate_rnd(m, ~0u);
	if (mutate_rnd(m, 2))
		memcpy(p, &value, 4);
	else
		p[mutate_rnd(m, 4)] = (uint8_t)value;
}

/* Shorter code, in a record that says so. */
static inline void mutate_cut(struct mutate *m, struct blob *b, size_t at, struct icd_record r)
{
	uint32_t drop = mutate_rnd(m, r.shader.code_dwords < 8 ? r.shader.code_dwords : 8);
	size_t end = at + r.bytes;
	memmove(b->p + end - 4 * (size_t)drop, b->p + end, b->size - end);
	b->size -= 4 * (size_t)drop;
	r.bytes -= 4 * drop;
	r.shader.code_dwords -= drop;
	memcpy(b->p + at, &r, sizeof r);
}

static inline struct blob mutate_any(struct mutate *m)
{
	const size_t key = offsetof(struct icd_record, key);
	struct blob b = mutate_copy(m);
	for (uint32_t n = 1 + mutate_rnd(m, 3); n > 0; n--) {
		struct icd_record r;
		size_t at = mutate_find(b, mutate_stage(m), &r);
		switch (mutate_rnd(m, 8)) {
		case 0: mutate_numbers(m, b, at); return b; /* perhaps of another stage now */
		case 1: mutate_cut(m, &b, at, r); return b; /* perhaps with more of tables than of code */
		case 2: memcpy(b.p + at + key, b.p + BLOB_HEADER + key, ICD_HASH_BYTES); break;
		default: mutate_code(m, b, at, &r);
		}
	}
	return b;
}

/* So many of them, each used, and says how that went. */
static inline void mutate_rounds(struct mutate *m, uint32_t rounds, const char *name)
{
	uint32_t taken = 0, lost = 0;
	for (uint32_t i = 0; i < rounds; i++) {
		struct blob b = mutate_any(m);
		b.p = realloc(b.p, b.size); /* a sanitizer sees its end */
		blob_fix(b);
		VkResult result = mutate_use(m, b);
		CHECK(result == VK_SUCCESS || result == VK_PIPELINE_COMPILE_REQUIRED || result == VK_ERROR_DEVICE_LOST);
		taken += result != VK_PIPELINE_COMPILE_REQUIRED;
		lost += result == VK_ERROR_DEVICE_LOST;
		/* What is refused is compiled, and the picture is made. */
		if (result == VK_PIPELINE_COMPILE_REQUIRED && i % 16 == 0)
			CHECK(m->run(m->context, b, 0, NULL) != VK_PIPELINE_COMPILE_REQUIRED);
		free(b.p);
	}
	printf("%s: %u mutants: %u fit to run, of which %u lost the device\n", name, rounds, taken, lost);
}

#endif
