/* SPDX-License-Identifier: MIT */
#include "icd/image_view.h"

#include <string.h>
#include "icd/decoded.h"
#include "icd/device.h"
#include "isa/regs.h"

static uint32_t log2_samples(const struct icd_image *image)
{
	return (uint32_t)__builtin_ctz(image->samples);
}

static unsigned t_type(const struct icd_image *image, VkImageViewType type, bool cubes_as_arrays)
{
	if (image->samples > 1)
		return type == VK_IMAGE_VIEW_TYPE_2D_ARRAY ? T_TYPE_2D_MSAA_ARRAY : T_TYPE_2D_MSAA;
	switch (type) {
	case VK_IMAGE_VIEW_TYPE_1D: return T_TYPE_1D;
	case VK_IMAGE_VIEW_TYPE_2D: return T_TYPE_2D;
	case VK_IMAGE_VIEW_TYPE_3D: return T_TYPE_3D;
	case VK_IMAGE_VIEW_TYPE_1D_ARRAY: return T_TYPE_1D_ARRAY;
	case VK_IMAGE_VIEW_TYPE_2D_ARRAY: return T_TYPE_2D_ARRAY;
	default: return cubes_as_arrays ? T_TYPE_2D_ARRAY : T_TYPE_CUBE;
	}
}

/* What the view's channel c reads, in terms of memory components. */
static unsigned compose(const struct icd_plane_format *f, VkComponentSwizzle s, unsigned c)
{
	switch (s) {
	case VK_COMPONENT_SWIZZLE_ZERO: return SEL_0;
	case VK_COMPONENT_SWIZZLE_ONE: return SEL_1;
	case VK_COMPONENT_SWIZZLE_R: return f->sel[0];
	case VK_COMPONENT_SWIZZLE_G: return f->sel[1];
	case VK_COMPONENT_SWIZZLE_B: return f->sel[2];
	case VK_COMPONENT_SWIZZLE_A: return f->sel[3];
	default: return f->sel[c];
	}
}

/* The order in which memory has the components of a colour. */
static uint32_t border_order(const struct icd_plane_format *f)
{
	static const struct { uint8_t sel[4], order; } orders[] = {
		{ { SEL_R, SEL_G, SEL_B, SEL_A }, BC_XYZW }, { { SEL_B, SEL_G, SEL_R, SEL_A }, BC_ZYXW },
		{ { SEL_A, SEL_B, SEL_G, SEL_R }, BC_WZYX }, { { SEL_G, SEL_B, SEL_A, SEL_R }, BC_WXYZ },
		{ { SEL_G, SEL_R, SEL_A, SEL_B }, BC_YXWZ }, { { SEL_R, SEL_B, SEL_A, SEL_G }, BC_XWYZ },
	};
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		bool same = true;
		for (unsigned c = 0; c < 4; c++)
			same = same && (f->sel[c] < SEL_R || f->sel[c] == orders[i].sel[c]);
		if (same)
			return orders[i].order;
	}
	return BC_XYZW;
}

/* A level of blocks seen as texels: an image of its own, for its sizes need not be those that level 0's come to. */
static bool is_of_blocks(const struct icd_image_view *view)
{
	return icd_format_is_block(&view->image->format->color) && !icd_format_is_block(&view->format->color);
}

/* Blocks of several slices are all of ASTC. */
static bool is_astc(const struct icd_plane_format *f)
{
	return (f->dfmt >= DFMT_ASTC_4x4 && f->dfmt <= DFMT_ASTC_12x12) || surf_dfmt_depth(f->dfmt) > 1;
}

/* As which texels ASTC is decoded: "VkImageViewASTCDecodeModeEXT" is of no effect on sRGB; that of bytes knows no HDR. */
static struct icd_plane_format decode_mode(const VkImageViewCreateInfo *info, const struct icd_plane_format *f)
{
	const VkImageViewASTCDecodeModeEXT *mode = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_IMAGE_VIEW_ASTC_DECODE_MODE_EXT);
	struct icd_plane_format out = *f;
	if (!mode || !is_astc(f) || f->nfmt == NFMT_SRGB)
		return out;
	if (mode->decodeMode == VK_FORMAT_R8G8B8A8_UNORM)
		out.nfmt = NFMT_USCALED;
	else if (mode->decodeMode == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32)
		out.nfmt = f->nfmt == NFMT_FLOAT ? NFMT_SSCALED : NFMT_SNORM;
	return out;
}

