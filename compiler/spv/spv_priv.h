/* SPDX-License-Identifier: MIT */
/* What the files of the front end share.
 *
 * Order of work: spv_parse (walk the words, check shapes and ids), spv_module
 * (capabilities, entry point, decorations), spv_type, spv_const (global
 * section), spv_func (functions and blocks), spv_cfg and spv_plan (control flow
 * to a tree), spv_emit (tree to IR; instructions by topic in the other files).
 *
 * Errors leave by spv_fail (longjmp to spv_to_ir); memory is that of two pools, the
 * IR's and the front end's own, freed when the IR is made.  What there is too much
 * of (memory or work) leaves by spv_fail_pool. */
#ifndef COMPILER_SPV_SPV_PRIV_H
#define COMPILER_SPV_SPV_PRIV_H

#include <setjmp.h>
#include <spirv/unified1/spirv.h>
#include "compiler/spv/spv.h"
#include "compiler/spv/spv_tables.h"
#include "spv_newer.h" /* generated: what spirv.h does not have yet */

/* --- instructions --- */

struct spv_op { const uint32_t *w; uint32_t at; uint16_t op, n; }; /* w[0] is the first word; n words */

enum {
	SPV_MAX_LEAVES = 1 << 16,     /* scalars in a value or variable */
	SPV_MAX_DEPTH = 600,          /* nesting of control flow in a function */
	SPV_MAX_LISTS = 1000,         /* of its lists, calls included: with every pass's recursion, 256 KiB of stack */
	SPV_MAX_TYPE_DEPTH = 64, SPV_MAX_CALLS = 64,
	SPV_MAX_LOCATIONS = 32,
	SPV_BIG = 64,                 /* scalars: values of more are kept unmade */
};

/* --- types --- */

enum spv_kind { SPV_VOID, SPV_BOOL, SPV_INT, SPV_FLOAT, SPV_VECTOR, SPV_MATRIX, SPV_ARRAY, SPV_RUNTIME_ARRAY,
	SPV_STRUCT, SPV_POINTER, SPV_IMAGE, SPV_SAMPLER, SPV_SAMPLED_IMAGE, SPV_FUNCTION };

/* Decorations that change how something is read, as flags. */
enum { SPV_FLAT = 1, SPV_NOPERSPECTIVE = 2, SPV_CENTROID = 4, SPV_SAMPLE = 8, SPV_COHERENT = 16,
	SPV_VOLATILE = 32, SPV_RESTRICT = 64, SPV_NONWRITABLE = 128,
	SPV_NONUNIFORM = 256, SPV_PER_VERTEX = 512, SPV_PATCH = 1024, SPV_PER_PRIMITIVE = 2048,
	SPV_NOT_INTERPOLATED = SPV_FLAT | SPV_PER_VERTEX | SPV_PER_PRIMITIVE };

struct spv_member {
	const struct spv_type *type;
	uint32_t first_leaf, packed_offset;
	uint32_t offset, matrix_stride;
	int32_t location, component, builtin, stream; /* -1: none */
	uint16_t flags;
	bool row_major, has_offset;
};
struct spv_type {
	uint8_t kind;          /* enum spv_kind */
	uint8_t depth;
	bool is_signed;
	uint8_t width;         /* bits of the widest leaf, 1: bools; 0: no leaves */
	bool any_bool, mixed;  /* among the leaves; they have several widths */
	bool opaque;           /* holds something that is no number */
	bool block, buffer_block;
	uint32_t id;
	uint32_t count;        /* components, columns, elements or members */
	uint32_t leaves;       /* scalars, UINT32_MAX: too many or none */
	uint32_t stride;       /* ArrayStride, 0: none */
	uint32_t packed;       /* bytes in workgroup memory without a layout, UINT32_MAX: too many */
	uint8_t packed_align;
	uint32_t storage;      /* of a pointer */
	const struct spv_type *elem; /* component, column, element, pointee, image; sampled type; return type */
	struct spv_member *members;
	const struct spv_type **params;
	struct { uint8_t dim, depth, arrayed, ms, sampled; uint32_t format; } image;
};

/* --- ids --- */

