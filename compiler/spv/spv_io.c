/* SPDX-License-Identifier: MIT */
/* Inputs and outputs: each leaf of an interface variable is one component of a
 * location or of a built-in. */
#include "compiler/spv/spv_priv.h"

struct layout { struct spv *s; struct spv_var *var; uint32_t leaf; };
struct place { bool builtin; uint8_t vertex, stream; uint32_t slot, comp; uint16_t flags; };

static uint32_t locations(const struct spv_type *t)
{
	uint64_t n = 0;
	if (!t->leaves)
		return 0;
	switch (t->kind) {
	case SPV_MATRIX: return t->count * locations(t->elem);
	case SPV_ARRAY:
		n = (uint64_t)t->count * locations(t->elem);
		break;
	case SPV_STRUCT:
		for (uint32_t i = 0; i < t->count; i++)
			n += locations(t->members[i].type);
		break;
	default: return t->width > 32 && t->count > 2 ? 2 : 1; /* four words each */
	}
	return n > SPV_MAX_LEAVES ? SPV_MAX_LEAVES : (uint32_t)n;
}

static void put(struct layout *l, const struct spv_type *type, struct place at, uint32_t comp)
{
	struct spv *s = l->s;
	if (type->width > 32 && !at.builtin) {
		at.slot += (at.comp + 2 * comp) / 4;
		comp = (at.comp + 2 * comp) % 4;
		at.comp = 0;
	}
	/* Those of patches and of their vertices are one set. */
	bool patches = l->var->rows > SPV_ROWS_LINKED;
	if (!at.builtin && at.slot >= (patches ? IR_PATCH_LOCATIONS : SPV_MAX_LOCATIONS))
		spv_unsupported(s, "variable %u: location %u", l->var->id, at.slot);
	if (at.comp + comp > 3 && !at.builtin)
		spv_invalid(s, "variable %u: component %u of a location", l->var->id, at.comp + comp);
	l->var->io[l->leaf++] = (struct spv_io){ .builtin = at.builtin, .slot = at.slot,
		.comp = (uint8_t)(at.comp + comp), .vertex = at.vertex, .stream = at.stream, .flags = at.flags, .type = type };
}

static struct place member_place(const struct spv_member *m, struct place at)
{
	at.flags |= m->flags;
	if (m->stream >= 0)
		at.stream = (uint8_t)(m->stream & 3);
	if (m->builtin >= 0) {
		at.builtin = true;
		at.slot = (uint32_t)m->builtin;
	} else if (m->location >= 0) {
		at.slot = (uint32_t)m->location;
	}
	at.comp = m->component > 0 ? (uint32_t)m->component & 255 : 0;
	return at;
}

static void walk(struct layout *l, const struct spv_type *t, struct place at)
{
	uint32_t n = t->count;
	if (!t->leaves)
		return;
	if (at.builtin && (t->kind == SPV_ARRAY || t->kind == SPV_VECTOR) && n > 64)
		spv_invalid(l->s, "variable %u: a built-in of %u elements", l->var->id, n);
	switch (t->kind) {
	case SPV_VECTOR:
		for (uint32_t i = 0; i < n; i++)
			put(l, t->elem, at, i);
		break;
	case SPV_MATRIX: case SPV_ARRAY:
		for (uint32_t i = 0; i < n; i++) {
			walk(l, t->elem, at);
			if (at.builtin)
				at.comp += 1;
			else
				at.slot += locations(t->elem);
		}
		break;
	case SPV_STRUCT:
		for (uint32_t i = 0; i < n; i++) {
			struct place m = member_place(&t->members[i], at);
			walk(l, t->members[i].type, m);
			if (!m.builtin)
				at.slot = m.slot + locations(t->members[i].type);
		}
		break;
	default:
		put(l, t, at, 0);
	}
}

