/* SPDX-License-Identifier: MIT */
/* Blocks of ETC2 and EAC: 4x4 texels each, as the Khronos Data Format
 * specification 1.4 has them in its chapter "ETC2 Compressed Texture Image
 * Formats".  Every block is valid.
 *
 * `out` is row by row from the top left texel.  Bytes are R, G, B, A: codes of
 * UNORM, and of sRGB where the format has it. */
#ifndef CORE_FORMAT_ETC_H
#define CORE_FORMAT_ETC_H

#include <stdbool.h>
#include <stdint.h>

/* RGB; A is 255. */
void cu_etc2_rgb8(const uint8_t block[8], uint8_t out[16][4]);

/* RGB with "punchthrough" alpha: A is 255, or all four are 0. */
void cu_etc2_rgb8a1(const uint8_t block[8], uint8_t out[16][4]);

/* RGBA. */
void cu_etc2_rgba8(const uint8_t block[16], uint8_t out[16][4]);

/* R11: codes in [0, 2047], or in [-1023, 1023] if it is signed. */
void cu_eac_r11(const uint8_t block[8], bool is_signed, int16_t out[16]);

/* RG11: R in out[0], G in out[1]. */
void cu_eac_rg11(const uint8_t block[16], bool is_signed, int16_t out[2][16]);

/* Float bits of a code of R11: code / 2047, or code / 1023 if it is signed,
 * rounded to nearest. */
uint32_t cu_eac_float(int code, bool is_signed);

#endif
