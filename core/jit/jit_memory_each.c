/* SPDX-License-Identifier: MIT */
/* Dwords of lanes that are anywhere in memory, by plain loads and stores: faster than gathers, which are one for each dword,
 * and than scatters. */
#include "core/jit/jit_emit.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"

enum { LINE = 4 }; /* lanes of 128 bits */

static unsigned lines_of(const struct jit_region *g) { return g->v4 ? 4 : 2; }

/* Lanes 4 n and on of x, in x or in the spare register. */
static struct xo line_of(struct jit_region *g, struct xo x, unsigned n, struct xo spare)
{
	const struct xo line = jit_low(g, n ? spare : x);
	if (n && g->v4)
		VX(g, VEXTRACTF32X4, line, x, jit_x_imm(n));
	else if (n)
		X(g->b, VEXTRACTF128, line, x, jit_x_imm(n));
	return line;
}

/* Where four lanes' dwords are, by registers of their own: offsets that went by way of memory would be waited for. */
static void find_line(struct jit_region *g, struct xo at, unsigned n, struct xo spare, int64_t disp, struct xo from[LINE])
{
	static const uint16_t reg[LINE] = { ZYDIS_REGISTER_R9, ZYDIS_REGISTER_RDX, ZYDIS_REGISTER_RCX, ZYDIS_REGISTER_R8 };
	const struct xo line = line_of(g, at, n, spare);
	X(g->b, VMOVQ, R(RDX), line);
	X(g->b, VPEXTRQ, R(R8), line, jit_x_imm(1));
	X(g->b, MOVSXD, R(R9), R(EDX));
	X(g->b, MOVSXD, R(RCX), R(R8D));
	X(g->b, SAR, R(RDX), jit_x_imm(32));
	X(g->b, SAR, R(R8), jit_x_imm(32));
	for (unsigned l = 0; l < LINE; l++) {
		from[l] = jit_x_mem(ZYDIS_REGISTER_RAX, disp, 4);
		from[l].index = reg[l];
		from[l].scale = 1;
	}
}

static void insert_line(struct jit_region *g, struct xo x, struct xo from, unsigned n)
{
	if (g->v4)
		VX(g, VINSERTF32X4, x, x, from, jit_x_imm(n));
	else
		X(g->b, VINSERTF128, x, x, from, jit_x_imm(n));
}

static void put_dwords(struct jit_region *g, struct xo x, struct xo spare, unsigned n, const struct xo from[LINE])
{
	const struct xo line = jit_low(g, n ? spare : x);
	X(g->b, VMOVD, line, from[0]);
	for (unsigned l = 1; l < LINE; l++)
		X(g->b, VPINSRD, line, line, from[l], jit_x_imm(l));
	if (n)
		insert_line(g, x, line, n);
}

/* Pairs of lanes 4 n and 4 n + 1, and of the two behind them. */
static void put_pairs(struct jit_region *g, const struct xo x[2], struct xo spare, unsigned n, struct xo from[LINE])
{
	for (unsigned half = 0; half < 2; half++) {
		const struct xo line = jit_low(g, n ? spare : x[half]);
		from[2 * half].size = from[2 * half + 1].size = 8;
		VX(g, VMOVSD, line, from[2 * half]);
		X(g->b, VMOVHPS, line, line, from[2 * half + 1]);
		if (n)
			insert_line(g, x[half], line, n);
	}
}

static void part_pairs(struct jit_region *g, const struct xo x[2], struct xo spare)
{
	enum { FIRSTS = 0x88, SECONDS = 0xdd };
	VX(g, VSHUFPS, spare, x[0], x[1], jit_x_imm(FIRSTS));
	VX(g, VSHUFPS, x[1], x[0], x[1], jit_x_imm(SECONDS));
	VX(g, VMOVAPS, x[0], spare);
}

/* A lane's four: x[l] of lane 4 n + l. */
static void put_fours(struct jit_region *g, const struct xo x[LINE], unsigned n, struct xo from[LINE])
{
	for (unsigned l = 0; l < LINE; l++) {
		from[l].size = 16;
		if (n)
			insert_line(g, x[l], from[l], n);
		else
			VX(g, VMOVUPS, jit_low(g, x[l]), from[l]);
	}
}

static void part_fours(struct jit_region *g, const struct xo x[LINE], struct xo spare)
{
	VX(g, VUNPCKLPS, spare, x[0], x[1]);
	VX(g, VUNPCKHPS, x[1], x[0], x[1]);
	VX(g, VUNPCKLPS, x[0], x[2], x[3]);
	VX(g, VUNPCKHPS, x[3], x[2], x[3]);
	VX(g, VUNPCKLPD, x[2], x[1], x[3]);
	VX(g, VUNPCKHPD, x[3], x[1], x[3]);
	VX(g, VUNPCKHPD, x[1], spare, x[0]);
	VX(g, VUNPCKLPD, x[0], spare, x[0]);
}

