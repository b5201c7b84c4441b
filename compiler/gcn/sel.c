/* SPDX-License-Identifier: MIT */
/* Instruction selection over the control-flow tree.
 *
 * Divergent control flow is EXEC arithmetic on the linear program.  An if
 * whose arms fall through saves EXEC, narrows it, and puts it back.  A jump
 * out of a divergent if (break, continue) takes lanes away for good: then the
 * arms' survivors are or-ed together at the end.  Code never runs with EXEC
 * zero: wherever the last lane may have gone, a branch leads to `recon`, the
 * next place that lanes may come back. */
#include "compiler/gcn/sel.h"

#include <stdarg.h>

void sel_fail(struct sel *s, enum compiler_status status, const char *fmt, ...)
{
	if (s->status != COMPILER_OK)
		return;
	s->status = status;
	int n = snprintf(s->message, s->message_size, "word %u: ", s->word);
	if (n < 0 || (size_t)n >= s->message_size)
		return;
	va_list args;
	va_start(args, fmt);
	vsnprintf(s->message + n, s->message_size - (size_t)n, fmt, args);
	va_end(args);
}

/* --- blocks --- */

static struct mir_block *block_of(const struct ir_block *b) { return b->pass; }

static struct mir_block *begin_block(struct sel *s, struct mir_block *b)
{
	mir_place(s->m, b);
	b->depth = (uint8_t)(s->depth < 255 ? s->depth : 255);
	return s->cur = b;
}

static struct mir_block *new_block(struct sel *s)
{
	return mir_block_new(s->m, s->depth);
}

void sel_split_block(struct sel *s)
{
	struct mir_block *next = new_block(s);
	s->cur->logical[0] = next;
	begin_block(s, next);
}

static void branch(struct sel *s, unsigned op, struct mir_block *to)
{
	sel_emit(s, op)->target = to;
}

static mir_opnd save_exec(struct sel *s)
{
	mir_opnd saved = sel_new_s(s, 2);
	sel_emit2(s, GCN_S_MOV_B64, saved, GCN_SRC_EXEC, MIR_NONE);
	return saved;
}

static void set_exec(struct sel *s, mir_opnd mask)
{
	sel_emit2(s, GCN_S_MOV_B64, GCN_SRC_EXEC, mask, MIR_NONE);
}

static void undef(struct sel *s, mir_opnd v, unsigned dw)
{
	struct mir_inst *in = sel_emit(s, MIR_UNDEF);
	in->opnd[MIR_DST] = v;
	in->dw[MIR_DST] = (uint8_t)dw;
}

/* --- phis --- */

static mir_opnd phi_register(struct sel *s, const struct ir_inst *phi)
{
	struct sel_value *v = sel_value(phi);
	if (v->op[0] == MIR_NONE)
		v->op[0] = v->kind == SEL_MASK ? sel_new_s(s, 2) : v->kind == SEL_SGPR ? sel_new_s(s, sel_dwords(phi)) :
			sel_new_v(s, sel_dwords(phi));
	return v->op[0];
}

/* A lane mask where lanes arrive from several places, each for its own lanes. */
static void merge_mask(struct sel *s, mir_opnd phi, mir_opnd value)
{
	if (value == GCN_SRC_NEG1) {
		sel_emit2(s, GCN_S_OR_B64, phi, phi, GCN_SRC_EXEC);
		return;
	}
	sel_emit2(s, GCN_S_ANDN2_B64, phi, phi, GCN_SRC_EXEC);
	if (value == GCN_SRC_0)
		return;
	mir_opnd mine = sel_new_s(s, 2);
	sel_emit2(s, GCN_S_AND_B64, mine, value, GCN_SRC_EXEC);
	sel_emit2(s, GCN_S_OR_B64, phi, phi, mine);
}

