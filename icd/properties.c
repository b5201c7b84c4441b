/* SPDX-License-Identifier: MIT */
/* What the device is and how much of it there is: all properties of all structures. */
#include "icd/properties.h"

#include <stdio.h>
#include <string.h>
#include "icd/build_id.h"
#include "icd/descriptor_set_layout.h"
#include "icd/hash.h"
#include "icd/instance.h"
#include "icd/shader_module.h"
#include "icd/stage.h"
#include "icd/structs.h"
#include "isa/abi.h"
#include "isa/resource.h"
#include "isa/strmout.h"

/* Neither a PCI vendor (16 bits) nor one of Khronos's (0x10001..): "QW". */
enum { VENDOR_ID = 0x515700, DEVICE_ID = 0x900 };

/* Descriptors are memory: these numbers only keep sums within 32 bits. */
enum { MAX_DESCRIPTORS = ICD_MAX_DESCRIPTORS, MAX_SET_DESCRIPTORS = ICD_MAX_SET_DESCRIPTORS };

static void init_image_limits(VkPhysicalDeviceLimits *l)
{
	l->maxImageDimension1D = ICD_MAX_IMAGE_SIZE;
	l->maxImageDimension2D = ICD_MAX_IMAGE_SIZE;
	l->maxImageDimension3D = ICD_MAX_IMAGE_3D;
	l->maxImageDimensionCube = ICD_MAX_IMAGE_SIZE;
	l->maxImageArrayLayers = ICD_MAX_LAYERS;
	l->maxTexelBufferElements = ICD_MAX_TEXEL_ELEMENTS;
	l->subTexelPrecisionBits = 8; /* core/tex/tex_footprint.h */
	l->mipmapPrecisionBits = 8;
	l->maxSamplerLodBias = 15.0f;
	l->maxSamplerAnisotropy = 16.0f;
	l->minTexelOffset = -8;
	l->maxTexelOffset = 7;
	l->minTexelGatherOffset = -32;
	l->maxTexelGatherOffset = 31;
	l->maxFramebufferWidth = ICD_MAX_IMAGE_SIZE;
	l->maxFramebufferHeight = ICD_MAX_IMAGE_SIZE;
	l->maxFramebufferLayers = ICD_MAX_LAYERS;
	l->framebufferColorSampleCounts = ICD_SAMPLE_COUNTS;
	l->framebufferDepthSampleCounts = ICD_SAMPLE_COUNTS;
	l->framebufferStencilSampleCounts = ICD_SAMPLE_COUNTS;
	l->framebufferNoAttachmentsSampleCounts = ICD_SAMPLE_COUNTS;
	l->maxColorAttachments = ICD_MAX_COLOR;
	l->sampledImageColorSampleCounts = ICD_SAMPLE_COUNTS;
	l->sampledImageIntegerSampleCounts = ICD_SAMPLE_COUNTS;
	l->sampledImageDepthSampleCounts = ICD_SAMPLE_COUNTS;
	l->sampledImageStencilSampleCounts = ICD_SAMPLE_COUNTS;
	l->storageImageSampleCounts = ICD_SAMPLE_COUNTS;
	l->maxSampleMaskWords = 1;
	l->standardSampleLocations = VK_TRUE;
}

static void init_descriptor_limits(VkPhysicalDeviceLimits *l)
{
	l->maxBoundDescriptorSets = ABI_MAX_SETS;
	l->maxPerStageDescriptorSamplers = MAX_DESCRIPTORS;
	l->maxPerStageDescriptorUniformBuffers = MAX_DESCRIPTORS;
	l->maxPerStageDescriptorStorageBuffers = MAX_DESCRIPTORS;
	l->maxPerStageDescriptorSampledImages = MAX_DESCRIPTORS;
	l->maxPerStageDescriptorStorageImages = MAX_DESCRIPTORS;
	l->maxPerStageDescriptorInputAttachments = MAX_DESCRIPTORS;
	l->maxPerStageResources = MAX_SET_DESCRIPTORS;
	l->maxDescriptorSetSamplers = MAX_DESCRIPTORS;
	l->maxDescriptorSetUniformBuffers = MAX_DESCRIPTORS;
	l->maxDescriptorSetUniformBuffersDynamic = ABI_MAX_DYNAMIC / 2;
	l->maxDescriptorSetStorageBuffers = MAX_DESCRIPTORS;
	l->maxDescriptorSetStorageBuffersDynamic = ABI_MAX_DYNAMIC / 2;
	l->maxDescriptorSetSampledImages = MAX_DESCRIPTORS;
	l->maxDescriptorSetStorageImages = MAX_DESCRIPTORS;
	l->maxDescriptorSetInputAttachments = MAX_DESCRIPTORS;
}

