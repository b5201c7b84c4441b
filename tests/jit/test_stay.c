/* SPDX-License-Identifier: MIT */
/* Exports that stay in VGPRs, and those that are numbers: random ends of programs give, read by cu_exported, what the
 * interpreter exports, one NaN for another where the owner takes them for numbers; and stay where the owner reads them so,
 * but nowhere else. */
#include "tests/jit/jit_harness.h"

enum { VGPRS = 12, S_EXEC_THEN = 40, S_SAVED = 42 };

/* Exports of VGPRs to random targets, most of them whole ones below CU_STAY, and now and then what is no export. */
static void put_end(struct code *c, uint64_t *s)
{
	for (unsigned n = 1 + rnd(s) % 4; n; n--) {
		struct gcn_inst out = inst(GCN_EXPORT);
		out.exp_target = (uint8_t)(rnd(s) % 8 ? rnd(s) % CU_STAY : rnd(s) & 1 ? GCN_EXP_MRTZ : 33);
		out.en = rnd(s) % 8 ? 15 : rnd(s) & 1 ? 1 : rnd(s) & 15;
		out.compr = rnd(s) % 16 == 0;
		out.vm = rnd(s) & 1;
		out.done = n == 1;
		for (unsigned k = 0; k < 4; k++)
			out.src[k] = V(rnd(s) % VGPRS);
		put(c, &out);
		if (rnd(s) % 8 == 0)
			imm(c, GCN_S_NOP, 0);
		if (rnd(s) % 8 == 0)
			op1(c, GCN_V_MOV_B32, V(rnd(s) % VGPRS), V(rnd(s) % VGPRS));
		if (rnd(s) % 16 == 0)
			op1(c, GCN_S_MOV_B64, GCN_SRC_EXEC, S_SAVED);
	}
	end(c);
}

static void put_program(struct code *c, uint64_t *s)
{
	c->n = 0;
	for (unsigned n = rnd(s) % 4; n; n--)
		op2(c, GCN_V_ADD_F32, V(rnd(s) % VGPRS), V(rnd(s) % VGPRS), V(rnd(s) % VGPRS));
	if (rnd(s) % 4)
		op1(c, GCN_S_MOV_B64, GCN_SRC_EXEC, S_EXEC_THEN);
	put_end(c, s);
}

static void set_up(struct side *x, uint64_t *s)
{
	memset(&x->e, 0, sizeof x->e);
	cu_wave_init(&x->w, any_exec(s), &x->e);
	for (unsigned v = 0; v < VGPRS; v++)
		for (unsigned l = 0; l < CU_LANES; l++)
			x->w.vgpr[v][l] = any_bits(s);
	for (unsigned k = 0; k < 64; k++)
		x->w.sgpr[k] = any_bits(s);
	if (rnd(s) & 1)
		memset(&x->w.sgpr[S_EXEC_THEN], 0xff, 8);
}

static bool is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/* Whether b may have any NaN for a's. */
static bool is_number(const struct side *b, unsigned target, unsigned component)
{
	return b->w.numbers && (target < GCN_EXP_MRTZ || (target == GCN_EXP_MRTZ && component == 0));
}

static bool same_lane(const struct side *a, const struct side *b, unsigned t, unsigned k, unsigned l)
{
	const uint32_t x = cu_exported(&a->w, t, k)[l], y = cu_exported(&b->w, t, k)[l];
	return x == y || (is_number(b, t, k) && is_nan(x) && is_nan(y));
}

/* What one wave exported is what the other did, in the lanes that did. */
static bool same_exports(const struct side *a, const struct side *b)
{
	for (unsigned t = 0; t < 64; t++)
		for (unsigned k = 0; k < 4; k++)
			for (unsigned l = 0; l < CU_LANES; l++)
				if (a->e.targets >> t & 1 && a->e.mask[t] >> k & 1 && a->e.exec[t] >> l & 1 && !same_lane(a, b, t, k, l))
					return false;
	return a->e.targets == b->e.targets && a->e.valid == b->e.valid && !memcmp(a->e.exec, b->e.exec, sizeof a->e.exec) &&
		!memcmp(a->e.mask, b->e.mask, sizeof a->e.mask);
}

static bool one(struct cu_exec_heap *heap, enum cu_level level, uint64_t *s, unsigned *stayed)
{
	static struct code c;
	static struct side a, b;
	struct cu_error err = { "" };
	const struct cu_jit_options o = { .keep_all = rnd(s) & 1 };
	struct cu_jit_image code;
	put_program(&c, s);
	struct cu_program *p = cu_program_create(level, c.dw, c.n, &err);
	bool ok = p && cu_jit_translate(p, &o, &code, &err) && cu_jit_attach(p, heap, &code, &err);
	EXPECT(ok, "%s", err.text);
	for (unsigned run = 0; ok && run < 4; run++) {
		set_up(&a, s);
		b = a;
		b.w.exports = &b.e;
		b.w.may_stay = run & 1;
		b.w.numbers = run >> 1 & 1;
		const enum cu_status is = cu_wave_run(p, &b.w);
		cu_jit_detach(p);
		ok = cu_wave_run(p, &a.w) == is && same_exports(&a, &b) && a.w.instructions == b.w.instructions;
		ok &= !a.w.stays && (!b.w.stays || b.w.may_stay);
		*stayed += b.w.stays != 0;
		EXPECT(ok, "run %u: other exports, stays %x", run, b.w.stays);
		ok &= cu_jit_attach(p, heap, &code, &err);
	}
	return end_program(p, &code, &c, ok);
}

int main(int argc, char **argv)
{
	return random_programs(argc, argv, 11, 3000, 8, one, "test_stay", "have exports that stay");
}
