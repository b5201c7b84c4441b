/* SPDX-License-Identifier: MIT */
/* Words to instructions: header, shapes of operands, the table of ids; and the
 * errors and memory of the front end. */
#include "compiler/spv/spv_priv.h"

#include <stdarg.h>
#include <string.h>

/* --- errors and memory --- */

static _Noreturn void fail_with(struct spv *s, uint32_t at, enum compiler_status status, const char *format, va_list args)
{
	const char *name = at >= 5 && at < s->count ? spv_op_name(s->words[at] & 0xffff) : "header";
	int n = snprintf(s->message, s->message_size, "word %u: %s: ", at, name);
	if (n >= 0 && (size_t)n < s->message_size)
		vsnprintf(s->message + n, s->message_size - (size_t)n, format, args);
	s->status = status;
	longjmp(s->fail, 1);
}

void spv_fail(struct spv *s, enum compiler_status status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fail_with(s, s->cur.at, status, format, args);
}

void spv_fail_at(struct spv *s, uint32_t at, enum compiler_status status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fail_with(s, at, status, format, args);
}

/* The pool has failed: says so, with the instruction at s->cur. */
void spv_fail_pool(struct spv *s)
{
	s->pool->budget->word = s->cur.at;
	s->status = spv_budget_message(s->in, s->pool->budget, s->message, s->message_size);
	longjmp(s->fail, 1);
}

void spv_charge(struct spv *s, uint64_t ticks)
{
	if (!ir_charge(s->pool, ticks))
		spv_fail_pool(s);
}

/* Zeroed. */
void *spv_alloc(struct spv *s, uint64_t count, size_t size)
{
	if (count > UINT32_MAX)
		spv_unsupported(s, "%llu objects in one array", (unsigned long long)count);
	void *p = ir_alloc(s->pool, (count ? count : 1) * size);
	if (!p || ir_pool_failed(s->pool))
		spv_fail_pool(s);
	return p;
}

/* Zeroed: what the IR refers to. */
void *spv_ir_alloc(struct spv *s, size_t size)
{
	void *p = ir_alloc(s->f->pool, size);
	if (!p || ir_pool_failed(s->f->pool))
		spv_fail_pool(s);
	return p;
}

/* --- tables --- */

static const struct spv_op_info *find_info(const struct spv_op_info *infos, unsigned count, uint32_t opcode)
{
	unsigned lo = 0, hi = count;
	while (lo < hi) {
		unsigned mid = (lo + hi) / 2;
		if (infos[mid].opcode < opcode)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < count && infos[lo].opcode == opcode ? &infos[lo] : NULL;
}

const char *spv_op_name(uint32_t opcode)
{
	const struct spv_op_info *info = find_info(spv_op_infos, spv_op_info_count, opcode);
	return info ? info->name : "unknown instruction";
}

const char *spv_enum_name(enum spv_enum_kind kind, uint32_t value)
{
	const struct spv_enum_names *e = &spv_enums[kind];
	for (unsigned i = 0; i < e->count; i++)
		if (e->names[i].value == value)
			return e->names[i].name;
	return "unknown";
}

static const char *parameters_of(char kind, uint32_t value)
{
	for (unsigned i = 0; i < spv_parameter_count; i++)
		if (spv_parameters[i].kind == kind && spv_parameters[i].value == value)
			return spv_parameters[i].operands;
	return "";
}

/* --- words --- */

struct spv_op spv_at(const struct spv *s, uint32_t at)
{
	if (at >= s->count)
		return (struct spv_op){ .at = at };
	return (struct spv_op){ s->words + at, at, (uint16_t)(s->words[at] & 0xffff), (uint16_t)(s->words[at] >> 16) };
}

struct spv_id *spv_id(struct spv *s, uint32_t id)
{
	if (id >= s->bound || !s->dense[id])
		spv_invalid(s, "id %u is not defined", id);
	return &s->ids[s->dense[id]];
}

/* A literal string at w, of at most n words: *words it takes. */
bool spv_string(struct spv *s, const uint32_t *w, uint32_t n, const char **text, uint32_t *words)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t v = w[i];
		if (!(v & 0xff) || !(v & 0xff00) || !(v & 0xff0000) || !(v & 0xff000000)) {
			*text = (const char *)w;
			*words = i + 1;
			return true;
		}
	}
	return false;
}

