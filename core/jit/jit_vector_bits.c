/* SPDX-License-Identifier: MIT */
/* Counting and turning the bits of a word, without branches and with what AVX2 has. */
#include <string.h>
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"

/* Sixteen bytes in each part of 128 bits, an operand in memory. */
static struct xo bytes16(struct jit_region *g, const uint8_t byte[16])
{
	uint32_t all[16];
	for (int i = 0; i < 4; i++)
		memcpy(all + 4 * i, byte, 16);
	return jit_x_mem(RB_POOL, jit_x_vector(g->b, all), g->v4 ? 64 : 32);
}

/* Nibbles of a as bytes: the lower and the upper ones of its bytes. */
static void nibbles(struct jit_region *g, struct xo a, struct xo low, struct xo high)
{
	struct xo mask = jit_v_register(g, jit_v_const(g, 0x0f0f0f0f));
	VXD(g, VPAND, low, a, mask);
	VX(g, VPSRLD, high, a, jit_x_imm(4));
	VXD(g, VPAND, high, high, mask);
}

/* Bits of source 0, and source 1. */
void jit_bcnt(struct jit_region *g, uint32_t i)
{
	static const uint8_t bits[16] = { 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 };
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), b = jit_v_source(g, i, 1);
	struct xo low = jit_r_temp(g), high = jit_r_temp(g), table = jit_r_temp(g);
	nibbles(g, a, low, high);
	jit_v_load(g, table, bytes16(g, bits));
	VX(g, VPSHUFB, low, table, low);
	VX(g, VPSHUFB, high, table, high);
	VX(g, VPADDB, low, low, high);
	VX(g, VPMADDUBSW, low, low, jit_v_register(g, jit_v_const(g, 0x01010101)));
	VX(g, VPMADDWD, low, low, jit_v_register(g, jit_v_const(g, 0x00010001)));
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VPADDD, low, b);
	jit_v_put(g, i, &o);
}

void jit_bfrev(struct jit_region *g, uint32_t i)
{
	static const uint8_t up[16] = { 0x00, 0x80, 0x40, 0xc0, 0x20, 0xa0, 0x60, 0xe0, 0x10, 0x90, 0x50, 0xd0, 0x30, 0xb0, 0x70, 0xf0 },
		down[16] = { 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15 },
		turned[16] = { 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12 };
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0));
	struct xo low = jit_r_temp(g), high = jit_r_temp(g), table = jit_r_temp(g);
	nibbles(g, a, low, high);
	jit_v_load(g, table, bytes16(g, up));
	VX(g, VPSHUFB, low, table, low);
	jit_v_load(g, table, bytes16(g, down));
	VX(g, VPSHUFB, high, table, high);
	VXD(g, VPOR, low, low, high);
	VX(g, VPSHUFB, low, low, bytes16(g, turned)); /* not as the last step, whose mask is one of words */
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, low);
	jit_v_put(g, i, &o);
}

/* Zeros above the highest bit of x, which is not negative; all ones for 0.  The highest bit is the exponent of a number
 * that rounding cannot carry into the next one: it has no two bits in a row. */
static void leading(struct jit_region *g, struct xo x)
{
	struct xo y = jit_r_temp(g), bias = jit_v_register(g, jit_v_const(g, 127 + 31));
	VX(g, VPSRLD, y, x, jit_x_imm(1));
	VXD(g, VPANDN, x, y, x);
	VX(g, VCVTDQ2PS, x, x);
	VX(g, VPSRLD, x, x, jit_x_imm(23));
	VX(g, VPSUBD, x, bias, x);
	VX(g, VPSLLD, y, x, jit_x_imm(24)); /* of 158, without an exponent, the sign is set now */
	VX(g, VPSRAD, y, y, jit_x_imm(31));
	VXD(g, VPOR, x, x, y);
}

void jit_ffbh_u(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), x = jit_r_temp(g), sign = jit_r_temp(g);
	VX(g, VPSRAD, sign, a, jit_x_imm(31));
	VX(g, VMOVAPS, x, a);
	leading(g, x);
	struct jit_v_out o = jit_v_result(g, i);
	V_LASTD(g, &o, VPANDN, sign, x);
	jit_v_put(g, i, &o);
}

void jit_ffbh_i(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), x = jit_r_temp(g);
	VX(g, VPSRAD, x, a, jit_x_imm(31));
	VXD(g, VPXOR, x, x, a);
	leading(g, x);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}

/* The lowest bit alone is a power of two. */
void jit_ffbl(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), x = jit_r_temp(g), y = jit_r_temp(g);
	VXD(g, VPXOR, x, a, jit_v_const(g, ~0u));
	VX(g, VPSUBD, x, x, jit_v_const(g, ~0u));
	VXD(g, VPAND, x, x, a);
	VX(g, VCVTDQ2PS, x, x);
	VX(g, VPSRLD, x, x, jit_x_imm(23));
	VXD(g, VPAND, x, x, jit_v_const(g, 255));
	VX(g, VPSUBD, x, x, jit_v_const(g, 127));
	VX(g, VPSRAD, y, x, jit_x_imm(31));
	struct jit_v_out o = jit_v_result(g, i);
	V_LASTD(g, &o, VPOR, x, y);
	jit_v_put(g, i, &o);
}

/* As many ones as source 0 says, from the bit that source 1 says. */
void jit_bfm(struct jit_region *g, uint32_t i)
{
	struct xo n = jit_v_register(g, jit_v_source(g, i, 0)), at = jit_v_register(g, jit_v_source(g, i, 1));
	struct xo x = jit_r_temp(g), y = jit_r_temp(g), one = jit_v_register(g, jit_v_const(g, 1));
	VXD(g, VPAND, x, n, jit_v_const(g, 31));
	VX(g, VPSLLVD, x, one, x);
	VX(g, VPSUBD, x, x, one);
	VXD(g, VPAND, y, at, jit_v_const(g, 31));
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VPSLLVD, x, y);
	jit_v_put(g, i, &o);
}
