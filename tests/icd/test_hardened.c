/* SPDX-License-Identifier: MIT */
/* The driver on systems that refuse code, or some ways to it, and with the
 * translator's fault switches: the picture is the interpreter's, and where
 * nothing can be translated the log says so. */
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>
#include "tests/jit/refuse.h"
#include "work.h"

enum { NO_FILTER = 77 };

struct variant {
	const char *what;
	enum refusal refusal;
	const char *core, *faults;
	bool memfd;   /* translated code is in a file in memory */
	bool private; /* in pages of its own */
	bool complains;
};

static const struct variant variants[] = {
	{ "interpreted", REFUSE_NOTHING, "interp", "" },
	{ "translated", REFUSE_NOTHING, "jit", "", .memfd = true },
	{ "no memory to write and execute", REFUSE_WX, "jit", "", .memfd = true },
	{ "no memfd_create either", REFUSE_WX_MEMFD, "jit", "", .private = true },
	{ "no executable memory", REFUSE_CODE, "jit", "", .complains = true },
	{ "no executable memory, interpreted", REFUSE_CODE, "interp", "" },
	{ "no executable memory, checked", REFUSE_CODE, "check", "", .complains = true },
	{ "registers in random order", REFUSE_NOTHING, "jit", "seed=5", .memfd = true },
	{ "no registers", REFUSE_NOTHING, "jit", "no-registers", .memfd = true },
	{ "every second piece of code fails", REFUSE_NOTHING, "jit", "code-memory=2", .memfd = true },
	{ "all code fails", REFUSE_NOTHING, "jit", "code-memory=1" },
};

/* What the child has to tell. */
struct report { uint64_t hash; bool memfd, private, writable; };

/* Executable mappings that are no part of any program file. */
static void look_at_maps(struct report *r)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512], rights[8], path[256];
	CHECK(f);
	while (fgets(line, sizeof line, f)) {
		int n = sscanf(line, "%*s %7s %*s %*s %*s %255s", rights, path);
		bool code = n >= 1 && rights[2] == 'x';
		r->writable |= code && rights[1] == 'w';
		r->memfd |= code && n == 2 && strstr(path, "memfd:quadwave-code");
		r->private |= code && n == 1;
	}
	fclose(f);
}

static uint64_t picture(struct vk *vk, const struct work *w)
{
	VkImageSubresource level = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 };
	VkSubresourceLayout layout;
	uint64_t hash = 0xcbf29ce484222325u;
	uint8_t *map;
	FN(vk, vkGetImageSubresourceLayout)(vk->device, w->image, &level, &layout);
	OK(FN(vk, vkMapMemory)(vk->device, w->image_memory, 0, VK_WHOLE_SIZE, 0, (void **)&map));
	CHECK(map[layout.offset + WORK_SIZE / 2 * layout.rowPitch + 4 * (WORK_SIZE / 2) + 3] == 255);
	for (uint32_t y = 0; y < WORK_SIZE; y++)
		for (uint32_t x = 0; x < 4 * WORK_SIZE; x++)
			hash = (hash ^ map[layout.offset + y * layout.rowPitch + x]) * 0x100000001b3u;
	return hash;
}

/* Libraries are loaded first: they are code, too. */
static struct report draw(const struct variant *v)
{
	struct work w = { 0 };
	struct report r = { 0 };
	struct vk vk;
	setenv("QW_CORE", v->core, 1);
	setenv("QW_JIT_FAULTS", v->faults, 1);
	setenv("QW_DEBUG", "1", 1);
	vk_open(&vk);
	if (!refuse(v->refusal))
		_exit(NO_FILTER);
	OK(vk_instance(&vk, NULL));
	OK(vk_device(&vk, NULL));
	OK(work_make(&vk, NULL, &w));
	look_at_maps(&r);
	r.hash = picture(&vk, &w);
	work_destroy(&vk, NULL, &w);
	vk_stop(&vk);
	return r;
}

static size_t read_all(int fd, void *to, size_t size)
{
	size_t at = 0;
	ssize_t n;
	while (at < size && (n = read(fd, (char *)to + at, size - at)) > 0)
		at += (size_t)n;
	close(fd);
	return at;
}

/* False: not here. */
static bool run(const struct variant *v, struct report *r, char *log, size_t log_bytes)
{
	int result[2], error[2], status;
	CHECK(!pipe(result) && !pipe(error));
	pid_t child = fork();
	CHECK(child >= 0);
	if (!child) {
		dup2(error[1], STDERR_FILENO);
		close(error[0]);
		close(error[1]);
		struct report own = draw(v);
		_exit(write(result[1], &own, sizeof own) != (ssize_t)sizeof own);
	}
	close(result[1]);
	close(error[1]);
	log[read_all(error[0], log, log_bytes - 1)] = 0;
	size_t got = read_all(result[0], r, sizeof *r);
	CHECK(waitpid(child, &status, 0) == child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER)
		return false;
	if (!WIFEXITED(status) || WEXITSTATUS(status) || got != sizeof *r)
		fprintf(stderr, "%s: status 0x%x\n%s", v->what, status, log);
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status) && got == sizeof *r);
	return true;
}

int main(void)
{
	static const char *const levels[] = { "v3", "v4" };
	static char log[1 << 16];
	uint64_t want = 0;
	for (unsigned l = 0; l < 2; l++) {
		if (l && !(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
			__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")))
			break;
		setenv("QW_CPU", levels[l], 1);
		for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++) {
			const struct variant *v = &variants[i];
			struct report r;
			if (!run(v, &r, log, sizeof log)) {
				printf("%s: skipped, no seccomp here\n", v->what);
				continue;
			}
			want = want ? want : r.hash;
			bool complains = strstr(log, "no executable memory (mprotect: Permission denied)");
			printf("%s %s: %016llx%s%s%s\n", levels[l], v->what, (unsigned long long)r.hash,
				r.memfd ? ", memfd" : "", r.private ? ", private" : "", complains ? ", says so" : "");
			CHECK(r.hash == want);
			CHECK(!r.writable && r.memfd == v->memfd && r.private == v->private);
			CHECK(complains == v->complains);
		}
	}
	return 0;
}
