/* SPDX-License-Identifier: MIT */
/* What the files of the back end share: decoded state, the worker with the
 * tile at hand and its open wave, and the kernels' table.
 *
 *   tile.c     walks a bin: clears, primitives
 *   sc_*       coverage of primitives, 8x8 block by 8x8 block
 *   *_msaa_*   the same blocks' work for more than one sample
 *   spi_*      pixel waves: packing, LDS attributes, VGPRs, launch
 *   db_*       depth and stencil, hierarchical Z, occlusion
 *   cb_*       blending, conversion, colour stores
 *
 * Lane order everywhere is the memory order of TILING_4X4: a block of 8x8
 * pixels is four parts of 4x4 (part p at ((p & 1) * 4, (p >> 1) * 4)), 16
 * lanes each, Morton order inside, so four consecutive lanes are a quad.  A
 * "group" is 16 consecutive lanes: a part of a block, or any four quads of a
 * packed wave. */
#ifndef RASTER_BACK_H
#define RASTER_BACK_H

#include <string.h>
#include "core/format/format.h"
#include "core/memory.h"
#include "isa/abi.h"
#include "isa/regs_table.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "raster/internal.h"

#define RS_GROUP 16
#define RS_BLOCKS 64          /* of 8x8 pixels in a tile */
#define RS_WAVE_QUADS 16

/* When depth and stencil are tested and written relative to the shader. */
enum rs_z_order {
	RS_Z_EARLY,       /* tested, written and counted before it */
	RS_Z_EARLY_TEST,  /* tested before it, tested again, written and counted after it */
	RS_Z_LATE,        /* all after it */
};

struct rs_stencil_face {
	uint8_t func, fail, zpass, zfail;  /* COMPARE_*; STENCIL_* */
	uint8_t ref, mask, write_mask;
};

enum rs_attr_kind { RS_ATTR_SMOOTH, RS_ATTR_FLAT, RS_ATTR_DEFAULT, RS_ATTR_POINT };
struct rs_attr {
	uint8_t kind, param;  /* param export number */
	float value[4];       /* RS_ATTR_DEFAULT */
};

struct rs_blend {
	bool enable;
	uint8_t color_src, color_dst, color_op;
	uint8_t alpha_src, alpha_dst, alpha_op;
};

/* VGPR at entry of each SPI_PS_INPUT_ENA bit; 0xff: not enabled. */
#define RS_VGPR_NONE 0xff

struct rs_ps_state {
	/* db */
	bool z_enable, z_write, stencil_enable, bounds_enable;
	uint8_t z_func;       /* COMPARE_* */
	uint8_t order;        /* enum rs_z_order */
	bool z_export, stencil_export, mask_export, kill, side_effects;
	bool alpha_to_mask;   /* alpha of mrt0, or of mrtz, takes samples away */
	bool alpha_from_z;
	/* Samples. */
	unsigned samples;
	uint32_t sample_mask; /* bit k: sample k is drawn at all */
	bool iterate;         /* a lane is a sample, not a pixel */
	bool sample_inputs;   /* inputs differ from those of pixels with one sample */
	uint8_t position;     /* POS_FLOAT_* */
	float sample_x[RS_MAX_SAMPLES], sample_y[RS_MAX_SAMPLES]; /* pixels from the centre */
	int32_t offset_x[RS_MAX_SAMPLES], offset_y[RS_MAX_SAMPLES]; /* the same in 1/256 */
	struct rs_stencil_face face[2]; /* [0] back, [1] front */
	float bounds_min, bounds_max;
	float clamp_min[16], clamp_max[16]; /* per viewport */
	/* spi */
	uint32_t ena;
	uint8_t vgpr[ISA_PS_INPUTS];
	uint8_t linear[3], perspective[3]; /* first VGPRs of the I, J pairs of each kind */
	uint8_t linear_count, perspective_count;
	uint8_t inputs;       /* VGPRs of all of them, from v0 on */
	struct cu_fresh_list fresh[2]; /* [1]: of waves whose lanes are all on */
	unsigned num_interp;
	struct rs_attr attr[RS_MAX_ATTRS];
	/* cb */
	uint32_t write_mask;  /* 4 bits a target, RGBA */
	struct rs_blend blend[RS_MAX_COLOR];
	bool dual_source;
	float constant[4];
	uint8_t rop;          /* ROP3_*; COPY: none */
};

