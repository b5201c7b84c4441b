/* SPDX-License-Identifier: MIT */
/* Instructions of SPIR-V on integers of 8 to 64 bits and floats of 16 to 64, one a module, compiled
 * and run on the compute unit, translated and interpreted, under each float mode, and compared with
 * number_model.h.  Compared are bits; of NaNs that they are NaNs, of minima, fractions and
 * the like not the sign of a zero.  Within ULPs: FDiv (3, of divisors that the specification says it of),
 * Sqrt, InverseSqrt (2), Exp2 of 32 bits (2).  Not here: OpBitFieldInsert, FRem, FMod, FMix, SmoothStep, vectors' products,
 * other transcendentals, conversions of floats that the integer has no room for.
 * Arguments: [seed]. */
#include "compiler/spv/spv.h"

#include "back_exec.h"
#include "number_model.h"

enum { ITEMS = 512, MAX_OPS = 1024 };
static struct number_op ops[MAX_OPS];
static unsigned op_count;
static uint64_t random_state = 1;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1dull;
}

/* --- which --- */

#define F(n) (struct number_type){ 'f', n }
#define I(n) (struct number_type){ 'i', n }
#define BOOL (struct number_type){ 'b', 1 }

static struct number_op *add(bool glsl, uint32_t op, unsigned n, struct number_type in, struct number_type out)
{
	ops[op_count] = (struct number_op){ .glsl = glsl, .op = (uint16_t)op, .operands = (uint8_t)n, .in = { in, in, in },
		.out = out, .member = -1, .rounding = -1 };
	return &ops[op_count++];
}
#define EACH(list, ...) \
	for (size_t i_ = 0; i_ < sizeof list / sizeof list[0]; i_++) { uint32_t op = list[i_]; __VA_ARGS__; }

static void add_floats(unsigned bits)
{
	static const uint16_t two[] = { SpvOpFAdd, SpvOpFSub, SpvOpFMul, SpvOpFDiv }, tests[] = { SpvOpIsNan, SpvOpIsInf };
	static const uint16_t unary[] = { GLSLstd450Round, GLSLstd450RoundEven, GLSLstd450Trunc, GLSLstd450Floor, GLSLstd450Ceil,
		GLSLstd450FAbs, GLSLstd450FSign, GLSLstd450Fract, GLSLstd450Sqrt, GLSLstd450InverseSqrt };
	static const uint16_t binary[] = { GLSLstd450FMin, GLSLstd450NMin, GLSLstd450FMax, GLSLstd450NMax, GLSLstd450Step };
	static const uint16_t ternary[] = { GLSLstd450FClamp, GLSLstd450NClamp, GLSLstd450Fma };
	struct number_type t = F((uint8_t)bits);
	EACH(two, add(false, op, 2, t, t))
	EACH(tests, add(false, op, 1, t, BOOL))
	add(false, SpvOpFNegate, 1, t, t);
	for (uint32_t op = SpvOpFOrdEqual; op <= SpvOpFUnordGreaterThanEqual; op++)
		add(false, op, 2, t, BOOL);
	EACH(unary, add(true, op, 1, t, t))
	EACH(binary, add(true, op, 2, t, t))
	EACH(ternary, add(true, op, 3, t, t))
	add(true, GLSLstd450Ldexp, 2, t, t)->in[1] = I(32);
	if (bits == 32)
		add(true, GLSLstd450Exp2, 1, t, t);
	for (int member = 0; member < 2; member++) {
		struct number_op *modf = add(true, GLSLstd450ModfStruct, 1, t, t), *frexp = add(true, GLSLstd450FrexpStruct, 1, t, t);
		modf->member = frexp->member = (int8_t)member;
		modf->second = t;
		frexp->second = I(32);
	}
}

