/* SPDX-License-Identifier: MIT */
/* gcnrun: runs GCN machine code on one wave.  See docs/man/gcnrun.1. */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>

#include "core/level.h"
#include "isa/text/gcn_asm.h"
#include "isa/text/gcn_disasm.h"
#include "isa/text/gcn_elf.h"
#include "tools/gcnrun.h"
#include "quadwave_version.h"
#include "tools/stream.h"

enum { EXIT_FAULT = 1, EXIT_USAGE = 2 };

struct options {
	enum gcn_gen gen;
	enum cu_level level;
	const char *kernel, *state;
	bool trace, step;
	uint64_t max;
};

static const char help[] =
	"usage: gcnrun [-mcpu=CPU] [--trace] [--step] [--max=N] KERNEL [STATE]\n"
	"\n"
	"Runs a kernel on one wave of 64 lanes and prints its state afterwards.\n"
	"KERNEL is GCN text, a binary, or an AMDGPU ELF file; STATE is a text file that\n"
	"sets registers, LDS, buffers and images (gcnrun(1) describes it).\n"
	"\n"
	"  -mcpu=CPU     tahiti, bonaire, fiji, gfx900 ...; gfx900 or the ELF file's\n"
	"  --trace       one line an instruction: where, what, and what it changed\n"
	"  --step        the same, and waits: Enter goes on, c runs to the end,\n"
	"                p ITEM prints, q stops\n"
	"  --max=N       at most N instructions (1000000)\n"
	"  --level=L     v3 or v4: the kernels for AVX2 or AVX-512\n"
	"  --help        this text\n"
	"  --version     the version\n"
	"\n"
	"Exit status: 0 ran to its end, 1 stopped by an error or the limit, 2 usage.\n";

