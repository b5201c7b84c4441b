/* SPDX-License-Identifier: MIT */
/* Four texels of floats within regions, a lane's four components in a line, filtered as core/tex/tex_components.h has it. */
#include "core/jit/jit_image_priv.h"
#include "core/jit/jit_vector.h"

void jit_image_find_weighed(struct jit_region *g, struct xo weight, struct xo m)
{
	enum { GT_OS = 14 };
	VX(g, VCMPPS, g->v4 ? R(K7) : m, weight, jit_v_const(g, 0), jit_x_imm(GT_OS));
}

void jit_image_mix(struct jit_region *g, struct xo a, struct xo b, struct xo weight, struct xo m)
{
	VX(g, VSUBPS, b, b, a);
	VX(g, VFMADD213PS, b, weight, a);
	if (g->v4)
		VXK(g, 7, VMOVAPS, a, b);
	else
		X(g->b, VBLENDVPS, a, a, b, m);
}

/* Lines of lanes l, l + 4 and on: a of their first texels, b of those that follow them; c is used up. */
static void load_line_pairs(struct jit_region *g, bool halves, unsigned row, unsigned l, struct xo a, struct xo b, struct xo c)
{
	enum { LOW = 0x20, HIGH = 0x31, EVEN = 0x88, ODD = 0xdd };
	const struct xo pair[4] = { a, g->v4 ? jit_image_spare(g) : c, b, c };
	for (unsigned n = 0; n < jit_image_lanes(g) / 4; n++) {
		const struct xo to = jit_image_half(g, pair[n]), from = jit_image_texel(g, row, l + 4 * n, halves ? 16 : 32);
		if (halves)
			VX(g, VCVTPH2PS, to, from);
		else
			VX(g, VMOVUPS, to, from);
		if (n & 1 && g->v4)
			VX(g, VINSERTF64X4, pair[n - 1], pair[n - 1], to, jit_x_imm(1));
	}
	if (g->v4) {
		VX(g, VSHUFF32X4, c, a, b, jit_x_imm(EVEN));
		VX(g, VSHUFF32X4, b, a, b, jit_x_imm(ODD));
		VX(g, VMOVAPS, a, c);
	} else {
		X(g->b, VPERM2F128, b, a, c, jit_x_imm(HIGH));
		X(g->b, VPERM2F128, a, a, c, jit_x_imm(LOW));
	}
}

/* The four texels of lanes l, l + 4 and on, lines of each. */
static void load_taps(struct jit_region *g, bool halves, bool pairs, unsigned row, unsigned l, const struct xo tap[4], struct xo spare)
{
	jit_image_lines_fn *load = halves ? jit_image_load_halves : jit_image_load_singles;
	for (unsigned k = 0; k < 4; k++)
		if (!pairs)
			load(g, row + k, l, tap[k], spare);
		else if (k % 2 == 0)
			load_line_pairs(g, halves, row + k, l, tap[k], tap[k + 1], spare);
}

/* a = a + weight (b - a), where no weight is 0; b is used up. */
static void mix_all(struct jit_region *g, struct xo a, struct xo b, struct xo weight)
{
	VX(g, VSUBPS, b, b, a);
	VX(g, VFMADD231PS, a, b, weight);
}

/* t[l] of all lines.  count: all weights do. */
static void read_all_lines(struct jit_region *g, const struct jit_read *r, bool halves, bool pairs, bool count)
{
	enum { ALL_FOUR = 0x55 };
	const struct xo *t = r->t, weight = t[7], m = t[8];
	for (unsigned l = 0; l < 4; l++) {
		const struct xo tap[4] = { t[l], t[4], t[5], t[6] };
		load_taps(g, halves, pairs, r->row + ROW_AT, l, tap, pairs ? t[8] : weight);
		for (unsigned axis = 0; axis < 2; axis++) {
			VX(g, VPERMILPS, weight, jit_image_row(r->weight[axis], 0, 4 * jit_image_lanes(g)), jit_x_imm(l * ALL_FOUR));
			if (!count)
				jit_image_find_weighed(g, weight, m);
			for (unsigned k = 0; k < (axis ? 1u : 4u); k += 2) {
				const struct xo from = tap[axis ? 2 : k + 1];
				if (count)
					mix_all(g, tap[k], from, weight);
				else
					jit_image_mix(g, tap[k], from, weight, m);
			}
		}
	}
}

void jit_linear_read_lines(struct jit_region *g, const struct jit_read *r, bool halves)
{
	int pairs = jit_x_label(g->b), some = jit_x_label(g->b), some_pairs = jit_x_label(g->b), done = jit_x_label(g->b);
	jit_image_base(g);
	X(g->b, CMP, jit_image_row(r->row + ROW_AT + 1, 0, 4), jit_x_imm(0));
	XJ(g->b, JL, pairs);
	if (halves) { /* often targets of former draws, in parts */
		jit_image_go_unless_weighed(g, r->t[8], r->weight, some);
		read_all_lines(g, r, halves, false, true);
		XJ(g->b, JMP, done);
	}
	jit_x_bind(g->b, some);
	read_all_lines(g, r, halves, false, false);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, pairs);
	jit_image_go_unless_weighed(g, r->t[8], r->weight, some_pairs);
	read_all_lines(g, r, halves, true, true);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, some_pairs);
	read_all_lines(g, r, halves, true, false);
	jit_x_bind(g->b, done);
}
