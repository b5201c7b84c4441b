/* SPDX-License-Identifier: MIT */
/* Every scalar and vector ALU opcode against the model in ref/, in every form
 * that a generation encodes, on random and extreme operands, with random EXEC,
 * modifiers and MODE: bit for bit, at both kernel levels.
 *
 *   test_reference [--seconds N] [--seed S] [--op mnemonic]
 * Without --seconds a fixed number of rounds is run. */
#include "core/interp/interp.h"
#include "core/mode.h"
#include "interp_harness.h"
#include "isa/text/gcn_disasm.h"
#include "ref/ref.h"
#include "ref/ref_cases.h"
#include <time.h>


struct options { double seconds; uint64_t seed; const char *op; };

static const char *const form_names[FORMS] = { "plain", "VOP3", "SDWA", "DPP", "indexed" };

static uint64_t random_exec(uint64_t *seed)
{
	switch (rnd(seed) & 3) {
	case 0: return ~0ull;
	case 1: return (uint64_t)rnd(seed) << 32 | rnd(seed);
	case 2: return 1ull << rnd(seed) % 64;
	default: return rnd(seed) & 8 ? 0 : ~0ull << rnd(seed) % 64;
	}
}
static uint32_t random_mode(uint64_t *seed)
{
	uint32_t r = rnd(seed);
	if (r & 1)
		return CU_MODE_PLAIN;
	return (rnd(seed) & 0x3ff) | (r & 6 ? 0 : CU_MODE_FP16_OVFL);
}

/* --- running --- */
struct state { struct cu_wave *w[2]; struct ref_wave ref; uint8_t *lds; };

