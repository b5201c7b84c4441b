/* SPDX-License-Identifier: MIT */
/* Variables to SSA values, after Braun et al., "Simple and Efficient Construction
 * of Static Single Assignment Form" (CC 2013): blocks are walked in program
 * order, and a read looks back for the value that reaches it.  Phis are filled
 * when all blocks are done, one after another from a list: nothing here is
 * recursive.
 *
 * Looking back uses the tree instead of walking every predecessor.  The blocks
 * that store a slot are listed by their index (program order), so the last one
 * before a block is found by bisection, and constructs that do not store the
 * slot are passed over however many there are.
 * Needs variables without dynamic indices; leaves cfg, no variables, no COPY
 * of a variable's value. */
#include "compiler/ir/ir_replace.h"

#include <string.h>

struct def { uint32_t block, slot; struct ir_src value; };

struct ssa {
	struct ir_func *func;
	uint32_t slots, *first_slot; /* by variable index */
	uint8_t *slot_bits;
	uint32_t *store_first, *store_block; /* by slot: where its blocks are; indices, ascending */
	struct ir_inst *unfilled; /* phis, linked by inst->pass */
	struct def *table;        /* open addressing; value.inst NULL: free */
	uint32_t used, mask;
	bool failed;
};

static uint32_t hash(uint32_t block, uint32_t slot)
{
	uint64_t h = ((uint64_t)block << 32 | slot) * 0x9E3779B97F4A7C15ull;
	return (uint32_t)(h >> 32);
}

static struct def *find(struct ssa *s, uint32_t block, uint32_t slot)
{
	uint32_t i = hash(block, slot) & s->mask;
	while (s->table[i].value.inst && (s->table[i].block != block || s->table[i].slot != slot))
		i = (i + 1) & s->mask;
	return &s->table[i];
}

static bool grow(struct ssa *s)
{
	struct def *old = s->table;
	uint32_t count = old ? s->mask + 1 : 0;
	s->mask = count ? count * 2 - 1 : 63;
	while (!count && s->mask < s->store_first[s->slots] * 2)
		s->mask = s->mask * 2 + 1;
	s->table = ir_calloc(s->func->pool, s->mask + 1, sizeof *s->table);
	if (!s->table) {
		s->table = old;
		s->mask = count - 1;
		s->failed = true;
		return false;
	}
	for (uint32_t i = 0; i < count; i++)
		if (old[i].value.inst)
			*find(s, old[i].block, old[i].slot) = old[i];
	ir_free(s->func->pool, old);
	return true;
}

static void write_slot(struct ssa *s, uint32_t block, uint32_t slot, struct ir_src value)
{
	if (s->failed || ((s->used + 1) * 4 > (s->mask + 1) * 3 && !grow(s)))
		return;
	struct def *d = find(s, block, slot);
	if (!d->value.inst)
		s->used++;
	*d = (struct def){ block, slot, value };
}

static struct ir_inst *new_phi(struct ssa *s, struct ir_block *block, uint32_t slot)
{
	if (block->preds > UINT16_MAX)
		ir_charge(s->func->pool, UINT32_MAX);
	struct ir_inst *phi = ir_inst_new(s->func, IR_PHI, s->slot_bits[slot], 1, block->preds);
	struct ir_builder b = { s->func, block, block->first, 0 };
	phi->u.imm = slot;
	ir_insert(&b, phi);
	return phi;
}

static struct ir_src undef_value(struct ssa *s, uint32_t slot)
{
	struct ir_block *entry = s->func->blocks[0];
	struct ir_builder b = { s->func, entry, entry->first, 0 };
	return ir_undef(&b, s->slot_bits[slot]);
}

static uint32_t slot_of(const struct ssa *s, const struct ir_inst *in)
{
	return s->first_slot[in->u.var.var->index] + in->u.var.slot;
}

/* --- looking back --- */

static struct ir_block *block_of(struct ir_node *node)
{
	return (struct ir_block *)node;
}

/* Index + 1 of the last block before block number `end` that stores the slot, 0: none. */
static uint32_t last_store(const struct ssa *s, uint32_t slot, uint32_t end)
{
	uint32_t lo = s->store_first[slot], hi = s->store_first[slot + 1];
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (s->store_block[mid] < end)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > s->store_first[slot] ? s->store_block[lo - 1] + 1 : 0;
}

/* A step of looking back: the value is that at the end of `pred`, or at the
 * start of `merge`, where several predecessors may bring one; else undefined. */
struct step { struct ir_block *pred, *merge; };

