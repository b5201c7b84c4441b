/* SPDX-License-Identifier: MIT */
/* One program, or one translation of a program, as bytes that stand by themselves:
 * what a pipeline cache's file is made of, one after another.
 *
 *   struct icd_record, then shader.code_dwords dwords: a program's GCN code, or a
 *   translation as rs_gpu_save gave it
 *
 * A program's record carries a checksum, which shows damage.  Anyone can make one, so
 * what is read is held to be made to do harm: icd_record_read bounds every number, and
 * the code is decoded within its bounds before it is used (icd_program_get).  A
 * translation is machine code that nobody can check: its record carries a MAC by the
 * user's key (user_key.h) instead, and without the key it is passed over.
 *
 * Both cover the UUID of the cache, which changes with every build: the struct is
 * stored as it is. */
#ifndef ICD_CACHE_RECORD_H
#define ICD_CACHE_RECORD_H

#include "compiler/compiler.h"
#include "icd/hash.h"

enum icd_record_kind { ICD_RECORD_PROGRAM = 1, ICD_RECORD_TRANSLATION = 2 };

struct icd_record {
	uint32_t bytes;                   /* with the code */
	uint32_t kind;                    /* enum icd_record_kind */
	uint8_t key[ICD_HASH_BYTES];      /* icd_program_key */
	uint8_t checksum[ICD_HASH_BYTES]; /* of everything else */
	struct compiler_shader shader;    /* code NULL; of a translation nothing but code_dwords and,
	                                   * as stage, the kernel level that it was made for */
};

/* What both ends agree on.  mac_key: NULL without translations. */
struct icd_record_context { const uint8_t *uuid, *mac_key; };

/* Bytes of a record with so much code; 0 when that is too much. */
size_t icd_record_bytes(uint32_t code_dwords);
/* Writes icd_record_bytes(shader->code_dwords) bytes to p.  A translation needs mac_key. */
void icd_record_write(const struct icd_record_context *c, enum icd_record_kind kind,
	const uint8_t key[ICD_HASH_BYTES], const struct compiler_shader *shader, const void *code, void *p);
/* The checksum or MAC that makes a record right, of its first shader.code_dwords
 * dwords of code; for the two above, and for tests of what has the right one. */
void icd_record_checksum(const struct icd_record_context *c, const struct icd_record *r, const void *code,
	uint8_t out[ICD_HASH_BYTES]);

enum icd_record_status {
	ICD_RECORD_TAKEN,   /* *out is the record; its code follows it in memory */
	ICD_RECORD_PASSED,  /* whole, but not to be used: out->bytes on is the next */
	ICD_RECORD_DAMAGED, /* nothing behind it can be found */
};
/* p need not be aligned; at most `size` bytes are read. */
enum icd_record_status icd_record_read(const struct icd_record_context *c, const void *p, size_t size,
	struct icd_record *out);

#endif
