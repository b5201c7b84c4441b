/* SPDX-License-Identifier: MIT */
/* The value of one scalar operation on constants, for OpSpecConstantOp: that of the
 * operations of the IR which the instruction would become. */
#include "compiler/spv/spv_priv.h"

#include "compiler/ir/ir_eval.h"

static uint64_t signed_modulo(unsigned bits, uint64_t a, uint64_t b)
{
	uint64_t r, sign = 1ull << (bits - 1);
	ir_eval(IR_SREM, bits, bits, (uint64_t[]){ a, b, 0 }, &r);
	return r && b && (r ^ b) & sign ? (r + b) & ir_ones(bits) : r;
}

/* FConvert, rounded as the mode of the result's width says: v in the IR's formats. */
static bool convert_float(uint32_t float_mode, unsigned bits, unsigned result_bits, const uint64_t v[3], uint64_t *out)
{
	uint64_t back, sign = 1ull << (bits - 1);
	if (!ir_eval(IR_FCONV, bits, result_bits, v, out))
		return false;
	if (result_bits >= bits || isa_mode_round(float_mode, result_bits) == ISA_ROUND_EVEN)
		return true;
	ir_eval(IR_FCONV, result_bits, bits, (uint64_t[]){ *out, 0, 0 }, &back);
	uint64_t inf = bits == 64 ? 0x7ffull << 52 : 0x7f800000, magnitude = v[0] & ~sign;
	*out -= magnitude < inf && (back & ~sign) > magnitude; /* away from zero: the number before it */
	return true;
}

/* bits: of the operands (OpSelect: of those that are chosen from).  False: not an operation
 * of OpSpecConstantOp under Shader, or one of composites. */
bool spv_fold(uint32_t op, uint32_t float_mode, unsigned bits, unsigned result_bits, const uint64_t v[3], uint64_t *out)
{
	bool swap;
	enum ir_op ir = spv_ir_op_of_const(op, &swap);
	if (ir != IR_OP_COUNT)
		return ir_eval(ir, bits, result_bits, (uint64_t[]){ v[swap], v[!swap], v[2] }, out);
	switch (op) {
	case SpvOpSConvert: return ir_eval(IR_SCONV, bits, result_bits, v, out);
	case SpvOpUConvert: return ir_eval(IR_UCONV, bits, result_bits, v, out);
	case SpvOpFConvert: return convert_float(float_mode, bits, result_bits, v, out);
	case SpvOpBitcast: *out = v[0]; return bits == result_bits;
	case SpvOpSNegate: return ir_eval(IR_ISUB, bits, result_bits, (uint64_t[]){ 0, v[0], 0 }, out);
	case SpvOpLogicalEqual: return ir_eval(IR_ICMP_EQ, bits, result_bits, v, out);
	case SpvOpSelect: return ir_eval(IR_SELECT, bits, result_bits, v, out);
	case SpvOpBitFieldUExtract: return ir_eval(IR_UBFE, bits, result_bits, v, out);
	case SpvOpSMod: *out = signed_modulo(bits, v[0], v[1]); return true;
	default: return false;
	}
}
