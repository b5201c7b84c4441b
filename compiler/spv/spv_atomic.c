/* SPDX-License-Identifier: MIT */
/* Atomics on storage buffers, workgroup memory and texels. */
#include "compiler/spv/spv_priv.h"

struct row { uint16_t op; uint8_t atomic; };
static const struct row rows[] = {
	{ SpvOpAtomicExchange, IR_ATOMIC_SWAP }, { SpvOpAtomicIAdd, IR_ATOMIC_ADD }, { SpvOpAtomicISub, IR_ATOMIC_SUB },
	{ SpvOpAtomicSMin, IR_ATOMIC_SMIN }, { SpvOpAtomicUMin, IR_ATOMIC_UMIN }, { SpvOpAtomicSMax, IR_ATOMIC_SMAX },
	{ SpvOpAtomicUMax, IR_ATOMIC_UMAX }, { SpvOpAtomicAnd, IR_ATOMIC_AND }, { SpvOpAtomicOr, IR_ATOMIC_OR },
	{ SpvOpAtomicXor, IR_ATOMIC_XOR }, { SpvOpAtomicCompareExchange, IR_ATOMIC_CMPSWAP },
	{ SpvOpAtomicIIncrement, IR_ATOMIC_ADD }, { SpvOpAtomicIDecrement, IR_ATOMIC_SUB },
};

static const struct spv_ptr *atomic_pointer(struct spv *s, uint32_t id)
{
	const struct spv_ptr *p = spv_pointer(s, id);
	bool memory = p->kind == SPV_PTR_MEMORY && p->memory != SPV_MEM_UBO && p->memory != SPV_MEM_PUSH;
	if (!memory && p->kind != SPV_PTR_TEXEL)
		spv_invalid(s, "memory that has no atomics");
	if (p->type->kind != SPV_INT && p->type->kind != SPV_FLOAT)
		spv_invalid(s, "the pointer is not to a scalar");
	if (p->type->width != 32 && (p->type->width != 64 || !memory))
		spv_unsupported(s, "atomics of %u bits", p->type->width);
	if (!memory || p->memory != SPV_MEM_SHARED)
		s->f->has_effects = true;
	return p;
}

static struct ir_src access(struct spv *s, const struct spv_ptr *p, enum ir_atomic atomic, const struct ir_src *data,
	unsigned count)
{
	struct ir_src *to;
	if (p->kind == SPV_PTR_TEXEL)
		return ir_comp(spv_texel(s, p, IR_IMAGE_ATOMIC, atomic, 1, data, count), 0);
	enum ir_op op = p->memory == SPV_MEM_SSBO ? IR_ATOMIC_SSBO : p->memory == SPV_MEM_GLOBAL ? IR_ATOMIC_GLOBAL :
		IR_ATOMIC_SHARED;
	struct ir_inst *inst = spv_mem_inst(s, p, op, 1, 0, count, &to);
	inst->u.mem.atomic = (uint8_t)atomic;
	for (unsigned i = 0; i < count; i++)
		to[i] = data[i];
	spv_insert_access(s, inst, p->memory == SPV_MEM_SSBO, p->flags);
	return ir_comp(inst, 0);
}

static void set_scalar(struct spv *s, struct spv_op op, const struct spv_ptr *p, struct ir_src value)
{
	struct ir_src *out = spv_leaf_array(s, 1);
	if (!spv_same_shape(spv_result_type(s, op), p->type))
		spv_invalid(s, "the result has another type than the pointer");
	out[0] = value;
	spv_set(s, op, out);
}

static struct ir_src operand(struct spv *s, uint32_t id, const struct spv_ptr *p)
{
	struct ir_src v = spv_operands(s, id, 1)[0];
	if (v.inst->bits != p->type->width)
		spv_invalid(s, "operand %u has %u bits, not %u", id, v.inst->bits, p->type->width);
	return v;
}

