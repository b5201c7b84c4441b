/* SPDX-License-Identifier: MIT */
/* A run of packets under construction, a register once at most: a pipeline's, or a draw's
 * dirty state. */
#ifndef ICD_PM4_BUILD_H
#define ICD_PM4_BUILD_H

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "isa/pm4.h"
#include "isa/regs.h"

/* Room for every register there is, each in a packet of its own. */
enum { ICD_PM4_MAX = 0
#define REG(name, address) + 3
#define REGS(name, address, count, stride) + 3 * (count)
#include "isa/regs.def"
};
struct icd_pm4 { uint32_t count; uint32_t dw[ICD_PM4_MAX]; };

/* `count` consecutive registers of one space; values are dwords. */
static inline void icd_pm4_regs(struct icd_pm4 *p, enum pm4_op op, uint32_t index,
	const void *values, uint32_t count)
{
	assert(p->count + 2 + count <= sizeof p->dw / sizeof p->dw[0]);
	p->dw[p->count++] = pm4_header(op, 1 + count, 0);
	p->dw[p->count++] = index;
	memcpy(p->dw + p->count, values, count * sizeof *p->dw);
	p->count += count;
}

static inline void icd_pm4_context(struct icd_pm4 *p, uint32_t index, uint32_t value)
{
	icd_pm4_regs(p, PM4_SET_CONTEXT_REG, index, &value, 1);
}
static inline void icd_pm4_sh(struct icd_pm4 *p, uint32_t index, uint32_t value)
{
	icd_pm4_regs(p, PM4_SET_SH_REG, index, &value, 1);
}
static inline void icd_pm4_uconfig(struct icd_pm4 *p, uint32_t index, uint32_t value)
{
	icd_pm4_regs(p, PM4_SET_UCONFIG_REG, index, &value, 1);
}

#endif
