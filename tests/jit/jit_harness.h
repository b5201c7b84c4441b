/* SPDX-License-Identifier: MIT */
/* Interpreter and translation side by side on the same random state. */
#ifndef TESTS_JIT_HARNESS_H
#define TESTS_JIT_HARNESS_H

#include "core/jit/jit.h"
#include "core/memory.h"
#include "isa/text/gcn_disasm.h"
#include "tests/core/interp_harness.h"

enum { LDS_BYTES = 4096, DATA_DWORDS = 4096, SCRATCH_DWORDS = 64 * 64, SGPR_DATA = 60, SGPR_BUFFER = 64,
	SGPR_RECORDS = 68, SGPR_FREE = 32, SGPR_NEAR = 72 };

struct side {
	struct cu_wave w;
	struct cu_exports e;
	_Alignas(64) uint8_t lds[LDS_BYTES];
};
struct bench_state {
	struct side ref, jit;
	/* What both sides use in turn, as it was before and as the interpreter leaves it. */
	struct shared { _Alignas(64) uint32_t below[64], data[DATA_DWORDS], scratch[SCRATCH_DWORDS]; } now, before, want;
	struct cu_exec_heap *heap;
	struct jit_x_forms *forms;
	struct cu_memory *memory[3]; /* any address; the data as one range and as two */
	unsigned attached;
};

static inline struct bench_state *new_bench(unsigned fail_every)
{
	struct bench_state *b = aligned_alloc(64, sizeof(*b));
	if (!b || !(b->heap = cu_exec_heap_create(fail_every)) || !(b->forms = jit_x_forms_create()))
		exit(1);
	b->attached = 0;
	b->memory[0] = NULL;
	for (int i = 1; i < 3; i++) {
		char *half = (char *)b->now.data + sizeof(b->now.data) / 2;
		if (!(b->memory[i] = cu_memory_create()))
			exit(1);
		cu_memory_add(b->memory[i], b->now.data, sizeof(b->now.data) / (unsigned)i);
		if (i == 2)
			cu_memory_add(b->memory[i], half, sizeof(b->now.data) / 2);
	}
	return b;
}
static inline void free_bench(struct bench_state *b)
{
	unsigned known, direct;
	jit_x_forms_count(b->forms, &known, &direct);
	printf("%u forms of x86 instructions, %u of them by Zydis alone\n", known, direct);
	cu_exec_heap_destroy(b->heap);
	cu_memory_destroy(b->memory[1]);
	cu_memory_destroy(b->memory[2]);
	jit_x_forms_destroy(b->forms);
	free(b);
}

static inline uint32_t any_bits(uint64_t *s)
{
	static const uint32_t special[] = { 0, 1, 0x80000000, 0x7fffffff, 0xffffffff, 0x7fc00000,
		0xffc00000, 0x7f800001, 0xff812345, 0x7f800000, 0xff800000, 0x3f800000, 0xbf800000,
		0x00000007, 0x807fffff, 0x00800000, 0x7f7fffff, 0x4f000000, 0x4f800000, 0xcf000000,
		0x3f000000, 0x4b000000, 0xc3160000, 0x3effffff };
	uint32_t r = rnd(s);
	switch (r & 7) {
	case 0: return special[rnd(s) % (sizeof(special) / 4)];
	case 1: return rnd(s) & 63;
	case 2: case 3: case 4: return float_bits((float)((int32_t)rnd(s) >> 20) / 16.0f);
	default: return rnd(s);
	}
}
static inline uint64_t any_exec(uint64_t *s)
{
	uint64_t m = (uint64_t)rnd(s) << 32 | rnd(s);
	switch (rnd(s) & 7) {
	case 0: return m;
	case 1: return m & ((uint64_t)rnd(s) << 32 | rnd(s));
	case 2: return 0;
	case 3: return 1ull << (rnd(s) & 63);
	case 4: return (m & 0x1111111111111111) * 15;
	default: return ~0ull;
	}
}

