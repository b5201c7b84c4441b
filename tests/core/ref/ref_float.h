/* SPDX-License-Identifier: MIT */
/* IEEE 754 arithmetic on bit patterns, in integers: any of three formats, any
 * of the four directions of MODE.  NaN results are canonical. */
#ifndef TESTS_CORE_REF_FLOAT_H
#define TESTS_CORE_REF_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

enum rf_format { RF_16, RF_32, RF_64 };
enum rf_round { RF_NEAREST, RF_UP, RF_DOWN, RF_ZERO };

uint64_t rf_add(enum rf_format f, uint64_t a, uint64_t b, enum rf_round r);
uint64_t rf_sub(enum rf_format f, uint64_t a, uint64_t b, enum rf_round r);
uint64_t rf_mul(enum rf_format f, uint64_t a, uint64_t b, enum rf_round r);
uint64_t rf_fma(enum rf_format f, uint64_t a, uint64_t b, uint64_t c, enum rf_round r);
uint64_t rf_div(enum rf_format f, uint64_t a, uint64_t b, enum rf_round r);
uint64_t rf_sqrt(enum rf_format f, uint64_t a, enum rf_round r);
/* a times 2^n. */
uint64_t rf_scale(enum rf_format f, uint64_t a, int64_t n, enum rf_round r);
uint64_t rf_convert(enum rf_format to, enum rf_format from, uint64_t a, enum rf_round r);
uint64_t rf_from_int(enum rf_format f, bool negative, uint64_t magnitude, enum rf_round r);
/* To an integer of the same format. */
uint64_t rf_integral(enum rf_format f, uint64_t a, enum rf_round r);
/* To an integer in lo..hi, towards zero; NaN gives 0. */
int64_t rf_to_int(enum rf_format f, uint64_t a, int64_t lo, int64_t hi);

bool rf_is_nan(enum rf_format f, uint64_t a);
bool rf_is_signalling(enum rf_format f, uint64_t a);
bool rf_is_inf(enum rf_format f, uint64_t a);
bool rf_is_zero(enum rf_format f, uint64_t a);
bool rf_is_denormal(enum rf_format f, uint64_t a);
bool rf_sign(enum rf_format f, uint64_t a);
uint64_t rf_sign_bit(enum rf_format f);
uint64_t rf_nan(enum rf_format f);
uint64_t rf_inf(enum rf_format f);
/* The exponent field. */
int rf_exponent(enum rf_format f, uint64_t a);
uint64_t rf_canonical(enum rf_format f, uint64_t a);
uint64_t rf_flush(enum rf_format f, uint64_t a);
/* False with a NaN. */
bool rf_less(enum rf_format f, uint64_t a, uint64_t b);
bool rf_equal(enum rf_format f, uint64_t a, uint64_t b);
/* Mantissa in +-[1/2, 1) and exponent of a = m 2^e; zero, infinity and NaN: themselves and 0. */
uint64_t rf_mantissa(enum rf_format f, uint64_t a);
int rf_frexp(enum rf_format f, uint64_t a);

#endif
