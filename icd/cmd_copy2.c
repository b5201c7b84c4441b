/* SPDX-License-Identifier: MIT */
/* VK_KHR_copy_commands2: regions that carry structure types, one by one to the older commands. */
#include "icd/cmd.h"

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyBuffer2(VkCommandBuffer cmd, const VkCopyBufferInfo2 *info)
{
	for (uint32_t i = 0; i < info->regionCount; i++) {
		const VkBufferCopy2 *r = &info->pRegions[i];
		const VkBufferCopy region = { r->srcOffset, r->dstOffset, r->size };
		icd_CmdCopyBuffer(cmd, info->srcBuffer, info->dstBuffer, 1, &region);
	}
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyImage2(VkCommandBuffer cmd, const VkCopyImageInfo2 *info)
{
	for (uint32_t i = 0; i < info->regionCount; i++) {
		const VkImageCopy2 *r = &info->pRegions[i];
		const VkImageCopy region = { r->srcSubresource, r->srcOffset, r->dstSubresource, r->dstOffset, r->extent };
		icd_CmdCopyImage(cmd, info->srcImage, info->srcImageLayout, info->dstImage, info->dstImageLayout, 1, &region);
	}
}

static VkBufferImageCopy buffer_image(const VkBufferImageCopy2 *r)
{
	return (VkBufferImageCopy){ r->bufferOffset, r->bufferRowLength, r->bufferImageHeight, r->imageSubresource,
		r->imageOffset, r->imageExtent };
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyBufferToImage2(VkCommandBuffer cmd, const VkCopyBufferToImageInfo2 *info)
{
	for (uint32_t i = 0; i < info->regionCount; i++) {
		const VkBufferImageCopy region = buffer_image(&info->pRegions[i]);
		icd_CmdCopyBufferToImage(cmd, info->srcBuffer, info->dstImage, info->dstImageLayout, 1, &region);
	}
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyImageToBuffer2(VkCommandBuffer cmd, const VkCopyImageToBufferInfo2 *info)
{
	for (uint32_t i = 0; i < info->regionCount; i++) {
		const VkBufferImageCopy region = buffer_image(&info->pRegions[i]);
		icd_CmdCopyImageToBuffer(cmd, info->srcImage, info->srcImageLayout, info->dstBuffer, 1, &region);
	}
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBlitImage2(VkCommandBuffer cmd, const VkBlitImageInfo2 *info)
{
	for (uint32_t i = 0; i < info->regionCount; i++) {
		const VkImageBlit2 *r = &info->pRegions[i];
		const VkImageBlit region = { r->srcSubresource, { r->srcOffsets[0], r->srcOffsets[1] },
			r->dstSubresource, { r->dstOffsets[0], r->dstOffsets[1] } };
		icd_CmdBlitImage(cmd, info->srcImage, info->srcImageLayout, info->dstImage, info->dstImageLayout, 1, &region,
			info->filter);
	}
}

VKAPI_ATTR void VKAPI_CALL icd_CmdResolveImage2(VkCommandBuffer cmd, const VkResolveImageInfo2 *info)
{
	for (uint32_t i = 0; i < info->regionCount; i++) {
		const VkImageResolve2 *r = &info->pRegions[i];
		const VkImageResolve region = { r->srcSubresource, r->srcOffset, r->dstSubresource, r->dstOffset, r->extent };
		icd_CmdResolveImage(cmd, info->srcImage, info->srcImageLayout, info->dstImage, info->dstImageLayout, 1, &region);
	}
}
