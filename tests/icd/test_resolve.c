/* SPDX-License-Identifier: MIT */
/* Multisampled images without a draw: clears, copies between them, resolves of
 * regions, and a render pass that resolves depth but not stencil. */
#include "harness.h"

enum { W = 40, H = 24, TEXELS = W * H };

struct image { VkImage image; VkDeviceMemory memory; VkImageView view; VkImageAspectFlags aspect; };

static struct image image(struct vk *vk, VkFormat format, VkSampleCountFlagBits samples, uint32_t layers,
	VkImageUsageFlags usage)
{
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = format, .extent = { W, H, 1 }, .mipLevels = 1, .arrayLayers = layers, .samples = samples,
		.tiling = VK_IMAGE_TILING_OPTIMAL,
		.usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	VkMemoryAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkMemoryRequirements req;
	struct image i = { .aspect = usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT ?
		VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_COLOR_BIT };
	OK(FN(vk, vkCreateImage)(vk->device, &info, NULL, &i.image));
	FN(vk, vkGetImageMemoryRequirements)(vk->device, i.image, &req);
	alloc.allocationSize = req.size;
	OK(FN(vk, vkAllocateMemory)(vk->device, &alloc, NULL, &i.memory));
	OK(FN(vk, vkBindImageMemory)(vk->device, i.image, i.memory, 0));
	const VkImageViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = i.image,
		.viewType = VK_IMAGE_VIEW_TYPE_2D, .format = format, .subresourceRange = { i.aspect, 0, 1, 0, 1 } };
	OK(FN(vk, vkCreateImageView)(vk->device, &view, NULL, &i.view));
	return i;
}

static void image_free(struct vk *vk, const struct image *i)
{
	FN(vk, vkDestroyImageView)(vk->device, i->view, NULL);
	FN(vk, vkDestroyImage)(vk->device, i->image, NULL);
	FN(vk, vkFreeMemory)(vk->device, i->memory, NULL);
}

/* --- commands --- */

struct commands { VkCommandPool pool; VkCommandBuffer buffer; };

static struct commands begin(struct vk *vk)
{
	const VkCommandPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	struct commands c;
	OK(FN(vk, vkCreateCommandPool)(vk->device, &info, NULL, &c.pool));
	const VkCommandBufferAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = c.pool, .commandBufferCount = 1 };
	OK(FN(vk, vkAllocateCommandBuffers)(vk->device, &alloc, &c.buffer));
	OK(FN(vk, vkBeginCommandBuffer)(c.buffer, &begin));
	return c;
}

static void finish(struct vk *vk, struct commands *c)
{
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
		.pCommandBuffers = &c->buffer };
	OK(FN(vk, vkEndCommandBuffer)(c->buffer));
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE));
	OK(FN(vk, vkQueueWaitIdle)(vk->queue));
	FN(vk, vkDestroyCommandPool)(vk->device, c->pool, NULL);
}

static void read(struct vk *vk, const struct commands *c, const struct image *i, VkImageAspectFlags aspect,
	const struct vk_buffer *to)
{
	const VkBufferImageCopy all = { .imageSubresource = { aspect, 0, 0, 1 }, .imageExtent = { W, H, 1 } };
	FN(vk, vkCmdCopyImageToBuffer)(c->buffer, i->image, VK_IMAGE_LAYOUT_GENERAL, to->buffer, 1, &all);
}

static void clear_color(struct vk *vk, const struct commands *c, const struct image *i, uint32_t layer, float red)
{
	const VkClearColorValue value = { .float32 = { red, 0, 0, 1 } };
	const VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, layer, 1 };
	FN(vk, vkCmdClearColorImage)(c->buffer, i->image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
}

static bool inside(int x, int y, int x0, int y0, int w, int h)
{
	return x >= x0 && x < x0 + w && y >= y0 && y < y0 + h;
}

/* A piece of one image's first layer goes into another's second, and a piece of
 * that, resolved, into an image of one sample. */
static void regions(struct vk *vk, VkSampleCountFlagBits samples)
{
	const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
	const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
	struct image a = image(vk, format, samples, 2, usage), b = image(vk, format, samples, 2, usage),
		one = image(vk, format, VK_SAMPLE_COUNT_1_BIT, 1, usage);
	struct vk_buffer out = vk_buffer(vk, 4 * TEXELS, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	const VkImageSubresourceLayers first = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 }, second = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1 };
	const VkImageCopy copy = { first, { 8, 4, 0 }, second, { 3, 5, 0 }, { 10, 6, 1 } };
	const VkImageResolve resolve = { second, { 2, 3, 0 }, first, { 7, 1, 0 }, { 20, 15, 1 } };
	const uint8_t (*texel)[4] = out.map;
	struct commands c = begin(vk);
	clear_color(vk, &c, &a, 0, 1.0f);
	clear_color(vk, &c, &a, 1, 0.0f);
	clear_color(vk, &c, &b, 0, 0.0f);
	clear_color(vk, &c, &b, 1, 0.4f);
	clear_color(vk, &c, &one, 0, 0.2f);
	FN(vk, vkCmdCopyImage)(c.buffer, a.image, VK_IMAGE_LAYOUT_GENERAL, b.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
	FN(vk, vkCmdResolveImage)(c.buffer, b.image, VK_IMAGE_LAYOUT_GENERAL, one.image, VK_IMAGE_LAYOUT_GENERAL, 1, &resolve);
	read(vk, &c, &one, VK_IMAGE_ASPECT_COLOR_BIT, &out);
	finish(vk, &c);
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++) {
			int want = !inside(x, y, 7, 1, 20, 15) ? 51 : inside(x - 5, y + 2, 3, 5, 10, 6) ? 255 : 102;
			CHECK(texel[W * y + x][0] == want && texel[W * y + x][3] == 255);
		}
	vk_buffer_free(vk, &out);
	image_free(vk, &a);
	image_free(vk, &b);
	image_free(vk, &one);
}

