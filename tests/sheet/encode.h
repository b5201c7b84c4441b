/* SPDX-License-Identifier: MIT */
/* Plain encoders of compressed blocks, for pictures: a line through the block's colours, or the best of few tables.
 * Texels are R, G, B, A bytes, row by row; a block is 8 or 16 bytes. */
#ifndef TESTS_SHEET_ENCODE_H
#define TESTS_SHEET_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

enum { ENCODE_TEXELS = 144 };

typedef void (*encode_fn)(const uint8_t (*texels)[4], uint8_t *block);

void encode_bc1_rgb(const uint8_t (*texels)[4], uint8_t *block);
void encode_bc1_rgba(const uint8_t (*texels)[4], uint8_t *block);
void encode_bc2(const uint8_t (*texels)[4], uint8_t *block);
void encode_bc3(const uint8_t (*texels)[4], uint8_t *block);
void encode_bc4(const uint8_t (*texels)[4], uint8_t *block);
void encode_bc4_signed(const uint8_t (*texels)[4], uint8_t *block);
void encode_bc5(const uint8_t (*texels)[4], uint8_t *block);
void encode_bc5_signed(const uint8_t (*texels)[4], uint8_t *block);
void encode_bc6(const uint8_t (*texels)[4], uint8_t *block);
void encode_bc6_signed(const uint8_t (*texels)[4], uint8_t *block);
void encode_bc7(const uint8_t (*texels)[4], uint8_t *block);

void encode_etc2_rgb(const uint8_t (*texels)[4], uint8_t *block);
void encode_etc2_rgba1(const uint8_t (*texels)[4], uint8_t *block);
void encode_etc2_rgba(const uint8_t (*texels)[4], uint8_t *block);
void encode_eac_r(const uint8_t (*texels)[4], uint8_t *block);
void encode_eac_r_signed(const uint8_t (*texels)[4], uint8_t *block);
void encode_eac_rg(const uint8_t (*texels)[4], uint8_t *block);
void encode_eac_rg_signed(const uint8_t (*texels)[4], uint8_t *block);

void encode_astc(const uint8_t (*texels)[4], unsigned width, unsigned height, uint8_t *block);

/* The ends of the line through n colours of `channels` channels; both within [0, limit]. */
void encode_line(const float (*colors)[4], unsigned n, unsigned channels, float limit, float ends[2][4]);

/* Of `count` colours the one next to c. */
unsigned encode_nearest(const float c[4], unsigned channels, const float (*palette)[4], unsigned count);

/* n bits of value from bit *at on, lowest first. */
void encode_put(uint8_t *block, unsigned *at, unsigned n, uint32_t value);

#endif
