/* SPDX-License-Identifier: MIT */
/* The compute unit: programs, waves and their execution.
 *
 * A program is decoded once from GCN code in memory; a wave is the
 * architectural state of 64 lanes.  cu_wave_run executes until the program
 * ends, a barrier is reached, or the wave faults.  The interpreter is the
 * definition; a JIT may later take over a program or a region of it behind
 * the same functions. */
#ifndef CORE_CU_H
#define CORE_CU_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/level.h"
#include "isa/gcn_operand.h"

#define CU_LANES 64
#define CU_VGPRS 256
#define CU_LDS_BYTES 65536

struct cu_program;

/* What a wave did with memory that is not the device's. */
enum cu_access { CU_ACCESS_NONE, CU_ACCESS_READ, CU_ACCESS_WRITE };

/* Message of a failed program or wave: what and where (PC, instruction).  Of a wave also for
 * programs: the dword of its program, and if an access failed, its first address and bytes. */
struct cu_error {
	char text[240];
	enum cu_access access;
	bool located;
	uint32_t pc; /* where it is known */
	uint64_t address, bytes;
};

/* Decodes the gfx900 program at `code`: everything reachable from its first
 * dword, at most max_dwords long; by computed jumps, what s_getpc and a constant
 * make.  NULL with *err on an undecodable or
 * unsupported instruction, a jump outside, or no memory.  The program keeps a
 * copy of the code, so it stays valid when the memory changes. */
struct cu_program *cu_program_create(enum cu_level level, const uint32_t *code,
	size_t max_dwords, struct cu_error *err);
/* The same for code of any generation. */
struct cu_program *cu_program_create_gen(enum cu_level level, enum gcn_gen gen, const uint32_t *code,
	size_t max_dwords, struct cu_error *err);
/* The address that its first dword has for s_getpc and computed jumps, a multiple of 4; 0 until then.
 * Before its first wave. */
void cu_program_place(struct cu_program *p, uint64_t address);
void cu_program_destroy(struct cu_program *p);
/* True when the memory still holds the bytes that were decoded. */
bool cu_program_matches(const struct cu_program *p, const uint32_t *code);
/* Which of s0 to s31, a bit each, p may read as a wave begins with them: the others are nothing to it. */
uint32_t cu_program_initial(const struct cu_program *p);
/* Fetches, ahead of a wave that begins with these user SGPRs, what p loads scalars from: whoever has written that
 * may have done so on another CPU. */
void cu_program_foresee(const struct cu_program *p, const uint32_t *user, unsigned count);

/* Exports of a wave, by hardware target number (mrt0-7 0-7, mrtz 8, null 9,
 * pos0-3 12-15, param0-31 32-63).  data is indexed [target][component][lane];
 * lanes and components not exported keep what was there. */
struct cu_exports {
	alignas(64) uint32_t data[64][4][CU_LANES];
	uint64_t exec[64];   /* lanes exported by target (or-ed) */
	uint8_t mask[64];    /* components exported by target (or-ed) */
	uint64_t targets;    /* bit per target written */
	uint64_t valid;      /* EXEC at the last export with vm; all ones before one */
};

/* As they are before a wave. */
static inline void cu_exports_begin(struct cu_exports *e)
{
	for (uint64_t left = e->targets; left; left &= left - 1)
		e->exec[__builtin_ctzll(left)] = 0;
	e->targets = 0;
	e->valid = ~0ull;
}

/* What a geometry program has told by s_sendmsg, by stream and lane: vertices emitted, and of
 * the first CU_GS_VERTICES of them (bit n % 64 of word n / 64) those before which a strip ended. */
#define CU_GS_STREAMS 4
#define CU_GS_VERTICES 256
struct cu_gs {
	uint16_t count[CU_GS_STREAMS][CU_LANES];
	uint64_t cut[CU_GS_STREAMS][CU_LANES][CU_GS_VERTICES / 64];
};

