/* SPDX-License-Identifier: MIT */
#include "ir_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOKENS = 48, MAX_NAMES = 2000, MAX_DEPTH = 32, NAME = 24 };

struct named { char name[NAME]; struct ir_inst *inst; };
/* A source of a phi, which may name what follows. */
struct later { struct ir_inst *user; unsigned source, line; char text[NAME]; };

struct reader {
	struct ir_func *f;
	struct ir_builder b;
	struct ir_block *entry;
	const struct compiler_binding *bindings;
	size_t binding_count;
	struct ir_node *open[MAX_DEPTH];
	bool second[MAX_DEPTH];              /* in else, in cont */
	unsigned depth, names, laters, line;
	struct named name[MAX_NAMES];
	struct later later[MAX_NAMES];
	bool failed;
	char *message;
	size_t size;
};

static void fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct reader *r, const char *format, ...)
{
	if (r->failed)
		return;
	r->failed = true;
	int n = snprintf(r->message, r->size, "line %u: ", r->line);
	va_list args;
	va_start(args, format);
	vsnprintf(r->message + n, r->size - (size_t)n, format, args);
	va_end(args);
}

static struct ir_inst *find(const struct reader *r, const char *name)
{
	for (unsigned i = r->names; i-- > 0;)
		if (!strcmp(r->name[i].name, name))
			return r->name[i].inst;
	return NULL;
}

/* --- sources --- */

static struct ir_src constant(struct reader *r, struct ir_builder *b, const char *text)
{
	char *end;
	unsigned bits = 32;
	if (!strcmp(text, "true") || !strcmp(text, "false"))
		return ir_bool(b, *text == 't');
	bool negative = *text == '-';
	uint64_t value = strtoull(text + negative, &end, 0);
	if (*end == '(') /* as a float */
		end = strchr(end, ')') ? strchr(end, ')') + 1 : end;
	if (*end == ':')
		bits = (unsigned)strtoul(end + 2, &end, 10);
	if (*end || end == text || !bits || bits > 64)
		fail(r, "%s is no source", text);
	return ir_const_of(b, r->failed ? 32 : bits, negative ? 0 - value : value);
}

/* %NAME[.component]; inst NULL: it is not known yet. */
static struct ir_src value(const struct reader *r, const char *text)
{
	char name[NAME];
	snprintf(name, sizeof name, "%s", text + 1);
	char *dot = strchr(name, '.');
	unsigned comp = dot ? (unsigned)atoi(dot + 1) : 0;
	if (dot)
		*dot = 0;
	return (struct ir_src){ find(r, name), (uint8_t)comp };
}

static struct ir_src source(struct reader *r, struct ir_inst *user, unsigned k, const char *text)
{
	struct ir_builder first = { r->f, r->entry, r->entry->first, 0 };
	if (*text != '%')
		return constant(r, user->op == IR_PHI ? &first : &r->b, text);
	struct ir_src v = value(r, text);
	if (!v.inst && user->op == IR_PHI && r->laters < MAX_NAMES) {
		struct later *l = &r->later[r->laters++];
		*l = (struct later){ user, k, r->line, "" };
		snprintf(l->text, sizeof l->text, "%s", text);
	} else if (!v.inst) {
		fail(r, "%s has no value here", text);
	}
	return v;
}

/* --- instructions --- */

static bool detail_binding(struct reader *r, struct ir_inst *in, const char *text)
{
	unsigned set, binding;
	if (sscanf(text, "buffer(%u,%u)", &set, &binding) != 2)
		return false;
	for (size_t i = 0; i < r->binding_count; i++)
		if (r->bindings[i].set == set && r->bindings[i].binding == binding)
			in->u.mem.binding = &r->bindings[i];
	if (!in->u.mem.binding)
		fail(r, "there is no %s", text);
	return true;
}

static bool detail_var(struct reader *r, struct ir_inst *in, const char *text)
{
	unsigned index, slot;
	const char *bracket = strchr(text, '[');
	if (sscanf(text, "var%u", &index) != 1 || !bracket || sscanf(bracket, "[%u]", &slot) != 1)
		return false;
	for (struct ir_var *v = r->f->vars; v; v = v->next)
		if (v->index == index)
			in->u.var.var = v;
	in->u.var.slot = slot;
	if (!in->u.var.var)
		fail(r, "there is no %s", text);
	return true;
}

