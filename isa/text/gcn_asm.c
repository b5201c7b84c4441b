/* SPDX-License-Identifier: MIT */
/* The assembler's frame: statements, output, fixups, errors.
 *
 * One pass emits every statement with the size it will keep; places whose
 * values depend on later labels become fixups, resolved at the end by reading
 * their expressions again. */
#include "isa/text/gcn_asm_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERRORS = 100, MAX_CODE = 1 << 28 };

/* --- memory and errors --- */

bool asm_grow(struct asm_ctx *ctx, void *array, size_t *limit, size_t count, size_t element)
{
	if (count < *limit)
		return true;
	size_t wanted = *limit ? *limit * 2 : 16;
	void **place = array;
	void *grown = realloc(*place, wanted * element);
	if (!grown) {
		ctx->no_memory = true;
		return false;
	}
	*place = grown;
	*limit = wanted;
	return true;
}

bool asm_error(struct asm_ctx *ctx, const struct asm_token *at, const char *expected, const char *format, ...)
{
	struct gcn_asm_result *out = ctx->out;
	if (ctx->failed || out->error_count == MAX_ERRORS ||
			!asm_grow(ctx, &out->errors, &ctx->error_limit, out->error_count, sizeof(*out->errors)))
		return false;
	ctx->failed = true;
	struct gcn_asm_error *e = &out->errors[out->error_count++];
	memset(e, 0, sizeof(*e));
	e->line = at->line;
	e->column = at->column;
	unsigned length = at->length < sizeof(e->found) - 1 ? at->length : (unsigned)sizeof(e->found) - 1;
	memcpy(e->found, at->text, length);
	for (unsigned i = 0; i < length; i++)
		if ((unsigned char)e->found[i] < ' ')
			e->found[i] = ' ';
	snprintf(e->expected, sizeof(e->expected), "%s", expected);
	va_list args;
	va_start(args, format);
	vsnprintf(e->what, sizeof(e->what), format, args);
	va_end(args);
	return false;
}

bool asm_expected(struct asm_ctx *ctx, const char *what)
{
	const struct asm_token *t = &ctx->lx.token;
	if (t->kind == ASM_BAD)
		return asm_error(ctx, t, what, "%s", t->why);
	return asm_error(ctx, t, what, asm_at_end(&ctx->lx) ? "the statement ends too early" : "unexpected text");
}

bool asm_want(struct asm_ctx *ctx, unsigned punct)
{
	char text[4] = { '\'', (char)punct, '\'', 0 };
	return asm_skip(&ctx->lx, punct) || asm_expected(ctx, text);
}

const char *asm_gen_name(enum gcn_gen gen)
{
	static const char *const names[GCN_GEN_COUNT] = { "gfx600", "gfx700", "gfx803", "gfx900" };
	return names[gen];
}

/* --- output --- */

bool asm_emit(struct asm_ctx *ctx, const void *bytes, size_t size)
{
	struct gcn_asm_result *out = ctx->out;
	if (out->size + size > MAX_CODE)
		return asm_error(ctx, &ctx->lx.token, "", "the code is larger than %d bytes", MAX_CODE);
	size_t dwords = (out->size + size + 3) / 4;
	while (ctx->code_limit < dwords) {
		size_t old = ctx->code_limit;
		if (!asm_grow(ctx, &out->lines, &ctx->line_limit, old, 4) || !asm_grow(ctx, &out->code, &ctx->code_limit, old, 4))
			return false;
		memset(out->code + old, 0, 4 * (ctx->code_limit - old));
	}
	for (; out->dwords < dwords; out->dwords++)
		out->lines[out->dwords] = ctx->lx.token.kind == ASM_END ? ctx->lx.token.line : ctx->lx.line;
	memcpy((char *)out->code + out->size, bytes, size);
	out->size += size;
	return true;
}

bool asm_add_fixup(struct asm_ctx *ctx, enum asm_fixup_kind kind, unsigned size, uint64_t offset,
	const struct asm_lexer *where)
{
	if (!asm_grow(ctx, &ctx->fixups, &ctx->fixup_limit, ctx->fixup_count, sizeof(*ctx->fixups)))
		return false;
	ctx->fixups[ctx->fixup_count++] = (struct asm_fixup){ (uint8_t)kind, (uint8_t)size, offset, ctx->here,
		ctx->statement, *where };
	return true;
}

