/* SPDX-License-Identifier: MIT */
/* Every ALU operation of the IR, of every width that there is code for, is compiled and run
 * on the compute unit, and must give what ir_eval says: with sources that differ between
 * lanes, that are uniform, and each of them constant.  What ir_eval does not know to the bit
 * is only compiled and run.  What there is no code for is listed here. */
#include "back_exec.h"
#include "compiler/ir/ir_eval.h"

enum { ITEMS = 256, MAX_SOURCES = 3, SET_BYTES = 8 * ITEMS };
enum kind { VARYING, UNIFORM, CONSTANT }; /* CONSTANT + k: source k, the others varying; and + MAX_SOURCES: uniform */
enum { KINDS = CONSTANT + 2 * MAX_SOURCES };

static uint64_t data[MAX_SOURCES][ITEMS], uniform[MAX_SOURCES], results[ITEMS];
static unsigned compiled, compared;

static const uint64_t special[] = { 0, 1, ~0ull, 0x80000000u, 0x7fffffffu, 1ull << 63, ~0ull >> 1, 31, 32, 33, 63, 64, 0xff80,
	0x8000, 0x80, 0xfff0fff0fff0fff0ull, 0x3f800000, 0xbf800000, 0x3f000000, 0x7fc00000, 0xffc12345, 0x7f800001, 0x7f800000,
	0xff800000, 0x00000001ull << 32, 0x807fffff, 0x4b000001, 0x4f000000, 0xcf000000, 0x4f800000, 0x477fefff, 0x477ff000,
	0x7ff0000000000000ull, 0xfff8000000000001ull, 0x3ff0000000000000ull, 0xbfe0000000000000ull,
	0x41dfffffffc00000ull, 0xc1e0000000000000ull, 0x43dfffffffffffffull, 0x000fffffffffffffull, 0x3f10020000000001ull,
	0x40efffc000000000ull, 0x3e60000000000001ull, 0xffffffff00000001ull, 0x3c00, 0xbc00, 0x7bff, 0x33000000, 0x33000001, 0x387fc000, 0x387fe000, 0x38800000, 0xb8000fff, 0x7c01, 0xfbff, 0x0001 };

/* What there is no code for besides 32 bits: a bit a width, 8 << n. */
enum { OF_8 = 1, OF_16 = 2, OF_64 = 8 };
static const struct { uint16_t op; uint8_t widths; } missing[] = {
	{ IR_UBFE, OF_64 }, { IR_SBFE, OF_64 }, { IR_FMED3, OF_16 | OF_64 }, { IR_FEXP2, OF_64 }, { IR_FLOG2, OF_64 },
	{ IR_FSIN, OF_64 }, { IR_FCOS, OF_64 }, { IR_FCUBE_ID, OF_16 | OF_64 }, { IR_FCUBE_SC, OF_16 | OF_64 },
	{ IR_FCUBE_TC, OF_16 | OF_64 }, { IR_FCUBE_MA, OF_16 | OF_64 }, { IR_F32_TO_F16, OF_16 | OF_64 },
	{ IR_F32_TO_F16_RTZ, OF_16 | OF_64 }, { IR_QUANTIZE_F16, OF_16 | OF_64 },
};

static bool has_code(enum ir_op op, unsigned bits)
{
	for (unsigned i = 0; i < sizeof missing / sizeof missing[0]; i++)
		if (missing[i].op == op)
			return !(missing[i].widths & bits / 8);
	return true;
}

static uint64_t random_bits(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	uint64_t v = *seed ^ *seed >> 29;
	uint64_t spread = v * 0x9e3779b97f4a7c15ull; /* of any length */
	return v % 3 ? spread >> (v % 2 ? v / 6 % 64 : 0) : special[v / 3 % (sizeof special / sizeof special[0])];
}

/* --- the function --- */

struct built { struct ir_pool *pool; struct ir_func *f; struct ir_builder b; struct ir_src id; };

