/* SPDX-License-Identifier: MIT */
/* Test support: a SPIR-V module that does one instruction on numbers.  Invocation i reads operand k
 * from words 6 i + 2 k and 6 i + 2 k + 1 of buffer 0, its lower bits first, and writes its result
 * to words 2 i and 2 i + 1 of buffer 1, zeros above. */
#ifndef BACK_MODULE_H
#define BACK_MODULE_H

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct number_type { char kind; uint8_t bits; }; /* 'f' float, 'i' integer, 'b' bool */
struct number_op {
	bool glsl;              /* of GLSL.std.450 */
	uint16_t op;
	uint8_t operands;
	struct number_type in[3], out;
	int8_t member;          /* of a result that is a struct of `out` and `second`; -1: no struct */
	struct number_type second;
	int8_t rounding;        /* FPRoundingMode, -1: none */
};
/* By width: 16, 32, 64. */
struct number_mode { bool to_zero[3], flush[3]; };
static inline unsigned width_index(unsigned bits) { return bits == 16 ? 0 : bits == 32 ? 1 : 2; }

enum { MODULE_WORDS = 1024 };
struct section { uint32_t w[MODULE_WORDS]; unsigned n; };
struct builder {
	struct section head, decorations, types, code;
	uint32_t next, type_ids[3][65], u32, vector2, glsl;
	uint32_t constants[16];
};

static inline void put(struct section *s, uint32_t op, unsigned n, const uint32_t *w)
{
	s->w[s->n++] = (n + 1) << 16 | op;
	memcpy(s->w + s->n, w, n * 4);
	s->n += n;
}
#define PUT(s, op, ...) \
	put(s, op, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, (uint32_t[]){ __VA_ARGS__ })

static inline uint32_t type_id(struct builder *b, struct number_type t)
{
	uint32_t *id = &b->type_ids[t.kind == 'f' ? 0 : t.kind == 'i' ? 1 : 2][t.kind == 'b' ? 0 : t.bits];
	if (*id)
		return *id;
	*id = b->next++;
	if (t.kind == 'f')
		PUT(&b->types, SpvOpTypeFloat, *id, t.bits);
	else if (t.kind == 'i')
		PUT(&b->types, SpvOpTypeInt, *id, t.bits, 0);
	else
		PUT(&b->types, SpvOpTypeBool, *id);
	return *id;
}

static inline uint32_t constant(struct builder *b, uint32_t value) /* below 16 */
{
	if (!b->constants[value]) {
		b->constants[value] = b->next++;
		PUT(&b->types, SpvOpConstant, b->u32, b->constants[value], value);
	}
	return b->constants[value];
}

static inline uint32_t result2(struct builder *b, uint32_t op, uint32_t type, uint32_t x, uint32_t y)
{
	uint32_t id = b->next++;
	PUT(&b->code, op, type, id, x, y);
	return id;
}
static inline uint32_t result1(struct builder *b, uint32_t op, uint32_t type, uint32_t x)
{
	uint32_t id = b->next++;
	PUT(&b->code, op, type, id, x);
	return id;
}

/* A pointer to a word of one of the buffers. */
static inline uint32_t word_at(struct builder *b, uint32_t pointer, uint32_t buffer, uint32_t first, uint32_t word)
{
	uint32_t id = b->next++, at = result2(b, SpvOpIAdd, b->u32, first, constant(b, word));
	PUT(&b->code, SpvOpAccessChain, pointer, id, buffer, constant(b, 0), at);
	return id;
}

static inline uint32_t load_operand(struct builder *b, struct number_type t, uint32_t pointer, uint32_t buffer,
	uint32_t first, uint32_t k)
{
	uint32_t low = result1(b, SpvOpLoad, b->u32, word_at(b, pointer, buffer, first, 2 * k));
	if (t.kind == 'b')
		return result2(b, SpvOpINotEqual, type_id(b, t), low, constant(b, 0));
	struct number_type integer = { 'i', t.bits };
	if (t.bits == 64) {
		uint32_t high = result1(b, SpvOpLoad, b->u32, word_at(b, pointer, buffer, first, 2 * k + 1));
		uint32_t pair = result2(b, SpvOpCompositeConstruct, b->vector2, low, high);
		return result1(b, SpvOpBitcast, type_id(b, t), pair);
	}
	if (t.bits < 32)
		low = result1(b, SpvOpUConvert, type_id(b, integer), low);
	return t.kind == 'f' ? result1(b, SpvOpBitcast, type_id(b, t), low) : low;
}

