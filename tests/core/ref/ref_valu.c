/* SPDX-License-Identifier: MIT */
/* Operands, modifiers and results of vector instructions. */
#include "ref_valu.h"

#include <string.h>

bool ref_constant(unsigned src, unsigned bits, bool is_float, uint32_t literal, uint64_t *out)
{
	static const uint64_t floats[9][3] = { /* 16, 32, 64 bits */
		{ 0x3800, 0x3f000000, 0x3fe0000000000000 }, { 0xb800, 0xbf000000, 0xbfe0000000000000 },
		{ 0x3c00, 0x3f800000, 0x3ff0000000000000 }, { 0xbc00, 0xbf800000, 0xbff0000000000000 },
		{ 0x4000, 0x40000000, 0x4000000000000000 }, { 0xc000, 0xc0000000, 0xc000000000000000 },
		{ 0x4400, 0x40800000, 0x4010000000000000 }, { 0xc400, 0xc0800000, 0xc010000000000000 },
		{ 0x3118, 0x3e22f983, 0x3fc45f306dc9c882 } };
	if (src == GCN_SRC_LITERAL) {
		*out = bits == 64 && is_float ? (uint64_t)literal << 32 : literal;
		return true;
	}
	if (src >= 128 && src <= 192)
		*out = src - 128;
	else if (src > 192 && src <= 208)
		*out = (uint64_t)(192 - (int64_t)src);
	else if (src >= 240 && src <= 248)
		*out = floats[src - 240][bits == 16 ? 0 : bits == 32 ? 1 : 2];
	else
		return false;
	return true;
}

static unsigned bits_of(enum ref_type t)
{
	switch (t) {
	case B16: case F16: case PB: case PF: case ATTR: return 16;
	case B64: case I64: case F64: case MASK: return 64;
	case B128: return 128;
	default: return 32;
	}
}
static uint64_t mask_of(unsigned bits)
{
	return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}
static enum rf_format format_of(enum ref_type t)
{
	return t == F64 ? RF_64 : t == F32 || t == MIX ? RF_32 : RF_16;
}
static bool is_float(enum ref_type t)
{
	return t == F16 || t == F32 || t == F64 || t == PF || t == ATTR || t >= P0;
}
static bool uses_double_mode(enum ref_type t)
{
	return is_float(t) && t != F32;
}

/* --- reading --- */
static uint64_t vgpr(const struct ref_wave *w, unsigned n, int lane, unsigned bits, uint64_t *high)
{
	uint64_t x = w->vgpr[n][lane];
	if (bits >= 64)
		x |= (uint64_t)w->vgpr[n + 1][lane] << 32;
	if (bits == 128)
		*high = (uint64_t)w->vgpr[n + 3][lane] << 32 | w->vgpr[n + 2][lane];
	return x;
}
/* M0[15:0] is an address, M0[18:16] the type: unsigned byte, short, dword, -,
 * signed byte, short. */
