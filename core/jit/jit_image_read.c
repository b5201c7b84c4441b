/* SPDX-License-Identifier: MIT */
/* What image instructions within regions make of texels whose places are known: see jit_image.c. */
#include "core/jit/jit_image_priv.h"
#include "core/jit/jit_vector.h"

/* --- dwords --- */

/* Lane l of four; the others are 0 behind the first. */
static void put_lane(struct jit_region *g, struct xo line, unsigned l, struct xo from)
{
	if (l == 0)
		X(g->b, VMOVD, line, from);
	else
		X(g->b, VPINSRD, line, line, from, jit_x_imm(l));
}

/* Four lanes' parts, by plain loads, which gathers are not faster than. */
static void load_line(struct jit_region *g, unsigned row, unsigned first, struct jit_parts parts, struct xo line)
{
	if (parts.bytes < 4)
		VXD(g, VPXOR, line, line, line);
	for (unsigned n = 0; n < 4 * parts.count; n++) {
		const unsigned l = n / parts.count, k = n % parts.count, at = l * (4 / parts.bytes) + k;
		const struct xo from = jit_image_texel(g, row + k * parts.rows, first + l, parts.bytes);
		if (parts.bytes == 4)
			put_lane(g, line, l, from);
		else if (parts.bytes == 2)
			X(g->b, VPINSRW, line, line, from, jit_x_imm(at));
		else
			X(g->b, VPINSRB, line, line, from, jit_x_imm(at));
	}
}

void jit_image_load(struct jit_region *g, unsigned row, struct jit_parts parts, struct xo x)
{
	jit_image_base(g);
	load_line(g, row, 0, parts, jit_low(g, x));
	for (unsigned n = 1; n < jit_image_lanes(g) / 4; n++) {
		load_line(g, row, 4 * n, parts, jit_image_line(g));
		jit_image_insert(g, x, n);
	}
}

static void dwords(struct jit_region *g, unsigned row, struct xo x)
{
	jit_image_load(g, row, (struct jit_parts){ 4, 1, 0 }, x);
}

/* To the label unless each eight lanes' texels are as far behind those of lanes `first` as `steps` says; x and k are used up. */
static void go_unless_apart_by(struct jit_region *g, unsigned row, const uint32_t first[16], const uint32_t steps[16],
	struct xo x, struct xo k, int label)
{
	const unsigned bytes = 4 * jit_image_lanes(g);
	VX(g, VMOVAPS, k, jit_x_mem(RB_POOL, jit_x_vector(g->b, first), bytes));
	VX(g, VMOVAPS, x, jit_image_row(row, 0, bytes));
	VX(g, VPERMD, k, k, x);
	VX(g, VPSUBD, x, x, k);
	const struct xo by = jit_x_mem(RB_POOL, jit_x_vector(g->b, steps), bytes);
	if (g->v4) {
		jit_vxk(g, ZYDIS_MNEMONIC_VPCMPEQD, 0, false, 3, (struct xo[]){ R(K7), x, by });
		X(g->b, KORTESTW, R(K7), R(K7));
		XJ(g->b, JNB, label);
		return;
	}
	X(g->b, VPCMPEQD, x, x, by);
	X(g->b, VMOVMSKPS, R(EDX), x);
	X(g->b, CMP, R(EDX), jit_x_imm((1 << IMAGE_LANES) - 1));
	XJ(g->b, JNZ, label);
}

/* x = two quads, of four lanes of a row at `from` and of those of the next one, at `below`; uses up spare. */
static void load_quads(struct jit_region *g, struct xo from, struct xo below, struct xo x, struct xo spare)
{
	enum { PAIRS = 0xc }; /* of the first and the second row, low in low halves */
	const ZydisMnemonic both = g->v4 ? ZYDIS_MNEMONIC_VBROADCASTF32X4 : ZYDIS_MNEMONIC_VBROADCASTF128;
	jit_vx(g, both, 2, (struct xo[]){ x, from });
	jit_vx(g, both, 2, (struct xo[]){ spare, below });
	VX(g, VSHUFPD, x, x, spare, jit_x_imm(PAIRS));
}