static inline void random_state(struct bench_state *b, uint64_t *s)
{
	struct side *a = &b->ref;
	cu_wave_init(&a->w, any_exec(s), &a->e);
	for (unsigned v = 0; v < CU_VGPRS; v++) {
		if (v >= 64 && v < 250) {
			memset(a->w.vgpr[v], (int)v, sizeof(a->w.vgpr[v]));
			continue;
		}
		bool plain = rnd(s) & 1;
		for (unsigned l = 0; l < 64; l++)
			a->w.vgpr[v][l] = plain ? float_bits((float)((int32_t)rnd(s) >> 24)) : any_bits(s);
	}
	for (unsigned i = 0; i < SGPR_DATA; i++)
		a->w.sgpr[i] = any_bits(s);
	for (unsigned i = 0; i < 2; i++)
		a->w.sgpr[GCN_SRC_VCC + i] = rnd(s);
	a->w.scc = rnd(s) & 1;
	for (unsigned i = 0; i < DATA_DWORDS; i++)
		b->now.data[i] = any_bits(s);
	for (unsigned i = 0; i < LDS_BYTES / 4; i++) {
		uint32_t x = any_bits(s);
		memcpy(a->lds + 4 * i, &x, 4);
	}
	uint64_t at = (uintptr_t)b->now.data;
	memcpy(&a->w.sgpr[SGPR_DATA], &at, 8);
	a->w.sgpr[SGPR_BUFFER] = (uint32_t)at;
	a->w.sgpr[SGPR_BUFFER + 1] = (uint32_t)(at >> 32);
	a->w.sgpr[SGPR_BUFFER + 2] = rnd(s) & 1 ? DATA_DWORDS * 4 : 100 + (rnd(s) & 255);
	a->w.sgpr[SGPR_BUFFER + 3] = 0x00027fac;
	/* Records of 16 bytes. */
	memcpy(&a->w.sgpr[SGPR_RECORDS], &a->w.sgpr[SGPR_BUFFER], 16);
	a->w.sgpr[SGPR_RECORDS + 1] |= 16 << 16;
	a->w.sgpr[SGPR_RECORDS + 2] = rnd(s) % (DATA_DWORDS / 4);
	for (unsigned i = 0; i < SCRATCH_DWORDS; i++)
		b->now.scratch[i] = any_bits(s);
	uint64_t skip = rnd(s) % 4 ? 0 : 512;
	a->w.scratch = (uint8_t *)b->now.scratch;
	a->w.scratch_bytes = sizeof(b->now.scratch);
	memset(a->w.scratch_high, 0, sizeof a->w.scratch_high);
	at = (uintptr_t)b->now.scratch + skip;
	memcpy(&a->w.sgpr[GCN_SRC_FLAT_SCRATCH], &at, 8);
	/* M0: LDS offset and newprimmask of the interpolation. */
	a->w.sgpr[M0] = (rnd(s) & 0x3fc) | (rnd(s) & 1 ? (rnd(s) & 0x7fff) << 16 : 0);
	for (unsigned i = 0; i < sizeof(a->e.data) / 4; i++)
		((uint32_t *)a->e.data)[i] = i;
	memset(a->e.mask, 0, sizeof(a->e.mask));
	a->w.lds_bytes = rnd(s) % 16 ? LDS_BYTES : 64;
	a->w.budget = 3000; /* endless loops end soon */
	a->w.sgpr[SGPR_NEAR] = sizeof(b->now.data) / 2 - 128;
	static struct cu_spans seen; /* while the waves run */
	memset(&seen, 0, sizeof seen);
	cu_memory_enter(&a->w, b->memory[rnd(s) % 3], &seen);
	b->jit = b->ref;
	a->w.lds = a->lds;
	b->jit.w.lds = b->jit.lds;
	b->jit.w.exports = &b->jit.e;
	b->before = b->now;
}

