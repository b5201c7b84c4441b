/* What the device is and how much of it there is: names, limits, memory. */
#include "icd/physical_device.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include "core/level.h"
#include "icd/build_id.h"
#include "icd/features.h"
#include "icd/hash.h"
#include "icd/instance.h"
#include "icd/outarray.h"
#include "isa/abi.h"

/* Neither a PCI vendor (16 bits) nor one of Khronos's (0x10001..): "QW". */
enum { VENDOR_ID = 0x515700, DEVICE_ID = 0x900 };

/* Descriptors are memory: these numbers only keep sums within 32 bits. */
enum { MAX_DESCRIPTORS = 1 << 16, MAX_SET_DESCRIPTORS = 1 << 18 };

static void init_image_limits(VkPhysicalDeviceLimits *l)
{
	l->maxImageDimension1D = ICD_MAX_IMAGE_SIZE;
	l->maxImageDimension2D = ICD_MAX_IMAGE_SIZE;
	l->maxImageDimension3D = ICD_MAX_IMAGE_3D;
	l->maxImageDimensionCube = ICD_MAX_IMAGE_SIZE;
	l->maxImageArrayLayers = ICD_MAX_LAYERS;
	l->maxTexelBufferElements = ICD_MAX_TEXEL_ELEMENTS;
	l->subTexelPrecisionBits = 7; /* 240 divisions, core/tex_bilinear.c */
	l->mipmapPrecisionBits = 8;
	l->maxSamplerLodBias = 15.0f;
	l->maxSamplerAnisotropy = 1.0f;
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
	l->maxDescriptorSetSamplers = MAX_SET_DESCRIPTORS;
	l->maxDescriptorSetUniformBuffers = MAX_SET_DESCRIPTORS;
	l->maxDescriptorSetUniformBuffersDynamic = ABI_MAX_DYNAMIC / 2;
	l->maxDescriptorSetStorageBuffers = MAX_SET_DESCRIPTORS;
	l->maxDescriptorSetStorageBuffersDynamic = ABI_MAX_DYNAMIC / 2;
	l->maxDescriptorSetSampledImages = MAX_SET_DESCRIPTORS;
	l->maxDescriptorSetStorageImages = MAX_SET_DESCRIPTORS;
	l->maxDescriptorSetInputAttachments = MAX_SET_DESCRIPTORS;
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

static void init_limits(VkPhysicalDeviceLimits *l)
{
	memset(l, 0, sizeof *l);
	init_image_limits(l);
	init_descriptor_limits(l);
	init_shader_limits(l);
	init_raster_limits(l);
	init_memory_limits(l);
}

/* Three quarters of the machine's memory, so that the machine survives. */
static uint64_t heap_size(void)
{
	struct sysinfo info;
	if (sysinfo(&info))
		return 1ull << 30;
	return (uint64_t)info.totalram * info.mem_unit / 4 * 3 & ~4095ull;
}

void icd_physical_device_init(struct icd_physical_device *pd, struct icd_instance *instance)
{
	VkPhysicalDeviceProperties *p = &pd->properties;
	uint8_t digest[ICD_HASH_BYTES];
	enum cu_level level;
	const char *why = "";

	icd_object_init(&pd->base, NULL, VK_OBJECT_TYPE_PHYSICAL_DEVICE);
	pd->instance = instance;
	instance->has_physical_device = cu_level_detect(instance->env.cpu, &level, &why);
	if (!instance->has_physical_device) {
		icd_error(instance, VK_ERROR_INCOMPATIBLE_DRIVER, &pd->base, "no device: %s", why);
		return;
	}
	p->apiVersion = ICD_API_VERSION;
	p->driverVersion = ICD_DRIVER_VERSION;
	p->vendorID = VENDOR_ID;
	p->deviceID = DEVICE_ID;
	p->deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
	snprintf(p->deviceName, sizeof p->deviceName, "Quadwave (gfx900)");
	init_limits(&p->limits);
	icd_build_id("cache", pd->cache_uuid);
	icd_build_id("driver", pd->driver_uuid);
	icd_hash_all("quadwave device", p->deviceName, sizeof p->deviceName, digest);
	memcpy(pd->device_uuid, digest, VK_UUID_SIZE);
	memcpy(p->pipelineCacheUUID, pd->cache_uuid, VK_UUID_SIZE);
	pd->level = level;
	pd->heap_size = heap_size();
	icd_features_init(pd);
}

void icd_physical_device_finish(struct icd_physical_device *pd)
{
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceProperties *pProperties)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	*pProperties = pd->properties;
}

