/* SPDX-License-Identifier: MIT */
/* Functions of AVX2 outside kernels: every CPU that the core runs on has that. */
#ifndef CORE_FORMAT_AVX2_H
#define CORE_FORMAT_AVX2_H

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((always_inline, target("avx2")))

#endif
