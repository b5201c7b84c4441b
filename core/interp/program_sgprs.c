/* SPDX-License-Identifier: MIT */
/* What programs make of the SGPRs that their waves begin with. */
#include "core/interp/program_priv.h"

#include "isa/gcn_uses.h"

/* SGPRs, a bit each. */
struct sgprs { uint64_t bits[CU_SGPR_ROWS * CU_SGPR_ROW / 64]; };

/* Spans of them; whatever is read as a descriptor may be one of eight dwords. */
static void add_spans(struct sgprs *s, const struct gcn_span *span, unsigned count, unsigned least)
{
	for (unsigned n = 0; n < count; n++) {
		const unsigned dwords = span[n].dwords > least ? span[n].dwords : least;
		for (unsigned r = span[n].first; r < span[n].first + dwords && r < CU_SGPR_ROW * CU_SGPR_ROWS; r++)
			s->bits[r / 64] |= 1ull << r % 64;
	}
}

/* What p reads of SGPRs as its waves begin with them: of the first 32 each, of others, as far as a descriptor may reach,
 * their rows.  What is written on the way to the first jump, nothing needs to bring along; EXEC every wave has. */
static void find_initial(struct cu_program *p)
{
	enum { DESCRIPTOR = 8 };
	struct sgprs written = { { 0, 3ull << (GCN_SRC_EXEC - 64) } }, missing = { { 0 } };
	bool straight = !(p->traits & CU_PROGRAM_SKIPS);
	for (uint32_t i = 0; i < p->count; i++) {
		struct gcn_uses u;
		struct sgprs read = { { 0 } }, reach = { { 0 } };
		if (gcn_effects(&p->insts[i]) & GCN_ANY_SGPR) {
			p->sgpr_rows = 0xff;
			p->initial = ~0u;
			return;
		}
		gcn_uses(p->gen, &p->insts[i], &u);
		add_spans(&read, u.read, u.reads, 1);
		add_spans(&reach, u.read, u.reads, DESCRIPTOR);
		p->initial |= (uint32_t)(read.bits[0] & ~written.bits[0]);
		for (unsigned k = 0; k < 2; k++)
			missing.bits[k] |= reach.bits[k] & ~written.bits[k];
		straight &= !(p->recs[i].op->flags & (CU_OP_JUMPS | CU_OP_ENDS));
		if (straight && !gcn_writes_maybe(p->insts[i].op))
			add_spans(&written, u.written, u.writes, 1);
	}
	for (unsigned row = 32 / CU_SGPR_ROW; row < CU_SGPR_ROWS; row++)
		p->sgpr_rows |= (uint8_t)(!!(missing.bits[row / 4] >> row % 4 * CU_SGPR_ROW & 0xffff) << row);
}

/* A load that needs nothing but an address in SGPRs, and what it reads first. */
static bool is_first_load(const struct gcn_inst *in, uint32_t initial)
{
	const unsigned base = in->src[0];
	return in->op >= GCN_S_LOAD_DWORD && in->op <= GCN_S_LOAD_DWORDX16 && in->src[1] == GCN_SRC_NONE && base < 31 &&
		(initial >> base & 3) == 3;
}

static bool has_load(const struct cu_program *p, unsigned sgpr, int32_t line)
{
	for (unsigned n = 0; n < p->first_loads; n++)
		if (p->first_load[n].sgpr == sgpr && p->first_load[n].line == line)
			return true;
	return false;
}

/* Of its beginning in the order of the code, one for each line. */
static void find_loads(struct cu_program *p)
{
	enum { LINE = 64, BEGINNING = 64 };
	uint32_t initial = p->initial;
	for (uint32_t i = 0; i < p->count && i < BEGINNING && p->first_loads < CU_FIRST_LOADS; i++) {
		const struct gcn_inst *in = &p->insts[i];
		struct sgprs written = { { 0 } };
		struct gcn_uses u;
		if (is_first_load(in, initial) && !has_load(p, in->src[0], in->offset & -LINE))
			p->first_load[p->first_loads++] = (struct cu_first_load){ (uint8_t)in->src[0], in->offset & -LINE };
		gcn_uses(p->gen, in, &u);
		add_spans(&written, u.written, u.writes, 1);
		initial &= (uint32_t)~written.bits[0];
	}
}

void cu_program_find_sgprs(struct cu_program *p)
{
	find_initial(p);
	find_loads(p);
}

uint32_t cu_program_initial(const struct cu_program *p) { return p->initial; }

void cu_program_foresee(const struct cu_program *p, const uint32_t *user, unsigned count)
{
	for (unsigned n = 0; n < p->first_loads; n++) {
		const struct cu_first_load *l = &p->first_load[n];
		if (l->sgpr + 2u <= count)
			__builtin_prefetch((const void *)(uintptr_t)(((uint64_t)user[l->sgpr + 1] << 32 | user[l->sgpr]) + (uint64_t)(int64_t)l->line));
	}
}
