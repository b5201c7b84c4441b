/* SPDX-License-Identifier: MIT */
/* Running every wave twice, see jit_check.h. */
#include "core/jit/jit_check.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/journal.h"

/* State of a wave with what it points at. */
struct image {
	struct cu_wave wave;
	struct cu_exports exports;
	struct cu_gs gs;
	uint8_t lds[CU_LDS_BYTES];
};

struct check {
	const struct cu_program *p;
	const struct cu_check *how;
	struct image start, expect; /* before, and what the interpreter makes of it */
	struct cu_journal journal;
};

enum { EXPORT_DATA = sizeof(((struct cu_exports *)0)->data) };
/* What the program may see of it: most of a wave is registers that it has not. */
static void copy(const struct cu_check *how, struct image *to, const struct cu_wave *w)
{
	size_t rest = sizeof(w->vgpr);
	memcpy(to->wave.vgpr, w->vgpr, how->vgprs * sizeof(w->vgpr[0]));
	memcpy((char *)&to->wave + rest, (const char *)w + rest, sizeof(*w) - rest);
	for (uint64_t m = w->exports ? how->targets : 0; m; m &= m - 1) {
		int target = __builtin_ctzll(m);
		memcpy(to->exports.data[target], w->exports->data[target], sizeof(w->exports->data[0]));
	}
	if (w->exports)
		memcpy((char *)&to->exports + EXPORT_DATA, (const char *)w->exports + EXPORT_DATA,
			sizeof(to->exports) - EXPORT_DATA);
	if (w->gs)
		to->gs = *w->gs;
	if (w->lds_bytes && how->lds)
		memcpy(to->lds, w->lds, w->lds_bytes);
}

/* to->wave gets exports, counts of vertices and LDS of its own. */
static void own(const struct cu_check *how, struct image *to)
{
	if (to->wave.exports)
		to->wave.exports = &to->exports;
	if (to->wave.gs)
		to->wave.gs = &to->gs;
	if (to->wave.lds_bytes && how->lds)
		to->wave.lds = to->lds;
}

static enum cu_status interpret(const struct cu_program *p, struct cu_wave *w)
{
	return p->kernels->run(p, w);
}

/* Dword index of the last instruction that changes the 4 bytes at `offset` of
 * the state, found by running it once more step by step; ~0 without one. */
static uint32_t blame(struct check *c, size_t offset)
{
	struct image *again = aligned_alloc(64, sizeof(*again));
	uint32_t pc = ~0u;
	if (!again)
		return pc;
	memcpy(again, &c->start, sizeof(*again));
	own(c->how, again);
	cu_journal_restore(&c->journal);
	c->journal.count = 0;
	again->wave.journal = &c->journal;
	struct cu_wave *w = &again->wave;
	const char *place = (const char *)again + offset;
	const struct cu_rec *r = c->p->recs + c->p->index[w->pc] + (cu_exec(w) == ~0ull ? c->p->count : 0);
	while ((uintptr_t)r >= CU_STATUS_END) {
		uint32_t old, now, at = r->pc;
		memcpy(&old, place, 4);
		r = r->fn(w, r);
		memcpy(&now, place, 4);
		if (old != now)
			pc = at;
	}
	cu_journal_undo(&c->journal);
	free(again);
	return pc;
}

__attribute__((format(printf, 4, 5)))
static enum cu_status differs(struct check *c, struct cu_wave *w, uint32_t pc, const char *fmt, ...)
{
	char what[120];
	va_list args;
	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	const struct gcn_inst *in = pc < c->p->dwords && c->p->index[pc] != ~0u
		? &c->p->insts[c->p->index[pc]] : NULL;
	struct cu_error e;
	cu_error_at(&e, pc == ~0u ? c->start.wave.pc : pc, in, "%s", what);
	snprintf(w->error.text, sizeof(w->error.text), "check of %.40s: %.180s", c->how->name, e.text);
	w->pc = pc;
	return CU_FAULT;
}

/* First dword in which a and b differ; `bytes` when they do not. */
static size_t first_difference(const void *a, const void *b, size_t bytes)
{
	size_t at = 0;
	if (!memcmp(a, b, bytes))
		return bytes;
	while (at < bytes && !memcmp((const char *)a + at, (const char *)b + at, 4))
		at += 4;
	return at;
}