/* What `inner` makes, for the lanes of a mask, or three times. */
typedef void put_inner(struct code *c, uint64_t *s, unsigned depth);
static inline void put_body(struct code *c, uint64_t *s, unsigned save, unsigned mask, put_inner *inner)
{
	op1(c, GCN_S_AND_SAVEEXEC_B64, save, mask);
	const size_t over = c->n;
	imm(c, GCN_S_CBRANCH_EXECZ, 0);
	inner(c, s, 0);
	patch(c, over);
	op1(c, GCN_S_MOV_B64, GCN_SRC_EXEC, save);
}
static inline void put_turns(struct code *c, uint64_t *s, unsigned count, put_inner *inner)
{
	op1(c, GCN_S_MOV_B32, count, K(3));
	const size_t top = c->n;
	inner(c, s, 0);
	op2(c, GCN_S_SUB_U32, count, count, K(1));
	op2(c, GCN_S_CMP_LG_U32, NONE, count, K(0));
	imm(c, GCN_S_CBRANCH_SCC1, (int32_t)top - (int32_t)c->n - 1);
}

/* v0 to v(count - 1), four an export, and the end. */
static inline void put_outputs(struct code *c, unsigned count)
{
	for (unsigned k = 0; 4 * k < count; k++) {
		struct gcn_inst out = inst(GCN_EXPORT);
		out.exp_target = (uint8_t)(32 + k);
		out.en = 15;
		for (unsigned n = 0; n < 4; n++)
			out.src[n] = V(4 * k + n);
		put(c, &out);
	}
	end(c);
}

/* A comparison to any pair, a selection by any. */
static inline void put_compare(struct code *c, enum gcn_op op, unsigned pair, unsigned a, unsigned b)
{
	struct gcn_inst in = inst(op);
	in.fmt = GCN_VOP3;
	in.sdst = (uint16_t)pair;
	in.src[0] = (uint16_t)a;
	in.src[1] = (uint16_t)b;
	put(c, &in);
}
static inline void put_select(struct code *c, unsigned dst, unsigned off, unsigned on, unsigned pair)
{
	struct gcn_inst in = inst(GCN_V_CNDMASK_B32);
	in.fmt = GCN_VOP3;
	in.dst = (uint16_t)dst;
	in.src[0] = (uint16_t)off;
	in.src[1] = (uint16_t)on;
	in.src[2] = (uint16_t)pair;
	put(c, &in);
}

/* What nobody reads of SGPRs may be otherwise. */
static inline void forgive(struct side *x, const struct side *like, const struct cu_jit_image *code)
{
	for (unsigned n = 0; n < 128; n++)
		if (code->loose[n / 64] >> n % 64 & 1)
			x->w.sgpr[n] = like->w.sgpr[n];
	if (code->loose[1] >> (125 - 64) & 1)
		x->w.scc = like->w.scc;
}

static inline int64_t first_difference(const void *a, const void *b, size_t n)
{
	if (!memcmp(a, b, n))
		return -1;
	for (size_t i = 0; i < n; i += 4)
		if (memcmp((const char *)a + i, (const char *)b + i, 4))
			return (int64_t)i / 4;
	return -1;
}

