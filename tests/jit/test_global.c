/* SPDX-License-Identifier: MIT */
/* FLAT and GLOBAL within regions: what is done there and what the handler still does,
 * lane by lane as the interpreter does it. */
#include "isa/abi.h"
#include "tests/jit/jit_harness.h"

enum { DWORDS = 512, S_AT = 20, V_INDEX = 0, V_LO = 2, V_HI = 3, V_RESULT = 8 };

/* Two ranges with a hole between them. */
static _Alignas(4096) uint32_t memory[4 * DWORDS], before[4 * DWORDS], want[4 * DWORDS];
static unsigned handled;
static struct jit_x_forms *forms;
static const struct cu_rec *count(struct cu_wave *w, const struct cu_rec *r)
{
	handled++;
	return r->op->direct(w, r);
}

static void access(struct code *c, enum gcn_op op, bool pair, unsigned data, int offset)
{
	struct gcn_inst in = inst(op);
	in.src[0] = pair ? V(V_INDEX) : V(V_LO);
	in.src[2] = pair ? S_AT : NONE;
	in.offset = offset;
	*(gcn_op_info(op)->flags & GCN_F_STORE ? &in.src[1] : &in.dst) = V(data);
	put(c, &in);
}

struct place { uint64_t exec; int step, from; uint32_t lane, at; bool aperture; };

static void set_up(struct cu_wave *w, const struct place *how, const struct cu_memory *m, struct cu_spans *seen)
{
	uint64_t at = (uintptr_t)memory;
	memcpy(memory, before, sizeof(memory));
	cu_wave_init(w, how->exec, NULL);
	memcpy(&w->sgpr[S_AT], &at, 8);
	for (unsigned l = 0; l < 64; l++) {
		uint32_t index = (uint32_t)(how->from + how->step * (int)l);
		index = l == how->lane ? how->at : index;
		uint64_t a = how->aperture && l % 5 == 0 ? ABI_SHARED_BASE + 4 * l : at + index;
		w->vgpr[V_INDEX][l] = index;
		w->vgpr[V_LO][l] = (uint32_t)a;
		w->vgpr[V_HI][l] = (uint32_t)(a >> 32);
		for (unsigned k = 0; k < 8; k++)
			w->vgpr[V_RESULT + k][l] = 0x1000 * k + l;
	}
	cu_memory_enter(w, m, seen);
}

/* The same code by forms and by Zydis alone, whatever registers it gets. */
static void encode(const struct cu_program *p, struct jit_x_forms *forms, const char *name)
{
	struct cu_error err = { "" };
	for (uint32_t seed = 1; seed < 5; seed++) {
		struct cu_jit_options o = { .seed = seed, .keep_all = seed & 1 }, with = o;
		struct cu_jit_image a, b;
		with.forms = forms;
		CHECK(cu_jit_translate(p, &o, &a, &err) && cu_jit_translate(p, &with, &b, &err), "%s", err.text);
		CHECK(a.bytes == b.bytes && !memcmp(a.code, b.code, a.bytes), "%s, seed %u: other code", name, seed);
		cu_jit_image_free(&a);
		cu_jit_image_free(&b);
	}
}

/* Every access of the code is in a region, also where the CPU cannot run it; of 64 lanes so many strips needed the handler
 * the first time and the second; -1: any. */
static void one(enum cu_level level, const char *name, enum gcn_op op, bool pair, int offset, const struct place *how,
	int first, int second)
{
	static struct cu_wave a, b;
	static uint8_t lds[2][512];
	struct code c = { 0 };
	struct cu_error err = { "" };
	struct cu_jit_options o = { .keep_all = true };
	struct cu_jit_image image;
	struct cu_memory *m = cu_memory_create();
	struct cu_spans seen[2] = { 0 };
	op2(&c, GCN_V_ADD_U32, V(1), V(1), V(1));
	access(&c, op, pair, V_RESULT, offset);
	op2(&c, GCN_V_ADD_U32, V(V_RESULT + 4), V(V_RESULT), V(V_RESULT + 3));
	end(&c);
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	struct cu_program *p = cu_program_create(level, c.dw, c.n, &err);
	CHECK(p && m && cu_memory_add(m, memory, 4 * DWORDS) && cu_memory_add(m, memory + 2 * DWORDS, 4 * DWORDS), "%s", err.text);
	CHECK(cu_jit_translate(p, &o, &image, &err), "%s", err.text);
	encode(p, forms, name);
	CHECK(image.place[1] == CU_JIT_REGION, "%s, level %d: not in a region", name, level);
	for (int turn = 0; turn < 2 && has_level(level); turn++) {
		set_up(&a, how, m, &seen[0]);
		a.lds = lds[0];
		a.lds_bytes = sizeof(lds[0]);
		memset(lds, 7, sizeof(lds));
		enum cu_status expect = cu_wave_run(p, &a);
		memcpy(want, memory, sizeof(want));
		CHECK(cu_jit_attach(p, heap, &image, &err), "%s", err.text);
		set_up(&b, how, m, &seen[1]);
		b.lds = lds[1];
		b.lds_bytes = sizeof(lds[1]);
		struct cu_rec *r = (struct cu_rec *)(uintptr_t)&p->recs[1];
		cu_fn fn = r->fn;
		r->fn = count;
		handled = 0;
		enum cu_status is = cu_wave_run(p, &b);
		r->fn = fn;
		cu_jit_detach(p);
		int allowed = turn ? second : first;
		CHECK(expect == is && !strcmp(a.error.text, b.error.text), "%s, level %d: %d %s, translated %d %s", name, level,
			expect, a.error.text, is, b.error.text);
		CHECK(allowed < 0 || (int)handled == allowed * (level == 4 ? 1 : allowed > 1 ? 2 : 1),
			"%s, level %d, turn %d: %u strips by the handler", name, level, turn, handled);
		CHECK(expect == CU_FAULT || (!memcmp(a.vgpr, b.vgpr, sizeof(a.vgpr)) && !memcmp(want, memory, sizeof(want))
			&& !memcmp(lds[0], lds[1], sizeof(lds[0]))), "%s, level %d: other results", name, level);
	}
	cu_jit_image_free(&image);
	cu_program_destroy(p);
	cu_exec_heap_destroy(heap);
	cu_memory_destroy(m);
}