static void init_shader_limits(VkPhysicalDeviceLimits *l)
{
	l->maxUniformBufferRange = 1 << 16;
	l->maxStorageBufferRange = 1 << 30;
	l->maxPushConstantsSize = ABI_PUSH_BYTES;
	l->maxVertexInputAttributes = ICD_MAX_VERTEX_ATTRS;
	l->maxVertexInputBindings = ICD_MAX_VERTEX_BINDINGS;
	l->maxVertexInputAttributeOffset = ICD_MAX_VERTEX_STRIDE - 1;
	l->maxVertexInputBindingStride = ICD_MAX_VERTEX_STRIDE;
	/* 32 params less four for clip and cull distances. */
	l->maxVertexOutputComponents = 4 * 28;
	l->maxFragmentInputComponents = 4 * 28;
	l->maxGeometryShaderInvocations = ABI_GS_MAX_INVOCATIONS;
	l->maxGeometryInputComponents = 4 * 28;
	l->maxGeometryOutputComponents = 4 * 29; /* with Position */
	l->maxGeometryOutputVertices = ABI_GS_MAX_VERTICES;
	l->maxGeometryTotalOutputComponents = ABI_GS_MAX_COMPONENTS;
	l->maxTessellationGenerationLevel = 64;
	l->maxTessellationPatchSize = ABI_PATCH_MAX_POINTS;
	l->maxTessellationControlPerVertexInputComponents = 128;
	l->maxTessellationControlPerVertexOutputComponents = 128;
	l->maxTessellationControlPerPatchOutputComponents = 120;
	l->maxTessellationControlTotalOutputComponents = 4096;
	l->maxTessellationEvaluationInputComponents = 128;
	l->maxTessellationEvaluationOutputComponents = 4 * 28;
	l->maxFragmentOutputAttachments = ICD_MAX_COLOR;
	l->maxFragmentDualSrcAttachments = 1;
	l->maxFragmentCombinedOutputResources = MAX_SET_DESCRIPTORS;
	l->maxComputeSharedMemorySize = 32768;
	l->maxComputeWorkGroupCount[0] = l->maxComputeWorkGroupCount[1] = l->maxComputeWorkGroupCount[2] = 65535;
	l->maxComputeWorkGroupInvocations = 1024;
	l->maxComputeWorkGroupSize[0] = l->maxComputeWorkGroupSize[1] = l->maxComputeWorkGroupSize[2] = 1024;
	l->minInterpolationOffset = -0.5f;
	l->maxInterpolationOffset = 0.4375f;
	l->subPixelInterpolationOffsetBits = 4;
	l->maxClipDistances = 8;
	l->maxCullDistances = 8;
	l->maxCombinedClipAndCullDistances = 8;
}

static void init_raster_limits(VkPhysicalDeviceLimits *l)
{
	l->subPixelPrecisionBits = 8;
	l->maxDrawIndexedIndexValue = UINT32_MAX;
	l->maxDrawIndirectCount = UINT32_MAX;
	l->maxViewports = ICD_MAX_VIEWPORTS;
	l->maxViewportDimensions[0] = l->maxViewportDimensions[1] = ICD_MAX_IMAGE_SIZE;
	l->viewportBoundsRange[0] = -32768.0f;
	l->viewportBoundsRange[1] = 32767.0f;
	l->viewportSubPixelBits = 8;
	l->pointSizeRange[0] = 1.0f;
	l->pointSizeRange[1] = ICD_MAX_POINT_SIZE;
	l->lineWidthRange[0] = 1.0f;
	l->lineWidthRange[1] = 255.0f;
	l->pointSizeGranularity = 0.125f;
	l->lineWidthGranularity = 0.125f;
	l->strictLines = VK_TRUE;
}

