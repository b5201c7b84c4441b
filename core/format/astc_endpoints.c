/* SPDX-License-Identifier: MIT */
/* "LDR Endpoint Decoding" */
#include "core/format/astc_block.h"

static void set(int end[4], int r, int g, int b, int a)
{
	end[0] = r;
	end[1] = g;
	end[2] = b;
	end[3] = a;
}

/* More precision for colours near grey. */
static void set_contracted(int end[4], int r, int g, int b, int a)
{
	set(end, (r + b) >> 1, (g + b) >> 1, b, a);
}

/* A base of 8 bits and an offset in [-32, 31], whose top bit is the base's. */
static void split_offset(const uint8_t v[2], int *base, int *offset)
{
	*base = v[0] >> 1 | (v[1] & 0x80);
	*offset = ((v[1] >> 1 & 0x3f) ^ 0x20) - 0x20;
}

static void clamp_end(int end[4])
{
	for (int i = 0; i < 4; i++)
		end[i] = astc_clamp(end[i], 0, 255);
}

/* Modes 8 and 12: both colours. */
static void decode_direct(const uint8_t *v, int a0, int a1, int end[2][4])
{
	if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
		set(end[0], v[0], v[2], v[4], a0);
		set(end[1], v[1], v[3], v[5], a1);
	} else {
		set_contracted(end[0], v[1], v[3], v[5], a1);
		set_contracted(end[1], v[0], v[2], v[4], a0);
	}
}

/* Modes 9 and 13: a colour and offsets of the channels to the other. */
static void decode_offset(const uint8_t *v, bool alpha, int end[2][4])
{
	int base[4] = { 0, 0, 0, 255 }, offset[4] = { 0 };
	for (int i = 0; i < (alpha ? 4 : 3); i++)
		split_offset(v + 2 * i, &base[i], &offset[i]);
	int other[4];
	for (int i = 0; i < 4; i++)
		other[i] = base[i] + offset[i];
	if (offset[0] + offset[1] + offset[2] >= 0) {
		set(end[0], base[0], base[1], base[2], base[3]);
		set(end[1], other[0], other[1], other[2], other[3]);
	} else {
		set_contracted(end[0], other[0], other[1], other[2], other[3]);
		set_contracted(end[1], base[0], base[1], base[2], base[3]);
	}
}

/* Modes 6 and 10: a colour and a factor. */
static void decode_scale(const uint8_t *v, int a0, int a1, int end[2][4])
{
	set(end[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, a0);
	set(end[1], v[0], v[1], v[2], a1);
}

/* Mode 1 */
static void decode_luminance_offset(const uint8_t *v, int end[2][4])
{
	int l0 = v[0] >> 2 | (v[1] & 0xc0), l1 = l0 + (v[1] & 0x3f);
	set(end[0], l0, l0, l0, 255);
	set(end[1], l1, l1, l1, 255);
}

/* Mode 5 */
static void decode_luminance_alpha_offset(const uint8_t *v, int end[2][4])
{
	int l, a, l_offset, a_offset;
	split_offset(v, &l, &l_offset);
	split_offset(v + 2, &a, &a_offset);
	set(end[0], l, l, l, a);
	set(end[1], l + l_offset, l + l_offset, l + l_offset, a + a_offset);
}

void astc_endpoints_decode(unsigned endpoint_mode, const uint8_t *v, struct astc_endpoints *out)
{
	out->hdr_rgb = out->hdr_alpha = false;
	switch (endpoint_mode) {
	case 0:
		set(out->end[0], v[0], v[0], v[0], 255);
		set(out->end[1], v[1], v[1], v[1], 255);
		break;
	case 1: decode_luminance_offset(v, out->end); break;
	case 4:
		set(out->end[0], v[0], v[0], v[0], v[2]);
		set(out->end[1], v[1], v[1], v[1], v[3]);
		break;
	case 5: decode_luminance_alpha_offset(v, out->end); break;
	case 6: decode_scale(v, 255, 255, out->end); break;
	case 8: decode_direct(v, 255, 255, out->end); break;
	case 9: decode_offset(v, false, out->end); break;
	case 10: decode_scale(v, v[4], v[5], out->end); break;
	case 12: decode_direct(v, v[6], v[7], out->end); break;
	case 13: decode_offset(v, true, out->end); break;
	default:
		astc_endpoints_decode_hdr(endpoint_mode, v, out);
		return;
	}
	clamp_end(out->end[0]);
	clamp_end(out->end[1]);
}
