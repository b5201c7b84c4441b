/* Every scalar and vector ALU opcode against the model in ref/, in every form
 * that a generation encodes, on random and extreme operands, with random EXEC,
 * modifiers and MODE: bit for bit, at both kernel levels.
 *
 *   test_reference [--seconds N] [--seed S] [--op mnemonic]
 * Without --seconds a fixed number of rounds is run. */
#include "core/interp.h"
#include "core/mode.h"
#include "interp_harness.h"
#include "ref/ref.h"
#include <time.h>

enum { VGPRS_USED = 28, LDS_USED = 8192, MARK = 90, LDS_DIRECT = 254 };

struct options { double seconds; uint64_t seed; const char *op; };

/* --- operands --- */
static uint32_t value(uint64_t *seed)
{
	static const uint32_t special[] = { 0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
		0x7fc00000, 0x7f800001, 0xffc12345, 0xff812345, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
		0x00ffffff, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x3f000000, 0x3effffff,
		0x7c007c00, 0xfc00fe00, 0x7c01fc01, 0x3c00bc00, 0x00010001, 0x80018001, 0x03ff83ff, 0x04008400,
		0x7bfffbff, 0x7fffffff, 0xffffffff, 31, 32, 63, 64, 0xffff0000, 0x3e800000, 0x7ff00000, 0xfff00000,
		0x7ff80000, 0x7ff00001, 0x000fffff, 0x00100000, 0x7fefffff, 0x3ff00000, 0xbff00000, 0x41dfffff,
		0x41efffff, 0xc1e00000, 0x477fe000, 0x477ff000, 0x33800000, 0x38800000, 0x387fc000 };
	uint32_t r = rnd(seed);
	switch (r & 15) {
	case 0: case 1: case 2: case 3: return special[rnd(seed) % (sizeof(special) / 4)];
	case 4: return rnd(seed) & 63;
	case 5: return 0u - (rnd(seed) & 63);
	case 6: case 7: case 8: /* a float of moderate size */
		return (rnd(seed) & 0x807fffff) | (rnd(seed) % 64 + 96) << 23;
	case 9: /* near the denormals */
		return (rnd(seed) & 0x807fffff) | (rnd(seed) % 30) << 23;
	case 10: /* the high half of a double of moderate size */
		return (rnd(seed) & 0x800fffff) | (rnd(seed) % 128 + 960) << 20;
	case 11: { /* two halves of moderate size */
		uint32_t exponents = (rnd(seed) % 20 + 5) << 10 | (rnd(seed) % 20 + 5) << 26;
		return (rnd(seed) & 0x83ff83ff) | exponents;
	}
	case 12: return special[rnd(seed) % (sizeof(special) / 4)] ^ (1u << rnd(seed) % 32);
	default: return rnd(seed);
	}
}
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

/* --- instructions --- */
enum form { PLAIN, LONG, SDWA, DPP, INDEXED, FORMS };
static const char *const form_names[FORMS] = { "plain", "VOP3", "SDWA", "DPP", "indexed" };
struct test { enum gcn_gen gen; struct gcn_inst in; enum form form; struct code code; };

