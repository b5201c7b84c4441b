/* SPDX-License-Identifier: MIT */
/* Memory within regions: see jit_memory.c and jit_memory_strip.c. */
#ifndef CORE_JIT_JIT_MEMORY_H
#define CORE_JIT_JIT_MEMORY_H

#include <string.h>
#include "core/jit/jit.h"
#include "core/jit/jit_translate.h"

enum { UNIT_SCRATCH, UNIT_BUFFER, UNIT_LDS };
struct j_memory {
	uint8_t unit, dwords;
	bool store;
	int16_t index, offset, data; /* VGPRs; -1: none.  data: loaded or stored, and following */
};
bool j_memory_known(const struct translator *t, uint32_t i);
void j_memory(struct translator *t, uint32_t i);
/* What i accesses; false when regions do not know it. */
bool j_memory_op(const struct translator *t, uint32_t i, struct j_memory *m);
#define FRAME(disp, bytes) x_mem(ZYDIS_REGISTER_RSP, disp, bytes)
#define SLOT(n, field, bytes) \
	FRAME(FRAME_SLOTS + (int)sizeof(struct cu_jit_slot) * (n) + (int)offsetof(struct cu_jit_slot, field), bytes)
/* Operands of i. */
void j_memory_vgprs(const struct translator *t, uint32_t i, struct j_inst *j);
/* The slot for i's buffer or scratch in the region at hand; -1: no room. */
int j_memory_slot(struct translator *t, uint32_t i);
/* Before the strips: fills the slot; goes to `no` where handlers must do the region. */
void j_memory_once(struct translator *t, uint32_t i, int no);
/* Binds `slow`: from there on handlers do what strips would have done. */
void j_memory_handlers(struct translator *t, uint32_t first, uint32_t end, int slow);
/* Where strips go that met an address beyond scratch; once a program. */
void j_memory_fault(struct translator *t);

#endif
