/* SPDX-License-Identifier: MIT */
/* isa/gcn_uses.h against the interpreter, row by row: each instruction runs three times.
 *  - With what it is said not to read changed, everything comes out the same;
 *    what it is said not to write keeps its value.
 *  - With one dword changed that it is said to read, something comes out otherwise:
 *    not in each run, but once for each span of each row, as each span written must
 *    have changed once.  So neither too little nor too much is said. */
#include "core/interp/interp.h"
#include "core/memory.h"
#include "core/mode.h"
#include "interp_harness.h"
#include "isa/abi.h"
#include "isa/gcn_uses.h"
#include "isa/regs.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "isa/text/gcn_disasm.h"
#include "ref/ref_cases.h"

enum { ARENA = 1 << 14, LDS = 8192, SCRATCH = 64 * 256, RUNS = 12, ENOUGH = 16 };
static uint8_t arena[ARENA] __attribute__((aligned(4096))), lds[LDS], scratch[SCRATCH] __attribute__((aligned(256)));
static struct cu_exports exports;

/* All that an instruction can see and change. */
struct state {
	struct cu_wave w;
	uint8_t arena[ARENA], lds[LDS], scratch[SCRATCH];
	struct cu_exports exports;
	enum cu_status status;
};
static struct state *before, *after, *other, *again;
static uint64_t seed = 1;
static uint32_t rn(uint32_t n) { return rnd(&seed) % n; }

static const struct cu_memory *memory;
static unsigned effects; /* of the instruction at hand */
static void execute(const struct cu_program *p, const struct state *from, struct state *to)
{
	memcpy(to, from, sizeof(*to));
	memcpy(arena, from->arena, ARENA);
	memcpy(lds, from->lds, LDS);
	memcpy(scratch, from->scratch, SCRATCH);
	exports = from->exports;
	to->w.memory = memory;
	to->w.lds = lds, to->w.lds_bytes = LDS;
	to->w.scratch = scratch, to->w.scratch_bytes = SCRATCH;
	memset(to->w.scratch_high, 0, sizeof to->w.scratch_high);
	to->w.exports = &exports;
	to->w.budget = 1000;
	to->status = cu_wave_run(p, &to->w);
	memcpy(to->arena, arena, ARENA);
	memcpy(to->lds, lds, LDS);
	memcpy(to->scratch, scratch, SCRATCH);
	to->exports = exports;
}

/* --- registers by operand number --- */
static uint32_t *scalar(struct state *s, unsigned reg)
{
	return reg == GCN_SRC_SCC ? &s->w.scc : &s->w.sgpr[reg];
}
static bool covers(const struct gcn_span *spans, unsigned n, unsigned reg)
{
	for (unsigned i = 0; i < n; i++)
		if (reg >= spans[i].first && reg < spans[i].first + spans[i].dwords)
			return true;
	return false;
}
static bool is_kept(unsigned reg) /* neither compared nor changed: the marks of ref_cases */
{
	return reg == MARK || reg == MARK + 1;
}

/* Now and then all values are one of two, so that comparisons find equal ones. */
static bool narrow;
static uint32_t any_value(void)
{
	return narrow ? rn(2) ? 0x3e800000 : 0x3f000000 : test_value(&seed);
}
static void fill(uint8_t *to, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += 4) {
		uint32_t x = any_value();
		memcpy(to + i, &x, 4);
	}
}

