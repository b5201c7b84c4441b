/* SPDX-License-Identifier: MIT */
/* Directives: symbols, alignment, data.  What only matters to a linker or a
 * debugger is read over; what would change the code's meaning and is not
 * known is refused. */
#include "isa/text/gcn_asm_priv.h"

#include <stdio.h>
#include <string.h>

enum { MAX_FILL = 1 << 24 };

static void skip_statement(struct asm_ctx *ctx)
{
	while (!asm_at_end(&ctx->lx))
		asm_next(&ctx->lx);
}

static bool want_symbol(struct asm_ctx *ctx, struct asm_token *name)
{
	*name = ctx->lx.token;
	if (name->kind != ASM_IDENT)
		return asm_expected(ctx, "a symbol");
	asm_next(&ctx->lx);
	return true;
}

static bool set(struct asm_ctx *ctx)
{
	struct asm_token name;
	return want_symbol(ctx, &name) && asm_want(ctx, ',') && asm_define_value(ctx, &name);
}

static bool globl(struct asm_ctx *ctx)
{
	struct asm_token name;
	do {
		struct asm_symbol *s;
		if (!want_symbol(ctx, &name) || !(s = asm_find_symbol(ctx, name.text, name.length, true)))
			return false;
		s->global = true;
	} while (asm_skip(&ctx->lx, ','));
	return true;
}

/* --- data --- */

static bool data(struct asm_ctx *ctx, unsigned size)
{
	while (!asm_at_end(&ctx->lx)) {
		struct asm_lexer where = ctx->lx;
		struct asm_value value;
		ctx->here = ctx->out->size;
		if (!asm_expression(ctx, &value))
			return false;
		bool later = value.unknown || value.base;
		int64_t limit = size < 8 ? (int64_t)1 << 8 * size : 0;
		if (!later && limit && (value.v < -limit / 2 || value.v >= limit))
			return asm_error(ctx, &where.token, "", "the value does not fit in %u bytes: %lld", size, (long long)value.v);
		uint64_t bytes = (uint64_t)value.v, at = ctx->out->size;
		if (!asm_emit(ctx, &bytes, size) || (later && !asm_add_fixup(ctx, ASM_FIX_DATA, size, at, &where)))
			return false;
		if (!asm_skip(&ctx->lx, ','))
			break;
	}
	return true;
}

static int escape(const char **p)
{
	switch (*(*p)++) {
	case 'n': return '\n';
	case 't': return '\t';
	case 'r': return '\r';
	case 'b': return '\b';
	case 'f': return '\f';
	case '"': return '"';
	case '\\': return '\\';
	default: break;
	}
	int value = 0, digits = 0;
	for ((*p)--; digits < 3 && **p >= '0' && **p <= '7'; digits++)
		value = value * 8 + *(*p)++ - '0';
	return digits ? value & 255 : -1;
}

static bool string(struct asm_ctx *ctx, bool terminated)
{
	do {
		struct asm_token t = ctx->lx.token;
		if (t.kind != ASM_STRING)
			return asm_expected(ctx, "a string");
		for (const char *p = t.text + 1; p < t.text + t.length - 1;) {
			int c = (unsigned char)*p++;
			if (c == '\\')
				c = escape(&p);
			unsigned char byte = (unsigned char)c;
			if (c < 0)
				return asm_error(ctx, &t, "\\n, \\t, \\\\, \\\" or an octal number", "no such escape");
			if (!asm_emit(ctx, &byte, 1))
				return false;
		}
		if (terminated && !asm_emit(ctx, "", 1))
			return false;
		asm_next(&ctx->lx);
	} while (asm_skip(&ctx->lx, ','));
	return true;
}

static bool repeat(struct asm_ctx *ctx, int64_t count, uint64_t value, unsigned size)
{
	for (int64_t i = 0; i < count; i++)
		if (!asm_emit(ctx, &value, size))
			return false;
	return true;
}

/* .fill count[, size[, value]] */
static bool fill(struct asm_ctx *ctx)
{
	int64_t count, size = 1, value = 0;
	if (!asm_in_range(ctx, "the count", 0, MAX_FILL, &count))
		return false;
	if (asm_skip(&ctx->lx, ',') && !asm_in_range(ctx, "the size", 1, 8, &size))
		return false;
	if (asm_skip(&ctx->lx, ',') && !asm_absolute(ctx, &value))
		return false;
	if (count * size > MAX_FILL)
		return asm_error(ctx, &ctx->lx.token, "", "more than %d bytes", MAX_FILL);
	return repeat(ctx, count, (uint64_t)value, (unsigned)size);
}

