/* SPDX-License-Identifier: MIT */
/* How compiling grows: for each generator time, memory and code at n and 4 n.
 * What grows with an exponent above 1.3 fails, time by the compiler's own count
 * of its work: n may fit into a cache that 4 n does not.  So does what needs more
 * than 256 MiB, unless the compiler refuses it by then with a message that
 * names a function and an instruction.  Sizes at the edge of the budget follow their
 * generator's row: what is refused is refused within 240 MiB and 60 million ticks.
 * Seconds depend on the machine and on what else it does: 10 of them fail, and
 * with --strict, on an idle machine, 2.
 *
 *   growth [--strict] [--table] [--limit SECONDS] [--size N] [NAME ...]
 *     --table  measures and prints, and fails for nothing
 *     --dump   writes NAME-N.spv for each size (or that of --size) instead
 *     --size   one size instead: ms, MiB, dwords, ticks, ticks charged, MiB of the account, message
 *
 * Each size is compiled in a process of its own, whose memory is the peak of
 * its resident set above what it had when the module was written. */
#include "growth.h"
#include "compiler/compile.h"
#include "compiler/gcn/ra.h"
#include "compiler/spv/spv.h"

#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXPONENT 1.3
#define STRICT_SECONDS 2.0
#define MOST_SECONDS 10.0
#define BUDGET_MIB 256.0
#define REFUSAL_MIB 240.0
/* Below these, what does not grow hides what does, or the clock is too coarse. */
#define LEAST_SECONDS 2e-3
#define LEAST_WORK 1e5
#define LEAST_MIB 4.0
enum { ATTEMPTS = 3, RUNS = 5 }; /* where seconds matter: --strict, --table */

struct result {
	enum compiler_status status;
	bool done;                  /* else it took too long, or died */
	double seconds, mib;
	uint64_t work, charged, memory; /* ticks, as they were charged; the account's peak in bytes */
	uint32_t dwords;
	char message[300];
};
struct options { bool strict, table, dump; unsigned limit; uint32_t size; };

static double thread_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void write_module(struct module *m, const struct growth_case *c, uint32_t n)
{
	module_init(m, c->stage);
	module_finish(m, c->write(m, n));
}

/* What compiler_compile does, in its parts, for the account. */
static void compile(const struct module *m, struct ir_pool *pool, struct result *r)
{
	struct compiler_input in = { .stage = m->stage, .words = m->words, .word_count = m->word_count, .entry = "main",
		.bindings = m->bindings, .binding_count = m->binding_count };
	const struct compile_limits limits = { RA_SGPRS, RA_VGPRS };
	struct compiler_shader shader = { 0 };
	struct ir_func *f;
	r->status = spv_to_ir(&in, pool, &f, r->message, sizeof r->message);
	if (r->status == COMPILER_OK)
		r->status = compile_ir(&in, f, &limits, &shader, r->message, sizeof r->message);
	else if (ir_pool_failed(pool))
		r->status = spv_budget_message(&in, pool->budget, r->message, sizeof r->message);
	r->dwords = shader.code_dwords;
	r->work = pool->budget->work;
	r->charged = pool->budget->charged / IR_TICK;
	r->memory = pool->budget->memory_peak;
	compiler_shader_finish(&shader);
}

static void compile_once(const struct module *m, struct result *r)
{
	double begin = thread_seconds();
	struct ir_pool *pool = ir_pool_create();
	if (!pool)
		exit(1);
	compile(m, pool, r);
	ir_pool_destroy(pool);
	double took = thread_seconds() - begin;
	r->seconds = !r->done || took < r->seconds ? took : r->seconds;
	r->done = true;
}

/* Of /proc/self/status, in KiB. */
static double resident(const char *what)
{
	char line[200];
	double kib = 0;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, what, strlen(what)))
			kib = atof(line + strlen(what));
	if (f)
		fclose(f);
	return kib;
}

/* The peak is what there is now; where that is forbidden, it is that of writing too. */
static void reset_peak(void)
{
	malloc_trim(0);
	int fd = open("/proc/self/clear_refs", O_WRONLY);
	if (fd >= 0 && (write(fd, "5", 1) != 1 || close(fd)))
		perror("clear_refs");
}

static void child(const struct growth_case *c, uint32_t n, const struct options *o, int out)
{
	static struct module m;
	struct result r = { 0 };
	setrlimit(RLIMIT_CPU, &(struct rlimit){ o->limit, o->limit });
	setrlimit(RLIMIT_AS, &(struct rlimit){ 4ull << 30, 4ull << 30 });
	write_module(&m, c, n);
	reset_peak();
	double begin = thread_seconds(), before = resident("VmRSS:");
	int runs = !o->size && (o->strict || o->table) ? RUNS : 1;
	for (int i = 0; i < runs && (!i || thread_seconds() - begin < 0.5); i++)
		compile_once(&m, &r);
	r.mib = (resident("VmHWM:") - before) / 1024;
	_exit(write(out, &r, sizeof r) != sizeof r);
}

