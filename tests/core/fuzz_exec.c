/* Random programs through decoding and execution, of every generation, at both
 * kernel levels: nothing may crash, and the levels must agree.  Instructions
 * are drawn from the table, with operands that aim at the descriptors and
 * addresses set up here, some of them damaged; some words are random.
 *
 *   fuzz_exec [--seconds N] [--seed N]   (5 seconds by default)
 *
 * Most useful in a build with -DQW_SANITIZE=address,undefined: memory, LDS and
 * scratch are blocks of their own, so an access beyond is seen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "core/cu.h"
#include "core/memory.h"
#include "isa/abi.h"
#include "isa/gcn.h"
#include "isa/resource.h"

enum { ARENA = 1 << 16, LDS = 8192, SCRATCH = 256 * 16, GDS = 256, MAX_WORDS = 96 };

struct side { /* what one level works on */
	struct cu_wave *w;
	struct cu_exports *exports;
	uint8_t *arena, *lds, *scratch, *gds;
};
static uint64_t state = 1;
static uint32_t rnd(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 32);
}
static uint32_t rn(uint32_t n) { return rnd() % n; }

static void *block(size_t bytes)
{
	void *p = aligned_alloc(256, (bytes + 255) & ~(size_t)255);
	if (!p)
		exit(2);
	return memset(p, 0, bytes);
}

/* --- programs --- */

