/* SPDX-License-Identifier: MIT */
#include "icd/framebuffer.h"

#include "icd/device.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateFramebuffer(VkDevice _device,
	const VkFramebufferCreateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkFramebuffer *pFramebuffer)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	uint32_t count = info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT ? 0 : info->attachmentCount;
	struct icd_framebuffer *fb = icd_object_alloc(device, pAllocator,
		sizeof *fb + count * sizeof fb->attachment[0], VK_OBJECT_TYPE_FRAMEBUFFER);
	if (!fb)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	fb->width = info->width;
	fb->height = info->height;
	fb->layers = info->layers;
	fb->attachment_count = count;
	for (uint32_t i = 0; i < count; i++)
		fb->attachment[i] = icd_image_view_from_handle(info->pAttachments[i]);
	*pFramebuffer = icd_framebuffer_to_handle(fb);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyFramebuffer(VkDevice _device, VkFramebuffer fb,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_framebuffer_from_handle(fb));
}