static struct result measure(const struct growth_case *c, uint32_t n, const struct options *o)
{
	struct result r = { 0 };
	int ends[2];
	fflush(stdout);
	if (pipe(ends)) {
		perror("pipe");
		exit(1);
	}
	pid_t pid = fork();
	if (pid == 0)
		child(c, n, o, ends[1]);
	close(ends[1]);
	if (pid < 0 || read(ends[0], &r, sizeof r) != sizeof r)
		r.done = false;
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return r;
}

static double exponent(double small, double large, double least)
{
	if (large < least || small <= 0)
		return 0;
	return log(large / (small > least / 8 ? small : least / 8)) / log(4);
}

/* --- verdict --- */

struct verdict { double time, work, memory, code; char why[400]; };

static bool names_place(const char *message)
{
	return strstr(message, "function") && strstr(message, "Op");
}

static double most_seconds(const struct options *o) { return o->strict ? STRICT_SECONDS : MOST_SECONDS; }

static void judge(const struct growth_case *c, const struct result r[2], const struct options *o, struct verdict *v)
{
	*v = (struct verdict){ exponent(r[0].seconds, r[1].seconds, LEAST_SECONDS),
		exponent((double)r[0].work, (double)r[1].work, LEAST_WORK), exponent(r[0].mib, r[1].mib, LEAST_MIB),
		exponent(r[0].dwords, r[1].dwords, 64), "" };
	const char *why = "";
	if (!r[0].done || !r[1].done)
		why = "does not end";
	else if (r[0].status)
		why = r[0].message;
	else if (r[1].seconds > most_seconds(o) || r[1].mib > BUDGET_MIB)
		why = "needs too much";
	else if (r[1].status && !c->doubles)
		why = r[1].message;
	else if (r[1].status && !names_place(r[1].message))
		snprintf(v->why, sizeof v->why, "the refusal names no place: %s", r[1].message);
	else if (!r[1].status && (v->work > EXPONENT || v->memory > EXPONENT || v->code > EXPONENT))
		why = "grows too fast";
	if (!*v->why)
		snprintf(v->why, sizeof v->why, "%s", why);
}

static void print_row(const struct growth_case *c, const struct result r[2], const struct verdict *v)
{
	printf("%-16s %6u", c->name, c->n);
	for (int k = 0; k < 2; k++)
		if (r[k].done)
			printf(" %8.1f %7.1f %8u", 1e3 * r[k].seconds, r[k].mib, r[k].dwords);
		else
			printf(" %8s %7.1f %8s", "-", r[k].mib, "-");
	if (r[0].done && r[1].done && !r[1].status)
		printf("  %5.2f %5.2f %5.2f %5.2f", v->time, v->work, v->memory, v->code);
	else
		printf("  %5s %5s %5s %5s", "-", "-", "-", "-");
	printf("  %s\n", *v->why ? v->why : r[1].message);
}

static bool try_case(const struct growth_case *c, const struct options *o)
{
	struct result best[2];
	struct verdict v = { 0 };
	for (int attempt = 0; attempt < (o->strict ? ATTEMPTS : 1); attempt++) {
		for (int k = 0; k < 2; k++) {
			struct result r = measure(c, k ? 4 * c->n : c->n, o);
			if (attempt && best[k].done && best[k].seconds < r.seconds)
				r.seconds = best[k].seconds;
			best[k] = r;
		}
		judge(c, best, o, &v);
		if (!*v.why || !best[0].done || !best[1].done || o->table)
			break;
	}
	print_row(c, best, &v);
	return !*v.why;
}

static void print_size(const struct growth_case *c, uint32_t n, const struct result *r)
{
	printf("%-16s %8u %8.1f %7.1f %8u %10llu %10llu %7.1f  %s\n", c->name, n, 1e3 * r->seconds, r->mib, r->dwords,
		(unsigned long long)r->work, (unsigned long long)r->charged, (double)r->memory / 0x1p20,
		r->done ? r->message : "does not end");
}

/* --- the edge of the budget --- */