/* Memory, and what else a device has. */
static void init_memory_limits(VkPhysicalDeviceLimits *l)
{
	l->maxMemoryAllocationCount = 1 << 15;
	l->maxSamplerAllocationCount = 1 << 16;
	l->bufferImageGranularity = 1;
	l->minMemoryMapAlignment = 4096;
	l->minTexelBufferOffsetAlignment = 16;
	l->minUniformBufferOffsetAlignment = 16;
	l->minStorageBufferOffsetAlignment = 16;
	l->timestampComputeAndGraphics = VK_TRUE;
	l->timestampPeriod = 1.0f;
	l->discreteQueuePriorities = 2;
	l->optimalBufferCopyOffsetAlignment = 64;
	l->optimalBufferCopyRowPitchAlignment = 64;
	l->nonCoherentAtomSize = 64;
}

static VkPhysicalDeviceLimits limits(void)
{
	VkPhysicalDeviceLimits l;
	memset(&l, 0, sizeof l);
	init_image_limits(&l);
	init_descriptor_limits(&l);
	init_shader_limits(&l);
	init_raster_limits(&l);
	init_memory_limits(&l);
	return l;
}

enum {
	MAX_CAPTURED = 512, /* bytes of a vertex: 32 params */
	STENCIL_RESOLVE = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_MIN_BIT | VK_RESOLVE_MODE_MAX_BIT,
};

/* By their names, whatever structure asks (see icd_structs.h in the build tree).  What is
 * not named is 0 or says no. */
