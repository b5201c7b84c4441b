/* SPDX-License-Identifier: MIT */
/* Programs: reachable code is decoded, checked and turned into records. */
#include "core/interp/program_priv.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "isa/gcn_uses.h"
#include "isa/text/gcn_disasm.h"

/* --- messages --- */

static void error_va(struct cu_error *err, enum gcn_gen gen, uint32_t pc, const struct gcn_inst *in,
	const char *fmt, va_list args)
{
	char text[120] = "", message[120];
	if (in)
		gcn_disasm(gen, in, (uint64_t)pc * 4, text, sizeof(text));
	vsnprintf(message, sizeof(message), fmt, args);
	snprintf(err->text, sizeof(err->text), "pc 0x%x%s%s%s: %s", pc * 4, in ? " (" : "",
		text, in ? ")" : "", message);
}
void cu_error_at(struct cu_error *err, uint32_t pc, const struct gcn_inst *in, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	error_va(err, GCN_GFX9, pc, in, fmt, args);
	va_end(args);
}
const struct cu_rec *cu_fault(struct cu_wave *w, const struct cu_rec *r, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	error_va(&w->error, r->pool->program->gen, r->pc, r->in, fmt, args);
	va_end(args);
	w->error.access = CU_ACCESS_NONE;
	w->error.located = true;
	w->error.pc = w->pc = r->pc;
	return CU_STOP(CU_FAULT);
}
void cu_error_access(struct cu_error *err, const struct gcn_inst *in, uint64_t address, uint64_t bytes)
{
	err->access = gcn_effects(in) & GCN_WRITES_MEMORY ? CU_ACCESS_WRITE : CU_ACCESS_READ;
	err->address = address;
	err->bytes = bytes;
}
const struct cu_rec *cu_fault_access(struct cu_wave *w, const struct cu_rec *r, uint64_t address, uint64_t bytes)
{
	const struct cu_rec *stop = cu_fault(w, r, "access to address 0x%llx, which is no memory of the device",
		(unsigned long long)address);
	cu_error_access(&w->error, r->in, address, bytes);
	return stop;
}

/* --- reachability --- */

static bool no_memory(struct cu_builder *b)
{
	cu_error_at(b->err, 0, NULL, "no memory for a program of more than %zu dwords", b->room);
	return false;
}

/* A bigger array; the old one stays on failure. */
static bool lengthen(void *array, size_t bytes)
{
	void *old, *p;
	memcpy(&old, array, sizeof(old));
	p = realloc(old, bytes);
	if (!p)
		return false;
	memcpy(array, &p, sizeof(p));
	return true;
}

/* The same, and its new part is zero. */
static bool widen(void *array, size_t old_bytes, size_t bytes)
{
	uint8_t *p;
	if (!lengthen(array, bytes))
		return false;
	memcpy(&p, array, sizeof(p));
	memset(p + old_bytes, 0, bytes - old_bytes);
	return true;
}

/* State and work become blocks that can grow. */
static bool leave_stack(struct cu_builder *b)
{
	if (b->state != b->first->state)
		return true;
	uint8_t *state = malloc(sizeof(b->first->state));
	uint32_t *work = malloc(sizeof(b->first->work));
	if (!state || !work) {
		free(state);
		free(work);
		return false;
	}
	b->state = memcpy(state, b->first->state, sizeof(b->first->state));
	b->work = memcpy(work, b->first->work, b->work_count * sizeof(*work));
	return true;
}

/* Room for an instruction at pc.  The arrays grow with what is reached: max is
 * much more than any program has. */
static bool reserve(struct cu_builder *b, size_t pc)
{
	enum { INSTRUCTION = 4 };
	size_t old = b->room, room = old ? old : CU_FIRST_DWORDS;
	if (pc + INSTRUCTION <= old)
		return true;
	while (room < pc + INSTRUCTION)
		room *= 2;
	if (room > CU_FIRST_DWORDS && !leave_stack(b))
		return no_memory(b);
	/* work: a pc is pushed at most twice, with indexing on and off.  What work and index
	 * hold is read only where it was written. */
	bool ok = room == CU_FIRST_DWORDS || (widen(&b->state, old > CU_FIRST_DWORDS ? old : CU_FIRST_DWORDS, room) &&
		lengthen(&b->work, 8 * room));
	if (!ok ||
		!widen(&b->p->code, 4 * old, 4 * room) || !lengthen(&b->p->index, 4 * room) ||
		!widen(&b->p->reached, old / 8, room / 8))
		return no_memory(b);
	b->room = room;
	return true;
}

