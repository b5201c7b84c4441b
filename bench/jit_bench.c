/* SPDX-License-Identifier: MIT */
/* How fast translated code is, in cycles of the time stamp counter, and how long
 * translation takes (the first time: with a table of forms that is empty; only
 * the first program of a process meets a cold library as well): interpreter and translation on the same programs, and a
 * compute loop of FMAs beside the same loop in C; loads and stores of dwords by a
 * descriptor and by addresses.  Each figure is the least of
 * many short samples.  jit_bench [v3|v4]
 *
 * jit_bench cost: the time that a program takes from GCN code to code that runs,
 * decoding and its place in executable memory included, in a process that has other programs; status 1 above 2 us an
 * instruction on a core of 3.7 GHz, or as many cycles on a slower one. */
#include "core/jit/jit.h"
#include "tests/jit/jit_harness.h"

#include <time.h>
#include <x86intrin.h>

/* Enough samples that a CPU whose wide units sleep has woken them. */
enum { SAMPLES = 6000, CHAINS = 8, STEPS = 16, TURNS = 64 };

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Arithmetic over 24 VGPRs: independent enough. */
static void arithmetic(struct code *c, unsigned n)
{
	static const enum gcn_op ops[] = { GCN_V_FMA_F32, GCN_V_MUL_F32, GCN_V_ADD_F32, GCN_V_FMA_F32,
		GCN_V_SUB_F32, GCN_V_FMA_F32, GCN_V_ADD_U32, GCN_V_MUL_F32 };
	uint64_t s = 7;
	for (unsigned i = 0; i < n; i++) {
		enum gcn_op op = ops[i % 8];
		unsigned d = rnd(&s) % 24, a = rnd(&s) % 24, b = rnd(&s) % 24, k = rnd(&s) % 24;
		op3(c, op, V(d), rnd(&s) % 8 ? V(a) : rnd(&s) % 8, V(b), op == GCN_V_FMA_F32 ? V(k) : NONE);
	}
	for (unsigned i = 0; i < 24; i++) { /* all results count */
		struct gcn_inst in = inst(GCN_EXPORT);
		in.exp_target = (uint8_t)(32 + i);
		in.en = 1;
		in.src[0] = V(i);
		put(c, &in);
	}
	end(c);
}

/* TURNS times STEPS FMAs on each of CHAINS accumulators. */
static void fma_chain(struct code *c)
{
	op1(c, GCN_S_MOV_B32, 0, K(TURNS));
	size_t top = c->n;
	for (unsigned i = 0; i < STEPS; i++)
		for (unsigned k = 0; k < CHAINS; k++)
			op3(c, GCN_V_FMA_F32, V(k), V(k), V(8), V(9));
	op2(c, GCN_S_SUB_U32, 0, 0, K(1));
	op2(c, GCN_S_CMP_LG_U32, NONE, 0, K(0));
	imm(c, GCN_S_CBRANCH_SCC1, (int32_t)top - (int32_t)c->n - 1);
	for (unsigned i = 0; i < CHAINS; i++) {
		struct gcn_inst in = inst(GCN_EXPORT);
		in.exp_target = (uint8_t)(32 + i);
		in.en = 1;
		in.src[0] = V(i);
		put(c, &in);
	}
	end(c);
}

#define HAND(NAME, TARGET, T, LANES, SET, FMA) \
	__attribute__((target(TARGET), noinline)) static void NAME(uint32_t (*v)[CU_LANES]) \
	{ \
		for (unsigned l = 0; l < CU_LANES; l += LANES) { \
			T x[CHAINS], a, b; \
			memcpy(&a, &v[8][l], sizeof(a)); \
			memcpy(&b, &v[9][l], sizeof(b)); \
			for (int k = 0; k < CHAINS; k++) \
				memcpy(&x[k], &v[k][l], sizeof(a)); \
			for (int turn = 0; turn < TURNS * STEPS; turn++) { \
				_Pragma("GCC unroll 8") \
				for (int k = 0; k < CHAINS; k++) \
					x[k] = FMA(x[k], a, b); \
			} \
			for (int k = 0; k < CHAINS; k++) \
				memcpy(&v[k][l], &x[k], sizeof(a)); \
		} \
	}
HAND(hand_v3, "avx2,fma", __m256, 8, _mm256_set1_ps, _mm256_fmadd_ps)
HAND(hand_v4, "avx512f", __m512, 16, _mm512_set1_ps, _mm512_fmadd_ps)

