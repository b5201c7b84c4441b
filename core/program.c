/* Programs: reachable code is decoded, checked and turned into records. */
#include "core/interp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_RECORD (~0u)

struct builder {
	const struct cu_level_ops *level;
	const uint32_t *source;
	size_t max;              /* dwords that may be read */
	struct cu_program *p;
	struct cu_error *err;
	/* By dword: how it was reached. */
	uint8_t *state;
	uint32_t *work;          /* pcs to look at */
	size_t work_count;
	uint32_t constants;
};
enum { REACHED = 1, INDEXED = 2, INSIDE = 4 }; /* INSIDE: not a first dword */

/* --- messages --- */

static void error_va(struct cu_error *err, uint32_t pc, const struct gcn_inst *in, const char *fmt,
	va_list args)
{
	char text[120] = "", message[120];
	if (in)
		gcn_disasm(GCN_GFX9, in, (uint64_t)pc * 4, text, sizeof(text));
	vsnprintf(message, sizeof(message), fmt, args);
	snprintf(err->text, sizeof(err->text), "pc 0x%x%s%s%s: %s", pc * 4, in ? " (" : "",
		text, in ? ")" : "", message);
}
void cu_error_at(struct cu_error *err, uint32_t pc, const struct gcn_inst *in, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	error_va(err, pc, in, fmt, args);
	va_end(args);
}
const struct cu_rec *cu_fault(struct cu_wave *w, const struct cu_rec *r, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	error_va(&w->error, r->pc, r->in, fmt, args);
	va_end(args);
	w->pc = r->pc;
	return CU_STOP(CU_FAULT);
}

/* --- reachability --- */

static bool push(struct builder *b, int64_t pc, uint8_t state, uint32_t from, const struct gcn_inst *in)
{
	if (pc < 0 || (uint64_t)pc >= b->max) {
		cu_error_at(b->err, from, in, "goes to 0x%llx, outside the program's %zu bytes",
			(unsigned long long)pc * 4, b->max * 4);
		return false;
	}
	if (b->state[pc] & INSIDE) {
		cu_error_at(b->err, from, in, "goes into the middle of an instruction");
		return false;
	}
	if (!(b->state[pc] & REACHED)) {
		b->state[pc] = state | REACHED;
		b->work[b->work_count++] = (uint32_t)pc;
	} else if ((b->state[pc] & INDEXED) != (state & INDEXED)) {
		cu_error_at(b->err, (uint32_t)pc, NULL, "reached with VGPR indexing on and off");
		return false;
	}
	return true;
}

/* Marks the dwords of the instruction at pc; false when they overlap another. */
static bool claim(struct builder *b, uint32_t pc, unsigned size, const struct gcn_inst *in)
{
	for (unsigned i = 1; i < size; i++) {
		if (b->state[pc + i] & REACHED) {
			cu_error_at(b->err, pc, in, "overlaps the instruction at 0x%x", (pc + i) * 4);
			return false;
		}
		b->state[pc + i] |= INSIDE;
	}
	for (unsigned i = 0; i < size; i++) {
		b->p->code[pc + i] = b->source[pc + i];
		b->p->reached[(pc + i) / 32] |= 1u << (pc + i) % 32;
	}
	if (pc + size > b->p->dwords)
		b->p->dwords = pc + size;
	return true;
}

static bool visit(struct builder *b, uint32_t pc, struct gcn_inst *in)
{
	unsigned size = gcn_decode(GCN_GFX9, b->source + pc, b->max - pc, in);
	if (!size) {
		cu_error_at(b->err, pc, NULL, "0x%08x is no gfx900 instruction", b->source[pc]);
		return false;
	}
	const struct cu_op *op = b->level->ops[in->op];
	if (op->cls == CU_CLASS_REFUSED) {
		cu_error_at(b->err, pc, in, "not supported: %s", op->why);
		return false;
	}
	if (!claim(b, pc, size, in))
		return false;
	uint8_t state = b->state[pc] & INDEXED;
	if (in->op == GCN_S_SET_GPR_IDX_ON)
		state = INDEXED;
	else if (in->op == GCN_S_SET_GPR_IDX_OFF)
		state = 0;
	if (op->flags & CU_OP_JUMPS && !push(b, (int64_t)pc + 1 + in->offset,
		in->op == GCN_S_CALL_B64 ? 0 : state, pc, in))
		return false;
	return op->flags & CU_OP_ENDS || push(b, (int64_t)pc + size, state, pc, in);
}

