/* SPDX-License-Identifier: MIT */
/* Instruction selection: SSA IR -> machine IR.  One context, several files:
 * sel.c (tree and control flow), sel_class.c (where values live),
 * sel_operand.c (operand rules), sel_alu.c, sel_wide.c (64 bits), sel_fuse.c, sel_mem.c,
 * tex_sel.c, sel_io.c, sel_export.c, sel_merged.c, sel_patch.c, sel_quad.c. */
#ifndef COMPILER_GCN_SEL_H
#define COMPILER_GCN_SEL_H

#include "compiler/gcn/mir.h"
#include "isa/abi.h"
#include "isa/gsvs.h"

/* Where an IR value lives.  Uniform integers are in SGPRs; uniform floats have
 * no scalar arithmetic on gfx9 and are in VGPRs, equal in all active lanes;
 * bools are lane masks in SGPR pairs, whose bits outside EXEC mean nothing. */
enum sel_kind { SEL_NONE, SEL_CONST, SEL_SGPR, SEL_VGPR, SEL_MASK };

struct sel_value {              /* inst->pass */
	uint8_t kind;
	uint8_t used;           /* bit per component that is used */
	uint32_t uses;
	struct ir_inst *user;   /* the last one found */
	bool open;              /* some use is not by an instruction of the user's kind: phi, if */
	mir_opnd op[4];         /* per component: its first dword */
};
static inline struct sel_value *sel_value(const struct ir_inst *in) { return in->pass; }
/* Registers that a component takes; of one with 8 or 16 bits, the bits above mean nothing. */
static inline unsigned sel_dwords(const struct ir_inst *in) { return in->bits > 32 ? in->bits / 32u : 1; }

/* An operand on its way into an instruction. */
enum sel_bank { SEL_B_INLINE, SEL_B_LITERAL, SEL_B_S, SEL_B_V };
struct sel_opnd { mir_opnd op; uint32_t literal; uint8_t bank; bool neg, abs; };

/* Values made once and found again where they dominate. */
struct sel_cached { uint64_t key; mir_opnd value; const mir_opnd *ops; uint32_t n, level, chain; };
struct sel_cache { struct sel_cached *entries; uint32_t *heads /* of chains; as many as there is room */, count, room, level; };

/* The innermost loop and what a jump in it has to do. */
struct sel_loop {
	struct sel_loop *outer;
	struct ir_loop *ir;
	struct mir_block *cont, *exit;
	mir_opnd active;       /* lanes still in the loop, if lanes may continue early; else MIR_NONE */
	bool divergent;
};

struct sel {
	const struct compiler_input *in;
	struct compiler_shader *out;
	struct ir_func *f;
	struct mir_func *m;
	struct mir_block *cur;
	struct mir_inst *before;     /* insert here, or NULL: at the end of cur */
	struct mir_inst *entry[2];   /* the MIR_COPYs of entry registers, by class */
	struct mir_inst *entry_end;  /* anchor: end of the prologue */
	struct mir_inst *anchor;     /* before the outermost loop, NULL outside loops */
	uint32_t anchor_level, hoisted;
	uint32_t desc_dwords, desc_epoch; /* descriptors held in SGPRs, see sel_mem.c */
	unsigned depth;
	struct sel_loop *loop;
	struct mir_block *recon;     /* where code goes on when EXEC has become zero */
	bool jump_narrows;           /* the if around the jump removes its lanes from EXEC */
	struct mir_block *killed;    /* PS: every lane is a helper */
	struct sel_cache cache;
	uint32_t word;               /* of the instruction being selected */
	enum compiler_status status;
	char *message;
	size_t message_size;

