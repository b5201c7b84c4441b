/* SPDX-License-Identifier: MIT */
/* Memory within regions: see jit_memory.c and jit_memory_strip.c. */
#ifndef CORE_JIT_JIT_MEMORY_H
#define CORE_JIT_JIT_MEMORY_H

#include <string.h>
#include "core/jit/jit.h"
#include "core/jit/jit_region.h"

enum { UNIT_SCRATCH, UNIT_BUFFER, UNIT_LDS, UNIT_GLOBAL };
enum { NARROW_NONE, NARROW_UBYTE, NARROW_SBYTE, NARROW_USHORT, NARROW_SSHORT };
struct jit_memory {
	uint8_t unit, dwords, narrow; /* narrow: what is loaded of a dword */
	bool store;
	/* VGPRs; -1: none.  data: loaded or stored, and following.  GLOBAL: the halves of an
	 * address are offset and index; or offset is a distance from the SGPR pair `base`. */
	int16_t index, offset, data, base;
};
bool jit_memory_known(const struct jit_translator *t, uint32_t i);
void jit_memory(struct jit_region *g, uint32_t i);
/* What i accesses; false when regions do not know it. */
bool jit_memory_op(const struct jit_translator *t, uint32_t i, struct jit_memory *m);
#define FRAME(disp, bytes) jit_x_mem(ZYDIS_REGISTER_RSP, disp, bytes)
#define SLOT(n, field, bytes) \
	FRAME(FRAME_SLOTS + (int)sizeof(struct cu_jit_slot) * (n) + (int)offsetof(struct cu_jit_slot, field), bytes)
/* Operands of i. */
void jit_memory_vgprs(const struct jit_translator *t, uint32_t i, struct jit_inst *j);
/* The slot for i's buffer or scratch in the region at hand; -1: no room. */
int jit_memory_slot(struct jit_region *g, uint32_t i);
/* Before the strips: fills the slot; goes to `no` where handlers must do the region. */
void jit_memory_once(struct jit_region *g, uint32_t i, int no);
/* Where in g->rows i's row of scratch is, which has been found before the strips; -1: nowhere. */
int jit_memory_row(const struct jit_region *g, uint32_t i);
/* At entry. */
void jit_memory_begin(struct jit_translator *t);
/* Binds `slow`: from there on handlers do what strips would have done. */
void jit_memory_handlers(struct jit_region *g, uint32_t first, uint32_t end, int slow);
/* Where strips go that met an address beyond scratch; once a program. */
void jit_memory_fault(struct jit_translator *t);

/* In lane order where lanes meet; disp: from rax.  m: uses up k7. */
void jit_scatter(struct jit_region *g, struct xo at, int64_t disp, struct xo m, struct xo data);
/* x[k] = what each lane has at rax + its offset, which is signed, + disp[k]; uses up rcx, rdx, r8 and r9. */
void jit_load_each(struct jit_region *g, const struct xo x[], unsigned dwords, struct xo at, const int64_t disp[]);
/* The same of 2 to 4 dwords that follow one another, stored in the order of lanes; STORE_TEMPS: temporaries at once.  And of
 * the lanes in ecx, which is used up, alone; masks: dword k > 0 of those that JIT_ACCESS(hi[k]) has as well. */
enum { STORE_TEMPS = 5 };
void jit_store_each(struct jit_region *g, const struct xo x[], unsigned dwords, struct xo at, int64_t disp);
void jit_store_lanes(struct jit_region *g, const struct xo x[], unsigned dwords, struct xo at, int64_t disp, bool masks);
/* What is handed over to others, and memory of a strip. */
#define JIT_ACCESS(field, bytes) FRAME(FRAME_ACCESS + (int)offsetof(struct cu_jit_access, field), bytes)
int32_t jit_lane4(struct jit_region *g); /* 0, 4, 8 ..: a vector in the pool */
/* Goes on where all active lanes are in `in`, else to `other`; uses up edx, k7. */
void jit_go_on_when(struct jit_region *g, struct xo in, int other);
/* The register that holds lanes 0 to 3 of x. */
struct xo jit_low(const struct jit_region *g, struct xo x);
/* Active lanes of a strip, dword by dword; of a load others stay what they are (keep) or are anything. */
void jit_load_row(struct jit_region *g, struct xo d, struct xo from, bool keep);
void jit_store_row(struct jit_region *g, struct xo to, struct xo x);
/* The same in memory of this thread alone, where lanes that are off may be written as they are. */
void jit_store_own_row(struct jit_region *g, struct xo to, struct xo x);
/* FLAT and GLOBAL: the access; at entry, windows that hold nothing; what lies behind the code. */
void jit_memory_global(struct jit_region *g, uint32_t i, const struct jit_memory *m);
void jit_memory_windows(struct jit_translator *t);
void jit_memory_misses(struct jit_translator *t);

#endif
