/* SPDX-License-Identifier: MIT */
/* Tokens of assembly text.  Comments: // and ; to the end of the line, # at
 * the beginning of a statement, and C's.  Lines end statements. */
#include "isa/text/gcn_asm_priv.h"

#include <stdlib.h>
#include <string.h>

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$' || c == '@';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int digit_value(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

static bool skip_block_comment(struct asm_lexer *lx)
{
	for (lx->at += 2; *lx->at; lx->at++) {
		if (lx->at[0] == '*' && lx->at[1] == '/') {
			lx->at += 2;
			return true;
		}
		if (*lx->at == '\n') {
			lx->line++;
			lx->line_start = lx->at + 1;
		}
	}
	return false;
}

/* True unless a comment never ends. */
static bool skip_blanks(struct asm_lexer *lx)
{
	for (;;) {
		char c = *lx->at;
		if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
			lx->at++;
		} else if (c == ';' || (c == '/' && lx->at[1] == '/') || (c == '#' && lx->statement_start)) {
			lx->at += strcspn(lx->at, "\n");
		} else if (c == '/' && lx->at[1] == '*') {
			if (!skip_block_comment(lx))
				return false;
		} else {
			return true;
		}
	}
}

static void bad(struct asm_token *t, const char *why)
{
	t->kind = ASM_BAD;
	t->why = why;
}

static const char *read_digits(struct asm_token *t, const char *p, unsigned base)
{
	t->kind = ASM_INT;
	t->value = 0;
	for (; digit_value(*p) < (int)base; p++) {
		if (t->value > (UINT64_MAX - (unsigned)digit_value(*p)) / base)
			t->overflow = true;
		t->value = t->value * base + (unsigned)digit_value(*p);
	}
	return p;
}

/* strtod on the text from start to end alone. */
static void read_float(struct asm_token *t, const char *start, const char *end)
{
	char copy[64];
	size_t length = (size_t)(end - start);
	if (length >= sizeof(copy)) {
		bad(t, "a number of more than 63 characters");
		return;
	}
	memcpy(copy, start, length);
	copy[length] = 0;
	char *stop;
	t->kind = ASM_FLOAT;
	t->number = strtod(copy, &stop);
	if (*stop)
		bad(t, "malformed floating-point number");
}

static const char *skip_exponent(const char *p, char mark)
{
	if ((*p | 0x20) != mark)
		return p;
	const char *q = p + 1;
	if (*q == '+' || *q == '-')
		q++;
	if (!is_digit(*q))
		return p;
	while (is_digit(*q))
		q++;
	return q;
}

static const char *read_hex(struct asm_token *t, const char *start)
{
	const char *p = read_digits(t, start + 2, 16);
	if (*p == '.' || (*p | 0x20) == 'p') {
		const char *q = p;
		if (*q == '.')
			for (q++; digit_value(*q) < 16; q++)
				;
		const char *end = skip_exponent(q, 'p');
		if (end == q)
			bad(t, "a hexadecimal floating-point number needs an exponent, as in 0x1.8p3");
		else
			read_float(t, start, end);
		return end;
	}
	if (p == start + 2)
		bad(t, "no digits after 0x");
	return p;
}

static const char *read_decimal(struct asm_token *t, const char *start)
{
	const char *p = start;
	while (is_digit(*p))
		p++;
	if (p > start && (*p == 'f' || *p == 'b') && !is_letter(p[1]) && !is_digit(p[1])) {
		read_digits(t, start, 10);
		t->kind = ASM_LOCAL;
		t->forward = *p == 'f';
		return p + 1;
	}
	const char *q = p;
	if (*q == '.')
		for (q++; is_digit(*q); q++)
			;
	q = skip_exponent(q, 'e');
	if (q != p) {
		read_float(t, start, q);
		return q;
	}
	const char *end = read_digits(t, start, *start == '0' ? 8 : 10);
	if (end < p)
		bad(t, "a digit beyond 7 in an octal number");
	return p;
}

