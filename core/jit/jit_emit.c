/* SPDX-License-Identifier: MIT */
#include "core/jit/jit_emit.h"

#include <stdlib.h>
#include <string.h>

void jit_x_init(struct jit_x_buf *b, struct jit_x_forms *forms)
{
	memset(b, 0, sizeof(*b));
	b->forms = forms;
	b->request.machine_mode = ZYDIS_MACHINE_MODE_LONG_64;
}

void jit_x_free(struct jit_x_buf *b)
{
	free(b->code);
	free(b->labels);
	free(b->fixes);
	free(b->dwords);
	free(b->vectors);
	free(b->said);
}

/* Room for one more element; false and b->failed without memory. */
static bool grow(struct jit_x_buf *b, void **array, size_t count, size_t *cap, size_t each)
{
	if (count < *cap)
		return true;
	size_t more = *cap ? *cap * 2 : 256;
	void *p = realloc(*array, more * each);
	if (!p) {
		b->failed = "no memory";
		return false;
	}
	*array = p;
	*cap = more;
	return true;
}
#define GROW(b, array, count, cap_) ({ \
	size_t cap = (size_t)(cap_); \
	void *p = (array); \
	bool ok = grow(b, &p, (size_t)(count), &cap, sizeof(*(array))); \
	(array) = p; \
	(cap_) = (__typeof__(cap_))cap; \
	ok; })

void jit_x_reserve(struct jit_x_buf *b, size_t bytes)
{
	uint8_t *code = bytes > b->cap ? realloc(b->code, bytes) : NULL;
	if (code) {
		b->code = code;
		b->cap = bytes;
	}
}

int jit_x_label(struct jit_x_buf *b)
{
	if (!GROW(b, b->labels, b->label_count, b->label_cap))
		return 0;
	b->labels[b->label_count] = -1;
	return b->label_count++;
}

static void hear(struct jit_x_buf *b, const struct jit_x_said *said)
{
	if (b->listens && GROW(b, b->said, b->said_count, b->said_cap))
		b->said[b->said_count++] = *said;
}

void jit_x_bind(struct jit_x_buf *b, int label)
{
	hear(b, &(struct jit_x_said){ .label = label, .bind = true });
	if (label < b->label_count)
		b->labels[label] = (int64_t)b->n;
}

int32_t jit_x_dword(struct jit_x_buf *b, uint32_t value)
{
	uint32_t h = (value * 2654435761u) >> 24;
	for (; b->hash[h]; h = (h + 1) & 255)
		if (b->dwords[b->hash[h] - 1] == value)
			return 4 * (b->hash[h] - 1);
	if (!GROW(b, b->dwords, b->dword_count, b->dword_cap))
		return 0;
	/* A crowded table is not extended: a constant may then occur twice. */
	if (b->dword_count < 192)
		b->hash[h] = (uint16_t)(b->dword_count + 1);
	b->dwords[b->dword_count] = value;
	return (int32_t)(4 * b->dword_count++);
}

int32_t jit_x_vector(struct jit_x_buf *b, const void *bytes)
{
	uint32_t i = 0;
	uint64_t first, at;
	for (memcpy(&first, bytes, 8); i < b->vector_count; i++) {
		memcpy(&at, b->vectors[i], 8);
		if (at == first && !memcmp(b->vectors[i], bytes, 64))
			break;
	}
	if (i == b->vector_count) {
		if (!GROW(b, b->vectors, b->vector_count, b->vector_cap))
			return 0;
		memcpy(b->vectors[b->vector_count++], bytes, 64);
	}
	return -64 * (int32_t)(i + 1);
}

static ZydisBroadcastMode broadcast_mode(unsigned elements)
{
	return elements == 16 ? ZYDIS_BROADCAST_MODE_1_TO_16
		: elements == 8 ? ZYDIS_BROADCAST_MODE_1_TO_8 : ZYDIS_BROADCAST_MODE_INVALID;
}

