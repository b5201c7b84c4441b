/* SPDX-License-Identifier: MIT */
/* Variables that hold constants, each slot the same whenever it is stored, and are read by an index that may mean many slots:
 * arrays of offsets, weights, thresholds, positions.  Their constants become data of the program; the stores go.
 * Before lower_vars, which does the same to scratch for those that are not such; leaves cfg. */
#include "compiler/ir/ir_vars.h"

#include <stddef.h>
#include <string.h>

#include "isa/abi.h"

enum { WINDOW = 32 }; /* loads of neighbouring slots lie so many instructions apart at the most */

/* Of a variable. */
struct table {
	const struct ir_inst **value; /* of each slot, a CONST; NULL: not known */
	bool spoiled;                 /* holds something else, too */
	bool wanted;
	uint32_t at;                  /* bytes from the beginning of the program's table */
};

/* What an instruction says about a variable. */
static void look(struct ir_func *f, struct table *tables, const struct ir_inst *in)
{
	if (in->op == IR_COPY_VAR)
		tables[in->u.copy->from->index].spoiled = tables[in->u.copy->to->index].spoiled = true;
	if (in->op != IR_LOAD_VAR && in->op != IR_STORE_VAR)
		return;
	const struct ir_var *v = in->u.var.var;
	struct table *const t = &tables[v->index];
	if (in->op == IR_LOAD_VAR) {
		t->wanted |= ir_is_indirect(in) && !ir_is_choice(in);
		return;
	}
	const struct ir_inst *value = in->src[0].inst;
	if (ir_is_indirect(in) || (value->op != IR_CONST && value->op != IR_UNDEF))
		t->spoiled = true;
	if (t->spoiled || value->op == IR_UNDEF || in->u.var.slot >= v->slots)
		return;
	if (!t->value)
		t->value = ir_alloc(f->pool, v->slots * sizeof *t->value);
	if (ir_pool_failed(f->pool))
		return;
	const struct ir_inst **const slot = &t->value[in->u.var.slot];
	if (*slot && (*slot)->u.imm != value->u.imm)
		t->spoiled = true;
	*slot = value;
}

/* Puts the constants of a variable behind those that are there, but for what is there already. */
static void place(struct ir_func *f, const struct ir_var *v, struct table *t)
{
	const uint32_t each = ir_slot_dwords(v), dwords = v->slots * each, old = f->table_dwords;
	uint32_t *words = ir_alloc(f->pool, (old + dwords) * sizeof *words);
	if (ir_pool_failed(f->pool) || !ir_charge(f->pool, old + dwords))
		return;
	if (old)
		memcpy(words, f->table, old * sizeof *words);
	for (uint32_t i = 0; i < v->slots; i++) {
		const uint64_t value = t->value[i]->u.imm;
		memcpy(words + old + i * each, &value, 4 * each);
	}
	uint32_t at = 0;
	while (at < old && (at + dwords > old || memcmp(words + at, words + old, 4 * dwords)))
		at++;
	t->at = 4 * at;
	if (at < old)
		return;
	f->table = words;
	f->table_dwords = old + dwords;
}

/* A load that a run of `have` slots from `first` on goes on with: later in the block, by the same index. */
static struct ir_inst *next_slot(const struct ir_inst *first, uint32_t have)
{
	unsigned looked = 0;
	for (struct ir_inst *in = first->next; in && looked < WINDOW; in = in->next, looked++)
		if (in->op == IR_LOAD_VAR && in->srcs == 1 && in->u.var.var == first->u.var.var &&
			in->u.var.slot == first->u.var.slot + have && in->src[0].inst == first->src[0].inst &&
			in->src[0].comp == first->src[0].comp)
			return in;
	return NULL;
}

static void load_run(struct ir_func *f, const struct table *t, struct ir_inst *first)
{
	const struct ir_var *v = first->u.var.var;
	const uint32_t each = ir_slot_dwords(v);
	struct ir_builder b = { f, first->block, first, first->word };
	struct ir_inst *run[4] = { first };
	uint32_t n = 1;
	while ((n + 1) * each <= 4 && (run[n] = next_slot(first, n)) != NULL)
		n++;
	ir_charge(f->pool, n * WINDOW / 8);
	struct ir_inst *load = ir_inst_new(f, IR_LOAD_UBO, 32 * each, n, 2);
	struct ir_src at = ir_op2(&b, IR_ISHL, first->src[0], ir_const(&b, each > 1 ? 3 : 2));
	load->src[0] = ir_const(&b, 0);
	load->src[1] = ir_op2(&b, IR_IADD, at, ir_const(&b, t->at + 4 * each * first->u.var.slot));
	load->u.mem.binding = &ir_binding_of_table;
	load->u.mem.align = 4;
	ir_insert(&b, load);
	for (uint32_t k = 0; k < n; k++)
		ir_become_copy(run[k], ir_from_slot(&b, ir_comp(load, k), v->bits));
}

/* A slot's constant. */
static void load_known(struct ir_func *f, const struct table *t, struct ir_inst *in)
{
	struct ir_builder b = { f, in->block, in, in->word };
	const struct ir_var *v = in->u.var.var;
	const struct ir_inst *value = in->u.var.slot < v->slots ? t->value[in->u.var.slot] : NULL;
	ir_become_copy(in, value ? ir_const_of(&b, v->bits, value->u.imm) : ir_undef(&b, v->bits));
}

/* All of it is known: what nobody stores is as scratch has it, which says so where somebody looks for that. */
static bool is_whole_table(const struct table *t, const struct ir_var *v)
{
	bool whole = t->value != NULL;
	for (uint32_t i = 0; i < v->slots && whole; i++)
		whole = t->value[i] != NULL;
	return whole;
}

static bool is_table(const struct table *tables, const struct ir_var *v)
{
	return tables[v->index].wanted && !tables[v->index].spoiled;
}

void ir_pass_tables(struct ir_func *f)
{
	struct table *tables = ir_alloc(f->pool, (f->var_count + 1) * sizeof *tables);
	ir_cfg(f);
	for (uint32_t i = 0; i < f->block_count && !ir_pool_failed(f->pool); i++)
		for (const struct ir_inst *in = f->blocks[i]->first; in && ir_charge(f->pool, 1); in = in->next)
			look(f, tables, in);
	bool any = false;
	for (const struct ir_var *v = f->vars; v && !ir_pool_failed(f->pool); v = v->next) {
		struct table *const t = &tables[v->index];
		t->wanted = is_table(tables, v) && f->table_dwords + (uint64_t)v->slots * ir_slot_dwords(v) <= ABI_MAX_TABLE_DWORDS &&
			is_whole_table(t, v);
		if (!t->wanted)
			continue;
		any = true;
		place(f, v, t);
	}
	for (uint32_t i = 0; any && i < f->block_count && !ir_pool_failed(f->pool); i++)
		for (struct ir_inst *in = f->blocks[i]->first, *next; in; in = next) {
			next = in->next;
			if ((in->op != IR_LOAD_VAR && in->op != IR_STORE_VAR) || !is_table(tables, in->u.var.var))
				continue;
			const struct table *t = &tables[in->u.var.var->index];
			if (in->op == IR_STORE_VAR)
				ir_remove(in);
			else if (ir_is_indirect(in))
				load_run(f, t, in);
			else
				load_known(f, t, in);
		}
}
