/* SPDX-License-Identifier: MIT */
/* The packed forms of an image instruction: 16-bit addresses (a16) and 16-bit
 * data (d16) are widened before, narrowed after the unit has worked on 32
 * bits, in arrays of their own. */
#include "core/tex/tex.h"

/* Two addresses a VGPR, lowest first. Offset and compare stay dwords, bias has
 * one of its own, each direction's derivatives begin a new one. */
unsigned tex_a16_dwords(const struct tex_image *img, uint32_t flags)
{
	unsigned rest = 1;
	if ((flags & TEX_KIND) != TEX_RESINFO)
		rest = img->dims + img->arrayed + img->msaa + !!(flags & (TEX_CL | TEX_L | TEX_MIP));
	unsigned n = !!(flags & TEX_O) + !!(flags & TEX_B) + !!(flags & TEX_C);
	if (flags & TEX_D)
		n += 2 * ((img->dims + 1u) / 2);
	return n + (rest + 1) / 2;
}

/* Half k of the VGPRs from `from` on, as a float or an unsigned integer. */
static void widen(uint32_t to[CU_LANES], uint32_t (*from)[CU_LANES], unsigned k, bool is_float)
{
	for (int lane = 0; lane < CU_LANES; lane += VL) {
		vi h = v_load(&from[k / 2][lane]);
		h = k & 1 ? v_shr(h, 16) : h & 0xffff;
		v_store(&to[lane], is_float ? (vi)v_half_to_float(h) : h);
	}
}

void tex_widen_address(const struct tex_op *op, uint32_t (*from)[CU_LANES], uint32_t (*to)[CU_LANES])
{
	const struct tex_image *img = op->image;
	unsigned kind = op->flags & TEX_KIND, rest = 1;
	bool is_float = kind == TEX_SAMPLE || kind == TEX_GATHER || kind == TEX_GET_LOD;
	if (op->flags & TEX_O)
		memcpy(*to++, *from++, sizeof(*to));
	if (op->flags & TEX_B)
		widen(*to++, from++, 0, true);
	if (op->flags & TEX_C)
		memcpy(*to++, *from++, sizeof(*to));
	for (int k = 0; op->flags & TEX_D && k < 2; k++) {
		for (unsigned d = 0; d < img->dims; d++)
			widen(*to++, from, d, true);
		from += (img->dims + 1) / 2;
	}
	if (kind != TEX_RESINFO)
		rest = img->dims + img->arrayed + img->msaa + !!(op->flags & (TEX_CL | TEX_L | TEX_MIP));
	for (unsigned k = 0; k < rest; k++)
		widen(*to++, from, k, is_float);
}

void tex_widen_data(const struct tex_image *img, bool unpacked, unsigned count, uint32_t (*from)[CU_LANES],
	uint32_t (*to)[CU_LANES])
{
	for (unsigned n = 0; n < count; n++) {
		widen(to[n], from, unpacked ? 2 * n : n, !img->integer);
		if (img->level->nfmt == NFMT_SINT)
			for (int l = 0; l < CU_LANES; l++)
				to[n][l] = (uint32_t)(int16_t)to[n][l];
	}
}

static vi narrow(const struct tex_image *img, vi x)
{
	if (img->level->nfmt == NFMT_UINT)
		return (vi)v_minu((vu)x, v_setu(0xffff));
	if (img->level->nfmt == NFMT_SINT)
		return v_clamp(x, -0x8000, 0x7fff) & 0xffff;
	return v_float_to_half((vf)x);
}

void tex_narrow_data(const struct tex_op *op, bool unpacked, unsigned count, uint32_t (*to)[CU_LANES])
{
	for (unsigned n = 0; n < count; n += unpacked ? 1 : 2) {
		uint32_t *d = to[unpacked ? n : n / 2];
		for (int lane = 0; lane < CU_LANES; lane += VL) {
			vi x = narrow(op->image, v_load(&op->data[n][lane]));
			if (!unpacked && n + 1 < count)
				x |= narrow(op->image, v_load(&op->data[n + 1][lane])) << 16;
			vi live = v_mask_of(tex_live(op->w, lane));
			v_store(&d[lane], v_sel(live, x, v_load(&d[lane])));
		}
	}
}
