/* SPDX-License-Identifier: MIT */
/* QW_RESOLVE_IMAGE, and what QW_RESOLVE_TARGET asks of each tile. */
#include "raster/resolve.h"

#include <string.h>
#include "isa/pm4.h"
#include "isa/surface.h"
#include "raster/dma/dma.h"
#include "raster/dma/dma_priv.h"

struct resolve_job { struct rs_resolve r; uint32_t bands; /* a slice */ };

static void run_band(void *data, uint32_t index, unsigned thread)
{
	const struct resolve_job *j = data;
	rs_resolve_band(&j->r, index % j->bands, index / j->bands);
}

bool rs_dma_resolve_image(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords)
{
	struct pm4_resolve_image p;
	if (dwords != PM4_DWORDS(pm4_resolve_image))
		return false;
	memcpy(&p, payload, sizeof(p));
	if (!p.width || !p.height || !p.depth)
		return true;
	struct resolve_job j = { .r = { .src_at = { p.src_x, p.src_y, p.src_z }, .dst_at = { p.dst_x, p.dst_y, p.dst_z },
		.width = p.width, .height = p.height, .depth = p.depth } };
	struct rs_resolve *r = &j.r;
	if (!dma_surface(&p.src, &r->src) || !dma_surface(&p.dst, &r->dst) || !rs_resolve_init(r, p.mode, dma->formats))
		return false;
	j.bands = rs_resolve_bands(r);
	uint64_t bands = (uint64_t)j.bands * r->depth;
	if (bands > UINT32_MAX)
		return false;
	dma_run(dma->pool, bands * r->width * 4 * r->src.bpe * r->src.samples, (uint32_t)bands, run_band, &j);
	return true;
}

bool rs_dma_resolve_target(const struct rs_dma *dma, const struct pm4_resolve_target *p, const struct surf_plane *src,
	struct rs_resolve *r)
{
	*r = (struct rs_resolve){ .src = *src, .src_at = { p->x, p->y, p->first_slice }, .dst_at = { p->x, p->y, p->dst_z },
		.width = p->width, .height = p->height, .depth = p->slice_count };
	return src->base && dma_surface(&p->dst, &r->dst) && rs_resolve_init(r, PM4_RESOLVE_AVERAGE, dma->formats);
}