static bool write_value(struct asm_ctx *ctx, const struct asm_fixup *f, int64_t v)
{
	int64_t limit = (int64_t)1 << (f->size == 8 ? 62 : 8 * f->size);
	if (f->size < 8 && (v < -limit / 2 || v >= limit))
		return asm_error(ctx, &f->where.token, "", "the value does not fit in %u bytes: %lld", f->size, (long long)v);
	memcpy((char *)ctx->out->code + f->offset, &v, f->size);
	return true;
}

/* A branch counts dwords from the instruction after it; a literal with an
 * address counts bytes from its own place. */
static bool resolve(struct asm_ctx *ctx, const struct asm_fixup *f)
{
	struct asm_value value;
	ctx->lx = f->where;
	ctx->statement = f->statement;
	ctx->here = f->here;
	ctx->failed = false;
	if (!asm_expression(ctx, &value))
		return false;
	const struct asm_token *t = &f->where.token;
	if (value.base && value.base != 1)
		return asm_error(ctx, t, "", "a sum of addresses");
	if (f->kind == ASM_FIX_BRANCH) {
		int64_t distance = value.v - (int64_t)f->offset - 4;
		if (!value.base)
			return asm_error(ctx, t, "a label", "the target is no address");
		if (distance % 4)
			return asm_error(ctx, t, "", "the target is not at a multiple of 4 bytes");
		if (distance / 4 < -0x8000 || distance / 4 > 0x7fff)
			return asm_error(ctx, t, "", "the target is too far: %lld dwords", (long long)(distance / 4));
		uint16_t imm = (uint16_t)(distance / 4);
		memcpy((char *)ctx->out->code + f->offset, &imm, sizeof(imm));
		return true;
	}
	if (f->kind == ASM_FIX_LITERAL && value.base && value.pcrel)
		value.v -= (int64_t)f->offset;
	return write_value(ctx, f, value.v);
}

/* --- statements --- */

static bool label_or_assignment(struct asm_ctx *ctx, bool *done)
{
	struct asm_lexer after = ctx->lx;
	struct asm_token name = ctx->lx.token;
	*done = false;
	asm_next(&after);
	if (asm_is(&after, ':')) {
		ctx->lx = after;
		ctx->lx.statement_start = true; /* a comment with # may follow */
		asm_next(&ctx->lx);
		return name.kind == ASM_IDENT ? asm_define_label(ctx, &name) : asm_define_local(ctx, &name);
	}
	if (name.kind == ASM_IDENT && (asm_is(&after, '=') || asm_is(&after, ASM_PAIR('=', '=')))) {
		*done = true;
		ctx->lx = after;
		asm_next(&ctx->lx);
		return asm_define_value(ctx, &name) && (asm_at_end(&ctx->lx) || asm_expected(ctx, "the end of the statement"));
	}
	if (name.kind == ASM_INT)
		return asm_expected(ctx, "a label, an instruction or a directive");
	*done = *name.text == '.';
	return *done ? asm_directive(ctx) : true;
}

static bool statement(struct asm_ctx *ctx)
{
	bool done;
	ctx->here = ctx->out->size;
	while (ctx->lx.token.kind == ASM_IDENT || ctx->lx.token.kind == ASM_INT) {
		struct asm_token first = ctx->lx.token;
		if (!label_or_assignment(ctx, &done))
			return false;
		if (done)
			return true;
		if (ctx->lx.token.text == first.text)
			return asm_instruction(ctx);
	}
	return asm_at_end(&ctx->lx) || asm_expected(ctx, "a label, an instruction or a directive");
}

static void all_statements(struct asm_ctx *ctx)
{
	while (ctx->lx.token.kind != ASM_EOF && !ctx->no_memory) {
		ctx->failed = false;
		ctx->depth = 0;
		ctx->statement++;
		statement(ctx);
		while (!asm_at_end(&ctx->lx))
			asm_next(&ctx->lx);
		if (ctx->lx.token.kind == ASM_END)
			asm_next(&ctx->lx);
	}
}

static int compare_errors(const void *a, const void *b)
{
	const struct gcn_asm_error *x = a, *y = b;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->column > y->column) - (x->column < y->column);
}

static void all_fixups(struct asm_ctx *ctx)
{
	ctx->final = true;
	for (size_t i = 0; i < ctx->fixup_count && !ctx->no_memory; i++) {
		ctx->depth = 0;
		resolve(ctx, &ctx->fixups[i]);
	}
	if (ctx->out->error_count)
		qsort(ctx->out->errors, ctx->out->error_count, sizeof(*ctx->out->errors), compare_errors);
}