static bool push(struct cu_builder *b, int64_t pc, uint8_t state, uint32_t from, const struct gcn_inst *in)
{
	if (pc < 0 || (uint64_t)pc >= b->max) {
		cu_error_at(b->err, from, in, "goes to 0x%llx, outside the program's %zu bytes",
			(unsigned long long)pc * 4, b->max * 4);
		return false;
	}
	if (!reserve(b, (size_t)pc))
		return false;
	if (b->state[pc] & INSIDE) {
		cu_error_at(b->err, from, in, "goes into the middle of an instruction");
		return false;
	}
	if (~b->state[pc] & (state | REACHED)) {
		b->state[pc] |= state | REACHED;
		b->work[b->work_count++] = (uint32_t)pc;
	}
	return true;
}

static bool keep(struct cu_builder *b, uint32_t pc, const struct gcn_inst *in)
{
	if (b->p->count == b->found_room) {
		bool stack = b->found == b->first->found;
		size_t room = 2 * b->found_room;
		struct gcn_inst *more = realloc(stack ? NULL : b->found, room * sizeof(*more));
		if (!more)
			return no_memory(b);
		if (stack)
			memcpy(more, b->found, b->found_room * sizeof(*more));
		b->found = more;
		b->found_room = room;
	}
	b->p->index[pc] = b->p->count;
	b->found[b->p->count++] = *in;
	return true;
}

/* Marks the dwords of the instruction at pc; false when they overlap another. */
static bool claim(struct cu_builder *b, uint32_t pc, unsigned size, const struct gcn_inst *in)
{
	b->state[pc] |= CLAIMED;
	if (!keep(b, pc, in))
		return false;
	for (unsigned i = 1; i < size; i++) {
		if (b->state[pc + i] & REACHED) {
			cu_error_at(b->err, pc, in, "overlaps the instruction at 0x%x", (pc + i) * 4);
			return false;
		}
		b->state[pc + i] |= INSIDE;
	}
	for (unsigned i = 0; i < size; i++) {
		b->p->code[pc + i] = b->source[pc + i];
		b->p->reached[(pc + i) / 32] |= 1u << (pc + i) % 32;
	}
	if (pc + size > b->p->dwords)
		b->p->dwords = pc + size;
	return true;
}

/* CU_PROGRAM_* that an instruction brings. */
static uint32_t traits_of(const struct gcn_inst *in)
{
	if (in->op == GCN_S_SETVSKIP)
		return CU_PROGRAM_SKIPS;
	if (in->op == GCN_S_CBRANCH_G_FORK || in->op == GCN_S_CBRANCH_I_FORK)
		return CU_PROGRAM_FORKS;
	bool writes = in->op == GCN_S_SETREG_B32 || in->op == GCN_S_SETREG_IMM32_B32;
	if (!writes || (in->offset & 63) != 1) /* MODE */
		return 0;
	uint32_t field = (uint32_t)((1ull << ((in->offset >> 11 & 31) + 1)) - 1) << (in->offset >> 6 & 31);
	return (field & CU_MODE_FLOAT ? CU_PROGRAM_SETS_MODE : 0) |
		(field & CU_MODE_VSKIP ? CU_PROGRAM_SKIPS : 0) |
		(field & CU_MODE_GPR_IDX ? CU_PROGRAM_INDEXES : 0);
}

