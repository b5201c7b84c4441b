/* SPDX-License-Identifier: MIT */
/* Tessellation shaders: their execution modes ("Tessellation" of the Vulkan specification), and their interface,
 * of which geometry shaders have the inputs.
 * What stages give each other there lies in rows (isa/abi.h), a word of each vertex or patch side by side, and
 * is loaded and stored where the shader does it: any invocation may read any vertex of its patch. */
#include "compiler/spv/spv_priv.h"

#include <assert.h>
#include "isa/abi.h"
#include "isa/regs.h"

/* --- execution modes --- */

void spv_tess_mode(struct spv *s, struct spv_op op)
{
	struct compiler_tess *t = &s->f->tess;
	switch (op.w[2]) {
	case SpvExecutionModeTriangles: t->domain = TESS_TRIANGLE + 1; break;
	case SpvExecutionModeQuads: t->domain = TESS_QUAD + 1; break;
	case SpvExecutionModeIsolines: t->domain = TESS_ISOLINE + 1; break;
	case SpvExecutionModeSpacingEqual: t->spacing = PART_INTEGER + 1; break;
	case SpvExecutionModeSpacingFractionalEven: t->spacing = PART_FRAC_EVEN + 1; break;
	case SpvExecutionModeSpacingFractionalOdd: t->spacing = PART_FRAC_ODD + 1; break;
	case SpvExecutionModeVertexOrderCw: t->order = OUTPUT_TRIANGLE_CW; break;
	case SpvExecutionModeVertexOrderCcw: t->order = OUTPUT_TRIANGLE_CCW; break;
	case SpvExecutionModePointMode: t->points = 1; break;
	case SpvExecutionModeOutputVertices: t->vertices = op.w[3]; break;
	default: spv_unsupported(s, "execution mode %s (%u) in this stage", spv_enum_name(SPV_ENUM_MODE, op.w[2]), op.w[2]);
	}
}

void spv_tess_check(struct spv *s)
{
	if (s->f->tess.vertices > ABI_PATCH_MAX_POINTS)
		spv_unsupported(s, "OutputVertices %u: maxTessellationPatchSize is %d", s->f->tess.vertices, ABI_PATCH_MAX_POINTS);
}

/* --- built-ins that are in no row --- */

static bool is_sysval(uint32_t builtin)
{
	switch (builtin) {
	case SpvBuiltInPosition: case SpvBuiltInPointSize: case SpvBuiltInClipDistance: case SpvBuiltInCullDistance:
	case SpvBuiltInTessLevelOuter: case SpvBuiltInTessLevelInner:
		return false;
	default:
		return true;
	}
}

/* u, v, and of a triangle 1 - u - v, which is exact. */
static struct ir_src tess_coord(struct spv *s, unsigned comp)
{
	if (comp < 2)
		return spv_sysval(s, IR_SYS_TESS_COORD, 2, comp);
	struct ir_src rest = ir_op2(&s->b, IR_FSUB, spv_f(s, 1), spv_sysval(s, IR_SYS_TESS_COORD, 2, 0));
	rest = ir_op2(&s->b, IR_FSUB, rest, spv_sysval(s, IR_SYS_TESS_COORD, 2, 1));
	return ir_op2(&s->b, IR_IAND, rest, spv_sysval(s, IR_SYS_TESS_DOMAIN, 1, 0));
}

struct ir_src spv_tess_input(struct spv *s, const struct spv_io *io)
{
	switch (io->slot) {
	case SpvBuiltInPrimitiveId: return spv_sysval(s, IR_SYS_PRIMITIVE_ID, 1, 0);
	case SpvBuiltInPatchVertices: return spv_sysval(s, IR_SYS_PATCH_VERTICES, 1, 0);
	case SpvBuiltInInvocationId:
		if (s->f->stage == COMPILER_TCS)
			return spv_sysval(s, IR_SYS_INVOCATION_ID, 1, 0);
		break;
	case SpvBuiltInTessCoord:
		if (s->f->stage == COMPILER_TES)
			return tess_coord(s, io->comp);
		break;
	default: break;
	}
	spv_refuse_builtin(s, io->slot);
}

/* --- rows --- */

static bool is_patch(const struct spv_var *var, uint32_t builtin)
{
	const struct spv_type *t = var->type;
	bool found = var->flags & SPV_PATCH || builtin == SpvBuiltInTessLevelOuter || builtin == SpvBuiltInTessLevelInner;
	for (uint32_t i = 0; t->kind == SPV_STRUCT && i < t->count; i++)
		found |= t->members[i].flags & SPV_PATCH;
	return found;
}