static void set_up(struct cu_wave *w, struct cu_exports *e, uint64_t exec)
{
	cu_wave_init(w, exec, e);
	for (unsigned v = 0; v < 24; v++)
		for (unsigned l = 0; l < CU_LANES; l++)
			w->vgpr[v][l] = float_bits(v == 8 ? 0.999f : 0.25f + (float)((v * 7 + l) % 16) / 32.0f);
	for (unsigned i = 0; i < 16; i++)
		w->sgpr[i] = float_bits(0.5f + (float)i / 64.0f);
}

/* Least cycles of a run. */
static double cycles(const struct cu_program *p, struct cu_wave *w, struct cu_exports *e, uint64_t exec)
{
	uint64_t best = ~0ull;
	set_up(w, e, exec);
	for (int i = 0; i < SAMPLES; i++) {
		cu_wave_init(w, exec, e);
		uint64_t t = __rdtsc();
		cu_wave_run(p, w);
		t = __rdtsc() - t;
		best = t < best ? t : best;
	}
	return (double)best;
}
static double hand_cycles(enum cu_level level, struct cu_wave *w)
{
	uint64_t best = ~0ull;
	for (int i = 0; i < SAMPLES; i++) {
		uint64_t t = __rdtsc();
		if (level == CU_LEVEL_V4)
			hand_v4(w->vgpr);
		else
			hand_v3(w->vgpr);
		t = __rdtsc() - t;
		best = t < best ? t : best;
	}
	return (double)best;
}

static double translation(const struct cu_program *p, struct cu_exec_heap *heap, double *first)
{
	double best = 1;
	struct cu_error err;
	struct cu_jit_options options = { .forms = jit_x_forms_create() };
	for (int i = 0; i < 30; i++) {
		struct cu_jit_image image;
		double t = seconds();
		if (!cu_jit_translate(p, &options, &image, &err) ||
			!cu_jit_attach((struct cu_program *)(uintptr_t)p, heap, &image, &err)) {
			printf("%s\n", err.text);
			exit(1);
		}
		cu_jit_image_free(&image);
		t = seconds() - t;
		best = t < best ? t : best;
		if (i == 0)
			*first = t;
	}
	jit_x_forms_destroy(options.forms);
	return best;
}

static void measure(enum cu_level level, const char *name, const struct code *c, unsigned vectors,
	bool chain)
{
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	struct cu_program *p = program(level, c);
	struct cu_wave *w = wave(~0ull);
	struct cu_exports *e = aligned_alloc(64, sizeof(*e));
	if (!heap || !e)
		exit(1);
	double first, interp = cycles(p, w, e, ~0ull) / vectors, t = translation(p, heap, &first);
	double full = cycles(p, w, e, ~0ull) / vectors, some = cycles(p, w, e, ~0ull >> 1) / vectors;
	size_t bytes;
	cu_jit_code(p, &bytes);
	printf("v%d %-12s interpreter %6.2f, translated %5.2f (EXEC not full %5.2f) cycles for 64 lanes; "
		"%.2f us (%.2f the first time) and %zu bytes an instruction\n", level, name, interp, full, some,
		t * 1e6 / p->count, first * 1e6 / p->count, bytes / p->count);
	if (chain) {
		set_up(w, e, ~0ull);
		double hand = hand_cycles(level, w) / vectors;
		printf("v%d %-12s by hand %5.2f; translated reaches %.0f %%\n", level, name, hand, 100 * hand / full);
	}
	cu_program_destroy(p);
	cu_exec_heap_destroy(heap);
	free(w);
	free(e);
}

/* --- memory: the same dwords by a descriptor, by addresses, by an SGPR pair --- */

enum { WORDS = 4096, ACCESSES = 16, V_OFFSET = 0, V_ADDRESS = 2, S_BUFFER = 4, S_BASE = 12 };
enum way { BY_BUFFER, BY_ADDRESS, BY_PAIR };

static void memory_access(struct code *c, enum way way, bool store, unsigned data, int offset)
{
	static const enum gcn_op ops[][2] = { { GCN_BUFFER_LOAD_DWORD, GCN_BUFFER_STORE_DWORD },
		{ GCN_GLOBAL_LOAD_DWORD, GCN_GLOBAL_STORE_DWORD } };
	struct gcn_inst in = inst(ops[way != BY_BUFFER][store]);
	in.offset = offset;
	in.src[0] = way == BY_ADDRESS ? V(V_ADDRESS) : V(V_OFFSET);
	if (way == BY_BUFFER) {
		in.dst = V(data);
		in.src[1] = S_BUFFER;
		in.src[2] = K(0);
		in.offen = 1;
	} else {
		*(store ? &in.src[1] : &in.dst) = V(data);
		in.src[2] = way == BY_PAIR ? S_BASE : NONE;
	}
	put(c, &in);
}

