/* SPDX-License-Identifier: MIT */
/* Selection of memory: descriptors, uniform and storage buffers, push
 * constants, workgroup memory, scratch. */
#include "compiler/gcn/sel.h"

#include <assert.h>
#include <string.h>

#include "isa/abi.h"
#include "isa/resource.h"

enum { MUBUF_MAX_OFFSET = 4095, DS_MAX_OFFSET = 65535, SCRATCH_MAX_OFFSET = 4095, GLOBAL_MAX_OFFSET = 4095,
	SMEM_MAX_OFFSET = (1 << 20) - 1, DESC_BUDGET = 56 };

/* --- descriptors --- */

static mir_opnd set_address(struct sel *s, uint32_t set)
{
	if (set >= ABI_MAX_SETS) {
		sel_fail(s, COMPILER_INVALID, "descriptor set %u does not exist", set);
		set = 0;
	}
	if (s->sets[set] != MIR_NONE)
		return s->sets[set];
	struct mir_inst *before = s->before;
	s->before = s->entry_end;
	struct mir_inst *in = sel_emit(s, GCN_S_LOAD_DWORDX2);
	in->opnd[MIR_DST] = s->sets[set] = sel_new_s(s, 2);
	in->opnd[MIR_SRC0] = s->root;
	in->g.offset = (int32_t)(ABI_ROOT_SETS + 8 * set);
	s->before = before;
	return s->sets[set];
}

static unsigned s_load_op(unsigned dwords)
{
	switch (dwords) {
	case 1: return GCN_S_LOAD_DWORD;
	case 2: return GCN_S_LOAD_DWORDX2;
	case 8: return GCN_S_LOAD_DWORDX8;
	case 16: return GCN_S_LOAD_DWORDX16;
	default: return GCN_S_LOAD_DWORDX4;
	}
}

static mir_opnd s_load(struct sel *s, mir_opnd base, mir_opnd offset, int32_t imm, unsigned dwords)
{
	struct mir_inst *in = sel_emit(s, s_load_op(dwords));
	in->opnd[MIR_DST] = sel_new_s(s, in->dw[MIR_DST]);
	in->opnd[MIR_SRC0] = base;
	in->opnd[MIR_SRC1] = offset;
	in->g.offset = imm;
	return in->opnd[MIR_DST];
}

static bool is_dynamic(const struct compiler_binding *b)
{
	return b->type == COMPILER_DESC_UBO_DYNAMIC || b->type == COMPILER_DESC_SSBO_DYNAMIC;
}

/* V# of so many bytes at `base` plus a constant; to_table: plus what is known when the code is (mir_inst.to_table). */
static mir_opnd raw_descriptor(struct sel *s, mir_opnd base, uint32_t plus, bool to_table, uint32_t bytes)
{
	mir_opnd at = sel_new_s(s, 2), r = sel_new_s(s, 4);
	struct sel_opnd distance = to_table ? (struct sel_opnd){ .op = GCN_SRC_LITERAL, .bank = SEL_B_LITERAL } : sel_inline(s, plus);
	uint32_t v[4];
	isa_raw_v(0, bytes, v);
	struct mir_inst *add = sel_emit(s, GCN_S_ADD_U32);
	add->opnd[MIR_DST] = at;
	add->opnd[MIR_SRC0] = base;
	add->opnd[MIR_SRC1] = distance.op;
	add->g.literal = distance.literal;
	add->to_table = to_table;
	sel_salu_to(s, GCN_S_ADDC_U32, mir_at(at, 1), 2, (struct sel_opnd[]){ sel_s(mir_at(base, 1)), sel_inline(s, v[1]) });
	struct mir_inst *in = sel_emit(s, MIR_COPY);
	in->copies = ir_alloc(s->m->pool, 3 * sizeof *in->copies);
	in->copy_count = 3;
	in->copies[0] = (struct mir_copy){ r, at, 0, 2 };
	for (unsigned d = 2; d < 4; d++) {
		struct sel_opnd o = sel_inline(s, v[d]);
		in->copies[d - 1] = (struct mir_copy){ mir_at(r, d), o.op, o.literal, 1 };
	}
	return r;
}

/* Constant elements are loaded once, before loops; when too many SGPRs would
 * be held, the earlier ones are forgotten and loaded again at their next use. */
