/* SPDX-License-Identifier: MIT */
/* The last steps of the back end, after register allocation. */
#ifndef COMPILER_GCN_BACK_H
#define COMPILER_GCN_BACK_H

#include "compiler/gcn/mir.h"

/* Inserts s_waitcnt and s_nop.  False: no memory. */
bool back_wait(struct mir_func *m);

/* Of a program of so many dwords, whose instructions and blocks know their
 * addresses: what branches cannot reach they reach by islands; *moved: then addresses
 * are to be found anew.  False: no memory, or with a message when too many branches are
 * so long that they meet in one place. */
bool back_far(struct mir_func *m, uint32_t dwords, bool *moved, char *message, size_t message_size);

/* Encodes to *code (malloc'ed), *dwords long; the table will stand behind it.  False with a message when
 * back_far fails or an instruction cannot be encoded (our bug). */
bool back_emit(struct mir_func *m, uint32_t **code, uint32_t *dwords, uint32_t *instructions,
	char *message, size_t message_size);

/* QW_DUMP files: dir/name.suffix.  Failures are ignored. */
struct compiler_input;
FILE *back_dump_open(const struct compiler_input *in, const char *suffix);
void back_dump_spv(const struct compiler_input *in);
void back_dump_ir(const struct compiler_input *in, unsigned step, const char *pass, const struct ir_func *f);
void back_dump_mir(const struct compiler_input *in, const char *pass, const struct mir_func *m);
void back_dump_elf(const struct compiler_input *in, const uint32_t *code, uint32_t dwords);

#endif