static uint32_t lds_direct(const struct ref_wave *w)
{
	static const uint8_t bytes[8] = { 1, 2, 4, 0, 1, 2, 0, 0 };
	uint32_t m0 = w->sgpr[124], n = bytes[m0 >> 16 & 7], x = 0;
	uint32_t at = n ? (m0 & 0xffff) / n * n : 0;
	if (!n || at + n > w->lds_bytes)
		return 0;
	memcpy(&x, w->lds + at, n);
	if (m0 >> 18 & 1 && x >> (8 * n - 1))
		x |= ~0u << (8 * n);
	return x;
}
/* Operand `src` as the lane has it: before any modifier. */
static uint64_t raw_source(const struct ref_wave *w, const struct gcn_inst *in, unsigned src,
	enum ref_type t, int lane, uint64_t *high)
{
	unsigned bits = bits_of(t);
	uint64_t x;
	if (ref_constant(src, bits, t == F64, in->literal, &x)) {
		if (src == GCN_SRC_LITERAL && t == I64)
			x = (uint64_t)(int64_t)(int32_t)x;
		/* As for a 32-bit register. */
		return bits == 16 || bits == 32 ? x & 0xffffffff : x;
	}
	if (src >= GCN_SRC_VGPR0)
		return vgpr(w, src - GCN_SRC_VGPR0, lane, bits, high);
	if (src == 254)
		return lds_direct(w);
	if (src == GCN_SRC_SCC)
		return w->scc;
	if (src == GCN_SRC_VCCZ)
		return ref_pair(w, 106) == 0;
	if (src == GCN_SRC_EXECZ)
		return ref_pair(w, 126) == 0;
	return bits >= 64 ? ref_pair(w, src) : w->sgpr[src];
}
/* The lane from which DPP reads, -1 for none. */
static int dpp_lane(unsigned control, int lane)
{
	int row = lane / 16 * 16, n = control & 15;
	if (control < 0x100)
		return lane / 4 * 4 + (int)(control >> (2 * (lane % 4)) & 3);
	if (control > 0x100 && control < 0x110)
		return lane + n < row + 16 ? lane + n : -1;
	if (control > 0x110 && control < 0x120)
		return lane - n >= row ? lane - n : -1;
	if (control > 0x120 && control < 0x130)
		return row + (lane - row + 16 - n) % 16;
	switch (control) {
	case 0x130: return lane == 63 ? -1 : lane + 1;
	case 0x134: return (lane + 1) % 64;
	case 0x138: return lane - 1;
	case 0x13c: return (lane + 63) % 64;
	case 0x140: return row + 15 - lane % 16;
	case 0x141: return lane / 8 * 8 + 7 - lane % 8;
	case 0x142: return lane >= 16 ? row - 1 : -1;
	case 0x143: return lane >= 32 ? 31 : -1;
	default: return -1;
	}
}
static uint64_t sdwa_part(uint64_t x, unsigned select, bool sign_extend)
{
	if (select >= 6)
		return x;
	unsigned bits = select < 4 ? 8 : 16, at = select < 4 ? 8 * select : 16 * (select - 4);
	x = x >> at & mask_of(bits);
	return sign_extend && x >> (bits - 1) ? (x | ~mask_of(bits)) & 0xffffffff : x;
}
static uint64_t signed_by(uint64_t x, uint64_t sign, bool abs, bool neg)
{
	x = abs ? x & ~sign : x;
	return neg ? x ^ sign : x;
}
/* A half of a packed operand: half 0 by op_sel, neg_lo, half 1 by op_sel_hi, neg_hi. */
static uint64_t packed_half(const struct gcn_inst *in, int n, uint64_t x, bool is_float_, int half)
{
	bool upper = (half ? in->op_sel_hi : in->op_sel) >> n & 1;
	bool neg = (half ? in->neg_hi : in->neg) >> n & 1;
	return signed_by(x >> (upper ? 16 : 0) & 0xffff, 0x8000, false, neg && is_float_);
}
static uint64_t mixed(const struct gcn_inst *in, int n, uint64_t x, bool in32, bool in16)
{
	uint64_t r = x & 0xffffffff;
	bool half = in->op_sel_hi >> n & 1;
	if (half) {
		uint64_t h = x >> (in->op_sel >> n & 1 ? 16 : 0) & 0xffff;
		r = rf_convert(RF_32, RF_16, in16 ? h : rf_flush(RF_16, h), RF_NEAREST);
	}
	r = signed_by(r, 0x80000000, in->neg_hi >> n & 1, in->neg >> n & 1);
	return half || in32 ? r : rf_flush(RF_32, r);
}
static uint64_t parameter(const struct ref_wave *w, const struct gcn_inst *in, unsigned which, int lane);