/* Blend equations with code of their own, all of them sums: name, factors of the
 * source's and destination's colour, then alpha. */
#define RS_BLEND_KINDS(B) \
	B(NONE, BLEND_ONE, BLEND_ZERO, BLEND_ONE, BLEND_ZERO) \
	B(OVER, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_ONE, BLEND_ONE_MINUS_SRC_ALPHA) \
	B(OVER_ALL, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA) \
	B(PREMULTIPLIED, BLEND_ONE, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_ONE, BLEND_ONE_MINUS_SRC_ALPHA) \
	B(ADD, BLEND_ONE, BLEND_ONE, BLEND_ONE, BLEND_ONE) \
	B(ADD_ALPHA, BLEND_SRC_ALPHA, BLEND_ONE, BLEND_ONE, BLEND_ONE)
enum rs_blend_kind {
#define B(name, cs, cd, as, ad) RS_BLEND_##name,
	RS_BLEND_KINDS(B)
#undef B
	RS_BLEND_ANY
};

/* 8_8_8_8 UNORM has kernels of its own; the usual orders of components have code. */
enum rs_rgba8 { RS_RGBA8_NOT, RS_RGBA8, RS_BGRA8, RS_RGBA8_OTHER };

/* A target as the pipeline at hand writes it: rs_pass's target with what the
 * state adds. */
struct rs_color {
	const struct rs_target *target;
	unsigned index;
	cu_unpack_block_fn unpack;
	cu_pack_block_fn pack;
	uint8_t rgba8;                 /* enum rs_rgba8 */
	const struct rs_blend *blend;  /* NULL: none */
	bool partial;                  /* some bits of a texel are kept */
	bool read;                     /* the destination takes part */
	uint8_t rop;
	float clamp_lo, clamp_hi;      /* of blend inputs; lo > hi: no clamp */
	int8_t from[4];                /* channel c is memory component from[c]; -1: absent */
	uint8_t shift[4];              /* rgba8: bit of channel c in a texel; 32: absent */
	uint32_t fixed;                /* rgba8: components that are constant */
	uint8_t blend_kind;            /* rgba8: enum rs_blend_kind */
	uint8_t texel_mask[16];        /* bits that may be written */
};

/* Addresses of 16 lanes in a target. */
struct rs_group {
	uint8_t *quad[4];     /* first pixel of each quad */
	uint32_t row;         /* bytes from the first to the second row of a quad */
	bool block;           /* the 16 texels are contiguous */
};

/* The wave being filled or run. */
struct rs_open_wave {
	unsigned quads, prims;
	bool block;           /* one whole 8x8 block of one primitive */
	const struct rs_prim *prim[RS_WAVE_QUADS];
	uint8_t quad_prim[RS_WAVE_QUADS];
	uint16_t x[RS_WAVE_QUADS], y[RS_WAVE_QUADS]; /* first pixel of the quad */
	uint32_t new_prim;    /* bit q: quad q starts a new primitive (q >= 1) */
	uint64_t exec;        /* coverage: of any sample */
	/* More than one sample: lanes with each sample still alive, and covered
	 * before the tests.  With iterate, every quad belongs to one sample. */
	uint64_t sample[RS_MAX_SAMPLES], covered[RS_MAX_SAMPLES];
	uint8_t quad_sample[RS_WAVE_QUADS];
};

/* Hierarchical Z of one block, in depth codes (float, or the integer of D16
 * as a float): every stored depth is within [lo, hi]. */
