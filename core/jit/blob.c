/* Translated code as bytes, see blob.h: a header, the entries, the code. */
#include "core/jit/blob.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x4a584751u /* "QGXJ" */

struct header {
	uint32_t magic, version, level, records, dwords;
	uint32_t code_bytes;
	uint64_t gcn;  /* hash of the program's code */
	uint64_t rest; /* hash of what follows */
};
_Static_assert(sizeof(struct header) == 40, "no gaps: headers are compared byte by byte");

static uint64_t hash(uint64_t h, uint64_t value)
{
	h = (h ^ value) * 0xd6e8feb86659fd93ull;
	return h ^ h >> 32;
}

/* Of all words that can be reached, with their places. */
static uint64_t hash_gcn(const struct cu_program *p)
{
	uint64_t h = 0x9e3779b97f4a7c15ull;
	for (uint32_t i = 0; i < p->dwords; i++)
		if (p->reached[i / 32] >> i % 32 & 1)
			h = hash(h, (uint64_t)i << 32 | p->code[i]);
	return h;
}

static uint64_t hash_bytes(const uint8_t *p, size_t n)
{
	uint64_t h = n, word = 0;
	for (; n >= 8; p += 8, n -= 8) {
		memcpy(&word, p, 8);
		h = hash(h, word);
	}
	word = 0;
	memcpy(&word, p, n);
	return hash(h, word);
}

static struct header header_of(const struct cu_program *p, size_t code_bytes)
{
	return (struct header){ MAGIC, CU_JIT_VERSION, p->level, p->count, p->dwords,
		(uint32_t)code_bytes, hash_gcn(p), 0 };
}

void *cu_blob_save(const struct cu_program *p, size_t *bytes)
{
	size_t code_bytes, entries = p->count * sizeof(uint32_t);
	const void *code = cu_jit_code(p, &code_bytes);
	if (!code)
		return NULL;
	struct header h = header_of(p, code_bytes);
	*bytes = (sizeof(h) + entries + code_bytes + 3) / 4 * 4;
	uint8_t *blob = calloc(1, *bytes);
	if (!blob)
		return NULL;
	memcpy(blob + sizeof(h), cu_jit_entries(p), entries);
	memcpy(blob + sizeof(h) + entries, code, code_bytes);
	h.rest = hash_bytes(blob + sizeof(h), *bytes - sizeof(h));
	memcpy(blob, &h, sizeof(h));
	return blob;
}

bool cu_blob_attach(struct cu_program *p, struct cu_exec_heap *heap, const void *data, size_t bytes)
{
	struct header h, want;
	size_t entries = p->count * sizeof(uint32_t);
	if (bytes < sizeof(h))
		return false;
	memcpy(&h, data, sizeof(h));
	want = header_of(p, h.code_bytes);
	want.rest = hash_bytes((const uint8_t *)data + sizeof(h), bytes - sizeof(h));
	if (memcmp(&h, &want, sizeof(h)) || !h.code_bytes ||
		bytes != (sizeof(h) + entries + h.code_bytes + 3) / 4 * 4)
		return false;
	/* Copies: nobody said how the bytes are aligned. */
	struct cu_jit_image image = { .records = p->count, .bytes = h.code_bytes, .code_bytes = h.code_bytes };
	struct cu_error err;
	image.code = malloc(h.code_bytes);
	image.entry = malloc(entries);
	bool ok = image.code && image.entry;
	if (ok) {
		memcpy(image.entry, (const uint8_t *)data + sizeof(h), entries);
		memcpy(image.code, (const uint8_t *)data + sizeof(h) + entries, h.code_bytes);
	}
	for (uint32_t i = 0; ok && i < p->count; i++)
		ok = image.entry[i] == CU_JIT_NO_ENTRY || image.entry[i] < h.code_bytes;
	ok = ok && cu_jit_attach(p, heap, &image, &err);
	cu_jit_image_free(&image);
	return ok;
}
