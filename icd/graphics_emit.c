/* SPDX-License-Identifier: MIT */
/* From graphics state to registers, one function a group. */
#include <math.h>
#include <string.h>
#include "icd/graphics_state.h"
#include "icd/pm4_build.h"
#include "isa/resource.h"
#include "isa/samples.h"

/* What a table says of an enumerator; commands can set any number, and what Vulkan does
 * not know is as the first. */
#define OF(table, enumerator) ((enumerator) < sizeof(table) / sizeof *(table) ? (table)[enumerator] : (table)[0])

/* --- primitives --- */

static void emit_PRIMITIVE(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	static const uint8_t types[] = {
		[VK_PRIMITIVE_TOPOLOGY_POINT_LIST] = DI_PT_POINTLIST,
		[VK_PRIMITIVE_TOPOLOGY_LINE_LIST] = DI_PT_LINELIST,
		[VK_PRIMITIVE_TOPOLOGY_LINE_STRIP] = DI_PT_LINESTRIP,
		[VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST] = DI_PT_TRILIST,
		[VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP] = DI_PT_TRISTRIP,
		[VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN] = DI_PT_TRIFAN,
		[VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY] = DI_PT_LINELIST_ADJ,
		[VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY] = DI_PT_LINESTRIP_ADJ,
		[VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY] = DI_PT_TRILIST_ADJ,
		[VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY] = DI_PT_TRISTRIP_ADJ,
		[VK_PRIMITIVE_TOPOLOGY_PATCH_LIST] = DI_PT_PATCH,
	};
	icd_pm4_uconfig(pm4, R_VGT_PRIMITIVE_TYPE, OF(types, s->topology));
}

/* As many patches as a wave has lanes for: the GPU may take fewer. */
static void emit_PATCH(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	uint32_t most = s->patch_points > s->tess.vertices ? s->patch_points : s->tess.vertices;
	if (s->tess.vertices)
		icd_pm4_context(pm4, R_VGT_LS_HS_CONFIG, REG_SET(VGT_LS_HS_CONFIG, NUM_PATCHES, 64 / most) |
			REG_SET(VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP, s->patch_points) |
			REG_SET(VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP, s->tess.vertices));
}

/* The domain seen from the other side: what was clockwise is not. */
static void emit_TESSELLATION(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	uint32_t topology = s->tess.topology;
	if (s->domain_lower && topology >= OUTPUT_TRIANGLE_CW)
		topology = OUTPUT_TRIANGLE_CW + OUTPUT_TRIANGLE_CCW - topology;
	if (s->tess.vertices)
		icd_pm4_context(pm4, R_VGT_TF_PARAM, REG_SET(VGT_TF_PARAM, TYPE, s->tess.type) |
			REG_SET(VGT_TF_PARAM, PARTITIONING, s->tess.partitioning) | REG_SET(VGT_TF_PARAM, TOPOLOGY, topology));
}

static void emit_RESTART(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	icd_pm4_uconfig(pm4, R_VGT_MULTI_PRIM_IB_RESET_EN, s->primitive_restart);
}

static void emit_ATTRIBUTES(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
}

/* --- viewport and clipping --- */

/* One at least, so that the registers are known whatever was set. */
static uint32_t at_least_one(uint32_t count)
{
	return count ? count : 1;
}

static void fill_viewport(const struct icd_graphics_state *s, const VkViewport *v, float xform[6], float range[2])
{
	float z_scale = v->maxDepth - v->minDepth, z_offset = v->minDepth;
	if (s->depth_symmetric) {
		z_scale = z_scale * 0.5f;
		z_offset = (v->maxDepth + v->minDepth) * 0.5f;
	}
	const float to_window[6] = { v->width * 0.5f, v->x + v->width * 0.5f, v->height * 0.5f, v->y + v->height * 0.5f,
		z_scale, z_offset };
	memcpy(xform, to_window, sizeof to_window);
	const float lo = v->minDepth < v->maxDepth ? v->minDepth : v->maxDepth;
	const float hi = v->minDepth < v->maxDepth ? v->maxDepth : v->minDepth;
	const float least = s->depth_unrestricted ? -INFINITY : 0.0f, most = s->depth_unrestricted ? INFINITY : 1.0f;
	range[0] = s->depth_clamp ? lo : least;
	range[1] = s->depth_clamp ? hi : most;
}