/* From the start of a list that stores nothing before `at`. */
static struct step leave_list(const struct ssa *s, const struct ir_block *at, uint32_t slot, uint32_t last)
{
	struct ir_node *owner = at->node.list->owner;
	if (!owner)
		return (struct step){ 0 };
	if (owner->kind == IR_NODE_LOOP) {
		struct ir_loop *loop = (struct ir_loop *)owner;
		struct ir_block *head = block_of(loop->body.first);
		if (at->node.list == &loop->cont && last > head->index)
			return (struct step){ .merge = block_of(loop->cont.first) };
		if (last_store(s, slot, block_of(owner->next)->index) > head->index)
			return (struct step){ .merge = head };
	}
	return (struct step){ .pred = block_of(owner->prev) };
}

/* Where the value at the start of `at` comes from. */
static struct step look_back(const struct ssa *s, const struct ir_block *at, uint32_t slot)
{
	struct ir_list *list = at->node.list;
	uint32_t last = last_store(s, slot, at->index);
	if (last <= block_of(list->first)->index)
		return leave_list(s, at, slot, last);
	struct ir_node *n = &s->func->blocks[last - 1]->node;
	while (n->list != list && ir_charge(s->func->pool, 1))
		n = n->list->owner;
	if (ir_pool_failed(s->func->pool))
		return (struct step){ 0 };
	if (n->kind == IR_NODE_BLOCK)
		return (struct step){ .pred = block_of(n) };
	return (struct step){ .merge = block_of(n->next) };
}

static struct ir_src phi_at(struct ssa *s, struct ir_block *block, uint32_t slot)
{
	struct ir_inst *phi = new_phi(s, block, slot);
	struct ir_src value = ir_comp(phi, 0);
	write_slot(s, block->index, slot, value);
	phi->pass = s->unfilled;
	s->unfilled = phi;
	return value;
}

/* The value at the end of `block`, as far as it has been renamed. */
static struct ir_src read_slot(struct ssa *s, struct ir_block *block, uint32_t slot)
{
	struct ir_src value = find(s, block->index, slot)->value;
	if (value.inst)
		return value;
	for (const struct ir_block *at = block; !value.inst && ir_charge(s->func->pool, 1);) {
		struct step step = look_back(s, at, slot);
		if (step.merge) {
			value = find(s, step.merge->index, slot)->value;
			if (!value.inst && step.merge->preds > 1)
				value = phi_at(s, step.merge, slot);
			if (value.inst)
				break;
			step.pred = step.merge->preds ? step.merge->pred[0] : NULL;
		}
		at = step.pred ? step.pred : s->func->blocks[0];
		value = find(s, at->index, slot)->value;
		if (!value.inst && !step.pred)
			write_slot(s, 0, slot, value = undef_value(s, slot));
	}
	if (!value.inst)
		return undef_value(s, slot);
	write_slot(s, block->index, slot, value);
	return value;
}

static void rename_copy(struct ssa *s, struct ir_block *block, const struct ir_copy *c)
{
	uint32_t from = s->first_slot[c->from->index] + c->from_slot, to = s->first_slot[c->to->index] + c->to_slot;
	s->failed = !ir_charge(s->func->pool, c->count);
	for (uint32_t k = 0; k < c->count && !s->failed; k++)
		write_slot(s, block->index, to + k, read_slot(s, block, from + k));
}

static void rename_block(struct ssa *s, struct ir_block *block)
{
	for (struct ir_inst *in = block->first, *next; in && !s->failed; in = next) {
		next = in->next;
		s->failed = !ir_charge_at(s->func->pool, 1, in->word);
		if (in->op == IR_LOAD_VAR) {
			ir_replace(in, read_slot(s, block, slot_of(s, in)));
		} else if (in->op == IR_STORE_VAR) {
			write_slot(s, block->index, slot_of(s, in), ir_replace_resolve(in->src[0]));
			ir_remove(in);
		} else if (in->op == IR_COPY_VAR) {
			rename_copy(s, block, in->u.copy);
			ir_remove(in);
		} else if (in->op == IR_COPY) {
			ir_replace(in, ir_replace_resolve(in->src[0]));
		}
	}
}

/* All blocks are renamed; reading for a phi may make new ones. */
static void fill_phis(struct ssa *s)
{
	for (struct ir_inst *phi; (phi = s->unfilled) != NULL && !s->failed;) {
		s->unfilled = phi->pass;
		phi->pass = NULL;
		s->failed = !ir_charge(s->func->pool, phi->srcs);
		for (uint32_t i = 0; i < phi->srcs; i++)
			phi->src[i] = read_slot(s, phi->block->pred[i], (uint32_t)phi->u.imm);
	}
}

