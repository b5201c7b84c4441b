/* SPDX-License-Identifier: MIT */
/* With QW_CHECKS the driver was built with its asserts: a handle of another type ends the
 * process.  Without, there is nothing that would look. */
#include <signal.h>
#include <sys/resource.h>
#include "child.h"
#include "harness.h"

#ifdef NDEBUG
enum { CHECKED = 0 };
#else
enum { CHECKED = 1 };
#endif

/* What the driver's asserts end.  In a process that begins here: where threads run already, a
 * child may find the locks of memory held by one that it does not have. */
static void mistake(void)
{
	struct vk vk;
	VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	VkSemaphore semaphore;
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	signal(SIGABRT, SIG_DFL);
	vk_start(&vk);
	OK(FN(&vk, vkCreateSemaphore)(vk.device, &info, NULL, &semaphore));
	FN(&vk, vkGetFenceStatus)(vk.device, (VkFence)(uintptr_t)semaphore);
}

int main(void)
{
	int status;
	if (!CHECKED)
		return 0;
	pid_t pid = child_start();
	if (pid == 0) {
		mistake();
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	return 0;
}