static void set_operand(ZydisEncoderRequest *q, ZydisEncoderOperand *to, const struct xo *o)
{
	/* Zydis 4.0 heeds the register of an immediate, too. */
	memset(to, 0, sizeof(*to));
	switch (o->kind) {
	case XO_REG:
		to->type = ZYDIS_OPERAND_TYPE_REGISTER;
		to->reg.value = (ZydisRegister)o->reg;
		break;
	case XO_MEM:
		to->type = ZYDIS_OPERAND_TYPE_MEMORY;
		to->mem.base = (ZydisRegister)o->reg;
		to->mem.index = (ZydisRegister)o->index;
		to->mem.scale = o->scale;
		to->mem.displacement = o->value;
		to->mem.size = o->size;
		q->evex.broadcast = broadcast_mode(o->bcast);
		break;
	default:
		to->type = ZYDIS_OPERAND_TYPE_IMMEDIATE;
		to->imm.s = o->value;
	}
}

/* As Zydis has it, x_encode_fn. */
static size_t encode(void *context, const struct x_inst *in, uint8_t *out)
{
	ZydisEncoderRequest *q = context;
	q->mnemonic = (ZydisMnemonic)in->mnemonic;
	q->evex.broadcast = ZYDIS_BROADCAST_MODE_INVALID;
	q->evex.zeroing_mask = in->zeroing;
	unsigned k = 0;
	for (unsigned i = 0; i < in->n; i++) {
		set_operand(q, &q->operands[k++], &in->o[i]);
		if (i == 0 && in->mask >= 0) {
			q->operands[k].type = ZYDIS_OPERAND_TYPE_REGISTER;
			q->operands[k].reg.is4 = ZYAN_FALSE;
			q->operands[k++].reg.value = (ZydisRegister)(ZYDIS_REGISTER_K0 + in->mask);
		}
		/* The fourth source of a blend is encoded in an immediate. */
		if (i == 3 && in->o[i].kind == XO_REG && in->mask < 0)
			q->operands[k - 1].reg.is4 = ZYAN_TRUE;
	}
	if (in->jump)
		set_operand(q, &q->operands[k++], &(struct xo){ .kind = XO_IMM });
	q->operand_count = (ZyanU8)k;
	q->branch_width = in->jump ? ZYDIS_BRANCH_WIDTH_32 : ZYDIS_BRANCH_WIDTH_NONE;
	ZyanUSize size = 15;
	if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(q, out, &size)))
		return 0;
	if (in->n && in->o[in->n - 1].rounding) /* Zydis 4.0 forgets b: L'L is the way to round */
		out[3] = (uint8_t)((out[3] & 0x9f) | in->o[in->n - 1].rounding << 5 | 0x10);
	return size;
}

static void add(struct jit_x_buf *b, const struct x_inst *in)
{
	if (b->failed || (b->n + X_ROOM > b->cap && !GROW(b, b->code, b->n + X_ROOM, b->cap)))
		return;
	size_t size = jit_x_forms_write(b->forms, in, encode, &b->request, b->code + b->n);
	if (!size)
		b->failed = ZydisMnemonicGetString((ZydisMnemonic)in->mnemonic);
	b->n += size;
	b->instructions++;
}

void jit_x_emit(struct jit_x_buf *b, ZydisMnemonic m, int mask, bool zeroing, unsigned n, const struct xo *o)
{
	add(b, &(struct x_inst){ .mnemonic = (uint16_t)m, .zeroing = zeroing, .mask = mask, .n = n, .o = o });
	if (!b->listens)
		return;
	struct jit_x_said said = { .mnemonic = (uint16_t)m, .mask = (int8_t)mask, .zeroing = zeroing, .n = (uint8_t)n, .label = -1 };
	for (unsigned i = 0; i < n; i++)
		said.o[i] = o[i];
	hear(b, &said);
}

static void fix(struct jit_x_buf *b, int label)
{
	if (GROW(b, b->fixes, b->fix_count, b->fix_cap))
		b->fixes[b->fix_count++] = (struct jit_x_fix){ (uint32_t)b->n, label };
}

