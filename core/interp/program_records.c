/* SPDX-License-Identifier: MIT */
/* Records: where an instruction's operands lie and which handler runs it. */
#include "core/interp/program_priv.h"
#include "isa/abi.h"
#include "isa/gcn_tables.h"

#include <string.h>

static bool is_aperture(unsigned src)
{
	return src >= GCN_SRC_SHARED_BASE && src <= GCN_SRC_PRIVATE_LIMIT;
}
/* An inline constant or literal seen as type t. */
static uint64_t constant(unsigned src, uint32_t literal, enum cu_type t)
{
	if (src == GCN_SRC_LITERAL) {
		if (t == CU_T_F64)
			return (uint64_t)literal << 32;
		return t == CU_T_I64 ? (uint64_t)(int64_t)(int32_t)literal : literal;
	}
	if (is_aperture(src)) {
		uint64_t at = src == GCN_SRC_SHARED_BASE ? ABI_SHARED_BASE : src == GCN_SRC_SHARED_LIMIT ? ABI_SHARED_LIMIT :
			src == GCN_SRC_PRIVATE_BASE ? ABI_PRIVATE_BASE : ABI_PRIVATE_LIMIT;
		return cu_type_is64(t) ? at : (uint32_t)at;
	}
	bool half = t == CU_T_B16 || t == CU_T_F16 || t == CU_T_PKB16 || t == CU_T_PKF16;
	return gcn_inline_constant(src, cu_type_is64(t) ? 64 : half ? 16 : 32);
}
static bool is_constant(unsigned src)
{
	return gcn_is_inline_constant(src) || is_aperture(src) || src == GCN_SRC_LITERAL;
}
static int32_t sgpr_offset(unsigned n)
{
	return (int32_t)(offsetof(struct cu_wave, sgpr) + 4 * n);
}
static int32_t vgpr_offset(unsigned n)
{
	return (int32_t)(offsetof(struct cu_wave, vgpr) + 4 * CU_LANES * n);
}

/* Same constant, same pool entry. */
static int32_t pool_offset(struct cu_builder *b, uint64_t value)
{
	struct cu_pool *pool = b->p->pool;
	uint32_t i = 0;
	/* A short search: programs have few, and repeat the last ones. */
	uint32_t start = b->constants > 64 ? b->constants - 64 : 0;
	for (i = start; i < b->constants; i++)
		if (pool->k[i] == value)
			break;
	if (i == b->constants)
		pool->k[b->constants++] = value;
	return (int32_t)(offsetof(struct cu_pool, k) + 8 * i);
}

static bool set_source(struct cu_builder *b, struct cu_rec *r, int n, unsigned src, enum cu_type t)
{
	const struct gcn_inst *in = r->in;
	unsigned dwords = cu_type_dwords(t);
	if (cu_type_is_param(t))
		return true;
	if (is_constant(src)) {
		r->s[n] = pool_offset(b, constant(src, in->literal, t));
		r->konst |= (uint8_t)(1 << n);
		r->scalar |= (uint8_t)(1 << n);
	} else if (src + dwords <= 128) {
		r->s[n] = sgpr_offset(src);
		r->scalar |= (uint8_t)(1 << n);
	} else if (src == GCN_SRC_SCC && dwords == 1) {
		r->s[n] = (int32_t)offsetof(struct cu_wave, scc);
		r->scalar |= (uint8_t)(1 << n);
	} else if ((src >= GCN_SRC_VCCZ && src <= GCN_SRC_SCC && dwords <= 2) ||
		(src == GCN_SRC_LDS_DIRECT && dwords == 1 && r->op->cls == CU_CLASS_VALU)) {
		r->s[n] = (int32_t)(offsetof(struct cu_wave, special) + 8 * (src - GCN_SRC_VCCZ));
		r->scalar |= (uint8_t)(1 << n);
		r->fn = b->level->special;
	} else if (src >= GCN_SRC_VGPR0 && src + dwords <= GCN_SRC_VGPR0 + CU_VGPRS) {
		r->s[n] = vgpr_offset(src - GCN_SRC_VGPR0);
	} else {
		cu_error_at(b->err, r->pc, in, "source %d is not supported", n);
		return false;
	}
	return true;
}

static bool set_dst(struct cu_builder *b, struct cu_rec *r, unsigned dst, unsigned dwords, uint32_t *out)
{
	if (dst + dwords <= 128)
		*out = (uint32_t)sgpr_offset(dst);
	else if (dst >= GCN_SRC_VGPR0 && dst + dwords <= GCN_SRC_VGPR0 + CU_VGPRS)
		*out = (uint32_t)vgpr_offset(dst - GCN_SRC_VGPR0);
	else {
		cu_error_at(b->err, r->pc, r->in, "destination is not supported");
		return false;
	}
	return true;
}

static bool refuse(struct cu_builder *b, const struct cu_rec *r, const char *what)
{
	cu_error_at(b->err, r->pc, r->in, "not supported: %s", what);
	return false;
}