struct rs_hiz {
	float lo[RS_BLOCKS], hi[RS_BLOCKS];
	uint8_t stale[RS_BLOCKS];  /* pixels written since the range was exact */
	uint64_t valid;            /* bit per block */
	unsigned layer;
};

struct rs_kernels;

struct rs_worker {
	enum cu_level level;
	const struct rs_kernels *k;
	/* The tile at hand. */
	struct rs_pass *pass;
	int32_t x, y;             /* first pixel */
	int32_t width, height;    /* of the tile, cut by the targets */
	struct rs_hiz hiz;
	/* State of the last draw. */
	const struct rs_draw *draw;
	const struct rs_ps_state *state;
	bool run_ps;              /* the shader must run */
	bool db;                  /* a depth, stencil or bounds test happens */
	bool use_z, use_stencil;  /* tests with a target behind them */
	bool use_hiz;
	bool quick_z;             /* depth alone, early, 32 bits, in 4x4 blocks */
	uint8_t *z_tile;          /* then: depth of the tile's first pixel */
	bool reads;               /* a group reads what the one before it wrote */
	uint8_t order;
	unsigned color_count;
	struct rs_color color[RS_MAX_COLOR];
	struct rs_counter *counter;
	uint64_t samples;         /* not yet added to *counter */
	/* The primitive at hand: z plane's lane offsets, its range in this block. */
	_Alignas(64) double z_lane[8];
	double z_margin;          /* rounding and snapping slack of the plane */
	float prim_lo, prim_hi;   /* range of its codes, and in the block at hand */
	float z_lo, z_hi;
	bool one_block;           /* its bounds touch one block of the tile only */
	struct rs_plane z_sample[RS_MAX_SAMPLES]; /* its z plane, moved to each sample */
	/* Pixels of the open wave, by block of the tile. */
	uint64_t occupied[RS_BLOCKS];
	uint64_t occupied_blocks;
	struct rs_open_wave open, direct;
	const struct rs_prim *lds_prim; /* whose attributes are in LDS, alone */
	_Alignas(64) float z[CU_LANES];  /* clamped z of the running wave */
	struct cu_exports *exports;
	struct cu_wave *wave;
	struct cu_spans spans;
	struct cu_tex_cache tex;
	uint8_t *lds;
	struct cu_scratch scratch;
};

/* Entry points of the per-level code. */
struct rs_kernels {
	void (*prim)(struct rs_worker *w, const struct rs_prim *prim, bool full);
	void (*small)(struct rs_worker *w, const struct rs_prim *prim, const struct rs_item *item);
	void (*prim_msaa)(struct rs_worker *w, const struct rs_prim *prim, bool full);
	void (*flush)(struct rs_worker *w);
};
extern const struct rs_kernels rs_kernels_v3, rs_kernels_v4;