/* A level described as an image of its own: one of blocks seen as texels, one of a 3D image seen as layers, and
 * some slices of one, which are all that storage has. */
static bool is_alone(const struct icd_image_view *view, bool storage)
{
	return is_of_blocks(view) || (view->image->type == VK_IMAGE_TYPE_3D &&
		(view->view_type != VK_IMAGE_VIEW_TYPE_3D || (storage && view->slice_count)));
}

static void fill_t(const struct icd_image_view *view, const struct icd_image_plane *plane,
	const struct icd_plane_format *f, const VkComponentMapping *map, bool storage, uint32_t t[8])
{
	const struct icd_image *image = view->image;
	uint64_t base = plane->address >> 8;
	bool is_3d = view->view_type == VK_IMAGE_VIEW_TYPE_3D, alone = is_alone(view, storage);
	uint32_t base_level = alone ? 0 : view->range.baseMipLevel;
	uint32_t last_level = image->samples > 1 ? log2_samples(image) : storage || alone ? base_level :
		base_level + view->range.levelCount - 1;
	uint32_t slices = icd_image_slices(image);
	const struct surf_plane first = icd_image_level(image, plane->aspect, 0);
	VkExtent2D extent = { first.width, first.height };
	const VkComponentSwizzle swizzle[4] = { map->r, map->g, map->b, map->a };

	if (alone) {
		const struct surf_plane level = icd_image_level(image, plane->aspect, view->range.baseMipLevel);
		const bool sliced = storage && view->slice_count;
		base = ((uintptr_t)level.base + (sliced ? view->first_slice * level.slice_stride : 0)) >> 8;
		slices = sliced ? view->slice_count : surf_layers(&level);
		extent = view->extent;
	}
	memset(t, 0, 32);
	ISA_SET(t, T_BASE_LO, (uint32_t)base);
	ISA_SET(t, T_BASE_HI, (uint32_t)(base >> 32));
	ISA_SET(t, T_DATA_FORMAT, f->dfmt);
	ISA_SET(t, T_NUM_FORMAT, f->nfmt);
	ISA_SET(t, T_WIDTH, extent.width - 1);
	ISA_SET(t, T_HEIGHT, extent.height - 1);
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(t, T_DST_SEL(c), storage ? f->sel[c] : compose(f, swizzle[c], c));
	ISA_SET(t, T_BC_SWIZZLE, border_order(f));
	ISA_SET(t, T_MIN_LOD, storage ? 0 : view->min_lod);
	ISA_SET(t, T_BASE_LEVEL, base_level);
	ISA_SET(t, T_LAST_LEVEL, last_level);
	ISA_SET(t, T_TILING_INDEX, image->tiling);
	ISA_SET(t, T_TYPE, t_type(image, view->view_type, storage));
	ISA_SET(t, T_DEPTH, slices - 1);
	ISA_SET(t, T_BASE_ARRAY, is_3d ? 0 : view->range.baseArrayLayer);
	ISA_SET(t, T_LAST_ARRAY, is_3d ? 0 : view->range.baseArrayLayer + view->range.layerCount - 1);
	if (!storage && !alone)
		icd_decoded_describe(image, f, t);
}

/* The slices of a target: layers, or for 3D images slices of the level. */
static void target_slices(const struct icd_image_view *view, uint32_t *first, uint32_t *last)
{
	*first = view->range.baseArrayLayer;
	*last = *first + view->layers - 1;
}

static uint64_t level_base(const struct icd_image_view *view, VkImageAspectFlags aspect)
{
	return (uintptr_t)icd_image_level(view->image, aspect, view->range.baseMipLevel).base >> 8;
}

/* Memory component m takes the channel that reads it. */
static uint32_t target_sel(const struct icd_plane_format *f)
{
	uint32_t attrib = 0;
	for (unsigned m = 0; m < 4; m++) {
		uint32_t channel = SEL_0;
		for (unsigned c = 0; c < 4; c++)
			if (f->sel[c] == SEL_R + m)
				channel = SEL_R + c;
		attrib |= channel << (CB_COLOR_ATTRIB__SEL_X__LO + 3 * m);
	}
	return attrib;
}

