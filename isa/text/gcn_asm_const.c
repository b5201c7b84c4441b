/* SPDX-License-Identifier: MIT */
/* Constants as operands: which inline constant or literal a number becomes.
 * The choice is LLVM's: an integer's bits are looked up among the inline
 * constants of the operand's type, so 0x3f800000 is 1.0 in a 32-bit operand. */
#include "isa/text/gcn_asm_priv.h"

#include <string.h>

/* --- types --- */

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);
	return n >= m && !strcmp(name + n - m, end);
}

/* The last type in a mnemonic is that of its sources: v_cvt_f32_f16. */
static enum asm_type type_of_name(const char *name)
{
	static const struct { char text[5]; uint8_t type; } types[] = {
		{ "_f16", ASM_F16 }, { "_i16", ASM_I16 }, { "_u16", ASM_I16 }, { "_b16", ASM_I16 },
		{ "_f32", ASM_F32 }, { "_f64", ASM_F64 },
		{ "_i64", ASM_I64 }, { "_u64", ASM_I64 }, { "_b64", ASM_I64 },
	};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (ends_with(name, types[i].text))
			return (enum asm_type)types[i].type;
	return ASM_I32;
}

enum asm_type asm_operand_type(const struct gcn_op_info *info, unsigned i)
{
	const char *name = info->name;
	enum asm_type type = type_of_name(name);
	if (name[0] != 'v')
		return info->src_dw[i] == 2 ? ASM_I64 : ASM_I32;
	if (!strcmp(name, "v_sat_pk_u8_i16")) /* two of them */
		return ASM_I32;
	if (info->flags & GCN_F_MIX)
		return ASM_F16;
	if (info->fmt == GCN_VOP3P)
		return type == ASM_F16 ? ASM_V2F16 : ASM_V2I16;
	if (info->src_dw[i] >= 2) /* of v_mad_u64_u32 the addend is wider than the name's type */
		return type == ASM_F64 ? ASM_F64 : ASM_I64;
	if (strstr(name, "cmp_class") || strstr(name, "cmpx_class"))
		return i == 1 ? ASM_I32 : type;
	if (!strncmp(name, "v_ldexp", 7) && i == 1)
		return type == ASM_F16 ? ASM_F16 : ASM_I32;
	if (!strcmp(name, "v_mad_u32_u16") || !strcmp(name, "v_mad_i32_i16") || !strcmp(name, "v_sad_u16"))
		return i == 2 ? ASM_I32 : ASM_I16;
	if (type == ASM_F64 || type == ASM_I64) /* a 32-bit operand of a 64-bit operation */
		return ASM_I32;
	return type;
}

/* --- floating point --- */

/* x in a format of `exponent` and `fraction` bits, to nearest even.  False
 * when it overflows, or underflows and is not exact. */
static bool narrow(double x, unsigned exponent, unsigned fraction, uint32_t *bits)
{
	uint64_t d;
	memcpy(&d, &x, sizeof(d));
	uint32_t sign = (uint32_t)(d >> 63) << (exponent + fraction);
	int bias = (1 << (exponent - 1)) - 1, e = (int)(d >> 52 & 0x7ff) - 1023 + bias;
	uint64_t f = d & 0xfffffffffffffu;
	*bits = sign;
	if (!(d << 1))
		return true;
	if ((d >> 52 & 0x7ff) == 0x7ff)
		return false;
	unsigned drop = 52 - fraction;
	bool tiny = e < 1;
	if (tiny) {
		if (e < -(int)fraction - 1)
			return false;
		f |= (uint64_t)1 << 52;
		drop += (unsigned)(1 - e);
		e = 0;
	}
	uint64_t kept = f >> drop, rest = f & (((uint64_t)1 << drop) - 1), half = (uint64_t)1 << (drop - 1);
	kept += rest > half || (rest == half && kept & 1);
	if (tiny && rest && !(kept >> fraction)) /* unless it rounds up to a normal number */
		return false;
	uint64_t all = ((uint64_t)(unsigned)e << fraction) + kept; /* a carry goes to the exponent */
	if (all >> fraction >= ((uint64_t)1 << exponent) - 1)
		return false;
	*bits = sign | (uint32_t)all;
	return true;
}

/* --- inline constants --- */

static bool fits(int64_t v, unsigned width)
{
	int64_t limit = (int64_t)1 << width;
	return v >= -limit / 2 && v < limit;
}

