/* SPDX-License-Identifier: MIT */
/* Image instructions that are brought together: those of a known program, and in random ones that
 * nothing which depends on something else has passed it. */
#include "compiler/gcn/mir.h"
#include "isa/gcn_uses.h"
#include "tests/check.h"

static struct ir_pool *pool;

static struct mir_inst *add(struct mir_func *m, unsigned op, mir_opnd dst, mir_opnd s0, mir_opnd s1, mir_opnd s2)
{
	struct mir_inst *in = mir_inst_new(m, op);
	in->opnd[MIR_DST] = dst;
	in->opnd[MIR_SRC0] = s0;
	in->opnd[MIR_SRC1] = s1;
	in->opnd[MIR_SRC2] = s2;
	mir_append(m->first, in);
	return in;
}

static void start(struct mir_func *m)
{
	mir_func_init(m, pool);
	mir_place(m, mir_block_new(m, 0));
}

static struct mir_inst *add_image(struct mir_func *m, unsigned op, mir_opnd dst, unsigned dwords, mir_opnd at, mir_opnd t,
	mir_opnd s)
{
	struct mir_inst *in = add(m, op, dst, at, t, s);
	in->g.dmask = (uint8_t)((1u << dwords) - 1);
	in->dw[MIR_DST] = (uint8_t)dwords;
	in->dw[MIR_SRC0] = 2;
	return in;
}

static struct mir_inst *add_copy(struct mir_func *m, mir_opnd dst, mir_opnd a, mir_opnd b)
{
	struct mir_inst *in = add(m, MIR_COPY, MIR_NONE, MIR_NONE, MIR_NONE, MIR_NONE);
	in->copies = ir_alloc(pool, 2 * sizeof *in->copies);
	in->copies[0] = (struct mir_copy){ .dst = dst, .src = a, .dw = 1 };
	in->copies[1] = (struct mir_copy){ .dst = mir_at(dst, 1), .src = b, .dw = 1 };
	in->copy_count = 2;
	return in;
}

/* --- known programs --- */

/* Taps around a point, their sum: as a blur is selected.  at_once: images that must follow one another. */
static void check_taps(unsigned op, unsigned taps, unsigned at_once)
{
	struct mir_func m;
	start(&m);
	const mir_opnd t = mir_vreg_new(&m, MIR_SGPR, 8), s = mir_vreg_new(&m, MIR_SGPR, 4);
	const mir_opnd x = mir_vreg_new(&m, MIR_VGPR, 1), y = mir_vreg_new(&m, MIR_VGPR, 1);
	mir_opnd sum = x;
	for (unsigned i = 0; i < taps; i++) {
		const mir_opnd moved = mir_vreg_new(&m, MIR_VGPR, 1), at = mir_vreg_new(&m, MIR_VGPR, 2);
		const mir_opnd color = mir_vreg_new(&m, MIR_VGPR, 4), next = mir_vreg_new(&m, MIR_VGPR, 1);
		add(&m, GCN_V_ADD_F32, moved, x, y, MIR_NONE);
		add_copy(&m, at, moved, y);
		add_image(&m, op, color, 4, at, t, s);
		add(&m, GCN_V_ADD_F32, next, sum, mir_at(color, 2), MIR_NONE);
		sum = next;
	}
	mir_cluster_images(&m);
	unsigned run = 0, longest = 0, images = 0;
	for (const struct mir_inst *in = m.first->first; in; in = in->next) {
		run = in->op == op ? run + 1 : 0;
		images += in->op == op;
		longest = run > longest ? run : longest;
	}
	EXPECT(images == taps);
	EXPECT(longest == at_once);
	mir_func_finish(&m);
}

/* --- random programs --- */

enum { REGISTERS = 10, LENGTH = 60 };

static uint32_t random_state;

static unsigned any(unsigned n)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % n;
}

static mir_opnd vgpr(void) { return mir_v(any(REGISTERS), any(4)); }
static mir_opnd pair(void) { return mir_v(any(REGISTERS), 2 * any(2)); }
static mir_opnd sgpr(void) { return mir_v(REGISTERS + any(3), 4 * any(2)); }

static void add_random(struct mir_func *m)
{
	const unsigned ops[] = { GCN_IMAGE_SAMPLE, GCN_IMAGE_GATHER4, GCN_IMAGE_LOAD };
	const unsigned kind = any(24);
	switch (kind) {
	case 0: add(m, GCN_BUFFER_LOAD_DWORD, vgpr(), vgpr(), sgpr(), GCN_SRC_0)->g.offen = 1; break;
	case 1: add(m, GCN_S_LOAD_DWORDX2, sgpr(), sgpr(), MIR_NONE, MIR_NONE); break;
	case 2: add(m, GCN_S_ADD_U32, sgpr(), sgpr(), sgpr(), MIR_NONE); break;
	case 3: add(m, GCN_S_CSELECT_B32, sgpr(), sgpr(), sgpr(), MIR_NONE); break;
	case 4: add(m, GCN_V_CMP_LT_F32, MIR_NONE, vgpr(), vgpr(), MIR_NONE)->opnd[MIR_SDST] = GCN_SRC_VCC; break;
	case 5: add(m, GCN_V_CNDMASK_B32, vgpr(), vgpr(), vgpr(), GCN_SRC_VCC); break;
	case 6: add(m, GCN_V_MAC_F32, vgpr(), vgpr(), vgpr(), MIR_NONE); break;
	case 7: case 8: add_copy(m, pair(), vgpr(), vgpr()); break;
	case 10: add(m, GCN_S_AND_B64, GCN_SRC_VCC, sgpr(), sgpr(), MIR_NONE); break;
	case 11: add(m, GCN_V_DIV_FMAS_F32, vgpr(), vgpr(), vgpr(), vgpr()); break;
	case 9: add(m, MIR_UNDEF, vgpr(), MIR_NONE, MIR_NONE, MIR_NONE); break;
	default:
		if (kind < 18)
			add_image(m, ops[any(3)], pair(), 1 + any(2), pair(), mir_v(REGISTERS + any(3), 0), mir_v(REGISTERS + any(3), 4));
		else
			add(m, GCN_V_ADD_F32, vgpr(), vgpr(), vgpr(), MIR_NONE);
	}
	if (any(40) == 0)
		add(m, GCN_BUFFER_STORE_DWORD, vgpr(), vgpr(), sgpr(), GCN_SRC_0)->g.offen = 1;
	if (any(40) == 0)
		add(m, any(2) ? GCN_S_WQM_B64 : GCN_S_MOV_B64, any(2) ? GCN_SRC_EXEC : GCN_SRC_M0, GCN_SRC_EXEC, MIR_NONE, MIR_NONE);
}