/* Prints and returns true where the two sides differ. */
static inline bool differs(const struct bench_state *b, bool all)
{
	const struct side *x = &b->ref, *y = &b->jit;
	int64_t at = all ? first_difference(x->w.vgpr, y->w.vgpr, sizeof(x->w.vgpr)) : -1;
	if (at >= 0)
		printf("v%d lane %d: %08x, translated %08x\n", (int)at / 64, (int)at % 64,
			((const uint32_t *)x->w.vgpr)[at], ((const uint32_t *)y->w.vgpr)[at]);
	int64_t s = first_difference(x->w.sgpr, y->w.sgpr, sizeof(x->w.sgpr));
	if (s >= 0)
		printf("s%d: %08x, translated %08x\n", (int)s, x->w.sgpr[s], y->w.sgpr[s]);
	int64_t l = first_difference(x->lds, y->lds, sizeof(x->lds));
	if (l >= 0)
		printf("LDS dword %d\n", (int)l);
	int64_t e = first_difference(x->e.data, y->e.data, sizeof(x->e.data));
	if (e >= 0)
		printf("export %d.%d lane %d: %08x, translated %08x\n", (int)e / 256, (int)e / 64 % 4,
			(int)e % 64, ((const uint32_t *)x->e.data)[e], ((const uint32_t *)y->e.data)[e]);
	int64_t m = first_difference(&b->want, &b->now, sizeof(b->want));
	if (m >= 0)
		printf("memory, dword %d\n", (int)m);
	bool rest = memcmp(x->e.exec, y->e.exec, sizeof(x->e.exec))
		|| memcmp(x->e.mask, y->e.mask, sizeof(x->e.mask)) || x->e.targets != y->e.targets
		|| x->e.valid != y->e.valid || x->w.pc != y->w.pc || (all && x->w.scc != y->w.scc)
		|| x->w.instructions != y->w.instructions;
	if (rest)
		printf("pc %x %x, scc %u %u, instructions %llu %llu, export targets %llx %llx valid %llx %llx\n",
			x->w.pc, y->w.pc, x->w.scc, y->w.scc, (unsigned long long)x->w.instructions,
			(unsigned long long)y->w.instructions, (unsigned long long)x->e.targets,
			(unsigned long long)y->e.targets, (unsigned long long)x->e.valid,
			(unsigned long long)y->e.valid);
	int64_t last = -1;
	for (int64_t i = 0; i < SCRATCH_DWORDS; i++)
		last = b->now.scratch[i] != b->before.scratch[i] ? 4 * i : last;
	const bool hidden = last >= (int64_t)cu_scratch_extent(&x->w) || last >= (int64_t)cu_scratch_extent(&y->w);
	if (hidden)
		printf("byte %lld of scratch is written; said are %zu, translated %zu\n", (long long)last, cu_scratch_extent(&x->w),
			cu_scratch_extent(&y->w));
	return at >= 0 || s >= 0 || l >= 0 || e >= 0 || m >= 0 || rest || hidden;
}

static inline void print_program(const struct code *c)
{
	char text[160];
	struct gcn_inst in;
	for (size_t i = 0; i < c->n;) {
		unsigned n = gcn_decode(GCN_GFX9, c->dw + i, c->n - i, &in);
		if (!n)
			break;
		gcn_disasm(GCN_GFX9, &in, i * 4, text, sizeof(text));
		printf("  %04zx  %s\n", i * 4, text);
		i += n;
	}
}

/* Translates as asked; by forms and by Zydis alone the code must be the same. */
static inline bool translate_twice(struct bench_state *b, const struct cu_program *p,
	const struct cu_jit_options *o, struct cu_jit_image *image)
{
	struct cu_error err = { "" };
	struct cu_jit_options with = o ? *o : (struct cu_jit_options){ 0 };
	struct cu_jit_image alone;
	with.forms = b->forms;
	bool ok = cu_jit_translate(p, o, &alone, &err);
	if (!ok || !cu_jit_translate(p, &with, image, &err)) {
		printf("translation: %s\n", err.text);
		if (ok)
			cu_jit_image_free(&alone);
		return false;
	}
	if (image->bytes != alone.bytes || memcmp(image->code, alone.code, alone.bytes)) {
		size_t at = 0;
		while (at < image->bytes && at < alone.bytes && image->code[at] == alone.code[at])
			at++;
		printf("by forms the code differs at 0x%zx\n", at);
		cu_jit_image_free(image);
		ok = false;
	}
	cu_jit_image_free(&alone);
	return ok;
}

