/* SPDX-License-Identifier: MIT */
/* Texels of a strip to memory components: what all kernels of a format share. */
#ifndef CORE_TEX_TEX_COMPONENTS_H
#define CORE_TEX_TEX_COMPONENTS_H

#include "core/tex/tex_filter.h"
#include "core/tex/tex_srgb.h"

/* What a kernel is compiled for.  dfmt DFMT_INVALID: any format, by its decoder; linear: texels of a tile of sRGB;
 * table: tex_srgb_linear_by; look: for lanes' texels that are all the same. */
struct tex_texel { uint8_t dfmt, nfmt; bool blocks, compare, linear, bc1, table, look; };

/* --- texels that follow one another as lanes do, of 4 bytes each --- */

/* Bytes from the first lane's: images in parts have them in one piece, others in rows of four. */
V_INLINE vi tex_steps(bool parts, int32_t pitch)
{
	vi in_parts, x, y;
	V_UNROLL
	for (int i = 0; i < VL; i++) {
		in_parts[i] = 4 * i;
		x[i] = 4 * ((i & 1) | (i >> 1 & 2));
		y[i] = (i >> 1 & 1) | (i >> 2 & 2);
	}
	return parts ? in_parts : x + y * pitch;
}

/* Rows of four texels, VL / 4 of them, as lanes have them. */
V_INLINE vi tex_load_rows(const uint8_t *p, size_t pitch)
{
	__m128i row[VL / 4];
	V_UNROLL
	for (int i = 0; i < VL / 4; i++)
		row[i] = _mm_loadu_si128((const __m128i *)(p + i * pitch));
	__m128i quad[VL / 4];
	V_UNROLL
	for (int i = 0; i < VL / 4; i += 2) {
		quad[i] = _mm_unpacklo_epi64(row[i], row[i + 1]);
		quad[i + 1] = _mm_unpackhi_epi64(row[i], row[i + 1]);
	}
	return v_of_lines(quad);
}

/* --- the nearest texel, compared --- */

V_INLINE void tex_compare_texels(const struct tex_sampler *smp, vf ref, vi mem[4])
{
	mem[0] = tex_compare(smp->compare, ref, (vf)mem[0]) & (vi)v_setf(1);
	mem[1] = mem[2] = v_set(0);
	mem[3] = (vi)v_setf(1);
}

/* --- four texels --- */

/* Whether component c is filtered as the code of UNORM that it is, and divided afterwards. */
V_INLINE bool tex_is_code(struct tex_texel k, unsigned c)
{
	return !k.compare && (k.nfmt == NFMT_UNORM || (k.nfmt == NFMT_SRGB && c == 3));
}

/* Component c of a texel as it is filtered. */
V_INLINE vf tex_component(struct tex_texel k, const struct tex_sampler *smp, vf ref, const vi raw[4], unsigned c)
{
	const struct cu_format_layout l = cu_format_layout(k.dfmt);
	if (k.linear)
		return (vf)raw[c];
	if (tex_is_code(k, c))
		return v_float(tex_field(raw, l.shift[c], l.bits[c]));
	if (k.nfmt == NFMT_SRGB)
		return tex_srgb_linear_by(k.table, tex_field(raw, l.shift[c], l.bits[c]));
	vf v = (vf)tex_unpack_component(k.nfmt, l.bits[c], l.shift[c], c, raw);
	if (k.compare)
		return (vf)(tex_compare(smp->compare, ref, v) & (vi)v_setf(1));
	return v;
}

V_INLINE vf tex_lerp_of(bool any_value, vf a, vf b, vf f) { return any_value ? tex_lerp_float(a, b, f) : tex_lerp(a, b, f); }

/* Whether no weight is 0, so that all texels count, whatever they are. */
V_INLINE bool tex_all_count(vf x, vf y) { return !v_any(v_minf(x, y) <= v_setf(0)); }

/* Texels of 4 bytes that are all the same in each lane, as most of those of windows, text and sky are. */
V_INLINE bool tex_are_same(const vi tap[4][4])
{
	return v_is_zero((tap[0][0] ^ tap[1][0]) | (tap[0][0] ^ tap[2][0]) | (tap[0][0] ^ tap[3][0]));
}

/* What tex_weigh comes to then, of 8_8_8_8 SRGB: weights do not matter. */
V_INLINE void tex_weigh_same(struct tex_texel k, const vi texel[4], vi mem[4])
{
	V_UNROLL
	for (unsigned c = 0; c < 4; c++) {
		const vf v = tex_component(k, NULL, v_setf(0), texel, c);
		mem[c] = (vi)(c == 3 ? tex_divide(v, 255) : v);
	}
}

/* Taps as a footprint has them, by weights of the second along each axis; ref: what they are compared with.  any: of floats,
 * that some weights are 0. */
V_INLINE void tex_weigh(struct tex_texel k, const struct tex_sampler *smp, bool any, vi tap[4][4], vf x, vf y, vf ref, vi mem[4])
{
	const struct cu_format_layout l = cu_format_layout(k.dfmt);
	V_UNROLL
	for (unsigned c = 0; c < 4; c++) {
		mem[c] = c == 3 ? (vi)v_setf(1) : v_set(0);
		if (c >= (k.compare ? 1 : l.count))
			continue;
		vf top = tex_lerp_of(any, tex_component(k, smp, ref, tap[0], c), tex_component(k, smp, ref, tap[1], c), x);
		vf bottom = tex_lerp_of(any, tex_component(k, smp, ref, tap[2], c), tex_component(k, smp, ref, tap[3], c), x);
		vf v = tex_lerp_of(any, top, bottom, y);
		if (k.linear && c == 3)
			v = tex_divide(v, 255);
		mem[c] = (vi)(tex_is_code(k, c) ? tex_divide(v, (1u << (l.bits[c] & 31)) - 1) : v);
	}
}

#endif