static const struct icd_properties properties = {
	.apiVersion = ICD_API_VERSION,
	.driverVersion = ICD_DRIVER_VERSION,
	.vendorID = VENDOR_ID,
	.deviceID = DEVICE_ID,
	.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU,
	.deviceName = "Quadwave (gfx900)",

	/* Khronos has given this driver no VkDriverId and it has passed no submission of the
	 * conformance tests: driverID and conformanceVersion are 0, which is what applications find
	 * where there is no VK_KHR_driver_properties, so none takes us for another driver. */
	.driverName = "Quadwave",

	.subgroupSize = 64,
	.subgroupSupportedStages = ICD_STAGES,
	.subgroupSupportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
		VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
		VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT |
		VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_CLUSTERED_BIT |
		VK_SUBGROUP_FEATURE_ROTATE_BIT_KHR | VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT_KHR,
	.subgroupQuadOperationsInAllStages = VK_TRUE,
	/* Waves have 64 lanes; a workgroup's are full but for its last. */
	.minSubgroupSize = 64,
	.maxSubgroupSize = 64,
	.maxComputeWorkgroupSubgroups = 1024 / 64,
	.requiredSubgroupSizeStages = ICD_STAGES,

	/* The same with and without update after bind. */
	.maxUpdateAfterBindDescriptorsInAllPools = UINT32_MAX,
	.robustBufferAccessUpdateAfterBind = VK_TRUE,
	.quadDivergentImplicitLod = VK_TRUE,
	.maxPerStageDescriptorUpdateAfterBindSamplers = MAX_DESCRIPTORS,
	.maxPerStageDescriptorUpdateAfterBindUniformBuffers = MAX_DESCRIPTORS,
	.maxPerStageDescriptorUpdateAfterBindStorageBuffers = MAX_DESCRIPTORS,
	.maxPerStageDescriptorUpdateAfterBindSampledImages = MAX_DESCRIPTORS,
	.maxPerStageDescriptorUpdateAfterBindStorageImages = MAX_DESCRIPTORS,
	.maxPerStageDescriptorUpdateAfterBindInputAttachments = MAX_DESCRIPTORS,
	.maxPerStageUpdateAfterBindResources = MAX_SET_DESCRIPTORS,
	.maxDescriptorSetUpdateAfterBindSamplers = MAX_DESCRIPTORS,
	.maxDescriptorSetUpdateAfterBindUniformBuffers = MAX_DESCRIPTORS,
	.maxDescriptorSetUpdateAfterBindUniformBuffersDynamic = ABI_MAX_DYNAMIC / 2,
	.maxDescriptorSetUpdateAfterBindStorageBuffers = MAX_DESCRIPTORS,
	.maxDescriptorSetUpdateAfterBindStorageBuffersDynamic = ABI_MAX_DYNAMIC / 2,
	.maxDescriptorSetUpdateAfterBindSampledImages = MAX_DESCRIPTORS,
	.maxDescriptorSetUpdateAfterBindStorageImages = MAX_DESCRIPTORS,
	.maxDescriptorSetUpdateAfterBindInputAttachments = MAX_DESCRIPTORS,
	.maxPushDescriptors = ICD_MAX_PUSH_DESCRIPTORS,
	.maxInlineUniformBlockSize = ICD_MAX_INLINE_BYTES,
	.maxPerStageDescriptorInlineUniformBlocks = ICD_MAX_INLINE_BLOCKS,
	.maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks = ICD_MAX_INLINE_BLOCKS,
	.maxDescriptorSetInlineUniformBlocks = ICD_MAX_INLINE_BLOCKS,
	.maxDescriptorSetUpdateAfterBindInlineUniformBlocks = ICD_MAX_INLINE_BLOCKS,
	.maxInlineUniformTotalSize = UINT32_MAX,

	/* A set is memory, whoever has filled it. */
	.combinedImageSamplerDescriptorSingleArray = VK_TRUE,
	.bufferlessPushDescriptors = VK_TRUE,
	.allowSamplerImageViewPostSubmitCreation = VK_TRUE,
	.descriptorBufferOffsetAlignment = ICD_DESCRIPTOR_BUFFER_ALIGNMENT,
	.maxDescriptorBufferBindings = ICD_MAX_DESCRIPTOR_BUFFERS,
	.maxResourceDescriptorBufferBindings = ICD_MAX_DESCRIPTOR_BUFFERS,
	.maxSamplerDescriptorBufferBindings = ICD_MAX_DESCRIPTOR_BUFFERS,
	.maxEmbeddedImmutableSamplerBindings = ABI_MAX_SETS,
	.maxEmbeddedImmutableSamplers = MAX_DESCRIPTORS,
	.bufferCaptureReplayDescriptorDataSize = ICD_CAPTURE_BYTES,
	.imageCaptureReplayDescriptorDataSize = ICD_CAPTURE_BYTES,
	.imageViewCaptureReplayDescriptorDataSize = ICD_CAPTURE_BYTES,
	.samplerCaptureReplayDescriptorDataSize = ICD_CAPTURE_BYTES,
	.samplerDescriptorSize = ABI_DESC_SAMPLER_BYTES,
	.combinedImageSamplerDescriptorSize = ABI_DESC_COMBINED_BYTES,
	.sampledImageDescriptorSize = ABI_DESC_IMAGE_BYTES,
	.storageImageDescriptorSize = ABI_DESC_IMAGE_BYTES,
	.uniformTexelBufferDescriptorSize = ABI_DESC_BUFFER_BYTES,
	.robustUniformTexelBufferDescriptorSize = ABI_DESC_BUFFER_BYTES,
	.storageTexelBufferDescriptorSize = ABI_DESC_BUFFER_BYTES,
	.robustStorageTexelBufferDescriptorSize = ABI_DESC_BUFFER_BYTES,
	.uniformBufferDescriptorSize = ABI_DESC_BUFFER_BYTES,
	.robustUniformBufferDescriptorSize = ABI_DESC_BUFFER_BYTES,
	.storageBufferDescriptorSize = ABI_DESC_BUFFER_BYTES,
	.robustStorageBufferDescriptorSize = ABI_DESC_BUFFER_BYTES,
	.inputAttachmentDescriptorSize = ABI_DESC_IMAGE_BYTES,
	.maxSamplerDescriptorBufferRange = 1ull << 32,
	.maxResourceDescriptorBufferRange = 1ull << 32,
	.samplerDescriptorBufferAddressSpaceSize = 1ull << 40,
	.resourceDescriptorBufferAddressSpaceSize = 1ull << 40,
	.descriptorBufferAddressSpaceSize = 1ull << 40,

	.filterMinmaxSingleComponentFormats = VK_TRUE,
	.filterMinmaxImageComponentMapping = VK_TRUE,
	.maxCustomBorderColorSamplers = S_BORDER_ENTRIES,

	.maxTimelineSemaphoreValueDifference = UINT64_MAX,

	.pointClippingBehavior = VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES,
	.lineSubPixelPrecisionBits = 8,
	.maxMultiviewViewCount = ICD_MAX_VIEWS,
	.maxMultiviewInstanceIndex = (1u << 27) - 1,
	.maxPerSetDescriptors = MAX_SET_DESCRIPTORS,

	.maxTaskWorkGroupTotalCount = 1 << 22,
	.maxTaskWorkGroupCount = { 65535, 65535, 65535 },
	.maxTaskWorkGroupInvocations = 1024,
	.maxTaskWorkGroupSize = { 1024, 1024, 1024 },
	.maxTaskPayloadSize = ABI_TASK_MAX_PAYLOAD,
	.maxTaskSharedMemorySize = 32768,
	.maxTaskPayloadAndSharedMemorySize = 32768 + ABI_TASK_MAX_PAYLOAD,
	.maxMeshWorkGroupTotalCount = 1 << 22,
	.maxMeshWorkGroupCount = { 65535, 65535, 65535 },
	.maxMeshWorkGroupInvocations = 1024,
	.maxMeshWorkGroupSize = { 1024, 1024, 1024 },
	.maxMeshSharedMemorySize = 32768,
	.maxMeshPayloadAndSharedMemorySize = 32768 + ABI_TASK_MAX_PAYLOAD,
	.maxMeshOutputMemorySize = 32768,
	.maxMeshPayloadAndOutputMemorySize = 32768 + ABI_TASK_MAX_PAYLOAD,
	.maxMeshOutputComponents = 128,
	.maxMeshOutputVertices = ABI_MESH_MAX_VERTICES,
	.maxMeshOutputPrimitives = ABI_MESH_MAX_PRIMITIVES,
	.maxMeshOutputLayers = ICD_MAX_LAYERS,
	.maxMeshMultiviewViewCount = ICD_MAX_VIEWS,
	/* Waves have 64 lanes, and outputs are memory whoever writes them. */
	.meshOutputPerVertexGranularity = 4,
	.meshOutputPerPrimitiveGranularity = 1,
	.maxPreferredTaskWorkGroupInvocations = 64,
	.maxPreferredMeshWorkGroupInvocations = 64,
	.prefersLocalInvocationVertexOutput = VK_TRUE,
	.prefersLocalInvocationPrimitiveOutput = VK_TRUE,
	.prefersCompactVertexOutput = VK_TRUE,
	.prefersCompactPrimitiveOutput = VK_TRUE,

	/* Descriptors end at the byte; accesses are checked by the word. */
	.robustStorageBufferAccessSizeAlignment = 4,
	.robustUniformBufferAccessSizeAlignment = 4,

	/* The modes of MODE, which has one field for 16 and 64 bits (isa/mode.h).  Infinities, NaNs
	 * and negative zeros are what they are. */
	.denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY,
	.roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY,
	.shaderSignedZeroInfNanPreserveFloat16 = VK_TRUE,
	.shaderSignedZeroInfNanPreserveFloat32 = VK_TRUE,
	.shaderSignedZeroInfNanPreserveFloat64 = VK_TRUE,
	.shaderDenormPreserveFloat16 = VK_TRUE,
	.shaderDenormPreserveFloat32 = VK_TRUE,
	.shaderDenormPreserveFloat64 = VK_TRUE,
	.shaderDenormFlushToZeroFloat16 = VK_TRUE,
	.shaderDenormFlushToZeroFloat32 = VK_FALSE, /* it works, interpreted; DXVK asks for it wherever it is */
	.shaderDenormFlushToZeroFloat64 = VK_TRUE,
	.shaderRoundingModeRTEFloat16 = VK_TRUE,
	.shaderRoundingModeRTEFloat32 = VK_TRUE,
	.shaderRoundingModeRTEFloat64 = VK_TRUE,
	.shaderRoundingModeRTZFloat16 = VK_TRUE,
	.shaderRoundingModeRTZFloat32 = VK_TRUE,
	.shaderRoundingModeRTZFloat64 = VK_TRUE,

	.maxBufferSize = 1ull << 32, /* shaders index within an object by 32 bits */
	.defaultRobustnessStorageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
	.defaultRobustnessUniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
	.defaultRobustnessVertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
	.defaultRobustnessImages = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT,
	.maxMultiDrawCount = UINT32_MAX,
	.maxVertexAttribDivisor = UINT32_MAX,
	.maxVertexAttribDivisor_VertexAttributeDivisorPropertiesEXT = UINT32_MAX,
	.supportsNonZeroFirstInstance = VK_TRUE,
	.dynamicPrimitiveTopologyUnrestricted = VK_FALSE,
	.provokingVertexModePerPipeline = VK_TRUE,
	.transformFeedbackPreservesTriangleFanProvokingVertex = VK_TRUE,
	.maxTransformFeedbackStreams = ISA_STREAMS,
	.maxTransformFeedbackBuffers = ISA_STRMOUT_BUFFERS,
	.maxTransformFeedbackBufferSize = UINT32_MAX,
	.maxTransformFeedbackStreamDataSize = MAX_CAPTURED,
	.maxTransformFeedbackBufferDataSize = MAX_CAPTURED,
	.maxTransformFeedbackBufferDataStride = ISA_STRMOUT_MAX_STRIDE,
	.transformFeedbackQueries = VK_TRUE,
	.transformFeedbackDraw = VK_TRUE,
	.transformFeedbackRasterizationStreamSelect = VK_TRUE,
	.transformFeedbackStreamsLinesTriangles = VK_TRUE,
	.storageTexelBufferOffsetAlignmentBytes = 16,
	.uniformTexelBufferOffsetAlignmentBytes = 16,
	.framebufferIntegerColorSampleCounts = ICD_SAMPLE_COUNTS,

	/* Any mode of either aspect beside any of the other. */
	.supportedStencilResolveModes = STENCIL_RESOLVE,
	.supportedDepthResolveModes = STENCIL_RESOLVE | VK_RESOLVE_MODE_AVERAGE_BIT,
	.independentResolveNone = VK_TRUE,
	.independentResolve = VK_TRUE,
};

