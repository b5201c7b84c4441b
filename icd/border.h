/* SPDX-License-Identifier: MIT */
/* Custom border colours: the table that S# of a device name (isa/resource.h), an entry a sampler. */
#ifndef ICD_BORDER_H
#define ICD_BORDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include "isa/resource.h"

struct icd_device;
typedef uint32_t icd_border_color[4];

struct icd_borders {
	icd_border_color *table;               /* NULL: the device has none */
	pthread_mutex_t mutex;
	uint64_t taken[S_BORDER_ENTRIES / 64];
};

/* A table where customBorderColors is enabled.  False without memory. */
bool icd_borders_init(struct icd_device *device);
void icd_borders_finish(struct icd_device *device);

enum { ICD_BORDER_NONE = UINT32_MAX };
/* Takes an entry, `wanted` or, for ICD_BORDER_NONE, any; ICD_BORDER_NONE: it is taken, or all are. */
uint32_t icd_border_take(struct icd_device *device, const uint32_t color[4], uint32_t wanted);
void icd_border_give(struct icd_device *device, uint32_t entry); /* ICD_BORDER_NONE: nothing */

#endif