/* .space count[, value] */
static bool space(struct asm_ctx *ctx)
{
	int64_t count, value = 0;
	return asm_in_range(ctx, "the count", 0, MAX_FILL, &count) &&
		(!asm_skip(&ctx->lx, ',') || asm_in_range(ctx, "the value", -128, 255, &value)) &&
		repeat(ctx, count, (uint64_t)value, 1);
}

/* To a multiple of `to` bytes, with s_nop 0 where whole dwords are missing;
 * [, value[, the most to insert]] */
static bool align(struct asm_ctx *ctx, uint64_t to)
{
	int64_t value = 0, most = MAX_FILL;
	bool given = false;
	if (asm_skip(&ctx->lx, ',')) {
		given = !asm_is(&ctx->lx, ',') && !asm_at_end(&ctx->lx);
		if (given && !asm_in_range(ctx, "the value", -128, 255, &value))
			return false;
		if (asm_skip(&ctx->lx, ',') && !asm_in_range(ctx, "the limit", 0, MAX_FILL, &most))
			return false;
	}
	uint64_t missing = (to - ctx->out->size % to) % to;
	if (missing > (uint64_t)most)
		return true;
	if (given)
		return repeat(ctx, (int64_t)missing, (uint64_t)value, 1);
	const uint32_t nop = 0xbf800000;
	return repeat(ctx, missing % 4, 0, 1) && repeat(ctx, (int64_t)(missing / 4), nop, 4);
}

static bool align_directive(struct asm_ctx *ctx, bool power)
{
	struct asm_token t = ctx->lx.token;
	int64_t to;
	if (!asm_in_range(ctx, "the alignment", power ? 0 : 1, power ? 16 : 65536, &to))
		return false;
	if (!power && to & (to - 1))
		return asm_error(ctx, &t, "a power of two", "the alignment is %lld", (long long)to);
	return align(ctx, power ? (uint64_t)1 << to : (uint64_t)to);
}

/* --- sections and targets --- */

static bool section(struct asm_ctx *ctx)
{
	struct asm_token t = ctx->lx.token;
	if (t.kind != ASM_IDENT || t.length < 5 || memcmp(t.text, ".text", 5))
		return asm_error(ctx, &t, ".text", "there is one section only");
	skip_statement(ctx);
	return true;
}

/* "amdgcn-amd-amdhsa--gfx900:xnack-": the processor must be ours. */
static bool target(struct asm_ctx *ctx)
{
	struct asm_token t = ctx->lx.token;
	if (t.kind != ASM_STRING)
		return asm_expected(ctx, "a target in quotation marks");
	const char *end = t.text + t.length - 1, *cpu = t.text + 1;
	for (const char *p = cpu; p + 1 < end; p++)
		if (p[0] == '-')
			cpu = p + 1;
	char name[32];
	size_t length = 0;
	while (cpu + length < end && cpu[length] != ':' && length < sizeof(name) - 1)
		name[length] = cpu[length], length++;
	name[length] = 0;
	enum gcn_gen gen;
	if (!gcn_find_cpu(name, &gen) || gen != ctx->gen)
		return asm_error(ctx, &t, asm_gen_name(ctx->gen), "the text is for another processor");
	asm_next(&ctx->lx);
	return true;
}

static bool org(struct asm_ctx *ctx)
{
	struct asm_token t = ctx->lx.token;
	int64_t to;
	if (!asm_in_range(ctx, "the place", 0, MAX_FILL, &to))
		return false;
	if ((uint64_t)to < ctx->out->size)
		return asm_error(ctx, &t, "", ".org cannot go back");
	return repeat(ctx, to - (int64_t)ctx->out->size, 0, 1);
}

enum directive {
	D_TEXT, D_SECTION, D_GLOBL, D_SET, D_P2ALIGN, D_BALIGN, D_BYTE, D_SHORT, D_LONG, D_QUAD,
	D_ASCII, D_ASCIZ, D_FILL, D_SPACE, D_ORG, D_TARGET, D_IGNORED, D_END, D_HSA, D_MACRO,
};

