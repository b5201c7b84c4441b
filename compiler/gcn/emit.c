/* SPDX-License-Identifier: MIT */
/* Machine IR with hardware registers to gfx9 code. */
#include "compiler/gcn/back.h"

#include <stdlib.h>
#include <string.h>

static bool is_vgpr(mir_opnd o) { return o >= GCN_SRC_VGPR0 && o < GCN_SRC_VGPR0 + 256; }

/* Can the 32-bit form say it? */
static bool fits_small(const struct mir_inst *in, const struct gcn_op_info *info)
{
	const struct gcn_inst *g = &in->g;
	if (g->neg | g->abs | g->clamp | g->omod)
		return false;
	if (info->fmt != GCN_VOP1 && !is_vgpr(in->opnd[MIR_SRC1]))
		return false;
	if (info->sdst_dw && in->opnd[MIR_SDST] != GCN_SRC_VCC)
		return false;
	return info->src_dw[2] != 2 || in->opnd[MIR_SRC2] == GCN_SRC_VCC;
}

static struct gcn_inst to_gcn(const struct mir_inst *in)
{
	struct gcn_inst g = in->g;
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	g.dst = (uint16_t)in->opnd[MIR_DST];
	g.sdst = (uint16_t)in->opnd[MIR_SDST];
	for (int i = 0; i < 4; i++)
		g.src[i] = (uint16_t)in->opnd[MIR_SRC0 + i];
	bool vop32 = info->fmt == GCN_VOP1 || info->fmt == GCN_VOP2 || info->fmt == GCN_VOPC;
	if (vop32 && !g.sub && !(info->flags & GCN_F_NO_VOP3) && !fits_small(in, info))
		g.fmt = GCN_VOP3;
	return g;
}

/* Branch offsets are all of one size: addresses are known before they are. */
static bool lay_out(struct mir_func *m, uint32_t *dwords, uint32_t *instructions, char *message, size_t size)
{
	enum { ENCODING = 1 }; /* a tick beside the look at an instruction: it is encoded twice */
	uint32_t at = 0, n = 0, words[4];
	for (struct mir_block *b = m->first; b; b = b->next) {
		b->address = at;
		for (struct mir_inst *in = b->first; in && mir_charge(m, in); in = in->next, n++) {
			const char *why = "";
			ir_charge(m->pool, ENCODING);
			struct gcn_inst g = to_gcn(in);
			unsigned count = gcn_encode(GCN_GFX9, &g, words, &why);
			if (!count) {
				snprintf(message, size, "internal: cannot encode %s: %s", gcn_op_info((enum gcn_op)in->op)->name, why);
				return false;
			}
			in->at = at;
			at += count;
		}
	}
	*dwords = at;
	*instructions = n;
	return !ir_pool_failed(m->pool);
}

bool back_emit(struct mir_func *m, uint32_t **code, uint32_t *dwords, uint32_t *instructions,
	char *message, size_t message_size)
{
	*code = NULL;
	bool moved;
	if (!lay_out(m, dwords, instructions, message, message_size) ||
		!back_far(m, *dwords, &moved, message, message_size) ||
		(moved && !lay_out(m, dwords, instructions, message, message_size)))
		return false;
	uint32_t *out = malloc((*dwords + 4) * sizeof *out), at = 0, getpc_end = 0;
	if (!out) {
		ir_pool_fail(m->pool);
		snprintf(message, message_size, "out of memory");
		return false;
	}
	for (struct mir_block *b = m->first; b; b = b->next)
		for (struct mir_inst *in = b->first; in; in = in->next) {
			struct gcn_inst g = to_gcn(in);
			if (in->target) {
				int32_t offset = (int32_t)in->target->address - (int32_t)(at + 1);
				if (offset < -32768 || offset > 32767) {
					snprintf(message, message_size, "internal: a branch spans %d dwords", offset);
					free(out);
					return false;
				}
				g.offset = offset;
			}
			if (in->to_table)
				g.literal = 4 * (*dwords - getpc_end);
			at += gcn_encode(GCN_GFX9, &g, out + at, NULL);
			if (in->op == GCN_S_GETPC_B64)
				getpc_end = at;
		}
	*code = out;
	return true;
}