	/* entry registers */
	mir_opnd root, attrs, vertex[4] /* base vertex, instance, draw, view */, prim_mask;
	mir_opnd block[2], payload[2];
	mir_opnd vertex_id, instance_id, local_id[3], group_id[3], groups[3];
	mir_opnd ps[16];             /* first VGPR of each SPI_PS_INPUT_ENA bit */
	mir_opnd ps_at[32];          /* all of them in order; ps_index: where a bit's begin */
	uint8_t ps_index[16], ps_count;
	mir_opnd live;               /* PS: lanes that are no helpers; MIR_NONE: all of EXEC */
	mir_opnd sets[ABI_MAX_SETS];            /* addresses of descriptor sets */
	mir_opnd table;                         /* V# of ir_func.table */
	bool exec_is_live;           /* PS without quads of helpers or demotion */

	/* merged programs (sel_merged.c) */
	unsigned first_user;                    /* SGPR */
	mir_opnd wave_info;
	struct mir_block *no_lanes;             /* first half: where it ends without running */
	uint64_t reads;                         /* slots that the second half reads */
	mir_opnd gs_vertices[3], prim_id, invocation;
	mir_opnd gsvs;                          /* offset of the lane's vertices in scratch */
	/* tessellation (sel_patch.c) */
	mir_opnd patches;                       /* address of the group's */
	mir_opnd patch, patch_vertices, output_vertices, tess_coord[2], tess_domain;
	struct sel_vertex_layout {
		uint8_t made[64];               /* components of slots that some vertex has */
		uint8_t misc, dist;             /* vectors: the miscellaneous one, the first of distances */
		uint8_t param;                  /* the first param */
		/* A component is a dword of a vertex in GSVS, or ISA_GSVS_FIXED. */
		struct isa_gsvs_component at[64][4];
		uint32_t dwords;
	} gs;

	/* exports, gathered until the end */
	struct ir_inst *outputs[64];
	uint32_t output_count;
};

/* Writes the table of what is captured; when params are known (sel_capture.c). */
void sel_capture(struct sel *s);

/* --- messages --- */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void sel_fail(struct sel *s, enum compiler_status status, const char *fmt, ...);

/* --- emission (sel_operand.c) --- */
struct mir_inst *sel_emit(struct sel *s, unsigned op);
/* With operands, none of which has a modifier: SOP and the like. */
struct mir_inst *sel_emit2(struct sel *s, unsigned op, mir_opnd dst, mir_opnd a, mir_opnd b);
mir_opnd sel_new_s(struct sel *s, unsigned size);
mir_opnd sel_new_v(struct sel *s, unsigned size);

struct sel_opnd sel_inline(struct sel *s, uint32_t value); /* inline constant or literal */
static inline struct sel_opnd sel_reg(uint8_t bank, mir_opnd op) { return (struct sel_opnd){ .op = op, .bank = bank }; }
static inline struct sel_opnd sel_v(mir_opnd op) { return sel_reg(SEL_B_V, op); }
static inline struct sel_opnd sel_s(mir_opnd op) { return sel_reg(SEL_B_S, op); }

struct sel_opnd sel_src(struct sel *s, struct ir_src v);                /* of up to 32 bits */
struct sel_opnd sel_dword(struct sel *s, struct ir_src v, unsigned n);  /* its n-th dword */
struct sel_opnd sel_float(struct sel *s, struct ir_src v);  /* of any width; looks through FNEG and FABS */
bool sel_const(struct ir_src v, uint32_t *value); /* of up to 32 bits */
mir_opnd sel_to_v(struct sel *s, struct sel_opnd o);        /* in a VGPR, modifiers refused */
mir_opnd sel_to_s(struct sel *s, struct sel_opnd o);        /* in an SGPR; not from a VGPR */
mir_opnd sel_vgpr(struct sel *s, struct ir_src v);
mir_opnd sel_sgpr(struct sel *s, struct ir_src v);          /* of one value for all lanes */
mir_opnd sel_const_s(struct sel *s, uint32_t value);        /* a constant in an SGPR */
mir_opnd sel_const_v(struct sel *s, uint32_t value);
mir_opnd sel_mask(struct sel *s, struct ir_src v);          /* lane mask: SGPR pair, inline 0 or -1 */
mir_opnd sel_mask_s(struct sel *s, struct ir_src v);        /* the same, never an inline constant */
/* Makes SCC the value of a uniform bool. */
void sel_scc(struct sel *s, struct ir_src v);

