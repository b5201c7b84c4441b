/* SPDX-License-Identifier: MIT */
/* Geometry shaders: their execution modes, their vertices ("Geometry Shading" of the Vulkan
 * specification). */
#include "compiler/spv/spv_priv.h"

#include "isa/abi.h"
#include "isa/regs.h"

void spv_geometry_mode(struct spv *s, struct spv_op op)
{
	struct ir_func *f = s->f;
	switch (op.w[2]) {
	case SpvExecutionModeInputPoints: f->gs_vertices_in = 1; break;
	case SpvExecutionModeInputLines: f->gs_vertices_in = 2; break;
	case SpvExecutionModeInputLinesAdjacency: f->gs_vertices_in = 4; break;
	case SpvExecutionModeTriangles: f->gs_vertices_in = 3; break;
	case SpvExecutionModeInputTrianglesAdjacency: f->gs_vertices_in = 6; break;
	case SpvExecutionModeInvocations: f->gs_invocations = op.w[3]; break;
	case SpvExecutionModeOutputVertices: f->gs_vertices_out = op.w[3]; break;
	case SpvExecutionModeOutputPoints: f->gs_out_type = GS_OUT_POINTS; break;
	case SpvExecutionModeOutputLineStrip: f->gs_out_type = GS_OUT_LINES; break;
	case SpvExecutionModeOutputTriangleStrip: f->gs_out_type = GS_OUT_TRIANGLES; break;
	default: break;
	}
}

void spv_geometry_check(struct spv *s)
{
	struct ir_func *f = s->f;
	if (!f->gs_vertices_in)
		spv_invalid(s, "a geometry shader without the kind of its input primitives");
	if (!f->gs_invocations)
		f->gs_invocations = 1;
	if (f->gs_invocations > ABI_GS_MAX_INVOCATIONS)
		spv_unsupported(s, "%u invocations: maxGeometryShaderInvocations is %d", f->gs_invocations, ABI_GS_MAX_INVOCATIONS);
	if (!f->gs_vertices_out || f->gs_vertices_out > ABI_GS_MAX_VERTICES)
		spv_unsupported(s, "OutputVertices %u: maxGeometryOutputVertices is %d", f->gs_vertices_out, ABI_GS_MAX_VERTICES);
}

static struct ir_var *count_from_0(struct spv *s)
{
	struct ir_var *v = ir_var_new(s->f, 32, 1, "emitted");
	ir_store_var(&s->prologue, v, 0, ir_const(&s->prologue, 0));
	return v;
}

void spv_geometry_begin(struct spv *s)
{
	s->emitted = count_from_0(s);
	s->f->gs_streams = 1;
	for (unsigned i = 0; i < ISA_STREAMS; i++)
		s->emitted_to[i] = s->streams ? count_from_0(s) : s->emitted;
}

/* Two lanes a word. */
struct ir_src spv_linked_lane(struct spv *s, struct ir_src vertex)
{
	const bool known = vertex.inst->op == IR_CONST;
	const unsigned n = s->f->gs_vertices_in, first = known ? (unsigned)vertex.inst->u.imm / 2 % 3 : 0;
	struct ir_src pair = spv_sysval(s, IR_SYS_GS_VERTICES, 3, first);
	for (unsigned i = 1; !known && 2 * i < n; i++) {
		struct ir_src before = ir_op2(&s->b, IR_UCMP_LT, vertex, spv_u(s, 2 * i));
		pair = ir_op3(&s->b, IR_SELECT, before, pair, spv_sysval(s, IR_SYS_GS_VERTICES, 3, i));
	}
	struct ir_src half = ir_op2(&s->b, IR_ISHL, ir_op2(&s->b, IR_IAND, vertex, spv_u(s, 1)), spv_u(s, 4));
	return ir_op3(&s->b, IR_UBFE, pair, half, spv_u(s, 16));
}

static void message(struct spv *s, enum ir_op op, unsigned stream)
{
	struct ir_inst *inst = ir_inst_new(s->f, op, 0, 0, 0);
	inst->u.io.mode = (uint8_t)stream;
	ir_insert(&s->b, inst);
}

/* Under multiview a draw is recorded once a view; its vertices go to the layer of that number. */
static void add_view(struct spv *s, struct spv_slots *out)
{
	if (!s->in->options.multiview)
		return;
	out->value[IR_SLOT_LAYER][0] = spv_sysval(s, IR_SYS_VIEW_INDEX, 1, 0);
	out->mask[IR_SLOT_LAYER] = 1;
}

static void count_one(struct spv *s, struct ir_var *v)
{
	ir_store_var(&s->b, v, 0, ir_op2(&s->b, IR_IADD, ir_load_var(&s->b, v, 0), spv_u(s, 1)));
}

/* A vertex beyond OutputVertices, those of all streams, is none.  In the ring the vertices of a stream
 * stand behind the room of those before it. */
static void emit_vertex(struct spv *s, unsigned stream)
{
	struct ir_src number = ir_load_var(&s->b, s->emitted, 0);
	struct ir_if *room = ir_begin_if(&s->b, ir_op2(&s->b, IR_UCMP_LT, number, spv_u(s, s->f->gs_vertices_out)));
	struct spv_slots *out = spv_alloc(s, 1, sizeof *out);
	spv_io_collect(s, out, true, stream);
	add_view(s, out);
	number = ir_load_var(&s->b, s->emitted_to[stream], 0);
	if (stream)
		number = ir_op2(&s->b, IR_IADD, number, spv_u(s, stream * s->f->gs_vertices_out));
	for (unsigned slot = 0; slot < 64; slot++) {
		if (!out->mask[slot])
			continue;
		struct ir_inst *inst = ir_inst_new(s->f, IR_STORE_VERTEX, 0, 0, 5);
		inst->u.io.slot = (uint8_t)slot;
		inst->u.io.mask = out->mask[slot];
		inst->src[0] = number;
		for (unsigned c = 0; c < 4; c++)
			inst->src[1 + c] = out->mask[slot] >> c & 1 ? out->value[slot][c] : ir_undef(&s->b, 32);
		ir_insert(&s->b, inst);
	}
	message(s, IR_EMIT_VERTEX, stream);
	count_one(s, s->emitted);
	if (s->emitted_to[stream] != s->emitted)
		count_one(s, s->emitted_to[stream]);
	ir_end_if(&s->b, room);
}

bool spv_geometry(struct spv *s, struct spv_op op)
{
	bool emit = op.op == SpvOpEmitVertex || op.op == SpvOpEmitStreamVertex;
	if (!emit && op.op != SpvOpEndPrimitive && op.op != SpvOpEndStreamPrimitive)
		return false;
	if (s->f->stage != COMPILER_GS)
		spv_invalid(s, "outside a geometry shader");
	bool named = op.op == SpvOpEmitStreamVertex || op.op == SpvOpEndStreamPrimitive;
	uint32_t stream = named ? spv_const_scalar(s, op.w[1]) : 0;
	if (stream >= (s->streams ? ISA_STREAMS : 1u))
		spv_unsupported(s, "stream %u", stream);
	if (s->f->gs_streams <= stream)
		s->f->gs_streams = stream + 1;
	if (emit)
		emit_vertex(s, stream);
	else
		message(s, IR_END_PRIMITIVE, stream);
	return true;
}
