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
	if (p->type->width != 32 && p->type->width != 64 && (p->type->width != 16 || p->type->kind != SPV_FLOAT))
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
		return spv_texel_atomic(s, p, atomic, data, count);
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

/* Compared and exchanged until nobody has come between. */
struct turn { struct ir_loop *loop; struct ir_var *cell; struct ir_src before; };

static struct turn begin_turn(struct spv *s, const struct spv_ptr *p)
{
	struct turn t = { .cell = ir_var_new(s->f, p->type->width, 1, "before") };
	struct ir_src first;
	if (p->kind == SPV_PTR_TEXEL)
		first = spv_texel_load(s, p);
	else
		spv_load(s, p, true, &first);
	ir_store_var(&s->b, t.cell, 0, first);
	t.loop = ir_begin_loop(&s->b);
	t.before = ir_load_var(&s->b, t.cell, 0);
	return t;
}

/* Puts `next` where t->before still is; what was there in the end.  Helpers, whose memory
 * stays as it is, do not try again. */
static struct ir_src end_turn(struct spv *s, const struct spv_ptr *p, const struct turn *t, struct ir_src next)
{
	struct ir_src data[2] = { next, t->before };
	struct ir_src found = access(s, p, IR_ATOMIC_CMPSWAP, data, 2), done = ir_op2(&s->b, IR_ICMP_EQ, found, t->before);
	if (s->f->stage == COMPILER_PS) {
		struct ir_inst *helper = ir_inst_new(s->f, IR_IS_HELPER, 1, 1, 0);
		ir_insert(&s->b, helper);
		done = ir_op2(&s->b, IR_BOR, done, ir_comp(helper, 0));
	}
	ir_store_var(&s->b, t->cell, 0, found);
	struct ir_if *leave = ir_begin_if(&s->b, done);
	ir_jump(&s->b, IR_JUMP_BREAK);
	ir_end_if(&s->b, leave);
	ir_begin_cont(&s->b, t->loop);
	ir_end_loop(&s->b, t->loop);
	return ir_load_var(&s->b, t->cell, 0);
}

/* The word that holds a number of 16 bits, and the bit of the word where that begins. */
static struct spv_ptr word_around(struct spv *s, const struct spv_ptr *p, struct ir_src *bit)
{
	static const struct spv_type word = { .kind = SPV_INT, .width = 32, .leaves = 1, .count = 1 };
	struct spv_ptr q = *p;
	struct ir_src at;
	q.type = &word;
	q.slot = 0;
	q.dynamic_align = 4;
	if (p->memory == SPV_MEM_GLOBAL) {
		struct ir_src address = spv_address_of(s, p);
		at = ir_convert(&s->b, IR_UCONV, 32, address);
		q.address = ir_op2(&s->b, IR_IAND, address, spv_i_of(s, 64, -4));
		q.dynamic = (struct ir_src){ 0 };
	} else {
		at = spv_u(s, p->slot);
		if (p->dynamic.inst)
			at = ir_op2(&s->b, IR_IADD, spv_use(s, p->dynamic), at);
		q.dynamic = ir_op2(&s->b, IR_IAND, at, spv_u(s, ~3u));
	}
	*bit = ir_op2(&s->b, IR_ISHL, ir_op2(&s->b, IR_IAND, at, spv_u(s, 2)), spv_u(s, 3));
	return q;
}

static struct ir_src half_at(struct spv *s, struct ir_src word, struct ir_src bit)
{
	return ir_convert(&s->b, IR_UCONV, 16, ir_op2(&s->b, IR_USHR, word, bit));
}

/* IR_COPY: exchanges. */
static struct ir_src atomic_half(struct spv *s, const struct spv_ptr *p, enum ir_op ir, struct ir_src x)
{
	struct ir_src bit;
	struct spv_ptr q = word_around(s, p, &bit);
	struct ir_src mask = ir_op2(&s->b, IR_ISHL, spv_u(s, 0xffff), bit);
	struct turn t = begin_turn(s, &q);
	struct ir_src half = ir == IR_COPY ? x : spv_exact_2(s, ir, half_at(s, t.before, bit), x);
	half = ir_op2(&s->b, IR_ISHL, ir_convert(&s->b, IR_UCONV, 32, half), bit);
	return half_at(s, end_turn(s, &q, &t, ir_op3(&s->b, IR_BFI, mask, half, t.before)), bit);
}

static bool has_instruction(const struct spv_ptr *p, enum ir_op ir)
{
	return ir == IR_FADD && p->type->width == 32 && p->kind == SPV_PTR_MEMORY && p->memory == SPV_MEM_SHARED;
}

/* What gfx9 has few instructions for. */
static bool float_atomic(struct spv *s, struct spv_op op)
{
	enum ir_op ir;
	switch (op.op) {
	case SpvOpAtomicFAddEXT: ir = IR_FADD; break;
	case SpvOpAtomicFMinEXT: ir = IR_FMIN; break;
	case SpvOpAtomicFMaxEXT: ir = IR_FMAX; break;
	case SpvOpAtomicExchange: ir = IR_COPY; break;
	default: return false;
	}
	struct spv_ptr p = *atomic_pointer(s, op.w[3]);
	if (ir == IR_COPY && p.type->width != 16)
		return false;
	if (p.type->kind != SPV_FLOAT)
		spv_invalid(s, "the pointer is not to a float");
	p.flags |= SPV_VOLATILE;
	struct ir_src x = operand(s, op.w[6], &p);
	if (p.type->width == 16) {
		set_scalar(s, op, &p, atomic_half(s, &p, ir, x));
		return true;
	}
	if (has_instruction(&p, ir)) {
		set_scalar(s, op, &p, access(s, &p, IR_ATOMIC_FADD, &x, 1));
		return true;
	}
	struct turn t = begin_turn(s, &p);
	set_scalar(s, op, &p, end_turn(s, &p, &t, spv_exact_2(s, ir, t.before, x)));
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
		value = spv_texel_load(s, &p);
	else
		spv_load(s, &p, true, &value);
	set_scalar(s, op, &p, value);
}

static void store(struct spv *s, struct spv_op op)
{
	const struct spv_ptr *p = atomic_pointer(s, op.w[1]);
	struct ir_src value = operand(s, op.w[4], p);
	if (p->kind == SPV_PTR_TEXEL)
		spv_texel_store(s, p, value);
	else
		spv_store(s, p, true, &value);
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
