/* SPDX-License-Identifier: MIT */
/* Mesh and task shaders.  Outputs of a mesh shader are memory, a row for each component
 * (isa/abi.h); which rows there are is known when all of the shader has been seen, so each slot's
 * place is a constant that is filled in at the end.  "Mesh Shading" of the Vulkan specification. */
#include "compiler/spv/spv_priv.h"

#include <string.h>
#include "isa/abi.h"
#include "isa/regs.h"

/* Slots beside COMPILER_SLOT_* (params) and IR_SLOT_* (misc vectors); distances have up to eight rows. */
enum { SLOT_CLIP = 44, SLOT_CULL, SLOT_INDICES, SLOT_CULL_PRIMITIVE, SLOTS };
enum { OF_VERTEX, OF_PRIMITIVE, SPACES };

struct spv_mesh { struct ir_inst *base[SPACES][SLOTS]; };

struct row { uint8_t space, slot; uint32_t comp; };

static uint32_t row_bytes(const struct spv *s, unsigned space)
{
	return 4 * (space == OF_VERTEX ? s->f->mesh.vertices : s->f->mesh.prims);
}

static struct row builtin_row(struct spv *s, const struct spv_io *io)
{
	switch (io->slot) {
	case SpvBuiltInPosition: return (struct row){ OF_VERTEX, IR_SLOT_POSITION, io->comp };
	case SpvBuiltInPointSize: return (struct row){ OF_VERTEX, IR_SLOT_POINT_SIZE, 0 };
	case SpvBuiltInClipDistance: return (struct row){ OF_VERTEX, SLOT_CLIP, io->comp };
	case SpvBuiltInCullDistance: return (struct row){ OF_VERTEX, SLOT_CULL, io->comp };
	case SpvBuiltInPrimitiveId: return (struct row){ OF_PRIMITIVE, COMPILER_SLOT_PRIMITIVE_ID, 0 };
	case SpvBuiltInLayer: return (struct row){ OF_PRIMITIVE, IR_SLOT_LAYER, 0 };
	case SpvBuiltInViewportIndex: return (struct row){ OF_PRIMITIVE, IR_SLOT_VIEWPORT, 0 };
	case SpvBuiltInCullPrimitiveEXT: return (struct row){ OF_PRIMITIVE, SLOT_CULL_PRIMITIVE, 0 };
	case SpvBuiltInPrimitivePointIndicesEXT: case SpvBuiltInPrimitiveLineIndicesEXT:
	case SpvBuiltInPrimitiveTriangleIndicesEXT:
		return (struct row){ OF_PRIMITIVE, SLOT_INDICES, io->comp };
	case SpvBuiltInPrimitiveShadingRateKHR:
		spv_unsupported(s, "built-in PrimitiveShadingRateKHR, which the feature primitiveFragmentShadingRateMeshShader is for");
	default:
		spv_unsupported(s, "built-in %s (%u) as an output of a mesh shader",
			spv_enum_name(SPV_ENUM_BUILTIN, io->slot), io->slot);
	}
}

static struct row row_of(struct spv *s, const struct spv_io *io)
{
	if (io->builtin)
		return builtin_row(s, io);
	return (struct row){ io->flags & SPV_PER_PRIMITIVE ? OF_PRIMITIVE : OF_VERTEX, (uint8_t)io->slot, io->comp };
}

/* The param that the fragment shader reads a built-in as, beside its row; false: it does not. */
static bool copy_of(const struct row *r, struct row *copy)
{
	*copy = *r;
	if (r->slot == SLOT_CLIP || r->slot == SLOT_CULL) {
		copy->slot = (uint8_t)((r->slot == SLOT_CLIP ? COMPILER_SLOT_CLIP0 : COMPILER_SLOT_CULL0) + r->comp / 4);
		copy->comp &= 3;
	} else if (r->slot == IR_SLOT_VIEWPORT) {
		copy->slot = COMPILER_SLOT_VIEWPORT;
	} else {
		return false;
	}
	return true;
}

