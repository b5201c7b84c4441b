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

/* A wave of one level. */
V_INLINE void sample_lanes(struct kind k, const struct tex_op *op, const struct tex_outputs *out)
{
	const struct plane only = plane_at(op, 0);
	uint64_t exec = cu_exec(op->w);
	for (int lane = 0; lane < CU_LANES; lane += VL, exec >>= VL) {
		const uint32_t live = (uint32_t)exec & ((1u << VL) - 1);
		const vf coord[2] = { v_loadf(&op->address[0][lane]), v_loadf(&op->address[1][lane]) };
		vi mem[4];
		if (!k.whole && !live)
			continue;
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

#define KERNELS(K) K(S_WRAP, false) K(S_CLAMP_LAST_TEXEL, false)
#define K(wrap, linear) \
static bool sample_##wrap##_##linear(const struct tex_op *op) { return sample(wrap, linear, op); }
KERNELS(K)
#undef K

tex_quick_fn tex_choose_rows(const struct tex_image *img, const struct tex_sampler *smp)
{
	const struct surf_plane *p = img->level;
	if (p->dfmt != DFMT_8_8_8_8 || p->nfmt != NFMT_UNORM || p->tiling != TILING_LINEAR || img->dims != 2 || img->cube ||
	    img->arrayed || img->levels > 1 || smp->mag_linear != smp->min_linear)
		return NULL;
#define K(wrap, linear) \
	if (smp->clamp[0] == wrap && smp->clamp[1] == wrap && smp->mag_linear == linear) \
		return sample_##wrap##_##linear;
	KERNELS(K)
#undef K
	return NULL;
}
