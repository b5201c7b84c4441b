/* SPDX-License-Identifier: MIT */
/* VK_EXT_device_fault: why the device was lost. */
#include <stdio.h>
#include <string.h>
#include "icd/device.h"
#include "icd/outarray.h"

/* The vendor's data: the header that the specification asks for, then the whole message, which
 * descriptions may cut. */
struct vendor_binary {
	VkDeviceFaultVendorBinaryHeaderVersionOneEXT header;
	char why[ICD_FAULT_TEXT];
};

/* The smallest power of two of which one multiple begins a piece with all bytes. */
static VkDeviceSize precision(uint64_t address, uint64_t bytes)
{
	VkDeviceSize p = 1;
	while (bytes && (address ^ (address + bytes - 1)) >= p)
		p *= 2;
	return p;
}

static void put_address(struct icd_outarray *out, VkDeviceFaultAddressInfoEXT *list,
	VkDeviceFaultAddressTypeEXT type, uint64_t address, uint64_t bytes)
{
	if (icd_outarray_next(out))
		list[out->written - 1] = (VkDeviceFaultAddressInfoEXT){ .addressType = type, .reportedAddress = address,
			.addressPrecision = precision(address, bytes) };
}

static VkResult put_addresses(const struct rs_fault *w, VkDeviceFaultAddressInfoEXT *list, uint32_t *count)
{
	struct icd_outarray out = icd_outarray(list, count);
	if (w->access)
		put_address(&out, list, w->access == RS_ACCESS_WRITE ? VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT :
			VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT, w->address, w->bytes);
	if (w->instruction)
		put_address(&out, list, VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT, w->instruction, 4);
	return icd_outarray_finish(&out);
}

/* As much of it as there is room for. */
static void describe(char description[VK_MAX_DESCRIPTION_SIZE], const char *why)
{
	snprintf(description, VK_MAX_DESCRIPTION_SIZE, "%.*s", VK_MAX_DESCRIPTION_SIZE - 1, why);
}

static VkResult put_text(const struct icd_fault *fault, VkDeviceFaultVendorInfoEXT *list, uint32_t *count)
{
	struct icd_outarray out = icd_outarray(list, count);
	if (icd_outarray_next(&out)) {
		list[0] = (VkDeviceFaultVendorInfoEXT){ .vendorFaultCode = fault->wave.access,
			.vendorFaultData = fault->wave.address };
		describe(list[0].description, fault->why);
	}
	return icd_outarray_finish(&out);
}

static VkResult put_binary(const struct icd_device *device, void *data, VkDeviceSize *bytes)
{
	const struct icd_properties *p = &device->physical_device->properties;
	struct vendor_binary b;
	const VkDeviceSize room = *bytes, all = device->enabled.deviceFaultVendorBinary ? sizeof b : 0;
	*bytes = !data || all < room ? all : room;
	if (!data)
		return VK_SUCCESS;
	memset(&b, 0, sizeof b);
	b.header.headerSize = sizeof b.header;
	b.header.headerVersion = VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_EXT;
	b.header.vendorID = p->vendorID;
	b.header.deviceID = p->deviceID;
	b.header.driverVersion = p->driverVersion;
	memcpy(b.header.pipelineCacheUUID, p->pipelineCacheUUID, VK_UUID_SIZE);
	memcpy(b.why, device->fault.why, sizeof b.why);
	memcpy(data, &b, (size_t)*bytes);
	return *bytes < all ? VK_INCOMPLETE : VK_SUCCESS;
}

/* Of a device that was not lost there is nothing to tell; an array that is NULL is not wanted. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetDeviceFaultInfoEXT(VkDevice _device, VkDeviceFaultCountsEXT *counts,
	VkDeviceFaultInfoEXT *info)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	const struct icd_fault *fault = &device->fault;
	VkResult result[3] = { VK_SUCCESS };
	bool lost = icd_device_is_lost(device);

	if (info)
		describe(info->description, lost ? fault->why : "");
	if (!lost) {
		counts->addressInfoCount = counts->vendorInfoCount = 0;
		counts->vendorBinarySize = 0;
		return VK_SUCCESS;
	}
	if (!info || info->pAddressInfos)
		result[0] = put_addresses(&fault->wave, info ? info->pAddressInfos : NULL, &counts->addressInfoCount);
	if (!info || info->pVendorInfos)
		result[1] = put_text(fault, info ? info->pVendorInfos : NULL, &counts->vendorInfoCount);
	if (!info || info->pVendorBinaryData)
		result[2] = put_binary(device, info ? info->pVendorBinaryData : NULL, &counts->vendorBinarySize);
	return result[0] ? result[0] : result[1] ? result[1] : result[2];
}
