/* SPDX-License-Identifier: MIT */
/* Counting instructions, see jit_profile.h. */
#include "core/jit/jit_profile.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "isa/text/gcn_disasm.h"

struct cu_profile {
	char *path;
	const struct cu_program *p;
	uint8_t *place;
	_Atomic uint64_t waves;
	_Atomic uint64_t times[];
};

struct cu_profile *cu_profile_create(const char *dir, const char *name, const struct cu_program *p,
	const struct cu_jit_image *image)
{
	size_t bytes = strlen(dir) + strlen(name) + sizeof("/.profile");
	struct cu_profile *f = calloc(1, sizeof(*f) + p->count * sizeof(f->times[0]));
	if (!f)
		return NULL;
	f->p = p;
	f->path = malloc(bytes);
	f->place = malloc(p->count);
	if (!f->path || !f->place) {
		free(f->path);
		free(f->place);
		free(f);
		return NULL;
	}
	snprintf(f->path, bytes, "%s/%s.profile", dir, name);
	memcpy(f->place, image->place, p->count);
	return f;
}

static void print(const struct cu_profile *f, FILE *file)
{
	static const char *const places[] = { "inline", "handler", "region" };
	char text[160];
	fprintf(file, "program %u instructions, %llu waves\n", f->p->count, (unsigned long long)f->waves);
	for (uint32_t i = 0; i < f->p->count; i++) {
		const struct cu_rec *r = &f->p->recs[i];
		gcn_disasm(GCN_GFX9, r->in, (uint64_t)r->pc * 4, text, sizeof(text));
		fprintf(file, "%06x %llu %s %s %s\n", r->pc * 4, (unsigned long long)f->times[i],
			cu_is_vector(r->in) ? "vector" : "scalar", places[f->place[i]], text);
	}
}

void cu_profile_destroy(struct cu_profile *f)
{
	if (!f)
		return;
	FILE *file = fopen(f->path, "a");
	if (file) {
		print(f, file);
		fclose(file);
	}
	free(f->path);
	free(f->place);
	free(f);
}

enum cu_status cu_profile_run(struct cu_profile *f, struct cu_wave *w)
{
	const struct cu_program *p = f->p;
	const struct cu_level_ops *l = p->kernels;
	enum cu_status s = CU_FAULT;
	f->waves++;
	/* What a step does not know is left to the interpreter. */
	w->instructions -= w->pc < p->dwords && p->index[w->pc] != ~0u ? p->index[w->pc] : 0;
	w->next_poll = w->instructions;
	do {
		if (w->pc < p->dwords && p->index[w->pc] != ~0u)
			atomic_fetch_add_explicit(&f->times[p->index[w->pc]], 1, memory_order_relaxed);
	} while (l->step(p, w, &s));
	return s;
}
