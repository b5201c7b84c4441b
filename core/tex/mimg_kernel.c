/* SPDX-License-Identifier: MIT */
/* Handlers of MIMG: the instruction goes to the texture unit. */
#include "core/tex/mimg.h"

#include <string.h>
#include "core/interp/interp.h"
#include "isa/resource.h"

/* Before gfx9 that bit says that the T# is its first half only. */
static const uint32_t *half_descriptor(struct gcn_inst *in, const uint32_t *t, uint32_t whole[8])
{
	if (!in->r128_a16)
		return t;
	in->r128_a16 = 0;
	memset(whole, 0, 32);
	return memcpy(whole, t, 16);
}

/* What the instruction may read and nobody has written (cu_program.blank). */
static void __attribute__((noinline)) clear_blank(struct cu_wave *w, const struct cu_rec *r, const uint32_t *t)
{
	const unsigned type = t[3] >> 28;
	if (type != T_TYPE_3D && type != T_TYPE_2D_MSAA && type != T_TYPE_2D_MSAA_ARRAY)
		return;
	unsigned v = r->in->src[0] - GCN_SRC_VGPR0 + gcn_mimg_flat_address_dw(r->in);
	for (uint8_t left = r->pool->program->blank[cu_rec_index(r)]; left; left >>= 1, v++)
		if (left & 1 && v >= w->inputs)
			cu_clear(w->vgpr[v], CU_LANES);
}

static const uint32_t *sampler_of(const struct cu_wave *w, const struct gcn_inst *in)
{
	return in->src[2] < 104 ? &w->sgpr[in->src[2]] : NULL;
}

CU_HANDLER(h_mimg)
{
	const struct gcn_inst *in = r->in;
	const uint32_t *t = &w->sgpr[in->src[1]];
	const uint32_t *s = sampler_of(w, in);
	enum gcn_gen gen = r->pool->program->gen;
	bool ok;
	if (r->pool->program->blank)
		clear_blank(w, r, t);
	w->pc = r->pc; /* for the journal */
	if (gen == GCN_GFX9) {
		ok = CU_FN(cu_mimg_exec)(w, in, t, s);
	} else {
		struct gcn_inst old = *in;
		uint32_t whole[8];
		t = half_descriptor(&old, t, whole);
		ok = CU_FN(cu_mimg_exec_unpacked)(w, &old, t, s);
	}
	if (ok)
		return r + 1;
	const struct cu_error said = w->error;
	const struct cu_rec *stop = cu_fault(w, r, "%s", said.text);
	if (said.access)
		cu_error_access(&w->error, in, said.address, said.bytes);
	return stop;
}

static const struct cu_rec *run(struct cu_wave *w, const struct cu_rec *r, unsigned count, bool loose)
{
	if (r->pool->program->blank)
		for (unsigned n = 0; n < count; n++)
			clear_blank(w, r + n, &w->sgpr[r[n].in->src[1]]);
	while (count) {
		const struct gcn_inst *in = r->in;
		unsigned done = CU_FN(cu_mimg_exec_plain)(w, in, count, &w->sgpr[in->src[1]], sampler_of(w, in), loose);
		if (!done) {
			const struct cu_rec *next = h_mimg(w, r);
			if ((uintptr_t)next < CU_STATUS_END)
				return next;
			done = 1;
		}
		r += done;
		count -= done;
	}
	return r;
}

const struct cu_mimg_ops CU_FN(cu_mimg_ops) = { run, CU_FN(cu_mimg_slots), CU_FN(cu_mimg_tile) };

#define MIMG(NAME) CU_OPDESC(IMAGE_##NAME) = { .cls = CU_CLASS_DIRECT, .direct = h_mimg }
#define MIMG_O(NAME) MIMG(NAME); MIMG(NAME##_O)
#define MIMG_LOD(NAME) \
	MIMG_O(NAME); MIMG_O(NAME##_CL); MIMG_O(NAME##_L); MIMG_O(NAME##_B); \
	MIMG_O(NAME##_B_CL); MIMG_O(NAME##_LZ)
#define MIMG_DERIVATIVE(NAME) \
	MIMG_O(NAME##_D); MIMG_O(NAME##_D_CL); MIMG_O(NAME##_CD); MIMG_O(NAME##_CD_CL)
MIMG(LOAD);
MIMG(LOAD_MIP);
MIMG(STORE);
MIMG(STORE_MIP);
MIMG(LOAD_PCK);
MIMG(LOAD_PCK_SGN);
MIMG(LOAD_MIP_PCK);
MIMG(LOAD_MIP_PCK_SGN);
MIMG(STORE_PCK);
MIMG(STORE_MIP_PCK);
MIMG(GET_RESINFO);
MIMG(GET_LOD);
MIMG(ATOMIC_SWAP);
MIMG(ATOMIC_CMPSWAP);
MIMG(ATOMIC_ADD);
MIMG(ATOMIC_SUB);
MIMG(ATOMIC_SMIN);
MIMG(ATOMIC_UMIN);
MIMG(ATOMIC_SMAX);
MIMG(ATOMIC_UMAX);
MIMG(ATOMIC_AND);
MIMG(ATOMIC_OR);
MIMG(ATOMIC_XOR);
MIMG(ATOMIC_INC);
MIMG(ATOMIC_DEC);
MIMG(ATOMIC_RSUB);
MIMG(ATOMIC_FCMPSWAP);
MIMG(ATOMIC_FMIN);
MIMG(ATOMIC_FMAX);
MIMG_LOD(SAMPLE);
MIMG_LOD(SAMPLE_C);
MIMG_DERIVATIVE(SAMPLE);
MIMG_DERIVATIVE(SAMPLE_C);
MIMG_LOD(GATHER4);
MIMG_LOD(GATHER4_C);
