/* SPDX-License-Identifier: MIT */
/* ir_check on functions made by hand: where a value may be read, and that it does
 * not take long over deep nesting. */
#include "compiler/ir/ir.h"
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEPTH = 600, READS = 50000 };

struct made { struct ir_pool *pool; struct ir_func *f; struct ir_builder b; };

static struct made begin(void)
{
	struct made m = { .pool = ir_pool_create() };
	CHECK(m.pool);
	m.f = ir_func_create(m.pool, COMPILER_CS, &m.b);
	return m;
}

static void expect(struct made *m, const char *name, bool good)
{
	char message[200] = "";
	ir_cfg(m->f);
	bool ok = ir_check(m->f, message, sizeof message);
	printf("%s: %s\n", name, ok ? "ok" : message);
	CHECK(ok == good && (ok || strstr(message, "does not dominate")));
	ir_pool_destroy(m->pool);
}

static struct ir_src not_of(struct made *m, struct ir_src s)
{
	return ir_op1(&m->b, IR_INOT, s);
}

/* One value is made in an arm of an if, or deeper, and read in the other, after it or within. */
static void arms(void)
{
	enum { IN_ELSE, DEEP_IN_ELSE, AFTER, BELOW, CASES };
	static const char *const names[] = { "then to else", "deep in then to deep in else", "then to after the if",
		"before to deep in then" };
	for (int i = 0; i < CASES; i++) {
		struct made m = begin();
		struct ir_src yes = ir_bool(&m.b, true), value = ir_const(&m.b, 1);
		struct ir_if *outer = ir_begin_if(&m.b, yes), *inner = NULL;
		if (i == DEEP_IN_ELSE || i == BELOW)
			inner = ir_begin_if(&m.b, yes);
		value = not_of(&m, value);
		if (inner)
			ir_end_if(&m.b, inner);
		ir_begin_else(&m.b, outer);
		inner = i == DEEP_IN_ELSE ? ir_begin_if(&m.b, yes) : NULL;
		if (i == IN_ELSE || i == DEEP_IN_ELSE)
			not_of(&m, value);
		if (inner)
			ir_end_if(&m.b, inner);
		ir_end_if(&m.b, outer);
		if (i == AFTER)
			not_of(&m, value);
		expect(&m, names[i], i == AFTER || i == BELOW);
	}
}

static void loops(void)
{
	struct made m = begin();
	struct ir_loop *loop = ir_begin_loop(&m.b);
	struct ir_src value = ir_const(&m.b, 1);
	ir_begin_cont(&m.b, loop);
	not_of(&m, value);
	ir_end_loop(&m.b, loop);
	not_of(&m, value);
	expect(&m, "body to cont and after the loop", true);

	m = begin();
	loop = ir_begin_loop(&m.b);
	struct ir_src early = not_of(&m, ir_const(&m.b, 1));
	ir_begin_cont(&m.b, loop);
	struct ir_src late = ir_const(&m.b, 2);
	ir_end_loop(&m.b, loop);
	early.inst->src[0] = late;
	expect(&m, "cont to body", false);
}

/* The values of all levels are read at the bottom: a tenth of a second, where climbing
 * up once more for each level would take some ten. */
static void deep(void)
{
	struct made m = begin();
	struct ir_src yes = ir_bool(&m.b, true), value[DEPTH];
	for (int i = 0; i < DEPTH; i++) {
		value[i] = ir_const(&m.b, (uint32_t)i);
		ir_begin_if(&m.b, yes);
	}
	for (int i = 0; i < READS; i++)
		not_of(&m, value[i % DEPTH]);
	clock_t start = clock();
	expect(&m, "deep", true);
	double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	printf("%.2f s\n", seconds);
	CHECK(seconds < 5);
}

int main(void)
{
	arms();
	loops();
	deep();
	return 0;
}
