/* SPDX-License-Identifier: MIT */
/* The API fuzzer: one or two devices, and calls in any order the bytes say. */
#include "tests/fuzz/api.h"

/* What shaders store is seen by whatever else of them lies in the same memory, which the
 * model leaves to chance: a race of ours, not of the driver's. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
	return "race:store_texels\n";
}

enum { CREATE_WEIGHT = 70, RECORD_WEIGHT = 140, SUBMIT_WEIGHT = 180, UPDATE_WEIGHT = 200, DESTROY_WEIGHT = 225,
	RESET_WEIGHT = 233, HOST_WEIGHT = 243 };

static unsigned long total[REACHED];

void input_report(void)
{
	printf("%lu submissions, %lu dispatches, %lu draws, %lu endless, %lu losses\n", total[SUBMISSIONS],
		total[DISPATCHES], total[DRAWS], total[ENDLESS], total[LOSSES]);
}

void expect(struct session *s, VkResult result, const char *what)
{
	if (result == VK_ERROR_DEVICE_LOST && s->may_be_lost) {
		s->lost = true;
		return;
	}
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "\n%s: result %d\n", what, result);
	abort();
}

bool has_room(const struct session *s, unsigned deps)
{
	return s->objects < MAX_OBJECTS && deps <= MAX_DEPS;
}

int add_object(struct session *s, enum kind kind, void *handle)
{
	s->object[s->objects] = (struct object){ .handle = handle, .kind = kind, .owner = NO_OBJECT };
	return s->objects++;
}

void add_dep(struct session *s, int object, int dep)
{
	struct object *o = &s->object[object];
	for (unsigned i = 0; i < o->dep_count; i++)
		if (o->deps[i].object == dep)
			return;
	if (o->dep_count == MAX_DEPS)
		abort(); /* the caller looks beforehand */
	o->deps[o->dep_count].object = dep;
	o->deps[o->dep_count++].version = s->object[dep].version;
}

bool usable(const struct session *s, int object)
{
	const struct object *o = &s->object[object];
	if (!o->handle)
		return false;
	for (unsigned i = 0; i < o->dep_count; i++)
		if (s->object[o->deps[i].object].version != o->deps[i].version || !usable(s, o->deps[i].object))
			return false;
	return true;
}

bool busy(const struct session *s, int object)
{
	return s->object[object].busy > s->completed;
}

void mark_busy(struct session *s, int object, uint64_t submission)
{
	struct object *o = &s->object[object];
	o->busy = submission;
	for (unsigned i = 0; i < o->dep_count; i++)
		mark_busy(s, o->deps[i].object, submission);
	if (o->owner != NO_OBJECT)
		s->object[o->owner].busy = submission;
}

int choose(struct session *s, enum kind kind, int variant)
{
	int found[256], count = 0;
	for (int i = s->objects - 1; i >= 0 && count < 256; i--)
		if (s->object[i].kind == kind && (variant < 0 || s->object[i].variant == (unsigned)variant) && usable(s, i))
			found[count++] = i;
	return count ? found[input_pick(s->in, (uint32_t)count)] : NO_OBJECT;
}

static void step(struct session *s)
{
	uint8_t op = input_byte(s->in);
	if (s->lost && op < UPDATE_WEIGHT && op % 4 == 0)
		destroy_something(s);
	else if (op < CREATE_WEIGHT)
		create_something(s);
	else if (op < RECORD_WEIGHT)
		record(s);
	else if (op < SUBMIT_WEIGHT)
		submit(s);
	else if (op < UPDATE_WEIGHT)
		update_set(s);
	else if (op < DESTROY_WEIGHT)
		destroy_something(s);
	else if (op < RESET_WEIGHT)
		reset_something(s);
	else if (op < HOST_WEIGHT)
		touch_from_host(s);
	else
		wait_somehow(s);
}

/* The driver itself; with QW_FUZZ_LOADER=1 whatever the loader finds, so that the
 * validation layers can be put between, to judge this program. */
static void open_library(struct vk *vk)
{
	if (!getenv("QW_FUZZ_LOADER")) {
		vk_open(vk);
		return;
	}
	vk->library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
	CHECK(vk->library);
	vk->get = (PFN_vkGetInstanceProcAddr)dlsym(vk->library, "vkGetInstanceProcAddr");
	CHECK(vk->get);
}

static void open_session(struct session *s, struct input *in, const struct vk *library)
{
	VkPhysicalDeviceFeatures features = { .robustBufferAccess = VK_TRUE, .occlusionQueryPrecise = VK_TRUE,
		.fragmentStoresAndAtomics = VK_TRUE };
	float priority = 1.0f;
	VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1,
		.pQueuePriorities = &priority };
	VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue, .pEnabledFeatures = &features };
	memset(s, 0, sizeof *s);
	s->vk = *library;
	s->in = in;
	OK(vk_instance(&s->vk, NULL));
	OK(IFN(&s->vk, vkCreateDevice)(s->vk.physical, &info, NULL, &s->vk.device));
	s->vk.get_device = IFN(&s->vk, vkGetDeviceProcAddr);
	CALL(s, vkGetDeviceQueue)(s->vk.device, 0, 0, &s->vk.queue);
}

/* The rest at once, in any order, and the device; sometimes without waiting for what
 * is finished anyway. */
static void close_session(struct session *s)
{
	wait_idle(s);
	s->reached[LOSSES] += s->lost;
	for (int i = 0; i < REACHED; i++)
		total[i] += s->reached[i];
	destroy_all(s);
	CALL(s, vkDestroyDevice)(s->vk.device, NULL);
	IFN(&s->vk, vkDestroyInstance)(s->vk.instance, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct vk library; /* opened once: dlclose would forget what is covered */
	static struct session session[2];
	struct input in = { data, size };
	if (!library.library) {
		setenv("QW_BUDGET", "20000", 0);
		setenv("QW_THREADS", "2", 0);
		open_library(&library);
	}
	uint8_t first = input_byte(&in);
	int count = first % 8 ? 1 : 2;
	for (int i = 0; i < count; i++)
		open_session(&session[i], &in, &library);
	for (uint32_t rounds = input_pick(&in, 4); rounds; rounds--)
		create_basics(&session[0]);
	while (in.left)
		step(&session[count > 1 ? input_pick(&in, 2) : 0]);
	for (int i = 0; i < count; i++)
		close_session(&session[i]);
	return 0;
}