void jit_load_each(struct jit_region *g, const struct xo x[], unsigned dwords, struct xo at, const int64_t disp[])
{
	const struct xo spare = jit_r_temp(g);
	bool follow = true;
	for (unsigned k = 1; k < dwords; k++)
		follow &= disp[k] == disp[0] + 4 * (int64_t)k;
	for (unsigned n = 0; n < lines_of(g); n++) {
		struct xo from[LINE];
		find_line(g, at, n, spare, disp[0], from);
		if (follow && dwords == 4) {
			put_fours(g, x, n, from);
		} else if (follow && dwords == 2) {
			put_pairs(g, x, spare, n, from);
		} else {
			for (unsigned k = 0; k < dwords; k++) {
				for (unsigned l = 0; l < LINE; l++)
					from[l].value = disp[k];
				put_dwords(g, x[k], spare, n, from);
			}
		}
	}
	if (follow && dwords == 4)
		part_fours(g, x, spare);
	else if (follow && dwords == 2)
		part_pairs(g, x, spare);
	jit_r_free(g, spare);
}

/* --- stores, in the order of lanes --- */

static void store_line(struct jit_region *g, struct xo to, struct xo x, unsigned n)
{
	if (n == 0)
		VX(g, VMOVUPS, to, jit_low(g, x));
	else if (g->v4)
		VX(g, VEXTRACTF32X4, to, x, jit_x_imm(n));
	else
		X(g->b, VEXTRACTF128, to, x, jit_x_imm(n));
}

/* A line of pairs, or of the first dwords of fours, in `line`: its lower half, or its upper one, to memory. */
static void store_half(struct jit_region *g, struct xo to, struct xo line, bool upper)
{
	to.size = 8;
	if (upper)
		X(g->b, VMOVHPS, to, line);
	else
		X(g->b, VMOVLPS, to, line);
}

void jit_store_each(struct jit_region *g, const struct xo x[], unsigned dwords, struct xo at, int64_t disp)
{
	struct xo t[LINE], spare = jit_r_temp(g);
	const unsigned rows = dwords == 2 ? 2 : LINE;
	for (unsigned l = 0; l < rows; l++)
		t[l] = jit_r_temp(g);
	VX(g, VUNPCKLPS, t[0], x[0], x[1]);
	VX(g, VUNPCKHPS, t[1], x[0], x[1]);
	if (dwords > 2) {
		VX(g, VUNPCKLPS, t[2], x[2], x[dwords - 1]);
		VX(g, VUNPCKHPS, t[3], x[2], x[dwords - 1]);
		VX(g, VMOVAPS, spare, t[0]);
		VX(g, VUNPCKLPD, t[0], spare, t[2]);
		VX(g, VUNPCKHPD, spare, spare, t[2]);
		VX(g, VUNPCKLPD, t[2], t[1], t[3]);
		VX(g, VUNPCKHPD, t[3], t[1], t[3]);
		VX(g, VMOVAPS, t[1], spare);
	}
	for (unsigned n = 0; n < lines_of(g); n++) {
		struct xo to[LINE];
		find_line(g, at, n, spare, disp, to);
		for (unsigned l = 0; l < LINE; l++) {
			to[l].size = 16;
			if (dwords == 4) {
				store_line(g, to[l], t[l], n);
			} else if (dwords == 2) {
				store_half(g, to[l], line_of(g, t[l / 2], n, spare), l & 1);
			} else {
				const struct xo line = line_of(g, t[l], n, spare);
				store_half(g, to[l], line, false);
				to[l].value += 8;
				to[l].size = 4;
				X(g->b, VEXTRACTPS, to[l], line, jit_x_imm(2));
			}
		}
	}
	for (unsigned l = 0; l < rows; l++)
		jit_r_free(g, t[l]);
	jit_r_free(g, spare);
}

void jit_store_lanes(struct jit_region *g, const struct xo x[], unsigned dwords, struct xo at, int64_t disp, bool masks)
{
	const unsigned bytes = g->v4 ? 64 : 32;
	int next = jit_x_label(g->b), none = jit_x_label(g->b);
	VX(g, VMOVUPS, JIT_ACCESS(lo, bytes), at);
	for (unsigned k = 0; k < dwords; k++)
		VX(g, VMOVUPS, JIT_ACCESS(data[k], bytes), x[k]);
	X(g->b, TEST, R(ECX), R(ECX));
	XJ(g->b, JZ, none);
	jit_x_bind(g->b, next);
	X(g->b, TZCNT, R(EDX), R(ECX));
	struct xo offset = JIT_ACCESS(lo, 4);
	offset.index = ZYDIS_REGISTER_RDX;
	offset.scale = 4;
	X(g->b, MOVSXD, R(R8), offset);
	int behind = jit_x_label(g->b);
	for (unsigned k = 0; k < dwords; k++) {
		struct xo from = JIT_ACCESS(data[k], 4), to = jit_x_mem(ZYDIS_REGISTER_RAX, disp + 4 * (int64_t)k, 4);
		from.index = ZYDIS_REGISTER_RDX;
		from.scale = 4;
		to.index = ZYDIS_REGISTER_R8;
		to.scale = 1;
		if (k && masks) {
			X(g->b, MOV, R(R9D), JIT_ACCESS(hi[k], 4));
			X(g->b, BT, R(R9D), R(EDX));
			XJ(g->b, JNB, behind);
		}
		X(g->b, MOV, R(R9D), from);
		X(g->b, MOV, to, R(R9D));
	}
	jit_x_bind(g->b, behind);
	X(g->b, BLSR, R(ECX), R(ECX));
	XJ(g->b, JNZ, next);
	jit_x_bind(g->b, none);
}
