/* SPDX-License-Identifier: MIT */
/* Random programs, see fuzz.h. */
#include "fuzz.h"

#include <string.h>

#define END 0xbf810000u /* s_endpgm, in every generation */

static uint32_t rn(uint64_t *s, uint32_t n) { return fuzz_rnd(s) % n; }

/* --- drawn from the table --- */

static uint16_t any_scalar(uint64_t *s)
{
	static const uint16_t special[] = { 106, 107, 124, 126, 127, 128, 192, 193, 208, 235, 237, 240, 242, 248, 251, 252, 253,
		255, 102, 104, 108 };
	return rn(s, 3) ? (uint16_t)rn(s, 40) : special[rn(s, sizeof(special) / sizeof(special[0]))];
}
static uint16_t any_vector(uint64_t *s)
{
	return (uint16_t)(GCN_SRC_VGPR0 + (rn(s, 8) ? rn(s, 24) : rn(s, 256)));
}
static void vector_memory(uint64_t *s, struct gcn_inst *in)
{
	in->src[0] = any_vector(s);
	in->src[1] = in->fmt == GCN_MIMG ? 16 : 8;
	in->src[2] = in->fmt == GCN_MIMG ? (gcn_op_info((enum gcn_op)in->op)->src_dw[2] ? 24 : GCN_SRC_NONE) : any_scalar(s);
	in->idxen = (uint8_t)rn(s, 2);
	in->offen = (uint8_t)rn(s, 2);
	in->addr64 = !rn(s, 8);
	in->lds = !rn(s, 8);
	in->tfe = !rn(s, 8);
	in->lwe = !rn(s, 16);
	in->d16 = !rn(s, 6);
	in->r128_a16 = !rn(s, 6);
	in->dmask = (uint8_t)rn(s, 16);
	in->da = (uint8_t)rn(s, 2);
	in->unorm = !rn(s, 4);
	in->dfmt = (uint8_t)rn(s, 16);
	in->nfmt = (uint8_t)rn(s, 8);
	in->offset = (int32_t)rn(s, 4096) >> rn(s, 12);
	if (in->addr64)
		in->idxen = in->offen = 0;
	if (in->fmt != GCN_MIMG && !in->idxen && !in->offen && !in->addr64)
		in->src[0] = GCN_SRC_NONE;
}
static void export(uint64_t *s, struct gcn_inst *in)
{
	in->exp_target = (uint8_t)rn(s, 64);
	in->en = (uint8_t)rn(s, 16);
	in->compr = !rn(s, 3);
	for (int i = 0; i < 4; i++)
		if (in->compr ? i < 2 && in->en >> 2 * i & 3 : in->en >> i & 1)
			in->src[i] = any_vector(s);
	in->vm = (uint8_t)rn(s, 2);
}
static void modifiers(uint64_t *s, struct gcn_inst *in)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	in->neg = (uint8_t)rn(s, 8), in->abs = (uint8_t)rn(s, 8), in->clamp = (uint8_t)rn(s, 2), in->omod = (uint8_t)rn(s, 4);
	in->op_sel = (uint8_t)rn(s, 16), in->op_sel_hi = (uint8_t)rn(s, 8);
	if (rn(s, 2))
		in->fmt = GCN_VOP3;
	else if (info->mods & GCN_M_SDWA && rn(s, 2))
		in->sub = GCN_SUB_SDWA, in->dst_sel = (uint8_t)rn(s, 7), in->dst_unused = (uint8_t)rn(s, 3),
		in->src_sel[0] = (uint8_t)rn(s, 7), in->src_sel[1] = (uint8_t)rn(s, 7), in->src_sext = (uint8_t)rn(s, 4);
	else if (info->mods & GCN_M_DPP)
		in->sub = GCN_SUB_DPP, in->dpp_ctrl = (uint16_t)rn(s, 0x143), in->row_mask = (uint8_t)rn(s, 16),
		in->bank_mask = (uint8_t)rn(s, 16), in->bound_ctrl = (uint8_t)rn(s, 2);
}
static void operands(uint64_t *s, struct gcn_inst *in)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	bool vector = in->fmt >= GCN_VOP2 && in->fmt != GCN_EXP;
	in->dst = vector && !(info->flags & GCN_F_DST_SGPR) ? any_vector(s) : (uint16_t)rn(s, rn(s, 8) ? 30 : 128);
	if (!info->dst_dw && in->fmt != GCN_MIMG)
		in->dst = GCN_SRC_NONE;
	if (info->sdst_dw)
		in->sdst = (uint16_t)(rn(s, 4) ? 106 : 2 * rn(s, 50));
	for (int i = 0; i < 4; i++)
		if (info->src_dw[i])
			in->src[i] = vector && rn(s, 2) ? any_vector(s) : any_scalar(s);
	in->literal = fuzz_rnd(s);
	in->offset = rn(s, 4) ? (int32_t)rn(s, 64) : (int32_t)(int16_t)fuzz_rnd(s);
	in->glc = (uint8_t)rn(s, 2);
	switch (in->fmt) {
	case GCN_MUBUF: case GCN_MTBUF: case GCN_MIMG:
		vector_memory(s, in);
		break;
	case GCN_SMEM:
		in->src[0] = info->src_dw[0] == 4 ? 8 : info->src_dw[0] ? 0 : GCN_SRC_NONE;
		in->src[1] = rn(s, 2) ? GCN_SRC_NONE : (uint16_t)rn(s, 30);
		break;
	case GCN_FLAT: case GCN_GLOBAL: case GCN_SCRATCH:
		in->src[0] = (uint16_t)(GCN_SRC_VGPR0 + 2 * rn(s, 3));
		in->src[1] = info->src_dw[1] ? any_vector(s) : GCN_SRC_NONE;
		in->src[2] = in->fmt != GCN_FLAT && rn(s, 2) ? 0 : GCN_SRC_NONE;
		if (in->fmt == GCN_SCRATCH && in->src[2] != GCN_SRC_NONE)
			in->src[0] = GCN_SRC_NONE;
		if (info->flags & GCN_F_MAY_LDS && !rn(s, 4))
			in->lds = 1, in->dst = GCN_SRC_NONE;
		break;
	case GCN_DS:
		for (int i = 0; i < 3; i++)
			in->src[i] = info->src_dw[i] ? any_vector(s) : GCN_SRC_NONE;
		in->offset = (int32_t)rn(s, 65536) >> rn(s, 16);
		in->gds = info->flags & GCN_F_GDS_ONLY ? 1 : !rn(s, 8);
		break;
	case GCN_EXP:
		export(s, in);
		break;
	case GCN_SOPP:
		in->offset = (int32_t)rn(s, 16) - 8;
		break;
	default:
		if (!rn(s, 3))
			modifiers(s, in);
		break;
	}
}
static bool is_timed(unsigned op)
{
	return op == GCN_S_MEMTIME || op == GCN_S_MEMREALTIME || op == GCN_S_GETREG_B32;
}
/* One of the instructions by which pixel programs switch the rest of their quads on and off. */
static unsigned about_exec(enum gcn_gen gen, enum gcn_op op, unsigned dst, unsigned src, uint32_t *code)
{
	struct gcn_inst in;
	gcn_inst_init(&in, op);
	in.dst = (uint16_t)dst;
	in.src[0] = (uint16_t)src;
	return gcn_encode(gen, &in, code, NULL);
}

