/* SPDX-License-Identifier: MIT */
/* Kernels of core/format/format.h's block functions, and the texture unit's
 * converters, one set per format, all from format_vec.h. */
#include "core/format/format.h"
#include "core/format/format_vec.h"

/* VL contiguous texels of `bytes` to their dwords, and back. */
V_INLINE void load_texels(unsigned bytes, const uint8_t *p, vi raw[4])
{
	switch (bytes) {
	case 1: raw[0] = v_load_u8(p); break;
	case 2: raw[0] = v_load_u16(p); break;
	case 4: raw[0] = v_load(p); break;
	case 8: {
		vi a = v_load(p), b = v_load(p + 4 * VL);
		raw[0] = v_even(a, b);
		raw[1] = v_odd(a, b);
		break;
	}
	case 3: case 6: case 12: {
		uint32_t d[3][VL] = { { 0 } };
		for (unsigned i = 0; i < VL; i++)
			V_UNROLL
			for (unsigned at = 0; at < bytes; at += 4)
				memcpy(&d[at / 4][i], p + bytes * i + at, bytes - at < 4 ? bytes - at : 4);
		V_UNROLL
		for (unsigned c = 0; c < (bytes + 3) / 4; c++)
			raw[c] = v_load(d[c]);
		break;
	}
	default: {
		vi a = v_load(p), b = v_load(p + 4 * VL), c = v_load(p + 8 * VL), d = v_load(p + 12 * VL);
		vi even0 = v_even(a, b), even1 = v_even(c, d), odd0 = v_odd(a, b), odd1 = v_odd(c, d);
		raw[0] = v_even(even0, even1);
		raw[1] = v_even(odd0, odd1);
		raw[2] = v_odd(even0, even1);
		raw[3] = v_odd(odd0, odd1);
	}
	}
}

V_INLINE void store_texels(unsigned bytes, uint8_t *p, const vi raw[4])
{
	switch (bytes) {
	case 1: v_store_u8(p, raw[0]); break;
	case 2: v_store_u16(p, raw[0]); break;
	case 4: v_store(p, raw[0]); break;
	case 8:
		v_store(p, v_zip_low(raw[0], raw[1]));
		v_store(p + 4 * VL, v_zip_high(raw[0], raw[1]));
		break;
	case 3: case 6: case 12:
		for (unsigned i = 0; i < VL; i++)
			V_UNROLL
			for (unsigned at = 0; at < bytes; at += 4)
				memcpy(p + bytes * i + at, (const uint32_t *)&raw[at / 4] + i, bytes - at < 4 ? bytes - at : 4);
		break;
	default: {
		vi even0 = v_zip_low(raw[0], raw[2]), even1 = v_zip_high(raw[0], raw[2]);
		vi odd0 = v_zip_low(raw[1], raw[3]), odd1 = v_zip_high(raw[1], raw[3]);
		v_store(p, v_zip_low(even0, odd0));
		v_store(p + 4 * VL, v_zip_high(even0, odd0));
		v_store(p + 8 * VL, v_zip_low(even1, odd1));
		v_store(p + 12 * VL, v_zip_high(even1, odd1));
	}
	}
}

V_INLINE void unpack_block(unsigned dfmt, unsigned nfmt, const void *src, uint32_t out[4][16])
{
	unsigned bytes = cu_format_layout(dfmt).bytes;
	for (int i = 0; i < 16; i += VL) {
		vi raw[4], channel[4];
		load_texels(bytes, (const uint8_t *)src + i * bytes, raw);
		tex_unpack(dfmt, nfmt, raw, channel);
		V_UNROLL
		for (int c = 0; c < 4; c++)
			v_store(&out[c][i], channel[c]);
	}
}

V_INLINE void pack_block(unsigned dfmt, unsigned nfmt, const uint32_t in[4][16], void *dst)
{
	unsigned bytes = cu_format_layout(dfmt).bytes;
	for (int i = 0; i < 16; i += VL) {
		vi raw[4], channel[4];
		V_UNROLL
		for (int c = 0; c < 4; c++)
			channel[c] = v_load(&in[c][i]);
		tex_pack(dfmt, nfmt, channel, raw);
		store_texels(bytes, (uint8_t *)dst + i * bytes, raw);
	}
}

#define F(d, n) \
static void unpack_block_##d##_##n(const void *src, uint32_t out[4][16]) { unpack_block(DFMT_##d, NFMT_##n, src, out); } \
static void pack_block_##d##_##n(const uint32_t in[4][16], void *dst) { pack_block(DFMT_##d, NFMT_##n, in, dst); } \
static void decode_##d##_##n(const vi raw[4], vi out[4]) { tex_unpack(DFMT_##d, NFMT_##n, raw, out); } \
static void encode_##d##_##n(const vi in[4], vi raw[4]) { tex_pack(DFMT_##d, NFMT_##n, in, raw); }
ISA_FORMATS(F)
#undef F

/* One look-up function per kind: the case list is ISA_FORMATS. */
#define LOOKUP(type, name, prefix) \
type name(unsigned dfmt, unsigned nfmt) \
{ \
	if (nfmt > 15) \
		return NULL; \
	switch (CU_FORMAT_KEY(dfmt, nfmt)) { \
	ISA_FORMATS(prefix) \
	default: return NULL; \
	} \
}
#define F_UNPACK(d, n) case CU_FORMAT_KEY(DFMT_##d, NFMT_##n): return unpack_block_##d##_##n;
#define F_PACK(d, n) case CU_FORMAT_KEY(DFMT_##d, NFMT_##n): return pack_block_##d##_##n;
#define F_DECODE(d, n) case CU_FORMAT_KEY(DFMT_##d, NFMT_##n): return decode_##d##_##n;
#define F_ENCODE(d, n) case CU_FORMAT_KEY(DFMT_##d, NFMT_##n): return encode_##d##_##n;
LOOKUP(static cu_unpack_block_fn, find_unpack, F_UNPACK)
LOOKUP(static cu_pack_block_fn, find_pack, F_PACK)
LOOKUP(tex_decode_fn, CU_FN(cu_tex_decoder), F_DECODE)
LOOKUP(tex_encode_fn, CU_FN(cu_tex_encoder), F_ENCODE)

const struct cu_formats CU_FN(cu_formats) = { .unpack_block = find_unpack, .pack_block = find_pack };