static void fill_color_target(struct icd_image_view *view)
{
	const struct icd_plane_format *f = &view->format->color;
	uint64_t base = level_base(view, view->range.aspectMask);
	uint32_t first, last;
	target_slices(view, &first, &last);
	view->cb[0] = (uint32_t)base;
	view->cb[1] = (uint32_t)(base >> 32);
	view->cb[2] = REG_SET(CB_COLOR_ATTRIB2, MIP0_WIDTH, view->extent.width - 1) |
		REG_SET(CB_COLOR_ATTRIB2, MIP0_HEIGHT, view->extent.height - 1);
	view->cb[3] = REG_SET(CB_COLOR_VIEW, SLICE_START, first) | REG_SET(CB_COLOR_VIEW, SLICE_MAX, last);
	view->cb[4] = REG_SET(CB_COLOR_INFO, FORMAT, f->dfmt) |
		REG_SET(CB_COLOR_INFO, NUMBER_TYPE, f->nfmt);
	view->cb[5] = REG_SET(CB_COLOR_ATTRIB, TILE_MODE_INDEX, view->image->tiling) | target_sel(f) |
		REG_SET(CB_COLOR_ATTRIB, NUM_SAMPLES, log2_samples(view->image));
}

static uint32_t z_format(unsigned dfmt)
{
	return dfmt == DFMT_16 ? Z_FORMAT_16 : dfmt == DFMT_8_24 ? Z_FORMAT_24 : Z_FORMAT_32_FLOAT;
}

static void fill_depth_target(struct icd_image_view *view)
{
	const struct icd_format *f = view->format;
	uint32_t first, last;
	uint64_t base;
	target_slices(view, &first, &last);
	view->db[0] = REG_SET(DB_Z_INFO, NUM_SAMPLES, log2_samples(view->image));
	if (f->aspects & VK_IMAGE_ASPECT_DEPTH_BIT) {
		base = level_base(view, VK_IMAGE_ASPECT_DEPTH_BIT);
		view->db[0] |= REG_SET(DB_Z_INFO, FORMAT, z_format(f->color.dfmt)) |
			REG_SET(DB_Z_INFO, TILE_MODE_INDEX, view->image->tiling);
		view->db[2] = (uint32_t)base;
		view->db[3] = (uint32_t)(base >> 32);
	}
	if (f->aspects & VK_IMAGE_ASPECT_STENCIL_BIT) {
		base = level_base(view, VK_IMAGE_ASPECT_STENCIL_BIT);
		view->db[1] = REG_SET(DB_STENCIL_INFO, FORMAT, STENCIL_FORMAT_8) |
			REG_SET(DB_STENCIL_INFO, TILE_MODE_INDEX, view->image->tiling);
		view->db[4] = (uint32_t)base;
		view->db[5] = (uint32_t)(base >> 32);
	}
	view->db_depth_view = REG_SET(DB_DEPTH_VIEW, SLICE_START, first) |
		REG_SET(DB_DEPTH_VIEW, SLICE_MAX, last);
	view->db_depth_size = REG_SET(DB_DEPTH_SIZE, X_MAX, view->extent.width - 1) |
		REG_SET(DB_DEPTH_SIZE, Y_MAX, view->extent.height - 1);
}

static_assert(R_CB_COLOR_ATTRIB == R_CB_COLOR_BASE + 5 && R_CB_COLOR_VIEW == R_CB_COLOR_BASE + 3,
	"the order of cb[]");
static_assert(R_DB_STENCIL_READ_BASE_HI == R_DB_Z_INFO + 5 && R_DB_Z_READ_BASE == R_DB_Z_INFO + 2,
	"the order of db[]");

/* The T#s of an image that is sampled through a conversion: planes, or luma and chroma of pairs of texels, of which
 * there are half as many columns as texels. */
static void fill_ycbcr(struct icd_image_view *view, const VkComponentMapping *map)
{
	const struct icd_ycbcr_format *f = view->image->format->ycbcr;
	const struct surf_plane pairs = icd_image_level(view->image, VK_IMAGE_ASPECT_COLOR_BIT, 0);
	for (uint32_t i = 0; i < f->views; i++) {
		uint32_t *t = i ? view->chroma_t[i - 1] : view->sampled_t;
		const struct icd_image_plane *plane = &view->image->plane[f->planes > 1 ? i : 0];
		fill_t(view, plane, &f->view[i], map, f->views > 1, t);
		if (i && f->planes == 1)
			ISA_SET(t, T_WIDTH, surf_columns(&pairs) - 1);
	}
}

/* u4.8 */
static uint32_t min_lod_of(float lod)
{
	return lod > 0.0f ? lod < 15.99f ? (uint32_t)(lod * 256.0f + 0.5f) : 0xfff : 0;
}

