/* The last steps of the back end, after register allocation. */
#ifndef COMPILER_BACK_H
#define COMPILER_BACK_H

#include "mir.h"

/* Inserts s_waitcnt and s_nop.  False: no memory. */
bool back_wait(struct mir_func *m);

/* Encodes to *code (malloc'ed), *dwords long.  False with a message when a
 * branch is out of range or an instruction cannot be encoded (our bug). */
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
