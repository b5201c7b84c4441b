/* SPDX-License-Identifier: MIT */
/* What a program must never do: an undecodable word, a jump outside, an endless
 * loop, an address that is nobody's.  The stream is lost and the message names
 * PC and instruction; by the interpreter, translated, and checked. */
#include "bare_metal.h"

enum { BUDGET = 100000 };

static uint32_t memory[64] __attribute__((aligned(4096)));

static void undecodable(struct code *c)
{
	plain(c, GCN_S_NOP, 0);
	c->dw[c->n++] = 0xd3ff0000;
}
static void undecodable_behind(struct code *c) /* a branch that is never taken leads there */
{
	plain(c, GCN_S_CBRANCH_SCC1, 1);
	plain(c, GCN_S_ENDPGM, 0);
	c->dw[c->n++] = 0x9b000000;
}
static void outside(struct code *c)
{
	plain(c, GCN_S_NOP, 0);
	plain(c, GCN_S_BRANCH, -4);
}
static void computed(struct code *c)
{
	mov(c, GCN_S_MOV_B64, 8, 128 + 60);
	struct gcn_inst in;
	gcn_inst_init(&in, GCN_S_SETPC_B64);
	in.src[0] = 8;
	add(c, &in);
}
static void endless(struct code *c)
{
	plain(c, GCN_S_NOP, 0);
	plain(c, GCN_S_BRANCH, -2);
}
static void endless_vectors(struct code *c) /* a loop that the translator keeps in registers */
{
	mov(c, GCN_V_MOV_B32, VGPR(1), VGPR(0));
	mov(c, GCN_V_NOT_B32, VGPR(0), VGPR(1));
	plain(c, GCN_S_CBRANCH_SCC0, -3);
	plain(c, GCN_S_ENDPGM, 0);
}
static void flat(struct code *c, enum gcn_op op)
{
	struct gcn_inst in;
	mov(c, GCN_V_MOV_B32, VGPR(2), 128 + 16);
	mov(c, GCN_V_MOV_B32, VGPR(3), 128 + 5);
	gcn_inst_init(&in, op);
	in.dst = op == GCN_FLAT_LOAD_DWORD ? VGPR(4) : GCN_SRC_NONE;
	in.src[0] = VGPR(2);
	in.src[1] = op == GCN_FLAT_LOAD_DWORD ? GCN_SRC_NONE : VGPR(4);
	add(c, &in);
	plain(c, GCN_S_ENDPGM, 0);
}
static void unmapped_load(struct code *c) { flat(c, GCN_FLAT_LOAD_DWORD); }
static void unmapped_store(struct code *c) { flat(c, GCN_GLOBAL_STORE_DWORD); }

static const struct {
	void (*make)(struct code *);
	const char *place, *what;
	struct rs_fault fault; /* its instruction from the start of the program */
} cases[] = {
	{ undecodable, "pc 0x4", "0xd3ff0000 is no gfx900 instruction" },
	{ undecodable_behind, "pc 0x8", "0x9b000000 is no gfx900 instruction" },
	{ outside, "pc 0x4 (s_branch", "outside the program" },
	{ computed, "pc 0x4 (s_setpc_b64 s[8:9])", "", { .instruction = 4 } },
	{ endless, "pc 0x4 (s_branch", "", { .instruction = 4 } },
	{ endless_vectors, "pc 0x8 (s_cbranch_scc0", "", { .instruction = 8 } },
	{ unmapped_load, "pc 0x8 (flat_load_dword v4, v[2:3])", "no memory of the device",
		{ RS_ACCESS_READ, 0x500000010, 4, 8 } },
	{ unmapped_store, "pc 0x8 (global_store_dword v[2:3], v4, off)", "no memory of the device",
		{ RS_ACCESS_WRITE, 0x500000010, 4, 8 } },
};

static void one(size_t k, const char *core, const char *level)
{
	static struct code c;
	struct stream s = { .n = 0 };
	const char *why = "";
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ .threads = 2, .level = level, .core = core,
		.checked = true, .budget = BUDGET }, &why);
	if (!gpu && !strcmp(level, "v4"))
		return;
	CHECK(gpu && rs_gpu_add_memory(gpu, memory, sizeof memory));
	memset(&c, 0, sizeof c);
	cases[k].make(&c);
	PACKET(&s, SET_SH_REG, R_COMPUTE_PGM_LO, address_lo(c.dw), address_hi(c.dw));
	PACKET(&s, SET_SH_REG, R_COMPUTE_NUM_THREAD_X, 64, 1, 1);
	PACKET(&s, SET_SH_REG, R_COMPUTE_PGM_RSRC1, 0xc0 << 12 | 1 << 21, 5 << 1);
	PACKET(&s, DISPATCH_DIRECT, 3, 1, 1, 0);
	CHECK(rs_gpu_execute(gpu, s.dw, s.n) == RS_LOST);
	const char *error = rs_gpu_error(gpu);
	if (!strstr(error, cases[k].place) || !strstr(error, cases[k].what)) {
		printf("case %zu, %s, %s: \"%s\" is expected to have \"%s\" and \"%s\"\n", k, core, level, error, cases[k].place,
			cases[k].what);
		exit(1);
	}
	const struct rs_fault is = rs_gpu_fault(gpu), want = cases[k].fault;
	if (want.instruction) {
		CHECK(is.access == want.access && is.instruction == (uintptr_t)c.dw + want.instruction);
		CHECK(!want.access || (is.address == want.address && is.bytes == want.bytes));
	} else {
		CHECK(!is.access && !is.instruction);
	}
	if (!strcmp(core, "jit") && !strcmp(level, "v3"))
		puts(error);
	CHECK(rs_gpu_execute(gpu, NULL, 0) == RS_LOST);
	rs_gpu_destroy(gpu);
}

int main(void)
{
	static const char *const cores[] = { "interp", "jit", "check" }, *const levels[] = { "v3", "v4" };
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
		for (int core = 0; core < 3; core++)
			for (int level = 0; level < 2; level++)
				one(k, cores[core], levels[level]);
	return 0;
}
