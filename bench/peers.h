/* SPDX-License-Identifier: MIT */
/* The drivers to compare, and runs of one scene on one of them in a process of
 * its own: the loader reads its environment once, and a driver that crashes or
 * hangs must not take the table with it. */
#ifndef QW_BENCH_PEERS_H
#define QW_BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PEERS_MAX = 16, REASON_MAX = 200 };

struct peer {
	char manifest[512];
	char name[32];
	char device[256]; /* as it names itself, or why it does not start */
	const char *cpu;  /* the level that its processes are held to, or NULL: the machine's, or it knows none */
};

struct peers {
	struct peer peer[PEERS_MAX];
	size_t count;
	size_t ours; /* the first of them: 1, or one a level */
};

bool peers_add(struct peers *peers, const char *manifest);
/* Ours from the build tree that this program stands in, then the software
 * drivers that are installed. */
void peers_find(struct peers *peers);
/* Makes one of each level out of ours and out of those whose level can be said (lavapipe), so that a
 * level meets its like; the strings are kept.  False if there is no room. */
bool peers_split(struct peers *peers, const char *const *levels, size_t count);

struct run {
	bool ok;
	double value;
	bool has_hash;
	uint64_t hash;           /* of its frame */
	char reason[REASON_MAX]; /* when not ok, or what the child said */
};
/* Runs this program again with the given arguments (closed by NULL) on a
 * driver, with so many threads if not 0, and waits for at most `timeout` seconds. */
struct run peers_run(const struct peer *peer, int threads, char *const *arguments, double timeout);
/* The same where the child speaks to the user; what waitpid says. */
int peers_show(const struct peer *peer, int threads, char *const *arguments);

#endif