static mir_opnd fixed_descriptor(struct sel *s, const struct compiler_binding *b, uint32_t byte, unsigned dwords)
{
	if (s->desc_dwords + dwords > DESC_BUDGET) {
		s->desc_epoch++;
		s->desc_dwords = 0;
	}
	bool dynamic = is_dynamic(b);
	uint64_t key = sel_key(SEL_C_DESC, (dynamic ? ABI_MAX_SETS : b->set) | dwords << 6 | s->desc_epoch << 12, byte);
	mir_opnd found = sel_cache_find(s, key);
	if (found != MIR_NONE)
		return found;
	mir_opnd base = dynamic ? s->root : set_address(s, b->set);
	struct mir_inst *before = s->before;
	/* What a set may not have is loaded where it is used; sums would touch SCC elsewhere. */
	const bool is_inline = b->type == COMPILER_DESC_INLINE;
	bool hoist = s->anchor && !b->variable && !is_inline;
	if (hoist)
		s->before = s->anchor;
	s->desc_dwords += dwords;
	found = is_inline ? raw_descriptor(s, base, byte, false, b->stride) : byte <= SMEM_MAX_OFFSET ? s_load(s, base, MIR_NONE, (int32_t)byte, dwords)
		: s_load(s, base, sel_const_s(s, byte), 0, dwords);
	s->before = before;
	sel_cache_add_at(s, key, found, hoist ? s->anchor_level : s->cache.level);
	return found;
}

static_assert((int)IR_PLACE_ROOT > (int)ABI_MAX_SETS, "no set is the root table");

/* The place of the first lane whose pointer is not null; 0, the null pointer's, without such a lane.
 * Lanes that share an access have one place or none (VariablePointersStorageBuffer). */
static mir_opnd first_place(struct sel *s, struct ir_src index)
{
	struct sel_opnd all = sel_src(s, index);
	mir_opnd first, place, lanes = GCN_SRC_EXEC;
	if (all.bank == SEL_B_V) {
		lanes = sel_valu(s, GCN_V_CMP_NE_U32, MIR_NONE, 2, (struct sel_opnd[]){ sel_inline(s, 0), all });
		first = sel_new_s(s, 1);
		sel_emit2(s, GCN_S_FF1_I32_B64, first, lanes, MIR_NONE);
		place = sel_new_s(s, 1);
		sel_emit2(s, GCN_V_READLANE_B32, place, all.op, first);
	} else {
		place = sel_sgpr(s, index);
	}
	mir_opnd r = sel_new_s(s, 1);
	sel_scmp(s, GCN_S_CMP_LG_U64, sel_s(lanes), sel_inline(s, 0));
	sel_emit2(s, GCN_S_CSELECT_B32, r, place, GCN_SRC_0);
	return r;
}

/* desc, or nothing but zeros where `set` is 0. */
static mir_opnd unless_null(struct sel *s, mir_opnd set, mir_opnd desc, unsigned dwords)
{
	mir_opnd r = sel_new_s(s, dwords), half[2] = { dwords > 1 ? sel_new_s(s, 2) : r, MIR_NONE };
	sel_scmp(s, GCN_S_CMP_EQ_U32, sel_s(set), sel_inline(s, 0));
	sel_emit2(s, dwords > 1 ? GCN_S_CSELECT_B64 : GCN_S_CSELECT_B32, half[0], GCN_SRC_0, desc);
	if (dwords == 1)
		return r;
	half[1] = sel_new_s(s, 2);
	sel_emit2(s, GCN_S_CSELECT_B64, half[1], GCN_SRC_0, mir_at(desc, 2));
	struct mir_inst *in = sel_emit(s, MIR_COPY);
	in->copies = ir_alloc(s->m->pool, 2 * sizeof *in->copies);
	in->copy_count = 2;
	in->copies[0] = (struct mir_copy){ r, half[0], 0, 2 };
	in->copies[1] = (struct mir_copy){ mir_at(r, 2), half[1], 0, 2 };
	return r;
}

/* At the place that ir_binding_of_place says.  Dwords 1 or 4.  Behind a null pointer, which lanes
 * may have that do not use it, nothing is written and zeros are read. */
static mir_opnd placed_descriptor(struct sel *s, struct ir_src index, unsigned at, unsigned dwords)
{
	struct sel_opnd o[2] = { sel_s(first_place(s, index)), sel_inline(s, IR_PLACE_SHIFT) };
	mir_opnd set = sel_salu(s, GCN_S_LSHR_B32, 1, 2, o);
	o[1] = sel_inline(s, (1u << IR_PLACE_SHIFT) - 1);
	mir_opnd byte = sel_salu(s, GCN_S_AND_B32, 1, 2, o);
	o[0] = sel_s(byte);
	o[1] = sel_inline(s, at);
	if (at)
		byte = sel_salu(s, GCN_S_ADD_I32, 1, 2, o);
	o[0] = sel_s(set);
	o[1] = sel_inline(s, 3);
	o[0] = sel_s(sel_salu(s, GCN_S_LSHL_B32, 1, 2, o));
	o[1] = sel_inline(s, ABI_ROOT_SETS - 8);
	mir_opnd address = s_load(s, s->root, sel_salu(s, GCN_S_ADD_I32, 1, 2, o), 0, 2), base[2] = { sel_new_s(s, 2), 0 };
	base[1] = sel_new_s(s, 2);
	sel_scmp(s, GCN_S_CMP_EQ_U32, sel_s(set), sel_inline(s, IR_PLACE_ROOT));
	sel_emit2(s, GCN_S_CSELECT_B64, base[0], s->root, address);
	sel_scmp(s, GCN_S_CMP_EQ_U32, sel_s(set), sel_inline(s, 0));
	sel_emit2(s, GCN_S_CSELECT_B64, base[1], s->root, base[0]);
	return unless_null(s, set, s_load(s, base[1], byte, 0, dwords), dwords);
}

