/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "icd/build_id.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "icd/hash.h"
#include "icd/vk.h"

struct found { const void *self; const uint8_t *id; size_t bytes; };

static bool contains(const struct dl_phdr_info *info, const void *address)
{
	uintptr_t a = (uintptr_t)address;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + ph->p_vaddr;
		if (ph->p_type == PT_LOAD && a >= start && a < start + ph->p_memsz)
			return true;
	}
	return false;
}

/* Notes are { namesz, descsz, type, name, desc }, each part padded to 4 bytes. */
static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
	struct found *f = data;
	if (!contains(info, f->self))
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const uint8_t *p = (const uint8_t *)(info->dlpi_addr + ph->p_vaddr);
		const uint8_t *end = p + ph->p_memsz;
		if (ph->p_type != PT_NOTE)
			continue;
		while (end - p >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *note = (const void *)p;
			const uint8_t *name = p + sizeof *note;
			const uint8_t *desc = name + ((note->n_namesz + 3) & ~3u);
			if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
				f->id = desc;
				f->bytes = note->n_descsz;
				return 1;
			}
			p = desc + ((note->n_descsz + 3) & ~3u);
		}
	}
	return 1;
}

void icd_build_id(const char *salt, uint8_t out[16])
{
	struct found f = { .self = (const void *)icd_build_id };
	uint8_t digest[ICD_HASH_BYTES];
	struct icd_hash h;
	icd_hash_init(&h, "quadwave build");
	icd_hash_add(&h, salt, strlen(salt));
	icd_hash_u32(&h, ICD_DRIVER_VERSION);
	dl_iterate_phdr(visit, &f);
	if (f.id)
		icd_hash_add(&h, f.id, f.bytes);
	icd_hash_finish(&h, digest);
	memcpy(out, digest, 16);
}

void icd_build_id_hex(char out[ICD_BUILD_ID_HEX])
{
	struct found f = { .self = (const void *)icd_build_id };
	dl_iterate_phdr(visit, &f);
	snprintf(out, ICD_BUILD_ID_HEX, "none");
	for (size_t i = 0; i < f.bytes && 2 * i + 2 < ICD_BUILD_ID_HEX; i++)
		snprintf(out + 2 * i, 3, "%02x", f.id[i]);
}