/* What depends on this build, this machine and its CPU. */
/* What programs that pass over CPUs are told. */
static VkPhysicalDeviceType device_type(struct icd_instance *instance)
{
	static const struct { const char *name; VkPhysicalDeviceType type; } types[] = {
		{ "cpu", VK_PHYSICAL_DEVICE_TYPE_CPU }, { "virtual", VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU },
		{ "integrated", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU }, { "discrete", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU },
	};
	const char *name = instance->env.device_type;
	for (size_t i = 0; name && i < sizeof types / sizeof *types; i++)
		if (!strcmp(name, types[i].name))
			return types[i].type;
	if (name)
		icd_log(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, NULL,
			"QW_DEVICE_TYPE is \"%s\": neither cpu, virtual, integrated nor discrete", name);
	return VK_PHYSICAL_DEVICE_TYPE_CPU;
}

void icd_properties_init(struct icd_physical_device *pd)
{
	struct icd_properties *p = &pd->properties;
	uint8_t digest[ICD_HASH_BYTES];
	char build[ICD_BUILD_ID_HEX];

	*p = properties;
	p->deviceType = device_type(pd->instance);
	p->limits = limits();
	p->maxMemoryAllocationSize = pd->heap_size;
	icd_build_id("cache", p->pipelineCacheUUID);
	icd_build_id("driver", p->driverUUID);
	icd_module_identity(NULL, 0, digest); /* the algorithm is known by what it makes of nothing */
	memcpy(p->shaderModuleIdentifierAlgorithmUUID, digest, VK_UUID_SIZE);
	icd_hash_all("quadwave device", p->deviceName, sizeof p->deviceName, digest);
	memcpy(p->deviceUUID, digest, VK_UUID_SIZE);
	icd_build_id_hex(build);
	snprintf(p->driverInfo, sizeof p->driverInfo, "%u.%u.%u, build %s, x86-64-v%d",
		VK_API_VERSION_MAJOR(ICD_DRIVER_VERSION), VK_API_VERSION_MINOR(ICD_DRIVER_VERSION),
		VK_API_VERSION_PATCH(ICD_DRIVER_VERSION), build, (int)pd->level);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceProperties *pProperties)
{
	VkPhysicalDeviceProperties2 wrapper = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2 };
	icd_GetPhysicalDeviceProperties2(physicalDevice, &wrapper);
	*pProperties = wrapper.properties;
}

/* A structure that is not of this device stays as it is. */
VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceProperties2 *pProperties)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	for (VkBaseOutStructure *s = (VkBaseOutStructure *)pProperties; s; s = s->pNext) {
		const struct icd_struct *p = icd_struct_find(&icd_property_structs, s->sType);
		if (p && icd_struct_reported(p, pd))
			icd_struct_fill(p, s, &pd->properties);
	}
}
