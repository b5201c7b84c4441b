/* SPDX-License-Identifier: MIT */
/* Inside the decoder: gcn_decode.c walks the encodings, gcn_decode_field.c puts a
 * field where it belongs, gcn_decode_check.c sees what no single field can. */
#ifndef ISA_GCN_DECODE_PRIV_H
#define ISA_GCN_DECODE_PRIV_H

#include "isa/gcn_forms.h"
#include "isa/gcn_tables.h"

struct isa_decoder {
	enum gcn_gen gen;
	struct gcn_inst *in;
	const struct gcn_op_info *info;
	unsigned bad; /* not 0: no such instruction */
};

/* One field's value into the record. */
void isa_set_field(struct isa_decoder *d, const struct isa_field *f, unsigned value);

/* Once all fields are there: drops operands that the instruction or form lacks,
 * then looks for modifiers and tuples that do not exist. */
void isa_drop_absent(struct isa_decoder *d);
void isa_check_decoded(struct isa_decoder *d);

#endif