/* "word number": tokens taken, 0: it is none of these. */
static unsigned detail_number(struct ir_inst *in, char **token)
{
	unsigned n = token[1] ? (unsigned)strtoul(token[1], NULL, !strcmp(token[0], "mask") ? 16 : 10) : 0;
	unsigned family = ir_info(in)->family;
	if (!strcmp(token[0], "atomic"))
		in->u.mem.atomic = (uint8_t)n;
	else if (!strcmp(token[0], "align"))
		in->u.mem.align = n;
	else if (family == IR_IO_OP && !strcmp(token[0], "slot"))
		in->u.io.slot = (uint8_t)n;
	else if (family == IR_IO_OP && !strcmp(token[0], "comp"))
		in->u.io.comp = (uint8_t)n;
	else if (family == IR_IO_OP && !strcmp(token[0], "mode"))
		in->u.io.mode = (uint8_t)n;
	else if (family == IR_IO_OP && !strcmp(token[0], "mask"))
		in->u.io.mask = (uint8_t)n;
	else
		return 0;
	return 2;
}

static unsigned details(struct reader *r, struct ir_inst *in, char **token)
{
	unsigned n = 0;
	for (unsigned more = 1; token[n] && more; n += more) {
		more = 0;
		if (ir_info(in)->family == IR_MEM_OP && detail_binding(r, in, token[n]))
			more = 1;
		else if (ir_info(in)->family == IR_VAR_OP && detail_var(r, in, token[n]))
			more = 1;
		else
			more = detail_number(in, token + n);
	}
	return n;
}

static enum ir_op op_of(struct reader *r, const char *name)
{
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		if (!strcmp(ir_op_infos[op].name, name))
			return (enum ir_op)op;
	fail(r, "there is no operation %s", name);
	return IR_UNDEF;
}

static void note_indirect(struct ir_inst *in)
{
	if (in->srcs > (in->op == IR_STORE_VAR))
		in->u.var.var->indirect = true;
}

static void instruction(struct reader *r, char **token)
{
	char *name = NULL;
	unsigned bits = 0, comps = 1, count = 0;
	if (**token == '%') {
		char *colon = strchr(*token, ':');
		name = *token + 1;
		if (!colon || !token[1] || strcmp(token[1], "=") || !token[2]) {
			fail(r, "expected %%NAME:iBITS = OPERATION");
			return;
		}
		*colon = 0;
		bits = (unsigned)strtoul(colon + 2, NULL, 10);
		token += 2;
	}
	if (**token == 'x' && token[1])
		comps = (unsigned)atoi(*token++ + 1);
	enum ir_op op = op_of(r, *token++);
	while (token[count])
		count++;
	struct ir_inst *in = ir_inst_new(r->f, op, bits, bits ? comps : 0, count);
	if (op == IR_CONST && count) {
		in->u.imm = strtoull(*token++, NULL, 0);
		in->srcs = 0;
	} else {
		unsigned skip = details(r, in, token);
		token += skip;
		in->srcs = (uint16_t)(count - skip);
	}
	for (unsigned k = 0; k < in->srcs && !r->failed; k++)
		in->src[k] = source(r, in, k, token[k]);
	if (ir_op_infos[op].family == IR_VAR_OP && !r->failed)
		note_indirect(in);
	ir_insert(&r->b, in);
	if (name && r->names < MAX_NAMES) {
		r->name[r->names].inst = in;
		snprintf(r->name[r->names++].name, NAME, "%s", name);
	}
}

/* --- control flow --- */

static void open_node(struct reader *r, struct ir_node *node)
{
	if (r->depth == MAX_DEPTH) {
		fail(r, "nested too deep");
		return;
	}
	r->second[r->depth] = false;
	r->open[r->depth++] = node;
}

