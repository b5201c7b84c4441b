/* SPDX-License-Identifier: MIT */
/* The device's kernels: of the front end, of the back end, of formats. */
#ifndef RASTER_KERNELS_H
#define RASTER_KERNELS_H

#include "core/format/format.h"
#include "core/level.h"

struct rs_kernels {
	const struct rs_pa_kernels *pa;     /* raster/front/pa.h */
	const struct rs_back_kernels *back; /* raster/back/worker.h */
	const struct cu_formats *formats;
};
CU_TABLES(struct rs_pa_kernels, rs_pa_kernels);
CU_TABLES(struct rs_back_kernels, rs_back_kernels);

static inline struct rs_kernels rs_kernels_of(enum cu_level level)
{
	return (struct rs_kernels){ .pa = CU_TABLE(rs_pa_kernels, level), .back = CU_TABLE(rs_back_kernels, level),
		.formats = CU_TABLE(cu_formats, level) };
}

#endif
