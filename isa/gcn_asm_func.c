/* Operands that are written as functions: wait counters, hardware registers,
 * messages, index modes. */
#include "isa/gcn_asm_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name { const char *name; uint8_t value, gens; };

#define ALL 15
#define FROM(gen) (ALL & ~((1u << GCN_GFX##gen) - 1))
#define UPTO(gen) ((2u << GCN_GFX##gen) - 1)

static bool same(const struct asm_token *t, const char *name)
{
	return t->kind == ASM_IDENT && strlen(name) == t->length && !memcmp(name, t->text, t->length);
}

/* A name of the table, or a number of low..high. */
static bool name_or_number(struct asm_ctx *ctx, const struct name *names, const char *what,
	int64_t high, int64_t *value)
{
	struct asm_token t = ctx->lx.token;
	for (const struct name *n = names; n->name; n++) {
		if (!same(&t, n->name))
			continue;
		if (!(n->gens >> ctx->gen & 1)) {
			bool other = false; /* the same name with another number */
			for (const struct name *m = n + 1; m->name; m++)
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

static const struct name hwregs[] = {
	{ "HW_REG_MODE", 1, ALL }, { "HW_REG_STATUS", 2, ALL }, { "HW_REG_TRAPSTS", 3, ALL },
	{ "HW_REG_HW_ID", 4, ALL }, { "HW_REG_GPR_ALLOC", 5, ALL }, { "HW_REG_LDS_ALLOC", 6, ALL },
	{ "HW_REG_IB_STS", 7, ALL }, { "HW_REG_SH_MEM_BASES", 15, FROM(9) },
	{ "HW_REG_TBA_LO", 16, FROM(9) }, { "HW_REG_TBA_HI", 17, FROM(9) },
	{ "HW_REG_TMA_LO", 18, FROM(9) }, { "HW_REG_TMA_HI", 19, FROM(9) },
	{ NULL, 0, 0 },
};

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
		if (k == 0 ? !name_or_number(ctx, hwregs, "hardware register", 63, &v[0]) :
				!asm_in_range(ctx, keys[k], k == 2, k == 2 ? 32 : 31, &v[k]))
			return false;
	} while (asm_skip(&ctx->lx, ','));
	return asm_want(ctx, '}');
}

static bool hwreg_call(struct asm_ctx *ctx, int64_t v[3])
{
	asm_next(&ctx->lx);
	asm_next(&ctx->lx);
	if (!name_or_number(ctx, hwregs, "hardware register", 63, &v[0]))
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

static const struct name messages[] = {
	{ "MSG_INTERRUPT", 1, ALL }, { "MSG_GS", 2, ALL }, { "MSG_GS_DONE", 3, ALL },
	{ "MSG_SAVEWAVE", 4, FROM(8) }, { "MSG_STALL_WAVE_GEN", 5, FROM(9) },
	{ "MSG_HALT_WAVES", 6, FROM(9) }, { "MSG_ORDERED_PS_DONE", 7, FROM(9) },
	{ "MSG_EARLY_PRIM_DEALLOC", 8, FROM(9) }, { "MSG_GS_ALLOC_REQ", 9, FROM(9) },
	{ "MSG_GET_DOORBELL", 10, FROM(9) }, { "MSG_SYSMSG", 15, ALL },
	{ NULL, 0, 0 },
};
static const struct name gs_operations[] = {
	{ "GS_OP_NOP", 0, ALL }, { "GS_OP_CUT", 1, ALL }, { "GS_OP_EMIT", 2, ALL }, { "GS_OP_EMIT_CUT", 3, ALL },
	{ NULL, 0, 0 },
};
static const struct name system_operations[] = {
	{ "SYSMSG_OP_ECC_ERR_INTERRUPT", 1, ALL }, { "SYSMSG_OP_REG_RD", 2, ALL },
	{ "SYSMSG_OP_HOST_TRAP_ACK", 3, UPTO(8) }, { "SYSMSG_OP_TTRACE_PC", 4, ALL },
	{ NULL, 0, 0 },
};

/* Whether a message that was named may have this operation; the numbers of
 * others pass as they are. */
static const char *check_message(int64_t message, int64_t operation, bool has_operation, bool has_stream)
{
	bool gs = message == 2 || message == 3;
	if ((gs || message == 15) && !has_operation)
		return "the message needs an operation";
	if (!gs && message != 15 && has_operation)
		return "the message has no operations";
	if (gs && (operation > 3 || (message == 2 && !operation)))
		return "the message has no such operation";
	if (message == 15 && (!operation || operation > 4))
		return "the message has no such operation";
	return has_stream && (!gs || !operation) ? "the operation has no stream" : NULL;
}

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
	if (!name_or_number(ctx, messages, "message", 15, &message))
		return false;
	bool has_operation = asm_skip(&ctx->lx, ','), has_stream = false;
	if (has_operation) {
		named |= ctx->lx.token.kind == ASM_IDENT;
		if (!name_or_number(ctx, message == 15 ? system_operations : gs_operations, "operation", 7, &operation))
			return false;
		has_stream = asm_skip(&ctx->lx, ',');
		if (has_stream && !asm_in_range(ctx, "the stream", 0, 3, &stream))
			return false;
	}
	const char *why = named ? check_message(message, operation, has_operation, has_stream) : NULL;
	if (why)
		return asm_error(ctx, &start, "", "%s", why);
	*imm = (int32_t)(message | operation << 4 | stream << 8);
	return asm_want(ctx, ')');
}

bool asm_gpr_idx(struct asm_ctx *ctx, int32_t *imm)
{
	static const struct name modes[] = {
		{ "SRC0", 0, ALL }, { "SRC1", 1, ALL }, { "SRC2", 2, ALL }, { "DST", 3, ALL }, { NULL, 0, 0 },
	};
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
		const struct name *m = modes;
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