static uint64_t source(const struct ref_wave *w, const struct gcn_inst *in, const struct ref_op *op,
	unsigned src, int n, int lane, int half, uint64_t *high)
{
	enum ref_type t = op->source[n];
	bool in32 = w->mode & 0x10, in16 = w->mode & 0x40, encoded = !(n == 2 && op->flags & DST_READ);
	uint64_t x;
	if (t >= P0) {
		x = parameter(w, in, t == P10 ? 0 : t == P20 ? 1 : 2, lane) >> (in->op_sel & 1 ? 16 : 0) & 0xffff;
		return in16 ? x : rf_flush(RF_16, x);
	}
	x = raw_source(w, in, src, t, lane, high);
	if (encoded && in->sub == GCN_SUB_SDWA && n < 2)
		x = sdwa_part(x, in->src_sel[n], in->src_sext >> n & 1);
	if (t == PB || t == PF)
		x = packed_half(in, n, x, t == PF, half);
	else if (t == MIX)
		return mixed(in, n, x, in32, in16);
	else if (encoded && bits_of(t) == 16)
		x >>= in->op_sel >> (t == ATTR ? 0 : n) & 1 ? 16 : 0;
	x &= mask_of(bits_of(t));
	if (!is_float(t))
		return x;
	if (encoded && t != PF)
		x = signed_by(x, rf_sign_bit(format_of(t)), in->abs >> n & 1, in->neg >> n & 1);
	bool keep = op->flags & EXACT || (uses_double_mode(t) ? in16 : in32);
	return keep ? x : rf_flush(format_of(t), x);
}

/* --- writing --- */
/* Output modifiers of a float result: overflow, omod, denormals, clamp. */
static uint64_t finish(const struct gcn_inst *in, const struct ref_op *op, uint32_t mode, uint64_t x,
	enum rf_round round)
{
	enum ref_type t = op->result;
	enum rf_format f = format_of(t);
	bool keep = op->flags & EXACT || mode & (t == F32 ? 0x20 : 0x80);
	if (in->omod && !keep && !(mode & IEEE) && t != PF) {
		bool was_inf = rf_is_inf(f, x);
		x = rf_scale(f, x, in->omod == 1 ? 1 : in->omod == 2 ? 2 : -1, round);
		if (t == F16 && mode & FP16_OVFL && rf_is_inf(f, x) && !was_inf)
			x--;
		x = rf_flush(f, x);
		x = x == rf_sign_bit(f) ? 0 : x;
	} else if (!keep) {
		x = rf_flush(f, x);
	}
	if (!in->clamp || (rf_is_nan(f, x) && !(mode & DX10_CLAMP)))
		return x;
	uint64_t one = rf_from_int(f, false, 1, RF_NEAREST);
	return rf_less(f, 0, x) ? rf_less(f, x, one) ? x : one : 0;
}
static uint64_t compute(struct lane *x, const struct ref_op *op, const struct gcn_inst *in)
{
	uint64_t r = op->compute(x);
	enum ref_type t = op->result;
	if (!is_float(t))
		return r;
	r &= mask_of(bits_of(t));
	if ((t == F16 || t == PF) && x->mode & FP16_OVFL && rf_is_inf(RF_16, r)) {
		/* An overflow is what rounding to zero leaves finite. */
		struct lane again = *x;
		again.round = RF_ZERO;
		uint64_t other = op->compute(&again) & 0xffff;
		r = rf_is_inf(RF_16, other) ? r : other;
	}
	return finish(in, op, x->mode, r, x->round);
}
static uint32_t place(const struct gcn_inst *in, const struct ref_op *op, uint32_t old, uint32_t x)
{
	bool half = op->result == F16 || op->result == B16;
	if (half && (op->flags & HIGH || in->op_sel & 8))
		return (old & 0xffff) | x << 16;
	if (in->sub == GCN_SUB_SDWA && in->dst_sel < 6) {
		unsigned s = in->dst_sel, bits = s < 4 ? 8 : 16, at = s < 4 ? 8 * s : 16 * (s - 4);
		uint32_t field = (uint32_t)mask_of(bits), y = (x & field) << at;
		if (in->dst_unused == 2)
			return (old & ~(field << at)) | y;
		if (in->dst_unused == 1 && x >> (bits - 1) & 1)
			return y | (uint32_t)((uint64_t)~0u << (at + bits));
		return y;
	}
	return half && op->flags & KEEP && in->sub != GCN_SUB_SDWA ? (old & 0xffff0000) | x : x;
}