/* Loads and a sum, then stores of it, each a region; the address is made where a
 * compiler would make it. */
static void memory_program(struct code *c, enum way way, bool store)
{
	if (way == BY_ADDRESS) {
		op2(c, GCN_V_ADD_CO_U32, V(V_ADDRESS), S_BASE, V(V_OFFSET));
		op1(c, GCN_V_MOV_B32, V(V_ADDRESS + 1), S_BASE + 1);
		op3(c, GCN_V_ADDC_CO_U32, V(V_ADDRESS + 1), K(0), V(V_ADDRESS + 1), VCC);
	}
	for (int k = 0; k < ACCESSES; k++) {
		memory_access(c, way, store, 8 + (unsigned)k % 8, 16 * k);
		op2(c, GCN_V_ADD_U32, V(16), V(16), V(8 + (unsigned)k % 8));
	}
	struct gcn_inst in = inst(GCN_EXPORT);
	in.exp_target = 32;
	in.en = 1;
	in.src[0] = V(16);
	put(c, &in);
	end(c);
}

static double memory_cycles(enum cu_level level, enum way way, bool store, bool row)
{
	static uint32_t words[2 * WORDS];
	struct code c = { 0 };
	struct cu_memory *m = cu_memory_create();
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	struct cu_exports *e = aligned_alloc(64, sizeof(*e));
	struct cu_wave *w = wave(~0ull);
	struct cu_spans seen = { 0 };
	uint64_t best = ~0ull, at = (uintptr_t)words;
	memory_program(&c, way, store);
	struct cu_program *p = program(level, &c);
	if (!m || !heap || !e || !cu_memory_add(m, words, sizeof(words)))
		exit(1);
	double first;
	translation(p, heap, &first);
	for (unsigned l = 0; l < CU_LANES; l++)
		w->vgpr[V_OFFSET][l] = 4 * (row ? l : l * 37 % 64 * 16);
	memset(w->vgpr[8], 1, sizeof(w->vgpr[0]) * 9);
	for (int i = 0; i < SAMPLES; i++) {
		cu_wave_init(w, ~0ull, e);
		memcpy(&w->sgpr[S_BASE], &at, 8);
		memcpy(&w->sgpr[S_BUFFER], &at, 8);
		w->sgpr[S_BUFFER + 2] = sizeof(words);
		w->sgpr[S_BUFFER + 3] = 0x00027fac;
		cu_memory_enter(w, m, &seen);
		uint64_t t = __rdtsc();
		cu_wave_run(p, w);
		t = __rdtsc() - t;
		best = t < best ? t : best;
	}
	cu_program_destroy(p);
	cu_exec_heap_destroy(heap);
	cu_memory_destroy(m);
	free(w);
	free(e);
	return (double)best / ACCESSES;
}

static void measure_memory(enum cu_level level)
{
	for (int kind = 0; kind < 4; kind++) {
		bool store = kind & 1, row = kind < 2;
		double b = memory_cycles(level, BY_BUFFER, store, row), a = memory_cycles(level, BY_ADDRESS, store, row),
			s = memory_cycles(level, BY_PAIR, store, row);
		printf("v%d %-6s %s: by a descriptor %6.2f, by addresses %6.2f (%.2f), by an SGPR pair %6.2f (%.2f) cycles for "
			"64 lanes\n", level, store ? "stores" : "loads", row ? "in a row" : "anywhere", b, a, a / b, s, s / b);
	}
}

/* --- what translation costs --- */

/* Any simple opcodes, scalar and vector, with all their modifiers. */
static void mixed(struct code *c, unsigned n)
{
	uint64_t s = 11;
	for (unsigned i = 0; i < n; i++) {
		enum gcn_op op;
		do
			op = (enum gcn_op)(rnd(&s) % GCN_OP_COUNT);
		while (!is_simple(op) || !random_inst(c, op, &s));
	}
	end(c);
}