uint8_t spv_rows_of(struct spv *s, const struct spv_var *var)
{
	const struct spv_decor *d = spv_decoration(spv_id(s, var->id), SpvDecorationBuiltIn, -1);
	const bool control = s->f->stage == COMPILER_TCS, output = var->storage == SpvStorageClassOutput;
	uint32_t builtin = d ? spv_decor_param(s, d) : UINT32_MAX;
	const bool geometry = s->f->stage == COMPILER_GS;
	if ((!control && ((s->f->stage != COMPILER_TES && !geometry) || output)) || (d && is_sysval(builtin)))
		return SPV_ROWS_NONE;
	if (!geometry && is_patch(var, builtin))
		return SPV_ROWS_PATCH;
	if (var->type->kind != SPV_ARRAY || var->type->elem->leaves == UINT32_MAX)
		spv_invalid(s, "variable %u is no array of vertices", var->id);
	if (geometry && var->type->count > 6)
		spv_invalid(s, "variable %u: %u vertices", var->id, var->type->count);
	return geometry || (control && !output) ? SPV_ROWS_LINKED : SPV_ROWS_VERTEX;
}

/* Rows are numbered by slot and component: of what the vertex shader left by its outputs' slots, else by a patch's. */
static unsigned row_of(struct spv *s, const struct spv_ptr *p, const struct spv_io *io)
{
	static_assert((int)IR_PATCH_LOCATION0 > (int)ABI_PATCH_INNER, "levels come before locations");
	const bool linked = p->var->rows == SPV_ROWS_LINKED;
	if (!io->builtin)
		return (linked ? io->slot : IR_PATCH_LOCATION0 + io->slot) * 4 + io->comp;
	switch (io->slot) {
	case SpvBuiltInPosition: return (linked ? IR_SLOT_POSITION : IR_PATCH_POSITION) * 4 + io->comp;
	case SpvBuiltInPointSize: return (linked ? IR_SLOT_POINT_SIZE : IR_PATCH_POINT_SIZE) * 4;
	case SpvBuiltInClipDistance: return (linked ? COMPILER_SLOT_CLIP0 : IR_PATCH_CLIP0) * 4 + (io->comp & 7);
	case SpvBuiltInCullDistance: return (linked ? COMPILER_SLOT_CULL0 : IR_PATCH_CULL0) * 4 + (io->comp & 7);
	case SpvBuiltInTessLevelOuter: return ABI_PATCH_OUTER * 4 + (io->comp & 3);
	case SpvBuiltInTessLevelInner: return ABI_PATCH_INNER * 4 + (io->comp & 1);
	default: spv_refuse_builtin(s, io->slot);
	}
}

bool spv_rows_vertex(struct spv *s, struct spv_ptr *p, struct ir_src dynamic, uint32_t index)
{
	if (p->kind != SPV_PTR_ROWS || p->vertex.inst || p->var->rows == SPV_ROWS_PATCH)
		return false;
	p->vertex = dynamic.inst ? dynamic : spv_u(s, index);
	p->type = p->type->elem;
	return true;
}

void spv_rows_advance(struct spv *s, struct spv_ptr *p, struct ir_src dynamic, uint32_t stride, uint32_t count)
{
	if (!dynamic.inst) {
		p->slot += stride;
		return;
	}
	if (count < 2 || !stride)
		return;
	if (!p->dynamic.inst) {
		p->span_first = p->slot;
		p->span = p->type->leaves;
	}
	/* Elements follow each other, so that what is between the first two is between all. */
	const struct spv_io *io = p->var->io + p->slot;
	uint32_t bytes = (row_of(s, p, io + stride) - row_of(s, p, io)) * ABI_MERGED_ROW_BYTES;
	struct ir_src inside = ir_op2(&s->b, IR_UMIN, dynamic, spv_u(s, count - 1));
	struct ir_src term = ir_op2(&s->b, IR_IMUL, inside, spv_u(s, bytes));
	p->dynamic = p->dynamic.inst ? ir_op2(&s->b, IR_IADD, spv_use(s, p->dynamic), term) : term;
}

/* Where in a row: by the lane that has the vertex, or by the patch. */
static struct ir_src place_in_row(struct spv *s, const struct spv_ptr *p)
{
	struct ir_src at;
	if (s->f->stage == COMPILER_GS) {
		at = spv_linked_lane(s, spv_use(s, p->vertex));
	} else if (p->var->rows != SPV_ROWS_PATCH) {
		bool written = s->f->stage == COMPILER_TCS && p->var->rows == SPV_ROWS_VERTEX;
		struct ir_src vertices = spv_sysval(s, written ? IR_SYS_OUTPUT_VERTICES : IR_SYS_PATCH_VERTICES, 1, 0);
		at = ir_op2(&s->b, IR_IMUL, spv_sysval(s, IR_SYS_PATCH, 1, 0), vertices);
		at = ir_op2(&s->b, IR_IADD, at, spv_use(s, p->vertex));
		at = ir_op2(&s->b, IR_IAND, at, spv_u(s, 63)); /* a vertex that the patch has not is undefined, not wild */
	} else {
		at = spv_sysval(s, IR_SYS_PATCH, 1, 0);
	}
	at = ir_op2(&s->b, IR_ISHL, at, spv_u(s, 2));
	return p->dynamic.inst ? ir_op2(&s->b, IR_IADD, at, spv_use(s, p->dynamic)) : at;
}