static struct ir_src sysval(struct ir_builder *b, unsigned which)
{
	struct ir_inst *in = ir_inst_new(b->func, IR_SYSVAL, 32, 3, 0);
	in->u.io.mode = (uint8_t)which;
	ir_insert(b, in);
	return ir_comp(in, 0);
}

static struct ir_src load(struct ir_builder *b, bool is_uniform, unsigned bits, struct ir_src at)
{
	struct ir_inst *in = ir_inst_new(b->func, is_uniform ? IR_LOAD_UBO : IR_LOAD_SSBO, bits == 1 ? 32 : bits, 1, 2);
	in->u.mem.binding = &back_bindings[is_uniform ? 2 : 0];
	in->u.mem.align = 8;
	in->src[0] = ir_const(b, 0);
	in->src[1] = at;
	ir_insert(b, in);
	struct ir_src v = ir_comp(in, 0);
	return bits == 1 ? ir_op2(b, IR_ICMP_NE, ir_op2(b, IR_IAND, v, ir_const(b, 1)), ir_const(b, 0)) : v;
}

static void store(struct ir_builder *b, struct ir_src value, struct ir_src at)
{
	if (value.inst->bits == 1)
		value = ir_op1(b, IR_B2I, value);
	struct ir_inst *in = ir_inst_new(b->func, IR_STORE_SSBO, 0, 0, 3);
	in->u.mem.binding = &back_bindings[1];
	in->u.mem.align = 8;
	in->src[0] = ir_const(b, 0);
	in->src[1] = at;
	in->src[2] = value;
	ir_insert(b, in);
}

static unsigned source_bits(const struct ir_op_info *info, unsigned k, unsigned bits)
{
	switch (info->operands) {
	case IR_IN_SHIFT: return k ? 32 : bits;
	case IR_IN_SEL: return k ? bits : 1;
	default: return bits;
	}
}

static struct ir_func *build(struct ir_pool *pool, enum ir_op op, unsigned bits, unsigned result_bits, unsigned kind)
{
	struct ir_builder b;
	struct ir_func *f = ir_func_create(pool, COMPILER_CS, &b);
	const struct ir_op_info *info = &ir_op_infos[op];
	struct ir_inst *in = ir_inst_new(f, op, result_bits, 1, (unsigned)info->srcs);
	f->exact_floats = 16 | 32 | 64; /* as ir_eval has them */
	f->workgroup[0] = 64;
	f->workgroup[1] = f->workgroup[2] = 1;
	struct ir_src group = ir_op2(&b, IR_ISHL, sysval(&b, IR_SYS_WORKGROUP_ID), ir_const(&b, 6));
	struct ir_src at = ir_op2(&b, IR_ISHL, ir_op2(&b, IR_IADD, group, sysval(&b, IR_SYS_LOCAL_ID)), ir_const(&b, 3));
	bool is_uniform = kind == UNIFORM || kind >= CONSTANT + MAX_SOURCES;
	for (unsigned k = 0; k < in->srcs; k++) {
		unsigned wide = source_bits(info, k, bits);
		if (kind >= CONSTANT && (kind - CONSTANT) % MAX_SOURCES == k)
			in->src[k] = ir_const_of(&b, wide, uniform[k]);
		else if (is_uniform)
			in->src[k] = load(&b, true, wide, ir_const(&b, 8 * k));
		else
			in->src[k] = load(&b, false, wide, ir_op2(&b, IR_IADD, at, ir_const(&b, SET_BYTES * k)));
	}
	ir_insert(&b, in);
	store(&b, ir_comp(in, 0), at);
	ir_cfg(f);
	return f;
}

/* --- judging --- */

