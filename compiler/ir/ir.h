/* SPDX-License-Identifier: MIT */
/* The SSA IR between SPIR-V and instruction selection.
 *
 * A function (there is one a shader, calls are inlined) is a tree of control
 * flow: a list of nodes, each a block, an if or a loop.  Lists begin and end
 * with a block and never have two blocks or two ifs/loops in a row.  A block
 * ends in nothing (falls to the next node, or out of its list) or in a jump:
 * break or continue of the innermost loop.  There is no goto and no return:
 * the front end turns early returns into breaks.
 *
 *   loop { body } cont { cont }   body runs, then cont, then body again;
 *     continue goes to the start of cont; break (in body or cont) leaves.
 *
 * Values are scalars of 8, 16, 32 or 64 bits, or bools of 1 bit.  An instruction
 * yields `comps` values of `bits` bits (loads and texture operations up to 4,
 * ALU 1); a source names one component of one instruction.
 *
 * Until the ssa pass there are variables (ir_var: an array of slots) with
 * LOAD_VAR and STORE_VAR; after it, PHIs stand first in their block, with one
 * source per predecessor, in the order of block->pred. */
#ifndef COMPILER_IR_IR_H
#define COMPILER_IR_IR_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "compiler/compiler.h"
#include "compiler/pool.h"
#include "isa/mode.h"

enum ir_op {
#define IR(name, ...) IR_##name,
#include "compiler/ir/ir_ops.def"
#undef IR
	IR_OP_COUNT
};
/* The columns of ir_ops.def. */
/* Does it name an address of 64 bits? */
#define IR_IS_GLOBAL(op) ((op) == IR_LOAD_GLOBAL || (op) == IR_STORE_GLOBAL || (op) == IR_ATOMIC_GLOBAL)
#define IR_IS_ATOMIC(op) ((op) == IR_ATOMIC_SSBO || (op) == IR_ATOMIC_SHARED || (op) == IR_ATOMIC_GLOBAL)
enum ir_family { IR_VALUE_OP, IR_ALU_OP, IR_VAR_OP, IR_MEM_OP, IR_TEX_OP, IR_IO_OP, IR_WAVE_OP };
enum ir_operands { IR_IN_NONE, IR_IN_BOOL, IR_IN_WORD, IR_IN_INT, IR_IN_FLOAT, IR_IN_SHIFT, IR_IN_SEL, IR_IN_SAME,
	IR_IN_NUM };
enum ir_result { IR_OUT_NONE, IR_OUT_BOOL, IR_OUT_WORD, IR_OUT_SAME, IR_OUT_TWICE, IR_OUT_HALF, IR_OUT_MADE };
enum { IR_F_PURE = 1, IR_F_COMM = 2, IR_F_DIV = 4, IR_F_UNI = 8, IR_F_EFFECT = 16, IR_F_SCALAR = 32, IR_F_QUAD = 64,
	IR_F_DEAR = 128 };
struct ir_op_info { const char *name; int8_t srcs; uint8_t family, operands, result, flags; };
extern const struct ir_op_info ir_op_infos[IR_OP_COUNT];

enum ir_atomic { IR_ATOMIC_ADD, IR_ATOMIC_SUB, IR_ATOMIC_SMIN, IR_ATOMIC_UMIN, IR_ATOMIC_SMAX,
	IR_ATOMIC_UMAX, IR_ATOMIC_AND, IR_ATOMIC_OR, IR_ATOMIC_XOR, IR_ATOMIC_SWAP,
	IR_ATOMIC_CMPSWAP /* sources: data then comparator */, IR_ATOMIC_INC, IR_ATOMIC_DEC,
	IR_ATOMIC_FADD /* of workgroup memory, 32 bits */ };