/* The constant of a slot's place, which is to have one from now on. */
static struct ir_src touch(struct spv *s, const struct row *r)
{
	struct ir_inst **base = &s->mesh->base[r->space][r->slot];
	if (!*base) {
		*base = ir_inst_new(s->f, IR_CONST, 32, 1, 0);
		ir_insert(&s->prologue, *base);
	}
	return ir_comp(*base, 0);
}

/* --- pointers --- */

void spv_mesh_element(struct spv *s, struct spv_ptr *p, struct ir_src index)
{
	p->index = index;
	p->type = p->type->elem;
	p->indexed = true;
}

int64_t spv_mesh_distance(struct spv *s, const struct spv_var *var, uint32_t from, uint32_t to)
{
	struct row a = row_of(s, &var->io[from]), b = row_of(s, &var->io[to]);
	int64_t slots = var->io[from].builtin ? 0 : (int64_t)b.slot - a.slot;
	return (4 * slots + b.comp - a.comp) * row_bytes(s, a.space);
}

/* With a dynamic index any leaf of the span may be meant: all have places, one after another. */
static void touch_span(struct spv *s, const struct spv_ptr *p)
{
	for (uint32_t i = 0; p->dynamic.inst && i < p->span; i++) {
		struct row r = row_of(s, &p->var->io[p->span_first + i]), copy;
		touch(s, &r);
		if (copy_of(&r, &copy))
			touch(s, &copy);
	}
}

/* The byte offset in the block, `more` words on. */
static struct ir_src offset_of(struct spv *s, const struct spv_ptr *p, const struct row *r, unsigned more)
{
	struct ir_src at = ir_op2(&s->b, IR_ISHL, spv_use(s, p->index), spv_u(s, 2));
	if (p->dynamic.inst)
		at = ir_op2(&s->b, IR_IADD, at, spv_use(s, p->dynamic));
	struct ir_src row = ir_op2(&s->b, IR_IADD, touch(s, r), spv_u(s, (r->comp + more) * row_bytes(s, r->space)));
	return ir_op2(&s->b, IR_IADD, at, row);
}

static struct ir_src address(struct spv *s, enum ir_sysval which)
{
	return ir_op2(&s->b, IR_PACK, spv_sysval(s, which, 2, 0), spv_sysval(s, which, 2, 1));
}

static void store_word(struct spv *s, struct ir_src at, struct ir_src value)
{
	struct ir_inst *store = ir_inst_new(s->f, IR_STORE_GLOBAL, 0, 0, 3);
	store->src[0] = address(s, IR_SYS_BLOCK);
	store->src[1] = at;
	store->src[2] = value;
	store->u.mem.align = 4;
	ir_insert(&s->b, store);
}

static void store_row(struct spv *s, const struct spv_ptr *p, const struct row *r, const struct spv_type *type,
	struct ir_src value)
{
	if (type->width <= 32) {
		store_word(s, offset_of(s, p, r, 0), spv_to_word(s, type, value));
		return;
	}
	store_word(s, offset_of(s, p, r, 0), ir_convert(&s->b, IR_UCONV, 32, value));
	store_word(s, offset_of(s, p, r, 1), ir_op1(&s->b, IR_HIGH, value));
}

static struct ir_src load_row(struct spv *s, const struct spv_ptr *p, const struct row *r, unsigned more)
{
	struct ir_inst *load = ir_inst_new(s->f, IR_LOAD_GLOBAL, 32, 1, 2);
	load->src[0] = address(s, IR_SYS_BLOCK);
	load->src[1] = offset_of(s, p, r, more);
	load->u.mem.align = 4;
	ir_insert(&s->b, load);
	return ir_comp(load, 0);
}

