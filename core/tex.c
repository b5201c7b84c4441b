/* The texture unit's door: opcodes to kinds and address operands. */
#include "core/tex.h"

#define OP(name, flags) [GCN_IMAGE_##name] = (flags)
#define OP_O(name, flags) OP(name, flags), OP(name##_O, (flags) | TEX_O)
#define OPS_LOD(name, flags) \
	OP_O(name, flags), OP_O(name##_CL, (flags) | TEX_CL), OP_O(name##_L, (flags) | TEX_L), \
	OP_O(name##_B, (flags) | TEX_B), OP_O(name##_B_CL, (flags) | TEX_B | TEX_CL), \
	OP_O(name##_LZ, (flags) | TEX_LZ)
#define OPS_DERIVATIVE(name, flags) \
	OP_O(name##_D, (flags) | TEX_D), OP_O(name##_D_CL, (flags) | TEX_D | TEX_CL), \
	OP_O(name##_CD, (flags) | TEX_D), OP_O(name##_CD_CL, (flags) | TEX_D | TEX_CL)

static const uint16_t op_flags[GCN_OP_COUNT] = {
	OP(LOAD, TEX_LOAD), OP(LOAD_MIP, TEX_LOAD | TEX_MIP),
	OP(STORE, TEX_STORE), OP(STORE_MIP, TEX_STORE | TEX_MIP),
	OP(GET_RESINFO, TEX_RESINFO), OP(GET_LOD, TEX_GET_LOD),
	OP(ATOMIC_SWAP, TEX_ATOMIC), OP(ATOMIC_CMPSWAP, TEX_ATOMIC), OP(ATOMIC_ADD, TEX_ATOMIC),
	OP(ATOMIC_SUB, TEX_ATOMIC), OP(ATOMIC_SMIN, TEX_ATOMIC), OP(ATOMIC_UMIN, TEX_ATOMIC),
	OP(ATOMIC_SMAX, TEX_ATOMIC), OP(ATOMIC_UMAX, TEX_ATOMIC), OP(ATOMIC_AND, TEX_ATOMIC),
	OP(ATOMIC_OR, TEX_ATOMIC), OP(ATOMIC_XOR, TEX_ATOMIC), OP(ATOMIC_INC, TEX_ATOMIC),
	OP(ATOMIC_DEC, TEX_ATOMIC),
	OPS_LOD(SAMPLE, TEX_SAMPLE), OPS_LOD(SAMPLE_C, TEX_SAMPLE | TEX_C),
	OPS_DERIVATIVE(SAMPLE, TEX_SAMPLE), OPS_DERIVATIVE(SAMPLE_C, TEX_SAMPLE | TEX_C),
	OPS_LOD(GATHER4, TEX_GATHER), OPS_LOD(GATHER4_C, TEX_GATHER | TEX_C),
};

/* VGPRs of the address, in the order offset, bias, compare, derivatives,
 * body, clamp or lod. */
static unsigned address_count(const struct tex_image *img, uint32_t flags)
{
	unsigned n = img->dims + img->arrayed + img->msaa;
	if ((flags & TEX_KIND) == TEX_RESINFO)
		return 1;
	n += !!(flags & TEX_O) + !!(flags & TEX_B) + !!(flags & TEX_C);
	if (flags & TEX_D)
		n += 2 * img->dims;
	return n + !!(flags & (TEX_CL | TEX_L | TEX_MIP));
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

static void run_null(struct tex_op *op, unsigned count)
{
	unsigned kind = op->flags & TEX_KIND;
	if (kind == TEX_ATOMIC)
		count = op->in->glc ? 1 : 0;
	if (kind != TEX_STORE)
		write_zero(op, count);
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

/* 64-bit atomics have two data VGPRs (compare and swap: four). */
static bool is_wide_atomic(const struct gcn_inst *in)
{
	return __builtin_popcount(in->dmask) > (in->op == GCN_IMAGE_ATOMIC_CMPSWAP ? 2 : 1);
}

bool CU_FN(cu_mimg_exec)(struct cu_wave *w, const struct gcn_inst *in, const uint32_t *t, const uint32_t *s)
{
	struct tex_op op;
	op.flags = in->op < GCN_OP_COUNT ? op_flags[in->op] : TEX_UNKNOWN;
	unsigned kind = op.flags & TEX_KIND;
	bool samples = kind == TEX_SAMPLE || kind == TEX_GATHER || kind == TEX_GET_LOD;
	if (kind == TEX_UNKNOWN || in->d16 || in->r128_a16 || in->tfe || in->lwe || (samples && !s) ||
	    (kind == TEX_ATOMIC && is_wide_atomic(in)) ||
	    (kind == TEX_GATHER && __builtin_popcount(in->dmask) != 1))
		return false;
	tex_image_decode(&op.image, t, in->da);
	if ((kind == TEX_GATHER && !op.image.null && op.image.dims != 2) ||
	    (op.image.msaa && !op.image.null && (samples || op.flags & TEX_MIP)))
		return false;
	unsigned vaddr = in->src[0] - GCN_SRC_VGPR0, vdata = in->dst - GCN_SRC_VGPR0, count = data_count(in, op.flags);
	if (vaddr >= CU_VGPRS || vdata >= CU_VGPRS || vdata + count > CU_VGPRS ||
	    vaddr + address_count(&op.image, op.flags) > CU_VGPRS)
		return false;
	op.w = w;
	op.in = in;
	op.address = &w->vgpr[vaddr];
	op.data = &w->vgpr[vdata];
	if (!cu_exec(w))
		return true;
	if (op.image.null) {
		run_null(&op, count);
		return true;
	}
	if (samples)
		tex_sampler_decode(&op.sampler, &op.image, s, in->unorm);
	run(&op);
	return true;
}
