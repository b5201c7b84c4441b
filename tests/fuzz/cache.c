/* SPDX-License-Identifier: MIT */
/* Damaged pipeline caches, most of them with the right checksums: they are refused, or
 * what they hold runs and at worst loses the device. */
#define WORK_DRAWS 3
#include "tests/fuzz/input.h"
#include "tests/icd/cache_run.h"

enum { MAX_CHANGES = 16 };

static struct vk vk;
static struct blob good;

static uint32_t input_offset(struct input *in, size_t below)
{
	uint32_t high = input_byte(in), middle = input_byte(in);
	return (uint32_t)((high << 16 | middle << 8 | input_byte(in)) % below);
}

static void change(struct blob *b, struct input *in)
{
	static const uint32_t odd[] = { 0, 1, 3, 31, 64, 255, 256, 65535, 0x7fffffff, 0x80000000, 0xffffffff, 0xbf810000,
		0xbf820000, 0xbf82ffff };
	size_t at = input_offset(in, b->size), from = input_offset(in, b->size), n = 1 + input_byte(in);
	uint32_t value = odd[input_pick(in, sizeof odd / sizeof odd[0])];
	if (n > b->size - (at > from ? at : from))
		n = b->size - (at > from ? at : from);
	switch (input_pick(in, 6)) {
	case 0: b->p[at] ^= (uint8_t)(1u << input_pick(in, 8)); break;
	case 1: b->p[at] = input_byte(in); break;
	case 2: memcpy(b->p + (at & ~3ul), &value, b->size - (at & ~3ul) < 4 ? b->size - (at & ~3ul) : 4); break;
	case 3: memmove(b->p + at, b->p + from, n); break;
	case 4: memmove(b->p + (at & ~3ul), b->p + (from & ~3ul), n & ~3ul); break;
	default:
		if (value & 1 && b->size > 64) /* rarely: all behind it is gone */
			b->size -= 4 * (n % 16);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	if (!vk.device) {
		setenv("QW_BUDGET", "20000", 0);
		setenv("QW_THREADS", "1", 0);
		vk_start(&vk);
		OK(cache_run(&vk, (struct blob){ NULL, 0 }, 0, &good));
	}
	while (in.left) {
		struct blob b = { malloc(good.size), good.size };
		CHECK(b.p);
		memcpy(b.p, good.p, good.size);
		uint8_t how = input_byte(&in);
		for (uint32_t n = 1 + input_pick(&in, MAX_CHANGES); n; n--)
			change(&b, &in);
		CHECK((b.p = realloc(b.p, b.size))); /* a sanitizer sees its end */
		if (how % 8)
			blob_fix(b);
		VkResult result = cache_run(&vk, b, how & 128 ? 0 : VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, NULL);
		CHECK(result == VK_SUCCESS || result == VK_PIPELINE_COMPILE_REQUIRED || result == VK_ERROR_DEVICE_LOST);
		free(b.p);
	}
	return 0;
}