/* Eight lanes of x = texels of so many bytes from the first lane's on, as dwords. */
static void load_row(struct jit_region *g, unsigned row, unsigned lane, unsigned bytes, struct xo x)
{
	const struct xo from = jit_image_texel(g, row, lane, 8 * bytes), to = jit_image_half(g, x);
	if (bytes == 4)
		VX(g, VMOVUPS, to, from);
	else if (bytes == 2)
		VX(g, VPMOVZXWD, to, from);
	else
		VX(g, VPMOVZXBD, to, from);
}

/* The same of four from there on and four of the row below, as lanes of two quads. */
static void load_two_rows(struct jit_region *g, unsigned row, unsigned lane, unsigned bytes, struct xo x)
{
	enum { SWAP_MIDDLE = 0xd8 };
	const struct xo line = jit_low(g, x), to = jit_image_half(g, x);
	const struct xo first = jit_image_texel(g, row, lane, 4 * bytes), second = jit_image_texel(g, row, lane + 2, 4 * bytes);
	if (bytes == 4) {
		load_quads(g, first, second, to, jit_image_half(g, jit_image_spare(g)));
		return;
	}
	if (bytes == 2) {
		VX(g, VMOVSD, line, first);
		X(g->b, VMOVHPS, line, line, second);
		VX(g, VPMOVZXWD, to, line);
	} else {
		X(g->b, VMOVD, line, first);
		X(g->b, VPINSRD, line, line, second, jit_x_imm(1));
		VX(g, VPMOVZXBD, to, line);
	}
	VX(g, VPERMQ, to, to, jit_x_imm(SWAP_MIDDLE));
}

/* x = dwords of so many bytes of all lanes, where texels may lie as eight lanes do: in a row, or in two, of quads.  Where they do
 * not, the slot is not looked at again.  k is used up. */
void jit_image_load_in_rows(struct jit_region *g, unsigned row, unsigned bytes, struct xo x, struct xo k)
{
	static const uint32_t first[2][16] = { { 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8 },
		{ 0, 0, 2, 2, 0, 0, 2, 2, 8, 8, 10, 10, 8, 8, 10, 10 } };
	static const uint32_t column[2][IMAGE_LANES] = { { 0, 1, 2, 3, 4, 5, 6, 7 }, { 0, 1, 0, 1, 2, 3, 2, 3 } };
	const int way[2] = { jit_x_label(g->b), jit_x_label(g->b) };
	const int apart = jit_x_label(g->b), none = jit_x_label(g->b), done = jit_x_label(g->b);
	X(g->b, CMP, IMAGE_SLOT(g, lie, 1), jit_x_imm(CU_MIMG_IN_ROW));
	XJ(g->b, JB, none);
	XJ(g->b, JNZ, way[1]);
	for (unsigned quads = 0; quads < 2; quads++) {
		uint32_t steps[16];
		for (unsigned l = 0; l < 16; l++)
			steps[l] = bytes * column[quads][l % IMAGE_LANES];
		jit_x_bind(g->b, way[quads]);
		go_unless_apart_by(g, row, first[quads], steps, x, k, apart);
		jit_image_base(g);
		for (unsigned l = 0; l < jit_image_lanes(g); l += IMAGE_LANES) {
			if (quads)
				load_two_rows(g, row, l, bytes, l ? k : x);
			else
				load_row(g, row, l, bytes, l ? k : x);
		}
		if (g->v4)
			VX(g, VINSERTF64X4, x, x, jit_image_half(g, k), jit_x_imm(1));
		XJ(g->b, JMP, done);
	}
	jit_x_bind(g->b, apart);
	X(g->b, MOV, IMAGE_SLOT(g, lie, 1), jit_x_imm(CU_MIMG_APART));
	jit_x_bind(g->b, none);
	jit_image_load(g, row, (struct jit_parts){ bytes, 1, 0 }, x);
	jit_x_bind(g->b, done);
}