struct spv_decor { struct spv_decor *next; uint32_t decoration; int32_t member; const uint32_t *param; uint32_t params; };
struct spv_const { const struct spv_type *type; const uint64_t *words; /* a leaf each */ bool undef; };

/* One leaf of an interface variable. */
struct spv_io { bool builtin, written; uint8_t comp, vertex, stream; uint16_t flags; uint32_t slot; /* location or BuiltIn */
	const struct spv_type *type; /* a scalar; one of 64 bits has this component and the next */ };

struct spv_var {
	uint32_t id;
	const struct spv_type *type;   /* pointee */
	uint32_t storage;
	uint16_t flags;
	uint32_t init;                 /* id or 0 */
	struct ir_var *ir;             /* Function, Private, Output, dynamically indexed Input */
	struct spv_io *io;             /* Input, Output: by leaf */
	bool has_index, ready;         /* dual source index 1; bound */
	uint8_t rows;                  /* enum spv_rows: where it lies in rows, a word of each vertex or patch */
	const struct compiler_binding *binding;
	uint32_t shared_offset;
	struct spv_var *next;          /* outputs in use */
};

enum spv_ptr_kind { SPV_PTR_VAR, SPV_PTR_INPUT, SPV_PTR_MEMORY, SPV_PTR_HANDLE, SPV_PTR_TEXEL, SPV_PTR_ROWS,
	SPV_PTR_MESH };
/* Interface of tessellation and geometry shaders: what the first half left, vertices of patches, patches. */
enum spv_rows { SPV_ROWS_NONE, SPV_ROWS_LINKED, SPV_ROWS_VERTEX, SPV_ROWS_PATCH };
enum spv_memory { SPV_MEM_UBO, SPV_MEM_SSBO, SPV_MEM_PUSH, SPV_MEM_SHARED, SPV_MEM_GLOBAL };

struct spv_handle {                /* image, sampler, both */
	const struct spv_type *image;  /* image type or NULL */
	const struct compiler_binding *texture, *sampler;
	struct ir_src texture_index, sampler_index;
	uint16_t flags;
};
struct spv_ptr {
	uint8_t kind, memory;
	const struct spv_type *type;   /* pointee */
	struct spv_var *var;
	uint32_t slot;                 /* VAR, INPUT, MESH, ROWS (within a vertex): leaf; MEMORY: constant part of the byte offset */
	struct ir_src dynamic;         /* added to slot (MESH: to the byte offset of its row); inst NULL: none */
	uint32_t span_first, span;     /* VAR, INPUT, MESH, ROWS with a dynamic part: leaves that it may reach */
	uint32_t dynamic_align;        /* MEMORY: power of two that divides it */
	struct ir_src vertex;          /* ROWS; inst NULL: all of them, or it has none */
	struct ir_src address;         /* GLOBAL: 64 bits, to which the offset of 32 bits is added */
	struct ir_src index;           /* MEMORY, HANDLE: array index, MESH: vertex or primitive; inst NULL: 0 */
	uint32_t stride;               /* bytes to the next element, if this is one of an array; 0: not known */
	uint32_t matrix_stride, comp_stride; /* comp_stride: bytes from component to component, 0: side by side */
	bool row_major, indexed;       /* indexed: the descriptor array was entered */
	bool packed;                   /* workgroup memory without a layout: spv_type.packed */
	uint16_t flags;
	const struct spv_handle *image;/* TEXEL */
	const struct ir_src *coords;
};
/* A value of more than SPV_BIG leaves is kept as what it came from, and its
 * leaves are made when something wants them: see spv_big.c. */
struct spv_val {
	const struct spv_type *type;
	const struct ir_src *src;      /* leaves; NULL: none, or not made yet */
	struct spv_big *big;
	const struct spv_ptr *ptr;
	const struct spv_handle *handle;
};

enum spv_id_kind { SPV_ID_NONE, SPV_ID_TYPE, SPV_ID_CONST, SPV_ID_VAR, SPV_ID_FUNC, SPV_ID_LABEL, SPV_ID_VALUE,
	SPV_ID_GLSL, SPV_ID_NONSEMANTIC, SPV_ID_OTHER };