static const char *read_number(struct asm_token *t, const char *start)
{
	const char *end;
	if (start[0] == '0' && (start[1] | 0x20) == 'x') {
		end = read_hex(t, start);
	} else if (start[0] == '0' && (start[1] | 0x20) == 'b' && (start[2] == '0' || start[2] == '1')) {
		end = read_digits(t, start + 2, 2);
	} else {
		end = read_decimal(t, start);
	}
	if (t->kind != ASM_BAD && (is_letter(*end) || is_digit(*end))) {
		bad(t, "letters at the end of a number");
		while (is_letter(*end) || is_digit(*end))
			end++;
	}
	return end;
}

static const char *read_quoted(struct asm_token *t, const char *start)
{
	const char *p = start + 1;
	while (*p && *p != '\n' && *p != *start)
		p += *p == '\\' && p[1] && p[1] != '\n' ? 2 : 1;
	if (*p != *start) {
		bad(t, "a quotation without its end");
		return p;
	}
	t->kind = ASM_STRING;
	if (*start == '\'') {
		t->kind = ASM_INT;
		t->value = (unsigned char)start[1];
		if (p != start + 2)
			bad(t, "one character belongs between '");
	}
	return p + 1;
}

static const char *read_punct(struct asm_token *t, const char *p)
{
	static const char pairs[][3] = { "<<", ">>", "&&", "||", "==", "!=", "<>", "<=", ">=" };
	t->kind = ASM_PUNCT;
	t->punct = (unsigned char)*p;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (p[0] == pairs[i][0] && p[1] == pairs[i][1]) {
			t->punct = ASM_PAIR(p[0], p[1]);
			return p + 2;
		}
	if (!strchr("()[]{},:+-*/%&|^~!<>=", *p))
		bad(t, "a character that means nothing here");
	return p + 1;
}

void asm_next(struct asm_lexer *lx)
{
	struct asm_token *t = &lx->token;
	bool closed = skip_blanks(lx);
	const char *p = lx->at;
	*t = (struct asm_token){ .text = p, .line = lx->line, .column = (unsigned)(p - lx->line_start) + 1 };
	if (!closed) {
		bad(t, "a comment without its end");
	} else if (!*p) {
		t->kind = ASM_EOF;
	} else if (*p == '\n') {
		t->kind = ASM_END;
		lx->at = p + 1;
		lx->line++;
		lx->line_start = p + 1;
	} else if (is_digit(*p) || (*p == '.' && is_digit(p[1]))) {
		lx->at = read_number(t, p);
	} else if (is_letter(*p)) {
		t->kind = ASM_IDENT;
		while (is_letter(*lx->at) || is_digit(*lx->at))
			lx->at++;
	} else if (*p == '"' || *p == '\'') {
		lx->at = read_quoted(t, p);
	} else {
		lx->at = read_punct(t, p);
	}
	t->length = t->kind == ASM_END ? 0 : (unsigned)(lx->at - p);
	lx->statement_start = t->kind == ASM_END;
}

void asm_lexer_init(struct asm_lexer *lx, const char *text)
{
	*lx = (struct asm_lexer){ .at = text, .line_start = text, .line = 1, .statement_start = true };
	asm_next(lx);
}

bool asm_is(const struct asm_lexer *lx, unsigned punct)
{
	return lx->token.kind == ASM_PUNCT && lx->token.punct == punct;
}

bool asm_is_name(const struct asm_lexer *lx, const char *name)
{
	return lx->token.kind == ASM_IDENT && strlen(name) == lx->token.length &&
		!memcmp(lx->token.text, name, lx->token.length);
}

bool asm_skip(struct asm_lexer *lx, unsigned punct)
{
	if (!asm_is(lx, punct))
		return false;
	asm_next(lx);
	return true;
}

bool asm_at_end(const struct asm_lexer *lx)
{
	return lx->token.kind == ASM_END || lx->token.kind == ASM_EOF;
}
