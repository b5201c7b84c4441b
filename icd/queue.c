/* SPDX-License-Identifier: MIT */
/* The queues' threads. */
#include "icd/queue.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "icd/device.h"
#include "icd/fence.h"
#include "icd/semaphore.h"
#include "icd/submission_dump.h"

/* The second for compute beside drawing, the third for copies beside both. */
const VkQueueFamilyProperties icd_queue_families[ICD_QUEUE_FAMILIES] = {
	{ VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 1, 64, { 1, 1, 1 } },
	{ VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 2, 64, { 1, 1, 1 } },
	{ VK_QUEUE_TRANSFER_BIT, 1, 64, { 1, 1, 1 } },
};

/* Submissions end on the queue's thread, where no application callback may be
 * called: they come from malloc. */
struct icd_submission *icd_submission_create(struct icd_device *device, uint32_t waits,
	uint32_t signals, uint32_t ib_dwords)
{
	size_t ops = ((size_t)waits + signals) * sizeof(struct icd_semaphore_op);
	struct icd_submission *s = calloc(1, sizeof *s + ops + (size_t)ib_dwords * 4);
	if (!s)
		return NULL;
	s->wait = (struct icd_semaphore_op *)(s + 1);
	s->signal = s->wait + waits;
	s->ib = (uint32_t *)(s->signal + signals);
	s->wait_count = waits;
	s->signal_count = signals;
	return s;
}

void icd_submission_destroy(struct icd_device *device, struct icd_submission *s)
{
	free(s);
}

/* Work that was stopped may end before the watchdog that stopped it has said so. */
static bool timed_out(struct icd_device *device)
{
	for (uint32_t i = 0; i < device->queue_count; i++)
		if (icd_watchdog_fired(&device->queue[i].watchdog))
			return true;
	return false;
}

static void run(struct icd_queue *queue, struct icd_submission *s)
{
	struct icd_device *device = queue->base.device;
	const char *dump_dir = device->instance->env.dump_dir, *error = rs_gpu_error(queue->gpu);
	char why[512];
	if (dump_dir)
		icd_submission_dump(dump_dir, atomic_fetch_add(&device->dumped, 1), s->ib, s->dwords);
	icd_watchdog_arm(&queue->watchdog);
	bool ok = rs_gpu_execute(queue->gpu, s->ib, s->dwords) == RS_OK;
	bool late = icd_watchdog_disarm(&queue->watchdog);
	if (late || (!ok && timed_out(device))) {
		snprintf(why, sizeof why, "a submission took longer than %u ms (QW_TIMEOUT_MS): %s",
			device->instance->env.timeout_ms, ok ? "it just ended" : error);
		icd_device_lose(device, why, NULL);
	} else if (!ok) {
		icd_device_lose(device, error, queue->gpu);
	}
}

/* Once the device is lost only the signals still happen, so that nobody hangs.
 * They are objects of the application's, which may know of the loss only when
 * the queues are through with them: icd_device_status. */
static void execute(struct icd_queue *queue, struct icd_submission *s)
{
	struct icd_device *device = queue->base.device;
	bool alive = !icd_device_is_lost(device);
	for (uint32_t i = 0; i < s->wait_count && alive; i++)
		alive = icd_semaphore_wait(device, s->wait[i]);
	if (alive && s->dwords)
		run(queue, s);
	if (s->callback)
		s->callback(device, s->data);
	icd_semaphores_signal(device, s->signal, s->signal_count, s->fence);
	icd_submission_destroy(device, s);
}

static void *queue_main(void *data)
{
	struct icd_queue *queue = data;
	pthread_mutex_lock(&queue->mutex);
	for (bool looked = false;; looked = false) {
		while (!queue->first && !queue->stop) {
			if (looked)
				pthread_cond_wait(&queue->wake, &queue->mutex);
			else
				icd_bell_listen(&queue->pushed, &queue->mutex);
			looked = true;
		}
		struct icd_submission *s = queue->first;
		if (!s)
			break;
		queue->first = s->next;
		queue->busy = true;
		pthread_mutex_unlock(&queue->mutex);
		execute(queue, s);
		pthread_mutex_lock(&queue->mutex);
		queue->busy = false;
		if (queue->first)
			continue;
		pthread_mutex_unlock(&queue->mutex);
		icd_bell_ring(&queue->ended);
		pthread_cond_broadcast(&queue->idle);
		pthread_mutex_lock(&queue->mutex);
	}
	pthread_mutex_unlock(&queue->mutex);
	return NULL;
}

