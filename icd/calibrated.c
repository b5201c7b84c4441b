/* SPDX-License-Identifier: MIT */
/* VK_EXT_calibrated_timestamps: the device's clock is CLOCK_MONOTONIC, in nanoseconds. */
#include <time.h>
#include "icd/device.h"
#include "icd/outarray.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceCalibrateableTimeDomainsEXT(VkPhysicalDevice physicalDevice,
	uint32_t *pTimeDomainCount, VkTimeDomainEXT *pTimeDomains)
{
	static const VkTimeDomainEXT domains[] = { VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT,
		VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT };
	struct icd_outarray out = icd_outarray(pTimeDomains, pTimeDomainCount);
	for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
		if (icd_outarray_next(&out))
			pTimeDomains[i] = domains[i];
	return icd_outarray_finish(&out);
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* All within the time that reading them took, and the step of a clock. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetCalibratedTimestampsEXT(VkDevice device, uint32_t timestampCount,
	const VkCalibratedTimestampInfoEXT *pTimestampInfos, uint64_t *pTimestamps, uint64_t *pMaxDeviation)
{
	uint64_t begin = read_clock(CLOCK_MONOTONIC);
	for (uint32_t i = 0; i < timestampCount; i++)
		pTimestamps[i] = read_clock(pTimestampInfos[i].timeDomain == VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT ?
			CLOCK_MONOTONIC_RAW : CLOCK_MONOTONIC);
	*pMaxDeviation = read_clock(CLOCK_MONOTONIC) - begin + 1;
	return VK_SUCCESS;
}
