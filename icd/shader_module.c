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

static_assert(ICD_HASH_BYTES <= VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT, "an identity is an identifier");

VKAPI_ATTR void VKAPI_CALL icd_GetShaderModuleIdentifierEXT(VkDevice device, VkShaderModule module,
	VkShaderModuleIdentifierEXT *pIdentifier)
{
	pIdentifier->identifierSize = ICD_HASH_BYTES;
	memcpy(pIdentifier->identifier, icd_shader_module_from_handle(module)->identity, ICD_HASH_BYTES);
}

VKAPI_ATTR void VKAPI_CALL icd_GetShaderModuleCreateInfoIdentifierEXT(VkDevice device,
	const VkShaderModuleCreateInfo *pCreateInfo, VkShaderModuleIdentifierEXT *pIdentifier)
{
	pIdentifier->identifierSize = ICD_HASH_BYTES;
	icd_module_identity(pCreateInfo->pCode, pCreateInfo->codeSize / 4, pIdentifier->identifier);
}