static bool has_places(const struct spv_type *t)
{
	if (t->kind == SPV_ARRAY)
		t = t->elem;
	if (t->kind != SPV_STRUCT)
		return false;
	for (uint32_t i = 0; i < t->count; i++)
		if (t->members[i].builtin < 0 && t->members[i].location < 0)
			return false;
	return true;
}

/* An array with an element for each vertex of the primitive, of a fragment shader. */
static bool is_per_vertex(const struct spv_var *var)
{
	const struct spv_type *t = var->type;
	if (var->storage != SpvStorageClassInput || t->kind != SPV_ARRAY)
		return false;
	bool found = var->flags & SPV_PER_VERTEX;
	for (uint32_t i = 0; t->elem->kind == SPV_STRUCT && i < t->elem->count; i++)
		found |= t->elem->members[i].flags & SPV_PER_VERTEX;
	return found;
}

static void walk_vertices(struct layout *l, struct place at)
{
	if (l->var->type->count > 3)
		spv_invalid(l->s, "variable %u: %u vertices", l->var->id, l->var->type->count);
	at.flags |= SPV_PER_VERTEX;
	for (; at.vertex < l->var->type->count; at.vertex++)
		walk(l, l->var->type->elem, at);
}

void spv_io_layout(struct spv *s, struct spv_var *var)
{
	const struct spv_id *id = spv_id(s, var->id);
	const struct spv_decor *builtin = spv_decoration(id, SpvDecorationBuiltIn, -1);
	const struct spv_decor *location = spv_decoration(id, SpvDecorationLocation, -1);
	const struct spv_decor *component = spv_decoration(id, SpvDecorationComponent, -1);
	const struct spv_decor *index = spv_decoration(id, SpvDecorationIndex, -1);
	const struct spv_decor *stream = spv_decoration(id, SpvDecorationStream, -1);
	struct place at = { .flags = var->flags };
	if (stream)
		at.stream = (uint8_t)(spv_decor_param(s, stream) & 3);
	const struct spv_type *type = var->rows && var->rows != SPV_ROWS_PATCH ? var->type->elem : var->type;
	if (s->f->stage == COMPILER_MS && var->storage == SpvStorageClassOutput) { /* each element is a vertex's or primitive's */
		if (type->kind != SPV_ARRAY)
			spv_invalid(s, "variable %u: an output of a mesh shader is no array", var->id);
		type = type->elem;
	}
	if (type->leaves == UINT32_MAX)
		spv_unsupported(s, "variable %u: an interface of this type or size", var->id);
	if (!builtin && !ir_stage_has(s->f, ISA_INTERFACE))
		spv_invalid(s, "variable %u: a compute shader has no inputs and outputs but built-ins", var->id);
	if (builtin) {
		at.builtin = true;
		at.slot = spv_decor_param(s, builtin);
	} else if (location) {
		at.slot = spv_decor_param(s, location) & 0xffff;
		at.comp = component ? spv_decor_param(s, component) & 255 : 0;
	} else if (!has_places(type)) {
		spv_invalid(s, "variable %u has neither Location nor BuiltIn", var->id);
	}
	var->has_index = index && spv_decor_param(s, index) == 1;
	var->io = spv_alloc(s, type->leaves, sizeof *var->io);
	struct layout l = { s, var, 0 };
	if (var->rows)
		walk(&l, type, at);
	else if (is_per_vertex(var))
		walk_vertices(&l, at);
	else
		walk(&l, type, at);
}

/* --- inputs --- */

static struct ir_src load_attribute(struct spv *s, const struct spv_io *io, unsigned comp)
{
	struct ir_inst **attr = &s->attr[io->slot];
	if (!*attr) {
		*attr = ir_inst_new(s->f, IR_LOAD_ATTR, 32, 4, 0);
		(*attr)->u.io.slot = (uint8_t)io->slot;
		ir_insert(&s->prologue, *attr);
	}
	return ir_comp(*attr, comp);
}