/* Any bits in place of what is there, of a VGPR in all lanes. */
static void change(struct state *s, unsigned reg, bool lanes_off)
{
	uint64_t exec = cu_exec(&s->w);
	if (reg < GCN_SRC_VGPR0) {
		*scalar(s, reg) = reg == GCN_SRC_SCC ? !s->w.scc : rn(4) ? any_value() : *scalar(s, reg) ^ 1u << rn(32);
		return;
	}
	for (int l = 0; l < CU_LANES; l++)
		if (!lanes_off || !(exec >> l & 1))
			s->w.vgpr[reg - GCN_SRC_VGPR0][l] = rn(4) ? any_value() : s->w.vgpr[reg - GCN_SRC_VGPR0][l] ^ 1u << rn(32);
}
static void change_unread(struct state *s, const struct gcn_uses *u)
{
	bool any_sgpr = effects & GCN_ANY_SGPR, any_vgpr = effects & GCN_ANY_VGPR;
	for (unsigned r = GCN_SRC_VGPR0; r < GCN_SRC_VGPR0 + CU_VGPRS && !any_vgpr; r++)
		if (!covers(u->read, u->reads, r))
			change(s, r, false);
	for (unsigned r = 0; r < 128 && !any_sgpr; r++)
		if (!covers(u->read, u->reads, r) && !is_kept(r) && r != 125 && !(r >= GCN_SRC_EXEC && u->exec))
			change(s, r, false);
	if (!covers(u->read, u->reads, GCN_SRC_SCC))
		change(s, GCN_SRC_SCC, false);
	if (!(effects & GCN_READS_LDS))
		fill(s->lds, LDS);
	if (!(effects & GCN_READS_MEMORY)) {
		fill(s->arena, ARENA);
		fill(s->scratch, SCRATCH);
	}
}

/* --- judging --- */

/* One message a row is enough. */
static enum gcn_op last_wrong = GCN_OP_COUNT;
#define CHECK_ROW(cond, ...) \
	do { \
		if (!(cond) && t->in.op != last_wrong) { \
			last_wrong = (enum gcn_op)t->in.op; \
			EXPECT(false, __VA_ARGS__); \
		} \
	} while (0)

static const char *text_of(const struct test *t)
{
	static char text[200];
	gcn_disasm(t->gen, &t->in, 0, text, sizeof(text));
	return text;
}
/* Whether two runs, that began with what they are said not to read, stored the same. */
static bool same_stores(const uint8_t *from, const uint8_t *from2, const uint8_t *to, const uint8_t *to2, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if ((from[i] != to[i] || from2[i] != to2[i]) && to[i] != to2[i])
			return false;
	return true;
}
/* Where two ends differ in what is said to be written (and began alike or not). */
static bool same_results(const struct gcn_uses *u, const struct state *a, const struct state *b, char *where)
{
	uint64_t exec = cu_exec(&before->w);
	struct state *x = (struct state *)(uintptr_t)a, *y = (struct state *)(uintptr_t)b;
	snprintf(where, 60, "status %d and %d", a->status, b->status);
	if (a->status != b->status || a->w.mode != b->w.mode)
		return false;
	if (a->status == CU_FAULT) /* what it did until then is nobody's */
		return true;
	for (unsigned k = 0; k < u->writes; k++)
		for (unsigned r = u->written[k].first; r < (unsigned)u->written[k].first + u->written[k].dwords; r++) {
			snprintf(where, 60, "%c%u", r >= 256 ? 'v' : 's', r & 255);
			if (r < GCN_SRC_VGPR0 && *scalar(x, r) != *scalar(y, r))
				return false;
			for (int l = 0; l < CU_LANES && r >= GCN_SRC_VGPR0; l++)
				if ((!u->exec || exec >> l & 1) && a->w.vgpr[r - GCN_SRC_VGPR0][l] != b->w.vgpr[r - GCN_SRC_VGPR0][l])
					return false;
		}
	snprintf(where, 60, "marks, memory, LDS or exports");
	return a->w.sgpr[MARK] == b->w.sgpr[MARK] && a->w.sgpr[MARK + 1] == b->w.sgpr[MARK + 1] &&
		same_stores(before->arena, other->arena, a->arena, b->arena, ARENA) &&
		same_stores(before->scratch, other->scratch, a->scratch, b->scratch, SCRATCH) &&
		same_stores(before->lds, other->lds, a->lds, b->lds, LDS) &&
		!memcmp(&a->exports, &b->exports, sizeof(a->exports));
}
static void check_kept(const struct test *t, const struct gcn_uses *u, struct state *start, struct state *end)
{
	uint64_t exec = cu_exec(&before->w);
	for (unsigned r = 0; r < 128 && !(effects & GCN_ANY_SGPR); r++)
		CHECK_ROW(covers(u->written, u->writes, r) || is_kept(r) || start->w.sgpr[r] == end->w.sgpr[r],
			"%s: writes s%u", text_of(t), r);
	CHECK_ROW(covers(u->written, u->writes, GCN_SRC_SCC) || start->w.scc == end->w.scc, "%s: writes SCC", text_of(t));
	CHECK_ROW(effects & GCN_CHANGES_STATE || start->w.mode == end->w.mode, "%s: writes MODE", text_of(t));
	for (unsigned v = 0; v < CU_VGPRS && !(effects & GCN_ANY_VGPR); v++)
		for (int l = 0; l < CU_LANES; l++)
			CHECK_ROW((covers(u->written, u->writes, GCN_SRC_VGPR0 + v) && (!u->exec || exec >> l & 1)) ||
				start->w.vgpr[v][l] == end->w.vgpr[v][l], "%s: writes v%u, lane %d", text_of(t), v, l);
	CHECK_ROW(effects & GCN_WRITES_MEMORY || (!memcmp(start->arena, end->arena, ARENA) &&
		!memcmp(start->scratch, end->scratch, SCRATCH)), "%s: writes memory", text_of(t));
	size_t last = 0;
	for (size_t i = 0; i < SCRATCH; i++)
		last = start->scratch[i] != end->scratch[i] ? i : last;
	CHECK_ROW(last < cu_scratch_extent(&end->w), "%s: writes byte %zu of scratch, says %zu", text_of(t), last, cu_scratch_extent(&end->w));
	CHECK_ROW(effects & GCN_WRITES_LDS || !memcmp(start->lds, end->lds, LDS), "%s: writes LDS", text_of(t));
	CHECK_ROW(effects & GCN_EXPORTS || !memcmp(&start->exports, &end->exports, sizeof(exports)), "%s: exports",
		text_of(t));
}