void jit_x_jump(struct jit_x_buf *b, ZydisMnemonic m, int label)
{
	hear(b, &(struct jit_x_said){ .mnemonic = (uint16_t)m, .label = label });
	add(b, &(struct x_inst){ .mnemonic = (uint16_t)m, .jump = true, .mask = -1 });
	fix(b, label);
}

void jit_x_listen(struct jit_x_buf *b)
{
	b->listens = true;
	b->said_count = 0;
	b->said_labels = b->label_count;
}

/* Register r of a class that begins at `first`. */
static bool moved(uint16_t *r, unsigned first, unsigned regs)
{
	const bool low = *r >= first && *r < first + regs;
	*r = (uint16_t)(low ? *r + regs : *r);
	return low;
}
static void shift_reg(uint16_t *r, const struct jit_x_shift *s)
{
	if (*r == s->one) {
		*r = s->other;
		return;
	}
	if (!moved(r, ZYDIS_REGISTER_XMM0, s->regs) && !moved(r, ZYDIS_REGISTER_YMM0, s->regs) && !moved(r, ZYDIS_REGISTER_ZMM0, s->regs))
		moved(r, ZYDIS_REGISTER_K2, 2);
}
static void shift(struct xo *o, const struct jit_x_shift *s)
{
	if (o->kind == XO_REG)
		shift_reg(&o->reg, s);
	if (o->kind != XO_MEM)
		return;
	shift_reg(&o->index, s);
	for (unsigned i = 0; i < 4; i++)
		if (o->reg == s->bases[i])
			o->value += s->steps[i];
}

void jit_x_repeat(struct jit_x_buf *b, const struct jit_x_shift *s)
{
	const int own = b->said_labels, behind = b->label_count;
	b->listens = false;
	for (int i = own; i < behind; i++)
		jit_x_label(b);
	for (size_t i = 0; i < b->said_count; i++) {
		struct jit_x_said *said = &b->said[i];
		if (said->label >= 0 && said->label < own)
			b->failed = "a jump out of what is said twice";
		for (unsigned k = 0; k < said->n; k++)
			shift(&said->o[k], s);
		uint16_t mask = (uint16_t)(ZYDIS_REGISTER_K0 + said->mask);
		moved(&mask, ZYDIS_REGISTER_K2, 2);
		if (said->bind)
			jit_x_bind(b, said->label - own + behind);
		else if (said->label >= 0)
			jit_x_jump(b, (ZydisMnemonic)said->mnemonic, said->label - own + behind);
		else
			jit_x_emit(b, (ZydisMnemonic)said->mnemonic, said->mask < 0 ? -1 : mask - ZYDIS_REGISTER_K0, said->zeroing, said->n, said->o);
	}
}

void jit_x_lea_label(struct jit_x_buf *b, uint16_t reg, int label)
{
	X(b, LEA, jit_x_reg(reg), jit_x_mem(ZYDIS_REGISTER_RIP, 0x10000, 8));
	fix(b, label);
}

void jit_x_finish(struct jit_x_buf *b, int pool_label)
{
	size_t vectors = 64 * (size_t)b->vector_count, dwords = 4 * (size_t)b->dword_count;
	size_t at = (b->n + 63) & ~(size_t)63, total = at + vectors + dwords;
	uint8_t *code = b->failed ? NULL : realloc(b->code, total);
	if (!code) {
		b->failed = b->failed ? b->failed : "no memory";
		return;
	}
	b->code = code;
	memset(code + b->n, 0, at - b->n);
	for (uint32_t i = 0; i < b->vector_count; i++)
		memcpy(code + at + vectors - 64 * (size_t)(i + 1), b->vectors[i], 64);
	if (dwords)
		memcpy(code + at + vectors, b->dwords, dwords);
	b->cap = total;
	b->labels[pool_label] = (int64_t)(at + vectors);
	for (size_t i = 0; i < b->fix_count; i++) {
		if (b->labels[b->fixes[i].label] < 0)
			b->failed = "a jump to a label that is nowhere"; /* our bug: better no code */
		int32_t rel = (int32_t)(b->labels[b->fixes[i].label] - (int64_t)b->fixes[i].end);
		memcpy(code + b->fixes[i].end - 4, &rel, 4);
	}
}
