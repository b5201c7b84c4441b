/* SPDX-License-Identifier: MIT */
/* The compiler's pipeline: SPIR-V in, gfx900 code and register values out. */
#include "compiler/compile.h"

#include "compiler/gcn/back.h"
#include "compiler/gcn/ra.h"
#include "compiler/gcn/sel.h"
#include "compiler/spv/spv.h"

#include <stdlib.h>
#include <string.h>

#include "isa/abi.h"
#include "isa/regs_table.h"

struct job {
	const struct compiler_input *in;
	struct ir_pool *pool;
	struct ir_func *f;
	char *message;
	size_t size;
	unsigned step;
	enum compiler_status status;
};

/* Keeps the first failure, with the message that it left or this one.  What
 * comes of a budget that is used up is told as that. */
static void fail(struct job *j, enum compiler_status status, const char *what)
{
	if (j->status != COMPILER_OK || status == COMPILER_OK)
		return;
	j->status = status;
	if (status == COMPILER_NO_MEMORY && j->pool && ir_pool_failed(j->pool))
		j->status = spv_budget_message(j->in, j->pool->budget, j->message, j->size);
	if (!*j->message)
		snprintf(j->message, j->size, "%s", what);
}

/* Before each pass: what messages call it. */
static void start(struct job *j, const char *pass)
{
	j->pool->budget->pass = pass;
}

/* After each pass: memory, the dump, and with QW_CHECKS the invariants. */
static void passed(struct job *j, const char *pass)
{
	if (j->status != COMPILER_OK)
		return;
	if (ir_pool_failed(j->pool)) {
		fail(j, COMPILER_NO_MEMORY, "out of memory");
		return;
	}
	back_dump_ir(j->in, j->step++, pass, j->f);
#ifndef NDEBUG
	char why[200];
	if (!ir_check(j->f, why, sizeof why)) {
		snprintf(j->message, j->size, "internal: after %s: %s", pass, why);
		fail(j, COMPILER_INVALID, "");
	}
#endif
}

/* Until nothing changes: dce makes nothing that the others could simplify, and cse
 * finds all that there is, so that only folding makes another turn of it worth while. */
static void simplify(struct job *j, const char *pass)
{
	enum { ROUNDS = 4 };
	bool changed = j->status == COMPILER_OK;
	start(j, pass);
	for (int i = 0; changed && i < ROUNDS && !ir_pool_failed(j->pool); i++) {
		changed = ir_pass_fold(j->f);
		if (i > 0 && !changed)
			break;
		changed |= ir_pass_cse(j->f);
		ir_pass_dce(j->f);
	}
	passed(j, pass);
}

/* Ifs that simplify has found to go one way. */
static bool take_branches(struct job *j)
{
	if (j->status != COMPILER_OK)
		return false;
	start(j, "branches");
	if (!ir_pass_branches(j->f))
		return false;
	passed(j, "branches");
	return true;
}

/* Under multiview a draw is recorded once a view; its vertices go to the layer
 * of that number. */
static void store_view_layer(struct ir_func *f)
{
	struct ir_builder b = { .func = f, .block = (struct ir_block *)f->body.last };
	struct ir_inst *view = ir_inst_new(f, IR_SYSVAL, 32, 1, 0), *store = ir_inst_new(f, IR_STORE_OUTPUT, 0, 0, 4);
	view->u.io.mode = IR_SYS_VIEW_INDEX;
	ir_insert(&b, view);
	store->u.io.slot = IR_SLOT_LAYER;
	store->u.io.mask = 1;
	store->src[0] = ir_comp(view, 0);
	for (unsigned c = 1; c < 4; c++)
		store->src[c] = ir_undef(&b, 32);
	ir_insert(&b, store);
}

/* Colours lose the components that options.unseen has. */
static void drop_unseen(struct ir_func *f, uint32_t unseen)
{
	struct ir_block *end = (struct ir_block *)f->body.last; /* where all outputs are stored */
	uint32_t looked = 0;
	for (struct ir_inst *in = end->first; in; in = in->next, looked++) {
		if (in->op != IR_STORE_OUTPUT || in->u.io.slot < IR_SLOT_MRT0 || in->u.io.slot >= IR_SLOT_MRT0_SRC1)
			continue;
		struct ir_builder b = { .func = f, .block = end, .before = in };
		for (unsigned c = 0; c < 4; c++)
			if (in->u.io.mask & 1u << c && unseen >> (4 * (in->u.io.slot - IR_SLOT_MRT0) + c) & 1) {
				in->u.io.mask &= (uint8_t)~(1u << c);
				in->src[c] = ir_undef(&b, 32);
			}
	}
	ir_charge(f->pool, looked);
}

