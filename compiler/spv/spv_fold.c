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

/* bits: of the operands (OpSelect: of those that are chosen from).  False: not an operation
 * of OpSpecConstantOp under Shader, or one of composites. */
bool spv_fold(uint32_t op, unsigned bits, unsigned result_bits, const uint64_t v[3], uint64_t *out)
{
	bool swap;
	enum ir_op ir = spv_ir_op_of_const(op, &swap);
	if (ir != IR_OP_COUNT)
		return ir_eval(ir, bits, result_bits, (uint64_t[]){ v[swap], v[!swap], v[2] }, out);
	switch (op) {
	case SpvOpSConvert: return ir_eval(IR_SCONV, bits, result_bits, v, out);
	case SpvOpUConvert: return ir_eval(IR_UCONV, bits, result_bits, v, out);
	case SpvOpFConvert: return ir_eval(IR_FCONV, bits, result_bits, v, out);
	case SpvOpBitcast: *out = v[0]; return bits == result_bits;
	case SpvOpSNegate: return ir_eval(IR_ISUB, bits, result_bits, (uint64_t[]){ 0, v[0], 0 }, out);
	case SpvOpLogicalEqual: return ir_eval(IR_ICMP_EQ, bits, result_bits, v, out);
	case SpvOpSelect: return ir_eval(IR_SELECT, bits, result_bits, v, out);
	case SpvOpBitFieldUExtract: return ir_eval(IR_UBFE, bits, result_bits, v, out);
	case SpvOpSMod: *out = signed_modulo(bits, v[0], v[1]); return true;
	default: return false;
	}
}
