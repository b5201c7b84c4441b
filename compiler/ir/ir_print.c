/* SPDX-License-Identifier: MIT */
/* Text of the IR, for dumps and tests. */
#include "compiler/ir/ir.h"

#include <inttypes.h>
#include <string.h>

static void indent(FILE *out, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		fputs("    ", out);
}

/* Short numbers as such, others as bits, with what they are as a float. */
static void print_const(const struct ir_inst *in, FILE *out)
{
	float f;
	uint64_t v = in->u.imm;
	uint32_t low = (uint32_t)v;
	memcpy(&f, &low, 4);
	if (in->bits == 1)
		fprintf(out, " %s", v ? "true" : "false");
	else if (v < 4096)
		fprintf(out, " %" PRIu64, v);
	else if (v > ir_ones(in->bits) - 4095)
		fprintf(out, " -%" PRIu64, ir_ones(in->bits) - v + 1);
	else if (in->bits == 32)
		fprintf(out, " 0x%08" PRIx32 "(%g)", low, (double)f);
	else
		fprintf(out, " 0x%" PRIx64, v);
	if (in->bits != 1 && in->bits != 32)
		fprintf(out, ":i%u", in->bits);
}

static void print_src(struct ir_src s, FILE *out)
{
	if (!s.inst) {
		fputs(" -", out);
	} else if (s.inst->op == IR_CONST) {
		print_const(s.inst, out);
	} else {
		fprintf(out, " %%%u", s.inst->id);
		if (s.inst->comps > 1)
			fprintf(out, ".%u", s.comp);
	}
}

static void print_binding(const char *what, const struct compiler_binding *b, FILE *out)
{
	if (b)
		fprintf(out, " %s(%u,%u)", what, b->set, b->binding);
}

static void print_var(const struct ir_inst *in, FILE *out)
{
	const struct ir_var *v = in->op == IR_COPY_VAR ? NULL : in->u.var.var;
	if (v)
		fprintf(out, " var%u%s%s[%u]", v->index, v->name ? ":" : "", v->name ? v->name : "", in->u.var.slot);
	else
		fprintf(out, " v%u[%u] = v%u[%u], %u slots", in->u.copy->to->index, in->u.copy->to_slot,
			in->u.copy->from->index, in->u.copy->from_slot, in->u.copy->count);
}

static void print_details(const struct ir_inst *in, FILE *out)
{
	switch (ir_info(in)->family) {
	case IR_VALUE_OP:
		if (in->op == IR_CONST)
			fprintf(out, " 0x%" PRIx64, in->u.imm);
		break;
	case IR_VAR_OP:
		print_var(in, out);
		break;
	case IR_MEM_OP:
		print_binding("buffer", in->u.mem.binding, out);
		if (IR_IS_ATOMIC(in->op))
			fprintf(out, " atomic %u", in->u.mem.atomic);
		if (in->u.mem.align)
			fprintf(out, " align %u", in->u.mem.align);
		break;
	case IR_TEX_OP:
		fprintf(out, " op %u dim %u%s%s", in->u.tex->op, in->u.tex->dim, in->u.tex->array ? " array" : "",
			in->u.tex->compare ? " compare" : "");
		if (in->u.tex->plane)
			fprintf(out, " plane %u", in->u.tex->plane);
		print_binding("texture", in->u.tex->texture, out);
		print_binding("sampler", in->u.tex->sampler, out);
		break;
	case IR_IO_OP:
		fprintf(out, " slot %u comp %u mode %u mask %x", in->u.io.slot, in->u.io.comp, in->u.io.mode, in->u.io.mask);
		break;
	default: break;
	}
}

static void print_inst(const struct ir_inst *in, FILE *out, unsigned depth)
{
	indent(out, depth);
	if (in->bits)
		fprintf(out, "%%%u:%s%u%s = ", in->id, in->bits == 1 ? "b" : "i", in->bits,
			in->divergent ? "d" : "");
	if (in->comps > 1)
		fprintf(out, "x%u ", in->comps);
	fputs(ir_info(in)->name, out);
	print_details(in, out);
	for (unsigned i = 0; i < in->srcs; i++)
		print_src(in->src[i], out);
	fputc('\n', out);
}

static void print_list(const struct ir_list *list, FILE *out, unsigned depth);

static void print_block(const struct ir_block *block, FILE *out, unsigned depth)
{
	indent(out, depth);
	fprintf(out, "block %u:", block->index);
	for (uint32_t i = 0; i < block->preds; i++)
		fprintf(out, "%s%u", i ? " " : "  <- ", block->pred[i]->index);
	fputc('\n', out);
	for (const struct ir_inst *in = block->first; in; in = in->next)
		print_inst(in, out, depth + 1);
	if (block->jump) {
		indent(out, depth + 1);
		fputs(block->jump == IR_JUMP_BREAK ? "break\n" : "continue\n", out);
	}
}

static void print_node(const struct ir_node *n, FILE *out, unsigned depth)
{
	if (n->kind == IR_NODE_BLOCK) {
		print_block((const struct ir_block *)n, out, depth);
	} else if (n->kind == IR_NODE_IF) {
		const struct ir_if *nif = (const struct ir_if *)n;
		indent(out, depth);
		fprintf(out, "if%s", nif->divergent ? "(divergent)" : "");
		print_src(nif->cond, out);
		fputs(" {\n", out);
		print_list(&nif->then_, out, depth + 1);
		indent(out, depth);
		fputs("} else {\n", out);
		print_list(&nif->else_, out, depth + 1);
		indent(out, depth);
		fputs("}\n", out);
	} else {
		const struct ir_loop *loop = (const struct ir_loop *)n;
		indent(out, depth);
		fprintf(out, "loop%s {\n", loop->divergent ? "(divergent)" : "");
		print_list(&loop->body, out, depth + 1);
		indent(out, depth);
		fputs("} cont {\n", out);
		print_list(&loop->cont, out, depth + 1);
		indent(out, depth);
		fputs("}\n", out);
	}
}

static void print_list(const struct ir_list *list, FILE *out, unsigned depth)
{
	for (const struct ir_node *n = list->first; n; n = n->next)
		print_node(n, out, depth);
}

void ir_print(const struct ir_func *f, FILE *out)
{
	fprintf(out, "%s shared %u scratch %u\n", isa_stages[f->stage].name, f->shared_bytes, f->scratch_bytes);
	for (const struct ir_var *v = f->vars; v; v = v->next)
		fprintf(out, "var%u:b%u[%u] %s%s\n", v->index, v->bits, v->slots, v->name ? v->name : "",
			v->indirect ? " indirect" : "");
	print_list(&f->body, out, 0);
}
