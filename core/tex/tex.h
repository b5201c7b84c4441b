/* SPDX-License-Identifier: MIT */
/* Inside of the texture unit: descriptors decoded for one instruction, and the
 * parts that share them.  Everything here is compiled once per kernel level. */
#ifndef CORE_TEX_TEX_H
#define CORE_TEX_TEX_H

#include "core/cu.h"
#include "core/format/block.h"
#include "core/format/format_vec.h"
#include "core/tex/mimg.h"
#include "core/tex/tex_decoded.h"
#include "core/tex/tex_ops.h"
#include "core/vec.h"
#include "isa/gcn.h"
#include "isa/resource.h"
#include "isa/surface.h"

#define TEX_MAX_LEVELS 16

/* A T#.  The arrays are indexed by level of the view, whose slice 0 is BASE_ARRAY; level[0]
 * tells also what all have in common.  The columns of 32 bits are copies of it for gathers:
 * stride and offset (of its slice 0, from base) hold when !wide. */
struct tex_image {
	uint8_t *base;     /* of level 0 of the image */
	uint8_t dims;
	bool null;         /* reads zero, drops writes */
	bool arrayed;      /* the address body has a slice or face */
	bool cube, is_3d, integer;
	bool wide;         /* some offset exceeds 31 bits */
	bool msaa;         /* the address ends with a sample */
	bool of_blocks;    /* texels of a decoded plane (T_OF_BLOCKS) */
	bool pow2[3];
	uint8_t sel[4];
	uint32_t levels, slices; /* of the view; slices 1 unless arrayed */
	float min_lod;
	uint64_t bytes;    /* from base to the end of the last level */
	const struct cu_block_format *block; /* compressed; NULL: an element is a texel */
	tex_decode_fn decode;                /* of texels */
	struct surf_plane level[TEX_MAX_LEVELS];
	int32_t stride[TEX_MAX_LEVELS], offset[TEX_MAX_LEVELS];
	int32_t size[3][TEX_MAX_LEVELS], pitch[TEX_MAX_LEVELS];
};

/* An S#. */
struct tex_sampler {
	uint8_t clamp[3], compare, mip;
	uint8_t mode;       /* S_MODE_* */
	bool mag_linear, min_linear, unnormalized, any_border, cube_wrap;
	bool mag_cubic, min_cubic; /* such are linear, too */
	bool fixed;         /* all lanes read the first level by the magnifying filter, whatever their lambda is */
	bool special;       /* what only the general path does: a mode, a cubic filter, a border of the table */
	float max_aniso;    /* probes; 1: it is isotropic */
	float min_lod, max_lod, bias;
	uint32_t border[4]; /* memory components */
};

struct tex_op;
struct tex_plan;
struct tex_strip;
/* A strip's sampling once its operands and lambda are known. */
typedef void (*tex_strip_fn)(const struct tex_op *op, int lane, struct tex_strip *st);

/* One instruction. */
struct tex_op {
	struct cu_wave *w;
	const struct gcn_inst *in;
	uint32_t flags;
	uint32_t (*address)[CU_LANES];       /* VGPRs from vaddr on */
	uint32_t (*data)[CU_LANES];          /* VGPRs from vdata on */
	const struct tex_image *image;
	const struct tex_sampler *sampler;
	tex_strip_fn probe;                  /* of tex_aniso_strip: what samples one */
	const struct tex_plan *plan;
	bool loose;                          /* lanes that are off may get anything */
};

struct tex_footprint;
typedef void (*tex_filter_fn)(const struct tex_op *op, const struct tex_footprint *p);
/* A wave of image_store to a first level. */
typedef void (*tex_store_fn)(const struct tex_op *op);
/* A whole wave of image_sample, of coordinates and maybe a level alone; false: not this one. */
typedef bool (*tex_quick_fn)(const struct tex_op *op);

/* Where the texels of a level are, and how coordinates become their indices (tex_footprint.h). */
struct tex_place {
	uint8_t *base;
	float scale[3], inverse[3]; /* from coordinates to texels and back */
	int32_t last[3], low[3], high[3]; /* the last texel; those before the first and behind the last */
	int32_t pitch, part_y[4], stride; /* row y: y * pitch + part_y[y & 3]; a slice */
};

/* Of tiles that cost more than they save: waves that do without them, and what was lost of late.  loose: waves whose
 * texels nobody expects in a row, since those of one before were not.  varied: waves of which nobody asks whether a lane's
 * texels are all the same, and how many that were when it was last asked for nothing. */
struct tex_patience { int rest, lost, loose, varied, varied_before; };

/* Of an image, what follows its coordinates, to which nothing is added. */
enum tex_body { TEX_BODY_FLAT, TEX_BODY_LINE /* of one dimension */, TEX_BODY_LAYERS, TEX_BODY_CUBE, TEX_BODY_VOLUME, TEX_BODY_OTHER /* goes another way */ };

/* How whole waves are sampled and loaded.  Column x is at (x << shift) + part_x[x & 3]; of blocks all of it << up
 * (tex_footprint.h). */
