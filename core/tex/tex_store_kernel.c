/* SPDX-License-Identifier: MIT */
/* A wave of image_store in one go, by the format of the texels (TEX_STORE_KERNELS).  Lanes of one texel: the last one's stays. */
#include "core/format/format_run.h"
#include "core/tex/tex_kernels.def"
#include "core/tex/tex_loads.h"
#include "core/tex/tex_output.h"

/* Of a strip of texels whether all are written, one behind the other. */
V_INLINE bool in_a_row(const int32_t at[VL], unsigned bytes, uint32_t live)
{
	int32_t step[VL];
	for (unsigned i = 0; i < VL; i++)
		step[i] = (int32_t)(bytes * i);
	return live == (1u << VL) - 1 && !v_any(v_load(at) - v_set(at[0]) != v_load(step));
}

/* Texels of 1, 2, 4, 8 or 16 bytes: no plan that is not odd has others. */
V_INLINE void store_lanes(unsigned bytes, uint8_t *base, const int32_t at[VL], uint32_t live, const vi raw[4])
{
	if (live == (1u << VL) - 1) {
		v_store_rows_at(bytes, base, at, raw);
		return;
	}
	uint32_t texel[4][VL];
	for (unsigned k = 0; k < (bytes + 3) / 4; k++)
		v_store(texel[k], raw[k]);
	for (; live; live &= live - 1) {
		const int i = __builtin_ctz(live);
		for (unsigned k = 0; k < (bytes + 3) / 4; k++)
			memcpy(base + at[i] + 4 * k, &texel[k][i], bytes < 4 ? bytes : 4);
	}
}

static void store_any(unsigned bytes, uint8_t *base, const int32_t at[VL], uint32_t live, const vi raw[4])
{
	switch (bytes) { /* so that the copies have constant sizes */
	case 1: store_lanes(1, base, at, live, raw); break;
	case 2: store_lanes(2, base, at, live, raw); break;
	case 4: store_lanes(4, base, at, live, raw); break;
	case 8: store_lanes(8, base, at, live, raw); break;
	default: store_lanes(16, base, at, live, raw); break;
	}
}

/* DFMT_INVALID: any format, by its encoder. */
V_INLINE void store(unsigned dfmt, unsigned nfmt, const struct tex_op *op)
{
	enum { LINE = 64 };
	const struct tex_image *img = op->image;
	const bool any = dfmt == DFMT_INVALID, kernel = !op->w->exports;
	const unsigned bytes = any ? img->level->bpe : cu_format_layout(dfmt).bytes;
	const tex_encode_fn encode = any ? CU_FN(cu_tex_encoder)(img->level->dfmt, img->level->nfmt) : NULL;
	const uint64_t exec = cu_exec(op->w);
	uint8_t *const base = op->plan->level->base;
	const uint32_t *row[4];
	struct tex_footprint p;
	alignas(64) int32_t inside[CU_LANES];
	p.strips = live_strips(exec);
	if (img->dims == 2 && !img->arrayed)
		tex_find_loads(true, op, &p, inside);
	else
		tex_find_loads(false, op, &p, inside);
	tex_find_stored(op, row);
	EACH_STRIP(p.strips, lane) {
		const uint32_t live = (uint32_t)(exec >> lane) & v_bits(v_load(&inside[lane]));
		const int32_t *const at = &p.at[0][lane];
		vi mem[4], raw[4] = { v_set(0), v_set(0), v_set(0), v_set(0) };
		if (!live)
			continue;
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			mem[c] = v_load(row[c] + lane);
		if (any) {
			encode(mem, raw);
			store_any(bytes, base, at, live, raw);
			continue;
		}
		if (bytes < 16 && in_a_row(at, bytes, live)) {
			tex_write_run(dfmt, nfmt, mem, base + at[0]);
			if (kernel)
				__builtin_prefetch(base + at[0] + LINE, 1); /* of the next group */
		} else {
			tex_pack(dfmt, nfmt, mem, raw);
			store_lanes(bytes, base, at, live, raw);
		}
	}
}

static void store_encoded(const struct tex_op *op) { store(DFMT_INVALID, 0, op); }

#define K(dfmt, nfmt) static void store_##dfmt##_##nfmt(const struct tex_op *op) { store(DFMT_##dfmt, NFMT_##nfmt, op); }
TEX_STORE_KERNELS(K)
#undef K

tex_store_fn tex_choose_store(const struct tex_plan *plan, const struct tex_image *img)
{
	const unsigned dfmt = img->level->dfmt;
	const bool dwords = dfmt == DFMT_32 || dfmt == DFMT_32_32 || dfmt == DFMT_32_32_32_32; /* are stored as they are */
	const unsigned nfmt = dwords ? NFMT_FLOAT : img->level->nfmt;
	if (!plan->loads || plan->odd || img->block)
		return NULL;
#define K(d, n) \
	if (dfmt == DFMT_##d && nfmt == NFMT_##n) \
		return store_##d##_##n;
	TEX_STORE_KERNELS(K)
#undef K
	return store_encoded;
}
