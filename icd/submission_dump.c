/* SPDX-License-Identifier: MIT */
#include "icd/submission_dump.h"

#include <inttypes.h>
#include <stdio.h>
#include "isa/pm4.h"
#include "isa/text/pm4_dump.h"

/* As many levels as the command processor takes. */
enum { MAX_LEVEL = 8 };

/* The streams are the driver's own: their packets are whole. */
static void dump_buffer(FILE *f, const uint32_t *ib, size_t dwords, unsigned level)
{
	fprintf(f, "%sbuffer 0x%" PRIxPTR ", level %u, %zu dwords\n\n", level ? "\n" : "", (uintptr_t)ib, level, dwords);
	pm4_dump(f, ib, dwords);
	for (size_t at = 0; at < dwords && level + 1 < MAX_LEVEL; at += 1 + pm4_payload(ib[at])) {
		const struct pm4_indirect_buffer *call = (const void *)(ib + at + 1);
		if (pm4_opcode(ib[at]) != PM4_INDIRECT_BUFFER)
			continue;
		uint64_t address = (uint64_t)call->address_hi << 32 | call->address_lo;
		dump_buffer(f, (const uint32_t *)(uintptr_t)address, call->dwords, level + 1);
	}
}

void icd_submission_dump(const char *dir, uint32_t number, const uint32_t *ib, size_t dwords)
{
	char path[4096];
	if (snprintf(path, sizeof path, "%s/submit_%05" PRIu32 ".pm4", dir, number) >= (int)sizeof path)
		return;
	FILE *f = fopen(path, "w");
	if (!f)
		return;
	dump_buffer(f, ib, dwords, 0);
	fclose(f);
}