/* VGPR operands that handlers take from the instruction stay in the file. */
static bool check_vgprs(struct cu_builder *b, const struct cu_rec *r)
{
	const struct gcn_inst *in = r->in;
	for (int i = 0; i < 4; i++) {
		if (in->src[i] < GCN_SRC_VGPR0 || in->src[i] == GCN_SRC_NONE)
			continue;
		unsigned n = isa_source_dw(in, i);
		if (in->src[i] + (n ? n : 1) > GCN_SRC_VGPR0 + CU_VGPRS)
			return refuse(b, r, "a VGPR beyond v255");
	}
	return true;
}

static bool fill_valu(struct cu_builder *b, struct cu_rec *r, uint8_t state)
{
	const struct gcn_inst *in = r->in;
	const struct cu_op *op = r->op;
	bool float_result = op->dtype == CU_T_F32 || op->dtype == CU_T_F16 || op->dtype == CU_T_F64
		|| op->dtype == CU_T_PKF16;
	if (in->clamp && op->dtype != CU_T_NONE && !float_result) {
		if (op->saturating) /* else nothing overflows */
			r->op = op = op->saturating;
	}
	unsigned dst_dw = cu_type_dwords(op->dtype);
	if (op->dtype != CU_T_NONE && !set_dst(b, r, in->dst, dst_dw, &r->d))
		return false;
	if (op->mask_out) {
		unsigned sdst = in->sdst == GCN_SRC_NONE ? GCN_SRC_VCC : in->sdst;
		if (!set_dst(b, r, sdst, 2, &r->sd))
			return false;
		if (sdst + 2 > GCN_SRC_EXEC && !(op->flags & CU_OP_WRITES_EXEC))
			r->fn = state & INDEXED ? b->level->special : b->level->exec_write;
	}
	for (int n = 0; n < op->nsrc; n++) {
		unsigned src = in->src[n];
		if (n == 2 && op->flags & CU_OP_DST_READ)
			src = in->dst;
		else if (op->stype[n] == CU_T_MASK && src == GCN_SRC_NONE)
			src = GCN_SRC_VCC;
		if (!set_source(b, r, n, src, (enum cu_type)op->stype[n]))
			return false;
	}
	if (state & INDEXED && !r->fn)
		r->fn = state & PLAIN ? b->level->special : b->level->valu_indexed;
	if (r->fn)
		return true;
	unsigned scalars = r->scalar;
	if (op->nsrc > 2 && op->stype[2] == CU_T_MASK)
		scalars &= 3;
	bool simple = in->sub == GCN_SUB_NONE && !in->omod && !in->op_sel;
	bool plain = simple && !in->neg && !in->abs && (!in->clamp || !float_result);
	r->fn = plain && op->fast[r->full] ? op->fast[r->full][scalars] : NULL;
	if (!r->fn && simple)
		r->fn = op->modified;
	if (!r->fn)
		r->fn = b->level->valu_general;
	return true;
}

static bool fill_smem(struct cu_builder *b, struct cu_rec *r, unsigned dwords)
{
	const struct gcn_inst *in = r->in;
	if (in->src[0] == GCN_SRC_NONE) /* cache control, clocks */
		return true;
	if (in->src[0] + 2 > 104)
		return refuse(b, r, "this base register");
	r->s[0] = sgpr_offset(in->src[0]);
	if (in->src[1] == GCN_SRC_NONE) {
		r->s[1] = pool_offset(b, (uint64_t)(int64_t)in->offset);
		r->konst |= 2;
	} else if (!set_source(b, r, 1, in->src[1], CU_T_B32)) {
		return false;
	} else {
		r->sd = (uint32_t)in->offset;
	}
	if (dwords && in->dst < 128 && in->dst + dwords > GCN_SRC_EXEC)
		return refuse(b, r, "EXEC as memory data");
	return true;
}

/* Loads that may go to LDS, by the memory handling document. */
static bool lds_possible(enum gcn_op op)
{
	return op == GCN_BUFFER_LOAD_UBYTE || op == GCN_BUFFER_LOAD_SBYTE || op == GCN_BUFFER_LOAD_USHORT ||
		op == GCN_BUFFER_LOAD_SSHORT || op == GCN_BUFFER_LOAD_DWORD || op == GCN_BUFFER_LOAD_FORMAT_X ||
		op == GCN_BUFFER_STORE_LDS_DWORD;
}
/* A status dword follows the data of a buffer load. */
static bool fill_tfe(struct cu_builder *b, struct cu_rec *r)
{
	const struct gcn_inst *in = r->in;
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	if (in->lds)
		return refuse(b, r, "lds and tfe at once");
	if (!(info->flags & GCN_F_LOAD))
		return refuse(b, r, "tfe of an instruction that loads nothing");
	if (in->dst + info->dst_dw + 1u > GCN_SRC_VGPR0 + CU_VGPRS)
		return refuse(b, r, "a VGPR beyond v255");
	r->fn = b->level->tfe_access;
	return true;
}

