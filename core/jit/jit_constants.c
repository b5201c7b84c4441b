/* SPDX-License-Identifier: MIT */
#include "core/jit/jit_constants.h"

#include <stdlib.h>
#include <string.h>
#include "core/interp/interp.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "isa/gcn.h"

enum { SGPRS = 104, TURNS = 64 }; /* beyond so many jumps back nothing is looked for */

struct known { struct sset set; uint32_t value[SGPRS]; };

struct walk {
	struct jit_translator *t;
	struct known **at;  /* by target of jumps: what is known on all ways there so far; NULL: no way yet */
	struct sset *turns; /* by instruction: what loops write that begin there */
	bool failed;
};

bool jit_constant_source(const struct jit_translator *t, uint32_t i, int n, uint64_t *bits)
{
	const struct cu_rec *r = jit_rec(t, i);
	if (r->konst >> n & 1)
		memcpy(bits, (const char *)r->pool + r->s[n], 8);
	else if (t->in[i].known >> n & 1)
		*bits = t->in[i].known_bits[n];
	else
		return false;
	return true;
}

/* What of a is not in b. */
static struct sset without(struct sset a, struct sset b)
{
	return (struct sset){ a.lo & ~b.lo, a.hi & ~b.hi };
}

static struct sset written(const struct jit_translator *t, uint32_t i)
{
	return s_join(t->in[i].scalar.write, t->in[i].scalar.mask_write);
}

static void join(struct known *a, const struct known *b)
{
	for (unsigned r = 0; r < SGPRS; r++)
		if (s_has(a->set, r) && !(s_has(b->set, r) && a->value[r] == b->value[r])) {
			struct sset one = { 0, 0 };
			s_add(&one, r, 1);
			a->set = without(a->set, one);
		}
}

static void arrive(struct walk *w, uint32_t to, const struct known *k)
{
	if (w->at[to]) {
		join(w->at[to], k);
		return;
	}
	w->at[to] = malloc(sizeof(*k));
	if (w->at[to])
		*w->at[to] = *k;
	else
		w->failed = true;
}

/* s_mov of a constant. */
static bool moves(const struct cu_rec *r, unsigned *dwords, uint64_t *bits)
{
	const struct gcn_inst *in = r->in;
	*dwords = in->op == GCN_S_MOV_B64 ? 2 : 1;
	if (in->op == GCN_S_MOVK_I32)
		*bits = (uint32_t)in->offset;
	else if ((in->op == GCN_S_MOV_B32 || in->op == GCN_S_MOV_B64) && r->konst & 1)
		memcpy(bits, (const char *)r->pool + r->s[0], 8);
	else
		return false;
	return in->dst + *dwords <= SGPRS;
}

static void note_sources(struct jit_translator *t, uint32_t i, const struct known *k)
{
	const struct cu_rec *r = jit_rec(t, i);
	struct jit_inst *j = &t->in[i];
	for (int n = 0; n < r->op->nsrc && j->kind == JIT_VECTOR; n++) {
		const unsigned reg = r->in->src[n], dwords = cu_type_dwords(r->op->stype[n]);
		if (!(r->scalar >> n & 1) || r->konst >> n & 1 || reg + dwords > SGPRS)
			continue;
		if (!s_has(k->set, reg) || (dwords > 1 && !s_has(k->set, reg + 1)))
			continue;
		j->known |= (uint8_t)(1u << n);
		j->known_bits[n] = k->value[reg] | (dwords > 1 ? (uint64_t)k->value[reg + 1] << 32 : 0);
	}
}

static void step(struct jit_translator *t, uint32_t i, struct known *k)
{
	unsigned dwords;
	uint64_t bits;
	note_sources(t, i, k);
	k->set = without(k->set, written(t, i));
	if (!moves(jit_rec(t, i), &dwords, &bits))
		return;
	const unsigned dst = jit_rec(t, i)->in->dst;
	s_add(&k->set, dst, dwords);
	k->value[dst] = (uint32_t)bits;
	if (dwords > 1)
		k->value[dst + 1] = (uint32_t)(bits >> 32);
}

/* A jump back, and the last instruction that is in turns with its target: where others lead back from behind it to between
 * them, that is theirs. */
struct turn { uint32_t to, last; };

static bool find_turns(struct walk *w)
{
	struct turn turn[TURNS];
	unsigned count = 0;
	for (uint32_t i = 0; i < w->t->n; i++) {
		const struct cu_rec *r = jit_rec(w->t, i);
		if (!(r->op->flags & CU_OP_JUMPS) || r->jump > 0)
			continue;
		if (count == TURNS)
			return false;
		turn[count++] = (struct turn){ i + (uint32_t)r->jump, i };
	}
	for (unsigned k = count; k-- > 0;) /* `last` ascends, so one walk up is enough for each */
		for (unsigned m = k + 1; m < count; m++)
			if (turn[m].to >= turn[k].to && turn[m].to <= turn[k].last)
				turn[k].last = turn[m].last > turn[k].last ? turn[m].last : turn[k].last;
	for (unsigned k = 0; k < count; k++)
		for (uint32_t i = turn[k].to; i <= turn[k].last; i++)
			w->turns[turn[k].to] = s_join(w->turns[turn[k].to], written(w->t, i));
	return true;
}

static void walk(struct walk *w)
{
	struct known k = { 0 };
	bool here = true; /* whether the instruction before leads here */
	for (uint32_t i = 0; i < w->t->n && !w->failed; i++) {
		const struct cu_rec *r = jit_rec(w->t, i);
		if (w->at[i] && here)
			join(&k, w->at[i]);
		else if (w->at[i])
			k = *w->at[i];
		else if (!here)
			k.set = (struct sset){ 0, 0 };
		k.set = without(k.set, w->turns[i]);
		step(w->t, i, &k);
		if (r->op->flags & CU_OP_JUMPS && r->jump > 0)
			arrive(w, i + (uint32_t)r->jump, &k);
		here = !(r->op->flags & CU_OP_ENDS);
	}
}

bool jit_constants(struct jit_translator *t)
{
	struct walk w = { .t = t, .at = calloc(t->n, sizeof(*w.at)), .turns = calloc(t->n, sizeof(*w.turns)) };
	const bool ok = w.at && w.turns;
	if (ok && find_turns(&w))
		walk(&w);
	for (uint32_t i = 0; i < t->n && w.at; i++)
		free(w.at[i]);
	free(w.at);
	free(w.turns);
	return ok && !w.failed;
}