static uint16_t any_scalar(void)
{
	static const uint16_t special[] = { 106, 107, 124, 126, 127, 128, 192, 193, 208, 235, 237, 240, 242, 248, 251, 252, 253,
		255, 102, 104, 108 };
	return rn(3) ? (uint16_t)rn(40) : special[rn(sizeof(special) / sizeof(special[0]))];
}
static uint16_t any_vector(void)
{
	return (uint16_t)(GCN_SRC_VGPR0 + (rn(8) ? rn(24) : rn(256)));
}
static void vector_memory(struct gcn_inst *in)
{
	in->src[0] = any_vector();
	in->src[1] = in->fmt == GCN_MIMG ? 16 : 8;
	in->src[2] = in->fmt == GCN_MIMG ? (gcn_op_info((enum gcn_op)in->op)->src_dw[2] ? 24 : GCN_SRC_NONE) : any_scalar();
	in->idxen = (uint8_t)rn(2);
	in->offen = (uint8_t)rn(2);
	in->addr64 = !rn(8);
	in->lds = !rn(8);
	in->tfe = !rn(8);
	in->lwe = !rn(16);
	in->d16 = !rn(6);
	in->r128_a16 = !rn(6);
	in->dmask = (uint8_t)rn(16);
	in->da = (uint8_t)rn(2);
	in->unorm = !rn(4);
	in->dfmt = (uint8_t)rn(16);
	in->nfmt = (uint8_t)rn(8);
	in->offset = (int32_t)rn(4096) >> rn(12);
	if (in->addr64)
		in->idxen = in->offen = 0;
	if (in->fmt != GCN_MIMG && !in->idxen && !in->offen && !in->addr64)
		in->src[0] = GCN_SRC_NONE;
}
static void operands(struct gcn_inst *in)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	bool vector = in->fmt >= GCN_VOP2 && in->fmt != GCN_EXP;
	in->dst = vector && !(info->flags & GCN_F_DST_SGPR) ? any_vector() : (uint16_t)rn(rn(8) ? 30 : 128);
	if (!info->dst_dw && in->fmt != GCN_MIMG)
		in->dst = GCN_SRC_NONE;
	if (info->sdst_dw)
		in->sdst = (uint16_t)(rn(4) ? 106 : 2 * rn(50));
	for (int i = 0; i < 4; i++)
		if (info->src_dw[i])
			in->src[i] = vector && rn(2) ? any_vector() : any_scalar();
	in->literal = rnd();
	in->offset = rn(4) ? (int32_t)rn(64) : (int32_t)(int16_t)rnd();
	in->glc = (uint8_t)rn(2);
	switch (in->fmt) {
	case GCN_MUBUF: case GCN_MTBUF: case GCN_MIMG:
		vector_memory(in);
		break;
	case GCN_SMEM:
		in->src[0] = info->src_dw[0] == 4 ? 8 : info->src_dw[0] ? 0 : GCN_SRC_NONE;
		in->src[1] = rn(2) ? GCN_SRC_NONE : (uint16_t)rn(30);
		break;
	case GCN_FLAT: case GCN_GLOBAL: case GCN_SCRATCH:
		in->src[0] = (uint16_t)(GCN_SRC_VGPR0 + 2 * rn(3));
		in->src[1] = info->src_dw[1] ? any_vector() : GCN_SRC_NONE;
		in->src[2] = in->fmt != GCN_FLAT && rn(2) ? 0 : GCN_SRC_NONE;
		if (in->fmt == GCN_SCRATCH && in->src[2] != GCN_SRC_NONE)
			in->src[0] = GCN_SRC_NONE;
		break;
	case GCN_DS:
		for (int i = 0; i < 3; i++)
			in->src[i] = info->src_dw[i] ? any_vector() : GCN_SRC_NONE;
		in->offset = (int32_t)rn(65536) >> rn(16);
		in->gds = info->flags & GCN_F_GDS_ONLY ? 1 : !rn(8);
		break;
	case GCN_EXP:
		in->exp_target = (uint8_t)rn(64);
		in->en = (uint8_t)rn(16);
		for (int i = 0; i < 4; i++)
			in->src[i] = any_vector();
		in->compr = !rn(6);
		in->vm = (uint8_t)rn(2);
		break;
	case GCN_SOPP:
		in->offset = (int32_t)rn(16) - 8;
		break;
	default:
		if (rn(3))
			break;
		in->neg = (uint8_t)rn(8), in->abs = (uint8_t)rn(8), in->clamp = (uint8_t)rn(2), in->omod = (uint8_t)rn(4);
		in->op_sel = (uint8_t)rn(16), in->op_sel_hi = (uint8_t)rn(8);
		if (rn(2))
			in->fmt = GCN_VOP3;
		else if (info->mods & GCN_M_SDWA && rn(2))
			in->sub = GCN_SUB_SDWA, in->dst_sel = (uint8_t)rn(7), in->dst_unused = (uint8_t)rn(3),
			in->src_sel[0] = (uint8_t)rn(7), in->src_sel[1] = (uint8_t)rn(7), in->src_sext = (uint8_t)rn(4);
		else if (info->mods & GCN_M_DPP)
			in->sub = GCN_SUB_DPP, in->dpp_ctrl = (uint16_t)rn(0x143), in->row_mask = (uint8_t)rn(16),
			in->bank_mask = (uint8_t)rn(16), in->bound_ctrl = (uint8_t)rn(2);
		break;
	}
}
static bool is_timed(unsigned op)
{
	return op == GCN_S_MEMTIME || op == GCN_S_MEMREALTIME || op == GCN_S_GETREG_B32;
}
/* Words of a random program; *timed: its result depends on clocks. */
static size_t generate(enum gcn_gen gen, uint32_t code[MAX_WORDS + 8], bool *timed)
{
	size_t n = 0, want = 1 + rn(24);
	*timed = false;
	for (size_t i = 0; i < want && n < MAX_WORDS - 4; i++) {
		struct gcn_inst in;
		unsigned words = 0;
		if (!rn(40)) {
			code[n++] = rnd();
			code[n++] = rnd();
			*timed = true;
			continue;
		}
		for (int tries = 0; tries < 20 && !words; tries++) {
			gcn_inst_init(&in, (enum gcn_op)rn(GCN_OP_COUNT));
			operands(&in);
			words = gcn_encode(gen, &in, code + n, NULL);
		}
		*timed |= words && is_timed(in.op);
		n += words;
	}
	code[n++] = 0xbf810000; /* s_endpgm, in every generation */
	return n;
}

/* --- state --- */

