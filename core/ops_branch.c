/* Program control: branches, calls, barriers, ends, waits. */
#include <sched.h>
#include <time.h>
#include "core/interp.h"

/* Instructions executed are counted at taken branches only: position left
 * minus position reached, which telescopes to the exact number. */
static inline const struct cu_rec *taken(struct cu_wave *w, const struct cu_rec *r, int32_t jump)
{
	uint64_t before = w->instructions;
	w->instructions = before + (uint64_t)(int64_t)(1 - jump);
	/* Backwards: now and then ask whether somebody wants it to stop. */
	if (jump <= 0 && (before ^ w->instructions) >> 20 && w->abort && *w->abort)
		return cu_fault(w, r, "stopped after %llu instructions",
			(unsigned long long)w->instructions);
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
BRANCH(S_CBRANCH_VCCZ, cu_load64(&w->sgpr[106]) == 0, 0);
BRANCH(S_CBRANCH_VCCNZ, cu_load64(&w->sgpr[106]) != 0, 0);
BRANCH(S_CBRANCH_EXECZ, cu_load64(&w->sgpr[126]) == 0, 0);
BRANCH(S_CBRANCH_EXECNZ, cu_load64(&w->sgpr[126]) != 0, 0);
/* No debugger sets these conditions. */
BRANCH(S_CBRANCH_CDBGSYS, false, 0);
BRANCH(S_CBRANCH_CDBGUSER, false, 0);
BRANCH(S_CBRANCH_CDBGSYS_OR_USER, false, 0);
BRANCH(S_CBRANCH_CDBGSYS_AND_USER, false, 0);

/* --- computed: addresses are byte offsets from the program's first dword --- */
static uint64_t next_pc(const struct cu_rec *r)
{
	return (uint64_t)(r->pc + r->size) * 4;
}
static const struct cu_rec *jump_to(struct cu_wave *w, const struct cu_rec *r, uint64_t address)
{
	const struct cu_program *p = r->pool->program;
	uint32_t target = address % 4 == 0 && address / 4 < p->dwords ? p->index[address / 4] : ~0u;
	if (target == ~0u)
		return cu_fault(w, r, "jump to 0x%llx, which is no instruction of the program",
			(unsigned long long)address);
	int32_t here = (int32_t)(r - p->recs) - (r->full ? (int32_t)p->count : 0);
	return taken(w, r, (int32_t)target - here);
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

/* --- leaving --- */
static void leave(struct cu_wave *w, const struct cu_rec *r, uint32_t pc)
{
	const struct cu_program *p = r->pool->program;
	w->instructions += (uint64_t)(r - p->recs) - (r->full ? p->count : 0) + 1;
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
