/* SPDX-License-Identifier: MIT */
/* What translated programs export as NaN: the canonical one where a target has its bits, 0 where it is normalised. */
#include "core/jit/jit.h"
#include "core/mode.h"
#include "test_back_util.h"

enum { SIZE = 16 };

static const uint32_t ps_nan[] = {
	0xbefc0003,             /* s_mov_b32 m0, s3 */
	0xd4080000, 0xd4090001, /* v_interp_p1/p2_f32 v2, v0/v1, attr0.x */
	0x04040502,             /* v_sub_f32 v2, v2, v2 */
	0xc400180f, 0x02020202, /* exp mrt0 v2, v2, v2, v2 done vm */
	0xbf810000,             /* s_endpgm */
};

struct kind { unsigned dfmt, nfmt; uint32_t is; };

static void draw(struct rs_worker *w, struct cu_program *program, const struct kind *k)
{
	static struct tb t;
	struct tb_vertex v[3] = { { -1, -1, 0, 1, { { INFINITY } } }, { 3 * SIZE, -1, 0, 1, { { INFINITY } } }, { -1, 3 * SIZE, 0, 1, { { INFINITY } } } };
	struct rs_prim p;
	tb_begin(&t);
	t.draw.ps.program = program;
	t.draw.ps.mode = CU_MODE_PLAIN; /* that of translated code */
	tb_state(&t);
	tb_pass(&t, SIZE, SIZE);
	t.pass.targets.color[0] = tb_target(k->dfmt, k->nfmt, TILING_4X4, SIZE, SIZE, 1);
	tb_scramble(&t.pass.targets.color[0], 3);
	CHECK(tb_triangle(&p, &t.draw, v, SIZE, SIZE), "no triangle");
	tb_prim(&t, &p);
	tb_render(&t, w);
	for (uint32_t i = 0; i < SIZE * SIZE; i++) {
		uint32_t is = 0;
		memcpy(&is, tb_texel(&t.pass.targets.color[0], i % SIZE, i / SIZE, 0), t.pass.targets.color[0].plane.bpe);
		CHECK(is == k->is, "format %u.%u: pixel %u is %#x", k->dfmt, k->nfmt, i, is);
	}
	free(t.pass.targets.color[0].plane.base);
	tb_end(&t);
}

int main(void)
{
	static const struct kind kinds[] = { { DFMT_32, NFMT_FLOAT, 0x7fc00000 }, { DFMT_8_8_8_8, NFMT_UNORM, 0 }, { DFMT_16, NFMT_FLOAT, 0x7e00 },
		{ DFMT_8_8_8_8, NFMT_SRGB, 0 }, { DFMT_32, NFMT_UINT, 0x7fc00000 }, { DFMT_8_8, NFMT_SNORM, 0 } };
	struct cu_error err = { "" };
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	CHECK(heap, "no memory for code");
	for (enum cu_level level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++) {
		const struct cu_jit_options o = { .seed = 0 };
		struct cu_jit_image code;
		if (level == CU_LEVEL_V4 && !__builtin_cpu_supports("avx512vl"))
			continue;
		struct cu_program *p = cu_program_create(level, ps_nan, sizeof ps_nan / 4, &err);
		CHECK(p && cu_jit_translate(p, &o, &code, &err) && cu_jit_attach(p, heap, &code, &err), "%s", err.text);
		struct rs_worker *w = test_worker(level);
		CHECK(w, "no memory");
		for (unsigned n = 0; n < sizeof kinds / sizeof kinds[0]; n++)
			draw(w, p, &kinds[n]);
		rs_worker_destroy(w);
		cu_jit_detach(p);
		cu_jit_image_free(&code);
		cu_program_destroy(p);
	}
	cu_exec_heap_destroy(heap);
	return 0;
}
