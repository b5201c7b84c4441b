/* SPDX-License-Identifier: MIT */
#ifndef ICD_EVENT_H
#define ICD_EVENT_H

#include "icd/object.h"

/* vkCmdSetEvent and vkCmdResetEvent: RELEASE_MEM of 1 or 0 to &dword;
 * vkCmdWaitEvents: WAIT_REG_MEM equal 1. */
struct icd_event {
	struct icd_object base;
	_Atomic uint32_t dword;    /* 1 signaled, 0 not */
};
ICD_OBJECT(icd_event, VkEvent, VK_OBJECT_TYPE_EVENT)

#endif