static void add_integers(unsigned bits)
{
	static const uint16_t one[] = { SpvOpSNegate, SpvOpNot, SpvOpBitReverse, SpvOpBitCount };
	static const uint16_t two[] = { SpvOpIAdd, SpvOpISub, SpvOpIMul, SpvOpUDiv, SpvOpSDiv, SpvOpUMod, SpvOpSRem, SpvOpSMod,
		SpvOpBitwiseAnd, SpvOpBitwiseOr, SpvOpBitwiseXor, SpvOpShiftLeftLogical, SpvOpShiftRightLogical,
		SpvOpShiftRightArithmetic };
	static const uint16_t pairs[] = { SpvOpIAddCarry, SpvOpISubBorrow, SpvOpUMulExtended, SpvOpSMulExtended };
	static const uint16_t unary[] = { GLSLstd450SAbs, GLSLstd450SSign }, ternary[] = { GLSLstd450UClamp, GLSLstd450SClamp };
	static const uint16_t binary[] = { GLSLstd450UMin, GLSLstd450SMin, GLSLstd450UMax, GLSLstd450SMax };
	static const uint16_t finds[] = { GLSLstd450FindILsb, GLSLstd450FindSMsb, GLSLstd450FindUMsb };
	struct number_type t = I((uint8_t)bits);
	EACH(one, add(false, op, 1, t, t))
	EACH(two, add(false, op, 2, t, t))
	for (uint32_t op = SpvOpIEqual; op <= SpvOpSLessThanEqual; op++)
		add(false, op, 2, t, BOOL);
	EACH(unary, add(true, op, 1, t, t))
	EACH(binary, add(true, op, 2, t, t))
	EACH(ternary, add(true, op, 3, t, t))
	EACH(pairs, for (int member = 0; member < 2; member++) {
			struct number_op *pair = add(false, op, 2, t, t);
			pair->member = (int8_t)member;
			pair->second = t;
		})
	add(false, SpvOpSelect, 3, t, t)->in[0] = BOOL;
	if (bits == 32) {
		EACH(finds, add(true, op, 1, t, t))
		add(false, SpvOpBitFieldUExtract, 3, t, t);
		add(false, SpvOpBitFieldSExtract, 3, t, t);
	}
}

static void add_conversions(void)
{
	static const uint8_t widths[] = { 8, 16, 32, 64 };
	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < 4; k++) {
			uint8_t from = widths[i], to = widths[k];
			if (from != to) {
				add(false, SpvOpUConvert, 1, I(from), I(to));
				add(false, SpvOpSConvert, 1, I(from), I(to));
			}
			if (to > 8) {
				add(false, SpvOpConvertSToF, 1, I(from), F(to));
				add(false, SpvOpConvertUToF, 1, I(from), F(to));
			}
			if (from > 8) {
				add(false, SpvOpConvertFToS, 1, F(from), I(to));
				add(false, SpvOpConvertFToU, 1, F(from), I(to));
			}
			for (int rounding = -1; from > 8 && to > 8 && from != to && rounding < 2; rounding++)
				if (rounding < 0 || (from > 16 && to == 16))
					add(false, SpvOpFConvert, 1, F(from), F(to))->rounding = (int8_t)rounding;
		}
	add(false, SpvOpQuantizeToF16, 1, F(32), F(32));
}

/* --- operands --- */

/* Near one, anywhere, between two numbers of fewer bits; and what is special. */
static uint64_t random_float(unsigned bits)
{
	enum rf_format f = format_of(bits);
	unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
	uint64_t one = f == RF_16 ? 0x3c00 : f == RF_32 ? 0x3f800000 : 0x3ffull << 52, r = next_random(), v = next_random() & ones(bits);
	uint64_t sign = v & rf_sign_bit(f), specials[] = { 0, 1, ones(mantissa), 1ull << mantissa, (1ull << mantissa) + 1, one, one - 1,
		one + 1, one + (1ull << mantissa), one - (1ull << mantissa), rf_inf(f) - 1, rf_inf(f), rf_nan(f), rf_inf(f) + 1,
		one + (3ull << (mantissa - 1)), rf_inf(f) - 2 };
	if (r % 8 == 0)
		return sign | specials[r / 8 % (sizeof specials / sizeof specials[0])];
	if (r % 8 < 5) /* 2^-32 to 2^32, of halves any */
		v = sign | (v & ones(mantissa)) | (one + ((r >> 8 & 63) << mantissa) - (32ull << mantissa)) % rf_inf(f);
	if (r % 8 == 5) /* denormals and what is near them */
		v = sign | (v & ones(mantissa + 1));
	if (r >> 16 & 1) { /* a tie for some other width, or just beside one */
		unsigned low = (unsigned)(r >> 20) % mantissa;
		v = (v & ~ones(low + 1)) | 1ull << low;
		v += r >> 40 & 1 ? (r >> 41 & 1 ? 1ull : ones(64)) : 0;
	}
	return v & ones(bits);
}

