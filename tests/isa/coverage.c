/* SPDX-License-Identifier: MIT */
/* isa_coverage: one line for each opcode of each generation, for coverage.py:
 * generation, format, mnemonic, gfx9's mnemonic, whether the compute unit
 * executes it, whether the reference of tests/core/ref has it, why not; then
 * how many of its forms (cases.h) there are, how many make no program, and why. */
#include <stdio.h>
#include <string.h>

#include "core/interp/interp.h"
#include "isa/gcn_forms.h"
#include "tests/core/ref/ref.h"
#include "tests/isa/cases.h"

struct forms { enum gcn_gen gen; unsigned count, refused; struct cu_error why; };

/* Whether the form makes a program. */
static void try_form(void *context, const struct gcn_inst *form)
{
	enum { ROOM = 40 };
	struct forms *f = context;
	struct gcn_inst in = *form, stop;
	uint32_t code[ROOM], end[4];
	struct cu_error err;
	unsigned n = gcn_encode(f->gen, &in, code, NULL);
	if (!n || gcn_op_info((enum gcn_op)in.op)->flags & GCN_F_BRANCH)
		return; /* where it goes is a matter of the program */
	gcn_inst_init(&stop, GCN_S_ENDPGM);
	gcn_encode(f->gen, &stop, end, NULL);
	while (n < ROOM)
		code[n++] = end[0];
	f->count++;
	struct cu_program *p = cu_program_create_gen(CU_LEVEL_V3, f->gen, code, n, &err);
	if (!p && !f->refused++)
		f->why = err;
	cu_program_destroy(p);
}

static const char *why_refused(enum gcn_op op)
{
	switch (op) {
#define REFUSED(name, why) case GCN_##name: return why;
#include "core/interp/refused.def"
#undef REFUSED
	default: return "";
	}
}

int main(void)
{
	static const char *const gens[] = { "gfx600", "gfx700", "gfx803", "gfx900" };
	static const char *const formats[GCN_FORMAT_COUNT] = {
		"SOP2", "SOPK", "SOP1", "SOPC", "SOPP", "SMEM", "VOP2", "VOP1", "VOPC", "VOP3", "VOP3P",
		"VINTRP", "DS", "MUBUF", "MTBUF", "MIMG", "EXP", "FLAT", "GLOBAL", "SCRATCH",
	};
	for (int gen = 0; gen < GCN_GEN_COUNT; gen++)
		for (int i = 0; i < GCN_OP_COUNT; i++) {
			enum gcn_op op = (enum gcn_op)i;
			const char *name = gcn_op_name((enum gcn_gen)gen, op);
			if (!name)
				continue;
			bool refused = cu_level_ops_v3.ops[op]->cls == CU_CLASS_REFUSED;
			struct forms f = { .gen = (enum gcn_gen)gen };
			isa_cases((enum gcn_gen)gen, op, try_form, &f);
			const char *why = strstr(f.why.text, "): ");
			printf("%s\t%s\t%s\t%s\t%d\t%d\t%s\t%u\t%u\t%s\n", gens[gen],
				formats[gcn_native_format((enum gcn_gen)gen, op)], name, gcn_op_info(op)->name, !refused,
				ref_knows_valu(op) || ref_knows_salu(op), why_refused(op), f.count, f.refused, why ? why + 3 : f.why.text);
		}
	return 0;
}
