/* SPDX-License-Identifier: MIT */
#include "x_proxy.h"
#include "wsi_rig.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct proxy { int client, server; const char *hidden; };

static int connect_display(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *display = getenv("DISPLAY");
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	CHECK(display && display[0] == ':' && fd >= 0, "no local display");
	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/.X11-unix/X%d", atoi(display + 1));
	CHECK(connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0, "no server at %s", address.sun_path);
	return fd;
}

/* What is there, from one to the other; false at its end. */
static bool forward(int from, int to, const char *hidden)
{
	char data[65536];
	ssize_t n = read(from, data, sizeof(data));
	size_t length = hidden ? strlen(hidden) : 0;
	for (ssize_t i = 0; hidden && i + (ssize_t)length <= n; i++)
		if (memcmp(data + i, hidden, length) == 0)
			data[i] = '?';
	for (ssize_t done = 0; done < n;) {
		ssize_t sent = send(to, data + done, (size_t)(n - done), MSG_NOSIGNAL);
		if (sent <= 0)
			return false;
		done += sent;
	}
	return n > 0;
}

static void *run(void *data)
{
	struct proxy *p = data;
	struct pollfd fd[2] = { { p->client, POLLIN, 0 }, { p->server, POLLIN, 0 } };
	bool open = true;
	while (open && poll(fd, 2, -1) > 0) {
		if (fd[0].revents)
			open = forward(p->client, p->server, p->hidden);
		if (open && fd[1].revents)
			open = forward(p->server, p->client, NULL);
	}
	close(p->client);
	close(p->server);
	free(p);
	return NULL;
}

int x_proxy(const char *extension)
{
	int pair[2];
	pthread_t thread;
	struct proxy *p = malloc(sizeof(*p));
	CHECK(p && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "no socket");
	*p = (struct proxy){ pair[1], connect_display(), extension };
	CHECK(pthread_create(&thread, NULL, run, p) == 0, "no thread");
	pthread_detach(thread);
	return pair[0];
}
