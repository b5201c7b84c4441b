/* SPDX-License-Identifier: MIT */
/* The thread of a swapchain that talks to the window system's server.
 *
 * It uses the application's connection and not one of its own: which display an
 * xcb_connection_t or wl_display belongs to cannot be asked, a sandboxed process may be
 * unable to open another, and requests keep their order with the application's.  Therefore
 * it never waits inside the connection's library, where nothing could call it back:
 * it writes when the socket takes it and looks for answers in turns (icd_wsi_poll).
 * Nor does it read while the application wants nothing: an event of the application's that
 * is read here does not wake an application that polls the socket itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
#include "icd/cond.h"
#include "icd/wsi/wsi.h"

enum { MS = 1000000 };

uint64_t icd_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct timespec icd_timespec(uint64_t now)
{
	return (struct timespec){ (time_t)(now / 1000000000), (long)(now % 1000000000) };
}

/* --- waiting --- */

bool icd_wsi_poll(int fd, short events, const _Atomic uint64_t *until, unsigned turn)
{
	enum { SHORT_TURNS = 64 };
	struct pollfd p = { fd, events, 0 };
	if (icd_now() >= *until)
		return false;
	poll(&p, 1, turn < SHORT_TURNS ? 1 : 10);
	return true;
}

bool icd_presenter_sleep(struct icd_presenter *p, int fd, int ms)
{
	struct pollfd fds[2] = { { p->wake, POLLIN, 0 }, { fd, POLLIN, 0 } };
	uint64_t count;
	if (poll(fds, fd < 0 ? 1 : 2, ms) <= 0)
		return false;
	if (fds[0].revents && read(p->wake, &count, sizeof count) < 0 && errno != EAGAIN)
		return false;
	return fds[1].revents != 0;
}

void icd_presenter_wake(struct icd_presenter *p)
{
	eventfd_write(p->wake, 1);
}

void icd_presenter_pace(struct icd_presenter *p)
{
	if (p->mode != VK_PRESENT_MODE_FIFO_KHR && p->mode != VK_PRESENT_MODE_FIFO_RELAXED_KHR)
		return;
	uint64_t now = icd_now();
	if (p->next_present > now) {
		struct timespec t = icd_timespec(p->next_present);
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
			;
		p->next_present += ICD_FIFO_NANOSECONDS;
	} else {
		p->next_present = now + ICD_FIFO_NANOSECONDS;
	}
}

/* --- state --- */

void icd_present_release(struct icd_present_image *image)
{
	struct icd_presenter *p = image->presenter;
	pthread_mutex_lock(&p->mutex);
	image->state = ICD_IMAGE_FREE;
	image->freed = ++p->free_count;
	pthread_mutex_unlock(&p->mutex);
	pthread_cond_broadcast(&p->cond);
}

void icd_presenter_fail(struct icd_presenter *p, VkResult status)
{
	pthread_mutex_lock(&p->mutex);
	if (p->status != VK_ERROR_SURFACE_LOST_KHR)
		p->status = status;
	pthread_cond_broadcast(&p->cond);
	pthread_mutex_unlock(&p->mutex);
}

struct icd_presenter *icd_presenter_create(const VkIcdSurfaceBase *surface, const VkSwapchainCreateInfoKHR *info)
{
	struct icd_presenter *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (p->wake < 0)
		goto free_presenter;
	if (pthread_mutex_init(&p->mutex, NULL))
		goto close_wake;
	if (icd_cond_init(&p->cond))
		goto destroy_mutex;
	p->wsi = icd_wsi_of(surface);
	p->surface = surface;
	p->extent = info->imageExtent;
	p->mode = info->presentMode;
	p->alpha = info->compositeAlpha;
	p->users = 1;
	p->until = icd_now() + ICD_WSI_PATIENCE;
	return p;

destroy_mutex:
	pthread_mutex_destroy(&p->mutex);
close_wake:
	close(p->wake);
free_presenter:
	free(p);
	return NULL;
}

static void drop(struct icd_presenter *p)
{
	pthread_mutex_lock(&p->mutex);
	bool last = --p->users == 0;
	pthread_mutex_unlock(&p->mutex);
	if (!last)
		return;
	pthread_cond_destroy(&p->cond);
	pthread_mutex_destroy(&p->mutex);
	close(p->wake);
	free(p);
}

/* The window system's side; what is left may live on as somebody's `ahead`. */
static void finish(struct icd_presenter *p)
{
	struct icd_presenter *ahead = p->ahead;
	p->ahead = NULL;
	if (ahead)
		drop(ahead);
	for (uint32_t i = 0; i < p->image_count; i++)
		if (p->image[i].map)
			p->wsi->image_finish(p, &p->image[i]);
	p->wsi->finish(p);
}

