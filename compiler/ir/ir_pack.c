/* SPDX-License-Identifier: MIT */
/* Halves that lie in one word are computed together.  From each PACK of two equal operations
 * back to where the halves come from: words that both are parts of, constants, phis of such
 * pairs.  A pair becomes one packed operation behind the later of the two; those that
 * nobody else reads are then dead.  Needs cfg and SSA, and PACK and HIGH before they are
 * lowered; leaves more of these to fold. */
#include "compiler/ir/ir_replace.h"

struct pair { struct ir_src low, high; };
/* A pair as a packed source. */
struct operand { struct ir_src word; struct ir_halves of; };
struct task { struct task *next; struct ir_inst *word; struct pair p; };
/* Where a half is to be found; inst->pass of what has 16 bits. */
struct home { struct ir_inst *word; uint8_t comp, high; };
struct pack { struct ir_func *f; struct task *todo; bool changed; };

static const uint16_t packed_ops[IR_OP_COUNT] = {
	[IR_FADD] = IR_PK_FADD, [IR_FSUB] = IR_PK_FADD, [IR_FMUL] = IR_PK_FMUL, [IR_FFMA] = IR_PK_FFMA, [IR_FMIN] = IR_PK_FMIN,
	[IR_FMAX] = IR_PK_FMAX, [IR_IADD] = IR_PK_IADD, [IR_ISUB] = IR_PK_ISUB, [IR_IMUL] = IR_PK_IMUL,
	[IR_SMIN] = IR_PK_SMIN, [IR_SMAX] = IR_PK_SMAX, [IR_UMIN] = IR_PK_UMIN, [IR_UMAX] = IR_PK_UMAX, [IR_PHI] = IR_PHI,
};

static bool is_const(struct ir_src s) { return s.inst->op == IR_CONST || s.inst->op == IR_UNDEF; }
static uint32_t const_of(struct ir_src s) { return s.inst->op == IR_CONST ? (uint32_t)s.inst->u.imm : 0; }

static void set_home(struct pack *c, struct ir_inst *half, struct ir_src word, unsigned high)
{
	struct home *h = ir_alloc(c->f->pool, sizeof *h);
	*h = (struct home){ word.inst, word.comp, (uint8_t)high };
	half->pass = h;
}

/* Numbers what there is; halves of words have their home there. */
static void find_homes(struct pack *c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->f->block_count; i++)
		for (struct ir_inst *in = c->f->blocks[i]->first; in && ir_charge_at(c->f->pool, 1, in->word); in = in->next) {
			in->mark = n++;
			in->pass = NULL;
			if (in->bits == 16 && in->srcs == 1 && in->src[0].inst->bits == 32 && (in->op == IR_UCONV || in->op == IR_HIGH))
				set_home(c, in, in->src[0], in->op == IR_HIGH);
		}
}

static bool one_word(struct pair p)
{
	const struct home *a = p.low.inst->pass, *b = p.high.inst->pass;
	return a && b && a->word == b->word && a->comp == b->comp;
}

/* Two of one operation, neither of which has a home. */
static bool alike(struct pair p)
{
	const struct ir_inst *a = p.low.inst, *b = p.high.inst;
	return a != b && a->op == b->op && a->bits == 16 && b->bits == 16 && packed_ops[a->op] && !a->pass && !b->pass &&
		(a->op != IR_PHI || a->block == b->block);
}

static bool is_float(const struct ir_inst *in) { return ir_info(in)->operands == IR_IN_FLOAT; }

static struct pair sources(struct pair p, unsigned k)
{
	return (struct pair){ p.low.inst->src[k], p.high.inst->src[k] };
}

static struct pair without_signs(struct pair p, struct ir_halves *of)
{
	for (; p.low.inst->op == IR_FNEG; p.low = p.low.inst->src[0])
		of->neg ^= 1;
	for (; p.high.inst->op == IR_FNEG; p.high = p.high.inst->src[0])
		of->neg_high ^= 1;
	return p;
}

/* Instructions more than without packing, as far as it is looked at. */
static int cost(struct pair p, bool signs, unsigned depth, unsigned *budget)
{
	enum { DEPTH = 6, PACK = 2 };
	struct ir_halves of = { 0 };
	if (signs)
		p = without_signs(p, &of);
	if ((is_const(p.low) && is_const(p.high)) || one_word(p))
		return 0;
	if (!alike(p))
		return PACK;
	if (depth == DEPTH || !*budget)
		return 0;
	int sum = p.low.inst->op == IR_PHI ? 0 : -1;
	for (unsigned k = 0; k < p.low.inst->srcs && *budget; k++) {
		--*budget;
		sum += cost(sources(p, k), is_float(p.low.inst), depth + 1, budget);
	}
	return sum;
}

/* --- building --- */