/* At the end of `from`: values for the phis of its successor. */
static void phi_copies(struct sel *s, const struct ir_block *from, const struct ir_block *to, bool merge_masks)
{
	uint32_t k = 0, n = 0;
	for (; k < to->preds && to->pred[k] != from; k++)
		;
	for (const struct ir_inst *phi = to->first; phi && phi->op == IR_PHI; phi = phi->next)
		n += sel_dwords(phi);
	if (!n || k == to->preds)
		return;
	struct mir_copy *copies = ir_alloc(s->m->pool, n * sizeof *copies);
	uint32_t count = 0;
	for (const struct ir_inst *phi = to->first; phi && phi->op == IR_PHI; phi = phi->next) {
		const struct ir_src v = phi->src[k];
		mir_opnd reg = phi_register(s, phi);
		enum sel_kind kind = sel_value(phi)->kind;
		if (v.inst->op == IR_UNDEF)
			continue;
		if (kind == SEL_MASK && merge_masks) {
			merge_mask(s, reg, sel_mask(s, v));
			continue;
		}
		if (kind == SEL_MASK) {
			copies[count++] = (struct mir_copy){ reg, sel_mask(s, v), 0, 2 };
			continue;
		}
		for (unsigned d = 0; d < sel_dwords(phi); d++) {
			struct sel_opnd o = sel_dword(s, v, d);
			copies[count++] = (struct mir_copy){ mir_at(reg, d), o.op, o.literal, 1 };
		}
	}
	if (!count)
		return;
	struct mir_inst *in = sel_emit(s, MIR_COPY);
	in->copies = copies;
	in->copy_count = count;
}

/* Masks that arms or jumps merge into are live from here on. */
static void undef_masks(struct sel *s, const struct ir_node *merge)
{
	const struct ir_block *b = (const struct ir_block *)merge;
	for (const struct ir_inst *phi = b->first; phi && phi->op == IR_PHI; phi = phi->next)
		if (sel_value(phi)->kind == SEL_MASK)
			undef(s, phi_register(s, phi), 2);
}

/* --- instructions --- */

static void select_value(struct sel *s, struct ir_inst *in)
{
	if (in->op == IR_PHI)
		phi_register(s, in);
	else if (in->op == IR_COPY)
		sel_copy(s, in);
}

static void select_inst(struct sel *s, struct ir_inst *in)
{
	s->word = in->word;
	ir_charge_at(s->m->pool, 1, in->word);
	switch (ir_info(in)->family) {
	case IR_ALU_OP: sel_alu(s, in); break;
	case IR_MEM_OP: sel_memory(s, in); break;
	case IR_TEX_OP: sel_tex(s, in); break;
	case IR_IO_OP: sel_io(s, in); break;
	case IR_WAVE_OP: sel_quad(s, in); break;
	case IR_VALUE_OP: select_value(s, in); break;
	default: sel_fail(s, COMPILER_UNSUPPORTED, "the back end has no %s", ir_info(in)->name);
	}
}

/* --- jumps --- */

static void select_jump(struct sel *s, const struct ir_block *b)
{
	struct sel_loop *loop = s->loop;
	bool brk = b->jump == IR_JUMP_BREAK;
	phi_copies(s, b, b->succ[0], loop->divergent);
	if (!loop->divergent) {
		branch(s, GCN_S_BRANCH, brk ? loop->exit : loop->cont);
		return;
	}
	if (brk && loop->active != MIR_NONE)
		sel_emit2(s, GCN_S_ANDN2_B64, loop->active, loop->active, GCN_SRC_EXEC);
	if (s->jump_narrows) /* the if around takes these lanes out of EXEC itself */
		return;
	if (s->recon != loop->cont && s->recon != loop->exit) /* which set EXEC themselves */
		set_exec(s, GCN_SRC_0);
	branch(s, GCN_S_BRANCH, s->recon);
}

static void select_block(struct sel *s, struct ir_block *b, bool merge_masks)
{
	struct mir_block *first = block_of(b);
	if (!first->placed)
		begin_block(s, first);
	for (struct ir_inst *in = b->first; in; in = in->next)
		select_inst(s, in);
	if (s->f->stage == COMPILER_GS)
		sel_messages(s, b);
	s->cur->logical[0] = b->succ[0] ? block_of(b->succ[0]) : NULL;
	s->cur->logical[1] = b->succ[1] ? block_of(b->succ[1]) : NULL;
	if (b->jump)
		select_jump(s, b);
	else if (b->succ[0] && !b->succ[1])
		phi_copies(s, b, b->succ[0], merge_masks);
}