/* Beyond the image image_load reads zeros, before constants of its channels. */
void jit_image_keep_inside(struct jit_region *g, const struct jit_read *r, struct xo x)
{
	if (!r->load)
		return;
	if (g->v4) {
		X(g->b, KMOVW, R(K7), jit_image_row(r->row + ROW_IN, 0, 2));
		jit_vxk(g, ZYDIS_MNEMONIC_VMOVAPS, 7, true, 2, (struct xo[]){ x, x });
	} else {
		X(g->b, VANDPS, x, x, jit_image_row(r->row + ROW_IN, 0, 32));
	}
}

/* --- formats --- */

void jit_image_weighed(struct jit_region *g, unsigned c, struct xo x, struct xo spare)
{
	VX(g, VCVTDQ2PS, x, x);
	if (c < 3) {
		VX(g, VMULPS, x, x, OF(unit[c]));
		return;
	}
	jit_v_load(g, spare, OF(unit[c]));
	VX(g, VFMADD213PS, x, spare, OF(adds[c]));
}

void jit_image_unorm8(struct jit_region *g, unsigned c, struct xo x, struct xo dwords, struct xo spare)
{
	VX(g, VPMADDUBSW, x, dwords, jit_image_bytes_of(g, offsetof(struct cu_mimg_lanes, weight[c]), spare));
	jit_image_weighed(g, c, x, spare);
}
static void unorm8(struct jit_region *g, const struct jit_read *r, unsigned c)
{
	jit_image_unorm8(g, c, r->x[c], r->t[0], r->t[1]);
}

static void read_unorm8(struct jit_region *g, const struct jit_read *r)
{
	jit_image_load_in_rows(g, r->row, 4, r->t[0], r->t[1]);
	jit_image_keep_inside(g, r, r->t[0]);
	for (unsigned c = 0; c < 4; c++)
		if (r->x[c].kind)
			unorm8(g, r, c);
}

/* Lane l of `line`, colours of a texel by the table, r8, in the order of its bytes, and of `dword`. */
static void look_up_texel(struct jit_region *g, unsigned row, unsigned l, const struct xo line[3], struct xo dword)
{
	struct xo entry = jit_x_mem(ZYDIS_REGISTER_R8, 0, 4), texel = jit_x_mem(ZYDIS_REGISTER_RCX, 0, 4);
	entry.index = ZYDIS_REGISTER_RDI;
	texel.index = ZYDIS_REGISTER_RDX;
	entry.scale = 4;
	texel.scale = 1;
	X(g->b, MOV, R(EDX), jit_image_row(row, l, 4));
	if (dword.kind)
		put_lane(g, dword, l % 4, texel);
	X(g->b, MOV, R(EDX), texel);
	for (unsigned c = 0; c < 3; c++) {
		if (c == 2)
			X(g->b, SHR, R(EDX), jit_x_imm(16));
		if (!line[c].kind)
			continue;
		X(g->b, MOVZX, R(EDI), c == 1 ? R(DH) : R(DL));
		put_lane(g, line[c], l % 4, entry);
	}
}

/* Of images whose bytes are colours in their order, or in the other one: byte by byte, without vectors of texels. */
static void read_srgb8(struct jit_region *g, const struct jit_read *r)
{
	const bool ends = r->x[0].kind || r->x[2].kind; /* which of them is red is not known before */
	struct xo x[3], line[3], dword = { 0 };
	int done = jit_x_label(g->b);
	for (unsigned c = 0; c < 3; c++)
		x[c] = r->x[c].kind || c == 1 || !ends ? r->x[c] : r->t[SPARES_APART + c];
	jit_image_base(g);
	X(g->b, MOV, R(R8), jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_mimg_lanes, srgb), 8));
	for (unsigned l = 0; l < jit_image_lanes(g); l++) {
		if (r->x[3].kind)
			dword = l < 4 ? jit_low(g, r->t[0]) : jit_image_line(g);
		for (unsigned c = 0; c < 3; c++)
			line[c] = x[c].kind ? jit_low(g, l < 4 ? x[c] : r->t[1 + c]) : x[c];
		look_up_texel(g, r->row, l, line, dword);
		if (l < 4 || l % 4 < 3)
			continue;
		if (dword.kind)
			jit_image_insert(g, r->t[0], l / 4);
		for (unsigned c = 0; c < 3; c++)
			if (x[c].kind)
				jit_image_insert_line(g, x[c], line[c], l / 4);
	}
	if (r->x[3].kind) {
		jit_image_keep_inside(g, r, r->t[0]);
		unorm8(g, r, 3);
	}
	for (unsigned c = 0; c < 3; c++)
		if (x[c].kind)
			jit_image_keep_inside(g, r, x[c]);
	if (!ends)
		return;
	X(g->b, CMP, FLAG(swapped), jit_x_imm(0));
	XJ(g->b, JZ, done);
	VX(g, VMOVAPS, r->t[0], x[0]);
	VX(g, VMOVAPS, x[0], x[2]);
	VX(g, VMOVAPS, x[2], r->t[0]);
	jit_x_bind(g->b, done);
}