/* --- records --- */

/* An inline constant or literal seen as type t. */
static uint64_t constant(unsigned src, uint32_t literal, enum cu_type t)
{
	static const uint32_t f32[9] = { 0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
		0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983 };
	static const uint16_t f16[9] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400,
		0xc400, 0x3118 };
	static const uint64_t f64[9] = { 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
		0xbff0000000000000, 0x4000000000000000, 0xc000000000000000, 0x4010000000000000,
		0xc010000000000000, 0x3fc45f306dc9c882 };
	if (src == GCN_SRC_LITERAL) {
		if (t == CU_T_F64)
			return (uint64_t)literal << 32;
		return t == CU_T_I64 ? (uint64_t)(int64_t)(int32_t)literal : literal;
	}
	if (src <= 192)
		return src - 128;
	if (src <= 208)
		return (uint64_t)(int64_t)(192 - (int)src);
	if (cu_type_is64(t))
		return f64[src - 240];
	bool half = t == CU_T_B16 || t == CU_T_F16 || t == CU_T_PKB16 || t == CU_T_PKF16;
	return half ? f16[src - 240] : f32[src - 240];
}
static bool is_constant(unsigned src)
{
	return (src >= 128 && src <= 208) || (src >= 240 && src <= 248) || src == GCN_SRC_LITERAL;
}
static int32_t sgpr_offset(unsigned n)
{
	return (int32_t)(offsetof(struct cu_wave, sgpr) + 4 * n);
}
static int32_t vgpr_offset(unsigned n)
{
	return (int32_t)(offsetof(struct cu_wave, vgpr) + 4 * CU_LANES * n);
}

/* Same constant, same pool entry. */
static int32_t pool_offset(struct builder *b, uint64_t value)
{
	struct cu_pool *pool = b->p->pool;
	uint32_t i = 0;
	/* A short search: programs have few, and repeat the last ones. */
	uint32_t start = b->constants > 64 ? b->constants - 64 : 0;
	for (i = start; i < b->constants; i++)
		if (pool->k[i] == value)
			break;
	if (i == b->constants)
		pool->k[b->constants++] = value;
	return (int32_t)(offsetof(struct cu_pool, k) + 8 * i);
}

static bool set_source(struct builder *b, struct cu_rec *r, int n, unsigned src, enum cu_type t)
{
	const struct gcn_inst *in = r->in;
	unsigned dwords = cu_type_is64(t) || t == CU_T_MASK ? 2 : 1;
	if (is_constant(src)) {
		r->s[n] = pool_offset(b, constant(src, in->literal, t));
		r->konst |= (uint8_t)(1 << n);
		r->scalar |= (uint8_t)(1 << n);
	} else if (src + dwords <= 128) {
		r->s[n] = sgpr_offset(src);
		r->scalar |= (uint8_t)(1 << n);
	} else if (src == GCN_SRC_SCC) {
		r->s[n] = (int32_t)offsetof(struct cu_wave, scc);
		r->scalar |= (uint8_t)(1 << n);
	} else if (src >= GCN_SRC_VGPR0 && src + dwords <= GCN_SRC_VGPR0 + CU_VGPRS) {
		r->s[n] = vgpr_offset(src - GCN_SRC_VGPR0);
	} else {
		cu_error_at(b->err, r->pc, in, "source %d is not supported", n);
		return false;
	}
	return true;
}

static bool set_dst(struct builder *b, struct cu_rec *r, unsigned dst, unsigned dwords, uint32_t *out)
{
	if (dst + dwords <= 128)
		*out = (uint32_t)sgpr_offset(dst);
	else if (dst >= GCN_SRC_VGPR0 && dst + dwords <= GCN_SRC_VGPR0 + CU_VGPRS)
		*out = (uint32_t)vgpr_offset(dst - GCN_SRC_VGPR0);
	else {
		cu_error_at(b->err, r->pc, r->in, "destination is not supported");
		return false;
	}
	return true;
}

