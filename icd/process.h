/* SPDX-License-Identifier: MIT */
/* What all devices of the process share: its memory, and that it may fork. */
#ifndef ICD_PROCESS_H
#define ICD_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

struct icd_device;

/* Takes bytes of VkDeviceMemory out of what all devices together may have,
 * `heap` bytes; false when they are not there. */
bool icd_process_take_memory(uint64_t bytes, uint64_t heap);
void icd_process_give_memory(uint64_t bytes);
/* What is taken now. */
uint64_t icd_process_memory(void);

/* The same of decoded planes (icd/decoded.h), which are all together `most` bytes. */
bool icd_process_take_decoded(uint64_t bytes, uint64_t most);
void icd_process_give_decoded(uint64_t bytes);

/* A fork leaves the devices' threads in the parent.  The child finds the devices
 * that are added lost; it may destroy them and make new ones.  (What another
 * thread of the application was inside of at that moment stays locked in the
 * child.)  False without memory, and nothing was added.  Both functions: from any thread. */
bool icd_process_add(struct icd_device *device);
void icd_process_remove(struct icd_device *device);

#endif
