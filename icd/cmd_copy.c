/* SPDX-License-Identifier: MIT */
/* Copies, blits, fills and clears outside render passes: packets for the copy
 * engine. */
#include <string.h>
#include "icd/cmd.h"
#include "icd/decoded.h"

/* --- buffers --- */

static void emit_copy(struct icd_command_buffer *cmd, uint64_t src, uint64_t dst, uint64_t bytes)
{
	const struct pm4_copy_buffer p = { .src_lo = icd_lo(src), .src_hi = icd_hi(src), .dst_lo = icd_lo(dst),
		.dst_hi = icd_hi(dst), .bytes_lo = icd_lo(bytes), .bytes_hi = icd_hi(bytes) };
	if (bytes)
		icd_emit(cmd, PM4_QW_COPY_BUFFER, &p, PM4_DWORDS(pm4_copy_buffer));
}

void icd_CmdCopyBuffer(VkCommandBuffer _cmd, VkBuffer _src, VkBuffer _dst, uint32_t count, const VkBufferCopy *regions)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_buffer, src, _src);
	ICD_FROM_HANDLE(icd_buffer, dst, _dst);
	for (uint32_t i = 0; i < count; i++)
		emit_copy(cmd, src->address + regions[i].srcOffset, dst->address + regions[i].dstOffset, regions[i].size);
}

void icd_CmdUpdateBuffer(VkCommandBuffer _cmd, VkBuffer _dst, VkDeviceSize offset, VkDeviceSize bytes, const void *data)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_buffer, dst, _dst);
	void *copy = icd_stream_data(&cmd->stream, bytes, 16);
	if (!copy)
		return;
	memcpy(copy, data, bytes);
	emit_copy(cmd, icd_address(copy), dst->address + offset, bytes);
}

void icd_CmdFillBuffer(VkCommandBuffer _cmd, VkBuffer _dst, VkDeviceSize offset, VkDeviceSize bytes, uint32_t value)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_buffer, dst, _dst);
	uint64_t address = dst->address + offset;
	bytes = icd_buffer_range(dst, offset, bytes) & ~3ull;
	const struct pm4_fill_buffer p = { .dst_lo = icd_lo(address), .dst_hi = icd_hi(address),
		.bytes_lo = icd_lo(bytes), .bytes_hi = icd_hi(bytes), .value = value };
	if (bytes)
		icd_emit(cmd, PM4_QW_FILL_BUFFER, &p, PM4_DWORDS(pm4_fill_buffer));
}

/* --- images --- */

/* Where a region starts in slices, and how many it has: array layers, or the
 * depth of a 3D image. */
static uint32_t first_slice(const struct icd_image *image, const VkImageSubresourceLayers *s, int32_t z)
{
	return image->type == VK_IMAGE_TYPE_3D ? (uint32_t)z : s->baseArrayLayer;
}

static uint32_t layer_count(const struct icd_image *image, const VkImageSubresourceLayers *s)
{
	return s->layerCount == VK_REMAINING_ARRAY_LAYERS ? image->layers - s->baseArrayLayer : s->layerCount;
}

static uint32_t slice_count(const struct icd_image *image, const VkImageSubresourceLayers *s, uint32_t depth)
{
	return image->type == VK_IMAGE_TYPE_3D ? depth : layer_count(image, s);
}

void icd_CmdCopyImage(VkCommandBuffer _cmd, VkImage _src, VkImageLayout src_layout, VkImage _dst,
	VkImageLayout dst_layout, uint32_t count, const VkImageCopy *regions)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_image, src, _src);
	ICD_FROM_HANDLE(icd_image, dst, _dst);
	for (uint32_t i = 0; i < count; i++) {
		const VkImageCopy *r = &regions[i];
		for (VkImageAspectFlags left = r->srcSubresource.aspectMask; left; left &= left - 1) {
			VkImageAspectFlags aspect = left & -left;
			VkImageAspectFlags to = r->dstSubresource.aspectMask & aspect ? aspect : r->dstSubresource.aspectMask;
			struct pm4_copy_image p = { .kind = PM4_COPY_IMAGE_TO_IMAGE,
				.src_x = (uint32_t)r->srcOffset.x, .src_y = (uint32_t)r->srcOffset.y,
				.src_z = first_slice(src, &r->srcSubresource, r->srcOffset.z),
				.dst_x = (uint32_t)r->dstOffset.x, .dst_y = (uint32_t)r->dstOffset.y,
				.dst_z = first_slice(dst, &r->dstSubresource, r->dstOffset.z),
				.width = r->extent.width, .height = r->extent.height,
				.depth = slice_count(src, &r->srcSubresource, r->extent.depth) };
			icd_image_surface(src, aspect, r->srcSubresource.mipLevel, &p.src);
			icd_image_surface(dst, to, r->dstSubresource.mipLevel, &p.dst);
			icd_emit(cmd, PM4_QW_COPY_IMAGE, &p, PM4_DWORDS(pm4_copy_image));
		}
		icd_decoded_written(cmd, dst, r->dstSubresource.mipLevel);
	}
}

