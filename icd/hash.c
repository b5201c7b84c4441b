/* SPDX-License-Identifier: MIT */
#include "icd/hash.h"

#include <string.h>

void icd_hash_init(struct icd_hash *h, const char *domain)
{
	cu_blake2s_init(&h->s, ICD_HASH_BYTES, NULL, 0);
	icd_hash_add(h, domain, strlen(domain));
}

void icd_hash_init_keyed(struct icd_hash *h, const char *domain, const uint8_t key[ICD_HASH_KEY_BYTES])
{
	cu_blake2s_init(&h->s, ICD_HASH_BYTES, key, ICD_HASH_KEY_BYTES);
	icd_hash_add(h, domain, strlen(domain));
}

void icd_hash_add(struct icd_hash *h, const void *data, size_t bytes)
{
	uint64_t length = bytes;
	cu_blake2s_add(&h->s, &length, sizeof length);
	cu_blake2s_add(&h->s, data, bytes);
}

void icd_hash_digest(struct icd_hash *h, const uint8_t digest[ICD_HASH_BYTES])
{
	cu_blake2s_add(&h->s, digest, ICD_HASH_BYTES);
}

void icd_hash_u32(struct icd_hash *h, uint32_t v)
{
	cu_blake2s_add(&h->s, &v, sizeof v);
}

void icd_hash_finish(struct icd_hash *h, uint8_t out[ICD_HASH_BYTES])
{
	cu_blake2s_finish(&h->s, out);
}

void icd_hash_all(const char *domain, const void *data, size_t bytes, uint8_t out[ICD_HASH_BYTES])
{
	struct icd_hash h;
	icd_hash_init(&h, domain);
	icd_hash_add(&h, data, bytes);
	icd_hash_finish(&h, out);
}
