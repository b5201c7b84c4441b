/* SPDX-License-Identifier: MIT */
/* The queue's thread and vkQueueSubmit. */
#include "icd/queue.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "icd/command_buffer.h"
#include "icd/device.h"
#include "icd/fence.h"
#include "icd/semaphore.h"
#include "icd/submission_dump.h"
#include "isa/pm4.h"

/* Submissions end on the queue's thread, where no application callback may be
 * called: they come from malloc. */
struct icd_submission *icd_submission_create(struct icd_device *device, uint32_t waits,
	uint32_t signals, uint32_t ib_dwords)
{
	size_t pointers = ((size_t)waits + signals) * sizeof(void *);
	struct icd_submission *s = calloc(1, sizeof *s + pointers + (size_t)ib_dwords * 4);
	if (!s)
		return NULL;
	s->wait = (void *)(s + 1);
	s->signal = s->wait + waits;
	s->ib = (void *)(s->signal + signals);
	s->wait_count = waits;
	s->signal_count = signals;
	return s;
}

void icd_submission_destroy(struct icd_device *device, struct icd_submission *s)
{
	free(s);
}

static void run(struct icd_device *device, struct icd_submission *s)
{
	struct icd_watchdog *w = &device->queue.watchdog;
	const char *dump_dir = device->instance->env.dump_dir;
	char why[512];
	if (dump_dir)
		icd_submission_dump(dump_dir, device->queue.dumped++, s->ib, s->dwords);
	icd_watchdog_arm(w);
	bool ok = rs_gpu_execute(device->gpu, s->ib, s->dwords) == RS_OK;
	if (icd_watchdog_disarm(w)) {
		snprintf(why, sizeof why, "a submission took longer than %u ms (QW_TIMEOUT_MS): %s",
			device->instance->env.timeout_ms, ok ? "it just ended" : rs_gpu_error(device->gpu));
		icd_device_lose(device, why);
	} else if (!ok) {
		icd_device_lose(device, rs_gpu_error(device->gpu));
	}
}

/* Once the device is lost only the signals still happen, so that nobody hangs.
 * They are objects of the application's, which may know of the loss only when
 * the queue is through with them: icd_device_status. */
static void execute(struct icd_device *device, struct icd_submission *s)
{
	bool alive = !icd_device_is_lost(device);
	for (uint32_t i = 0; i < s->wait_count && alive; i++)
		alive = icd_semaphore_wait(device, s->wait[i]);
	if (alive && s->dwords)
		run(device, s);
	if (s->callback)
		s->callback(device, s->data);
	for (uint32_t i = 0; i < s->signal_count; i++)
		icd_semaphore_signal_pending(device, s->signal[i]);
	icd_fence_signal(device, s->fence);
	icd_submission_destroy(device, s);
}

static void *queue_main(void *data)
{
	struct icd_queue *queue = data;
	pthread_mutex_lock(&queue->mutex);
	for (;;) {
		struct icd_submission *s = queue->first;
		if (!s) {
			if (queue->stop)
				break;
			pthread_cond_wait(&queue->wake, &queue->mutex);
			continue;
		}
		queue->first = s->next;
		queue->busy = true;
		pthread_mutex_unlock(&queue->mutex);
		execute(queue->base.device, s);
		pthread_mutex_lock(&queue->mutex);
		queue->busy = false;
		if (!queue->first)
			pthread_cond_broadcast(&queue->idle);
	}
	pthread_mutex_unlock(&queue->mutex);
	return NULL;
}

VkResult icd_queue_init(struct icd_queue *queue, struct icd_device *device)
{
	icd_object_init(&queue->base, device, VK_OBJECT_TYPE_QUEUE);
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

void icd_queue_abandon(struct icd_queue *queue)
{
	pthread_cond_init(&queue->wake, NULL);
	pthread_cond_init(&queue->idle, NULL);
	queue->first = NULL;
	queue->busy = queue->started = false;
	queue->watchdog.nanoseconds = 0;
}

void icd_queue_finish(struct icd_queue *queue)
{
	struct icd_device *device = queue->base.device;
	struct timespec until;
	bool busy, late = false;

	/* A fence may be seen before the thread has put its submission away: only
	 * work that goes on is the application's mistake. */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 2;
	pthread_mutex_lock(&queue->mutex);
	while ((queue->first || queue->busy) && !late)
		late = pthread_cond_timedwait(&queue->idle, &queue->mutex, &until) != 0;
	queue->stop = true;
	busy = queue->busy || queue->first;
	pthread_cond_signal(&queue->wake);
	pthread_mutex_unlock(&queue->mutex);
	if (busy) {
		rs_gpu_abort(device->gpu);
		icd_device_lose(device, "destroyed while the queue was busy");
	}
	if (queue->started)
		pthread_join(queue->thread, NULL);
	icd_watchdog_finish(&queue->watchdog);
	pthread_cond_destroy(&queue->idle);
	pthread_cond_destroy(&queue->wake);
	pthread_mutex_destroy(&queue->mutex);
	icd_object_finish(&queue->base);
}

static void await_idle(struct icd_queue *queue)
{
	while (queue->first || queue->busy)
		pthread_cond_wait(&queue->idle, &queue->mutex);
}

/* The application's signals are not for this thread. */
static bool start_thread(struct icd_queue *queue)
{
	const struct icd_device *device = queue->base.device;
	unsigned limit = device->instance->env.timeout_ms;
	if (limit && !queue->watchdog.nanoseconds && !icd_watchdog_start(&queue->watchdog, device->gpu, limit))
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
		await_idle(queue);
		result = VK_ERROR_DEVICE_LOST;
		goto unlock;
	}
	if (!queue->started && !start_thread(queue)) {
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
		goto unlock;
	}
	for (uint32_t i = 0; i < s->signal_count; i++)
		icd_semaphore_submit(queue->base.device, s->signal[i]);
	s->next = NULL;
	if (queue->first)
		queue->last->next = s;
	else
		queue->first = s;
	queue->last = s;
	pthread_cond_signal(&queue->wake);
unlock:
	pthread_mutex_unlock(&queue->mutex);
	return result;
}

