/* SPDX-License-Identifier: MIT */
/* Program control: branches, calls, barriers, ends, waits. */
#include <sched.h>
#include <time.h>
#include "core/interp/interp_priv.h"

/* Instructions executed are counted at taken branches only: position left
 * minus position reached, which telescopes to the exact number. */
static inline const struct cu_rec *taken(struct cu_wave *w, const struct cu_rec *r, int32_t jump)
{
	uint64_t count = w->instructions + (uint64_t)(int64_t)(1 - jump);
	w->instructions = count;
	/* Backwards: now and then ask whether it should stop.  The count is wrong by
	 * where the record lies, up to the length of the program. */
	if (jump <= 0 && (int64_t)(count - w->next_poll) >= 0 && !CU_FN(cu_poll)(w))
		return cu_fault(w, r, "stopped after %llu instructions", (unsigned long long)count);
	return r + jump;
}

#define BRANCH(NAME, COND, FLAGS) \
	CU_HANDLER(h_##NAME) \
	{ \
		return (COND) ? taken(w, r, r->jump) : r + 1; \
	} \
	CU_DIRECT(NAME, .flags = CU_OP_JUMPS | (FLAGS))
BRANCH(S_BRANCH, true, CU_OP_ENDS);
BRANCH(S_CBRANCH_SCC0, !w->scc, 0);
BRANCH(S_CBRANCH_SCC1, w->scc, 0);
BRANCH(S_CBRANCH_VCCZ, cu_load64(&w->sgpr[GCN_SRC_VCC]) == 0, 0);
BRANCH(S_CBRANCH_VCCNZ, cu_load64(&w->sgpr[GCN_SRC_VCC]) != 0, 0);
BRANCH(S_CBRANCH_EXECZ, cu_load64(&w->sgpr[GCN_SRC_EXEC]) == 0, 0);
BRANCH(S_CBRANCH_EXECNZ, cu_load64(&w->sgpr[GCN_SRC_EXEC]) != 0, 0);
/* No debugger sets these conditions. */
BRANCH(S_CBRANCH_CDBGSYS, false, 0);
BRANCH(S_CBRANCH_CDBGUSER, false, 0);
BRANCH(S_CBRANCH_CDBGSYS_OR_USER, false, 0);
BRANCH(S_CBRANCH_CDBGSYS_AND_USER, false, 0);

/* --- computed: addresses are byte offsets from the program's first dword --- */
static uint64_t next_pc(const struct cu_rec *r)
{
	return r->pool->program->address + (uint64_t)(r->pc + r->size) * 4;
}
static const struct cu_rec *jump_to(struct cu_wave *w, const struct cu_rec *r, uint64_t address)
{
	const struct cu_program *p = r->pool->program;
	uint64_t at = address - p->address;
	uint32_t target = at % 4 == 0 && at / 4 < p->dwords ? p->index[at / 4] : ~0u;
	if (target == ~0u)
		return cu_fault(w, r, "jump to 0x%llx, which is no instruction of the program",
			(unsigned long long)address);
	return taken(w, r, (int32_t)target - (int32_t)cu_rec_index(r));
}
CU_HANDLER(h_S_GETPC_B64)
{
	cu_store64(cu_dst(w, r), next_pc(r));
	return r + 1;
}
CU_HANDLER(h_S_SETPC_B64)
{
	return jump_to(w, r, cu_src64(w, r, 0));
}
CU_HANDLER(h_S_SWAPPC_B64)
{
	uint64_t address = cu_src64(w, r, 0);
	cu_store64(cu_dst(w, r), next_pc(r));
	return jump_to(w, r, address);
}
CU_HANDLER(h_S_CALL_B64)
{
	cu_store64(cu_dst(w, r), next_pc(r));
	return taken(w, r, r->jump);
}
CU_DIRECT(S_GETPC_B64);
CU_DIRECT(S_SETPC_B64, .nsrc = 1, .stype = { CU_T_B64 }, .flags = CU_OP_ENDS);
CU_DIRECT(S_SWAPPC_B64, .nsrc = 1, .stype = { CU_T_B64 });
CU_DIRECT(S_CALL_B64, .flags = CU_OP_JUMPS);

/* --- forks: lanes that fail a condition wait on a stack in SGPRs, of depth
 * MODE.CSP.  Entry n is s[4n..4n+3]: EXEC, then the address to go on at.  Only
 * addresses of the program's instructions are followed --- */
static const struct cu_rec *go(struct cu_wave *w, const struct cu_rec *r, uint64_t address)
{
	const struct cu_rec *next = jump_to(w, r, address);
	int full = cu_exec(w) == ~0ull;
	if ((uintptr_t)next < CU_STATUS_END)
		return next;
	return next + (full - r->full) * (int32_t)r->pool->program->count;
}
static const struct cu_rec *branch_fork(struct cu_wave *w, const struct cu_rec *r, uint64_t mask,
	uint64_t target)
{
	uint64_t exec = cu_exec(w), pass = mask & exec, fail = ~mask & exec;
	uint32_t depth = w->mode >> CU_MODE_CSP, *entry = &w->sgpr[4 * depth];
	if (pass == exec)
		return go(w, r, target);
	if (fail == exec)
		return r + 1;
	if (depth == 7)
		return cu_fault(w, r, "the fork stack is full");
	/* The fewer lanes go first, so that the stack stays flat. */
	bool fall_through = __builtin_popcountll(fail) < __builtin_popcountll(pass);
	cu_store64(entry, fall_through ? pass : fail);
	cu_store64(entry + 2, fall_through ? target : next_pc(r));
	w->mode += 1u << CU_MODE_CSP;
	cu_set_exec(w, fall_through ? fail : pass);
	return go(w, r, fall_through ? next_pc(r) : target);
}
CU_HANDLER(h_S_CBRANCH_G_FORK)
{
	return branch_fork(w, r, cu_src64(w, r, 0), cu_src64(w, r, 1));
}
CU_HANDLER(h_S_CBRANCH_I_FORK)
{
	return branch_fork(w, r, cu_src64(w, r, 0), next_pc(r) + (uint64_t)(int64_t)r->in->offset * 4);
}
/* The source is the depth at the fork: there, all lanes are back. */
CU_HANDLER(h_S_CBRANCH_JOIN)
{
	uint32_t depth = w->mode >> CU_MODE_CSP;
	if (depth == cu_src32(w, r, 0))
		return r + 1;
	if (!depth)
		return cu_fault(w, r, "the fork stack is empty");
	const uint32_t *entry = &w->sgpr[4 * (depth - 1)];
	w->mode -= 1u << CU_MODE_CSP;
	cu_store64(&w->sgpr[GCN_SRC_EXEC], cu_load64(entry));
	return go(w, r, cu_load64(entry + 2));
}
#define FORKS CU_OP_WRITES_EXEC
CU_DIRECT(S_CBRANCH_G_FORK, .nsrc = 2, .stype = { CU_T_B64, CU_T_B64 }, .flags = FORKS);
CU_DIRECT(S_CBRANCH_I_FORK, .nsrc = 1, .stype = { CU_T_B64 }, .flags = FORKS | CU_OP_JUMPS);
CU_DIRECT(S_CBRANCH_JOIN, .nsrc = 1, .stype = { CU_T_B32 }, .flags = FORKS);

/* --- leaving --- */
static void leave(struct cu_wave *w, const struct cu_rec *r, uint32_t pc)
{
	w->instructions += (uint64_t)cu_rec_index(r) + 1;
	w->pc = pc;
}
CU_HANDLER(h_S_ENDPGM)
{
	leave(w, r, r->pc);
	return CU_STOP(CU_DONE);
}
CU_HANDLER(h_S_BARRIER)
{
	leave(w, r, r->pc + r->size);
	return CU_STOP(CU_BARRIER);
}
CU_DIRECT(S_ENDPGM, .flags = CU_OP_ENDS);
CU_DIRECT(S_BARRIER);
/* Ends as well: nobody saved the wave, nobody waits for ordered pixels. */
#define h_S_ENDPGM_SAVED h_S_ENDPGM
#define h_S_ENDPGM_ORDERED_PS_DONE h_S_ENDPGM
CU_DIRECT(S_ENDPGM_SAVED, .flags = CU_OP_ENDS);
CU_DIRECT(S_ENDPGM_ORDERED_PS_DONE, .flags = CU_OP_ENDS);
CU_HANDLER(h_S_SETKILL)
{
	return r->in->offset & 1 ? h_S_ENDPGM(w, r) : r + 1;
}
CU_DIRECT(S_SETKILL);
CU_HANDLER(h_S_SETHALT)
{
	return r->in->offset & 1 ? cu_fault(w, r, "halted, and no debugger resumes it") : r + 1;
}
CU_DIRECT(S_SETHALT);

/* --- nothing to do: memory operations complete in order --- */
#define NOTHING(NAME) \
	CU_HANDLER(h_##NAME) \
	{ \
		return r + 1; \
	} \
	CU_DIRECT(NAME)
NOTHING(S_NOP);
NOTHING(S_WAITCNT);
NOTHING(S_WAKEUP);
NOTHING(S_SETPRIO);
NOTHING(S_ICACHE_INV);
NOTHING(S_INCPERFLEVEL);
NOTHING(S_DECPERFLEVEL);
NOTHING(S_TTRACEDATA);
NOTHING(S_DCACHE_INV);
NOTHING(S_DCACHE_WB);
NOTHING(S_DCACHE_INV_VOL);
NOTHING(S_DCACHE_WB_VOL);
NOTHING(S_ATC_PROBE);
NOTHING(S_ATC_PROBE_BUFFER);
NOTHING(BUFFER_WBINVL1);
NOTHING(BUFFER_WBINVL1_VOL);
NOTHING(BUFFER_WBINVL1_SC);
NOTHING(DS_NOP);
NOTHING(V_NOP);
NOTHING(V_CLREXCP);
/* Without a trap handler (STATUS.TRAP_EN is 0) traps are not taken. */
NOTHING(S_TRAP);

/* The lanes of EXEC emit a vertex each, or end their strips, or first the one, then the other. */
static void count_vertices(struct cu_gs *gs, uint64_t exec, unsigned operation, unsigned stream)
{
	enum { CUT = 1, EMIT = 2 };
	if (operation == EMIT && !~exec) { /* by far the most frequent */
		for (unsigned lane = 0; lane < CU_LANES; lane++) {
			unsigned n = gs->count[stream][lane];
			gs->count[stream][lane] = (uint16_t)(n + (n < CU_GS_VERTICES));
		}
		return;
	}
	for (; exec; exec &= exec - 1) {
		unsigned lane = (unsigned)__builtin_ctzll(exec), n = gs->count[stream][lane] + (operation & EMIT ? 1u : 0u);
		gs->count[stream][lane] = (uint16_t)(n > CU_GS_VERTICES ? CU_GS_VERTICES : n);
		if (operation & CUT && n < CU_GS_VERTICES)
			gs->cut[stream][lane][n / 64] |= 1ull << n % 64;
	}
}

/* Creation lets messages pass that the hardware would send to nobody. */
CU_HANDLER(h_S_SENDMSG)
{
	enum { GS = 2, GS_DONE = 3 };
	const unsigned message = (unsigned)r->in->offset;
	if ((message & 15) != GS && (message & 15) != GS_DONE)
		return r + 1;
	if (!w->gs)
		return cu_fault(w, r, "there is nobody to take this message");
	count_vertices(w->gs, cu_load64(&w->sgpr[GCN_SRC_EXEC]), message >> 4 & 3, message >> 8 & 3);
	return r + 1;
}
CU_DIRECT(S_SENDMSG);

CU_HANDLER(h_S_SLEEP)
{
	sched_yield();
	return r + 1;
}
CU_DIRECT(S_SLEEP);

/* --- clocks: cycles, and units of 10 ns --- */
CU_HANDLER(h_S_MEMTIME)
{
	cu_store64(cu_dst(w, r), __builtin_ia32_rdtsc());
	return r + 1;
}
CU_HANDLER(h_S_MEMREALTIME)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	cu_store64(cu_dst(w, r), (uint64_t)t.tv_sec * 100000000 + (uint64_t)t.tv_nsec / 10);
	return r + 1;
}
CU_DIRECT(S_MEMTIME);
CU_DIRECT(S_MEMREALTIME);