/* Runs c on both sides `runs` times; false after a difference. */
static inline bool compare(struct bench_state *b, enum cu_level level, const struct code *c,
	const struct cu_jit_options *o, int runs, uint64_t *s)
{
	struct cu_error err = { "" };
	struct cu_jit_image image;
	struct cu_program *p = cu_program_create(level, c->dw, c->n, &err);
	if (!p) {
		printf("program: %s\n", err.text);
		print_program(c);
		return false;
	}
	bool ok = translate_twice(b, p, o, &image);
	for (int k = 0; ok && k < runs; k++) {
		random_state(b, s);
		unsigned fp = cu_fp_enter();
		enum cu_status want = cu_wave_run(p, &b->ref.w), got = want;
		b->want = b->now;
		b->now = b->before;
		/* Where code memory fails, the interpreter goes on. */
		EXPECT(cu_jit_attach(p, b->heap, &image, &err) == (p->runner != NULL), "attached or not");
		b->attached += p->runner != NULL;
		got = cu_wave_run(p, &b->jit.w);
		cu_fp_leave(fp);
		cu_jit_detach(p);
		/* Dead values may differ. */
		for (unsigned n = 0; n < 128; n++)
			if (image.loose[n / 64] >> n % 64 & 1)
				b->jit.w.sgpr[n] = b->ref.w.sgpr[n];
		if (image.loose[1] >> (125 - 64) & 1)
			b->jit.w.scc = b->ref.w.scc;
		if (want != got)
			printf("status %d, translated %d (%s)\n", want, got, b->jit.w.error.text);
		ok = want == got && (want == CU_FAULT || !differs(b, o && o->keep_all));
	}
	if (!ok) {
		printf("level %d, seed %u%s:\n", level, o ? o->seed : 0, o && o->no_registers ? ", no registers" : "");
		print_program(c);
	}
	cu_jit_image_free(&image);
	cu_program_destroy(p);
	return ok;
}

/* --- random instructions --- */

static inline uint16_t random_operand(uint64_t *s, unsigned dwords, bool vgpr_only, struct gcn_inst *in)
{
	static const uint8_t floats[] = { 240, 241, 242, 243, 244, 245, 246, 247, 248 };
	unsigned r = rnd(s) % 10;
	if (vgpr_only || r < 5)
		return V(rnd(s) % 12);
	if (r < 7)
		return (uint16_t)(rnd(s) % 16 & ~(dwords - 1));
	if (r == 7)
		return rnd(s) & 1 ? (rnd(s) & 1 ? VCC : EXEC) : K((int)(rnd(s) % 81) - 16);
	if (r == 8 || in->fmt == GCN_VOP3)
		return rnd(s) & 1 ? floats[rnd(s) % 9] : K((int)(rnd(s) % 40));
	in->literal = any_bits(s);
	return LITERAL;
}
static inline uint16_t random_scalar(uint64_t *s, unsigned dwords, struct gcn_inst *in)
{
	uint16_t o;
	do
		o = random_operand(s, dwords, false, in);
	while (o >= V0);
	return o;
}
static inline uint16_t random_sdst(uint64_t *s, unsigned dwords)
{
	unsigned r = rnd(s) % 16;
	return r == 0 ? VCC : r == 1 && dwords == 2 && rnd(s) % 4 == 0 ? EXEC : (uint16_t)(rnd(s) % 16 & ~(dwords - 1));
}

/* Operands and modifiers for `op`, encoded at the end of c.  False (nothing
 * added) when this choice cannot be encoded or decoded. */