/* --- lanes --- */
static enum rf_round rounding(const struct ref_op *op, uint32_t mode)
{
	bool narrowed = op->result == F32 && op->source[0] == F64; /* v_cvt_f32_f64 */
	bool wide = !narrowed && (uses_double_mode(op->result) || uses_double_mode(op->source[0]) || op->source[1] >= P0);
	return op->flags & NEAREST ? RF_NEAREST : (enum rf_round)(mode >> (wide ? 2 : 0) & 3);
}
struct result { uint64_t value, high; bool bit; };

/* Sources' register numbers under s_set_gpr_idx. */
static unsigned indexed(const struct ref_wave *w, unsigned operand, unsigned bit)
{
	bool moves = w->mode & GPR_IDX && w->sgpr[124] >> (12 + bit) & 1;
	return operand >= GCN_SRC_VGPR0 && operand != GCN_SRC_NONE && moves ?
		operand + (w->sgpr[124] & 255) : operand;
}
static struct result one_lane(const struct ref_wave *w, const struct gcn_inst *in, const struct ref_op *op,
	const unsigned src[3], int lane, int from)
{
	struct lane x = { .lane = lane, .clamp = in->clamp, .mode = w->mode, .round = rounding(op, w->mode) };
	struct result r = { 0, 0, false };
	if (op->source[2] == MASK)
		x.in = ref_pair(w, src[2] == GCN_SRC_NONE ? 106 : src[2]) >> lane & 1;
	if (op->flags & VCC_IN)
		x.in = ref_pair(w, 106) >> lane & 1;
	for (int half = 0; half <= (op->result == PB || op->result == PF); half++) {
		uint64_t *s[3] = { &x.a, &x.b, &x.c };
		for (int n = 0; n < 3; n++) {
			int at = n == 0 && in->sub == GCN_SUB_DPP ? from : lane;
			if (op->source[n] != NONE && op->source[n] != MASK)
				*s[n] = at < 0 ? source(w, in, op, GCN_SRC_0, n, lane, half, &x.c_high) :
					source(w, in, op, src[n], n, at, half, &x.c_high);
		}
		uint64_t value = compute(&x, op, in);
		r.value |= op->result == PB || op->result == PF ? (value & 0xffff) << (16 * half) : value;
	}
	r.high = x.high;
	r.bit = op->result == NONE ? r.value & 1 : x.out;
	return r;
}
static void write_lane(struct ref_wave *w, const struct gcn_inst *in, const struct ref_op *op, unsigned dst,
	int lane, struct result r)
{
	unsigned bits = bits_of(op->result);
	uint32_t low = (uint32_t)(r.value & mask_of(bits == 16 && op->result != PB && op->result != PF ? 16 : 32));
	w->vgpr[dst][lane] = bits > 32 ? low : place(in, op, w->vgpr[dst][lane], low);
	if (bits >= 64)
		w->vgpr[dst + 1][lane] = (uint32_t)(r.value >> 32);
	if (bits == 128) {
		w->vgpr[dst + 2][lane] = (uint32_t)r.high;
		w->vgpr[dst + 3][lane] = (uint32_t)(r.high >> 32);
	}
}
static void all_lanes(struct ref_wave *w, const struct gcn_inst *in, const struct ref_op *op)
{
	struct result r[64];
	uint64_t exec = ref_pair(w, 126), on = exec, bits = 0;
	unsigned src[3];
	for (int n = 0; n < 3; n++) {
		bool is_dst = n == 2 && op->flags & DST_READ;
		src[n] = indexed(w, is_dst ? in->dst : in->src[n], is_dst ? 3 : (unsigned)n);
	}
	for (int lane = 0; lane < 64; lane++) {
		int from = lane;
		if (in->sub == GCN_SUB_DPP) {
			from = dpp_lane(in->dpp_ctrl, lane);
			if (from >= 0 && !(exec >> from & 1))
				from = -1;
			bool masked = !(in->row_mask >> (lane / 16) & 1) || !(in->bank_mask >> (lane % 16 / 4) & 1);
			if (masked || (from < 0 && !in->bound_ctrl))
				on &= ~(1ull << lane);
		}
		r[lane] = one_lane(w, in, op, src, lane, from);
	}
	for (int lane = 0; lane < 64; lane++) {
		if (!(on >> lane & 1))
			continue;
		bits |= (uint64_t)r[lane].bit << lane;
		if (op->result != NONE)
			write_lane(w, in, op, indexed(w, in->dst, 3) - GCN_SRC_VGPR0, lane, r[lane]);
	}
	if (gcn_op_info((enum gcn_op)in->op)->sdst_dw)
		ref_set_pair(w, in->sdst == GCN_SRC_NONE ? 106 : in->sdst, bits);
	if (op->flags & TO_EXEC)
		ref_set_pair(w, 126, bits);
}