static bool compare_registers(struct check *c, struct cu_wave *w)
{
	const struct cu_wave *x = &c->expect.wave;
	size_t bytes = c->how->vgprs * sizeof(w->vgpr[0]);
	size_t v = first_difference(x->vgpr, w->vgpr, bytes);
	if (v < bytes) {
		size_t n = v / 4 / CU_LANES, lane = v / 4 % CU_LANES;
		differs(c, w, blame(c, offsetof(struct image, wave.vgpr) + v),
			"v%zu lane %zu: interpreter 0x%08x, translated 0x%08x", n, lane, x->vgpr[n][lane], w->vgpr[n][lane]);
		return false;
	}
	size_t s = first_difference(x->sgpr, w->sgpr, sizeof(w->sgpr));
	if (s < sizeof(w->sgpr)) {
		differs(c, w, blame(c, offsetof(struct image, wave.sgpr) + s),
			"scalar operand %zu: interpreter 0x%08x, translated 0x%08x", s / 4, x->sgpr[s / 4], w->sgpr[s / 4]);
		return false;
	}
	if (x->scc != w->scc || x->mode != w->mode) {
		differs(c, w, blame(c, x->scc != w->scc ? offsetof(struct image, wave.scc)
			: offsetof(struct image, wave.mode)), "SCC, MODE: interpreter %u, 0x%x, translated %u, 0x%x",
			x->scc, x->mode, w->scc, w->mode);
		return false;
	}
	return true;
}

static bool compare_exports(struct check *c, struct cu_wave *w)
{
	const struct cu_exports *x = &c->expect.exports, *y = w->exports;
	if (!y)
		return true;
	size_t at = EXPORT_DATA, one = sizeof(x->data[0]), rest = (sizeof(*x) - EXPORT_DATA) / 4 * 4;
	for (uint64_t m = c->how->targets; m && at == EXPORT_DATA; m &= m - 1) {
		size_t target = (size_t)__builtin_ctzll(m), in = first_difference(x->data[target], y->data[target], one);
		at = in < one ? target * one + in : at;
	}
	if (at == EXPORT_DATA)
		at += first_difference((const char *)x + at, (const char *)y + at, rest);
	if (at == EXPORT_DATA + rest)
		return true;
	uint32_t pc = blame(c, offsetof(struct image, exports) + at), a, b;
	memcpy(&a, (const char *)x + at, 4);
	memcpy(&b, (const char *)y + at, 4);
	if (at < sizeof(x->data))
		differs(c, w, pc, "export to target %zu, component %zu, lane %zu: interpreter 0x%08x, translated 0x%08x",
			at / sizeof(x->data[0]), at / sizeof(x->data[0][0]) % 4, at / 4 % CU_LANES, a, b);
	else
		differs(c, w, pc, "masks of exports at byte %zu: interpreter 0x%08x, translated 0x%08x", at, a, b);
	return false;
}

static bool compare_vertices(struct check *c, struct cu_wave *w)
{
	if (!w->gs)
		return true;
	size_t at = first_difference(&c->expect.gs, w->gs, sizeof *w->gs);
	if (at == sizeof *w->gs)
		return true;
	differs(c, w, blame(c, offsetof(struct image, gs) + at), "vertices emitted differ");
	return false;
}

static bool compare_memory(struct check *c, struct cu_wave *w)
{
	size_t bytes = c->how->lds ? w->lds_bytes / 4 * 4 : 0, at = bytes ? first_difference(c->expect.lds, w->lds, bytes) : 0;
	if (at < bytes) {
		uint32_t a, b;
		memcpy(&a, c->expect.lds + at, 4);
		memcpy(&b, w->lds + at, 4);
		differs(c, w, blame(c, offsetof(struct image, lds) + at),
			"LDS at 0x%zx: interpreter 0x%08x, translated 0x%08x", at, a, b);
		return false;
	}
	const struct cu_journal_entry *e = cu_journal_difference(&c->journal);
	if (e) {
		unsigned i = 0;
		while (i + 1 < e->bytes && e->at[i] == e->now[i])
			i++;
		differs(c, w, e->pc, "memory at %p: interpreter 0x%02x, translated 0x%02x", (void *)(e->at + i),
			e->now[i], e->at[i]);
		return false;
	}
	return true;
}