/* Where SPIR-V leaves the result open, so do we. */
static bool is_defined(enum ir_op op, unsigned bits, const uint64_t *v)
{
	uint64_t sign = 1ull << (bits - 1);
	switch (op) {
	case IR_UDIV: case IR_UMOD: return v[1];
	case IR_SDIV: case IR_SREM: return v[1] && !(v[0] == sign && v[1] == ir_ones(bits));
	case IR_UBFE: case IR_SBFE: return v[1] < 32 && v[2] <= 32 - v[1];
	default: return true;
	}
}

static bool judge(enum ir_op op, unsigned bits, unsigned result_bits, unsigned kind)
{
	const struct ir_op_info *info = &ir_op_infos[op];
	bool is_uniform = kind == UNIFORM || kind >= CONSTANT + MAX_SOURCES;
	for (unsigned i = 0; i < ITEMS; i++) {
		uint64_t v[3] = { 0 }, want, got = results[i] & ir_ones(result_bits == 1 ? 32 : result_bits);
		for (unsigned k = 0; k < (unsigned)info->srcs; k++) {
			bool fixed = is_uniform || (kind >= CONSTANT && kind - CONSTANT == k);
			v[k] = (fixed ? uniform[k] : data[k][i]) & ir_ones(source_bits(info, k, bits));
		}
		if (!is_defined(op, bits, v) || !ir_eval(op, bits, result_bits, v, &want))
			continue;
		compared++;
		if (got == want)
			continue;
		printf("%s %u -> %u, kind %u: 0x%llx 0x%llx 0x%llx give 0x%llx, not 0x%llx\n", info->name, bits, result_bits, kind,
			(unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2], (unsigned long long)got,
			(unsigned long long)want);
		return false;
	}
	return true;
}

static bool execute(const struct compiler_shader *shader, enum ir_op op, unsigned bits, unsigned result_bits, unsigned kind)
{
	struct cu_error err = { "" };
	struct back_program program = { 0 };
	const struct back_buffer buffers[BACK_BUFFERS] = { { data, sizeof data }, { results, sizeof results },
		{ uniform, sizeof uniform } };
	bool ok = back_program_create(&program, shader, ir_op_infos[op].name, &err) &&
		back_program_run(&program, buffers, NULL, ITEMS / 64, &err);
	if (!ok)
		printf("%s of %u bits: %s\n", ir_op_infos[op].name, bits, err.text);
	back_program_destroy(&program);
	return ok && judge(op, bits, result_bits, kind);
}

/* False: something was wrong. */
static bool try_one(enum ir_op op, unsigned bits, unsigned result_bits, unsigned kind)
{
	const struct compile_limits limits = { 102, 256 };
	struct compiler_input in = { .stage = COMPILER_CS, .bindings = back_bindings, .binding_count = BACK_BUFFERS };
	struct compiler_shader shader;
	char message[300] = "";
	struct ir_pool *pool = ir_pool_create();
	struct ir_func *f = build(pool, op, bits, result_bits, kind);
	bool ok = ir_check(f, message, sizeof message);
	enum compiler_status status = ok ? compile_ir(&in, f, &limits, &shader, message, sizeof message) : COMPILER_INVALID;
	ir_pool_destroy(pool);
	if (status == COMPILER_OK) {
		compiled++;
		bool listed = has_code(op, bits) || kind != VARYING; /* folding may leave nothing of it */
		if (!listed)
			printf("%s of %u bits has code, and is in the list\n", ir_op_infos[op].name, bits);
		ok = listed && execute(&shader, op, bits, result_bits, kind);
		compiler_shader_finish(&shader);
		return ok;
	}
	bool refused = status == COMPILER_UNSUPPORTED && strstr(message, "the back end has no");
	if (!refused || has_code(op, bits))
		printf("%s of %u bits: %s\n", ir_op_infos[op].name, bits, message);
	return refused && !has_code(op, bits);
}

