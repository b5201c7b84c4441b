/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* secure_getenv */
#include "icd/user_key.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct place { char directory[PATH_MAX]; const char *name; };

static bool fail(char why[ICD_USER_KEY_WHY], const char *what, const char *reason)
{
	snprintf(why, ICD_USER_KEY_WHY, "%.80s: %s", what, reason);
	return false;
}

/* The directory of the caches, made with its parent; false if there is none. */
static bool default_directory(char out[PATH_MAX])
{
	const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
	int n = -1;
	if (cache && cache[0] == '/')
		n = snprintf(out, PATH_MAX, "%s", cache);
	else if (home && home[0] == '/')
		n = snprintf(out, PATH_MAX, "%s/.cache", home);
	if (n < 0 || n + 10 > PATH_MAX)
		return false;
	mkdir(out, 0700); /* what fails here shows when it is opened */
	strcpy(out + n, "/quadwave");
	mkdir(out, 0700);
	return true;
}

static bool find_place(const char *path, struct place *p)
{
	p->name = "key";
	if (!path)
		return default_directory(p->directory);
	const char *slash = strrchr(path, '/');
	if (slash && slash - path >= PATH_MAX - 1)
		return false;
	p->name = slash ? slash + 1 : path;
	if (slash)
		snprintf(p->directory, PATH_MAX, "%.*s/", (int)(slash - path), path);
	else
		strcpy(p->directory, ".");
	return p->name[0];
}

/* Owned by this user, and `forbidden` to nobody else. */
static bool is_ours(int fd, mode_t type, mode_t forbidden, struct stat *s)
{
	return !fstat(fd, s) && (s->st_mode & S_IFMT) == type && s->st_uid == geteuid() && !(s->st_mode & forbidden);
}

/* Reads into p, or writes what is there. */
static bool move_all(int fd, uint8_t *p, size_t bytes, bool out)
{
	while (bytes) {
		ssize_t n = out ? write(fd, p, bytes) : read(fd, p, bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		bytes -= (size_t)n;
	}
	return true;
}

/* 0, or an errno: ENOENT where there is no file yet. */
static int read_key(int directory, const char *name, uint8_t key[ICD_HASH_KEY_BYTES])
{
	struct stat s;
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK), result = 0;
	if (fd < 0)
		return errno;
	if (!is_ours(fd, S_IFREG, 077, &s))
		result = EPERM;
	else if (s.st_size != ICD_HASH_KEY_BYTES || !move_all(fd, key, ICD_HASH_KEY_BYTES, false))
		result = EINVAL;
	close(fd);
	return result;
}

/* Written and on the disk under a name of its own before it gets the name that others
 * look for, which link gives to the first only. */
static int make_key(int directory, const char *name)
{
	uint8_t key[ICD_HASH_KEY_BYTES];
	uint64_t number;
	char own[40];
	if (getrandom(key, sizeof key, 0) != sizeof key || getrandom(&number, sizeof number, 0) != sizeof number)
		return EIO;
	snprintf(own, sizeof own, ".key-%016llx", (unsigned long long)number);
	int fd = openat(directory, own, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	int result = move_all(fd, key, sizeof key, true) && !fsync(fd) ? 0 : EIO;
	close(fd);
	if (!result && linkat(directory, own, directory, name, 0) && errno != EEXIST)
		result = errno;
	unlinkat(directory, own, 0);
	return result;
}

bool icd_user_key(const char *path, uint8_t key[ICD_HASH_KEY_BYTES], char why[ICD_USER_KEY_WHY])
{
	struct place p;
	struct stat s;
	if (!find_place(path, &p))
		return fail(why, path ? path : "XDG_CACHE_HOME, HOME", "no such place for the user's key");
	int directory = open(p.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return fail(why, p.directory, strerror(errno));
	int result = is_ours(directory, S_IFDIR, 022, &s) ? read_key(directory, p.name, key) : EPERM;
	if (result == ENOENT) {
		result = make_key(directory, p.name);
		if (!result)
			result = read_key(directory, p.name, key);
	}
	close(directory);
	return !result || fail(why, path ? path : p.directory, result == EPERM ?
		"belongs to another user, or others may use it" : result == EINVAL ? "not a key of 32 bytes" :
		strerror(result));
}
