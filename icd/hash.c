#include "icd/hash.h"

#include <string.h>

static uint64_t mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 29;
	x *= 0xa0761d6478bd642fu;
	return x ^ x >> 32;
}

void icd_hash_init(struct icd_hash *h)
{
	h->a = 0x51756164776176u;
	h->b = 0x9e3779b97f4a7c15u;
	h->bytes = 0;
}

static void add_word(struct icd_hash *h, uint64_t w)
{
	h->a = (h->a ^ w) * 0x9fb21c651e98df25u;
	h->a ^= h->a >> 35;
	h->b = mix(h->b + w) + h->a;
}

void icd_hash_add(struct icd_hash *h, const void *data, size_t bytes)
{
	const uint8_t *p = data;
	uint64_t w;
	h->bytes += bytes;
	for (; bytes >= 8; bytes -= 8, p += 8) {
		memcpy(&w, p, 8);
		add_word(h, w);
	}
	w = (uint64_t)bytes << 56;
	if (bytes)
		memcpy(&w, p, bytes);
	add_word(h, w);
}

void icd_hash_u32(struct icd_hash *h, uint32_t v)
{
	add_word(h, v | 1ull << 32);
	h->bytes += 4;
}

void icd_hash_finish(struct icd_hash *h, uint8_t out[16])
{
	uint64_t a = mix(h->a ^ h->bytes), b = mix(h->b + a);
	a ^= mix(b);
	memcpy(out, &a, 8);
	memcpy(out + 8, &b, 8);
}