static void read_modify_write(struct spv *s, struct spv_op op, enum ir_atomic atomic)
{
	const struct spv_ptr *p = atomic_pointer(s, op.w[3]);
	struct ir_src data[2];
	unsigned count = 1;
	if (op.op == SpvOpAtomicIIncrement || op.op == SpvOpAtomicIDecrement) {
		data[0] = spv_i_of(s, p->type->width, 1);
	} else if (op.op == SpvOpAtomicCompareExchange) {
		data[0] = operand(s, op.w[7], p);
		data[1] = operand(s, op.w[8], p);
		count = 2;
	} else {
		data[0] = operand(s, op.w[6], p);
	}
	set_scalar(s, op, p, access(s, p, atomic, data, count));
}

/* What gfx9 has no instruction for: compared and exchanged until nobody has come between.
 * Helpers, whose memory stays as it is, do not try again. */
static bool float_atomic(struct spv *s, struct spv_op op)
{
	enum ir_op ir = op.op == SpvOpAtomicFAddEXT ? IR_FADD : op.op == SpvOpAtomicFMinEXT ? IR_FMIN : IR_FMAX;
	if (op.op != SpvOpAtomicFAddEXT && op.op != SpvOpAtomicFMinEXT && op.op != SpvOpAtomicFMaxEXT)
		return false;
	struct spv_ptr p = *atomic_pointer(s, op.w[3]);
	if (p.kind == SPV_PTR_TEXEL || p.type->kind != SPV_FLOAT)
		spv_unsupported(s, "of a texel, or of integers");
	p.flags |= SPV_VOLATILE;
	struct ir_src x = operand(s, op.w[6], &p), first;
	struct ir_var *cell = ir_var_new(s->f, p.type->width, 1, "before");
	spv_load(s, &p, true, &first);
	ir_store_var(&s->b, cell, 0, first);
	struct ir_loop *loop = ir_begin_loop(&s->b);
	struct ir_src before = ir_load_var(&s->b, cell, 0), data[2] = { ir_op2(&s->b, ir, before, x), before };
	struct ir_src found = access(s, &p, IR_ATOMIC_CMPSWAP, data, 2), done = ir_op2(&s->b, IR_ICMP_EQ, found, before);
	if (s->f->stage == COMPILER_PS) {
		struct ir_inst *helper = ir_inst_new(s->f, IR_IS_HELPER, 1, 1, 0);
		ir_insert(&s->b, helper);
		done = ir_op2(&s->b, IR_BOR, done, ir_comp(helper, 0));
	}
	ir_store_var(&s->b, cell, 0, found);
	struct ir_if *leave = ir_begin_if(&s->b, done);
	ir_jump(&s->b, IR_JUMP_BREAK);
	ir_end_if(&s->b, leave);
	ir_begin_cont(&s->b, loop);
	ir_end_loop(&s->b, loop);
	set_scalar(s, op, &p, ir_load_var(&s->b, cell, 0));
	return true;
}

static void load(struct spv *s, struct spv_op op)
{
	struct spv_ptr p = *spv_pointer(s, op.w[3]);
	struct ir_src value;
	bool effects = s->f->has_effects;
	atomic_pointer(s, op.w[3]);
	s->f->has_effects = effects;
	p.flags |= SPV_VOLATILE;
	if (p.kind == SPV_PTR_TEXEL)
		value = ir_comp(spv_texel(s, &p, IR_IMAGE_LOAD, IR_ATOMIC_ADD, 4, NULL, 0), 0);
	else
		spv_load(s, &p, true, &value);
	set_scalar(s, op, &p, value);
}

static void store(struct spv *s, struct spv_op op)
{
	const struct spv_ptr *p = atomic_pointer(s, op.w[1]);
	struct ir_src value = operand(s, op.w[4], p);
	if (p->kind == SPV_PTR_TEXEL) {
		struct ir_src zero = spv_u(s, 0), data[4] = { value, zero, zero, zero };
		spv_texel(s, p, IR_IMAGE_STORE, IR_ATOMIC_ADD, 0, data, 4);
	} else {
		spv_store(s, p, true, &value);
	}
}

bool spv_atomic(struct spv *s, struct spv_op op)
{
	if (op.op == SpvOpAtomicLoad) {
		load(s, op);
		return true;
	}
	if (op.op == SpvOpAtomicStore) {
		store(s, op);
		return true;
	}
	if (float_atomic(s, op))
		return true;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].op == op.op) {
			read_modify_write(s, op, (enum ir_atomic)rows[i].atomic);
			return true;
		}
	return false;
}