/* V# of the table behind the program. */
static mir_opnd table_descriptor(struct sel *s)
{
	const uint32_t dwords = s->f->table_dwords;
	if (s->table != MIR_NONE)
		return s->table;
	uint32_t *table = ir_alloc(s->m->pool, dwords * sizeof *table);
	if (!ir_pool_failed(s->m->pool))
		memcpy(table, s->f->table, dwords * sizeof *table);
	s->m->table = table;
	s->out->table_dwords = dwords;
	struct mir_inst *before = s->before;
	s->before = s->entry_end;
	mir_opnd here = sel_new_s(s, 2);
	sel_emit(s, GCN_S_GETPC_B64)->opnd[MIR_DST] = here;
	s->table = raw_descriptor(s, here, 0, true, 4 * dwords);
	s->before = before;
	return s->table;
}

mir_opnd sel_descriptor(struct sel *s, const struct compiler_binding *b, struct ir_src index, unsigned at, unsigned dwords)
{
	if (b == &ir_binding_of_table)
		return table_descriptor(s);
	if (b == &ir_binding_of_place)
		return placed_descriptor(s, index, at, dwords);
	if (b->type == COMPILER_DESC_INLINE)
		return fixed_descriptor(s, b, b->offset, dwords);
	bool dynamic = is_dynamic(b);
	uint32_t stride = dynamic ? ABI_DESC_BUFFER_BYTES : b->stride;
	uint32_t first = at + (dynamic ? ABI_ROOT_DYNAMIC + ABI_DESC_BUFFER_BYTES * b->dynamic : b->offset), i;
	uint32_t last = b->count ? b->count - 1 : 0;
	if (sel_const(index, &i))
		return fixed_descriptor(s, b, first + stride * (i < last ? i : last), dwords);
	/* An index out of range is undefined, but must not read foreign memory. */
	mir_opnd base = dynamic ? s->root : set_address(s, b->set);
	struct sel_opnd o[2] = { sel_s(sel_sgpr(s, index)), sel_inline(s, last) };
	o[0] = sel_s(sel_salu(s, GCN_S_MIN_U32, 1, 2, o));
	o[1] = sel_inline(s, stride);
	o[0] = sel_s(sel_salu(s, GCN_S_MUL_I32, 1, 2, o));
	o[1] = sel_inline(s, first);
	return s_load(s, base, sel_salu(s, GCN_S_ADD_I32, 1, 2, o), 0, dwords);
}

/* --- offsets --- */

/* base + imm with imm at most max, when the offset is such a sum.  Buffer and
 * scratch addresses are 32-bit sums that wrap, as the IR's. */
static struct ir_src split_offset(struct ir_src v, uint32_t max, uint32_t *imm)
{
	uint32_t c;
	*imm = 0;
	if (v.inst->op == IR_IADD && sel_const(v.inst->src[1], &c) && c <= max) {
		*imm = c;
		return v.inst->src[0];
	}
	return v;
}

/* Address part of a MUBUF instruction: offset in a VGPR, the immediate, or both. */
static void buffer_offset(struct sel *s, struct mir_inst *in, struct ir_src offset)
{
	uint32_t imm;
	in->opnd[MIR_SRC2] = GCN_SRC_0;
	if (sel_const(offset, &imm) && imm <= MUBUF_MAX_OFFSET) {
		in->g.offset = (int32_t)imm;
		in->dw[MIR_SRC0] = 0;
		return;
	}
	struct ir_src base = split_offset(offset, MUBUF_MAX_OFFSET, &imm);
	in->g.offset = (int32_t)imm;
	in->g.offen = 1;
	in->opnd[MIR_SRC0] = sel_vgpr(s, base);
}

/* Operands are selected before the instruction is put into its block. */
static struct mir_inst *detached(struct sel *s, unsigned op)
{
	return mir_inst_new(s->m, op);
}

static void attach(struct sel *s, struct mir_inst *in)
{
	if (s->before)
		mir_insert_before(s->before, in);
	else
		mir_append(s->cur, in);
}

static struct mir_inst *buffer_access(struct sel *s, unsigned op, const struct ir_inst *in)
{
	struct mir_inst *access = detached(s, op);
	access->opnd[MIR_SRC1] = sel_descriptor(s, in->u.mem.binding, in->src[0], 0, 4);
	buffer_offset(s, access, in->src[1]);
	access->g.glc = in->u.mem.coherent;
	return access;
}

/* --- what moves --- */

enum { MOVE_BYTE, MOVE_SHORT, MOVE_DWORDS }; /* MOVE_DWORDS + dwords - 1: index of a list of operations */

