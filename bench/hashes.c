/* SPDX-License-Identifier: MIT */
#include "bench/hashes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool read_line(struct hashes *h, const char *line)
{
	char name[sizeof h->row[0].name];
	uint64_t hash;
	int end = 0;
	if (*line == '#' || *line == '\n')
		return true;
	return sscanf(line, "%39s %16" SCNx64 " %n", name, &hash, &end) == 2 && !line[end] && hashes_set(h, name, hash);
}

bool hashes_read(struct hashes *h, const char *name)
{
	char line[200];
	bool good = true;
	FILE *f = fopen(name, "r");
	h->count = 0;
	if (!f && errno == ENOENT)
		return true;
	for (int n = 1; f && good && fgets(line, sizeof line, f); n++) {
		good = read_line(h, line);
		if (!good)
			fprintf(stderr, "qwbench: %s:%d: not a scene's name and 16 digits: %s", name, n, line);
	}
	if (!f)
		fprintf(stderr, "qwbench: cannot read %s: %s\n", name, strerror(errno));
	else
		fclose(f);
	return f && good;
}

bool hashes_write(const struct hashes *h, const char *name)
{
	FILE *f = fopen(name, "w");
	if (!f)
		return false;
	fputs("# SPDX-License-Identifier: MIT\n"
	      "# The frames of Quadwave; tools/bench --hash compares, --record writes this file.\n", f);
	for (size_t i = 0; i < h->count; i++)
		fprintf(f, "%-24s %016" PRIx64 "\n", h->row[i].name, h->row[i].hash);
	return fclose(f) == 0;
}

const uint64_t *hashes_find(const struct hashes *h, const char *name)
{
	for (size_t i = 0; i < h->count; i++)
		if (strcmp(h->row[i].name, name) == 0)
			return &h->row[i].hash;
	return NULL;
}

bool hashes_set(struct hashes *h, const char *name, uint64_t hash)
{
	size_t i = 0;
	while (i < h->count && strcmp(h->row[i].name, name) != 0)
		i++;
	if (i == HASHES_MOST)
		return false;
	snprintf(h->row[i].name, sizeof h->row[i].name, "%s", name);
	h->row[i].hash = hash;
	h->count += i == h->count;
	return true;
}

uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
	const char *at = data;
	while (size > 0) {
		const size_t part = size < sizeof(uint64_t) ? size : sizeof(uint64_t);
		uint64_t word = 0;
		memcpy(&word, at, part);
		hash = (hash ^ word) * UINT64_C(0x100000001b3);
		hash ^= hash >> 32; /* what the product leaves at the top comes down */
		at += part;
		size -= part;
	}
	return hash;
}