/* --- interpolation: M0 has the LDS offset and the newprimmask; a primitive of
 * an attribute has 12 dwords: P0 and P10 of each channel, then P20 --- */
static uint64_t parameter(const struct ref_wave *w, const struct gcn_inst *in, unsigned which, int lane)
{
	uint32_t m0 = w->sgpr[124], prims = 1, prim = 0, x = 0;
	for (int q = 1; q < 16; q++)
		if (m0 >> (16 + q - 1) & 1) {
			prims++;
			prim += lane / 4 >= q;
		}
	uint32_t dword = 12 * (in->attr * prims + prim) +
		(which == 1 ? in->attrchan + 8u : 2u * in->attrchan + (which == 0));
	uint64_t at = (m0 & 0xffff) + 4 * (uint64_t)dword;
	if (at + 4 <= w->lds_bytes)
		memcpy(&x, w->lds + at, 4);
	return x;
}
static void interpolate(struct ref_wave *w, const struct gcn_inst *in)
{
	enum rf_round round = (enum rf_round)(w->mode & 3);
	const struct ref_op result = { .result = F32 };
	/* A moved parameter that omod leaves alone keeps its denormals. */
	uint32_t keep = in->omod && !(w->mode & IEEE) ? w->mode : w->mode | 0x20;
	uint32_t *d = w->vgpr[in->dst - GCN_SRC_VGPR0];
	for (int lane = 0; lane < 64; lane++) {
		uint64_t base = d[lane], slope;
		if (!(ref_pair(w, 126) >> lane & 1))
			continue;
		if (in->op == GCN_V_INTERP_MOV_F32) {
			base = parameter(w, in, in->src[0] & 3, lane);
			d[lane] = (uint32_t)(in->omod || in->clamp ? finish(in, &result, keep, base, round) : base);
			continue;
		}
		slope = parameter(w, in, in->op == GCN_V_INTERP_P1_F32 ? 0 : 1, lane);
		if (in->op == GCN_V_INTERP_P1_F32)
			base = parameter(w, in, 2, lane);
		uint64_t at = w->vgpr[in->src[0] - GCN_SRC_VGPR0][lane];
		at = in->abs & 1 ? at & 0x7fffffff : at;
		at ^= in->neg & 1 ? 0x80000000 : 0;
		if (!(w->mode & 0x10)) {
			base = rf_flush(RF_32, base);
			slope = rf_flush(RF_32, slope);
			at = rf_flush(RF_32, at);
		}
		uint64_t r = rf_add(RF_32, base, rf_mul(RF_32, slope, at, round), round);
		d[lane] = (uint32_t)finish(in, &result, w->mode, r, round);
	}
}