static void emit_buffer_image(struct icd_command_buffer *cmd, uint32_t kind, const struct icd_buffer *buffer,
	const struct icd_image *image, const VkBufferImageCopy *r)
{
	uint64_t address = buffer->address + r->bufferOffset;
	uint32_t z = first_slice(image, &r->imageSubresource, r->imageOffset.z);
	struct pm4_copy_image p = { .kind = kind,
		.buffer = { icd_lo(address), icd_hi(address), r->bufferRowLength ? r->bufferRowLength : r->imageExtent.width,
			r->bufferImageHeight ? r->bufferImageHeight : r->imageExtent.height },
		.width = r->imageExtent.width, .height = r->imageExtent.height,
		.depth = slice_count(image, &r->imageSubresource, r->imageExtent.depth) };
	struct pm4_surface *side = kind == PM4_COPY_BUFFER_TO_IMAGE ? &p.dst : &p.src;
	icd_image_surface(image, r->imageSubresource.aspectMask, r->imageSubresource.mipLevel, side);
	*(kind == PM4_COPY_BUFFER_TO_IMAGE ? &p.dst_x : &p.src_x) = (uint32_t)r->imageOffset.x;
	*(kind == PM4_COPY_BUFFER_TO_IMAGE ? &p.dst_y : &p.src_y) = (uint32_t)r->imageOffset.y;
	*(kind == PM4_COPY_BUFFER_TO_IMAGE ? &p.dst_z : &p.src_z) = z;
	icd_emit(cmd, PM4_QW_COPY_IMAGE, &p, PM4_DWORDS(pm4_copy_image));
}

void icd_CmdCopyBufferToImage(VkCommandBuffer _cmd, VkBuffer _src, VkImage _dst, VkImageLayout layout, uint32_t count,
	const VkBufferImageCopy *regions)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_image, dst, _dst);
	for (uint32_t i = 0; i < count; i++) {
		emit_buffer_image(cmd, PM4_COPY_BUFFER_TO_IMAGE, icd_buffer_from_handle(_src), dst, &regions[i]);
		icd_decoded_written(cmd, dst, regions[i].imageSubresource.mipLevel);
	}
}

void icd_CmdCopyImageToBuffer(VkCommandBuffer _cmd, VkImage _src, VkImageLayout layout, VkBuffer _dst, uint32_t count,
	const VkBufferImageCopy *regions)
{
	for (uint32_t i = 0; i < count; i++)
		emit_buffer_image(icd_command_buffer_from_handle(_cmd), PM4_COPY_IMAGE_TO_BUFFER,
			icd_buffer_from_handle(_dst), icd_image_from_handle(_src), &regions[i]);
}

void icd_CmdBlitImage(VkCommandBuffer _cmd, VkImage _src, VkImageLayout src_layout, VkImage _dst,
	VkImageLayout dst_layout, uint32_t count, const VkImageBlit *regions, VkFilter filter)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_image, src, _src);
	ICD_FROM_HANDLE(icd_image, dst, _dst);
	for (uint32_t i = 0; i < count; i++) {
		const VkImageBlit *r = &regions[i];
		const VkOffset3D *s = r->srcOffsets, *d = r->dstOffsets;
		bool s3 = src->type == VK_IMAGE_TYPE_3D, d3 = dst->type == VK_IMAGE_TYPE_3D;
		int32_t s_layer = (int32_t)r->srcSubresource.baseArrayLayer, d_layer = (int32_t)r->dstSubresource.baseArrayLayer;
		struct pm4_blit_image p = { .src_x0 = s[0].x, .src_y0 = s[0].y, .src_x1 = s[1].x, .src_y1 = s[1].y,
			.dst_x0 = d[0].x, .dst_y0 = d[0].y, .dst_x1 = d[1].x, .dst_y1 = d[1].y,
			.src_z0 = s3 ? s[0].z : s_layer,
			.src_z1 = s3 ? s[1].z : s_layer + (int32_t)layer_count(src, &r->srcSubresource),
			.dst_z0 = d3 ? d[0].z : d_layer,
			.dst_z1 = d3 ? d[1].z : d_layer + (int32_t)layer_count(dst, &r->dstSubresource),
			.filter = filter == VK_FILTER_LINEAR ? PM4_FILTER_LINEAR : filter == VK_FILTER_CUBIC_EXT ? PM4_FILTER_CUBIC :
				PM4_FILTER_NEAREST };
		for (VkImageAspectFlags left = r->srcSubresource.aspectMask; left; left &= left - 1) {
			icd_image_surface(src, left & -left, r->srcSubresource.mipLevel, &p.src);
			icd_image_surface(dst, left & -left, r->dstSubresource.mipLevel, &p.dst);
			icd_emit(cmd, PM4_QW_BLIT_IMAGE, &p, PM4_DWORDS(pm4_blit_image));
		}
	}
}