/* What has shown for a row, by what a span is. */
enum place { AT_SRC0, AT_SRC1, AT_SRC2, AT_SRC3, AT_DST, AT_SDST, AT_SCC, AT_VCC, AT_M0, AT_EXEC, AT_FLAT_SCRATCH, PLACES };
struct shown { unsigned tried, read[PLACES], read_said[PLACES], written[PLACES], written_said[PLACES]; };

static enum place place_of(const struct gcn_inst *in, unsigned reg, bool written)
{
	if (written && (reg == in->dst || reg == in->sdst))
		return reg == in->dst ? AT_DST : AT_SDST;
	for (int n = 0; n < 4; n++)
		if (reg == in->src[n])
			return (enum place)n;
	return reg == in->dst ? AT_DST : reg == GCN_SRC_SCC ? AT_SCC : reg == GCN_SRC_VCC ? AT_VCC :
		reg == GCN_SRC_M0 ? AT_M0 : reg == GCN_SRC_FLAT_SCRATCH ? AT_FLAT_SCRATCH : AT_EXEC;
}

static bool differs_anywhere(const struct state *a, const struct state *b)
{
	return a->status != b->status || a->w.scc != b->w.scc || a->w.mode != b->w.mode ||
		memcmp(a->w.sgpr, b->w.sgpr, sizeof(a->w.sgpr)) || memcmp(a->w.vgpr, b->w.vgpr, sizeof(a->w.vgpr)) ||
		memcmp(a->arena, b->arena, ARENA) || memcmp(a->lds, b->lds, LDS) || memcmp(a->scratch, b->scratch, SCRATCH) ||
		memcmp(&a->exports, &b->exports, sizeof(a->exports));
}