/* Halves of lanes l, l + 4 and on as singles, a lane's four in a line; a is used up. */
void jit_image_load_halves(struct jit_region *g, unsigned row, unsigned l, struct xo x, struct xo a)
{
	const struct xo line = jit_image_line(g);
	if (!g->v4) { /* a lane's at once */
		X(g->b, VCVTPH2PS, jit_low(g, x), jit_image_texel(g, row, l, 8));
		X(g->b, VCVTPH2PS, line, jit_image_texel(g, row, l + 4, 8));
		jit_image_insert(g, x, 1);
		return;
	}
	for (unsigned n = 0; n < 2; n++) {
		const struct xo to = n ? line : jit_low(g, a);
		VX(g, VMOVSD, to, jit_image_texel(g, row, l + 8 * n, 8));
		X(g->b, VMOVHPS, to, to, jit_image_texel(g, row, l + 8 * n + 4, 8));
	}
	VX(g, VINSERTF32X4, jit_image_half(g, a), jit_image_half(g, a), line, jit_x_imm(1));
	VX(g, VCVTPH2PS, x, jit_image_half(g, a));
}

/* t: lines of lanes 0, 1, 2 and 3 of each four, a lane's components in each.  They become pairs of components of pairs of
 * lanes: 0, 1 and 2, 3. */
struct pairs { struct xo low[2], high[2]; };
static struct pairs pair_up(struct jit_region *g, const struct xo t[4])
{
	const struct pairs p = { { jit_image_spare(g), t[0] }, { t[1], t[3] } };
	VX(g, VUNPCKLPS, p.low[0], t[0], t[1]);
	VX(g, VUNPCKHPS, p.high[0], t[0], t[1]);
	VX(g, VUNPCKLPS, p.low[1], t[2], t[3]);
	VX(g, VUNPCKHPS, p.high[1], t[2], t[3]);
	return p;
}

static void component(struct jit_region *g, const struct pairs *p, unsigned c, struct xo x)
{
	const struct xo *pair = c < 2 ? p->low : p->high;
	if (!x.kind)
		return;
	if (c & 1)
		VX(g, VUNPCKHPD, x, pair[0], pair[1]);
	else
		VX(g, VUNPCKLPD, x, pair[0], pair[1]);
}

/* A lane's four singles as a line of what load_halves gives. */
void jit_image_load_singles(struct jit_region *g, unsigned row, unsigned l, struct xo x, struct xo a)
{
	for (unsigned n = 0; n < jit_image_lanes(g) / 4; n++) {
		const struct xo texel = jit_image_texel(g, row, l + 4 * n, 16);
		if (n == 0)
			VX(g, VMOVUPS, jit_low(g, x), texel);
		else if (g->v4)
			VX(g, VINSERTF32X4, x, x, texel, jit_x_imm(n));
		else
			X(g->b, VINSERTF128, x, x, texel, jit_x_imm(n));
	}
}

