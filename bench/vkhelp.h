/* SPDX-License-Identifier: MIT */
/* A small layer over Vulkan for the benchmarks and the render tests: one
 * device, one queue, offscreen.
 *
 * Nothing here returns an error.  A failed call ends the process with a line on
 * stderr that begins with "error: " and status VH_FAILED; a feature or format
 * that the device lacks ends it with "lacks: " and VH_LACKS.  Whoever wants to
 * survive that runs a scene in a process of its own.
 *
 * Whatever is created is remembered by its struct vh and destroyed, newest
 * first, by vh_release() and vh_close().
 */
#ifndef QW_BENCH_VKHELP_H
#define QW_BENCH_VKHELP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum { VH_FAILED = 3, VH_LACKS = 77 };
enum { VH_MAX_TARGETS = 8 };

struct vh_object {
	VkObjectType type;
	uint64_t handle;
};

struct vh {
	bool mesh;  /* VK_EXT_mesh_shader is enabled */
	VkInstance instance;
	VkPhysicalDevice gpu;
	VkDevice device;
	VkQueue queue, second;
	uint32_t family, second_family;
	VkCommandPool commands;
	VkDescriptorPool descriptors;
	VkPhysicalDeviceProperties properties;
	VkPhysicalDeviceFeatures features; /* those enabled */
	VkPhysicalDeviceMemoryProperties memory;
	struct vh_object *objects;
	size_t object_count, object_capacity;
};

/* What a device must have beyond Vulkan 1.1; zero: nothing.  names: for the message. */
struct vh_wants {
	VkPhysicalDeviceFeatures core;
	VkPhysicalDeviceVulkan11Features v11; /* sType and pNext of these three may stay 0 */
	VkPhysicalDeviceVulkan12Features v12;
	VkPhysicalDeviceVulkan13Features v13;
	uint32_t version;                     /* 0: 1.1, without v11, v12 and v13 */
	bool feedback;                        /* VK_EXT_transform_feedback */
	bool second;                          /* a queue of a family that computes and draws nothing */
	bool mesh;                            /* VK_EXT_mesh_shader with task shaders; of 1.3 */
	bool window;                          /* swapchains of xcb */
	const char *names;
};

struct vh_buffer {
	VkBuffer handle;
	VkDeviceSize size;
	void *map; /* coherent, mapped as long as the buffer lives */
};

struct vh_image {
	VkImage handle;
	VkImageView view; /* all levels and layers */
	VkFormat format;
	VkImageAspectFlags aspect;
	uint32_t width, height, depth, levels, layers;
	VkSampleCountFlagBits samples;
};

struct vh_layout {
	VkDescriptorSetLayout set;
	VkPipelineLayout pipeline;
};

/* A render pass of one subpass and its framebuffer. */
struct vh_pass {
	VkRenderPass handle;
	VkFramebuffer framebuffer;
	VkExtent2D extent;
	uint32_t colors, attachments;
	VkSampleCountFlagBits samples;
	VkClearValue clear[VH_MAX_TARGETS + 2]; /* the caller's; depth and stencil after the colours; zero at first, depth 1 */
};

