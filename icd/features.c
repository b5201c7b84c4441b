/* SPDX-License-Identifier: MIT */
#include "icd/features.h"

#include "icd/instance.h"
#include "icd/outarray.h"
#include "icd/structs.h"

static const uint16_t device_extensions[] = {
	ICD_EXT_EXT_4444_formats,
	ICD_EXT_EXT_astc_decode_mode,
	ICD_EXT_EXT_attachment_feedback_loop_dynamic_state,
	ICD_EXT_EXT_attachment_feedback_loop_layout,
	ICD_EXT_EXT_border_color_swizzle,
	ICD_EXT_EXT_calibrated_timestamps,
	ICD_EXT_EXT_color_write_enable,
	ICD_EXT_EXT_conditional_rendering,
	ICD_EXT_EXT_custom_border_color,
	ICD_EXT_EXT_depth_clamp_zero_one,
	ICD_EXT_EXT_depth_clip_control,
	ICD_EXT_EXT_depth_clip_enable,
	ICD_EXT_EXT_depth_range_unrestricted,
	ICD_EXT_EXT_descriptor_buffer,
	ICD_EXT_EXT_descriptor_indexing,
	ICD_EXT_EXT_device_address_binding_report,
	ICD_EXT_EXT_device_fault,
	ICD_EXT_EXT_dynamic_rendering_unused_attachments,
	ICD_EXT_EXT_extended_dynamic_state,
	ICD_EXT_EXT_extended_dynamic_state2,
	ICD_EXT_EXT_extended_dynamic_state3,
	ICD_EXT_EXT_filter_cubic,
	ICD_EXT_EXT_global_priority,
	ICD_EXT_EXT_global_priority_query,
	ICD_EXT_EXT_host_query_reset,
	ICD_EXT_EXT_image_2d_view_of_3d,
	ICD_EXT_EXT_image_compression_control,
	ICD_EXT_EXT_image_robustness,
	ICD_EXT_EXT_image_sliced_view_of_3d,
	ICD_EXT_EXT_image_view_min_lod,
	ICD_EXT_EXT_index_type_uint8,
	ICD_EXT_EXT_inline_uniform_block,
	ICD_EXT_EXT_line_rasterization,
	ICD_EXT_EXT_load_store_op_none,
	ICD_EXT_EXT_memory_budget,
	ICD_EXT_EXT_memory_priority,
	ICD_EXT_EXT_mesh_shader,
	ICD_EXT_EXT_multi_draw,
	ICD_EXT_EXT_mutable_descriptor_type,
	ICD_EXT_EXT_non_seamless_cube_map,
	ICD_EXT_EXT_pageable_device_local_memory,
	ICD_EXT_EXT_pipeline_creation_cache_control,
	ICD_EXT_EXT_pipeline_creation_feedback,
	ICD_EXT_EXT_pipeline_robustness,
	ICD_EXT_EXT_primitive_topology_list_restart,
	ICD_EXT_EXT_primitives_generated_query,
	ICD_EXT_EXT_private_data,
	ICD_EXT_EXT_provoking_vertex,
	ICD_EXT_EXT_queue_family_foreign,
	ICD_EXT_EXT_rgba10x6_formats,
	ICD_EXT_EXT_robustness2,
	ICD_EXT_EXT_sampler_filter_minmax,
	ICD_EXT_EXT_scalar_block_layout,
	ICD_EXT_EXT_separate_stencil_usage,
	ICD_EXT_EXT_shader_atomic_float,
	ICD_EXT_EXT_shader_atomic_float2,
	ICD_EXT_EXT_shader_demote_to_helper_invocation,
	ICD_EXT_EXT_shader_image_atomic_int64,
	ICD_EXT_EXT_shader_module_identifier,
	ICD_EXT_EXT_shader_subgroup_ballot,
	ICD_EXT_EXT_shader_subgroup_vote,
	ICD_EXT_EXT_shader_viewport_index_layer,
	ICD_EXT_EXT_subgroup_size_control,
	ICD_EXT_EXT_texel_buffer_alignment,
	ICD_EXT_EXT_texture_compression_astc_3d,
	ICD_EXT_EXT_texture_compression_astc_hdr,
	ICD_EXT_EXT_tooling_info,
	ICD_EXT_EXT_transform_feedback,
	ICD_EXT_EXT_vertex_attribute_divisor,
	ICD_EXT_EXT_ycbcr_2plane_444_formats,
	ICD_EXT_EXT_ycbcr_image_arrays,
	ICD_EXT_EXT_zero_initialize_device_memory,
	ICD_EXT_KHR_16bit_storage,
	ICD_EXT_KHR_8bit_storage,
	ICD_EXT_KHR_bind_memory2,
	ICD_EXT_KHR_buffer_device_address,
	ICD_EXT_KHR_calibrated_timestamps,
	ICD_EXT_KHR_copy_commands2,
	ICD_EXT_KHR_create_renderpass2,
	ICD_EXT_KHR_dedicated_allocation,
	ICD_EXT_KHR_depth_clamp_zero_one,
	ICD_EXT_KHR_depth_stencil_resolve,
	ICD_EXT_KHR_descriptor_update_template,
	ICD_EXT_KHR_device_group,
	ICD_EXT_KHR_draw_indirect_count,
	ICD_EXT_KHR_driver_properties,
	ICD_EXT_KHR_dynamic_rendering,
	ICD_EXT_KHR_external_fence,
	ICD_EXT_KHR_external_memory,
	ICD_EXT_KHR_external_semaphore,
	ICD_EXT_KHR_format_feature_flags2,
	ICD_EXT_KHR_fragment_shader_barycentric,
	ICD_EXT_KHR_get_memory_requirements2,
	ICD_EXT_KHR_global_priority,
	ICD_EXT_KHR_image_format_list,
	ICD_EXT_KHR_imageless_framebuffer,
	ICD_EXT_KHR_incremental_present,
	ICD_EXT_KHR_index_type_uint8,
	ICD_EXT_KHR_line_rasterization,
	ICD_EXT_KHR_load_store_op_none,
	ICD_EXT_KHR_maintenance1,
	ICD_EXT_KHR_maintenance2,
	ICD_EXT_KHR_maintenance3,
	ICD_EXT_KHR_maintenance4,
	ICD_EXT_KHR_map_memory2,
	ICD_EXT_KHR_multiview,
	ICD_EXT_KHR_push_descriptor,
	ICD_EXT_KHR_relaxed_block_layout,
	ICD_EXT_KHR_robustness2,
	ICD_EXT_KHR_sampler_mirror_clamp_to_edge,
	ICD_EXT_KHR_sampler_ycbcr_conversion,
	ICD_EXT_KHR_separate_depth_stencil_layouts,
	ICD_EXT_KHR_shader_atomic_int64,
	ICD_EXT_KHR_shader_draw_parameters,
	ICD_EXT_KHR_shader_expect_assume,
	ICD_EXT_KHR_shader_float16_int8,
	ICD_EXT_KHR_shader_float_controls,
	ICD_EXT_KHR_shader_integer_dot_product,
	ICD_EXT_KHR_shader_maximal_reconvergence,
	ICD_EXT_KHR_shader_non_semantic_info,
	ICD_EXT_KHR_shader_quad_control,
	ICD_EXT_KHR_shader_relaxed_extended_instruction,
	ICD_EXT_KHR_shader_subgroup_extended_types,
	ICD_EXT_KHR_shader_subgroup_rotate,
	ICD_EXT_KHR_shader_subgroup_uniform_control_flow,
	ICD_EXT_KHR_shader_terminate_invocation,
	ICD_EXT_KHR_spirv_1_4,
	ICD_EXT_KHR_storage_buffer_storage_class,
	ICD_EXT_KHR_swapchain,
	ICD_EXT_KHR_swapchain_mutable_format,
	ICD_EXT_KHR_synchronization2,
	ICD_EXT_KHR_timeline_semaphore,
	ICD_EXT_KHR_unified_image_layouts,
	ICD_EXT_KHR_uniform_buffer_standard_layout,
	ICD_EXT_KHR_variable_pointers,
	ICD_EXT_KHR_vertex_attribute_divisor,
	ICD_EXT_KHR_vulkan_memory_model,
	ICD_EXT_KHR_workgroup_memory_explicit_layout,
	ICD_EXT_KHR_zero_initialize_workgroup_memory,
	ICD_EXT_VALVE_mutable_descriptor_type,
};
enum { DEVICE_EXTENSIONS = sizeof device_extensions / sizeof device_extensions[0] };