/* A vector instruction with n sources, made to obey the constant bus; result in
 * dst, or a new VGPR (VOPC: a new lane mask) when dst is MIR_NONE. */
mir_opnd sel_valu(struct sel *s, unsigned op, mir_opnd dst, unsigned n, const struct sel_opnd *o);
mir_opnd sel_valu_clamp(struct sel *s, unsigned op, unsigned n, const struct sel_opnd *o, bool clamp);
/* A scalar instruction; sources SGPR, inline or one literal. */
mir_opnd sel_salu(struct sel *s, unsigned op, unsigned size, unsigned n, const struct sel_opnd *o);
void sel_salu_to(struct sel *s, unsigned op, mir_opnd dst, unsigned n, const struct sel_opnd *o);
void sel_scmp(struct sel *s, unsigned op, struct sel_opnd a, struct sel_opnd b);

/* A tuple of VGPRs with these dwords; shared with an equal one when `tied` is false. */
mir_opnd sel_tuple(struct sel *s, unsigned n, const struct sel_opnd *o, bool tied);

bool sel_cache_init(struct sel *s);
void sel_cache_finish(struct sel *s);
mir_opnd sel_cache_find(struct sel *s, uint64_t key);
void sel_cache_add(struct sel *s, uint64_t key, mir_opnd value);
void sel_cache_add_at(struct sel *s, uint64_t key, mir_opnd value, uint32_t level);
uint32_t sel_scope_begin(struct sel *s); /* the mark for sel_scope_end */
void sel_scope_end(struct sel *s, uint32_t mark);
enum sel_cache_kind { SEL_C_CONST_S = 1, SEL_C_CONST_V, SEL_C_COPY_V, SEL_C_FIRST_LANE, SEL_C_TUPLE, SEL_C_DESC };
static inline uint64_t sel_key(enum sel_cache_kind kind, uint32_t a, uint32_t b)
{
	return (uint64_t)kind << 60 | (uint64_t)(a & 0xfffffff) << 32 | b;
}

/* --- selection by family --- */
void sel_classify(struct sel *s);
void sel_alu(struct sel *s, struct ir_inst *in);
void sel_copy(struct sel *s, struct ir_inst *copy);
bool sel_fused(struct sel *s, struct ir_inst *in);          /* emitted as one with a source */
bool sel_shift_of(const struct ir_inst *mul, uint32_t *shift); /* times 1 << shift? */
void sel_set(struct sel *s, struct ir_inst *in, mir_opnd v); /* result of component 0 */
void sel_set_all(struct sel *s, struct ir_inst *in, mir_opnd v); /* of all components, side by side */
/* Of 64 bits (sel_wide.c): the result's first dword. */
mir_opnd sel_wide_scalar(struct sel *s, const struct ir_inst *in, unsigned op);
mir_opnd sel_wide_scalar_add(struct sel *s, const struct ir_inst *in);
mir_opnd sel_wide_scalar_select(struct sel *s, const struct ir_inst *in);
mir_opnd sel_wide_halves(struct sel *s, const struct ir_inst *in, unsigned op); /* each dword by itself */
mir_opnd sel_wide_vector(struct sel *s, const struct ir_inst *in, unsigned op, bool clamp);
struct sel_opnd sel_wide_source(struct sel *s, struct ir_src v); /* a pair of VGPRs or an inline constant */
mir_opnd sel_wide_sign(struct sel *s, const struct ir_inst *in); /* FNEG, FABS */
mir_opnd sel_wide_vector_offset(struct sel *s, struct ir_src address, struct ir_src offset); /* plus a word without sign */
mir_opnd sel_wide_pair(struct sel *s, struct ir_src v);          /* in VGPRs */
mir_opnd sel_high_half(struct sel *s, const struct ir_inst *in);
mir_opnd sel_pack_scalar(struct sel *s, const struct ir_inst *in); /* two words */
mir_opnd sel_pack_vector(struct sel *s, const struct ir_inst *in);
mir_opnd sel_wide_vector_add(struct sel *s, const struct ir_inst *in);
mir_opnd sel_wide_vector_select(struct sel *s, const struct ir_inst *in);
void sel_wide_scmp(struct sel *s, const struct ir_inst *in, unsigned op);
mir_opnd sel_convert_scalar(struct sel *s, const struct ir_inst *in);  /* UCONV, SCONV of any widths */
mir_opnd sel_convert_vector(struct sel *s, const struct ir_inst *in);
void sel_memory(struct sel *s, struct ir_inst *in);
void sel_tex(struct sel *s, struct ir_inst *in);
bool sel_in_descriptor(const struct ir_inst *in); /* a question that a descriptor answers: of level 0, if it is of a level */
void sel_io(struct sel *s, struct ir_inst *in);
void sel_quad(struct sel *s, struct ir_inst *in);
mir_opnd sel_quad_difference(struct sel *s, mir_opnd v, unsigned op); /* op: IR_DDX_FINE.. */
void sel_split_block(struct sel *s); /* after a branch in the middle of an IR block */
void sel_prologue(struct sel *s);
void sel_epilogue(struct sel *s);
void sel_depth_first(struct sel *s); /* exports the depth where its output is stored (ir_depth_first.c) */

