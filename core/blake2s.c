/* SPDX-License-Identifier: MIT */
/* RFC 7693, sections 2.5 to 3.3, for 32-bit words. */
#include "core/blake2s.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are read and written as they lie");

static const uint32_t iv[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static inline uint32_t rotr(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

/* The mixing function G on v[a], v[b], v[c], v[d]. */
#define G(a, b, c, d, x, y) do { \
	v[a] += v[b] + m[x]; \
	v[d] = rotr(v[d] ^ v[a], 16); \
	v[c] += v[d]; \
	v[b] = rotr(v[b] ^ v[c], 12); \
	v[a] += v[b] + m[y]; \
	v[d] = rotr(v[d] ^ v[a], 8); \
	v[c] += v[d]; \
	v[b] = rotr(v[b] ^ v[c], 7); \
} while (0)

/* Columns, then diagonals, with one line of SIGMA (section 2.7). */
#define ROUND(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15) do { \
	G(0, 4, 8, 12, s0, s1); \
	G(1, 5, 9, 13, s2, s3); \
	G(2, 6, 10, 14, s4, s5); \
	G(3, 7, 11, 15, s6, s7); \
	G(0, 5, 10, 15, s8, s9); \
	G(1, 6, 11, 12, s10, s11); \
	G(2, 7, 8, 13, s12, s13); \
	G(3, 4, 9, 14, s14, s15); \
} while (0)

/* The compression function F, section 3.2. */
static void compress(struct cu_blake2s *s, const uint8_t block[CU_BLAKE2S_BLOCK_BYTES], uint32_t last)
{
	uint32_t m[16], v[16];
	memcpy(m, block, sizeof(m));
	memcpy(v, s->h, sizeof(s->h));
	memcpy(v + 8, iv, sizeof(iv));
	v[12] ^= (uint32_t)s->bytes;
	v[13] ^= (uint32_t)(s->bytes >> 32);
	v[14] ^= last;
	ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);
	ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4);
	ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8);
	ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13);
	ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9);
	ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11);
	ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10);
	ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5);
	ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0);
	for (int i = 0; i < 8; i++)
		s->h[i] ^= v[i] ^ v[i + 8];
}

/* Section 2.5: the parameter block is length of the digest, of the key, fanout
 * and depth 1; a key is the first block, padded with zeros. */
void cu_blake2s_init(struct cu_blake2s *s, size_t out_bytes, const void *key, size_t key_bytes)
{
	memcpy(s->h, iv, sizeof(iv));
	s->h[0] ^= (uint32_t)out_bytes | (uint32_t)key_bytes << 8 | 0x01010000;
	s->bytes = 0;
	s->held = 0;
	s->out_bytes = (uint32_t)out_bytes;
	if (key_bytes) {
		memset(s->block, 0, sizeof(s->block));
		memcpy(s->block, key, key_bytes);
		s->held = CU_BLAKE2S_BLOCK_BYTES;
	}
}

void cu_blake2s_add(struct cu_blake2s *s, const void *data, size_t bytes)
{
	const uint8_t *p = data;
	size_t room = CU_BLAKE2S_BLOCK_BYTES - s->held;
	if (bytes > room) {
		memcpy(s->block + s->held, p, room);
		s->bytes += CU_BLAKE2S_BLOCK_BYTES;
		compress(s, s->block, 0);
		s->held = 0;
		p += room;
		bytes -= room;
		for (; bytes > CU_BLAKE2S_BLOCK_BYTES; p += CU_BLAKE2S_BLOCK_BYTES, bytes -= CU_BLAKE2S_BLOCK_BYTES) {
			s->bytes += CU_BLAKE2S_BLOCK_BYTES;
			compress(s, p, 0);
		}
	}
	if (bytes)
		memcpy(s->block + s->held, p, bytes);
	s->held += (uint32_t)bytes;
}

void cu_blake2s_finish(struct cu_blake2s *s, void *out)
{
	memset(s->block + s->held, 0, sizeof(s->block) - s->held);
	s->bytes += s->held;
	compress(s, s->block, ~0u);
	memcpy(out, s->h, s->out_bytes);
}

void cu_blake2s(const void *data, size_t bytes, uint8_t out[CU_BLAKE2S_BYTES])
{
	struct cu_blake2s s;
	cu_blake2s_init(&s, CU_BLAKE2S_BYTES, NULL, 0);
	cu_blake2s_add(&s, data, bytes);
	cu_blake2s_finish(&s, out);
}