/* --- VK_KHR_depth_stencil_resolve --- */

/* Attachment 0 is cleared to 0.25 and 7; attachment 1, of one sample, to 0.75 and 9
 * before it gets the depth of 0. */
static VkRenderPass depth_pass(struct vk *vk, VkFormat format, VkSampleCountFlagBits samples)
{
	VkAttachmentDescription2 attachments[2];
	for (int i = 0; i < 2; i++)
		attachments[i] = (VkAttachmentDescription2){ .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
			.format = format, .samples = i ? VK_SAMPLE_COUNT_1_BIT : samples,
			.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
			.initialLayout = VK_IMAGE_LAYOUT_GENERAL, .finalLayout = VK_IMAGE_LAYOUT_GENERAL };
	const VkAttachmentReference2 depth = { .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
		.layout = VK_IMAGE_LAYOUT_GENERAL }, to = { .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
		.attachment = 1, .layout = VK_IMAGE_LAYOUT_GENERAL };
	const VkSubpassDescriptionDepthStencilResolve resolve = {
		.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE,
		.depthResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, .stencilResolveMode = VK_RESOLVE_MODE_NONE,
		.pDepthStencilResolveAttachment = &to };
	const VkSubpassDescription2 subpass = { .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .pNext = &resolve,
		.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .pDepthStencilAttachment = &depth };
	const VkRenderPassCreateInfo2 info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .attachmentCount = 2,
		.pAttachments = attachments, .subpassCount = 1, .pSubpasses = &subpass };
	VkRenderPass pass;
	OK(FN(vk, vkCreateRenderPass2KHR)(vk->device, &info, NULL, &pass));
	return pass;
}

static void clear_all(struct vk *vk, const struct commands *c, const struct image *i)
{
	const VkClearDepthStencilValue value = { 0.5f, 1 };
	const VkImageSubresourceRange range = { i->aspect, 0, 1, 0, 1 };
	FN(vk, vkCmdClearDepthStencilImage)(c->buffer, i->image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
}

static void check_depth(const float *depth, const uint8_t *stencil, VkRect2D area)
{
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++) {
			bool in = inside(x, y, area.offset.x, area.offset.y, (int)area.extent.width, (int)area.extent.height);
			CHECK(depth[W * y + x] == (in ? 0.25f : 0.5f) && stencil[W * y + x] == (in ? 9 : 1));
		}
}

static void depth_resolve(struct vk *vk, VkSampleCountFlagBits samples)
{
	const VkFormat format = VK_FORMAT_D32_SFLOAT_S8_UINT;
	const VkImageUsageFlags usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
	struct image many = image(vk, format, samples, 1, usage), one = image(vk, format, VK_SAMPLE_COUNT_1_BIT, 1, usage);
	struct vk_buffer depth = vk_buffer(vk, 4 * TEXELS, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
		stencil = vk_buffer(vk, TEXELS, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	const VkRenderPass pass = depth_pass(vk, format, samples);
	const VkImageView views[2] = { many.view, one.view };
	const VkFramebufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = pass,
		.attachmentCount = 2, .pAttachments = views, .width = W, .height = H, .layers = 1 };
	const VkClearValue clears[2] = { { .depthStencil = { 0.25f, 7 } }, { .depthStencil = { 0.75f, 9 } } };
	const VkRect2D area = { { 5, 3 }, { 21, 10 } };
	VkFramebuffer framebuffer;
	OK(FN(vk, vkCreateFramebuffer)(vk->device, &info, NULL, &framebuffer));
	const VkRenderPassBeginInfo start = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = pass,
		.framebuffer = framebuffer, .renderArea = area, .clearValueCount = 2, .pClearValues = clears };
	struct commands c = begin(vk);
	clear_all(vk, &c, &many);
	clear_all(vk, &c, &one);
	FN(vk, vkCmdBeginRenderPass)(c.buffer, &start, VK_SUBPASS_CONTENTS_INLINE);
	FN(vk, vkCmdEndRenderPass)(c.buffer);
	read(vk, &c, &one, VK_IMAGE_ASPECT_DEPTH_BIT, &depth);
	read(vk, &c, &one, VK_IMAGE_ASPECT_STENCIL_BIT, &stencil);
	finish(vk, &c);
	check_depth(depth.map, stencil.map, area);
	FN(vk, vkDestroyFramebuffer)(vk->device, framebuffer, NULL);
	FN(vk, vkDestroyRenderPass)(vk->device, pass, NULL);
	vk_buffer_free(vk, &depth);
	vk_buffer_free(vk, &stencil);
	image_free(vk, &many);
	image_free(vk, &one);
}

int main(void)
{
	const char *const extensions[] = { VK_KHR_CREATE_RENDERPASS_2_EXTENSION_NAME,
		VK_KHR_DEPTH_STENCIL_RESOLVE_EXTENSION_NAME };
	struct vk vk;
	vk_open(&vk);
	OK(vk_instance(&vk, NULL));
	OK(vk_device_with(&vk, NULL, extensions, 2));
	for (int samples = 2; samples <= 8; samples *= 2) {
		regions(&vk, samples);
		depth_resolve(&vk, samples);
	}
	vk_stop(&vk);
	return 0;
}