enum ir_sysval {
	IR_SYS_VERTEX_INDEX, IR_SYS_INSTANCE_INDEX,   /* base included, as Vulkan's built-ins */
	IR_SYS_BASE_VERTEX, IR_SYS_BASE_INSTANCE, IR_SYS_DRAW_INDEX, IR_SYS_VIEW_INDEX,
	IR_SYS_FRAG_COORD,        /* 4 comps; w is 1/w_clip */
	IR_SYS_FRONT_FACE,        /* 32-bit 0 or not 0 */
	IR_SYS_SAMPLE_ID, IR_SYS_SAMPLE_MASK_IN, IR_SYS_LAYER,
	IR_SYS_LOCAL_ID /* 3 comps */, IR_SYS_WORKGROUP_ID /* 3 */, IR_SYS_NUM_WORKGROUPS /* 3 */,
	IR_SYS_LANE,              /* 0..63 */
	IR_SYS_SUBGROUP_ID, IR_SYS_NUM_SUBGROUPS,
	IR_SYS_GS_VERTICES,       /* 3 comps, two halves each: lanes of the primitive's vertices */
	IR_SYS_PRIMITIVE_ID, IR_SYS_INVOCATION_ID, /* GS, tessellation */
	IR_SYS_TESS_COORD,        /* TES: 2 comps, u and v */
	IR_SYS_TESS_DOMAIN,       /* TES: all ones where it is a triangle */
	IR_SYS_PATCH,             /* number in the group */
	IR_SYS_PATCH_VERTICES,    /* control points that the stage reads */
	IR_SYS_OUTPUT_VERTICES,   /* TCS: those that it writes */
	IR_SYS_BLOCK, IR_SYS_PAYLOAD, /* TS, MS: addresses, 2 comps */
};

enum ir_bary { IR_BARY_PERSP_CENTER, IR_BARY_PERSP_CENTROID, IR_BARY_PERSP_SAMPLE,
	IR_BARY_LINEAR_CENTER, IR_BARY_LINEAR_CENTROID, IR_BARY_LINEAR_SAMPLE };

/* Slots of STORE_OUTPUT (and of LOAD_INTERP/LOAD_FLAT: COMPILER_SLOT_* only):
 * 0..37 as COMPILER_SLOT_*, then these. A VS clip distance is stored to
 * IR_SLOT_CLIP* ... the backend exports it both as position data and as a param, and so it does
 * with IR_SLOT_VIEWPORT. */
static_assert(COMPILER_SLOT_COUNT <= 40, "IR_SLOT_* follow");
enum { IR_SLOT_POSITION = 40, IR_SLOT_POINT_SIZE, IR_SLOT_LAYER, IR_SLOT_VIEWPORT,
	IR_SLOT_MRT0 = 48 /* ..55 */, IR_SLOT_MRT0_SRC1 = 56 /* dual source: mrt1 */,
	IR_SLOT_DEPTH = 57, IR_SLOT_STENCIL = 58, IR_SLOT_SAMPLE_MASK = 59,
	IR_NO_SLOT = 63 };
/* Of LOAD_PATCH, LOAD_OWN_PATCH and STORE_PATCH: mode, and slots: of vertices of a patch and of whole patches the
 * built-ins first, then locations 0..63. */
enum { IR_PATCH_VERTEX, IR_PATCH_WHOLE };
enum { IR_PATCH_POSITION, IR_PATCH_POINT_SIZE, IR_PATCH_CLIP0, IR_PATCH_CLIP1, IR_PATCH_CULL0, IR_PATCH_CULL1,
	IR_PATCH_LOCATION0, IR_PATCH_LOCATIONS = 64 };

/* Of *_SSBO: the array index is a descriptor's place: (set + 1) << 24 | byte in the set's
 * memory, IR_PLACE_ROOT instead of set + 1: in the root table. */
enum { IR_PLACE_SHIFT = 24, IR_PLACE_ROOT = 33 };
extern const struct compiler_binding ir_binding_of_place;
/* Of LOAD_UBO: what ir_func.table has. */
extern const struct compiler_binding ir_binding_of_table;