/* A register at entry, `dw` dwords from number `first` of the class on. */
mir_opnd sel_enter(struct sel *s, enum mir_class cls, unsigned first, unsigned dw);
/* Stage outputs that go into the miscellaneous vector: component, its bits of PA_CL_VS_OUT_CNTL. */
struct sel_misc { uint8_t slot, comp; uint32_t use; };
extern const struct sel_misc sel_misc[3];
/* Where slots of stores are gathered, for the exports: false where there is none in the slot. */
bool sel_output(const struct sel *s, unsigned slot, struct ir_src src[4], unsigned *mask);

/* Merged programs: isa/abi.h. */
void sel_enter_first(struct sel *s);        /* EXEC and what is kept; the first half's registers are entered */
void sel_leave_first(struct sel *s);        /* outputs to LDS */
void sel_enter_second(struct sel *s);
void sel_enter_geometry(struct sel *s);
/* EXEC is the first n lanes, n a byte of merged_wave_info. */
void sel_set_lanes(struct sel *s, unsigned byte);
/* Tessellation. */
void sel_enter_control(struct sel *s);      /* of TCS, of TES: their registers */
void sel_enter_evaluation(struct sel *s);
void sel_patch(struct sel *s, struct ir_inst *in); /* LOAD_PATCH, LOAD_OWN_PATCH, STORE_PATCH */
void sel_leave_geometry(struct sel *s);
void sel_merged(struct sel *s, struct ir_inst *in); /* LOAD_LINKED, STORE_VERTEX */
/* EMIT_VERTEX and END_PRIMITIVE of a block, together at its end: only who is done looks at what they count, and what
 * stands between messages is not torn apart. */
void sel_messages(struct sel *s, const struct ir_block *b);

/* Descriptors (sel_mem.c): SGPR tuple of `dwords` at byte `at` of the element. */
mir_opnd sel_descriptor(struct sel *s, const struct compiler_binding *b, struct ir_src index, unsigned at, unsigned dwords);

/* Runs what must not touch helper lanes: EXEC is narrowed to the live lanes
 * between begin and end.  Returns the saved mask, MIR_NONE if nothing to do. */
mir_opnd sel_live_begin(struct sel *s);
void sel_live_end(struct sel *s, mir_opnd saved);

/* The whole of it.  Leaves m with virtual registers. */
enum compiler_status sel_run(const struct compiler_input *in, struct ir_func *f, struct mir_func *m,
	struct compiler_shader *out, char *message, size_t message_size);

#endif