static void emit_VIEWPORT(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	float xform[ICD_MAX_VIEWPORTS][6], range[ICD_MAX_VIEWPORTS][2];
	uint32_t count = at_least_one(s->viewport.count);
	for (uint32_t i = 0; i < count; i++)
		fill_viewport(s, &s->viewport.at[i], xform[i], range[i]);
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_PA_CL_VPORT_XSCALE, xform, 6 * count);
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_PA_SC_VPORT_ZMIN, range, 2 * count);
}
static_assert(PA_CL_VPORT_XSCALE__STRIDE == 6 && PA_SC_VPORT_ZMIN__STRIDE == 2, "set as runs");

static uint32_t clamp_scissor(int64_t v)
{
	return v < 0 ? 0 : v > 0x7fff ? 0x7fff : (uint32_t)v;
}

struct span {
	int64_t begin, end;
};

/* The pixels of a scissor's side whose centres lie inside the viewport's.  The
 * guard band lets triangles pass the view volume, so this is what clips them. */
static struct span clip_to_viewport(int64_t begin, uint32_t extent, float edge, float size)
{
	const float far = 65536.0f; /* beyond every framebuffer, and nothing for a NaN */
	float low = size < 0 ? edge + size : edge, high = size < 0 ? edge : edge + size;
	struct span s = { (int64_t)ceilf(fminf(fmaxf(low, -far), far) - 0.5f),
		(int64_t)ceilf(fminf(fmaxf(high, -far), far) - 0.5f) };
	if (s.begin < begin)
		s.begin = begin;
	if (s.end > begin + extent)
		s.end = begin + extent;
	if (s.end < s.begin)
		s.end = s.begin;
	return s;
}

static void fill_scissor(const VkRect2D *r, const VkViewport *v, uint32_t tl_br[2])
{
	const struct span x = clip_to_viewport(r->offset.x, r->extent.width, v->x, v->width);
	const struct span y = clip_to_viewport(r->offset.y, r->extent.height, v->y, v->height);
	tl_br[0] = REG_SET(PA_SC_VPORT_SCISSOR_TL, TL_X, clamp_scissor(x.begin)) |
		REG_SET(PA_SC_VPORT_SCISSOR_TL, TL_Y, clamp_scissor(y.begin));
	tl_br[1] = REG_SET(PA_SC_VPORT_SCISSOR_BR, BR_X, clamp_scissor(x.end)) |
		REG_SET(PA_SC_VPORT_SCISSOR_BR, BR_Y, clamp_scissor(y.end));
}

static void emit_SCISSOR(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	uint32_t tl_br[ICD_MAX_VIEWPORTS][2], count = at_least_one(s->scissor.count);
	for (uint32_t i = 0; i < count; i++)
		fill_scissor(&s->scissor.at[i], &s->viewport.at[i], tl_br[i]);
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_PA_SC_VPORT_SCISSOR_TL, tl_br, 2 * count);
}
static_assert(PA_SC_VPORT_SCISSOR_TL__STRIDE == 2, "set as a run");

static void emit_CLIP_CNTL(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	bool clips = s->depth_clip == ICD_CLIP_UNLESS_CLAMP ? !s->depth_clamp : s->depth_clip == ICD_CLIP_ON;
	icd_pm4_context(pm4, R_PA_CL_CLIP_CNTL,
		REG_SET(PA_CL_CLIP_CNTL, DX_CLIP_SPACE_DEF, !s->depth_symmetric) |
		REG_SET(PA_CL_CLIP_CNTL, DX_RASTERIZATION_KILL, s->rasterizer_discard) |
		REG_SET(PA_CL_CLIP_CNTL, ZCLIP_NEAR_DISABLE, !clips) |
		REG_SET(PA_CL_CLIP_CNTL, ZCLIP_FAR_DISABLE, !clips));
}

/* --- rasterization --- */

