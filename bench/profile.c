/* SPDX-License-Identifier: MIT */
#include "bench/profile.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/symbols.h"

enum { SAMPLES = 1 << 17, THREADS = 128, FREQUENCY = 1000, LINES = 25 };

struct samples {
	atomic_uint count, stop;
	uint64_t address[SAMPLES];
};

struct profile {
	enum profile_by by;
	double seconds;
	pid_t sampler;
	struct samples *samples; /* shared with the sampler */
	char file[64];           /* of perf; empty: it does not run */
	int control;
	struct symbols *symbols;
};

static void add(struct samples *s, uint64_t address)
{
	if (s->count < SAMPLES)
		s->address[s->count++] = address;
}

/* --- a process that stops the threads --- */

/* Drivers block all signals in their threads, so that no timer's can interrupt them; a tracer can. */

/* 'R' runs; others sleep, and have nothing to tell. */
static char state_of(pid_t process, pid_t thread)
{
	char name[64], text[256] = "";
	snprintf(name, sizeof name, "/proc/%ld/task/%ld/stat", (long)process, (long)thread);
	FILE *f = fopen(name, "r");
	if (f && !fgets(text, sizeof text, f))
		*text = 0;
	if (f)
		fclose(f);
	const char *end = strrchr(text, ')');
	return end && end[1] ? end[2] : 0;
}

/* False when the thread is gone. */
static bool sample_thread(struct samples *s, pid_t thread)
{
	struct user_regs_struct registers;
	int status;
	if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0 || waitpid(thread, &status, __WALL) != thread || !WIFSTOPPED(status))
		return false;
	if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) == 0)
		add(s, registers.rip);
	const long signal = status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
	return ptrace(PTRACE_CONT, thread, NULL, (void *)signal) == 0;
}

/* Becomes the tracer of threads that have no place in `thread` yet. */
static size_t find_threads(pid_t process, pid_t thread[THREADS], size_t count)
{
	char name[32];
	const struct dirent *entry;
	snprintf(name, sizeof name, "/proc/%ld/task", (long)process);
	DIR *directory = opendir(name);
	while (directory && count < THREADS && (entry = readdir(directory))) {
		const pid_t found = (pid_t)atoi(entry->d_name);
		size_t i = 0;
		while (i < count && thread[i] != found)
			i++;
		if (found > 0 && i == count && ptrace(PTRACE_SEIZE, found, NULL, NULL) == 0)
			thread[count++] = found;
	}
	if (directory)
		closedir(directory);
	return count;
}

/* Its end lets all threads go. */
static _Noreturn void trace(struct samples *s, pid_t process)
{
	const struct timespec pause = { 0, 1000000000 / FREQUENCY };
	pid_t thread[THREADS];
	size_t count = 0;
	while (!s->stop && s->count < SAMPLES) {
		count = find_threads(process, thread, count);
		if (count == 0)
			break;
		for (size_t i = 0; i < count; i++)
			if (state_of(process, thread[i]) == 'R' && !sample_thread(s, thread[i]))
				thread[i--] = thread[--count];
		nanosleep(&pause, NULL);
	}
	_exit(0);
}

static void start_tracer(struct profile *p)
{
	const pid_t process = getpid();
	int go[2];
	char byte = 0;
	if (pipe(go) != 0)
		return;
	fflush(NULL);
	p->sampler = fork();
	if (p->sampler == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		trace(p->samples, process);
	}
	/* Yama lets no child trace its parent unless that has said so. */
	prctl(PR_SET_PTRACER, p->sampler, 0, 0, 0);
	if (write(go[1], &byte, 1) != 1)
		vh_fail("no pipe");
	close(go[0]);
	close(go[1]);
}

static void stop_tracer(struct profile *p)
{
	p->samples->stop = 1;
	if (p->sampler > 0)
		waitpid(p->sampler, NULL, 0);
}

/* --- perf --- */

