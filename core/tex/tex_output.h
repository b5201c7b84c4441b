/* SPDX-License-Identifier: MIT */
/* Where the results of a sample instruction go: found once a wave, not once a strip. */
#ifndef CORE_TEX_TEX_OUTPUT_H
#define CORE_TEX_TEX_OUTPUT_H

#include "core/tex/tex.h"

/* Where memory components go, from lane 0 on; NULL: nobody asked for it.  Outputs
 * that repeat another one or are constant come last. */
struct tex_outputs {
	uint32_t *row[4];
	struct { uint32_t *row, *from; uint32_t value; } more[4];
	unsigned more_count;
};

/* Whether channels are the components of memory. */
static inline bool tex_is_plain(const struct tex_image *img)
{
	static const uint8_t plain[4] = { SEL_R, SEL_G, SEL_B, SEL_A };
	return !memcmp(img->sel, plain, sizeof plain);
}

static inline void tex_find_outputs(const struct tex_op *op, struct tex_outputs *o)
{
	unsigned n = 0;
	const uint32_t one = op->image->integer ? 1 : 0x3f800000;
	o->more_count = 0;
	if (tex_is_plain(op->image)) {
		V_UNROLL
		for (unsigned c = 0; c < 4; c++) {
			const unsigned wanted = op->in->dmask >> c & 1;
			o->row[c] = wanted ? op->data[n] : NULL;
			n += wanted;
		}
		return;
	}
	for (unsigned c = 0; c < 4; c++)
		o->row[c] = NULL;
	for (unsigned c = 0; c < 4; c++) {
		unsigned sel = op->image->sel[c], from = sel - SEL_R;
		if (!(op->in->dmask >> c & 1))
			continue;
		uint32_t *row = op->data[n++];
		if (sel >= SEL_R && !o->row[from]) {
			o->row[from] = row;
			continue;
		}
		o->more[o->more_count].row = row;
		o->more[o->more_count].from = sel >= SEL_R ? o->row[from] : NULL;
		o->more[o->more_count++].value = sel == SEL_1 ? one : 0;
	}
}

V_INLINE void tex_write_lanes(uint32_t *row, vi live, vi value)
{
	v_store(row, v_sel(live, value, v_load(row)));
}

/* Memory components of a strip; whole: all lanes, and each component goes somewhere. */
V_INLINE void tex_write_strip(const struct tex_outputs *o, bool whole, int lane, uint32_t lanes, const vi mem[4])
{
	vi live = v_mask_of(lanes);
	V_UNROLL
	for (unsigned c = 0; c < 4; c++) {
		if (whole)
			v_store(o->row[c] + lane, mem[c]);
		else if (o->row[c])
			tex_write_lanes(o->row[c] + lane, live, mem[c]);
	}
	for (unsigned m = 0; !whole && m < o->more_count; m++)
		tex_write_lanes(o->more[m].row + lane, live,
			o->more[m].from ? v_load(o->more[m].from + lane) : v_set((int32_t)o->more[m].value));
}

/* Where the memory components that are stored come from: channel c goes where DST_SEL takes it from, of packed texels it is
 * component c; those that no channel gives are zero. */
static inline void tex_find_stored(const struct tex_op *op, const uint32_t *row[4])
{
	alignas(64) static const uint32_t zeros[CU_LANES];
	unsigned n = 0;
	for (unsigned c = 0; c < 4; c++)
		row[c] = zeros;
	for (unsigned c = 0; c < 4; c++) {
		if (!(op->in->dmask >> c & 1))
			continue;
		if (op->flags & TEX_PCK)
			row[c] = op->data[n];
		else if (op->image->sel[c] >= SEL_R)
			row[op->image->sel[c] - SEL_R] = op->data[n];
		n++;
	}
}

/* What is a constant or repeats another one, of a wave whose components are in their rows; skip: dwords from the rows of o to
 * those that are meant. */
V_INLINE void tex_write_more(const struct tex_outputs *o, ptrdiff_t skip)
{
	for (unsigned m = 0; m < o->more_count; m++)
		for (int lane = 0; lane < CU_LANES; lane += VL)
			v_store(o->more[m].row + skip + lane,
				o->more[m].from ? v_load(o->more[m].from + skip + lane) : v_set((int32_t)o->more[m].value));
}

/* Whether all lanes are on and each component goes somewhere. */
static inline bool tex_whole(const struct tex_op *op, const struct tex_outputs *o)
{
	return cu_exec(op->w) == ~0ull && !o->more_count && op->in->dmask == 15;
}

#endif