/* A component of 8 or 16 bits moves by itself, others as dwords (see ir_check.c). */
static unsigned move_of(unsigned bits, unsigned comps)
{
	return bits == 8 ? MOVE_BYTE : bits == 16 ? MOVE_SHORT : MOVE_DWORDS + comps * bits / 32 - 1;
}
static unsigned load_of(const struct ir_inst *in) { return move_of(in->bits, in->comps); }
/* The data are the sources from `first` on. */
static unsigned store_of(const struct ir_inst *in, unsigned first)
{
	return move_of(in->src[first].inst->bits, in->srcs - first);
}
static unsigned load_dwords(const struct ir_inst *in) { return in->comps * sel_dwords(in); }

/* --- loads --- */

static void load_buffer(struct sel *s, struct ir_inst *in)
{
	static const uint16_t ops[] = { GCN_BUFFER_LOAD_UBYTE, GCN_BUFFER_LOAD_USHORT, GCN_BUFFER_LOAD_DWORD,
		GCN_BUFFER_LOAD_DWORDX2, GCN_BUFFER_LOAD_DWORDX3, GCN_BUFFER_LOAD_DWORDX4 };
	struct mir_inst *load = buffer_access(s, ops[load_of(in)], in);
	load->opnd[MIR_DST] = sel_new_v(s, load_dwords(in));
	attach(s, load);
	sel_set_all(s, in, load->opnd[MIR_DST]);
}

static void load_ubo(struct sel *s, struct ir_inst *in)
{
	static const uint16_t ops[] = { GCN_S_BUFFER_LOAD_DWORD, GCN_S_BUFFER_LOAD_DWORDX2, GCN_S_BUFFER_LOAD_DWORDX4,
		GCN_S_BUFFER_LOAD_DWORDX4 };
	if (sel_value(in)->kind == SEL_VGPR) {
		load_buffer(s, in);
		return;
	}
	uint32_t imm;
	mir_opnd desc = sel_descriptor(s, in->u.mem.binding, in->src[0], 0, 4), offset = MIR_NONE;
	if (!sel_const(in->src[1], &imm) || imm > SMEM_MAX_OFFSET) {
		offset = sel_sgpr(s, in->src[1]);
		imm = 0;
	}
	struct mir_inst *load = sel_emit(s, ops[load_dwords(in) - 1]);
	load->opnd[MIR_DST] = sel_new_s(s, load->dw[MIR_DST]);
	load->opnd[MIR_SRC0] = desc;
	load->opnd[MIR_SRC1] = offset;
	load->g.offset = (int32_t)imm;
	sel_set_all(s, in, load->opnd[MIR_DST]);
}

/* An offset past the block is undefined, but must stay inside the root table. */
static void load_push(struct sel *s, struct ir_inst *in)
{
	uint32_t imm, dwords = load_dwords(in), max = ABI_PUSH_BYTES - in->comps * in->bits / 8u;
	if (in->bits >= 32 && sel_const(in->src[0], &imm)) {
		sel_set_all(s, in, s_load(s, s->root, MIR_NONE, (int32_t)(imm < max ? imm : max), dwords));
		return;
	}
	struct sel_opnd o[2] = { sel_inline(s, max), sel_src(s, in->src[0]) };
	if (sel_value(in)->kind == SEL_SGPR) {
		o[1] = sel_s(sel_sgpr(s, in->src[0]));
		sel_set_all(s, in, s_load(s, s->root, sel_salu(s, GCN_S_MIN_U32, 1, 2, o), 0, dwords));
		return;
	}
	static const uint16_t ops[] = { GCN_GLOBAL_LOAD_UBYTE, GCN_GLOBAL_LOAD_USHORT, GCN_GLOBAL_LOAD_DWORD,
		GCN_GLOBAL_LOAD_DWORDX2, GCN_GLOBAL_LOAD_DWORDX3, GCN_GLOBAL_LOAD_DWORDX4 };
	mir_opnd at = sel_valu(s, GCN_V_MIN_U32, MIR_NONE, 2, o);
	struct mir_inst *load = sel_emit(s, ops[load_of(in)]);
	load->opnd[MIR_DST] = sel_new_v(s, dwords);
	load->opnd[MIR_SRC0] = at;
	load->dw[MIR_SRC0] = 1; /* with saddr the address VGPR is a 32-bit offset */
	load->opnd[MIR_SRC2] = s->root;
	sel_set_all(s, in, load->opnd[MIR_DST]);
}

/* --- stores and atomics of storage buffers --- */

mir_opnd sel_live_begin(struct sel *s)
{
	if (s->live == MIR_NONE || s->exec_is_live)
		return MIR_NONE;
	mir_opnd saved = sel_new_s(s, 2);
	sel_emit2(s, GCN_S_AND_SAVEEXEC_B64, saved, s->live, MIR_NONE);
	return saved;
}

void sel_live_end(struct sel *s, mir_opnd saved)
{
	if (saved != MIR_NONE)
		sel_emit2(s, GCN_S_MOV_B64, GCN_SRC_EXEC, saved, MIR_NONE);
}

