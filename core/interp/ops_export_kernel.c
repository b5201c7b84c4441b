/* SPDX-License-Identifier: MIT */
/* EXP: up to four VGPRs to an export target. */
#include "core/interp/valu.h"

/* 32-bit components; with compr, sources 0 and 1 have two halves each, which
 * become 32-bit floats (isa/abi.h). */
static inline const struct cu_rec *export(struct cu_wave *w, const struct cu_rec *r, bool compressed)
{
	const struct gcn_inst *in = r->in;
	struct cu_exports *e = w->exports;
	if (!e)
		return cu_fault(w, r, "export from a wave without export targets");
	unsigned t = in->exp_target & 63;
	uint64_t exec = cu_load64(&w->sgpr[GCN_SRC_EXEC]);
	for (unsigned c = 0; c < 4; c++) {
		if (!(in->en >> c & 1))
			continue;
		const vu *s = (const vu *)w->vgpr[in->src[compressed ? c / 2 : c] & 255];
		vu *d = (vu *)e->data[t][c];
		for (int i = 0; i < NV; i++) {
			vu x = compressed ? (vu)h2f(c & 1 ? s[i] >> 16 : s[i]) : s[i];
			d[i] = r->full ? x : m_sel(exec_mask(w, i), x, d[i]);
		}
	}
	if (in->en)
		e->exec[t] |= exec;
	e->mask[t] = (uint8_t)((e->targets >> t & 1 ? e->mask[t] : 0) | in->en);
	e->targets |= 1ull << t;
	if (in->vm)
		e->valid = exec;
	return r + 1;
}
CU_HANDLER(h_EXPORT)
{
	return export(w, r, false);
}
CU_HANDLER(hm_EXPORT)
{
	return export(w, r, true);
}
CU_DIRECT(EXPORT, .modified = hm_EXPORT);
