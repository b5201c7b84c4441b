/* SPDX-License-Identifier: MIT */
/* Executable memory, see jit_exec_mem.h.
 *
 * The heap grows by chunks.  A chunk is one file in memory (memfd) mapped
 * PROT_READ | PROT_EXEC; code is put into it with pwrite, so that no mapping
 * is ever writable.  A system may refuse executable shared memory
 * (vm.memfd_noexec, security modules); then each publish gets private pages of
 * its own that are writable first and executable afterwards, never both.
 * Space in a chunk is handed out in units of 64 bytes, first fit. */
#define _GNU_SOURCE
#include "core/jit/jit_exec_mem.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC /* since Linux 6.3; older kernels refuse the flag */
#define MFD_EXEC 0x10u
#endif

enum { UNIT = 64, CHUNK = 256 << 10 };

/* A part of a chunk, in address order; next to each other they cover it. */
struct block {
	struct block *next;
	size_t offset, bytes;
	bool used;
};

struct chunk {
	struct chunk *next;
	uint8_t *base;
	size_t bytes;
	int fd; /* -1: private pages, one block */
	size_t room; /* no unused block is larger */
	struct block *blocks;
};

struct cu_exec_heap {
	pthread_mutex_t lock;
	struct chunk *chunks;
	bool no_shared; /* the system refused */
	unsigned fail_every, count;
	size_t bytes;
	char error[CU_EXEC_ERROR_BYTES];
};

struct cu_exec_heap *cu_exec_heap_create(unsigned fail_every)
{
	struct cu_exec_heap *h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	if (pthread_mutex_init(&h->lock, NULL)) {
		free(h);
		return NULL;
	}
	h->fail_every = fail_every;
	return h;
}

static void destroy_chunk(struct cu_exec_heap *h, struct chunk *c)
{
	while (c->blocks) {
		struct block *b = c->blocks;
		c->blocks = b->next;
		free(b);
	}
	if (c->base)
		munmap(c->base, c->bytes);
	if (c->fd >= 0)
		close(c->fd);
	h->bytes -= c->bytes;
	free(c);
}

void cu_exec_heap_destroy(struct cu_exec_heap *h)
{
	if (!h)
		return;
	while (h->chunks) {
		struct chunk *c = h->chunks;
		h->chunks = c->next;
		destroy_chunk(h, c);
	}
	pthread_mutex_destroy(&h->lock);
	free(h);
}

static void failed(struct cu_exec_heap *h, const char *what)
{
	snprintf(h->error, sizeof(h->error), "%s: %s", what, strerror(errno));
}

static struct chunk *new_chunk(struct cu_exec_heap *h, size_t bytes)
{
	struct chunk *c = calloc(1, sizeof(*c));
	struct block *b = calloc(1, sizeof(*b));
	if (!c || !b) {
		free(c);
		free(b);
		snprintf(h->error, sizeof(h->error), "no memory");
		return NULL;
	}
	*b = (struct block){ .bytes = bytes };
	*c = (struct chunk){ .fd = -1, .blocks = b, .room = bytes };
	return c;
}

/* Says why and forgets the chunk, whose mapping does not exist. */
static struct chunk *give_up(struct cu_exec_heap *h, struct chunk *c, const char *what)
{
	failed(h, what);
	destroy_chunk(h, c);
	return NULL;
}

static struct chunk *map_shared(struct cu_exec_heap *h, size_t bytes)
{
	struct chunk *c = new_chunk(h, bytes);
	if (!c)
		return NULL;
	c->fd = memfd_create("quadwave-code", MFD_CLOEXEC | MFD_EXEC);
	if (c->fd < 0 && errno == EINVAL)
		c->fd = memfd_create("quadwave-code", MFD_CLOEXEC);
	if (c->fd < 0)
		return give_up(h, c, "memfd_create");
	if (ftruncate(c->fd, (off_t)bytes))
		return give_up(h, c, "ftruncate");
	void *p = mmap(NULL, bytes, PROT_READ | PROT_EXEC, MAP_SHARED, c->fd, 0);
	if (p == MAP_FAILED)
		return give_up(h, c, "mmap");
	c->base = p;
	c->bytes = bytes;
	h->bytes += bytes;
	return c;
}

static struct chunk *map_private(struct cu_exec_heap *h, const void *code, size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (n + page - 1) / page * page;
	struct chunk *c = new_chunk(h, bytes);
	if (!c)
		return NULL;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return give_up(h, c, "mmap");
	c->base = p;
	c->bytes = bytes;
	h->bytes += bytes;
	memcpy(p, code, n);
	if (mprotect(p, bytes, PROT_READ | PROT_EXEC))
		return give_up(h, c, "mprotect");
	c->blocks->used = true;
	return c;
}