/* Each element, if p is all of the output. */
static void each_element(struct spv *s, const struct spv_ptr *p, void (*move)(struct spv *s, const struct spv_ptr *p,
	struct ir_src *value), struct ir_src *value)
{
	if (p->indexed) {
		touch_span(s, p);
		move(s, p, value);
		return;
	}
	for (uint32_t i = 0; i < p->type->count; i++) {
		struct spv_ptr q = *p;
		spv_mesh_element(s, &q, spv_u(s, i));
		move(s, &q, value);
		value += q.type->leaves;
	}
}

static void store_element(struct spv *s, const struct spv_ptr *p, struct ir_src *value)
{
	for (uint32_t i = 0; i < p->type->leaves; i++) {
		const struct spv_io *io = &p->var->io[p->slot + i];
		struct row r = row_of(s, io), copy;
		store_row(s, p, &r, io->type, value[i]);
		if (copy_of(&r, &copy))
			store_row(s, p, &copy, io->type, value[i]);
	}
}

static void load_element(struct spv *s, const struct spv_ptr *p, struct ir_src *value)
{
	for (uint32_t i = 0; i < p->type->leaves; i++) {
		const struct spv_io *io = &p->var->io[p->slot + i];
		struct row r = row_of(s, io);
		struct ir_src word = load_row(s, p, &r, 0);
		if (io->type->width > 32)
			value[i] = ir_op2(&s->b, IR_PACK, word, load_row(s, p, &r, 1));
		else if (io->type->kind == SPV_BOOL)
			value[i] = ir_op2(&s->b, IR_ICMP_NE, word, spv_u(s, 0));
		else
			value[i] = spv_from_word(s, io->type, word);
	}
}

void spv_mesh_store(struct spv *s, const struct spv_ptr *p, const struct ir_src *value)
{
	each_element(s, p, store_element, (struct ir_src *)value); /* only read */
}

void spv_mesh_load(struct spv *s, const struct spv_ptr *p, struct ir_src *out)
{
	each_element(s, p, load_element, out);
}

/* --- instructions --- */

struct ir_src spv_payload_address(struct spv *s)
{
	if (s->f->stage == COMPILER_MS)
		return address(s, IR_SYS_PAYLOAD);
	return ir_op2(&s->b, IR_IADD, address(s, IR_SYS_BLOCK), ir_const_of(&s->b, 64, ABI_TASK_HEAD_BYTES));
}

/* Words at the start of the block, as the group's first invocation has them. */
static void store_head(struct spv *s, const uint32_t *ids, unsigned count)
{
	struct spv_io index = { .builtin = true, .slot = SpvBuiltInLocalInvocationIndex };
	struct ir_src words[3];
	for (unsigned i = 0; i < count; i++)
		words[i] = spv_number(s, ids[i]);
	struct ir_if *first = ir_begin_if(&s->b, ir_op2(&s->b, IR_ICMP_EQ, spv_builtin(s, &index), spv_u(s, 0)));
	for (unsigned i = 0; i < count; i++)
		store_word(s, spv_u(s, 4 * i), words[i]);
	ir_end_if(&s->b, first);
}

void spv_emit_tasks(struct spv *s, struct spv_op op)
{
	if (s->f->stage != COMPILER_TS)
		spv_invalid(s, "only for task shaders");
	if (op.n > 4 && spv_pointer(s, op.w[4])->var->storage != SpvStorageClassTaskPayloadWorkgroupEXT)
		spv_invalid(s, "id %u is no payload", op.w[4]);
	store_head(s, op.w + 1, 3);
}

bool spv_mesh_op(struct spv *s, struct spv_op op)
{
	if (op.op != SpvOpSetMeshOutputsEXT)
		return false;
	if (s->f->stage != COMPILER_MS)
		spv_invalid(s, "only for mesh shaders");
	store_head(s, op.w + 1, 2);
	return true;
}

/* --- the whole --- */

