/* SPDX-License-Identifier: MIT */
/* Machine IR: memory, lists, operand roles, edges, printing. */
#include "compiler/gcn/mir.h"

#include <string.h>

void mir_func_init(struct mir_func *m, struct ir_pool *pool)
{
	*m = (struct mir_func){ .pool = pool };
	m->vreg_room = 256;
	m->vregs = ir_realloc(pool, NULL, m->vreg_room * sizeof *m->vregs);
	if (!m->vregs)
		m->vreg_room = 0;
}

void mir_func_finish(struct mir_func *m)
{
	ir_free(m->pool, m->vregs);
	m->vregs = NULL;
}

static bool grow_vregs(struct mir_func *m)
{
	uint32_t room = m->vreg_room * 2;
	struct mir_vreg *grown = room && room < MIR_MAX_VREGS ? ir_realloc(m->pool, m->vregs, room * sizeof *grown) : NULL;
	if (!grown) {
		ir_pool_fail(m->pool);
		return false;
	}
	m->vregs = grown;
	m->vreg_room = room;
	return true;
}

mir_opnd mir_vreg_new(struct mir_func *m, enum mir_class cls, unsigned size)
{
	if (m->vreg_count == m->vreg_room && !grow_vregs(m))
		return mir_v(0, 0); /* the pool has failed: nobody will look */
	struct mir_vreg *v = &m->vregs[m->vreg_count];
	*v = (struct mir_vreg){ .cls = (uint8_t)cls, .size = (uint8_t)size, .align = 1,
		.want = MIR_NONE, .reg = MIR_NONE };
	if (cls == MIR_SGPR && size > 1)
		v->align = size == 2 ? 2 : 4;
	return mir_v(m->vreg_count++, 0);
}

/* --- blocks and instructions --- */

struct mir_block *mir_block_new(struct mir_func *m, unsigned depth)
{
	struct mir_block *b = ir_alloc(m->pool, sizeof *b);
	b->depth = (uint8_t)(depth < 255 ? depth : 255);
	return b;
}

void mir_place(struct mir_func *m, struct mir_block *b)
{
	b->placed = true;
	b->prev = m->last;
	b->next = NULL;
	*(m->last ? &m->last->next : &m->first) = b;
	m->last = b;
}

struct mir_inst *mir_inst_new(struct mir_func *m, unsigned op)
{
	struct mir_inst *in = ir_alloc(m->pool, sizeof *in);
	in->op = (uint16_t)op;
	in->word = m->pool->budget->word;
	ir_charge(m->pool, 1);
	for (int i = 0; i < MIR_OPNDS; i++)
		in->opnd[i] = MIR_NONE;
	if (op >= GCN_OP_COUNT)
		return in;
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)op);
	gcn_inst_init(&in->g, (enum gcn_op)op);
	in->dw[MIR_DST] = info->dst_dw;
	in->dw[MIR_SDST] = info->sdst_dw;
	for (int i = 0; i < 4; i++)
		in->dw[MIR_SRC0 + i] = info->src_dw[i];
	return in;
}

void mir_append(struct mir_block *b, struct mir_inst *in)
{
	in->block = b;
	in->prev = b->last;
	in->next = NULL;
	*(b->last ? &b->last->next : &b->first) = in;
	b->last = in;
}

void mir_insert_before(struct mir_inst *at, struct mir_inst *in)
{
	in->block = at->block;
	in->prev = at->prev;
	in->next = at;
	*(at->prev ? &at->prev->next : &at->block->first) = in;
	at->prev = in;
}

void mir_insert_after(struct mir_inst *at, struct mir_inst *in)
{
	if (at->next)
		mir_insert_before(at->next, in);
	else
		mir_append(at->block, in);
}

void mir_remove(struct mir_inst *in)
{
	struct mir_block *b = in->block;
	*(in->prev ? &in->prev->next : &b->first) = in->next;
	*(in->next ? &in->next->prev : &b->last) = in->prev;
	in->prev = in->next = NULL;
	in->block = NULL;
}

/* --- operand roles --- */

/* Of those in a set that the instruction has. */
static inline unsigned present(const struct mir_inst *in, unsigned set)
{
	unsigned mask = set;
	for (; set; set &= set - 1) {
		int i = __builtin_ctz(set);
		if (in->opnd[i] == MIR_NONE || !in->dw[i])
			mask &= ~(1u << i);
	}
	return mask;
}