/* s_getpc, then an addition to its low half: the sum may be a function, or data. */
static void note_root(struct cu_builder *b, uint32_t pc, const struct gcn_inst *getpc)
{
	struct gcn_inst in;
	if (pc >= b->max || !gcn_decode(b->gen, b->source + pc, b->max - pc, &in))
		return;
	bool adds = in.op == GCN_S_ADD_U32 || in.op == GCN_S_SUB_U32;
	unsigned other = in.src[0] == getpc->dst ? in.src[1] : in.src[1] == getpc->dst ? in.src[0] : GCN_SRC_NONE;
	if (!adds || in.dst != getpc->dst || b->root_count == CU_ROOTS)
		return;
	int64_t distance = other == GCN_SRC_LITERAL ? (int32_t)in.literal : other >= 128 && other <= 192 ?
		(int64_t)other - 128 : other <= 208 ? 192 - (int64_t)other : 1;
	int64_t to = 4 * (int64_t)pc + (in.op == GCN_S_ADD_U32 ? distance : -distance);
	if (other >= 128 && to >= 0 && to % 4 == 0 && (uint64_t)to / 4 < b->max)
		b->roots[b->root_count++] = (uint32_t)(to / 4);
}

static bool visit(struct cu_builder *b, uint32_t pc, struct gcn_inst *in)
{
	unsigned size = gcn_decode(b->gen, b->source + pc, b->max - pc, in);
	if (!size) {
		static const char *const names[GCN_GEN_COUNT] = { "gfx600", "gfx700", "gfx803", "gfx900" };
		cu_error_at(b->err, pc, NULL, "0x%08x is no %s instruction", b->source[pc], names[b->gen]);
		return false;
	}
	const struct cu_op *op = b->level->ops[in->op];
	if (op->cls == CU_CLASS_REFUSED) {
		cu_error_at(b->err, pc, in, "not supported: %s", op->why);
		return false;
	}
	if (!(b->state[pc] & CLAIMED) && !claim(b, pc, size, in))
		return false;
	uint8_t state = b->state[pc] & (INDEXED | PLAIN);
	if (in->op == GCN_S_SET_GPR_IDX_ON)
		state = INDEXED;
	else if (in->op == GCN_S_SET_GPR_IDX_OFF)
		state = PLAIN;
	b->p->traits |= traits_of(in);
	if (in->op == GCN_S_GETPC_B64)
		note_root(b, pc + size, in);
	if (in->op == GCN_S_SETPC_B64 || in->op == GCN_S_SWAPPC_B64 || in->op == GCN_S_CBRANCH_G_FORK)
		b->jumps_anywhere = true;
	if (op->flags & CU_OP_JUMPS && !push(b, (int64_t)pc + 1 + in->offset, state, pc, in))
		return false;
	return op->flags & CU_OP_ENDS || push(b, (int64_t)pc + size, state, pc, in);
}

/* --- assembly of the parts --- */

static bool decode_from(struct cu_builder *b, uint32_t pc)
{
	struct gcn_inst in;
	if (!push(b, pc, PLAIN, pc, NULL))
		return false;
	while (b->work_count)
		if (!visit(b, b->work[--b->work_count], &in))
			return false;
	return true;
}
/* The arrays as they were when the arrays had `room` dwords, and what more they have empty. */
static void take_back(struct cu_builder *b, const uint8_t *state, const uint32_t *reached, size_t room)
{
	memcpy(b->state, state, room);
	memset(b->state + room, 0, b->room - room);
	memcpy(b->p->reached, reached, room / 8);
	memset((uint8_t *)b->p->reached + room / 8, 0, (b->room - room) / 8);
}

/* What lies at a root becomes part of the program if all of it decodes.  False
 * without memory. */
static bool guess(struct cu_builder *b, uint32_t pc)
{
	uint32_t count = b->p->count, dwords = b->p->dwords, traits = b->p->traits;
	struct cu_error none = { "" }, *err = b->err;
	size_t room = b->room;
	if (pc < room && b->state[pc])
		return true;
	uint8_t *state = malloc(room);
	uint32_t *reached = malloc(room / 8);
	bool memory = state && reached;
	if (memory) {
		memcpy(state, b->state, room);
		memcpy(reached, b->p->reached, room / 8);
		b->err = &none;
		bool ok = decode_from(b, pc);
		b->err = err;
		b->work_count = 0;
		for (size_t i = 0; ok && i < b->room; i++)
			if (b->state[i] & CLAIMED && !(i < room && state[i] & CLAIMED))
				b->state[i] |= GUESSED;
		if (!ok) {
			take_back(b, state, reached, room);
			b->p->count = count;
			b->p->dwords = dwords;
			b->p->traits = traits;
		}
	}
	free(state);
	free(reached);
	return memory || no_memory(b);
}