static void make_descriptors(struct cu_wave *w, const uint8_t *arena)
{
	uint64_t a = (uintptr_t)arena;
	uint32_t *v = &w->sgpr[8], *t = &w->sgpr[16], *s = &w->sgpr[24];
	memset(v, 0, 16);
	ISA_SET(v, V_BASE_LO, (uint32_t)a + rn(64));
	ISA_SET(v, V_BASE_HI, (uint32_t)(a >> 32));
	ISA_SET(v, V_STRIDE, rn(3) ? 0 : rn(64));
	ISA_SET(v, V_NUM_RECORDS, rn(2) ? 256 : rn(8) ? rn(ARENA / 2) : rnd());
	v[3] = rnd();
	v[1] |= rn(4) ? 0 : 1u << 31;
	memset(t, 0, 32);
	ISA_SET(t, T_BASE_LO, (uint32_t)(a >> 8));
	ISA_SET(t, T_BASE_HI, (uint32_t)(a >> 40));
	ISA_SET(t, T_DATA_FORMAT, rn(4) ? 1 + rn(20) : rn(64));
	ISA_SET(t, T_NUM_FORMAT, rn(10));
	ISA_SET(t, T_WIDTH, rn(20));
	ISA_SET(t, T_HEIGHT, rn(20));
	t[3] = rnd();
	ISA_SET(t, T_BASE_LEVEL, 0);
	ISA_SET(t, T_LAST_LEVEL, rn(4));
	ISA_SET(t, T_TYPE, 8 + rn(8));
	ISA_SET(t, T_TILING_INDEX, rn(2) ? TILING_LINEAR : TILING_4X4);
	ISA_SET(t, T_DEPTH, rn(8));
	ISA_SET(t, T_LAST_ARRAY, rn(8));
	for (int i = 0; i < 4; i++)
		s[i] = rnd();
	if (!rn(6)) /* damage */
		w->sgpr[8 + rn(20)] ^= 1u << rn(32);
	if (!rn(10))
		for (int i = 0; i < 8; i++)
			t[i] = rnd();
}
static void setup(struct side *d, const uint8_t *arena, uint64_t seed)
{
	uint64_t keep = state, a = (uintptr_t)arena;
	struct cu_wave *w = d->w;
	state = seed;
	uint64_t exec = rn(2) ? ~0ull : rn(8) ? (uint64_t)rnd() << 32 | rnd() : 0;
	memset(d->exports, 0, sizeof(*d->exports));
	cu_wave_init(w, exec, rn(4) ? d->exports : NULL);
	for (unsigned i = 0; i < 32; i++)
		for (int l = 0; l < 64; l++)
			w->vgpr[i][l] = rn(2) ? rn(300) : rnd() << rn(32);
	for (unsigned i = 32; i < 256; i++)
		memset(w->vgpr[i], (int)i, sizeof(w->vgpr[i]));
	for (unsigned i = 0; i < 104; i++)
		w->sgpr[i] = rn(3) ? rn(200) : rnd();
	memcpy(&w->sgpr[0], &a, 8);
	make_descriptors(w, arena);
	for (int l = 0; l < 64; l++) { /* v[0:1] in the arena, v[2:3] in an aperture, v[4:5] wild */
		uint64_t near = a + rn(ARENA), far = (rn(2) ? ABI_SHARED_BASE : ABI_PRIVATE_BASE) + rn(9000);
		w->vgpr[0][l] = (uint32_t)near, w->vgpr[1][l] = (uint32_t)(near >> 32);
		w->vgpr[2][l] = (uint32_t)far, w->vgpr[3][l] = (uint32_t)(far >> 32);
	}
	w->lds = d->lds, w->lds_bytes = rn(4) ? LDS : rn(LDS);
	w->scratch = d->scratch, w->scratch_bytes = rn(4) ? SCRATCH : 0;
	a = (uintptr_t)d->scratch;
	memcpy(&w->sgpr[102], &a, 8);
	w->gds = rn(2) ? d->gds : NULL, w->gds_bytes = GDS;
	w->sgpr[124] = rn(2) ? rn(LDS) : rnd();
	for (unsigned i = 0; i < ARENA; i += 4)
		memcpy(d->arena + i, &(uint32_t){ i * 2654435761u }, 4);
	memset(d->lds, 0x3c, LDS);
	memset(d->scratch, 0x15, SCRATCH);
	memset(d->gds, 7, GDS);
	state = keep;
}

/* --- running --- */

