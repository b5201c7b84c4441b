/* SPDX-License-Identifier: MIT */
/* gcn.def and fields.def as constant tables; see gcn_tables.h. */
#include "isa/gcn_tables.h"

#include "isa/gcn_forms.h"

static const struct gcn_op_info op_infos[GCN_OP_COUNT] = {
#define GCN(op, mnemonic, format, g6, g7, g8, g9, dst, sdst, s0, s1, s2, s3, op_flags, op_mods) \
	[GCN_##op] = { .name = mnemonic, .fmt = GCN_##format, .opcode = { g6, g7, g8, g9 }, \
		.dst_dw = dst, .sdst_dw = sdst, .src_dw = { s0, s1, s2, s3 }, .flags = op_flags, .mods = op_mods },
#include "isa/gcn.def"
#undef GCN
};

const struct gcn_op_info *gcn_op_info(enum gcn_op op)
{
	return &op_infos[op];
}

/* Before gfx8 these VOP3 numbers are VOP2's. */
enum { OLD_VOP2_FIRST = 0x100, OLD_VOP2_END = 0x140 };

enum gcn_format gcn_native_format(enum gcn_gen gen, enum gcn_op op)
{
	const struct gcn_op_info *info = &op_infos[op];
	if (gen < GCN_GFX8 && info->fmt == GCN_VOP3 && info->opcode[gen] >= OLD_VOP2_FIRST &&
			info->opcode[gen] < OLD_VOP2_END)
		return GCN_VOP2;
	return (enum gcn_format)info->fmt;
}

unsigned gcn_op_mods(enum gcn_gen gen, enum gcn_op op)
{
	unsigned mods = op_infos[op].mods;
	if (gen < GCN_GFX9)
		mods &= ~(unsigned)GCN_M_OP_SEL;
	if (gen < GCN_GFX8)
		mods &= ~(unsigned)(GCN_M_SDWA | GCN_M_DPP);
	const struct gcn_op_info *info = &op_infos[op];
	/* Before gfx8 only float results clamp: what takes clamp takes omod then. */
	if (gen < GCN_GFX8 && (!(mods & GCN_M_OMOD) || info->sdst_dw))
		mods &= ~(unsigned)GCN_M_CLAMP;
	if (gen == GCN_GFX8 && (op == GCN_V_MAC_F32 || op == GCN_V_MAC_F16)) /* dropped by gfx9 */
		mods |= GCN_M_SDWA;
	return mods;
}

enum { ENC_OLD = GCN_IN_GFX6 | GCN_IN_GFX7, ENC_GFX7_8 = GCN_IN_GFX7 | GCN_IN_GFX8, ENC_GFX8 = GCN_IN_GFX8,
	ENC_GFX8_9 = GCN_IN_GFX8 | GCN_IN_GFX9, ENC_GFX9 = GCN_IN_GFX9, ENC_ALL = ENC_OLD | ENC_GFX8_9 };

