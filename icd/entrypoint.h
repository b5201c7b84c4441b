/* SPDX-License-Identifier: MIT */
/* The table of entry points that gen_entrypoints.py makes, and its rules. */
#ifndef ICD_ENTRYPOINT_H
#define ICD_ENTRYPOINT_H

#include "icd_entrypoints.h"

enum icd_level { ICD_LEVEL_GLOBAL, ICD_LEVEL_INSTANCE, ICD_LEVEL_PHYSICAL_DEVICE, ICD_LEVEL_DEVICE };
enum { ICD_ENTRYPOINT_EXTENSIONS = 4 };

struct icd_entrypoint {
	const char *name;
	PFN_vkVoidFunction function;   /* NULL: not implemented */
	enum icd_level level;
	uint32_t core;                 /* API version that has it; 0: none */
	uint32_t extension_count;      /* any of these brings it as well */
	uint16_t extensions[ICD_ENTRYPOINT_EXTENSIONS];
};
extern const struct icd_entrypoint icd_entrypoints[];
extern const uint32_t icd_entrypoint_count;

/* NULL if there is no such command in the registry. */
const struct icd_entrypoint *icd_entrypoint_find(const char *name);

/* Does this API version, or do these extensions, bring the command? b may be NULL. */
bool icd_entrypoint_enabled(const struct icd_entrypoint *e, uint32_t api_version,
	const struct icd_extension_set *a, const struct icd_extension_set *b);

#endif