static bool refuse(struct builder *b, const struct cu_rec *r, const char *what)
{
	cu_error_at(b->err, r->pc, r->in, "not supported: %s", what);
	return false;
}

/* VGPR operands that handlers take from the instruction stay in the file. */
static bool check_vgprs(struct builder *b, const struct cu_rec *r)
{
	const struct gcn_inst *in = r->in;
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	for (int i = 0; i < 4; i++) {
		unsigned n = info->src_dw[i] ? info->src_dw[i] : 1;
		if (in->src[i] != GCN_SRC_NONE && in->src[i] >= GCN_SRC_VGPR0 &&
			in->src[i] + n > GCN_SRC_VGPR0 + CU_VGPRS)
			return refuse(b, r, "a VGPR beyond v255");
	}
	return true;
}

static bool fill_valu(struct builder *b, struct cu_rec *r, bool indexed)
{
	const struct gcn_inst *in = r->in;
	const struct cu_op *op = r->op;
	bool float_result = op->dtype == CU_T_F32 || op->dtype == CU_T_F16 || op->dtype == CU_T_F64
		|| op->dtype == CU_T_PKF16;
	if (in->clamp && op->dtype != CU_T_NONE && !float_result) {
		if (!op->saturating)
			return refuse(b, r, "clamp of this integer operation");
		r->op = op = op->saturating;
	}
	unsigned dst_dw = cu_type_is64(op->dtype) ? 2 : 1;
	if (op->dtype != CU_T_NONE && !set_dst(b, r, in->dst, dst_dw, &r->d))
		return false;
	if (op->mask_out) {
		unsigned sdst = in->sdst == GCN_SRC_NONE ? GCN_SRC_VCC : in->sdst;
		if (!set_dst(b, r, sdst, 2, &r->sd))
			return false;
		if (sdst + 2 > GCN_SRC_EXEC && !(op->flags & CU_OP_WRITES_EXEC)) {
			r->fn = b->level->exec_write;
			if (indexed)
				return refuse(b, r, "EXEC as a result under VGPR indexing");
		}
	}
	for (int n = 0; n < op->nsrc; n++) {
		unsigned src = in->src[n];
		if (n == 2 && op->flags & CU_OP_DST_READ)
			src = in->dst;
		else if (op->stype[n] == CU_T_MASK && src == GCN_SRC_NONE)
			src = GCN_SRC_VCC;
		if (!set_source(b, r, n, src, (enum cu_type)op->stype[n]))
			return false;
	}
	if (r->fn)
		return true;
	if (indexed) {
		r->fn = b->level->valu_indexed;
		return true;
	}
	unsigned scalars = r->scalar;
	if (op->nsrc > 2 && op->stype[2] == CU_T_MASK)
		scalars &= 3;
	bool simple = in->sub == GCN_SUB_NONE && !in->omod && !in->op_sel;
	bool plain = simple && !in->neg && !in->abs && (!in->clamp || !float_result);
	r->fn = plain ? op->fast[r->full][scalars & 7] : NULL;
	if (!r->fn && simple)
		r->fn = op->modified;
	if (!r->fn)
		r->fn = b->level->valu_general;
	return true;
}

static bool fill_smem(struct builder *b, struct cu_rec *r, unsigned dwords)
{
	const struct gcn_inst *in = r->in;
	if (in->src[0] == GCN_SRC_NONE) /* cache control, clocks */
		return true;
	if (in->src[0] + 2 > 104)
		return refuse(b, r, "this base register");
	r->s[0] = sgpr_offset(in->src[0]);
	if (in->src[1] == GCN_SRC_NONE) {
		r->s[1] = pool_offset(b, (uint64_t)(int64_t)in->offset);
		r->konst |= 2;
	} else if (in->offset) {
		return refuse(b, r, "an SGPR offset and an immediate at once");
	} else if (!set_source(b, r, 1, in->src[1], CU_T_B32)) {
		return false;
	}
	if (dwords && in->dst < 128 && in->dst + dwords > GCN_SRC_EXEC)
		return refuse(b, r, "EXEC as memory data");
	return true;
}