static void all_symbols(struct asm_ctx *ctx)
{
	struct gcn_asm_result *out = ctx->out;
	out->symbols = calloc(ctx->symbol_count + 1, sizeof(*out->symbols));
	ctx->no_memory |= !out->symbols;
	for (size_t i = 0; i < ctx->symbol_count && !ctx->no_memory; i++) {
		const struct asm_symbol *s = &ctx->symbols[i];
		if (!s->defined || s->value.unknown)
			continue;
		char *name = malloc(s->length + 1u);
		ctx->no_memory |= !name;
		if (!name)
			return;
		memcpy(name, s->name, s->length);
		name[s->length] = 0;
		out->symbols[out->symbol_count++] = (struct gcn_asm_symbol){ name, s->value.v, s->label, s->global };
	}
}

static void drop_code(struct gcn_asm_result *out)
{
	free(out->code);
	free(out->lines);
	out->code = out->lines = NULL;
	out->size = out->dwords = 0;
}

bool gcn_asm(enum gcn_gen gen, const char *text, struct gcn_asm_result *out)
{
	struct asm_ctx ctx = { .gen = gen, .out = out };
	memset(out, 0, sizeof(*out));
	asm_lexer_init(&ctx.lx, text);
	all_statements(&ctx);
	if (!ctx.no_memory)
		all_fixups(&ctx);
	if (!ctx.no_memory)
		all_symbols(&ctx);
	if (ctx.no_memory) {
		ctx.failed = ctx.no_memory = false;
		asm_error(&ctx, &ctx.lx.token, "", "out of memory");
	}
	free(ctx.symbols);
	free(ctx.hash);
	free(ctx.locals);
	free(ctx.fixups);
	if (out->error_count || ctx.no_memory)
		drop_code(out);
	return !out->error_count && !ctx.no_memory;
}

void gcn_asm_free(struct gcn_asm_result *r)
{
	for (size_t i = 0; i < r->symbol_count; i++)
		free(r->symbols[i].name);
	free(r->symbols);
	free(r->errors);
	drop_code(r);
	memset(r, 0, sizeof(*r));
}

const struct gcn_asm_symbol *gcn_asm_find_symbol(const struct gcn_asm_result *r, const char *name)
{
	for (size_t i = 0; i < r->symbol_count; i++)
		if (!strcmp(r->symbols[i].name, name))
			return &r->symbols[i];
	return NULL;
}

int gcn_asm_format_error(const struct gcn_asm_error *e, const char *file, char *buf, size_t size)
{
	return snprintf(buf, size, "%s:%u:%u: error: %s%s%s%s%s%s", file, e->line, e->column, e->what,
		*e->found ? "; found " : "", e->found, *e->expected ? "; expected " : "", e->expected, "");
}

bool gcn_find_cpu(const char *name, enum gcn_gen *gen)
{
	static const struct { const char *name; uint8_t gen; } cpus[] = {
		{ "gfx600", GCN_GFX6 }, { "gfx601", GCN_GFX6 }, { "gfx602", GCN_GFX6 }, { "tahiti", GCN_GFX6 },
		{ "pitcairn", GCN_GFX6 }, { "verde", GCN_GFX6 }, { "oland", GCN_GFX6 }, { "hainan", GCN_GFX6 },
		{ "gfx700", GCN_GFX7 }, { "gfx701", GCN_GFX7 }, { "gfx702", GCN_GFX7 }, { "gfx703", GCN_GFX7 },
		{ "gfx704", GCN_GFX7 }, { "kaveri", GCN_GFX7 }, { "hawaii", GCN_GFX7 }, { "kabini", GCN_GFX7 },
		{ "mullins", GCN_GFX7 }, { "bonaire", GCN_GFX7 },
		{ "gfx802", GCN_GFX8 }, { "gfx803", GCN_GFX8 }, { "iceland", GCN_GFX8 }, { "tonga", GCN_GFX8 },
		{ "fiji", GCN_GFX8 }, { "polaris10", GCN_GFX8 }, { "polaris11", GCN_GFX8 },
		{ "gfx900", GCN_GFX9 },
	};
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		if (!strcmp(cpus[i].name, name)) {
			*gen = (enum gcn_gen)cpus[i].gen;
			return true;
		}
	return false;
}