VkResult icd_queue_wait_idle(struct icd_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	await_idle(queue);
	bool lost = icd_device_is_lost(queue->base.device);
	pthread_mutex_unlock(&queue->mutex);
	return lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

enum { CHUNK_DWORDS = 1 + PM4_DWORDS(pm4_indirect_buffer), ICACHE_DWORDS = 1 + PM4_DWORDS(pm4_acquire_mem) };

static uint32_t *put(uint32_t *p, enum pm4_op op, const void *payload, uint32_t n)
{
	*p = pm4_header(op, n, 0);
	memcpy(p + 1, payload, n * 4);
	return p + 1 + n;
}

static uint32_t *put_icache(uint32_t *p)
{
	static const struct pm4_acquire_mem acquire = { .coher = PM4_ACQUIRE_ICACHE };
	return put(p, PM4_ACQUIRE_MEM, &acquire, PM4_DWORDS(pm4_acquire_mem));
}

static uint32_t *put_command_buffer(uint32_t *p, const struct icd_command_buffer *cb)
{
	for (const struct icd_chunk *c = cb->stream.first; c; c = c->next) {
		if (!c->used)
			continue;
		const struct pm4_indirect_buffer ib = { .address_lo = (uint32_t)icd_address(c->dw),
			.address_hi = (uint32_t)(icd_address(c->dw) >> 32), .dwords = c->used };
		p = put(p, PM4_INDIRECT_BUFFER, &ib, PM4_DWORDS(pm4_indirect_buffer));
	}
	return p;
}

static struct icd_submission *from_submit(struct icd_device *device, const VkSubmitInfo *info)
{
	struct icd_submission *s;
	uint32_t dwords = ICACHE_DWORDS, *p;

	for (uint32_t i = 0; i < info->commandBufferCount; i++) {
		const struct icd_command_buffer *cb = icd_command_buffer_from_handle(info->pCommandBuffers[i]);
		for (const struct icd_chunk *c = cb->stream.first; c; c = c->next)
			dwords += CHUNK_DWORDS;
	}
	s = icd_submission_create(device, info->waitSemaphoreCount, info->signalSemaphoreCount, dwords);
	if (!s)
		return NULL;
	for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
		s->wait[i] = icd_semaphore_from_handle(info->pWaitSemaphores[i]);
	for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
		s->signal[i] = icd_semaphore_from_handle(info->pSignalSemaphores[i]);
	p = s->ib;
	if (atomic_exchange(&device->programs_changed, false))
		p = put_icache(p);
	for (uint32_t i = 0; i < info->commandBufferCount; i++)
		p = put_command_buffer(p, icd_command_buffer_from_handle(info->pCommandBuffers[i]));
	s->dwords = (uint32_t)(p - s->ib);
	return s;
}

/* Pushes a list that is complete, or nothing of it. */
static VkResult push_list(struct icd_queue *queue, struct icd_submission *list)
{
	VkResult result = VK_SUCCESS;
	while (list) {
		struct icd_submission *s = list;
		list = s->next;
		if (result == VK_SUCCESS)
			result = icd_queue_push(queue, s);
		if (result != VK_SUCCESS)
			icd_submission_destroy(queue->base.device, s);
	}
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueueSubmit(VkQueue _queue, uint32_t submitCount,
	const VkSubmitInfo *pSubmits, VkFence fence)
{
	ICD_FROM_HANDLE(icd_queue, queue, _queue);
	struct icd_device *device = queue->base.device;
	struct icd_submission *list = NULL, **end = &list, *last = NULL;
	static const VkSubmitInfo nothing = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO };

	if (icd_device_status(device) != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	if (!submitCount && fence) {
		submitCount = 1;
		pSubmits = &nothing;
	}
	for (uint32_t i = 0; i < submitCount; i++) {
		last = from_submit(device, &pSubmits[i]);
		if (!last)
			goto no_memory;
		*end = last;
		end = &last->next;
	}
	if (last)
		last->fence = icd_fence_from_handle(fence);
	return push_list(queue, list);

no_memory:
	while (list) {
		struct icd_submission *s = list;
		list = s->next;
		icd_submission_destroy(device, s);
	}
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueueWaitIdle(VkQueue queue)
{
	return icd_DeviceWaitIdle(icd_device_to_handle(icd_queue_from_handle(queue)->base.device));
}

/* No queue family has the sparse bit. */
VKAPI_ATTR VkResult VKAPI_CALL icd_QueueBindSparse(VkQueue _queue, uint32_t bindInfoCount,
	const VkBindSparseInfo *pBindInfo, VkFence fence)
{
	ICD_FROM_HANDLE(icd_queue, queue, _queue);
	return icd_error(queue->base.device->instance, VK_ERROR_FEATURE_NOT_PRESENT, &queue->base,
		"vkQueueBindSparse: sparse binding is not supported");
}