static void randomise(struct state *s, const struct test *t, uint64_t seed)
{
	struct cu_wave *w = s->w[0];
	cu_wave_init(w, random_exec(&seed), NULL);
	for (int v = 0; v < VGPRS_USED; v++)
		for (int l = 0; l < 64; l++)
			w->vgpr[v][l] = test_value(&seed);
	for (int i = 0; i < 108; i++)
		w->sgpr[i] = test_value(&seed);
	if (rnd(&seed) & 1)
		w->sgpr[106] = w->sgpr[107] = 0;
	/* M0: a small number, or what interpolation takes. */
	bool interpolates = t->in.fmt == GCN_VINTRP || gcn_op_info((enum gcn_op)t->in.op)->flags & GCN_F_VOP3_INTERP;
	w->sgpr[124] = interpolates ? (rnd(&seed) & 1 ? rnd(&seed) & 0x7fff0000 : 0) | 4 * (rnd(&seed) % 64)
		: 2 * (rnd(&seed) % 4);
	if (t->in.src[0] == LDS_DIRECT)
		w->sgpr[124] = rnd(&seed) & 0x71fff; /* LDS has 8 KiB; types are 3 bits */
	w->scc = rnd(&seed) & 1;
	w->mode = random_mode(&seed);
	w->sgpr[92] = 4 * (uint32_t)(t->code.n - 2); /* the second mark */
	w->sgpr[93] = 0;
	for (unsigned i = 0; (interpolates || t->in.src[0] == LDS_DIRECT) && i < LDS_USED; i += 4) {
		uint32_t x = test_value(&seed);
		memcpy(s->lds + i, &x, 4);
	}
	w->lds = s->lds;
	w->lds_bytes = LDS_USED;
	memcpy(s->w[1], w, sizeof(*w));
	memcpy(s->ref.vgpr, w->vgpr, sizeof(w->vgpr));
	memcpy(s->ref.sgpr, w->sgpr, sizeof(w->sgpr));
	s->ref.scc = w->scc, s->ref.mode = w->mode, s->ref.pc = 0;
	s->ref.lds = s->lds, s->ref.lds_bytes = LDS_USED;
}
static bool run_reference(struct state *s, const struct test *t)
{
	for (int steps = 0; steps < 64; steps++) {
		struct gcn_inst in;
		if (s->ref.pc >= t->code.n ||
			!gcn_decode(t->gen, t->code.dw + s->ref.pc, t->code.n - s->ref.pc, &in))
			return false;
		enum ref_result r = ref_step(&s->ref, &in);
		if (r != REF_GO)
			return r == REF_END;
	}
	return false;
}
/* Prints the first difference; false without one. */
static bool differs(const struct state *s, int level, const struct test *t, uint64_t seed)
{
	const struct cu_wave *w = s->w[level];
	char text[160], where[80] = "";
	for (int v = 0; v < VGPRS_USED + 4 && !*where; v++)
		for (int l = 0; l < 64 && !*where; l++)
			if (w->vgpr[v][l] != s->ref.vgpr[v][l])
				snprintf(where, sizeof(where), "v%d lane %d: 0x%08x, reference 0x%08x", v, l, w->vgpr[v][l],
					s->ref.vgpr[v][l]);
	for (int i = 0; i < 128 && !*where; i++)
		if (w->sgpr[i] != s->ref.sgpr[i])
			snprintf(where, sizeof(where), "s%d: 0x%08x, reference 0x%08x", i, w->sgpr[i], s->ref.sgpr[i]);
	if (!*where && (w->scc != s->ref.scc || w->mode != s->ref.mode))
		snprintf(where, sizeof(where), "SCC %u, MODE 0x%x, reference %u, 0x%x", w->scc, w->mode, s->ref.scc,
			s->ref.mode);
	if (!*where)
		return false;
	gcn_disasm(t->gen, &t->in, 0, text, sizeof(text));
	EXPECT(false, "%s (%s, gen %d, level v%d, seed 0x%llx): %s", text, form_names[t->form], t->gen, level + 3,
		(unsigned long long)seed, where);
	return true;
}
static void explain(struct state *s, const struct test *t, uint64_t seed)
{
	struct cu_wave *w = s->w[0];
	int lane = 0;
	uint32_t got[64];
	if (t->in.dst >= V0 && t->in.dst != NONE) {
		memcpy(got, w->vgpr[t->in.dst - V0], sizeof(got));
		while (lane < 63 && got[lane] == s->ref.vgpr[t->in.dst - V0][lane])
			lane++;
	}
	randomise(s, t, seed);
	printf("   MODE 0x%x EXEC 0x%llx", w->mode, (unsigned long long)cu_exec(w));
	for (int i = 0; i < 3; i++)
		if (t->in.src[i] >= V0 && t->in.src[i] != NONE)
			printf(" src%d 0x%08x:%08x", i, w->vgpr[t->in.src[i] - V0 + 1][lane], w->vgpr[t->in.src[i] - V0][lane]);
		else if (t->in.src[i] < 128)
			printf(" src%d 0x%08x:%08x", i, w->sgpr[t->in.src[i] + 1], w->sgpr[t->in.src[i]]);
	if (t->in.dst >= V0 && t->in.dst != NONE)
		printf(" old 0x%08x", w->vgpr[t->in.dst - V0][lane]);
	printf("\n");
}

static unsigned tried;
static bool one(struct state *s, enum gcn_gen gen, enum gcn_op op, enum form form, uint64_t seed)
{
	struct test t;
	struct cu_error err;
	bool levels = has_level(CU_LEVEL_V4), bad = false;
	if (!test_make(&t, gen, op, form, &seed))
		return false;
	struct cu_program *p[2] = { cu_program_create_gen(CU_LEVEL_V3, gen, t.code.dw, t.code.n, &err), NULL };
	if (!p[0]) {
		EXPECT(false, "%s", err.text);
		return false;
	}
	if (levels)
		p[1] = cu_program_create_gen(CU_LEVEL_V4, gen, t.code.dw, t.code.n, &err);
	tried++;
	for (int run = 0; run < 2 && !bad; run++) {
		randomise(s, &t, seed + (uint64_t)run);
		bool known = run_reference(s, &t);
		EXPECT(known, "%s: the reference does not end", gcn_op_info(op)->name);
		for (int level = 0; level < 1 + levels && !bad; level++) {
			enum cu_status end = cu_wave_run(p[level], s->w[level]);
			EXPECT(end == CU_DONE, "%s", s->w[level]->error.text);
			bad = end == CU_DONE && differs(s, level, &t, seed + (uint64_t)run);
		}
		if (bad && failures <= 40)
			explain(s, &t, seed + (uint64_t)run);
	}
	cu_program_destroy(p[0]);
	cu_program_destroy(p[1]);
	return true;
}

