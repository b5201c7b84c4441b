/* SPDX-License-Identifier: MIT */
/* Group operations that combine the values of a subgroup: reductions, scans and
 * reductions of clusters.  Where all lanes or the lower half are active they are combined in pairs;
 * else a loop goes over them from the lowest up: the order of a float sum is fixed. */
#include "compiler/spv/spv_priv.h"

#include <string.h>

/* The identity: a float's in single precision, or the least (LEAST) or the greatest (MOST) signed number. */
enum { LEAST = 0x80000000, MOST = 0x7fffffff };
struct reduction { uint16_t op, ir; bool is_bool; uint32_t identity; };
static const struct reduction reductions[] = {
	{ SpvOpGroupNonUniformIAdd, IR_IADD, false, 0 }, { SpvOpGroupNonUniformFAdd, IR_FADD, false, 0 },
	{ SpvOpGroupNonUniformIMul, IR_IMUL, false, 1 }, { SpvOpGroupNonUniformFMul, IR_FMUL, false, 0x3f800000 },
	{ SpvOpGroupNonUniformSMin, IR_SMIN, false, MOST }, { SpvOpGroupNonUniformUMin, IR_UMIN, false, ~0u },
	{ SpvOpGroupNonUniformFMin, IR_FMIN, false, 0x7f800000 },
	{ SpvOpGroupNonUniformSMax, IR_SMAX, false, LEAST }, { SpvOpGroupNonUniformUMax, IR_UMAX, false, 0 },
	{ SpvOpGroupNonUniformFMax, IR_FMAX, false, 0xff800000 },
	{ SpvOpGroupNonUniformBitwiseAnd, IR_IAND, false, ~0u }, { SpvOpGroupNonUniformBitwiseOr, IR_IOR, false, 0 },
	{ SpvOpGroupNonUniformBitwiseXor, IR_IXOR, false, 0 }, { SpvOpGroupNonUniformLogicalAnd, IR_IAND, true, 1 },
	{ SpvOpGroupNonUniformLogicalOr, IR_IOR, true, 0 }, { SpvOpGroupNonUniformLogicalXor, IR_IXOR, true, 0 },
};

static const struct reduction *find(uint32_t op)
{
	for (unsigned i = 0; i < sizeof reductions / sizeof reductions[0]; i++)
		if (reductions[i].op == op)
			return &reductions[i];
	return NULL;
}

static uint32_t cluster_size(struct spv *s, struct spv_op op)
{
	if (op.n < 7)
		spv_invalid(s, "the cluster has no size");
	uint32_t size = spv_const_scalar(s, op.w[6]);
	if (size == 0 || size & (size - 1)) /* more than 64 is all */
		spv_invalid(s, "a cluster of %u lanes", size);
	return size;
}

/* Does the value of lane `from` count for this lane? */
static struct ir_src counts(struct spv *s, struct spv_op op, struct ir_src from)
{
	struct ir_src here = spv_sysval(s, IR_SYS_LANE, 1, 0);
	switch (op.w[4]) {
	case SpvGroupOperationReduce: return ir_bool(&s->b, true);
	case SpvGroupOperationInclusiveScan: return ir_op2(&s->b, IR_UCMP_LE, from, here);
	case SpvGroupOperationExclusiveScan: return ir_op2(&s->b, IR_UCMP_LT, from, here);
	case SpvGroupOperationClusteredReduce: break;
	default: spv_unsupported(s, "group operation %u", op.w[4]);
	}
	struct ir_src apart = ir_op2(&s->b, IR_IAND, ir_op2(&s->b, IR_IXOR, from, here), spv_u(s, ~(cluster_size(s, op) - 1)));
	return ir_op2(&s->b, IR_ICMP_EQ, apart, spv_u(s, 0));
}

/* The lowest lane of the 64-bit mask in two variables, which lose it. */
static struct ir_src next_lane(struct spv *s, struct ir_var *mask[2])
{
	struct ir_src low = ir_load_var(&s->b, mask[0], 0), high = ir_load_var(&s->b, mask[1], 0), one = spv_u(s, 1);
	struct ir_src is_low = ir_op2(&s->b, IR_ICMP_NE, low, spv_u(s, 0));
	struct ir_src lane = ir_op3(&s->b, IR_SELECT, is_low, ir_op1(&s->b, IR_FIND_LSB, low),
		ir_op2(&s->b, IR_IADD, ir_op1(&s->b, IR_FIND_LSB, high), spv_u(s, 32)));
	struct ir_src rest = ir_op2(&s->b, IR_IAND, high, ir_op2(&s->b, IR_ISUB, high, one));
	ir_store_var(&s->b, mask[0], 0, ir_op2(&s->b, IR_IAND, low, ir_op2(&s->b, IR_ISUB, low, one)));
	ir_store_var(&s->b, mask[1], 0, ir_op3(&s->b, IR_SELECT, is_low, high, rest));
	return lane;
}

static struct ir_src identity(struct spv *s, const struct reduction *r, unsigned bits)
{
	float f;
	uint64_t signed_ = r->identity == LEAST ? 1ull << (bits - 1) : ir_ones(bits - 1);
	memcpy(&f, &r->identity, sizeof f);
	if (ir_op_infos[r->ir].operands == IR_IN_FLOAT)
		return spv_f_of(s, bits, f);
	if (r->ir == IR_SMIN || r->ir == IR_SMAX)
		return ir_const_of(&s->b, bits, signed_);
	return ir_const_of(&s->b, bits, r->identity == ~0u ? ~0ull : r->identity);
}

