/* SPDX-License-Identifier: MIT */
/* Translated code as bytes, see jit_blob.h: a header, the GCN code that it does the work
 * of, the registers that it may read unwritten, the entries, the code.
 *
 * Which program the code belongs to is decided by comparing GCN code, all of it.  The
 * hash of the rest shows accidents and is no more: who could make bytes that have it on
 * purpose must be kept from making them, see icd/cache_record.h. */
#include "core/jit/jit_blob.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x4a584751u /* "QGXJ" */

struct header {
	uint32_t magic, version, level, records, dwords;
	uint32_t code_bytes;
	uint64_t rest; /* hash of what follows the GCN code */
};
_Static_assert(sizeof(struct header) == 32, "no gaps: headers are compared byte by byte");

static uint64_t hash(uint64_t h, uint64_t value)
{
	h = (h ^ value) * 0xd6e8feb86659fd93ull;
	return h ^ h >> 32;
}

static bool is_reached(const struct cu_program *p, uint32_t i)
{
	return p->reached[i / 32] >> i % 32 & 1;
}

/* dwords words, those that cannot be reached 0, and as many bits that say which can. */
static size_t gcn_bytes(const struct cu_program *p)
{
	return ((size_t)p->dwords + (p->dwords + 31) / 32) * sizeof(uint32_t);
}
static void save_gcn(const struct cu_program *p, uint8_t *to)
{
	for (uint32_t i = 0; i < p->dwords; i++)
		if (is_reached(p, i))
			memcpy(to + 4 * (size_t)i, &p->code[i], 4);
	memcpy(to + 4 * (size_t)p->dwords, p->reached, gcn_bytes(p) - 4 * (size_t)p->dwords);
}
static bool same_gcn(const struct cu_program *p, const uint8_t *from)
{
	if (memcmp(from + 4 * (size_t)p->dwords, p->reached, gcn_bytes(p) - 4 * (size_t)p->dwords))
		return false;
	uint32_t differ = 0;
	for (uint32_t i = 0; i < p->dwords; i++) {
		uint32_t saved;
		memcpy(&saved, from + 4 * (size_t)i, 4);
		differ |= saved ^ (p->code[i] & -(uint32_t)is_reached(p, i));
	}
	return !differ;
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
		(uint32_t)code_bytes, 0 };
}

void *cu_blob_save(const struct cu_program *p, size_t *bytes)
{
	size_t code_bytes, gcn = gcn_bytes(p), entries = p->count * sizeof(uint32_t), sets = sizeof(p->unwritten);
	const void *code = cu_jit_code(p, &code_bytes);
	if (!code)
		return NULL;
	struct header h = header_of(p, code_bytes);
	*bytes = (sizeof(h) + gcn + sets + entries + code_bytes + 3) / 4 * 4;
	uint8_t *blob = calloc(1, *bytes);
	if (!blob)
		return NULL;
	uint8_t *rest = blob + sizeof(h) + gcn;
	save_gcn(p, blob + sizeof(h));
	memcpy(rest, &p->unwritten, sets);
	memcpy(rest + sets, cu_jit_entries(p), entries);
	memcpy(rest + sets + entries, code, code_bytes);
	h.rest = hash_bytes(rest, *bytes - sizeof(h) - gcn);
	memcpy(blob, &h, sizeof(h));
	return blob;
}

bool cu_blob_attach(struct cu_program *p, struct cu_exec_heap *heap, const void *data, size_t bytes)
{
	struct header h, want;
	size_t gcn = gcn_bytes(p), entries = p->count * sizeof(uint32_t), front = sizeof(h) + gcn;
	size_t sets = sizeof(p->unwritten);
	const uint8_t *rest = (const uint8_t *)data + front;
	if (bytes < front)
		return false;
	memcpy(&h, data, sizeof(h));
	want = header_of(p, h.code_bytes);
	want.rest = hash_bytes(rest, bytes - front);
	if (memcmp(&h, &want, sizeof(h)) || !h.code_bytes || bytes != (front + sets + entries + h.code_bytes + 3) / 4 * 4 ||
		!same_gcn(p, (const uint8_t *)data + sizeof(h)))
		return false;
	/* Copies: nobody said how the bytes are aligned. */
	struct cu_jit_image image = { .records = p->count, .bytes = h.code_bytes, .code_bytes = h.code_bytes };
	struct cu_error err;
	image.code = malloc(h.code_bytes);
	image.entry = malloc(entries);
	bool ok = image.code && image.entry;
	if (ok) {
		memcpy(&image.unwritten, rest, sets);
		memcpy(image.entry, rest + sets, entries);
		memcpy(image.code, rest + sets + entries, h.code_bytes);
	}
	for (uint32_t i = 0; ok && i < p->count; i++)
		ok = image.entry[i] == CU_JIT_NO_ENTRY || image.entry[i] < h.code_bytes;
	ok = ok && cu_jit_attach(p, heap, &image, &err);
	cu_jit_image_free(&image);
	return ok;
}