static uint64_t random_integer(unsigned bits)
{
	uint64_t r = next_random(), v = next_random() & ones(bits);
	if (r % 4 == 0)
		return v >> (r >> 8 & 63) % bits;
	if (r % 4 == 1)
		return (ones(bits) ^ v >> (r >> 8 & 63) % bits) & ones(bits);
	if (r % 16 == 2)
		return ((1ull << (r >> 8 & 63) % bits) + (r >> 16) % 3 - 1) & ones(bits);
	return v;
}

static uint64_t random_operand(const struct number_op *op, unsigned k)
{
	struct number_type t = op->in[k];
	bool shift = op->op >= SpvOpShiftRightLogical && op->op <= SpvOpShiftLeftLogical && !op->glsl;
	bool is_field = !op->glsl && (op->op == SpvOpBitFieldUExtract || op->op == SpvOpBitFieldSExtract);
	if (k && shift)
		return next_random() % t.bits;
	if (k && is_field)
		return next_random() % 33;
	if (k && op->glsl && op->op == GLSLstd450Ldexp)
		return (uint32_t)(next_random() % 61) - 30;
	return t.kind == 'b' ? next_random() & 1 : t.kind == 'f' ? random_float(t.bits) : random_integer(t.bits);
}

/* What single operands hardly ever meet.  Fma: a product a little below half a step of an odd c, which
 * seems to be a tie if the sum is rounded twice.  Quotients: next to a multiple, and by divisors
 * whose reciprocals are next to integers.  Powers: denormal ones. */
static void directed_operands(const struct number_op *op, uint64_t v[3])
{
	unsigned bits = op->out.bits, mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
	uint64_t r = next_random(), i = 1 + r % 11, one = bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : 0x3ffull << 52;
	bool divides = !op->glsl && op->op >= SpvOpUDiv && op->op <= SpvOpSMod && op->out.kind == 'i';
	if (r >> 32 & 3)
		return;
	if (op->glsl && op->op == GLSLstd450Fma) {
		v[0] = one + i;
		v[1] = one - 2 * i;
		v[2] = one + ((uint64_t)(mantissa + 1) << mantissa) + 1;
	} else if (op->glsl && op->op == GLSLstd450Exp2) {
		v[0] = float_bits(-(float)(r % (40 << 16)) / 65536 - 115);
	} else if (divides) {
		if (r >> 34 & 1)
			v[1] = (ones(bits) / (1 + (r >> 40) % 300) + (r >> 50) % 5) & ones(bits);
		v[0] = v[1] ? (v[0] / v[1] * v[1] + (r >> 54) % 3 - 1) & ones(bits) : v[0];
	}
}

/* --- running --- */

static uint32_t inputs[6 * ITEMS], results[2 * ITEMS];

static bool run(const struct number_op *op, const struct number_mode *mode, const char *name)
{
	static uint32_t words[4 * MODULE_WORDS];
	struct compiler_input in = { .stage = COMPILER_CS, .words = words, .word_count = back_module(op, mode, words), .entry = "main",
		.bindings = back_bindings, .binding_count = 3, .dump_dir = getenv("QW_DUMP"), .dump_name = name };
	struct compiler_shader shader;
	char message[300];
	if (compiler_compile(&in, &shader, message, sizeof message) != COMPILER_OK) {
		printf("%s: %s\n", name, message);
		return false;
	}
	const struct back_buffer buffers[BACK_BUFFERS] = { { inputs, sizeof inputs }, { results, sizeof results },
		{ inputs, sizeof inputs } };
	struct cu_error err = { "" };
	struct back_program program = { 0 };
	memset(results, 0xcd, sizeof results);
	bool ok = back_program_create(&program, &shader, name, &err) &&
		back_program_run(&program, buffers, NULL, ITEMS / 64, &err);
	if (!ok)
		printf("%s: %s\n", name, err.text);
	back_program_destroy(&program);
	compiler_shader_finish(&shader);
	return ok;
}