/* What there is: whatever structure asks, by its names (see icd_structs.h in the build
 * tree).  What is not named is not there. */
static const struct icd_features features = {
	.robustBufferAccess = true,
	.fullDrawIndexUint32 = true,
	.imageCubeArray = true,
	.samplerYcbcrConversion = true,
	.ycbcr2plane444Formats = true,
	.ycbcrImageArrays = true,
	.formatRgba10x6WithoutYCbCrSampler = true,
	.independentBlend = true,
	.geometryShader = true,
	.shaderTessellationAndGeometryPointSize = true,
	.sampleRateShading = true,
	.dualSrcBlend = true,
	.logicOp = true,
	.multiDrawIndirect = true,
	.drawIndirectFirstInstance = true,
	.depthClamp = true,
	.depthBiasClamp = true,
	.fillModeNonSolid = true,
	.depthBounds = true,
	.alphaToOne = true,
	.wideLines = true,
	.largePoints = true,
	.multiViewport = true,
	.occlusionQueryPrecise = true,
	.pipelineStatisticsQuery = true,
	.vertexPipelineStoresAndAtomics = true,
	.fragmentStoresAndAtomics = true,
	.shaderImageGatherExtended = true,
	.shaderStorageImageMultisample = true,
	.shaderStorageImageExtendedFormats = true,
	.shaderStorageImageReadWithoutFormat = true,
	.shaderStorageImageWriteWithoutFormat = true,
	.shaderUniformBufferArrayDynamicIndexing = true,
	.shaderSampledImageArrayDynamicIndexing = true,
	.shaderStorageBufferArrayDynamicIndexing = true,
	.shaderStorageImageArrayDynamicIndexing = true,
	.shaderClipDistance = true,
	.tessellationShader = true,
	.shaderCullDistance = true,
	.shaderFloat64 = true,
	.shaderInt64 = true,
	.textureCompressionASTC_3D = true,
	.samplerAnisotropy = true,
	.textureCompressionASTC_HDR = true,
	.textureCompressionASTC_LDR = true,
	.textureCompressionBC = true,
	.textureCompressionETC2 = true,
	.shaderInt16 = true,
	.variableMultisampleRate = true,
	.inheritedQueries = true,

	.storageBuffer16BitAccess = true,
	.uniformAndStorageBuffer16BitAccess = true,
	.storagePushConstant16 = true,
	.storageInputOutput16 = true,
	.variablePointersStorageBuffer = true,
	.variablePointers = true,
	.multiview = true,
	.multiviewTessellationShader = true,
	.multiviewGeometryShader = true,
	.shaderDrawParameters = true,

	.storageBuffer8BitAccess = true,
	.uniformAndStorageBuffer8BitAccess = true,
	.storagePushConstant8 = true,
	.bufferDeviceAddress = true,
	.bufferDeviceAddressCaptureReplay = true,
	.shaderBufferInt64Atomics = true,
	.shaderSharedInt64Atomics = true,
	.shaderFloat16 = true,
	.shaderInt8 = true,
	.shaderSubgroupExtendedTypes = true,
	/* sets are plain memory, whose addresses are bound: what is written counts when it is read */
	.shaderInputAttachmentArrayDynamicIndexing = true,
	.shaderUniformTexelBufferArrayDynamicIndexing = true,
	.shaderStorageTexelBufferArrayDynamicIndexing = true,
	.shaderUniformBufferArrayNonUniformIndexing = true,
	.shaderSampledImageArrayNonUniformIndexing = true,
	.shaderStorageBufferArrayNonUniformIndexing = true,
	.shaderStorageImageArrayNonUniformIndexing = true,
	.shaderInputAttachmentArrayNonUniformIndexing = true,
	.shaderUniformTexelBufferArrayNonUniformIndexing = true,
	.shaderStorageTexelBufferArrayNonUniformIndexing = true,
	.descriptorBindingUniformBufferUpdateAfterBind = true,
	.descriptorBindingSampledImageUpdateAfterBind = true,
	.descriptorBindingStorageImageUpdateAfterBind = true,
	.descriptorBindingStorageBufferUpdateAfterBind = true,
	.descriptorBindingUniformTexelBufferUpdateAfterBind = true,
	.descriptorBindingStorageTexelBufferUpdateAfterBind = true,
	.descriptorBindingUpdateUnusedWhilePending = true,
	.descriptorBindingPartiallyBound = true,
	.descriptorBindingVariableDescriptorCount = true,
	.runtimeDescriptorArray = true,
	.descriptorIndexing = true, /* all that it stands for */
	.hostQueryReset = true,
	.imagelessFramebuffer = true,
	.samplerFilterMinmax = true,
	.samplerMirrorClampToEdge = true,
	.drawIndirectCount = true,
	.shaderOutputLayer = true,
	.shaderOutputViewportIndex = true,
	.subgroupBroadcastDynamicId = true,
	.scalarBlockLayout = true,
	.separateDepthStencilLayouts = true, /* layouts mean nothing here */
	.timelineSemaphore = true,
	.uniformBufferStandardLayout = true,
	/* all memory is coherent: device scope and chains cost nothing */
	.vulkanMemoryModel = true,
	.vulkanMemoryModelDeviceScope = true,
	.vulkanMemoryModelAvailabilityVisibilityChains = true,

	.computeFullSubgroups = true,
	.descriptorBindingInlineUniformBlockUpdateAfterBind = true,
	.dynamicRendering = true,
	.inlineUniformBlock = true,
	.maintenance4 = true,
	.pipelineCreationCacheControl = true,
	.privateData = true,
	.robustImageAccess = true,
	.shaderIntegerDotProduct = true, /* none is faster than its sums and products */
	.shaderDemoteToHelperInvocation = true,
	.shaderTerminateInvocation = true,
	.shaderZeroInitializeWorkgroupMemory = true,
	.subgroupSizeControl = true,
	.synchronization2 = true,

	.attachmentFeedbackLoopLayout = true,
	.attachmentFeedbackLoopDynamicState = true,
	.borderColorSwizzle = true,
	.borderColorSwizzleFromImage = true, /* a border goes the way of a texel */
	.bresenhamLines = true,
	.colorWriteEnable = true,
	.conditionalRendering = true,
	.customBorderColors = true,
	.customBorderColorWithoutFormat = true,
	.depthClampZeroOne = true, /* what may not lie outside is clamped anyway */
	.depthClipControl = true,
	.depthClipEnable = true,
	.decodeModeSharedExponent = true,
	.descriptorBuffer = true,
	.descriptorBufferCaptureReplay = true,
	.descriptorBufferImageLayoutIgnored = true,
	.descriptorBufferPushDescriptors = true,
	.deviceFault = true,
	.deviceFaultVendorBinary = true,
	.dynamicRenderingUnusedAttachments = true,
	.extendedDynamicState = true,
	.extendedDynamicState2 = true,
	.extendedDynamicState2LogicOp = true,
	.extendedDynamicState2PatchControlPoints = true,
	/* what no program is made for */
	.extendedDynamicState3AlphaToCoverageEnable = true,
	.extendedDynamicState3ColorBlendEnable = true,
	.extendedDynamicState3ColorBlendEquation = true,
	.extendedDynamicState3ColorWriteMask = true,
	.extendedDynamicState3DepthClampEnable = true,
	.extendedDynamicState3DepthClipEnable = true,
	.extendedDynamicState3DepthClipNegativeOneToOne = true,
	.extendedDynamicState3LineRasterizationMode = true,
	.extendedDynamicState3LogicOpEnable = true,
	.extendedDynamicState3PolygonMode = true,
	.extendedDynamicState3ProvokingVertexMode = true,
	.extendedDynamicState3SampleMask = true,
	.extendedDynamicState3TessellationDomainOrigin = true,
	.formatA4B4G4R4 = true,
	.formatA4R4G4B4 = true,
	.fragmentShaderBarycentric = true,
	.globalPriorityQuery = true,
	.image2DViewOf3D = true,
	.imageCompressionControl = true, /* there is none */
	.imageSlicedViewOf3D = true,
	.indexTypeUint8 = true,
	.inheritedConditionalRendering = true,
	.memoryPriority = true,
	.meshShader = true,
	.meshShaderQueries = true,
	.minLod = true,
	.multiDraw = true,
	.multiviewMeshShader = true,
	.mutableDescriptorType = true,
	.nonSeamlessCubeMap = true,
	.nullDescriptor = true,
	.pageableDeviceLocalMemory = true,
	.pipelineRobustness = true, /* everything is as robust as can be asked for */
	.primitiveTopologyListRestart = true,
	.primitivesGeneratedQuery = true,
	.primitivesGeneratedQueryWithRasterizerDiscard = true,
	.primitivesGeneratedQueryWithNonZeroStreams = true,
	.provokingVertexLast = true,
	.rectangularLines = true,
	.reportAddressBinding = true,
	.robustBufferAccess2 = true,
	.robustImageAccess2 = true,
	.sampler2DViewOf3D = true,
	.shaderModuleIdentifier = true,
	.shaderExpectAssume = true,
	.shaderMaximalReconvergence = true,
	.shaderQuadControl = true,
	.shaderRelaxedExtendedInstruction = true,
	.shaderSubgroupRotate = true,
	.shaderSubgroupRotateClustered = true,
	.shaderSubgroupUniformControlFlow = true,
	.taskShader = true,
	.texelBufferAlignment = true,
	.transformFeedback = true,
	.geometryStreams = true,
	.transformFeedbackPreservesProvokingVertex = true,
	.unifiedImageLayouts = true,
	.vertexAttributeInstanceRateDivisor = true,
	.vertexAttributeInstanceRateZeroDivisor = true,
	.shaderBufferFloat32Atomics = true,
	.shaderBufferFloat32AtomicAdd = true,
	.shaderBufferFloat32AtomicMinMax = true,
	.shaderBufferFloat64Atomics = true,
	.shaderBufferFloat64AtomicAdd = true,
	.shaderBufferFloat64AtomicMinMax = true,
	.shaderBufferFloat16Atomics = true,
	.shaderBufferFloat16AtomicAdd = true,
	.shaderBufferFloat16AtomicMinMax = true,
	.shaderImageFloat32Atomics = true,
	.shaderImageFloat32AtomicAdd = true,
	.shaderImageFloat32AtomicMinMax = true,
	.shaderImageInt64Atomics = true,
	.shaderSharedFloat16Atomics = true,
	.shaderSharedFloat16AtomicAdd = true,
	.shaderSharedFloat16AtomicMinMax = true,
	.shaderSharedFloat32Atomics = true,
	.shaderSharedFloat32AtomicAdd = true,
	.shaderSharedFloat32AtomicMinMax = true,
	.shaderSharedFloat64Atomics = true,
	.shaderSharedFloat64AtomicAdd = true,
	.shaderSharedFloat64AtomicMinMax = true,
	.workgroupMemoryExplicitLayout = true,
	.workgroupMemoryExplicitLayout16BitAccess = true,
	.workgroupMemoryExplicitLayout8BitAccess = true,
	.workgroupMemoryExplicitLayoutScalarBlockLayout = true,
	.zeroInitializeDeviceMemory = true,
};

