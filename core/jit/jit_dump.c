/* SPDX-License-Identifier: MIT */
/* GCN and x86 side by side, see jit_dump.h. */
#include "core/jit/jit_dump.h"

#include <Zydis/Zydis.h>
#include <stdio.h>
#include "isa/text/gcn_disasm.h"

static void print_gcn(FILE *f, const struct cu_program *p, uint32_t record)
{
	char text[160];
	const struct cu_rec *r = &p->recs[record];
	gcn_disasm(GCN_GFX9, r->in, (uint64_t)r->pc * 4, text, sizeof(text));
	fprintf(f, "\n%06x  %s%s\n", r->pc * 4, text, r->full ? "" : "    ; any EXEC");
}

static void print_x86(FILE *f, const struct cu_jit_image *image, size_t from, size_t to)
{
	ZydisDisassembledInstruction in;
	while (from < to) {
		if (!ZYAN_SUCCESS(ZydisDisassembleIntel(ZYDIS_MACHINE_MODE_LONG_64, from, image->code + from,
			to - from, &in))) {
			fprintf(f, "        %06zx  (data)\n", from);
			return;
		}
		fprintf(f, "        %06zx  %s\n", from, in.text);
		from += in.info.length;
	}
}

void cu_jit_dump(const char *dir, const char *name, const struct cu_program *p,
	const struct cu_jit_image *image)
{
	char path[4096];
	if (snprintf(path, sizeof(path), "%s/%s.x86", dir, name) >= (int)sizeof(path))
		return;
	FILE *f = fopen(path, "w");
	if (!f)
		return;
	fprintf(f, "%s: %u instructions, %zu bytes of x86-64-v%d code, %zu with constants\n", name, p->count,
		image->code_bytes, (int)p->level, image->bytes);
	size_t at = 0;
	for (size_t i = 0; i < image->mark_count; i++) {
		const struct cu_jit_mark *m = &image->marks[i];
		print_x86(f, image, at, m->x86);
		print_gcn(f, p, m->record);
		at = m->x86;
	}
	print_x86(f, image, at, image->code_bytes);
	fclose(f);
}
