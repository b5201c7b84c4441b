/* SPDX-License-Identifier: MIT */
/* Host memory that runs out: fail_each makes something with an allocator that
 * fails at the n-th call, for n = 0, 1, ... until it succeeds; nothing may leak
 * or crash, and the only error is VK_ERROR_OUT_OF_HOST_MEMORY. */
#ifndef TESTS_ICD_FAIL_EACH_H
#define TESTS_ICD_FAIL_EACH_H

#include "harness.h"

/* left >= 0: so many allocations succeed, then one (`once`) or all fail. */
struct fail_counter { int live, left; bool once, hit; };

static inline VKAPI_ATTR void *VKAPI_CALL fail_allocate(void *user, size_t size, size_t align,
	VkSystemAllocationScope scope)
{
	struct fail_counter *c = user;
	void *p;
	if (c->left == 0) {
		c->hit = true;
		c->left = c->once ? -1 : 0;
		return NULL;
	}
	if (c->left > 0)
		c->left--;
	CHECK(!posix_memalign(&p, align < 16 ? 16 : align, size));
	c->live++;
	memset(p, 0xa5, size);
	return p;
}

static inline VKAPI_ATTR void *VKAPI_CALL fail_reallocate(void *user, void *p, size_t size, size_t align,
	VkSystemAllocationScope scope)
{
	return NULL;
}

static inline VKAPI_ATTR void VKAPI_CALL fail_release(void *user, void *p)
{
	struct fail_counter *c = user;
	if (p)
		c->live--;
	free(p);
}

static inline VkAllocationCallbacks fail_callbacks(struct fail_counter *c)
{
	return (VkAllocationCallbacks){ c, fail_allocate, fail_reallocate, fail_release, NULL, NULL };
}

/* Makes something and destroys it again. */
typedef VkResult (*make_fn)(struct vk *vk, const VkAllocationCallbacks *a);

/* With callbacks of the caller's, who may have made the device with them.  What
 * can do without an allocation may succeed. */
static inline void fail_sweep(struct vk *vk, const char *name, make_fn make, const VkAllocationCallbacks *a)
{
	struct fail_counter *c = a->pUserData;
	for (int once = 0; once < 2; once++) {
		int n = 0, live = c->live;
		do {
			c->left = n;
			c->once = once;
			c->hit = false;
			VkResult result = make(vk, a);
			c->left = -1;
			if (c->live != live || (c->hit && !once && result == VK_SUCCESS) ||
				(result != VK_SUCCESS && (!c->hit || result != VK_ERROR_OUT_OF_HOST_MEMORY))) {
				fprintf(stderr, "%s: failing allocation %d: result %d, %d blocks live\n", name, n, result,
					c->live - live);
				exit(1);
			}
			n++;
		} while (c->hit);
	}
}

static inline void fail_each(struct vk *vk, const char *name, make_fn make)
{
	struct fail_counter c = { .left = -1 };
	VkAllocationCallbacks a = fail_callbacks(&c);
	fail_sweep(vk, name, make, &a);
}

#endif