/* --- lanes and the scalar side --- */
static uint32_t scalar(const struct ref_wave *w, const struct gcn_inst *in, unsigned src)
{
	return (uint32_t)raw_source(w, in, src, B32, 0, NULL);
}
static uint32_t lane_of(const struct ref_wave *w, const struct gcn_inst *in, unsigned src, unsigned lane)
{
	return (uint32_t)raw_source(w, in, src, B32, (int)lane, NULL);
}
static bool move_lanes(struct ref_wave *w, const struct gcn_inst *in)
{
	uint64_t exec = ref_pair(w, 126);
	int first = 0;
	int64_t m0 = (int32_t)w->sgpr[124];
	unsigned dst = in->dst;
	switch (in->op) {
	case GCN_V_READFIRSTLANE_B32:
		while (first < 63 && exec && !(exec >> first & 1))
			first++;
		w->sgpr[dst] = lane_of(w, in, in->src[0], (unsigned)first);
		return true;
	case GCN_V_READLANE_B32:
		w->sgpr[dst] = lane_of(w, in, in->src[0], scalar(w, in, in->src[1]) & 63);
		return true;
	case GCN_V_WRITELANE_B32:
		w->vgpr[dst - GCN_SRC_VGPR0][scalar(w, in, in->src[1]) & 63] = scalar(w, in, in->src[0]);
		return true;
	case GCN_V_SWAP_B32:
		for (int l = 0; l < 64; l++)
			if (exec >> l & 1) {
				uint32_t *a = &w->vgpr[dst - GCN_SRC_VGPR0][l], *b = &w->vgpr[in->src[0] - GCN_SRC_VGPR0][l];
				uint32_t t = *a;
				*a = *b;
				*b = t;
			}
		return true;
	case GCN_V_MOVRELD_B32: case GCN_V_MOVRELS_B32: case GCN_V_MOVRELSD_B32:
		for (int l = 0; l < 64; l++)
			if (exec >> l & 1)
				w->vgpr[dst - GCN_SRC_VGPR0 + (in->op == GCN_V_MOVRELS_B32 ? 0 : m0)][l] =
					lane_of(w, in, in->src[0] + (in->op == GCN_V_MOVRELD_B32 ? 0u : (unsigned)m0), (unsigned)l);
		return true;
	case GCN_V_NOP: case GCN_V_CLREXCP:
		return true;
	default:
		return false;
	}
}
static bool is_interpolation(enum gcn_op op)
{
	return op == GCN_V_INTERP_P1_F32 || op == GCN_V_INTERP_P2_F32 || op == GCN_V_INTERP_MOV_F32;
}
static bool is_move(enum gcn_op op)
{
	return op == GCN_V_READFIRSTLANE_B32 || op == GCN_V_READLANE_B32 || op == GCN_V_WRITELANE_B32 ||
		op == GCN_V_SWAP_B32 || op == GCN_V_MOVRELD_B32 || op == GCN_V_MOVRELS_B32 ||
		op == GCN_V_MOVRELSD_B32 || op == GCN_V_NOP || op == GCN_V_CLREXCP;
}
bool ref_knows_valu(enum gcn_op op)
{
	return ref_ops[op].compute || is_interpolation(op) || is_move(op);
}
enum ref_result ref_valu(struct ref_wave *w, const struct gcn_inst *in)
{
	w->pc += in->size / 4;
	if (ref_ops[in->op].compute)
		all_lanes(w, in, &ref_ops[in->op]);
	else if (is_interpolation((enum gcn_op)in->op))
		interpolate(w, in);
	else if (!move_lanes(w, in))
		return REF_UNKNOWN;
	return REF_GO;
}