static const char *int_constant(enum gcn_gen gen, int64_t v, enum asm_type type, uint16_t *code, uint32_t *literal)
{
	bool wide = type == ASM_I64 || type == ASM_F64;
	bool half = type == ASM_I16 || type == ASM_F16;
	if (wide) {
		*code = (uint16_t)gcn_inline_int(v);
		if (*code == GCN_SRC_LITERAL)
			*code = (uint16_t)gcn_inline_float(gen, 64, (uint64_t)v);
		if (*code != GCN_SRC_LITERAL)
			return NULL;
	}
	if (!fits(v, half ? 16 : 32))
		return half ? "the constant does not fit in 16 bits" : wide ?
			"a 64-bit constant that is neither inline nor a 32-bit literal" :
			"the constant does not fit in 32 bits";
	*literal = half ? (uint32_t)v & 0xffff : (uint32_t)v;
	if (type == ASM_F64) /* the literal is the upper half */
		*code = (uint16_t)gcn_inline_float(gen, 64, (uint64_t)*literal << 32);
	if (wide)
		return NULL;
	*code = (uint16_t)gcn_inline_int(type == ASM_F16 ? (int64_t)(int16_t)v : (int64_t)(int32_t)v);
	if (*code == GCN_SRC_LITERAL && type != ASM_I16)
		*code = (uint16_t)gcn_inline_float(gen, type == ASM_F16 || type == ASM_V2F16 ? 16 : 32, *literal);
	return NULL;
}

static const char *float_constant(enum gcn_gen gen, double x, enum asm_type type, uint16_t *code, uint32_t *literal)
{
	uint64_t wide;
	memcpy(&wide, &x, sizeof(wide));
	if (type == ASM_I64 || type == ASM_F64) {
		*code = wide ? (uint16_t)gcn_inline_float(gen, 64, wide) : GCN_SRC_0;
		*literal = (uint32_t)(wide >> 32); /* the lower half is zero */
		if (*code == GCN_SRC_LITERAL && type == ASM_I64)
			return "a floating-point literal for a 64-bit integer operand";
		return NULL;
	}
	bool half = type == ASM_F16 || type == ASM_V2F16;
	if (!narrow(x, half ? 5 : 8, half ? 10 : 23, literal))
		return half ? "the number is not representable in 16 bits" : "the number is not representable in 32 bits";
	*code = (uint16_t)gcn_inline_int((int32_t)*literal); /* the bits count: 0x1p-149 is 1 */
	if (*code == GCN_SRC_LITERAL)
		*code = (uint16_t)gcn_inline_float(gen, half ? 16 : 32, *literal);
	if (*code == GCN_SRC_LITERAL && (type == ASM_I16 || type == ASM_V2I16))
		return "a floating-point literal for a 16-bit integer operand";
	return NULL;
}

/* abs and neg of a constant change its sign bit. */
static const char *fold_signs(const struct asm_operand *operand, enum asm_type type, uint16_t *code, uint32_t *literal)
{
	bool half = type == ASM_F16 || type == ASM_V2F16 || type == ASM_I16;
	uint32_t bits = *literal, sign = half ? 0x8000 : 0x80000000;
	if (operand->abs)
		bits &= ~sign;
	if (operand->neg)
		bits ^= sign;
	*literal = bits;
	*code = (uint16_t)gcn_inline_int(half ? (int64_t)(int16_t)bits : (int64_t)(int32_t)bits);
	return NULL;
}

const char *asm_constant(enum gcn_gen gen, const struct asm_operand *operand, enum asm_type type,
	bool fold, uint16_t *code, uint32_t *literal)
{
	struct asm_operand copy = *operand;
	bool signs = operand->neg || operand->abs;
	if (signs && fold && operand->kind == ASM_OP_FLOAT) {
		if (copy.abs)
			copy.number = __builtin_fabs(copy.number);
		if (copy.neg)
			copy.number = -copy.number;
	}
	const char *why = copy.kind == ASM_OP_FLOAT ? float_constant(gen, copy.number, type, code, literal) :
		int_constant(gen, copy.value, type, code, literal);
	if (why || !signs || !fold || operand->kind == ASM_OP_FLOAT)
		return why;
	if (type == ASM_I64 || type == ASM_F64)
		return "abs or neg of an integer literal in a 64-bit operand";
	fold_signs(operand, type, code, literal);
	if (*code == GCN_SRC_LITERAL)
		*code = (uint16_t)gcn_inline_float(gen, type == ASM_F16 || type == ASM_I16 || type == ASM_V2F16 ? 16 : 32, *literal);
	return NULL;
}