const struct isa_encoding isa_encodings[ISA_ENC_COUNT] = {
#define ENC(enc, in_gens, count, fixed_mask, fixed_match) \
	[ISA_ENC_##enc] = { #enc, fixed_mask, fixed_match, count, in_gens },
#define ENC_FIELD(...)
#include "isa/fields.def"
#undef ENC
#undef ENC_FIELD
};

const struct isa_field isa_fields[] = {
#define ENC(...)
#define ENC_FIELD(encoding, field, low, bits, how, member_name) \
	{ .name = #encoding "." #field, .enc = ISA_ENC_##encoding, .lo = low, .width = bits, \
		.kind = ISA_##how, .member = offsetof(struct gcn_inst, member_name), \
		.size = sizeof(((struct gcn_inst *)0)->member_name) },
#include "isa/fields.def"
#undef ENC
#undef ENC_FIELD
};

/* Index of each field, so that the first of an encoding can be named. */
enum {
#define ENC(enc, ...) FIRST_##enc, FIRST_##enc##_BACK = FIRST_##enc - 1,
#define ENC_FIELD(enc, field, ...) INDEX_##enc##_##field,
#include "isa/fields.def"
#undef ENC
#undef ENC_FIELD
	FIELD_COUNT
};
_Static_assert(sizeof(isa_fields) / sizeof(isa_fields[0]) == FIELD_COUNT, "one row, one field");

const uint16_t isa_field_first[ISA_ENC_COUNT + 1] = {
#define ENC(enc, ...) [ISA_ENC_##enc] = FIRST_##enc,
#define ENC_FIELD(...)
#include "isa/fields.def"
#undef ENC
#undef ENC_FIELD
	[ISA_ENC_COUNT] = FIELD_COUNT
};

/* Numbers an opcode field of each format can hold, and where the format's part
 * of a decode table begins. */
#define FORMATS(X) \
	X(SOP2, 128) X(SOPK, 32) X(SOP1, 256) X(SOPC, 128) X(SOPP, 128) X(SMEM, 256) \
	X(VOP2, 64) X(VOP1, 256) X(VOPC, 256) X(VOP3, 1024) X(VOP3P, 128) X(VINTRP, 4) \
	X(DS, 256) X(MUBUF, 128) X(MTBUF, 16) X(MIMG, 128) X(EXP, 1) \
	X(FLAT, 128) X(GLOBAL, 128) X(SCRATCH, 128)
enum {
#define X(format, count) BASE_##format, LAST_##format = BASE_##format + (count) - 1,
	FORMATS(X)
#undef X
	TABLE_SIZE, /* one more: the bin for what a generation lacks */
};
static const uint16_t format_base[GCN_FORMAT_COUNT] = {
#define X(format, count) [GCN_##format] = BASE_##format,
	FORMATS(X)
#undef X
};
static const uint16_t format_size[GCN_FORMAT_COUNT] = {
#define X(format, count) [GCN_##format] = (count),
	FORMATS(X)
#undef X
};

/* Opcode + 1 by number, 0 where there is none. */
#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
#define SLOT(format, number) ((number) < 0 ? TABLE_SIZE : BASE_##format + (number))
static const uint16_t op_of_number[GCN_GEN_COUNT][TABLE_SIZE + 1] = {
#define GCN(op, mnemonic, format, g6, ...) [SLOT(format, g6)] = GCN_##op + 1,
	[GCN_GFX6] = {
#include "isa/gcn.def"
	},
#undef GCN
#define GCN(op, mnemonic, format, g6, g7, ...) [SLOT(format, g7)] = GCN_##op + 1,
	[GCN_GFX7] = {
#include "isa/gcn.def"
	},
#undef GCN
#define GCN(op, mnemonic, format, g6, g7, g8, ...) [SLOT(format, g8)] = GCN_##op + 1,
	[GCN_GFX8] = {
#include "isa/gcn.def"
	},
#undef GCN
#define GCN(op, mnemonic, format, g6, g7, g8, g9, ...) [SLOT(format, g9)] = GCN_##op + 1,
	[GCN_GFX9] = {
#include "isa/gcn.def"
	},
#undef GCN
};
#pragma GCC diagnostic pop

/* Where VOP3 has the opcodes of the 32-bit formats. */
struct vop3_range { uint8_t format; uint16_t base, count; };
static const struct vop3_range *vop3_ranges(enum gcn_gen gen)
{
	static const struct vop3_range gfx6[] = {
		{ GCN_VOPC, 0, 256 }, { GCN_VOP2, 0x100, 64 }, { GCN_VOP1, 0x180, 128 }, { 0, 0, 0 },
	};
	static const struct vop3_range gfx8[] = {
		{ GCN_VOPC, 0, 256 }, { GCN_VOP2, 0x100, 64 }, { GCN_VOP1, 0x140, 128 },
		{ GCN_VINTRP, 0x270, 3 }, { 0, 0, 0 },
	};
	return gen < GCN_GFX8 ? gfx6 : gfx8;
}

enum gcn_op isa_find_op(enum gcn_gen gen, enum gcn_format format, unsigned number)
{
	if (format == GCN_VOP3)
		for (const struct vop3_range *r = vop3_ranges(gen); r->count; r++)
			if (number - r->base < r->count) {
				enum gcn_op op = isa_find_op(gen, r->format, number - r->base);
				if (op != GCN_OP_COUNT)
					return op_infos[op].flags & GCN_F_NO_VOP3 ? GCN_OP_COUNT : op;
			}
	if (number >= format_size[format])
		return GCN_OP_COUNT;
	unsigned op = op_of_number[gen][format_base[format] + number];
	if (!op && format == GCN_VOP2 && gen < GCN_GFX8)
		op = op_of_number[gen][format_base[GCN_VOP3] + OLD_VOP2_FIRST + number];
	return op && isa_op_number(gen, (enum gcn_op)(op - 1), format) >= 0 ? (enum gcn_op)(op - 1) : GCN_OP_COUNT;
}

int isa_op_number(enum gcn_gen gen, enum gcn_op op, enum gcn_format format)
{
	const struct gcn_op_info *info = &op_infos[op];
	if (info->opcode[gen] < 0)
		return -1;
	if (format == GCN_VOP3 && info->flags & GCN_F_NO_VOP3 && gcn_native_format(gen, op) != GCN_VOP3)
		return -1;
	if (format == info->fmt)
		return info->opcode[gen];
	if (format == GCN_VOP2 && gcn_native_format(gen, op) == GCN_VOP2)
		return info->opcode[gen] - OLD_VOP2_FIRST;
	if (format == GCN_VOP3 && !(info->flags & GCN_F_NO_VOP3))
		for (const struct vop3_range *r = vop3_ranges(gen); r->count; r++)
			if (info->fmt == r->format)
				return r->base + info->opcode[gen];
	return -1;
}

/* The encoding of a format before gfx8, on gfx8, on gfx9. */
static enum isa_enc native_encoding(enum gcn_gen gen, enum gcn_format format)
{
	static const uint8_t encodings[GCN_FORMAT_COUNT][3] = {
#define N(f, old, gfx8, gfx9) [GCN_##f] = { ISA_ENC_##old, ISA_ENC_##gfx8, ISA_ENC_##gfx9 },
#define SAME(f) N(f, f, f, f)
#define OLD(f) N(f, f##_OLD, f, f)
		SAME(SOP2) SAME(SOPK) SAME(SOP1) SAME(SOPC) SAME(SOPP) SAME(VOP2) SAME(VOP1) SAME(VOPC)
		SAME(VOP3P) SAME(MIMG) SAME(GLOBAL) SAME(SCRATCH)
		OLD(VINTRP) OLD(DS) OLD(MUBUF) OLD(MTBUF) OLD(EXP)
		N(SMEM, SMRD, SMEM_GFX8, SMEM) N(FLAT, FLAT_OLD, FLAT_OLD, FLAT) N(VOP3, VOP3A_OLD, VOP3A, VOP3A)
#undef N
#undef SAME
#undef OLD
	};
	return (enum isa_enc)encodings[format][gen < GCN_GFX8 ? 0 : gen - GCN_GFX7];
}

enum isa_enc isa_encoding_of(enum gcn_gen gen, enum gcn_op op, enum gcn_format format)
{
	const struct gcn_op_info *info = &op_infos[op];
	bool old = gen < GCN_GFX8;
	if (format != GCN_VOP3)
		return native_encoding(gen, format);
	if (info->fmt == GCN_VINTRP || info->flags & GCN_F_VOP3_INTERP)
		return ISA_ENC_VOP3I;
	if (info->fmt == GCN_VOPC)
		return old ? ISA_ENC_VOP3C_OLD : ISA_ENC_VOP3C;
	if (info->sdst_dw)
		return old ? ISA_ENC_VOP3B_OLD : ISA_ENC_VOP3B;
	return native_encoding(gen, format);
}

enum isa_enc isa_second_encoding(enum gcn_gen gen, const struct gcn_inst *in)
{
	if (in->sub == GCN_SUB_DPP)
		return ISA_ENC_DPP;
	if (gen == GCN_GFX8)
		return in->fmt == GCN_VOPC ? ISA_ENC_SDWAB_GFX8 : ISA_ENC_SDWA_GFX8;
	return in->fmt == GCN_VOPC ? ISA_ENC_SDWAB : ISA_ENC_SDWA;
}

bool isa_lane_select(const struct gcn_inst *in, const struct gcn_op_info *info)
{
	return in->fmt == GCN_VOP2 && info->flags & GCN_F_SRC0_LANES && info->src_dw[1];
}

bool isa_source_valid(enum gcn_gen gen, unsigned code)
{
	if (code >= GCN_SRC_FLAT_SCRATCH && code < GCN_SRC_XNACK_MASK)
		return true; /* before gfx8: the last two SGPRs */
	if (code >= GCN_SRC_XNACK_MASK && code < GCN_SRC_VCC)
		return gen == GCN_GFX9 || gen == GCN_GFX7;
	if (code >= GCN_SRC_SHARED_BASE && code <= GCN_SRC_POPS_EXITING_WAVE_ID)
		return gen == GCN_GFX9;
	if (code == GCN_SRC_INV_2PI)
		return gen >= GCN_GFX8;
	return code <= GCN_SRC_M0 || (code >= GCN_SRC_EXEC && code < GCN_SRC_NEG1 + 16) ||
		(code >= GCN_SRC_HALF && code < GCN_SRC_INV_2PI) || (code >= GCN_SRC_VCCZ && code < GCN_SRC_VGPR0 + 256);
}

unsigned isa_source_dw(const struct gcn_inst *in, int i)
{
	if (i == 0 && (in->fmt == GCN_MUBUF || in->fmt == GCN_MTBUF))
		return in->addr64 ? 2 : (unsigned)in->idxen + in->offen;
	if (i == 0 && in->fmt == GCN_GLOBAL && in->src[2] != GCN_SRC_NONE)
		return 1; /* an offset from SADDR */
	return op_infos[in->op].src_dw[i];
}

bool isa_dpp_ctrl_valid(unsigned ctrl)
{
	if (ctrl < 0x100) /* quad_perm */
		return true;
	if (ctrl < 0x130) /* row_shl, row_shr, row_ror by 1..15 */
		return ctrl & 15;
	if (ctrl < 0x140) /* wave_shl, wave_rol, wave_shr, wave_ror by 1 */
		return !(ctrl & 3);
	return ctrl <= 0x143; /* row_mirror, row_half_mirror, row_bcast 15, 31 */
}