/* Of the type that the selector has, which stands before. */
uint32_t spv_literal_words(const struct spv *s, struct spv_op op)
{
	uint32_t id = op.w[1];
	for (int i = 0; i < 2; i++) {
		uint32_t at = id < s->bound ? s->ids[s->dense[id]].at : 0;
		struct spv_op def = spv_at(s, at);
		if (!at || def.n < 3)
			return 1;
		if (i == 1)
			return def.op == SpvOpTypeInt && def.w[2] == 64 ? 2 : 1;
		id = def.w[1];
	}
	return 1;
}

uint64_t spv_literal(struct spv_op op, uint32_t words, uint32_t i)
{
	const uint32_t *w = op.w + 3 + i * (words + 1);
	return words == 1 ? w[0] : w[0] | (uint64_t)w[1] << 32;
}

struct shape_walk { struct spv *s; struct spv_op op; uint32_t pos; bool check_ids; };

static uint32_t next_word(struct shape_walk *k)
{
	if (k->pos >= k->op.n)
		spv_invalid(k->s, "too few operands: %u words", k->op.n);
	return k->op.w[k->pos++];
}

static void walk_id(struct shape_walk *k)
{
	uint32_t id = next_word(k);
	if (id == 0 || id >= k->s->bound)
		spv_invalid(k->s, "id %u is out of the bound %u", id, k->s->bound);
	if (k->check_ids)
		spv_id(k->s, id);
}

static void walk_shape(struct shape_walk *k, const char *shape);

static void walk_masked(struct shape_walk *k, char kind)
{
	uint32_t mask = next_word(k);
	for (unsigned bit = 0; bit < 32; bit++)
		if (mask >> bit & 1)
			walk_shape(k, parameters_of(kind, 1u << bit));
}

static void walk_number(struct shape_walk *k)
{
	next_word(k);
	/* OpConstant of a 64-bit type has two words; the type's width is checked later. */
	if (k->pos < k->op.n && (k->op.op == SpvOpConstant || k->op.op == SpvOpSpecConstant))
		k->pos++;
}

static void walk_one(struct shape_walk *k, char letter)
{
	const char *text;
	uint32_t words;
	switch (letter) {
	case 't': case 'r': case 'i':
		walk_id(k);
		break;
	case 'S':
		if (!spv_string(k->s, k->op.w + k->pos, k->op.n - k->pos, &text, &words))
			spv_invalid(k->s, "a string without a terminator");
		k->pos += words;
		break;
	case 'c':
		walk_number(k);
		break;
	case 'p':
		for (uint32_t i = spv_literal_words(k->s, k->op); i > 0; i--)
			next_word(k);
		walk_id(k);
		break;
	case 'q':
		walk_id(k);
		next_word(k);
		break;
	case 'd':
		walk_id(k);
		walk_id(k);
		break;
	case 'D': case 'X': {
		uint32_t value = next_word(k);
		walk_shape(k, parameters_of(letter, value));
		break;
	}
	case 'G': case 'A': case 'L':
		walk_masked(k, letter);
		break;
	default:
		next_word(k);
	}
}

static void walk_shape(struct shape_walk *k, const char *shape)
{
	for (; *shape; shape++) {
		char letter = *shape;
		if (shape[1] == '?') {
			shape++;
			if (k->pos < k->op.n)
				walk_one(k, letter);
		} else if (shape[1] == '*') {
			shape++;
			while (k->pos < k->op.n)
				walk_one(k, letter);
		} else {
			walk_one(k, letter);
		}
	}
}

