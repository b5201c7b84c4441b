/* SPDX-License-Identifier: MIT */
/* Translated code as bytes: taken for the same program, level and version only,
 * and only as it was saved; otherwise the program is translated anew. */
#include "core/jit/jit_blob.h"
#include "core/jit/jit_host.h"
#include "tests/core/interp_harness.h"

/* Some arithmetic, with one constant to tell programs apart. */
static struct cu_program *sample(enum cu_level level, int constant)
{
	static struct code c;
	c.n = 0;
	for (unsigned i = 0; i < 20; i++)
		op3(&c, GCN_V_FMA_F32, V(i % 7), V((i + 1) % 7), V((i + 3) % 7), V((i + 5) % 7));
	op2(&c, GCN_V_ADD_F32, V(2), K(constant), V(1));
	op2(&c, GCN_V_CMP_LT_F32, VCC, V(0), V(1));
	end(&c);
	return program(level, &c);
}

static bool same_code(const struct cu_program *a, const struct cu_program *b)
{
	size_t n, m;
	const void *x = cu_jit_code(a, &n), *y = cu_jit_code(b, &m);
	return x && y && n == m && !memcmp(x, y, n)
		&& !memcmp(cu_jit_entries(a), cu_jit_entries(b), a->count * sizeof(uint32_t));
}

static struct cu_host *new_host(const char *faults)
{
	struct cu_host_info info = { .core = CU_CORE_JIT, .faults = faults };
	const char *why;
	struct cu_host *h = cu_host_create(&info, &why);
	if (!h || cu_host_problem(h)) {
		printf("skipped: %s\n", h ? cu_host_problem(h) : why);
		exit(0);
	}
	return h;
}

/* What is refused is translated instead, to the same code. */
static void refused(struct cu_host *h, struct cu_exec_heap *heap, const struct cu_program *want, const void *data,
	size_t bytes, const char *what, bool anew)
{
	struct cu_program *p = sample(want->level, 1);
	EXPECT(!cu_blob_attach(p, heap, data, bytes) && !p->runner, "%s is refused", what);
	if (anew) {
		cu_host_add(h, p, "again", (struct cu_host_blob){ data, bytes });
		EXPECT(p->runner && same_code(p, want), "%s is translated anew", what);
	}
	cu_program_destroy(p);
}

static void damaged(struct cu_host *h, struct cu_exec_heap *heap, const struct cu_program *want, const uint8_t *blob,
	size_t bytes)
{
	uint8_t *copy = malloc(bytes + 4);
	uint32_t version;
	for (size_t i = 0; i < bytes && failures < 8; i++) {
		memcpy(copy, blob, bytes);
		copy[i] ^= (uint8_t)(1u << i % 8);
		refused(h, heap, want, copy, bytes, "a flipped bit", i % 50 == 0);
	}
	for (size_t n = 0; n < bytes && failures < 8; n++) {
		uint8_t *cut = malloc(n + 1); /* a sanitizer sees its end */
		memcpy(cut, blob, n);
		refused(h, heap, want, cut, n, "a part", n % 50 == 0);
		free(cut);
	}
	memcpy(copy, blob, bytes);
	memset(copy + bytes, 0, 4);
	refused(h, heap, want, copy, bytes + 4, "one that is too long", true);
	memcpy(&version, copy + 4, 4);
	EXPECT(version == CU_JIT_VERSION, "the version stands behind the magic number");
	version++;
	memcpy(copy + 4, &version, 4);
	refused(h, heap, want, copy, bytes, "another version", true);
	free(copy);
}

static void one_level(struct cu_host *h, struct cu_exec_heap *heap, enum cu_level level)
{
	enum cu_level other = level == CU_LEVEL_V4 ? CU_LEVEL_V3 : CU_LEVEL_V4;
	struct cu_program *p = sample(level, 1), *again = sample(level, 1), *else_ = sample(level, 2);
	struct cu_program *low = sample(other, 1);
	size_t bytes = 0;
	cu_host_add(h, p, "first", (struct cu_host_blob){ 0 });
	uint8_t *blob = cu_host_save(h, p, &bytes);
	EXPECT(p->runner && blob, "translated and saved");
	if (!blob)
		return;
	EXPECT(cu_blob_attach(again, heap, blob, bytes) && same_code(again, p), "the same program takes it");
	EXPECT(!cu_blob_attach(else_, heap, blob, bytes) && !else_->runner, "another program does not");
	EXPECT(!cu_blob_attach(low, heap, blob, bytes) && !low->runner, "nor does the other level");
	damaged(h, heap, p, blob, bytes);
	struct cu_host *faulty = new_host("seed=3");
	struct cu_program *random = sample(level, 1);
	cu_host_add(faulty, random, "random", (struct cu_host_blob){ blob, bytes });
	EXPECT(random->runner && !same_code(random, p), "a fault switch does not take plain code");
	EXPECT(!cu_host_save(faulty, random, &bytes), "nor is its code kept");
	cu_program_destroy(random);
	cu_host_destroy(faulty);
	cu_program_destroy(p);
	cu_program_destroy(again);
	cu_program_destroy(else_);
	cu_program_destroy(low);
	free(blob);
}

int main(void)
{
	struct cu_host *h = new_host(NULL);
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	if (!heap)
		return 1;
	for (int level = 3; level <= 4; level++)
		if (has_level((enum cu_level)level))
			one_level(h, heap, (enum cu_level)level);
	cu_exec_heap_destroy(heap);
	cu_host_destroy(h);
	return finish("test_blob");
}