static bool decode_all(struct cu_builder *b)
{
	if (!decode_from(b, 0))
		return false;
	for (unsigned i = 0; b->jumps_anywhere && i < b->root_count; i++)
		if (!guess(b, b->roots[i]))
			return false;
	return true;
}
/* A guess that cannot run may be data: it faults if it is ever executed. */
static bool fill_or_fault(struct cu_builder *b, uint32_t i, bool full)
{
	struct cu_rec *r = &b->p->recs[i + (full ? b->p->count : 0)];
	if (cu_program_fill(b, i, full))
		return true;
	if (!(b->state[r->pc] & GUESSED))
		return false;
	b->err->text[0] = 0;
	r->fn = b->level->unsupported;
	return true;
}

static bool make_records(struct cu_builder *b)
{
	struct cu_program *p = b->p;
	p->insts = malloc(p->count * sizeof(*p->insts));
	p->recs = aligned_alloc(64, 2 * (size_t)p->count * sizeof(*p->recs));
	p->pool = malloc(sizeof(*p->pool) + 4 * (size_t)p->count * sizeof(p->pool->k[0]));
	if (!p->insts || !p->recs || !p->pool) {
		cu_error_at(b->err, 0, NULL, "no memory for %u instructions", p->count);
		return false;
	}
	p->pool->program = p;
	uint32_t i = 0;
	for (uint32_t pc = 0; pc < p->dwords; pc++) {
		if (!(b->state[pc] & REACHED)) {
			p->index[pc] = NO_RECORD;
			continue;
		}
		p->insts[i] = b->found[p->index[pc]];
		p->recs[i] = p->recs[i + p->count] = (struct cu_rec){ .pc = pc };
		p->index[pc] = i++;
	}
	for (i = 0; i < p->count; i++)
		if (!fill_or_fault(b, i, false) || !fill_or_fault(b, i, true))
			return false;
	return true;
}

static bool allocate(struct cu_builder *b)
{
	b->p = calloc(1, sizeof(*b->p));
	if (!b->p)
		return no_memory(b);
	b->p->gen = b->gen;
	return true;
}

/* Gives back what is too much; failure is harmless. */
static void trim(struct cu_program *p)
{
	uint32_t *code = realloc(p->code, (size_t)p->dwords * 4);
	uint32_t *reached = realloc(p->reached, (p->dwords + 31) / 32 * sizeof(*reached));
	uint32_t *index = realloc(p->index, (size_t)p->dwords * sizeof(*index));
	p->code = code ? code : p->code;
	p->reached = reached ? reached : p->reached;
	p->index = index ? index : p->index;
}

struct cu_program *cu_program_create(enum cu_level level, const uint32_t *code,
	size_t max_dwords, struct cu_error *err)
{
	return cu_program_create_gen(level, GCN_GFX9, code, max_dwords, err);
}

struct cu_program *cu_program_create_gen(enum cu_level level, enum gcn_gen gen, const uint32_t *code,
	size_t max_dwords, struct cu_error *err)
{
	struct cu_first first;
	struct cu_builder b = { .gen = gen, .source = code, .max = max_dwords, .err = err, .first = &first,
		.state = first.state, .work = first.work, .found = first.found, .found_room = CU_FIRST_FOUND,
		.level = CU_TABLE(cu_level_ops, level) };
	memset(first.state, 0, sizeof(first.state));
	bool ok = allocate(&b) && decode_all(&b) && make_records(&b);
	if (b.state != first.state) {
		free(b.state);
		free(b.work);
	}
	if (b.found != first.found)
		free(b.found);
	if (!ok) {
		cu_program_destroy(b.p);
		return NULL;
	}
	b.p->level = level;
	b.p->kernels = b.level;
	cu_program_find_sgprs(b.p);
	trim(b.p);
	cu_program_unwritten(b.p, NULL);
	return b.p;
}

void cu_program_place(struct cu_program *p, uint64_t address)
{
	p->address = address;
}

void cu_program_destroy(struct cu_program *p)
{
	if (!p)
		return;
	if (p->runner)
		p->runner->detach(p);
	free(p->code);
	free(p->reached);
	free(p->index);
	free(p->insts);
	free(p->recs);
	free(p->blank);
	free(p->moded);
	free(p->pool);
	free(p);
}