/* One span that is said to be read: what if it were otherwise? */
static void show_read(const struct cu_program *p, const struct gcn_inst *in, const struct gcn_uses *u,
	struct shown *shown)
{
	unsigned k = rn(u->reads), reg = u->read[k].first + rn(u->read[k].dwords);
	enum place at = place_of(in, u->read[k].first, false);
	if (is_kept(reg))
		return;
	shown->read_said[at]++;
	memcpy(other, before, sizeof(*other));
	change(other, reg, false);
	execute(p, other, again);
	/* The changed register itself counts where it is written. */
	bool keeps = !covers(u->written, u->writes, reg);
	if (keeps && reg < GCN_SRC_VGPR0)
		*scalar(again, reg) = *scalar(after, reg);
	else if (keeps)
		memcpy(again->w.vgpr[reg - GCN_SRC_VGPR0], after->w.vgpr[reg - GCN_SRC_VGPR0], sizeof(again->w.vgpr[0]));
	if (differs_anywhere(after, again))
		shown->read[at]++;
}
static void show_written(const struct gcn_inst *in, const struct gcn_uses *u, struct shown *shown)
{
	for (unsigned k = 0; k < u->writes; k++) {
		unsigned r = u->written[k].first;
		enum place at = place_of(in, r, true);
		shown->written_said[at]++;
		if (r < GCN_SRC_VGPR0 ? *scalar(before, r) != *scalar(after, r) :
			memcmp(before->w.vgpr[r - GCN_SRC_VGPR0], after->w.vgpr[r - GCN_SRC_VGPR0], sizeof(after->w.vgpr[0])) != 0)
			shown->written[at]++;
	}
}

static void judge(const struct test *t, struct shown *shown)
{
	struct cu_error err;
	struct gcn_uses u;
	char where[60];
	struct cu_program *p = cu_program_create_gen(CU_LEVEL_V3, t->gen, t->code.dw, t->code.n, &err);
	if (!p)
		return;
	gcn_uses(t->gen, &t->in, &u);
	effects = gcn_effects(&t->in);
	execute(p, before, after);
	if (after->status != CU_FAULT) {
		shown->tried++;
		check_kept(t, &u, before, after);
		memcpy(other, before, sizeof(*other));
		change_unread(other, &u);
		execute(p, other, again);
		CHECK_ROW(same_results(&u, after, again, where), "%s (gen %d): reads more, %s", text_of(t), t->gen, where);
		if (again->status != CU_FAULT)
			check_kept(t, &u, other, again);
		show_written(&t->in, &u, shown);
		for (unsigned k = 0; k < 2u * u.reads; k++)
			show_read(p, &t->in, &u, shown);
	}
	cu_program_destroy(p);
}

/* --- where it begins --- */

/* Registers of memory instructions: s[2:3] address, s4 offset, s[8:11] V#, s[12:19] T#, s[28:31] S#, data
 * from s40; v0.. address, v16 and v24 data, v32 result. */
enum { S_BASE = 2, S_OFFSET = 4, S_V = 8, S_T = 12, S_S = 28, S_DATA = 40, V_DATA = 16, V_MORE = 24, V_RESULT = 32, S_SCRATCH = 60 };

static void descriptors(struct state *s, const struct gcn_op_info *info)
{
	uint64_t at = (uintptr_t)arena + 4096, own = (uintptr_t)scratch;
	uint32_t *v = &s->w.sgpr[S_V], *t = &s->w.sgpr[S_T], *z = &s->w.sgpr[S_S];
	memset(v, 0, 16);
	ISA_SET(v, V_BASE_LO, (uint32_t)at);
	ISA_SET(v, V_BASE_HI, (uint32_t)(at >> 32));
	ISA_SET(v, V_STRIDE, 16);
	ISA_SET(v, V_NUM_RECORDS, 64);
	ISA_SET(v, V_DATA_FORMAT, DFMT_32_32_32_32);
	ISA_SET(v, V_NUM_FORMAT, NFMT_UINT);
	memset(t, 0, 32);
	ISA_SET(t, T_BASE_LO, (uint32_t)(at >> 8));
	ISA_SET(t, T_BASE_HI, (uint32_t)(at >> 40));
	ISA_SET(t, T_DATA_FORMAT, DFMT_32);
	ISA_SET(t, T_NUM_FORMAT, info->src_dw[2] ? NFMT_FLOAT : NFMT_UINT);
	ISA_SET(t, T_WIDTH, 7);
	ISA_SET(t, T_HEIGHT, 7);
	ISA_SET(t, T_DEPTH, 7);
	ISA_SET(t, T_TILING_INDEX, TILING_LINEAR);
	ISA_SET(t, T_TYPE, info->flags & GCN_F_GATHER4 ? T_TYPE_2D : T_TYPE_3D);
	memset(z, 0, 16);
	ISA_SET(z, S_DEPTH_COMPARE_FUNC, COMPARE_LESS);
	ISA_SET(z, S_MAX_LOD, 0xfff);
	for (unsigned c = 0; c < 4; c++) {
		ISA_SET(v, V_DST_SEL(c), SEL_R + c);
		ISA_SET(t, T_DST_SEL(c), c ? SEL_1 : SEL_R);
	}
	memcpy(&s->w.sgpr[S_BASE], &at, 8);
	s->w.sgpr[S_OFFSET] = 4 * rn(16);
	memcpy(&s->w.sgpr[GCN_SRC_FLAT_SCRATCH], &own, 8);
	memcpy(&s->w.sgpr[S_SCRATCH], &own, 8);
}

