/* SPDX-License-Identifier: MIT */
/* What there is to know of a stage, of a pipeline's or of the hardware's; rows in stages.def.
 *
 *   isa_hw_stages[ISA_HW_PS].rsrc1         SH register of that stage
 *   isa_stages[stage].traits & ISA_QUADS   of one of enum compiler_stage, which has its order
 *   isa_hw_of(stage, next)                 whose registers say where its program is
 *   isa_user_data(hw, ABI_S_ROOT)          SH register that fills a user SGPR of that program */
#ifndef ISA_STAGES_H
#define ISA_STAGES_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "isa/abi.h"
#include "isa/regs.h"
#include "isa/stages.def"

enum isa_hw_stage {
#define H(name, ...) ISA_HW_##name,
	ISA_HW_STAGES(H)
#undef H
	ISA_HW_COUNT
};

struct isa_hw_stage_info {
	const char *name, *wave;     /* in messages: "pixel", "pixel wave" */
	/* SH registers: address >> 8 in two, RSRC1, RSRC2, user SGPRs from s0 on. */
	uint16_t pgm_lo, rsrc1, rsrc2, user_data, user_data_count;
	bool graphics;               /* draws have it, dispatches do not */
	uint8_t first_user;          /* user SGPRs begin at this one, those below are the system's */
	uint8_t view_sgpr;           /* of the user SGPRs; 0: none, the first is never it */
};
static const struct isa_hw_stage_info isa_hw_stages[] = {
#define H(name, text, lo, rsrc1, rsrc2, user, graphics, first, view) \
	{ text, text " wave", R_##lo, R_##rsrc1, R_##rsrc2, R_##user, user##__COUNT, graphics, first, view },
	ISA_HW_STAGES(H)
#undef H
};

/* Fields that all have, in the same bits: COMPUTE_PGM_RSRC1 and _RSRC2 stand for any. */
#define SAME_(a, b, field) a##__##field##__LO == b##__##field##__LO && a##__##field##__W == b##__##field##__W
#define H(name, text, lo, rsrc1, rsrc2, user, graphics, first, view) \
	static_assert(SAME_(rsrc1, COMPUTE_PGM_RSRC1, VGPRS) && SAME_(rsrc1, COMPUTE_PGM_RSRC1, SGPRS) && \
		SAME_(rsrc1, COMPUTE_PGM_RSRC1, FLOAT_MODE) && SAME_(rsrc1, COMPUTE_PGM_RSRC1, DX10_CLAMP) && \
		SAME_(rsrc1, COMPUTE_PGM_RSRC1, IEEE_MODE) && SAME_(rsrc2, COMPUTE_PGM_RSRC2, SCRATCH_EN) && \
		SAME_(rsrc2, COMPUTE_PGM_RSRC2, USER_SGPR) && R_##rsrc2 == R_##rsrc1 + 1, "RSRC1 and RSRC2 are alike");
ISA_HW_STAGES(H)
#undef H
#undef SAME_

enum isa_stage_trait { ISA_GRAPHICS = 1, ISA_INTERFACE = 2, ISA_VERTICES = 4, ISA_QUADS = 8, ISA_GROUPS = 16,
	ISA_SECOND = 32 };

struct isa_stage_info {
	const char *name;            /* in dumps */
	uint8_t hw;                  /* enum isa_hw_stage */
	uint8_t traits;
	uint8_t user_sgprs;
	uint8_t vgprs;
};
static const struct isa_stage_info isa_stages[] = {
#define S(name, text, model, api, hw, traits, user, vgprs) \
	{ #text, ISA_HW_##hw, traits, user, vgprs },
	ISA_STAGES(S)
#undef S
};

/* enum isa_hw_stage of a stage that `next` follows before primitives are assembled (its own number: none does). */
static inline unsigned isa_hw_of(unsigned stage, unsigned next)
{
	return isa_stages[isa_stages[next].traits & ISA_SECOND ? next : stage].hw;
}

/* In SET_SH_REG. */
static inline uint32_t isa_user_data(unsigned hw, unsigned sgpr)
{
	return isa_hw_stages[hw].user_data + sgpr;
}

#endif