static void select_list(struct sel *s, struct ir_list *list, bool merge_masks);

/* --- ifs --- */

/* Does a jump leave the list (for the loop around the if)? */
static bool list_jumps(const struct ir_list *list)
{
	for (const struct ir_node *n = list->first; n; n = n->next) {
		const struct ir_if *nif = (const struct ir_if *)n;
		if (n->kind == IR_NODE_BLOCK && ((const struct ir_block *)n)->jump)
			return true;
		if (n->kind == IR_NODE_IF && (list_jumps(&nif->then_) || list_jumps(&nif->else_)))
			return true;
	}
	return false;
}

static bool ends_in_jump(const struct ir_list *list)
{
	return ((const struct ir_block *)list->last)->jump != IR_JUMP_NONE;
}

/* The only jump is the one at the end. */
static bool jumps_at_end_only(const struct ir_list *list)
{
	if (!ends_in_jump(list))
		return false;
	for (const struct ir_node *n = list->first; n; n = n->next) {
		const struct ir_if *nif = (const struct ir_if *)n;
		if (n->kind == IR_NODE_IF && (list_jumps(&nif->then_) || list_jumps(&nif->else_)))
			return false;
	}
	return true;
}

static bool is_empty(const struct ir_list *list)
{
	const struct ir_block *b = (const struct ir_block *)list->first;
	return list->first == list->last && !b->first && !b->jump;
}

/* One arm, in its own scope of the value cache. */
static void select_arm(struct sel *s, struct ir_list *list, struct mir_block *recon, bool narrows, bool merge_masks)
{
	struct mir_block *outer = s->recon;
	bool outer_narrows = s->jump_narrows;
	uint32_t mark = sel_scope_begin(s);
	s->recon = recon;
	s->jump_narrows = narrows;
	select_list(s, list, merge_masks);
	s->jump_narrows = outer_narrows;
	s->recon = outer;
	sel_scope_end(s, mark);
}

static void uniform_if(struct sel *s, struct ir_if *nif)
{
	struct mir_block *otherwise = block_of((struct ir_block *)nif->else_.first);
	struct mir_block *end = block_of((struct ir_block *)nif->node.next);
	sel_scc(s, nif->cond);
	branch(s, GCN_S_CBRANCH_SCC0, otherwise);
	/* A jump in an arm needs its full form: recon is still the outer one. */
	select_arm(s, &nif->then_, s->recon, false, false);
	if (!ends_in_jump(&nif->then_))
		branch(s, GCN_S_BRANCH, end);
	select_arm(s, &nif->else_, s->recon, false, false);
}

/* The arms of a divergent if in the order they run. */
struct arms { struct ir_list *first, *second; bool inverted; };

static mir_opnd enter_first(struct sel *s, struct ir_if *nif, const struct arms *a)
{
	const struct ir_inst *cond = nif->cond.inst;
	const bool negated = cond->op == IR_BNOT && cond->block == (const struct ir_block *)nif->node.prev;
	mir_opnd saved = sel_new_s(s, 2);
	sel_emit2(s, a->inverted != negated ? GCN_S_ANDN1_SAVEEXEC_B64 : GCN_S_AND_SAVEEXEC_B64, saved,
		sel_mask(s, negated ? cond->src[0] : nif->cond), MIR_NONE);
	return saved;
}

static void note_if(struct sel *s, struct mir_block *flip, struct mir_block *end)
{
	struct mir_if *note = ir_alloc(s->m->pool, sizeof *note);
	*note = (struct mir_if){ s->m->ifs, flip, end };
	s->m->ifs = note;
}