/* The dwords of n sources, side by side. */
static mir_opnd data_tuple(struct sel *s, const struct ir_inst *in, unsigned first, unsigned n, bool tied)
{
	struct sel_opnd o[4];
	unsigned dwords = sel_dwords(in->src[first].inst);
	for (unsigned i = 0; i < n * dwords; i++)
		o[i] = sel_dword(s, in->src[first + i / dwords], i % dwords);
	return sel_tuple(s, n * dwords, o, tied);
}

static void store_ssbo(struct sel *s, struct ir_inst *in)
{
	static const uint16_t ops[] = { GCN_BUFFER_STORE_BYTE, GCN_BUFFER_STORE_SHORT, GCN_BUFFER_STORE_DWORD,
		GCN_BUFFER_STORE_DWORDX2, GCN_BUFFER_STORE_DWORDX3, GCN_BUFFER_STORE_DWORDX4 };
	struct mir_inst *store = buffer_access(s, ops[store_of(in, 2)], in);
	store->opnd[MIR_DST] = data_tuple(s, in, 2, in->srcs - 2u, false);
	mir_opnd saved = sel_live_begin(s);
	attach(s, store);
	sel_live_end(s, saved);
}

/* Data of an atomic: the new value, for a compare-and-swap then the comparator. */
static mir_opnd atomic_data(struct sel *s, const struct ir_inst *in, unsigned first, unsigned n)
{
	if (first < in->srcs)
		return data_tuple(s, in, first, n, true);
	struct sel_opnd all = sel_inline(s, ~0u); /* increment and decrement without a limit */
	return sel_tuple(s, 1, &all, true);
}