static size_t drawn(enum gcn_gen gen, uint64_t *s, uint32_t code[MAX_WORDS], bool *timed)
{
	enum { KEPT = 40 };
	size_t n = 0, want = 1 + rn(s, 24);
	bool quads = !rn(s, 3);
	*timed = false;
	if (quads) {
		n += about_exec(gen, GCN_S_MOV_B64, KEPT, GCN_SRC_EXEC, code + n);
		n += about_exec(gen, GCN_S_WQM_B64, GCN_SRC_EXEC, GCN_SRC_EXEC, code + n);
	}
	for (size_t i = 0; i < want && n < MAX_WORDS - 8; i++) {
		struct gcn_inst in;
		unsigned words = 0;
		if (quads && !rn(s, 8))
			n += about_exec(gen, GCN_S_MOV_B64, GCN_SRC_EXEC, KEPT, code + n);
		if (!rn(s, 40)) {
			code[n++] = fuzz_rnd(s);
			code[n++] = fuzz_rnd(s);
			*timed = true;
			continue;
		}
		for (int tries = 0; tries < 20 && !words; tries++) {
			gcn_inst_init(&in, (enum gcn_op)rn(s, GCN_OP_COUNT));
			operands(s, &in);
			words = gcn_encode(gen, &in, code + n, NULL);
		}
		*timed |= words && is_timed(in.op);
		n += words;
	}
	code[n++] = END;
	return n;
}

