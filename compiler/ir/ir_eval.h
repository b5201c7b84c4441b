/* SPDX-License-Identifier: MIT */
/* What arithmetic of the IR means on constants: the one place for folding,
 * specialisation constants and tests. */
#ifndef COMPILER_IR_IR_EVAL_H
#define COMPILER_IR_IR_EVAL_H

#include "compiler/ir/ir.h"

/* The value of an ALU operation whose operands have `bits` bits (SHIFT, SEL: see ir_ops.def)
 * and whose result has `result_bits`.  v: the sources, without bits beyond their width, as is
 * *out.  It has the bits that the compute unit would give: IEEE round to nearest, denormals
 * kept, NaN results canonical.  What SPIR-V leaves undefined has some value: x / 0 all ones,
 * x mod 0 x, a field that is not all inside the part that is.
 * False: an operation, or a width, of which this is not known to the bit. */
bool ir_eval(enum ir_op op, unsigned bits, unsigned result_bits, const uint64_t v[3], uint64_t *out);
/* Whether the compute unit gives that only if the shader's modes of floats are plain. */
bool ir_by_mode(const struct ir_inst *in);

#endif
