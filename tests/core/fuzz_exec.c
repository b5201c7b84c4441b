/* SPDX-License-Identifier: MIT */
/* Random programs of every generation through decoding and execution: by the
 * interpreter and as translated code, at both kernel levels.  Whatever words a
 * program has, nothing may crash; a wave ends, or stops with a message that
 * names a PC; and all four ways of running it must agree.  Once more it runs with
 * other values in the registers that it does not read before it writes them, as
 * cu_program.unwritten has it: nothing of them may show.
 *
 *   fuzz_exec [--seconds N] [--seed N]   (5 seconds; with --seed alone that one program)
 *
 * Most useful in a build with -DQW_SANITIZE=address,undefined: translated code
 * is not instrumented, but the handlers that it calls are. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "core/jit/jit.h"
#include "core/jit/jit_forms.h"
#include "isa/text/gcn_disasm.h"

enum { V3, V4, JIT_V3, JIT_V4, STALE, WAYS };
static const char *const way_names[WAYS] = { "v3", "v4", "v3 translated", "v4 translated", "v3 with stale registers" };

/* What a run leaves. */
struct outcome {
	bool made;
	enum cu_status status;
	struct cu_wave wave;
	uint64_t loose[2];
	struct cu_exports exports;
	uint8_t arena[ARENA], lds[LDS], scratch[SCRATCH], gds[GDS];
};
struct fuzz {
	struct fuzz_side side;
	struct cu_memory *memory;
	struct cu_exec_heap *heap;
	struct jit_x_forms *forms;
	struct outcome *first, *other;
	bool v4;
	uint64_t programs, valid, done, faults, translated, failures;
};
/* One program. */
struct subject {
	uint64_t seed, state;
	enum fuzz_kind kind;
	enum gcn_gen gen;
	uint32_t code[MAX_WORDS];
	size_t n;
	bool timed;
};

static void *block(size_t bytes)
{
	void *p = aligned_alloc(256, (bytes + 255) & ~(size_t)255);
	if (!p)
		exit(2);
	return memset(p, 0, bytes);
}

static void report(struct fuzz *f, const struct subject *s, const char *way, const char *what)
{
	if (f->failures++ >= 5)
		return;
	printf("--seed %llu (gen %d, %s): %s\n", (unsigned long long)s->seed, s->gen, way, what);
	for (size_t at = 0; at < s->n;) {
		struct gcn_inst in;
		char text[200] = "?";
		unsigned words = gcn_decode(s->gen, s->code + at, s->n - at, &in);
		if (words)
			gcn_disasm(s->gen, &in, at * 4, text, sizeof(text));
		printf("  %02zx %08x  %s\n", at * 4, s->code[at], text);
		at += words ? words : 1;
	}
}

/* --- running --- */

/* *out gets what values may differ because nobody reads them (jit.h). */
static void translate(struct fuzz *f, struct cu_program *p, struct outcome *out)
{
	const struct cu_jit_options o = { .keep_all = true, .forms = f->forms };
	struct cu_jit_image image;
	struct cu_error err;
	if (!cu_jit_translate(p, &o, &image, &err))
		return; /* computed jumps alone: the interpreter stays */
	memcpy(out->loose, image.loose, sizeof(out->loose));
	f->translated += cu_jit_attach(p, f->heap, &image, &err);
	cu_jit_image_free(&image);
}
/* Other values wherever the program should not look. */
static void make_stale(const struct cu_program *p, struct cu_wave *w)
{
	uint64_t exec = cu_exec(w), quads = (exec | exec >> 1 | exec >> 2 | exec >> 3) & 0x1111111111111111u;
	quads *= 15;
	for (unsigned v = 0; v < CU_VGPRS; v++) {
		const uint64_t blank = p->unwritten.blank[v / 64]; /* all VGPRs are set, so these are what they are set to */
		uint64_t on = (p->unwritten.on[v / 64] | blank) >> v % 64 & 1 ? 0 : exec;
		uint64_t quad = (p->unwritten.quad[v / 64] | blank) >> v % 64 & 1 ? 0 : quads & ~exec;
		uint64_t off = p->unwritten.off[v / 64] >> v % 64 & 1 ? 0 : ~quads;
		for (uint64_t left = on | quad | off; left; left &= left - 1)
			w->vgpr[v][__builtin_ctzll(left)] ^= 0xdeadbeef;
	}
}
static void run(struct fuzz *f, const struct subject *s, int way, struct outcome *out)
{
	struct cu_error err;
	struct fuzz_side *d = &f->side;
	struct cu_program *p = cu_program_create_gen(way & 1 ? CU_LEVEL_V4 : CU_LEVEL_V3, s->gen, s->code, s->n, &err);
	out->made = p;
	memset(out->loose, 0, sizeof(out->loose));
	if (!p) {
		if (strncmp(err.text, "pc 0x", 5))
			report(f, s, way_names[way], "no place in the message");
		return;
	}
	cu_jit_unwritten(p);
	if (way == JIT_V3 || way == JIT_V4)
		translate(f, p, out);
	fuzz_setup(s->kind, d, f->memory, s->state);
	if (way == STALE)
		make_stale(p, d->w);
	for (int i = 0; i < 4; i++) /* barriers */
		if ((out->status = cu_wave_run(p, d->w)) != CU_BARRIER)
			break;
	if (out->status == CU_FAULT && strncmp(d->w->error.text, "pc 0x", 5))
		report(f, s, way_names[way], "no place in the message");
	cu_program_destroy(p);
	out->wave = *d->w;
	out->exports = *d->exports;
	memcpy(out->arena, d->arena, ARENA);
	memcpy(out->lds, d->lds, LDS);
	memcpy(out->scratch, d->scratch, SCRATCH);
	memcpy(out->gds, d->gds, GDS);
}