/* Floats, four a texel. */
static void read_lines(struct jit_region *g, const struct jit_read *r, bool halves)
{
	jit_image_lines_fn *load = halves ? jit_image_load_halves : jit_image_load_singles;
	int single = jit_x_label(g->b), read = jit_x_label(g->b);
	if (!r->load) {
		X(g->b, CMP, FLAG(linear), jit_x_imm(0));
		XJ(g->b, JZ, single);
		jit_linear_read_lines(g, r, halves);
		XJ(g->b, JMP, read);
	}
	jit_x_bind(g->b, single);
	jit_image_base(g);
	for (unsigned l = 0; l < 4; l++)
		load(g, r->row, l, r->t[l], r->t[4]);
	jit_x_bind(g->b, read);
	const struct pairs p = pair_up(g, r->t);
	for (unsigned c = 0; c < 4; c++) {
		component(g, &p, c, r->x[c]);
		if (r->x[c].kind)
			jit_image_keep_inside(g, r, r->x[c]);
	}
}

/* A code of alpha, as tex_unorm_byte has it. */
static void scale_alpha(struct jit_region *g, struct xo x)
{
	VX(g, VMULPS, x, x, jit_v_const(g, 0x40400000)); /* 3 */
	VX(g, VMULPS, x, x, jit_v_const(g, 0x3aab5601)); /* 1 / 765 */
}

/* Planes of a tile, in which lanes are four to a row. */
static void read_planes(struct jit_region *g, const struct jit_read *r)
{
	enum { ROW_BYTES = 4 * CU_MIMG_PLANE_BYTES };
	X(g->b, MOV, R(RCX), IMAGE_SLOT(g, texels, 8));
	struct xo from = jit_x_mem(ZYDIS_REGISTER_RCX, 0, 16);
	from.index = ZYDIS_REGISTER_RDX;
	from.scale = 1;
	X(g->b, MOV, R(EDX), jit_image_row(r->weight[0], 0, 4));
	X(g->b, ADD, R(EDX), jit_image_row(r->weight[1], 0, 4));
	for (unsigned c = 0; c < 4; c++, from.value += CU_MIMG_PLANE_BYTES) {
		const struct xo x = r->x[c];
		if (!x.kind)
			continue;
		struct xo row[4] = { from, from, from, from };
		for (unsigned k = 1; k < 4; k++)
			row[k].value += ROW_BYTES * (int)k;
		load_quads(g, row[0], row[1], jit_image_half(g, x), jit_image_half(g, r->t[0]));
		if (!g->v4)
			continue;
		load_quads(g, row[2], row[3], jit_image_half(g, r->t[1]), jit_image_half(g, r->t[0]));
		VX(g, VINSERTF64X4, x, x, jit_image_half(g, r->t[1]), jit_x_imm(1));
	}
	if (r->x[3].kind)
		scale_alpha(g, r->x[3]);
}

/* Texels of a tile: colours, and codes of alpha. */
static void read_texels(struct jit_region *g, const struct jit_read *r)
{
	int swapped = jit_x_label(g->b), done = jit_x_label(g->b);
	X(g->b, MOV, R(RCX), IMAGE_SLOT(g, texels, 8));
	for (unsigned l = 0; l < 4; l++)
		jit_image_load_singles(g, r->row, l, r->t[l], r->t[4]);
	const struct pairs p = pair_up(g, r->t);
	component(g, &p, 1, r->x[1]);
	if (r->x[3].kind) {
		component(g, &p, 3, r->x[3]);
		scale_alpha(g, r->x[3]);
	}
	X(g->b, CMP, FLAG(swapped), jit_x_imm(0));
	XJ(g->b, JNZ, swapped);
	component(g, &p, 0, r->x[0]);
	component(g, &p, 2, r->x[2]);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, swapped);
	component(g, &p, 2, r->x[0]);
	component(g, &p, 0, r->x[2]);
	jit_x_bind(g->b, done);
}


static void read_dword(struct jit_region *g, const struct jit_read *r, struct xo dword)
{
	for (unsigned c = 0; c < 4; c++) {
		if (!r->x[c].kind)
			continue;
		VX(g, VANDPS, r->x[c], dword, OF(takes[c]));
		VX(g, VORPS, r->x[c], r->x[c], OF(adds[c]));
	}
}