/* Bits of what an instruction reads and writes: registers whole, SCC, VCC. */
struct touch { uint64_t read, written; };
enum { SCC = 40, VCC };

static uint64_t bit_of(mir_opnd o)
{
	return mir_is_v(o) ? 1ull << mir_vreg_of(o) : o == GCN_SRC_VCC ? 1ull << VCC : 0;
}

static struct touch touch_of(const struct mir_inst *in)
{
	struct touch t = { 0, 0 };
	for (unsigned i = 0; i < MIR_OPNDS; i++) {
		if (mir_reads(in) >> i & 1)
			t.read |= bit_of(in->opnd[i]);
		if (mir_writes(in) >> i & 1)
			t.written |= bit_of(in->opnd[i]);
	}
	for (uint32_t i = 0; i < in->copy_count; i++) {
		t.read |= bit_of(in->copies[i].src);
		t.written |= bit_of(in->copies[i].dst);
	}
	t.read |= mir_flags(in) & GCN_F_READS_SCC ? 1ull << SCC : 0;
	t.written |= mir_flags(in) & GCN_F_WRITES_SCC ? 1ull << SCC : 0;
	t.read |= mir_flags(in) & GCN_F_READS_VCC ? 1ull << VCC : 0;
	t.written |= mir_flags(in) & GCN_F_WRITES_VCC ? 1ull << VCC : 0;
	return t;
}

static bool is_sample(const struct mir_inst *in)
{
	return in->op == GCN_IMAGE_SAMPLE || in->op == GCN_IMAGE_GATHER4;
}

static bool reads_memory(const struct mir_inst *in)
{
	return !mir_is_pseudo(in) && mir_flags(in) & GCN_F_LOAD && !is_sample(in);
}

static bool is_fixed(const struct mir_inst *in)
{
	return in->op == GCN_BUFFER_STORE_DWORD || in->opnd[MIR_DST] == GCN_SRC_EXEC || in->opnd[MIR_DST] == GCN_SRC_M0;
}

static bool in_order(const struct mir_inst *a, const struct mir_inst *b)
{
	const struct touch x = touch_of(a), y = touch_of(b);
	return (x.written & (y.read | y.written)) || (x.read & y.written) || is_fixed(a) || is_fixed(b) ||
		(reads_memory(a) && reads_memory(b));
}

/* Pairs of neighbours that are image instructions. */
static unsigned neighbours(const struct mir_func *m)
{
	unsigned n = 0;
	for (const struct mir_inst *in = m->first->first; in && in->next; in = in->next)
		n += (is_sample(in) || in->op == GCN_IMAGE_LOAD) && (is_sample(in->next) || in->next->op == GCN_IMAGE_LOAD);
	return n;
}

static unsigned check_random(uint32_t seed)
{
	struct mir_func m;
	struct mir_inst *before[3 * LENGTH];
	unsigned count = 0, after = 0;
	random_state = seed;
	start(&m);
	for (unsigned i = 0; i < REGISTERS; i++)
		mir_vreg_new(&m, MIR_VGPR, 4);
	for (unsigned i = 0; i < 3; i++)
		mir_vreg_new(&m, MIR_SGPR, 16);
	for (unsigned i = 0; i < LENGTH; i++)
		add_random(&m);
	for (struct mir_inst *in = m.first->first; in; in = in->next) {
		in->at = count;
		before[count++] = in;
	}
	const unsigned together = neighbours(&m);
	mir_cluster_images(&m);
	const unsigned now = neighbours(&m);
	for (const struct mir_inst *in = m.first->first, *prev = NULL; in; prev = in, in = in->next, after++) {
		CHECK(in->prev == prev && in->block == m.first && before[in->at] == in);
		for (const struct mir_inst *later = in->next; later; later = later->next)
			if (later->at < in->at && in_order(later, in)) {
				fprintf(stderr, "seed %u: instruction %u went before %u\n", seed, in->at, later->at);
				CHECK(false);
			}
	}
	CHECK(after == count && m.first->last->next == NULL);
	mir_func_finish(&m);
	return now - together;
}

int main(void)
{
	unsigned gained = 0;
	pool = ir_pool_create();
	check_taps(GCN_IMAGE_SAMPLE, 4, 4);
	check_taps(GCN_IMAGE_SAMPLE, 9, 8);
	check_taps(GCN_IMAGE_LOAD, 4, 4);
	check_taps(GCN_IMAGE_GATHER4, 2, 2);
	for (uint32_t seed = 1; seed <= 4000; seed++)
		gained += check_random(seed);
	EXPECT(gained > 4000);
	ir_pool_destroy(pool);
	return failures != 0;
}