static inline bool random_inst(struct code *c, enum gcn_op op, uint64_t *s)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	struct gcn_inst in = inst(op);
	bool scalar = info->fmt <= GCN_SOPC;
	if (!scalar && info->fmt != GCN_VOP3 && !(info->flags & GCN_F_NO_VOP3) && rnd(s) & 1
		&& info->fmt != GCN_VINTRP)
		in.fmt = GCN_VOP3;
	for (int n = 0; n < 3; n++) {
		unsigned dw = info->src_dw[n];
		if (!dw)
			continue;
		bool vector = (info->fmt == GCN_VOP2 || info->fmt == GCN_VOPC) && in.fmt != GCN_VOP3 && n == 1;
		in.src[n] = scalar ? random_scalar(s, dw, &in) : random_operand(s, dw, vector, &in);
		if (!scalar && dw == 2 && n == 2 && info->flags & GCN_F_READS_VCC)
			in.src[n] = in.fmt == GCN_VOP3 ? (uint16_t)(rnd(s) % 16 & ~1u) : VCC;
	}
	if (info->flags & GCN_F_FIXED_LITERAL)
		in.literal = any_bits(s);
	if (info->fmt == GCN_SOPK)
		in.offset = (int16_t)rnd(s);
	if (info->dst_dw)
		in.dst = scalar || info->flags & GCN_F_DST_SGPR ? random_sdst(s, info->dst_dw)
			: V(rnd(s) % 12);
	if (info->sdst_dw)
		in.sdst = in.fmt == GCN_VOP3 ? random_sdst(s, 2) : VCC;
	if (in.fmt == GCN_VOP3) {
		in.neg = info->mods & rnd(s) & 7;
		in.abs = info->mods & rnd(s) & 7;
		if (info->mods & GCN_M_CLAMP && info->flags & GCN_F_FLOAT)
			in.clamp = rnd(s) % 4 == 0;
		if (info->mods & GCN_M_OMOD)
			in.omod = rnd(s) % 4 == 0 ? rnd(s) & 3 : 0;
	} else if (info->mods & GCN_M_DPP && info->fmt != GCN_VINTRP && rnd(s) % 4 == 0 && in.src[0] >= V0
		&& in.src[0] < V0 + 256) {
		in.sub = GCN_SUB_DPP;
		in.dpp_ctrl = rnd(s) & 255;
		in.row_mask = in.bank_mask = 15;
		in.bound_ctrl = rnd(s) & 1;
		if (rnd(s) & 1 && info->mods & 1)
			in.neg = rnd(s) & 1;
	}
	const char *why;
	unsigned size = gcn_encode(GCN_GFX9, &in, c->dw + c->n, &why);
	struct gcn_inst back;
	if (!size || !gcn_decode(GCN_GFX9, c->dw + c->n, size, &back))
		return false;
	struct code one = { .n = size };
	memcpy(one.dw, c->dw + c->n, size * 4);
	end(&one);
	struct cu_error err;
	struct cu_program *p = cu_program_create(CU_LEVEL_V3, one.dw, one.n, &err);
	if (!p)
		return false;
	cu_program_destroy(p);
	c->n += size;
	return true;
}

/* Opcodes whose programs need nothing set up. */
static inline bool is_simple(enum gcn_op op)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	if (info->flags & (GCN_F_BRANCH | GCN_F_TERMINATES | GCN_F_WRITES_M0 | GCN_F_VOP3_INTERP
		| GCN_F_RAW_OPERAND | GCN_F_READS_M0))
		return false;
	if (info->opcode[GCN_GFX9] < 0 || cu_level_ops_v3.ops[op]->cls == CU_CLASS_REFUSED)
		return false;
	switch (op) {
	case GCN_S_SETVSKIP: case GCN_S_SENDMSG: case GCN_S_SENDMSGHALT: case GCN_S_GETPC_B64:
	case GCN_S_SETREG_B32: case GCN_S_SETREG_IMM32_B32: case GCN_S_GETREG_B32:
		return false;
	default:
		return info->fmt <= GCN_SOPC || (info->fmt >= GCN_VOP2 && info->fmt <= GCN_VOP3);
	}
}

/* One run from what set_up makes of two waves' sides, interpreted and translated; keep_all: dead VGPRs and SGPRs count. */
static inline bool runs_alike(struct cu_exec_heap *heap, struct cu_program *p, const struct cu_jit_image *code, bool keep_all,
	void (*set_up)(struct side *x, uint64_t *s), uint64_t *s)
{
	static struct side a, b;
	struct cu_error err = { "" };
	set_up(&a, s);
	b = a;
	b.w.exports = &b.e;
	const enum cu_status want = cu_wave_run(p, &a.w);
	bool ok = cu_jit_attach(p, heap, code, &err);
	EXPECT(ok, "%s", err.text);
	const enum cu_status is = ok ? cu_wave_run(p, &b.w) : want;
	cu_jit_detach(p);
	forgive(&b, &a, code);
	ok &= want == is && !memcmp(&a.e, &b.e, sizeof a.e) && a.w.instructions == b.w.instructions;
	if (keep_all)
		ok &= !memcmp(a.w.vgpr, b.w.vgpr, sizeof a.w.vgpr) && !memcmp(a.w.sgpr, b.w.sgpr, sizeof a.w.sgpr);
	EXPECT(ok, "exec %llx: other results, %d %d", (unsigned long long)cu_exec(&a.w), want, is);
	return ok;
}