static bool is_vector(const struct gcn_op_info *info)
{
	return info->fmt >= GCN_VOP2 && info->fmt <= GCN_VINTRP;
}
static bool is_valu(enum gcn_op op)
{
	return cu_level_ops_v3.ops[op]->cls == CU_CLASS_VALU;
}
static unsigned scalar_source(uint64_t *seed, unsigned dwords, bool literal, bool vector)
{
	switch (rnd(seed) % 13) {
	case 12: return vector && dwords == 1 ? LDS_DIRECT : 30;
	case 0: return VCC;
	case 1: return EXEC;
	case 2: return dwords == 1 ? (unsigned)M0 : 10;
	case 3: return GCN_SRC_VCCZ + rnd(seed) % 3;
	case 4: return literal ? (unsigned)LITERAL : 20;
	case 5: case 6: return 128 + rnd(seed) % 81;
	case 7: return 240 + rnd(seed) % 8;
	default: return 2 * (rnd(seed) % 44);
	}
}
static void vector_operands(struct test *t, const struct gcn_op_info *info, uint64_t *seed)
{
	struct gcn_inst *in = &t->in;
	bool scalar_used = false, first_only = in->fmt == GCN_VOP1 || in->fmt == GCN_VOP2 || in->fmt == GCN_VOPC;
	if (info->dst_dw)
		in->dst = info->flags & GCN_F_DST_SGPR ? (uint16_t)(rnd(seed) % 80) : V(rnd(seed) % (VGPRS_USED - 8));
	if (info->sdst_dw)
		in->sdst = in->fmt == GCN_VOP3 || (t->form == SDWA && in->fmt == GCN_VOPC) ?
			(uint16_t)(rnd(seed) % 8 ? 2 * (rnd(seed) % 40) : VCC) : VCC;
	for (int i = 0; i < 3; i++) {
		if (!info->src_dw[i])
			continue;
		bool vgpr = scalar_used || (first_only && i > 0) || t->form == DPP || info->fmt == GCN_VINTRP ||
			info->flags & GCN_F_VOP3_INTERP || rnd(seed) & 1;
		in->src[i] = vgpr ? V(rnd(seed) % (VGPRS_USED - 8)) :
			(uint16_t)scalar_source(seed, info->src_dw[i], first_only && t->form == PLAIN, i == 0);
		scalar_used |= in->src[i] < 128 || in->src[i] >= 249;
		if (in->src[i] >= GCN_SRC_VGPR0)
			scalar_used |= false;
	}
	if (info->src_dw[2] == 2 && info->fmt == GCN_VOP2) /* the mask of v_cndmask and carries */
		in->src[2] = in->fmt == GCN_VOP3 ? (uint16_t)(2 * (rnd(seed) % 40)) : VCC;
	in->literal = value(seed);
	if (info->flags & GCN_F_FIXED_LITERAL)
		in->src[info->flags & GCN_F_LITERAL_SRC1 ? 1 : 2] = LITERAL;
	in->attr = rnd(seed) % 4, in->attrchan = rnd(seed) % 4;
}
/* Lane moves take what their encoding lets them. */
static void lane_operands(struct gcn_inst *in, uint64_t *seed)
{
	if (in->op == GCN_V_READLANE_B32 || in->op == GCN_V_READFIRSTLANE_B32)
		in->src[0] = V(rnd(seed) % VGPRS_USED);
	if (in->op == GCN_V_READLANE_B32 || in->op == GCN_V_WRITELANE_B32)
		in->src[1] = (uint16_t)(rnd(seed) & 1 ? 128 + rnd(seed) % 65 : rnd(seed) % 80);
	if (in->op == GCN_V_WRITELANE_B32)
		in->src[0] = in->src[1] < 104 ? (uint16_t)(128 + rnd(seed) % 65) : (uint16_t)(rnd(seed) % 80);
	if (in->op == GCN_V_SWAP_B32 || in->op == GCN_V_MOVRELS_B32 || in->op == GCN_V_MOVRELSD_B32)
		in->src[0] = V(rnd(seed) % 16);
	if (in->op == GCN_V_INTERP_MOV_F32)
		in->src[0] = rnd(seed) % 3;
}
static void modifiers(struct test *t, const struct gcn_op_info *info, uint64_t *seed)
{
	struct gcn_inst *in = &t->in;
	uint8_t mods = info->mods;
	if (rnd(seed) & 1)
		return;
	if (in->fmt == GCN_VOP3 || t->form >= SDWA) {
		in->neg = rnd(seed) & mods & 7;
		in->abs = info->sdst_dw && info->dst_dw ? 0 : rnd(seed) & mods & 7;
	}
	if (in->fmt == GCN_VOP3 || t->form == SDWA) {
		in->clamp = mods & GCN_M_CLAMP ? rnd(seed) & 1 : 0;
		in->omod = mods & GCN_M_OMOD ? rnd(seed) & 3 : 0;
	}
	if (in->fmt == GCN_VOP3 && mods & GCN_M_OP_SEL)
		in->op_sel = rnd(seed) & (info->src_dw[2] ? 15 : info->src_dw[1] ? 11 : 9);
	if (info->flags & GCN_F_VOP3_INTERP)
		in->op_sel = rnd(seed) & 1;
}
static void packed(struct test *t, uint64_t *seed)
{
	struct gcn_inst *in = &t->in;
	in->op_sel = rnd(seed) & 7;
	in->op_sel_hi = rnd(seed) & 7;
	in->neg = rnd(seed) & 7;
	in->neg_hi = rnd(seed) & 7;
	in->clamp = rnd(seed) & 1;
}
static void sub_encoding(struct test *t, const struct gcn_op_info *info, uint64_t *seed)
{
	static const uint16_t ctrl[] = { 0xb1, 0x1b, 0xe4, 0x103, 0x11f, 0x127, 0x130, 0x134, 0x138, 0x13c, 0x140,
		0x141, 0x142, 0x143 };
	struct gcn_inst *in = &t->in;
	if (t->form == SDWA) {
		in->sub = GCN_SUB_SDWA;
		in->dst_sel = info->dst_dw ? rnd(seed) % 7 : 0;
		in->dst_unused = info->dst_dw ? rnd(seed) % 3 : 0;
		in->src_sel[0] = rnd(seed) % 7;
		in->src_sel[1] = info->src_dw[1] ? rnd(seed) % 7 : 0;
		if (!(info->flags & GCN_F_FLOAT))
			in->src_sext = rnd(seed) & (info->src_dw[1] ? 3 : 1);
	}
	if (t->form == DPP) {
		in->sub = GCN_SUB_DPP;
		in->dpp_ctrl = rnd(seed) & 1 ? ctrl[rnd(seed) % 14] : rnd(seed) & 255;
		in->row_mask = rnd(seed) & 1 ? 15 : rnd(seed) & 15;
		in->bank_mask = rnd(seed) & 1 ? 15 : rnd(seed) & 15;
		in->bound_ctrl = rnd(seed) & 1;
	}
}
static void append(struct code *c, enum gcn_gen gen, enum gcn_op op, unsigned dst, int32_t offset)
{
	struct gcn_inst in;
	const char *why;
	gcn_inst_init(&in, op);
	if (dst < 128)
		in.dst = (uint16_t)dst;
	in.offset = offset;
	c->n += gcn_encode(gen, &in, c->dw + c->n, &why);
}
static void index_on(struct code *c, enum gcn_gen gen, uint64_t *seed)
{
	struct gcn_inst in;
	const char *why;
	gcn_inst_init(&in, GCN_S_SET_GPR_IDX_ON);
	in.src[0] = (uint16_t)K((int)(rnd(seed) % 4));
	in.src[1] = rnd(seed) & 15;
	c->n += gcn_encode(gen, &in, c->dw + c->n, &why);
}
static bool make_vector(struct test *t, enum gcn_op op, uint64_t *seed)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	bool small = info->fmt == GCN_VOP1 || info->fmt == GCN_VOP2 || info->fmt == GCN_VOPC;
	bool longer = small || info->fmt == GCN_VINTRP;
	if ((t->form != PLAIN && t->form != INDEXED && !(t->form == LONG ? longer : small)) ||
		(t->form == SDWA && !(info->mods & GCN_M_SDWA)) || (t->form == DPP && !(info->mods & GCN_M_DPP)) ||
		(t->form == INDEXED && (!is_valu(op) || t->gen < GCN_GFX8)))
		return false;
	gcn_inst_init(&t->in, op);
	if (t->form == LONG)
		t->in.fmt = GCN_VOP3;
	vector_operands(t, info, seed);
	lane_operands(&t->in, seed);
	if (t->in.fmt == GCN_VOP3P)
		packed(t, seed);
	else
		modifiers(t, info, seed);
	sub_encoding(t, info, seed);
	return true;
}
static bool make_scalar(struct test *t, enum gcn_op op, uint64_t *seed)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	struct gcn_inst *in = &t->in;
	bool relative = op == GCN_S_MOVRELS_B32 || op == GCN_S_MOVRELS_B64 || op == GCN_S_MOVRELD_B32 ||
		op == GCN_S_MOVRELD_B64;
	if (t->form != PLAIN)
		return false;
	gcn_inst_init(in, op);
	in->literal = value(seed);
	if (info->dst_dw)
		in->dst = (uint16_t)(relative || rnd(seed) % 8 ? 2 * (rnd(seed) % 40) : rnd(seed) & 1 ? VCC : EXEC);
	for (int i = 0; i < 2; i++)
		if (info->src_dw[i])
			in->src[i] = (uint16_t)(relative || info->fmt == GCN_SOPK ? 2 * (rnd(seed) % 40) :
				scalar_source(seed, info->src_dw[i], info->fmt == GCN_SOP2 || info->fmt == GCN_SOPC, false));
	in->offset = (int16_t)(rnd(seed) & 1 ? rnd(seed) : rnd(seed) % 32);
	if (info->flags & GCN_F_BRANCH)
		in->offset = 1;
	if (info->flags & GCN_F_NO_IMM)
		in->offset = 0;
	if (op == GCN_S_SETPC_B64 || op == GCN_S_SWAPPC_B64)
		in->src[0] = 92;
	if (op == GCN_S_CBRANCH_G_FORK)
		in->src[1] = 92;
	if (op == GCN_S_CBRANCH_JOIN)
		in->src[0] = K(0);
	if (op == GCN_S_SET_GPR_IDX_ON)
		in->src[1] = rnd(seed) & 15;
	if (op == GCN_S_SET_GPR_IDX_MODE)
		in->offset &= 15;
	if (op == GCN_S_GETREG_B32 || op == GCN_S_SETREG_B32 || op == GCN_S_SETREG_IMM32_B32)
		in->offset = (int16_t)(1 | (rnd(seed) & 31) << 6 | (rnd(seed) & 31) << 11); /* MODE */
	if (op == GCN_S_SETREG_IMM32_B32)
		in->src[0] = LITERAL;
	return true;
}
/* The instruction, two marks of which a jump leaves one out, and the end. */
static bool make(struct test *t, enum gcn_gen gen, enum gcn_op op, enum form form, uint64_t *seed)
{
	const char *why;
	*t = (struct test){ .gen = gen, .form = form };
	if (!(is_vector(gcn_op_info(op)) ? make_vector(t, op, seed) : make_scalar(t, op, seed)))
		return false;
	struct code *c = &t->code;
	if (form == INDEXED)
		index_on(c, gen, seed);
	/* A computed jump goes where a branch could have gone: only there is code. */
	bool computed = op == GCN_S_SETPC_B64 || op == GCN_S_SWAPPC_B64 || op == GCN_S_CBRANCH_G_FORK;
	if (computed)
		append(c, gen, GCN_S_CBRANCH_CDBGSYS, NONE, 2);
	unsigned n = gcn_encode(gen, &t->in, c->dw + c->n, &why);
	if (!n)
		return false;
	c->n += n;
	if (form == INDEXED)
		append(c, gen, GCN_S_SET_GPR_IDX_OFF, NONE, 0);
	append(c, gen, GCN_S_MOVK_I32, MARK, 7);
	append(c, gen, GCN_S_MOVK_I32, MARK + 1, 9);
	append(c, gen, GCN_S_ENDPGM, NONE, 0);
	return true;
}