static struct ir_inst *access(struct spv *s, const struct spv_ptr *p, struct ir_src at, unsigned row, enum ir_op op, unsigned sources)
{
	struct ir_inst *inst = ir_inst_new(s->f, op, op == IR_STORE_PATCH ? 0 : 32, op == IR_STORE_PATCH ? 0 : 1, sources);
	inst->u.io.slot = (uint8_t)(row / 4);
	inst->u.io.comp = (uint8_t)(row % 4);
	inst->u.io.mode = p->var->rows == SPV_ROWS_PATCH ? IR_PATCH_WHOLE : IR_PATCH_VERTEX;
	inst->src[0] = at;
	return inst;
}

/* How many slots beyond this row's a dynamic index may reach. */
static uint8_t reach(struct spv *s, const struct spv_ptr *p, unsigned row)
{
	unsigned last = row;
	for (uint32_t i = 0; p->dynamic.inst && i < p->span; i++) {
		unsigned other = row_of(s, p, &p->var->io[p->span_first + i]);
		last = other > last ? other : last;
	}
	return (uint8_t)(last / 4 - row / 4);
}

static struct ir_src load_row(struct spv *s, const struct spv_ptr *p, struct ir_src at, unsigned row)
{
	bool linked = p->var->rows == SPV_ROWS_LINKED;
	enum ir_op op = linked ? IR_LOAD_LINKED : s->f->stage == COMPILER_TCS ? IR_LOAD_OWN_PATCH : IR_LOAD_PATCH;
	struct ir_inst *inst = access(s, p, at, row, op, 1);
	if (linked)
		inst->u.io.mode = reach(s, p, row);
	ir_insert(&s->b, inst);
	return ir_comp(inst, 0);
}

static void store_row(struct spv *s, const struct spv_ptr *p, struct ir_src at, unsigned row, struct ir_src value)
{
	struct ir_inst *inst = access(s, p, at, row, IR_STORE_PATCH, 2);
	inst->src[1] = value;
	ir_insert(&s->b, inst);
}

/* All vertices of a pointer that names none, one after the other. */
static bool each_vertex(struct spv *s, const struct spv_ptr *p, uint32_t i, struct spv_ptr *vertex)
{
	if (p->vertex.inst || p->var->rows == SPV_ROWS_PATCH || i >= p->type->count)
		return false;
	*vertex = *p;
	return spv_rows_vertex(s, vertex, (struct ir_src){ 0 }, i);
}

void spv_rows_load(struct spv *s, const struct spv_ptr *p, struct ir_src *out)
{
	struct spv_ptr vertex;
	uint32_t i = 0;
	for (; each_vertex(s, p, i, &vertex); i++)
		spv_rows_load(s, &vertex, out + i * vertex.type->leaves);
	if (i)
		return;
	struct ir_src at = place_in_row(s, p);
	for (; i < p->type->leaves; i++) {
		const struct spv_io *io = &p->var->io[p->slot + i];
		struct ir_src word = load_row(s, p, at, row_of(s, p, io));
		out[i] = io->type->width > 32 ? ir_op2(&s->b, IR_PACK, word, load_row(s, p, at, row_of(s, p, io) + 1)) :
			spv_from_word(s, io->type, word);
	}
}

void spv_rows_store(struct spv *s, const struct spv_ptr *p, const struct ir_src *value)
{
	struct spv_ptr vertex;
	uint32_t i = 0;
	if (p->var->storage != SpvStorageClassOutput)
		spv_invalid(s, "a store to an input");
	for (; each_vertex(s, p, i, &vertex); i++)
		spv_rows_store(s, &vertex, value + i * vertex.type->leaves);
	if (i)
		return;
	struct ir_src at = place_in_row(s, p);
	for (; i < p->type->leaves; i++) {
		const struct spv_io *io = &p->var->io[p->slot + i];
		unsigned row = row_of(s, p, io);
		if (io->type->width > 32) {
			store_row(s, p, at, row, ir_convert(&s->b, IR_UCONV, 32, value[i]));
			store_row(s, p, at, row + 1, ir_op1(&s->b, IR_HIGH, value[i]));
		} else {
			store_row(s, p, at, row, spv_to_word(s, io->type, value[i]));
		}
	}
}
