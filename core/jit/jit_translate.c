/* SPDX-License-Identifier: MIT */
/* Translation in order: analyse, then make the code of block after block. */
#include "core/jit/jit_translate.h"

#include <stdlib.h>
#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit.h"
#include "core/jit/jit_again.h"
#include "core/jit/jit_analyse.h"
#include "core/jit/jit_constants.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_flow.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_region.h"
#include "core/jit/jit_scalar.h"
#include "core/level.h"
#include "isa/gcn.h"

void jit_mark(struct jit_translator *t, uint32_t i)
{
	if (t->mark_count == t->mark_cap) {
		size_t cap = t->mark_cap ? 2 * t->mark_cap : 256;
		struct cu_jit_mark *m = realloc(t->marks, cap * sizeof(*m));
		if (!m) {
			t->b.failed = "no memory";
			return;
		}
		t->marks = m;
		t->mark_cap = cap;
	}
	t->marks[t->mark_count++] = (struct cu_jit_mark){ (uint32_t)t->b.n, i };
}

/* --- entry and exit --- */

static const uint16_t saved[6] = { ZYDIS_REGISTER_RBX, ZYDIS_REGISTER_RBP, ZYDIS_REGISTER_R12,
	ZYDIS_REGISTER_R13, ZYDIS_REGISTER_R14, ZYDIS_REGISTER_R15 };

static void prologue(struct jit_translator *t)
{
	for (int i = 0; i < 6; i++)
		X(&t->b, PUSH, jit_x_reg(saved[i]));
	X(&t->b, MOV, R(RAX), R(RSP));
	X(&t->b, SUB, R(RSP), jit_x_imm(FRAME_BYTES));
	X(&t->b, AND, R(RSP), jit_x_imm(-64));
	X(&t->b, MOV, jit_x_mem(ZYDIS_REGISTER_RSP, FRAME_SP, 8), R(RAX));
	X(&t->b, MOV, jit_x_mem(ZYDIS_REGISTER_RSP, FRAME_HELPERS, 8), R(RCX));
	X(&t->b, MOV, jit_x_mem(ZYDIS_REGISTER_RSP, FRAME_DECODED, 8), jit_x_imm(-1));
	X(&t->b, LEA, jit_x_reg(RB_WAVE), jit_x_mem(ZYDIS_REGISTER_RDI, WAVE_BIAS, 8));
	X(&t->b, MOV, jit_x_reg(RB_RECS), R(RSI));
	jit_x_lea_label(&t->b, RB_POOL, t->pool_label);
	jit_memory_windows(t);
	jit_memory_begin(t);
	X(&t->b, JMP, R(RDX));
}
static void epilogue(struct jit_translator *t)
{
	jit_x_bind(&t->b, t->exit_label);
	X0(&t->b, VZEROUPPER);
	X(&t->b, MOV, R(RSP), jit_x_mem(ZYDIS_REGISTER_RSP, FRAME_SP, 8));
	for (int i = 6; i-- > 0;)
		X(&t->b, POP, jit_x_reg(saved[i]));
	X0(&t->b, RET);
}

/* --- handlers --- */

static bool may_fault(const struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct cu_level_ops *l = t->p->kernels;
	return r->op->cls != CU_CLASS_VALU || r->fn == l->valu_indexed || r->fn == l->special;
}
/* The handler for a full EXEC is another one. */
static bool full_differs(const struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	return r->fn != r[t->n].fn || r->in->op == GCN_EXPORT;
}

