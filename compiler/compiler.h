/* SPDX-License-Identifier: MIT */
/* The compiler: one SPIR-V entry point in, one gfx900 program and the register
 * values that go with it out.  Knows no Vulkan header and no GPU state. */
#ifndef COMPILER_COMPILER_H
#define COMPILER_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "isa/stages.h"
#include "isa/strmout.h"

/* Rows of isa/stages.def; isa_stages[] knows more of each. */
enum compiler_stage {
#define S(name, ...) COMPILER_##name,
	ISA_STAGES(S)
#undef S
	COMPILER_STAGES
};

enum compiler_status {
	COMPILER_OK,
	COMPILER_INVALID,      /* the module breaks a rule of SPIR-V or its environment */
	COMPILER_UNSUPPORTED,  /* valid, but beyond what the driver reports */
	COMPILER_NO_MEMORY,
};

/* Where a descriptor lives: see isa/abi.h for sizes. */
enum compiler_desc {
	COMPILER_DESC_SAMPLER, COMPILER_DESC_COMBINED, COMPILER_DESC_SAMPLED_IMAGE,
	COMPILER_DESC_STORAGE_IMAGE, COMPILER_DESC_UNIFORM_TEXEL, COMPILER_DESC_STORAGE_TEXEL,
	COMPILER_DESC_UBO, COMPILER_DESC_SSBO, COMPILER_DESC_UBO_DYNAMIC,
	COMPILER_DESC_SSBO_DYNAMIC, COMPILER_DESC_INPUT_ATTACHMENT,
	COMPILER_DESC_MUTABLE, /* what the shader's variable is, at the start of the element */
	COMPILER_DESC_INLINE,  /* a uniform buffer, `stride` bytes of the set itself: no descriptor */
};
/* A sampler Y'CbCr conversion ("Sampler Y'CbCr Conversion" of the Vulkan specification): what the shader makes of the
 * samples of several T#s.  Keys take it as bytes: there is no padding. */
enum compiler_ycbcr_model { COMPILER_RGB_IDENTITY, COMPILER_YCBCR_IDENTITY, COMPILER_YCBCR_709, COMPILER_YCBCR_601,
	COMPILER_YCBCR_2020 };
enum { COMPILER_YCBCR_ZERO = 16, COMPILER_YCBCR_ONE };
struct compiler_ycbcr {
	uint8_t planes;     /* T#s that are sampled, 1..3; 0: no conversion */
	uint8_t model;      /* enum compiler_ycbcr_model */
	uint8_t narrow;     /* codes have the narrow range */
	uint8_t half;       /* the later planes have half of 1: the columns, 2: the rows; 3: both */
	uint8_t cosited;    /* their texels lie on the even ones of 1: the columns, 2: the rows, else between two */
	uint8_t expl;       /* they are reconstructed at each texel of the first, before that is filtered */
	uint8_t linear;     /* how the first is filtered, if expl */
	uint8_t chroma_linear; /* how the others are, if expl */
	uint8_t source[4];  /* of R G B A: 4 * plane + component, or COMPILER_YCBCR_ZERO, _ONE */
	uint8_t bits[4];    /* of R G B A, as they are stored */
};

struct compiler_binding {
	uint32_t set, binding;
	uint32_t type;      /* enum compiler_desc */
	uint32_t count;     /* array size */
	uint32_t offset;    /* bytes from the set's address (not dynamic ones) */
	uint32_t stride;    /* bytes between array elements */
	uint32_t variable;  /* 1: a set may have fewer than count, and no memory for the others */
	uint32_t dynamic;   /* dynamic ones: index of the first V# in the root table */
	const struct compiler_ycbcr *ycbcr; /* of each element; NULL: none has a conversion */
};

struct compiler_spec { uint32_t id; uint32_t size; const void *data; };

