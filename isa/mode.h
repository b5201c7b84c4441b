/* SPDX-License-Identifier: MIT */
/* What the MODE register, and FLOAT_MODE of each RSRC1, say of float arithmetic: by the
 * Vega manual's section on MODE.  Numbers of 16 and of 64 bits have one field. */
#ifndef ISA_MODE_H
#define ISA_MODE_H

enum {
	/* low bits of fields of two */
	ISA_MODE_ROUND_F32 = 0, ISA_MODE_ROUND_F16_F64 = 2, ISA_MODE_DENORM_F32 = 4, ISA_MODE_DENORM_F16_F64 = 6,
	ISA_ROUND_EVEN = 0, ISA_ROUND_UP = 1, ISA_ROUND_DOWN = 2, ISA_ROUND_ZERO = 3,
	ISA_DENORM_FLUSH = 0, ISA_DENORM_KEEP = 3,
	/* to nearest even, denormals kept */
	ISA_FLOAT_PLAIN = ISA_DENORM_KEEP << ISA_MODE_DENORM_F32 | ISA_DENORM_KEEP << ISA_MODE_DENORM_F16_F64,
};

/* The fields for floats of `bits` bits. */
static inline unsigned isa_mode_round(unsigned mode, unsigned bits)
{
	return mode >> (bits == 32 ? ISA_MODE_ROUND_F32 : ISA_MODE_ROUND_F16_F64) & 3;
}
static inline unsigned isa_mode_denorm(unsigned mode, unsigned bits)
{
	return mode >> (bits == 32 ? ISA_MODE_DENORM_F32 : ISA_MODE_DENORM_F16_F64) & 3;
}

#endif