void vh_check(VkResult result, const char *what);
_Noreturn void vh_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void vh_lacks(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Opens the first device.  Of the wanted features (NULL: none) those that the
 * device lacks end the process. */
void vh_open(struct vh *h, const char *application, const VkPhysicalDeviceFeatures *wanted);
/* The same with features of later versions. */
void vh_open_wants(struct vh *h, const char *application, const struct vh_wants *wants);
void vh_close(struct vh *h);
/* Destroys what was created since object_count was mark. */
void vh_release(struct vh *h, size_t mark);
void vh_keep(struct vh *h, VkObjectType type, uint64_t handle);

/* data may be NULL: the buffer is then filled with zeros. */
struct vh_buffer vh_make_buffer(struct vh *h, VkDeviceSize size, VkBufferUsageFlags usage, const void *data);

/* The same for shaders that go by its address. */
struct vh_buffer vh_make_addressed(struct vh *h, VkDeviceSize size, VkBufferUsageFlags usage, const void *data,
	VkDeviceAddress *address);

struct vh_image_info {
	VkFormat format;
	uint32_t width, height;
	uint32_t levels, layers, samples; /* 0 means 1 */
	uint32_t depth;                   /* of three dimensions; 0: of two */
	VkImageUsageFlags usage;
	VkImageCreateFlags flags;
	VkImageViewType view_type; /* of .view; 0 (1D) means 2D */
};
struct vh_image vh_make_image(struct vh *h, const struct vh_image_info *info);
VkImageView vh_make_view(struct vh *h, const struct vh_image *image, VkImageViewType type,
	const VkImageSubresourceRange *range);
bool vh_format_can(const struct vh *h, VkFormat format, VkFormatFeatureFlags features);

/* Copies tight texels into one level and layer; the image goes from `before`
 * (UNDEFINED discards) to `after`. */
void vh_upload(struct vh *h, const struct vh_image *image, uint32_t level, uint32_t layer, const void *texels,
	size_t size, VkImageLayout before, VkImageLayout after);
/* Reads one aspect of level 0, layer 0 as tight texels; the image is in
 * TRANSFER_SRC_OPTIMAL and stays there. */
void vh_download(struct vh *h, const struct vh_image *image, VkImageAspectFlags aspect, void *texels, size_t size);

VkCommandBuffer vh_begin(struct vh *h, VkCommandBufferUsageFlags usage);
/* Ends, submits, waits and frees. */
void vh_finish(struct vh *h, VkCommandBuffer commands);
/* Submits a recorded command buffer and waits for it. */
void vh_run(struct vh *h, VkCommandBuffer commands, VkFence fence);
VkFence vh_make_fence(struct vh *h);
/* A full barrier, with a change of layout of all levels and layers when they differ. */
void vh_transition(VkCommandBuffer commands, const struct vh_image *image, VkImageLayout before, VkImageLayout after);
void vh_barrier(VkCommandBuffer commands);

VkShaderModule vh_make_shader(struct vh *h, const uint32_t *words, size_t size);
struct vh_layout vh_make_layout(struct vh *h, const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
	VkShaderStageFlags push_stages, uint32_t push_size);
VkDescriptorSet vh_make_set(struct vh *h, const struct vh_layout *layout);
void vh_set_buffer(struct vh *h, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
	const struct vh_buffer *buffer);
void vh_set_image(struct vh *h, VkDescriptorSet set, uint32_t binding, VkDescriptorType type, VkImageView view,
	VkSampler sampler, VkImageLayout layout);

struct vh_sampler_info {
	VkFilter filter;
	VkSamplerMipmapMode mipmap;
	VkSamplerAddressMode address;
	VkBorderColor border;
	float max_lod;
	VkCompareOp compare; /* NEVER: does not compare */
	float max_aniso;     /* 0: isotropic; others want samplerAnisotropy */
};
VkSampler vh_make_sampler(struct vh *h, const struct vh_sampler_info *info);

struct vh_pass_info {
	const struct vh_image *colors[VH_MAX_TARGETS];
	const struct vh_image *depth;  /* or NULL; depth, stencil or both */
	const struct vh_image *resolve; /* or NULL: gets colour 0's samples averaged */
	bool load;                     /* keep what the attachments hold; else clear */
	VkImageLayout color_layout;    /* after the pass, and before it with load; 0 means TRANSFER_SRC_OPTIMAL */
};
struct vh_pass vh_make_pass(struct vh *h, const struct vh_pass_info *info);
/* Makes pass->framebuffer of the views of all attachments; the rest of *pass is there. */
void vh_make_framebuffer(struct vh *h, struct vh_pass *pass, const VkImageView *views);
/* Begins the pass and sets viewport and scissor to the whole of it. */
void vh_begin_pass(VkCommandBuffer commands, const struct vh_pass *pass);

/* What is left zero means: triangle list, no culling, no depth or stencil
 * test, no blending, all channels written.  Viewport and scissor are dynamic. */
struct vh_pipeline_info {
	VkShaderModule vertex, fragment;
	VkShaderModule geometry;              /* or none */
	VkShaderModule control, evaluation;   /* of tessellation, or none */
	uint32_t patch_points;                /* with these */
	VkShaderModule task, mesh;             /* mesh: in place of vertex; task: before it, or none */
	const VkSpecializationInfo *constants; /* of both stages */
	VkPipelineLayout layout;
	const struct vh_pass *pass;
	uint32_t subpass;
	const VkVertexInputBindingDescription *bindings;
	const VkVertexInputAttributeDescription *attributes;
	uint32_t binding_count, attribute_count;
	VkPrimitiveTopology topology;         /* 0, a list of points, means a list of triangles */
	bool points;                          /* a list of points */
	bool restart;
	bool discard;                         /* nothing is rasterized */
	VkCullModeFlags cull;
	VkFrontFace front_face;
	bool depth_test, depth_write, depth_clamp, depth_bias;
	float bias_constant, bias_slope;
	VkCompareOp depth_compare;            /* NEVER means LESS */
	const VkStencilOpState *stencil_front, *stencil_back;
	const VkPipelineColorBlendAttachmentState *blend; /* one for each colour target, or NULL */
	float blend_constants[4];
	const VkPipelineMultisampleStateCreateInfo *multisample; /* or NULL: the pass's samples, nothing else */
	const VkDynamicState *dynamic;        /* besides viewport and scissor */
	uint32_t dynamic_count;
	VkPipelineCache cache;                /* or none */
};
/* Any number of threads may create at once; the caller destroys, or keeps. */
VkPipeline vh_create_pipeline(const struct vh *h, const struct vh_pipeline_info *info);
VkPipeline vh_make_pipeline(struct vh *h, const struct vh_pipeline_info *info);
/* Does the device that the loader finds have VK_EXT_mesh_shader?  h need not be open. */
bool vh_has_mesh(void);
/* vkCmdDrawMeshTasksEXT. */
void vh_draw_mesh(const struct vh *h, VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z);
/* What vkGetPipelineCacheData has; the caller frees it. */
void *vh_cache_data(struct vh *h, VkPipelineCache cache, size_t *bytes);
VkPipeline vh_make_compute(struct vh *h, VkPipelineLayout layout, VkShaderModule shader);

/* A monotonic clock in seconds. */
double vh_now(void);

#endif