/* What the code depends on besides the module, its specialization and its bindings.
 * Caches know a program by these bytes, as they are: hence all of them are fields', and
 * what is yes or no is 1 or 0. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"
struct compiler_options {
	uint32_t instance_attrs;/* VS: bit n: the attribute at location n steps with the instance
	                         * (index: instance number + base instance), else with the vertex */
	uint32_t base_attrs;    /* VS: of instance_attrs, those that do not step: all read at base instance */
	uint32_t multiview;     /* VS: the layer is the view's number.  PS: subpass inputs are read from
	                         * the view's layer, whatever the module declares; their T# are arrays */
	uint32_t device_views;  /* VS, PS: the view's number that the module reads is the device's, 0 */
	uint32_t samples;       /* PS: of the pipeline, 1 2 4 8 (0 as 1): where the samples lie */
	uint32_t sample_shading;/* PS: runs once a sample even if the module does not ask for it */
	uint32_t alpha_to_one;  /* PS: bit n: alpha of MRT n is exported as 1 */
	uint32_t alpha_to_mask; /* PS: with alpha_to_one, the alpha of MRT 0 is exported as mrtz.w as well */
	uint32_t unseen;        /* PS: bit 4 n + c: component c of MRT n is not exported, nobody would see it */
	uint32_t instance_divisor[32]; /* VS: of instance_attrs, by location: the instances a step; 0 counts as 1 */
	uint32_t first_half;    /* VS, TES: of a merged program, to be linked with the second; enum compiler_half */
	uint32_t linked[2];     /* of a first half: compiler_shader.reads of the second */
};
#pragma GCC diagnostic pop

struct compiler_input {
	enum compiler_stage stage;
	const uint32_t *words;
	size_t word_count;
	const char *entry;
	const struct compiler_spec *spec;
	size_t spec_count;
	const struct compiler_binding *bindings;
	size_t binding_count;
	struct compiler_options options;
	const char *dump_dir;   /* QW_DUMP, or NULL: writes NAME.spv, NAME.ir, NAME.elf */
	const char *dump_name;
};

/* Slots of the stage interface: locations 0..31, then these. */
enum { COMPILER_SLOT_CLIP0 = 32, COMPILER_SLOT_CLIP1, COMPILER_SLOT_CULL0, COMPILER_SLOT_CULL1,
	COMPILER_SLOT_VIEWPORT, COMPILER_SLOT_PRIMITIVE_ID, COMPILER_SLOT_COUNT };
enum { COMPILER_NO_PARAM = 0xff };

/* What an attribute of the PS is: a param, interpolated, of the provoking vertex or of each
 * vertex; or the point coordinate or the weights of the vertices in place of one. */
enum { COMPILER_INTERP_SMOOTH, COMPILER_INTERP_FLAT, COMPILER_INTERP_VERTICES, COMPILER_INTERP_POINT_COORD,
	COMPILER_INTERP_WEIGHTS, COMPILER_INTERP_KINDS };

struct compiler_interp {
	uint8_t slot;       /* stage interface slot of the param; 0 without one */
	uint8_t kind;       /* COMPILER_INTERP_* */
};

/* First halves, by what follows: a GS, or a TCS. */
enum compiler_half { COMPILER_ES = 1, COMPILER_LS };

/* What execution modes of tessellation shaders say; 0: nothing, it is for the other of the two to say. */
struct compiler_tess {
	uint32_t domain;    /* TESS_* + 1 */
	uint32_t spacing;   /* PART_* + 1 */
	uint32_t order;     /* OUTPUT_TRIANGLE_* */
	uint32_t points;    /* PointMode */
	uint32_t vertices;  /* OutputVertices */
};

/* Plain data; `code` is malloc'ed.  A cache may store the struct as bytes with
 * the code after it. */
struct compiler_shader {
	uint32_t stage;
	uint32_t code_dwords;         /* of all that `code` holds */
	uint32_t vgprs, sgprs;        /* allocated, for RSRC1 */
	uint32_t scratch_bytes;       /* a lane; 0: none */
	uint32_t lds_bytes;
	uint32_t user_sgprs;          /* RSRC2.USER_SGPR, as isa/abi.h */
	uint32_t float_mode;          /* RSRC1.FLOAT_MODE, see isa/mode.h */