/* The records of another MODE differ in handlers only. */
const struct cu_rec *cu_program_moded(const struct cu_program *program)
{
	struct cu_program *p = (struct cu_program *)(uintptr_t)program;
	const struct cu_level_ops *level = p->kernels;
	struct cu_rec *made = atomic_load(&p->moded), *none = NULL;
	size_t bytes = 2 * (size_t)p->count * sizeof(*made);
	if (made || !(made = aligned_alloc(64, bytes)))
		return made;
	memcpy(made, p->recs, bytes);
	for (uint32_t i = 0; i < 2 * p->count; i++) {
		struct cu_rec *r = &made[i];
		if (r->fn == level->exec_write || r->fn == level->special || r->fn == level->valu_indexed ||
			r->fn == level->unsupported)
			continue; /* they heed MODE */
		if (r->op->cls == CU_CLASS_VALU)
			r->fn = level->valu_moded;
		else if (r->op->moded)
			r->fn = r->op->moded;
	}
	if (atomic_compare_exchange_strong(&p->moded, &none, made))
		return made;
	free(made);
	return none;
}

uint32_t cu_rec_index(const struct cu_rec *r)
{
	const struct cu_program *p = r->pool->program;
	uintptr_t in = (uintptr_t)r - (uintptr_t)p->recs;
	const struct cu_rec *base = in < 2 * (size_t)p->count * sizeof(*r) ? p->recs : p->moded;
	return (uint32_t)(r - base) - (r->full ? p->count : 0);
}

bool cu_program_matches(const struct cu_program *p, const uint32_t *code)
{
	for (uint32_t i = 0; i < p->dwords; i++)
		if (p->reached[i / 32] >> i % 32 & 1 && p->code[i] != code[i])
			return false;
	return true;
}

/* --- waves --- */

static inline void set_up(struct cu_wave *w, unsigned rows, uint64_t exec, struct cu_exports *exports)
{
	w->exports = exports;
	w->inputs = CU_VGPRS;
	cu_wave_begin(w, rows, exec);
	w->mode = CU_MODE_PLAIN;
	w->lds = NULL;
	w->lds_bytes = 0;
	w->scratch = NULL;
	w->scratch_bytes = 0;
	w->gs = NULL;
	w->abort = NULL;
	w->border_colors = 0;
	w->journal = NULL;
	w->gds = NULL;
	w->gds_bytes = 0;
	w->memory = NULL;
	w->budget = 0;
	w->tex = NULL;
	w->many = NULL;
}

void cu_wave_init(struct cu_wave *w, uint64_t exec, struct cu_exports *exports)
{
	set_up(w, (1u << CU_SGPR_ROWS) - 1, exec, exports);
}

__attribute__((target("avx2")))
void cu_wave_init_rows(struct cu_wave *w, unsigned rows, uint64_t exec, struct cu_exports *exports)
{
	set_up(w, rows, exec, exports);
}

unsigned cu_blank_rows(const struct cu_program *p, unsigned set)
{
	const uint32_t unset = set < 32 ? p->initial >> set << set : 0;
	return p->sgpr_rows | !!(unset & 0xffff) | !!(unset >> 16) << 1;
}

/* VGPRs 64 k to 64 k + 63 that matter: where nobody sets them, and in any case. */
static void fresh_word(const struct cu_unwritten *u, enum cu_lanes_set set, unsigned k, uint64_t *inputs, uint64_t *always)
{
	*always = (set == CU_SETS_LANES ? u->quad[k] | u->blank[k] : 0) | (set == CU_SETS_ALL ? 0 : u->off[k]);
	*inputs = (u->on[k] | (set == CU_SETS_QUADS ? u->quad[k] : 0)) & ~*always;
}

static void add_fresh(struct cu_fresh *f, unsigned k, uint64_t word)
{
	for (; word && f->count < CU_FRESH_MANY; word &= word - 1, f->count++)
		if (f->count < CU_FRESH_LIST)
			f->vgpr[f->count] = (uint8_t)(64 * k + (unsigned)__builtin_ctzll(word));
}

