/* SPDX-License-Identifier: MIT */
/* Operands with names of their own: swizzle patterns, buffer formats, export
 * targets, attributes. */
#include "isa/text/gcn_asm_priv.h"
#include "isa/text/gcn_names.h"

#include <string.h>

static bool same(const struct asm_token *t, const char *name)
{
	return t->kind == ASM_IDENT && strlen(name) == t->length && !memcmp(name, t->text, t->length);
}

/* --- ds_swizzle_b32 --- */

static bool power_of_two(struct asm_ctx *ctx, const char *what, int64_t low, int64_t high, int64_t *value)
{
	struct asm_token t = ctx->lx.token;
	if (!asm_in_range(ctx, what, low, high, value))
		return false;
	return *value & (*value - 1) ? asm_error(ctx, &t, "a power of two", "%s is %lld", what, (long long)*value) : true;
}

static bool bitmask(struct asm_ctx *ctx, int32_t *offset)
{
	struct asm_token t = ctx->lx.token;
	unsigned and_mask = 0, or_mask = 0, xor_mask = 0;
	bool ok = t.kind == ASM_STRING && t.length == 7;
	for (unsigned i = 0; ok && i < 5; i++) {
		unsigned bit = 16u >> i;
		switch (t.text[1 + i]) {
		case '0': break;
		case '1': or_mask |= bit; break;
		case 'p': and_mask |= bit; break;
		case 'i': and_mask |= bit; xor_mask |= bit; break;
		default: ok = false;
		}
	}
	if (!ok)
		return asm_expected(ctx, "a mask of five characters 0, 1, p, i between \"");
	*offset = isa_swizzle_bits(and_mask, or_mask, xor_mask);
	asm_next(&ctx->lx);
	return true;
}

bool asm_swizzle(struct asm_ctx *ctx, int32_t *offset)
{
	int64_t a, b;
	asm_next(&ctx->lx);
	struct asm_token mode;
	if (!asm_want(ctx, '('))
		return false;
	mode = ctx->lx.token;
	asm_next(&ctx->lx);
	if (!asm_want(ctx, ','))
		return false;
	if (same(&mode, "QUAD_PERM")) {
		*offset = 0x8000;
		for (int i = 0; i < 4; i++) {
			if ((i && !asm_want(ctx, ',')) || !asm_in_range(ctx, "the lane", 0, 3, &a))
				return false;
			*offset |= (int32_t)a << 2 * i;
		}
	} else if (same(&mode, "BITMASK_PERM")) {
		if (!bitmask(ctx, offset))
			return false;
	} else if (same(&mode, "BROADCAST")) {
		if (!power_of_two(ctx, "the group's size", 2, 32, &a) || !asm_want(ctx, ',') ||
				!asm_in_range(ctx, "the lane", 0, a - 1, &b))
			return false;
		*offset = isa_swizzle_bits((unsigned)(32 - a), (unsigned)b, 0);
	} else if (same(&mode, "SWAP")) {
		if (!power_of_two(ctx, "the group's size", 1, 16, &a))
			return false;
		*offset = isa_swizzle_bits(31, 0, (unsigned)a);
	} else if (same(&mode, "REVERSE")) {
		if (!power_of_two(ctx, "the group's size", 2, 32, &a))
			return false;
		*offset = isa_swizzle_bits(31, 0, (unsigned)a - 1);
	} else {
		return asm_error(ctx, &mode, "QUAD_PERM, BITMASK_PERM, BROADCAST, SWAP or REVERSE", "no swizzle mode");
	}
	return asm_want(ctx, ')');
}

/* --- buffer formats --- */

/* The value of the name, -1 if the generation has none. */
static int find_format(const struct asm_ctx *ctx, const struct asm_token *t, const struct isa_name *names)
{
	for (; names->name; names++)
		if (names->gens >> ctx->gen & 1 && same(t, names->name))
			return names->value;
	return -1;
}