static void fill_id(const struct icd_physical_device *pd, VkPhysicalDeviceIDProperties *id)
{
	memcpy(id->deviceUUID, pd->device_uuid, VK_UUID_SIZE);
	memcpy(id->driverUUID, pd->driver_uuid, VK_UUID_SIZE);
	memset(id->deviceLUID, 0, VK_LUID_SIZE);
	id->deviceNodeMask = 0;
	id->deviceLUIDValid = VK_FALSE;
}

/* Khronos has given this driver no VkDriverId and it has passed no submission of the
 * conformance tests: both are 0, which is what applications find where there is no
 * VK_KHR_driver_properties, so none takes us for another driver. */
static void fill_driver(const struct icd_physical_device *pd, VkPhysicalDeviceDriverProperties *d)
{
	char build[ICD_BUILD_ID_HEX];
	icd_build_id_hex(build);
	memset(&d->driverID, 0, sizeof *d - offsetof(VkPhysicalDeviceDriverProperties, driverID));
	snprintf(d->driverName, sizeof d->driverName, "Quadwave");
	snprintf(d->driverInfo, sizeof d->driverInfo, "%u.%u.%u, build %s, x86-64-v%d",
		VK_API_VERSION_MAJOR(ICD_DRIVER_VERSION), VK_API_VERSION_MINOR(ICD_DRIVER_VERSION),
		VK_API_VERSION_PATCH(ICD_DRIVER_VERSION), build, (int)pd->level);
}

static void fill_subgroup(VkPhysicalDeviceSubgroupProperties *s)
{
	s->subgroupSize = 64;
	s->supportedStages = VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_VERTEX_BIT;
	s->supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
		VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
		VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT |
		VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_CLUSTERED_BIT;
	s->quadOperationsInAllStages = VK_FALSE;
}

/* Descriptors end at the byte; accesses are checked by the word. */
static void fill_robustness(VkPhysicalDeviceRobustness2PropertiesEXT *r)
{
	r->robustStorageBufferAccessSizeAlignment = 4;
	r->robustUniformBufferAccessSizeAlignment = 4;
}

/* Waves have 64 lanes; a workgroup's are full but for its last. */
static void fill_subgroup_size(VkPhysicalDeviceSubgroupSizeControlProperties *s)
{
	s->minSubgroupSize = s->maxSubgroupSize = 64;
	s->maxComputeWorkgroupSubgroups = 1024 / 64;
	s->requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT |
		VK_SHADER_STAGE_VERTEX_BIT;
}

/* Of floats of 32 bits; the compiler neither flushes denormals nor assumes that
 * there are no infinities, NaNs or negative zeros. */
static void fill_float_controls(VkPhysicalDeviceFloatControlsProperties *f)
{
	memset(&f->denormBehaviorIndependence, 0, sizeof *f - offsetof(VkPhysicalDeviceFloatControlsProperties,
		denormBehaviorIndependence));
	f->denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY;
	f->roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY;
	f->shaderSignedZeroInfNanPreserveFloat32 = VK_TRUE;
	f->shaderDenormPreserveFloat32 = VK_TRUE;
	f->shaderRoundingModeRTEFloat32 = VK_TRUE;
}

/* Any mode of either aspect beside any of the other. */
static void fill_depth_resolve(VkPhysicalDeviceDepthStencilResolveProperties *r)
{
	r->supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_MIN_BIT |
		VK_RESOLVE_MODE_MAX_BIT;
	r->supportedDepthResolveModes = r->supportedStencilResolveModes | VK_RESOLVE_MODE_AVERAGE_BIT;
	r->independentResolveNone = r->independentResolve = VK_TRUE;
}

