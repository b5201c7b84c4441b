/* SPDX-License-Identifier: MIT */
/* Transform feedback: which leaves of outputs are captured, and where to.  A variable or a
 * member of a block is, if it has an Offset; what it is made of lies side by side, each component
 * aligned to its size; what holds one of 64 bits begins at a multiple of 8 bytes and ends at one
 * (Vulkan and GLSL, "Transform Feedback Layout Qualifiers"). */
#include "compiler/spv/spv_priv.h"

struct walk { struct spv *s; const struct spv_var *var; uint32_t leaf; };
struct target { bool on; uint32_t buffer, offset, stride; };

static uint32_t param(struct spv *s, const struct spv_id *id, uint32_t decoration, int32_t member, uint32_t none)
{
	const struct spv_decor *d = spv_decoration(id, decoration, member);
	return d ? spv_decor_param(s, d) : none;
}

static void set_stride(struct spv *s, const struct target *t)
{
	if (t->stride)
		s->f->xfb_stride[t->buffer] = (uint16_t)t->stride;
}

/* Takes what decorates a variable, or a member of a block; what does not keeps its value. */
static void decorate(struct spv *s, const struct spv_id *id, int32_t member, struct target *t)
{
	t->buffer = param(s, id, SpvDecorationXfbBuffer, member, t->buffer);
	t->stride = param(s, id, SpvDecorationXfbStride, member, t->stride);
	const struct spv_decor *offset = spv_decoration(id, SpvDecorationOffset, member);
	if (offset && t->buffer != UINT32_MAX) {
		t->on = true;
		t->offset = spv_decor_param(s, offset);
	}
	if (t->buffer == UINT32_MAX)
		return;
	if (t->buffer >= ISA_STRMOUT_BUFFERS || t->stride > ISA_STRMOUT_MAX_STRIDE || t->stride % 4)
		spv_unsupported(s, "XfbBuffer %u with an XfbStride of %u bytes", t->buffer, t->stride);
	set_stride(s, t);
}

static void add(struct spv *s, struct isa_strmout_run run)
{
	struct ir_func *f = s->f;
	struct isa_strmout_run *last = f->captures ? &f->capture[f->captures - 1] : NULL;
	if (last && last->buffer == run.buffer && last->stream == run.stream && last->source == run.source &&
	    last->kind == run.kind && last->first + last->count == run.first &&
	    last->offset + last->count * isa_strmout_bytes(run.kind) == run.offset) {
		last->count = (uint8_t)(last->count + run.count);
		return;
	}
	if (!f->capture)
		f->capture = spv_ir_alloc(s, ISA_STRMOUT_RUNS * sizeof *f->capture);
	if (f->captures == ISA_STRMOUT_RUNS)
		spv_unsupported(s, "more than %d outputs captured by transform feedback", ISA_STRMOUT_RUNS);
	f->capture[f->captures++] = run;
}

static void capture_leaf(struct walk *w, struct target *t)
{
	struct spv *s = w->s;
	const struct spv_io *io = &w->var->io[w->leaf++];
	uint32_t bytes = spv_memory_bytes(io->type), offset;
	uint8_t comp = 0;
	if (!t->on)
		return;
	offset = (t->offset + bytes - 1) & ~(bytes - 1);
	t->offset = offset + bytes;
	if (t->buffer >= ISA_STRMOUT_BUFFERS || offset >= ISA_STRMOUT_MAX_STRIDE || bytes < 2)
		spv_unsupported(s, "variable %u: captured to byte %u of XfbBuffer %u", w->var->id, offset, t->buffer);
	set_stride(s, t); /* of an array of blocks only the first buffer is named */
	uint32_t slot = io->written ? spv_output_slot(s, w->var, io, &comp) : IR_NO_SLOT;
	add(s, (struct isa_strmout_run){ .offset = (uint16_t)offset, .buffer = (uint8_t)t->buffer,
		.stream = io->stream, .source = (uint8_t)slot, .first = comp, .count = bytes == 8 ? 2 : 1,
		.kind = bytes > 2 ? ISA_STRMOUT_WORD : io->type->kind == SPV_FLOAT ? ISA_STRMOUT_HALF : ISA_STRMOUT_SHORT });
}

/* Buffers that the blocks of a type take: elements of an array of them have one each. */
static uint32_t blocks_of(const struct spv_type *t)
{
	return t->kind == SPV_ARRAY ? t->count * blocks_of(t->elem) : t->kind == SPV_STRUCT && t->block;
}

static void capture(struct walk *w, const struct spv_type *type, struct target *t)
{
	uint32_t step, first = t->buffer;
	if (type->width > 32)
		t->offset = (t->offset + 7) & ~7u;
	switch (type->kind) {
	case SPV_ARRAY: case SPV_MATRIX:
		step = type->kind == SPV_ARRAY ? blocks_of(type->elem) : 0;
		for (uint32_t i = 0; i < type->count; i++) {
			t->buffer = first + i * step;
			capture(w, type->elem, t);
		}
		break;
	case SPV_VECTOR:
		for (uint32_t i = 0; i < type->count; i++)
			capture_leaf(w, t);
		break;
	case SPV_STRUCT:
		for (uint32_t i = 0; i < type->count; i++) {
			struct target member = *t;
			decorate(w->s, spv_id(w->s, type->id), (int32_t)i, &member);
			capture(w, type->members[i].type, &member);
			if (t->on)
				t->offset = member.offset;
		}
		if (type->width > 32)
			t->offset = (t->offset + 7) & ~7u;
		break;
	default: capture_leaf(w, t);
	}
}

void spv_capture(struct spv *s)
{
	for (const struct spv_var *var = s->xfb ? s->outputs : NULL; var; var = var->next) {
		struct walk w = { s, var, 0 };
		struct target t = { .buffer = UINT32_MAX };
		decorate(s, spv_id(s, var->id), -1, &t);
		capture(&w, var->type, &t);
	}
}