static void middle(struct job *j)
{
	enum { BRANCH_ROUNDS = 4 }; /* what one turn makes constant, the next one takes */
	struct ir_func *f = j->f;
	if (j->in->options.unseen && f->stage == COMPILER_PS)
		drop_unseen(f, j->in->options.unseen);
	if (j->in->options.multiview && ir_stage_has(f, ISA_VERTICES) && !ir_stage_has(f, ISA_SECOND) &&
		!j->in->options.first_half)
		store_view_layer(f);
#define PASS(name) if (j->status == COMPILER_OK) { start(j, #name); ir_pass_##name(f); passed(j, #name); }
	passed(j, "front");
	PASS(bounds)
	PASS(unroll)
	if (!j->in->options.first_half) /* the second half follows a first one's code */
		PASS(tables)
	PASS(lower_vars)
	PASS(ssa)
	simplify(j, "simplify1");
	for (int i = 0; i < BRANCH_ROUNDS && take_branches(j); i++)
		simplify(j, "simplify1");
	PASS(needs)
	PASS(pack)
	PASS(lower_alu)
	simplify(j, "simplify2");
	PASS(divergence)
	PASS(flatten)
	simplify(j, "simplify3");
	PASS(licm)
	PASS(divergence)
	PASS(flatten_masks)
	PASS(lcssa)
	PASS(divergence)
	if (f->stage == COMPILER_PS && !j->in->options.alpha_to_mask)
		PASS(depth_first)
#undef PASS
}

/* What the hardware puts into registers at entry counts as used. */
static void count_registers(const struct mir_func *m, struct compiler_shader *out)
{
	bool merged = out->first_half || isa_stages[out->stage].traits & ISA_SECOND;
	uint32_t v = isa_stages[out->stage].vgprs + out->tidig_comp_cnt, s = out->user_sgprs + 4;
	for (unsigned bit = 0; bit < ISA_PS_INPUTS; bit++)
		v += out->ps_input_ena >> bit & 1 ? isa_ps_input_vgprs[bit] : 0u;
	if (merged) {
		v = ABI_MERGED_VGPRS;
		s += ABI_MERGED_USER;
	}
	out->vgprs = m->vgprs > v ? m->vgprs : v;
	/* VCC, FLAT_SCRATCH and XNACK_MASK are allocated above the others. */
	out->sgprs = (m->sgprs > s ? m->sgprs : s) + 6;
	out->scratch_bytes = m->scratch_bytes;
	out->spilled_vgprs = m->spilled_vgprs;
	out->spilled_sgprs = m->spilled_sgprs;
}

/* Without memory, or with registers that nothing can make room for. */
static void fail_allocation(struct job *j)
{
	char where[240];
	if (ir_pool_failed(j->pool)) {
		fail(j, COMPILER_NO_MEMORY, "out of memory");
		return;
	}
	spv_where(j->in, j->pool->budget->word, where, sizeof where);
	snprintf(j->message, j->size, "%s: register allocation: no room for all values", where);
	fail(j, COMPILER_UNSUPPORTED, "");
}

/* SPIR-V word of a value that finds no room among the spilled ones, 0: not known. */
static uint32_t word_beyond_scratch(const struct mir_func *m)
{
	for (const struct mir_block *b = m->first; b; b = b->next)
		for (const struct mir_inst *in = b->first; in; in = in->next) /* behind a move of the page to VCC */
			if (in->op == GCN_SCRATCH_STORE_DWORD && in->prev && in->prev->op == GCN_S_MOV_B32 &&
				in->prev->g.literal + (uint32_t)in->g.offset >= ABI_MAX_SCRATCH_BYTES)
				return in->word;
	return 0;
}

/* Puts a table behind the program; NULL: there is none. */
static void append(struct job *j, const void *table, uint32_t dwords, struct compiler_shader *out)
{
	if (!table || j->status != COMPILER_OK)
		return;
	uint32_t *code = realloc(out->code, ((size_t)out->code_dwords + dwords) * sizeof *code);
	if (!code) {
		fail(j, COMPILER_NO_MEMORY, "out of memory");
		return;
	}
	memcpy(code + out->code_dwords, table, dwords * sizeof *code);
	out->code = code;
	out->code_dwords += dwords;
}

