/* SPDX-License-Identifier: MIT */
/* Targets of a pass from CB and DB registers. */
#include "raster/cp/cp_targets.h"

#include <string.h>
#include "isa/regs.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "raster/cp/build.h"
#include "raster/cp/gpu.h"
#include "raster/draw.h"
#include "raster/pass.h"

static const uint16_t depth_registers[] = {
	R_DB_Z_INFO, R_DB_STENCIL_INFO, R_DB_Z_READ_BASE, R_DB_Z_READ_BASE_HI,
	R_DB_STENCIL_READ_BASE, R_DB_STENCIL_READ_BASE_HI, R_DB_DEPTH_SIZE,
};

static uint32_t depth_slices(const uint32_t *reg)
{
	return reg[R_DB_DEPTH_VIEW] & (REG_SET(DB_DEPTH_VIEW, SLICE_START, ~0u) |
		REG_SET(DB_DEPTH_VIEW, SLICE_MAX, ~0u));
}

/* What tells one set of targets from another.  Registers of targets that are
 * not bound do not count, nor do the read-only bits. */
void rs_targets_key(const struct rs_context *c, uint32_t key[RS_TARGET_KEY])
{
	const uint32_t *reg = c->reg;
	bool bound = false;
	memset(key, 0, RS_TARGET_KEY * sizeof *key);
	for (unsigned i = 0; i < RS_MAX_COLOR; i++) {
		const uint32_t *r = reg + R_CB_COLOR_BASE + i * CB_COLOR_BASE__STRIDE;
		if (!REG_GET(r[R_CB_COLOR_INFO - R_CB_COLOR_BASE], CB_COLOR_INFO, FORMAT))
			continue;
		memcpy(key + i * 6, r, 6 * sizeof *key);
		bound = true;
	}
	uint32_t *d = key + RS_MAX_COLOR * 6;
	if (REG_GET(reg[R_DB_Z_INFO], DB_Z_INFO, FORMAT) ||
	    REG_GET(reg[R_DB_STENCIL_INFO], DB_STENCIL_INFO, FORMAT)) {
		for (unsigned i = 0; i < sizeof depth_registers / sizeof *depth_registers; i++)
			d[i] = reg[depth_registers[i]];
		d[7] = depth_slices(reg);
		bound = true;
	}
	if (!bound)
		d[0] = reg[R_PA_SC_SCREEN_SCISSOR_BR];
}
_Static_assert(R_CB_COLOR_BASE_EXT == R_CB_COLOR_BASE + 1 && R_CB_COLOR_ATTRIB2 == R_CB_COLOR_BASE + 2 &&
	R_CB_COLOR_VIEW == R_CB_COLOR_BASE + 3 && R_CB_COLOR_INFO == R_CB_COLOR_BASE + 4 &&
	R_CB_COLOR_ATTRIB == R_CB_COLOR_BASE + 5, "the key copies six registers in a row");

/* The rest of a plane whose format, tiling and size are there. */
static bool finish_plane(struct rs_gpu *gpu, struct surf_plane *p, const char *name, uint64_t address,
	uint32_t slice_start, uint32_t slice_max, unsigned log2_samples)
{
	p->base = (uint8_t *)(uintptr_t)(address << 8);
	p->samples = (uint8_t)(1 << log2_samples); /* NUM_SAMPLES has 3 bits */
	surf_init(p);
	const char *fault = surf_fault(p);
	if (!fault && (p->block_width != 1 || p->block_height != 1))
		fault = "a block-compressed data format";
	if (fault)
		return rs_gpu_fail(gpu, "%s target has %s: data format %u, tiling %u, %u samples", name, fault, p->dfmt,
			p->tiling, p->samples);
	*p = surf_slices(*p, slice_start, slice_max >= slice_start ? slice_max - slice_start + 1 : 1);
	return true;
}

static bool decode_color(struct rs_gpu *gpu, struct rs_target *t, const uint32_t *reg, unsigned i)
{
	const uint32_t *r = reg + i * CB_COLOR_BASE__STRIDE;
	uint32_t info = r[R_CB_COLOR_INFO], attrib = r[R_CB_COLOR_ATTRIB];
	t->plane.dfmt = REG_GET(info, CB_COLOR_INFO, FORMAT);
	if (!t->plane.dfmt)
		return true;
	t->plane.nfmt = REG_GET(info, CB_COLOR_INFO, NUMBER_TYPE);
	t->plane.tiling = REG_GET(attrib, CB_COLOR_ATTRIB, TILE_MODE_INDEX);
	t->sel[0] = REG_GET(attrib, CB_COLOR_ATTRIB, SEL_X);
	t->sel[1] = REG_GET(attrib, CB_COLOR_ATTRIB, SEL_Y);
	t->sel[2] = REG_GET(attrib, CB_COLOR_ATTRIB, SEL_Z);
	t->sel[3] = REG_GET(attrib, CB_COLOR_ATTRIB, SEL_W);
	t->plane.width = REG_GET(r[R_CB_COLOR_ATTRIB2], CB_COLOR_ATTRIB2, MIP0_WIDTH) + 1;
	t->plane.height = REG_GET(r[R_CB_COLOR_ATTRIB2], CB_COLOR_ATTRIB2, MIP0_HEIGHT) + 1;
	uint64_t address = (uint64_t)(r[R_CB_COLOR_BASE_EXT] & 0xff) << 32 | r[R_CB_COLOR_BASE];
	return finish_plane(gpu, &t->plane, "color", address,
		REG_GET(r[R_CB_COLOR_VIEW], CB_COLOR_VIEW, SLICE_START),
		REG_GET(r[R_CB_COLOR_VIEW], CB_COLOR_VIEW, SLICE_MAX),
		REG_GET(attrib, CB_COLOR_ATTRIB, NUM_SAMPLES));
}

