/* SPDX-License-Identifier: MIT */
/* The translator: gfx900 programs to x86-64, AVX-512 or AVX2 by the program's
 * level, with the interpreter's bits.
 *
 * An image is machine code without relocations: it finds the wave and the
 * program's records by its arguments and its constants by their distance, so it
 * can be kept in a file and used by any process that decodes the same GCN code
 * with the same build.  It calls record handlers (cu_rec.fn) for what it does
 * not do itself, so it does everything that the interpreter does; programs with
 * computed jumps alone are refused and stay with the interpreter.
 *
 * Scalar state (SGPRs, SCC, EXEC, M0) is in the wave between any two
 * instructions of the program; VGPRs are there wherever a handler runs, at
 * barriers and at the end, unless nothing reads them any more: see keep_all.
 *
 * A wave faults in translated code when it does in the interpreter; but of several
 * faults the message may name another, and a store near it may be missing or done:
 * strips come to an instruction one after another. */
#ifndef CORE_JIT_JIT_H
#define CORE_JIT_JIT_H

#include "core/interp/interp.h"
#include "core/jit/jit_exec_mem.h"
#include "core/jit/jit_forms.h"

/* Goes up with every change of the code that is made: for keys of caches. */
#define CU_JIT_VERSION 58

struct cu_jit_options {
	/* Nothing counts as dead at s_endpgm and s_barrier: all VGPRs and SGPRs end as the
	 * interpreter leaves them.  For checks; costs stores. */
	bool keep_all;
	/* Fault switches.  seed: vector registers in an order of its own, 0 the
	 * usual one.  no_registers: every VGPR is spilled after every instruction. */
	uint32_t seed;
	bool no_registers;
	/* Bit gcn_op % 8 of byte gcn_op / 8: leave this opcode to its handler.
	 * NULL: none. */
	const uint8_t *disabled;
	/* What is known of the encoding of x86 instructions, for less time; NULL:
	 * Zydis encodes each.  The code is the same. */
	struct jit_x_forms *forms;
};

/* Where the code of a record begins; in ascending order of x86, not of record.
 * A record may occur more than once (for full and for any EXEC), or never. */
struct cu_jit_mark { uint32_t x86, record; };

struct cu_jit_image {
	uint8_t *code;          /* constants lie behind the code */
	size_t bytes, code_bytes;
	uint32_t *entry;        /* by record: x86 offset, or CU_JIT_NO_ENTRY */
	/* Bits of scalar operands, SCC as 125: dead values may differ from the
	 * interpreter's at the end and at barriers. */
	uint64_t loose[2];
	uint8_t *place;         /* by record: enum cu_jit_place */
	struct cu_unwritten unwritten; /* the program's, for cu_jit_attach */
	uint32_t records;
	struct cu_jit_mark *marks;
	size_t mark_count;
};
#define CU_JIT_NO_ENTRY (~0u)
enum cu_jit_place { CU_JIT_INLINE, CU_JIT_HANDLER, CU_JIT_REGION };

/* Translates p; options may be NULL.  False with *err when the program has
 * something that is refused, or without memory. */
bool cu_jit_translate(const struct cu_program *p, const struct cu_jit_options *options,
	struct cu_jit_image *out, struct cu_error *err);
void cu_jit_image_free(struct cu_jit_image *image);

/* Sets p->unwritten, by the translator's analysis; all of them where that does not
 * know, or without memory. */
void cu_jit_unwritten(struct cu_program *p);

/* Makes cu_wave_run use the image from now on, but for waves at a pc without an
 * entry: those run in the interpreter until they stop.  Keeps nothing but copies.
 * No wave may be running p.  False with *err without executable memory or
 * memory; p then stays with the interpreter.  The heap must outlive p. */
bool cu_jit_attach(struct cu_program *p, struct cu_exec_heap *heap,
	const struct cu_jit_image *image, struct cu_error *err);
/* After attach: p's code is `name` for debuggers and profilers (symbols may be
 * NULL), and every wave is run by the interpreter as well and compared when
 * `check` is set, see jit_check.h.  False without memory. */
