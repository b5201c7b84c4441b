/* SPDX-License-Identifier: MIT */
/* The pipeline cache through a file: another device makes its pipelines of it
 * without compiling and draws the same picture; damaged files are no worse than
 * none. */
#include <unistd.h>
#include "work.h"

enum { ROUNDS = 300 };

struct bytes { uint8_t *p; size_t size; };

static uint32_t rnd(uint64_t *s)
{
	*s = *s * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*s >> 33);
}

/* Draws with a cache of these bytes; gives the picture's hash and, if asked,
 * what the cache holds afterwards.  VK_PIPELINE_COMPILE_REQUIRED if it lacks one. */
static VkResult draw(struct vk *vk, struct bytes in, bool must_hit, uint64_t *hash, struct bytes *out)
{
	struct work w = { .cache_data = in.p, .cache_size = in.size,
		.flags = must_hit ? VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT : 0 };
	VkResult result = work_make(vk, NULL, &w);
	if (result == VK_SUCCESS) {
		VkImageSubresource level = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 };
		VkSubresourceLayout layout;
		uint8_t *map;
		FN(vk, vkGetImageSubresourceLayout)(vk->device, w.image, &level, &layout);
		OK(FN(vk, vkMapMemory)(vk->device, w.image_memory, 0, VK_WHOLE_SIZE, 0, (void **)&map));
		CHECK(map[layout.offset + WORK_SIZE / 2 * layout.rowPitch + 4 * (WORK_SIZE / 2) + 3] == 255);
		*hash = 0xcbf29ce484222325u;
		for (uint32_t y = 0; y < WORK_SIZE; y++)
			for (uint32_t x = 0; x < 4 * WORK_SIZE; x++)
				*hash = (*hash ^ map[layout.offset + y * layout.rowPitch + x]) * 0x100000001b3u;
	}
	if (result == VK_SUCCESS && out) {
		OK(FN(vk, vkGetPipelineCacheData)(vk->device, w.cache, &out->size, NULL));
		out->p = malloc(out->size);
		OK(FN(vk, vkGetPipelineCacheData)(vk->device, w.cache, &out->size, out->p));
	}
	work_destroy(vk, NULL, &w);
	return result;
}

static struct bytes through_file(struct bytes b)
{
	char name[] = "/tmp/qw-cache-XXXXXX";
	struct bytes back = { malloc(b.size), b.size };
	int fd = mkstemp(name);
	CHECK(fd >= 0);
	unlink(name);
	CHECK(write(fd, b.p, b.size) == (ssize_t)b.size && lseek(fd, 0, SEEK_SET) == 0);
	CHECK(read(fd, back.p, b.size) == (ssize_t)b.size);
	close(fd);
	return back;
}

/* Flipped bits, overwritten words, cut and repeated parts. */
static struct bytes damage(struct bytes b, uint64_t *seed)
{
	struct bytes d = { malloc(2 * b.size), b.size };
	memcpy(d.p, b.p, b.size);
	for (uint32_t n = 1 + rnd(seed) % 4; n > 0; n--) {
		uint32_t at = rnd(seed) % d.size;
		switch (rnd(seed) % 5) {
		case 0: d.p[at] ^= (uint8_t)(1u << (rnd(seed) & 7)); break;
		case 1: d.p[at] = (uint8_t)rnd(seed); break;
		case 2: memset(d.p + at, (int)(rnd(seed) & 255), (d.size - at) / 2); break;
		case 3: d.size = at + 1; break;
		default: /* the end once more */
			if (d.size <= b.size) {
				memmove(d.p + d.size, d.p + at, d.size - at);
				d.size += d.size - at;
			}
		}
	}
	/* Of exactly this size: a sanitizer sees its end. */
	d.p = realloc(d.p, d.size);
	return d;
}

int main(void)
{
	struct vk vk;
	struct bytes none = { NULL, 0 }, saved, file;
	uint64_t want = 0, hash = 0, seed = 1;
	vk_start(&vk);
	CHECK(draw(&vk, none, true, &hash, NULL) == VK_PIPELINE_COMPILE_REQUIRED);
	OK(draw(&vk, none, false, &want, &saved));
	vk_stop(&vk);

	file = through_file(saved);
	vk_start(&vk);
	OK(draw(&vk, file, true, &hash, NULL));
	CHECK(hash == want);
	for (int i = 0; i < ROUNDS; i++) {
		struct bytes d = damage(file, &seed);
		OK(draw(&vk, d, false, &hash, NULL));
		CHECK(hash == want);
		free(d.p);
	}
	vk_stop(&vk);
	free(saved.p);
	free(file.p);
	return 0;
}
