/* isa_coverage: one line for each opcode of each generation, for coverage.py:
 * generation, format, mnemonic, gfx9's mnemonic, whether the compute unit
 * executes it, whether the reference of tests/core/ref has it, why not. */
#include <stdio.h>

#include "core/interp.h"
#include "isa/gcn_forms.h"
#include "tests/core/ref/ref.h"

static const char *why_refused(enum gcn_op op)
{
	switch (op) {
#define REFUSED(name, why) case GCN_##name: return why;
#include "core/refused.def"
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
			printf("%s\t%s\t%s\t%s\t%d\t%d\t%s\n", gens[gen], formats[gcn_native_format((enum gcn_gen)gen, op)],
				name, gcn_op_info(op)->name, !refused, ref_knows_valu(op) || ref_knows_salu(op), why_refused(op));
		}
	return 0;
}
