/* SPDX-License-Identifier: MIT */
/* The front end's order. */
#include "raster/front/front.h"

#include "raster/front/bin.h"
#include "raster/front/job.h"
#include "raster/front/pa.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"
#include "raster/front/vgt.h"

void rs_front_run(struct rs_front *f, struct rs_job *job)
{
	struct rs_batch *b = f->batch;
	f->draw = job->draw;
	f->pa = job->draw->pa;
	f->next = job->first;
	f->end = job->first + job->count;
	while (f->next < f->end) {
		rs_vgt_fetch(f, b);
		if (!rs_vgt_run_vertices(f, b))
			break;
		if (f->pa->kill) /* nothing is rasterised */
			continue;
		rs_pa_project(f, b);
		rs_pa_set_up(f, b);
	}
	rs_bin_finish_job(f, job);
}