/* --- random bits --- */

/* Encodings: the bits that tell them apart, and how many. */
static const struct { uint32_t bits; unsigned count; } prefixes[] = {
	{ 0x0, 1 }, { 0x7f, 7 }, { 0x3e, 7 }, { 0x2, 2 }, { 0xb, 4 }, { 0x17d, 9 }, { 0x17e, 9 }, { 0x17f, 9 },
	{ 0x30, 6 }, { 0x18, 5 }, { 0x34, 6 }, { 0x1a7, 9 }, { 0x35, 6 }, { 0x32, 6 }, { 0x36, 6 }, { 0x37, 6 },
	{ 0x38, 6 }, { 0x3a, 6 }, { 0x3c, 6 }, { 0x31, 6 }, { 0x3e, 6 }, { 0x3f, 7 } };

/* Clocks differ; sleeping takes time; a barrier needs others. */
static bool has_no_place(const struct gcn_inst *in)
{
	switch (in->op) {
	case GCN_S_MEMTIME: case GCN_S_MEMREALTIME: case GCN_S_SLEEP: case GCN_S_BARRIER:
		return true;
	default:
		return false;
	}
}
/* One instruction that creation takes, or 0 dwords. */
static unsigned random_instruction(enum gcn_gen gen, uint64_t *s, unsigned at, uint32_t out[4])
{
	struct gcn_inst in;
	const char *why;
	for (int tries = 0; tries < 200; tries++) {
		unsigned p = fuzz_rnd(s) % (sizeof(prefixes) / sizeof(prefixes[0])), n = prefixes[p].count;
		uint32_t code[8];
		for (int i = 0; i < 4; i++)
			code[i] = fuzz_rnd(s);
		/* Few registers, so that values meet. */
		if (fuzz_rnd(s) & 1)
			code[1] &= 0xff1f1f1f & (fuzz_rnd(s) | 0x1f1f1f1f);
		code[0] = code[0] >> n | prefixes[p].bits << (32 - n);
		unsigned dwords = gcn_decode(gen, code, 4, &in);
		if (!dwords || has_no_place(&in))
			continue;
		if (gcn_op_info((enum gcn_op)in.op)->flags & GCN_F_BRANCH && in.fmt <= GCN_SOPP) {
			in.offset = (int32_t)(fuzz_rnd(s) % 12) - (int32_t)(fuzz_rnd(s) % 2 ? at % 8 : 0);
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
static size_t words(enum gcn_gen gen, uint64_t *s, uint32_t *code)
{
	enum { LENGTH = 24, ENDS = 16 };
	struct cu_error err;
	size_t n = 0;
	for (unsigned i = 0; i < LENGTH; i++) {
		uint32_t one[4 + ENDS];
		unsigned dwords = random_instruction(gen, s, (unsigned)n, one);
		for (unsigned j = dwords; j < 4 + ENDS; j++)
			one[j] = END;
		struct gcn_inst in;
		bool branch = gcn_decode(gen, one, dwords, &in) &&
			gcn_op_info((enum gcn_op)in.op)->flags & GCN_F_BRANCH;
		struct cu_program *p = branch ? NULL : cu_program_create_gen(CU_LEVEL_V3, gen, one, 4 + ENDS, &err);
		cu_program_destroy(p);
		if (!dwords || (!p && !branch))
			continue;
		memcpy(code + n, one, 4 * dwords);
		n += dwords;
	}
	for (int i = 0; i < ENDS; i++)
		code[n++] = END;
	return n;
}

size_t fuzz_program(enum fuzz_kind kind, enum gcn_gen gen, uint64_t *state, uint32_t code[MAX_WORDS], bool *timed)
{
	*timed = false;
	return kind == FUZZ_DRAWN ? drawn(gen, state, code, timed) : words(gen, state, code);
}
