/* SPDX-License-Identifier: MIT */
/* With QW_CHECKS the driver was built with its asserts: a handle of another type ends the
 * process.  Without, there is nothing that would look. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness.h"

#ifdef NDEBUG
enum { CHECKED = 0 };
#else
enum { CHECKED = 1 };
#endif

int main(void)
{
	struct vk vk;
	int status;
	if (!CHECKED)
		return 0;
	VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	VkSemaphore semaphore;
	vk_start(&vk);
	OK(FN(&vk, vkCreateSemaphore)(vk.device, &info, NULL, &semaphore));
	pid_t pid = fork();
	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		signal(SIGABRT, SIG_DFL);
		FN(&vk, vkGetFenceStatus)(vk.device, (VkFence)(uintptr_t)semaphore);
		_exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	FN(&vk, vkDestroySemaphore)(vk.device, semaphore, NULL);
	vk_stop(&vk);
	return 0;
}
