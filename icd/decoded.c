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
	if (!icd_format_is_block(&image->plane[0].format) || image->type != VK_IMAGE_TYPE_2D || !(image->usage & VK_IMAGE_USAGE_SAMPLED_BIT) ||
	    !is_only_copied_to(image))
		return 0;
	const struct surf_plane blocks = icd_image_level(image, image->plane[0].aspect, 0);
	const uint64_t bytes = rs_decoded_bytes(&blocks, image->levels);
	return bytes ? bytes + TAIL : 0;
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

void icd_decoded_describe(const struct icd_image *image, const struct icd_plane_format *f, uint32_t t[8])
{
	const struct icd_plane_format *own = &image->plane[0].format;
	if (!image->decoded || f->dfmt != own->dfmt || !rs_decodes_alike(f->dfmt, f->nfmt, own->nfmt))
		return;
	ISA_SET(t, T_DECODED_LO, (uint32_t)(image->decoded >> 8));
	ISA_SET(t, T_DECODED_HI, (uint32_t)(image->decoded >> 40));
}

void icd_decoded_written(struct icd_command_buffer *cmd, const struct icd_image *image, uint32_t level)
{
	if (image->decoded)
		icd_emit_release(cmd, PM4_DATA_SEL_32, image->decoded + offsetof(struct isa_decoded, done) + level * sizeof(uint32_t), 0);
}
