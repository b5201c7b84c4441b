/* SPDX-License-Identifier: MIT */
/* Between the encoder's two files: gcn_encode.c writes fields, gcn_encode_check.c
 * refuses what the fields could hold but the instruction does not have. */
#ifndef ISA_GCN_ENCODE_PRIV_H
#define ISA_GCN_ENCODE_PRIV_H

#include "isa/gcn_forms.h"
#include "isa/gcn_tables.h"

struct isa_encoder {
	enum gcn_gen gen;
	const struct gcn_inst *in;
	const struct gcn_op_info *info;
	const char *why; /* set by the first failure */
};

/* Notes the failure; always 0. */
static inline unsigned isa_fail(struct isa_encoder *e, const char *why)
{
	if (!e->why)
		e->why = why;
	return 0;
}

static inline bool isa_is_vop32(unsigned fmt)
{
	return fmt == GCN_VOP1 || fmt == GCN_VOP2 || fmt == GCN_VOPC;
}

/* Sets e->why if the record is no instruction of the generation. */
void isa_check(struct isa_encoder *e);

#endif