static enum cu_status compare(struct check *c, struct cu_wave *w, enum cu_status expect, enum cu_status is)
{
	const struct cu_wave *x = &c->expect.wave;
	if (c->journal.failed)
		return differs(c, w, ~0u, "no memory for the journal");
	if (expect == CU_FAULT && is == CU_FAULT)
		return is; /* jit.h: not always by the same instruction */
	if (expect != is || x->pc != w->pc || strcmp(x->error.text, w->error.text))
		return differs(c, w, x->pc, "ends with status %d, translated %d at 0x%x", expect, is, w->pc * 4);
	if (!compare_memory(c, w) || !compare_vertices(c, w) || !compare_exports(c, w) || !compare_registers(c, w))
		return CU_FAULT;
	return is;
}

void cu_check_scan(const struct cu_program *p, struct cu_check *how)
{
	enum { WIDEST = 16 };
	how->vgprs = 1;
	how->targets = 0;
	how->lds = false;
	for (uint32_t i = 0; i < p->count; i++) {
		const struct cu_rec *r = &p->recs[i];
		const struct gcn_inst *in = r->in;
		unsigned high = in->dst >= GCN_SRC_VGPR0 && in->dst != GCN_SRC_NONE ? in->dst : 0;
		for (int n = 0; n < 4; n++)
			if (in->src[n] >= GCN_SRC_VGPR0 && in->src[n] != GCN_SRC_NONE && in->src[n] > high)
				high = in->src[n];
		if (high && high - GCN_SRC_VGPR0 + WIDEST > how->vgprs)
			how->vgprs = high - GCN_SRC_VGPR0 + WIDEST;
		bool movrel = cu_is_vector(in) && in->fmt <= GCN_VOP3
			&& gcn_op_info((enum gcn_op)in->op)->flags & GCN_F_READS_M0;
		if (movrel || r->fn == p->kernels->valu_indexed || r->fn == p->kernels->special)
			how->vgprs = CU_VGPRS;
		how->lds |= in->fmt == GCN_DS || in->fmt == GCN_FLAT || in->lds;
		if (in->op == GCN_EXPORT)
			how->targets |= 1ull << (in->exp_target & 63);
	}
	if (how->vgprs > CU_VGPRS)
		how->vgprs = CU_VGPRS;
}

/* SGPRs that nobody reads any more need not be equal. */
static void forgive(struct cu_wave *expect, const struct cu_wave *w, const uint64_t loose[2])
{
	for (unsigned n = 0; n < 128; n++)
		if (loose[n / 64] >> n % 64 & 1)
			expect->sgpr[n] = w->sgpr[n];
	if (loose[1] >> (125 - 64) & 1)
		expect->scc = w->scc;
}

/* What stays in VGPRs to where the interpreter puts it. */
static void settle_exports(struct cu_wave *w)
{
	for (unsigned t = 0; t < CU_STAY; t++)
		for (unsigned c = 0; c < 4 && w->stays >> t & 1; c++)
			for (unsigned l = 0; l < CU_LANES; l++)
				if (w->exports->exec[t] >> l & 1)
					w->exports->data[t][c][l] = w->vgpr[w->stay[t][c]][l];
	w->stays = 0;
}

enum cu_status cu_check_run(const struct cu_program *p, struct cu_wave *w, struct cu_check *how,
	enum cu_status (*translated)(const struct cu_program *p, struct cu_wave *w))
{
	/* Hundreds of KiB: fresh ones would be mapped and cleared for each wave. */
	struct check *c = atomic_exchange(&how->spare, NULL);
	if (!c && !(c = aligned_alloc(64, sizeof(*c)))) {
		snprintf(w->error.text, sizeof(w->error.text), "check of %s: no memory", how->name);
		return CU_FAULT;
	}
	w->next = NULL; /* each is compared, */
	w->wanted = NULL;
	w->numbers = 0; /* by its bits */
	c->p = p;
	c->how = how;
	c->journal = (struct cu_journal){ 0 };
	copy(how, &c->start, w);
	copy(how, &c->expect, w);
	own(how, &c->expect);
	c->expect.wave.journal = &c->journal;
	enum cu_status expect = how->profile ? cu_profile_run(how->profile, &c->expect.wave)
		: interpret(p, &c->expect.wave);
	cu_journal_undo(&c->journal);
	enum cu_status is = translated(p, w);
	settle_exports(w);
	forgive(&c->expect.wave, w, how->loose);
	enum cu_status s = compare(c, w, expect, is);
	free(c->journal.entry);
	free(atomic_exchange(&how->spare, c));
	return s;
}