static void start(const struct test *t)
{
	struct state *s = before;
	narrow = rn(2);
	memset(&s->w, 0, sizeof(s->w));
	cu_wave_init(&s->w, rn(2) ? ~0ull : (uint64_t)rnd(&seed) << 32 | rnd(&seed), NULL);
	for (int v = 0; v < CU_VGPRS; v++)
		for (int l = 0; l < CU_LANES; l++)
			s->w.vgpr[v][l] = v < VGPRS_USED ? any_value() : rnd(&seed);
	for (int i = 0; i < 124; i++)
		s->w.sgpr[i] = any_value();
	for (int i = 0; i < 90 && narrow && t->in.fmt == GCN_SOPK; i++)
		s->w.sgpr[i] = rn(2) ? (uint32_t)t->in.offset : (uint16_t)t->in.offset;
	if (!rn(4))
		s->w.sgpr[GCN_SRC_VCC] = s->w.sgpr[GCN_SRC_VCC + 1] = 0;
	if (!rn(6))
		s->w.sgpr[GCN_SRC_EXEC] = s->w.sgpr[GCN_SRC_EXEC + 1] = 0;
	s->w.sgpr[GCN_SRC_M0] = 4 * rn(64);
	s->w.scc = rn(2);
	s->w.mode = CU_MODE_PLAIN;
	s->w.sgpr[92] = 4 * (uint32_t)(t->code.n - 2); /* where ref_cases has its second mark */
	s->w.sgpr[93] = 0;
	fill(s->arena, ARENA);
	fill(s->lds, LDS);
	fill(s->scratch, SCRATCH);
	memset(&s->exports, 0, sizeof(s->exports));
}

static void vector_address(const struct gcn_inst *in)
{
	for (int l = 0; l < CU_LANES; l++) {
		uint64_t a = (uintptr_t)arena + 4096 + 4 * rn(256);
		if (in->fmt == GCN_FLAT && narrow)
			a = ABI_PRIVATE_BASE + 4 * rn(16);
		if (in->fmt == GCN_DS)
			a = 4 * rn(64);
		else if (in->fmt == GCN_SCRATCH)
			a = 4 * rn(32);
		else if (in->fmt == GCN_MUBUF || in->fmt == GCN_MTBUF || (in->fmt == GCN_GLOBAL && in->src[2] != NONE))
			a = rn(16) * (in->fmt == GCN_GLOBAL ? 4 : 1) | (uint64_t)(4 * rn(4)) << 32;
		before->w.vgpr[0][l] = (uint32_t)a;
		before->w.vgpr[1][l] = (uint32_t)(a >> 32);
	}
	for (int v = 0; v < 12 && in->fmt == GCN_MIMG; v++)
		for (int l = 0; l < CU_LANES; l++)
			before->w.vgpr[v][l] = gcn_op_info((enum gcn_op)in->op)->src_dw[2] ? float_bits((float)rn(16) / 8 - 0.4f) : rn(8);
}