bool spv_mesh_mode(struct spv *s, struct spv_op op)
{
	struct ir_mesh *m = &s->f->mesh;
	if (s->f->stage != COMPILER_MS)
		return false;
	switch (op.w[2]) {
	case SpvExecutionModeOutputVertices: m->vertices = op.w[3]; return true;
	case SpvExecutionModeOutputPrimitivesEXT: m->prims = op.w[3]; return true;
	case SpvExecutionModeOutputPoints: m->cntl = REG_SET(QW_MESH_CNTL, PRIM_TYPE, DI_PT_POINTLIST); return true;
	case SpvExecutionModeOutputLinesEXT: m->cntl = REG_SET(QW_MESH_CNTL, PRIM_TYPE, DI_PT_LINELIST); return true;
	case SpvExecutionModeOutputTrianglesEXT: m->cntl = REG_SET(QW_MESH_CNTL, PRIM_TYPE, DI_PT_TRILIST); return true;
	default: return false;
	}
}

void spv_mesh_begin(struct spv *s)
{
	struct ir_mesh *m = &s->f->mesh;
	s->cur = spv_at(s, spv_id(s, s->entry)->at);
	if (!m->vertices || !m->prims || !m->cntl)
		spv_invalid(s, "a mesh shader without OutputVertices, OutputPrimitivesEXT or a kind of primitives");
	if (m->vertices > ABI_MESH_MAX_VERTICES)
		spv_unsupported(s, "OutputVertices %u: maxMeshOutputVertices is %d", m->vertices, ABI_MESH_MAX_VERTICES);
	if (m->prims > ABI_MESH_MAX_PRIMITIVES)
		spv_unsupported(s, "OutputPrimitivesEXT %u: maxMeshOutputPrimitives is %d", m->prims, ABI_MESH_MAX_PRIMITIVES);
	m->vertices = (m->vertices + 3) & ~3u;
	s->mesh = spv_alloc(s, 1, sizeof *s->mesh);
}

static bool has(const struct spv *s, unsigned space, unsigned slot)
{
	return s->mesh->base[space][slot];
}

/* Row r of a space; nothing if no instruction wants the slot. */
static void place(struct spv *s, unsigned space, unsigned slot, uint32_t begin, uint32_t r)
{
	if (has(s, space, slot))
		s->mesh->base[space][slot]->u.imm = begin + r * row_bytes(s, space);
}

/* Elements of a built-in array that is an output. */
static uint32_t count_distances(struct spv *s, unsigned slot, uint32_t builtin)
{
	uint32_t n = 0;
	for (uint32_t i = 0; has(s, OF_VERTEX, slot) && i < s->id_count; i++) {
		const struct spv_var *var = s->ids[i].kind == SPV_ID_VAR ? s->ids[i].u.var : NULL;
		if (!var || var->storage != SpvStorageClassOutput || !var->ready)
			continue;
		for (uint32_t k = 0; k < var->type->elem->leaves; k++)
			if (var->io[k].builtin && var->io[k].slot == builtin && var->io[k].comp >= n)
				n = var->io[k].comp + 1u;
	}
	return n;
}