/* --- the module --- */

static void check_header(struct spv *s)
{
	if (s->count < 5)
		spv_invalid(s, "%zu words are no SPIR-V module", s->count);
	if (s->count > UINT32_MAX / 2)
		spv_unsupported(s, "the module is too big");
	if (s->words[0] != SpvMagicNumber)
		spv_invalid(s, "the magic number is 0x%08x", s->words[0]);
	uint32_t version = s->words[1];
	if (version < 0x10000 || version > 0x10600)
		spv_unsupported(s, "SPIR-V version %u.%u", version >> 16, version >> 8 & 0xff);
	s->bound = s->words[3];
	if (s->bound == 0 || s->bound > 0x3fffff)
		spv_invalid(s, "the id bound %u is not in 1..4194303", s->bound);
	if (s->words[4] != 0)
		spv_invalid(s, "the schema %u is not 0", s->words[4]);
}

static unsigned result_word(const struct spv_op_info *info)
{
	if (info->operands[0] == 'r')
		return 1;
	return info->operands[0] == 't' && info->operands[1] == 'r' ? 2 : 0;
}

unsigned spv_result_word(uint32_t opcode)
{
	const struct spv_op_info *info = find_info(spv_op_infos, spv_op_info_count, opcode);
	return info ? result_word(info) : 0;
}

static void define_ids(struct spv *s)
{
	uint32_t count = 1;
	spv_each(s, op, 5, s->count) {
		s->cur = op;
		if (op.n == 0 || op.n > s->count - op.at)
			spv_invalid(s, "%u words do not fit the module", op.n);
		const struct spv_op_info *info = find_info(spv_op_infos, spv_op_info_count, op.op);
		if (!info)
			spv_invalid(s, "opcode %u is unknown", op.op);
		unsigned r = result_word(info);
		if (!r)
			continue;
		if (op.n <= r)
			spv_invalid(s, "too few operands: %u words", op.n);
		uint32_t id = op.w[r];
		if (id == 0 || id >= s->bound)
			spv_invalid(s, "result id %u is out of the bound %u", id, s->bound);
		if (s->dense[id])
			spv_invalid(s, "result id %u is defined twice", id);
		s->dense[id] = count++;
	}
	s->ids = spv_alloc(s, count, sizeof *s->ids);
	s->id_count = count;
}

/* Names and decorations may speak of ids that were optimised away. */
static bool refers_loosely(uint32_t op)
{
	return op == SpvOpName || op == SpvOpMemberName || op == SpvOpDecorate || op == SpvOpMemberDecorate ||
		op == SpvOpGroupDecorate || op == SpvOpGroupMemberDecorate || op == SpvOpDecorateId ||
		op == SpvOpDecorateString || op == SpvOpMemberDecorateString || op == SpvOpEntryPoint;
}

void spv_parse(struct spv *s)
{
	check_header(s);
	s->dense = spv_alloc(s, s->bound, sizeof *s->dense);
	define_ids(s);
	s->functions = (uint32_t)s->count;
	spv_each(s, op, 5, s->count) {
		s->cur = op;
		spv_charge(s, 1 + op.n / 16);
		const struct spv_op_info *info = find_info(spv_op_infos, spv_op_info_count, op.op);
		struct shape_walk k = { s, op, 1, !refers_loosely(op.op) };
		walk_shape(&k, info->operands);
		if (k.pos != op.n)
			spv_invalid(s, "%u words where %u are expected", op.n, k.pos);
		unsigned r = result_word(info);
		if (r) {
			struct spv_id *id = spv_id(s, op.w[r]);
			id->id = op.w[r];
			id->at = op.at;
			id->op = op.op;
		}
		if (op.op == SpvOpFunction && s->functions == s->count)
			s->functions = op.at;
	}
}