/* Of the provoking vertex, or of a leaf's own. */
static struct ir_src load_flat(struct spv *s, const struct spv_io *io, unsigned slot, unsigned comp)
{
	bool own = io->flags & SPV_PER_VERTEX;
	struct ir_inst *inst = ir_inst_new(s->f, own ? IR_LOAD_VERTEX : IR_LOAD_FLAT, 32, 1, 0);
	inst->u.io.mode = own ? io->vertex : 0;
	inst->u.io.slot = (uint8_t)slot;
	inst->u.io.comp = (uint8_t)comp;
	ir_insert(&s->b, inst);
	return ir_comp(inst, 0);
}

enum ir_bary spv_bary_of(uint16_t flags)
{
	unsigned where = flags & SPV_SAMPLE ? 2 : flags & SPV_CENTROID ? 1 : 0;
	return (enum ir_bary)((flags & SPV_NOPERSPECTIVE ? IR_BARY_LINEAR_CENTER : IR_BARY_PERSP_CENTER) + where);
}

/* What moves is words: halves as singles, shorts with anything above. */
struct ir_src spv_from_word(struct spv *s, const struct spv_type *type, struct ir_src v)
{
	if (type->width == 16 && type->kind == SPV_FLOAT)
		return ir_convert(&s->b, IR_FCONV, 16, v);
	return spv_as(s, v, type->width);
}

struct ir_src spv_to_word(struct spv *s, const struct spv_type *type, struct ir_src v)
{
	if (type->width == 16 && type->kind == SPV_FLOAT)
		return ir_convert(&s->b, IR_FCONV, 32, v);
	if (type->width == 1)
		return ir_op1(&s->b, IR_B2I, v);
	return type->width < 32 ? ir_convert(&s->b, type->is_signed ? IR_SCONV : IR_UCONV, 32, v) : v;
}

struct ir_src spv_io_interp(struct spv *s, const struct spv_io *io, unsigned slot, unsigned comp, struct ir_inst *bary)
{
	if (io->type->width > 32 || io->type->kind != SPV_FLOAT)
		spv_invalid(s, "an input of %u bits that is not Flat", io->type->width);
	struct ir_inst *inst = ir_inst_new(s->f, IR_LOAD_INTERP, 32, 1, 2);
	inst->u.io.slot = (uint8_t)slot;
	inst->u.io.comp = (uint8_t)comp;
	inst->src[0] = ir_comp(bary, 0);
	inst->src[1] = ir_comp(bary, 1);
	ir_insert(&s->b, inst);
	return spv_from_word(s, io->type, ir_comp(inst, 0));
}

/* The slot of an interpolated leaf: a location, clip or cull distances; -1: none. */
int spv_io_slot(const struct spv_io *io, unsigned *comp)
{
	*comp = io->builtin ? io->comp & 3 : io->comp;
	if (!io->builtin)
		return (int)io->slot;
	if (io->slot == SpvBuiltInClipDistance && io->comp < 8)
		return COMPILER_SLOT_CLIP0 + io->comp / 4;
	if (io->slot == SpvBuiltInCullDistance && io->comp < 8)
		return COMPILER_SLOT_CULL0 + io->comp / 4;
	return -1;
}

/* One leaf of an input; bools (FrontFacing, HelperInvocation) come as bools. */
struct ir_src spv_io_load(struct spv *s, const struct spv_io *io)
{
	unsigned comp;
	int slot = spv_io_slot(io, &comp);
	if (io->builtin && io->slot == SpvBuiltInViewportIndex && s->f->stage == COMPILER_PS)
		return load_flat(s, io, COMPILER_SLOT_VIEWPORT, 0);
	if (io->builtin && io->slot == SpvBuiltInPrimitiveId && s->f->stage == COMPILER_PS)
		return load_flat(s, io, COMPILER_SLOT_PRIMITIVE_ID, 0);
	if (slot < 0 || (io->builtin && s->f->stage != COMPILER_PS))
		return spv_as(s, spv_builtin(s, io), io->type->width);
	if (s->f->stage == COMPILER_VS && io->type->width > 32)
		return ir_op2(&s->b, IR_PACK, load_attribute(s, io, io->comp), load_attribute(s, io, io->comp + 1u));
	if (s->f->stage == COMPILER_VS)
		return spv_from_word(s, io->type, load_attribute(s, io, io->comp));
	if (io->flags & SPV_NOT_INTERPOLATED && io->type->width > 32) {
		struct ir_src low = load_flat(s, io, (unsigned)slot, comp);
		return ir_op2(&s->b, IR_PACK, low, load_flat(s, io, (unsigned)slot, comp + 1));
	}
	if (io->flags & SPV_NOT_INTERPOLATED)
		return spv_from_word(s, io->type, load_flat(s, io, (unsigned)slot, comp));
	return spv_io_interp(s, io, (unsigned)slot, comp, spv_bary(s, spv_bary_of(io->flags)));
}