struct spv_id {
	uint32_t id, at;
	uint16_t op;
	uint8_t kind;
	bool precise;
	struct spv_decor *decor;
	union { void *any; const struct spv_type *type; const struct spv_const *cnst; struct spv_var *var;
		struct spv_func *func; const struct spv_val *val; uint32_t block; } u;
	struct ir_var *phi;            /* OpPhi: stored where predecessors end */
};

/* --- functions --- */

enum { SPV_NO_BLOCK = UINT32_MAX };
struct spv_block {
	uint32_t id, at;               /* of OpLabel */
	uint32_t body, end;            /* words of the instructions after OpLabel; the terminator's */
	uint32_t merge, cont;          /* blocks, SPV_NO_BLOCK: none */
	bool loop_merge, has_phi;
	uint32_t *succ; uint32_t succs;
};
struct spv_func {
	uint32_t id, at, end;
	const struct spv_type *type;   /* SPV_FUNCTION */
	uint32_t *params; uint32_t param_count;
	struct spv_block *blocks; uint32_t block_count;
	uint32_t *defs; uint32_t def_count; /* ids defined inside */
	struct spv_plan_list *plan;
	uint8_t state;                 /* call graph walk: 0 new, 1 open, 2 done */
	bool kills, loops;             /* itself or something that it calls */
};

/* The tree of a function, before IR.  Labels are block numbers; block_count is
 * the return, block_count + 1 nothing. */
enum spv_plan_kind { SPV_PLAN_BLOCK, SPV_PLAN_EDGE, SPV_PLAN_IF, SPV_PLAN_KILLED, SPV_PLAN_SWITCH, SPV_PLAN_LOOP,
	SPV_PLAN_SCOPE, SPV_PLAN_CHAIN, SPV_PLAN_JUMP, SPV_PLAN_RETURN, SPV_PLAN_KILL };
struct spv_plan_list { struct spv_plan *first, *last; };
struct spv_arm { struct spv_plan_list list; uint32_t target; uint64_t *literals; uint32_t count; bool is_default; };
struct spv_plan {
	struct spv_plan *next;
	uint8_t kind;
	bool once;                     /* SCOPE: some jump leaves from its middle */
	bool tail, is_continue;        /* JUMP: falls there anyway; else to target */
	uint32_t block, label;         /* EDGE: from block to label */
	uint32_t from, to;             /* BLOCK: word range */
	struct spv_plan *target;
	struct spv_plan_list a, b;     /* then, else; body, cont */
	struct spv_arm *arms; uint32_t arm_count;
	struct spv_chain *chain;       /* CHAIN */
	struct spv_link *link;         /* JUMP into a chain: where it goes on */
};

/* A chain is a list of scopes with the label of the chain, one after another.
 * All but the first begin at a label of their own and run when `go` is true,
 * which jumps to that label make it, or always when nothing passes them by.
 * It is what a switch is whose cases fall through. */
struct spv_link {
	struct spv_chain *chain;
	uint32_t index;
	struct spv_plan *scope;
	uint32_t reach;                /* the farthest link that jumps from here go to; count: the chain's end */
	bool guarded;
	/* while it is emitted */
	struct ir_var *go;
	const struct spv_arm *arm;     /* of the chain's switch that jumps here: compared when it is asked for */
};
struct spv_chain {
	struct spv_link *links; uint32_t count;
	uint32_t current;              /* being resolved */
	struct ir_src selector;        /* while it is emitted: of the links' arms */
};

struct spv_frame;

struct spv {
	const struct compiler_input *in;
	struct ir_pool *pool;          /* of the front end alone; f has another */
	struct ir_func *f;
	struct ir_builder b;           /* where code goes */
	struct ir_builder prologue;    /* entry block, before everything */
	const uint32_t *words;
	size_t count;
	uint32_t bound, *dense;
	struct spv_id *ids;
	uint32_t id_count;
	uint32_t functions;            /* word of the first OpFunction */
	jmp_buf fail;
	char *message;
	size_t message_size;
	enum compiler_status status;
	struct spv_op cur;
	bool precise;                  /* of the current instruction */
	uint32_t float_modes_set;      /* bits of f->float_mode that some execution mode named */

