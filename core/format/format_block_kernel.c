/* SPDX-License-Identifier: MIT */
/* Kernels of core/format/format.h's block functions, and the texture unit's
 * converters, one set per format, all from format_vec.h and format_run.h. */
#include "core/format/format.h"
#include "core/format/format_run.h"

V_INLINE void unpack_block(unsigned dfmt, unsigned nfmt, const void *src, uint32_t out[4][16])
{
	const unsigned bytes = cu_format_layout(dfmt).bytes;
	for (unsigned i = 0; i < 16; i += VL) {
		vi channel[4];
		tex_read_run(dfmt, nfmt, (const uint8_t *)src + i * bytes, channel);
		V_UNROLL
		for (int c = 0; c < 4; c++)
			v_store(&out[c][i], channel[c]);
	}
}

V_INLINE void pack_block(unsigned dfmt, unsigned nfmt, const uint32_t in[4][16], void *dst)
{
	const unsigned bytes = cu_format_layout(dfmt).bytes;
	for (unsigned i = 0; i < 16; i += VL) {
		vi channel[4];
		V_UNROLL
		for (int c = 0; c < 4; c++)
			channel[c] = v_load(&in[c][i]);
		tex_write_run(dfmt, nfmt, channel, (uint8_t *)dst + i * bytes);
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
