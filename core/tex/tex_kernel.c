/* SPDX-License-Identifier: MIT */
/* The texture unit's door: opcodes to kinds and address operands. */
#include <stdio.h>
#include "core/memory.h"
#include "core/tex/tex_desc.h"

static unsigned address_count(const struct tex_image *img, uint32_t flags)
{
	return tex_address_count(img->dims, img->dims + img->arrayed + img->msaa, flags);
}

static unsigned data_count(const struct gcn_inst *in, uint32_t flags)
{
	return (flags & TEX_KIND) == TEX_GATHER ? 4 : (unsigned)__builtin_popcount(in->dmask);
}

static void write_zero(struct tex_op *op, unsigned count)
{
	for (unsigned n = 0; n < count; n++)
		for (int lane = 0; lane < CU_LANES; lane += VL)
			tex_write(op, n, lane, v_mask_of(tex_live(op->w, lane)), v_set(0));
}

static bool compares(const struct gcn_inst *in)
{
	return in->op == GCN_IMAGE_ATOMIC_CMPSWAP || in->op == GCN_IMAGE_ATOMIC_FCMPSWAP;
}
/* VGPRs that the instruction returns, as dwords. */
static unsigned result_count(const struct tex_op *op, unsigned data)
{
	unsigned kind = op->flags & TEX_KIND;
	if (kind == TEX_STORE || (kind == TEX_ATOMIC && !op->in->glc))
		return 0;
	return kind == TEX_ATOMIC && compares(op->in) ? data / 2 : data;
}

static void run(struct tex_op *op)
{
	switch (op->flags & TEX_KIND) {
	case TEX_LOAD: tex_load(op); break;
	case TEX_STORE: tex_store(op); break;
	case TEX_ATOMIC: tex_atomic(op); break;
	case TEX_RESINFO: tex_resinfo(op); break;
	default: tex_sample(op); break;
	}
}

/* A wave's call that fails. */
static bool fail(struct cu_wave *w, const char *what)
{
	snprintf(w->error.text, sizeof(w->error.text), "%s", what);
	w->error.access = CU_ACCESS_NONE;
	return false;
}

/* What the unit cannot do, as a message; NULL for nothing. */
static const char *complaint(const struct tex_op *op, bool samples, unsigned data)
{
	const struct gcn_inst *in = op->in;
	const struct tex_image *img = op->image;
	unsigned kind = op->flags & TEX_KIND;
	if (kind == TEX_UNKNOWN)
		return "the texture unit does not know it";
	if (kind == TEX_STORE && (in->tfe || in->lwe))
		return "tfe or lwe of a store";
	if (in->d16 && (kind == TEX_ATOMIC || kind == TEX_RESINFO || kind == TEX_GET_LOD || op->flags & TEX_PCK))
		return "d16 of data that have no format";
	if (kind == TEX_ATOMIC && data != (compares(in) ? 2 : 1) && data != (compares(in) ? 4 : 2))
		return "dmask is not that of a 32- or 64-bit atomic";
	if (kind == TEX_GATHER && __builtin_popcount(in->dmask) != 1)
		return "dmask of gather4 is not one channel";
	if (kind == TEX_GATHER && !img->null && img->dims != 2)
		return "gather4 of an image that is not two-dimensional";
	if (img->msaa && !img->null && (samples || op->flags & TEX_MIP))
		return "a multisampled image is sampled";
	if (img->block && (kind == TEX_STORE || kind == TEX_ATOMIC || op->flags & TEX_PCK))
		return "compressed texels as dwords";
	return NULL;
}

/* The operands as dwords of their own, for packed forms. */
struct tex_wide {
	alignas(64) uint32_t address[16][CU_LANES], data[4][CU_LANES];
};

static void run_forms(struct tex_op *op, unsigned count, bool unpacked)
{
	struct tex_wide wide;
	uint32_t (*data)[CU_LANES] = op->data;
	const struct gcn_inst *in = op->in;
	unsigned results = result_count(op, count), dwords = in->d16 && !unpacked ? (results + 1) / 2 : results;
	if (in->r128_a16) {
		tex_widen_address(op, op->address, wide.address);
		op->address = wide.address;
	}
	if (in->d16) {
		if ((op->flags & TEX_KIND) == TEX_STORE)
			tex_widen_data(op->image, unpacked, count, data, wide.data);
		op->data = wide.data;
	}
	if (op->image->null)
		write_zero(op, results);
	else
		run(op);
	if (in->d16)
		tex_narrow_data(op, unpacked, results, data);
	op->data = data + dwords;
	if (in->tfe || in->lwe)
		write_zero(op, 1);
}

/* Whether the plan does it, of whatever VGPRs, and there is nothing to check; false also for what is wrong or nothing. */
static inline bool is_plain(const struct tex_op *op, struct tex_desc *desc)
{
	const struct gcn_inst *in = op->in;
	const bool planned = op->flags == TEX_LOAD ? desc->plan.loads :
		(op->flags & ~(uint32_t)(TEX_L | TEX_LZ | TEX_C)) == TEX_SAMPLE && (desc->plan.samples || desc->plan.inside) &&
			desc->plan.filter[!!(op->flags & TEX_C)][0];
	return planned && !(in->r128_a16 || in->d16 || in->tfe || in->lwe) && cu_exec(op->w) && tex_desc_mapped(op->w, desc);
}