/* One lane after the other, whichever are active. */
static void combine_each(struct spv *s, struct spv_op op, const struct reduction *r, const struct ir_src *x, struct ir_inst *active,
	struct ir_var *sum, uint32_t n)
{
	struct ir_var *mask[2];
	for (unsigned i = 0; i < 2; i++) {
		mask[i] = ir_var_new(s->f, 32, 1, "lanes");
		ir_store_var(&s->b, mask[i], 0, ir_comp(active, i));
	}
	for (uint32_t i = 0; i < n; i++)
		ir_store_var(&s->b, sum, i, identity(s, r, x[i].inst->bits));
	struct ir_loop *loop = ir_begin_loop(&s->b);
	struct ir_src left = ir_op2(&s->b, IR_IOR, ir_load_var(&s->b, mask[0], 0), ir_load_var(&s->b, mask[1], 0));
	struct ir_if *done = ir_begin_if(&s->b, ir_op2(&s->b, IR_ICMP_EQ, left, spv_u(s, 0)));
	ir_jump(&s->b, IR_JUMP_BREAK);
	ir_end_if(&s->b, done);
	struct ir_src lane = next_lane(s, mask), take = counts(s, op, lane);
	for (uint32_t i = 0; i < n; i++) {
		struct ir_src before = ir_load_var(&s->b, sum, i);
		struct ir_src after = spv_exact_2(s, (enum ir_op)r->ir, before, spv_from_lane(s, x[i], lane));
		ir_store_var(&s->b, sum, i, ir_op3(&s->b, IR_SELECT, take, after, before));
	}
	ir_begin_cont(&s->b, loop);
	ir_end_loop(&s->b, loop);
}

/* What all 64 lanes or the lower 32 come to: pairs, pairs of pairs and so on.  upper: whether there are those. */
static struct ir_src combine_all(struct spv *s, struct spv_op op, const struct reduction *r, struct ir_src x, struct ir_src upper)
{
	const struct ir_src here = spv_sysval(s, IR_SYS_LANE, 1, 0);
	const bool scan = op.w[4] == SpvGroupOperationInclusiveScan || op.w[4] == SpvGroupOperationExclusiveScan;
	const uint32_t size = op.w[4] == SpvGroupOperationClusteredReduce ? cluster_size(s, op) : 64;
	for (uint32_t apart = 1; apart < size && apart < 64; apart *= 2) {
		struct ir_src there = ir_op2(&s->b, scan ? IR_ISUB : IR_IXOR, here, spv_u(s, apart));
		struct ir_src both = spv_exact_2(s, (enum ir_op)r->ir, spv_from_lane(s, x, there), x);
		if (scan)
			x = ir_op3(&s->b, IR_SELECT, ir_op2(&s->b, IR_UCMP_LT, here, spv_u(s, apart)), x, both);
		else
			x = apart < 32 ? both : ir_op3(&s->b, IR_SELECT, upper, both, x);
	}
	if (op.w[4] != SpvGroupOperationExclusiveScan)
		return x;
	struct ir_src before = spv_from_lane(s, x, ir_op2(&s->b, IR_ISUB, here, spv_u(s, 1)));
	return ir_op3(&s->b, IR_SELECT, ir_op2(&s->b, IR_ICMP_EQ, here, spv_u(s, 0)), identity(s, r, x.inst->bits), before);
}

static void combine(struct spv *s, struct spv_op op, const struct reduction *r, const struct ir_src *x,
	struct ir_var *sum, uint32_t n)
{
	struct ir_inst *active = ir_inst_new(s->f, IR_BALLOT, 32, 2, 1);
	active->src[0] = ir_bool(&s->b, true);
	ir_insert(&s->b, active);
	struct ir_src upper = ir_op2(&s->b, IR_ICMP_NE, ir_comp(active, 1), spv_u(s, 0));
	struct ir_src whole = ir_op2(&s->b, IR_UCMP_LE, ir_op2(&s->b, IR_IADD, ir_comp(active, 1), spv_u(s, 1)), spv_u(s, 1));
	struct ir_src lower = ir_op2(&s->b, IR_ICMP_EQ, ir_comp(active, 0), spv_u(s, ~0u));
	struct ir_if *all = ir_begin_if(&s->b, ir_op2(&s->b, IR_BAND, lower, whole));
	for (uint32_t i = 0; i < n; i++)
		ir_store_var(&s->b, sum, i, combine_all(s, op, r, x[i], upper));
	ir_begin_else(&s->b, all);
	combine_each(s, op, r, x, active, sum, n);
	ir_end_if(&s->b, all);
}

bool spv_reduce(struct spv *s, struct spv_op op)
{
	const struct reduction *r = find(op.op);
	const struct spv_type *type;
	if (!r)
		return false;
	if (spv_const_scalar(s, op.w[3]) != SpvScopeSubgroup)
		spv_unsupported(s, "an execution scope other than Subgroup");
	const struct ir_src *v = spv_leaves(s, op.w[5], &type);
	uint32_t n = spv_comps(type);
	if (!n || type->any_bool != r->is_bool || !spv_same_shape(type, spv_result_type(s, op)))
		spv_invalid(s, "the value or the result has the wrong type");
	struct ir_src *x = spv_leaf_array(s, n), *out = spv_leaf_array(s, n);
	if (ir_op_infos[r->ir].operands == IR_IN_FLOAT && type->width < 16)
		spv_invalid(s, "the value or the result has the wrong type");
	struct ir_var *sum = ir_var_new(s->f, r->is_bool ? 32 : type->width, n, "sum");
	for (uint32_t i = 0; i < n; i++)
		x[i] = r->is_bool ? ir_op1(&s->b, IR_B2I, v[i]) : v[i];
	combine(s, op, r, x, sum, n);
	for (uint32_t i = 0; i < n; i++)
		out[i] = spv_get(s, sum, i, r->is_bool ? 1 : sum->bits);
	spv_set(s, op, out);
	return true;
}