static inline void store_result(struct builder *b, struct number_type t, uint32_t pointer, uint32_t buffer, uint32_t first,
	uint32_t v)
{
	uint32_t words[2] = { v, constant(b, 0) };
	struct number_type integer = { 'i', t.bits };
	if (t.kind == 'b') {
		words[0] = b->next++;
		PUT(&b->code, SpvOpSelect, b->u32, words[0], v, constant(b, 1), constant(b, 0));
	} else if (t.bits == 64) {
		uint32_t pair = result1(b, SpvOpBitcast, b->vector2, v);
		for (uint32_t i = 0; i < 2; i++)
			words[i] = result2(b, SpvOpCompositeExtract, b->u32, pair, i);
	} else {
		if (t.kind == 'f')
			words[0] = result1(b, SpvOpBitcast, type_id(b, integer), v);
		if (t.bits < 32)
			words[0] = result1(b, SpvOpUConvert, b->u32, words[0]);
	}
	for (uint32_t i = 0; i < 2; i++)
		PUT(&b->code, SpvOpStore, word_at(b, pointer, buffer, first, i), words[i]);
}

static inline void put_head(struct builder *b, const struct number_mode *m, uint32_t entry, uint32_t id)
{
	static const uint32_t capabilities[] = { SpvCapabilityShader, SpvCapabilityInt8, SpvCapabilityInt16, SpvCapabilityInt64,
		SpvCapabilityFloat16, SpvCapabilityFloat64, SpvCapabilityDenormPreserve, SpvCapabilityDenormFlushToZero,
		SpvCapabilityRoundingModeRTE, SpvCapabilityRoundingModeRTZ };
	for (unsigned i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++)
		PUT(&b->head, SpvOpCapability, capabilities[i]);
	static const char glsl[16] = "GLSL.std.450", name[8] = "main";
	uint32_t w[8] = { b->glsl };
	memcpy(w + 1, glsl, 16);
	put(&b->head, SpvOpExtInstImport, 5, w);
	PUT(&b->head, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
	uint32_t e[5] = { SpvExecutionModelGLCompute, entry, 0, 0, id };
	memcpy(e + 2, name, 8);
	put(&b->head, SpvOpEntryPoint, 5, e);
	PUT(&b->head, SpvOpExecutionMode, entry, SpvExecutionModeLocalSize, 64, 1, 1);
	for (uint32_t i = 0; i < 3; i++) {
		PUT(&b->head, SpvOpExecutionMode, entry, m->to_zero[i] ? SpvExecutionModeRoundingModeRTZ :
			SpvExecutionModeRoundingModeRTE, 16u << i);
		PUT(&b->head, SpvOpExecutionMode, entry, m->flush[i] ? SpvExecutionModeDenormFlushToZero :
			SpvExecutionModeDenormPreserve, 16u << i);
	}
}

static inline uint32_t put_operation(struct builder *b, const struct number_op *op, const uint32_t v[3])
{
	uint32_t w[8], n = 0, type = type_id(b, op->out), id;
	if (op->member >= 0) {
		uint32_t second = type_id(b, op->second), made = b->next++;
		PUT(&b->types, SpvOpTypeStruct, made, type, second);
		type = made;
	}
	w[n++] = type;
	w[n++] = id = b->next++;
	if (op->glsl) {
		w[n++] = b->glsl;
		w[n++] = op->op;
	}
	for (unsigned k = 0; k < op->operands; k++)
		w[n++] = v[k];
	put(&b->code, op->glsl ? SpvOpExtInst : op->op, n, w);
	if (op->rounding >= 0)
		PUT(&b->decorations, SpvOpDecorate, id, SpvDecorationFPRoundingMode, (uint32_t)op->rounding);
	return op->member < 0 ? id : result2(b, SpvOpCompositeExtract, type_id(b, op->member ? op->second : op->out), id,
		(uint32_t)op->member);
}

/* The number of words. */
static inline unsigned back_module(const struct number_op *op, const struct number_mode *mode, uint32_t words[4 * MODULE_WORDS])
{
	static struct builder b;
	memset(&b, 0, sizeof b);
	b.next = 1;
	uint32_t entry = b.next++, gid = b.next++, void_ = b.next++, fn = b.next++, v3 = b.next++, v3p = b.next++;
	uint32_t array = b.next++, block = b.next++, blockp = b.next++, wordp = b.next++, buffer[2] = { b.next, b.next + 1 };
	b.next += 2;
	b.glsl = b.next++;
	put_head(&b, mode, entry, gid);
	PUT(&b.decorations, SpvOpDecorate, gid, SpvDecorationBuiltIn, SpvBuiltInGlobalInvocationId);
	PUT(&b.decorations, SpvOpDecorate, array, SpvDecorationArrayStride, 4);
	PUT(&b.decorations, SpvOpDecorate, block, SpvDecorationBlock);
	PUT(&b.decorations, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
	for (uint32_t i = 0; i < 2; i++) {
		PUT(&b.decorations, SpvOpDecorate, buffer[i], SpvDecorationDescriptorSet, 0);
		PUT(&b.decorations, SpvOpDecorate, buffer[i], SpvDecorationBinding, i);
	}
	b.u32 = type_id(&b, (struct number_type){ 'i', 32 });
	b.vector2 = b.next++;
	PUT(&b.types, SpvOpTypeVector, b.vector2, b.u32, 2);
	PUT(&b.types, SpvOpTypeVoid, void_);
	PUT(&b.types, SpvOpTypeFunction, fn, void_);
	PUT(&b.types, SpvOpTypeVector, v3, b.u32, 3);
	PUT(&b.types, SpvOpTypePointer, v3p, SpvStorageClassInput, v3);
	PUT(&b.types, SpvOpTypeRuntimeArray, array, b.u32);
	PUT(&b.types, SpvOpTypeStruct, block, array);
	PUT(&b.types, SpvOpTypePointer, blockp, SpvStorageClassStorageBuffer, block);
	PUT(&b.types, SpvOpTypePointer, wordp, SpvStorageClassStorageBuffer, b.u32);
	PUT(&b.types, SpvOpVariable, v3p, gid, SpvStorageClassInput);
	for (uint32_t i = 0; i < 2; i++)
		PUT(&b.types, SpvOpVariable, blockp, buffer[i], SpvStorageClassStorageBuffer);
	PUT(&b.code, SpvOpFunction, void_, entry, 0, fn);
	PUT(&b.code, SpvOpLabel, b.next++);
	uint32_t at = result2(&b, SpvOpCompositeExtract, b.u32, result1(&b, SpvOpLoad, v3, gid), 0), v[3];
	uint32_t first = result2(&b, SpvOpIMul, b.u32, at, constant(&b, 6));
	for (uint32_t k = 0; k < op->operands; k++)
		v[k] = load_operand(&b, op->in[k], wordp, buffer[0], first, k);
	uint32_t out = put_operation(&b, op, v);
	store_result(&b, op->member > 0 ? op->second : op->out, wordp, buffer[1],
		result2(&b, SpvOpIMul, b.u32, at, constant(&b, 2)), out);
	put(&b.code, SpvOpReturn, 0, &at);
	put(&b.code, SpvOpFunctionEnd, 0, &at);
	const struct section *parts[] = { &b.head, &b.decorations, &b.types, &b.code };
	unsigned n = 5;
	memcpy(words, (uint32_t[]){ SpvMagicNumber, 0x10500, 0, b.next, 0 }, 20);
	for (unsigned i = 0; i < 4; i++) {
		memcpy(words + n, parts[i]->w, parts[i]->n * 4);
		n += parts[i]->n;
	}
	return n;
}

#endif
