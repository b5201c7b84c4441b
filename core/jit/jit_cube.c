/* SPDX-License-Identifier: MIT */
/* Cube maps: the face that a direction meets, and where.  Ties go to z, then to y. */
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"

enum { LESS = 0x11, NOT_LESS = 0x15, GREATER_EQUAL = 0x1d }; /* predicates of vcmpps */
enum { ONE = 0x3f800000, TWO = 0x40000000, FOUR = 0x40800000 };
static const uint32_t SIGN = 0x80000000u;

/* x, y, z in registers; z and y: masks of lanes where they are the major axis; y's counts only where z's is off. */
struct cube { struct xo axis[3], z, y; };

static struct cube sources(struct jit_region *g, uint32_t i)
{
	struct cube c = { 0 };
	for (int n = 0; n < 3; n++)
		c.axis[n] = jit_v_register(g, jit_v_source(g, i, n));
	return c;
}

/* Fills in the masks: the two temporary ones on AVX-512. */
static void find_major(struct jit_region *g, struct cube *c)
{
	struct xo size[3];
	for (int n = 0; n < 3; n++) {
		size[n] = jit_r_temp(g);
		VXD(g, VPAND, size[n], c->axis[n], jit_v_const(g, ~SIGN));
	}
	c->z = jit_v_mask_temp(g, 0);
	c->y = jit_v_mask_temp(g, 1);
	VX(g, VCMPPS, c->z, size[2], size[0], jit_x_imm(GREATER_EQUAL));
	if (g->v4) {
		VXK(g, c->z.reg - ZYDIS_REGISTER_K0, VCMPPS, c->z, size[2], size[1], jit_x_imm(GREATER_EQUAL));
	} else {
		VX(g, VCMPPS, c->y, size[2], size[1], jit_x_imm(GREATER_EQUAL));
		VX(g, VPAND, c->z, c->z, c->y);
	}
	VX(g, VCMPPS, c->y, size[1], size[0], jit_x_imm(GREATER_EQUAL));
	for (int n = 0; n < 3; n++)
		jit_r_free(g, size[n]);
}

/* x with its sign changed where `by` is less, or not less, than 0; in a temporary.  Uses the second mask. */
static struct xo turned(struct jit_region *g, struct xo x, struct xo by, int predicate)
{
	struct xo d = jit_r_temp(g);
	if (g->v4) {
		struct xo m = jit_v_mask_temp(g, 1);
		VX(g, VCMPPS, m, by, jit_v_const(g, 0), jit_x_imm(predicate));
		VXD(g, VPXOR, d, x, jit_v_const(g, SIGN));
		jit_v_select(g, d, m, d, x);
		return d;
	}
	VX(g, VCMPPS, d, by, jit_v_const(g, 0), jit_x_imm(predicate));
	VX(g, VPAND, d, d, jit_v_const(g, SIGN));
	VX(g, VPXOR, d, d, x);
	return d;
}

/* d = by the major axis z, y, x; d may be x. */
static void pick(struct jit_region *g, const struct cube *c, struct xo d, struct xo z, struct xo y, struct xo x)
{
	jit_v_select(g, d, c->y, y, x);
	jit_v_select(g, d, c->z, z, d);
}

static void finish(struct jit_region *g, uint32_t i, ZydisMnemonic m, struct xo a, struct xo b)
{
	struct jit_v_out o = jit_v_result(g, i);
	jit_v_last(g, &o, m, b.kind ? 2 : 1, (struct xo[]){ a, b });
	jit_v_put(g, i, &o);
}

void jit_cube_id(struct jit_region *g, uint32_t i)
{
	struct cube c = sources(g, i);
	find_major(g, &c);
	struct xo face = jit_r_temp(g), major = jit_r_temp(g), zero = jit_r_temp(g);
	VXD(g, VPXOR, zero, zero, zero);
	pick(g, &c, face, jit_v_const(g, FOUR), jit_v_const(g, TWO), zero);
	pick(g, &c, major, c.axis[2], c.axis[1], c.axis[0]);
	struct xo less = jit_v_mask_temp(g, 0);
	VX(g, VCMPPS, less, major, zero, jit_x_imm(LESS));
	jit_v_select(g, major, less, jit_v_const(g, ONE), zero);
	finish(g, i, ZYDIS_MNEMONIC_VADDPS, face, major);
}

void jit_cube_sc(struct jit_region *g, uint32_t i)
{
	struct cube c = sources(g, i);
	struct xo z = turned(g, c.axis[0], c.axis[2], LESS), x = turned(g, c.axis[2], c.axis[0], NOT_LESS);
	find_major(g, &c);
	pick(g, &c, x, z, c.axis[0], x);
	finish(g, i, ZYDIS_MNEMONIC_VMOVAPS, x, (struct xo){ 0 });
}

void jit_cube_tc(struct jit_region *g, uint32_t i)
{
	struct cube c = sources(g, i);
	struct xo y = turned(g, c.axis[2], c.axis[1], LESS), other = jit_r_temp(g);
	VXD(g, VPXOR, other, c.axis[1], jit_v_const(g, SIGN));
	find_major(g, &c);
	pick(g, &c, y, other, y, other);
	finish(g, i, ZYDIS_MNEMONIC_VMOVAPS, y, (struct xo){ 0 });
}

void jit_cube_ma(struct jit_region *g, uint32_t i)
{
	struct cube c = sources(g, i);
	struct xo major = jit_r_temp(g);
	find_major(g, &c);
	pick(g, &c, major, c.axis[2], c.axis[1], c.axis[0]);
	finish(g, i, ZYDIS_MNEMONIC_VADDPS, major, major);
}