/* Formats whose handlers take more from the instruction. */
static bool fill_memory(struct builder *b, struct cu_rec *r)
{
	const struct gcn_inst *in = r->in;
	switch (in->fmt) {
	case GCN_MUBUF:
	case GCN_MTBUF:
		if (in->src[1] == GCN_SRC_NONE) /* cache control */
			return true;
		if (in->tfe)
			return refuse(b, r, "tfe");
		if (in->src[1] + 4 > 104)
			return refuse(b, r, "this descriptor register");
		return set_source(b, r, 2, in->src[2], CU_T_B32);
	case GCN_MIMG:
		if (in->tfe || in->lwe || in->d16)
			return refuse(b, r, "tfe, lwe or d16");
		if (in->src[1] + 8 > 104 || (in->src[2] != GCN_SRC_NONE && in->src[2] + 4 > 104))
			return refuse(b, r, "this descriptor register");
		if (in->dst + gcn_mimg_data_dw(in) > GCN_SRC_VGPR0 + CU_VGPRS)
			return refuse(b, r, "a VGPR beyond v255");
		return true;
	case GCN_EXP:
		return in->compr ? refuse(b, r, "compressed exports") : true;
	case GCN_DS:
		return in->gds ? refuse(b, r, "gds") : true;
	case GCN_FLAT:
	case GCN_GLOBAL:
	case GCN_SCRATCH:
		return in->lds ? refuse(b, r, "lds") : true;
	default:
		return true;
	}
}

static bool fill_direct(struct builder *b, struct cu_rec *r)
{
	const struct gcn_inst *in = r->in;
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	unsigned dwords = info->dst_dw ? info->dst_dw : 1;
	r->fn = r->op->direct;
	if (in->sub != GCN_SUB_NONE || in->neg || in->abs || in->clamp || in->omod)
		return refuse(b, r, "a modifier of this instruction");
	if (!check_vgprs(b, r) || !fill_memory(b, r))
		return false;
	if (in->fmt == GCN_SMEM && !fill_smem(b, r, info->dst_dw))
		return false;
	for (int n = 0; n < r->op->nsrc; n++)
		if (!set_source(b, r, n, in->src[n], (enum cu_type)r->op->stype[n]))
			return false;
	if (in->dst == GCN_SRC_NONE || in->fmt == GCN_EXP)
		return true;
	if (in->op == GCN_S_ATC_PROBE || in->op == GCN_S_ATC_PROBE_BUFFER)
		return true;
	if (!set_dst(b, r, in->dst, dwords, &r->d))
		return false;
	if (in->dst < 128 && in->dst + dwords > GCN_SRC_EXEC && !(r->op->flags & CU_OP_WRITES_EXEC))
		r->fn = b->level->exec_write;
	return true;
}

static bool fill(struct builder *b, uint32_t i, bool full)
{
	struct cu_program *p = b->p;
	struct cu_rec *r = &p->recs[i + (full ? p->count : 0)];
	uint32_t pc = r->pc;
	r->in = &p->insts[i];
	r->op = b->level->ops[r->in->op];
	r->pool = p->pool;
	r->full = full;
	r->size = (uint8_t)(r->in->size / 4);
	if (r->op->flags & CU_OP_JUMPS)
		r->jump = (int32_t)p->index[(int64_t)pc + 1 + r->in->offset] - (int32_t)i;
	if (r->op->cls == CU_CLASS_VALU)
		return fill_valu(b, r, b->state[pc] & INDEXED);
	return fill_direct(b, r);
}

/* --- assembly of the parts --- */

static bool decode_all(struct builder *b)
{
	struct gcn_inst in;
	if (!push(b, 0, 0, 0, NULL))
		return false;
	while (b->work_count) {
		uint32_t pc = b->work[--b->work_count];
		if (!visit(b, pc, &in))
			return false;
		b->p->count++;
	}
	return true;
}