/* What a row says of 32 bits, of 64 as well. */
#define ATOMICS(unit) \
	[IR_ATOMIC_ADD] = { GCN_##unit##_ADD, GCN_##unit##_ADD_X2 }, [IR_ATOMIC_SUB] = { GCN_##unit##_SUB, GCN_##unit##_SUB_X2 }, \
	[IR_ATOMIC_SMIN] = { GCN_##unit##_SMIN, GCN_##unit##_SMIN_X2 }, \
	[IR_ATOMIC_UMIN] = { GCN_##unit##_UMIN, GCN_##unit##_UMIN_X2 }, \
	[IR_ATOMIC_SMAX] = { GCN_##unit##_SMAX, GCN_##unit##_SMAX_X2 }, \
	[IR_ATOMIC_UMAX] = { GCN_##unit##_UMAX, GCN_##unit##_UMAX_X2 }, \
	[IR_ATOMIC_AND] = { GCN_##unit##_AND, GCN_##unit##_AND_X2 }, [IR_ATOMIC_OR] = { GCN_##unit##_OR, GCN_##unit##_OR_X2 }, \
	[IR_ATOMIC_XOR] = { GCN_##unit##_XOR, GCN_##unit##_XOR_X2 }, \
	[IR_ATOMIC_SWAP] = { GCN_##unit##_SWAP, GCN_##unit##_SWAP_X2 }, \
	[IR_ATOMIC_CMPSWAP] = { GCN_##unit##_CMPSWAP, GCN_##unit##_CMPSWAP_X2 }, \
	[IR_ATOMIC_INC] = { GCN_##unit##_INC, GCN_##unit##_INC_X2 }, [IR_ATOMIC_DEC] = { GCN_##unit##_DEC, GCN_##unit##_DEC_X2 }
static const uint16_t buffer_atomics[][2] = { ATOMICS(BUFFER_ATOMIC) }, global_atomics[][2] = { ATOMICS(GLOBAL_ATOMIC) };
#undef ATOMICS

static void atomic_ssbo(struct sel *s, struct ir_inst *in)
{
	bool swap = in->u.mem.atomic == IR_ATOMIC_CMPSWAP;
	struct mir_inst *access = buffer_access(s, buffer_atomics[in->u.mem.atomic][in->bits > 32], in);
	access->opnd[MIR_DST] = atomic_data(s, in, 2, swap ? 2 : 1);
	access->dw[MIR_DST] = (uint8_t)((swap ? 2 : 1) * sel_dwords(in));
	access->g.glc = sel_value(in)->uses > 0;
	mir_opnd saved = sel_live_begin(s);
	attach(s, access);
	sel_live_end(s, saved);
	sel_set(s, in, access->opnd[MIR_DST]);
}

static void ssbo_size(struct sel *s, struct ir_inst *in)
{
	mir_opnd bytes = sel_descriptor(s, in->u.mem.binding, in->src[0], 8, 1); /* NUM_RECORDS */
	sel_set(s, in, sel_value(in)->kind == SEL_VGPR ? sel_to_v(s, sel_s(bytes)) : bytes);
}

/* --- workgroup memory --- */

/* Surely below 2^24: the unit's address and immediate do not wrap. */
static bool is_small(struct ir_src v, unsigned depth)
{
	const struct ir_inst *in = v.inst;
	uint32_t c;
	if (sel_const(v, &c))
		return c < 1u << 16;
	if (depth == 0)
		return false;
	bool by_const = in->srcs == 2 && sel_const(in->src[1], &c);
	switch (in->op) {
	case IR_SYSVAL:
		return in->u.io.mode == IR_SYS_LOCAL_ID || in->u.io.mode == IR_SYS_LANE || in->u.io.mode == IR_SYS_SUBGROUP_ID;
	case IR_IAND: case IR_UMIN: return by_const ? c < 1u << 16 : false;
	case IR_USHR: return by_const && c >= 16 && c < 32;
	case IR_ISHL: return by_const && c <= 8 && is_small(in->src[0], depth - 1);
	case IR_IMUL: return by_const && c <= 256 && is_small(in->src[0], depth - 1);
	case IR_IADD: return is_small(in->src[0], depth - 1) && is_small(in->src[1], depth - 1);
	case IR_B2I: return true;
	default: return false;
	}
}

static void ds_address(struct sel *s, struct ir_src offset, mir_opnd *at, uint32_t *imm)
{
	if (sel_const(offset, imm) && *imm <= DS_MAX_OFFSET)
		*at = sel_const_v(s, 0);
	else
		*at = sel_vgpr(s, is_small(offset, 3) ? split_offset(offset, DS_MAX_OFFSET, imm) : (*imm = 0, offset));
}

/* Dwords that one access from `at` on may take: pairs as two dwords where the
 * alignment is not known, whose offsets count dwords in 8 bits. */
static unsigned ds_chunk(unsigned left, uint32_t imm, uint32_t align)
{
	if (left >= 4 && align % 16 == 0 && imm % 16 == 0 && align)
		return 4;
	if (left >= 2 && imm % 4 == 0 && imm / 4 < 255)
		return 2;
	return 1;
}

static void load_shared(struct sel *s, struct ir_inst *in)
{
	unsigned total = load_dwords(in);
	mir_opnd at, dst = sel_new_v(s, total);
	uint32_t imm;
	ds_address(s, in->src[0], &at, &imm);
	unsigned narrow = in->bits == 8 ? GCN_DS_READ_U8 : GCN_DS_READ_U16;
	if (in->bits < 32)
		sel_emit2(s, narrow, dst, at, MIR_NONE)->g.offset = (int32_t)imm;
	for (unsigned c = 0, n; in->bits >= 32 && c < total; c += n, imm += 4 * n) {
		n = ds_chunk(total - c, imm, in->u.mem.align);
		struct mir_inst *load = sel_emit2(s, n == 4 ? GCN_DS_READ_B128 : n == 2 ? GCN_DS_READ2_B32 : GCN_DS_READ_B32,
			mir_at(dst, c), at, MIR_NONE);
		load->g.offset = (int32_t)(n == 2 ? (imm / 4) | (imm / 4 + 1) << 8 : imm);
	}
	sel_set_all(s, in, dst);
}

static void store_shared(struct sel *s, struct ir_inst *in)
{
	mir_opnd at;
	uint32_t imm;
	unsigned bits = in->src[1].inst->bits, dwords = sel_dwords(in->src[1].inst), total = (in->srcs - 1u) * dwords;
	ds_address(s, in->src[0], &at, &imm);
	unsigned narrow = bits == 8 ? GCN_DS_WRITE_B8 : GCN_DS_WRITE_B16;
	if (bits < 32)
		sel_emit2(s, narrow, MIR_NONE, at, sel_vgpr(s, in->src[1]))->g.offset = (int32_t)imm;
	for (unsigned c = 0, n; bits >= 32 && c < total; c += n, imm += 4 * n) {
		n = ds_chunk(total - c, imm, in->u.mem.align);
		struct sel_opnd o[4];
		for (unsigned i = 0; i < n; i++)
			o[i] = sel_dword(s, in->src[1 + (c + i) / dwords], (c + i) % dwords);
		mir_opnd data = n == 4 ? sel_tuple(s, 4, o, false) : sel_to_v(s, o[0]);
		mir_opnd data1 = n == 2 ? sel_to_v(s, o[1]) : MIR_NONE;
		struct mir_inst *store = sel_emit2(s, n == 4 ? GCN_DS_WRITE_B128 : n == 2 ? GCN_DS_WRITE2_B32 : GCN_DS_WRITE_B32,
			MIR_NONE, at, data);
		store->opnd[MIR_SRC2] = data1;
		store->g.offset = (int32_t)(n == 2 ? (imm / 4) | (imm / 4 + 1) << 8 : imm);
	}
}

static void atomic_shared(struct sel *s, struct ir_inst *in)
{
	static const uint16_t ops[][2] = {
		[IR_ATOMIC_ADD] = { GCN_DS_ADD_RTN_U32, GCN_DS_ADD_RTN_U64 }, [IR_ATOMIC_SUB] = { GCN_DS_SUB_RTN_U32, GCN_DS_SUB_RTN_U64 },
		[IR_ATOMIC_SMIN] = { GCN_DS_MIN_RTN_I32, GCN_DS_MIN_RTN_I64 }, [IR_ATOMIC_UMIN] = { GCN_DS_MIN_RTN_U32, GCN_DS_MIN_RTN_U64 },
		[IR_ATOMIC_SMAX] = { GCN_DS_MAX_RTN_I32, GCN_DS_MAX_RTN_I64 }, [IR_ATOMIC_UMAX] = { GCN_DS_MAX_RTN_U32, GCN_DS_MAX_RTN_U64 },
		[IR_ATOMIC_AND] = { GCN_DS_AND_RTN_B32, GCN_DS_AND_RTN_B64 }, [IR_ATOMIC_OR] = { GCN_DS_OR_RTN_B32, GCN_DS_OR_RTN_B64 },
		[IR_ATOMIC_XOR] = { GCN_DS_XOR_RTN_B32, GCN_DS_XOR_RTN_B64 },
		[IR_ATOMIC_SWAP] = { GCN_DS_WRXCHG_RTN_B32, GCN_DS_WRXCHG_RTN_B64 },
		[IR_ATOMIC_CMPSWAP] = { GCN_DS_CMPST_RTN_B32, GCN_DS_CMPST_RTN_B64 },
		[IR_ATOMIC_INC] = { GCN_DS_INC_RTN_U32, GCN_DS_INC_RTN_U64 }, [IR_ATOMIC_DEC] = { GCN_DS_DEC_RTN_U32, GCN_DS_DEC_RTN_U64 },
		[IR_ATOMIC_FADD] = { GCN_DS_ADD_RTN_F32 } };
	mir_opnd at;
	uint32_t imm;
	bool swap = in->u.mem.atomic == IR_ATOMIC_CMPSWAP;
	ds_address(s, in->src[0], &at, &imm);
	mir_opnd data = in->srcs > 1 ? data_tuple(s, in, 1, 1, false) : sel_const_v(s, ~0u);
	/* ds_cmpst takes the comparator first, then the new value. */
	mir_opnd first = swap ? data_tuple(s, in, 2, 1, false) : data;
	struct mir_inst *access = sel_emit2(s, ops[in->u.mem.atomic][in->bits > 32], sel_new_v(s, sel_dwords(in)), at, first);
	if (swap)
		access->opnd[MIR_SRC2] = data;
	access->g.offset = (int32_t)imm;
	sel_set(s, in, access->opnd[MIR_DST]);
}

/* --- scratch --- */

/* One of address VGPR and address SGPR. */
static void scratch_address(struct sel *s, struct mir_inst *in, struct ir_src offset)
{
	uint32_t imm;
	if (sel_const(offset, &imm)) {
		in->opnd[MIR_SRC2] = sel_const_s(s, imm & ~(uint32_t)SCRATCH_MAX_OFFSET);
		in->g.offset = (int32_t)(imm & SCRATCH_MAX_OFFSET);
		return;
	}
	struct sel_opnd base = sel_src(s, split_offset(offset, SCRATCH_MAX_OFFSET, &imm));
	in->g.offset = (int32_t)imm;
	in->opnd[base.bank == SEL_B_S ? MIR_SRC2 : MIR_SRC0] = base.bank == SEL_B_S ? base.op : sel_to_v(s, base);
}

static void load_scratch(struct sel *s, struct ir_inst *in)
{
	static const uint16_t ops[] = { GCN_SCRATCH_LOAD_UBYTE, GCN_SCRATCH_LOAD_USHORT, GCN_SCRATCH_LOAD_DWORD,
		GCN_SCRATCH_LOAD_DWORDX2, GCN_SCRATCH_LOAD_DWORDX3, GCN_SCRATCH_LOAD_DWORDX4 };
	struct mir_inst *load = detached(s, ops[load_of(in)]);
	scratch_address(s, load, in->src[0]);
	load->opnd[MIR_DST] = sel_new_v(s, load_dwords(in));
	attach(s, load);
	sel_set_all(s, in, load->opnd[MIR_DST]);
}

static void store_scratch(struct sel *s, struct ir_inst *in)
{
	static const uint16_t ops[] = { GCN_SCRATCH_STORE_BYTE, GCN_SCRATCH_STORE_SHORT, GCN_SCRATCH_STORE_DWORD,
		GCN_SCRATCH_STORE_DWORDX2, GCN_SCRATCH_STORE_DWORDX3, GCN_SCRATCH_STORE_DWORDX4 };
	struct mir_inst *store = detached(s, ops[store_of(in, 1)]);
	scratch_address(s, store, in->src[0]);
	store->opnd[MIR_SRC1] = data_tuple(s, in, 1, in->srcs - 1u, false);
	attach(s, store);
}

/* --- addresses --- */

/* The address: one of SGPRs with an offset of 32 bits in a VGPR, or their sum; and the
 * immediate, which the sum of 64 bits has room for. */
static void global_address(struct sel *s, struct mir_inst *in, const struct ir_inst *ir)
{
	struct sel_opnd low = sel_dword(s, ir->src[0], 0);
	uint32_t imm;
	bool known = sel_const(ir->src[1], &imm);
	struct ir_src offset = ir->src[1];
	if (known && imm <= GLOBAL_MAX_OFFSET) {
		in->g.offset = (int32_t)imm;
		imm = 0;
	} else if (!known && is_small(offset, 3)) { /* no sum of 32 bits that wraps */
		offset = split_offset(offset, GLOBAL_MAX_OFFSET, &imm);
		in->g.offset = (int32_t)imm;
	}
	if (low.bank == SEL_B_S) {
		in->opnd[MIR_SRC0] = known ? sel_const_v(s, imm) : sel_vgpr(s, offset);
		in->dw[MIR_SRC0] = 1; /* with saddr the address VGPR is a 32-bit offset */
		in->opnd[MIR_SRC2] = low.op;
		return;
	}
	in->opnd[MIR_SRC0] = known && imm == 0 ? sel_wide_pair(s, ir->src[0]) : sel_wide_vector_offset(s, ir->src[0], offset);
}

static struct mir_inst *global_access(struct sel *s, unsigned op, const struct ir_inst *in)
{
	struct mir_inst *access = detached(s, op);
	global_address(s, access, in);
	access->g.glc = in->u.mem.coherent;
	return access;
}

static void load_global(struct sel *s, struct ir_inst *in)
{
	static const uint16_t ops[] = { GCN_GLOBAL_LOAD_UBYTE, GCN_GLOBAL_LOAD_USHORT, GCN_GLOBAL_LOAD_DWORD,
		GCN_GLOBAL_LOAD_DWORDX2, GCN_GLOBAL_LOAD_DWORDX3, GCN_GLOBAL_LOAD_DWORDX4 };
	struct mir_inst *load = global_access(s, ops[load_of(in)], in);
	load->opnd[MIR_DST] = sel_new_v(s, load_dwords(in));
	attach(s, load);
	sel_set_all(s, in, load->opnd[MIR_DST]);
}

static void store_global(struct sel *s, struct ir_inst *in)
{
	static const uint16_t ops[] = { GCN_GLOBAL_STORE_BYTE, GCN_GLOBAL_STORE_SHORT, GCN_GLOBAL_STORE_DWORD,
		GCN_GLOBAL_STORE_DWORDX2, GCN_GLOBAL_STORE_DWORDX3, GCN_GLOBAL_STORE_DWORDX4 };
	struct mir_inst *store = global_access(s, ops[store_of(in, 2)], in);
	store->opnd[MIR_SRC1] = data_tuple(s, in, 2, in->srcs - 2u, false);
	mir_opnd saved = sel_live_begin(s);
	attach(s, store);
	sel_live_end(s, saved);
}

static void atomic_global(struct sel *s, struct ir_inst *in)
{
	bool swap = in->u.mem.atomic == IR_ATOMIC_CMPSWAP, used = sel_value(in)->uses > 0;
	struct mir_inst *access = global_access(s, global_atomics[in->u.mem.atomic][in->bits > 32], in);
	access->opnd[MIR_SRC1] = data_tuple(s, in, 2, swap ? 2 : 1, false);
	access->opnd[MIR_DST] = sel_new_v(s, sel_dwords(in));
	access->g.glc = used;
	if (!used)
		access->dw[MIR_DST] = 0;
	mir_opnd saved = sel_live_begin(s);
	attach(s, access);
	sel_live_end(s, saved);
	sel_set(s, in, access->opnd[MIR_DST]);
	if (!used)
		access->opnd[MIR_DST] = MIR_NONE;
}

void sel_memory(struct sel *s, struct ir_inst *in)
{
	switch (in->op) {
	case IR_LOAD_UBO: load_ubo(s, in); break;
	case IR_LOAD_SSBO: load_buffer(s, in); break;
	case IR_STORE_SSBO: store_ssbo(s, in); break;
	case IR_ATOMIC_SSBO: atomic_ssbo(s, in); break;
	case IR_SSBO_SIZE: ssbo_size(s, in); break;
	case IR_LOAD_PUSH: load_push(s, in); break;
	case IR_LOAD_SHARED: load_shared(s, in); break;
	case IR_STORE_SHARED: store_shared(s, in); break;
	case IR_ATOMIC_SHARED: atomic_shared(s, in); break;
	case IR_LOAD_SCRATCH: load_scratch(s, in); break;
	case IR_STORE_SCRATCH: store_scratch(s, in); break;
	case IR_LOAD_GLOBAL: load_global(s, in); break;
	case IR_STORE_GLOBAL: store_global(s, in); break;
	case IR_ATOMIC_GLOBAL: atomic_global(s, in); break;
	default: break;
	}
}