static void list_fresh(struct cu_program *p, enum cu_lanes_set set)
{
	struct cu_fresh *f = &p->fresh[set];
	uint64_t inputs[CU_VGPRS / 64], always[CU_VGPRS / 64];
	f->count = 0;
	for (unsigned k = 0; k < CU_VGPRS / 64; k++) {
		fresh_word(&p->unwritten, set, k, &inputs[k], &always[k]);
		add_fresh(f, k, inputs[k]);
	}
	f->inputs = f->count;
	for (unsigned k = 0; k < CU_VGPRS / 64; k++)
		add_fresh(f, k, always[k]);
}

void cu_program_unwritten(struct cu_program *p, const struct cu_unwritten *u)
{
	free(p->blank);
	p->blank = NULL;
	for (unsigned k = 0; k < CU_VGPRS / 64 && u && !p->blank; k++)
		if (u->blank[k] && !(p->blank = cu_program_find_blank(p)))
			u = NULL; /* no memory */
	if (u)
		p->unwritten = *u;
	else
		memset(&p->unwritten, 0xff, sizeof(p->unwritten));
	for (enum cu_lanes_set set = 0; set < CU_LANES_SET; set++)
		if (u)
			list_fresh(p, set);
		else
			p->fresh[set].count = CU_FRESH_MANY; /* no list */
}

void cu_fresh_list(struct cu_fresh_list *l, const struct cu_program *p, unsigned inputs, enum cu_lanes_set set)
{
	const struct cu_fresh *f = &p->fresh[set];
	_Static_assert(CU_FRESH_LIST <= sizeof l->vgpr, "a program's list fits");
	l->count = CU_FRESH_UNLISTED;
	if (f->count == CU_FRESH_MANY)
		return;
	l->count = 0;
	for (uint32_t i = 0; i < f->count; i++)
		if (i >= f->inputs || f->vgpr[i] >= inputs)
			l->vgpr[l->count++] = f->vgpr[i];
}

__attribute__((cold, noinline))
static void poison_registers(struct cu_wave *w, uint32_t poison)
{
	uint64_t exec = cu_exec(w);
	cu_fresh_fill(w->vgpr, sizeof w->vgpr, poison);
	cu_fresh_fill(w->sgpr, sizeof w->sgpr, poison);
	cu_set_exec(w, exec);
	w->scc = 1;
	if (w->exports)
		cu_fresh_fill(w->exports->data, sizeof w->exports->data, poison);
}

__attribute__((target("avx2")))
static void clear_many(struct cu_wave *w, const struct cu_program *p, unsigned inputs, enum cu_lanes_set set)
{
	for (unsigned v = 0; v < CU_VGPRS; v++) {
		uint64_t unless_set, always;
		fresh_word(&p->unwritten, set, v / 64, &unless_set, &always);
		if ((always | (v < inputs ? 0 : unless_set)) >> v % 64 & 1)
			cu_clear(w->vgpr[v], CU_LANES);
	}
}

__attribute__((target("avx2")))
void cu_wave_fresh(struct cu_wave *w, const struct cu_program *p, unsigned inputs, enum cu_lanes_set set,
	uint32_t poison)
{
	if (cu_exec(w) == ~0ull)
		set = CU_SETS_ALL;
	const struct cu_fresh *f = &p->fresh[set];
	w->inputs = (uint16_t)inputs;
	if (poison) {
		poison_registers(w, poison);
		return;
	}
	if (f->count == CU_FRESH_MANY) {
		clear_many(w, p, inputs, set);
		return;
	}
	for (uint32_t i = 0; i < f->count; i++)
		if (i >= f->inputs || f->vgpr[i] >= inputs)
			cu_clear(w->vgpr[f->vgpr[i]], CU_LANES);
}

bool cu_wave_step(const struct cu_program *p, struct cu_wave *w, enum cu_status *status)
{
	return p->kernels->step(p, w, status);
}

enum cu_status cu_wave_run(const struct cu_program *p, struct cu_wave *w)
{
	/* Translated code knows one MODE. */
	if (p->runner && !p->traits && cu_mode_is_plain(w->mode))
		return p->runner->run(p, w);
	return p->kernels->run(p, w);
}
