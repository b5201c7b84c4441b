/* SPDX-License-Identifier: MIT */
/* The transcendentals as the project defines them: polynomials in single
 * precision, each operation rounded to nearest even.  Bit patterns in and out. */
#ifndef TESTS_CORE_REF_MATH_H
#define TESTS_CORE_REF_MATH_H

#include <stdint.h>

uint64_t ref_exp2(uint32_t x);
uint64_t ref_log2(uint32_t x);
uint64_t ref_sin(uint32_t turns);
uint64_t ref_cos(uint32_t turns);
/* 53 bits of 2/pi from bit `at` after the point; 0 beyond 1201 bits. */
uint64_t ref_two_over_pi(unsigned at);

#endif