/* --- outputs --- */

static void collect(struct spv *s, struct spv_slots *out, const struct spv_var *var, bool all, unsigned stream)
{
	for (uint32_t i = 0; i < var->type->leaves; i++) {
		const struct spv_io *io = &var->io[i];
		uint8_t comp;
		if ((!io->written && !all) || io->stream != stream)
			continue;
		uint32_t slot = spv_output_slot(s, var, io, &comp);
		struct ir_src v = spv_get(s, var->ir, i, io->type->width);
		if (io->type->width > 32) {
			if (!ir_stage_has(s->f, ISA_VERTICES))
				spv_unsupported(s, "fragment outputs of 64 bits");
			out->value[slot][comp] = ir_convert(&s->b, IR_UCONV, 32, v);
			out->value[slot][comp + 1] = ir_op1(&s->b, IR_HIGH, v);
			out->mask[slot] |= (uint8_t)(3 << comp);
			continue;
		}
		out->value[slot][comp] = spv_to_word(s, io->type, v);
		out->mask[slot] |= (uint8_t)(1 << comp);
	}
}

void spv_io_collect(struct spv *s, struct spv_slots *out, bool all, unsigned stream)
{
	for (const struct spv_var *var = s->outputs; var; var = var->next)
		collect(s, out, var, all, stream);
}

static uint32_t count_distances(const struct spv *s, uint32_t builtin)
{
	uint32_t count = 0;
	for (const struct spv_var *var = s->outputs; var; var = var->next) {
		uint32_t size = 0;
		bool written = false;
		for (uint32_t i = 0; i < var->type->leaves; i++)
			if (var->io[i].builtin && var->io[i].slot == builtin) {
				size++;
				written |= var->io[i].written;
			}
		if (written && size > count)
			count = size;
	}
	return count;
}

/* Stores what the shader wrote, one STORE_OUTPUT a slot, at the only exit. */
static void store_outputs(struct spv *s)
{
	struct spv_slots *out = spv_alloc(s, 1, sizeof *out);
	spv_io_collect(s, out, false, 0);
	for (unsigned slot = 0; slot < 64; slot++) {
		if (!out->mask[slot])
			continue;
		struct ir_inst *inst = ir_inst_new(s->f, IR_STORE_OUTPUT, 0, 0, 4);
		inst->u.io.slot = (uint8_t)slot;
		inst->u.io.mask = out->mask[slot];
		for (unsigned c = 0; c < 4; c++)
			inst->src[c] = out->mask[slot] >> c & 1 ? out->value[slot][c] : ir_undef(&s->b, 32);
		ir_insert(&s->b, inst);
	}
}

/* A geometry shader's were stored with each vertex, a tessellation control shader's at once. */
void spv_io_outputs(struct spv *s)
{
	if (!ir_stage_has(s->f, ISA_SECOND))
		store_outputs(s);
	if (ir_stage_has(s->f, ISA_VERTICES)) {
		s->f->clip_distances = count_distances(s, SpvBuiltInClipDistance);
		s->f->cull_distances = count_distances(s, SpvBuiltInCullDistance);
		spv_capture(s);
	}
}