static const struct { const char *name; uint8_t kind; } directives[] = {
	{ ".text", D_TEXT }, { ".section", D_SECTION }, { ".globl", D_GLOBL }, { ".global", D_GLOBL },
	{ ".set", D_SET }, { ".equ", D_SET }, { ".p2align", D_P2ALIGN }, { ".balign", D_BALIGN },
	{ ".align", D_BALIGN }, { ".byte", D_BYTE }, { ".short", D_SHORT }, { ".2byte", D_SHORT },
	{ ".hword", D_SHORT }, { ".long", D_LONG }, { ".int", D_LONG }, { ".4byte", D_LONG },
	{ ".quad", D_QUAD }, { ".8byte", D_QUAD }, { ".ascii", D_ASCII }, { ".asciz", D_ASCIZ },
	{ ".string", D_ASCIZ }, { ".fill", D_FILL }, { ".space", D_SPACE }, { ".skip", D_SPACE },
	{ ".zero", D_SPACE }, { ".org", D_ORG }, { ".amdgcn_target", D_TARGET },
	{ ".type", D_IGNORED }, { ".size", D_IGNORED }, { ".ident", D_IGNORED }, { ".file", D_IGNORED },
	{ ".loc", D_IGNORED }, { ".protected", D_IGNORED }, { ".hidden", D_IGNORED }, { ".weak", D_GLOBL },
	{ ".local", D_IGNORED }, { ".addrsig", D_IGNORED }, { ".addrsig_sym", D_IGNORED },
	{ ".cfi_startproc", D_IGNORED }, { ".cfi_endproc", D_IGNORED }, { ".cfi_sections", D_IGNORED },
	{ ".end", D_END },
	{ ".macro", D_MACRO }, { ".endm", D_MACRO }, { ".rept", D_MACRO }, { ".endr", D_MACRO }, { ".irp", D_MACRO },
	{ ".if", D_MACRO }, { ".ifdef", D_MACRO }, { ".ifndef", D_MACRO }, { ".else", D_MACRO }, { ".endif", D_MACRO },
	{ ".include", D_MACRO }, { ".incbin", D_MACRO },
	{ ".amdhsa_kernel", D_HSA }, { ".amd_kernel_code_t", D_HSA }, { ".amdgpu_metadata", D_HSA },
	{ ".amdgpu_hsa_kernel", D_HSA }, { ".amdgpu_pal_metadata", D_HSA }, { ".hsa_code_object_version", D_HSA },
};

static bool run(struct asm_ctx *ctx, enum directive kind, const struct asm_token *name)
{
	switch (kind) {
	case D_TEXT: return true;
	case D_SECTION: return section(ctx);
	case D_GLOBL: return globl(ctx);
	case D_SET: return set(ctx);
	case D_P2ALIGN: return align_directive(ctx, true);
	case D_BALIGN: return align_directive(ctx, false);
	case D_BYTE: return data(ctx, 1);
	case D_SHORT: return data(ctx, 2);
	case D_LONG: return data(ctx, 4);
	case D_QUAD: return data(ctx, 8);
	case D_ASCII: return string(ctx, false);
	case D_ASCIZ: return string(ctx, true);
	case D_FILL: return fill(ctx);
	case D_SPACE: return space(ctx);
	case D_ORG: return org(ctx);
	case D_TARGET: return target(ctx);
	case D_IGNORED: skip_statement(ctx); return true;
	case D_END:
		while (ctx->lx.token.kind != ASM_EOF)
			asm_next(&ctx->lx);
		return true;
	case D_MACRO: return asm_error(ctx, name, "", "macros, conditions and other files are not supported");
	case D_HSA: break;
	}
	return asm_error(ctx, name, "", "descriptions of HSA kernels are not supported");
}

bool asm_directive(struct asm_ctx *ctx)
{
	struct asm_token name = ctx->lx.token;
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (asm_is_name(&ctx->lx, directives[i].name)) {
			asm_next(&ctx->lx);
			return run(ctx, (enum directive)directives[i].kind, &name) &&
				(asm_at_end(&ctx->lx) || asm_expected(ctx, "the end of the statement"));
		}
	return asm_error(ctx, &name, "", "no such directive");
}
