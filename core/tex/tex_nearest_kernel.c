/* SPDX-License-Identifier: MIT */
/* The nearest texel of 8_8_8_8 UNORM in rows, without border, of an image with one
 * level: a whole wave in one go.  The same bits as the general path gives. */
#include "core/tex/tex_filter.h"
#include "core/tex/tex_output.h"

/* How both axes wrap. */
enum wrap { WRAP_POW2, WRAP_CLAMP, WRAP_ANY };

/* The image, the same for all lanes. */
struct plane { vf scale[2]; vi size[2], pitch; };

/* Texel indices along an axis.  Infinite and huge coordinates give some texel, NaN too. */
V_INLINE vi texel(enum wrap wrap, const struct tex_op *op, const struct plane *p, unsigned d, vf coord)
{
	vf u = coord * p->scale[d];
	vi border = v_set(0), last = p->size[d] - 1; /* border: there is none */
	if (wrap == WRAP_POW2)
		return v_trunc(v_floor(u)) & last;
	if (wrap == WRAP_CLAMP)
		return v_trunc(v_minf(v_maxf(u, v_setf(0)), v_float(last)));
	u = v_minf(v_maxf(u, v_setf(-0x1p30f)), v_setf(0x1p30f));
	return tex_wrap(v_trunc(v_floor(u)), p->size[d], op->sampler->clamp[d], op->image->pow2[d], &border);
}

V_INLINE void lanes(enum wrap wrap, const struct tex_op *op, const struct tex_outputs *out, bool whole)
{
	const struct tex_image *img = op->image;
	const uint8_t *memory = img->level[0].base;
	struct plane p = { .size = { v_opaque(v_set(img->size[0][0])), v_opaque(v_set(img->size[1][0])) },
		.pitch = v_opaque(v_set(img->pitch[0])) };
	uint64_t exec = cu_exec(op->w);
	for (unsigned d = 0; d < 2; d++)
		p.scale[d] = op->sampler->unnormalized ? v_setf(1) : v_float(p.size[d]);
	for (int lane = 0; lane < CU_LANES; lane += VL, exec >>= VL) {
		uint32_t live = (uint32_t)exec & ((1u << VL) - 1);
		vi mem[4];
		if (!whole && !live)
			continue;
		vi x = texel(wrap, op, &p, 0, (vf)v_load(&op->address[0][lane]));
		vi y = texel(wrap, op, &p, 1, (vf)v_load(&op->address[1][lane]));
		vi raw = v_gather(memory, y * p.pitch + (x << 2)); /* of all lanes: it is in the image */
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			mem[c] = (vi)tex_divide(v_float(c == 3 ? v_shr(raw, 24) : v_shr(raw, 8 * c) & 255), 255);
		tex_write_strip(out, whole, lane, live, mem);
	}
}

#define KERNELS(K) K(WRAP_POW2) K(WRAP_CLAMP) K(WRAP_ANY)
#define K(w) \
static void wave_##w(const struct tex_op *op) \
{ \
	struct tex_outputs out; \
	tex_find_outputs(op, &out); \
	if (tex_whole(op, &out)) \
		lanes(w, op, &out, true); \
	else \
		lanes(w, op, &out, false); \
}
KERNELS(K)
#undef K

tex_wave_fn tex_nearest_wave(const struct tex_image *img, const struct tex_sampler *smp)
{
	const uint8_t *clamp = smp->clamp;
	const struct surf_plane *p = img->level;
	bool plain = img->dims == 2 && !img->cube && !img->arrayed && !img->wide && !img->msaa && img->levels == 1;
	if (!plain || smp->mag_linear || smp->min_linear || smp->any_border || p->dfmt != DFMT_8_8_8_8 ||
	    p->nfmt != NFMT_UNORM || p->tiling != TILING_LINEAR)
		return NULL;
	if (clamp[0] == S_WRAP && clamp[1] == S_WRAP && img->pow2[0] && img->pow2[1])
		return wave_WRAP_POW2;
	return clamp[0] == S_CLAMP_LAST_TEXEL && clamp[1] == S_CLAMP_LAST_TEXEL ? wave_WRAP_CLAMP : wave_WRAP_ANY;
}
