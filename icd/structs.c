/* SPDX-License-Identifier: MIT */
#include "icd/structs.h"

#include <string.h>

const struct icd_struct *icd_struct_find(const struct icd_structs *structs, VkStructureType type)
{
	for (size_t i = 0; i < structs->count; i++)
		if (structs->list[i].type == type)
			return &structs->list[i];
	return NULL;
}

bool icd_struct_reported(const struct icd_struct *s, const struct icd_physical_device *pd)
{
	if (s->version && s->version <= ICD_API_VERSION)
		return true;
	for (uint16_t i = 0; i < s->extension_count; i++)
		if (pd->extensions.has[s->extensions[i]])
			return true;
	return false;
}

void icd_struct_fill(const struct icd_struct *s, void *theirs, const void *ours)
{
	for (uint16_t i = 0; i < s->member_count; i++) {
		const struct icd_member *m = &s->members[i];
		void *to = (char *)theirs + m->theirs;
		if (ours)
			memcpy(to, (const char *)ours + m->ours, m->size);
		else
			memset(to, 0, m->size);
	}
}