/* With its events off until it is told, since how long it takes to attach is the machine's affair. */
static _Noreturn void become_perf(const struct profile *p, pid_t process, int control, int answer)
{
	char id[16], frequency[16], fds[48];
	const int nowhere = open("/dev/null", O_WRONLY);
	snprintf(id, sizeof id, "%ld", (long)process);
	snprintf(frequency, sizeof frequency, "%d", FREQUENCY);
	snprintf(fds, sizeof fds, "fd:%d,%d", control, answer);
	dup2(nowhere, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	execlp("perf", "perf", "record", "-q", "-e", "cpu-clock", "-F", frequency, "-D", "-1", "--control", fds, "-p", id, "-o",
		p->file, (char *)NULL);
	_exit(127);
}

static void start_perf(struct profile *p)
{
	static const char enable[] = "enable\n";
	const pid_t process = getpid();
	int control[2], answer[2];
	char text[8];
	snprintf(p->file, sizeof p->file, "/tmp/qwbench-%ld.perf", (long)process);
	if (pipe(control) != 0 || pipe(answer) != 0)
		vh_fail("no pipe");
	fflush(NULL);
	signal(SIGPIPE, SIG_IGN); /* where it ends at once */
	p->sampler = fork();
	if (p->sampler == 0) {
		close(control[1]);
		close(answer[0]);
		become_perf(p, process, control[0], answer[1]);
	}
	close(control[0]);
	close(answer[1]);
	if (write(control[1], enable, sizeof enable - 1) != sizeof enable - 1 || read(answer[0], text, sizeof text) <= 0)
		p->file[0] = 0;
	close(answer[0]);
	p->control = control[1];
}

static void stop_perf(struct profile *p)
{
	char command[128], line[64];
	if (p->sampler <= 0)
		return;
	kill(p->sampler, SIGINT);
	waitpid(p->sampler, NULL, 0);
	close(p->control);
	if (!p->file[0])
		return;
	snprintf(command, sizeof command, "perf script -i %s -F ip 2>/dev/null", p->file);
	FILE *script = access(p->file, R_OK) == 0 ? popen(command, "r") : NULL;
	while (script && fgets(line, sizeof line, script)) {
		uint64_t address;
		if (sscanf(line, "%" SCNx64, &address) == 1)
			add(p->samples, address);
	}
	if (script)
		pclose(script);
	unlink(p->file);
}

/* --- around the work --- */

static void begin(void *context)
{
	struct profile *p = context;
	if (p->by == PROFILE_PERF)
		start_perf(p);
	else
		start_tracer(p);
}

static void end(void *context)
{
	struct profile *p = context;
	if (p->by == PROFILE_PERF)
		stop_perf(p);
	else
		stop_tracer(p);
	p->symbols = symbols_open(); /* while the driver is still there */
}

/* --- the table --- */

struct line {
	char text[200];
	unsigned count;
};

static int most_first(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	return x->count == y->count ? strcmp(x->text, y->text) : x->count < y->count ? 1 : -1;
}

static void count(struct line *lines, size_t *used, size_t most, const char *text)
{
	size_t i = 0;
	while (i < *used && strcmp(lines[i].text, text) != 0)
		i++;
	if (i == most)
		return;
	if (i == *used) {
		snprintf(lines[i].text, sizeof lines[i].text, "%s", text);
		lines[i].count = 0;
		++*used;
	}
	lines[i].count++;
}

enum part { BLOCKS, FUNCTIONS, SHADERS };

/* What a sample counts for in that part of the table; false: nothing. */
static bool name_sample(const struct symbol *s, enum part part, char *text, size_t size)
{
	if (part == BLOCKS)
		snprintf(text, size, "%s", s->block);
	else if (part == FUNCTIONS)
		snprintf(text, size, "%-26s %s%s%s%s", s->block, s->name, *s->where ? " (" : "", s->where, *s->where ? ")" : "");
	else
		snprintf(text, size, "%s", s->name);
	return (part == SHADERS) == s->shader || part == BLOCKS;
}

static void print_part(const struct symbol *symbol, unsigned total, enum part part, const char *title)
{
	enum { MOST = 4096 };
	struct line *lines = calloc(MOST, sizeof *lines);
	size_t used = 0;
	char text[200];
	if (!lines)
		vh_fail("out of memory");
	for (unsigned i = 0; i < total; i++)
		if (name_sample(&symbol[i], part, text, sizeof text))
			count(lines, &used, MOST, text);
	qsort(lines, used, sizeof *lines, most_first);
	printf("\n%s\n", title);
	for (size_t i = 0; i < used && i < LINES; i++)
		printf("  %5.1f %%  %s\n", 100.0 * lines[i].count / total, lines[i].text);
	if (used == 0)
		printf("  none\n");
	free(lines);
}

static void print_table(const struct profile *p, const struct bench_scene *scene, unsigned total, double value)
{
	struct symbol *symbol = malloc(total * sizeof *symbol);
	if (!symbol)
		vh_fail("out of memory");
	for (unsigned i = 0; i < total; i++)
		symbol[i] = symbols_at(p->symbols, p->samples->address[i]);
	printf("%s: %.4g %s; %u samples in %g s, by %s\n", scene->name, value, scene->unit, total, p->seconds,
		p->by == PROFILE_PERF ? "perf" : "ptrace (no kernel)");
	print_part(symbol, total, BLOCKS, "blocks");
	print_part(symbol, total, FUNCTIONS, "functions");
	print_part(symbol, total, SHADERS, "shaders");
	if (symbols_stripped(p->symbols))
		printf("\n%s has no symbol table: functions have names in a driver that is not stripped\n",
			symbols_stripped(p->symbols));
	free(symbol);
}

int profile_run(const struct bench_scene *scene, double seconds, enum profile_by by)
{
	struct profile p = { .by = by, .seconds = seconds };
	const struct bench_watch watch = { begin, end, &p, NULL };
	char map[64];
	p.samples = mmap(NULL, sizeof *p.samples, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p.samples == MAP_FAILED)
		vh_fail("out of memory");
	const double value = bench_measure(scene, seconds, &watch).value;
	const unsigned total = p.samples->count;
	if (total > 0)
		print_table(&p, scene, total, value);
	symbols_close(p.symbols);
	munmap(p.samples, sizeof *p.samples);
	snprintf(map, sizeof map, "/tmp/perf-%ld.map", (long)getpid());
	unlink(map);
	return total > 0 ? 0 : PROFILE_NOTHING;
}
