/* SPDX-License-Identifier: MIT */
/* The model behind the API fuzzer: which objects live, what each relies on, what the
 * device may still use.  Calls are made only when the specification allows them, so
 * that whatever goes wrong is the driver's fault. */
#ifndef TESTS_FUZZ_API_H
#define TESTS_FUZZ_API_H

#include "tests/fuzz/input.h"
#include "tests/icd/harness.h"

enum kind { MEMORY, BUFFER, BUFFER_VIEW, IMAGE, IMAGE_VIEW, SAMPLER, SET_LAYOUT, LAYOUT, SET_POOL, SET, MODULE,
	CACHE, PIPELINE, PASS, FRAMEBUFFER, CMD_POOL, CMD, FENCE, SEMAPHORE, EVENT, QUERIES, KINDS };

/* Variants of IMAGE and IMAGE_VIEW: what it is for. */
enum { COLOR_IMAGE, STORAGE_IMAGE, DEPTH_IMAGE };
/* Variants of PIPELINE and MODULE. */
enum { WORK_SHADER, ENDLESS_SHADER, VERTEX_SHADER, FRAGMENT_SHADER, GRAPHICS = VERTEX_SHADER };
/* States of CMD: INVALID once what it uses is gone, too. */
enum { INITIAL, RECORDING, EXECUTABLE, INVALID };

enum { MAX_OBJECTS = 400, MAX_DEPS = 64, NO_OBJECT = -1, QUERY_COUNT = 4 };

struct object {
	void *handle;              /* of the device's; VK_NULL_HANDLE: dead */
	enum kind kind;
	unsigned variant, version; /* version: of a set's contents or a pool's */
	unsigned samples, width, height, state, flags;
	uint64_t size;
	uint64_t busy;             /* number of the last submission that uses it */
	/* What must live, unchanged, when this is used; and whom it dies with. */
	struct { int object; unsigned version; } deps[MAX_DEPS];
	unsigned dep_count;
	int owner;
};

/* How often what takes the most was reached. */
enum reached { SUBMISSIONS, DISPATCHES, DRAWS, ENDLESS, LOSSES, REACHED };

struct session {
	struct vk vk;
	struct input *in;
	struct object object[MAX_OBJECTS];
	int objects;
	uint64_t submitted, completed;  /* submissions */
	bool may_be_lost, lost;         /* an endless shader was submitted; somebody said so */
	unsigned long reached[REACHED];
};

/* A function of the session's device. */
#define CALL(s, name) FN(&(s)->vk, name)

/* The object's handle as what it is. */
#define HANDLE(s, i, type) ((type)(s)->object[i].handle)

/* Success, or the loss of a device that had reason to be lost. */
void expect(struct session *s, VkResult result, const char *what);

/* A new object, which is at the end of s->object; NO_OBJECT where there is no room. */
int add_object(struct session *s, enum kind kind, void *handle);
bool has_room(const struct session *s, unsigned deps);
void add_dep(struct session *s, int object, int dep);

/* Alive, and all that it relies on alive and unchanged. */
bool usable(const struct session *s, int object);
/* Used by the device, or perhaps. */
bool busy(const struct session *s, int object);
/* One of the kind at random that is usable, with the variant if that is not -1. */
int choose(struct session *s, enum kind kind, int variant);
/* Calls f on what the object relies on, and on itself. */
void mark_busy(struct session *s, int object, uint64_t submission);

/* api_create.c: one object of any kind, if there is what it takes. */
void create_something(struct session *s);
void create_basics(struct session *s); /* some of each */
void update_set(struct session *s);
/* api_pipeline.c */
void create_module(struct session *s);
void create_pass(struct session *s);
void create_framebuffer(struct session *s);
void create_pipeline(struct session *s);
/* api_record.c: a command buffer from begin to end. */
void record(struct session *s);
/* api_submit.c */
void submit(struct session *s);
void wait_somehow(struct session *s);
void touch_from_host(struct session *s);
/* All that was submitted is done, or the device is lost. */
void wait_idle(struct session *s);
/* api_destroy.c */
void destroy_something(struct session *s);
void reset_something(struct session *s);
void destroy_all(struct session *s);

#endif