static bool one_format(struct asm_ctx *ctx, int *dfmt, int *nfmt)
{
	struct asm_token t = ctx->lx.token;
	int d = find_format(ctx, &t, isa_data_formats), n = find_format(ctx, &t, isa_num_formats);
	if (d >= 0 && *dfmt >= 0)
		return asm_error(ctx, &t, "BUF_NUM_FORMAT_...", "a second data format");
	if (n >= 0 && *nfmt >= 0)
		return asm_error(ctx, &t, "BUF_DATA_FORMAT_...", "a second number format");
	if (d < 0 && n < 0)
		return asm_error(ctx, &t, "BUF_DATA_FORMAT_... or BUF_NUM_FORMAT_...", "%s has no such buffer format",
			asm_gen_name(ctx->gen));
	*(d >= 0 ? dfmt : nfmt) = d >= 0 ? d : n;
	asm_next(&ctx->lx);
	return true;
}

bool asm_format(struct asm_ctx *ctx, struct gcn_inst *fields)
{
	int dfmt = -1, nfmt = -1;
	int64_t number;
	if (!asm_skip(&ctx->lx, '[')) {
		if (!asm_in_range(ctx, "the format", 0, 127, &number))
			return false;
		fields->dfmt = number & 15;
		fields->nfmt = (uint8_t)(number >> 4);
		return true;
	}
	if (!one_format(ctx, &dfmt, &nfmt) || (asm_skip(&ctx->lx, ',') && !one_format(ctx, &dfmt, &nfmt)))
		return false;
	fields->dfmt = (uint8_t)(dfmt < 0 ? 1 : dfmt);
	fields->nfmt = (uint8_t)(nfmt < 0 ? 0 : nfmt);
	return asm_want(ctx, ']');
}

/* --- names with numbers --- */

/* "param12" is 12 for "param"; -1 if it is something else. */
static int numbered(const struct asm_token *t, const char *prefix, int limit)
{
	size_t n = strlen(prefix);
	if (t->kind != ASM_IDENT || t->length <= n || t->length > n + 2 || memcmp(t->text, prefix, n))
		return -1;
	int value = 0;
	for (unsigned i = (unsigned)n; i < t->length; i++) {
		if (t->text[i] < '0' || t->text[i] > '9' || (i == n && t->text[i] == '0' && t->length > n + 1 && *prefix != 'a'))
			return -1;
		value = value * 10 + t->text[i] - '0';
	}
	return value < limit ? value : -1;
}

bool asm_exp_target(struct asm_ctx *ctx, struct gcn_inst *fields)
{
	static const struct { const char *prefix; uint8_t first, count; } targets[] = {
		{ "mrt", GCN_EXP_MRT0, 8 }, { "pos", GCN_EXP_POS0, 4 }, { "param", GCN_EXP_PARAM0, 32 },
		{ "invalid_target_", 0, 64 }, /* what the disassembler calls the rest */
	};
	struct asm_token t = ctx->lx.token;
	int target = same(&t, "mrtz") ? GCN_EXP_MRTZ : same(&t, "null") ? GCN_EXP_NULL : -1;
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]) && target < 0; i++) {
		int number = numbered(&t, targets[i].prefix, targets[i].count);
		if (number >= 0)
			target = targets[i].first + number;
	}
	if (target < 0)
		return asm_expected(ctx, "mrt0 to mrt7, mrtz, null, pos0 to pos3 or param0 to param31");
	fields->exp_target = (uint8_t)target;
	asm_next(&ctx->lx);
	return true;
}

bool asm_attribute(struct asm_ctx *ctx, struct gcn_inst *fields)
{
	struct asm_token t = ctx->lx.token, plain = t;
	const char *channel = t.length > 2 ? strchr("xyzw", t.text[t.length - 1]) : NULL;
	plain.length -= channel ? 2 : 0;
	int number = channel && t.text[t.length - 2] == '.' ? numbered(&plain, "attr", 64) : -1;
	if (number < 0)
		return asm_expected(ctx, "attr0.x to attr63.w");
	fields->attr = (uint8_t)number;
	fields->attrchan = (uint8_t)(*channel == 'w' ? 3 : *channel - 'x');
	asm_next(&ctx->lx);
	return true;
}

bool asm_interp_slot(struct asm_ctx *ctx, uint16_t *code)
{
	static const char *const slots[] = { "p10", "p20", "p0" };
	for (uint16_t i = 0; i < 3; i++)
		if (asm_is_name(&ctx->lx, slots[i])) {
			asm_next(&ctx->lx);
			*code = i;
			return true;
		}
	return asm_expected(ctx, "p10, p20 or p0");
}
