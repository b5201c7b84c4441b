/* SPDX-License-Identifier: MIT */
/* Programs with code: attaching, entering, letting go. */
#include "core/jit/jit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/jit/jit_check.h"
#include "core/jit/jit_profile.h"
#include "core/jit/jit_symbols.h"

struct cu_jit {
	struct cu_runner runner; /* first: programs point to it */
	struct cu_exec_heap *heap;
	uint8_t *code;
	size_t bytes;
	struct cu_symbol *symbol;
	struct cu_check how;
	uint32_t entry[];
};

static struct cu_jit *jit_of(const struct cu_program *p)
{
	return (struct cu_jit *)p->runner;
}

static enum cu_status run_code(const struct cu_program *p, struct cu_wave *w)
{
	const struct cu_jit *j = jit_of(p);
	uint32_t at = w->pc < p->dwords ? p->index[w->pc] : ~0u;
	if (at == ~0u || j->entry[at] == CU_JIT_NO_ENTRY)
		return p->kernels->run(p, w);
	/* Counted as ops_branch_kernel.c does: positions left minus positions reached. */
	w->instructions -= at;
	cu_jit_fn run;
	memcpy(&run, &j->code, sizeof(run));
	int status = (int)run(w, p->recs, j->code + j->entry[at], &cu_jit_helpers);
	if (status == CU_JIT_BAIL)
		return p->kernels->run(p, w);
	return (enum cu_status)status;
}

static enum cu_status run_checked(const struct cu_program *p, struct cu_wave *w)
{
	return cu_check_run(p, w, &jit_of(p)->how, run_code);
}

bool cu_jit_attach(struct cu_program *p, struct cu_exec_heap *heap,
	const struct cu_jit_image *image, struct cu_error *err)
{
	if (image->records != p->count) {
		cu_error_at(err, 0, NULL, "code of another program");
		return false;
	}
	struct cu_jit *j = calloc(1, sizeof(*j) + p->count * sizeof(j->entry[0]));
	if (!j) {
		cu_error_at(err, 0, NULL, "no memory for the code of %u instructions", p->count);
		return false;
	}
	j->heap = heap;
	j->bytes = image->bytes;
	j->code = cu_exec_publish(heap, image->code, image->bytes);
	if (!j->code) {
		char why[CU_EXEC_ERROR_BYTES];
		cu_exec_heap_error(heap, why);
		cu_error_at(err, 0, NULL, "no executable memory: %s", why);
		free(j);
		return false;
	}
	memcpy(j->how.loose, image->loose, sizeof(j->how.loose));
	memcpy(j->entry, image->entry, p->count * sizeof(j->entry[0]));
	cu_program_unwritten(p, &image->unwritten);
	cu_jit_detach(p);
	j->runner = (struct cu_runner){ run_code, cu_jit_detach };
	p->runner = &j->runner;
	return true;
}

void cu_jit_detach(struct cu_program *p)
{
	struct cu_jit *j = jit_of(p);
	if (!j)
		return;
	cu_symbol_remove(j->symbol);
	cu_exec_release(j->heap, j->code);
	cu_profile_destroy(j->how.profile);
	free(j->how.name);
	free(j->how.spare);
	free(j);
	p->runner = NULL;
}

bool cu_jit_name(struct cu_program *p, struct cu_symbols *symbols, const char *name, bool check)
{
	struct cu_jit *j = jit_of(p);
	if (!(j->how.name = strdup(name)))
		return false;
	j->runner.run = check ? run_checked : run_code;
	if (check)
		cu_check_scan(p, &j->how);
	if (symbols)
		j->symbol = cu_symbol_add(symbols, name, j->code, j->bytes);
	return true;
}

void cu_jit_count(struct cu_program *p, struct cu_profile *f)
{
	jit_of(p)->how.profile = f;
}

const void *cu_jit_code(const struct cu_program *p, size_t *bytes)
{
	const struct cu_jit *j = jit_of(p);
	*bytes = j ? j->bytes : 0;
	return j ? j->code : NULL;
}

const uint32_t *cu_jit_entries(const struct cu_program *p)
{
	return p->runner ? jit_of(p)->entry : NULL;
}

void cu_jit_image_free(struct cu_jit_image *image)
{
	free(image->code);
	free(image->entry);
	free(image->marks);
	free(image->place);
	memset(image, 0, sizeof(*image));
}
