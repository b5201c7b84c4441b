/* SPDX-License-Identifier: MIT */
/* oom SCENARIO [--first K] [--last K] [--stride N] [--imports] [--verbose]: every call that can
 * fail inside the driver (calls.def) fails, each alone and all from one on, from
 * vkCreateInstance to vkDestroyInstance.  Each time is a process of its own: it must
 * neither crash nor hang nor keep anything; what comes out must be what comes out of
 * a run where nothing fails, or an error that the command may return; and after an
 * error that is no loss the same device must do the same work.
 *
 * With --stride N every N-th call, from K on; without --first where depends on the day,
 * so that in N days all of them have been there. */
#define _GNU_SOURCE
#include <dirent.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "fail.h"
#include "scenario.h"

enum { SECONDS = 30, SLACK = 8, TORN = 3 };

static struct fail_report *report;
const char **scenario_at;
static uint64_t right;

extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* --- in the process that may die --- */

static int entries(const char *path)
{
	int count = 0;
	DIR *dir = opendir(path);
	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

static void too_long(int signal)
{
	void *frame[FAIL_FRAMES];
	static const char text[] = "hangs; this thread is in:\n";
	ssize_t n = write(2, text, sizeof text - 1);
	backtrace_symbols_fd(frame, backtrace(frame, FAIL_FRAMES), 2);
	fail_complain("hangs after %.100s", report->at);
	_exit(TORN + (n < 0));
}

static bool one_of(const char *name, const char *list)
{
	size_t length = strlen(name);
	for (const char *at = list; (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}

/* What the command may return: "Return Codes" of each in the specification.  Some may return
 * VK_ERROR_INITIALIZATION_FAILED, but what fails here is always a lack of something. */
static bool permitted(const char *command, VkResult result)
{
	switch (result) {
	case VK_ERROR_OUT_OF_HOST_MEMORY:
	case VK_ERROR_OUT_OF_DEVICE_MEMORY:
		return true;
	case VK_ERROR_DEVICE_LOST:
		return one_of(command, "vkCreateDevice vkQueueSubmit vkQueueWaitIdle vkDeviceWaitIdle vkWaitForFences "
			"vkGetFenceStatus vkGetEventStatus vkGetQueryPoolResults vkCreateSwapchainKHR vkAcquireNextImageKHR "
			"vkQueuePresentKHR");
	case VK_ERROR_SURFACE_LOST_KHR:
		return one_of(command, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR vkGetPhysicalDeviceSurfaceFormatsKHR "
			"vkGetPhysicalDeviceSurfacePresentModesKHR vkGetPhysicalDeviceSurfaceSupportKHR vkCreateSwapchainKHR "
			"vkAcquireNextImageKHR vkQueuePresentKHR");
	case VK_ERROR_OUT_OF_DATE_KHR:
		return one_of(command, "vkAcquireNextImageKHR vkQueuePresentKHR");
	case VK_ERROR_OUT_OF_POOL_MEMORY:
	case VK_ERROR_FRAGMENTED_POOL:
		return one_of(command, "vkAllocateDescriptorSets");
	default:
		return false;
	}
}

static VkResult open_device(const struct scenario *s, struct vk *vk)
{
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1 };
	VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app,
		.enabledExtensionCount = s->instance_extensions[0] ? 2 : 0,
		.ppEnabledExtensionNames = s->instance_extensions };
	uint32_t one = 1;
	VkResult result = IFN(vk, vkCreateInstance)(&info, NULL, &vk->instance);
	if (result == VK_SUCCESS)
		result = IFN(vk, vkEnumeratePhysicalDevices)(vk->instance, &one, &vk->physical);
	if (result != VK_SUCCESS)
		return result;
	report->at = "vkCreateDevice";
	return vk_device_with(vk, NULL, &s->device_extension, s->device_extension ? 1 : 0);
}

static void close_device(struct vk *vk)
{
	if (vk->device)
		FN(vk, vkDestroyDevice)(vk->device, NULL);
	if (vk->instance)
		IFN(vk, vkDestroyInstance)(vk->instance, NULL);
	vk->device = VK_NULL_HANDLE;
	vk->instance = VK_NULL_HANDLE;
}

static void judge(VkResult result, uint64_t hash)
{
	report->command = report->at;
	report->result = result;
	if (result == VK_SUCCESS && right && hash != right)
		fail_complain("success with a wrong result");
	if (result == VK_SUCCESS && report->hit && report->call == FAIL___register_atfork)
		fail_complain("a device that children of the process would take for theirs");
	if (result != VK_SUCCESS && !report->hit)
		fail_complain("%.100s: %d, and no call had failed", report->at, result);
	if (result != VK_SUCCESS && !permitted(report->at, result))
		fail_complain("%.100s must not return %d", report->at, result);
	if (result == VK_SUCCESS && !right)
		right = hash;
}

/* Whatever was refused once is there the second time. */
static void again(const struct scenario *s, struct vk *vk)
{
	uint64_t hash = 0;
	fail_arm(FAIL_NEVER, true);
	VkResult result = vk->device ? s->run(vk, &hash) : VK_SUCCESS;
	if (result != VK_SUCCESS)
		fail_complain("%.100s: %d, when all works again", report->at, result);
	else if (vk->device && right && hash != right)
		fail_complain("a wrong result when all works again");
}

static void settle(int threads, int files)
{
	/* A thread that was joined may still be listed. */
	for (int i = 0; i < 100 && entries("/proc/self/task") > threads; i++)
		nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
	int more_threads = entries("/proc/self/task") - threads, more_files = entries("/proc/self/fd") - files;
	size_t live = fail_live(report);
	if (live)
		fail_complain("%zu blocks or mappings left", live);
	if (more_threads || more_files)
		fail_complain("%d threads and %d descriptors left", more_threads, more_files);
	if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
		fail_complain("leaks");
}

static void *tell_id(void *id)
{
	*(pid_t *)id = gettid();
	return NULL;
}

/* How many threads there are before the driver makes any.  ThreadSanitizer has one of its
 * own from the first one on, so one is made; joined, it may still be listed for a while. */
static int threads_before(void)
{
	pthread_t thread;
	pid_t id;
	char path[32];
	CHECK(!pthread_create(&thread, NULL, tell_id, &id) && !pthread_join(thread, NULL));
	snprintf(path, sizeof path, "/proc/self/task/%d", id);
	while (!access(path, F_OK))
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	return entries("/proc/self/task");
}

static void once_through(const struct scenario *s, struct vk *vk, int k, bool once)
{
	uint64_t hash = 0;
	signal(SIGALRM, too_long);
	alarm(SECONDS);
	int threads = threads_before(), files = entries("/proc/self/fd");
	if (s->connect)
		s->connect();
	fail_arm(k, once);
	VkResult result = open_device(s, vk);
	if (result == VK_SUCCESS)
		result = s->run(vk, &hash);
	judge(result, hash);
	if (result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST && result != VK_ERROR_SURFACE_LOST_KHR && once)
		again(s, vk);
	close_device(vk);
	/* libwayland keeps descriptors that it could not send until then. */
	if (s->disconnect)
		s->disconnect();
	settle(threads, files);
}

/* --- the sweep --- */

/* Where it is in the source, if binutils are there. */
static void print_frames(void *const *frame, int frames)
{
	Dl_info info;
	char command[2048];
	int n = snprintf(command, sizeof command, "addr2line -Cfpse %s", QW_LIBRARY), before = n;
	for (int i = 0; i < frames; i++)
		if (dladdr(frame[i], &info) && strstr(info.dli_fname, "libvulkan_quadwave"))
			n += snprintf(command + n, sizeof command - (size_t)n, " 0x%zx",
				(size_t)((char *)frame[i] - (char *)info.dli_fbase) - 1);
	if (n == before)
		return;
	fflush(stdout);
	if (system(command))
		backtrace_symbols_fd((void **)frame, frames, 1);
}

static bool failed(int status)
{
	if (WIFSIGNALED(status)) {
		if (!report->message[0])
			snprintf(report->message, sizeof report->message, "signal %d in or after %.100s", WTERMSIG(status),
				report->at);
		return true;
	}
	if (WEXITSTATUS(status) && !report->message[0])
		snprintf(report->message, sizeof report->message, "exit status %d", WEXITSTATUS(status));
	return report->message[0];
}

/* Forks one run; whether it was as it must be. */
static bool attempt(const struct scenario *s, struct vk *vk, int k, bool once, bool verbose)
{
	int status;
	*report = (struct fail_report){ .command = "", .at = "" };
	fflush(stdout);
	pid_t pid = fork();
	if (!pid) {
		once_through(s, vk, k, once);
		_exit(report->message[0] ? 1 : 0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	bool bad = failed(status);
	if (bad || verbose) {
		printf("%s %d%s: %s fails%s%s; %s returned %d\n", s->name, k, once ? "" : " and on",
			report->hit ? fail_names[report->call] : "nothing", bad ? ": " : "", report->message,
			report->command, report->result);
		print_frames(report->frame, report->frames);
		if (report->leak_frames) {
			printf("left, from\n");
			print_frames(report->leak, report->leak_frames);
		}
	}
	return !bad;
}

/* How many calls there are, and what comes out, when all work. */
static int measure(const struct scenario *s, struct vk *vk)
{
	*report = (struct fail_report){ .command = "", .at = "" };
	uint64_t *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid = fork();
	if (!pid) {
		once_through(s, vk, FAIL_NEVER, true);
		*shared = right;
		_exit(report->message[0] ? 1 : 0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	if (status) {
		failed(status);
		printf("%s: with nothing failing: %s; %s returned %d\n", s->name, report->message, report->command,
			report->result);
		if (report->leak_frames)
			print_frames(report->leak, report->leak_frames);
		exit(1);
	}
	right = *shared;
	return report->calls;
}

static int sweep(const struct scenario *s, struct vk *vk, int first, int stride, int last, bool verbose)
{
	int calls = measure(s, vk), runs = 0, bad = 0;
	for (int once = 1; once >= 0; once--)
		for (int k = first; k < calls + SLACK && k <= last; k += stride, runs++)
			bad += !attempt(s, vk, k, once, verbose);
	printf("%s: %d calls, every %d from %d, %d runs, %d bad\n", s->name, calls, stride, first, runs, bad);
	return bad != 0;
}

int main(int argc, char **argv)
{
	static const struct scenario *const all[] = { &scenario_compute, &scenario_graphics, &scenario_headless,
		&scenario_x11, &scenario_wayland };
	const struct scenario *chosen = NULL;
	int first = -1, stride = 1, last = FAIL_NEVER;
	bool imports = false, verbose = false;
	struct vk vk;
	for (int i = 1; i < argc; i++) {
		for (size_t s = 0; s < sizeof all / sizeof all[0]; s++)
			if (!strcmp(argv[i], all[s]->name))
				chosen = all[s];
		if (!strcmp(argv[i], "--first") && i + 1 < argc)
			first = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--last") && i + 1 < argc)
			last = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--stride") && i + 1 < argc)
			stride = atoi(argv[++i]);
		imports |= !strcmp(argv[i], "--imports");
		verbose |= !strcmp(argv[i], "--verbose");
	}
	report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	scenario_at = &report->at;
	CHECK(report != MAP_FAILED && stride > 0 && (chosen || imports));
	if (first < 0)
		first = (int)(time(NULL) / 86400 % stride);
	setenv("QW_THREADS", "2", false);
	setenv("QW_TIMEOUT_MS", "60000", false); /* never, but its thread is there */
	vk_open(&vk);
	if (imports)
		fail_print_imports(vk.library);
	fail_install(vk.library, report);
	return chosen ? sweep(chosen, &vk, first, stride, last, verbose) : 0;
}
