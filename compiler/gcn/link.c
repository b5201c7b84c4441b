/* SPDX-License-Identifier: MIT */
/* Merged programs: two stages that run in one wave, one after the other. */
#include <stdlib.h>
#include <string.h>
#include "compiler/compiler.h"
#include "isa/gcn.h"
#include "isa/mode.h"

static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* MODE's floats become what the second half asks for: s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8). */
static uint32_t set_mode(uint32_t float_mode, uint32_t out[4])
{
	enum { HW_REG_MODE = 1, BITS = 8 };
	struct gcn_inst set = { .op = GCN_S_SETREG_IMM32_B32, .fmt = GCN_SOPK, .dst = GCN_SRC_NONE, .sdst = GCN_SRC_NONE,
		.offset = HW_REG_MODE | (BITS - 1) << 11, .literal = float_mode };
	return gcn_encode(GCN_GFX9, &set, out, NULL);
}

enum compiler_status compiler_link(const struct compiler_shader *first, const struct compiler_shader *second,
	struct compiler_shader *out)
{
	uint32_t mode[4], between = first->float_mode == second->float_mode ? 0 : set_mode(second->float_mode, mode);
	uint32_t *code = malloc(((size_t)first->code_dwords + between + second->code_dwords) * sizeof *code);
	if (!code) {
		memset(out, 0, sizeof *out);
		return COMPILER_NO_MEMORY;
	}
	memcpy(code, first->code, first->code_dwords * sizeof *code);
	memcpy(code + first->code_dwords, mode, between * sizeof *code);
	memcpy(code + first->code_dwords + between, second->code, second->code_dwords * sizeof *code);
	*out = *second;
	out->code = code;
	out->code_dwords += first->code_dwords + between;
	out->float_mode = first->float_mode;
	out->vgprs = most(out->vgprs, first->vgprs);
	out->sgprs = most(out->sgprs, first->sgprs);
	out->scratch_bytes = most(out->scratch_bytes, first->scratch_bytes);
	out->lds_bytes = most(out->lds_bytes, first->lds_bytes);
	out->instructions += first->instructions;
	return COMPILER_OK;
}
