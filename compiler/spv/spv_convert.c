/* SPDX-License-Identifier: MIT */
/* Instructions that go from number type to number type, and bits as they are. */
#include "compiler/ir/ir_lower.h"
#include "compiler/spv/spv_priv.h"

static const struct spv_type *number_type(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = spv_result_type(s, op), *scalar = spv_scalar_type(type);
	if (!scalar || scalar->kind == SPV_BOOL)
		spv_invalid(s, "the result is not of numbers");
	return type;
}

static struct ir_src by(struct spv *s, enum ir_op op, unsigned bits, struct ir_src v)
{
	struct ir_src r = ir_convert(&s->b, op, bits, v);
	r.inst->precise = s->precise;
	return r;
}

/* Towards zero in both steps is towards zero. */
static struct ir_src to_half_rtz(struct spv *s, struct ir_src v)
{
	if (v.inst->bits == 64) {
		struct ir_src f = by(s, IR_FCONV, 32, v), back = spv_1(s, IR_FABS, by(s, IR_FCONV, 64, f));
		struct ir_src away = spv_2(s, IR_FCMP_LT, spv_1(s, IR_FABS, v), back);
		v = spv_2(s, IR_ISUB, f, spv_1(s, IR_B2I, away));
	}
	return by(s, IR_UCONV, 16, spv_1(s, IR_F32_TO_F16_RTZ, v));
}

/* Of single precision to the half next to it, where MODE rounds otherwise: truncated, then
 * one more if what was lost is more than half a step, or half of one beyond an odd number. */
static struct ir_src single_to_half_rte(struct spv *s, struct ir_src v)
{
	struct ir_src h = spv_1(s, IR_F32_TO_F16_RTZ, spv_1(s, IR_FABS, v));
	struct ir_src lost = spv_2(s, IR_FSUB, spv_1(s, IR_FABS, v), spv_1(s, IR_F16_TO_F32, h));
	struct ir_src exponent = spv_2(s, IR_UMAX, spv_2(s, IR_USHR, h, spv_u(s, 10)), spv_u(s, 1));
	struct ir_src half_step = spv_2(s, IR_ISHL, spv_2(s, IR_IADD, exponent, spv_u(s, 127 - 26)), spv_u(s, 23));
	struct ir_src odd = spv_2(s, IR_ICMP_NE, spv_2(s, IR_IAND, h, spv_u(s, 1)), spv_u(s, 0));
	struct ir_src up = spv_2(s, IR_BAND, odd, spv_2(s, IR_FCMP_EQ, lost, half_step));
	up = spv_2(s, IR_BOR, up, spv_2(s, IR_FCMP_LT, half_step, lost));
	h = spv_2(s, IR_IADD, h, spv_1(s, IR_B2I, up));
	struct ir_src sign = spv_2(s, IR_IAND, spv_2(s, IR_USHR, v, spv_u(s, 16)), spv_u(s, 0x8000));
	return by(s, IR_UCONV, 16, spv_2(s, IR_IOR, h, sign));
}

/* What was made of bits: halves that are denormal become zeros where the mode says so. */
static struct ir_src flushed_half(struct spv *s, struct ir_src h)
{
	if (isa_mode_denorm(s->f->float_mode, 16) == ISA_DENORM_KEEP)
		return h;
	struct ir_src tiny = spv_2(s, IR_ICMP_EQ, spv_2(s, IR_IAND, h, ir_const_of(&s->b, 16, 0x7c00)), ir_const_of(&s->b, 16, 0));
	return spv_3(s, IR_SELECT, tiny, spv_2(s, IR_IAND, h, ir_const_of(&s->b, 16, 0x8000)), h);
}

static struct ir_src to_half_rte(struct spv *s, struct ir_src v)
{
	if (isa_mode_round(s->f->float_mode, 16) == ISA_ROUND_EVEN)
		return by(s, IR_FCONV, 16, v);
	return single_to_half_rte(s, v.inst->bits == 64 ? ir_lower_double_to_odd(&s->b, v) : v);
}

static struct ir_src float_to_float(struct spv *s, struct spv_op op, unsigned bits, struct ir_src v)
{
	const struct spv_decor *d = spv_decoration(spv_id(s, op.w[2]), SpvDecorationFPRoundingMode, -1);
	uint32_t mode = d ? spv_decor_param(s, d) : UINT32_MAX; /* as MODE rounds */
	if (v.inst->bits < 16)
		spv_invalid(s, "a float of %u bits", v.inst->bits);
	if (v.inst->bits == bits)
		return v;
	if (!d || v.inst->bits < bits)
		return by(s, IR_FCONV, bits, v);
	if (bits != 16 || (mode != SpvFPRoundingModeRTE && mode != SpvFPRoundingModeRTZ))
		spv_unsupported(s, "rounding mode %u to %u bits", mode, bits);
	return flushed_half(s, mode == SpvFPRoundingModeRTE ? to_half_rte(s, v) : to_half_rtz(s, v));
}

static struct ir_src convert(struct spv *s, struct spv_op op, unsigned bits, struct ir_src v)
{
	bool from_float = op.op == SpvOpConvertFToU || op.op == SpvOpConvertFToS;
	bool to_float = op.op == SpvOpConvertSToF || op.op == SpvOpConvertUToF;
	if ((from_float && v.inst->bits < 16) || (to_float && bits < 16))
		spv_invalid(s, "a float of 8 bits");
	switch (op.op) {
	case SpvOpConvertFToU: return by(s, IR_F2U, bits, v);
	case SpvOpConvertFToS: return by(s, IR_F2I, bits, v);
	case SpvOpConvertSToF: return by(s, IR_I2F, bits, v);
	case SpvOpConvertUToF: return by(s, IR_U2F, bits, v);
	case SpvOpFConvert: return float_to_float(s, op, bits, v);
	default: return v.inst->bits == bits ? v : by(s, op.op == SpvOpSConvert ? IR_SCONV : IR_UCONV, bits, v);
	}
}

