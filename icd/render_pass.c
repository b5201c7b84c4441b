/* SPDX-License-Identifier: MIT */
/* Both versions of vkCreateRenderPass fill the same object. */
#include "icd/render_pass.h"

#include "icd/device.h"

static struct icd_render_pass *allocate(struct icd_device *device, uint32_t attachments,
	uint32_t subpasses, uint64_t inputs, const VkAllocationCallbacks *alloc)
{
	struct icd_render_pass *pass;
	size_t bytes = sizeof *pass + attachments * sizeof *pass->attachment +
		subpasses * sizeof *pass->subpass + inputs * sizeof(uint32_t);
	pass = icd_object_alloc(device, alloc, bytes, VK_OBJECT_TYPE_RENDER_PASS);
	if (!pass)
		return NULL;
	pass->attachment_count = attachments;
	pass->subpass_count = subpasses;
	pass->attachment = (void *)(pass + 1);
	pass->subpass = (void *)(pass->attachment + attachments);
	for (uint32_t i = 0; i < attachments; i++)
		pass->attachment[i].first_subpass = UINT32_MAX;
	return pass;
}

/* Notes that a subpass uses an attachment; called in the order of subpasses. */
static void use(struct icd_render_pass *pass, uint32_t subpass, uint32_t attachment)
{
	struct icd_attachment *a;
	if (attachment == VK_ATTACHMENT_UNUSED)
		return;
	a = &pass->attachment[attachment];
	if (a->first_subpass == UINT32_MAX)
		a->first_subpass = subpass;
	a->view_mask |= pass->subpass[subpass].formats.view_mask;
}

static void use_targets(struct icd_render_pass *pass, uint32_t i)
{
	const struct icd_subpass *s = &pass->subpass[i];
	for (uint32_t c = 0; c < s->color_count; c++) {
		use(pass, i, s->color[c]);
		use(pass, i, s->color_resolve[c]);
	}
	use(pass, i, s->depth);
	use(pass, i, s->depth_resolve);
}

/* Samples of any target, since they must agree. */
static void fill_formats(const struct icd_render_pass *pass, struct icd_subpass *s)
{
	struct icd_target_formats *f = &s->formats;
	f->color_count = s->color_count;
	f->samples = 1;
	if (s->depth != VK_ATTACHMENT_UNUSED) {
		const struct icd_attachment *a = &pass->attachment[s->depth];
		icd_target_depth(f, a->format, a->format);
		f->samples = a->samples;
	}
	for (uint32_t i = 0; i < s->color_count; i++)
		if (s->color[i] != VK_ATTACHMENT_UNUSED) {
			f->color[i] = pass->attachment[s->color[i]].format;
			f->samples = pass->attachment[s->color[i]].samples;
		}
	for (uint32_t i = 0; i < s->input_count; i++)
		f->depth_is_input |= s->depth != VK_ATTACHMENT_UNUSED && s->input[i] == s->depth;
}

static void finish_subpasses(struct icd_render_pass *pass)
{
	for (uint32_t i = 0; i < pass->subpass_count; i++) {
		struct icd_subpass *s = &pass->subpass[i];
		fill_formats(pass, s);
		use_targets(pass, i);
		for (uint32_t n = 0; n < s->input_count; n++)
			use(pass, i, s->input[n]);
	}
}

static VkResult refuse(struct icd_device *device, struct icd_render_pass *pass,
	const VkAllocationCallbacks *alloc, uint32_t attachment)
{
	icd_object_free(device, alloc, pass);
	return icd_error(device->instance, VK_ERROR_FORMAT_NOT_SUPPORTED, NULL,
		"vkCreateRenderPass: attachment %u has a format or a sample count that is not supported",
		attachment);
}

/* Attachment references of either version: where the first number lies, and the
 * step.  Without any, the array may be anything. */
struct refs { const uint8_t *first; size_t step; uint32_t count; };
#define REFS(array, n) ((struct refs){ \
	(array) && (n) ? (const uint8_t *)(array) + offsetof(__typeof__(*(array)), attachment) : NULL, \
	sizeof *(array), (array) ? (n) : 0 })

static uint32_t ref(const struct refs *r, uint32_t i)
{
	return *(const uint32_t *)(r->first + i * r->step);
}

static void fill_subpass(struct icd_subpass *s, VkPipelineBindPoint bind_point, uint32_t view_mask,
	struct refs color, struct refs resolve, struct refs depth, struct refs inputs, uint32_t **room)
{
	s->bind_point = bind_point;
	s->formats.view_mask = view_mask;
	s->color_count = color.count < ICD_MAX_COLOR ? color.count : ICD_MAX_COLOR;
	for (uint32_t i = 0; i < s->color_count; i++) {
		s->color[i] = ref(&color, i);
		s->color_resolve[i] = resolve.count ? ref(&resolve, i) : VK_ATTACHMENT_UNUSED;
	}
	s->depth_resolve = VK_ATTACHMENT_UNUSED;
	s->depth = depth.count ? ref(&depth, 0) : VK_ATTACHMENT_UNUSED;
	s->input_count = inputs.count;
	s->input = *room;
	for (uint32_t i = 0; i < s->input_count; i++)
		s->input[i] = ref(&inputs, i);
	*room += s->input_count;
}