struct cu_symbols;
bool cu_jit_name(struct cu_program *p, struct cu_symbols *symbols, const char *name, bool check);
/* After attach, with check: f counts what is executed, and is destroyed with the code. */
struct cu_profile;
void cu_jit_count(struct cu_program *p, struct cu_profile *f);
/* Back to the interpreter, memory given back; cu_program_destroy does it too. */
void cu_jit_detach(struct cu_program *p);
/* Address and size of p's code, for debuggers, profilers and files; NULL without. */
const void *cu_jit_code(const struct cu_program *p, size_t *bytes);
/* Its cu_jit_image.entry. */
const uint32_t *cu_jit_entries(const struct cu_program *p);

/* The code itself: runs w from `at`, an entry's address.  Besides a status it
 * may return CU_JIT_BAIL: the interpreter is to go on from w->pc. */
#define CU_JIT_BAIL 3
struct cu_jit_helpers;
struct cu_mimg_slot;
struct cu_mimg_taps;
typedef enum cu_status (*cu_jit_fn)(struct cu_wave *w, const struct cu_rec *recs, const void *at,
	const struct cu_jit_helpers *helpers);

/* Memory as a region sees it: lanes' dwords at base + offset; dword i is inside
 * where the offset is below limit[i], and the index not above last. */
struct cu_jit_slot {
	uint64_t base;
	uint32_t limit[4], stride, last;
};
/* A piece of memory that the wave may access: lanes' dwords at base + distance; dword i
 * is inside where the distance is below limit[i].  A wave starts with limits of 0. */
struct cu_jit_window { uint64_t base; uint32_t limit[4]; };
/* A strip's FLAT or GLOBAL access: addresses or distances from an SGPR pair, data, active
 * lanes, and of the strip's first lane 4 times its number.  What follows is the code's. */
struct cu_jit_access {
	uint32_t lo[16], hi[16], data[4][16];
	const struct cu_rec *record;
	uint32_t mask, strip;
	uint64_t again, done, kept[4];
};
/* What the code calls besides handlers. */
struct cu_jit_helpers {
	/* Fills *s for r's buffer, for the wave's scratch; 0: only handlers can. */
	int (*buffer)(struct cu_wave *w, const struct cu_rec *r, struct cu_jit_slot *s);
	int (*scratch)(struct cu_wave *w, const struct cu_rec *r, struct cu_jit_slot *s);
	/* An active lane of r is outside scratch; mask and byte offsets of a strip. */
	int (*scratch_fault)(struct cu_wave *w, const struct cu_rec *r, uint32_t mask, const uint32_t *offset);
	/* Runs count records from `first` on by their handlers, but those with a bit
	 * in skip; those with one in quiet leave SCC alone.  A status, or CU_STATUS_END
	 * when it came to the end. */
	int (*handlers)(struct cu_wave *w, const struct cu_rec *first, uint32_t count, const uint64_t *skip,
		const uint64_t *quiet);
	/* Moves the window to the range of the first active lane's address, where the wave
	 * knows it; 0: it does not.  Leaves vector registers alone. */
	int (*window)(struct cu_wave *w, const struct cu_jit_access *a, struct cu_jit_window *s);
	/* The access by its handler.  A status, or CU_STATUS_END when all is well. */
	int (*lanes)(struct cu_wave *w, struct cu_jit_access *a);
	/* count image instructions from r on; loose: results may be anything in lanes that are off.  What the last one's handler
	 * returns. */
	const struct cu_rec *(*images)(struct cu_wave *w, const struct cu_rec *r, uint32_t count, uint32_t loose);
	/* Fills slots[n] for r, the n before it being filled; 0: strips are not to do them (core/tex/mimg.h). */
	int (*image)(struct cu_wave *w, const struct cu_rec *r, struct cu_mimg_slot *slots, uint32_t n);
	/* Samples of a slot, by a tile (core/tex/mimg.h). */
	void (*tile)(struct cu_wave *w, struct cu_mimg_slot *slot, uint32_t (*rows)[64], const struct cu_mimg_taps *taps);
};
extern const struct cu_jit_helpers cu_jit_helpers;

#endif