struct ir_inst;
struct ir_block;

struct ir_src { struct ir_inst *inst; uint8_t comp; };

/* A variable: `slots` values of `bits` bits; gone after ssa / lower_vars. */
struct ir_var {
	struct ir_var *next;
	uint32_t index;
	uint32_t slots;
	uint8_t bits;
	bool indirect;      /* some access has a dynamic index */
	uint32_t word;      /* SPIR-V word of OpVariable, 0: has none */
	uint32_t written;   /* the front end's number of the last store */
	const char *name;   /* for dumps, may be NULL */
	uint32_t scratch;   /* byte offset after lower_vars */
	uint32_t mark;      /* ir_unroll.c: the loop where the counter decides what it holds */
};

/* COPY_VAR: `count` slots of one variable to another of as many bits.  Sources:
 * those dynamic slots that there are, from's first; they are added, and clamped
 * so that all is inside. */
struct ir_copy { struct ir_var *from, *to; uint32_t from_slot, to_slot, count; bool from_dynamic, to_dynamic; };

/* Images.  Sources of TEX, IMAGE_*, in this order, each group if present:
 *   texture array index, sampler array index (always both; CONST 0 if none),
 *   coordinates (coords of them, array layer last; cube: x y z [layer], unnormalised
 *   direction, the backend does the face maths; fetch and storage: integers),
 *   IR_TEX_PROJ is resolved by the front end,
 *   compare, bias or lod, ddx (dims), ddy (dims), offset (dims; constants or not),
 *   IMAGE_STORE: four data; IMAGE_ATOMIC: data, for CMPSWAP data then comparator, each a word,
 *   or of texels of 64 bits two, as is the result. */
enum ir_tex_op {
	IR_TEX_SAMPLE,       /* implicit LOD */
	IR_TEX_SAMPLE_BIAS, IR_TEX_SAMPLE_LOD, IR_TEX_SAMPLE_GRAD,
	IR_TEX_FETCH,        /* integer coordinates, lod */
	IR_TEX_GATHER,       /* component */
	IR_TEX_QUERY_SIZE,   /* lod source; result x, y, z (layers last) */
	IR_TEX_QUERY_LOD,    /* 2 comps: level accessed (clamped), computed LOD */
	IR_TEX_QUERY_LEVELS,
	IR_TEX_QUERY_SAMPLES,
};
enum ir_dim { IR_DIM_1D, IR_DIM_2D, IR_DIM_3D, IR_DIM_CUBE, IR_DIM_BUFFER, IR_DIM_INPUT /* subpass */ };
struct ir_tex {
	uint8_t op;          /* enum ir_tex_op (TEX) or enum ir_atomic (IMAGE_ATOMIC) */
	uint8_t dim, array, ms;
	uint8_t coords;      /* coordinate sources */
	uint8_t compare, offset, component;
	uint8_t lod;         /* fetch/query/storage: a lod source is present */
	uint8_t is_int;      /* sampled type is integer */
	uint8_t plane;       /* which of the T#s, and whose S#, of a combined descriptor: isa/abi.h */
	const struct compiler_binding *texture, *sampler; /* sampler: NULL if none */
};

/* Of a source of PK_*: which half the lower and the upper part of the result are made of, and
 * whether its sign is changed. */
struct ir_halves { uint8_t sel : 1, sel_high : 1, neg : 1, neg_high : 1; };

