/* SPDX-License-Identifier: MIT */
#include "icd/buffer_view.h"

#include "icd/buffer.h"
#include "icd/device.h"
#include "icd/format.h"
#include "isa/resource.h"

void icd_texel_v(uint64_t address, uint64_t bytes, const struct icd_format *f, uint32_t v[4])
{
	isa_raw_v(address, bytes / f->color.bytes, v);
	ISA_SET(v, V_STRIDE, f->color.bytes);
	for (int c = 0; c < 4; c++)
		ISA_SET(v, V_DST_SEL(c), f->color.sel[c]);
	ISA_SET(v, V_NUM_FORMAT, f->color.nfmt);
	v_set_dfmt(v, f->color.dfmt);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateBufferView(VkDevice _device,
	const VkBufferViewCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
	VkBufferView *pView)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_buffer, buffer, pCreateInfo->buffer);
	const struct icd_format *f = icd_format_get(pCreateInfo->format);
	struct icd_buffer_view *view;

	if (!f || !f->buffer)
		return icd_error(device->instance, VK_ERROR_FORMAT_NOT_SUPPORTED, NULL,
			"vkCreateBufferView: format %d is not supported", pCreateInfo->format);
	view = icd_object_alloc(device, pAllocator, sizeof *view, VK_OBJECT_TYPE_BUFFER_VIEW);
	if (!view)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	icd_texel_v(buffer->address + pCreateInfo->offset, icd_buffer_range(buffer, pCreateInfo->offset, pCreateInfo->range),
		f, view->v);
	*pView = icd_buffer_view_to_handle(view);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyBufferView(VkDevice _device, VkBufferView view,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_buffer_view_from_handle(view));
}
