/* SPDX-License-Identifier: MIT */
/* Symbols and integer expressions.  Operators and their precedence are those
 * of LLVM's GNU syntax: from || over &&, comparisons (true is -1), + -,
 * | ^ & ! (or-not) to * / % << >>; 64 bits, >> fills with zeros. */
#include "isa/text/gcn_asm_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

/* --- symbols --- */

static size_t hash_of(const char *name, unsigned length)
{
	uint32_t h = 2166136261u;
	for (unsigned i = 0; i < length; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619u;
	return h;
}

static bool rehash(struct asm_ctx *ctx)
{
	size_t size = ctx->hash_size ? ctx->hash_size * 2 : 64;
	uint32_t *hash = calloc(size, sizeof(*hash));
	if (!hash) {
		ctx->no_memory = true;
		return false;
	}
	for (size_t i = 0; i < ctx->symbol_count; i++) {
		size_t h = hash_of(ctx->symbols[i].name, ctx->symbols[i].length) & (size - 1);
		while (hash[h])
			h = (h + 1) & (size - 1);
		hash[h] = (uint32_t)i + 1;
	}
	free(ctx->hash);
	ctx->hash = hash;
	ctx->hash_size = size;
	return true;
}

struct asm_symbol *asm_find_symbol(struct asm_ctx *ctx, const char *name, unsigned length, bool create)
{
	if (ctx->symbol_count * 2 >= ctx->hash_size && !rehash(ctx))
		return NULL;
	size_t h = hash_of(name, length) & (ctx->hash_size - 1);
	for (; ctx->hash[h]; h = (h + 1) & (ctx->hash_size - 1)) {
		struct asm_symbol *s = &ctx->symbols[ctx->hash[h] - 1];
		if (s->length == length && !memcmp(s->name, name, length))
			return s;
	}
	if (!create || !asm_grow(ctx, &ctx->symbols, &ctx->symbol_limit, ctx->symbol_count, sizeof(*ctx->symbols)))
		return NULL;
	struct asm_symbol *s = &ctx->symbols[ctx->symbol_count++];
	*s = (struct asm_symbol){ .name = name, .length = length };
	ctx->hash[h] = (uint32_t)ctx->symbol_count;
	return s;
}

bool asm_define_label(struct asm_ctx *ctx, const struct asm_token *name)
{
	struct asm_symbol *s = asm_find_symbol(ctx, name->text, name->length, true);
	if (!s)
		return false;
	if (s->defined)
		return asm_error(ctx, name, "", "the symbol is defined already");
	s->defined = s->label = true;
	s->value = (struct asm_value){ .v = (int64_t)ctx->out->size, .base = 1, .label = true, .pcrel = true };
	return true;
}

bool asm_define_local(struct asm_ctx *ctx, const struct asm_token *number)
{
	if (!asm_grow(ctx, &ctx->locals, &ctx->local_limit, ctx->local_count, sizeof(*ctx->locals)))
		return false;
	ctx->locals[ctx->local_count++] = (struct asm_local_label){ number->value, ctx->out->size, ctx->statement };
	return true;
}

bool asm_define_value(struct asm_ctx *ctx, const struct asm_token *name)
{
	struct asm_lexer later = ctx->lx;
	struct asm_value value;
	if (!asm_expression(ctx, &value))
		return false;
	struct asm_symbol *s = asm_find_symbol(ctx, name->text, name->length, true);
	if (!s)
		return false;
	if (s->label)
		return asm_error(ctx, name, "", "the symbol is a label already");
	s->defined = true;
	s->value = value;
	s->later = later;
	return true;
}

/* --- primaries --- */

static bool symbol_value(struct asm_ctx *ctx, const struct asm_token *t, struct asm_value *value)
{
	*value = (struct asm_value){ .unknown = true, .pcrel = true };
	if (t->length == 1 && *t->text == '.') {
		*value = (struct asm_value){ .v = (int64_t)ctx->here, .base = 1, .label = true, .pcrel = true };
		return true;
	}
	struct asm_symbol *s = asm_find_symbol(ctx, t->text, t->length, false);
	if (!s || !s->defined)
		return ctx->final ? asm_error(ctx, t, "", "the symbol is not defined") : true;
	if (s->value.unknown && ctx->final) {
		if (s->busy)
			return asm_error(ctx, t, "", "the symbol's value depends on itself");
		struct asm_lexer here = ctx->lx;
		ctx->lx = s->later;
		s->busy = true;
		bool ok = asm_expression(ctx, value);
		s->busy = false;
		ctx->lx = here;
		if (ok)
			s->value = *value;
		return ok;
	}
	*value = s->value;
	return true;
}

/* 1b is the last label 1 before the statement, 1f the first after it. */
static bool local_value(struct asm_ctx *ctx, const struct asm_token *t, struct asm_value *value)
{
	const struct asm_local_label *found = NULL;
	*value = (struct asm_value){ .unknown = true, .pcrel = true };
	for (size_t i = 0; i < ctx->local_count; i++) {
		const struct asm_local_label *l = &ctx->locals[i];
		if (l->number != t->value)
			continue;
		if (t->forward ? l->statement > ctx->statement && !found : l->statement <= ctx->statement)
			found = l;
	}
	if (found)
		*value = (struct asm_value){ .v = (int64_t)found->offset, .base = 1, .label = true, .pcrel = true };
	else if (ctx->final || !t->forward)
		return asm_error(ctx, t, "", "there is no such label");
	return true;
}

static bool unary(struct asm_ctx *ctx, char op, struct asm_value *value)
{
	if (!asm_primary(ctx, value))
		return false;
	if (value->unknown)
		return true;
	switch (op) {
	case '-': value->v = (int64_t)(0 - (uint64_t)value->v); value->base = -value->base; return true;
	case '+': return true;
	default: break;
	}
	if (value->base)
		return asm_error(ctx, &ctx->lx.token, "", "%c of an address", op);
	value->v = op == '~' ? ~value->v : !value->v;
	return true;
}

static bool primary(struct asm_ctx *ctx, struct asm_value *value)
{
	struct asm_token t = ctx->lx.token;
	*value = (struct asm_value){ 0 };
	switch (t.kind) {
	case ASM_INT:
		if (t.overflow)
			return asm_error(ctx, &t, "", "the number does not fit in 64 bits");
		asm_next(&ctx->lx);
		value->v = (int64_t)t.value;
		return true;
	case ASM_LOCAL:
		asm_next(&ctx->lx);
		return local_value(ctx, &t, value);
	case ASM_IDENT:
		asm_next(&ctx->lx);
		return symbol_value(ctx, &t, value);
	case ASM_FLOAT:
		return asm_error(ctx, &t, "an integer", "a floating-point number in an expression");
	case ASM_PUNCT:
		if (t.punct == '(') {
			asm_next(&ctx->lx);
			return asm_expression(ctx, value) && asm_want(ctx, ')');
		}
		if (t.punct == '-' || t.punct == '+' || t.punct == '~' || t.punct == '!') {
			asm_next(&ctx->lx);
			return unary(ctx, (char)t.punct, value);
		}
		break;
	default: break;
	}
	return asm_expected(ctx, "a number, a symbol or an expression in parentheses");
}

bool asm_primary(struct asm_ctx *ctx, struct asm_value *value)
{
	if (ctx->depth >= MAX_DEPTH)
		return asm_error(ctx, &ctx->lx.token, "", "the expression is nested too deeply");
	ctx->depth++;
	bool ok = primary(ctx, value);
	ctx->depth--;
	return ok;
}

/* --- operators --- */

static unsigned precedence(const struct asm_lexer *lx)
{
	if (lx->token.kind != ASM_PUNCT)
		return 0;
	switch (lx->token.punct) {
	case ASM_PAIR('|', '|'): return 1;
	case ASM_PAIR('&', '&'): return 2;
	case ASM_PAIR('=', '='): case ASM_PAIR('!', '='): case ASM_PAIR('<', '>'): case '<': case '>':
	case ASM_PAIR('<', '='): case ASM_PAIR('>', '='): return 3;
	case '+': case '-': return 4;
	case '|': case '^': case '&': case '!': return 5;
	case '*': case '/': case '%': case ASM_PAIR('<', '<'): case ASM_PAIR('>', '>'): return 6;
	default: return 0;
	}
}

static int64_t shift(uint64_t a, uint64_t by, bool left)
{
	if (by > 63)
		return 0;
	return (int64_t)(left ? a << by : a >> by);
}

static int64_t divide(int64_t a, int64_t b, bool remainder)
{
	if (b == -1) /* the smallest number has no opposite */
		return remainder ? 0 : (int64_t)(0 - (uint64_t)a);
	return remainder ? a % b : a / b;
}

static int64_t compute(unsigned op, int64_t a, int64_t b)
{
	switch (op) {
	case ASM_PAIR('|', '|'): return a || b;
	case ASM_PAIR('&', '&'): return a && b;
	case ASM_PAIR('=', '='): return -(a == b);
	case ASM_PAIR('!', '='): case ASM_PAIR('<', '>'): return -(a != b);
	case '<': return -(a < b);
	case '>': return -(a > b);
	case ASM_PAIR('<', '='): return -(a <= b);
	case ASM_PAIR('>', '='): return -(a >= b);
	case '|': return a | b;
	case '^': return a ^ b;
	case '&': return a & b;
	case '!': return a | ~b;
	case '*': return (int64_t)((uint64_t)a * (uint64_t)b);
	case '/': return divide(a, b, false);
	case '%': return divide(a, b, true);
	default: return shift((uint64_t)a, (uint64_t)b, op == ASM_PAIR('<', '<'));
	}
}

static bool combine(struct asm_ctx *ctx, const struct asm_token *op, struct asm_value *a, const struct asm_value *b)
{
	bool sum = op->punct == '+' || op->punct == '-';
	a->label |= b->label;
	a->pcrel = op->punct != '-' && (a->pcrel || b->pcrel);
	if (a->unknown || b->unknown) {
		a->unknown = true;
		return true;
	}
	if (sum) {
		a->v = (int64_t)(op->punct == '+' ? (uint64_t)a->v + (uint64_t)b->v : (uint64_t)a->v - (uint64_t)b->v);
		a->base += op->punct == '+' ? b->base : -b->base;
		return true;
	}
	if (a->base || b->base)
		return asm_error(ctx, op, "+ or -", "an operator that addresses cannot have");
	if ((op->punct == '/' || op->punct == '%') && !b->v)
		return asm_error(ctx, op, "", "division by zero");
	a->v = compute(op->punct, a->v, b->v);
	return true;
}

static bool binary(struct asm_ctx *ctx, unsigned level, struct asm_value *value)
{
	if (ctx->depth >= MAX_DEPTH)
		return asm_error(ctx, &ctx->lx.token, "", "the expression is nested too deeply");
	ctx->depth++;
	bool ok = asm_primary(ctx, value);
	unsigned p;
	while (ok && (p = precedence(&ctx->lx)) >= level) {
		struct asm_token op = ctx->lx.token;
		struct asm_value right;
		asm_next(&ctx->lx);
		ok = binary(ctx, p + 1, &right) && combine(ctx, &op, value, &right);
	}
	ctx->depth--;
	return ok;
}

bool asm_expression(struct asm_ctx *ctx, struct asm_value *value)
{
	return binary(ctx, 1, value);
}

bool asm_absolute(struct asm_ctx *ctx, int64_t *result)
{
	struct asm_token start = ctx->lx.token;
	struct asm_value value;
	if (!asm_expression(ctx, &value))
		return false;
	if (value.unknown || value.base)
		return asm_error(ctx, &start, "numbers and symbols that are known here",
			"the expression is not absolute");
	*result = value.v;
	return true;
}

bool asm_in_range(struct asm_ctx *ctx, const char *what, int64_t low, int64_t high, int64_t *value)
{
	struct asm_token start = ctx->lx.token;
	char expected[96];
	if (!asm_absolute(ctx, value))
		return false;
	if (*value >= low && *value <= high)
		return true;
	snprintf(expected, sizeof(expected), "%lld to %lld", (long long)low, (long long)high);
	return asm_error(ctx, &start, expected, "%s is out of range: %lld", what, (long long)*value);
}