static void emit_MODE_CNTL(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	uint32_t ptype = s->polygon_mode == VK_POLYGON_MODE_POINT ? PTYPE_POINTS :
		s->polygon_mode == VK_POLYGON_MODE_LINE ? PTYPE_LINES : PTYPE_TRIANGLES;
	icd_pm4_context(pm4, R_PA_SU_SC_MODE_CNTL,
		REG_SET(PA_SU_SC_MODE_CNTL, CULL_FRONT, !!(s->cull_mode & VK_CULL_MODE_FRONT_BIT)) |
		REG_SET(PA_SU_SC_MODE_CNTL, CULL_BACK, !!(s->cull_mode & VK_CULL_MODE_BACK_BIT)) |
		REG_SET(PA_SU_SC_MODE_CNTL, FACE, s->front_face == VK_FRONT_FACE_CLOCKWISE ? FACE_CW : FACE_CCW) |
		REG_SET(PA_SU_SC_MODE_CNTL, PROVOKING_VTX_LAST, s->provoking_last) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLY_MODE, ptype != PTYPE_TRIANGLES) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLYMODE_FRONT_PTYPE, ptype) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLYMODE_BACK_PTYPE, ptype) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLY_OFFSET_FRONT_ENABLE, s->depth_bias_enable) |
		REG_SET(PA_SU_SC_MODE_CNTL, POLY_OFFSET_BACK_ENABLE, s->depth_bias_enable));
}

static void emit_STRMOUT(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	icd_pm4_context(pm4, R_VGT_STRMOUT_CONFIG, REG_SET(VGT_STRMOUT_CONFIG, RAST_STREAM, s->rasterization_stream));
}

static void emit_POLY_OFFSET(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	const struct icd_depth_bias *b = &s->depth_bias;
	const float bias[5] = { b->clamp, b->slope, b->constant, b->slope, b->constant };
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_PA_SU_POLY_OFFSET_CLAMP, bias, 5);
}

static void emit_LINE_RULE(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	icd_pm4_context(pm4, R_PA_SC_LINE_CNTL, REG_SET(PA_SC_LINE_CNTL, PERPENDICULAR_ENDCAP_ENA,
		s->line_mode != VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT));
}

static void emit_LINE_WIDTH(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	icd_pm4_context(pm4, R_PA_SU_LINE_CNTL, (uint32_t)(s->line_width * 8.0f + 0.5f));
}

/* --- samples --- */

/* Without a count, that of the targets counts. */
static void emit_AA_CONFIG(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	if (s->samples)
		icd_pm4_context(pm4, R_PA_SC_AA_CONFIG, REG_SET(PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES,
			(uint32_t)__builtin_ctz(s->samples)));
}

static void emit_SAMPLES(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	const uint32_t places[2] = { isa_sample_locs(s->samples, 0), isa_sample_locs(s->samples, 1) };
	bool iterate = s->once_a_sample && s->samples > 1;
	static_assert(ISA_MAX_SAMPLES == 8, "two registers of places");
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0, places, 2);
	icd_pm4_context(pm4, R_PA_SC_MODE_CNTL_1, REG_SET(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, iterate));
	icd_pm4_context(pm4, R_SPI_BARYC_CNTL, REG_SET(SPI_BARYC_CNTL, POS_FLOAT_LOCATION,
		iterate ? POS_FLOAT_SAMPLE : POS_FLOAT_CENTER));
}
static_assert(PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0__STRIDE == 1, "set as a run");

static void emit_SAMPLE_MASK(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	icd_pm4_context(pm4, R_PA_SC_AA_MASK_X0Y0_X1Y0, REG_SET(PA_SC_AA_MASK_X0Y0_X1Y0, AA_MASK_X0Y0, s->sample_mask));
}

static void emit_ALPHA_TO_MASK(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	icd_pm4_context(pm4, R_DB_ALPHA_TO_MASK, REG_SET(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_ENABLE, s->alpha_to_coverage));
}

/* --- depth and stencil --- */

static_assert(COMPARE_NEVER == (int)VK_COMPARE_OP_NEVER && COMPARE_LESS == (int)VK_COMPARE_OP_LESS &&
	COMPARE_EQUAL == (int)VK_COMPARE_OP_EQUAL && COMPARE_LEQUAL == (int)VK_COMPARE_OP_LESS_OR_EQUAL &&
	COMPARE_GREATER == (int)VK_COMPARE_OP_GREATER && COMPARE_NOTEQUAL == (int)VK_COMPARE_OP_NOT_EQUAL &&
	COMPARE_GEQUAL == (int)VK_COMPARE_OP_GREATER_OR_EQUAL && COMPARE_ALWAYS == (int)VK_COMPARE_OP_ALWAYS,
	"compare functions have Vulkan's numbers, here and in samplers");

static bool tests_stencil(const struct icd_graphics_state *s)
{
	return s->stencil_test && s->depth_aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
}

