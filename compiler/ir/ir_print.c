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

static void print_src(struct ir_src s, FILE *out)
{
	if (!s.inst) {
		fputs(" -", out);
	} else if (s.inst->op == IR_CONST) {
		float f;
		memcpy(&f, &s.inst->u.imm, 4);
		if (s.inst->bits == 1)
			fprintf(out, " %s", s.inst->u.imm ? "true" : "false");
		else if (s.inst->u.imm < 4096 || s.inst->u.imm > 0xfffff000u)
			fprintf(out, " %" PRId32, (int32_t)s.inst->u.imm);
		else
			fprintf(out, " 0x%08x(%g)", s.inst->u.imm, (double)f);
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

static void print_details(const struct ir_inst *in, FILE *out)
{
	switch (in->op) {
	case IR_CONST: fprintf(out, " 0x%x", in->u.imm); break;
	case IR_COPY_VAR:
		fprintf(out, " v%u[%u] = v%u[%u], %u slots", in->u.copy->to->index, in->u.copy->to_slot,
			in->u.copy->from->index, in->u.copy->from_slot, in->u.copy->count);
		break;
	case IR_LOAD_VAR: case IR_STORE_VAR:
		fprintf(out, " var%u%s%s[%u]", in->u.var.var->index, in->u.var.var->name ? ":" : "",
			in->u.var.var->name ? in->u.var.var->name : "", in->u.var.slot);
		break;
	case IR_LOAD_UBO: case IR_LOAD_SSBO: case IR_STORE_SSBO: case IR_SSBO_SIZE:
		print_binding("buffer", in->u.mem.binding, out);
		break;
	case IR_ATOMIC_SSBO:
		print_binding("buffer", in->u.mem.binding, out);
		/* fallthrough */
	case IR_ATOMIC_SHARED: fprintf(out, " atomic %u", in->u.mem.atomic); break;
	case IR_TEX: case IR_IMAGE_LOAD: case IR_IMAGE_STORE: case IR_IMAGE_ATOMIC:
		fprintf(out, " op %u dim %u%s%s", in->u.tex->op, in->u.tex->dim, in->u.tex->array ? " array" : "",
			in->u.tex->compare ? " compare" : "");
		print_binding("texture", in->u.tex->texture, out);
		print_binding("sampler", in->u.tex->sampler, out);
		break;
	case IR_LOAD_ATTR: case IR_SYSVAL: case IR_BARY: case IR_BARY_AT: case IR_LOAD_INTERP: case IR_LOAD_FLAT:
	case IR_LOAD_POINT_COORD: case IR_STORE_OUTPUT:
		fprintf(out, " slot %u comp %u mode %u mask %x", in->u.io.slot, in->u.io.comp, in->u.io.mode, in->u.io.mask);
		break;
	default: break;
	}
}

static void print_inst(const struct ir_inst *in, FILE *out, unsigned depth)
{
	indent(out, depth);
	if (in->bits)
		fprintf(out, "%%%u:%s%u%s = ", in->id, in->bits == 1 ? "b" : "i", in->bits == 1 ? in->comps : in->bits,
			in->divergent ? "d" : "");
	if (in->comps > 1)
		fprintf(out, "x%u ", in->comps);
	fputs(ir_op_infos[in->op].name, out);
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
	static const char *const stages[] = { "vs", "ps", "cs" };
	fprintf(out, "%s shared %u scratch %u\n", stages[f->stage], f->shared_bytes, f->scratch_bytes);
	for (const struct ir_var *v = f->vars; v; v = v->next)
		fprintf(out, "var%u:b%u[%u] %s%s\n", v->index, v->bits, v->slots, v->name ? v->name : "",
			v->indirect ? " indirect" : "");
	print_list(&f->body, out, 0);
}