	uint32_t entry;                /* function id */
	const uint32_t *interface_; uint32_t interface_count;
	uint32_t local_size[3], local_size_id[3];
	bool multiview, subgroups, module_writes, kill_is_demote;
	bool xfb;                      /* outputs are captured */
	bool shared_layout;            /* workgroup memory has Offsets and strides */
	bool storage_pointers, shared_pointers; /* are values: VariablePointersStorageBuffer, VariablePointers */
	struct spv_func *funcs; uint32_t func_count;
	struct spv_frame *frame;
	uint32_t writes;               /* stores to variables so far: ir_var.written */
	struct ir_var *emitted;        /* GS: vertices so far */
	struct ir_var *emitted_to[ISA_STREAMS]; /* of these those of a stream; of 0 may be the same */
	bool streams;                  /* GeometryStreams */
	struct ir_var *killed;         /* bool: the invocation has ended, callers leave too */
	uint32_t depth;                /* of the recursion of spv_plan, of spv_emit */
	struct spv_var *outputs;
	struct spv_spill *spills;      /* values used outside the list of their definition */
	struct ir_inst *attr[SPV_MAX_LOCATIONS], *bary[6], *sys[32];
	struct spv_mesh *mesh;         /* MS: spv_mesh.c */
};

/* --- spv_parse.c --- */
_Noreturn void spv_fail(struct spv *s, enum compiler_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
_Noreturn void spv_fail_at(struct spv *s, uint32_t at, enum compiler_status status, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
#define spv_invalid(s, ...) spv_fail(s, COMPILER_INVALID, __VA_ARGS__)
#define spv_unsupported(s, ...) spv_fail(s, COMPILER_UNSUPPORTED, __VA_ARGS__)
_Noreturn void spv_fail_pool(struct spv *s);
void spv_charge(struct spv *s, uint64_t ticks); /* fails when the work is too much */
void *spv_alloc(struct spv *s, uint64_t count, size_t size); /* gone when the IR is made */
void *spv_ir_alloc(struct spv *s, size_t size);
unsigned spv_result_word(uint32_t opcode); /* position of the result id in the words, 0: none */
const char *spv_op_name(uint32_t opcode);
const char *spv_enum_name(enum spv_enum_kind kind, uint32_t value);
struct spv_op spv_at(const struct spv *s, uint32_t at);
/* Words of a literal of an OpSwitch, 1 or 2, and the i-th one. */
uint32_t spv_literal_words(const struct spv *s, struct spv_op op);
uint64_t spv_literal(struct spv_op op, uint32_t words, uint32_t i);
struct spv_id *spv_id(struct spv *s, uint32_t id);
bool spv_string(struct spv *s, const uint32_t *w, uint32_t n, const char **text, uint32_t *words);
void spv_parse(struct spv *s);
#define spv_each(s, op, from, to) \
	for (struct spv_op op = spv_at(s, from); op.at < (to); op = spv_at(s, op.at + op.n))

/* --- spv_module.c --- */
void spv_module(struct spv *s);
const struct spv_decor *spv_decoration(const struct spv_id *id, uint32_t decoration, int32_t member);
uint32_t spv_decor_param(struct spv *s, const struct spv_decor *d);

/* --- spv_type.c, spv_const.c, spv_fold.c --- */
void spv_type_op(struct spv *s, struct spv_op op);
const struct spv_type *spv_type(struct spv *s, uint32_t id);
bool spv_same_shape(const struct spv_type *a, const struct spv_type *b);
const struct spv_type *spv_scalar_type(const struct spv_type *t); /* of scalars, vectors, matrices; else NULL */
uint64_t spv_laid_out_bytes(const struct spv_type *t, const struct spv_member *m); /* m: whose type it is, or NULL */
uint32_t spv_element_bytes(struct spv *s, const struct spv_type *pointer, uint32_t known); /* known: spv_ptr.stride or 0 */
uint32_t spv_comps(const struct spv_type *t);                     /* of scalars and vectors; else 0 */
unsigned spv_leaf_bits(const struct spv_type *t, uint32_t leaf);
const struct spv_type *spv_leaf_type(const struct spv_type *t, uint32_t leaf); /* a scalar */
/* Bytes of a scalar of the type in memory: a bool, in workgroup memory, is a word. */
static inline uint32_t spv_memory_bytes(const struct spv_type *t) { return t->width == 1 ? 4 : t->width / 8u; }
/* A pointer that is a value with one leaf: an address of 64 bits; with variable pointers a
 * descriptor's place (ir_binding_of_place) above an offset of 32 bits in storage buffers, an
 * offset of 31 bits below bit SPV_SHARED_POINTER_BIT in workgroup memory, so that none is 0. */
enum { SPV_SHARED_POINTER_BIT = 31 };
static inline bool spv_is_address(const struct spv_type *t)
{
	return t->kind == SPV_POINTER && t->leaves == 1;
}
void spv_const_op(struct spv *s, struct spv_op op);
const struct spv_const *spv_const(struct spv *s, uint32_t id);
uint32_t spv_const_scalar(struct spv *s, uint32_t id);
bool spv_is_const(struct spv *s, uint32_t id, uint32_t *value);
bool spv_fold(uint32_t op, uint32_t float_mode, unsigned bits, unsigned result_bits, const uint64_t v[3], uint64_t *out);
uint16_t spv_flags(const struct spv_id *id, int32_t member);

/* --- spv_func.c, spv_cfg.c, spv_plan.c --- */
void spv_functions(struct spv *s);
void spv_plan(struct spv *s, struct spv_func *f);
struct spv_cfg {
	struct spv_func *f;
	uint32_t n, *order, count;     /* blocks by reverse post-order, reachable ones */
	uint32_t *rpo;                 /* by block, SPV_NO_BLOCK: unreachable */
	uint32_t *parent, *depth;      /* placement tree; n + block: the loop of a header */
	bool *is_loop, *inline_;       /* by block */
	uint32_t *cont_of;             /* by block: header whose continue target it is */
	uint32_t *first_child, *next_child; /* labelled ones, ascending rpo */
	uint64_t steps;                /* up the tree, not charged yet */
};
void spv_cfg(struct spv *s, struct spv_cfg *c);
static inline uint32_t spv_cfg_node(const struct spv_cfg *c, uint32_t block)
{
	return c->is_loop[block] ? c->n + block : block;
}

/* --- spv_emit.c --- */
void spv_emit_entry(struct spv *s, struct spv_func *f);
void spv_call(struct spv *s, struct spv_op op);
void spv_instruction(struct spv *s, struct spv_op op); /* spv_inst.c */

/* --- spv_value.c --- */
const struct ir_src *spv_leaves(struct spv *s, uint32_t id, const struct spv_type **type);
const struct ir_src *spv_use_all(struct spv *s, const struct ir_src *in, uint32_t count); /* spv_use of each */
void spv_define(struct spv *s, struct spv_op op, struct spv_val v);
const struct ir_src *spv_numbers(struct spv *s, uint32_t id, uint32_t count); /* of 32 bits */
const struct ir_src *spv_operands(struct spv *s, uint32_t id, uint32_t count); /* of any width, all of one */
const struct ir_src *spv_bools(struct spv *s, uint32_t id, uint32_t count);
struct ir_src spv_number(struct spv *s, uint32_t id);
struct ir_src spv_index(struct spv *s, uint32_t id); /* an integer of any width, as 32 bits */
struct ir_src spv_use(struct spv *s, struct ir_src src);
const struct spv_type *spv_type_of(struct spv *s, uint32_t id);
const struct spv_val *spv_val(struct spv *s, uint32_t id); /* any defined value */
struct ir_var *spv_cell(struct spv *s, const struct spv_type *type, const char *name);
void spv_put(struct spv *s, struct ir_var *cell, uint32_t slot, struct ir_src value);
struct ir_src spv_get(struct spv *s, struct ir_var *cell, uint32_t slot, unsigned bits);
struct ir_src spv_as(struct spv *s, struct ir_src value, unsigned bits);
void spv_put_all(struct spv *s, struct ir_var *cell, const struct spv_type *type, const struct ir_src *leaves);
const struct ir_src *spv_get_all(struct spv *s, struct ir_var *cell, const struct spv_type *type);
void spv_set(struct spv *s, struct spv_op op, const struct ir_src *leaves);
void spv_set_ptr(struct spv *s, struct spv_op op, const struct spv_ptr *ptr);
void spv_set_handle(struct spv *s, struct spv_op op, const struct spv_handle *handle);
struct ir_src *spv_leaf_array(struct spv *s, uint32_t count);
void spv_undef_leaves(struct spv *s, const struct spv_type *type, struct ir_src *out);
const struct spv_type *spv_result_type(struct spv *s, struct spv_op op);
void spv_clear_spills(struct spv *s);

/* --- spv_big.c --- */
struct spv_big *spv_big_const(struct spv *s, const struct spv_const *c);
void spv_set_load(struct spv *s, struct spv_op op, const struct spv_ptr *from);
void spv_set_insert(struct spv *s, struct spv_op op, const struct spv_val *base, uint32_t first, uint32_t count,
	const struct ir_src *value);
void spv_set_like(struct spv *s, struct spv_op op, const struct spv_val *v);
/* Leaves first .. first + count - 1, as they are where they were made. */
const struct ir_src *spv_part(struct spv *s, const struct spv_val *v, uint32_t first, uint32_t count);
void spv_store_value(struct spv *s, const struct spv_ptr *p, bool is_volatile, uint32_t id);

/* ALU with the current instruction's NoContraction. */
struct ir_src spv_1(struct spv *s, enum ir_op op, struct ir_src a);
struct ir_src spv_2(struct spv *s, enum ir_op op, struct ir_src a, struct ir_src b);
/* What others see, too, whichever of the two comes first: the lesser of zeros, of a number and a NaN. */
struct ir_src spv_exact_2(struct spv *s, enum ir_op op, struct ir_src a, struct ir_src b);
struct ir_src spv_3(struct spv *s, enum ir_op op, struct ir_src a, struct ir_src b, struct ir_src c);
struct ir_src spv_f(struct spv *s, float value);
struct ir_src spv_f_of(struct spv *s, unsigned bits, float value); /* a float of 16, 32 or 64 bits */
struct ir_src spv_i_of(struct spv *s, unsigned bits, int64_t value);
/* n floats in single precision, and back. */
const struct ir_src *spv_singles(struct spv *s, const struct ir_src *v, uint32_t n);
void spv_from_singles(struct spv *s, unsigned bits, struct ir_src *v, uint32_t n);
struct ir_src spv_u(struct spv *s, uint32_t value);

/* --- spv_var.c (variables), spv_memory.c (pointers), spv_access.c (loads, stores) --- */
struct spv_var *spv_variable(struct spv *s, struct spv_op op);
void spv_function_variable(struct spv *s, struct spv_op op);
void spv_zero_shared(struct spv *s);
void spv_init_outputs(struct spv *s); /* those with an initialiser; of a geometry shader all */
struct spv_ptr spv_ptr_at(struct spv *s, const struct spv_ptr *p, uint32_t index);
const struct spv_ptr *spv_var_ptr(struct spv *s, struct spv_var *var);
const struct spv_ptr *spv_pointer(struct spv *s, uint32_t id);
void spv_access_chain(struct spv *s, struct spv_op op);
struct ir_src spv_address_of(struct spv *s, const struct spv_ptr *p); /* the pointer's leaf */
void spv_load(struct spv *s, const struct spv_ptr *p, bool is_volatile, struct ir_src *out);
void spv_store(struct spv *s, const struct spv_ptr *p, bool is_volatile, const struct ir_src *value);
struct ir_src spv_load_leaf(struct spv *s, const struct spv_ptr *p, uint32_t leaf); /* of a variable */
void spv_note_store(struct spv *s, const struct spv_ptr *p); /* a store to a variable was made */
/* An access to p + extra bytes: the address is in the first sources, *data is
 * where the data sources go.  Not inserted yet. */
struct ir_inst *spv_mem_inst(struct spv *s, const struct spv_ptr *p, enum ir_op op, unsigned comps, uint32_t extra,
	unsigned data_count, struct ir_src **data);
bool spv_memory_op(struct spv *s, struct spv_op op);

/* Inserts an access to descriptors whose indices are in the first `indices` sources. */
void spv_insert_access(struct spv *s, struct ir_inst *inst, unsigned indices, uint16_t flags);

/* --- spv_io.c, spv_builtin.c --- */
void spv_io_layout(struct spv *s, struct spv_var *var);
struct ir_src spv_io_load(struct spv *s, const struct spv_io *io);
/* What moves between stages is words: a leaf of up to 32 bits as one, and back. */
struct ir_src spv_from_word(struct spv *s, const struct spv_type *type, struct ir_src v);
struct ir_src spv_to_word(struct spv *s, const struct spv_type *type, struct ir_src v);
struct ir_src spv_io_interp(struct spv *s, const struct spv_io *io, unsigned slot, unsigned comp, struct ir_inst *bary);
int spv_io_slot(const struct spv_io *io, unsigned *comp);
enum ir_bary spv_bary_of(uint16_t flags);
void spv_io_outputs(struct spv *s);
/* What transform feedback takes of the outputs, to f->capture; after what the shader writes is known. */
void spv_capture(struct spv *s);
/* BaryCoordKHR and BaryCoordNoPerspKHR: the weight of a vertex at I, J; the flags say which. */
bool spv_is_weight(const struct spv_io *io);
uint16_t spv_weight_flags(const struct spv_io *io);
struct ir_src spv_weight(struct spv *s, unsigned vertex, struct ir_inst *bary);
struct ir_src spv_builtin(struct spv *s, const struct spv_io *io);
_Noreturn void spv_refuse_builtin(struct spv *s, uint32_t builtin);
struct ir_src spv_sysval(struct spv *s, enum ir_sysval sys, unsigned comps, unsigned comp);
/* The instruction at hand compares lanes of a quad: helper lanes have to run. */
void spv_use_quads(struct spv *s);
struct ir_src spv_sample_position(struct spv *s, struct ir_src sample, unsigned axis);
bool spv_sample_shading(struct spv *s);
struct ir_inst *spv_bary(struct spv *s, enum ir_bary bary);
uint32_t spv_output_slot(struct spv *s, const struct spv_var *var, const struct spv_io *io, uint8_t *comp);

/* Leaves of outputs by slot; whether or not they are ever written, if `all`. */
struct spv_slots { struct ir_src value[64][4]; uint8_t mask[64]; };
/* A leaf as the word that moves between stages, and back. */
struct ir_src spv_to_word(struct spv *s, const struct spv_type *type, struct ir_src v);
struct ir_src spv_from_word(struct spv *s, const struct spv_type *type, struct ir_src v);
void spv_io_collect(struct spv *s, struct spv_slots *out, bool all, unsigned stream);

/* --- spv_geometry.c --- */
void spv_geometry_mode(struct spv *s, struct spv_op op); /* an execution mode of geometry shaders */
void spv_geometry_check(struct spv *s);                  /* when all are known */
void spv_geometry_begin(struct spv *s);                  /* before the shader's code */
bool spv_geometry(struct spv *s, struct spv_op op);
/* The address of a vertex in what the first half left: for LOAD_LINKED. */
struct ir_src spv_linked_lane(struct spv *s, struct ir_src vertex);

/* --- spv_patch.c --- */
void spv_tess_mode(struct spv *s, struct spv_op op);     /* an execution mode of tessellation shaders */
void spv_tess_check(struct spv *s);
uint8_t spv_rows_of(struct spv *s, const struct spv_var *var);
struct ir_src spv_tess_input(struct spv *s, const struct spv_io *io); /* a built-in that is in no row */
/* One step of an access chain: dynamic.inst NULL has a constant index.  `stride` and `count`: of elements, in
 * leaves; that into the vertices is the first. */
bool spv_rows_vertex(struct spv *s, struct spv_ptr *p, struct ir_src dynamic, uint32_t index);
void spv_rows_advance(struct spv *s, struct spv_ptr *p, struct ir_src dynamic, uint32_t stride, uint32_t count);
void spv_rows_load(struct spv *s, const struct spv_ptr *p, struct ir_src *out);
void spv_rows_store(struct spv *s, const struct spv_ptr *p, const struct ir_src *value);

/* --- spv_mesh.c: outputs of mesh shaders, payloads --- */
bool spv_mesh_mode(struct spv *s, struct spv_op op); /* false: it is no execution mode of mesh shaders alone */
void spv_mesh_begin(struct spv *s);    /* before the first instruction: limits */
void spv_mesh_end(struct spv *s);      /* after the last: which rows there are */
/* The element of an output: a step into its array. */
void spv_mesh_element(struct spv *s, struct spv_ptr *p, struct ir_src index);
/* Bytes from a leaf's row to another's. */
int64_t spv_mesh_distance(struct spv *s, const struct spv_var *var, uint32_t from, uint32_t to);
void spv_mesh_load(struct spv *s, const struct spv_ptr *p, struct ir_src *out);
void spv_mesh_store(struct spv *s, const struct spv_ptr *p, const struct ir_src *value);
struct ir_src spv_payload_address(struct spv *s);
void spv_emit_tasks(struct spv *s, struct spv_op op);
bool spv_mesh_op(struct spv *s, struct spv_op op);

/* --- instructions by topic: false if the opcode is not theirs --- */
bool spv_alu(struct spv *s, struct spv_op op);
bool spv_convert(struct spv *s, struct spv_op op);
void spv_regroup(struct spv *s, const struct ir_src *in, uint32_t n, unsigned bits, struct ir_src *out);
bool spv_integer_dot(struct spv *s, struct spv_op op);
/* What an operation of OpSpecConstantOp becomes; IR_OP_COUNT: it is none, or becomes several. */
enum ir_op spv_ir_op_of_const(uint32_t op, bool *swap);
bool spv_composite(struct spv *s, struct spv_op op);
bool spv_image(struct spv *s, struct spv_op op);
bool spv_image_storage(struct spv *s, struct spv_op op);
bool spv_atomic(struct spv *s, struct spv_op op);
bool spv_subgroup(struct spv *s, struct spv_op op);
struct ir_src spv_from_lane(struct spv *s, struct ir_src x, struct ir_src lane); /* lane.inst NULL: the first */
bool spv_reduce(struct spv *s, struct spv_op op);
void spv_glsl(struct spv *s, struct spv_op op);
struct ir_src spv_dot(struct spv *s, const struct ir_src *a, const struct ir_src *b, uint32_t n);
struct ir_src spv_div(struct spv *s, struct ir_src a, struct ir_src b);
/* spv_glsl_*.c */
bool spv_glsl_transcendental(struct spv *s, uint32_t inst, struct ir_src x, struct ir_src *out);
struct ir_src spv_exp2(struct spv *s, struct ir_src x);
struct ir_src spv_atan2(struct spv *s, struct ir_src y, struct ir_src x);
bool spv_glsl_pack(struct spv *s, struct spv_op op);
bool spv_glsl_matrix(struct spv *s, struct spv_op op);
bool spv_glsl_geometric(struct spv *s, struct spv_op op);
bool spv_glsl_interpolate(struct spv *s, struct spv_op op);
struct ir_inst *spv_tex(struct spv *s, enum ir_op op, const struct spv_handle *h, struct ir_tex *tex, unsigned comps,
	const struct ir_src *src, unsigned srcs);
/* The number of the texel that p points to, of 32 or 64 bits: the first of its components. */
struct ir_src spv_texel_load(struct spv *s, const struct spv_ptr *p);
void spv_texel_store(struct spv *s, const struct spv_ptr *p, struct ir_src value);
/* What was there; data as for IR_ATOMIC_SSBO. */
struct ir_src spv_texel_atomic(struct spv *s, const struct spv_ptr *p, enum ir_atomic atomic, const struct ir_src *data,
	unsigned count);
const struct spv_handle *spv_handle_of(struct spv *s, uint32_t id);
/* The conversion that samples of h go through, or NULL. */
const struct compiler_ycbcr *spv_ycbcr_of(const struct spv_handle *h);
/* A sample through it: `tex` and src are what a sample of one plane would be. */
void spv_ycbcr_sample(struct spv *s, struct spv_op op, const struct spv_handle *h, const struct ir_tex *tex,
	const struct compiler_ycbcr *y, const struct ir_src *src, unsigned srcs);
unsigned spv_dims(const struct spv_type *image);
void spv_image_setup(struct spv *s, const struct spv_type *image, struct ir_tex *tex);

#endif