static void emit_DEPTH_CONTROL(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	bool has_depth = s->depth_aspects & VK_IMAGE_ASPECT_DEPTH_BIT;
	uint32_t control = 0;
	if (has_depth && s->depth_test)
		control |= REG_SET(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
			REG_SET(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, s->depth_write) |
			REG_SET(DB_DEPTH_CONTROL, ZFUNC, s->depth_compare);
	if (has_depth)
		control |= REG_SET(DB_DEPTH_CONTROL, DEPTH_BOUNDS_ENABLE, s->depth_bounds_test);
	if (tests_stencil(s))
		control |= REG_SET(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
			REG_SET(DB_DEPTH_CONTROL, BACKFACE_ENABLE, 1) |
			REG_SET(DB_DEPTH_CONTROL, STENCILFUNC, s->stencil_op[ICD_FRONT].compare) |
			REG_SET(DB_DEPTH_CONTROL, STENCILFUNC_BF, s->stencil_op[ICD_BACK].compare);
	icd_pm4_context(pm4, R_DB_DEPTH_CONTROL, control);
}

static void emit_STENCIL_CONTROL(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	static const uint8_t to[] = {
		[VK_STENCIL_OP_KEEP] = STENCIL_KEEP, [VK_STENCIL_OP_ZERO] = STENCIL_ZERO,
		[VK_STENCIL_OP_REPLACE] = STENCIL_REPLACE_TEST, [VK_STENCIL_OP_INVERT] = STENCIL_INVERT,
		[VK_STENCIL_OP_INCREMENT_AND_CLAMP] = STENCIL_ADD_CLAMP,
		[VK_STENCIL_OP_DECREMENT_AND_CLAMP] = STENCIL_SUB_CLAMP,
		[VK_STENCIL_OP_INCREMENT_AND_WRAP] = STENCIL_ADD_WRAP,
		[VK_STENCIL_OP_DECREMENT_AND_WRAP] = STENCIL_SUB_WRAP,
	};
	const struct icd_stencil_op *front = &s->stencil_op[ICD_FRONT], *back = &s->stencil_op[ICD_BACK];
	uint32_t ops = 0;
	if (tests_stencil(s))
		ops = REG_SET(DB_STENCIL_CONTROL, STENCILFAIL, OF(to, front->fail)) |
			REG_SET(DB_STENCIL_CONTROL, STENCILZPASS, OF(to, front->pass)) |
			REG_SET(DB_STENCIL_CONTROL, STENCILZFAIL, OF(to, front->depth_fail)) |
			REG_SET(DB_STENCIL_CONTROL, STENCILFAIL_BF, OF(to, back->fail)) |
			REG_SET(DB_STENCIL_CONTROL, STENCILZPASS_BF, OF(to, back->pass)) |
			REG_SET(DB_STENCIL_CONTROL, STENCILZFAIL_BF, OF(to, back->depth_fail));
	icd_pm4_context(pm4, R_DB_STENCIL_CONTROL, ops);
}

static void emit_STENCIL_REFMASK(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	uint32_t value[2];
	for (int i = ICD_FRONT; i <= ICD_BACK; i++)
		value[i] = REG_SET(DB_STENCILREFMASK, STENCILTESTVAL, s->stencil_reference[i]) |
			REG_SET(DB_STENCILREFMASK, STENCILMASK, s->stencil_compare_mask[i]) |
			REG_SET(DB_STENCILREFMASK, STENCILWRITEMASK, s->stencil_write_mask[i]);
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_DB_STENCILREFMASK, value, 2);
}

static void emit_DEPTH_BOUNDS(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_DB_DEPTH_BOUNDS_MIN, s->depth_bounds, 2);
}

/* --- blending --- */