static void close_node(struct reader *r, char **token)
{
	if (!r->depth) {
		fail(r, "nothing to close");
		return;
	}
	struct ir_node *node = r->open[r->depth - 1];
	bool more = token[1] != NULL, is_if = node->kind == IR_NODE_IF;
	if (more && (r->second[r->depth - 1] || strcmp(token[1], is_if ? "else" : "cont"))) {
		fail(r, "no place for %s", token[1]);
	} else if (more) {
		r->second[r->depth - 1] = true;
		if (is_if)
			ir_begin_else(&r->b, (struct ir_if *)node);
		else
			ir_begin_cont(&r->b, (struct ir_loop *)node);
	} else {
		r->depth--;
		if (is_if)
			ir_end_if(&r->b, (struct ir_if *)node);
		else
			ir_end_loop(&r->b, (struct ir_loop *)node);
	}
}

static void begin_if(struct reader *r, const char *text)
{
	struct ir_src cond = text && *text == '%' ? value(r, text) : ir_bool(&r->b, text && !strcmp(text, "true"));
	if (!cond.inst || cond.inst->bits != 1)
		fail(r, "the condition is no bool");
	else
		open_node(r, &ir_begin_if(&r->b, cond)->node);
}

/* "shared BYTES", "scratch BYTES" */
static void header(struct reader *r, char **token)
{
	for (; token[0] && token[1]; token += 2) {
		uint32_t bytes = (uint32_t)strtoul(token[1], NULL, 10);
		if (!strcmp(*token, "shared"))
			r->f->shared_bytes = bytes;
		else if (!strcmp(*token, "scratch"))
			r->f->scratch_bytes = bytes;
	}
}

static void statement(struct reader *r, char **token)
{
	unsigned index, bits, slots;
	const char *word = *token;
	if (sscanf(word, "var%u:b%u[%u]", &index, &bits, &slots) == 3)
		ir_var_new(r->f, bits, slots, NULL)->index = index;
	else if (!strcmp(word, "cs"))
		header(r, token + 1);
	else if (!strcmp(word, "block"))
		return;
	else if (*word == '}')
		close_node(r, token);
	else if (!strncmp(word, "if", 2))
		begin_if(r, token[1]);
	else if (!strncmp(word, "loop", 4))
		open_node(r, &ir_begin_loop(&r->b)->node);
	else if (!strcmp(word, "break") || !strcmp(word, "continue"))
		ir_jump(&r->b, *word == 'b' ? IR_JUMP_BREAK : IR_JUMP_CONTINUE);
	else
		instruction(r, token);
}

static void resolve(struct reader *r)
{
	for (unsigned i = 0; i < r->laters && !r->failed; i++) {
		struct later *l = &r->later[i];
		r->line = l->line;
		l->user->src[l->source] = value(r, l->text);
		if (!l->user->src[l->source].inst)
			fail(r, "%s has no value", l->text);
	}
}

struct ir_func *ir_text_read(struct ir_pool *pool, FILE *in, const struct compiler_binding *bindings,
	size_t binding_count, char *message, size_t size)
{
	struct reader *r = calloc(1, sizeof *r);
	char line[400], *token[MAX_TOKENS + 1];
	r->bindings = bindings;
	r->binding_count = binding_count;
	r->message = message;
	r->size = size;
	r->f = ir_func_create(pool, COMPILER_CS, &r->b);
	r->f->workgroup[0] = 64;
	r->f->workgroup[1] = r->f->workgroup[2] = 1;
	r->entry = r->b.block;
	while (!r->failed && fgets(line, sizeof line, in)) {
		unsigned n = 0;
		r->line++;
		line[strcspn(line, "#\n")] = 0;
		for (char *t = strtok(line, " \t"); t && n < MAX_TOKENS; t = strtok(NULL, " \t"))
			token[n++] = t;
		token[n] = NULL;
		if (n > 1 && !strcmp(token[n - 1], "{"))
			token[n - 1] = NULL;
		if (n)
			statement(r, token);
	}
	resolve(r);
	if (r->depth)
		fail(r, "something is open at the end");
	struct ir_func *f = r->failed ? NULL : r->f;
	free(r);
	if (f)
		ir_cfg(f);
	return f;
}