	/* VS, GS; MS: those of primitives after those of vertices, of which there are vertex_params */
	uint32_t param_count, vertex_params;
	uint8_t param_of_slot[COMPILER_SLOT_COUNT]; /* param export, or COMPILER_NO_PARAM */
	uint8_t pad_[2];
	uint32_t pa_cl_vs_out_cntl;
	uint32_t capture_dwords;      /* of code_dwords, the last: the table of isa/strmout.h; 0: nothing is captured */
	uint32_t gsvs_dwords;         /* of code_dwords, before those: the table of isa/gsvs.h, of a GS */
	uint32_t table_dwords;        /* of code_dwords, before those: constants that the program reads; any stage but a first half */
	uint32_t strmout_buffers;     /* VGT_STRMOUT_BUFFER_CONFIG */
	uint16_t strmout_stride[ISA_STRMOUT_BUFFERS]; /* bytes */

	/* Merged programs (isa/abi.h): a first half has no end yet, a second none without the first. */
	uint32_t first_half;
	uint32_t reads[2];            /* second: a bit for each attribute that the first has to leave in LDS, in
	                               * this order; for compiler_options.linked */

	/* GS */
	uint32_t gs_vertices_in;      /* of a primitive, 1 2 3 4 6 */
	uint32_t gs_vertices_out;     /* most that an invocation emits */
	uint32_t gs_invocations;
	uint32_t gs_out_type;         /* VGT_GS_OUT_PRIM_TYPE */
	uint32_t gs_item_dwords;      /* VGT_GS_VERT_ITEMSIZE */
	uint32_t gs_streams;          /* 0 .. gs_streams - 1; those of each have room for gs_vertices_out */

	struct compiler_tess tess;    /* TCS, TES */

	/* PS */
	uint32_t ps_input_ena;
	uint32_t num_interp;
	struct compiler_interp interp[32];
	uint32_t cb_shader_mask;      /* 4 bits an MRT */
	uint32_t col_format, z_format;
	uint32_t db_shader_control;
	uint32_t sample_shading;      /* runs once a sample: asked for, or by SampleId, SamplePosition, Sample */

	/* MS, TS */
	uint32_t mesh_output, mesh_cntl;  /* registers */
	uint32_t payload_bytes;

	/* CS, MS, TS */
	uint32_t workgroup[3];
	uint32_t tgid_en;             /* bits x, y, z */
	uint32_t tidig_comp_cnt;

	uint32_t instructions;        /* statistics */
	uint32_t spilled_vgprs, spilled_sgprs;
	uint32_t *code;
};

/* The message (always terminated, empty on success) names the SPIR-V word
 * offset, the instruction and the rule. */
enum compiler_status compiler_compile(const struct compiler_input *in,
	struct compiler_shader *out, char *message, size_t message_size);
void compiler_shader_finish(struct compiler_shader *shader);

/* The program of a first half and the second that it was compiled for: the code of one behind
 * that of the other, registers and memory for both, and all else as the second has it.  Only
 * COMPILER_OK or, with *out all zero, COMPILER_NO_MEMORY. */
enum compiler_status compiler_link(const struct compiler_shader *first, const struct compiler_shader *second,
	struct compiler_shader *out);

/* Dwords of the code before the table of isa/gsvs.h, or where it would be. */
static inline uint32_t compiler_gsvs_at(const struct compiler_shader *shader)
{
	return shader->code_dwords - shader->gsvs_dwords - shader->capture_dwords;
}

/* Dwords of the code that are instructions. */
static inline uint32_t compiler_program_dwords(const struct compiler_shader *shader)
{
	return compiler_gsvs_at(shader) - shader->table_dwords;
}

#endif