/* Both slices, and what is between them: the first one's channels stay where its offsets were. */
static void read_volume(struct jit_region *g, const struct jit_read *r)
{
	const struct xo weight = r->t[0];
	const unsigned bytes = 4 * jit_image_lanes(g);
	struct jit_read far = *r;
	int one = jit_x_label(g->b), read = jit_x_label(g->b);
	far.row += TAP_ROWS;
	jit_linear_read_slices(g, r, &far, one);
	XJ(g->b, JMP, read);
	jit_x_bind(g->b, one);
	read_unorm8(g, r);
	for (unsigned c = 0; c < 4; c++)
		if (r->x[c].kind)
			jit_image_store_row(g, r->row + ROW_AT + c, r->x[c]);
	read_unorm8(g, &far);
	jit_x_bind(g->b, read);
	jit_v_load(g, weight, jit_v_const(g, 255));
	VXD(g, VPAND, weight, weight, jit_image_row(far.row + ROW_X, 0, bytes));
	VX(g, VCVTDQ2PS, weight, weight);
	VX(g, VMULPS, weight, weight, jit_v_const(g, 0x3b800000)); /* 1 / 256 */
	for (unsigned c = 0; c < 4; c++) {
		if (!r->x[c].kind)
			continue;
		const struct xo near = jit_image_row(r->row + ROW_AT + c, 0, bytes);
		VX(g, VSUBPS, r->x[c], r->x[c], near);
		VX(g, VFMADD213PS, r->x[c], weight, near);
	}
}

/* Samples of sRGB, of a tile where there is one, and of dwords and floats. */
static void read_wide(struct jit_region *g, const struct jit_read *r, bool tiles, struct xo way, int whole, int done)
{
	int single = jit_x_label(g->b), dword = jit_x_label(g->b);
	X(g->b, CMP, way, jit_x_imm(CU_MIMG_SRGB8));
	XJ(g->b, JB, dword);
	XJ(g->b, JNBE, whole);
	if (tiles) {
		int untiled = jit_x_label(g->b);
		X(g->b, CMP, IMAGE_SLOT(g, tiled, 1), jit_x_imm(CU_MIMG_NO_TILE));
		XJ(g->b, JZ, untiled);
		read_texels(g, r);
		XJ(g->b, JMP, done);
		jit_x_bind(g->b, untiled);
	}
	read_srgb8(g, r);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, dword);
	if (!r->load) {
		X(g->b, CMP, FLAG(linear), jit_x_imm(0));
		XJ(g->b, JZ, single);
		jit_linear_read_floats(g, r);
		read_dword(g, r, r->t[0]);
		XJ(g->b, JMP, done);
	}
	jit_x_bind(g->b, single);
	jit_image_load_in_rows(g, r->row, 4, r->t[0], r->t[1]);
	jit_image_keep_inside(g, r, r->t[0]);
	read_dword(g, r, r->t[0]);
	XJ(g->b, JMP, done);
}

/* Filtered bytes of a ramp, or of a volume. */
static void read_few(struct jit_region *g, const struct jit_read *r)
{
	int volume = jit_x_label(g->b), done = jit_x_label(g->b);
	if (r->layered) {
		X(g->b, CMP, FLAG(volume), jit_x_imm(0));
		XJ(g->b, JNZ, volume);
	}
	jit_ramp_read(g, r);
	if (r->layered) {
		XJ(g->b, JMP, done);
		jit_x_bind(g->b, volume);
		read_volume(g, r);
	}
	jit_x_bind(g->b, done);
}

