/* SPDX-License-Identifier: MIT */
/* Group operations of scope Subgroup (64 lanes): elect, vote, ballot, shuffle,
 * quad. */
#include "compiler/spv/spv_priv.h"

static struct ir_src no_source(struct spv *s, enum ir_op op)
{
	struct ir_inst *inst = ir_inst_new(s->f, op, 1, 1, 0);
	ir_insert(&s->b, inst);
	return ir_comp(inst, 0);
}

static struct ir_inst *ballot(struct spv *s, enum ir_op op, struct ir_src predicate)
{
	struct ir_inst *inst = ir_inst_new(s->f, op, 32, 2, 1);
	inst->src[0] = predicate;
	ir_insert(&s->b, inst);
	return inst;
}

static const struct spv_type *result(struct spv *s, struct spv_op op, bool is_bool, uint32_t n)
{
	const struct spv_type *type = spv_result_type(s, op);
	if (spv_comps(type) != n || type->any_bool != is_bool)
		spv_invalid(s, "the result has the wrong type");
	return type;
}

static void set_one(struct spv *s, struct spv_op op, struct ir_src value)
{
	struct ir_src *out = spv_leaf_array(s, 1);
	out[0] = value;
	result(s, op, value.inst->bits == 1, 1);
	spv_set(s, op, out);
}

/* A lane's value; words move. */
struct ir_src spv_from_lane(struct spv *s, struct ir_src x, struct ir_src lane)
{
	unsigned bits = x.inst->bits;
	if (bits == 64) {
		struct ir_src low = spv_from_lane(s, ir_convert(&s->b, IR_UCONV, 32, x), lane);
		return ir_op2(&s->b, IR_PACK, low, spv_from_lane(s, ir_op1(&s->b, IR_HIGH, x), lane));
	}
	x = spv_as(s, x, 32);
	x = lane.inst ? ir_op2(&s->b, IR_SHUFFLE, x, lane) : ir_op1(&s->b, IR_READ_FIRST, x);
	return spv_as(s, x, bits);
}

/* Equal bits in all lanes; for floats by value. */
static struct ir_src all_equal(struct spv *s, uint32_t id)
{
	const struct spv_type *type;
	const struct ir_src *v = spv_leaves(s, id, &type);
	struct ir_src all = { 0 };
	if (!spv_comps(type))
		spv_invalid(s, "the value is not a scalar or vector");
	for (uint32_t i = 0; i < type->leaves; i++) {
		struct ir_src x = v[i].inst->bits == 1 ? ir_op1(&s->b, IR_B2I, v[i]) : v[i];
		bool is_float = spv_scalar_type(type)->kind == SPV_FLOAT;
		struct ir_src same = ir_op2(&s->b, is_float ? IR_FCMP_EQ : IR_ICMP_EQ, x, spv_from_lane(s, x, (struct ir_src){ 0 }));
		all = i ? ir_op2(&s->b, IR_BAND, all, same) : same;
	}
	return ir_op1(&s->b, IR_VOTE_ALL, all);
}

/* Some lanes on, around the subgroup or a cluster of it. */
static struct ir_src rotated(struct spv *s, struct spv_op op, struct ir_src here, struct ir_src by)
{
	uint32_t size = op.n > 6 ? spv_const_scalar(s, op.w[6]) : 64;
	if (size == 0 || size & (size - 1))
		spv_invalid(s, "a cluster of %u lanes", size);
	size = size > 64 ? 64 : size;
	struct ir_src within = ir_op2(&s->b, IR_IAND, ir_op2(&s->b, IR_IADD, here, by), spv_u(s, size - 1));
	return ir_op2(&s->b, IR_IOR, ir_op2(&s->b, IR_IAND, here, spv_u(s, ~(size - 1))), within);
}

/* The lane whose value is wanted; inst NULL: the first. */
static struct ir_src lane_of(struct spv *s, struct spv_op op)
{
	if (op.op == SpvOpGroupNonUniformBroadcastFirst)
		return (struct ir_src){ 0 };
	struct ir_src k = spv_number(s, op.w[5]), here = spv_sysval(s, IR_SYS_LANE, 1, 0);
	switch (op.op) {
	case SpvOpGroupNonUniformShuffleXor: return ir_op2(&s->b, IR_IXOR, here, k);
	case SpvOpGroupNonUniformShuffleUp: return ir_op2(&s->b, IR_ISUB, here, k);
	case SpvOpGroupNonUniformShuffleDown: return ir_op2(&s->b, IR_IADD, here, k);
	case SpvOpGroupNonUniformQuadBroadcast:
		return ir_op2(&s->b, IR_IOR, ir_op2(&s->b, IR_IAND, here, spv_u(s, ~3u)), k);
	case SpvOpGroupNonUniformQuadSwap: /* 0: horizontal, 1: vertical, 2: diagonal */
		return ir_op2(&s->b, IR_IXOR, here, ir_op2(&s->b, IR_IADD, k, spv_u(s, 1)));
	case SpvOpGroupNonUniformRotateKHR: return rotated(s, op, here, k);
	default: return k;
	}
}

