#include "icd/features.h"

#include "icd/instance.h"
#include "icd/outarray.h"

static const uint16_t device_extensions[] = {
	ICD_EXT_EXT_host_query_reset,
	ICD_EXT_EXT_image_robustness,
	ICD_EXT_EXT_line_rasterization,
	ICD_EXT_EXT_pipeline_creation_cache_control,
	ICD_EXT_EXT_robustness2,
	ICD_EXT_EXT_scalar_block_layout,
	ICD_EXT_EXT_shader_demote_to_helper_invocation,
	ICD_EXT_EXT_subgroup_size_control,
	ICD_EXT_KHR_bind_memory2,
	ICD_EXT_KHR_create_renderpass2,
	ICD_EXT_KHR_dedicated_allocation,
	ICD_EXT_KHR_depth_stencil_resolve,
	ICD_EXT_KHR_descriptor_update_template,
	ICD_EXT_KHR_device_group,
	ICD_EXT_KHR_driver_properties,
	ICD_EXT_KHR_get_memory_requirements2,
	ICD_EXT_KHR_image_format_list,
	ICD_EXT_KHR_incremental_present,
	ICD_EXT_KHR_maintenance1,
	ICD_EXT_KHR_maintenance2,
	ICD_EXT_KHR_maintenance3,
	ICD_EXT_KHR_multiview,
	ICD_EXT_KHR_relaxed_block_layout,
	ICD_EXT_KHR_sampler_mirror_clamp_to_edge,
	ICD_EXT_KHR_separate_depth_stencil_layouts,
	ICD_EXT_KHR_shader_draw_parameters,
	ICD_EXT_KHR_shader_float_controls,
	ICD_EXT_KHR_shader_terminate_invocation,
	ICD_EXT_KHR_spirv_1_4,
	ICD_EXT_KHR_storage_buffer_storage_class,
	ICD_EXT_KHR_swapchain,
	ICD_EXT_KHR_swapchain_mutable_format,
	ICD_EXT_KHR_synchronization2,
	ICD_EXT_KHR_uniform_buffer_standard_layout,
	ICD_EXT_KHR_vulkan_memory_model,
	ICD_EXT_KHR_zero_initialize_workgroup_memory,
};
enum { DEVICE_EXTENSIONS = sizeof device_extensions / sizeof device_extensions[0] };

void icd_features_init(struct icd_physical_device *pd)
{
	for (unsigned i = 0; i < DEVICE_EXTENSIONS; i++)
		pd->extensions.has[device_extensions[i]] = true;
	pd->features = (VkPhysicalDeviceFeatures){
		.robustBufferAccess = VK_TRUE,
		.fullDrawIndexUint32 = VK_TRUE,
		.imageCubeArray = VK_TRUE,
		.independentBlend = VK_TRUE,
		.sampleRateShading = VK_TRUE,
		.dualSrcBlend = VK_TRUE,
		.logicOp = VK_TRUE,
		.multiDrawIndirect = VK_TRUE,
		.drawIndirectFirstInstance = VK_TRUE,
		.depthClamp = VK_TRUE,
		.depthBiasClamp = VK_TRUE,
		.fillModeNonSolid = VK_TRUE,
		.depthBounds = VK_TRUE,
		.alphaToOne = VK_TRUE,
		.wideLines = VK_TRUE,
		.largePoints = VK_TRUE,
		.occlusionQueryPrecise = VK_TRUE,
		.vertexPipelineStoresAndAtomics = VK_TRUE,
		.fragmentStoresAndAtomics = VK_TRUE,
		.shaderImageGatherExtended = VK_TRUE,
		.shaderStorageImageMultisample = VK_TRUE,
		.shaderStorageImageExtendedFormats = VK_TRUE,
		.shaderStorageImageReadWithoutFormat = VK_TRUE,
		.shaderStorageImageWriteWithoutFormat = VK_TRUE,
		.shaderUniformBufferArrayDynamicIndexing = VK_TRUE,
		.shaderSampledImageArrayDynamicIndexing = VK_TRUE,
		.shaderStorageBufferArrayDynamicIndexing = VK_TRUE,
		.shaderStorageImageArrayDynamicIndexing = VK_TRUE,
		.shaderClipDistance = VK_TRUE,
		.shaderCullDistance = VK_TRUE,
		.variableMultisampleRate = VK_TRUE,
		.inheritedQueries = VK_TRUE,
	};
}

/* The feature structures that we know, with what we support of each, as one
 * table: VkBool32 members follow the two-word header (sType, pNext).  How many and
 * what they are called is in icd_feature_infos, from the registry. */
enum { MAX_FEATURES = 8 };
struct feature_struct { VkStructureType type; VkBool32 value[MAX_FEATURES]; };