static void init(struct icd_image_view *view, const VkImageViewCreateInfo *info)
{
	struct icd_image *image = view->image;
	VkImageAspectFlags aspects = info->subresourceRange.aspectMask, first;
	const struct icd_image_plane *plane;

	const VkImageViewMinLodCreateInfoEXT *lod = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
	const VkImageViewSlicedCreateInfoEXT *sliced = image->type != VK_IMAGE_TYPE_3D ? NULL :
		icd_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT);

	view->min_lod = lod ? min_lod_of(lod->minLod - (float)info->subresourceRange.baseMipLevel) : 0;
	view->view_type = info->viewType;
	view->range = info->subresourceRange;
	view->range.levelCount = icd_image_levels(image, &info->subresourceRange);
	if (image->type == VK_IMAGE_TYPE_3D && info->viewType != VK_IMAGE_VIEW_TYPE_3D)
		view->layers = info->subresourceRange.layerCount == VK_REMAINING_ARRAY_LAYERS ?
			icd_image_level_slices(image, view->range.baseMipLevel) - view->range.baseArrayLayer :
			info->subresourceRange.layerCount;
	else if (image->type == VK_IMAGE_TYPE_3D)
		view->layers = icd_image_level_slices(image, view->range.baseMipLevel);
	else
		view->layers = icd_image_layers(image, &info->subresourceRange);
	view->range.layerCount = image->type == VK_IMAGE_TYPE_3D &&
		info->viewType == VK_IMAGE_VIEW_TYPE_3D ? 1 : view->layers;
	const struct surf_plane level = icd_image_level(image, aspects, view->range.baseMipLevel);
	view->extent = (VkExtent2D){ level.width, level.height };
	if (sliced) {
		const uint32_t all = icd_image_level_slices(image, view->range.baseMipLevel);
		view->first_slice = sliced->sliceOffset;
		view->slice_count = sliced->sliceCount == VK_REMAINING_3D_SLICES_EXT ? all - sliced->sliceOffset : sliced->sliceCount;
	}
	if (is_of_blocks(view)) {
		view->extent = (VkExtent2D){ surf_columns(&level), surf_rows(&level) };
		if (info->viewType == VK_IMAGE_VIEW_TYPE_3D)
			view->layers = surf_layers(&level);
	}

	/* A view of both aspects can only be an attachment, of which depth is read. */
	first = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? VK_IMAGE_ASPECT_DEPTH_BIT : aspects;
	plane = icd_image_plane(image, first);
	const struct icd_plane_format format = decode_mode(info, icd_format_plane(view->format, first));
	fill_t(view, plane, &format, &info->components, false, view->sampled_t);
	fill_t(view, plane, &format, &info->components, true, view->storage_t);
	if (image->format->ycbcr && view->format == image->format)
		fill_ycbcr(view, &info->components);
	if (image->format->aspects & VK_IMAGE_ASPECT_COLOR_BIT)
		fill_color_target(view);
	else
		fill_depth_target(view);
}

void icd_image_view_surface(const struct icd_image_view *view, VkImageAspectFlags aspect,
	struct pm4_surface *out)
{
	const struct icd_plane_format *f = icd_format_plane(view->format, aspect);
	icd_image_surface(view->image, aspect, view->range.baseMipLevel, out);
	out->dfmt = f->dfmt;
	out->nfmt = f->nfmt;
	out->sel = 0;
	for (int c = 0; c < 4; c++)
		out->sel |= (uint32_t)f->sel[c] << 3 * c;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateImageView(VkDevice _device,
	const VkImageViewCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
	VkImageView *pView)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_image, image, pCreateInfo->image);
	const struct icd_format *format = icd_format_get(pCreateInfo->format);
	struct icd_image_view *view;

	const struct icd_image_plane *plane = icd_image_plane(image, pCreateInfo->subresourceRange.aspectMask);
	if (!format || !plane || (format != image->format && format->color.bytes != plane->format.bytes &&
		format->color.bytes != image->format->color.bytes))
		return icd_error(device->instance, VK_ERROR_FORMAT_NOT_SUPPORTED, &image->base,
			"vkCreateImageView: format %d, aspects 0x%x do not fit the image",
			pCreateInfo->format, pCreateInfo->subresourceRange.aspectMask);
	view = icd_object_alloc(device, pAllocator, sizeof *view, VK_OBJECT_TYPE_IMAGE_VIEW);
	if (!view)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	view->image = image;
	view->format = format;
	init(view, pCreateInfo);
	*pView = icd_image_view_to_handle(view);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyImageView(VkDevice _device, VkImageView view,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_image_view_from_handle(view));
}
