/* SPDX-License-Identifier: MIT */
/* Waves one after another in one run (cu_wave.next): random programs of scalars, vectors, branches and exports give for
 * each of four waves what the interpreter gives for it alone; and many of them do all four in one run.  Some begin with depths,
 * behind which nobody wants more of some waves (cu_wave.wanted). */
#include "tests/jit/jit_harness.h"

enum { VGPRS = 10, SGPRS = 12, WAVES = 4, S_KEPT = 30 };

struct run {
	struct side side;
	struct cu_exports taken[WAVES];
	uint32_t vgpr[WAVES][VGPRS][CU_LANES];
	unsigned at, again, asked;
	bool unwanted[WAVES];
};

static void begin(struct run *r)
{
	memcpy(r->side.w.vgpr, r->vgpr[r->at], sizeof r->vgpr[0]);
	cu_exports_begin(&r->side.e);
}

/* As compilers may leave a bool in a register: with anything above it. */
enum { ABOVE = 0x5a00 };

static uint64_t next(struct cu_wave *w)
{
	struct run *r = w->owner;
	if (r->at + 1 == WAVES)
		return ABOVE | false;
	r->taken[r->at++] = r->side.e;
	r->again++;
	begin(r);
	return ABOVE | true;
}

/* Whether lanes 3 and 40 have said something. */
static uint64_t wanted(struct cu_wave *w)
{
	struct run *r = w->owner;
	const uint32_t *depth = r->side.e.data[GCN_EXP_MRTZ][0];
	r->asked++;
	r->unwanted[r->at] = (depth[3] ^ depth[40]) & 1;
	return ABOVE | !r->unwanted[r->at];
}

static void put_scalar(struct code *c, uint64_t *s)
{
	const unsigned d = rnd(s) % SGPRS, a = rnd(s) % SGPRS;
	switch (rnd(s) % 8) {
	case 0: op2(c, GCN_S_ADD_U32, d, a, rnd(s) % SGPRS); break;
	case 1: op2(c, GCN_S_ADDC_U32, d, a, rnd(s) % SGPRS); break;
	case 2: op1(c, GCN_S_CMOV_B32, d, a); break;
	case 3: op2(c, GCN_S_AND_B64, d & ~1u, a & ~1u, GCN_SRC_VCC); break;
	default: op1(c, GCN_S_MOV_B32, d, rnd(s) & 1 ? a : GCN_SRC_0 + rnd(s) % 64); break;
	}
}

static void put_vector(struct code *c, uint64_t *s)
{
	const unsigned d = V(rnd(s) % VGPRS), a = V(rnd(s) % VGPRS), b = V(rnd(s) % VGPRS);
	switch (rnd(s) % 8) {
	case 0: op2(c, GCN_V_CMP_LT_F32, GCN_SRC_VCC, a, b); break;
	case 1: op2(c, GCN_V_CNDMASK_B32, d, a, b); break;
	case 2: op2(c, GCN_V_ADD_F32, d, rnd(s) % SGPRS, b); break;
	case 3: op1(c, GCN_V_READFIRSTLANE_B32, rnd(s) % SGPRS, a); break;
	case 4: op2(c, GCN_V_CNDMASK_B32, d, GCN_SRC_0 + rnd(s) % 64, b); break;
	default: op2(c, GCN_V_XOR_B32, d, rnd(s) & 1 ? a : rnd(s) % SGPRS, b); break;
	}
}

static void put_depth(struct code *c, uint64_t *s)
{
	struct gcn_inst out = inst(GCN_EXPORT);
	out.exp_target = GCN_EXP_MRTZ;
	out.en = 1;
	for (unsigned k = 0; k < 4; k++)
		out.src[k] = V(rnd(s) % VGPRS);
	put(c, &out);
}

static void put_export(struct code *c, uint64_t *s, bool done)
{
	struct gcn_inst out = inst(GCN_EXPORT);
	out.exp_target = (uint8_t)(rnd(s) % CU_STAY);
	out.en = 15;
	out.vm = out.done = done;
	for (unsigned k = 0; k < 4; k++)
		out.src[k] = V(rnd(s) % VGPRS);
	put(c, &out);
}

