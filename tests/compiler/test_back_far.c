/* SPDX-License-Identifier: MIT */
/* Branches by islands: as many as may cross one place all arrive, and one more is
 * refused.  Written as machine IR: what crosses a place of a shader's code leads to the
 * ends of the ifs and the ends and heads of the loops around it, and those nest less deep. */
#include "compiler/gcn/back.h"
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6135, APART = 40000, NEAR_SPAN = 20479 };

static struct mir_block *place(struct mir_func *m)
{
	struct mir_block *b = mir_block_new(m, 0);
	mir_place(m, b);
	return b;
}

static void fill(struct mir_func *m, struct mir_block *b, unsigned n)
{
	while (n--)
		mir_append(b, mir_inst_new(m, GCN_S_NOP));
}

static void branch(struct mir_func *m, struct mir_block *b, struct mir_block *to)
{
	struct mir_inst *in = mir_inst_new(m, GCN_S_CBRANCH_SCC0);
	in->target = to;
	mir_append(b, in);
}

/* s_movk_i32 s0, n: what the target of branch n does. */
static void mark(struct mir_func *m, struct mir_block *b, unsigned n)
{
	struct mir_inst *in = mir_inst_new(m, GCN_S_MOVK_I32);
	in->opnd[MIR_DST] = 0;
	in->g.offset = (int32_t)n;
	mir_append(b, in);
}

/* n branches to as many targets far below them, and n back up to those above; the
 * branch in the middle of the code between them is a little too short for islands. */
static void write_code(struct mir_func *m, unsigned n, bool back)
{
	struct mir_block **to = calloc(n + 1, sizeof *to);
	CHECK(to);
	for (unsigned i = 0; i <= n; i++)
		to[i] = mir_block_new(m, 0);
	for (unsigned i = 0; i < n && back; i++) {
		mir_place(m, to[i]);
		mark(m, to[i], i);
	}
	struct mir_block *b = place(m);
	for (unsigned i = 0; i < n && !back; i++)
		branch(m, b, to[i]);
	fill(m, b, 4000);
	branch(m, b, to[n]);
	fill(m, b, NEAR_SPAN);
	mir_place(m, to[n]);
	mark(m, to[n], n);
	fill(m, to[n], APART - 4000 - NEAR_SPAN);
	b = place(m);
	for (unsigned i = 0; i < n && back; i++)
		branch(m, b, to[i]);
	for (unsigned i = 0; i < n && !back; i++) {
		mir_place(m, to[i]);
		mark(m, to[i], i);
	}
	mir_append(place(m), mir_inst_new(m, GCN_S_ENDPGM));
	free(to);
}

/* Where the branch at `at` goes, islands included. */
static uint32_t follow(const uint32_t *code, uint32_t dwords, uint32_t at)
{
	struct gcn_inst in;
	for (unsigned hops = 0; hops < 100; hops++) {
		CHECK(at < dwords && gcn_decode(GCN_GFX9, code + at, dwords - at, &in) == 1);
		if (hops && in.op != GCN_S_BRANCH)
			return at;
		at += (uint32_t)(in.offset + 1);
	}
	CHECK(!"an end to the islands");
	return 0;
}

/* The n-th branch arrives at the n-th mark, but for the one in the middle, which is the last. */
static void check_arrivals(const uint32_t *code, uint32_t dwords, unsigned n, bool back)
{
	struct gcn_inst in, there;
	unsigned seen = 0;
	for (uint32_t at = 0; at < dwords; at++) {
		CHECK(gcn_decode(GCN_GFX9, code + at, dwords - at, &in) == 1);
		if (in.op != GCN_S_CBRANCH_SCC0)
			continue;
		uint32_t to = follow(code, dwords, at);
		CHECK(gcn_decode(GCN_GFX9, code + to, dwords - to, &there) == 1 && there.op == GCN_S_MOVK_I32);
		unsigned want = back ? (seen ? seen - 1 : n) : seen;
		CHECK((unsigned)there.offset == want);
		CHECK(want != n || to == at + (uint32_t)(in.offset + 1)); /* by no island */
		seen++;
	}
	CHECK(seen == n + 1);
}

static void check(unsigned n, bool back, bool fits)
{
	struct ir_pool *pool = ir_pool_create();
	struct mir_func m;
	uint32_t *code, dwords, instructions;
	char message[300] = "";
	CHECK(pool);
	mir_func_init(&m, pool);
	m.sgprs = m.vgprs = 32;
	write_code(&m, n, back);
	bool ok = back_emit(&m, &code, &dwords, &instructions, message, sizeof message);
	printf("%u branches %s: %s\n", n, back ? "back" : "ahead", ok ? "all arrive" : message);
	CHECK(ok == fits && !ir_pool_failed(pool));
	if (ok)
		check_arrivals(code, dwords, n, back);
	else
		CHECK(!code && strstr(message, "the shader is too long: more than 6135 far branches cross one place"));
	free(code);
	mir_func_finish(&m);
	ir_pool_destroy(pool);
}

int main(void)
{
	for (int back = 0; back < 2; back++) {
		check(10, back, true);
		check(MOST, back, true);
		check(MOST + 1, back, false);
	}
	return 0;
}
