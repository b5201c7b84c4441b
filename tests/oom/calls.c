/* SPDX-License-Identifier: MIT */
#include "calls.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <wayland-client.h>
#include <xcb/present.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

/* --- memory --- */

static void *kept(void *p)
{
	if (p)
		live_add(p);
	return p;
}

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

static void *wrap_malloc(size_t size)
{
	return fail_now(FAIL_malloc) ? no_memory() : kept(malloc(size));
}

static void *wrap_calloc(size_t count, size_t size)
{
	return fail_now(FAIL_calloc) ? no_memory() : kept(calloc(count, size));
}

static void *wrap_realloc(void *old, size_t size)
{
	if (fail_now(FAIL_realloc))
		return no_memory();
	if (old)
		live_remove(old);
	return kept(realloc(old, size));
}

static void *wrap_aligned_alloc(size_t align, size_t size)
{
	return fail_now(FAIL_aligned_alloc) ? no_memory() : kept(aligned_alloc(align, size));
}

static int wrap_posix_memalign(void **out, size_t align, size_t size)
{
	if (fail_now(FAIL_posix_memalign))
		return ENOMEM;
	int error = posix_memalign(out, align, size);
	if (!error)
		live_add(*out);
	return error;
}

static char *wrap_strdup(const char *text)
{
	return fail_now(FAIL_strdup) ? no_memory() : kept(strdup(text));
}

/* Also of what xcb allocated. */
static void wrap_free(void *p)
{
	if (p)
		live_remove(p);
	free(p);
}

static void *wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	if (fail_now(FAIL_mmap)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	void *p = mmap(at, bytes, protection, flags, fd, offset);
	if (p != MAP_FAILED && !(flags & MAP_FIXED))
		live_add(p);
	return p;
}

static int wrap_munmap(void *p, size_t bytes)
{
	live_remove(p);
	return munmap(p, bytes);
}

static void *wrap_shmat(int id, const void *at, int flags)
{
	if (fail_now(FAIL_shmat)) {
		errno = ENOMEM;
		return (void *)-1;
	}
	void *p = shmat(id, at, flags);
	if (p != (void *)-1)
		live_add(p);
	return p;
}

static int wrap_shmdt(const void *p)
{
	live_remove(p);
	return shmdt(p);
}

/* --- threads --- */

enum { POISON = 0xa5 };

/* An object whose initialisation failed.  glibc may not mind, others would. */
static bool poisoned(const void *object)
{
	const unsigned char *p = object;
	return p[0] == POISON && !memcmp(p, p + 1, 15);
}

#define INIT(object, Attribute) \
	static int wrap_pthread_##object##_init(pthread_##object##_t *object, const Attribute *attr) \
	{ \
		if (!fail_now(FAIL_pthread_##object##_init)) \
			return pthread_##object##_init(object, attr); \
		memset(object, POISON, sizeof *object); \
		return ENOMEM; \
	}
INIT(mutex, pthread_mutexattr_t)
INIT(cond, pthread_condattr_t)

static int wrap_pthread_condattr_init(pthread_condattr_t *attr)
{
	if (!fail_now(FAIL_pthread_condattr_init))
		return pthread_condattr_init(attr);
	memset(attr, POISON, sizeof *attr);
	return ENOMEM;
}

#define USE(function, Object) \
	static int wrap_pthread_##function(Object *object) \
	{ \
		if (poisoned(object)) { \
			fail_complain("%s of what was not initialised", "pthread_" #function); \
			abort(); \
		} \
		return pthread_##function(object); \
	}
USE(mutex_lock, pthread_mutex_t)
USE(mutex_destroy, pthread_mutex_t)
USE(cond_signal, pthread_cond_t)
USE(cond_broadcast, pthread_cond_t)
USE(cond_destroy, pthread_cond_t)

/* --- X11 --- */

/* The server answers all the same: its answer must not stay in xcb's queue. */
#define REPLY(request) \
	static request##_reply_t *wrap_##request##_reply(xcb_connection_t *c, request##_cookie_t cookie, \
		xcb_generic_error_t **error) \
	{ \
		request##_reply_t *reply = request##_reply(c, cookie, error); \
		if (!fail_now(FAIL_##request##_reply)) \
			return reply; \
		free(reply); \
		return NULL; \
	}
REPLY(xcb_get_geometry)
REPLY(xcb_shm_query_version)
REPLY(xcb_present_query_version)

static xcb_generic_error_t *wrap_xcb_request_check(xcb_connection_t *c, xcb_void_cookie_t cookie)
{
	xcb_generic_error_t *error = xcb_request_check(c, cookie);
	if (!fail_now(FAIL_xcb_request_check) || error)
		return error;
	error = calloc(1, sizeof *error);
	error->error_code = XCB_ALLOC;
	return error;
}

/* Fails when the connection does, and that is for ever. */
static int wrap_xcb_flush(xcb_connection_t *c)
{
	if (fail_now(FAIL_xcb_flush))
		shutdown(xcb_get_file_descriptor(c), SHUT_RDWR);
	return xcb_flush(c);
}

/* An error is the answer to a request, whether it has a reply or not. */
static int wrap_xcb_poll_for_reply(xcb_connection_t *c, unsigned sequence, void **reply, xcb_generic_error_t **error)
{
	int known = xcb_poll_for_reply(c, sequence, reply, error);
	if (!known || *error || !fail_now(FAIL_xcb_poll_for_reply))
		return known;
	free(*reply);
	*reply = NULL;
	*error = calloc(1, sizeof **error);
	(*error)->error_code = XCB_ALLOC;
	return known;
}

/* --- Wayland --- */

static int wrap_wl_display_read_events(struct wl_display *display)
{
	if (!fail_now(FAIL_wl_display_read_events))
		return wl_display_read_events(display);
	wl_display_cancel_read(display);
	errno = EPIPE;
	return -1;
}

static int wrap_wl_display_flush(struct wl_display *display)
{
	if (fail_now(FAIL_wl_display_flush))
		shutdown(wl_display_get_fd(display), SHUT_RDWR);
	return wl_display_flush(display);
}

void *calls_wrapper(enum fail_call call)
{
	switch (call) {
#define CALL(name, value, error)
#define WRAP(name) case FAIL_##name: return (void *)wrap_##name;
#include "calls.def"
#undef CALL
#undef WRAP
	default: return NULL;
	}
}
