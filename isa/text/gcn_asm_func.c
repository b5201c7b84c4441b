/* SPDX-License-Identifier: MIT */
/* Operands that are written as functions: wait counters, hardware registers,
 * messages, index modes. */
#include "isa/text/gcn_asm_priv.h"
#include "isa/text/gcn_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(const struct asm_token *t, const char *name)
{
	return t->kind == ASM_IDENT && strlen(name) == t->length && !memcmp(name, t->text, t->length);
}

/* A name of the table, or a number of low..high. */
static bool name_or_number(struct asm_ctx *ctx, const struct isa_name *names, const char *what,
	int64_t high, int64_t *value)
{
	struct asm_token t = ctx->lx.token;
	for (const struct isa_name *n = names; n->name; n++) {
		if (!same(&t, n->name))
			continue;
		if (!(n->gens >> ctx->gen & 1)) {
			bool other = false; /* the same name with another number */
			for (const struct isa_name *m = n + 1; m->name; m++)
				other |= same(&t, m->name) && m->gens >> ctx->gen & 1;
			if (other)
				continue;
			return asm_error(ctx, &t, "", "%s has no such %s", asm_gen_name(ctx->gen), what);
		}
		asm_next(&ctx->lx);
		*value = n->value;
		return true;
	}
	return asm_in_range(ctx, what, 0, high, value);
}

static bool at_call(const struct asm_lexer *lx, const char *name)
{
	struct asm_lexer after = *lx;
	if (!asm_is_name(lx, name))
		return false;
	asm_next(&after);
	return asm_is(&after, '(');
}

static bool plain_immediate(struct asm_ctx *ctx, int32_t *imm, int64_t low)
{
	int64_t value;
	if (!asm_in_range(ctx, "the immediate", low, 0xffff, &value))
		return false;
	*imm = (int16_t)value;
	return true;
}

/* --- s_waitcnt --- */

static unsigned counter_limit(enum gcn_gen gen, unsigned counter)
{
	const struct gcn_waitcnt_field *f = gcn_waitcnt_layout(gen, (enum gcn_wait_counter)counter);
	return (1u << (f->width + f->high_width)) - 1;
}

static void set_counter(enum gcn_gen gen, uint32_t *imm, unsigned counter, unsigned value)
{
	const struct gcn_waitcnt_field *f = gcn_waitcnt_layout(gen, (enum gcn_wait_counter)counter);
	uint32_t low = (1u << f->width) - 1, high = (1u << f->high_width) - 1;
	*imm &= ~(low << f->low | high << f->high_low);
	*imm |= (value & low) << f->low | (value >> f->width & high) << f->high_low;
}

static bool wait_counter(struct asm_ctx *ctx, uint32_t *imm)
{
	static const char *const names[GCN_WAIT_COUNT] = { "vmcnt", "expcnt", "lgkmcnt" };
	struct asm_token t = ctx->lx.token, plain = t;
	bool saturate = t.length > 4 && !memcmp(t.text + t.length - 4, "_sat", 4);
	unsigned which = 0;
	int64_t value;
	plain.length -= saturate ? 4 : 0;
	while (which < GCN_WAIT_COUNT && !same(&plain, names[which]))
		which++;
	if (which == GCN_WAIT_COUNT)
		return asm_expected(ctx, "vmcnt, expcnt or lgkmcnt");
	int64_t limit = counter_limit(ctx->gen, which);
	asm_next(&ctx->lx);
	if (!asm_want(ctx, '(') || !asm_in_range(ctx, "the count", 0, saturate ? INT64_MAX : limit, &value))
		return false;
	set_counter(ctx->gen, imm, which, (unsigned)(value > limit ? limit : value));
	return asm_want(ctx, ')');
}

bool asm_waitcnt(struct asm_ctx *ctx, int32_t *imm)
{
	struct asm_lexer after = ctx->lx;
	uint32_t bits = 0;
	asm_next(&after);
	if (ctx->lx.token.kind != ASM_IDENT || !asm_is(&after, '('))
		return plain_immediate(ctx, imm, -0x8000);
	for (unsigned i = 0; i < GCN_WAIT_COUNT; i++)
		set_counter(ctx->gen, &bits, i, counter_limit(ctx->gen, i));
	do {
		if (!wait_counter(ctx, &bits))
			return false;
		if ((asm_skip(&ctx->lx, '&') || asm_skip(&ctx->lx, ',')) && asm_at_end(&ctx->lx))
			return asm_expected(ctx, "vmcnt, expcnt or lgkmcnt");
	} while (!asm_at_end(&ctx->lx));
	*imm = (int16_t)bits;
	return true;
}

