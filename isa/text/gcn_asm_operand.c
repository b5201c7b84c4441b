/* SPDX-License-Identifier: MIT */
/* Registers, and operands with their sign modifiers. */
#include "isa/text/gcn_asm_priv.h"

#include <stdio.h>
#include <string.h>

/* --- registers --- */

/* A file of numbered registers. */
struct file {
	const char *name;
	bool aligned;
	unsigned first, count;
};

enum { FILE_COUNT = 3 };

static struct file file_of(enum gcn_gen gen, int i)
{
	switch (i) {
	case 0: return (struct file){ "v", false, GCN_SRC_VGPR0, 256 };
	case 1: return (struct file){ "s", true, 0, gcn_sgpr_count(gen) };
	default: return (struct file){ "ttmp", true, gcn_ttmp_first(gen), gcn_ttmp_count(gen) };
	}
}

static bool bad_register(struct asm_ctx *ctx, const struct asm_token *t, const char *why)
{
	return asm_error(ctx, t, "", "%s", why);
}

static bool is_digits(const char *text, unsigned length)
{
	for (unsigned i = 0; i < length; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return length > 0;
}

/* Lets a token reach to where the reader is: errors show the whole operand. */
static void extend(const struct asm_lexer *lx, struct asm_token *t)
{
	const char *end = lx->token.text;
	while (end > t->text + 1 && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	t->length = (unsigned)(end - t->text);
}

static bool set_range(struct asm_ctx *ctx, const struct asm_token *t, const struct file *file,
	int64_t first, int64_t last, struct asm_operand *o)
{
	char what[96];
	unsigned count = file->count;
	if (first < 0 || last < first || last - first > 31)
		return bad_register(ctx, t, "the register range is not one");
	if (last >= count) {
		snprintf(what, sizeof(what), "%s%u to %s%u", file->name, 0u, file->name, count - 1);
		return asm_error(ctx, t, what, "%s has no register %s%lld", asm_gen_name(ctx->gen), file->name,
			(long long)last);
	}
	unsigned dw = (unsigned)(last - first) + 1;
	if (file->aligned && dw > 1 && first % (dw > 2 ? 4 : 2))
		return asm_error(ctx, t, dw > 2 ? "a first number that 4 divides" : "an even first number",
			"the register tuple is not aligned");
	o->code = (uint16_t)(file->first + first);
	o->dw = (uint16_t)dw;
	return true;
}

/* v[2], v[0:3]; the name has been read. */
static bool bracket_range(struct asm_ctx *ctx, const struct asm_token *t, const struct file *file, struct asm_operand *o)
{
	int64_t first, last;
	asm_next(&ctx->lx); /* [ */
	if (!asm_absolute(ctx, &first))
		return false;
	last = first;
	if (asm_skip(&ctx->lx, ':') && !asm_absolute(ctx, &last))
		return false;
	if (!asm_want(ctx, ']'))
		return false;
	struct asm_token whole = *t;
	extend(&ctx->lx, &whole);
	return set_range(ctx, &whole, file, first, last, o);
}

/* A name that is no number: vcc, m0, src_scc.  elsewhere: it is one of another
 * generation. */
static bool find_named(struct asm_ctx *ctx, const struct asm_token *t, struct asm_operand *o, bool *elsewhere)
{
	unsigned code, dw;
	if (gcn_find_register(ctx->gen, t->text, t->length, &code, &dw)) {
		o->code = (uint16_t)code;
		o->dw = (uint16_t)(code >= GCN_SRC_0 && code != GCN_SRC_LDS_DIRECT ? 0 : dw);
		return true;
	}
	for (int gen = 0; gen < GCN_GEN_COUNT; gen++)
		*elsewhere |= gcn_find_register((enum gcn_gen)gen, t->text, t->length, &code, &dw);
	return false;
}

static bool single_register(struct asm_ctx *ctx, struct asm_operand *o, bool *bad)
{
	struct asm_token t = ctx->lx.token;
	bool elsewhere = false;
	if (t.kind != ASM_IDENT)
		return false;
	for (int i = 0; i < FILE_COUNT; i++) {
		struct file f = file_of(ctx->gen, i);
		unsigned length = (unsigned)strlen(f.name);
		if (t.length < length || memcmp(t.text, f.name, length))
			continue;
		if (t.length == length && ctx->lx.at[0] == '[') {
			asm_next(&ctx->lx);
			*bad = !bracket_range(ctx, &t, &f, o);
			return !*bad;
		}
		if (is_digits(t.text + length, t.length - length)) {
			int64_t number = 0;
			for (unsigned k = length; k < t.length && number < 100000; k++)
				number = number * 10 + (t.text[k] - '0');
			asm_next(&ctx->lx);
			*bad = !set_range(ctx, &t, &f, number, number, o);
			return !*bad;
		}
	}
	if (find_named(ctx, &t, o, &elsewhere)) {
		asm_next(&ctx->lx);
		return true;
	}
	*bad = elsewhere;
	return elsewhere ? asm_error(ctx, &t, "", "%s has no register of this name", asm_gen_name(ctx->gen)) : false;
}

/* [s0,s1]: consecutive registers of one file. */
static bool register_list(struct asm_ctx *ctx, struct asm_operand *o, bool *bad)
{
	struct asm_token start = ctx->lx.token;
	struct asm_operand part;
	unsigned total = 0, first = 0;
	asm_next(&ctx->lx); /* [ */
	*bad = true;
	do {
		bool part_bad = false;
		if (!single_register(ctx, &part, &part_bad))
			return part_bad ? false : asm_expected(ctx, "a register");
		if (part.dw != 1)
			return bad_register(ctx, &start, "a list of registers has single registers only");
		if (!total)
			first = part.code;
		else if (part.code != first + total)
			return bad_register(ctx, &start, "the registers of a list must follow each other");
		total++;
	} while (asm_skip(&ctx->lx, ','));
	if (!asm_want(ctx, ']'))
		return false;
	bool vector = first >= 256;
	if (total > 32 || (!vector && total > 1 && first % (total > 2 ? 4 : 2)))
		return bad_register(ctx, &start, "the register tuple is not aligned");
	o->code = (uint16_t)first;
	o->dw = (uint16_t)total;
	*bad = false;
	return true;
}

bool asm_register(struct asm_ctx *ctx, struct asm_operand *o, bool *bad)
{
	*bad = false;
	bool found = asm_is(&ctx->lx, '[') ? register_list(ctx, o, bad) : single_register(ctx, o, bad);
	if (found)
		o->kind = ASM_OP_REG;
	return found;
}

/* --- operands --- */

/* A number or an expression; inside |..| only what | cannot end. */
static bool number(struct asm_ctx *ctx, struct asm_operand *o, bool in_bars)
{
	struct asm_lexer start = ctx->lx;
	bool minus = asm_is(&ctx->lx, '-');
	if (minus)
		asm_next(&ctx->lx);
	if (ctx->lx.token.kind == ASM_FLOAT) {
		o->kind = ASM_OP_FLOAT;
		o->number = minus ? -ctx->lx.token.number : ctx->lx.token.number;
		asm_next(&ctx->lx);
		return true;
	}
	ctx->lx = start;
	struct asm_value value;
	if (!(in_bars ? asm_primary(ctx, &value) : asm_expression(ctx, &value)))
		return false;
	o->where = start;
	o->kind = value.unknown || value.label ? ASM_OP_LATER : ASM_OP_INT;
	o->value = value.v;
	return true;
}

static bool register_or_number(struct asm_ctx *ctx, struct asm_operand *o, bool in_bars)
{
	bool bad;
	if (asm_register(ctx, o, &bad))
		return true;
	return !bad && number(ctx, o, in_bars);
}

/* True if the token after the current one opens a function of this name. */
static bool at_function(const struct asm_lexer *lx, const char *name)
{
	if (!asm_is_name(lx, name))
		return false;
	struct asm_lexer after = *lx;
	asm_next(&after);
	return asm_is(&after, '(');
}

static bool skip_function(struct asm_lexer *lx, const char *name)
{
	if (!at_function(lx, name))
		return false;
	asm_next(lx);
	asm_next(lx);
	return true;
}

/* "-" is a sign modifier before a register, abs and |; else it belongs to the
 * number. */
static bool skip_minus(struct asm_ctx *ctx)
{
	struct asm_lexer after = ctx->lx;
	if (!asm_skip(&after, '-'))
		return false;
	bool sign = asm_is(&after, '|') || asm_is(&after, '[') || at_function(&after, "abs");
	if (!sign && after.token.kind == ASM_IDENT) {
		struct asm_operand ignored;
		struct asm_lexer here = ctx->lx;
		bool bad = false, failed = ctx->failed;
		ctx->lx = after;
		ctx->failed = true; /* nothing is reported twice */
		sign = single_register(ctx, &ignored, &bad) || bad;
		ctx->failed = failed;
		ctx->lx = here;
	}
	if (sign)
		ctx->lx = after;
	return sign;
}

bool asm_operand(struct asm_ctx *ctx, struct asm_operand *o)
{
	struct asm_lexer *lx = &ctx->lx;
	*o = (struct asm_operand){ .token = lx->token };
	if (asm_is_name(lx, "off")) {
		asm_next(lx);
		o->kind = ASM_OP_OFF;
		return true;
	}
	if (skip_function(lx, "sext")) {
		o->sext = true;
		bool ok = register_or_number(ctx, o, false) && asm_want(ctx, ')');
		extend(lx, &o->token);
		return ok;
	}
	bool minus = skip_minus(ctx), neg = !minus && skip_function(lx, "neg");
	bool abs = skip_function(lx, "abs"), bars = !abs && asm_skip(lx, '|');
	if (!register_or_number(ctx, o, bars))
		return false;
	if (abs && !asm_want(ctx, ')'))
		return false;
	if (bars && !asm_want(ctx, '|'))
		return false;
	if (neg && !asm_want(ctx, ')'))
		return false;
	extend(lx, &o->token);
	o->neg = minus || neg;
	o->abs = abs || bars;
	if (o->kind == ASM_OP_LATER && (o->neg || o->abs))
		return asm_error(ctx, &o->token, "numbers and symbols that are known here",
			"the expression is not absolute");
	return true;
}