static bool try_widths(enum ir_op op, unsigned bits, unsigned result_bits, uint64_t *seed)
{
	bool ok = true;
	unsigned sources = (unsigned)ir_op_infos[op].srcs;
	for (unsigned kind = 0; ok && kind < KINDS; kind++) {
		if (kind >= CONSTANT && (kind - CONSTANT) % MAX_SOURCES >= sources)
			continue;
		for (unsigned k = 0; k < MAX_SOURCES; k++) {
			uniform[k] = random_bits(seed);
			for (unsigned i = 0; i < ITEMS; i++)
				data[k][i] = random_bits(seed);
		}
		bool divides = op == IR_UDIV || op == IR_UMOD || op == IR_SDIV || op == IR_SREM;
		for (unsigned i = 0; divides && i < ITEMS; i += 2) /* around a multiple */
			data[0][i] = data[1][i] * (random_bits(seed) >> i % 64) + i / 2 % 3 - 1;
		memset(results, 0xcd, sizeof results);
		ok = try_one(op, bits, result_bits, kind);
	}
	return ok;
}

/* Is there such an operation? */
static bool fits(enum ir_op op, unsigned bits, unsigned result)
{
	const struct ir_op_info *info = &ir_op_infos[op];
	bool is_float = info->operands == IR_IN_FLOAT || op == IR_FLDEXP, makes_float = op == IR_FCONV || op == IR_I2F || op == IR_U2F;
	if (op == IR_FCONV && bits == result)
		return false;
	if ((is_float && bits < 16) || (makes_float && result < 16))
		return false;
	switch (info->operands) {
	case IR_IN_BOOL: if (bits != 1) return false; break;
	case IR_IN_WORD: if (bits != 32) return false; break;
	default: if (bits == 1) return false;
	}
	switch (info->result) {
	case IR_OUT_BOOL: return result == 1;
	case IR_OUT_WORD: return result == 32;
	case IR_OUT_SAME: return result == bits;
	case IR_OUT_TWICE: return result == 2 * bits;
	case IR_OUT_HALF: return result == bits / 2 && result >= 8;
	default: return result > 1;
	}
}

static bool try_op(enum ir_op op, uint64_t *seed)
{
	static const unsigned widths[] = { 1, 8, 16, 32, 64 };
	bool ok = true;
	for (unsigned w = 0; w < 5; w++)
		for (unsigned r = 0; r < 5; r++)
			if (fits(op, widths[w], widths[r]))
				ok &= try_widths(op, widths[w], widths[r], seed);
	return ok;
}

/* Divisors that are known: small ones and their opposites, those next to powers of two, any; of numbers around their
 * multiples. */
static bool try_divisors(uint64_t *seed)
{
	enum { SMALL = 70, CLOSE = SMALL + 3 * 32, ALL = CLOSE + 120 };
	static const enum ir_op ops[] = { IR_UDIV, IR_UMOD, IR_SDIV, IR_SREM };
	bool ok = true;
	for (uint32_t n = 1; n < ALL; n++) {
		const uint32_t near = (1u << (n - SMALL) / 3 % 32) + (n - SMALL) % 3 - 1;
		const uint32_t d = n < SMALL ? n / 2 * (n % 2 ? 1 : ~0u) : n < CLOSE ? near : (uint32_t)random_bits(seed);
		uniform[1] = d;
		for (uint32_t i = 0; i < ITEMS; i++)
			data[0][i] = i % 4 ? d * (uint32_t)(random_bits(seed) >> i % 32) + i % 3 - 1 : (uint32_t)random_bits(seed);
		for (unsigned k = 0; k < 4; k++)
			ok &= try_one(ops[k], 32, 32, CONSTANT + 1);
	}
	return ok;
}

int main(void)
{
	uint64_t seed = 2026;
	bool ok = try_divisors(&seed);
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		if (ir_op_infos[op].family == IR_ALU_OP)
			for (unsigned round = 0; round < 3; round++)
				ok &= try_op((enum ir_op)op, &seed);
	ok &= try_widths(IR_SELECT, 1, 1, &seed);
	printf("%u programs, %u results compared\n", compiled, compared);
	return ok ? 0 : 1;
}