/* No lane leaves: EXEC of both arms follows from the saved one. */
static void falling_if(struct sel *s, struct ir_if *nif, const struct arms *a, struct mir_block *end)
{
	struct mir_block *flip = new_block(s);
	mir_opnd saved = enter_first(s, nif, a);
	branch(s, GCN_S_CBRANCH_EXECZ, flip);
	select_arm(s, a->first, NULL, false, false);
	begin_block(s, flip);
	sel_emit2(s, GCN_S_ANDN2_B64, GCN_SRC_EXEC, saved, GCN_SRC_EXEC);
	branch(s, GCN_S_CBRANCH_EXECZ, end);
	select_arm(s, a->second, NULL, false, true);
	begin_block(s, end);
	note_if(s, flip, end);
	set_exec(s, saved);
}

/* The first arm's lanes all jump at its end; the second's go on. */
static void leaving_if(struct sel *s, struct ir_if *nif, const struct arms *a, struct mir_block *end)
{
	struct mir_block *rest = new_block(s);
	mir_opnd saved = enter_first(s, nif, a);
	branch(s, GCN_S_CBRANCH_EXECZ, rest);
	select_arm(s, a->first, NULL, true, false);
	begin_block(s, rest);
	sel_emit2(s, GCN_S_ANDN2_B64, GCN_SRC_EXEC, saved, GCN_SRC_EXEC)->last_use = true;
	branch(s, GCN_S_CBRANCH_EXECZ, s->recon);
	select_arm(s, a->second, NULL, false, false);
	begin_block(s, end);
}

/* Lanes may leave anywhere: those at the ends of the arms go on. */
static void general_if(struct sel *s, struct ir_if *nif, const struct arms *a, struct mir_block *end)
{
	struct mir_block *flip = new_block(s), *join = new_block(s);
	mir_opnd saved = enter_first(s, nif, a), others = sel_new_s(s, 2);
	sel_emit2(s, GCN_S_XOR_B64, others, saved, GCN_SRC_EXEC);
	branch(s, GCN_S_CBRANCH_EXECZ, flip);
	select_arm(s, a->first, flip, false, false);
	begin_block(s, flip);
	mir_opnd survivors = save_exec(s);
	set_exec(s, others);
	branch(s, GCN_S_CBRANCH_EXECZ, join);
	select_arm(s, a->second, join, false, true);
	begin_block(s, join);
	sel_emit2(s, GCN_S_OR_B64, GCN_SRC_EXEC, GCN_SRC_EXEC, survivors);
	branch(s, GCN_S_CBRANCH_EXECZ, s->recon);
	begin_block(s, end);
}

static void divergent_if(struct sel *s, struct ir_if *nif)
{
	struct mir_block *end = block_of((struct ir_block *)nif->node.next);
	bool then_jumps = list_jumps(&nif->then_), else_jumps = list_jumps(&nif->else_);
	struct arms a = { &nif->then_, &nif->else_, false };
	if ((else_jumps && !then_jumps) || (is_empty(&nif->then_) && !else_jumps))
		a = (struct arms){ &nif->else_, &nif->then_, true };
	undef_masks(s, nif->node.next);
	if (!then_jumps && !else_jumps)
		falling_if(s, nif, &a, end);
	else if (jumps_at_end_only(a.first) && !list_jumps(a.second))
		leaving_if(s, nif, &a, end);
	else
		general_if(s, nif, &a, end);
}

/* --- loops --- */

static bool continues(const struct ir_list *list)
{
	for (const struct ir_node *n = list->first; n; n = n->next) {
		const struct ir_if *nif = (const struct ir_if *)n;
		if (n->kind == IR_NODE_BLOCK && ((const struct ir_block *)n)->jump == IR_JUMP_CONTINUE)
			return true;
		if (n->kind == IR_NODE_IF && (continues(&nif->then_) || continues(&nif->else_)))
			return true;
	}
	return false;
}

static void select_cont(struct sel *s, struct ir_loop *ir, struct sel_loop *loop)
{
	if (loop->active != MIR_NONE) {
		begin_block(s, loop->cont);
		set_exec(s, loop->active);
		branch(s, GCN_S_CBRANCH_EXECZ, loop->exit);
	}
	s->recon = loop->exit;
	select_list(s, &ir->cont, false);
}

