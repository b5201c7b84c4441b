/* SPDX-License-Identifier: MIT */
/* The structures that tell of a device's features and properties, as tables from the
 * registry: which versions and extensions have them, and where their members lie in
 * them ("theirs") and in struct icd_features or icd_properties ("ours"). */
#ifndef ICD_STRUCTS_H
#define ICD_STRUCTS_H

#include "icd/physical_device.h"

struct icd_member {
	const char *name;             /* theirs; ours may differ */
	uint16_t theirs, ours, size;  /* offsets, bytes */
};

struct icd_struct {
	VkStructureType type;
	uint32_t version;             /* of Vulkan, the first that has it, or 0 */
	const char *name;
	const struct icd_member *members;
	uint16_t member_count, extension_count;
	uint16_t extensions[ICD_STRUCT_EXTENSIONS]; /* that have it, also by an alias */
};

struct icd_structs { const struct icd_struct *list; size_t count; };

/* VkPhysicalDeviceFeatures and VkPhysicalDeviceProperties are here by the structures that
 * wrap them (..2), with offsets in those. */
extern const struct icd_structs icd_feature_structs, icd_property_structs;

/* NULL for what is none of them, or newer than the registry we were built from. */
const struct icd_struct *icd_struct_find(const struct icd_structs *structs, VkStructureType type);

/* Of a version or an extension that the device reports. */
bool icd_struct_reported(const struct icd_struct *s, const struct icd_physical_device *pd);

/* Writes all members of `theirs`, a structure as `s` says: from `ours`, or 0 if that is NULL. */
void icd_struct_fill(const struct icd_struct *s, void *theirs, const void *ours);

#endif