/* Far beyond the budget, just beyond it, and just within. */
static const struct edge { const char *name; uint32_t n; bool fits; } edges[] = {
	{ "straight", 150000, true }, { "straight", 300000, false }, { "straight", 1000000, false },
	{ "ifs", 100000, false }, { "ifs_live", 40000, false }, { "loops", 25000, false }, { "call_tree", 20, false },
	{ "call_tree_empty", 25, false }, { "functions", 200000, false }, { "array_copies", 20000, false },
	{ "variables", 300000, false }, { "phis", 40000, false }, { "pressure_scalar", 30000, false }, { "ifs_live", 7000, true }, { "ifs_live", 15000, false },
	{ "pressure", 30000, true }, { "pressure", 60000, false }, { "images", 100000, true },
};

static const char *judge_edge(const struct edge *e, const struct result *r, const struct options *o)
{
	if (!r->done)
		return "does not end";
	if (e->fits != !r->status)
		return e->fits ? r->message : "is not refused";
	if (r->status && !names_place(r->message))
		return "the refusal names no place";
	if (r->charged > IR_MAX_WORK + IR_MAX_WORK / 10) /* some passes charge for all they did at their end */
		return "goes on when its work is used up";
	if (r->memory > IR_MAX_MEMORY + IR_MEMORY_SLACK || r->mib > REFUSAL_MIB)
		return "needs too much memory";
	return r->seconds > most_seconds(o) ? "needs too long" : "";
}

static bool try_edge(const struct growth_case *c, const struct edge *e, const struct options *o)
{
	struct options once = *o;
	struct result r = { 0 };
	const char *why = "";
	once.size = e->n;
	for (int attempt = 0; attempt < (o->strict ? ATTEMPTS : 1) && (!attempt || *why); attempt++) {
		r = measure(c, e->n, &once);
		why = judge_edge(e, &r, o);
	}
	print_size(c, e->n, &r);
	if (*why)
		printf("%-16s %8u %s\n", c->name, e->n, why);
	return !*why;
}

static unsigned try_edges(const struct growth_case *c, const struct options *o)
{
	unsigned bad = 0;
	for (unsigned i = 0; i < sizeof edges / sizeof edges[0]; i++)
		if (!strcmp(edges[i].name, c->name))
			bad += !try_edge(c, &edges[i], o);
	return bad;
}

/* One size, whatever comes of it. */
static bool try_size(const struct growth_case *c, const struct options *o)
{
	struct result r = measure(c, o->size, o);
	print_size(c, o->size, &r);
	return r.done;
}

/* --- */

static bool dump(const struct growth_case *c, uint32_t size)
{
	static struct module m;
	bool ok = true;
	for (uint32_t n = size ? size : c->n; n <= (size ? size : 4 * c->n); n *= 4) {
		char name[80];
		snprintf(name, sizeof name, "%s-%u.spv", c->name, n);
		write_module(&m, c, n);
		FILE *f = fopen(name, "wb");
		ok = f && fwrite(m.words, 4, m.word_count, f) == m.word_count && ok;
		if (f)
			ok = !fclose(f) && ok;
		module_free(&m);
	}
	return ok;
}

static bool asked(const struct growth_case *c, int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (!strcmp(argv[i], c->name))
			return true;
	return argc == 0;
}

int main(int argc, char **argv)
{
	const struct growth_case *const lists[] = { growth_flow, growth_data };
	struct options o = { .limit = 20 };
	unsigned bad = 0, found = 0;
	int arg = 1;
	for (; arg < argc && argv[arg][0] == '-'; arg++)
		if (!strcmp(argv[arg], "--strict")) {
			o.strict = true;
		} else if (!strcmp(argv[arg], "--table")) {
			o.table = true;
		} else if (!strcmp(argv[arg], "--dump")) {
			o.dump = true;
		} else if (!strcmp(argv[arg], "--limit") && arg + 1 < argc) {
			o.limit = (unsigned)atoi(argv[++arg]);
		} else if (!strcmp(argv[arg], "--size") && arg + 1 < argc) {
			o.size = (uint32_t)atoi(argv[++arg]);
		} else {
			fprintf(stderr, "usage: growth [--strict] [--table] [--dump] [--limit SECONDS] [--size N] [NAME ...]\n");
			return 2;
		}
	if (!o.dump && !o.size)
		printf("%-16s %6s %8s %7s %8s %8s %7s %8s  %5s %5s %5s %5s\n", "", "n", "ms", "MiB", "dwords", "ms 4n", "MiB",
			"dwords", "time", "work", "mem", "code");
	for (unsigned l = 0; l < 2; l++)
		for (const struct growth_case *c = lists[l]; c->name; c++)
			if (asked(c, argc - arg, argv + arg)) {
				found++;
				bad += o.dump ? !dump(c, o.size) : o.size ? !try_size(c, &o) : !try_case(c, &o) + try_edges(c, &o);
			}
	if (!found)
		fprintf(stderr, "no such case\n");
	return !found || (bad && !o.table);
}