/* A phi of one value and itself is that value; removing one may make others so. */
static void remove_trivial_phis(struct ssa *s)
{
	for (bool again = true; again && !s->failed;) {
		again = false;
		for (uint32_t i = 0; i < s->func->block_count; i++)
			for (struct ir_inst *in = s->func->blocks[i]->first, *next; in && in->op == IR_PHI; in = next) {
				struct ir_src same = { 0 };
				bool trivial = true;
				next = in->next;
				s->failed |= !ir_charge(s->func->pool, in->srcs);
				for (unsigned k = 0; k < in->srcs; k++) {
					in->src[k] = ir_replace_resolve(in->src[k]);
					struct ir_src v = in->src[k];
					if (v.inst == in || (same.inst == v.inst && same.comp == v.comp))
						continue;
					if (same.inst)
						trivial = false;
					same = v;
				}
				if (!trivial)
					continue;
				if (!same.inst)
					same = undef_value(s, (uint32_t)in->u.imm);
				ir_replace(in, same);
				again = true;
			}
	}
}

static bool number_slots(struct ssa *s)
{
	struct ir_func *f = s->func;
	s->first_slot = ir_calloc(f->pool, f->var_count + 1, sizeof *s->first_slot);
	if (!s->first_slot)
		return false;
	uint64_t total = 0;
	for (struct ir_var *v = f->vars; v; v = v->next) {
		s->first_slot[v->index] = (uint32_t)total;
		total += v->slots;
	}
	if (total > UINT32_MAX / 2)
		return ir_charge(f->pool, UINT32_MAX);
	s->slots = (uint32_t)total;
	s->slot_bits = ir_calloc(f->pool, total + 1, 1);
	s->store_first = ir_calloc(f->pool, total + 2, sizeof *s->store_first);
	if (!s->slot_bits || !s->store_first)
		return false;
	for (struct ir_var *v = f->vars; v; v = v->next)
		memset(s->slot_bits + s->first_slot[v->index], v->bits, v->slots);
	return ir_charge(f->pool, total / 8);
}

/* How many slots the instruction stores, from *slot on. */
static uint32_t stored_slots(const struct ssa *s, const struct ir_inst *in, uint32_t *slot)
{
	if (in->op == IR_COPY_VAR) {
		*slot = s->first_slot[in->u.copy->to->index] + in->u.copy->to_slot;
		return in->u.copy->count;
	}
	if (in->op != IR_STORE_VAR)
		return 0;
	*slot = slot_of(s, in);
	return 1;
}

/* Two sweeps: how many blocks store each slot, and which.  store_first[slot]
 * becomes the end of the slot's part while it is filled, its start by moving up. */
static bool list_stores(struct ssa *s)
{
	struct ir_func *f = s->func;
	uint32_t *first = s->store_first, total = 0, slot;
	for (uint32_t i = 0; i < f->block_count; i++)
		for (const struct ir_inst *in = f->blocks[i]->first; in; in = in->next)
			for (uint32_t n = stored_slots(s, in, &slot); n && ir_charge(f->pool, 1); n--) {
				first[slot++ + 1]++;
				total++;
			}
	if (ir_pool_failed(f->pool))
		return false;
	s->store_block = ir_calloc(f->pool, total + 1, sizeof *s->store_block);
	if (!s->store_block)
		return false;
	for (uint32_t k = 0; k < s->slots; k++)
		first[k + 1] += first[k];
	for (uint32_t i = f->block_count; i-- > 0;)
		for (const struct ir_inst *in = f->blocks[i]->last; in; in = in->prev)
			for (uint32_t n = stored_slots(s, in, &slot); n; n--)
				s->store_block[--first[slot++ + 1]] = i;
	memmove(first, first + 1, s->slots * sizeof *first);
	first[s->slots] = total;
	return true;
}

void ir_pass_ssa(struct ir_func *f)
{
	struct ssa s = { .func = f };
	ir_cfg(f);
	s.failed = ir_pool_failed(f->pool) || !number_slots(&s) || !list_stores(&s) || !grow(&s);
	for (uint32_t i = 0; i < f->block_count && !s.failed; i++)
		rename_block(&s, f->blocks[i]);
	if (!s.failed)
		fill_phis(&s);
	if (!s.failed)
		remove_trivial_phis(&s);
	if (!s.failed)
		ir_replace_apply(f);
	if (s.failed)
		ir_pool_fail(f->pool);
	else
		f->vars = NULL;
	ir_free(f->pool, s.first_slot);
	ir_free(f->pool, s.slot_bits);
	ir_free(f->pool, s.store_first);
	ir_free(f->pool, s.store_block);
	ir_free(f->pool, s.table);
}