struct ir_inst {
	struct ir_inst *prev, *next;
	struct ir_block *block;
	uint32_t id;
	uint16_t op;
	uint8_t bits, comps;
	uint16_t srcs;
	bool divergent;      /* filled in by the divergence pass */
	bool precise;        /* NoContraction: no fusing, no reassociation; FMIN, FMAX: signs of zeros count */
	uint32_t word;       /* SPIR-V word offset, for messages */
	union {
		uint64_t imm;                          /* CONST: no bit beyond `bits` is set */
		struct { struct ir_var *var; uint32_t slot; } var; /* LOAD_VAR: sources [dynamic slot];
		                                        * STORE_VAR: value [, dynamic slot]; slot is added */
		struct {
			const struct compiler_binding *binding; /* UBO, SSBO */
			uint32_t align;                /* known alignment of the offset, bytes */
			uint8_t atomic;                /* enum ir_atomic */
			bool coherent, restrict_;      /* decorations */
			bool readonly;                 /* nobody in this shader writes it */
		} mem;                                 /* *_UBO, *_SSBO, *_SHARED, *_PUSH, *_SCRATCH, *_GLOBAL:
		                                        * sources [array index or address,] byte offset [, data...] */
		struct ir_tex *tex;
		struct ir_copy *copy;
		struct { uint8_t slot, comp, mode, mask; } io; /* interface operations: slot or location,
		                                        * component, enum ir_sysval / ir_bary, mask */
		struct { struct ir_inst *coalesce; } phi;
		struct ir_halves halves[3];            /* PK_*: of each source */
	} u;
	void *pass;          /* scratch of the running pass */
	uint32_t mark;
	bool replaced;       /* taken out; src[0] is what it became: see ir_replace.h */
	struct ir_src src[]; /* srcs of them, room for one at least */
};

static inline const struct ir_op_info *ir_info(const struct ir_inst *in) { return &ir_op_infos[in->op]; }
static inline uint64_t ir_ones(unsigned bits) { return ~0ull >> (64 - bits); } /* bits: 1..64 */
/* The source that says how wide the operands are. */
static inline unsigned ir_wide_source(const struct ir_op_info *info) { return info->operands == IR_IN_SEL; }
/* How wide the operands are; 0: it has none. */
static inline unsigned ir_operand_bits(const struct ir_inst *in)
{
	return in->srcs ? in->src[ir_wide_source(ir_info(in))].inst->bits : 0;
}

enum ir_node_kind { IR_NODE_BLOCK, IR_NODE_IF, IR_NODE_LOOP };
struct ir_list;
struct ir_node { struct ir_node *prev, *next; struct ir_node *parent; struct ir_list *list; uint8_t kind; };
struct ir_list { struct ir_node *first, *last; struct ir_node *owner; /* the if or loop, NULL for the body */ };

enum ir_jump { IR_JUMP_NONE, IR_JUMP_BREAK, IR_JUMP_CONTINUE };
struct ir_block {
	struct ir_node node;
	struct ir_inst *first, *last;
	uint8_t jump;
	uint32_t index;            /* in program order, by ir_cfg */
	struct ir_block **pred; uint32_t preds; /* by ir_cfg */
	struct ir_block *succ[2];
	void *pass;
};
struct ir_if { struct ir_node node; struct ir_src cond; struct ir_list then_, else_; bool divergent; };
struct ir_loop { struct ir_node node; struct ir_list body, cont;
	bool divergent;            /* lanes may leave or continue at different times */ };

