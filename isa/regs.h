/* SPDX-License-Identifier: MIT */
/* Register names as dword indices and their fields; rows in regs.def.
 *
 *   R_DB_DEPTH_CONTROL                     dword index in its space
 *   R_CB_BLEND_CONTROL + n * CB_BLEND_CONTROL__STRIDE   n-th of an array
 *   REG_GET(word, DB_DEPTH_CONTROL, ZFUNC) field of a value
 *   REG_SET(DB_DEPTH_CONTROL, ZFUNC, v)    field in place, to be or-ed
 *   COMPARE_LESS                           value of a field, SET_NAME */
#ifndef ISA_REGS_H
#define ISA_REGS_H

#include <stdint.h>

/* Bases of the spaces in bytes; packets carry (address - base) / 4. */
enum { REG_CONTEXT_BASE = 0x28000, REG_SH_BASE = 0xB000, REG_UCONFIG_BASE = 0x30000 };
enum { REG_CONTEXT_DWORDS = 0x400, REG_SH_DWORDS = 0x280, REG_UCONFIG_DWORDS = 0x400 };

#define REG_INDEX_(a) \
	(((a) >= REG_UCONFIG_BASE ? (a) - REG_UCONFIG_BASE : \
	  (a) >= REG_CONTEXT_BASE ? (a) - REG_CONTEXT_BASE : (a) - REG_SH_BASE) / 4)

enum isa_reg_index {
#define REG(name, addr) R_##name = REG_INDEX_(addr),
#define REGS(name, addr, count, stride) R_##name = REG_INDEX_(addr), \
	name##__COUNT = (count), name##__STRIDE = (stride) / 4,
#include "isa/regs.def"
};

enum isa_reg_field {
#define FIELD(reg, field, lo, width) reg##__##field##__LO = (lo), reg##__##field##__W = (width),
#include "isa/regs.def"
};

enum isa_reg_value {
#define VALUE(set, name, number) set##_##name = (number),
#include "isa/regs.def"
};

#define REG_MASK_(w) ((uint32_t)((1ull << (w)) - 1))
#define REG_GET(word, reg, field) \
	((uint32_t)(word) >> reg##__##field##__LO & REG_MASK_(reg##__##field##__W))
#define REG_SET(reg, field, v) \
	(((uint32_t)(v) & REG_MASK_(reg##__##field##__W)) << reg##__##field##__LO)

#endif
