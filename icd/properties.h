/* SPDX-License-Identifier: MIT */
/* Properties and limits: one list for all structures that ask for them. */
#ifndef ICD_PROPERTIES_H
#define ICD_PROPERTIES_H

#include "icd/physical_device.h"

/* Fills pd->properties, from pd->level and pd->heap_size among others. */
void icd_properties_init(struct icd_physical_device *pd);

#endif
