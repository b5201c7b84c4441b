/* SPDX-License-Identifier: MIT */
/* The bytes of a pipeline cache, for tests that damage them and make the checksums
 * right again.  Link icd/cache_record.c, icd/hash.c and qw_core. */
#ifndef TESTS_ICD_CACHE_BLOB_H
#define TESTS_ICD_CACHE_BLOB_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "icd/cache_record.h"

enum { BLOB_HEADER = 32, BLOB_UUID = 16 };

struct blob { uint8_t *p; size_t size; };

/* The record at byte `at`; false behind the last whole one. */
static inline bool blob_record(struct blob b, size_t at, struct icd_record *r)
{
	if (at > b.size || b.size - at < sizeof *r)
		return false;
	memcpy(r, b.p + at, sizeof *r);
	return r->bytes >= sizeof *r && r->bytes <= b.size - at &&
		(uint64_t)r->shader.code_dwords * 4 <= r->bytes - sizeof *r;
}

/* Gives each program's record the checksum that it should have: records are found by
 * their bytes, and what lies behind one that is not whole is left. */
static inline void blob_fix(struct blob b)
{
	const struct icd_record_context context = { b.p + BLOB_HEADER - BLOB_UUID, NULL };
	struct icd_record r;
	for (size_t at = BLOB_HEADER; blob_record(b, at, &r); at += r.bytes) {
		if (r.kind == ICD_RECORD_TRANSLATION)
			continue;
		icd_record_checksum(&context, &r, b.p + at + sizeof r, r.checksum);
		memcpy(b.p + at, &r, sizeof r);
	}
}

/* Number of records of a kind. */
static inline int blob_count(struct blob b, uint32_t kind)
{
	struct icd_record r;
	int n = 0;
	for (size_t at = BLOB_HEADER; blob_record(b, at, &r); at += r.bytes)
		n += r.kind == kind;
	return n;
}

#endif
