/* SPDX-License-Identifier: MIT */
/* VK_EXT_device_fault and VK_EXT_device_address_binding_report: which addresses objects have, and
 * after a wave went astray which address it was, what it did there and where; by the interpreter and translated. */
#include <unistd.h>
#include "child.h"
#include "harness.h"
#include "messages.h"
#include "storage.h"
#include "wild_comp.h"

enum { WILD_LOW = 0x12340, WILD_HIGH = 5, MAX_BINDINGS = 32 };
static const uint64_t wild = (uint64_t)WILD_HIGH << 32 | WILD_LOW;

struct binding { VkDeviceAddressBindingTypeEXT type; uint64_t object, address, bytes; };
struct bindings { unsigned count; struct binding list[MAX_BINDINGS]; };

static VKAPI_ATTR VkBool32 VKAPI_CALL note(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
	VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
	struct bindings *b = user;
	const VkDeviceAddressBindingCallbackDataEXT *d = data->pNext;
	CHECK(types == VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT && d && data->objectCount == 1);
	CHECK(d->sType == VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT && b->count < MAX_BINDINGS);
	b->list[b->count++] = (struct binding){ d->bindingType, data->pObjects[0].objectHandle, d->baseAddress, d->size };
	return VK_FALSE;
}

static VkDebugUtilsMessengerEXT open_noting(struct vk *vk, struct bindings *b)
{
	VkDebugUtilsMessengerCreateInfoEXT messenger = { .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
		.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
		.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, .pfnUserCallback = note, .pUserData = b };
	return open_with_messenger(vk, VK_API_VERSION_1_3, &messenger);
}

static void make_device(struct vk *vk, bool asks)
{
	static const char *const extensions[] = { "VK_EXT_device_fault", "VK_EXT_device_address_binding_report" };
	float priority = 1.0f;
	VkPhysicalDeviceAddressBindingReportFeaturesEXT report = {
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT, NULL, asks };
	VkPhysicalDeviceFaultFeaturesEXT fault = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT, &report, VK_TRUE, asks };
	VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, &fault, VK_TRUE, VK_FALSE, VK_FALSE };
	VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1, .pQueuePriorities = &priority };
	VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &addresses,
		.queueCreateInfoCount = 1, .pQueueCreateInfos = &queue, .enabledExtensionCount = 2,
		.ppEnabledExtensionNames = extensions };
	OK(IFN(vk, vkCreateDevice)(vk->physical, &info, NULL, &vk->device));
	vk->get_device = IFN(vk, vkGetDeviceProcAddr);
	FN(vk, vkGetDeviceQueue)(vk->device, 0, 0, &vk->queue);
}

/* Everything that was bound is unbound in the end, with the same numbers. */
static void check_bindings(const struct bindings *b, uint64_t buffer, uint64_t address)
{
	unsigned bound = 0, of_buffer = 0;
	for (unsigned i = 0; i < b->count; i++) {
		const struct binding *x = &b->list[i];
		unsigned partner = 0;
		of_buffer += x->object == buffer && x->address == address && x->bytes == 1024;
		bound += x->type == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT;
		for (unsigned k = i + 1; k < b->count && x->type == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT; k++)
			partner += b->list[k].type == VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT && b->list[k].object == x->object &&
				b->list[k].address == x->address && b->list[k].bytes == x->bytes;
		CHECK(x->type == VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT || partner == 1);
	}
	CHECK(bound >= 3 && 2 * bound == b->count && of_buffer == 2, "%u bindings of %u messages", bound, b->count);
}

/* Of a device that was lost by it. */
static void check_fault(struct vk *vk, bool stores, bool binary)
{
	VkDeviceFaultCountsEXT n = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	VkDeviceFaultAddressInfoEXT at[2];
	VkDeviceFaultVendorInfoEXT vendor;
	struct { VkDeviceFaultVendorBinaryHeaderVersionOneEXT header; char text[4096]; } blob = { .text = "" };
	VkDeviceFaultInfoEXT info = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT, .pAddressInfos = at,
		.pVendorInfos = &vendor, .pVendorBinaryData = binary ? &blob : NULL };
	OK(FN(vk, vkGetDeviceFaultInfoEXT)(vk->device, &n, NULL));
	CHECK(n.addressInfoCount == 2 && n.vendorInfoCount == 1);
	CHECK(binary ? n.vendorBinarySize > sizeof blob.header && n.vendorBinarySize <= sizeof blob : !n.vendorBinarySize);
	OK(FN(vk, vkGetDeviceFaultInfoEXT)(vk->device, &n, &info));
	CHECK(n.addressInfoCount == 2 && n.vendorInfoCount == 1 && strstr(info.description, "no memory of the device"),
		"%s", info.description);
	CHECK(at[0].addressType == (stores ? VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT :
		VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT));
	CHECK(at[0].reportedAddress == wild && at[0].addressPrecision == 4);
	CHECK(at[1].addressType == VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT);
	CHECK(at[1].reportedAddress > 4096 && at[1].reportedAddress % 4 == 0 && at[1].addressPrecision == 4);
	CHECK(strstr(vendor.description, stores ? "store" : "load"), "%s", vendor.description);
	CHECK(!binary || (blob.header.headerSize == sizeof blob.header && strstr(blob.text, "no memory of the device")));
	n.addressInfoCount = 1;
	CHECK(FN(vk, vkGetDeviceFaultInfoEXT)(vk->device, &n, &info) == VK_INCOMPLETE && n.addressInfoCount == 1);
	printf("%s\n", info.description);
}

static int child(const char *core, unsigned variant)
{
	const bool stores = variant & 1, asks = variant & 2;
	struct vk vk;
	struct bindings bindings = { 0 };
	struct storage s = { 0 };
	VkDeviceFaultCountsEXT none = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	setenv("QW_CORE", core, 1);
	VkDebugUtilsMessengerEXT messenger = open_noting(&vk, &bindings);
	make_device(&vk, asks);
	OK(FN(&vk, vkGetDeviceFaultInfoEXT)(vk.device, &none, NULL));
	CHECK(!none.addressInfoCount && !none.vendorInfoCount && !none.vendorBinarySize);
	struct vk_buffer data = vk_buffer(&vk, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
	VkBufferDeviceAddressInfo of = { VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, NULL, data.buffer };
	uint64_t address = FN(&vk, vkGetBufferDeviceAddress)(vk.device, &of);
	memcpy(data.map, (const uint32_t[]){ WILD_LOW, WILD_HIGH, stores, 0 }, 16);
	OK(storage_layouts(&vk, wild_comp, sizeof wild_comp, &s));
	OK(storage_pipeline(&vk, VK_NULL_HANDLE, &s));
	OK(storage_set(&vk, data.buffer, &s));
	OK(storage_begin(&vk, 0, &s));
	OK(storage_end(&vk, 1, &s));
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &s.cmd };
	OK(FN(&vk, vkQueueSubmit)(vk.queue, 1, &submit, VK_NULL_HANDLE));
	CHECK(FN(&vk, vkQueueWaitIdle)(vk.queue) == VK_ERROR_DEVICE_LOST);
	check_fault(&vk, stores, asks);
	storage_destroy(&vk, &s);
	vk_buffer_free(&vk, &data);
	if (asks)
		check_bindings(&bindings, (uint64_t)(uintptr_t)data.buffer, address);
	CHECK(asks || !bindings.count);
	IFN(&vk, vkDestroyDebugUtilsMessengerEXT)(vk.instance, messenger, NULL);
	vk_stop(&vk);
	return 0;
}

int main(void)
{
	on_every_core(child, 4);
	return 0;
}