struct tex_plan {
	bool loads, samples; /* there is a way */
	bool probes;         /* there would be one to sample, if the sampler were not anisotropic */
	const struct tex_sampler *inside; /* there is one with this sampler, for lanes that read no border (tex_sample_border); or NULL */
	bool bytes;          /* weights are 256ths, integers, and not floats */
	bool parts, odd;     /* part_x and part_y are not 0; they do not say it */
	uint8_t shift, up;
	uint8_t body, fold;  /* an enum tex_body, an enum tex_fold_way */
	int32_t part_x[4];
	tex_quick_fn quick;  /* for waves of few lanes; NULL: there is none */
	tex_filter_fn filter[2][2]; /* plain and compared; nearest and linear; NULL: there is none */
	tex_filter_fn tile[2];      /* of blocks or texels that have been decoded into a tile; NULL: no tiles */
	tex_store_fn store;         /* NULL: texel by texel */
	struct tex_patience *patience; /* tex_texel_tile_kernel.c, tex_filters_kernel.c */
	struct tex_place level[TEX_MAX_LEVELS];
};

/* What a T# and an S# come to. */
struct tex_desc {
	uint32_t t[8], s[4], how; /* what it was decoded from; how: the level and bits of the instruction, 0: nothing yet */
	uint32_t border[4]; /* that the S# names, if it names one */
	const struct cu_memory *memory; /* in which the image was found after so many changes to it; NULL: it was not */
	uint64_t sequence;
	struct tex_image image;
	struct tex_sampler sampler, inside; /* inside: plan's */
	struct tex_plan plan;
	struct tex_patience patience; /* plan's */
	struct tex_decoded decoded;   /* of blocks that have their texels beside them */
	struct cu_mimg_lanes lanes;
};

/* Coordinates, and what follows them: behind offsets, bias, what is compared and derivatives. */
static inline uint32_t (*tex_coords(const struct tex_op *op))[CU_LANES]
{
	return op->address + !!(op->flags & TEX_O) + !!(op->flags & TEX_B) + !!(op->flags & TEX_C) +
		(op->flags & TEX_D ? 2 * op->image->dims : 0);
}

/* tex_wave_kernel.c: fills in a plan; the sampler NULL where there is none. */
#define tex_make_plan CU_FN(cu_tex_make_plan)
void tex_make_plan(struct tex_plan *plan, const struct tex_image *img, const struct tex_sampler *smp);
/* Whether b asks the same of the same descriptors as a, which is plain. */
static inline bool tex_goes_on(const struct gcn_inst *a, const struct gcn_inst *b)
{
	return a->op == b->op && a->src[1] == b->src[1] && a->src[2] == b->src[2] && a->da == b->da && a->unorm == b->unorm &&
		!(b->r128_a16 || b->d16 || b->tfe || b->lwe);
}
/* The VGPRs of an instruction, which becomes op->in; false: they may go beyond the last. */
static inline bool tex_find_operands(struct tex_op *op, const struct gcn_inst *in)
{
	enum { ADDRESSES = 5, DATA = 4 };
	const unsigned vaddr = in->src[0] - GCN_SRC_VGPR0, vdata = in->dst - GCN_SRC_VGPR0;
	op->in = in;
	if (vaddr > CU_VGPRS - ADDRESSES || vdata > CU_VGPRS - DATA)
		return false;
	op->address = &op->w->vgpr[vaddr];
	op->data = &op->w->vgpr[vdata];
	return true;
}
/* Of `count` instructions from op->in on, those at the beginning that sample alike, with nothing to decide about lanes,
 * where the plan has a way: they are done, and this is how many. */
#define tex_sample_whole CU_FN(cu_tex_sample_whole)
unsigned tex_sample_whole(struct tex_op *op, unsigned count);
/* image_sample in all its forms and image_load of a whole wave, where the plan has a way. */
#define tex_sample_wave CU_FN(cu_tex_sample_wave)
void tex_sample_wave(const struct tex_op *op);
/* tex_border_kernel.c: the same where plan->inside is. */
#define tex_sample_border CU_FN(cu_tex_sample_border)
void tex_sample_border(const struct tex_op *op);
/* A sampler with a border as it is for lanes that read none of it; false: it has none, or the general way is the only one. */
#define tex_make_inside CU_FN(cu_tex_make_inside)
bool tex_make_inside(struct tex_sampler *inside, const struct tex_sampler *smp, const struct tex_image *img);
#define tex_gather_wave CU_FN(cu_tex_gather_wave)
void tex_gather_wave(const struct tex_op *op); /* tex_gather_kernel.c: image_gather4 of a first level, where the plan has probes, no cube */
#define tex_load_wave CU_FN(cu_tex_load_wave)
void tex_load_wave(const struct tex_op *op);

/* tex_lanes_kernel.c: what strips of translated code may do of it; the sampler NULL where there is none. */
#define tex_make_lanes CU_FN(cu_tex_make_lanes)
void tex_make_lanes(struct cu_mimg_lanes *l, const struct tex_plan *plan, const struct tex_image *img,
	const struct tex_sampler *smp);

