/* SPDX-License-Identifier: MIT */
/* Image opcodes by what they do: lists of F(name after GCN_IMAGE_, what its address has
 * besides the coordinates, slice and sample: a set of GCN_MIMG_*). */
#ifndef ISA_GCN_MIMG_H
#define ISA_GCN_MIMG_H

/* Those that take VGPRs, in the order O, B, C, D before the coordinates and CL, L or MIP
 * after them: a dword each, of D two for each dimension. */
enum {
	GCN_MIMG_O = 1, GCN_MIMG_B = 2, GCN_MIMG_C = 4, GCN_MIMG_D = 8, GCN_MIMG_CL = 16, GCN_MIMG_L = 32, GCN_MIMG_MIP = 64,
	GCN_MIMG_DWORDS = GCN_MIMG_O | GCN_MIMG_B | GCN_MIMG_C | GCN_MIMG_CL | GCN_MIMG_L | GCN_MIMG_MIP,
	/* and those that do not: level 0; the texel's dwords as they are, with their sign */
	GCN_MIMG_LZ = 128, GCN_MIMG_PCK = 256, GCN_MIMG_SGN = 512,
};

#define GCN_MIMG_LOADS(F) \
	F(LOAD, 0) F(LOAD_MIP, GCN_MIMG_MIP) F(LOAD_PCK, GCN_MIMG_PCK) F(LOAD_MIP_PCK, GCN_MIMG_PCK | GCN_MIMG_MIP) \
	F(LOAD_PCK_SGN, GCN_MIMG_PCK | GCN_MIMG_SGN) F(LOAD_MIP_PCK_SGN, GCN_MIMG_PCK | GCN_MIMG_SGN | GCN_MIMG_MIP)
#define GCN_MIMG_STORES(F) \
	F(STORE, 0) F(STORE_MIP, GCN_MIMG_MIP) F(STORE_PCK, GCN_MIMG_PCK) F(STORE_MIP_PCK, GCN_MIMG_PCK | GCN_MIMG_MIP)
#define GCN_MIMG_ATOMICS(F) \
	F(ATOMIC_SWAP, 0) F(ATOMIC_CMPSWAP, 0) F(ATOMIC_ADD, 0) F(ATOMIC_SUB, 0) F(ATOMIC_SMIN, 0) F(ATOMIC_UMIN, 0) \
	F(ATOMIC_SMAX, 0) F(ATOMIC_UMAX, 0) F(ATOMIC_AND, 0) F(ATOMIC_OR, 0) F(ATOMIC_XOR, 0) F(ATOMIC_INC, 0) \
	F(ATOMIC_DEC, 0) F(ATOMIC_RSUB, 0) F(ATOMIC_FCMPSWAP, 0) F(ATOMIC_FMIN, 0) F(ATOMIC_FMAX, 0)

#define GCN_MIMG_OFFSET(F, name, parts) F(name, parts) F(name##_O, (parts) | GCN_MIMG_O)
#define GCN_MIMG_LOD(F, name, parts) \
	GCN_MIMG_OFFSET(F, name, parts) GCN_MIMG_OFFSET(F, name##_CL, (parts) | GCN_MIMG_CL) \
	GCN_MIMG_OFFSET(F, name##_L, (parts) | GCN_MIMG_L) GCN_MIMG_OFFSET(F, name##_B, (parts) | GCN_MIMG_B) \
	GCN_MIMG_OFFSET(F, name##_B_CL, (parts) | GCN_MIMG_B | GCN_MIMG_CL) \
	GCN_MIMG_OFFSET(F, name##_LZ, (parts) | GCN_MIMG_LZ)
#define GCN_MIMG_DERIVATIVE(F, name, parts) \
	GCN_MIMG_OFFSET(F, name##_D, (parts) | GCN_MIMG_D) \
	GCN_MIMG_OFFSET(F, name##_D_CL, (parts) | GCN_MIMG_D | GCN_MIMG_CL) \
	GCN_MIMG_OFFSET(F, name##_CD, (parts) | GCN_MIMG_D) \
	GCN_MIMG_OFFSET(F, name##_CD_CL, (parts) | GCN_MIMG_D | GCN_MIMG_CL)
#define GCN_MIMG_SAMPLES(F) \
	GCN_MIMG_LOD(F, SAMPLE, 0) GCN_MIMG_LOD(F, SAMPLE_C, GCN_MIMG_C) \
	GCN_MIMG_DERIVATIVE(F, SAMPLE, 0) GCN_MIMG_DERIVATIVE(F, SAMPLE_C, GCN_MIMG_C)
#define GCN_MIMG_GATHERS(F) GCN_MIMG_LOD(F, GATHER4, 0) GCN_MIMG_LOD(F, GATHER4_C, GCN_MIMG_C)

#endif