/* --- hwreg, sendmsg, gpr_idx --- */

/* {id: 1, offset: 2, size: 3}; what is left out is 0, 0 and 32. */
static bool hwreg_struct(struct asm_ctx *ctx, int64_t v[3])
{
	static const char *const keys[] = { "id", "offset", "size" };
	asm_next(&ctx->lx);
	do {
		unsigned k = 0;
		while (k < 3 && !asm_is_name(&ctx->lx, keys[k]))
			k++;
		if (k == 3)
			return asm_expected(ctx, "id, offset or size");
		asm_next(&ctx->lx);
		if (!asm_want(ctx, ':'))
			return false;
		if (k == 0 ? !name_or_number(ctx, isa_hwregs, "hardware register", 63, &v[0]) :
				!asm_in_range(ctx, keys[k], k == 2, k == 2 ? 32 : 31, &v[k]))
			return false;
	} while (asm_skip(&ctx->lx, ','));
	return asm_want(ctx, '}');
}

static bool hwreg_call(struct asm_ctx *ctx, int64_t v[3])
{
	asm_next(&ctx->lx);
	asm_next(&ctx->lx);
	if (!name_or_number(ctx, isa_hwregs, "hardware register", 63, &v[0]))
		return false;
	if (asm_skip(&ctx->lx, ',') && (!asm_in_range(ctx, "the bit offset", 0, 31, &v[1]) ||
			!asm_want(ctx, ',') || !asm_in_range(ctx, "the bit width", 1, 32, &v[2])))
		return false;
	return asm_want(ctx, ')');
}

bool asm_hwreg(struct asm_ctx *ctx, int32_t *imm)
{
	int64_t v[3] = { 0, 0, 32 };
	if (asm_is(&ctx->lx, '{')) {
		if (!hwreg_struct(ctx, v))
			return false;
	} else if (at_call(&ctx->lx, "hwreg")) {
		if (!hwreg_call(ctx, v))
			return false;
	} else {
		return plain_immediate(ctx, imm, 0);
	}
	*imm = (int16_t)(v[0] | v[1] << 6 | (v[2] - 1) << 11);
	return true;
}

/* The rules of isa_check_message bind where there are names; numbers pass. */
/* sendmsg(message[, operation[, stream]]) */
bool asm_sendmsg(struct asm_ctx *ctx, int32_t *imm)
{
	struct asm_token start = ctx->lx.token;
	int64_t message, operation = 0, stream = 0;
	if (!at_call(&ctx->lx, "sendmsg"))
		return plain_immediate(ctx, imm, 0);
	asm_next(&ctx->lx);
	asm_next(&ctx->lx);
	bool named = ctx->lx.token.kind == ASM_IDENT;
	if (!name_or_number(ctx, isa_messages, "message", 15, &message))
		return false;
	bool has_operation = asm_skip(&ctx->lx, ','), has_stream = false;
	if (has_operation) {
		named |= ctx->lx.token.kind == ASM_IDENT;
		if (!name_or_number(ctx, message == 15 ? isa_system_operations : isa_gs_operations, "operation", 7, &operation))
			return false;
		has_stream = asm_skip(&ctx->lx, ',');
		if (has_stream && !asm_in_range(ctx, "the stream", 0, 3, &stream))
			return false;
	}
	const char *why = named ? isa_check_message((unsigned)message, (unsigned)operation, has_operation, has_stream) : NULL;
	if (why)
		return asm_error(ctx, &start, "", "%s", why);
	*imm = (int32_t)(message | operation << 4 | stream << 8);
	return asm_want(ctx, ')');
}

bool asm_gpr_idx(struct asm_ctx *ctx, int32_t *imm)
{
	int64_t value = 0;
	*imm = 0;
	if (!at_call(&ctx->lx, "gpr_idx")) {
		if (!asm_in_range(ctx, "the index mode", 0, 15, &value))
			return false;
		*imm = (int32_t)value;
		return true;
	}
	asm_next(&ctx->lx);
	asm_next(&ctx->lx);
	if (asm_skip(&ctx->lx, ')'))
		return true;
	do {
		const struct isa_name *m = isa_gpr_idx_modes;
		while (m->name && !same(&ctx->lx.token, m->name))
			m++;
		if (!m->name)
			return asm_expected(ctx, "SRC0, SRC1, SRC2 or DST");
		if (*imm >> m->value & 1)
			return asm_error(ctx, &ctx->lx.token, "", "the mode is given twice");
		*imm |= 1 << m->value;
		asm_next(&ctx->lx);
	} while (asm_skip(&ctx->lx, ','));
	return asm_want(ctx, ')');
}
