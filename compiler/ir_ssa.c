/* Variables to SSA values, by Braun et al., "Simple and Efficient Construction
 * of Static Single Assignment Form" (CC 2013): blocks are walked in program
 * order, a read looks back through predecessors, and only loop heads are
 * incomplete while their loop is walked.
 * Needs variables without dynamic indices; leaves cfg, no variables, no COPY
 * of a variable's value. */
#include "ir_replace.h"

#include <string.h>

struct def { uint32_t block, slot; struct ir_src value; };

struct ssa {
	struct ir_func *func;
	uint32_t *first_slot;     /* by variable index */
	uint8_t *slot_bits;
	struct def *table;        /* open addressing; value.inst NULL: free */
	uint32_t used, mask;
	struct ir_replace replaced; /* LOAD_VAR, COPY, trivial PHI */
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
	s->mask = count ? count * 2 - 1 : 1023;
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

static bool is_loop_head(const struct ir_block *block)
{
	const struct ir_node *n = block->node.parent;
	return n && n->kind == IR_NODE_LOOP && ((const struct ir_loop *)n)->body.first == &block->node;
}

static struct ir_src read_slot(struct ssa *s, struct ir_block *block, uint32_t slot);

/* A phi whose predecessors are all known. */
static void fill_phi(struct ssa *s, struct ir_inst *phi, struct ir_block *block, uint32_t slot)
{
	for (uint32_t i = 0; i < block->preds; i++)
		phi->src[i] = read_slot(s, block->pred[i], slot);
}

static struct ir_src read_slot(struct ssa *s, struct ir_block *block, uint32_t slot)
{
	struct ir_block *at = block;
	if (s->failed) /* nothing is remembered: the walk would have no end */
		return undef_value(s, slot);
	for (;;) {
		struct def *d = find(s, at->index, slot);
		if (d->value.inst)
			return d->value;
		if (at->preds != 1 || is_loop_head(at))
			break;
		at = at->pred[0];
	}
	struct ir_src value;
	if (at->preds == 0) {
		value = undef_value(s, slot);
		write_slot(s, at->index, slot, value);
	} else {
		struct ir_inst *phi = new_phi(s, at, slot);
		value = ir_comp(phi, 0);
		write_slot(s, at->index, slot, value);
		if (!is_loop_head(at))
			fill_phi(s, phi, at, slot);
	}
	if (at != block)
		write_slot(s, block->index, slot, value);
	return value;
}

static void rename_block(struct ssa *s, struct ir_block *block)
{
	for (struct ir_inst *in = block->first, *next; in && !s->failed; in = next) {
		next = in->next;
		if (in->op == IR_LOAD_VAR) {
			uint32_t slot = s->first_slot[in->u.var.var->index] + in->u.var.slot;
			ir_replace_note(&s->replaced, in, read_slot(s, block, slot));
			ir_remove(in);
		} else if (in->op == IR_STORE_VAR) {
			write_slot(s, block->index, s->first_slot[in->u.var.var->index] + in->u.var.slot, in->src[0]);
			ir_remove(in);
		} else if (in->op == IR_COPY) {
			ir_replace_note(&s->replaced, in, in->src[0]);
			ir_remove(in);
		}
	}
}

/* Completes the phis of loop heads; reading may make new ones in other heads. */
static void seal_heads(struct ssa *s)
{
	for (bool again = true; again && !s->failed;) {
		again = false;
		for (uint32_t i = 0; i < s->func->block_count; i++) {
			struct ir_block *block = s->func->blocks[i];
			if (!is_loop_head(block))
				continue;
			for (struct ir_inst *in = block->first; in && in->op == IR_PHI; in = in->next)
				if (in->srcs && !in->src[0].inst) {
					fill_phi(s, in, block, in->u.imm);
					again = true;
				}
		}
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
				for (unsigned k = 0; k < in->srcs; k++) {
					in->src[k] = ir_replace_resolve(&s->replaced, in->src[k]);
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
					same = undef_value(s, in->u.imm);
				ir_replace_note(&s->replaced, in, same);
				ir_remove(in);
				again = true;
			}
	}
}

static bool number_slots(struct ssa *s)
{
	struct ir_func *f = s->func;
	uint32_t total = 0;
	s->first_slot = ir_calloc(f->pool, f->var_count + 1, sizeof *s->first_slot);
	if (!s->first_slot)
		return false;
	for (struct ir_var *v = f->vars; v; v = v->next) {
		s->first_slot[v->index] = total;
		total += v->slots;
	}
	s->slot_bits = ir_calloc(f->pool, total + 1, 1);
	if (!s->slot_bits)
		return false;
	for (struct ir_var *v = f->vars; v; v = v->next)
		memset(s->slot_bits + s->first_slot[v->index], v->bits, v->slots);
	return true;
}

void ir_pass_ssa(struct ir_func *f)
{
	struct ssa s = { .func = f };
	ir_cfg(f);
	s.failed = ir_pool_failed(f->pool) || !number_slots(&s) || !grow(&s);
	for (uint32_t i = 0; i < f->block_count && !s.failed; i++)
		rename_block(&s, f->blocks[i]);
	if (!s.failed)
		seal_heads(&s);
	if (!s.failed)
		remove_trivial_phis(&s);
	if (!s.failed)
		ir_replace_apply(&s.replaced, f);
	if (s.failed)
		ir_pool_fail(f->pool);
	else
		f->vars = NULL;
	ir_free(f->pool, s.first_slot);
	ir_free(f->pool, s.slot_bits);
	ir_free(f->pool, s.table);
	ir_replace_finish(&s.replaced, f);
}