/* --- thread --- */

static void present(struct icd_presenter *p, struct icd_present_image *image)
{
	VkResult result = p->wsi->present(p, image);
	if (result == VK_SUCCESS)
		return;
	icd_presenter_fail(p, result);
	icd_present_release(image);
}

/* Until the old swapchain's presents are with the server. */
static void wait_ahead(struct icd_presenter *p)
{
	struct icd_presenter *old = p->ahead;
	if (!old)
		return;
	pthread_mutex_lock(&old->mutex);
	while ((old->first || old->busy) && !old->done && !old->abandoned && icd_now() < p->until) {
		struct timespec t = icd_timespec(icd_now() + 10 * MS);
		pthread_cond_timedwait(&old->cond, &old->mutex, &t);
	}
	pthread_mutex_unlock(&old->mutex);
	p->ahead = NULL;
	drop(old);
}

/* Under the mutex, as is what follows. */
static void show_first(struct icd_presenter *p)
{
	struct icd_present_image *image = p->first;
	p->first = image->next;
	p->busy = true;
	pthread_mutex_unlock(&p->mutex);
	wait_ahead(p);
	present(p, image);
	pthread_mutex_lock(&p->mutex);
	p->busy = false;
	if (p->followed)
		pthread_cond_broadcast(&p->cond);
}

static void listen(struct icd_presenter *p, bool look)
{
	pthread_mutex_unlock(&p->mutex);
	p->wsi->pump(p, look ? 0 : 1);
	pthread_mutex_lock(&p->mutex);
	if (look) {
		p->look = false;
		pthread_cond_broadcast(&p->cond);
	}
}

static void *presenter_main(void *data)
{
	struct icd_presenter *p = data;
	pthread_mutex_lock(&p->mutex);
	for (;;) {
		if (p->first && icd_now() < p->until) {
			show_first(p);
		} else if (p->stop) {
			break;
		} else if (p->waiters || p->look) {
			listen(p, p->look);
		} else {
			p->idle = true;
			pthread_mutex_unlock(&p->mutex);
			icd_presenter_sleep(p, -1, -1);
			pthread_mutex_lock(&p->mutex);
			p->idle = false;
		}
	}
	p->done = true;
	bool abandoned = p->abandoned;
	pthread_cond_broadcast(&p->cond);
	pthread_mutex_unlock(&p->mutex);
	if (abandoned)
		finish(p);
	drop(p);
	return NULL;
}

/* The application's signals are not for this thread, SIGPIPE least of all. */
static bool start_thread(struct icd_presenter *p)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	p->started = pthread_create(&p->thread, NULL, presenter_main, p) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return p->started;
}

VkResult icd_presenter_start(struct icd_presenter *p, struct icd_presenter *old)
{
	p->until = UINT64_MAX;
	if (!p->wsi->server)
		return VK_SUCCESS;
	if (old && old->started) {
		pthread_mutex_lock(&old->mutex);
		old->users++;
		old->followed = true;
		pthread_mutex_unlock(&old->mutex);
		p->ahead = old;
	}
	p->users++;
	if (start_thread(p))
		return VK_SUCCESS;
	p->users--;
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

void icd_presenter_show(struct icd_presenter *p, struct icd_present_image *image)
{
	if (!p->started) {
		present(p, image);
		return;
	}
	pthread_mutex_lock(&p->mutex);
	image->next = NULL;
	if (p->first)
		p->last->next = image;
	else
		p->first = image;
	p->last = image;
	if (!p->busy)
		icd_presenter_wake(p);
	pthread_mutex_unlock(&p->mutex);
}

/* Code that a thread may come back to stays, whatever becomes of the driver. */
static void stay_loaded(void)
{
	static const char here;
	Dl_info info;
	if (dladdr(&here, &info))
		dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

void icd_presenter_destroy(struct icd_presenter *p)
{
	uint64_t now = icd_now();
	struct timespec leave = icd_timespec(now + 900 * MS);
	int late = 0;
	pthread_mutex_lock(&p->mutex);
	p->stop = true;
	p->until = now + 500 * MS;
	icd_presenter_wake(p);
	while (p->started && !p->done && !late)
		late = pthread_cond_timedwait(&p->cond, &p->mutex, &leave);
	bool left = p->started && !p->done;
	p->abandoned = left;
	pthread_mutex_unlock(&p->mutex);
	if (left) {
		stay_loaded();
		pthread_detach(p->thread);
	} else {
		if (p->started)
			pthread_join(p->thread, NULL);
		finish(p);
	}
	drop(p);
}
