/* SPDX-License-Identifier: MIT */
/* Operands of the memory formats and of exports. */
#include "isa/text/gcn_asm_match_priv.h"

#include <stdio.h>
#include <string.h>

/* --- scalar --- */

static bool smem_offset(struct asm_match *m)
{
	const struct asm_operand *o = m->next < m->inst->count ? &m->inst->operand[m->next] : NULL;
	if (!o && !m->out->offset)
		return true; /* 0 */
	if (!o || o->kind != ASM_OP_INT)
		return asm_take(m, TAKES_SGPR, 1, 9, &m->out->src[1]);
	const struct gcn_form form = { m->out->op, GCN_SMEM, GCN_SUB_NONE };
	int32_t low = 0, high = 0;
	unsigned unit = 1;
	int64_t bytes = o->value;
	if (o->neg || o->abs)
		return REFUSE(m, &o->token, "", "the offset takes no neg or abs");
	if (m->out->offset)
		return REFUSE(m, &o->token, "one SGPR", "the offset modifier is for an offset in an SGPR");
	gcn_form_offset_range(m->ctx->gen, &form, &low, &high, &unit);
	m->next++;
	if (bytes >= low / (int)unit && bytes <= high / (int)unit) {
		m->out->offset = (int32_t)(bytes * unit);
		return true;
	}
	if (m->ctx->gen == GCN_GFX7 && bytes >= 0 && bytes <= UINT32_MAX) /* in dwords as well */
		return asm_set_literal(m, o, (uint32_t)bytes, &m->out->src[1]);
	char expected[64];
	snprintf(expected, sizeof(expected), "%d to %d, or one SGPR", low / (int)unit, high / (int)unit);
	return REFUSE(m, &o->token, expected, "the offset is out of range: %lld", (long long)o->value);
}

bool asm_fill_smem(struct asm_match *m)
{
	const struct gcn_op_info *info = m->info;
	if (info->flags & GCN_F_RAW_OPERAND) {
		const struct asm_operand *o = m->next < m->inst->count ? &m->inst->operand[m->next++] : NULL;
		if (!o || o->kind != ASM_OP_INT || o->value < 0 || o->value > 127)
			return REFUSE(m, o ? &o->token : &m->ctx->lx.token, "0 to 127", "the first operand is a number");
		m->out->dst = (uint16_t)o->value;
	} else if (info->dst_dw && !asm_take(m, TAKES_SGPR, info->dst_dw, 9, &m->out->dst)) {
		return false;
	} else if (info->dst_dw && m->out->dst >= GCN_SRC_M0) {
		return REFUSE(m, &m->inst->operand[0].token, "", "neither m0 nor exec can be loaded or stored");
	}
	if (!info->src_dw[0])
		return true;
	return asm_take(m, TAKES_SGPR, info->src_dw[0], 9, &m->out->src[0]) &&
		(!info->src_dw[1] || smem_offset(m));
}

/* --- vector --- */

bool asm_fill_ds(struct asm_match *m)
{
	if (m->info->dst_dw && !asm_take(m, TAKES_VGPR, m->info->dst_dw, 9, &m->out->dst))
		return false;
	for (unsigned i = 0; i < 3; i++)
		if (m->info->src_dw[i] && !asm_take(m, TAKES_VGPR, m->info->src_dw[i], 9, &m->out->src[i]))
			return false;
	return true;
}

bool asm_fill_buffer(struct asm_match *m)
{
	const struct gcn_op_info *info = m->info;
	struct gcn_inst *out = m->out;
	unsigned address = out->addr64 ? 2u : (unsigned)out->idxen + out->offen;
	if (out->addr64 && (out->idxen || out->offen))
		return REFUSE(m, &m->inst->mnemonic, "", "addr64 excludes idxen and offen");
	if (!info->src_dw[1])
		return true;
	if (info->dst_dw && !out->lds && !asm_take(m, TAKES_VGPR, info->dst_dw + (out->tfe ? 1u : 0), 9, &out->dst))
		return false;
	if (info->src_dw[0] && !asm_take(m, address ? TAKES_VGPR : TAKES_OFF, address ? address : 1, 9, &out->src[0]))
		return false;
	return asm_take(m, TAKES_SGPR, 4, 9, &out->src[1]) &&
		asm_take(m, TAKES_SGPR | TAKES_CONST, 1, 9, &out->src[2]);
}

/* True if the mnemonic has this part between underlines. */
static bool has_part(const char *name, const char *part)
{
	size_t n = strlen(part);
	for (const char *p = strchr(name, '_'); p; p = strchr(p + 1, '_'))
		if (!strncmp(p + 1, part, n) && (p[1 + n] == '_' || !p[1 + n]))
			return true;
	return false;
}

/* Dwords of address that an image instruction may be written with: its
 * dimension is in the descriptor, so from 1D to 3D or cube, with derivatives
 * of one to three, and the row does not count lod and clamp; LLVM rounds up
 * to 4 and 8. */