/* --- bits --- */

/* n values of one width become those of another, the lower bits first; either width
 * divides the other. */
void spv_regroup(struct spv *s, const struct ir_src *in, uint32_t n, unsigned bits, struct ir_src *out)
{
	unsigned from = in[0].inst->bits;
	struct ir_src *next;
	if (from == bits) {
		for (uint32_t i = 0; i < n; i++)
			out[i] = in[i];
		return;
	}
	if (from < bits) {
		next = spv_leaf_array(s, n / 2);
		for (uint32_t i = 0; i < n / 2; i++)
			next[i] = spv_2(s, IR_PACK, in[2 * i], in[2 * i + 1]);
		spv_regroup(s, next, n / 2, bits, out);
		return;
	}
	next = spv_leaf_array(s, (uint64_t)2 * n);
	for (uint32_t i = 0; i < n; i++) {
		next[2 * i] = by(s, IR_UCONV, from / 2, in[i]);
		next[2 * i + 1] = spv_1(s, IR_HIGH, in[i]);
	}
	spv_regroup(s, next, 2 * n, bits, out);
}

/* Numbers, vectors of them and addresses. */
static bool has_bits(const struct spv_type *t)
{
	return (spv_comps(t) && !t->any_bool) || (spv_is_address(t) && t->storage == SpvStorageClassPhysicalStorageBuffer);
}

static void bitcast(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = spv_result_type(s, op), *from = spv_type_of(s, op.w[3]);
	if (!has_bits(type) || !has_bits(from) || type->leaves * type->width != from->leaves * from->width)
		spv_invalid(s, "types without bits, or of different sizes");
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	spv_regroup(s, spv_leaves(s, op.w[3], NULL), from->leaves, type->width, out);
	spv_set(s, op, out);
}

/* An integer and an address: zeros above, or what is above is lost. */
static void between_addresses(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = spv_result_type(s, op), *from = spv_type_of(s, op.w[3]);
	const struct spv_type *pointer = op.op == SpvOpConvertPtrToU ? from : type;
	const struct spv_type *number = op.op == SpvOpConvertPtrToU ? type : from;
	if (pointer->storage != SpvStorageClassPhysicalStorageBuffer || !spv_is_address(pointer) || number->kind != SPV_INT)
		spv_invalid(s, "not an address and an integer");
	struct ir_src *out = spv_leaf_array(s, 1), v = spv_leaves(s, op.w[3], NULL)[0];
	out[0] = v.inst->bits == type->width ? v : by(s, IR_UCONV, type->width, v);
	spv_set(s, op, out);
}

/* Elements between two pointers into one array. */
static struct ir_src difference(struct spv *s, struct spv_op op, unsigned bits, struct ir_src x, struct ir_src y)
{
	const struct spv_type *pointer = spv_type_of(s, op.w[3]);
	const struct spv_ptr *a = spv_pointer(s, op.w[3]), *b = spv_pointer(s, op.w[4]);
	bool wide = pointer->storage == SpvStorageClassPhysicalStorageBuffer;
	uint32_t stride = spv_element_bytes(s, pointer, a->stride ? a->stride : b->stride);
	if (!wide && x.inst->bits == 64) { /* their places are the same */
		x = by(s, IR_UCONV, 32, x);
		y = by(s, IR_UCONV, 32, y);
	}
	struct ir_src n = spv_2(s, IR_SDIV, spv_2(s, IR_ISUB, x, y), spv_i_of(s, x.inst->bits, stride));
	return n.inst->bits == bits ? n : by(s, IR_SCONV, bits, n);
}

static void compare_addresses(struct spv *s, struct spv_op op)
{
	const struct spv_type *a = spv_type_of(s, op.w[3]), *b = spv_type_of(s, op.w[4]);
	if (!spv_is_address(a) || !spv_is_address(b) || a->width != b->width)
		spv_unsupported(s, "pointers of this storage class that are compared");
	struct ir_src *out = spv_leaf_array(s, 1), x = spv_leaves(s, op.w[3], NULL)[0], y = spv_leaves(s, op.w[4], NULL)[0];
	if (op.op == SpvOpPtrDiff)
		out[0] = difference(s, op, number_type(s, op)->width, x, y);
	else
		out[0] = spv_2(s, op.op == SpvOpPtrEqual ? IR_ICMP_EQ : IR_ICMP_NE, x, y);
	spv_set(s, op, out);
}

bool spv_convert(struct spv *s, struct spv_op op)
{
	switch (op.op) {
	case SpvOpConvertFToU: case SpvOpConvertFToS: case SpvOpConvertSToF: case SpvOpConvertUToF: case SpvOpUConvert:
	case SpvOpSConvert: case SpvOpFConvert:
		break;
	case SpvOpBitcast: bitcast(s, op); return true;
	case SpvOpConvertPtrToU: case SpvOpConvertUToPtr: between_addresses(s, op); return true;
	case SpvOpPtrEqual: case SpvOpPtrNotEqual: case SpvOpPtrDiff: compare_addresses(s, op); return true;
	default: return false;
	}
	const struct spv_type *type = number_type(s, op);
	const struct ir_src *v = spv_operands(s, op.w[3], type->leaves);
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	for (uint32_t i = 0; i < type->leaves; i++)
		out[i] = convert(s, op, type->width, v[i]);
	spv_set(s, op, out);
	return true;
}