/* What `one` below ends with: shows the program if something was wrong. */
static inline bool end_program(struct cu_program *p, struct cu_jit_image *code, const struct code *c, bool ok)
{
	if (!ok)
		print_program(c);
	cu_jit_detach(p);
	cu_jit_image_free(code);
	cu_program_destroy(p);
	return ok;
}

/* A program runs as its translation does, some times; adds to *seen what `sees` says of that. */
static inline bool program_alike(struct cu_exec_heap *heap, enum cu_level level, const struct code *c, const struct cu_jit_options *o,
	void (*set_up)(struct side *x, uint64_t *s), uint64_t *s,
	bool (*sees)(const struct cu_program *p, const struct cu_jit_options *o, const struct cu_jit_image *code), unsigned *seen)
{
	struct cu_error err = { "" };
	struct cu_jit_image code = { 0 };
	struct cu_program *p = cu_program_create(level, c->dw, c->n, &err);
	bool ok = p && cu_jit_translate(p, o, &code, &err);
	EXPECT(ok, "%s", err.text);
	*seen += ok && sees(p, o, &code);
	for (unsigned run = 0; ok && run < 4; run++)
		ok = runs_alike(heap, p, &code, o->keep_all, set_up, s);
	return end_program(p, &code, c, ok);
}

/* A wave of all lanes or of any, whose first VGPRs and SGPRs are what `bits` gives. */
static inline void fill_side(struct side *x, uint64_t *s, unsigned vgprs, uint32_t (*bits)(uint64_t *s))
{
	memset(x, 0, sizeof *x);
	cu_wave_init(&x->w, rnd(s) & 1 ? ~0ull : any_exec(s), &x->e);
	for (unsigned v = 0; v < vgprs; v++)
		for (unsigned l = 0; l < CU_LANES; l++)
			x->w.vgpr[v][l] = bits(s);
	for (unsigned k = 0; k < 40; k++)
		x->w.sgpr[k] = bits(s);
}

/* Whether the code is shorter than what keeps no VGPR in a register. */
static inline bool keeps_registers(const struct cu_program *p, const struct cu_jit_options *o, const struct cu_jit_image *code)
{
	struct cu_error err;
	struct cu_jit_options without = *o;
	struct cu_jit_image all;
	without.no_registers = true;
	if (!cu_jit_translate(p, &without, &all, &err))
		return false;
	const bool shorter = code->bytes < all.bytes;
	cu_jit_image_free(&all);
	return shorter;
}

/* `count` random programs a level, of argv[1] if it is there, by `one`, which adds to *seen where it saw what the test is
 * about: in one of `share` of them at least.  What main returns. */
static inline int random_programs(int argc, char **argv, uint64_t s, unsigned count, unsigned share,
	bool (*one)(struct cu_exec_heap *heap, enum cu_level level, uint64_t *s, unsigned *seen), const char *test, const char *what)
{
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	if (argc > 1)
		count = (unsigned)atoi(argv[1]);
	for (int level = 3; level <= 4; level++) {
		unsigned seen = 0;
		if (!has_level((enum cu_level)level))
			continue;
		for (unsigned i = 0; i < count && failures < 3; i++)
			one(heap, (enum cu_level)level, &s, &seen);
		EXPECT(failures || seen > count / share, "%u of %u programs %s", seen, count, what);
	}
	cu_exec_heap_destroy(heap);
	return finish(test);
}

#endif