/* Kernel functions that call each other; all of one level. */
#define RS_DECLARE_KERNELS(L) \
	void rs_sc_prim_v##L(struct rs_worker *w, const struct rs_prim *prim, bool full); \
	void rs_sc_small_v##L(struct rs_worker *w, const struct rs_prim *prim, const struct rs_item *item); \
	void rs_sc_line_v##L(struct rs_worker *w, const struct rs_prim *prim); \
	void rs_sc_block_v##L(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask); \
	void rs_db_begin_prim_v##L(struct rs_worker *w, const struct rs_prim *prim); \
	void rs_db_begin_small_v##L(struct rs_worker *w, const struct rs_prim *prim); \
	bool rs_db_hiz_reject_v##L(struct rs_worker *w, const struct rs_prim *prim, unsigned block); \
	uint64_t rs_db_block_v##L(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask, bool write); \
	uint64_t rs_db_quick_block_v##L(const struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask); \
	uint64_t rs_db_wave_v##L(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live); \
	void rs_spi_block_v##L(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask); \
	void rs_spi_append_v##L(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask); \
	void rs_spi_append_small_v##L(struct rs_worker *w, const struct rs_prim *prim, unsigned qx, unsigned qy, uint32_t mask); \
	void rs_spi_flush_v##L(struct rs_worker *w); \
	void rs_spi_inputs_v##L(struct rs_worker *w, const struct rs_open_wave *o); \
	void rs_cb_rgba8_v##L(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o, uint64_t lanes); \
	void rs_cb_rgba8_group_v##L(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g, \
		unsigned n, uint32_t lanes); \
	void rs_cb_wave_v##L(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live); \
	void rs_sc_prim_msaa_v##L(struct rs_worker *w, const struct rs_prim *prim, bool full); \
	void rs_sc_block_msaa_v##L(struct rs_worker *w, const struct rs_prim *prim, unsigned block, \
		const uint64_t covered[RS_MAX_SAMPLES]); \
	void rs_db_block_msaa_v##L(struct rs_worker *w, const struct rs_prim *prim, unsigned block, \
		uint64_t mask[RS_MAX_SAMPLES], bool write); \
	void rs_db_wave_msaa_v##L(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live[RS_MAX_SAMPLES]); \
	void rs_spi_block_msaa_v##L(struct rs_worker *w, const struct rs_prim *prim, unsigned block, \
		const uint64_t mask[RS_MAX_SAMPLES], const uint64_t covered[RS_MAX_SAMPLES]); \
	void rs_spi_finish_msaa_v##L(struct rs_worker *w, const struct rs_open_wave *o, uint64_t valid); \
	void rs_spi_inputs_msaa_v##L(struct rs_worker *w, const struct rs_open_wave *o); \
	void rs_cb_wave_msaa_v##L(struct rs_worker *w, const struct rs_open_wave *o, const uint64_t live[RS_MAX_SAMPLES]);
RS_DECLARE_KERNELS(3)
RS_DECLARE_KERNELS(4)

/* tile.c: makes `draw` the state at hand; closes the open wave when it must. */
void rs_worker_bind(struct rs_worker *w, const struct rs_draw *draw);
/* Adds the samples counted so far to their counter. */
void rs_worker_count(struct rs_worker *w);
/* tile.c -> clear: one rectangle of the tile at hand. */
void rs_tile_clear(struct rs_worker *w, const struct pm4_clear_target *c);
/* cb.c: combines target n with the state; false when nothing of it is written. */
bool rs_color_bind(struct rs_color *c, struct rs_pass *pass, const struct rs_ps_state *s,
	unsigned n, enum cu_level level);
/* Bits of a texel that belong to the memory components of `components`. */
void rs_texel_mask(unsigned dfmt, unsigned components, uint8_t mask[16]);

/* Sample 0 of pixel (x, y) of slice `layer`. */
static inline uint8_t *rs_address(const struct rs_target *t, unsigned layer, uint32_t x, uint32_t y)
{
	uint8_t *row = t->base + layer * t->slice_stride + surf_y_part(t->tiling, t->bpe, t->pitch, y);
	if (t->samples > 1)
		x = surf_ms_x(t->samples, x, 0);
	return row + surf_x_part(t->tiling, t->bpe, x);
}

/* The group of sample k from that of sample 0. */
static inline void rs_group_sample(struct rs_group *g, const struct rs_target *t, unsigned k)
{
	for (unsigned q = 0; q < 4; q++)
		g->quad[q] += k * 16 * t->bpe;
}

static inline uint32_t rs_row_step(const struct rs_target *t)
{
	return t->tiling == TILING_4X4 ? 2u * t->bpe : t->pitch;
}

/* Group of the 4x4 part whose first pixel is (x, y). */
static inline __attribute__((always_inline)) struct rs_group rs_group_part(const struct rs_target *t, unsigned layer,
	uint32_t x, uint32_t y)
{
	struct rs_group g;
	uint8_t *p = rs_address(t, layer, x, y);
	g.block = t->tiling == TILING_4X4;
	g.row = rs_row_step(t);
	uint32_t right = g.block ? 4u * t->bpe : 2u * t->bpe;
	uint32_t down = g.block ? 8u * t->bpe : 2u * t->pitch;
	g.quad[0] = p;
	g.quad[1] = p + right;
	g.quad[2] = p + down;
	g.quad[3] = p + down + right;
	return g;
}

