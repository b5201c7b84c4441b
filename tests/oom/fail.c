/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "fail.h"

#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "calls.h"

/* What the thunks save: integer arguments last pushed first. */
struct registers { char xmm[128]; uint64_t rax, r10, r9, r8, rcx, rdx, rsi, rdi, call; };

static const struct { int64_t value; int error; bool plain; } how[FAIL_CALLS] = {
#define CALL(name, value, error) { value, error, true },
#define WRAP(name) { 0 },
#include "calls.def"
#undef CALL
#undef WRAP
};

const char *const fail_names[FAIL_CALLS] = {
#define CALL(name, value, error) #name,
#define WRAP(name) #name,
#include "calls.def"
#undef CALL
#undef WRAP
};

static struct {
	struct fail_report *report;
	void *real[FAIL_CALLS];
	int k;
	bool once;
	pthread_mutex_t mutex;
} fail = { .k = FAIL_NEVER, .mutex = PTHREAD_MUTEX_INITIALIZER };

void fail_complain(const char *format, ...)
{
	va_list args;
	if (fail.report->message[0])
		return;
	va_start(args, format);
	vsnprintf(fail.report->message, sizeof fail.report->message, format, args);
	va_end(args);
}

bool fail_now(enum fail_call call)
{
	struct fail_report *r = fail.report;
	pthread_mutex_lock(&fail.mutex);
	int n = r->calls++;
	bool now = fail.once ? n == fail.k : n >= fail.k;
	if (now && !r->hit++) {
		r->call = call;
		r->frames = backtrace(r->frame, FAIL_FRAMES);
	}
	pthread_mutex_unlock(&fail.mutex);
	return now;
}

void *fail_real(enum fail_call call)
{
	return fail.real[call];
}

void fail_arm(int k, bool once)
{
	pthread_mutex_lock(&fail.mutex);
	fail.report->calls = 0;
	fail.k = k;
	fail.once = once;
	pthread_mutex_unlock(&fail.mutex);
}

/* --- hooks for any signature --- */

/* A request of Wayland's that makes nothing has nothing to return. */
static bool may_fail(enum fail_call call, const struct registers *r)
{
	return call == FAIL_wl_proxy_marshal_flags || call == FAIL_wl_proxy_marshal_array_flags ? r->rdx != 0 : true;
}

/* Where to jump to; NULL to return r->rax. */
__attribute__((used)) static void *decide(struct registers *r)
{
	enum fail_call call = (enum fail_call)r->call;
	if (!may_fail(call, r) || !fail_now(call))
		return fail.real[call];
	r->rax = (uint64_t)how[call].value;
	if (how[call].error)
		errno = how[call].error;
	return NULL;
}

/* One entry of 16 bytes a call: it pushes its number; the rest keeps every register
 * that holds an argument (System V ABI 3.2.3; AL counts vectors of variadic calls). */
__asm__(
	".text\n"
	".balign 16\n"
	"fail_thunks:\n"
	".cfi_startproc\n"
	".set number, 0\n"
	".rept 128\n"
	".balign 16\n"
	".cfi_def_cfa_offset 8\n"
	"pushq $number\n"
	".cfi_def_cfa_offset 16\n"
	"jmp fail_common\n"
	".set number, number + 1\n"
	".endr\n"
	"fail_common:\n"
	"pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n pushq %r10\n pushq %rax\n"
	"subq $128, %rsp\n"
	".cfi_def_cfa_offset 208\n"
	"movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n"
	"movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"
	"movq %rsp, %rdi\n"
	"call decide\n"
	"movq %rax, %r11\n"
	"movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n"
	"movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n"
	"addq $128, %rsp\n"
	"popq %rax\n popq %r10\n popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n"
	"addq $8, %rsp\n"
	".cfi_def_cfa_offset 8\n"
	"testq %r11, %r11\n"
	"jz 1f\n"
	"jmp *%r11\n"
	"1: ret\n"
	".cfi_endproc\n");
extern const char fail_thunks[] __attribute__((visibility("hidden")));
_Static_assert(FAIL_CALLS <= 128, "as many as there are thunks");

/* --- the global offset table --- */

struct table { const Elf64_Rela *rela; size_t count; };

struct image {
	uintptr_t base;
	const Elf64_Sym *symbols;
	const char *strings;
	struct table table[2];
};

static struct image image_of(void *library)
{
	struct link_map *map;
	struct image i = { 0 };
	if (dlinfo(library, RTLD_DI_LINKMAP, &map))
		abort();
	i.base = map->l_addr;
	for (const Elf64_Dyn *d = map->l_ld; d->d_tag != DT_NULL; d++) {
		switch (d->d_tag) {
		case DT_SYMTAB: i.symbols = (const void *)d->d_un.d_ptr; break;
		case DT_STRTAB: i.strings = (const void *)d->d_un.d_ptr; break;
		case DT_RELA: i.table[0].rela = (const void *)d->d_un.d_ptr; break;
		case DT_RELASZ: i.table[0].count = d->d_un.d_val / sizeof(Elf64_Rela); break;
		case DT_JMPREL: i.table[1].rela = (const void *)d->d_un.d_ptr; break;
		case DT_PLTRELSZ: i.table[1].count = d->d_un.d_val / sizeof(Elf64_Rela); break;
		}
	}
	return i;
}

/* Every word that holds an imported function's address. */
static void each_import(void *library, void (*visit)(const char *name, void **slot))
{
	struct image i = image_of(library);
	for (int t = 0; t < 2; t++)
		for (size_t n = 0; n < i.table[t].count; n++) {
			const Elf64_Rela *r = &i.table[t].rela[n];
			uint32_t type = ELF64_R_TYPE(r->r_info), symbol = ELF64_R_SYM(r->r_info);
			if (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64)
				visit(i.strings + i.symbols[symbol].st_name, (void **)(i.base + r->r_offset));
		}
}

static int call_named(const char *name)
{
	int c = 0;
	while (c < FAIL_CALLS && strcmp(fail_names[c], name))
		c++;
	return c;
}

static void hook(const char *name, void **slot)
{
	int c = call_named(name);
	if (c == FAIL_CALLS)
		return;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *start = (void *)((uintptr_t)slot & ~(page - 1));
	/* Read-only after relocation, and there is no telling how it was. */
	if (mprotect(start, page, PROT_READ | PROT_WRITE))
		abort();
	fail.real[c] = dlsym(RTLD_DEFAULT, name);
	if (!fail.real[c])
		fail.real[c] = *slot;
	*slot = how[c].plain ? (void *)(fail_thunks + 16 * c) : calls_wrapper(c);
}

void fail_install(void *library, struct fail_report *report)
{
	void *warm_up[2];
	backtrace(warm_up, 2); /* loads what it needs */
	fail.report = report;
	each_import(library, hook);
}

static void print_import(const char *name, void **slot)
{
	if (call_named(name) == FAIL_CALLS && strncmp(name, "__", 2))
		puts(name);
}

void fail_print_imports(void *library)
{
	each_import(library, print_import);
}
