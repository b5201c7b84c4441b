/* SPDX-License-Identifier: MIT */
/* Constants (see ir_eval.h), identities and copies.  Needs cfg and SSA. */
#include "compiler/ir/ir_eval.h"
#include "compiler/ir/ir_replace.h"

static bool is_const(struct ir_src s, uint64_t value)
{
	return s.inst->op == IR_CONST && s.inst->u.imm == value;
}

static bool all_const(const struct ir_inst *in, uint64_t v[3])
{
	if (in->srcs == 0 || in->srcs > 3)
		return false;
	for (unsigned k = 0; k < in->srcs; k++) {
		if (in->src[k].inst->op != IR_CONST)
			return false;
		v[k] = in->src[k].inst->u.imm;
	}
	return true;
}

static bool same(struct ir_src a, struct ir_src b)
{
	return a.inst == b.inst && a.comp == b.comp;
}

static void to_const(struct ir_inst *in, uint64_t value)
{
	in->op = IR_CONST;
	in->srcs = 0;
	in->u.imm = value;
}

/* --- modes: ir_eval rounds to nearest even and keeps denormals --- */

/* A denormal, or the least normal number, which is what may be left of one that was rounded. */
static bool is_tiny(uint64_t v, unsigned bits)
{
	uint64_t least = bits == 16 ? 0x400 : bits == 32 ? 0x800000 : 1ull << 52, a = v & ir_ones(bits - 1);
	return a && a <= least;
}

static bool keeps_denormals(const struct ir_func *f, unsigned bits)
{
	return isa_mode_denorm(f->float_mode, bits) == ISA_DENORM_KEEP;
}

/* Whether the mode of floats of `bits` bits gives what ir_eval gives, for a number that is
 * read or made. */
static bool mode_agrees(const struct ir_func *f, unsigned bits, uint64_t v)
{
	return bits < 16 || (isa_mode_round(f->float_mode, bits) == ISA_ROUND_EVEN &&
		(keeps_denormals(f, bits) || !is_tiny(v, bits)));
}

/* What halves are within words may be flushed as those and as singles. */
static bool eval_agrees(const struct ir_func *f, const struct ir_inst *in, const uint64_t v[3], uint64_t result)
{
	if (f->float_mode == ISA_FLOAT_PLAIN || !ir_by_mode(in))
		return true;
	if (in->op == IR_F16_TO_F32 || in->op == IR_F32_TO_F16 || in->op == IR_F32_TO_F16_RTZ || in->op == IR_QUANTIZE_F16)
		return false;
	for (unsigned k = 0; k < in->srcs; k++)
		if (!mode_agrees(f, in->src[k].inst->bits, v[k]))
			return false;
	return mode_agrees(f, in->bits, result);
}

/* Whether infinities, NaNs and signs of zeros may be taken for something that does not occur (SPIR-V specification,
 * "FP Fast Math Mode"; Vulkan, "Precision and Operation of SPIR-V Instructions": only SignedZeroInfNanPreserve asks for
 * them). */
static bool is_loose(const struct ir_func *f, const struct ir_inst *in)
{
	return !in->precise && !(f->exact_floats & in->bits) && keeps_denormals(f, in->bits);
}

/* +0 or -0. */
static bool is_zero(struct ir_src s)
{
	return s.inst->op == IR_CONST && !(s.inst->u.imm & ir_ones(s.inst->bits - 1u));
}

/* Of a value that was made wider or put together, the part that is asked for. */
static struct ir_src part_of(const struct ir_inst *in)
{
	struct ir_src a = in->src[0], none = { 0 };
	const struct ir_inst *made = a.inst;
	if (made->op == IR_PACK)
		return in->op == IR_HIGH ? made->src[1] : in->bits == made->src[0].inst->bits ? made->src[0] : none;
	if (in->op != IR_HIGH && in->bits == made->bits)
		return a;
	if (in->op != IR_HIGH && (made->op == IR_UCONV || made->op == IR_SCONV) && in->bits == made->src[0].inst->bits &&
		made->bits > in->bits)
		return made->src[0];
	return none;
}

/* Both halves of one value, put together again. */
static struct ir_src whole_of(const struct ir_inst *in)
{
	const struct ir_inst *low = in->src[0].inst, *high = in->src[1].inst;
	bool halves = low->op == IR_UCONV && high->op == IR_HIGH && low->src[0].inst->bits == in->bits;
	return halves && same(low->src[0], high->src[0]) ? low->src[0] : (struct ir_src){ 0 };
}

