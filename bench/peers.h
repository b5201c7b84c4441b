/* SPDX-License-Identifier: MIT */
/* The drivers to compare, and runs of one scene on one of them in a process of
 * its own: the loader reads its environment once, and a driver that crashes or
 * hangs must not take the table with it. */
#ifndef QW_BENCH_PEERS_H
#define QW_BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>

enum { PEERS_MAX = 16, REASON_MAX = 200 };

struct peer {
	char manifest[512];
	char name[32];
	char device[256]; /* as it names itself, or why it does not start */
};

struct peers {
	struct peer peer[PEERS_MAX];
	size_t count;
};

bool peers_add(struct peers *peers, const char *manifest);
/* Ours from the build tree that this program stands in, then the software
 * drivers that are installed. */
void peers_find(struct peers *peers);

struct run {
	bool ok;
	double value;
	char reason[REASON_MAX]; /* when not ok, or what the child said */
};
/* Runs this program again with the given arguments (closed by NULL) on a
 * driver and waits for at most `timeout` seconds. */
struct run peers_run(const struct peer *peer, char *const *arguments, double timeout);

#endif
