/* SPDX-License-Identifier: MIT */
/* GLSL.std.450: packing of vectors into words, and interpolation at chosen
 * points. */
#include <spirv/unified1/GLSL.std.450.h>
#include "compiler/spv/spv_priv.h"

struct packing { uint16_t inst; uint8_t comps, is_signed, is_half, unpack; };
static const struct packing packings[] = {
	{ GLSLstd450PackSnorm4x8, 4, 1, 0, 0 }, { GLSLstd450PackUnorm4x8, 4, 0, 0, 0 },
	{ GLSLstd450PackSnorm2x16, 2, 1, 0, 0 }, { GLSLstd450PackUnorm2x16, 2, 0, 0, 0 },
	{ GLSLstd450PackHalf2x16, 2, 0, 1, 0 }, { GLSLstd450UnpackSnorm4x8, 4, 1, 0, 1 },
	{ GLSLstd450UnpackUnorm4x8, 4, 0, 0, 1 }, { GLSLstd450UnpackSnorm2x16, 2, 1, 0, 1 },
	{ GLSLstd450UnpackUnorm2x16, 2, 0, 0, 1 }, { GLSLstd450UnpackHalf2x16, 2, 0, 1, 1 },
};

static float scale_of(const struct packing *p)
{
	uint32_t bits = 32u / p->comps - p->is_signed;
	return (float)((1u << bits) - 1);
}

static struct ir_src pack(struct spv *s, const struct packing *p, const struct ir_src *v)
{
	uint32_t bits = 32u / p->comps;
	struct ir_src word = { 0 };
	for (uint32_t i = 0; i < p->comps; i++) {
		struct ir_src x = v[i];
		if (p->is_half) {
			x = spv_1(s, IR_F32_TO_F16, x);
		} else {
			x = p->is_signed ? spv_2(s, IR_FMIN, spv_2(s, IR_FMAX, x, spv_f(s, -1)), spv_f(s, 1)) :
				spv_1(s, IR_FSAT, x);
			x = spv_1(s, IR_FRNDNE, spv_2(s, IR_FMUL, x, spv_f(s, scale_of(p))));
			x = spv_1(s, p->is_signed ? IR_F2I : IR_F2U, x);
		}
		x = spv_2(s, IR_IAND, x, spv_u(s, bits == 8 ? 0xff : 0xffff));
		if (i)
			x = spv_2(s, IR_ISHL, x, spv_u(s, i * bits));
		word = i ? spv_2(s, IR_IOR, word, x) : x;
	}
	return word;
}

static struct ir_src byte_as_float(struct spv *s, struct ir_src word, uint32_t i)
{
	static const uint16_t ops[] = { IR_UBYTE0_TO_F32, IR_UBYTE1_TO_F32, IR_UBYTE2_TO_F32, IR_UBYTE3_TO_F32 };
	return spv_1(s, (enum ir_op)ops[i], word);
}

static void unpack(struct spv *s, const struct packing *p, struct ir_src word, struct ir_src *out)
{
	uint32_t bits = 32u / p->comps;
	for (uint32_t i = 0; i < p->comps; i++) {
		if (p->comps == 4 && !p->is_signed) {
			struct ir_src byte = byte_as_float(s, word, i);
			out[i] = spv_2(s, IR_FMUL, byte, spv_f(s, 1 / scale_of(p)));
			continue;
		}
		struct ir_src x = spv_3(s, p->is_signed ? IR_SBFE : IR_UBFE, word, spv_u(s, i * bits), spv_u(s, bits));
		if (p->is_half) {
			out[i] = spv_1(s, IR_F16_TO_F32, x);
			continue;
		}
		x = spv_1(s, p->is_signed ? IR_I2F : IR_U2F, x);
		x = spv_2(s, IR_FMUL, x, spv_f(s, 1 / scale_of(p)));
		out[i] = p->is_signed ? spv_2(s, IR_FMAX, x, spv_f(s, -1)) : x;
	}
}

/* A float of 64 bits and its words. */
static bool pack_double(struct spv *s, struct spv_op op)
{
	const struct spv_type *type = spv_result_type(s, op);
	bool is_pack = op.w[4] == GLSLstd450PackDouble2x32;
	if (!is_pack && op.w[4] != GLSLstd450UnpackDouble2x32)
		return false;
	if (spv_comps(type) != (is_pack ? 1u : 2u) || type->width != (is_pack ? 64 : 32))
		spv_invalid(s, "the result has the wrong type");
	struct ir_src *out = spv_leaf_array(s, 2);
	const struct ir_src *v = is_pack ? spv_numbers(s, op.w[5], 2) : spv_operands(s, op.w[5], 1);
	if (!is_pack && v[0].inst->bits != 64)
		spv_invalid(s, "operand %u has %u bits, not 64", op.w[5], v[0].inst->bits);
	out[0] = is_pack ? spv_2(s, IR_PACK, v[0], v[1]) : ir_convert(&s->b, IR_UCONV, 32, v[0]);
	if (!is_pack)
		out[1] = spv_1(s, IR_HIGH, v[0]);
	spv_set(s, op, out);
	return true;
}