/* Whether depths come first. */
static bool put_program(struct code *c, uint64_t *s)
{
	const bool depths = rnd(s) % 3 == 0;
	c->n = 0;
	if (rnd(s) & 1)
		op1(c, GCN_S_MOV_B64, S_KEPT, GCN_SRC_EXEC);
	if (rnd(s) & 1)
		op1(c, GCN_S_WQM_B64, GCN_SRC_EXEC, GCN_SRC_EXEC);
	for (unsigned n = rnd(s) % 4; n; n--)
		put_scalar(c, s);
	for (unsigned n = 2 + rnd(s) % 10; n; n--) {
		if (rnd(s) % 4 == 0)
			put_scalar(c, s);
		put_vector(c, s);
	}
	if (depths)
		put_depth(c, s);
	for (unsigned n = rnd(s) % 8; n; n--)
		put_vector(c, s);
	if (rnd(s) % 4 == 0) {
		op1(c, GCN_S_AND_SAVEEXEC_B64, S_KEPT + 2, GCN_SRC_VCC);
		put_vector(c, s);
		op1(c, GCN_S_MOV_B64, GCN_SRC_EXEC, rnd(s) % 4 ? S_KEPT + 2 : GCN_SRC_VCC);
	}
	if (rnd(s) % 8 == 0)
		put_export(c, s, false);
	if (rnd(s) & 1)
		put_scalar(c, s);
	put_export(c, s, true);
	end(c);
	return depths;
}

static void set_up(struct run *r, uint64_t *s)
{
	memset(r, 0, sizeof *r);
	for (unsigned n = 0; n < WAVES; n++)
		for (unsigned v = 0; v < VGPRS; v++)
			for (unsigned l = 0; l < CU_LANES; l++)
				r->vgpr[n][v][l] = any_bits(s);
	cu_wave_init(&r->side.w, ~0ull, &r->side.e);
	for (unsigned k = 0; k < 64; k++)
		r->side.w.sgpr[k] = any_bits(s);
}

/* All waves of r from what it is set up as; with `next` where `together`. */
static void run_all(const struct cu_program *p, struct run *r, bool together)
{
	const struct side start = r->side;
	for (r->at = 0; r->at < WAVES; r->at++) {
		r->side = start;
		r->side.w.exports = &r->side.e;
		begin(r);
		r->side.w.next = together ? (bool (*)(struct cu_wave *))(void (*)(void))next : NULL;
		r->side.w.wanted = together ? (bool (*)(struct cu_wave *))(void (*)(void))wanted : NULL;
		r->side.w.owner = r;
		EXPECT(cu_wave_run(p, &r->side.w) == CU_DONE, "%s", r->side.w.error.text);
		r->taken[r->at] = r->side.e;
	}
}

static bool same_depths(const struct cu_exports *a, const struct cu_exports *b)
{
	for (unsigned l = 0; l < CU_LANES; l++)
		if (a->exec[GCN_EXP_MRTZ] >> l & 1 && a->data[GCN_EXP_MRTZ][0][l] != b->data[GCN_EXP_MRTZ][0][l])
			return false;
	return a->exec[GCN_EXP_MRTZ] == b->exec[GCN_EXP_MRTZ];
}

static bool same_exports(const struct cu_exports *a, const struct cu_exports *b)
{
	for (unsigned t = 0; t < CU_STAY; t++)
		for (unsigned k = 0; k < 4; k++)
			for (unsigned l = 0; l < CU_LANES; l++)
				if (a->exec[t] >> l & 1 && a->targets >> t & 1 && a->data[t][k][l] != b->data[t][k][l])
					return false;
	return a->targets == b->targets && a->valid == b->valid && !memcmp(a->exec, b->exec, sizeof a->exec);
}

static bool one(struct cu_exec_heap *heap, enum cu_level level, uint64_t *s, unsigned *again)
{
	static struct code c;
	static struct run a, b;
	struct cu_error err = { "" };
	struct cu_jit_image code;
	const bool depths = put_program(&c, s);
	set_up(&a, s);
	b = a;
	struct cu_program *p = cu_program_create(level, c.dw, c.n, &err);
	bool ok = p && cu_jit_translate(p, NULL, &code, &err);
	EXPECT(ok, "%s", err.text);
	if (ok)
		run_all(p, &a, true); /* the interpreter does not ask */
	ok = ok && cu_jit_attach(p, heap, &code, &err);
	if (ok)
		run_all(p, &b, true);
	*again += b.again == WAVES - 1;
	for (unsigned n = 0; n < WAVES && ok; n++)
		ok = same_depths(&a.taken[n], &b.taken[n]) &&
			(b.unwanted[n] ? b.taken[n].targets == 1u << GCN_EXP_MRTZ : same_exports(&a.taken[n], &b.taken[n]));
	EXPECT(b.asked == (depths ? WAVES : 0), "asked of %u waves", b.asked);
	ok &= a.side.w.instructions == b.side.w.instructions;
	EXPECT(ok && !a.again && !a.asked, "wave of %u exports something else, %u in one run", WAVES, b.again);
	return end_program(p, &code, &c, ok);
}

int main(int argc, char **argv)
{
	return random_programs(argc, argv, 5, 3000, 8, one, "test_again", "do all waves in one run");
}
