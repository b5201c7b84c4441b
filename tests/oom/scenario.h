/* SPDX-License-Identifier: MIT */
/* What the driver is put through while its calls fail. */
#ifndef TESTS_OOM_SCENARIO_H
#define TESTS_OOM_SCENARIO_H

#include "../icd/harness.h"

/* The entry point of Vulkan that was asked for last: the one that a result is from. */
extern const char **scenario_at;

/* As in harness.h, and remembers the name. */
#undef FN
#undef IFN
#define FN(vk, name) (*scenario_at = #name, (PFN_##name)(vk)->get_device((vk)->device, #name))
#define IFN(vk, name) (*scenario_at = #name, (PFN_##name)(vk)->get((vk)->instance, #name))

struct scenario {
	const char *name;
	/* A display server's connection, of the application's; before anything fails.  These may be NULL. */
	void (*connect)(void);
	void (*disconnect)(void);
	const char *instance_extensions[2], *device_extension;
	/* Makes things, uses them and destroys them, wherever it fails; on VK_SUCCESS `hash`
	 * is that of what came out. */
	VkResult (*run)(struct vk *vk, uint64_t *hash);
};

extern const struct scenario scenario_compute, scenario_graphics, scenario_headless, scenario_x11, scenario_wayland;

/* FNV-1a */
static inline uint64_t scenario_hash(uint64_t hash, const void *data, size_t bytes)
{
	const unsigned char *p = data;
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ p[i]) * 0x100000001b3u;
	return hash;
}
enum { SCENARIO_SEED = 0x11c9dc5 };

#endif