bool spv_glsl_pack(struct spv *s, struct spv_op op)
{
	if (pack_double(s, op))
		return true;
	const struct packing *p = NULL;
	for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++)
		if (packings[i].inst == op.w[4])
			p = &packings[i];
	if (!p)
		return false;
	const struct spv_type *type = spv_result_type(s, op);
	if (type->any_bool || spv_comps(type) != (p->unpack ? p->comps : 1u))
		spv_invalid(s, "the result has the wrong type");
	struct ir_src *out = spv_leaf_array(s, 4);
	if (p->unpack)
		unpack(s, p, spv_number(s, op.w[5]), out);
	else
		out[0] = pack(s, p, spv_numbers(s, op.w[5], p->comps));
	spv_set(s, op, out);
	return true;
}

/* --- interpolation --- */

/* I, J at an offset from the pixel's centre. */
static struct ir_inst *barycentrics_at(struct spv *s, uint16_t linear, struct ir_src x, struct ir_src y)
{
	struct ir_inst *bary = ir_inst_new(s->f, IR_BARY_AT, 32, 2, 2);
	bary->u.io.mode = (uint8_t)spv_bary_of(linear);
	bary->src[0] = x;
	bary->src[1] = y;
	ir_insert(&s->b, bary);
	return bary;
}

/* I, J at the point that the instruction names. */
static struct ir_inst *barycentrics(struct spv *s, struct spv_op op, uint16_t flags)
{
	uint16_t linear = flags & SPV_NOPERSPECTIVE;
	if (op.w[4] == GLSLstd450InterpolateAtCentroid)
		return spv_bary(s, spv_bary_of(linear | SPV_CENTROID));
	if (op.w[4] == GLSLstd450InterpolateAtOffset) {
		const struct ir_src *offset = spv_numbers(s, op.w[6], 2);
		return barycentrics_at(s, linear, offset[0], offset[1]);
	}
	if (s->in->options.samples < 2) /* the one sample is at the centre */
		return spv_bary(s, spv_bary_of(linear));
	struct ir_src sample = spv_number(s, op.w[6]), half = spv_f(s, 0.5f);
	return barycentrics_at(s, linear, ir_op2(&s->b, IR_FSUB, spv_sample_position(s, sample, 0), half),
		ir_op2(&s->b, IR_FSUB, spv_sample_position(s, sample, 1), half));
}

static struct ir_src at_leaf(struct spv *s, struct spv_op op, const struct spv_io *io)
{
	unsigned comp;
	int slot = spv_io_slot(io, &comp);
	if (spv_is_weight(io))
		return spv_weight(s, io->comp, barycentrics(s, op, spv_weight_flags(io)));
	if (slot < 0)
		spv_invalid(s, "a built-in that is not interpolated");
	if (io->flags & SPV_NOT_INTERPOLATED)
		return spv_io_load(s, io);
	return spv_io_interp(s, io, (unsigned)slot, comp, barycentrics(s, op, io->flags));
}

bool spv_glsl_interpolate(struct spv *s, struct spv_op op)
{
	if (op.w[4] < GLSLstd450InterpolateAtCentroid || op.w[4] > GLSLstd450InterpolateAtOffset)
		return false;
	const struct spv_ptr *p = spv_pointer(s, op.w[5]);
	const struct spv_type *type = spv_result_type(s, op);
	if (s->f->stage != COMPILER_PS || p->kind != SPV_PTR_INPUT)
		spv_invalid(s, "the interpolant is not an input of a fragment shader");
	if (!spv_comps(type) || type->any_bool || !spv_same_shape(type, p->type))
		spv_invalid(s, "the result has another type than the interpolant");
	struct ir_src *out = spv_leaf_array(s, type->leaves);
	if (!p->dynamic.inst) {
		for (uint32_t i = 0; i < type->leaves; i++)
			out[i] = at_leaf(s, op, &p->var->io[p->slot + i]);
		spv_set(s, op, out);
		return true;
	}
	/* Any leaf of the span may be meant: interpolate all, then index. */
	struct ir_var *cell = ir_var_new(s->f, type->width, p->span, NULL);
	for (uint32_t i = 0; i < p->span; i++)
		spv_put(s, cell, i, at_leaf(s, op, &p->var->io[p->span_first + i]));
	for (uint32_t i = 0; i < type->leaves; i++)
		out[i] = ir_load_var_at(&s->b, cell, p->slot - p->span_first + i, spv_use(s, p->dynamic));
	spv_set(s, op, out);
	return true;
}