struct ir_func {
	struct ir_list body;
	struct ir_var *vars;
	uint32_t var_count, inst_count, block_count;
	struct ir_block **blocks;  /* by index, after ir_cfg */
	enum compiler_stage stage;
	uint32_t shared_bytes;     /* workgroup memory */
	uint32_t scratch_bytes;    /* a lane, by lower_vars */
	uint32_t *table;           /* constants that loads of ir_binding_of_table read, by tables */
	uint32_t table_dwords;
	uint32_t workgroup[3];
	uint32_t float_mode;       /* how floats round, which denormals are kept: isa/mode.h */
	unsigned exact_floats;     /* widths (16 | 32 | 64) whose infinities, NaNs and signs of zeros are kept, too */
	/* PS execution modes */
	bool early_fragment_tests, depth_replacing, depth_greater, depth_less, uses_demote;
	bool depth_first;          /* ir_depth_first.c */
	bool has_effects;          /* storage writes or atomics */
	bool needs_wqm;            /* derivatives or implicit LOD */
	bool sample_shading;       /* runs once a sample */
	uint32_t clip_distances, cull_distances; /* VS, GS, MS: array sizes */
	/* GS: as compiler_shader has them */
	uint32_t gs_vertices_in, gs_vertices_out, gs_invocations, gs_out_type, gs_streams;
	/* Transform feedback of outputs: source is the slot, IR_NO_SLOT of what is never written.  Buffers' strides in bytes. */
	struct isa_strmout_run *capture;
	uint32_t captures;
	uint16_t xfb_stride[ISA_STRMOUT_BUFFERS];
	struct compiler_tess tess; /* TCS, TES */
	struct ir_mesh {           /* MS: as compiler_shader has it; output rows are made by spv_mesh.c */
		uint32_t vertices, prims, params, vertex_params, output, cntl, vs_out_cntl, payload_bytes;
		uint8_t param_of_slot[COMPILER_SLOT_COUNT];
	} mesh;
	struct ir_pool *pool;
};

/* What isa/stages.def says of the function's stage. */
static inline bool ir_stage_has(const struct ir_func *f, enum isa_stage_trait trait)
{
	return isa_stages[f->stage].traits & trait;
}

/* Building: a cursor at the end of a block or before an instruction. */
struct ir_builder { struct ir_func *func; struct ir_block *block; struct ir_inst *before; uint32_t word; };

/* A function with one empty block; the cursor of *b (if not NULL) is put there. */
struct ir_func *ir_func_create(struct ir_pool *pool, enum compiler_stage stage, struct ir_builder *b);
/* Charges a tick. */
struct ir_inst *ir_inst_new(struct ir_func *f, enum ir_op op, unsigned bits, unsigned comps, unsigned srcs);
void ir_insert(struct ir_builder *b, struct ir_inst *inst);
void ir_remove(struct ir_inst *inst);
/* Where it stands; uses stay, fold sees to them. */
void ir_become_copy(struct ir_inst *inst, struct ir_src value);
/* What is in `from` goes to the end of `to`. */
void ir_append(struct ir_block *to, struct ir_block *from);
static inline struct ir_src ir_comp(struct ir_inst *inst, unsigned comp)
{
	return (struct ir_src){ inst, (uint8_t)comp };
}
struct ir_src ir_const(struct ir_builder *b, uint32_t value);
struct ir_src ir_const_of(struct ir_builder *b, unsigned bits, uint64_t value); /* what is beyond `bits` is dropped */
struct ir_src ir_constf(struct ir_builder *b, float value);
struct ir_src ir_bool(struct ir_builder *b, bool value);
struct ir_src ir_undef(struct ir_builder *b, unsigned bits);
/* With the result bits of the table; MADE: those of the source. */
struct ir_src ir_op1(struct ir_builder *b, enum ir_op op, struct ir_src a);
struct ir_src ir_op2(struct ir_builder *b, enum ir_op op, struct ir_src a, struct ir_src c);
struct ir_src ir_op3(struct ir_builder *b, enum ir_op op, struct ir_src a, struct ir_src c, struct ir_src d);
/* A conversion (an operation that is MADE) to `bits` bits. */
struct ir_src ir_convert(struct ir_builder *b, enum ir_op op, unsigned bits, struct ir_src a);
struct ir_var *ir_var_new(struct ir_func *f, unsigned bits, uint32_t slots, const char *name);
struct ir_src ir_load_var(struct ir_builder *b, struct ir_var *v, uint32_t slot);
void ir_store_var(struct ir_builder *b, struct ir_var *v, uint32_t slot, struct ir_src value);
/* Dynamic slot: slot + index; indices out of range read anything, write nothing. */
struct ir_src ir_load_var_at(struct ir_builder *b, struct ir_var *v, uint32_t slot, struct ir_src index);
void ir_store_var_at(struct ir_builder *b, struct ir_var *v, uint32_t slot, struct ir_src index, struct ir_src value);