/* -1: go on, else the exit status. */
static int parse(int argc, char **argv, struct options *o)
{
	static const struct option options[] = {
		{ "mcpu", required_argument, NULL, 'm' }, { "trace", no_argument, NULL, 't' },
		{ "step", no_argument, NULL, 's' }, { "max", required_argument, NULL, 'n' },
		{ "level", required_argument, NULL, 'l' }, { "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' }, { NULL, 0, NULL, 0 },
	};
	const char *level = NULL, *why;
	char *end;
	int c;
	while ((c = getopt_long_only(argc, argv, "h", options, NULL)) != -1) {
		switch (c) {
		case 'm':
			if (gcn_find_cpu(optarg, &o->gen))
				break;
			fprintf(stderr, "gcnrun: no processor %s; there are gfx600 to gfx900 and LLVM's names of them\n", optarg);
			return EXIT_USAGE;
		case 't': o->trace = true; break;
		case 's': o->step = true; break;
		case 'l': level = optarg; break;
		case 'n':
			o->max = strtoull(optarg, &end, 0);
			if (*optarg >= '0' && *optarg <= '9' && !*end)
				break;
			fprintf(stderr, "gcnrun: --max wants a number, not %s\n", optarg);
			return EXIT_USAGE;
		case 'h': fputs(help, stdout); return 0;
		case 'v': puts("gcnrun (Quadwave) " QW_VERSION); return 0;
		default: fputs("gcnrun --help says more\n", stderr); return EXIT_USAGE;
		}
	}
	if (!cu_level_detect(level, &o->level, &why)) {
		fprintf(stderr, "gcnrun: %s\n", why);
		return EXIT_USAGE;
	}
	if (optind == argc || argc - optind > 2) {
		fputs("gcnrun: a kernel and at most one state file; gcnrun --help says more\n", stderr);
		return EXIT_USAGE;
	}
	o->kernel = argv[optind];
	o->state = argv[optind + 1]; /* NULL when absent */
	return -1;
}

/* --- the kernel --- */

/* Code as dwords; *dwords 0 after a message. */
static uint32_t *assemble(const struct options *o, const char *text, size_t *dwords)
{
	struct gcn_asm_result r;
	uint32_t *code = NULL;
	*dwords = 0;
	if (gcn_asm(o->gen, text, &r)) {
		code = calloc(r.dwords + 1, 4);
		if (code) {
			memcpy(code, r.code, r.dwords * 4);
			*dwords = r.dwords;
		}
	}
	for (size_t i = 0; i < r.error_count; i++) {
		char message[512];
		gcn_asm_format_error(&r.errors[i], o->kernel, message, sizeof(message));
		fprintf(stderr, "%s\n", message);
	}
	gcn_asm_free(&r);
	return code;
}
static uint32_t *copy_code(const void *from, size_t bytes, size_t *dwords)
{
	uint32_t *code = calloc(bytes / 4 + 1, 4);
	*dwords = code ? bytes / 4 : 0;
	if (code)
		memcpy(code, from, *dwords * 4);
	return code;
}
static uint32_t *load_kernel(struct options *o, size_t *dwords)
{
	size_t size;
	char *file = stream_read("gcnrun", o->kernel, &size);
	uint32_t *code = NULL;
	*dwords = 0;
	if (!file)
		return NULL;
	if (gcn_elf_is(file, size)) {
		struct gcn_elf_view view;
		const char *why = gcn_elf_read(file, size, &view);
		if (why) {
			fprintf(stderr, "gcnrun: %s: %s\n", o->kernel, why);
		} else {
			o->gen = view.gen;
			code = copy_code(view.code, view.size, dwords);
			free(view.symbols);
		}
	} else if (strlen(file) == size) {
		code = assemble(o, file, dwords);
	} else {
		code = copy_code(file, size, dwords);
	}
	free(file);
	if (code && !*dwords)
		fprintf(stderr, "gcnrun: %s: no code\n", o->kernel);
	return code;
}

/* --- running --- */

static void describe(const struct options *o, const uint32_t *code, size_t dwords, uint32_t pc, char *text, size_t size)
{
	struct gcn_inst in;
	snprintf(text, size, "?");
	if (pc < dwords && gcn_decode(o->gen, code + pc, dwords - pc, &in))
		gcn_disasm(o->gen, &in, (uint64_t)pc * 4, text, size);
}
/* What one instruction changed, on its line. */
static void print_changes(const struct cu_wave *a, const struct cu_wave *b)
{
	for (unsigned i = 0; i < 128; i++) {
		char name[16];
		if (a->sgpr[i] == b->sgpr[i])
			continue;
		run_sgpr_name(i, name, sizeof(name));
		printf(" %s=%x", name, b->sgpr[i]);
	}
	if (a->scc != b->scc)
		printf(" scc=%u", b->scc);
	if (a->mode != b->mode)
		printf(" mode=%x", b->mode);
	for (unsigned i = 0; i < CU_VGPRS; i++)
		for (int l = 0; l < CU_LANES; l++)
			if (a->vgpr[i][l] != b->vgpr[i][l]) {
				printf(" v%u[%d]=%x", i, l, b->vgpr[i][l]);
				if (memcmp(&a->vgpr[i][l + 1], &b->vgpr[i][l + 1], (size_t)(CU_LANES - 1 - l) * 4))
					printf("..");
				break;
			}
}
enum answer { GO_ON, RUN_ON, QUIT };
static enum answer ask(struct run_state *s)
{
	char line[256];
	for (;;) {
		fputs("> ", stdout);
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return QUIT;
		line[strcspn(line, "\n")] = 0;
		if (!*line)
			return GO_ON;
		if (!strcmp(line, "c"))
			return RUN_ON;
		if (!strcmp(line, "q"))
			return QUIT;
		if (!strncmp(line, "p ", 2))
			run_print(s, line + 2);
		else
			puts("Enter: next instruction; c: run on; p ITEM: print; q: stop");
	}
}
/* Runs to the end; 0 or EXIT_FAULT. */
static int run(const struct options *o, struct run_state *s, const struct cu_program *p, const uint32_t *code, size_t dwords)
{
	struct cu_wave *before = aligned_alloc(64, sizeof(*before));
	bool trace = o->trace || o->step, step = o->step;
	enum cu_status status = CU_DONE;
	uint64_t count = 0;
	if (!before)
		return EXIT_FAULT;
	for (bool running = true; running && count < o->max; count++) {
		uint32_t pc = s->wave->pc;
		char text[256];
		if (trace) {
			describe(o, code, dwords, pc, text, sizeof(text));
			printf("%04x  %-48s", pc * 4, text);
			memcpy(before, s->wave, sizeof(*before));
			if (step) {
				putchar('\n');
				enum answer a = ask(s);
				step = a == GO_ON;
				if (a == QUIT)
					break;
			}
		}
		running = cu_wave_step(p, s->wave, &status);
		if (trace) {
			printf(" ;");
			print_changes(before, s->wave);
			putchar('\n');
		}
		if (!running && status == CU_BARRIER)
			running = true; /* alone in its group */
	}
	free(before);
	printf("# %" PRIu64 " instructions\n", count);
	if (status == CU_FAULT) {
		fprintf(stderr, "gcnrun: %s\n", s->wave->error.text);
		return EXIT_FAULT;
	}
	if (count == o->max) {
		char text[256];
		describe(o, code, dwords, s->wave->pc, text, sizeof(text));
		fprintf(stderr, "gcnrun: pc 0x%x (%s): stopped after %" PRIu64 " instructions\n", s->wave->pc * 4, text, count);
		return EXIT_FAULT;
	}
	return 0;
}

static bool read_state(const struct options *o, struct run_state *s)
{
	size_t size;
	char *text;
	if (!o->state)
		return true;
	text = stream_read("gcnrun", o->state, &size);
	bool ok = text && run_state_read(s, o->state, text);
	free(text);
	return ok;
}
static int run_kernel(struct options *o)
{
	static struct run_state s;
	struct cu_error err;
	size_t dwords;
	int status = EXIT_USAGE;
	uint32_t *code = load_kernel(o, &dwords);
	struct cu_wave *start = aligned_alloc(64, sizeof(*start));
	struct cu_program *p = NULL;
	unsigned mxcsr = cu_fp_enter();
	if (!code || !dwords || !start || !run_state_init(&s) || !read_state(o, &s))
		goto out;
	memcpy(start, s.wave, sizeof(*start));
	p = cu_program_create_gen(o->level, o->gen, code, dwords, &err);
	if (!p) {
		fprintf(stderr, "gcnrun: %s\n", err.text);
		status = EXIT_FAULT;
		goto out;
	}
	status = run(o, &s, p, code, dwords);
	for (unsigned i = 0; i < s.prints; i++)
		if (!run_print(&s, s.print[i]))
			status = EXIT_USAGE;
	if (!s.prints)
		run_print_changes(start, s.wave);
out:
	cu_program_destroy(p);
	run_state_finish(&s);
	cu_fp_leave(mxcsr);
	free(start);
	free(code);
	return status;
}

int main(int argc, char **argv)
{
	struct options o = { .gen = GCN_GFX9, .max = 1000000 };
	int status = parse(argc, argv, &o);
	return status >= 0 ? status : run_kernel(&o);
}