/* A range of addresses; 0 bytes: none. */
struct cu_span { uint64_t lo, bytes; };
#define CU_SPANS 32
#define CU_NEAR_SPANS 128 /* a byte counts them (cu_rec) */
#define CU_MANY_SPANS 256

struct cu_memory;

/* Descriptors and blocks of texels that the texture unit has decoded: one per thread, for its waves
 * one after another; no state that results depend on.  All NULL at first; cu_tex_cache_finish (core/tex_cache.h)
 * frees them. */
struct cu_tex_cache {
	struct cu_tex_set *set;
	void *blocks, *tiles, *texels;
	uint64_t call;    /* while it stays as it is, texels that have been looked at are what memory holds */
	uint64_t decoded; /* descriptors, each in a place where another may have been */
};

enum { CU_STAY = 8 };

struct cu_wave {
	alignas(64) uint32_t vgpr[CU_VGPRS][CU_LANES];
	/* s0..s103, 106/107 VCC, 108.. TTMP, 124 M0, 126/127 EXEC: by operand number */
	uint32_t sgpr[128];
	uint32_t scc, mode, status;
	uint32_t pc;             /* dword index into the program */
	uint8_t *lds;            /* of the group or wave; CU_LDS_BYTES at most */
	uint32_t lds_bytes;
	uint8_t *scratch;        /* its address is also in FLAT_SCRATCH */
	uint32_t scratch_bytes;
	struct cu_exports *exports; /* NULL for compute */
	struct cu_gs *gs;        /* NULL: nobody counts vertices, MSG_GS is a fault */
	struct cu_error error;
	uint64_t instructions;   /* executed, for limits and statistics */
	/* An endless program without progress: polled now and then; nonzero
	 * stops the wave with a fault. May be NULL. */
	const volatile int *abort;
	struct cu_journal *journal; /* see core/journal.h; usually NULL */
	/* Set by whoever starts the wave, after cu_wave_init. */
	uint8_t *gds;            /* global data share; NULL: none */
	uint32_t gds_bytes;
	/* What addresses the program may access (core/memory.h).  NULL: any but
	 * the first page, for programs that are trusted. */
	const struct cu_memory *memory;
	struct cu_span span[CU_SPANS]; /* ranges seen, by address */
	struct cu_span near[CU_NEAR_SPANS]; /* and by scalar loads, by their place in the program */
	uint64_t span_sequence;  /* of memory then */
	/* Instructions after which a backward branch stops the wave with a fault; 0: no limit. */
	uint64_t budget;
	uint64_t next_poll;      /* instruction count at which to ask both */
	/* Of the scratch that cu_wave_scratch gave last: bytes from its beginning, in rows that may have been written, of which the
	 * farthest one counts.  Whoever writes scratch keeps it. */
	alignas(64) uint32_t scratch_high[16];
	const uint8_t *scratch_last;
	uint32_t special[7];     /* VCCZ, EXECZ, SCC as 64-bit sources, LDS_DIRECT, where read */
	struct cu_tex_cache *tex; /* set after cu_wave_init; NULL: none */
	uint64_t border_colors;  /* likewise: address of the table that S# name; 0: there is none */
	struct cu_span *many;    /* CU_MANY_SPANS ranges that the thread has seen; NULL: none (core/memory.h) */
	/* Set after cu_wave_init by an owner who reads exports by cu_exported: a program that ends with those of whole
	 * targets below CU_STAY may leave them in VGPRs.  Then the targets of which it did, and which VGPRs. */
	uint8_t may_stay, stays;
	/* Likewise: the program writes no memory, and the owner changes tex->call whenever others may have written what its waves
	 * read. */
	uint8_t quiet;
	/* Likewise: the owner takes what is exported to colours and to MRTZ's first component for numbers, and does not tell one
	 * NaN from another. */
	uint8_t numbers;
	uint8_t stay[CU_STAY][4];
	/* Likewise, by an owner who has more waves like this one, all with a full EXEC, of a program that writes no memory,
	 * and the same SGPRs: a program may call it where it would end.  It takes the exports and makes the wave the next one
	 * (cu_exports_begin, VGPRs): true.  False: there is none, the wave ends.  NULL: nobody asks.  */
	bool (*next)(struct cu_wave *w);
	/* Likewise, by an owner who knows by the depths alone, which are the first component of MRTZ, whether anything else that a wave
	 * exports may be wanted: a program may call it where it has exported these, at top level, and ends there if it says
	 * no.  NULL: nobody asks.  */
	bool (*wanted)(struct cu_wave *w);
	void *owner;
	uint16_t inputs;         /* VGPRs from v0 on that whoever starts the wave sets; all of them, until cu_wave_fresh */
};

