/* SPDX-License-Identifier: MIT */
/* Programs for the interpreter's tests: assembled from instruction records,
 * run on one wave at a level. */
#ifndef TESTS_CORE_INTERP_HARNESS_H
#define TESTS_CORE_INTERP_HARNESS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/cu.h"
#include "isa/bits.h"
#include "isa/gcn.h"
#include "tests/check.h"


struct code { uint32_t dw[8192]; size_t n; };

enum { V0 = GCN_SRC_VGPR0, NONE = GCN_SRC_NONE, VCC = GCN_SRC_VCC, EXEC = GCN_SRC_EXEC,
	M0 = GCN_SRC_M0, LITERAL = GCN_SRC_LITERAL };
static inline uint16_t V(unsigned n) { return (uint16_t)(V0 + n); }
/* Inline integer -16..64. */
static inline uint16_t K(int n) { return (uint16_t)(n >= 0 ? 128 + n : 192 - n); }

static inline void put(struct code *c, struct gcn_inst *in)
{
	const char *why = "";
	unsigned n = gcn_encode(GCN_GFX9, in, c->dw + c->n, &why);
	if (!n) {
		printf("cannot encode %s: %s\n", gcn_op_info((enum gcn_op)in->op)->name, why);
		exit(1);
	}
	c->n += n;
}
static inline struct gcn_inst inst(enum gcn_op op)
{
	struct gcn_inst in;
	gcn_inst_init(&in, op);
	return in;
}
/* dst, then up to three sources. */
static inline void op3(struct code *c, enum gcn_op op, unsigned dst, unsigned a, unsigned b, unsigned d)
{
	struct gcn_inst in = inst(op);
	in.dst = (uint16_t)dst;
	in.src[0] = (uint16_t)a;
	in.src[1] = (uint16_t)b;
	in.src[2] = (uint16_t)d;
	put(c, &in);
}
static inline void op2(struct code *c, enum gcn_op op, unsigned dst, unsigned a, unsigned b)
{
	op3(c, op, dst, a, b, NONE);
}
static inline void op1(struct code *c, enum gcn_op op, unsigned dst, unsigned a)
{
	op3(c, op, dst, a, NONE, NONE);
}
static inline void lit1(struct code *c, enum gcn_op op, unsigned dst, uint32_t literal)
{
	struct gcn_inst in = inst(op);
	in.dst = (uint16_t)dst;
	in.src[0] = LITERAL;
	in.literal = literal;
	put(c, &in);
}
/* No operands but an immediate. */
static inline void imm(struct code *c, enum gcn_op op, int32_t offset)
{
	struct gcn_inst in = inst(op);
	in.offset = offset;
	put(c, &in);
}
static inline void end(struct code *c)
{
	imm(c, GCN_S_ENDPGM, 0);
}
/* Branch at `at` (one dword) now goes to the end of the code. */
static inline void patch(struct code *c, size_t at)
{
	c->dw[at] = (c->dw[at] & 0xffff0000) | (uint16_t)(c->n - at - 1);
}
static inline struct cu_program *program(enum cu_level level, const struct code *c)
{
	struct cu_error err = { "" };
	struct cu_program *p = cu_program_create(level, c->dw, c->n, &err);
	if (!p) {
		printf("program: %s\n", err.text);
		exit(1);
	}
	return p;
}
static inline struct cu_wave *wave(uint64_t exec)
{
	struct cu_wave *w = aligned_alloc(64, sizeof(*w));
	if (!w)
		exit(1);
	memset(w, 0, sizeof(*w));
	cu_wave_init(w, exec, NULL);
	return w;
}
static inline bool has_level(enum cu_level level)
{
	enum cu_level got;
	const char *why;
	return cu_level_detect(level == CU_LEVEL_V4 ? "v4" : "v3", &got, &why);
}
static inline enum cu_status run(enum cu_level level, const struct code *c, struct cu_wave *w)
{
	struct cu_program *p = program(level, c);
	enum cu_status s = cu_wave_run(p, w);
	if (s == CU_FAULT)
		printf("fault: %s\n", w->error.text);
	cu_program_destroy(p);
	return s;
}
static inline int finish(const char *name)
{
	printf("%s: %s (%d failures)\n", name, failures ? "FAIL" : "ok", failures);
	return failures != 0;
}
/* Deterministic random numbers. */
static inline uint32_t rnd(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 32);
}

#endif