static uint32_t blend_control(const struct icd_blend_equation *e)
{
	static const uint8_t factor[] = {
#define F(name) [VK_BLEND_FACTOR_##name] = BLEND_##name
		F(ZERO), F(ONE), F(SRC_COLOR), F(ONE_MINUS_SRC_COLOR), F(DST_COLOR), F(ONE_MINUS_DST_COLOR),
		F(SRC_ALPHA), F(ONE_MINUS_SRC_ALPHA), F(DST_ALPHA), F(ONE_MINUS_DST_ALPHA),
		F(CONSTANT_COLOR), F(ONE_MINUS_CONSTANT_COLOR), F(CONSTANT_ALPHA), F(ONE_MINUS_CONSTANT_ALPHA),
		F(SRC_ALPHA_SATURATE), F(SRC1_COLOR), F(ONE_MINUS_SRC1_COLOR), F(SRC1_ALPHA), F(ONE_MINUS_SRC1_ALPHA),
#undef F
	};
	static const uint8_t op[] = {
		[VK_BLEND_OP_ADD] = COMB_ADD, [VK_BLEND_OP_SUBTRACT] = COMB_SUBTRACT,
		[VK_BLEND_OP_REVERSE_SUBTRACT] = COMB_REVERSE_SUBTRACT,
		[VK_BLEND_OP_MIN] = COMB_MIN, [VK_BLEND_OP_MAX] = COMB_MAX,
	};
	return REG_SET(CB_BLEND_CONTROL, ENABLE, 1) | REG_SET(CB_BLEND_CONTROL, SEPARATE_ALPHA_BLEND, 1) |
		REG_SET(CB_BLEND_CONTROL, COLOR_SRCBLEND, OF(factor, e->src_color)) |
		REG_SET(CB_BLEND_CONTROL, COLOR_DESTBLEND, OF(factor, e->dst_color)) |
		REG_SET(CB_BLEND_CONTROL, COLOR_COMB_FCN, OF(op, e->color_op)) |
		REG_SET(CB_BLEND_CONTROL, ALPHA_SRCBLEND, OF(factor, e->src_alpha)) |
		REG_SET(CB_BLEND_CONTROL, ALPHA_DESTBLEND, OF(factor, e->dst_alpha)) |
		REG_SET(CB_BLEND_CONTROL, ALPHA_COMB_FCN, OF(op, e->alpha_op));
}

/* Four bits a target. */
static uint32_t target_mask(const struct icd_graphics_state *s)
{
	uint32_t mask = 0;
	for (uint32_t i = 0; i < ICD_MAX_COLOR; i++)
		if (s->color_targets >> i & 1 && s->color_write_enable[i])
			mask |= (s->color_write_mask[i] & 0xfu) << 4 * i;
	return mask;
}

/* A logic op takes the place of blending (section "Logical Operations"). */
static void emit_BLEND(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	uint32_t control[ICD_MAX_COLOR] = { 0 };
	for (uint32_t i = 0; i < ICD_MAX_COLOR; i++)
		if (s->color_targets >> i & 1 && s->blend_enable[i] && !s->logic_op_enable)
			control[i] = blend_control(&s->blend_equation[i]);
	icd_pm4_context(pm4, R_CB_TARGET_MASK, target_mask(s));
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_CB_BLEND_CONTROL, control, ICD_MAX_COLOR);
}
static_assert(CB_BLEND_CONTROL__STRIDE == 1, "set as a run");

static void emit_COLOR_CONTROL(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	static const uint8_t rop3[] = {
#define OP(name) [VK_LOGIC_OP_##name] = ROP3_##name
		OP(CLEAR), OP(AND), OP(AND_REVERSE), OP(COPY), OP(AND_INVERTED), OP(NO_OP), OP(XOR), OP(OR), OP(NOR),
		OP(EQUIVALENT), OP(INVERT), OP(OR_REVERSE), OP(COPY_INVERTED), OP(OR_INVERTED), OP(NAND), OP(SET),
#undef OP
	};
	icd_pm4_context(pm4, R_CB_COLOR_CONTROL,
		REG_SET(CB_COLOR_CONTROL, MODE, target_mask(s) ? CB_MODE_NORMAL : CB_MODE_DISABLE) |
		REG_SET(CB_COLOR_CONTROL, ROP3, s->logic_op_enable ? OF(rop3, s->logic_op) : ROP3_COPY));
}

static void emit_BLEND_CONSTANTS(struct icd_pm4 *pm4, const struct icd_graphics_state *s)
{
	icd_pm4_regs(pm4, PM4_SET_CONTEXT_REG, R_CB_BLEND_RED, s->blend_constants, 4);
}

/* --- all --- */

typedef void emit(struct icd_pm4 *pm4, const struct icd_graphics_state *s);
static emit *const emitters[ICD_GROUP_COUNT] = {
#define GROUP(name) [ICD_GROUP_##name] = emit_##name,
#define STATE(name, dynamic, member, groups)
#define ALSO(name, dynamic)
#include "icd/graphics_state.def"
};

void icd_graphics_emit(struct icd_pm4 *pm4, const struct icd_graphics_state *state, uint32_t groups)
{
	for (; groups; groups &= groups - 1)
		emitters[__builtin_ctz(groups)](pm4, state);
}