/* What is_plain says is plain; false: its VGPRs may go beyond the last. */
static inline bool exec_plain(struct tex_op *op, const struct gcn_inst *in)
{
	if (!tex_find_operands(op, in))
		return false;
	if (op->flags == TEX_LOAD)
		tex_load_wave(op);
	else if (op->plan->inside)
		tex_sample_border(op);
	else
		tex_sample_wave(op);
	return true;
}

/* Fills in op; desc->image and what follows are its. */
static inline struct tex_desc *begin(struct tex_op *op, struct cu_wave *w, const struct gcn_inst *in, const uint32_t *t,
	const uint32_t *s, struct tex_desc *own)
{
	struct tex_desc *desc = tex_desc_of(w, in, t, s, own);
	if (__builtin_expect(desc->decoded.plane != NULL, 0))
		desc = tex_desc_decoded(w, in, s, desc, false, own);
	if (w->tex && !w->quiet)
		w->tex->call++;
	op->image = &desc->image;
	op->sampler = &desc->sampler;
	op->plan = &desc->plan;
	return desc;
}

static bool exec(struct cu_wave *w, const struct gcn_inst *in, const uint32_t *t, const uint32_t *s,
	bool unpacked)
{
	struct tex_op op;
	op.w = w;
	op.in = in;
	op.loose = false;
	op.flags = in->op < GCN_OP_COUNT ? cu_tex_ops[in->op] : TEX_UNKNOWN;
	unsigned kind = op.flags & TEX_KIND, count = data_count(in, op.flags);
	bool samples = kind == TEX_SAMPLE || kind == TEX_GATHER || kind == TEX_GET_LOD;
	if (samples && !s)
		return fail(w, "there is no sampler");
	struct tex_desc own;
	struct tex_desc *desc = begin(&op, w, in, t, samples ? s : NULL, &own);
	unsigned vaddr = in->src[0] - GCN_SRC_VGPR0, vdata = in->dst - GCN_SRC_VGPR0;
	if (is_plain(&op, desc) && exec_plain(&op, in))
		return true;
	const char *why = complaint(&op, samples, count);
	if (why)
		return fail(w, why);
	unsigned dwords = (in->d16 && !unpacked ? (count + 1) / 2 : count) + (in->tfe || in->lwe);
	if (vaddr >= CU_VGPRS || vdata >= CU_VGPRS || vdata + dwords > CU_VGPRS || vaddr +
	    (in->r128_a16 ? tex_a16_dwords(op.image, op.flags) : address_count(op.image, op.flags)) > CU_VGPRS)
		return fail(w, "its operands go beyond v255");
	op.address = &w->vgpr[vaddr];
	op.data = &w->vgpr[vdata];
	if (!cu_exec(w))
		return true;
	if (!op.image->null && !tex_desc_mapped(w, desc)) {
		snprintf(w->error.text, sizeof(w->error.text), "the image at 0x%llx, %llu bytes, is no memory of the device",
			(unsigned long long)(uintptr_t)op.image->base, (unsigned long long)op.image->bytes);
		w->error.access = CU_ACCESS_READ; /* or another: mimg_kernel.c */
		w->error.address = (uintptr_t)op.image->base;
		w->error.bytes = op.image->bytes;
		return false;
	}
	if (in->r128_a16 || in->d16 || in->tfe || in->lwe)
		run_forms(&op, count, unpacked);
	else if (op.image->null)
		write_zero(&op, result_count(&op, count));
	else
		run(&op);
	return true;
}

unsigned CU_FN(cu_mimg_exec_plain)(struct cu_wave *w, const struct gcn_inst *in, unsigned count, const uint32_t t[8],
	const uint32_t s[4], bool loose)
{
	struct tex_op op;
	struct tex_desc own;
	unsigned done = 0;
	op.w = w;
	op.in = in;
	op.loose = loose;
	op.flags = cu_tex_ops[in->op];
	const bool samples = (op.flags & TEX_KIND) == TEX_SAMPLE;
	if (op.flags != TEX_LOAD && !(samples && s))
		return 0;
	if (!is_plain(&op, begin(&op, w, in, t, samples ? s : NULL, &own)))
		return 0;
	if (samples)
		done = tex_sample_whole(&op, count);
	while (done < count && (!done || tex_goes_on(in, in + done)) && exec_plain(&op, in + done))
		done++;
	return done;
}

bool CU_FN(cu_mimg_exec)(struct cu_wave *w, const struct gcn_inst *in, const uint32_t *t, const uint32_t *s)
{
	return exec(w, in, t, s, false);
}
bool CU_FN(cu_mimg_exec_unpacked)(struct cu_wave *w, const struct gcn_inst *in, const uint32_t *t,
	const uint32_t *s)
{
	return exec(w, in, t, s, true);
}