void icd_CmdResolveImage(VkCommandBuffer _cmd, VkImage _src, VkImageLayout src_layout, VkImage _dst,
	VkImageLayout dst_layout, uint32_t count, const VkImageResolve *regions)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_image, src, _src);
	ICD_FROM_HANDLE(icd_image, dst, _dst);
	for (uint32_t i = 0; i < count; i++) {
		const VkImageResolve *r = &regions[i];
		struct pm4_resolve_image p = { .mode = PM4_RESOLVE_AVERAGE,
			.src_x = (uint32_t)r->srcOffset.x, .src_y = (uint32_t)r->srcOffset.y,
			.src_z = first_slice(src, &r->srcSubresource, r->srcOffset.z),
			.dst_x = (uint32_t)r->dstOffset.x, .dst_y = (uint32_t)r->dstOffset.y,
			.dst_z = first_slice(dst, &r->dstSubresource, r->dstOffset.z),
			.width = r->extent.width, .height = r->extent.height,
			.depth = slice_count(src, &r->srcSubresource, r->extent.depth) };
		icd_image_surface(src, VK_IMAGE_ASPECT_COLOR_BIT, r->srcSubresource.mipLevel, &p.src);
		icd_image_surface(dst, VK_IMAGE_ASPECT_COLOR_BIT, r->dstSubresource.mipLevel, &p.dst);
		icd_emit(cmd, PM4_QW_RESOLVE_IMAGE, &p, PM4_DWORDS(pm4_resolve_image));
	}
}

/* --- clears --- */

static void emit_clear_range(struct icd_command_buffer *cmd, const struct icd_image *image, VkImageAspectFlags aspect,
	const VkImageSubresourceRange *range, const uint32_t value[4])
{
	uint32_t levels = icd_image_levels(image, range);
	for (uint32_t l = 0; l < levels; l++) {
		struct pm4_clear_image p = { .first_slice = 0 };
		uint32_t level = range->baseMipLevel + l;
		icd_image_surface(image, aspect, level, &p.dst);
		bool is_3d = image->type == VK_IMAGE_TYPE_3D;
		p.first_slice = is_3d ? 0 : range->baseArrayLayer;
		p.slice_count = is_3d ? icd_image_level_slices(image, level) : icd_image_layers(image, range);
		memcpy(p.value, value, sizeof p.value);
		icd_emit(cmd, PM4_QW_CLEAR_IMAGE, &p, PM4_DWORDS(pm4_clear_image));
	}
}

void icd_CmdClearColorImage(VkCommandBuffer _cmd, VkImage _image, VkImageLayout layout, const VkClearColorValue *color,
	uint32_t count, const VkImageSubresourceRange *ranges)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_image, image, _image);
	for (uint32_t i = 0; i < count; i++)
		emit_clear_range(cmd, image, VK_IMAGE_ASPECT_COLOR_BIT, &ranges[i], color->uint32);
}

void icd_CmdClearDepthStencilImage(VkCommandBuffer _cmd, VkImage _image, VkImageLayout layout,
	const VkClearDepthStencilValue *value, uint32_t count, const VkImageSubresourceRange *ranges)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_image, image, _image);
	uint32_t depth[4] = { 0 }, stencil[4] = { value->stencil };
	memcpy(depth, &value->depth, 4);
	for (uint32_t i = 0; i < count; i++) {
		VkImageAspectFlags aspects = ranges[i].aspectMask & image->format->aspects;
		if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
			emit_clear_range(cmd, image, VK_IMAGE_ASPECT_DEPTH_BIT, &ranges[i], depth);
		if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT)
			emit_clear_range(cmd, image, VK_IMAGE_ASPECT_STENCIL_BIT, &ranges[i], stencil);
	}
}
