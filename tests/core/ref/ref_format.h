/* SPDX-License-Identifier: MIT */
/* Buffer formats for tests, from the tables "available data formats" and
 * "available number formats" of the memory handling document (seed 004), with
 * nothing of core/. */
#ifndef TESTS_CORE_REF_FORMAT_H
#define TESTS_CORE_REF_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a texel; 0: no such format. */
unsigned ref_format_bytes(unsigned dfmt);
/* Bytes of a component, for the alignment of addresses; packed formats: of the texel. */
unsigned ref_format_align(unsigned dfmt);
bool ref_format_readable(unsigned dfmt, unsigned nfmt);
bool ref_format_writable(unsigned dfmt, unsigned nfmt);
/* Absent components are 0, 0, 0, 1. */
void ref_format_decode(unsigned dfmt, unsigned nfmt, const uint8_t *texel, uint32_t out[4]);
void ref_format_encode(unsigned dfmt, unsigned nfmt, const uint32_t in[4], uint8_t *texel);
float ref_half(uint32_t h);
uint32_t ref_to_half(float f);

#endif
