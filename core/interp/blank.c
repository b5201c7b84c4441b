/* SPDX-License-Identifier: MIT */
/* What image instructions may look at behind the address of an image of two dimensions, and nobody has written: zeros, as
 * whatever a program has not written.  Few images have three dimensions or samples, so those that do clear it where they
 * meet it (core/tex/mimg_kernel.c), instead of whoever starts a wave. */
#include <stdlib.h>
#include "core/interp/interp.h"
#include "isa/gcn_uses.h"

struct rows { uint64_t w[CU_VGPRS / 64]; };

static void add_rows(struct rows *s, unsigned operand, unsigned n)
{
	for (unsigned v = operand - GCN_SRC_VGPR0; n && v < CU_VGPRS; v++, n--)
		s->w[v / 64] |= 1ull << v % 64;
}

/* VGPRs that instruction i may write. */
static void add_written(const struct cu_program *p, uint32_t i, struct rows *s)
{
	enum { MOST_DATA = 5 };
	const struct cu_rec *r = &p->recs[i];
	const struct gcn_inst *in = r->in;
	struct gcn_uses uses;
	if (cu_is_relative(in) || r->fn == p->kernels->valu_indexed) {
		add_rows(s, GCN_SRC_VGPR0, CU_VGPRS);
		return;
	}
	gcn_uses(p->gen, in, &uses);
	for (unsigned n = 0; n < uses.writes; n++)
		if (uses.written[n].first >= GCN_SRC_VGPR0)
			add_rows(s, uses.written[n].first, uses.written[n].dwords);
	if (in->fmt == GCN_MIMG && in->dst >= GCN_SRC_VGPR0)
		add_rows(s, in->dst, MOST_DATA);
}

/* By instruction, what is behind the last one that jumps back to it; 0: none does. */
static uint32_t *find_loops(const struct cu_program *p)
{
	uint32_t *loops = calloc(p->count, sizeof *loops);
	for (uint32_t i = 0; loops && i < p->count; i++)
		if (p->recs[i].op->flags & CU_OP_JUMPS && p->recs[i].jump <= 0)
			loops[i + (uint32_t)p->recs[i].jump] = i + 1;
	return loops;
}

/* What is behind the loop that begins at i, and all others that begin in it. */
static uint32_t loop_end(const uint32_t *loops, uint32_t i)
{
	uint32_t end = loops[i];
	for (; i < end; i++)
		if (loops[i] > end)
			end = loops[i];
	return end;
}

static uint8_t blank_of(const struct gcn_inst *in, const struct rows *written)
{
	const unsigned flat = gcn_mimg_flat_address_dw(in), most = gcn_mimg_address_dw(in);
	const unsigned first = in->src[0] - GCN_SRC_VGPR0 + flat;
	unsigned blank = 0;
	for (unsigned n = 0; n < most - flat && first + n < CU_VGPRS; n++)
		blank |= (unsigned)!(written->w[(first + n) / 64] >> (first + n) % 64 & 1) << n;
	return (uint8_t)blank;
}

uint8_t *cu_program_find_blank(const struct cu_program *p)
{
	uint8_t *blank = calloc(p->count, 1);
	uint32_t *loops = find_loops(p), end = 0; /* of the loop at hand, all of which may be done before any of it */
	struct rows before = { { 0 } }, written = before;
	bool any = false;
	for (uint32_t i = 0; blank && loops && i < p->count; i++) {
		const struct gcn_inst *in = p->recs[i].in;
		if (i >= end) {
			written = before;
			end = loop_end(loops, i);
			for (uint32_t k = i; k < end; k++)
				add_written(p, k, &written);
		}
		if (in->fmt == GCN_MIMG && in->src[0] >= GCN_SRC_VGPR0) {
			blank[i] = blank_of(in, &written);
			any |= blank[i] != 0;
		}
		add_written(p, i, &before);
	}
	free(loops);
	if (any)
		return blank;
	free(blank);
	return NULL;
}
