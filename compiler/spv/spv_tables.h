/* SPDX-License-Identifier: MIT */
/* Tables generated from the SPIR-V grammar of SPIRV-Headers. */
#ifndef COMPILER_SPV_SPV_TABLES_H
#define COMPILER_SPV_SPV_TABLES_H

#include <stdint.h>

/* Operand letters, each followed by '?' (optional) or '*' (repeats) if so:
 *   t result type, r result, i id, n one literal word, S string, c number of the
 *   result type's width, p (number, id), q (id, number), d (id, id),
 *   D decoration, X execution mode: a value with the parameters of spv_parameters,
 *   G image operands, A memory access, L loop control: a mask, likewise,
 *   v any other enumeration or mask. */
struct spv_op_info { const char *name, *operands; uint16_t opcode; };
extern const struct spv_op_info spv_op_infos[];   /* by ascending opcode */
extern const unsigned spv_op_info_count;
extern const struct spv_op_info spv_glsl_infos[]; /* GLSL.std.450, likewise */
extern const unsigned spv_glsl_info_count;

struct spv_parameter { char kind; uint32_t value; const char *operands; };
extern const struct spv_parameter spv_parameters[];
extern const unsigned spv_parameter_count;

enum spv_enum_kind { SPV_ENUM_CAPABILITY, SPV_ENUM_BUILTIN, SPV_ENUM_STORAGE, SPV_ENUM_MODE,
	SPV_ENUM_DECORATION };
struct spv_enum_name { uint32_t value; const char *name; };
struct spv_enum_names { const struct spv_enum_name *names; unsigned count; };
extern const struct spv_enum_names spv_enums[];

#endif