unsigned mir_reads(const struct mir_inst *in)
{
	return mir_is_pseudo(in) ? 0 : present(in, gcn_operands_read(&in->g));
}

unsigned mir_writes(const struct mir_inst *in)
{
	if (mir_is_pseudo(in))
		return in->op == MIR_COPY || in->opnd[MIR_DST] == MIR_NONE ? 0 : 1u << MIR_DST;
	return present(in, gcn_operands_written(&in->g));
}

/* --- edges --- */

static void find_linear(struct mir_block *b)
{
	unsigned n = 0;
	bool falls = true;
	b->linear[0] = b->linear[1] = NULL;
	for (struct mir_inst *in = b->last; in && mir_flags(in) & (GCN_F_BRANCH | GCN_F_TERMINATES); in = in->prev) {
		if (in->target && n < 2)
			b->linear[n++] = in->target;
		if (in->op == GCN_S_BRANCH || in->op == GCN_S_ENDPGM)
			falls = false;
	}
	if (falls && b->next && n < 2)
		b->linear[n] = b->next;
}

void mir_edges(struct mir_func *m)
{
	m->block_count = 0;
	for (struct mir_block *b = m->first; b; b = b->next)
		b->index = m->block_count++;
	for (struct mir_block *b = m->first; b; b = b->next)
		find_linear(b);
}

/* --- printing --- */

static void print_opnd(const struct mir_func *m, mir_opnd o, unsigned dw, uint32_t literal, FILE *out)
{
	if (mir_is_v(o)) {
		const struct mir_vreg *v = &m->vregs[mir_vreg_of(o)];
		fprintf(out, "%c%u", v->cls == MIR_VGPR ? 'V' : 'S', mir_vreg_of(o));
		if (v->size > 1)
			fprintf(out, ".%u", mir_sub_of(o));
		if (v->reg != MIR_NONE)
			fprintf(out, "=%c%u", v->reg >= 256 ? 'v' : 's', v->reg % 256 + mir_sub_of(o));
	} else if (o == GCN_SRC_LITERAL) {
		fprintf(out, "#0x%x", literal);
	} else {
		fprintf(out, "%s%u", o >= 256 ? "v" : "o", o >= 256 ? o - 256 : o);
	}
	if (dw > 1)
		fprintf(out, ":%u", dw);
}

static void print_inst(const struct mir_func *m, const struct mir_inst *in, FILE *out)
{
	static const char *const pseudo[] = { "copy", "undef", "anchor" };
	fprintf(out, "\t%s", mir_is_pseudo(in) ? pseudo[in->op - GCN_OP_COUNT] : gcn_op_info((enum gcn_op)in->op)->name);
	for (unsigned i = 0; i < in->copy_count; i++) {
		const struct mir_copy *c = &in->copies[i];
		fprintf(out, "%s", i ? ", " : " ");
		print_opnd(m, c->dst, c->dw, 0, out);
		fprintf(out, " <- ");
		print_opnd(m, c->src, c->dw, c->literal, out);
	}
	bool any = false;
	for (unsigned i = 0; i < MIR_OPNDS; i++)
		if (in->opnd[i] != MIR_NONE) {
			fprintf(out, any ? ", " : " ");
			unsigned bit = i >= MIR_SRC0 ? 1u << (i - MIR_SRC0) : 0;
			fprintf(out, "%s%s", in->g.neg & bit ? "-" : "", in->g.abs & bit ? "|" : "");
			print_opnd(m, in->opnd[i], in->dw[i], in->g.literal, out);
			any = true;
		}
	if (in->g.offset)
		fprintf(out, " offset:%d", in->g.offset);
	if (in->target)
		fprintf(out, " -> b%u", in->target->index);
	fprintf(out, "%s\n", in->g.clamp ? " clamp" : "");
}

void mir_print(const struct mir_func *m, FILE *out)
{
	for (const struct mir_block *b = m->first; b; b = b->next) {
		fprintf(out, "b%u: depth %u, logical", b->index, b->depth);
		for (int i = 0; i < 2; i++)
			if (b->logical[i])
				fprintf(out, " b%u", b->logical[i]->index);
		fprintf(out, "\n");
		for (const struct mir_inst *in = b->first; in; in = in->next)
			print_inst(m, in, out);
	}
}
