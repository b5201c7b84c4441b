/* Random programs of all generations: whatever words a program has, waves end,
 * stop at their budget, or fault with a message that names PC and instruction;
 * they never touch what is not theirs, and both kernel levels agree on it all.
 * Meant for ASan and UBSan; --seconds N for long runs, --seed S to repeat one. */
#include "core/interp.h"
#include "core/memory.h"
#include "interp_harness.h"
#include <time.h>

enum { BUFFER = 1 << 16, LDS = 4096, SCRATCH = 256 * 16, GDS = 1024, BUDGET = 3000, LENGTH = 24 };

struct fuzz {
	struct cu_wave *w[2];
	uint8_t *buffer, *lds, *scratch, *gds, *kept;
	struct cu_exports *exports;
	struct cu_memory *memory;
	unsigned programs, refused, done, faults;
};

/* Encodings: the bits that tell them apart, and how many. */
static const struct { uint32_t bits; unsigned count; } prefixes[] = {
	{ 0x0, 1 }, { 0x7f, 7 }, { 0x3e, 7 }, { 0x2, 2 }, { 0xb, 4 }, { 0x17d, 9 }, { 0x17e, 9 }, { 0x17f, 9 },
	{ 0x30, 6 }, { 0x18, 5 }, { 0x34, 6 }, { 0x1a7, 9 }, { 0x35, 6 }, { 0x32, 6 }, { 0x36, 6 }, { 0x37, 6 },
	{ 0x38, 6 }, { 0x3a, 6 }, { 0x3c, 6 }, { 0x31, 6 }, { 0x3e, 6 }, { 0x3f, 7 } };

static bool has_no_place(const struct gcn_inst *in)
{
	switch (in->op) { /* clocks differ; sleeping takes time; a barrier needs others */
	case GCN_S_MEMTIME: case GCN_S_MEMREALTIME: case GCN_S_SLEEP: case GCN_S_BARRIER:
		return true;
	default:
		return false;
	}
}
/* One instruction that creation takes, or 0 dwords. */
static unsigned random_instruction(enum gcn_gen gen, uint64_t *seed, unsigned at, uint32_t out[4])
{
	struct gcn_inst in;
	const char *why;
	for (int tries = 0; tries < 200; tries++) {
		unsigned p = rnd(seed) % (sizeof(prefixes) / sizeof(prefixes[0])), n = prefixes[p].count;
		uint32_t code[8];
		for (int i = 0; i < 4; i++)
			code[i] = rnd(seed);
		/* Few registers, so that values meet. */
		if (rnd(seed) & 1)
			code[1] &= 0xff1f1f1f & (rnd(seed) | 0x1f1f1f1f);
		code[0] = code[0] >> n | prefixes[p].bits << (32 - n);
		unsigned dwords = gcn_decode(gen, code, 4, &in);
		if (!dwords || has_no_place(&in))
			continue;
		if (gcn_op_info((enum gcn_op)in.op)->flags & GCN_F_BRANCH && in.fmt <= GCN_SOPP) {
			in.offset = (int32_t)(rnd(seed) % 12) - (int32_t)(rnd(seed) % 2 ? at % 8 : 0);
			if (!gcn_encode(gen, &in, code, &why))
				continue;
		}
		memcpy(out, code, 4 * dwords);
		return dwords;
	}
	return 0;
}
/* Instructions that each make a program; then all of them, and ends enough for
 * any branch. */
static struct cu_program *random_program(enum cu_level level, enum gcn_gen gen, uint64_t seed, uint32_t *code,
	size_t *size)
{
	struct cu_error err;
	struct gcn_inst stop = inst(GCN_S_ENDPGM);
	uint32_t end[4];
	const char *why;
	size_t n = 0;
	gcn_encode(gen, &stop, end, &why);
	for (unsigned i = 0; i < LENGTH; i++) {
		uint32_t one[4 + 32];
		unsigned dwords = random_instruction(gen, &seed, (unsigned)n, one);
		for (unsigned j = dwords; j < 36; j++)
			one[j] = end[0];
		struct gcn_inst in;
		bool branch = gcn_decode(gen, one, dwords, &in) &&
			gcn_op_info((enum gcn_op)in.op)->flags & GCN_F_BRANCH;
		struct cu_program *p = branch ? NULL : cu_program_create_gen(level, gen, one, 36, &err);
		cu_program_destroy(p);
		if (!dwords || (!p && !branch))
			continue;
		memcpy(code + n, one, 4 * dwords);
		n += dwords;
	}
	for (int i = 0; i < 16; i++)
		code[n++] = end[0];
	*size = n;
	return cu_program_create_gen(level, gen, code, n, &err);
}

