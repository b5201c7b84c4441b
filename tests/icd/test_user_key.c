/* SPDX-License-Identifier: MIT */
/* The user's key: made once whoever asks, never seen in part though processes that make
 * it are killed at any moment, and refused from files and directories of others. */
#define _GNU_SOURCE
#include "icd/user_key.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(x) do { if (!(x)) { \
	fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #x, why); exit(1); } } while (0)

enum { PROCESSES = 8, ROUNDS = 20 };

static char why[ICD_USER_KEY_WHY], home[64], path[128];

static void put(const char *name, const void *data, size_t bytes, mode_t mode)
{
	unlink(name);
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, mode);
	CHECK(fd >= 0 && write(fd, data, bytes) == (ssize_t)bytes && !fchmod(fd, mode));
	close(fd);
}

static void plain_use(void)
{
	uint8_t a[32], b[32];
	struct stat s;
	CHECK(icd_user_key(NULL, a, why));
	CHECK(icd_user_key(NULL, b, why) && !memcmp(a, b, 32));
	CHECK(icd_user_key(path, b, why) && !memcmp(a, b, 32));
	CHECK(!stat(path, &s) && (s.st_mode & 07777) == 0600 && s.st_size == 32);
	path[strlen(path) - 4] = 0;
	CHECK(!stat(path, &s) && (s.st_mode & 07777) == 0700);
	path[strlen(path)] = '/';
	CHECK(!unlink(path) && icd_user_key(NULL, b, why) && memcmp(a, b, 32)); /* random */
}

static void refused(void)
{
	uint8_t data[33] = { 1 }, key[32];
	char elsewhere[160];
	put(path, data, 32, 0600);
	CHECK(icd_user_key(path, key, why) && !memcmp(key, data, 32));
	put(path, data, 32, 0640);
	CHECK(!icd_user_key(path, key, why));
	put(path, data, 32, 0602);
	CHECK(!icd_user_key(path, key, why));
	put(path, data, 31, 0600);
	CHECK(!icd_user_key(path, key, why));
	put(path, data, 33, 0600);
	CHECK(!icd_user_key(path, key, why));
	snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", home);
	put(elsewhere, data, 32, 0600);
	CHECK(!unlink(path) && !symlink(elsewhere, path));
	CHECK(!icd_user_key(path, key, why)); /* a link */
	CHECK(!unlink(path) && !mkfifo(path, 0600));
	CHECK(!icd_user_key(path, key, why)); /* nor does it wait for a writer */
	CHECK(!unlink(path) && !unlink(elsewhere));
	path[strlen(path) - 4] = 0;
	CHECK(!chmod(path, 0777));
	CHECK(!icd_user_key(NULL, key, why)); /* anyone could put a key of his there */
	CHECK(!chmod(path, 0700));
	path[strlen(path)] = '/';
	CHECK(!icd_user_key("/nowhere/at/all", key, why) && why[0]);
	CHECK(icd_user_key(NULL, key, why));
}

/* Makes and removes keys until it is killed; whatever it reads must be whole, and
 * in `shared` it says so.  A key that another removed meanwhile is no error. */
static void worker(volatile int *shared)
{
	for (;;) {
		struct stat s;
		uint8_t key[32];
		if (icd_user_key(NULL, key, why)) {
			shared[0]++;
		} else if (!strstr(why, "No such file")) {
			fprintf(stderr, "%s\n", why);
			shared[1]++;
		}
		if (!stat(path, &s) && s.st_size != 32)
			shared[1]++;
		unlink(path);
	}
}

/* Eight at once, killed after a while that differs. */
static void killed(void)
{
	volatile int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint8_t key[32];
	CHECK(shared != MAP_FAILED);
	for (int round = 0; round < ROUNDS; round++) {
		pid_t pid[PROCESSES];
		for (int i = 0; i < PROCESSES; i++) {
			pid[i] = fork();
			CHECK(pid[i] >= 0);
			if (!pid[i])
				worker(shared);
		}
		usleep(2000 + 731 * (unsigned)round % 7000);
		for (int i = 0; i < PROCESSES; i++) {
			kill(pid[i], SIGKILL);
			CHECK(waitpid(pid[i], NULL, 0) == pid[i]);
		}
		CHECK(icd_user_key(NULL, key, why)); /* what they left does not matter */
	}
	CHECK(shared[0] > 0);
	CHECK(shared[1] == 0);
}

/* Eight at once that ask for a key that is not there yet: all get one and the same. */
static void first_wins(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		int pipes[2], go[2];
		uint8_t key[32], other[32];
		char c;
		unlink(path);
		CHECK(!pipe(pipes) && !pipe(go));
		for (int i = 0; i < PROCESSES; i++) {
			pid_t pid = fork();
			CHECK(pid >= 0);
			if (pid)
				continue;
			close(go[1]);
			if (read(go[0], &c, 1) == 0 && icd_user_key(NULL, key, why) && write(pipes[1], key, 32) == 32)
				_exit(0);
			_exit(1);
		}
		close(go[0]);
		close(go[1]);
		for (int i = 0; i < PROCESSES; i++) {
			int status;
			CHECK(wait(&status) > 0 && !status);
			CHECK(read(pipes[0], i ? other : key, 32) == 32 && (!i || !memcmp(key, other, 32)));
		}
		close(pipes[0]);
		close(pipes[1]);
	}
}

/* What the killed left behind goes with the rest. */
static void clean(void)
{
	char directory[80];
	snprintf(directory, sizeof directory, "%s/quadwave", home);
	DIR *d = opendir(directory);
	CHECK(d);
	for (struct dirent *e; (e = readdir(d));)
		unlinkat(dirfd(d), e->d_name, 0);
	closedir(d);
	CHECK(!rmdir(directory) && !rmdir(home));
}

int main(void)
{
	strcpy(home, "/tmp/qw-key-XXXXXX");
	CHECK(mkdtemp(home));
	setenv("XDG_CACHE_HOME", home, 1);
	snprintf(path, sizeof path, "%s/quadwave/key", home);
	plain_use();
	refused();
	first_wins();
	killed();
	clean();
	return 0;
}