/* Control flow: begin_* opens the construct after the cursor's block and puts
 * the cursor into it; end_* closes it and puts the cursor after it. */
struct ir_if *ir_begin_if(struct ir_builder *b, struct ir_src cond);
void ir_begin_else(struct ir_builder *b, struct ir_if *nif);
void ir_end_if(struct ir_builder *b, struct ir_if *nif);
struct ir_loop *ir_begin_loop(struct ir_builder *b);
void ir_begin_cont(struct ir_builder *b, struct ir_loop *loop);
void ir_end_loop(struct ir_builder *b, struct ir_loop *loop);
/* Opens a loop at the cursor, which may be inside a block: the rest of it comes
 * after the loop.  Not when there are phis. */
struct ir_loop *ir_split_loop(struct ir_builder *b);
/* The if behind the head that does nothing but leave the loop, or NULL.  *leaves: the value of its condition that breaks. */
struct ir_if *ir_loop_exit(const struct ir_loop *loop, bool *leaves);
/* Ends the cursor's block with a jump.  What is built after it in the same
 * list is unreachable and is dropped by ir_cfg. */
void ir_jump(struct ir_builder *b, enum ir_jump jump);

/* Block order, predecessors, successors; drops unreachable code.  An if's
 * block has succ then, else; predecessors of a block after an if are ordered
 * then, else; of a loop body's first block: before the loop, end of cont; of
 * cont's first block: continues in program order, then the body's end; of the
 * block after a loop: breaks in program order. */
void ir_cfg(struct ir_func *f);

void ir_print(const struct ir_func *f, FILE *out);
/* Checks the invariants above; false with a message.  Run after each pass with
 * QW_CHECKS.  Charges nothing; its time is linear but for the depth of nesting. */
bool ir_check(const struct ir_func *f, char *message, size_t size);

/* Passes.  Each states what it needs and leaves. */
void ir_pass_bounds(struct ir_func *f);       /* loops lose bounds that no wave lives to see; with variables; leaves cfg */
void ir_pass_unroll(struct ir_func *f);       /* short loops -> their turns; with variables */
void ir_pass_tables(struct ir_func *f);       /* variables of constants with dynamic indices -> a table of the program; leaves cfg */
void ir_pass_lower_vars(struct ir_func *f);   /* variables with dynamic indices -> selects or scratch */
void ir_pass_ssa(struct ir_func *f);          /* the rest -> SSA; leaves cfg */
bool ir_pass_branches(struct ir_func *f);     /* ifs of a constant -> the arm that is taken; leaves cfg */
bool ir_pass_fold(struct ir_func *f);         /* constants, identities, copies */
bool ir_pass_cse(struct ir_func *f);          /* dominator value numbering */
bool ir_pass_dce(struct ir_func *f);
void ir_pass_needs(struct ir_func *f);        /* uses_demote, has_effects, needs_wqm: of what is left, constants of the pipeline known */
void ir_pass_pack(struct ir_func *f);         /* pairs of halves in one word; before lower_alu */
void ir_pass_lower_alu(struct ir_func *f);    /* integer division and other ops the ISA lacks */
bool ir_pass_licm(struct ir_func *f);
bool ir_pass_flatten(struct ir_func *f);      /* small ifs -> selects; after divergence */
void ir_pass_flatten_masks(struct ir_func *f); /* the same of uniform ifs for lanes' conditions; behind all cse */
void ir_pass_divergence(struct ir_func *f);   /* fills inst->divergent, if->divergent, loop->divergent */
void ir_pass_depth_first(struct ir_func *f);  /* PS: a depth of the first block is the first output; needs cfg; goes last */
void ir_pass_lcssa(struct ir_func *f);        /* after divergence; values of a divergent loop used after it go through PHIs
                                               * at its exit; run divergence again afterwards */

#endif