static void fill_depth_resolve(struct icd_subpass *s, const VkSubpassDescription2 *from)
{
	const VkSubpassDescriptionDepthStencilResolve *r = icd_find_struct(from->pNext,
		VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
	if (!r || !r->pDepthStencilResolveAttachment)
		return;
	s->depth_resolve = r->pDepthStencilResolveAttachment->attachment;
	s->depth_mode = r->depthResolveMode;
	s->stencil_mode = r->stencilResolveMode;
}

/* The members that both versions of the description name alike. */
#define FILL_ATTACHMENT(a, from) do { \
	(a)->format = icd_format_get((from)->format); \
	(a)->samples = (from)->samples; \
	(a)->load = (from)->loadOp; \
	(a)->store = (from)->storeOp; \
	(a)->stencil_load = (from)->stencilLoadOp; \
	(a)->stencil_store = (from)->stencilStoreOp; } while (0)

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateRenderPass(VkDevice _device,
	const VkRenderPassCreateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkRenderPass *pRenderPass)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	const VkRenderPassMultiviewCreateInfo *multiview = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
	struct icd_render_pass *pass;
	uint64_t inputs = 0;
	uint32_t *room;

	for (uint32_t i = 0; i < info->subpassCount; i++)
		inputs += info->pSubpasses[i].inputAttachmentCount;
	pass = allocate(device, info->attachmentCount, info->subpassCount, inputs, pAllocator);
	if (!pass)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (uint32_t i = 0; i < info->attachmentCount; i++) {
		FILL_ATTACHMENT(&pass->attachment[i], &info->pAttachments[i]);
		if (!pass->attachment[i].format || !(pass->attachment[i].samples & ICD_SAMPLE_COUNTS))
			return refuse(device, pass, pAllocator, i);
	}
	room = (uint32_t *)(pass->subpass + pass->subpass_count);
	for (uint32_t i = 0; i < info->subpassCount; i++) {
		const VkSubpassDescription *from = &info->pSubpasses[i];
		uint32_t mask = multiview && i < multiview->subpassCount ? multiview->pViewMasks[i] : 0;
		fill_subpass(&pass->subpass[i], from->pipelineBindPoint, mask,
			REFS(from->pColorAttachments, from->colorAttachmentCount),
			REFS(from->pResolveAttachments, from->colorAttachmentCount),
			REFS(from->pDepthStencilAttachment, 1),
			REFS(from->pInputAttachments, from->inputAttachmentCount), &room);
	}
	finish_subpasses(pass);
	*pRenderPass = icd_render_pass_to_handle(pass);
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateRenderPass2(VkDevice _device,
	const VkRenderPassCreateInfo2 *info, const VkAllocationCallbacks *pAllocator,
	VkRenderPass *pRenderPass)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_render_pass *pass;
	uint64_t inputs = 0;
	uint32_t *room;

	for (uint32_t i = 0; i < info->subpassCount; i++)
		inputs += info->pSubpasses[i].inputAttachmentCount;
	pass = allocate(device, info->attachmentCount, info->subpassCount, inputs, pAllocator);
	if (!pass)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (uint32_t i = 0; i < info->attachmentCount; i++) {
		FILL_ATTACHMENT(&pass->attachment[i], &info->pAttachments[i]);
		if (!pass->attachment[i].format || !(pass->attachment[i].samples & ICD_SAMPLE_COUNTS))
			return refuse(device, pass, pAllocator, i);
	}
	room = (uint32_t *)(pass->subpass + pass->subpass_count);
	for (uint32_t i = 0; i < info->subpassCount; i++) {
		const VkSubpassDescription2 *from = &info->pSubpasses[i];
		fill_subpass(&pass->subpass[i], from->pipelineBindPoint, from->viewMask,
			REFS(from->pColorAttachments, from->colorAttachmentCount),
			REFS(from->pResolveAttachments, from->colorAttachmentCount),
			REFS(from->pDepthStencilAttachment, 1),
			REFS(from->pInputAttachments, from->inputAttachmentCount), &room);
		fill_depth_resolve(&pass->subpass[i], from);
	}
	finish_subpasses(pass);
	*pRenderPass = icd_render_pass_to_handle(pass);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyRenderPass(VkDevice _device, VkRenderPass renderPass,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_render_pass_from_handle(renderPass));
}

VKAPI_ATTR void VKAPI_CALL icd_GetRenderAreaGranularity(VkDevice device, VkRenderPass renderPass,
	VkExtent2D *pGranularity)
{
	*pGranularity = (VkExtent2D){ 1, 1 };
}