/* What the misc vector has; rows are counted by vertices and primitives alike. */
static uint32_t place_positions(struct spv *s)
{
	struct ir_mesh *m = &s->f->mesh;
	bool layer = has(s, OF_PRIMITIVE, IR_SLOT_LAYER), viewport = has(s, OF_PRIMITIVE, IR_SLOT_VIEWPORT);
	bool size = has(s, OF_VERTEX, IR_SLOT_POINT_SIZE), view = s->in->options.multiview;
	uint32_t row = 4, clip = count_distances(s, SLOT_CLIP, SpvBuiltInClipDistance);
	uint32_t cull = count_distances(s, SLOT_CULL, SpvBuiltInCullDistance);
	place(s, OF_VERTEX, IR_SLOT_POSITION, ABI_MESH_HEAD_BYTES, 0);
	if (clip + cull > 8)
		spv_unsupported(s, "%u distances: maxCombinedClipAndCullDistances is 8", clip + cull);
	m->cntl |= REG_SET(QW_MESH_CNTL, PRIM_LAYER, layer && !view) | REG_SET(QW_MESH_CNTL, PRIM_VIEWPORT, viewport) |
		REG_SET(QW_MESH_CNTL, PRIM_CULL, has(s, OF_PRIMITIVE, SLOT_CULL_PRIMITIVE)) |
		REG_SET(QW_MESH_CNTL, VIEW_LAYER, view);
	m->vs_out_cntl = REG_SET(PA_CL_VS_OUT_CNTL, USE_VTX_POINT_SIZE, size) |
		REG_SET(PA_CL_VS_OUT_CNTL, USE_VTX_RENDER_TARGET_INDX, layer || view) |
		REG_SET(PA_CL_VS_OUT_CNTL, USE_VTX_VIEWPORT_INDX, viewport) |
		REG_SET(PA_CL_VS_OUT_CNTL, CLIP_DIST_ENA, (1u << clip) - 1) |
		REG_SET(PA_CL_VS_OUT_CNTL, CULL_DIST_ENA, ((1u << cull) - 1) << clip) |
		REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA, clip + cull > 0) |
		REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST1_VEC_ENA, clip + cull > 4);
	if (size || layer || viewport || view) {
		m->vs_out_cntl |= REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA, 1);
		place(s, OF_VERTEX, IR_SLOT_POINT_SIZE, ABI_MESH_HEAD_BYTES, row);
		row += 4;
	}
	place(s, OF_VERTEX, SLOT_CLIP, ABI_MESH_HEAD_BYTES, row);
	place(s, OF_VERTEX, SLOT_CULL, ABI_MESH_HEAD_BYTES, row + clip);
	return row + (clip + cull + 3) / 4 * 4;
}

/* The params of a space from a row on; how many. */
static uint32_t place_params(struct spv *s, unsigned space, uint32_t begin, uint32_t row)
{
	struct ir_mesh *m = &s->f->mesh;
	uint32_t n = 0;
	for (unsigned slot = 0; slot < COMPILER_SLOT_COUNT; slot++) {
		if (!has(s, space, slot))
			continue;
		m->param_of_slot[slot] = (uint8_t)m->params++;
		place(s, space, slot, begin, row + 4 * n++);
	}
	if (m->params > 32)
		spv_unsupported(s, "outputs of %u components: maxMeshOutputComponents is 128", 4 * m->params);
	return n;
}

void spv_mesh_end(struct spv *s)
{
	struct ir_mesh *m = &s->f->mesh;
	memset(m->param_of_slot, COMPILER_NO_PARAM, sizeof m->param_of_slot);
	uint32_t rows = place_positions(s);
	m->vertex_params = place_params(s, OF_VERTEX, ABI_MESH_HEAD_BYTES, rows);
	uint32_t prims = ABI_MESH_HEAD_BYTES + (rows + 4 * m->vertex_params) * row_bytes(s, OF_VERTEX);
	place(s, OF_PRIMITIVE, SLOT_INDICES, prims, 0);
	place(s, OF_PRIMITIVE, SLOT_CULL_PRIMITIVE, prims, 3 + 1);
	place(s, OF_PRIMITIVE, IR_SLOT_LAYER, prims, 3 + 2);
	place(s, OF_PRIMITIVE, IR_SLOT_VIEWPORT, prims, 3 + 3);
	uint32_t prim_params = place_params(s, OF_PRIMITIVE, prims, ABI_MESH_PRIM_ROWS);
	m->output = REG_SET(QW_MESH_OUTPUT, VERTICES, m->vertices) | REG_SET(QW_MESH_OUTPUT, PRIMITIVES, m->prims) |
		REG_SET(QW_MESH_OUTPUT, PARAMS, m->vertex_params) | REG_SET(QW_MESH_OUTPUT, PRIM_PARAMS, prim_params);
}