/* A dword of each lane (isa/abi.h). */
enum { CU_SCRATCH_ROW = 4 * CU_LANES };

/* Bytes of whole rows, one at least, in which everything is that the wave has written of its scratch. */
static inline size_t cu_scratch_extent(const struct cu_wave *w)
{
	uint32_t high = 0;
	for (unsigned i = 0; i < 16; i++)
		high = w->scratch_high[i] > high ? w->scratch_high[i] : high;
	return (size_t)(high / CU_SCRATCH_ROW + 1) * CU_SCRATCH_ROW;
}

/* Notes a byte of scratch that is written. */
static inline void cu_scratch_written(struct cu_wave *w, uint64_t at)
{
	if (at > w->scratch_high[0])
		w->scratch_high[0] = (uint32_t)at;
}

static inline uint64_t cu_exec(const struct cu_wave *w)
{
	return (uint64_t)w->sgpr[GCN_SRC_EXEC + 1] << 32 | w->sgpr[GCN_SRC_EXEC];
}
static inline void cu_set_exec(struct cu_wave *w, uint64_t exec)
{
	w->sgpr[GCN_SRC_EXEC] = (uint32_t)exec;
	w->sgpr[GCN_SRC_EXEC + 1] = (uint32_t)(exec >> 32);
}

/* What a wave that has ended exported: a component of a target, by lane. */
static inline const uint32_t *cu_exported(const struct cu_wave *w, unsigned target, unsigned component)
{
	return target < CU_STAY && w->stays >> target & 1 ? w->vgpr[w->stay[target][component]] : w->exports->data[target][component];
}

enum cu_status { CU_DONE, CU_BARRIER, CU_FAULT };

/* Clears all but the VGPRs and the ranges of memory that it knows, and sets pc 0, a plain MODE (core/mode.h), EXEC to
 * `exec`, exports->targets and the exec[] of those targets to 0; exports are all
 * zero before their first wave.  SGPRs, VGPRs, MODE, lds and scratch are then
 * the caller's to set. */
void cu_wave_init(struct cu_wave *w, uint64_t exec, struct cu_exports *exports);
/* The same where the rows of SGPRs, 16 each, that are zeros after it are those of `rows`, a bit each. */
void cu_wave_init_rows(struct cu_wave *w, unsigned rows, uint64_t exec, struct cu_exports *exports);
/* The rows that p needs where the caller sets the first `set` SGPRs: it need not find zeros in what it does not read. */
unsigned cu_blank_rows(const struct cu_program *p, unsigned set);
enum { CU_SGPR_ROW = 16 };

/* By hand: every wave pays for it, and memset is a string instruction to gcc, which takes as long as a short program. */
static inline __attribute__((always_inline)) void cu_clear(uint32_t *p, unsigned dwords)
{
	typedef uint32_t some __attribute__((vector_size(32), aligned(4), may_alias));
	_Pragma("GCC unroll 8") for (unsigned i = 0; i < dwords; i += 8)
		*(some *)(p + i) = (some){ 0 };
}
static inline void cu_clear_rows(struct cu_wave *w, unsigned rows)
{
	for (; rows; rows &= rows - 1)
		cu_clear(&w->sgpr[CU_SGPR_ROW * (unsigned)__builtin_ctz(rows)], CU_SGPR_ROW);
}
/* What a program may change of a wave: as cu_wave_init_rows and the owner's settings left it, but for MODE and SGPRs of
 * other rows. */
