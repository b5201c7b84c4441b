/* SPDX-License-Identifier: MIT */
/* Every vector opcode of the table, in every encoding it has, on random
 * operands: level v3 and v4 give the same bits, and each fast handler gives
 * what the general form gives, with EXEC full and partial. */
#include "core/interp/interp.h"
#include "isa/text/gcn_disasm.h"
#include "interp_harness.h"

enum { ROUNDS = 6, VGPRS_USED = 24 };

static uint32_t value(uint64_t *seed)
{
	static const uint32_t special[] = { 0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
		0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 1, 0x80000001, 0x007fffff, 0x00800000,
		0x7f7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x3f000000, 0x7c007c00, 0xfc00fe00,
		0x3c00bc00, 0x00010001, 0x7fffffff, 0xffffffff, 31, 32, 64, 0xffff0000, 0x3e800000 };
	uint32_t r = rnd(seed);
	switch (r & 7) {
	case 0: return special[rnd(seed) % (sizeof(special) / 4)];
	case 1: return rnd(seed) & 63;
	case 2: case 3: /* a float of moderate size */
		return (rnd(seed) & 0x807fffff) | ((rnd(seed) % 64 + 96) << 23);
	default: return rnd(seed);
	}
}
static void randomise(struct cu_wave *w, uint64_t seed, uint64_t exec)
{
	cu_wave_init(w, exec, NULL);
	for (int v = 0; v < VGPRS_USED; v++)
		for (int l = 0; l < 64; l++)
			w->vgpr[v][l] = value(&seed);
	for (int s = 0; s < 108; s++)
		w->sgpr[s] = value(&seed);
	w->scc = rnd(&seed) & 1;
}

static unsigned source(uint64_t *seed, bool vgpr_only)
{
	unsigned r = rnd(seed) % 8;
	if (vgpr_only || r < 4)
		return V(rnd(seed) % (VGPRS_USED - 4));
	if (r < 6)
		return 2 * (rnd(seed) % 40);
	return r < 7 ? 128 + rnd(seed) % 81 : 240 + rnd(seed) % 9;
}
static void operands(struct gcn_inst *in, const struct gcn_op_info *info, uint64_t *seed)
{
	bool sgpr_used = false;
	if (info->dst_dw)
		in->dst = V(rnd(seed) % (VGPRS_USED - 4));
	if (info->sdst_dw)
		in->sdst = in->fmt == GCN_VOP3 ? (uint16_t)(2 * (rnd(seed) % 40)) : VCC;
	for (int i = 0; i < 3; i++) {
		if (!info->src_dw[i])
			continue;
		bool vgpr = (in->fmt != GCN_VOP3 && in->fmt != GCN_VOP3P && i > 0) || sgpr_used;
		in->src[i] = (uint16_t)source(seed, vgpr);
		sgpr_used |= in->src[i] < 128; /* gfx9: one SGPR an instruction */
	}
	/* The lane mask of v_cndmask and the carries. */
	if (info->src_dw[2] == 2 && info->fmt == GCN_VOP2)
		in->src[2] = in->fmt == GCN_VOP3 ? (uint16_t)(2 * (rnd(seed) % 40)) : VCC;
}
static void modifiers(struct gcn_inst *in, const struct gcn_op_info *info, uint64_t *seed)
{
	if (!(info->flags & GCN_F_FLOAT) || rnd(seed) & 1)
		return;
	in->neg = rnd(seed) & 7;
	if (info->sdst_dw == 0 || info->dst_dw == 0) /* not VOP3B */
		in->abs = rnd(seed) & 7;
	if (info->dst_dw) {
		in->clamp = rnd(seed) & 1;
		in->omod = rnd(seed) & 3;
	}
}

enum form { PLAIN, LONG, SDWA, DPP, FORMS };
/* False when the opcode lacks the form. */
static bool make(struct gcn_inst *in, enum gcn_op op, enum form form, uint64_t *seed)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	bool small = info->fmt == GCN_VOP1 || info->fmt == GCN_VOP2 || info->fmt == GCN_VOPC;
	bool narrow = info->dst_dw <= 1 && info->src_dw[0] <= 1 && info->src_dw[1] <= 1;
	if (form != PLAIN && !small)
		return false;
	gcn_inst_init(in, op);
	if (form == LONG)
		in->fmt = GCN_VOP3;
	operands(in, info, seed);
	in->literal = rnd(seed);
	if (info->flags & GCN_F_FIXED_LITERAL)
		in->src[info->flags & GCN_F_LITERAL_SRC1 ? 1 : 2] = LITERAL;
	if (in->fmt == GCN_VOP3)
		modifiers(in, info, seed);
	if (in->fmt == GCN_VOP3P) {
		in->op_sel = rnd(seed) & 7;
		in->op_sel_hi = rnd(seed) & 7;
		in->neg = rnd(seed) & 7;
		in->neg_hi = rnd(seed) & 7;
	}
	if (form >= SDWA && (!narrow || info->flags & GCN_F_FIXED_LITERAL))
		return false;
	if (form == SDWA) {
		in->sub = GCN_SUB_SDWA;
		in->src[0] = V(rnd(seed) % 8);
		in->dst_sel = rnd(seed) % 7;
		in->dst_unused = rnd(seed) % 3;
		in->src_sel[0] = rnd(seed) % 7;
		in->src_sel[1] = rnd(seed) % 7;
		if (!(info->flags & GCN_F_FLOAT))
			in->src_sext = rnd(seed) & 3;
	}
	if (form == DPP) {
		static const uint16_t ctrl[] = { 0xb1, 0x1b, 0x103, 0x11f, 0x127, 0x130, 0x134, 0x138,
			0x13c, 0x140, 0x141, 0x142, 0x143 };
		in->sub = GCN_SUB_DPP;
		in->src[0] = V(rnd(seed) % 8);
		in->dpp_ctrl = ctrl[rnd(seed) % 13];
		in->row_mask = rnd(seed) & 1 ? 15 : rnd(seed) & 15;
		in->bank_mask = rnd(seed) & 1 ? 15 : rnd(seed) & 15;
		in->bound_ctrl = rnd(seed) & 1;
	}
	return true;
}