int main(void)
{
	static const struct { enum gcn_op op; bool pair; } ops[] = {
		{ GCN_GLOBAL_LOAD_DWORD, false }, { GCN_GLOBAL_LOAD_DWORD, true }, { GCN_GLOBAL_LOAD_DWORDX2, false },
		{ GCN_GLOBAL_LOAD_DWORDX3, true }, { GCN_GLOBAL_LOAD_DWORDX4, false }, { GCN_GLOBAL_STORE_DWORD, false },
		{ GCN_GLOBAL_STORE_DWORD, true }, { GCN_GLOBAL_STORE_DWORDX2, true }, { GCN_GLOBAL_STORE_DWORDX3, false },
		{ GCN_GLOBAL_STORE_DWORDX4, true }, { GCN_FLAT_STORE_DWORDX2, false }, { GCN_FLAT_STORE_DWORDX4, false }, { GCN_FLAT_LOAD_DWORD, false }, { GCN_FLAT_LOAD_DWORDX2, false },
		{ GCN_FLAT_LOAD_DWORDX3, false }, { GCN_FLAT_LOAD_DWORDX4, false }, { GCN_FLAT_STORE_DWORD, false },
	};
	enum { NOBODY = 64, HOLE = 4 * DWORDS, OTHER = 8 * DWORDS };
	static const uint64_t full = ~0ull, some = 0x7ffffffffffffffe, few = 0x8000000100010010;
	if (!(forms = jit_x_forms_create()))
		return 1;
	for (unsigned i = 0; i < DWORDS * 4; i++)
		before[i] = i * 2654435761u;
	for (int level = 3; level <= 4; level++)
		for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
			bool flat = gcn_op_info(ops[i].op)->fmt == GCN_FLAT;
			const char *name = gcn_op_info(ops[i].op)->name;
			const uint64_t execs[] = { full, some, few };
			for (int e = 0; e < 3; e++) {
				const struct place cases[] = {
					{ execs[e], 4, 0, NOBODY, 0, false }, { execs[e], 20, 9, NOBODY, 0, false },
					{ execs[e], -8, 600, NOBODY, 0, false }, { execs[e], 0, 16, NOBODY, 0, false },
				};
				for (unsigned k = 0; k < 4; k++) /* the first finds the range */
					one((enum cu_level)level, name, ops[i].op, ops[i].pair, (int)(12 * k), &cases[k], 1, 0);
				/* The last dwords, and what is behind them; lane 60 in the other range. */
				struct place last = { execs[e], 0, 0, 63, HOLE - 4, false };
				one((enum cu_level)level, name, ops[i].op, ops[i].pair, 0, &last, -1, -1);
				last.at = HOLE - 16;
				one((enum cu_level)level, name, ops[i].op, ops[i].pair, 0, &last, 1, 0);
				last.at = HOLE;
				one((enum cu_level)level, name, ops[i].op, ops[i].pair, 0, &last, -1, -1);
				last = (struct place){ execs[e], 4, 0, 60, OTHER, false };
				one((enum cu_level)level, name, ops[i].op, ops[i].pair, 4, &last, -1, -1);
				struct place mixed = { execs[e], 4, 0, NOBODY, 0, true };
				if (flat)
					one((enum cu_level)level, name, ops[i].op, false, 0, &mixed, e == 0 ? 4 : -1, e == 0 ? 4 : -1);
			}
			struct place none = { 0, 4, HOLE, NOBODY, 0, false };
			one((enum cu_level)level, name, ops[i].op, ops[i].pair, 0, &none, 0, 0);
		}
	jit_x_forms_destroy(forms);
	return finish("test_global");
}
