/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_setaffinity */
#include "bench/peers.h"

#include <glob.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/vkhelp.h"

static const char *const installed[] = {
	"/usr/share/vulkan/icd.d/*lvp*.json",
	"/usr/local/share/vulkan/icd.d/*lvp*.json",
	"/etc/vulkan/icd.d/*lvp*.json",
	"/usr/share/vulkan/icd.d/*swiftshader*.json",
	"/usr/lib/chromium/vk_swiftshader_icd.json",
	"/usr/lib/chromium-browser/vk_swiftshader_icd.json",
	"/opt/google/chrome/vk_swiftshader_icd.json",
};

/* "/…/quadwave_icd.json" is quadwave; the two usual peers by their full names. */
static void name_of(const char *manifest, char *name, size_t size)
{
	const char *base = strrchr(manifest, '/') ? strrchr(manifest, '/') + 1 : manifest;
	size_t length;
	if (strstr(base, "lvp"))
		base = "lavapipe";
	else if (strstr(base, "swiftshader"))
		base = "swiftshader";
	length = strcspn(base, ".");
	if (strstr(base, "_icd"))
		length = (size_t)(strstr(base, "_icd") - base);
	snprintf(name, size, "%.*s", (int)length, base);
}

bool peers_add(struct peers *peers, const char *manifest)
{
	struct peer *p = &peers->peer[peers->count];
	char path[4096];
	if (peers->count == PEERS_MAX || !realpath(manifest, path) || strlen(path) >= sizeof p->manifest)
		return false;
	memcpy(p->manifest, path, strlen(path) + 1);
	name_of(manifest, p->name, sizeof p->name);
	peers->count++;
	peers->ours = 1;
	return true;
}

static bool is_lavapipe(const struct peer *peer)
{
	return strncmp(peer->name, "lavapipe", strlen("lavapipe")) == 0;
}

bool peers_split(struct peers *peers, const char *const *levels, size_t count)
{
	struct peers split = { .ours = count };
	for (size_t p = 0; p < peers->count; p++) {
		const struct peer *whole = &peers->peer[p];
		const bool apart = p == 0 || is_lavapipe(whole);
		for (size_t i = 0; i < (apart ? count : 1); i++) {
			if (split.count == PEERS_MAX)
				return false;
			struct peer *part = &split.peer[split.count++];
			*part = *whole;
			if (!apart)
				continue;
			part->cpu = levels[i];
			snprintf(part->name, sizeof part->name, "%.24s %s", whole->name, levels[i]);
		}
	}
	*peers = split;
	return true;
}

void peers_find(struct peers *peers)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
	char *slash;
	if (length > 0) {
		path[length] = 0;
		for (int up = 0; up < 2 && (slash = strrchr(path, '/')); up++)
			*slash = 0;
		strcat(path, "/quadwave_icd.json");
		peers_add(peers, path);
	}
	for (size_t i = 0; i < sizeof installed / sizeof *installed; i++) {
		glob_t found;
		if (glob(installed[i], 0, NULL, &found) == 0) {
			for (size_t k = 0; k < found.gl_pathc; k++)
				peers_add(peers, found.gl_pathv[k]);
			globfree(&found);
		}
	}
}

/* --- child processes --- */

/* SwiftShader has as many threads as it may use CPUs; no variable says less. */
static void use_cpus(int count)
{
	cpu_set_t may, first;
	CPU_ZERO(&first);
	if (sched_getaffinity(0, sizeof may, &may) != 0)
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE && count > 0; cpu++)
		if (CPU_ISSET(cpu, &may)) {
			CPU_SET(cpu, &first);
			count--;
		}
	sched_setaffinity(0, sizeof first, &first);
}

static void set_threads(const struct peer *peer, int threads)
{
	char text[16];
	if (threads == 0)
		return;
	snprintf(text, sizeof text, "%d", threads);
	setenv("QW_THREADS", text, 1);
	setenv("LP_NUM_THREADS", text, 1);
	if (strcmp(peer->name, "swiftshader") == 0)
		use_cpus(threads);
}

/* Mesa's word for "no AVX-512" is avx: AVX2, FMA and the like stay.  Without the word it takes what the
 * machine has, which is v4 where --cpu lets v4 be asked for. */