static void fill_line(VkPhysicalDeviceLineRasterizationPropertiesEXT *l)
{
	l->lineSubPixelPrecisionBits = 8;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceProperties2 *pProperties)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	pProperties->properties = pd->properties;
	for (VkBaseOutStructure *s = pProperties->pNext; s; s = s->pNext) {
		switch ((int)s->sType) {
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES:
			fill_id(pd, (void *)s);
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES:
			fill_driver(pd, (void *)s);
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES:
			fill_subgroup((void *)s);
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES:
			((VkPhysicalDevicePointClippingProperties *)s)->pointClippingBehavior =
				VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES;
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES:
			((VkPhysicalDeviceMultiviewProperties *)s)->maxMultiviewViewCount = ICD_MAX_VIEWS;
			((VkPhysicalDeviceMultiviewProperties *)s)->maxMultiviewInstanceIndex = (1u << 27) - 1;
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES:
			((VkPhysicalDeviceProtectedMemoryProperties *)s)->protectedNoFault = VK_FALSE;
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES:
			((VkPhysicalDeviceMaintenance3Properties *)s)->maxPerSetDescriptors = MAX_SET_DESCRIPTORS;
			((VkPhysicalDeviceMaintenance3Properties *)s)->maxMemoryAllocationSize = pd->heap_size;
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_PROPERTIES_EXT:
			fill_robustness((void *)s);
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES:
			fill_subgroup_size((void *)s);
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES:
			fill_float_controls((void *)s);
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_PROPERTIES_EXT:
			fill_line((void *)s);
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES:
			fill_depth_resolve((void *)s);
			break;
		default:
			break;
		}
	}
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceQueueFamilyProperties(
	VkPhysicalDevice physicalDevice, uint32_t *pCount, VkQueueFamilyProperties *pProperties)
{
	struct icd_outarray out = icd_outarray(pProperties, pCount);
	if (icd_outarray_next(&out))
		pProperties[0] = (VkQueueFamilyProperties){
			.queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
			.queueCount = 1,
			.timestampValidBits = 64,
			.minImageTransferGranularity = { 1, 1, 1 },
		};
	icd_outarray_finish(&out);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceQueueFamilyProperties2(
	VkPhysicalDevice physicalDevice, uint32_t *pCount, VkQueueFamilyProperties2 *pProperties)
{
	uint32_t one = 1;
	struct icd_outarray out = icd_outarray(pProperties, pCount);
	if (icd_outarray_next(&out))
		icd_GetPhysicalDeviceQueueFamilyProperties(physicalDevice, &one,
			&pProperties[0].queueFamilyProperties);
	icd_outarray_finish(&out);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceMemoryProperties *p)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	memset(p, 0, sizeof *p);
	p->memoryTypeCount = ICD_MEMORY_TYPES;
	p->memoryTypes[ICD_MEMORY_TYPE] = (VkMemoryType){
		.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
			VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
		.heapIndex = 0,
	};
	p->memoryHeapCount = 1;
	p->memoryHeaps[0] = (VkMemoryHeap){ pd->heap_size, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT };
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceMemoryProperties2 *p)
{
	icd_GetPhysicalDeviceMemoryProperties(physicalDevice, &p->memoryProperties);
}

/* Nothing can be shared with other devices or processes yet. */
VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceExternalBufferProperties(
	VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalBufferInfo *pInfo,
	VkExternalBufferProperties *p)
{
	memset(&p->externalMemoryProperties, 0, sizeof p->externalMemoryProperties);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceExternalFenceProperties(
	VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalFenceInfo *pInfo,
	VkExternalFenceProperties *p)
{
	p->exportFromImportedHandleTypes = 0;
	p->compatibleHandleTypes = 0;
	p->externalFenceFeatures = 0;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceExternalSemaphoreProperties(
	VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo *pInfo,
	VkExternalSemaphoreProperties *p)
{
	p->exportFromImportedHandleTypes = 0;
	p->compatibleHandleTypes = 0;
	p->externalSemaphoreFeatures = 0;
}