/* The machine code has a pool of its own: the IR's is emptied when it is selected. */
static void back(struct job *j, struct compiler_shader *out, const struct compile_limits *limits, struct ir_pool *pool)
{
	struct mir_func m;
	start(j, "selection");
	mir_func_init(&m, pool);
	fail(j, sel_run(j->in, j->f, &m, out, j->message, j->size), "out of memory");
	ir_pool_empty(j->pool);
	j->f = NULL;
	if (j->status == COMPILER_OK) {
		mir_dce(&m);
		mir_merge_loads(&m);
		mir_cluster_images(&m);
		mir_edges(&m);
		back_dump_mir(j->in, "selected", &m);
		start(j, "register allocation");
		if (!ra_run(&m, limits->sgprs, limits->vgprs))
			fail_allocation(j);
		if (j->status == COMPILER_OK && m.scratch_bytes > ABI_MAX_SCRATCH_BYTES) {
			ir_pool_refuse_scratch(j->pool, m.scratch_bytes, word_beyond_scratch(&m));
			fail(j, COMPILER_NO_MEMORY, "");
		}
	}
	if (j->status == COMPILER_OK) {
		mir_clean(&m);
		start(j, "waits");
		if (!back_wait(&m))
			fail(j, COMPILER_NO_MEMORY, "out of memory");
		mir_edges(&m);
		back_dump_mir(j->in, "allocated", &m);
		start(j, "encoding");
	}
	if (j->status == COMPILER_OK &&
	    !back_emit(&m, &out->code, &out->code_dwords, &out->instructions, j->message, j->size))
		fail(j, ir_pool_failed(j->pool) ? COMPILER_NO_MEMORY : COMPILER_UNSUPPORTED, "encoding failed");
	if (j->status == COMPILER_OK) {
		count_registers(&m, out);
		back_dump_elf(j->in, out->code, out->code_dwords);
		append(j, m.table, out->table_dwords, out);
		append(j, m.gsvs, out->gsvs_dwords, out);
		append(j, m.captures, out->capture_dwords, out);
	}
	mir_func_finish(&m);
}

static void take_mesh(const struct ir_mesh *m, struct compiler_shader *out)
{
	out->param_count = m->params;
	out->vertex_params = m->vertex_params;
	memcpy(out->param_of_slot, m->param_of_slot, sizeof out->param_of_slot);
	out->pa_cl_vs_out_cntl = m->vs_out_cntl;
	out->mesh_output = m->output;
	out->mesh_cntl = m->cntl;
	out->payload_bytes = m->payload_bytes;
}

static enum compiler_status run(struct job *j, struct compiler_shader *out, const struct compile_limits *limits)
{
	struct ir_pool *machine = NULL;
	const struct ir_mesh mesh = j->f->mesh; /* which the back end does not need */
	memset(out, 0, sizeof *out);
	out->stage = j->in->stage;
	out->float_mode = j->f->float_mode;
	middle(j);
	if (j->status == COMPILER_OK)
		machine = ir_pool_create_part(j->pool);
	if (machine)
		back(j, out, limits, machine);
	if (j->in->stage == COMPILER_MS || j->in->stage == COMPILER_TS)
		take_mesh(&mesh, out);
	ir_pool_destroy(machine);
	if (ir_pool_failed(j->pool))
		fail(j, COMPILER_NO_MEMORY, "out of memory");
	if (j->status != COMPILER_OK)
		compiler_shader_finish(out);
	else if (j->size)
		*j->message = 0;
	return j->status;
}

enum compiler_status compile_ir(const struct compiler_input *in, struct ir_func *f, const struct compile_limits *limits,
	struct compiler_shader *out, char *message, size_t message_size)
{
	struct job j = { .in = in, .pool = f->pool, .f = f, .message = message, .size = message_size };
	if (message_size)
		*message = 0;
	return run(&j, out, limits);
}

enum compiler_status compiler_compile(const struct compiler_input *in, struct compiler_shader *out,
	char *message, size_t message_size)
{
	const struct compile_limits limits = { RA_SGPRS, RA_VGPRS };
	struct job j = { .in = in, .pool = ir_pool_create(), .message = message, .size = message_size };
	memset(out, 0, sizeof *out);
	if (message_size)
		*message = 0;
	if (!j.pool) {
		fail(&j, COMPILER_NO_MEMORY, "out of memory");
		return j.status;
	}
	back_dump_spv(in);
	fail(&j, spv_to_ir(in, j.pool, &j.f, message, message_size), "out of memory");
	if (j.status == COMPILER_OK)
		run(&j, out, &limits);
	ir_pool_destroy(j.pool);
	return j.status;
}

void compiler_shader_finish(struct compiler_shader *shader)
{
	free(shader->code);
	shader->code = NULL;
	shader->code_dwords = 0;
}
