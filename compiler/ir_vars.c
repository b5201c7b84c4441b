/* Variables with dynamic indices: short ones become selects, others scratch.
 * Needs nothing; leaves only variables that ir_pass_ssa can take. */
#include "ir.h"

#include <stddef.h>

enum { MAX_SELECTS = 8, SELECT_SLOTS = 32 };

/* A power of two or constant that divides the index, so that only every
 * stride-th slot can be meant. */
static uint32_t index_stride(struct ir_src index)
{
	const struct ir_inst *in = index.inst;
	if (in->op == IR_ISHL && in->src[1].inst->op == IR_CONST)
		return 1u << (in->src[1].inst->u.imm & 31);
	if (in->op == IR_IMUL && in->src[1].inst->op == IR_CONST && in->src[1].inst->u.imm)
		return in->src[1].inst->u.imm;
	if (in->op == IR_IMUL && in->src[0].inst->op == IR_CONST && in->src[0].inst->u.imm)
		return in->src[0].inst->u.imm;
	if (in->op == IR_IADD) {
		uint32_t a = index_stride(in->src[0]), b = index_stride(in->src[1]);
		while (b) {
			uint32_t t = a % b;
			a = b;
			b = t;
		}
		return a ? a : 1;
	}
	if (in->op == IR_CONST)
		return in->u.imm ? in->u.imm : 1u << 31;
	return 1;
}

static bool is_indirect(const struct ir_inst *in)
{
	return (in->op == IR_LOAD_VAR && in->srcs == 1) || (in->op == IR_STORE_VAR && in->srcs == 2);
}

static uint32_t choices(const struct ir_inst *in)
{
	const struct ir_var *v = in->u.var.var;
	uint32_t stride = index_stride(in->src[in->srcs - 1]);
	return in->u.var.slot >= v->slots ? 0 : (v->slots - in->u.var.slot + stride - 1) / stride;
}

/* Replaces uses: every pass below leaves the old instruction as a COPY. */
static void become_copy(struct ir_inst *in, struct ir_src value)
{
	in->op = IR_COPY;
	in->srcs = 1;
	in->src[0] = value;
}

static void lower_select(struct ir_func *f, struct ir_inst *in)
{
	struct ir_builder b = { f, in->block, in, in->word };
	struct ir_var *v = in->u.var.var;
	bool load = in->op == IR_LOAD_VAR;
	uint32_t slot = in->u.var.slot, stride = index_stride(in->src[in->srcs - 1]);
	struct ir_src index = in->src[in->srcs - 1], value;
	value = load ? (slot < v->slots ? ir_load_var(&b, v, slot) : ir_undef(&b, v->bits)) : in->src[0];
	for (uint32_t s = load ? slot + stride : slot; s >= slot && s < v->slots; s += stride) {
		struct ir_src hit = ir_op2(&b, IR_ICMP_EQ, index, ir_const(&b, s - slot));
		struct ir_src old = ir_load_var(&b, v, s);
		if (load)
			value = ir_op3(&b, IR_SELECT, hit, old, value);
		else
			ir_store_var(&b, v, s, ir_op3(&b, IR_SELECT, hit, value, old));
	}
	if (load)
		become_copy(in, value);
	else
		ir_remove(in);
}

static void lower_scratch(struct ir_func *f, struct ir_inst *in)
{
	struct ir_builder b = { f, in->block, in, in->word };
	struct ir_var *v = in->u.var.var;
	bool load = in->op == IR_LOAD_VAR;
	struct ir_src at = ir_const(&b, in->u.var.slot);
	if (is_indirect(in)) {
		at = ir_op2(&b, IR_IADD, in->src[in->srcs - 1], at);
		at = ir_op2(&b, IR_UMIN, at, ir_const(&b, v->slots - 1));
	}
	at = ir_op2(&b, IR_IADD, ir_op2(&b, IR_ISHL, at, ir_const(&b, 2)), ir_const(&b, v->scratch));
	struct ir_inst *access = ir_inst_new(f, load ? IR_LOAD_SCRATCH : IR_STORE_SCRATCH, load ? 32 : 0, load, load ? 1 : 2);
	access->src[0] = at;
	access->u.mem.align = 4;
	if (!load)
		access->src[1] = v->bits == 1 ? ir_op1(&b, IR_B2I, in->src[0]) : in->src[0];
	ir_insert(&b, access);
	if (!load)
		ir_remove(in);
	else if (v->bits == 1)
		become_copy(in, ir_op2(&b, IR_ICMP_NE, ir_comp(access, 0), ir_const(&b, 0)));
	else
		become_copy(in, ir_comp(access, 0));
}

enum { VAR_SSA, VAR_SELECT, VAR_SCRATCH };

void ir_pass_lower_vars(struct ir_func *f)
{
	uint8_t *plan = ir_alloc(f->pool, f->var_count + 1);
	ir_cfg(f);
	if (ir_pool_failed(f->pool))
		return;
	for (uint32_t i = 0; i < f->block_count; i++)
		for (struct ir_inst *in = f->blocks[i]->first; in; in = in->next)
			if (is_indirect(in)) {
				struct ir_var *v = in->u.var.var;
				bool small = v->slots <= SELECT_SLOTS && choices(in) <= MAX_SELECTS;
				if (!small)
					plan[v->index] = VAR_SCRATCH;
				else if (plan[v->index] == VAR_SSA)
					plan[v->index] = VAR_SELECT;
			}
	for (struct ir_var *v = f->vars; v; v = v->next)
		if (plan[v->index] == VAR_SCRATCH) {
			v->scratch = f->scratch_bytes;
			f->scratch_bytes += v->slots * 4;
		}
	for (uint32_t i = 0; i < f->block_count; i++)
		for (struct ir_inst *in = f->blocks[i]->first, *next; in; in = next) {
			next = in->next;
			if (in->op != IR_LOAD_VAR && in->op != IR_STORE_VAR)
				continue;
			if (plan[in->u.var.var->index] == VAR_SCRATCH)
				lower_scratch(f, in);
			else if (is_indirect(in))
				lower_select(f, in);
		}
}