static inline void cu_wave_begin(struct cu_wave *w, unsigned rows, uint64_t exec)
{
	cu_clear_rows(w, rows);
	w->scc = w->status = w->pc = 0;
	w->error.text[0] = 0;
	w->instructions = w->next_poll = 0;
	w->may_stay = w->stays = w->quiet = w->numbers = 0;
	w->next = NULL;
	w->wanted = NULL;
	cu_set_exec(w, exec);
	if (w->exports)
		cu_exports_begin(w->exports);
}

/* What p finds in registers that nobody sets, so that it shows nothing of other
 * programs: after cu_wave_init, before the caller's registers.  `inputs`: VGPRs
 * from v0 on that the caller sets, in the lanes of EXEC or in all lanes of their quads
 * (`set`).  Zeros, in the VGPRs that p may read before it writes them; with a `poison`
 * that is not 0 (QW_POISON) that value in all VGPRs, in all SGPRs but EXEC, and in
 * w->exports. */
enum cu_lanes_set { CU_SETS_LANES, CU_SETS_QUADS, CU_SETS_ALL, CU_LANES_SET };
void cu_wave_fresh(struct cu_wave *w, const struct cu_program *p, unsigned inputs, enum cu_lanes_set set,
	uint32_t poison);
/* What cu_wave_fresh clears where poison is 0, for who starts many waves alike: by number,
 * or CU_FRESH_UNLISTED.  A wave whose lanes are all on has a list of its own, as
 * CU_SETS_ALL.  A list made before p is known well has more than it must. */
enum { CU_FRESH_UNLISTED = 255 };
struct cu_fresh_list { uint8_t count, vgpr[15]; };
void cu_fresh_list(struct cu_fresh_list *l, const struct cu_program *p, unsigned inputs, enum cu_lanes_set set);

/* `bytes` bytes of memory of 32-bit values: poison, or 0. */
void cu_fresh_fill(void *p, size_t bytes, uint32_t poison);

/* Scratch of a thread's waves: pages of its own, which nobody gets after it.  In parts of so many bytes, of which part n is blank
 * but for the rows that the wave of[n], unless that is NULL, has written since. */
enum { CU_SCRATCH_PARTS = 64 };
struct cu_scratch { uint8_t *base; size_t bytes; uint32_t part, poison; const struct cu_wave *of[CU_SCRATCH_PARTS]; };
/* At least so many bytes; what was there is lost.  False without memory. */
bool cu_scratch_reserve(struct cu_scratch *s, size_t bytes);
void cu_scratch_free(struct cu_scratch *s);
/* After cu_wave_fresh: bytes [at, at + bytes) of s, blank as cu_fresh_fill makes
 * them, are the wave's scratch, and FLAT_SCRATCH has their address: `at` is a multiple
 * of `bytes`.  Where the same wave had them before, only what it has written is cleared.  Nothing
 * happens for 0 bytes, or where s ends before. */
void cu_wave_scratch_some(struct cu_wave *w, struct cu_scratch *s, size_t at, uint32_t bytes, uint32_t poison);
static inline void cu_wave_scratch(struct cu_wave *w, struct cu_scratch *s, size_t at, uint32_t bytes,
	uint32_t poison)
{
	if (bytes)
		cu_wave_scratch_some(w, s, at, bytes, poison);
}

/* Runs until s_endpgm (CU_DONE), s_barrier (CU_BARRIER; call again to go on),
 * or CU_FAULT with w->error. */
enum cu_status cu_wave_run(const struct cu_program *p, struct cu_wave *w);

/* One instruction by the interpreter, for tools.  True while the wave goes on,
 * with w->pc the next instruction; else *status as cu_wave_run's result. */
bool cu_wave_step(const struct cu_program *p, struct cu_wave *w, enum cu_status *status);

#endif