/* Floats as integers that are in order. */
static int64_t ordered(unsigned bits, uint64_t v)
{
	int64_t magnitude = (int64_t)(v & ones(bits - 1));
	return v >> (bits - 1) ? -magnitude : magnitude;
}

static bool agrees(const struct number_op *op, const struct model_out *want, uint64_t got)
{
	struct number_type t = op->member > 0 ? op->second : op->out;
	if (want->any || got == want->value)
		return true;
	if (t.kind != 'f')
		return false;
	enum rf_format f = format_of(t.bits);
	if (rf_is_nan(f, want->value) || rf_is_nan(f, got))
		return rf_is_nan(f, want->value) && rf_is_nan(f, got);
	if (want->either_zero && rf_is_zero(f, want->value) && rf_is_zero(f, got))
		return true;
	int64_t d = ordered(t.bits, got) - ordered(t.bits, want->value);
	if (want->ulp && !want->denormals && rf_exponent(f, want->value) <= 1) /* denormals may be flushed */
		return rf_exponent(f, got) <= 2;
	return (d < 0 ? -d : d) <= want->ulp;
}

/* Of OpQuantizeToF16 under other modes nothing is said. */
static bool says_nothing(const struct number_op *op, const struct number_mode *m)
{
	return !op->glsl && op->op == SpvOpQuantizeToF16 && (m->to_zero[0] || m->flush[0] || m->flush[1]);
}

static int check(const struct number_op *op, const struct number_mode *mode, const char *name)
{
	uint64_t v[ITEMS][3];
	int bad = 0;
	for (unsigned i = 0; i < ITEMS; i++) {
		for (unsigned k = 0; k < 3; k++)
			v[i][k] = k < op->operands ? random_operand(op, k) : 0;
		directed_operands(op, v[i]);
		for (unsigned k = 0; k < 3; k++) {
			inputs[6 * i + 2 * k] = (uint32_t)v[i][k];
			inputs[6 * i + 2 * k + 1] = (uint32_t)(v[i][k] >> 32);
		}
	}
	if (!run(op, mode, name))
		return 1;
	for (unsigned i = 0; i < ITEMS; i++) {
		struct model_out want = number_model(op, mode, v[i]);
		uint64_t got = results[2 * i] | (uint64_t)results[2 * i + 1] << 32;
		if (says_nothing(op, mode) || agrees(op, &want, got))
			continue;
		if (bad++ < 3)
			printf("%s: of 0x%llx, 0x%llx, 0x%llx: 0x%llx, not 0x%llx\n", name, (unsigned long long)v[i][0],
				(unsigned long long)v[i][1], (unsigned long long)v[i][2], (unsigned long long)got,
				(unsigned long long)want.value);
	}
	return bad;
}

int main(int argc, char **argv)
{
	/* 16 and 64 bits have one mode. */
	static const struct number_mode modes[] = { { { 0 }, { 0 } }, { { 1, 1, 1 }, { 0 } }, { { 0 }, { 1, 1, 1 } },
		{ { 1, 1, 1 }, { 1, 1, 1 } }, { { 0, 1, 0 }, { 1, 0, 1 } }, { { 1, 0, 1 }, { 0, 1, 0 } } };
	int bad = 0, runs = 0;
	random_state = argc > 1 ? strtoull(argv[1], NULL, 0) | 1 : 88172645463325252ull;
	for (unsigned bits = 16; bits <= 64; bits *= 2)
		add_floats(bits);
	for (unsigned bits = 8; bits <= 64; bits *= 2)
		add_integers(bits);
	add_conversions();
	for (unsigned i = 0; i < op_count; i++)
		for (unsigned m = 0; m < sizeof modes / sizeof modes[0]; m++) {
			const struct number_op *op = &ops[i];
			char name[80];
			snprintf(name, sizeof name, "%s%u_%c%u_%c%u_%d_%d_mode%u", op->glsl ? "glsl" : "op", op->op, op->in[0].kind,
				op->in[0].bits, op->out.kind, op->out.bits, op->member, op->rounding, m);
			int failed = check(op, &modes[m], name);
			runs++;
			if (failed)
				printf("%s: %d of %u differ\n", name, failed, ITEMS);
			bad += failed != 0;
		}
	printf("%d programs of %u instructions, %d bad\n", runs, op_count, bad);
	return bad != 0;
}
