/* SPDX-License-Identifier: MIT */
/* How the programs of one GPU are run, see jit_host.h. */
#include "core/jit/jit_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/jit/jit.h"
#include "core/jit/jit_blob.h"
#include "core/jit/jit_dump.h"
#include "core/jit/jit_profile.h"
#include "core/jit/jit_symbols.h"

struct cu_host {
	enum cu_core core;
	struct cu_jit_options options;
	unsigned fail_every;
	struct cu_exec_heap *heap;
	struct cu_symbols *symbols;
	char *dump_dir;
	char problem[CU_EXEC_ERROR_BYTES];
};

bool cu_core_parse(const char *text, enum cu_core *out)
{
	static const char *const names[] = { "interp", "jit", "check" };
	*out = CU_CORE_JIT;
	if (!text || !*text)
		return true;
	for (unsigned i = 0; i < 3; i++)
		if (!strcmp(text, names[i])) {
			*out = (enum cu_core)i;
			return true;
		}
	return false;
}

/* "name=number" at *at; moves behind it. */
static bool take_number(const char **at, const char *name, unsigned long *out)
{
	size_t n = strlen(name);
	char *end;
	if (strncmp(*at, name, n) || (*at)[n] != '=')
		return false;
	*out = strtoul(*at + n + 1, &end, 10);
	if (end == *at + n + 1)
		return false;
	*at = end;
	return true;
}

static bool parse_faults(struct cu_host *h, const char *at)
{
	while (at && *at) {
		unsigned long n;
		if (take_number(&at, "seed", &n)) {
			h->options.seed = (uint32_t)n;
		} else if (take_number(&at, "code-memory", &n)) {
			h->fail_every = (unsigned)n;
		} else if (!strncmp(at, "no-registers", 12)) {
			h->options.no_registers = true;
			at += 12;
		}
		if (*at && *at != ',')
			return false;
		at += *at == ',';
	}
	return true;
}

/* Learns at once whether code can be had, not at the first pipeline.  Its byte
 * stays, and with it the memory that the first pipeline's code goes to. */
static void probe(struct cu_host *h)
{
	static const uint8_t ret = 0xc3;
	struct cu_exec_heap *own = h->fail_every ? cu_exec_heap_create(0) : NULL;
	struct cu_exec_heap *heap = h->fail_every ? own : h->heap;
	void *code = heap ? cu_exec_publish(heap, &ret, 1) : NULL;
	if (!heap)
		snprintf(h->problem, sizeof(h->problem), "no memory");
	else if (!code)
		cu_exec_heap_error(heap, h->problem);
	cu_exec_heap_destroy(own);
}

struct cu_host *cu_host_create(const struct cu_host_info *info, const char **why)
{
	struct cu_host *h = calloc(1, sizeof(*h));
	*why = NULL;
	if (!h)
		return NULL;
	h->core = info->core;
	h->options.keep_all = info->core == CU_CORE_CHECK;
	if (!parse_faults(h, info->faults)) {
		*why = "QW_JIT_FAULTS: unknown fault";
		goto fail;
	}
	if (h->core == CU_CORE_INTERP)
		return h;
	h->heap = cu_exec_heap_create(h->fail_every);
	h->symbols = cu_symbols_create(info->perf_map);
	h->options.forms = jit_x_forms_create();
	if (!h->heap || !h->symbols || !h->options.forms)
		goto fail;
	if (info->dump_dir && !(h->dump_dir = strdup(info->dump_dir)))
		goto fail;
	probe(h);
	return h;
fail:
	cu_host_destroy(h);
	return NULL;
}

void cu_host_destroy(struct cu_host *h)
{
	if (!h)
		return;
	cu_symbols_destroy(h->symbols);
	cu_exec_heap_destroy(h->heap);
	jit_x_forms_destroy(h->options.forms);
	free(h->dump_dir);
	free(h);
}

enum cu_core cu_host_core(const struct cu_host *h)
{
	return h->core;
}

const char *cu_host_problem(const struct cu_host *h)
{
	return h->problem[0] ? h->problem : NULL;
}

/* Only code made for plain use is kept and reused. */
static bool is_plain(const struct cu_host *h)
{
	return h->core == CU_CORE_JIT && !h->options.seed && !h->options.no_registers;
}

static bool translate(struct cu_host *h, struct cu_program *p, const char *name)
{
	struct cu_jit_image image;
	struct cu_error err;
	if (!cu_jit_translate(p, &h->options, &image, &err))
		return false; /* has a computed jump, or there is no memory */
	if (h->dump_dir)
		cu_jit_dump(h->dump_dir, name, p, &image);
	bool ok = cu_jit_attach(p, h->heap, &image, &err);
	if (ok && h->dump_dir && h->core == CU_CORE_CHECK)
		cu_jit_count(p, cu_profile_create(h->dump_dir, name, p, &image));
	cu_jit_image_free(&image);
	return ok;
}

void cu_host_add(struct cu_host *h, struct cu_program *p, const char *name, struct cu_host_blob blob)
{
	if (h->core == CU_CORE_INTERP || h->problem[0]) {
		cu_jit_unwritten(p);
		return;
	}
	bool reuse = blob.data && is_plain(h) && !h->dump_dir;
	if (!(reuse && cu_blob_attach(p, h->heap, blob.data, blob.bytes)) && !translate(h, p, name)) {
		cu_jit_unwritten(p);
		return;
	}
	if (!cu_jit_name(p, h->symbols, name, h->core == CU_CORE_CHECK) && h->core == CU_CORE_CHECK)
		cu_jit_detach(p); /* unnamed and unchecked: rather not */
}

void *cu_host_save(const struct cu_host *h, const struct cu_program *p, size_t *bytes)
{
	return is_plain(h) ? cu_blob_save(p, bytes) : NULL;
}