static bool make_records(struct builder *b)
{
	struct cu_program *p = b->p;
	p->insts = calloc(p->count, sizeof(*p->insts));
	p->recs = aligned_alloc(64, 2 * (size_t)p->count * sizeof(*p->recs));
	p->pool = calloc(1, sizeof(*p->pool) + 4 * (size_t)p->count * sizeof(p->pool->k[0]));
	if (!p->insts || !p->recs || !p->pool) {
		cu_error_at(b->err, 0, NULL, "no memory for %u instructions", p->count);
		return false;
	}
	memset(p->recs, 0, 2 * (size_t)p->count * sizeof(*p->recs));
	p->pool->program = p;
	uint32_t i = 0;
	for (uint32_t pc = 0; pc < p->dwords; pc++) {
		p->index[pc] = NO_RECORD;
		if (!(b->state[pc] & REACHED))
			continue;
		gcn_decode(GCN_GFX9, p->code + pc, p->dwords - pc, &p->insts[i]);
		p->recs[i].pc = p->recs[i + p->count].pc = pc;
		p->index[pc] = i++;
	}
	for (i = 0; i < p->count; i++)
		if (!fill(b, i, false) || !fill(b, i, true))
			return false;
	return true;
}

static bool allocate(struct builder *b)
{
	struct cu_program *p = b->p = calloc(1, sizeof(*p));
	/* work: a pc is pushed once. */
	b->state = calloc(b->max + 1, 1);
	b->work = malloc((b->max + 1) * sizeof(*b->work));
	if (p) {
		p->code = calloc(b->max + 1, 4);
		p->reached = calloc(b->max / 32 + 1, 4);
		p->index = malloc((b->max + 1) * 4);
	}
	if (p && b->state && b->work && p->code && p->reached && p->index)
		return true;
	cu_error_at(b->err, 0, NULL, "no memory for a program of %zu dwords", b->max);
	return false;
}

/* Gives back what a large max_dwords took too much; failure is harmless. */
static void trim(struct cu_program *p)
{
	uint32_t *code = realloc(p->code, (size_t)p->dwords * 4);
	uint32_t *index = realloc(p->index, (size_t)p->dwords * 4);
	p->code = code ? code : p->code;
	p->index = index ? index : p->index;
}

struct cu_program *cu_program_create(enum cu_level level, const uint32_t *code,
	size_t max_dwords, struct cu_error *err)
{
	struct builder b = { .source = code, .max = max_dwords, .err = err,
		.level = level == CU_LEVEL_V4 ? &cu_level_ops_v4 : &cu_level_ops_v3 };
	bool ok = allocate(&b) && decode_all(&b) && make_records(&b);
	free(b.state);
	free(b.work);
	if (!ok) {
		cu_program_destroy(b.p);
		return NULL;
	}
	b.p->level = level;
	trim(b.p);
	return b.p;
}

void cu_program_destroy(struct cu_program *p)
{
	if (!p)
		return;
	free(p->code);
	free(p->reached);
	free(p->index);
	free(p->insts);
	free(p->recs);
	free(p->pool);
	free(p);
}

bool cu_program_matches(const struct cu_program *p, const uint32_t *code)
{
	for (uint32_t i = 0; i < p->dwords; i++)
		if (p->reached[i / 32] >> i % 32 & 1 && p->code[i] != code[i])
			return false;
	return true;
}

/* --- waves --- */

void cu_wave_init(struct cu_wave *w, uint64_t exec, struct cu_exports *exports)
{
	memset(w->sgpr, 0, sizeof(w->sgpr));
	w->scc = 0;
	w->mode = 0x1f0; /* round to nearest even, denormals, DX10 clamp */
	w->status = 0;
	w->pc = 0;
	w->lds = NULL;
	w->lds_bytes = 0;
	w->scratch = NULL;
	w->scratch_bytes = 0;
	w->exports = exports;
	w->error.text[0] = 0;
	w->instructions = 0;
	w->abort = NULL;
	cu_set_exec(w, exec);
	if (exports) {
		exports->targets = 0;
		exports->valid = ~0ull;
		memset(exports->exec, 0, sizeof(exports->exec));
	}
}

enum cu_status cu_wave_run(const struct cu_program *p, struct cu_wave *w)
{
	return p->level == CU_LEVEL_V4 ? cu_interp_run_v4(p, w) : cu_interp_run_v3(p, w);
}
