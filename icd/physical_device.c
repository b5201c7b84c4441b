/* What the device is and how much of it there is: names, limits, memory. */
#include "icd/physical_device.h"

#include <stdio.h>
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

static void init_limits(VkPhysicalDeviceLimits *l)
{
	*l = (VkPhysicalDeviceLimits){
		.maxImageDimension1D = ICD_MAX_IMAGE_SIZE,
		.maxImageDimension2D = ICD_MAX_IMAGE_SIZE,
		.maxImageDimension3D = ICD_MAX_IMAGE_3D,
		.maxImageDimensionCube = ICD_MAX_IMAGE_SIZE,
		.maxImageArrayLayers = ICD_MAX_LAYERS,
		.maxTexelBufferElements = ICD_MAX_TEXEL_ELEMENTS,
		.maxUniformBufferRange = 1 << 16,
		.maxStorageBufferRange = 1 << 30,
		.maxPushConstantsSize = ABI_PUSH_BYTES,
		.maxMemoryAllocationCount = 1 << 15,
		.maxSamplerAllocationCount = 1 << 16,
		.bufferImageGranularity = 1,
		.maxBoundDescriptorSets = ABI_MAX_SETS,
		.maxPerStageDescriptorSamplers = MAX_DESCRIPTORS,
		.maxPerStageDescriptorUniformBuffers = MAX_DESCRIPTORS,
		.maxPerStageDescriptorStorageBuffers = MAX_DESCRIPTORS,
		.maxPerStageDescriptorSampledImages = MAX_DESCRIPTORS,
		.maxPerStageDescriptorStorageImages = MAX_DESCRIPTORS,
		.maxPerStageDescriptorInputAttachments = MAX_DESCRIPTORS,
		.maxPerStageResources = MAX_SET_DESCRIPTORS,
		.maxDescriptorSetSamplers = MAX_SET_DESCRIPTORS,
		.maxDescriptorSetUniformBuffers = MAX_SET_DESCRIPTORS,
		.maxDescriptorSetUniformBuffersDynamic = ABI_MAX_DYNAMIC / 2,
		.maxDescriptorSetStorageBuffers = MAX_SET_DESCRIPTORS,
		.maxDescriptorSetStorageBuffersDynamic = ABI_MAX_DYNAMIC / 2,
		.maxDescriptorSetSampledImages = MAX_SET_DESCRIPTORS,
		.maxDescriptorSetStorageImages = MAX_SET_DESCRIPTORS,
		.maxDescriptorSetInputAttachments = MAX_SET_DESCRIPTORS,
		.maxVertexInputAttributes = ICD_MAX_VERTEX_ATTRS,
		.maxVertexInputBindings = ICD_MAX_VERTEX_BINDINGS,
		.maxVertexInputAttributeOffset = ICD_MAX_VERTEX_STRIDE - 1,
		.maxVertexInputBindingStride = ICD_MAX_VERTEX_STRIDE,
		/* 32 params less four for clip and cull distances. */
		.maxVertexOutputComponents = 4 * 28,
		.maxFragmentInputComponents = 4 * 28,
		.maxFragmentOutputAttachments = ICD_MAX_COLOR,
		.maxFragmentDualSrcAttachments = 1,
		.maxFragmentCombinedOutputResources = MAX_SET_DESCRIPTORS,
		.maxComputeSharedMemorySize = 32768,
		.maxComputeWorkGroupCount = { 65535, 65535, 65535 },
		.maxComputeWorkGroupInvocations = 1024,
		.maxComputeWorkGroupSize = { 1024, 1024, 1024 },
		.subPixelPrecisionBits = 8,
		.subTexelPrecisionBits = 7, /* 240 divisions, core/tex_bilinear.c */
		.mipmapPrecisionBits = 8,
		.maxDrawIndexedIndexValue = UINT32_MAX,
		.maxDrawIndirectCount = UINT32_MAX,
		.maxSamplerLodBias = 15.0f,
		.maxSamplerAnisotropy = 1.0f,
		.maxViewports = ICD_MAX_VIEWPORTS,
		.maxViewportDimensions = { ICD_MAX_IMAGE_SIZE, ICD_MAX_IMAGE_SIZE },
		.viewportBoundsRange = { -32768.0f, 32767.0f },
		.viewportSubPixelBits = 8,
		.minMemoryMapAlignment = 4096,
		.minTexelBufferOffsetAlignment = 16,
		.minUniformBufferOffsetAlignment = 16,
		.minStorageBufferOffsetAlignment = 16,
		.minTexelOffset = -8,
		.maxTexelOffset = 7,
		.minTexelGatherOffset = -32,
		.maxTexelGatherOffset = 31,
		.minInterpolationOffset = -0.5f,
		.maxInterpolationOffset = 0.4375f,
		.subPixelInterpolationOffsetBits = 4,
		.maxFramebufferWidth = ICD_MAX_IMAGE_SIZE,
		.maxFramebufferHeight = ICD_MAX_IMAGE_SIZE,
		.maxFramebufferLayers = ICD_MAX_LAYERS,
		.framebufferColorSampleCounts = ICD_SAMPLE_COUNTS,
		.framebufferDepthSampleCounts = ICD_SAMPLE_COUNTS,
		.framebufferStencilSampleCounts = ICD_SAMPLE_COUNTS,
		.framebufferNoAttachmentsSampleCounts = ICD_SAMPLE_COUNTS,
		.maxColorAttachments = ICD_MAX_COLOR,
		.sampledImageColorSampleCounts = ICD_SAMPLE_COUNTS,
		.sampledImageIntegerSampleCounts = ICD_SAMPLE_COUNTS,
		.sampledImageDepthSampleCounts = ICD_SAMPLE_COUNTS,
		.sampledImageStencilSampleCounts = ICD_SAMPLE_COUNTS,
		.storageImageSampleCounts = ICD_SAMPLE_COUNTS,
		.maxSampleMaskWords = 1,
		.timestampComputeAndGraphics = VK_TRUE,
		.timestampPeriod = 1.0f,
		.maxClipDistances = 8,
		.maxCullDistances = 8,
		.maxCombinedClipAndCullDistances = 8,
		.discreteQueuePriorities = 2,
		.pointSizeRange = { 1.0f, ICD_MAX_POINT_SIZE },
		.lineWidthRange = { 1.0f, 255.0f },
		.pointSizeGranularity = 0.125f,
		.lineWidthGranularity = 0.125f,
		.strictLines = VK_TRUE,
		.standardSampleLocations = VK_TRUE,
		.optimalBufferCopyOffsetAlignment = 64,
		.optimalBufferCopyRowPitchAlignment = 64,
		.nonCoherentAtomSize = 64,
	};
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
