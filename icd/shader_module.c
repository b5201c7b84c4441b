/* SPDX-License-Identifier: MIT */
#include "icd/shader_module.h"

#include <string.h>
#include "icd/device.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateShaderModule(VkDevice _device,
	const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkShaderModule *pShaderModule)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_shader_module *module = icd_object_alloc(device, pAllocator,
		sizeof *module + info->codeSize, VK_OBJECT_TYPE_SHADER_MODULE);
	if (!module)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	module->word_count = info->codeSize / 4;
	memcpy(module->words, info->pCode, module->word_count * 4);
	icd_module_identity(module->words, module->word_count, module->identity);
	*pShaderModule = icd_shader_module_to_handle(module);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyShaderModule(VkDevice _device, VkShaderModule module,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_shader_module_from_handle(module));
}