/* The first unused block of at least `bytes`, cut to that size. */
static struct block *take_block(struct chunk *c, size_t bytes)
{
	struct block *b = c->blocks;
	size_t most = 0;
	if (c->room < bytes)
		return NULL;
	for (; b && (b->used || b->bytes < bytes); b = b->next)
		most = !b->used && b->bytes > most ? b->bytes : most;
	if (!b) {
		c->room = most;
		return NULL;
	}
	if (b->bytes > bytes) {
		struct block *rest = malloc(sizeof(*rest));
		if (rest) { /* else the caller gets a little more */
			*rest = (struct block){ b->next, b->offset + bytes, b->bytes - bytes, false };
			b->next = rest;
			b->bytes = bytes;
		}
	}
	b->used = true;
	return b;
}

/* Without the lock: errno says why it failed. */
static bool write_code(int fd, size_t offset, const void *code, size_t n)
{
	const char *at = code;
	while (n) {
		ssize_t done = pwrite(fd, at, n, (off_t)offset);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		offset += (size_t)done;
		n -= (size_t)done;
	}
	return true;
}

static void join_free(struct chunk *c)
{
	for (struct block *b = c->blocks; b; b = b->next)
		while (!b->used && b->next && !b->next->used) {
			struct block *gone = b->next;
			b->bytes += gone->bytes;
			b->next = gone->next;
			free(gone);
		}
	c->room = c->bytes; /* until somebody looks */
}

/* A block of shared memory and its chunk, with the lock held. */
static struct block *reserve_shared(struct cu_exec_heap *h, size_t n, struct chunk **of)
{
	size_t bytes = (n + UNIT - 1) / UNIT * UNIT;
	struct block *b = NULL;
	struct chunk *c = h->chunks;
	for (; c; c = c->next)
		if (c->fd >= 0 && (b = take_block(c, bytes)))
			break;
	if (!c) {
		c = map_shared(h, bytes > CHUNK ? (bytes + 4095) / 4096 * 4096 : CHUNK);
		if (!c)
			return NULL;
		c->next = h->chunks;
		h->chunks = c;
		b = take_block(c, bytes);
	}
	*of = c;
	return b;
}

static void *publish_private(struct cu_exec_heap *h, const void *code, size_t n)
{
	struct chunk *c = map_private(h, code, n);
	if (!c)
		return NULL;
	c->next = h->chunks;
	h->chunks = c;
	return c->base;
}

/* Others may publish while the code is written: the block is taken. */
static void *publish_shared(struct cu_exec_heap *h, const void *code, size_t n)
{
	struct chunk *c;
	struct block *b = reserve_shared(h, n, &c);
	if (!b)
		return NULL;
	void *entry = c->base + b->offset;
	int fd = c->fd;
	size_t offset = b->offset;
	pthread_mutex_unlock(&h->lock);
	bool ok = write_code(fd, offset, code, n);
	int why = errno;
	pthread_mutex_lock(&h->lock);
	if (ok)
		return entry;
	errno = why;
	failed(h, "pwrite");
	b->used = false;
	join_free(c);
	return NULL;
}

void *cu_exec_publish(struct cu_exec_heap *h, const void *code, size_t n)
{
	void *entry = NULL;
	pthread_mutex_lock(&h->lock);
	if (h->fail_every && h->count++ % h->fail_every == 0) {
		snprintf(h->error, sizeof(h->error), "made to fail");
	} else {
		if (!h->no_shared)
			entry = publish_shared(h, code, n);
		if (!entry) {
			h->no_shared = true;
			entry = publish_private(h, code, n);
		}
	}
	pthread_mutex_unlock(&h->lock);
	return entry;
}

/* Gives the block at p back; true when the chunk is empty afterwards. */
static bool free_block(struct chunk *c, const uint8_t *p)
{
	for (struct block *b = c->blocks; b; b = b->next)
		if (c->base + b->offset == p)
			b->used = false;
	join_free(c);
	return !c->blocks->used && !c->blocks->next;
}

void cu_exec_release(struct cu_exec_heap *h, void *entry)
{
	const uint8_t *p = entry;
	if (!p)
		return;
	pthread_mutex_lock(&h->lock);
	for (struct chunk **c = &h->chunks; *c; c = &(*c)->next)
		if (p >= (*c)->base && p < (*c)->base + (*c)->bytes) {
			struct chunk *of = *c;
			if (free_block(of, p)) {
				*c = of->next;
				destroy_chunk(h, of);
			}
			break;
		}
	pthread_mutex_unlock(&h->lock);
}

void cu_exec_heap_error(struct cu_exec_heap *h, char text[CU_EXEC_ERROR_BYTES])
{
	pthread_mutex_lock(&h->lock);
	memcpy(text, h->error, CU_EXEC_ERROR_BYTES);
	pthread_mutex_unlock(&h->lock);
}

size_t cu_exec_heap_bytes(struct cu_exec_heap *h)
{
	pthread_mutex_lock(&h->lock);
	size_t bytes = h->bytes;
	pthread_mutex_unlock(&h->lock);
	return bytes;
}
