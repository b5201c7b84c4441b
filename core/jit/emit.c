#include "core/jit/emit.h"

#include <stdlib.h>
#include <string.h>

void x_init(struct x_buf *b)
{
	memset(b, 0, sizeof(*b));
	b->request.machine_mode = ZYDIS_MACHINE_MODE_LONG_64;
}

void x_free(struct x_buf *b)
{
	free(b->code);
	free(b->labels);
	free(b->fixes);
	free(b->dwords);
	free(b->vectors);
}

/* Room for one more element; false and b->failed without memory. */
static bool grow(struct x_buf *b, void **array, size_t count, size_t *cap, size_t each)
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

int x_label(struct x_buf *b)
{
	if (!GROW(b, b->labels, b->label_count, b->label_cap))
		return 0;
	b->labels[b->label_count] = -1;
	return b->label_count++;
}

void x_bind(struct x_buf *b, int label)
{
	if (label < b->label_count)
		b->labels[label] = (int64_t)b->n;
}

int32_t x_dword(struct x_buf *b, uint32_t value)
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

int32_t x_vector(struct x_buf *b, const void *bytes)
{
	uint32_t i = 0;
	while (i < b->vector_count && memcmp(b->vectors[i], bytes, 64))
		i++;
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
	switch (o->kind) {
	case XO_REG:
		to->type = ZYDIS_OPERAND_TYPE_REGISTER;
		to->reg.value = (ZydisRegister)o->reg;
		to->reg.is4 = ZYAN_FALSE;
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

void x_emit(struct x_buf *b, ZydisMnemonic m, int mask, bool zeroing, unsigned n, const struct xo *o)
{
	ZydisEncoderRequest *q = &b->request;
	if (b->failed || (b->n + 16 > b->cap && !GROW(b, b->code, b->n + 15, b->cap)))
		return;
	q->mnemonic = m;
	q->evex.broadcast = ZYDIS_BROADCAST_MODE_INVALID;
	q->evex.zeroing_mask = zeroing;
	unsigned k = 0;
	for (unsigned i = 0; i < n; i++) {
		set_operand(q, &q->operands[k++], &o[i]);
		if (i == 0 && mask >= 0) {
			q->operands[k].type = ZYDIS_OPERAND_TYPE_REGISTER;
			q->operands[k].reg.is4 = ZYAN_FALSE;
			q->operands[k++].reg.value = (ZydisRegister)(ZYDIS_REGISTER_K0 + mask);
		}
		/* The fourth source of a blend is encoded in an immediate. */
		if (i == 3 && o[i].kind == XO_REG && mask < 0)
			q->operands[k - 1].reg.is4 = ZYAN_TRUE;
	}
	q->operand_count = (ZyanU8)k;
	q->branch_width = ZYDIS_BRANCH_WIDTH_NONE;
	ZyanUSize size = b->cap - b->n;
	if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(q, b->code + b->n, &size)))
		b->failed = ZydisMnemonicGetString(m);
	else
		b->n += size;
	b->instructions++;
}

static void fix(struct x_buf *b, int label)
{
	if (GROW(b, b->fixes, b->fix_count, b->fix_cap))
		b->fixes[b->fix_count++] = (struct x_fix){ (uint32_t)b->n, label };
}

void x_jump(struct x_buf *b, ZydisMnemonic m, int label)
{
	ZydisEncoderRequest *q = &b->request;
	if (b->failed || (b->n + 16 > b->cap && !GROW(b, b->code, b->n + 15, b->cap)))
		return;
	struct xo to = x_imm(0);
	q->mnemonic = m;
	q->evex.broadcast = ZYDIS_BROADCAST_MODE_INVALID;
	q->evex.zeroing_mask = ZYAN_FALSE;
	set_operand(q, &q->operands[0], &to);
	q->operand_count = 1;
	q->branch_width = ZYDIS_BRANCH_WIDTH_32;
	ZyanUSize size = b->cap - b->n;
	if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(q, b->code + b->n, &size)))
		b->failed = ZydisMnemonicGetString(m);
	b->n += size;
	b->instructions++;
	fix(b, label);
}

void x_lea_label(struct x_buf *b, uint16_t reg, int label)
{
	X(b, LEA, x_reg(reg), x_mem(ZYDIS_REGISTER_RIP, 0x10000, 8));
	fix(b, label);
}

void x_finish(struct x_buf *b, int pool_label)
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
		int32_t rel = (int32_t)(b->labels[b->fixes[i].label] - (int64_t)b->fixes[i].end);
		memcpy(code + b->fixes[i].end - 4, &rel, 4);
	}
}
