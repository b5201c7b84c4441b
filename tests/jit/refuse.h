/* SPDX-License-Identifier: MIT */
/* A system that refuses code, made with a seccomp filter: for children of tests,
 * which keep it until they end. */
#ifndef TESTS_JIT_REFUSE_H
#define TESTS_JIT_REFUSE_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum refusal {
	REFUSE_NOTHING,
	REFUSE_WX,       /* memory that is writable and executable at once */
	REFUSE_WX_MEMFD, /* and memfd_create */
	REFUSE_CODE,     /* memfd_create, and whatever makes memory executable */
};

/* What is refused fails with EACCES.  0 where the system has no such filters. */
static inline int refuse(enum refusal what)
{
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define IF_EQ(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define GIVE(action) BPF_STMT(BPF_RET | BPF_K, action)
	unsigned prot = what == REFUSE_CODE ? PROT_EXEC : PROT_WRITE | PROT_EXEC;
	struct sock_filter code[] = {
		LOAD(nr),
		IF_EQ(SYS_memfd_create, what == REFUSE_WX ? 7 : 6, 0),
		IF_EQ(SYS_mprotect, 2, 0),
		IF_EQ(SYS_pkey_mprotect, 1, 0),
		IF_EQ(SYS_mmap, 0, 4),
		LOAD(args[2]),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, prot),
		IF_EQ(prot, 0, 1),
		GIVE(SECCOMP_RET_ERRNO | EACCES),
		GIVE(SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };
	if (what == REFUSE_NOTHING)
		return 1;
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#undef LOAD
#undef IF_EQ
#undef GIVE
}

#endif
