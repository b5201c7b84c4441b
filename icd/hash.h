/* SPDX-License-Identifier: MIT */
/* Keys, identities and checksums: BLAKE2s digests of 32 bytes over parts that
 * cannot be told apart wrongly.  A digest has a domain, so that those of two kinds
 * never meet; parts of variable size carry it in front.  Who hashes a list hashes
 * its length first. */
#ifndef ICD_HASH_H
#define ICD_HASH_H

#include "core/blake2s.h"

enum { ICD_HASH_BYTES = CU_BLAKE2S_BYTES, ICD_HASH_KEY_BYTES = CU_BLAKE2S_KEY_BYTES };

struct icd_hash { struct cu_blake2s s; };

void icd_hash_init(struct icd_hash *h, const char *domain);
/* As a MAC: only who has the key can make the digest. */
void icd_hash_init_keyed(struct icd_hash *h, const char *domain, const uint8_t key[ICD_HASH_KEY_BYTES]);
/* A part of variable size: its length, 8 bytes, then the bytes. */
void icd_hash_add(struct icd_hash *h, const void *data, size_t bytes);
/* A digest: of fixed size, and so without its length. */
void icd_hash_digest(struct icd_hash *h, const uint8_t digest[ICD_HASH_BYTES]);
/* A number of fixed size: 4 bytes. */
void icd_hash_u32(struct icd_hash *h, uint32_t v);
void icd_hash_finish(struct icd_hash *h, uint8_t out[ICD_HASH_BYTES]);

/* One part. */
void icd_hash_all(const char *domain, const void *data, size_t bytes, uint8_t out[ICD_HASH_BYTES]);

#endif