/* Behind the later of two, which dominate one place; phis come first. */
static struct ir_builder behind(struct pack *c, struct pair p)
{
	struct ir_inst *at = p.low.inst;
	if (is_const(p.low) || (!is_const(p.high) && p.high.inst->mark > at->mark))
		at = p.high.inst;
	struct ir_inst *next = at->next;
	while (at->op == IR_PHI && next && next->op == IR_PHI)
		next = next->next;
	return (struct ir_builder){ c->f, at->block, next, at->word };
}

static struct ir_src new_word(struct pack *c, struct pair p)
{
	const struct ir_inst *like = p.low.inst;
	struct ir_inst *in = ir_inst_new(c->f, (enum ir_op)packed_ops[like->op], 32, 1, like->srcs);
	struct ir_builder b = behind(c, p);
	if (like->op == IR_PHI)
		b = (struct ir_builder){ c->f, like->block, like->block->first, like->word };
	in->precise = like->precise;
	ir_insert(&b, in);
	in->mark = p.low.inst->mark > p.high.inst->mark ? p.low.inst->mark : p.high.inst->mark;
	for (unsigned k = 0; k < in->srcs; k++)
		in->src[k] = p.low.inst->src[k]; /* until it is done */
	set_home(c, p.low.inst, ir_comp(in, 0), 0);
	set_home(c, p.high.inst, ir_comp(in, 0), 1);
	struct task *t = ir_alloc(c->f->pool, sizeof *t);
	*t = (struct task){ c->todo, in, p };
	c->todo = t;
	c->changed = true;
	return ir_comp(in, 0);
}

static bool worth(struct pair p, bool signs)
{
	unsigned budget = 64;
	return alike(p) && cost(p, signs, 0, &budget) <= 0;
}

static struct ir_src packed(struct pack *c, struct pair p)
{
	struct ir_builder b = behind(c, p);
	return ir_op2(&b, IR_PACK, p.low, p.high);
}

/* user: whose source it will be; in a phi at the end of block `end`. */
static struct operand operand(struct pack *c, struct pair p, bool signs, struct ir_inst *user, struct ir_block *end)
{
	struct operand o = { .of.sel_high = 1 };
	if (signs)
		p = without_signs(p, &o.of);
	if (is_const(p.low) && is_const(p.high)) {
		struct ir_builder b = { c->f, end ? end : user->block, end ? NULL : user, user->word };
		o.word = ir_const(&b, const_of(p.low) | const_of(p.high) << 16);
	} else if (one_word(p)) {
		const struct home *a = p.low.inst->pass, *b = p.high.inst->pass;
		o.word = (struct ir_src){ a->word, a->comp };
		o.of.sel = a->high;
		o.of.sel_high = b->high;
		if (end && (a->high || !b->high)) {
			o.word = packed(c, p);
			o.of = (struct ir_halves){ .sel_high = 1 };
		}
	} else if (worth(p, signs)) {
		o.word = new_word(c, p);
	} else {
		o.word = packed(c, p);
	}
	return o;
}

static void finish(struct pack *c, const struct task *t)
{
	struct ir_inst *in = t->word;
	for (unsigned k = 0; k < in->srcs; k++) {
		struct ir_block *end = in->op == IR_PHI ? in->block->pred[k] : NULL;
		struct operand o = operand(c, sources(t->p, k), is_float(t->p.low.inst), in, end);
		in->src[k] = o.word;
		if (end)
			continue;
		in->u.halves[k] = o.of;
		if (t->p.low.inst->op == IR_FSUB && k == 1) {
			in->u.halves[k].neg ^= 1;
			in->u.halves[k].neg_high ^= 1;
		}
	}
}

static bool has_pairs(const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->block_count; i++)
		for (const struct ir_inst *in = f->blocks[i]->first; in && ir_charge_at(f->pool, 1, in->word); in = in->next)
			if (in->op == IR_PACK && in->bits == 32)
				return true;
	return false;
}

void ir_pass_pack(struct ir_func *f)
{
	struct pack c = { .f = f };
	if (!has_pairs(f))
		return;
	find_homes(&c);
	for (uint32_t i = 0; i < f->block_count; i++)
		for (struct ir_inst *in = f->blocks[i]->first, *next; in && ir_charge_at(f->pool, 1, in->word); in = next) {
			next = in->next;
			if (in->op != IR_PACK || in->bits != 32)
				continue;
			struct pair p = { in->src[0], in->src[1] };
			struct ir_src to = { 0 };
			if (worth(p, false))
				to = new_word(&c, p);
			else if (one_word(p)) {
				const struct home *a = p.low.inst->pass, *b = p.high.inst->pass;
				if (!a->high && b->high)
					to = (struct ir_src){ a->word, a->comp };
			}
			while (c.todo && ir_charge_at(f->pool, 1, in->word)) {
				struct task *t = c.todo;
				c.todo = t->next;
				finish(&c, t);
			}
			if (to.inst)
				ir_replace(in, to);
		}
	ir_replace_apply(f);
}