/* tex_rows_kernel.c: what is quick of such an image, which a plan has a way for; NULL: nothing. */
#define tex_choose_rows CU_FN(cu_tex_choose_rows)
tex_quick_fn tex_choose_rows(const struct tex_image *img, const struct tex_sampler *smp);

/* tex_forms_kernel.c: VGPRs of an a16 address; its operands and d16 data as dwords,
 * and results back into VGPRs.  unpacked: a channel a VGPR, as on gfx8. */
#define tex_a16_dwords CU_FN(cu_tex_a16_dwords)
unsigned tex_a16_dwords(const struct tex_image *img, uint32_t flags);
#define tex_widen_address CU_FN(cu_tex_widen_address)
void tex_widen_address(const struct tex_op *op, uint32_t (*from)[CU_LANES], uint32_t (*to)[CU_LANES]);
#define tex_widen_data CU_FN(cu_tex_widen_data)
void tex_widen_data(const struct tex_image *img, bool unpacked, unsigned count, uint32_t (*from)[CU_LANES],
	uint32_t (*to)[CU_LANES]);
#define tex_narrow_data CU_FN(cu_tex_narrow_data)
void tex_narrow_data(const struct tex_op *op, bool unpacked, unsigned count, uint32_t (*to)[CU_LANES]);

/* The kinds.  All write result lanes of EXEC only. */
#define tex_load CU_FN(cu_tex_load)
void tex_load(struct tex_op *op);
#define tex_choose_store CU_FN(cu_tex_choose_store)
tex_store_fn tex_choose_store(const struct tex_plan *plan, const struct tex_image *img); /* tex_store_kernel.c; the rest of the plan is made */
#define tex_store CU_FN(cu_tex_store)
void tex_store(struct tex_op *op);
#define tex_atomic CU_FN(cu_tex_atomic)
void tex_atomic(struct tex_op *op);
#define tex_resinfo CU_FN(cu_tex_resinfo)
void tex_resinfo(struct tex_op *op);
#define tex_sample CU_FN(cu_tex_sample)
void tex_sample(struct tex_op *op); /* sample, gather4, get_lod */
/* What tex_sample does where no plan does, of some lanes. */
#define tex_sample_lanes CU_FN(cu_tex_sample_lanes)
void tex_sample_lanes(const struct tex_op *op, uint64_t lanes);

/* Cube maps: moves texel (x, y) of `face`, one of whose coordinates lies one
 * step outside [0, size), to the face it belongs to. */
#define tex_cube_edge CU_FN(cu_tex_cube_edge)
void tex_cube_edge(int size, int *face, int *x, int *y);
/* Moves a point of the plane of `face`, beyond its edges, to the face it is on. */
#define tex_cube_leave CU_FN(cu_tex_cube_leave)
void tex_cube_leave(int *face, float *s, float *t);
/* Face coordinates (s, t) in [0, 1] of `face` seen on the plane of face `on`. */
#define tex_cube_project CU_FN(cu_tex_cube_project)
void tex_cube_project(int face, int on, float *s, float *t);

/* tex_block_kernel.c: raw dwords of texels of a compressed image. */
#define tex_gather_blocks CU_FN(cu_tex_gather_blocks)
void tex_gather_blocks(const struct tex_op *op, vi level, vi x, vi y, vi slice, vi mask, vi raw[4]);

/* Lanes [lane, lane + VL) of EXEC as bits. */
V_INLINE uint32_t tex_live(const struct cu_wave *w, int lane)
{
	return (uint32_t)(cu_exec(w) >> lane) & ((1u << VL) - 1);
}

/* What is added to axis d, in texels. */
V_INLINE vi tex_texel_offset(const struct tex_op *op, unsigned d, int lane)
{
	return op->flags & TEX_O ? v_load(&op->address[0][lane]) << (26 - 8 * (int)d) >> 26 : v_set(0);
}

/* What texels are compared with, as they are compared. */
V_INLINE vf tex_clamp_compared(const struct tex_image *img, vf ref)
{
	return img->level->nfmt == NFMT_UNORM ? v_minf(v_maxf(ref, v_setf(0)), v_setf(1)) : ref;
}

V_INLINE vi tex_one(const struct tex_image *img) { return v_set(img->integer ? 1 : 0x3f800000); }

/* Channel c of the view from memory components. */
V_INLINE vi tex_channel(const struct tex_image *img, const vi mem[4], unsigned c)
{
	unsigned sel = img->sel[c];
	return sel >= SEL_R ? mem[sel - SEL_R] : sel == SEL_1 ? tex_one(img) : v_set(0);
}

/* Writes the lanes `live` of data VGPR n. */
V_INLINE void tex_write(const struct tex_op *op, unsigned n, int lane, vi live, vi v)
{
	uint32_t *dst = &op->data[n][lane];
	v_store(dst, v_sel(live, v, v_load(dst)));
}

#endif