void jit_call_handler(struct jit_translator *t, uint32_t i)
{
	int64_t any = (int64_t)sizeof(struct cu_rec) * i;
	X(&t->b, LEA, R(RDI), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(&t->b, LEA, R(RSI), jit_x_mem(RB_RECS, any, 8));
	if (full_differs(t, i)) {
		X(&t->b, LEA, R(RAX), jit_x_mem(RB_RECS, any + (int64_t)sizeof(struct cu_rec) * t->n, 8));
		X(&t->b, CMP, jit_sgpr(GCN_SRC_EXEC, 8), jit_x_imm(-1));
		X(&t->b, CMOVZ, R(RSI), R(RAX));
	}
	X(&t->b, CALL, jit_x_mem(ZYDIS_REGISTER_RSI, offsetof(struct cu_rec, fn), 8));
	if (!may_fault(t, i))
		return;
	X(&t->b, CMP, R(RAX), jit_x_imm(CU_STATUS_END));
	XJ(&t->b, JB, t->exit_label);
}

/* Image instructions from i on that one call can do. */
static uint32_t image_count(const struct jit_translator *t, uint32_t i)
{
	uint32_t end = i;
	while (end < t->limit && jit_rec(t, end)->in->fmt == GCN_MIMG && jit_rec(t, end)->fn == jit_rec(t, end)->op->direct &&
	       t->in[end].kind == JIT_CALL && (end == i || !t->in[end].leader))
		end++;
	return end - i;
}

static void call_images(struct jit_translator *t, uint32_t i, uint32_t count)
{
	bool loose = true;
	for (uint32_t k = i; k < i + count; k++)
		loose &= t->in[k].image && t->in[k].off_dead;
	jit_mark(t, i);
	X(&t->b, LEA, R(RDI), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(&t->b, LEA, R(RSI), jit_x_mem(RB_RECS, (int64_t)sizeof(struct cu_rec) * i, 8));
	X(&t->b, MOV, R(EDX), jit_x_imm(count));
	X(&t->b, MOV, R(ECX), jit_x_imm(loose));
	X(&t->b, MOV, R(RAX), jit_x_mem(ZYDIS_REGISTER_RSP, FRAME_HELPERS, 8));
	X(&t->b, CALL, jit_x_mem(ZYDIS_REGISTER_RAX, offsetof(struct cu_jit_helpers, images), 8));
	X(&t->b, CMP, R(RAX), jit_x_imm(CU_STATUS_END));
	XJ(&t->b, JB, t->exit_label);
}

struct jit_slow { uint32_t record; int from, back; };

int jit_slow_label(struct jit_translator *t, uint32_t i, int *slow)
{
	*slow = jit_x_label(&t->b);
	if (t->slow_count == t->slow_cap) {
		size_t cap = t->slow_cap ? 2 * t->slow_cap : 32;
		struct jit_slow *s = realloc(t->slow, cap * sizeof(*s));
		if (!s) {
			t->b.failed = "no memory";
			return *slow;
		}
		t->slow = s;
		t->slow_cap = cap;
	}
	struct jit_slow *s = &t->slow[t->slow_count++];
	*s = (struct jit_slow){ i, *slow, jit_x_label(&t->b) };
	return s->back;
}
int jit_slow(struct jit_translator *t, ZydisMnemonic jump, uint32_t i)
{
	int slow, back = jit_slow_label(t, i, &slow);
	jit_x_jump(&t->b, jump, slow);
	return back;
}
static void slow_calls(struct jit_translator *t)
{
	for (size_t k = 0; k < t->slow_count; k++) {
		jit_mark(t, t->slow[k].record);
		jit_x_bind(&t->b, t->slow[k].from);
		jit_call_handler(t, t->slow[k].record);
		XJ(&t->b, JMP, t->slow[k].back);
	}
}

/* --- instructions outside regions --- */

static void leave(struct jit_translator *t, uint32_t i, uint32_t pc, enum cu_status status)
{
	X(&t->b, ADD, JIT_FIELD(instructions), jit_x_imm((int64_t)i + 1));
	X(&t->b, MOV, JIT_FIELD(pc), jit_x_imm((int32_t)pc));
	X(&t->b, MOV, R(EAX), jit_x_imm(status));
	XJ(&t->b, JMP, t->exit_label);
}

void jit_single(struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	jit_mark(t, i);
	if (t->in[i].done)
		return;
	switch (t->in[i].kind) {
	case JIT_NOP:
		break;
	case JIT_SCALAR:
		jit_scalar(t, i);
		break;
	case JIT_BRANCH:
		jit_branch(t, i);
		break;
	case JIT_END:
		if (t->unwanted_label >= 0)
			jit_x_bind(&t->b, t->unwanted_label);
		t->unwanted_label = -1;
		jit_again_end(t);
		leave(t, i, r->pc, CU_DONE);
		break;
	case JIT_BARRIER:
		leave(t, i, r->pc + r->size, CU_BARRIER);
		break;
	default:
		jit_call_handler(t, i);
	}
}

static uint32_t block(struct jit_translator *t, uint32_t i, uint8_t *place);

/* A region's instructions, [first, end), for when its images are not for strips.  What it has done before the strips
 * is done.  Those who jump to its first instruction go to the region. */
static void without_images(struct jit_translator *t, uint32_t first, uint32_t end, uint8_t *place)
{
	const int label = t->labels[first], join = jit_x_label(&t->b);
	const uint32_t limit = t->limit;
	XJ(&t->b, JMP, join);
	jit_x_bind(&t->b, t->region->apart);
	jit_again_apart(t->region);
	t->labels[first] = jit_x_label(&t->b);
	t->limit = end;
	t->no_images = true;
	for (uint32_t i = first; i < end; i++)
		t->in[i].done = t->in[i].role == ROLE_ONCE;
	for (uint32_t i = first; i < end;) {
		if (i == first || t->in[i].leader)
			jit_x_bind(&t->b, t->labels[i]);
		const uint32_t next = block(t, i, place);
		for (i++; i < next; i++)
			if (t->in[i].leader)
				jit_x_bind(&t->b, t->labels[i]);
	}
	t->no_images = false;
	t->limit = limit;
	t->labels[first] = label;
	memset(place + first, CU_JIT_REGION, end - first);
	jit_x_bind(&t->b, join);
}

/* The code of instruction i and maybe those behind it; returns where it ends. */
static uint32_t block(struct jit_translator *t, uint32_t i, uint8_t *place)
{
	uint32_t end = jit_region(t, i);
	const uint32_t images = end == i ? image_count(t, i) : 0;
	if (images) {
		call_images(t, i, images);
		end = i + images;
		memset(place + i, CU_JIT_HANDLER, images);
	} else if (end == i) {
		jit_single(t, i);
		place[i] = t->in[i].kind == JIT_CALL ? CU_JIT_HANDLER : CU_JIT_INLINE;
		end = i + 1;
	} else {
		memset(place + i, CU_JIT_REGION, end - i);
	}
	return end;
}

/* Behind depths: the wave's owner says whether it goes on. */
static void ask(struct jit_translator *t)
{
	const int on = jit_x_label(&t->b);
	t->unwanted_label = jit_x_label(&t->b);
	X(&t->b, MOV, R(RAX), JIT_FIELD(wanted));
	X(&t->b, TEST, R(RAX), R(RAX));
	XJ(&t->b, JZ, on);
	X(&t->b, LEA, R(RDI), jit_x_mem(RB_WAVE, -WAVE_BIAS, 8));
	X(&t->b, CALL, R(RAX));
	X(&t->b, TEST, R(AL), R(AL));
	XJ(&t->b, JZ, t->unwanted_label);
	jit_x_bind(&t->b, on);
}

static void blocks(struct jit_translator *t, uint32_t *entry, uint8_t *place)
{
	for (uint32_t i = 0; i < t->n;) {
		entry[i] = CU_JIT_NO_ENTRY;
		if (t->in[i].leader) {
			jit_x_bind(&t->b, t->labels[i]);
			entry[i] = (uint32_t)t->b.n;
		}
		const uint32_t end = block(t, i, place);
		const bool apart = place[i] == CU_JIT_REGION && t->region->e.images;
		if (apart)
			without_images(t, i, end, place);
		if (t->in[end - 1].depths)
			ask(t);
		for (i++; i < end; i++) {
			entry[i] = CU_JIT_NO_ENTRY;
			if (t->in[i].leader && !apart) /* nobody else goes there */
				jit_x_bind(&t->b, t->labels[i]);
		}
	}
}

/* --- the whole --- */

bool jit_refused(const struct cu_program *p, struct cu_error *err)
{
	for (uint32_t i = 0; i < p->count; i++) {
		const struct cu_rec *r = &p->recs[i];
		bool jumps = gcn_op_info((enum gcn_op)r->in->op)->flags & GCN_F_BRANCH;
		if (jumps && (!(r->op->flags & CU_OP_JUMPS) || r->in->op == GCN_S_CALL_B64)) {
			cu_error_at(err, r->pc, r->in, "computed jumps are not translated");
			return true;
		}
	}
	if (p->traits)
		cu_error_at(err, 0, NULL, "a program that changes MODE is not translated");
	return p->traits;
}

static bool prepare(struct jit_translator *t)
{
	t->in = calloc(t->n, sizeof(*t->in));
	t->live = calloc(t->n, sizeof(*t->live));
	t->there = calloc(t->n, sizeof(*t->there));
	t->exact = calloc(t->n, sizeof(*t->exact));
	t->labels = calloc(t->n, sizeof(*t->labels));
	t->region = calloc(1, sizeof(*t->region));
	if (t->region)
		*t->region = (struct jit_region){ .t = t, .b = &t->b, .in = t->in, .v4 = t->v4 };
	if (!t->region || !t->in || !t->live || !t->there || !t->exact || !t->labels || !jit_analyse(t) ||
	    !jit_constants(t) || !jit_sgprs_live(t))
		return false;
	/* Behind the analysis, whose memory it may get. */
	jit_x_reserve(&t->b, 4096 + 48 * (size_t)t->n);
	t->exit_label = jit_x_label(&t->b);
	t->pool_label = jit_x_label(&t->b);
	t->fault_label = jit_x_label(&t->b);
	for (uint32_t i = 0; i < t->n; i++)
		if (t->in[i].leader)
			t->labels[i] = jit_x_label(&t->b);
	return true;
}

static void translate(struct jit_translator *t, struct cu_jit_image *out)
{
	prologue(t);
	epilogue(t);
	blocks(t, out->entry, out->place);
	slow_calls(t);
	jit_memory_misses(t);
	if (t->faults)
		jit_memory_fault(t);
	else
		jit_x_bind(&t->b, t->fault_label);
	size_t code = t->b.n;
	jit_x_finish(&t->b, t->pool_label);
	out->unwritten = t->unwritten;
	out->code = t->b.code;
	out->bytes = t->b.cap;
	out->code_bytes = code;
	out->marks = t->marks;
	out->mark_count = t->mark_count;
	out->loose[0] = t->loose.lo;
	out->loose[1] = t->loose.hi;
	t->b.code = NULL;
	t->marks = NULL;
}

bool cu_jit_translate(const struct cu_program *p, const struct cu_jit_options *options,
	struct cu_jit_image *out, struct cu_error *err)
{
	static const struct cu_jit_options none;
	struct jit_translator *t = calloc(1, sizeof(*t));
	memset(out, 0, sizeof(*out));
	out->records = p->count;
	out->entry = malloc(p->count * sizeof(out->entry[0]));
	out->place = calloc(p->count, 1);
	bool ok = t && out->entry && out->place && !jit_refused(p, err);
	if (t) {
		t->p = p;
		t->n = t->limit = p->count;
		t->o = options ? options : &none;
		t->v4 = p->level == CU_LEVEL_V4;
		t->unwanted_label = -1;
		t->random = t->o->seed;
		jit_x_init(&t->b, t->o->forms);
	}
	if (!t || !out->entry || !out->place)
		cu_error_at(err, 0, NULL, "no memory to translate");
	if (ok && !(ok = prepare(t)))
		cu_error_at(err, 0, NULL, "no memory to translate");
	if (ok) {
		translate(t, out);
		if (t->b.failed)
			cu_error_at(err, 0, NULL, "translation: %s", t->b.failed);
		ok = !t->b.failed;
	}
	if (t) {
		jit_x_free(&t->b);
		free(t->in);
		free(t->live);
		free(t->there);
		free(t->exact);
		free(t->labels);
		free(t->marks);
		free(t->slow);
		free(t->misses);
		free(t->region);
		free(t->s_live);
	}
	free(t);
	if (!ok)
		cu_jit_image_free(out);
	return ok;
}