#define SAME(field) (!memcmp(&a->field, &b->field, sizeof(a->field)))
/* What two runs leave otherwise; NULL: nothing.  Translated code may name another
 * of a wave's faults, and what it did before that one is not the same. */
static const char *difference(const struct outcome *a, const struct outcome *b, int way)
{
	bool translated = way == JIT_V3 || way == JIT_V4;
	if (a->made != b->made)
		return "makes no program";
	if (!a->made)
		return NULL;
	if (a->status != b->status)
		return "ends otherwise";
	/* Translated code may come to another of the program's faults first (jit.h). */
	if (translated && a->status == CU_FAULT)
		return NULL;
	if (strcmp(a->wave.error.text, b->wave.error.text))
		return "ends otherwise";
	if (!SAME(arena) || !SAME(lds) || !SAME(scratch) || !SAME(gds))
		return "memory differs";
	if (way != STALE && !SAME(wave.vgpr))
		return "VGPRs differ";
	bool scc_loose = b->loose[1] >> (125 - 64) & 1;
	for (unsigned n = 0; n < 128; n++)
		if (!(b->loose[n / 64] >> n % 64 & 1) && a->wave.sgpr[n] != b->wave.sgpr[n])
			return "SGPRs differ";
	if ((!scc_loose && a->wave.scc != b->wave.scc) || a->wave.mode != b->wave.mode)
		return "SCC or MODE differ";
	if (a->wave.instructions != b->wave.instructions || a->wave.pc != b->wave.pc)
		return "instructions or PC differ";
	return SAME(exports) ? NULL : "exports differ";
}

static void one(struct fuzz *f, uint64_t seed)
{
	struct subject s = { .seed = seed, .state = seed * 0x9e3779b97f4a7c15u };
	char text[600];
	s.kind = (enum fuzz_kind)(fuzz_rnd(&s.state) % FUZZ_KINDS);
	s.gen = fuzz_rnd(&s.state) & 1 ? GCN_GFX9 : (enum gcn_gen)(fuzz_rnd(&s.state) % GCN_GEN_COUNT);
	s.n = fuzz_program(s.kind, s.gen, &s.state, s.code, &s.timed);
	f->programs++;
	run(f, &s, V3, f->first);
	f->valid += f->first->made;
	f->done += f->first->made && f->first->status == CU_DONE;
	f->faults += f->first->made && f->first->status == CU_FAULT;
	for (int way = V4; way < WAYS; way++) {
		if (way & 1 && !f->v4)
			continue;
		run(f, &s, way, f->other);
		const char *what = s.timed ? NULL : difference(f->first, f->other, way);
		if (!what)
			continue;
		snprintf(text, sizeof(text), "%s: '%s', of v3 '%s'", what, f->other->wave.error.text, f->first->wave.error.text);
		report(f, &s, way_names[way], text);
	}
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	double seconds = 0, start = now();
	uint64_t seed = 1;
	const char *why;
	enum cu_level got;
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seconds"))
			seconds = atof(argv[i + 1]);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 0);
	}
	if (argc == 1)
		seconds = 5;
	unsigned mxcsr = cu_fp_enter();
	struct fuzz f = { { block(sizeof(struct cu_wave)), block(sizeof(struct cu_exports)), block(ARENA), block(LDS),
		block(SCRATCH), block(GDS) }, cu_memory_create(), cu_exec_heap_create(0), jit_x_forms_create(),
		block(sizeof(struct outcome)), block(sizeof(struct outcome)), cu_level_detect("v4", &got, &why), 0, 0, 0, 0, 0, 0 };
	if (!f.memory || !f.heap || !f.forms || !cu_memory_add(f.memory, f.side.arena, ARENA))
		return 2;
	do
		one(&f, seed++);
	while (now() - start < seconds);
	printf("%llu programs, %llu valid, %llu ran to the end, %llu faulted, %llu runs of translated code, %llu failures\n",
		(unsigned long long)f.programs, (unsigned long long)f.valid, (unsigned long long)f.done,
		(unsigned long long)f.faults, (unsigned long long)f.translated, (unsigned long long)f.failures);
	bool few = seconds > 0 && (f.done < f.programs / 20 || !f.faults || f.translated < f.valid / 2);
	cu_memory_destroy(f.memory);
	cu_exec_heap_destroy(f.heap);
	jit_x_forms_destroy(f.forms);
	void *const blocks[] = { f.side.w, f.side.exports, f.side.arena, f.side.lds, f.side.scratch, f.side.gds, f.first,
		f.other };
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		free(blocks[i]);
	cu_fp_leave(mxcsr);
	return f.failures || few;
}