static bool address_fits(const struct gcn_op_info *info, unsigned dw)
{
	const char *name = info->name;
	unsigned low = info->src_dw[0], high = low + 2;
	if (!info->src_dw[2])
		return dw >= 1 && dw <= 4;
	if (has_part(name, "d") || has_part(name, "cd"))
		high += 5;
	if (has_part(name, "l") || has_part(name, "cl"))
		high += 1;
	return (dw >= low && dw <= high) || (dw == 4 && high < 4) || (dw == 8 && high > 4 && high < 8);
}

/* Gathers fetch one component; atomics work on one or two dwords, on two or
 * four with the value that is compared. */
static bool dmask_fits(const struct asm_match *m)
{
	unsigned mask = m->out->dmask;
	if (m->info->flags & GCN_F_GATHER4)
		return mask && !(mask & (mask - 1));
	if (m->info->flags & GCN_F_ATOMIC)
		return strstr(m->info->name, "cmpswap") ? mask == 3 || mask == 15 : mask == 1 || mask == 3;
	return true;
}

bool asm_fill_mimg(struct asm_match *m)
{
	const struct gcn_op_info *info = m->info;
	struct gcn_inst *out = m->out;
	const struct asm_operand *vaddr = m->inst->count > 1 ? &m->inst->operand[1] : NULL;
	if (!dmask_fits(m))
		return REFUSE(m, &m->inst->mnemonic, info->flags & GCN_F_GATHER4 ? "a dmask with one bit" :
			"dmask:0x1 or 0x3, of cmpswap 0x3 or 0xf", "dmask is 0x%x", out->dmask);
	out->d16_unpacked = out->d16 && m->ctx->gen == GCN_GFX8;
	if (!asm_take(m, TAKES_VGPR, gcn_mimg_data_dw(out), 9, &out->dst))
		return false;
	unsigned dw = vaddr && vaddr->kind == ASM_OP_REG ? vaddr->dw : info->src_dw[0];
	if (!address_fits(info, dw))
		dw = info->src_dw[0];
	return asm_take(m, TAKES_VGPR, dw, 9, &out->src[0]) && asm_take(m, TAKES_SGPR, 8, 9, &out->src[1]) &&
		(!info->src_dw[2] || asm_take(m, TAKES_SGPR, 4, 9, &out->src[2]));
}

bool asm_fill_exp(struct asm_match *m)
{
	struct gcn_inst *out = m->out;
	uint16_t value[4];
	for (unsigned i = 0; i < 4; i++) {
		if (!asm_take(m, TAKES_VGPR | TAKES_OFF, 1, 9, &value[i]))
			return false;
		if (value[i] != GCN_SRC_NONE)
			out->en |= (uint8_t)(1u << i);
	}
	if (!out->compr) {
		memcpy(out->src, value, sizeof(value));
		return true;
	}
	for (unsigned i = 0; i < 2; i++) { /* two halves in one register */
		if (value[2 * i] != value[2 * i + 1])
			return REFUSE(m, &m->inst->operand[2 * i + 1].token, "the register before it",
				"a compressed export names each register twice");
		out->src[i] = value[2 * i];
	}
	return true;
}

bool asm_fill_flat(struct asm_match *m)
{
	const struct gcn_op_info *info = m->info;
	struct gcn_inst *out = m->out;
	bool atomic = info->flags & GCN_F_ATOMIC;
	bool base = out->fmt != GCN_FLAT;
	unsigned operands = 1u + !!info->src_dw[1] + base;
	if (atomic && info->dst_dw && m->inst->count == operands + 1 && !out->glc)
		return REFUSE(m, &m->inst->mnemonic, "glc", "an atomic that returns the old value needs glc");
	if (atomic && m->inst->count == operands && out->glc)
		return REFUSE(m, &m->inst->mnemonic, "", "an atomic with glc needs a destination");
	if (info->dst_dw && !out->lds && (!atomic || out->glc) && !asm_take(m, TAKES_VGPR, info->dst_dw, 9, &out->dst))
		return false;
	/* A global address is 64 bits, or 32 beside an SGPR pair. */
	const struct asm_operand *last = m->inst->count ? &m->inst->operand[m->inst->count - 1] : NULL;
	bool scalar = base && last && last->kind == ASM_OP_REG;
	unsigned takes = TAKES_VGPR | (out->fmt == GCN_SCRATCH ? TAKES_OFF : 0);
	if (!asm_take(m, takes, out->fmt == GCN_GLOBAL && scalar ? 1 : info->src_dw[0], 9, &out->src[0]))
		return false;
	if (info->src_dw[1] && !asm_take(m, TAKES_VGPR, info->src_dw[1], 9, &out->src[1]))
		return false;
	if (!base)
		return true;
	if (!asm_take(m, TAKES_SGPR | TAKES_OFF, info->src_dw[2], 9, &out->src[2]))
		return false;
	if (out->fmt == GCN_SCRATCH && (out->src[0] == GCN_SRC_NONE) == (out->src[2] == GCN_SRC_NONE))
		return REFUSE(m, &m->inst->mnemonic, "a VGPR and off, or off and an SGPR", "scratch has one address");
	return true;
}