/* x op constant, constant second. Returns the value it equals, or nothing. */
static struct ir_src identity(const struct ir_func *f, const struct ir_inst *in)
{
	struct ir_src none = { 0 }, a = in->src[0], b = in->srcs > 1 ? in->src[1] : none;
	switch (in->op) {
	case IR_IADD: case IR_ISUB: case IR_ISHL: case IR_USHR: case IR_SSHR: case IR_IOR: case IR_IXOR: case IR_BXOR:
	case IR_BOR:
		if (is_const(b, 0))
			return a;
		return in->op == IR_BOR && is_const(b, 1) ? b : none;
	case IR_IMUL:
		return is_const(b, 1) ? a : is_const(b, 0) ? b : none;
	case IR_UDIV:
		return is_const(b, 1) ? a : none;
	case IR_IAND:
		return is_const(b, ir_ones(in->bits)) ? a : is_const(b, 0) ? b : none;
	case IR_BAND:
		return is_const(b, 1) ? a : is_const(b, 0) ? b : none;
	case IR_FSUB:
		return is_const(b, 0) && keeps_denormals(f, in->bits) ? a : none;
	case IR_FADD:
		return is_zero(b) && is_loose(f, in) ? a : none;
	case IR_FFMA:
		return is_zero(b) && is_loose(f, in) ? in->src[2] : none;
	case IR_FMUL:
		if (is_zero(b) && is_loose(f, in))
			return b;
		return in->bits == 32 && is_const(b, 0x3f800000u) && keeps_denormals(f, 32) ? a : none;
	case IR_SELECT:
		if (a.inst->op == IR_CONST)
			return a.inst->u.imm ? b : in->src[2];
		return same(b, in->src[2]) ? b : none;
	case IR_ICMP_NE:
		return is_const(b, 0) && a.inst->op == IR_B2I ? a.inst->src[0] : none;
	case IR_FNEG:
		return a.inst->op == IR_FNEG && keeps_denormals(f, in->bits) ? a.inst->src[0] : none;
	case IR_INOT: case IR_BNOT:
		return a.inst->op == in->op ? a.inst->src[0] : none;
	case IR_COPY:
		return a;
	case IR_UCONV: case IR_SCONV: case IR_HIGH:
		return part_of(in);
	case IR_PACK:
		return whole_of(in);
	case IR_FCONV:
		return in->bits == a.inst->bits ? a : none;
	default:
		return none;
	}
}

/* !(a < b) is b <= a, or unordered.  NULL if the source is no comparison. */
static struct ir_inst *inverted_compare(struct ir_func *f, struct ir_inst *in)
{
	static const struct { uint16_t op, inverse; bool swap; } table[] = {
		{ IR_FCMP_EQ, IR_FCMP_NE, false }, { IR_FCMP_NE, IR_FCMP_EQ, false },
		{ IR_FCMP_LT, IR_FCMP_LEU, true }, { IR_FCMP_LE, IR_FCMP_LTU, true },
		{ IR_FCMP_LTU, IR_FCMP_LE, true }, { IR_FCMP_LEU, IR_FCMP_LT, true },
		{ IR_ICMP_EQ, IR_ICMP_NE, false }, { IR_ICMP_NE, IR_ICMP_EQ, false },
		{ IR_SCMP_LT, IR_SCMP_LE, true }, { IR_SCMP_LE, IR_SCMP_LT, true },
		{ IR_UCMP_LT, IR_UCMP_LE, true }, { IR_UCMP_LE, IR_UCMP_LT, true },
	};
	if (in->op != IR_BNOT)
		return NULL;
	const struct ir_inst *cmp = in->src[0].inst;
	for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
		if (cmp->op == table[i].op) {
			struct ir_builder b = { f, in->block, in, in->word };
			bool swap = table[i].swap;
			return ir_op2(&b, table[i].inverse, cmp->src[swap], cmp->src[!swap]).inst;
		}
	return NULL;
}

