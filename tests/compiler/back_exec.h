/* SPDX-License-Identifier: MIT */
/* Test support: runs what the compiler made on the compute unit, translated and
 * compared with the interpreter in every wave. */
#ifndef BACK_EXEC_H
#define BACK_EXEC_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/compile.h"
#include "core/cu.h"
#include "core/group.h"
#include "core/jit/jit.h"
#include "core/mode.h"
#include "isa/abi.h"
#include "isa/resource.h"

/* Storage buffers 0 and 1 of set 0, uniform buffer 0 of set 1. */
static const struct compiler_binding back_bindings[] = {
	{ .set = 0, .binding = 0, .type = COMPILER_DESC_SSBO, .count = 1, .offset = 0, .stride = 16 },
	{ .set = 0, .binding = 1, .type = COMPILER_DESC_SSBO, .count = 1, .offset = 16, .stride = 16 },
	{ .set = 1, .binding = 0, .type = COMPILER_DESC_UBO, .count = 1, .offset = 0, .stride = 16 },
};
enum { BACK_BUFFERS = 3 };
struct back_buffer { const void *base; uint32_t bytes; };

/* A program for buffers of its own: they may change from run to run. */
struct back_program {
	struct cu_program *program;
	struct cu_group_ctx *ctx;
	struct cu_exec_heap *heap;
	const struct compiler_shader *shader;
};

static inline bool back_program_create(struct back_program *p, const struct compiler_shader *shader, const char *name,
	struct cu_error *err)
{
	enum cu_level level;
	const char *why;
	const struct cu_jit_options options = { .keep_all = true }; /* as the comparison needs */
	struct cu_jit_image image;
	if (!cu_level_detect(getenv("QW_CPU"), &level, &why)) {
		snprintf(err->text, sizeof err->text, "%s", why);
		return false;
	}
	p->shader = shader;
	p->program = cu_program_create(level, shader->code, shader->code_dwords, err);
	if (p->program)
		cu_program_place(p->program, (uintptr_t)shader->code);
	p->ctx = cu_group_ctx_create();
	p->heap = cu_exec_heap_create(0);
	if (!p->program || !p->ctx || !p->heap)
		return false;
	bool ok = cu_jit_translate(p->program, &options, &image, err) && cu_jit_attach(p->program, p->heap, &image, err);
	cu_jit_image_free(&image);
	return ok && cu_jit_name(p->program, NULL, name, true);
}

static inline void back_program_destroy(struct back_program *p)
{
	cu_group_ctx_destroy(p->ctx);
	cu_program_destroy(p->program);
	cu_exec_heap_destroy(p->heap);
}

/* `groups` workgroups of 64, side by side.  push: ABI_PUSH_BYTES of them, or NULL. */
static inline bool back_program_run(const struct back_program *p, const struct back_buffer buffer[BACK_BUFFERS],
	const void *push, uint32_t groups, struct cu_error *err)
{
	uint32_t set[BACK_BUFFERS][4] = { { 0 } };
	uint64_t root[ABI_ROOT_BYTES / 8] = { 0 };
	for (unsigned i = 0; i < BACK_BUFFERS; i++) {
		ISA_SET(set[i], V_BASE_LO, (uint32_t)(uintptr_t)buffer[i].base);
		ISA_SET(set[i], V_BASE_HI, (uint32_t)((uintptr_t)buffer[i].base >> 32));
		ISA_SET(set[i], V_NUM_RECORDS, buffer[i].bytes);
	}
	root[ABI_ROOT_SETS / 8] = (uintptr_t)set[0];
	root[ABI_ROOT_SETS / 8 + 1] = (uintptr_t)set[2];
	if (push)
		memcpy((char *)root + ABI_ROOT_PUSH, push, ABI_PUSH_BYTES);
	uint32_t user[5] = { (uint32_t)(uintptr_t)root, (uint32_t)((uintptr_t)root >> 32), groups, 1, 1 };
	const struct compiler_shader *shader = p->shader;
	bool ok = true;
	unsigned mxcsr = cu_fp_enter();
	for (uint32_t i = 0; ok && i < groups; i++) {
		struct cu_group group = { .use = { .program = p->program, .mode = shader->float_mode | CU_MODE_DX10_CLAMP, .user_count = shader->user_sgprs },
			.tgid_en = { shader->tgid_en & 1, shader->tgid_en >> 1 & 1, shader->tgid_en >> 2 & 1 },
			.tgid = { i, 0, 0 }, .size = { 64, 1, 1 }, .tidig_comp_cnt = shader->tidig_comp_cnt,
			.lds_bytes = shader->lds_bytes };
		group.use.scratch_bytes = shader->scratch_bytes * 64;
		memcpy(group.use.user, user, sizeof user);
		ok = cu_group_run(p->ctx, &group, err);
	}
	cu_fp_leave(mxcsr);
	return ok;
}

#endif