/* keep: gets the program, if it is not NULL. */
static double make_once(enum cu_level level, const struct code *c, struct cu_exec_heap *heap, struct jit_x_forms *forms,
	struct cu_program **keep)
{
	struct cu_jit_options options = { .forms = forms };
	struct cu_jit_image image;
	struct cu_error err = { "" };
	double t = seconds();
	struct cu_program *p = cu_program_create(level, c->dw, c->n, &err);
	if (!p || !cu_jit_translate(p, &options, &image, &err) || !cu_jit_attach(p, heap, &image, &err)) {
		printf("%s\n", err.text);
		exit(1);
	}
	cu_jit_image_free(&image);
	t = (seconds() - t) * 1e6 / p->count;
	if (keep)
		*keep = p;
	else
		cu_program_destroy(p);
	return t;
}

/* Cycles of the core in a microsecond, while it does what it does here: of sums that wait for each other, one each. */
static double clock_rate(void)
{
	enum { TIMES = 50, ROUNDS = 20000, SUMS = 8 };
	double best = 0;
	for (int i = 0; i < TIMES; i++) {
		uint64_t sum = 0;
		double t = seconds();
		for (int n = 0; n < ROUNDS; n++)
			__asm__ volatile("add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"
				"add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0" : "+r"(sum));
		t = ROUNDS * SUMS / ((seconds() - t) * 1e6);
		best = t > best ? t : best;
	}
	return best;
}

/* Microseconds an instruction that translation may take. */
static double promise(void)
{
	const double us = 2, rate = 3700, here = clock_rate();
	const double most = here < rate ? us * rate / here : us;
	printf("%.2f GHz: at most %.2f us an instruction\n", here / 1e3, most);
	return most;
}

static bool cost(enum cu_level level, const char *name, const struct code *c, double most)
{
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	struct jit_x_forms *forms = jit_x_forms_create();
	if (!heap || !forms)
		exit(1);
	struct cu_program *kept; /* later ones find its executable memory there, as in any process that has one */
	double first = make_once(level, c, heap, forms, &kept), best = first;
	/* What is too much is measured longer: a machine may be slow for a while. */
	const double end = seconds() + 3;
	for (int i = 0; i < 100 || (best >= most && seconds() < end); i++) {
		double t = make_once(level, c, heap, forms, NULL);
		best = t < best ? t : best;
	}
	printf("v%d %-12s %.2f us an instruction, all included; %.2f the first time\n", level, name, best, first);
	cu_program_destroy(kept);
	cu_exec_heap_destroy(heap);
	jit_x_forms_destroy(forms);
	return best < most;
}

static int costs(const struct code *c, const struct code *chain)
{
	static struct code any;
	bool ok = true;
	mixed(&any, 300);
	const double most = promise();
	for (int level = 3; level <= 4; level++)
		if (has_level((enum cu_level)level)) {
			ok &= cost((enum cu_level)level, "arithmetic", c, most);
			ok &= cost((enum cu_level)level, "fma chain", chain, most);
			ok &= cost((enum cu_level)level, "mixed", &any, most);
		}
	return !ok;
}

static const char help[] =
	"usage: jit_bench [v3|v4]   cycles of translated code, at one level or both\n"
	"       jit_bench cost      time of translation; status 1 above 2 us an instruction (3.7 GHz)\n";

/* -1: go on, else the exit status. */
static int parse(int argc, char **argv)
{
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(help, stdout);
		return 0;
	}
	if (argc == 1 || (argc == 2 && (!strcmp(argv[1], "v3") || !strcmp(argv[1], "v4") || !strcmp(argv[1], "cost"))))
		return -1;
	fprintf(stderr, "jit_bench: unknown argument %s\n%s", argv[argc - 1], help);
	return 2;
}

int main(int argc, char **argv)
{
	static struct code c, chain;
	int status = parse(argc, argv);
	if (status >= 0)
		return status;
	unsigned fp = cu_fp_enter();
	arithmetic(&c, 200);
	fma_chain(&chain);
	if (argc > 1 && strcmp(argv[1], "cost") == 0)
		return costs(&c, &chain);
	for (int level = 3; level <= 4; level++) {
		if (!has_level((enum cu_level)level) || (argc > 1 && atoi(argv[1] + 1) != level))
			continue;
		measure((enum cu_level)level, "arithmetic", &c, 200, false);
		measure((enum cu_level)level, "fma chain", &chain, TURNS * STEPS * CHAINS, true);
		measure_memory((enum cu_level)level);
	}
	cu_fp_leave(fp);
	return 0;
}
