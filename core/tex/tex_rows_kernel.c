/* SPDX-License-Identifier: MIT */
/* 8_8_8_8 UNORM of two dimensions in rows, both axes repeated or both clamped: a wave from coordinates to results
 * without a footprint, which few lanes are not worth.  The same bits as the steps of tex_wave_kernel.c give. */
#include "core/tex/tex_fetch_taps.h"
#include "core/tex/tex_output.h"
#include "core/tex/tex_texels.h"

/* What a kernel is compiled for; whole: as tex_write_strip has it. */
struct kind { unsigned wrap; bool linear, whole; };

/* A level, the same for all lanes. */
struct plane { struct tex_ends ends[2]; vi pitch; const uint8_t *base; };

V_INLINE struct plane plane_at(const struct tex_op *op, int32_t level)
{
	const struct tex_place *at = &op->plan->level[level];
	return (struct plane){ { tex_ends_of(op, at, 0), tex_ends_of(op, at, 1) }, v_set(at->pitch), at->base };
}

V_INLINE void read_nearest(struct kind k, const struct plane *p, const vf coord[2], vi mem[4])
{
	vi at[2], raw[4];
	V_UNROLL
	for (int d = 0; d < 2; d++)
		at[d] = tex_nearest_texel(&p->ends[d], tex_fold(k.wrap, coord[d], p->ends[d].limit));
	raw[0] = v_gather(p->base, at[1] * p->pitch + (at[0] << 2));
	tex_unpack(DFMT_8_8_8_8, NFMT_UNORM, raw, mem);
}

/* Pairs of texels of a line; apart: where the second may not follow the first. */
V_INLINE struct tex_row read_pairs(const struct plane *p, bool apart, vi line, const vi x[2])
{
	alignas(64) int32_t at[2][VL];
	V_UNROLL
	for (int t = 0; t < 1 + apart; t++)
		v_store(at[t], line + (x[t] << 2));
	__asm__("" : : : "memory"); /* the stores, and not their vectors' lanes */
	return apart ? tex_row_of(v_load_at(p->base, at[0]), v_load_at(p->base, at[1])) : tex_load_row(p->base, at[0]);
}

V_INLINE void read_linear(struct kind k, const struct tex_bytes_constants *constants, const struct plane *p,
	const vf coord[2], vi mem[4])
{
	uint32_t weight[2][VL];
	vi at[2][2], first[2];
	struct tex_row row[2];
	vf value[4];
	V_UNROLL
	for (int d = 0; d < 2; d++) {
		first[d] = tex_first_texel(true, &p->ends[d], tex_fold(k.wrap, coord[d], p->ends[d].limit), weight[d]);
		at[d][0] = tex_texel_of_two(&p->ends[d], first[d], 0);
		at[d][1] = tex_texel_of_two(&p->ends[d], first[d], 1);
	}
	const bool apart = v_bits(first[0] | (p->ends[0].last - 1 - first[0])) != 0;
	V_UNROLL
	for (int r = 0; r < 2; r++)
		row[r] = apart ? read_pairs(p, true, at[1][r] * p->pitch, at[0]) : read_pairs(p, false, at[1][r] * p->pitch, at[0]);
	tex_weigh_bytes(constants, row, v_load(weight[0]), v_load(weight[1]), value);
	V_UNROLL
	for (int c = 0; c < 4; c++)
		mem[c] = (vi)value[c];
}

/* A wave of one level. */
V_INLINE void sample_lanes(struct kind k, const struct tex_op *op, const struct tex_outputs *out)
{
	const struct tex_bytes_constants constants = tex_bytes_constants();
	const struct plane only = plane_at(op, 0);
	uint64_t exec = cu_exec(op->w);
	for (int lane = 0; lane < CU_LANES; lane += VL, exec >>= VL) {
		const uint32_t live = (uint32_t)exec & ((1u << VL) - 1);
		const vf coord[2] = { v_loadf(&op->address[0][lane]), v_loadf(&op->address[1][lane]) };
		vi mem[4];
		if (!k.whole && !live)
			continue;
		if (k.linear)
			read_linear(k, &constants, &only, coord, mem);
		else
			read_nearest(k, &only, coord, mem);
		tex_write_strip(out, k.whole, lane, live, mem);
	}
}

V_INLINE bool sample(unsigned wrap, bool linear, const struct tex_op *op)
{
	struct tex_outputs out;
	tex_find_outputs(op, &out);
	if (tex_whole(op, &out))
		sample_lanes((struct kind){ wrap, linear, true }, op, &out);
	else
		sample_lanes((struct kind){ wrap, linear, false }, op, &out);
	return true;
}

#define KERNELS(K) \
	K(S_WRAP, false) K(S_CLAMP_LAST_TEXEL, false) K(S_WRAP, true) K(S_CLAMP_LAST_TEXEL, true)
#define K(wrap, linear) \
static bool sample_##wrap##_##linear(const struct tex_op *op) { return sample(wrap, linear, op); }
KERNELS(K)
#undef K

tex_quick_fn tex_choose_rows(const struct tex_image *img, const struct tex_sampler *smp)
{
	const struct surf_plane *p = img->level;
	if (p->dfmt != DFMT_8_8_8_8 || p->nfmt != NFMT_UNORM || p->tiling != TILING_LINEAR || img->dims != 2 || img->cube ||
	    img->arrayed || !smp->fixed)
		return NULL;
#define K(wrap, linear) \
	if (smp->clamp[0] == wrap && smp->clamp[1] == wrap && smp->mag_linear == linear) \
		return sample_##wrap##_##linear;
	KERNELS(K)
#undef K
	return NULL;
}