static void set64(struct cu_wave *w, unsigned s, uint64_t x)
{
	w->sgpr[s] = (uint32_t)x;
	w->sgpr[s + 1] = (uint32_t)(x >> 32);
}
static void randomise(struct fuzz *f, struct cu_wave *w, uint64_t seed)
{
	uint64_t base = (uintptr_t)f->buffer;
	memset(w->vgpr, 0, sizeof(w->vgpr));
	memset(f->exports, 0, sizeof(*f->exports));
	cu_wave_init(w, rnd(&seed) & 1 ? ~0ull : (uint64_t)rnd(&seed) << 32 | rnd(&seed),
		rnd(&seed) & 1 ? f->exports : NULL);
	for (int v = 0; v < 40; v++)
		for (int l = 0; l < 64; l++)
			w->vgpr[v][l] = rnd(&seed) & 3 ? rnd(&seed) >> rnd(&seed) % 32 : (uint32_t)(base + rnd(&seed) % BUFFER);
	for (int l = 0; l < 64; l++) /* pairs that are addresses */
		for (int v = 1; v < 16; v += 2)
			w->vgpr[v][l] = rnd(&seed) & 7 ? (uint32_t)(base >> 32) : rnd(&seed);
	for (int s = 0; s < 108; s++)
		w->sgpr[s] = rnd(&seed) >> rnd(&seed) % 32;
	for (int s = 0; s < 32; s += 4) {
		set64(w, (unsigned)s, base + rnd(&seed) % BUFFER);
		if (rnd(&seed) & 1) { /* a V#: stride, records, formats */
			w->sgpr[s + 1] = (w->sgpr[s + 1] & 0xffff) | (rnd(&seed) & 0xffff) >> rnd(&seed) % 16 << 16;
			w->sgpr[s + 2] = rnd(&seed) % BUFFER >> rnd(&seed) % 16;
			w->sgpr[s + 3] = rnd(&seed) & 0x3fffffff;
		}
	}
	for (int s = 32; s < 64; s += 8) { /* a T#: address / 256, small sizes, random formats */
		w->sgpr[s] = (uint32_t)(base >> 8) + rnd(&seed) % 64;
		w->sgpr[s + 1] = (uint32_t)(base >> 40) | (rnd(&seed) & 0xffffff00);
		w->sgpr[s + 2] = (rnd(&seed) & 63) | (rnd(&seed) & 63) << 14 | (rnd(&seed) & 0xf0000000);
		w->sgpr[s + 3] = rnd(&seed) | (rnd(&seed) & 1 ? 0x80000000 : 0);
		w->sgpr[s + 4] = rnd(&seed) & 0x1fff;
	}
	w->sgpr[124] = rnd(&seed) & 1 ? rnd(&seed) : rnd(&seed) & 0xff;
	w->mode = rnd(&seed) & 1 ? CU_MODE_PLAIN : rnd(&seed) & 0x800fff;
	w->lds = f->lds, w->lds_bytes = LDS;
	w->scratch = f->scratch, w->scratch_bytes = SCRATCH;
	set64(w, 102, (uintptr_t)f->scratch);
	w->gds = f->gds, w->gds_bytes = GDS;
	w->memory = f->memory;
	w->budget = BUDGET;
	for (int i = 0; i < BUFFER; i += 4) {
		uint32_t x = rnd(&seed) >> rnd(&seed) % 32;
		memcpy(f->buffer + i, &x, 4);
	}
	memset(f->lds, (int)(rnd(&seed) & 255), LDS);
	memset(f->scratch, 0, SCRATCH);
	memset(f->gds, 0, GDS);
}
static bool same(const struct cu_wave *a, const struct cu_wave *b)
{
	return !memcmp(a->vgpr, b->vgpr, sizeof(a->vgpr)) && !memcmp(a->sgpr, b->sgpr, sizeof(a->sgpr)) &&
		a->scc == b->scc && a->mode == b->mode && !strcmp(a->error.text, b->error.text);
}
static void list(enum gcn_gen gen, const uint32_t *code, size_t n)
{
	for (size_t at = 0; at < n;) {
		struct gcn_inst in;
		char text[200] = "?";
		unsigned dwords = gcn_decode(gen, code + at, n - at, &in);
		if (dwords)
			gcn_disasm(gen, &in, at * 4, text, sizeof(text));
		printf("   %04zx %s\n", at * 4, text);
		at += dwords ? dwords : 1;
	}
}
static void one(struct fuzz *f, uint64_t seed)
{
	uint32_t code[LENGTH * 4 + 16];
	size_t n;
	enum gcn_gen gen = seed & 1 ? GCN_GFX9 : (enum gcn_gen)(seed >> 1 & 3);
	bool both = has_level(CU_LEVEL_V4);
	enum cu_status status[2] = { CU_DONE, CU_DONE };
	f->programs++;
	for (int level = 0; level < 1 + both; level++) {
		struct cu_program *p = random_program(level ? CU_LEVEL_V4 : CU_LEVEL_V3, gen, seed, code, &n);
		if (!p) {
			f->refused++;
			return;
		}
		randomise(f, f->w[level], seed);
		status[level] = cu_wave_run(p, f->w[level]);
		const char *text = f->w[level]->error.text;
		CHECK(status[level] != CU_FAULT || !strncmp(text, "pc 0x", 5), "seed %llu: %s",
			(unsigned long long)seed, text);
		cu_program_destroy(p);
		if (!level)
			memcpy(f->kept, f->buffer, BUFFER);
	}
	f->done += status[0] == CU_DONE;
	f->faults += status[0] == CU_FAULT;
	if (!both || (status[0] == status[1] && same(f->w[0], f->w[1]) && !memcmp(f->kept, f->buffer, BUFFER)))
		return;
	CHECK(false, "seed %llu, gen %d: levels differ: '%s' '%s'", (unsigned long long)seed, gen,
		f->w[0]->error.text, f->w[1]->error.text);
	if (failures < 4)
		list(gen, code, n);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int main(int argc, char **argv)
{
	double seconds = 0;
	uint64_t seed = 0, count = 4000;
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seconds"))
			seconds = strtod(argv[i + 1], NULL);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 0), count = 1;
	}
	unsigned mxcsr = cu_fp_enter();
	struct fuzz f = { { wave(0), wave(0) }, aligned_alloc(256, BUFFER), malloc(LDS), aligned_alloc(256, SCRATCH),
		malloc(GDS), malloc(BUFFER), aligned_alloc(64, sizeof(struct cu_exports)), cu_memory_create(), 0, 0, 0, 0 };
	if (!f.buffer || !f.lds || !f.scratch || !f.gds || !f.kept || !f.exports || !f.memory ||
		!cu_memory_add(f.memory, f.buffer, BUFFER))
		return 1;
	double end = now() + seconds;
	for (uint64_t i = 0; seconds > 0 ? now() < end : i < count; i++)
		one(&f, seed + i);
	printf("%u programs: %u refused, %u ended, %u faulted\n", f.programs, f.refused, f.done, f.faults);
	CHECK(count == 1 || (f.done > f.programs / 20 && f.faults), "hardly any program ran");
	cu_memory_destroy(f.memory);
	free(f.buffer);
	free(f.lds);
	free(f.scratch);
	free(f.gds);
	free(f.kept);
	free(f.exports);
	free(f.w[0]);
	free(f.w[1]);
	cu_fp_leave(mxcsr);
	return finish("test_program_fuzz");
}