static const struct feature_struct feature_structs[] = {
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, { 0 } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, { VK_TRUE, 0, 0 } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES, { 0 } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES, { 0 } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES, { 0 } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES, { VK_TRUE } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, { VK_TRUE } },
	/* rectangular, Bresenham, smooth, then the stippled three */
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT, { VK_TRUE, VK_TRUE } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES, { VK_TRUE } },
	/* layouts mean nothing here */
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES, { VK_TRUE } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES, { VK_TRUE } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES, { VK_TRUE } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES, { VK_TRUE } },
	/* buffers, images, null descriptors */
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, { VK_TRUE, VK_TRUE, VK_TRUE } },
	/* all memory is coherent: device scope and chains cost nothing */
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES, { VK_TRUE, VK_TRUE, VK_TRUE } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES, { VK_TRUE } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES, { VK_TRUE, VK_TRUE } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES, { VK_TRUE } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES, { VK_TRUE } },
	{ VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, { VK_TRUE } },
};
enum { FEATURE_STRUCTS = sizeof feature_structs / sizeof feature_structs[0] };
static_assert(offsetof(VkPhysicalDeviceMultiviewFeatures, multiview) == sizeof(VkBaseOutStructure),
	"features follow the header");
static_assert(sizeof(VkPhysicalDeviceFeatures) % sizeof(VkBool32) == 0, "features are an array");

static const struct feature_struct *find_features(VkStructureType type)
{
	for (unsigned i = 0; i < FEATURE_STRUCTS; i++)
		if (feature_structs[i].type == type)
			return &feature_structs[i];
	return NULL;
}

/* NULL for what holds no features, or is newer than the registry we were built from. */
static const struct icd_feature_info *find_info(VkStructureType type)
{
	for (uint32_t i = 0; i < icd_feature_info_count; i++)
		if (icd_feature_infos[i].type == type)
			return &icd_feature_infos[i];
	return NULL;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceFeatures(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceFeatures *pFeatures)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	*pFeatures = pd->features;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceFeatures2 *pFeatures)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	pFeatures->features = pd->features;
	for (VkBaseOutStructure *s = pFeatures->pNext; s; s = s->pNext) {
		const struct feature_struct *f = find_features(s->sType);
		if (f)
			memcpy(s + 1, f->value, find_info(s->sType)->count * sizeof(VkBool32));
	}
}

/* Names every feature of `want` that `have` lacks. */
static VkResult check_struct(const struct icd_physical_device *pd, VkStructureType type,
	const VkBool32 *want, const VkBool32 *have)
{
	const struct icd_feature_info *info = find_info(type);
	VkResult result = VK_SUCCESS;
	for (uint32_t i = 0; i < info->count; i++)
		if (want[i] && !have[i])
			result = icd_error(pd->instance, VK_ERROR_FEATURE_NOT_PRESENT, NULL,
				"vkCreateDevice: no feature %s.%s", info->name, info->members[i]);
	return result;
}

/* A structure that we do not fill in is skipped, as any unknown one is; but who asks
 * for something by it learns that nobody listened. */
static void warn_of_ignored(const struct icd_physical_device *pd, const VkBaseInStructure *s)
{
	const struct icd_feature_info *info = find_info(s->sType);
	const VkBool32 *want = (const VkBool32 *)(s + 1);
	for (uint32_t i = 0; info && i < info->count; i++)
		if (want[i])
			icd_log(pd->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, NULL,
				"vkCreateDevice: %s.%s is of a version or an extension that this device does not have: ignored",
				info->name, info->members[i]);
}

VkResult icd_features_check(const struct icd_physical_device *pd, const VkDeviceCreateInfo *info)
{
	const VkStructureType core = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
	const VkBool32 *have = (const VkBool32 *)&pd->features;
	VkResult result = VK_SUCCESS, one;

	if (info->pEnabledFeatures)
		result = check_struct(pd, core, (const VkBool32 *)info->pEnabledFeatures, have);
	for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext) {
		const struct feature_struct *f = find_features(s->sType);
		if (s->sType == core)
			one = check_struct(pd, core, (const VkBool32 *)(s + 1), have);
		else if (f)
			one = check_struct(pd, s->sType, (const VkBool32 *)(s + 1), f->value);
		else {
			one = VK_SUCCESS;
			warn_of_ignored(pd, s);
		}
		if (one != VK_SUCCESS)
			result = one;
	}
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumerateDeviceExtensionProperties(
	VkPhysicalDevice physicalDevice, const char *pLayerName, uint32_t *pPropertyCount,
	VkExtensionProperties *pProperties)
{
	struct icd_outarray out = icd_outarray(pProperties, pPropertyCount);
	if (pLayerName)
		return VK_ERROR_LAYER_NOT_PRESENT;
	for (unsigned i = 0; i < DEVICE_EXTENSIONS; i++)
		icd_out_extension(&out, pProperties, device_extensions[i]);
	return icd_outarray_finish(&out);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumerateDeviceLayerProperties(VkPhysicalDevice physicalDevice,
	uint32_t *pPropertyCount, VkLayerProperties *pProperties)
{
	*pPropertyCount = 0;
	return VK_SUCCESS;
}