/* Formats whose handlers take more from the instruction. */
static bool fill_memory(struct cu_builder *b, struct cu_rec *r)
{
	const struct gcn_inst *in = r->in;
	switch (in->fmt) {
	case GCN_MUBUF:
	case GCN_MTBUF:
		if (in->src[1] == GCN_SRC_NONE) /* cache control */
			return true;
		if (in->tfe && !fill_tfe(b, r))
			return false;
		if (in->addr64)
			r->fn = b->level->addr64_access;
		if (in->lds && !lds_possible((enum gcn_op)in->op))
			return refuse(b, r, "lds of this opcode");
		if (in->src[1] + 4 > 104)
			return refuse(b, r, "this descriptor register");
		return set_source(b, r, 2, in->src[2], CU_T_B32);
	case GCN_MIMG:
		if (in->src[1] + 8 > 104 || (in->src[2] != GCN_SRC_NONE && in->src[2] + 4 > 104))
			return refuse(b, r, "this descriptor register");
		if (in->dst + gcn_mimg_data_dw(in) > GCN_SRC_VGPR0 + CU_VGPRS)
			return refuse(b, r, "a VGPR beyond v255");
		return true;
	case GCN_DS:
		if (in->gds)
			r->fn = b->level->gds_access;
		else if (b->gen < GCN_GFX9)
			r->fn = b->level->m0_access;
		return true;
	default:
		return true;
	}
}

/* Messages without a receiver vanish on hardware too: interrupts that the host
 * has not asked for, hints about parameters and ordered pixels.  Those of geometry
 * programs are counted where the wave has something to count with.  Others expect
 * something to happen. */
static bool check_message(struct cu_builder *b, const struct cu_rec *r)
{
	enum { INTERRUPT = 1, GS = 2, GS_DONE = 3, ORDERED_PS_DONE = 7, EARLY_PRIM_DEALLOC = 8 };
	switch (r->in->offset & 15) {
	case INTERRUPT: case GS: case GS_DONE: case ORDERED_PS_DONE: case EARLY_PRIM_DEALLOC:
		return true;
	default:
		return refuse(b, r, "there is nobody to take this message");
	}
}

static bool fill_direct(struct cu_builder *b, struct cu_rec *r)
{
	const struct gcn_inst *in = r->in;
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	unsigned dwords = info->dst_dw ? info->dst_dw : 1;
	r->fn = r->op->direct;
	bool moves = in->sub != GCN_SUB_NONE && in->op != GCN_V_NOP;
	bool modified = cu_is_modified(in);
	if (moves || (modified && !r->op->modified))
		return refuse(b, r, "a modifier of this instruction");
	if (modified)
		r->fn = r->op->modified;
	if (in->op == GCN_S_SENDMSG && !check_message(b, r))
		return false;
	if (!check_vgprs(b, r) || !fill_memory(b, r))
		return false;
	if (in->fmt == GCN_SMEM && !fill_smem(b, r, info->dst_dw))
		return false;
	for (int n = 0; n < r->op->nsrc; n++)
		if (!set_source(b, r, n, in->src[n], (enum cu_type)r->op->stype[n]))
			return false;
	if (in->op == GCN_V_SWAP_B32 && r->scalar)
		return refuse(b, r, "a source that is no VGPR");
	if (in->dst == GCN_SRC_NONE || in->fmt == GCN_EXP)
		return true;
	if (in->op == GCN_S_ATC_PROBE || in->op == GCN_S_ATC_PROBE_BUFFER)
		return true;
	if (!set_dst(b, r, in->dst, dwords, &r->d))
		return false;
	if (in->dst < 128 && in->dst + dwords > GCN_SRC_EXEC && !(r->op->flags & CU_OP_WRITES_EXEC) &&
		r->fn != b->level->special)
		r->fn = b->level->exec_write;
	return true;
}

bool cu_program_fill(struct cu_builder *b, uint32_t i, bool full)
{
	struct cu_program *p = b->p;
	struct cu_rec *r = &p->recs[i + (full ? p->count : 0)];
	uint32_t pc = r->pc;
	r->in = &p->insts[i];
	uint8_t state = b->state[pc];
	if (p->traits & CU_PROGRAM_INDEXES)
		state |= INDEXED | PLAIN;
	r->op = b->level->ops[r->in->op];
	r->pool = p->pool;
	r->full = full;
	r->size = (uint8_t)(r->in->size / 4);
	if (r->op->flags & CU_OP_JUMPS)
		r->jump = (int32_t)p->index[(int64_t)pc + 1 + r->in->offset] - (int32_t)i;
	if (r->in->fmt == GCN_SMEM)
		r->near = full ? p->recs[i].near : (uint8_t)(b->scalar_memory++ % CU_NEAR_SPANS);
	bool ok = r->op->cls == CU_CLASS_VALU ? fill_valu(b, r, state) : fill_direct(b, r);
	if (!ok || !(p->traits & CU_PROGRAM_SKIPS && cu_is_vector(r->in)))
		return ok;
	r->fn = b->level->special;
	return true;
}
