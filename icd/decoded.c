/* SPDX-License-Identifier: MIT */
#include "icd/decoded.h"

#include <sys/mman.h>
#include "icd/cmd.h"
#include "icd/device.h"
#include "icd/process.h"
#include "isa/decoded.h"

/* MOST: of a plane, a level of 4096x4096 bytes RGBA and what is below it.  All together have a quarter of the heap.  TAIL: as behind
 * VkDeviceMemory. */
enum { MOST = 1 << 27, SHARE = 4, TAIL = 64 };

/* Whether copies are all that writes to it: no others may know how it lies in memory, or see its blocks as texels. */
static bool is_only_copied_to(const struct icd_image *image)
{
	const VkImageCreateFlags others = VK_IMAGE_CREATE_ALIAS_BIT | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT |
		VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
	return !(image->flags & others) && image->vk_tiling == VK_IMAGE_TILING_OPTIMAL && image->tiling == TILING_LINEAR &&
		!image->swapchain_memory;
}

static uint64_t plane_bytes(const struct icd_image *image)
{
	const struct icd_plane_format *f = &image->plane[0].format;
	unsigned dfmt, nfmt;
	if (!icd_format_is_block(f) || image->type != VK_IMAGE_TYPE_2D || !(image->usage & VK_IMAGE_USAGE_SAMPLED_BIT) ||
	    !is_only_copied_to(image) || !isa_decoded_format(f->dfmt, f->nfmt, &dfmt, &nfmt) || image->levels > SURF_MAX_LEVELS)
		return 0;
	return isa_decoded_bytes(image->extent.width, image->extent.height, image->layers, image->levels, dfmt, nfmt) + TAIL;
}

void icd_decoded_create(struct icd_image *image)
{
	struct icd_device *device = image->base.device;
	const uint64_t bytes = plane_bytes(image);
	if (!bytes || bytes > MOST || image->decoded || !icd_process_take_decoded(bytes, device->physical_device->heap_size / SHARE))
		return;
	struct isa_decoded *plane = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (plane == MAP_FAILED)
		goto give_back;
	plane->base = image->address;
	if (!rs_gpu_add_memory(device->gpu, plane, bytes))
		goto unmap;
	image->decoded = icd_address(plane);
	return;

unmap:
	munmap(plane, bytes);
give_back:
	icd_process_give_decoded(bytes);
}

void icd_decoded_destroy(struct icd_image *image)
{
	void *plane = (void *)(uintptr_t)image->decoded;
	const uint64_t bytes = plane_bytes(image);
	if (!plane)
		return;
	rs_gpu_remove_memory(image->base.device->gpu, plane);
	munmap(plane, bytes);
	icd_process_give_decoded(bytes);
}

/* UNORM and sRGB have the same bytes, but of ASTC. */
static bool decode_alike(const struct icd_plane_format *a, const struct icd_plane_format *b)
{
	unsigned dfmt, nfmt;
	if (a->dfmt != b->dfmt || a->nfmt == b->nfmt)
		return a->dfmt == b->dfmt;
	return isa_decoded_format(a->dfmt, a->nfmt, &dfmt, &nfmt) && dfmt == DFMT_8_8_8_8 && a->dfmt < DFMT_ASTC_4x4;
}

void icd_decoded_describe(const struct icd_image *image, const struct icd_plane_format *f, uint32_t t[8])
{
	if (!image->decoded || !decode_alike(&image->plane[0].format, f))
		return;
	ISA_SET(t, T_DECODED_LO, (uint32_t)(image->decoded >> 8));
	ISA_SET(t, T_DECODED_HI, (uint32_t)(image->decoded >> 40));
}

void icd_decoded_written(struct icd_command_buffer *cmd, const struct icd_image *image, uint32_t level)
{
	if (image->decoded)
		icd_emit_release(cmd, PM4_DATA_SEL_32, image->decoded + offsetof(struct isa_decoded, done) + level * sizeof(uint32_t), 0);
}