static void run_one(struct cu_program *p, struct cu_wave *w, uint64_t seed, uint64_t exec)
{
	randomise(w, seed, exec);
	enum cu_status s = cu_wave_run(p, w);
	EXPECT(s == CU_DONE, "%s", w->error.text);
}
static bool same(const struct cu_wave *a, const struct cu_wave *b)
{
	return !memcmp(a->vgpr, b->vgpr, sizeof(a->vgpr)) && !memcmp(a->sgpr, b->sgpr, sizeof(a->sgpr))
		&& a->scc == b->scc;
}
static void report(const struct gcn_inst *in, const char *what, const struct cu_wave *a,
	const struct cu_wave *b, uint64_t seed, uint64_t exec)
{
	char text[128];
	gcn_disasm(GCN_GFX9, in, 0, text, sizeof(text));
	for (int v = 0; v < VGPRS_USED; v++)
		for (int l = 0; l < 64; l++)
			if (a->vgpr[v][l] != b->vgpr[v][l]) {
				EXPECT(false, "%s: %s: v%d lane %d: 0x%08x 0x%08x", text, what, v, l,
					a->vgpr[v][l], b->vgpr[v][l]);
				struct cu_wave *w = wave(exec);
				randomise(w, seed, exec);
				for (int i = 0; i < 3; i++)
					if (in->src[i] >= V0 && in->src[i] != NONE)
						printf("   src%d 0x%08x\n", i, w->vgpr[in->src[i] - V0][l]);
				free(w);
				return;
			}
	EXPECT(false, "%s: %s: scalar state differs", text, what);
}

static void generalise(struct cu_program *p)
{
	const struct cu_level_ops *level = p->level == CU_LEVEL_V4 ? &cu_level_ops_v4 : &cu_level_ops_v3;
	for (uint32_t i = 0; i < 2 * p->count; i++)
		if (p->recs[i].op->cls == CU_CLASS_VALU && p->recs[i].fn != level->exec_write)
			p->recs[i].fn = level->valu_general;
}

static unsigned tried;
static void one(enum gcn_op op, enum form form, uint64_t seed, struct cu_wave *w[3])
{
	struct gcn_inst in;
	struct code c = { .n = 0 };
	struct cu_error err;
	const char *why;
	if (!make(&in, op, form, &seed))
		return;
	unsigned n = gcn_encode(GCN_GFX9, &in, c.dw, &why);
	if (!n)
		return; /* a combination that the encoding does not have */
	c.n = n;
	end(&c);
	uint64_t exec = rnd(&seed) & 1 ? ~0ull : (uint64_t)rnd(&seed) << 32 | rnd(&seed);
	struct cu_program *p3 = cu_program_create(CU_LEVEL_V3, c.dw, c.n, &err);
	struct cu_program *p4 = cu_program_create(CU_LEVEL_V4, c.dw, c.n, &err);
	EXPECT(!p3 == !p4, "one level refuses: %s", err.text);
	if (!p3 || !p4) {
		cu_program_destroy(p3);
		cu_program_destroy(p4);
		return;
	}
	tried++;
	run_one(p3, w[0], seed, exec);
	run_one(p4, w[1], seed, exec);
	generalise(p4);
	run_one(p4, w[2], seed, exec);
	if (!same(w[0], w[1]))
		report(&in, "v3 and v4 differ", w[0], w[1], seed, exec);
	if (!same(w[1], w[2]))
		report(&in, "fast and general differ", w[1], w[2], seed, exec);
	cu_program_destroy(p3);
	cu_program_destroy(p4);
}

int main(void)
{
	if (!has_level(CU_LEVEL_V4)) {
		printf("test_interp_valu_walk: skipped, no x86-64-v4\n");
		return 0;
	}
	unsigned mxcsr = cu_fp_enter();
	struct cu_wave *w[3] = { wave(0), wave(0), wave(0) };
	unsigned ops = 0;
	for (int op = 0; op < GCN_OP_COUNT; op++) {
		unsigned before = tried;
		if (cu_level_ops_v4.ops[op]->cls != CU_CLASS_VALU ||
			gcn_op_info((enum gcn_op)op)->opcode[GCN_GFX9] < 0)
			continue;
		for (int form = 0; form < FORMS; form++)
			/* Some take few of the operands drawn: more rounds until one fits. */
			for (uint64_t i = 0; i < ROUNDS || (tried == before && i < 64 * ROUNDS); i++)
				one((enum gcn_op)op, (enum form)form,
					((uint64_t)op << 16 | (uint64_t)form << 8 | i) * 0x9e3779b97f4a7c15ull, w);
		EXPECT(tried > before, "%s was never tried", gcn_op_info((enum gcn_op)op)->name);
		ops++;
	}
	printf("%u opcodes, %u programs\n", ops, tried);
	for (int i = 0; i < 3; i++)
		free(w[i]);
	cu_fp_leave(mxcsr);
	return finish("test_interp_valu_walk");
}