/* Images that are not common. */
static void read_other(struct jit_region *g, const struct jit_read *r, bool tiles, int done)
{
	const struct xo way = r->load ? FLAG(way[2]) : FLAG(way[0]);
	int half = jit_x_label(g->b), whole = jit_x_label(g->b), wide = jit_x_label(g->b);
	int byte = jit_x_label(g->b), word = jit_x_label(g->b);
	X(g->b, CMP, way, jit_x_imm(CU_MIMG_FLOAT16));
	XJ(g->b, JZ, half);
	XJ(g->b, JNBE, wide);
	if (!r->load)
		read_few(g, r);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, half);
	read_lines(g, r, true);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, wide);
	read_wide(g, r, tiles, way, whole, done);
	jit_x_bind(g->b, whole);
	X(g->b, CMP, way, jit_x_imm(CU_MIMG_R8));
	XJ(g->b, JZ, byte);
	XJ(g->b, JNBE, word);
	read_lines(g, r, false);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, byte);
	jit_narrow_read(g, r, 1);
	XJ(g->b, JMP, done);
	jit_x_bind(g->b, word);
	jit_narrow_read(g, r, 2);
	XJ(g->b, JMP, done);
}

/* And bytes of four texels, all of them at their centres. */
static void read_rest(struct jit_region *g, const struct jit_later *l)
{
	read_other(g, &l->read, l->tiles, l->done);
	if (l->read.load)
		return;
	jit_x_bind(g->b, l->aside);
	read_unorm8(g, &l->read);
	XJ(g->b, JMP, l->done);
	jit_x_bind(g->b, l->look);
	jit_linear_read_same(g, &l->read, l->weigh, l->done);
}

static void read_sample(struct jit_region *g, const struct jit_read *r, const struct jit_later *l)
{
	const int one = jit_x_label(g->b), four = jit_x_label(g->b);
	X(g->b, CMP, IMAGE_SLOT(g, read, 1), jit_x_imm(CU_MIMG_ONE));
	XJ(g->b, JNBE, four);
	if (l->tiles) {
		XJ(g->b, JZ, one);
		X(g->b, CMP, IMAGE_SLOT(g, read, 1), jit_x_imm(CU_MIMG_TILE));
		XJ(g->b, JNZ, l->begin);
		read_planes(g, r);
		XJ(g->b, JMP, l->done);
		jit_x_bind(g->b, one);
	} else {
		XJ(g->b, JNZ, l->begin);
	}
	read_unorm8(g, r);
	XJ(g->b, JMP, l->done);
	jit_x_bind(g->b, four);
	jit_linear_read(g, r, l->aside, l->look, l->weigh);
}

/* What is common comes last, as nothing then jumps over other code. */
void jit_image_read_colours(struct jit_region *g, const struct jit_read *r)
{
	struct jit_later *const l = jit_later(g, read_rest);
	l->read = *r;
	if (r->load) {
		X(g->b, CMP, FLAG(way[2]), jit_x_imm(CU_MIMG_UNORM8));
		XJ(g->b, JNZ, l->begin);
		read_unorm8(g, r);
	} else {
		read_sample(g, r, l);
	}
	jit_x_bind(g->b, l->done);
}

/* t[1]: ones where what is compared with the texels, t[0], passes; uses up t[2]. */
static void compared(struct jit_region *g, const struct xo t[SPARES], struct xo ref)
{
	static const uint8_t predicate[4] = { 1, 0, 14, 3 }; /* LT_OS, EQ_OQ, GT_OS, UNORD_Q */
	if (g->v4)
		VXD(g, VPXOR, t[1], t[1], t[1]);
	for (unsigned k = 0; k < 4; k++) {
		if (g->v4) {
			VX(g, VCMPPS, R(K7), ref, t[0], jit_x_imm(predicate[k]));
			VXK(g, 7, VORPS, t[1], t[1], OF(passes[k]));
			continue;
		}
		X(g->b, VCMPPS, t[k ? 2 : 1], ref, t[0], jit_x_imm(predicate[k]));
		X(g->b, VANDPS, t[k ? 2 : 1], t[k ? 2 : 1], OF(passes[k]));
		if (k)
			X(g->b, VORPS, t[1], t[1], t[2]);
	}
}

void jit_image_read_compared(struct jit_region *g, const struct jit_read *r, struct xo ref)
{
	dwords(g, r->row, r->t[0]);
	compared(g, r->t, ref);
	VX(g, VANDPS, r->t[1], r->t[1], OF(one));
	read_dword(g, r, r->t[1]);
}