static void broadcast(struct spv *s, struct spv_op op)
{
	const struct spv_type *type;
	const struct ir_src *v = spv_leaves(s, op.w[4], &type);
	struct ir_src *out = spv_leaf_array(s, type->leaves), lane = lane_of(s, op);
	if (!spv_comps(type) || !spv_same_shape(type, spv_result_type(s, op)))
		spv_invalid(s, "the result has another type than the value");
	s->f->needs_wqm |= op.op == SpvOpGroupNonUniformQuadBroadcast || op.op == SpvOpGroupNonUniformQuadSwap;
	for (uint32_t i = 0; i < type->leaves; i++)
		out[i] = spv_from_lane(s, v[i], lane);
	spv_set(s, op, out);
}

/* --- ballots as values: 64 bits in the first two components --- */

static struct ir_src bit_of(struct spv *s, const struct ir_src *mask, struct ir_src lane)
{
	struct ir_src high = ir_op2(&s->b, IR_UCMP_LT, ir_const(&s->b, 31), lane);
	struct ir_src word = ir_op3(&s->b, IR_SELECT, high, mask[1], mask[0]);
	struct ir_src bit = ir_op3(&s->b, IR_UBFE, word, lane, ir_const(&s->b, 1));
	return ir_op2(&s->b, IR_ICMP_NE, bit, ir_const(&s->b, 0));
}

/* The bits below this lane (Exclusive) or up to it (Inclusive). */
static void below(struct spv *s, const struct ir_src *mask, bool inclusive, struct ir_src out[2])
{
	struct spv_io io = { .builtin = true, .slot = inclusive ? SpvBuiltInSubgroupLeMask : SpvBuiltInSubgroupLtMask };
	for (unsigned i = 0; i < 2; i++) {
		io.comp = (uint8_t)i;
		out[i] = ir_op2(&s->b, IR_IAND, mask[i], spv_builtin(s, &io));
	}
}

static struct ir_src bit_count(struct spv *s, uint32_t operation, const struct ir_src *mask)
{
	struct ir_src part[2] = { mask[0], mask[1] };
	if (operation == SpvGroupOperationInclusiveScan || operation == SpvGroupOperationExclusiveScan)
		below(s, mask, operation == SpvGroupOperationInclusiveScan, part);
	else if (operation != SpvGroupOperationReduce)
		spv_unsupported(s, "group operation %u", operation);
	return ir_op2(&s->b, IR_IADD, ir_op1(&s->b, IR_BITCOUNT, part[0]), ir_op1(&s->b, IR_BITCOUNT, part[1]));
}

static struct ir_src find_bit(struct spv *s, bool lowest, const struct ir_src *mask)
{
	struct ir_src zero = ir_const(&s->b, 0), offset = ir_const(&s->b, 32);
	enum ir_op op = lowest ? IR_FIND_LSB : IR_UFIND_MSB;
	struct ir_src low = ir_op1(&s->b, op, mask[0]);
	struct ir_src high = ir_op2(&s->b, IR_IADD, ir_op1(&s->b, op, mask[1]), offset);
	struct ir_src use_low = ir_op2(&s->b, lowest ? IR_ICMP_NE : IR_ICMP_EQ, mask[lowest ? 0 : 1], zero);
	return ir_op3(&s->b, IR_SELECT, use_low, low, high);
}

static void set_ballot(struct spv *s, struct spv_op op)
{
	struct ir_inst *mask = ballot(s, IR_BALLOT, spv_bools(s, op.w[4], 1)[0]);
	struct ir_src *out = spv_leaf_array(s, 4);
	result(s, op, false, 4);
	out[0] = ir_comp(mask, 0);
	out[1] = ir_comp(mask, 1);
	out[2] = out[3] = ir_const(&s->b, 0);
	spv_set(s, op, out);
}

static bool on_mask(struct spv *s, struct spv_op op)
{
	uint32_t value = op.op == SpvOpGroupNonUniformBallotBitCount ? 5 : 4;
	switch (op.op) {
	case SpvOpGroupNonUniformInverseBallot: case SpvOpGroupNonUniformBallotBitExtract:
	case SpvOpGroupNonUniformBallotBitCount: case SpvOpGroupNonUniformBallotFindLSB:
	case SpvOpGroupNonUniformBallotFindMSB:
		break;
	default:
		return false;
	}
	const struct ir_src *mask = spv_numbers(s, op.w[value], 4);
	switch (op.op) {
	case SpvOpGroupNonUniformInverseBallot:
		set_one(s, op, bit_of(s, mask, spv_sysval(s, IR_SYS_LANE, 1, 0)));
		break;
	case SpvOpGroupNonUniformBallotBitExtract:
		set_one(s, op, bit_of(s, mask, spv_number(s, op.w[5])));
		break;
	case SpvOpGroupNonUniformBallotBitCount:
		set_one(s, op, bit_count(s, op.w[4], mask));
		break;
	default:
		set_one(s, op, find_bit(s, op.op == SpvOpGroupNonUniformBallotFindLSB, mask));
	}
	return true;
}

