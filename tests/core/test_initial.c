/* SPDX-License-Identifier: MIT */
/* Which SGPRs a program reads as its waves begin with them: cu_program_initial, and cu_blank_rows, the rows of those that
 * nobody sets; which memory by them. */
#include "core/interp/interp.h"
#include "tests/core/interp_harness.h"

static void expect(struct code *c, uint32_t want, const char *what)
{
	struct cu_error err = { "" };
	end(c);
	struct cu_program *p = cu_program_create(CU_LEVEL_V3, c->dw, c->n, &err);
	EXPECT(p, "%s: %s", what, err.text);
	if (p)
		EXPECT(cu_program_initial(p) == want, "%s: %x, not %x", what, cu_program_initial(p), want);
	cu_program_destroy(p);
	c->n = 0;
}

/* Of a wave that had ones everywhere, with the first `set` SGPRs the caller's. */
static void expect_cleared(struct code *c, unsigned set, const unsigned *sgpr, unsigned count, const char *what)
{
	static struct cu_wave w;
	struct cu_error err = { "" };
	end(c);
	struct cu_program *p = cu_program_create(CU_LEVEL_V3, c->dw, c->n, &err);
	EXPECT(p, "%s: %s", what, err.text);
	memset(w.sgpr, 0xff, sizeof w.sgpr);
	if (p)
		cu_wave_init_rows(&w, cu_blank_rows(p, set), 5, NULL);
	for (unsigned n = 0; p && n < count; n++)
		EXPECT(w.sgpr[sgpr[n]] == 0, "%s: s%u is %x", what, sgpr[n], w.sgpr[sgpr[n]]);
	EXPECT(cu_exec(&w) == 5, "%s: EXEC is %llx", what, (unsigned long long)cu_exec(&w));
	cu_program_destroy(p);
	c->n = 0;
}

static void check_cleared(struct code *c)
{
	const unsigned low[] = { 3, 17 }, high[] = { 40, 41 }, vcc[] = { VCC, VCC + 1 }, m0[] = { M0 };
	const unsigned image[] = { 48, 49, 50, 51, 52, 53, 54, 55 };
	op2(c, GCN_S_ADD_U32, 5, 3, 17);
	expect_cleared(c, 3, low, 2, "SGPRs behind the caller's");
	op2(c, GCN_S_ADD_U32, 5, 3, 17);
	expect_cleared(c, 4, low + 1, 1, "one of them");
	op1(c, GCN_S_MOV_B64, 6, 40);
	expect_cleared(c, 8, high, 2, "above them");
	op1(c, GCN_S_MOV_B64, 40, 6);
	op1(c, GCN_S_MOV_B64, 6, 40);
	expect_cleared(c, 8, high, 0, "what was written before");
	op2(c, GCN_V_ADDC_CO_U32, V(0), V(1), V(2));
	expect_cleared(c, 8, vcc, 2, "VCC");
	op1(c, GCN_S_MOVRELS_B32, 1, 2);
	expect_cleared(c, 8, m0, 1, "M0");
	struct gcn_inst load = inst(GCN_IMAGE_LOAD);
	load.dst = V(0), load.src[0] = V(4), load.src[1] = 48, load.dmask = 15, load.unorm = 1;
	put(c, &load);
	expect_cleared(c, 8, image, 8, "a descriptor");
}

static void load(struct code *c, unsigned dst, unsigned base, int32_t offset)
{
	struct gcn_inst in = inst(GCN_S_LOAD_DWORDX2);
	in.dst = (uint16_t)dst, in.src[0] = (uint16_t)base, in.src[1] = GCN_SRC_NONE, in.offset = offset;
	put(c, &in);
}

/* Lines that may be asked for before the program runs: of addresses that nothing has changed, each once. */
static void check_first_loads(struct code *c)
{
	static const struct cu_first_load want[] = { { 0, 0 }, { 0, 0x140 }, { 2, 0x40 } };
	struct cu_error err = { "" };
	load(c, 4, 0, 0x10);
	load(c, 6, 0, 0x3c);
	load(c, 8, 4, 0x100); /* by an address that was loaded */
	load(c, 0, 0, 0x144);
	load(c, 10, 2, 0x7c);
	load(c, 12, 0, 0x200); /* likewise */
	end(c);
	struct cu_program *p = cu_program_create(CU_LEVEL_V3, c->dw, c->n, &err);
	EXPECT(p, "first loads: %s", err.text);
	EXPECT(p && p->first_loads == sizeof want / sizeof want[0], "%u first loads", p ? p->first_loads : 0);
	for (unsigned n = 0; p && n < p->first_loads && n < sizeof want / sizeof want[0]; n++)
		EXPECT(p->first_load[n].sgpr == want[n].sgpr && p->first_load[n].line == want[n].line, "first load %u: s%u + 0x%x", n,
			p->first_load[n].sgpr, (unsigned)p->first_load[n].line);
	if (p) /* whatever these are */
		cu_program_foresee(p, (const uint32_t[]){ 0xdeadbeef, 0xdeadbeef, 1, 0 }, 4);
	cu_program_destroy(p);
	c->n = 0;
}

int main(void)
{
	static struct code c;
	check_cleared(&c);
	check_first_loads(&c);
	expect(&c, 0, "nothing");
	op2(&c, GCN_S_ADD_U32, 4, 2, 3);
	op2(&c, GCN_S_ADD_U32, 5, 4, 31);
	expect(&c, 1u << 2 | 1u << 3 | 1u << 31, "what was written before");
	op1(&c, GCN_S_MOV_B64, 6, 0);
	op2(&c, GCN_V_ADD_F32, V(0), 7, V(0));
	expect(&c, 3, "pairs");
	op1(&c, GCN_S_MOV_B32, 40, 41);
	op2(&c, GCN_V_CMP_LT_F32, VCC, V(0), V(1));
	expect(&c, 0, "above them");
	op1(&c, GCN_S_CMOV_B32, 3, 4);
	op1(&c, GCN_S_MOV_B32, 5, 3);
	expect(&c, 1u << 3 | 1u << 4, "what may be left as it is");
	imm(&c, GCN_S_CBRANCH_SCC1, 1);
	op1(&c, GCN_S_MOV_B32, 8, K(1));
	op1(&c, GCN_S_MOV_B32, 9, 8);
	expect(&c, 1u << 8, "what is jumped over");
	op1(&c, GCN_S_MOV_B32, 8, K(1));
	const size_t top = c.n;
	op2(&c, GCN_S_ADD_U32, 8, 8, 10);
	op1(&c, GCN_S_MOV_B32, 10, K(2));
	imm(&c, GCN_S_CBRANCH_SCC1, (int32_t)top - (int32_t)c.n - 1);
	op1(&c, GCN_S_MOV_B32, 9, 10);
	expect(&c, 1u << 10, "a loop");
	op1(&c, GCN_S_MOVRELS_B32, 1, 2);
	expect(&c, ~0u, "by M0");
	return finish("test_initial");
}