/* Group `n` (lanes 16 n ..) of a wave. */
static inline __attribute__((always_inline)) struct rs_group rs_group_wave(const struct rs_target *t,
	const struct rs_open_wave *o, unsigned n)
{
	if (o->block)
		return rs_group_part(t, o->prim[0]->layer, o->x[4 * n], o->y[4 * n]);
	struct rs_group g = { .row = rs_row_step(t), .block = false };
	for (unsigned i = 0; i < 4 && 4 * n + i < o->quads; i++) {
		unsigned q = 4 * n + i;
		g.quad[i] = rs_address(t, o->prim[o->quad_prim[q]]->layer, o->x[q], o->y[q]);
	}
	return g;
}

/* Lanes of an 8x8 block with x < n; with y < n; n in 0..8. */
static inline uint64_t rs_lanes_left(int n)
{
	static const uint64_t mask[9] = { 0, 0x0000050500000505, 0x00000f0f00000f0f,
		0x00005f5f00005f5f, 0x0000ffff0000ffff, 0x0505ffff0505ffff, 0x0f0fffff0f0fffff,
		0x5f5fffff5f5fffff, ~0ull };
	return mask[n];
}
static inline uint64_t rs_lanes_top(int n)
{
	static const uint64_t mask[9] = { 0, 0x0000000000330033, 0x0000000000ff00ff,
		0x0000000033ff33ff, 0x00000000ffffffff, 0x00330033ffffffff, 0x00ff00ffffffffff,
		0x33ff33ffffffffff, ~0ull };
	return mask[n];
}
/* Lanes of the block at tile position (8 bx, 8 by) within [x0, x1) x [y0, y1). */
static inline uint64_t rs_lanes_within(int bx, int by, int x0, int y0, int x1, int y1)
{
	int l = x0 - 8 * bx, r = x1 - 8 * bx, t = y0 - 8 * by, b = y1 - 8 * by;
	l = l < 0 ? 0 : l > 8 ? 8 : l;
	r = r < 0 ? 0 : r > 8 ? 8 : r;
	t = t < 0 ? 0 : t > 8 ? 8 : t;
	b = b < 0 ? 0 : b > 8 ? 8 : b;
	return rs_lanes_left(r) & ~rs_lanes_left(l) & rs_lanes_top(b) & ~rs_lanes_top(t);
}
/* Position in its 8x8 block of a lane. */
static inline unsigned rs_lane_x(unsigned l)
{
	return (l & 1) | (l >> 1 & 2) | (l >> 2 & 4);
}
static inline unsigned rs_lane_y(unsigned l)
{
	return (l >> 1 & 1) | (l >> 2 & 2) | (l >> 3 & 4);
}

/* The wave exported this component of a target. */
static inline bool rs_exported(const struct cu_exports *e, unsigned target, unsigned component)
{
	return e->targets >> target & 1 && e->mask[target] >> component & 1;
}

/* A lane bit for every quad that has a live lane: bit 4 q. */
static inline uint64_t rs_live_quads(uint64_t mask)
{
	mask |= mask >> 1;
	mask |= mask >> 2;
	return mask & 0x1111111111111111ull;
}

/* fill_kernel.c: `bytes` bytes of dst from a pattern that is a whole number of
 * texels of every size. */
enum { RS_FILL_PATTERN = 192 };
typedef void (*rs_fill_fn)(uint8_t *dst, size_t bytes, const uint8_t *pattern);
void rs_fill_v3(uint8_t *dst, size_t bytes, const uint8_t *pattern);
void rs_fill_v4(uint8_t *dst, size_t bytes, const uint8_t *pattern);

#endif
