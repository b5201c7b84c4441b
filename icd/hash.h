/* A 128-bit hash of our own for cache keys and checksums: two 64-bit lanes of
 * multiply and mix over 8-byte words.  Not for adversaries. */
#ifndef ICD_HASH_H
#define ICD_HASH_H

#include <stddef.h>
#include <stdint.h>

struct icd_hash { uint64_t a, b, bytes; };

void icd_hash_init(struct icd_hash *h);
/* Every call is padded to whole words: calls of equal bytes but other cuts differ. */
void icd_hash_add(struct icd_hash *h, const void *data, size_t bytes);
void icd_hash_u32(struct icd_hash *h, uint32_t v);
void icd_hash_finish(struct icd_hash *h, uint8_t out[16]);

static inline void icd_hash_all(const void *data, size_t bytes, uint8_t out[16])
{
	struct icd_hash h;
	icd_hash_init(&h);
	icd_hash_add(&h, data, bytes);
	icd_hash_finish(&h, out);
}

#endif