/* --- running --- */
struct state { struct cu_wave *w[2]; struct ref_wave ref; uint8_t *lds; };

static void randomise(struct state *s, const struct test *t, uint64_t seed)
{
	struct cu_wave *w = s->w[0];
	cu_wave_init(w, random_exec(&seed), NULL);
	for (int v = 0; v < VGPRS_USED; v++)
		for (int l = 0; l < 64; l++)
			w->vgpr[v][l] = value(&seed);
	for (int i = 0; i < 108; i++)
		w->sgpr[i] = value(&seed);
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
		uint32_t x = value(&seed);
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
	CHECK(false, "%s (%s, gen %d, level v%d, seed 0x%llx): %s", text, form_names[t->form], t->gen, level + 3,
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
	if (!make(&t, gen, op, form, &seed))
		return false;
	struct cu_program *p[2] = { cu_program_create_gen(CU_LEVEL_V3, gen, t.code.dw, t.code.n, &err), NULL };
	if (!p[0]) {
		CHECK(false, "%s", err.text);
		return false;
	}
	if (levels)
		p[1] = cu_program_create_gen(CU_LEVEL_V4, gen, t.code.dw, t.code.n, &err);
	tried++;
	for (int run = 0; run < 2 && !bad; run++) {
		randomise(s, &t, seed + (uint64_t)run);
		bool known = run_reference(s, &t);
		CHECK(known, "%s: the reference does not end", gcn_op_info(op)->name);
		for (int level = 0; level < 1 + levels && !bad; level++) {
			enum cu_status end = cu_wave_run(p[level], s->w[level]);
			CHECK(end == CU_DONE, "%s", s->w[level]->error.text);
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
	return (info->fmt <= GCN_SOPP || is_vector(info)) && cu_level_ops_v3.ops[op]->cls != CU_CLASS_REFUSED &&
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
		CHECK(is_vector(info) ? ref_knows_valu(op) : ref_knows_salu(op), "%s is not in the reference", info->name);
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
			CHECK(info->opcode[GCN_GFX9] < 0, "%s was never tried", info->name);
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
