/* SPDX-License-Identifier: MIT */
/* Image instructions that follow one another are one call of the texture unit: the same registers, memory and faults as
 * one by one, wherever the call begins. */
#include "isa/resource.h"
#include "tests/jit/jit_harness.h"

enum { SIDE = 16, S_IMAGE = 0, S_SAMPLER = 8, S_OTHER = 12, S_JUMP = 24, RESULTS = 8 };

static _Alignas(256) uint32_t images[2][SIDE * SIDE], before[2][SIDE * SIDE], want[2][SIDE * SIDE];

static void image(struct code *c, enum gcn_op op, unsigned vaddr, unsigned vdata, unsigned t)
{
	struct gcn_inst in = inst(op);
	in.src[0] = V(vaddr);
	in.src[1] = (uint16_t)t;
	in.src[2] = op == GCN_IMAGE_SAMPLE_LZ ? S_SAMPLER : NONE;
	in.dst = V(vdata);
	in.dmask = 15;
	put(c, &in);
}

/* Two kinds of instructions on two images, results that are addresses, and texels that are stored before they are sampled.
 * SCC says whether the first two are jumped over. */
static struct code sequence(void)
{
	struct code c = { 0 };
	op2(&c, GCN_S_CMP_LG_U32, NONE, S_JUMP, K(0));
	imm(&c, GCN_S_CBRANCH_SCC1, 4);
	image(&c, GCN_IMAGE_SAMPLE_LZ, 0, RESULTS, S_IMAGE);
	image(&c, GCN_IMAGE_SAMPLE_LZ, 2, RESULTS + 4, S_IMAGE);
	image(&c, GCN_IMAGE_LOAD, 4, RESULTS + 8, S_IMAGE);
	image(&c, GCN_IMAGE_SAMPLE_LZ, 0, RESULTS + 12, S_OTHER);
	image(&c, GCN_IMAGE_STORE, RESULTS, 4, S_OTHER);
	image(&c, GCN_IMAGE_SAMPLE_LZ, 2, RESULTS + 16, S_OTHER);
	image(&c, GCN_IMAGE_SAMPLE_LZ, 0, 0, S_IMAGE);
	image(&c, GCN_IMAGE_SAMPLE_LZ, 0, RESULTS + 20, S_IMAGE);
	end(&c);
	return c;
}

static void describe(uint32_t t[8], const uint32_t *texels)
{
	const uint64_t base = (uint64_t)(uintptr_t)texels >> 8;
	memset(t, 0, 32);
	ISA_SET(t, T_BASE_LO, (uint32_t)base);
	ISA_SET(t, T_BASE_HI, (uint32_t)(base >> 32));
	ISA_SET(t, T_DATA_FORMAT, DFMT_8_8_8_8);
	ISA_SET(t, T_NUM_FORMAT, NFMT_UNORM);
	ISA_SET(t, T_WIDTH, SIDE - 1);
	ISA_SET(t, T_HEIGHT, SIDE - 1);
	ISA_SET(t, T_TILING_INDEX, TILING_LINEAR);
	ISA_SET(t, T_TYPE, T_TYPE_2D);
	for (unsigned k = 0; k < 4; k++)
		ISA_SET(t, T_DST_SEL(k), SEL_R + k);
}

static void set_up(struct cu_wave *w, uint64_t exec, bool jump, const struct cu_memory *m, struct cu_spans *seen)
{
	memcpy(images, before, sizeof images);
	cu_wave_init(w, exec, NULL);
	describe(&w->sgpr[S_IMAGE], images[0]);
	describe(&w->sgpr[S_OTHER], images[1]);
	memset(&w->sgpr[S_SAMPLER], 0, 16);
	w->sgpr[S_JUMP] = jump;
	for (unsigned l = 0; l < CU_LANES; l++) {
		for (unsigned k = 0; k < 4; k++)
			w->vgpr[k][l] = float_bits((float)(l * (k + 3) % 37) / 37);
		for (unsigned k = 4; k < RESULTS + 24; k++)
			w->vgpr[k][l] = (l * 5 + k) % (SIDE + 2);
	}
	cu_memory_enter(w, m, seen);
}

/* reachable: the images that are memory of the device. */
static void one(enum cu_level level, uint64_t exec, bool jump, int reachable)
{
	static struct cu_wave a, b;
	const struct code c = sequence();
	struct cu_error err = { "" };
	const struct cu_jit_options o = { 0 };
	struct cu_jit_image code;
	struct cu_spans seen[2] = { 0 };
	struct cu_memory *m = cu_memory_create();
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	struct cu_program *p = cu_program_create(level, c.dw, c.n, &err);
	CHECK(m && heap && p && cu_jit_translate(p, &o, &code, &err), "%s", err.text);
	CHECK(cu_memory_add(m, images[0], sizeof images / 2 * (size_t)reachable), "no memory");
	set_up(&a, exec, jump, m, &seen[0]);
	const enum cu_status expect = cu_wave_run(p, &a);
	memcpy(want, images, sizeof want);
	CHECK(expect == (reachable == 2 || !exec ? CU_DONE : CU_FAULT), "level %d: %d %s", level, expect, a.error.text);
	CHECK(cu_jit_attach(p, heap, &code, &err), "%s", err.text);
	set_up(&b, exec, jump, m, &seen[1]);
	const enum cu_status is = cu_wave_run(p, &b);
	CHECK(expect == is && !strcmp(a.error.text, b.error.text), "level %d: %d %s, translated %d %s", level, expect, a.error.text,
		is, b.error.text);
	CHECK(!memcmp(a.vgpr, b.vgpr, sizeof a.vgpr), "level %d, exec %llx: other registers", level, (unsigned long long)exec);
	CHECK(!memcmp(want, images, sizeof want), "level %d, exec %llx: other texels", level, (unsigned long long)exec);
	cu_jit_image_free(&code);
	cu_program_destroy(p);
	cu_exec_heap_destroy(heap);
	cu_memory_destroy(m);
}

int main(void)
{
	static const uint64_t execs[] = { ~0ull, 0x7ffffffffffffffe, 0x8000000100010010, 0 };
	for (unsigned i = 0; i < SIDE * SIDE; i++) {
		before[0][i] = i * 2654435761u;
		before[1][i] = i * 40503u << 7;
	}
	for (int level = 3; level <= 4; level++)
		for (unsigned i = 0; i < 16 && has_level((enum cu_level)level); i++)
			one((enum cu_level)level, execs[i & 3], i & 4, i & 8 ? 1 : 2);
	return finish("test_images");
}