static void buffer(struct gcn_inst *in, const struct gcn_op_info *info)
{
	if (!info->src_dw[1])
		return;
	in->dst = info->dst_dw ? V(V_RESULT) : NONE;
	in->src[1] = S_V, in->src[2] = rn(2) ? S_OFFSET : K((int)rn(16));
	in->idxen = rn(2), in->offen = rn(2);
	in->dfmt = DFMT_32_32, in->nfmt = NFMT_UINT;
	in->glc = rn(2);
	in->lds = info->flags & GCN_F_MAY_LDS && (!rn(4) || info->flags & GCN_F_STORE);
	in->tfe = info->flags & GCN_F_LOAD && !in->lds && !rn(4);
	if (info->flags & GCN_F_STORE && in->lds)
		in->idxen = in->offen = 0;
	in->src[0] = in->idxen || in->offen ? V(0) : NONE;
}
static void image(struct gcn_inst *in, const struct gcn_op_info *info)
{
	in->dst = V(V_RESULT), in->src[0] = V(0), in->src[1] = S_T, in->src[2] = info->src_dw[2] ? S_S : NONE;
	bool compare = strstr(info->name, "cmpswap");
	in->dmask = info->flags & GCN_F_ATOMIC ? compare ? 3 : 1 : info->flags & GCN_F_GATHER4 ? 1 : (uint8_t)(1 + rn(15));
	in->unorm = !info->src_dw[2];
	in->glc = rn(2);
}
static void flat(struct gcn_inst *in, const struct gcn_op_info *info)
{
	in->glc = rn(2);
	in->dst = info->dst_dw && (!(info->flags & GCN_F_ATOMIC) || in->glc) ? V(V_RESULT) : NONE;
	in->src[1] = info->src_dw[1] ? V(V_DATA) : NONE;
	in->src[0] = V(0);
	in->src[2] = in->fmt != GCN_FLAT && rn(2) ? in->fmt == GCN_SCRATCH ? S_OFFSET : S_BASE : NONE;
	if (in->fmt == GCN_SCRATCH && in->src[2] != NONE)
		in->src[0] = NONE;
	in->lds = info->flags & GCN_F_MAY_LDS && !rn(4);
	if (in->lds)
		in->dst = NONE;
}
static void scalar_memory(struct gcn_inst *in, const struct gcn_op_info *info)
{
	in->dst = info->dst_dw ? S_DATA : NONE;
	if (info->flags & GCN_F_RAW_OPERAND)
		in->dst = (uint16_t)rn(100);
	if (!info->src_dw[0])
		return;
	in->src[0] = info->src_dw[0] == 4 ? S_V : strstr(info->name, "s_scratch") ? S_SCRATCH : S_BASE;
	in->src[1] = rn(2) ? S_OFFSET : NONE;
	in->offset = in->src[1] == NONE ? (int32_t)(4 * rn(16)) : 0;
	in->glc = rn(2);
}
static void local(struct gcn_inst *in, const struct gcn_op_info *info)
{
	in->dst = info->dst_dw ? V(V_RESULT) : NONE;
	in->src[0] = info->src_dw[0] ? V(0) : NONE;
	in->src[1] = info->src_dw[1] ? V(V_DATA) : NONE;
	in->src[2] = info->src_dw[2] ? V(V_MORE) : NONE;
	in->offset = (int32_t)(info->flags & GCN_F_PAIR_OFFSET ? rn(4) | rn(4) << 8 : 4 * rn(16));
}

static bool make_memory(struct test *t, enum gcn_gen gen, enum gcn_op op)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	*t = (struct test){ .gen = gen };
	gcn_inst_init(&t->in, op);
	switch (info->fmt) {
	case GCN_SMEM: scalar_memory(&t->in, info); break;
	case GCN_DS: local(&t->in, info); break;
	case GCN_MUBUF: case GCN_MTBUF: buffer(&t->in, info); break;
	case GCN_MIMG: image(&t->in, info); break;
	case GCN_EXP:
		t->in.en = (uint8_t)(1 + rn(15));
		for (int c = 0; c < 4; c++)
			t->in.src[c] = t->in.en >> c & 1 ? V(16 + rn(8)) : NONE;
		t->in.exp_target = GCN_EXP_POS0, t->in.done = 1;
		break;
	default: flat(&t->in, info); break;
	}
	const char *why;
	t->code.n = gcn_encode(gen, &t->in, t->code.dw, &why);
	if (!t->code.n)
		return false;
	t->code.dw[t->code.n++] = 0xbf810000; /* s_endpgm, in every generation */
	return true;
}