static enum cu_status run_side(struct side *d, enum cu_level level, enum gcn_gen gen, const uint32_t *code, size_t n,
	uint64_t seed, const struct cu_memory *m, bool *made)
{
	static const int stop = 1; /* endless loops end after a million instructions */
	struct cu_error err;
	struct cu_program *p = cu_program_create_gen(level, gen, code, n, &err);
	enum cu_status s = CU_FAULT;
	*made = p;
	if (!p) {
		if (strncmp(err.text, "pc 0x", 5)) {
			printf("no place in: %s\n", err.text);
			exit(1);
		}
		return s;
	}
	setup(d, d->arena, seed);
	d->w->memory = m;
	d->w->abort = &stop;
	for (int i = 0; i < 4; i++)
		if ((s = cu_wave_run(p, d->w)) != CU_BARRIER)
			break;
	if (s == CU_FAULT && strncmp(d->w->error.text, "pc 0x", 5)) {
		printf("no place in: %s\n", d->w->error.text);
		exit(1);
	}
	cu_program_destroy(p);
	return s;
}

static void report(enum gcn_gen gen, const uint32_t *code, size_t n, uint64_t seed, const char *what)
{
	printf("seed %llu: %s\n", (unsigned long long)seed, what);
	for (size_t at = 0; at < n;) {
		struct gcn_inst in;
		char text[200] = "?";
		unsigned words = gcn_decode(gen, code + at, n - at, &in);
		if (words)
			gcn_disasm(gen, &in, at * 4, text, sizeof(text));
		printf("  %02zx %08x  %s\n", at * 4, code[at], text);
		at += words ? words : 1;
	}
}

static bool has_v4(void)
{
	enum cu_level got;
	const char *why;
	return cu_level_detect("v4", &got, &why);
}
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	double seconds = 5, start = now();
	uint64_t seed = 1, programs = 0, made_count = 0, done = 0, faults = 0, differ = 0;
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seconds"))
			seconds = atof(argv[i + 1]);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 0);
	}
	struct side d = { block(sizeof(struct cu_wave)), block(sizeof(struct cu_exports)), block(ARENA), block(LDS),
		block(SCRATCH), block(GDS) };
	struct cu_wave *first = block(sizeof(struct cu_wave));
	uint8_t *arena = block(ARENA), *lds = block(LDS);
	struct cu_memory *m = cu_memory_create();
	bool v4 = has_v4(), timed, made, again;
	cu_memory_add(m, d.arena, ARENA);
	for (; now() - start < seconds; seed++, programs++) {
		uint32_t code[MAX_WORDS + 8];
		state = seed * 0x9e3779b97f4a7c15u;
		enum gcn_gen gen = rn(3) ? GCN_GFX9 : (enum gcn_gen)rn(GCN_GEN_COUNT);
		size_t n = generate(gen, code, &timed);
		uint64_t s0 = state;
		enum cu_status s = run_side(&d, CU_LEVEL_V3, gen, code, n, s0, m, &made), s2;
		made_count += made, done += s == CU_DONE && made, faults += s == CU_FAULT && made;
		if (!v4)
			continue;
		memcpy(first, d.w, sizeof(*first));
		memcpy(arena, d.arena, ARENA);
		memcpy(lds, d.lds, LDS);
		s2 = run_side(&d, CU_LEVEL_V4, gen, code, n, s0, m, &again);
		if (made == again && (!made || timed))
			continue;
		if (made != again || s != s2 || (s != CU_FAULT && (memcmp(first->vgpr, d.w->vgpr, sizeof(first->vgpr)) ||
		    memcmp(first->sgpr, d.w->sgpr, sizeof(first->sgpr)) || memcmp(arena, d.arena, ARENA) ||
		    memcmp(lds, d.lds, LDS)))) {
			if (differ++ < 5)
				report(gen, code, n, seed, "the levels disagree");
		}
	}
	printf("%llu programs, %llu valid, %llu ran to the end, %llu faulted, %llu differ between levels\n",
		(unsigned long long)programs, (unsigned long long)made_count, (unsigned long long)done,
		(unsigned long long)faults, (unsigned long long)differ);
	fflush(stdout);
	cu_memory_destroy(m);
	void *const blocks[] = { d.w, d.exports, d.arena, d.lds, d.scratch, d.gds, first, arena, lds };
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		free(blocks[i]);
	return differ || !done;
}