/* What ends, stops or tells somebody is not compared: test_interp_flow, _mode. */
static bool is_left_out(enum gcn_op op)
{
	return op == GCN_S_BARRIER || op == GCN_S_SETKILL || op == GCN_S_SETHALT || op == GCN_S_SENDMSG;
}
static bool is_alu(enum gcn_op op)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	return (info->fmt <= GCN_SOPP || test_is_vector(info)) && cu_level_ops_v3.ops[op]->cls != CU_CLASS_REFUSED &&
		!is_left_out(op);
}
static unsigned all(struct state *s, const struct options *o, uint64_t seed, unsigned rounds)
{
	unsigned never = 0;
	for (enum gcn_op op = 0; op < GCN_OP_COUNT; op++) {
		const struct gcn_op_info *info = gcn_op_info(op);
		unsigned before = tried;
		if (!is_alu(op) || (o->op && strcmp(o->op, info->name)))
			continue;
		EXPECT(test_is_vector(info) ? ref_knows_valu(op) : ref_knows_salu(op), "%s is not in the reference", info->name);
		for (int gen = GCN_GFX9; gen >= GCN_GFX6; gen--) {
			/* What gfx9 has is the same before; a few rounds for its encodings. */
			bool new = gen == GCN_GFX9 || info->opcode[GCN_GFX9] < 0;
			for (int form = 0; info->opcode[gen] >= 0 && form < FORMS; form++)
				for (unsigned i = 0; i < (new ? rounds : 1); i++)
					one(s, (enum gcn_gen)gen, op, (enum form)form, seed ^ ((uint64_t)op << 24 |
						(uint64_t)gen << 20 | (uint64_t)form << 16 | i) * 0x9e3779b97f4a7c15ull);
		}
		if (tried == before) {
			never++;
			EXPECT(info->opcode[GCN_GFX9] < 0, "%s was never tried", info->name);
		}
	}
	return never;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static bool parse(int argc, char **argv, struct options *o)
{
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 == argc)
			return false;
		if (!strcmp(argv[i], "--seconds"))
			o->seconds = strtod(argv[i + 1], NULL);
		else if (!strcmp(argv[i], "--seed"))
			o->seed = strtoull(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--op"))
			o->op = argv[i + 1];
		else
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	if (!parse(argc, argv, &o)) {
		printf("usage: %s [--seconds N] [--seed S] [--op mnemonic]\n", argv[0]);
		return 2;
	}
	unsigned mxcsr = cu_fp_enter(), never, rounds = 0;
	struct state *s = calloc(1, sizeof(*s));
	if (!s)
		return 1;
	s->w[0] = wave(0), s->w[1] = wave(0);
	s->lds = calloc(1, LDS_USED);
	double end = now() + o.seconds;
	do
		never = all(s, &o, o.seed + 0x1000000000000ull * rounds++, o.op ? 400 : 24);
	while (o.seconds > 0 && now() < end && failures < 40);
	printf("%u programs, %u rounds; %u opcodes before gfx9 that no decoder knows\n", tried, rounds, never);
	free(s->w[0]);
	free(s->w[1]);
	free(s->lds);
	free(s);
	cu_fp_leave(mxcsr);
	return finish("test_reference");
}