/* --- rows --- */
static enum gcn_gen newest(enum gcn_op op)
{
	int gen = GCN_GFX9;
	while (gen > GCN_GFX6 && gcn_op_info(op)->opcode[gen] < 0)
		gen--;
	return (enum gcn_gen)gen;
}
static bool attempt(enum gcn_op op, enum form form, struct shown *shown)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	struct test t;
	bool alu = info->fmt <= GCN_SOPP || test_is_vector(info);
	if (alu ? !test_make(&t, newest(op), op, form, &seed) : form != PLAIN || !make_memory(&t, newest(op), op))
		return false;
	start(&t);
	if (t.in.fmt == GCN_VINTRP || info->flags & GCN_F_VOP3_INTERP)
		before->w.sgpr[GCN_SRC_M0] = (rn(2) ? rnd(&seed) & 0x7fff0000 : 0) | 4 * rn(64);
	if (t.in.src[0] == LDS_DIRECT)
		before->w.sgpr[GCN_SRC_M0] = rnd(&seed) & 0x71fff;
	if (!alu) {
		descriptors(before, info);
		vector_address(&t.in);
	}
	judge(&t, shown);
	return true;
}

static void check_shown(enum gcn_op op, const struct shown *s)
{
	static const char *const names[PLACES] = { "source 0", "source 1", "source 2", "source 3", "destination", "sdst",
		"SCC", "VCC", "M0", "EXEC", "FLAT_SCRATCH" };
	const struct gcn_op_info *info = gcn_op_info(op);
	const char *name = info->name;
	/* These compare nothing: always false, always true. */
	bool constant = info->fmt == GCN_VOPC && (strstr(name, "_f_") || strstr(name, "_t_") || strstr(name, "_tru_"));
	/* Hints, and what goes nowhere here. */
	bool unseen = op == GCN_S_ATC_PROBE || op == GCN_S_ATC_PROBE_BUFFER || op == GCN_S_DCACHE_DISCARD ||
		op == GCN_S_DCACHE_DISCARD_X2 || op == GCN_S_TTRACEDATA;
	/* M0 picks others than those named, the fork stack what is written. */
	bool relative = op == GCN_S_CBRANCH_JOIN || op == GCN_V_MOVRELS_B32 || op == GCN_V_MOVRELSD_B32;
	for (int at = 0; at < PLACES && !unseen && !relative; at++) {
		bool shows = s->read[at] || s->read_said[at] < ENOUGH || (constant && at <= AT_SRC1);
		EXPECT(shows, "%s: does not read %s (%u times)", name, names[at], s->read_said[at]);
		shows = s->written[at] || s->written_said[at] < ENOUGH || constant;
		EXPECT(shows, "%s: does not write %s (%u times)", name, names[at], s->written_said[at]);
	}
}

int main(int argc, char **argv)
{
	struct cu_memory *m = cu_memory_create();
	cu_memory_add(m, arena, ARENA);
	memory = m;
	unsigned mxcsr = cu_fp_enter(), rows = 0;
	before = aligned_alloc(64, sizeof(*before)), after = aligned_alloc(64, sizeof(*after));
	other = aligned_alloc(64, sizeof(*other)), again = aligned_alloc(64, sizeof(*again));
	for (enum gcn_op op = 0; op < GCN_OP_COUNT; op++) {
		const char *name = gcn_op_info(op)->name;
		bool clock = op == GCN_S_MEMTIME || op == GCN_S_MEMREALTIME;
		if (cu_level_ops_v3.ops[op]->cls == CU_CLASS_REFUSED || clock || (argc > 1 && strcmp(argv[1], name)))
			continue;
		rows++;
		struct shown shown = { 0 };
		unsigned fmt = gcn_op_info(op)->fmt, runs = fmt <= GCN_SOPP || fmt == GCN_MIMG ? 4 * RUNS : RUNS;
		for (int form = PLAIN; form <= DPP; form++)
			for (unsigned i = 0, n = 0; i < 2 * runs && n < runs; i++)
				n += attempt(op, (enum form)form, &shown);
		EXPECT(shown.tried, "%s: never ran", name);
		check_shown(op, &shown);
	}
	printf("%u rows\n", rows);
	cu_fp_leave(mxcsr);
	cu_memory_destroy(m);
	free(before), free(after), free(other), free(again);
	return finish("test_uses");
}
