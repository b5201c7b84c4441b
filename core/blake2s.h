/* SPDX-License-Identifier: MIT */
/* BLAKE2s, RFC 7693: a digest of up to 32 bytes that nobody can collide, keyed
 * (a MAC) or not.  For what decides which code runs. */
#ifndef CORE_BLAKE2S_H
#define CORE_BLAKE2S_H

#include <stddef.h>
#include <stdint.h>

enum { CU_BLAKE2S_BYTES = 32, CU_BLAKE2S_KEY_BYTES = 32, CU_BLAKE2S_BLOCK_BYTES = 64 };

struct cu_blake2s {
	uint32_t h[8];
	uint64_t bytes;       /* compressed so far */
	uint32_t held;        /* bytes in block: the last block waits for the end */
	uint32_t out_bytes;
	uint8_t block[CU_BLAKE2S_BLOCK_BYTES];
};

/* out_bytes: 1 to 32, of the digest.  key_bytes: 0 (no key) to 32. */
void cu_blake2s_init(struct cu_blake2s *s, size_t out_bytes, const void *key, size_t key_bytes);
void cu_blake2s_add(struct cu_blake2s *s, const void *data, size_t bytes);
/* Writes out_bytes to out; s is used up. */
void cu_blake2s_finish(struct cu_blake2s *s, void *out);

/* The 32-byte digest of one piece, without a key. */
void cu_blake2s(const void *data, size_t bytes, uint8_t out[CU_BLAKE2S_BYTES]);

#endif