/* Of conditions: where one side is the condition itself, or says what is known. */
static struct ir_inst *select_of_bools(struct ir_func *f, struct ir_inst *in)
{
	if (in->op != IR_SELECT || in->bits != 1)
		return NULL;
	struct ir_builder b = { f, in->block, in, in->word };
	const struct ir_src c = in->src[0], x = in->src[1], y = in->src[2];
	if (c.inst->op == IR_CONST || same(x, y)) /* it is one of them */
		return NULL;
	if (same(c, y) || is_const(y, 0))
		return ir_op2(&b, IR_BAND, c, x).inst;
	if (same(c, x) || is_const(x, 1))
		return ir_op2(&b, IR_BOR, c, y).inst;
	return NULL;
}

static bool adds_const(const struct ir_inst *in)
{
	return in->op == IR_IADD && in->comps == 1 && in->src[1].inst->op == IR_CONST;
}

/* (x + c) * d is x * d + c * d: what is multiplied for neighbours of a place (a hash of a lattice, a row of an image) is that
 * once.  Powers of two are shifts, which cost no more than the sum. */
static struct ir_inst *product_of_sum(struct ir_func *f, struct ir_inst *in)
{
	const struct ir_inst *sum = in->src[0].inst;
	if (in->op != IR_IMUL || in->src[1].inst->op != IR_CONST || !adds_const(sum))
		return NULL;
	struct ir_builder b = { f, in->block, in, in->word };
	const uint64_t by = in->src[1].inst->u.imm, add = sum->src[1].inst->u.imm;
	if (!(by & (by - 1)))
		return NULL;
	const struct ir_src product = ir_op2(&b, IR_IMUL, sum->src[0], in->src[1]);
	return ir_op2(&b, IR_IADD, product, ir_const_of(&b, in->bits, add * by & ir_ones(in->bits))).inst;
}

/* x + c + d. */
static struct ir_inst *sum_of_sum(struct ir_func *f, struct ir_inst *in)
{
	const struct ir_inst *sum = in->src[0].inst;
	if (!adds_const(in) || !adds_const(sum))
		return NULL;
	struct ir_builder b = { f, in->block, in, in->word };
	const uint64_t add = in->src[1].inst->u.imm + sum->src[1].inst->u.imm;
	return ir_op2(&b, IR_IADD, sum->src[0], ir_const_of(&b, in->bits, add & ir_ones(in->bits))).inst;
}

static struct ir_src trivial_phi(const struct ir_inst *in)
{
	struct ir_src v = { 0 };
	for (unsigned k = 0; k < in->srcs; k++) {
		if (in->src[k].inst == in)
			continue;
		if (v.inst && !same(v, in->src[k]))
			return (struct ir_src){ 0 };
		v = in->src[k];
	}
	return v;
}

static bool fold_inst(struct ir_func *f, struct ir_inst *in)
{
	uint64_t v[3] = { 0 }, value;
	struct ir_src to = { 0 };
	if (in->op == IR_PHI) {
		to = trivial_phi(in);
	} else if (in->comps == 1 && in->op != IR_CONST && (ir_info(in)->flags & IR_F_PURE) && in->srcs) {
		if (all_const(in, v) && ir_eval((enum ir_op)in->op, ir_operand_bits(in), in->bits, v, &value) &&
			eval_agrees(f, in, v, value)) {
			to_const(in, value);
			return true;
		}
		struct ir_inst *made = inverted_compare(f, in);
		made = made ? made : select_of_bools(f, in);
		made = made ? made : product_of_sum(f, in);
		made = made ? made : sum_of_sum(f, in);
		to = made ? ir_comp(made, 0) : identity(f, in);
	}
	if (!to.inst)
		return false;
	ir_replace(in, to);
	return true;
}

bool ir_pass_fold(struct ir_func *f)
{
	bool changed = false;
	for (uint32_t i = 0; i < f->block_count; i++)
		for (struct ir_inst *in = f->blocks[i]->first, *next; in && ir_charge_at(f->pool, 1 + in->srcs / 4, in->word); in = next) {
			next = in->next;
			ir_replace_sources(in);
			if ((ir_info(in)->flags & IR_F_COMM) && in->src[0].inst->op == IR_CONST &&
				in->src[1].inst->op != IR_CONST) { /* of two constants cse knows the order */
				struct ir_src t = in->src[0];
				in->src[0] = in->src[1];
				in->src[1] = t;
			}
			changed |= fold_inst(f, in);
		}
	if (changed)
		ir_replace_apply_rest(f);
	return changed;
}