static const uint8_t depth_dfmt[] = { [Z_FORMAT_16] = DFMT_16, [Z_FORMAT_24] = DFMT_8_24, [Z_FORMAT_32_FLOAT] = DFMT_32 };

static bool decode_depth(struct rs_gpu *gpu, struct rs_pass *pass, const uint32_t *reg)
{
	uint32_t z = REG_GET(reg[R_DB_Z_INFO], DB_Z_INFO, FORMAT);
	uint32_t s = REG_GET(reg[R_DB_STENCIL_INFO], DB_STENCIL_INFO, FORMAT);
	uint32_t first = REG_GET(reg[R_DB_DEPTH_VIEW], DB_DEPTH_VIEW, SLICE_START);
	uint32_t last = REG_GET(reg[R_DB_DEPTH_VIEW], DB_DEPTH_VIEW, SLICE_MAX);
	unsigned samples = REG_GET(reg[R_DB_Z_INFO], DB_Z_INFO, NUM_SAMPLES);
	struct rs_target size = {
		.plane.width = REG_GET(reg[R_DB_DEPTH_SIZE], DB_DEPTH_SIZE, X_MAX) + 1,
		.plane.height = REG_GET(reg[R_DB_DEPTH_SIZE], DB_DEPTH_SIZE, Y_MAX) + 1,
		.sel = { SEL_R, SEL_G, SEL_B, SEL_A },
	};
	if (z != Z_FORMAT_NONE) {
		struct rs_target *t = &pass->targets.depth;
		*t = size;
		t->plane.dfmt = depth_dfmt[z];
		t->plane.nfmt = z == Z_FORMAT_32_FLOAT ? NFMT_FLOAT : NFMT_UNORM;
		t->code_max = rs_depth_code_max(t->plane.dfmt, t->plane.nfmt);
		t->plane.tiling = REG_GET(reg[R_DB_Z_INFO], DB_Z_INFO, TILE_MODE_INDEX);
		uint64_t a = (uint64_t)(reg[R_DB_Z_READ_BASE_HI] & 0xff) << 32 | reg[R_DB_Z_READ_BASE];
		if (!finish_plane(gpu, &t->plane, "depth", a, first, last, samples))
			return false;
	}
	if (s != STENCIL_FORMAT_NONE) {
		struct rs_target *t = &pass->targets.stencil;
		*t = size;
		t->plane.dfmt = DFMT_8;
		t->plane.nfmt = NFMT_UINT;
		t->plane.tiling = REG_GET(reg[R_DB_STENCIL_INFO], DB_STENCIL_INFO, TILE_MODE_INDEX);
		uint64_t a = (uint64_t)(reg[R_DB_STENCIL_READ_BASE_HI] & 0xff) << 32 |
			reg[R_DB_STENCIL_READ_BASE];
		return finish_plane(gpu, &t->plane, "stencil", a, first, last, samples);
	}
	return true;
}

/* False when the targets' samples differ. */
static bool fit(struct rs_pass *pass, const struct rs_target *t)
{
	if (!t->plane.base)
		return true;
	if (pass->samples && pass->samples != t->plane.samples)
		return false;
	pass->samples = t->plane.samples;
	if (t->plane.width < pass->width)
		pass->width = t->plane.width;
	if (t->plane.height < pass->height)
		pass->height = t->plane.height;
	return true;
}

bool rs_targets_decode(struct rs_gpu *gpu, struct rs_pass *pass)
{
	const uint32_t *reg = gpu->context.reg;
	for (unsigned i = 0; i < RS_MAX_COLOR; i++)
		if (!decode_color(gpu, &pass->targets.color[i], reg, i))
			return false;
	if (!decode_depth(gpu, pass, reg))
		return false;
	pass->width = pass->height = UINT32_MAX;
	bool same = true;
	for (unsigned i = 0; i < RS_MAX_COLOR; i++)
		same &= fit(pass, &pass->targets.color[i]);
	same &= fit(pass, &pass->targets.depth);
	same &= fit(pass, &pass->targets.stencil);
	if (!same)
		return rs_gpu_fail(gpu, "the targets have different numbers of samples");
	if (pass->width == UINT32_MAX) {
		int16_t w = (int16_t)(reg[R_PA_SC_SCREEN_SCISSOR_BR] & 0xffff);
		int16_t h = (int16_t)(reg[R_PA_SC_SCREEN_SCISSOR_BR] >> 16);
		pass->width = w > 0 ? (uint32_t)w : 0;
		pass->height = h > 0 ? (uint32_t)h : 0;
	}
	pass->tiles_x = (pass->width + RS_TILE - 1) / RS_TILE;
	pass->tiles_y = (pass->height + RS_TILE - 1) / RS_TILE;
	return true;
}