static void set_level(const struct peer *peer)
{
	if (!peer->cpu)
		return;
	if (!is_lavapipe(peer))
		setenv("QW_CPU", peer->cpu, 1);
	else if (strcmp(peer->cpu, "v3") == 0)
		setenv("GALLIUM_OVERRIDE_CPU_CAPS", "avx", 1);
	else
		unsetenv("GALLIUM_OVERRIDE_CPU_CAPS");
}

static _Noreturn void become(const struct peer *peer, int threads, char *const *arguments, int out)
{
	set_threads(peer, threads);
	set_level(peer);
	setenv("VK_ICD_FILENAMES", peer->manifest, 1);
	setenv("VK_DRIVER_FILES", peer->manifest, 1);
	unsetenv("VK_INSTANCE_LAYERS");
	setenv("NODEVICE_SELECT", "1", 1); /* Mesa's layer that asks the display */
	/* Cold scenes are to be cold. */
	setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
	setenv("MESA_GLSL_CACHE_DISABLE", "true", 1);
	if (out >= 0) {
		dup2(out, STDOUT_FILENO);
		dup2(out, STDERR_FILENO);
	}
	execv("/proc/self/exe", arguments);
	_exit(127);
}

/* Reads what the child says until it ends or time is up; false if time is up. */
static bool read_all(int fd, char *text, size_t size, double timeout)
{
	const double end = vh_now() + timeout;
	size_t length = 0;
	for (;;) {
		struct pollfd wait = { fd, POLLIN, 0 };
		char chunk[1024];
		double left = end - vh_now();
		text[length] = 0;
		if (left <= 0)
			return false;
		if (poll(&wait, 1, (int)(1e3 * left) + 1) <= 0)
			continue;
		ssize_t got = read(fd, chunk, sizeof chunk);
		if (got <= 0)
			return true;
		/* Of a chatty driver only the end matters: keep it. */
		if (length + (size_t)got >= size) {
			memmove(text, text + size / 2, length - size / 2);
			length -= size / 2;
		}
		memcpy(text + length, chunk, (size_t)got);
		length += (size_t)got;
	}
}

/* The last line that begins with a word of ours. */
static const char *find_line(char *text, const char *word)
{
	const char *found = NULL;
	for (char *at = text; (at = strstr(at, word)); at++)
		if (at == text || at[-1] == '\n')
			found = at + strlen(word);
	return found;
}

static void set_reason(struct run *run, const char *line)
{
	snprintf(run->reason, sizeof run->reason, "%.*s", (int)strcspn(line, "\n"), line);
}

static void set_value(struct run *run, char *text, const char *line)
{
	const char *hash = find_line(text, "hash: ");
	run->ok = true;
	run->value = strtod(line, NULL);
	run->has_hash = hash != NULL;
	run->hash = hash ? strtoull(hash, NULL, 16) : 0;
}

static struct run judge(char *text, int status, bool in_time, double timeout)
{
	struct run run = { 0 };
	const char *line;
	if (!in_time)
		snprintf(run.reason, sizeof run.reason, "took more than %.0f s", timeout);
	else if (WIFSIGNALED(status))
		snprintf(run.reason, sizeof run.reason, "crashed: %s", strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) == 0 && (line = find_line(text, "device: ")))
		run.ok = true, set_reason(&run, line);
	else if (WEXITSTATUS(status) == 0 && (line = find_line(text, "result: ")))
		set_value(&run, text, line);
	else if ((line = find_line(text, "lacks: ")))
		snprintf(run.reason, sizeof run.reason, "lacks %.*s", (int)strcspn(line, "\n"), line);
	else if ((line = find_line(text, "error: ")))
		set_reason(&run, line);
	else
		snprintf(run.reason, sizeof run.reason, "ended with status %d", WEXITSTATUS(status));
	return run;
}

int peers_show(const struct peer *peer, int threads, char *const *arguments)
{
	int status = 0;
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0)
		become(peer, threads, arguments, -1);
	return pid < 0 || waitpid(pid, &status, 0) != pid ? -1 : status;
}

struct run peers_run(const struct peer *peer, int threads, char *const *arguments, double timeout)
{
	char text[8192];
	int ends[2], status = 0;
	if (pipe(ends) != 0)
		return (struct run){ .reason = "no pipe" };
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		become(peer, threads, arguments, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return (struct run){ .reason = "no process" };
	}
	const bool in_time = read_all(ends[0], text, sizeof text, timeout);
	if (!in_time)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(ends[0]);
	return judge(text, status, in_time, timeout);
}