static VkResult queue_init(struct icd_queue *queue, struct icd_device *device, uint32_t family, uint32_t index)
{
	icd_object_init(&queue->base, device, VK_OBJECT_TYPE_QUEUE);
	queue->family = family;
	queue->index = index;
	icd_bell_init(&queue->pushed);
	icd_bell_init(&queue->ended);
	if (pthread_mutex_init(&queue->mutex, NULL))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (pthread_cond_init(&queue->wake, NULL))
		goto destroy_mutex;
	if (pthread_cond_init(&queue->idle, NULL))
		goto destroy_wake;
	return VK_SUCCESS;

destroy_wake:
	pthread_cond_destroy(&queue->wake);
destroy_mutex:
	pthread_mutex_destroy(&queue->mutex);
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* A fence may be seen before the thread has put its submission away: only
 * work that goes on is the application's mistake. */
static bool idle_until(struct icd_queue *queue, const struct timespec *until)
{
	bool late = false;
	pthread_mutex_lock(&queue->mutex);
	while ((queue->first || queue->busy) && !late)
		late = pthread_cond_timedwait(&queue->idle, &queue->mutex, until) != 0;
	pthread_mutex_unlock(&queue->mutex);
	return !late;
}

static void queue_finish(struct icd_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	queue->stop = true;
	pthread_cond_signal(&queue->wake);
	pthread_mutex_unlock(&queue->mutex);
	if (queue->started)
		pthread_join(queue->thread, NULL);
	icd_watchdog_finish(&queue->watchdog);
	if (queue->gpu != queue->base.device->gpu)
		rs_gpu_destroy(queue->gpu);
	pthread_cond_destroy(&queue->idle);
	pthread_cond_destroy(&queue->wake);
	pthread_mutex_destroy(&queue->mutex);
	icd_object_finish(&queue->base);
}

VkResult icd_queues_init(struct icd_device *device, const VkDeviceCreateInfo *info)
{
	for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
		const VkDeviceQueueCreateInfo *asked = &info->pQueueCreateInfos[i];
		for (uint32_t k = 0; k < asked->queueCount; k++) {
			VkResult result = queue_init(&device->queue[device->queue_count], device, asked->queueFamilyIndex, k);
			if (result != VK_SUCCESS) {
				icd_queues_finish(device);
				return result;
			}
			device->queue_count++;
		}
	}
	return VK_SUCCESS;
}

void icd_queues_finish(struct icd_device *device)
{
	struct timespec until;
	bool busy = false;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 2;
	for (uint32_t i = 0; i < device->queue_count; i++)
		busy |= !idle_until(&device->queue[i], &until);
	if (busy)
		icd_device_lose(device, "destroyed while a queue was busy", NULL);
	for (uint32_t i = 0; i < device->queue_count; i++)
		queue_finish(&device->queue[i]);
	device->queue_count = 0;
}

void icd_queues_lock(struct icd_device *device)
{
	for (uint32_t i = 0; i < device->queue_count; i++)
		pthread_mutex_lock(&device->queue[i].mutex);
}

void icd_queues_unlock(struct icd_device *device)
{
	for (uint32_t i = device->queue_count; i--;)
		pthread_mutex_unlock(&device->queue[i].mutex);
}

void icd_queues_abandon(struct icd_device *device)
{
	for (uint32_t i = 0; i < device->queue_count; i++) {
		struct icd_queue *queue = &device->queue[i];
		pthread_cond_init(&queue->wake, NULL);
		pthread_cond_init(&queue->idle, NULL);
		queue->first = NULL;
		queue->busy = queue->started = false;
		queue->watchdog.nanoseconds = 0;
		if (queue->gpu)
			rs_gpu_orphan(queue->gpu);
	}
}

static void await_idle(struct icd_queue *queue)
{
	if (queue->first || queue->busy)
		icd_bell_listen(&queue->ended, &queue->mutex);
	while (queue->first || queue->busy)
		pthread_cond_wait(&queue->idle, &queue->mutex);
}

/* The first queue's GPU is the device's own.  Of the others many are asked for and never used. */
static bool find_gpu(struct icd_queue *queue)
{
	const struct icd_device *device = queue->base.device;
	if (!queue->gpu)
		queue->gpu = queue == device->queue ? device->gpu : rs_gpu_create_queue(device->gpu);
	return queue->gpu;
}

/* The application's signals are not for this thread. */
static bool start_thread(struct icd_queue *queue)
{
	unsigned limit = queue->base.device->instance->env.timeout_ms;
	if (!find_gpu(queue))
		return false;
	if (limit && !queue->watchdog.nanoseconds && !icd_watchdog_start(&queue->watchdog, queue->gpu, limit))
		return false;
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	queue->started = pthread_create(&queue->thread, NULL, queue_main, queue) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return queue->started;
}

VkResult icd_queue_push(struct icd_queue *queue, struct icd_submission *s)
{
	VkResult result = VK_SUCCESS;
	pthread_mutex_lock(&queue->mutex);
	/* The loss is set under this mutex: what is idle afterwards stays so. */
	if (icd_device_is_lost(queue->base.device)) {
		pthread_mutex_unlock(&queue->mutex);
		return icd_device_status(queue->base.device);
	}
	if (!queue->started && !start_thread(queue)) {
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
		goto unlock;
	}
	for (uint32_t i = 0; i < s->signal_count; i++)
		icd_semaphore_submit(queue->base.device, s->signal[i].semaphore);
	s->next = NULL;
	if (queue->first)
		queue->last->next = s;
	else
		queue->first = s;
	queue->last = s;
unlock:
	pthread_mutex_unlock(&queue->mutex);
	if (result == VK_SUCCESS) {
		icd_bell_ring(&queue->pushed);
		pthread_cond_signal(&queue->wake);
	}
	return result;
}

static void wait_idle(struct icd_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	await_idle(queue);
	pthread_mutex_unlock(&queue->mutex);
}

void icd_queues_wait_idle(struct icd_device *device)
{
	for (uint32_t i = 0; i < device->queue_count; i++)
		wait_idle(&device->queue[i]);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueueWaitIdle(VkQueue _queue)
{
	ICD_FROM_HANDLE(icd_queue, queue, _queue);
	wait_idle(queue);
	return icd_device_status(queue->base.device);
}

/* No queue family has the sparse bit. */
VKAPI_ATTR VkResult VKAPI_CALL icd_QueueBindSparse(VkQueue _queue, uint32_t bindInfoCount,
	const VkBindSparseInfo *pBindInfo, VkFence fence)
{
	ICD_FROM_HANDLE(icd_queue, queue, _queue);
	return icd_error(queue->base.device->instance, VK_ERROR_FEATURE_NOT_PRESENT, &queue->base,
		"vkQueueBindSparse: sparse binding is not supported");
}
