/* SPDX-License-Identifier: MIT */
/* The polynomials of the vector unit's transcendentals, highest power first, by Horner's rule in fused steps: what the
 * interpreter, translated code and the compiler's constants are reckoned by. */
#ifndef ISA_POLY_H
#define ISA_POLY_H

/* 2^f, -1/2 <= f <= 1/2. */
static const float isa_poly_exp2[] = { 0x1.4308fap-13f, 0x1.5f07b4p-10f, 0x1.3b2ba0p-7f, 0x1.c6af6ep-5f, 0x1.ebfbdep-3f,
	0x1.62e430p-1f, 1.0f };
/* log2(1 + t) / t, sqrt(1/2) <= 1 + t < sqrt(2). */
static const float isa_poly_log2[] = { -0x1.c25a72p-4f, 0x1.7d494ap-3f, -0x1.874be8p-3f, 0x1.a305a6p-3f, -0x1.eabc88p-3f,
	0x1.277e36p-2f, -0x1.715a76p-2f, 0x1.ec7096p-2f, -0x1.715470p-1f, 0x1.715476p+0f };
/* sin(2 pi r) / r, by r * r, -1/4 <= r <= 1/4. */
static const float isa_poly_sin[] = { -0x1.cc345ap+3f, 0x1.500ff8p+5f, -0x1.32d112p+6f, 0x1.466bc0p+6f, -0x1.4abbcep+5f,
	0x1.921fb6p+2f };

enum { ISA_POLY_EXP2 = sizeof isa_poly_exp2 / sizeof *isa_poly_exp2, ISA_POLY_LOG2 = sizeof isa_poly_log2 / sizeof *isa_poly_log2,
	ISA_POLY_SIN = sizeof isa_poly_sin / sizeof *isa_poly_sin };

#endif