static void select_loop(struct sel *s, struct ir_loop *ir)
{
	struct mir_block *head = block_of((struct ir_block *)ir->body.first), *outer_recon = s->recon;
	bool outer_narrows = s->jump_narrows;
	struct sel_loop loop = { .outer = s->loop, .ir = ir, .divergent = ir->divergent, .active = MIR_NONE,
		.cont = block_of((struct ir_block *)ir->cont.first), .exit = block_of((struct ir_block *)ir->node.next) };
	mir_opnd saved = MIR_NONE;
	bool outermost = !s->anchor;
	if (outermost) {
		s->anchor = sel_emit(s, MIR_ANCHOR);
		s->anchor_level = s->cache.level;
		s->hoisted = 0;
	}
	if (loop.divergent) {
		saved = save_exec(s);
		undef_masks(s, ir->node.next);
		if (continues(&ir->body)) {
			loop.active = save_exec(s);
			loop.cont = new_block(s);
		}
	}
	s->loop = &loop;
	s->depth++;
	s->recon = loop.active != MIR_NONE ? loop.cont : loop.exit;
	s->jump_narrows = false;
	uint32_t mark = sel_scope_begin(s);
	begin_block(s, head);
	if (loop.active != MIR_NONE)
		undef_masks(s, ir->cont.first);
	select_list(s, &ir->body, loop.active != MIR_NONE);
	select_cont(s, ir, &loop);
	if (!ends_in_jump(&ir->cont))
		branch(s, GCN_S_BRANCH, head);
	sel_scope_end(s, mark);
	s->depth--;
	s->loop = loop.outer;
	s->recon = outer_recon;
	s->jump_narrows = outer_narrows;
	begin_block(s, loop.exit);
	if (loop.divergent)
		set_exec(s, saved);
	if (outermost)
		s->anchor = NULL;
}

/* merge_masks: the list's last block ends in a masked merge (phi_copies). */
static void select_list(struct sel *s, struct ir_list *list, bool merge_masks)
{
	for (struct ir_node *n = list->first; n; n = n->next) {
		if (n->kind == IR_NODE_BLOCK) {
			select_block(s, (struct ir_block *)n, merge_masks && !n->next);
		} else if (n->kind == IR_NODE_LOOP) {
			select_loop(s, (struct ir_loop *)n);
		} else {
			struct ir_if *nif = (struct ir_if *)n;
			if (nif->divergent)
				divergent_if(s, nif);
			else
				uniform_if(s, nif);
		}
		if (s->status != COMPILER_OK || ir_pool_failed(s->m->pool))
			return;
	}
}

/* --- the whole --- */

static void init(struct sel *s)
{
	s->live = MIR_NONE;
	for (unsigned i = 0; i < ABI_MAX_SETS; i++)
		s->sets[i] = MIR_NONE;
	s->table = MIR_NONE;
	for (unsigned i = 0; i < COMPILER_SLOT_COUNT; i++)
		s->out->param_of_slot[i] = COMPILER_NO_PARAM;
	for (uint32_t i = 0; i < s->f->block_count; i++)
		s->f->blocks[i]->pass = mir_block_new(s->m, 0);
}

enum compiler_status sel_run(const struct compiler_input *in, struct ir_func *f, struct mir_func *m,
	struct compiler_shader *out, char *message, size_t message_size)
{
	struct sel s = { .in = in, .f = f, .m = m, .out = out, .message = message, .message_size = message_size };
	if (!sel_cache_init(&s))
		return COMPILER_NO_MEMORY;
	init(&s);
	sel_classify(&s);
	if (!ir_pool_failed(m->pool)) {
		begin_block(&s, block_of(f->blocks[0]));
		sel_prologue(&s);
		select_list(&s, &f->body, false);
	}
	if (!ir_pool_failed(m->pool) && s.status == COMPILER_OK)
		sel_epilogue(&s);
	m->scratch_bytes = f->scratch_bytes;
	sel_cache_finish(&s);
	return ir_pool_failed(m->pool) ? COMPILER_NO_MEMORY : s.status;
}