/* Whether the condition holds in any lane of the quad, or in all, of those that are on, helpers too. */
static void quad_vote(struct spv *s, struct spv_op op)
{
	bool all = op.op == SpvOpGroupNonUniformQuadAllKHR;
	struct ir_src p = spv_bools(s, op.w[3], 1)[0], lane = spv_sysval(s, IR_SYS_LANE, 1, 0);
	struct ir_inst *mask = ballot(s, IR_BALLOT_QUADS, all ? ir_op1(&s->b, IR_BNOT, p) : p);
	struct ir_src high = ir_op2(&s->b, IR_UCMP_LT, ir_const(&s->b, 31), lane);
	struct ir_src word = ir_op3(&s->b, IR_SELECT, high, ir_comp(mask, 1), ir_comp(mask, 0));
	struct ir_src quad = ir_op3(&s->b, IR_UBFE, word, ir_op2(&s->b, IR_IAND, lane, spv_u(s, 28)), ir_const(&s->b, 4));
	s->f->needs_wqm = true;
	set_one(s, op, ir_op2(&s->b, all ? IR_ICMP_EQ : IR_ICMP_NE, quad, ir_const(&s->b, 0)));
}

static bool is_ours(uint32_t op)
{
	return (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformShuffleDown) ||
		op == SpvOpGroupNonUniformQuadBroadcast || op == SpvOpGroupNonUniformQuadSwap || op == SpvOpGroupNonUniformRotateKHR;
}

/* The instructions of SPV_KHR_shader_ballot and SPV_KHR_subgroup_vote are those of SPIR-V 1.3 but for
 * the scope, which is the subgroup. */
static uint32_t without_scope(uint32_t op)
{
	switch (op) {
	case SpvOpSubgroupBallotKHR: return SpvOpGroupNonUniformBallot;
	case SpvOpSubgroupFirstInvocationKHR: return SpvOpGroupNonUniformBroadcastFirst;
	case SpvOpSubgroupReadInvocationKHR: return SpvOpGroupNonUniformBroadcast;
	case SpvOpSubgroupAllKHR: return SpvOpGroupNonUniformAll;
	case SpvOpSubgroupAnyKHR: return SpvOpGroupNonUniformAny;
	case SpvOpSubgroupAllEqualKHR: return SpvOpGroupNonUniformAllEqual;
	default: return 0;
	}
}

static bool on_lanes(struct spv *s, struct spv_op op)
{
	switch (op.op) {
	case SpvOpGroupNonUniformElect:
		set_one(s, op, no_source(s, IR_ELECT));
		return true;
	case SpvOpGroupNonUniformAll:
		set_one(s, op, ir_op1(&s->b, IR_VOTE_ALL, spv_bools(s, op.w[4], 1)[0]));
		return true;
	case SpvOpGroupNonUniformAny:
		set_one(s, op, ir_op1(&s->b, IR_VOTE_ANY, spv_bools(s, op.w[4], 1)[0]));
		return true;
	case SpvOpGroupNonUniformAllEqual:
		set_one(s, op, all_equal(s, op.w[4]));
		return true;
	case SpvOpGroupNonUniformBroadcast: case SpvOpGroupNonUniformBroadcastFirst:
	case SpvOpGroupNonUniformShuffle: case SpvOpGroupNonUniformShuffleXor: case SpvOpGroupNonUniformShuffleUp:
	case SpvOpGroupNonUniformShuffleDown: case SpvOpGroupNonUniformQuadBroadcast:
	case SpvOpGroupNonUniformQuadSwap: case SpvOpGroupNonUniformRotateKHR:
		broadcast(s, op);
		return true;
	case SpvOpGroupNonUniformBallot:
		set_ballot(s, op);
		return true;
	default:
		return false;
	}
}

bool spv_subgroup(struct spv *s, struct spv_op op)
{
	const uint32_t newer = without_scope(op.op);
	if (newer) {
		const uint32_t words[] = { op.w[0], op.w[1], op.w[2], 0, op.w[3], op.n > 4 ? op.w[4] : 0 };
		return on_lanes(s, (struct spv_op){ words, op.at, (uint16_t)newer, (uint16_t)(op.n + 1) });
	}
	if (op.op == SpvOpGroupNonUniformQuadAllKHR || op.op == SpvOpGroupNonUniformQuadAnyKHR) {
		quad_vote(s, op);
		return true;
	}
	if (!is_ours(op.op))
		return false;
	uint32_t scope = spv_const_scalar(s, op.w[3]);
	if (scope != SpvScopeSubgroup)
		spv_unsupported(s, "execution scope %u", scope);
	return on_mask(s, op) || on_lanes(s, op);
}