void icd_features_init(struct icd_physical_device *pd)
{
	for (unsigned i = 0; i < DEVICE_EXTENSIONS; i++)
		pd->extensions.has[device_extensions[i]] = true;
	pd->features = features;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceFeatures(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceFeatures *pFeatures)
{
	VkPhysicalDeviceFeatures2 wrapper = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2 };
	icd_GetPhysicalDeviceFeatures2(physicalDevice, &wrapper);
	*pFeatures = wrapper.features;
}

/* A structure that is not of this device has no features. */
VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceFeatures2 *pFeatures)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	for (VkBaseOutStructure *s = (VkBaseOutStructure *)pFeatures; s; s = s->pNext) {
		const struct icd_struct *f = icd_struct_find(&icd_feature_structs, s->sType);
		if (f)
			icd_struct_fill(f, s, icd_struct_reported(f, pd) ? &pd->features : NULL);
	}
}

/* Takes what `s` asks for.  A structure that is not of this device is skipped, as any
 * unknown one is; but who asks for something by it learns that nobody listened. */
static VkResult enable(const struct icd_physical_device *pd, const VkBaseInStructure *s,
	struct icd_features *enabled)
{
	const struct icd_struct *f = icd_struct_find(&icd_feature_structs, s->sType);
	bool reported = f && icd_struct_reported(f, pd);
	VkResult result = VK_SUCCESS;
	for (uint16_t i = 0; f && i < f->member_count; i++) {
		const struct icd_member *m = &f->members[i];
		if (!*(const VkBool32 *)((const char *)s + m->theirs))
			continue;
		if (!reported)
			icd_log(pd->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, NULL,
				"vkCreateDevice: %s.%s is of a version or an extension that this device does not have: "
				"ignored", f->name, m->name);
		else if (!*(const VkBool32 *)((const char *)&pd->features + m->ours))
			result = icd_error(pd->instance, VK_ERROR_FEATURE_NOT_PRESENT, NULL,
				"vkCreateDevice: no feature %s.%s", f->name, m->name);
		else
			*(VkBool32 *)((char *)enabled + m->ours) = VK_TRUE;
	}
	return result;
}

VkResult icd_features_enable(const struct icd_physical_device *pd, const VkDeviceCreateInfo *info,
	struct icd_features *enabled)
{
	VkPhysicalDeviceFeatures2 wrapper = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2 };
	VkResult result;

	if (info->pEnabledFeatures)
		wrapper.features = *info->pEnabledFeatures;
	memset(enabled, 0, sizeof *enabled);
	result = enable(pd, (const VkBaseInStructure *)&wrapper, enabled);
	for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext) {
		VkResult one = enable(pd, s, enabled);
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
