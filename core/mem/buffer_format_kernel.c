/* SPDX-License-Identifier: MIT */
/* MUBUF and MTBUF with formats: a texel of the V#'s (MUBUF) or the
 * instruction's (MTBUF) format per lane.  MUBUF applies the V#'s DST_SEL.
 *
 * D16: two channels a VGPR, half floats or 16-bit integers; a channel that
 * does not fit is rounded to nearest even, an integer one saturates.  An odd
 * last channel leaves the other half zero; HI_X uses the high half only and
 * keeps the low one.  On gfx8 (UNPACKED) each channel has a VGPR, its low
 * half. */
#include "core/format/format.h"
#include "core/format/format_layout.h"
#include "core/format/format_vec.h"
#include "core/interp/value.h"
#include "core/journal.h"
#include "core/mem/buffer.h"
#include <string.h>

struct texel_format {
	unsigned dfmt, nfmt;
	unsigned bytes;
	uint32_t align; /* of an address: its component's size */
	uint8_t sel[4];
};

static uint32_t component_bytes(unsigned dfmt)
{
	switch (dfmt) {
	case DFMT_8: case DFMT_8_8: case DFMT_8_8_8: case DFMT_8_8_8_8:
		return 1;
	case DFMT_16: case DFMT_16_16: case DFMT_16_16_16: case DFMT_16_16_16_16:
	case DFMT_5_6_5: case DFMT_1_5_5_5: case DFMT_5_5_5_1: case DFMT_4_4_4_4:
		return 2;
	default:
		return 4;
	}
}
static void get_format(const struct gcn_inst *in, const uint32_t *v, struct texel_format *f)
{
	bool typed = in->fmt == GCN_MTBUF;
	f->dfmt = typed ? in->dfmt : v_dfmt(v);
	f->nfmt = typed ? in->nfmt : ISA_GET(v, V_NUM_FORMAT);
	for (unsigned c = 0; c < 4; c++)
		f->sel[c] = typed ? (uint8_t)(SEL_R + c) : (uint8_t)ISA_GET(v, V_DST_SEL(c));
	f->bytes = cu_format_layout(f->dfmt).bytes;
	f->align = component_bytes(f->dfmt);
}

/* Texels of VL lanes as dwords, in range ones only; others 0. */
struct texels { vi raw[4]; };

static void texels_far(const struct buf_address *a, const struct texel_format *f, int i,
	uint64_t live, struct texels *t)
{
	const uint32_t *o = (const uint32_t *)a->offset;
	memset(t, 0, sizeof(*t));
	for (int l = 0; l < VL; l++) {
		uint32_t dw[4] = { 0 };
		if (!(live >> (i * VL + l) & 1))
			continue;
		memcpy(dw, (const void *)((a->base + o[i * VL + l]) & ~(uintptr_t)(f->align - 1)), f->bytes);
		for (int c = 0; c < 4; c++)
			((uint32_t *)&t->raw[c])[l] = dw[c];
	}
}
static void texels_load(const struct buf_address *a, const struct texel_format *f, int i,
	uint64_t live, bool far, struct texels *t)
{
	vu offset = a->offset[i] & v_setu(~(f->align - 1));
	vm mask = m_part(live, i);
	if (far || f->bytes < 4) { /* a gather would read beyond a short texel */
		texels_far(a, f, i, live, t);
		return;
	}
	for (unsigned c = 0; c < f->bytes / 4; c++)
		t->raw[c] = (vi)m_gather((const char *)a->base + 4 * c, offset, mask);
	if (f->bytes == 6) /* from within the texel */
		t->raw[1] = (vi)((vu)m_gather((const char *)a->base + 2, offset, mask) >> 16);
}
/* Pairs that only buffers know, texel by texel. */
static void decode_rare(const struct texel_format *f, const vi raw[4], vi comps[4])
{
	for (int l = 0; l < VL; l++) {
		uint32_t dw[4], out[4];
		for (int c = 0; c < 4; c++)
			dw[c] = ((const uint32_t *)&raw[c])[l];
		cu_format_unpack_buffer(f->dfmt, f->nfmt, dw, out);
		for (int c = 0; c < 4; c++)
			((uint32_t *)&comps[c])[l] = out[c];
	}
}
static void encode_rare(const struct texel_format *f, const vi comps[4], vi raw[4])
{
	memset(raw, 0, 4 * sizeof(raw[0]));
	for (int l = 0; l < VL; l++) {
		uint32_t in[4], dw[4] = { 0 };
		for (int c = 0; c < 4; c++)
			in[c] = ((const uint32_t *)&comps[c])[l];
		cu_format_pack_buffer(f->dfmt, f->nfmt, in, dw);
		for (int c = 0; c < 4; c++)
			((uint32_t *)&raw[c])[l] = dw[c];
	}
}
static vi selected(const struct texel_format *f, unsigned c, const vi comps[4])
{
	if (f->sel[c] >= SEL_R)
		return comps[f->sel[c] - SEL_R];
	return (vi)v_setu(f->sel[c] == SEL_1 ? (f->nfmt == NFMT_UINT || f->nfmt == NFMT_SINT ? 1 : 0x3f800000) : 0);
}
static inline bool is_integer(const struct texel_format *f)
{
	return f->nfmt == NFMT_UINT || f->nfmt == NFMT_SINT;
}
/* A channel in 16 bits, and back. */
static inline vu narrowed(const struct texel_format *f, vu x)
{
	if (f->nfmt == NFMT_UINT)
		return v_minu(x, v_setu(0xffff));
	if (f->nfmt == NFMT_SINT)
		return min_i(max_i(x, v_setu(0xffff8000)), v_setu(0x7fff)) & v_setu(0xffff);
	return f2h_raw((vf)x);
}
static inline vu widened(const struct texel_format *f, vu h)
{
	if (f->nfmt == NFMT_SINT)
		return (vu)((vi)(h << 16) >> 16);
	return is_integer(f) ? h & v_setu(0xffff) : (vu)h2f(h & v_setu(0xffff));
}
enum packing { WORDS, HALVES, HIGH, LOOSE };
/* Channel c of vector i into its place in the data VGPRs, and out of it. */
static inline void put_channel(struct cu_wave *w, const struct cu_rec *r, const struct texel_format *f,
	enum packing p, unsigned c, int i, vm on, vu x)
{
	vu *d = (vu *)cu_dst(w, r) + (p == WORDS || p == LOOSE ? c : c / 2) * NV + i;
	if (p != WORDS)
		x = narrowed(f, x);
	if (p == HIGH)
		x = (x << 16) | (*d & v_setu(0xffff));
	else if (p == HALVES && c & 1)
		x = (x << 16) | *d;
	*d = m_sel(on, x, *d);
}
static inline vu get_channel(struct cu_wave *w, const struct cu_rec *r, const struct texel_format *f,
	enum packing p, unsigned c, int i)
{
	vu x = ((const vu *)cu_dst(w, r))[(p == WORDS || p == LOOSE ? c : c / 2) * NV + i];
	if (p == WORDS)
		return x;
	return widened(f, p == HIGH || (p == HALVES && c & 1) ? x >> 16 : x);
}
/* --- waves whose lanes are in range --- */

V_INLINE void texels_at(unsigned bytes, uintptr_t base, const int32_t at[VL], vi raw[4])
{
	if (bytes > 4)
		v_load_rows_at(bytes, (const void *)base, at, raw);
	else
		raw[0] = bytes == 4 ? v_load_at((const void *)base, at) : v_load_narrow_at(bytes, (const void *)base, at);
}

/* A kind of texel: of how many bytes, and whether its dwords are the components. */
struct texel_kind { unsigned bytes; bool dwords; };

V_INLINE void load_strip(struct texel_kind k, const struct texel_format *f, tex_decode_fn decode, uintptr_t base,
	const int32_t at[VL], vi comps[4])
{
	vi raw[4];
	texels_at(k.bytes, base, at, raw);
	if (!k.dwords) {
		decode(raw, comps);
		return;
	}
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		comps[c] = c < k.bytes / 4 ? raw[c] : v_set(c < 3 ? 0 : is_integer(f) ? 1 : 0x3f800000);
}

/* n channels into the VGPRs from d on.  Lanes beyond the range read 0, and what is off stays: both load what a live lane does. */
V_INLINE void load_rows(struct texel_kind k, const struct buf_address *a, const struct texel_format *f, tex_decode_fn decode,
	uint64_t live, uint64_t exec, unsigned n, vu *d)
{
	alignas(64) int32_t at[CU_LANES];
	const vu align = v_setu(~(f->align - 1)), other = v_setu(((const uint32_t *)a->offset)[__builtin_ctzll(live)]);
	bool plain = live == ~0ull;
	for (unsigned c = 0; c < n; c++)
		plain &= f->sel[c] == SEL_R + c;
	for (int i = 0; i < NV; i++)
		v_store(&at[i * VL], (vi)(m_sel(m_part(live, i), a->offset[i], other) & align));
	for (int i = 0; i < NV && plain; i++) {
		vi comps[4];
		load_strip(k, f, decode, a->base, &at[i * VL], comps);
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			if (c < n)
				d[c * NV + i] = (vu)comps[c];
	}
	for (int i = 0; i < NV && !plain; i++) {
		const vm in = m_part(live, i), on = m_part(exec, i);
		vi comps[4];
		load_strip(k, f, decode, a->base, &at[i * VL], comps);
		for (unsigned c = 0; c < n; c++) {
			const vu x = (vu)selected(f, c, comps);
			d[c * NV + i] = m_sel(on, f->sel[c] >= SEL_R ? m_sel(in, x, v_setu(0)) : x, d[c * NV + i]);
		}
	}
}

/* The same where all lanes are on and in range, and channels are their components, or constants. */
V_INLINE void load_records(struct texel_kind k, uintptr_t base, const int32_t at[CU_LANES], const struct texel_format *f,
	tex_decode_fn decode, unsigned n, vu *d)
{
	const vi none[4] = { { 0 } };
	for (int i = 0; i < NV; i++) {
		vi comps[4];
		load_strip(k, f, decode, base, &at[i * VL], comps);
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			if (c < n && f->sel[c] >= SEL_R)
				d[c * NV + i] = (vu)comps[c];
	}
	for (unsigned c = 0; c < n; c++)
		for (int i = 0; i < NV && f->sel[c] < SEL_R; i++)
			d[c * NV + i] = (vu)selected(f, c, none);
}

/* Of 32 bits: channels are what is in memory. */
static inline bool is_of_bits(unsigned nfmt) { return nfmt == NFMT_FLOAT || nfmt == NFMT_UINT || nfmt == NFMT_SINT; }

static bool is_of_dwords(const struct texel_format *f)
{
	const bool words = f->dfmt == DFMT_32 || f->dfmt == DFMT_32_32 || f->dfmt == DFMT_32_32_32 || f->dfmt == DFMT_32_32_32_32;
	return words && is_of_bits(f->nfmt);
}

/* Calls body(kind, ...) for the format's kind; false: there is none. */
#define KIND(bytes, dwords, body, ...) \
	case (dwords) << 8 | (bytes): \
		body((struct texel_kind){ bytes, dwords }, __VA_ARGS__); \
		return true;
#define BY_KIND(f, body, ...) \
	do { \
		switch ((unsigned)is_of_dwords(f) << 8 | (f)->bytes) { \
		KIND(1, 0, body, __VA_ARGS__) KIND(2, 0, body, __VA_ARGS__) KIND(4, 0, body, __VA_ARGS__) KIND(8, 0, body, __VA_ARGS__) \
		KIND(12, 0, body, __VA_ARGS__) KIND(16, 0, body, __VA_ARGS__) KIND(4, 1, body, __VA_ARGS__) KIND(8, 1, body, __VA_ARGS__) \
		KIND(12, 1, body, __VA_ARGS__) KIND(16, 1, body, __VA_ARGS__) \
		} \
		return false; \
	} while (0)

/* False: no lane is in range, some are far, or there is no kernel. */
static bool load_near(const struct buf_address *a, const struct texel_format *f, tex_decode_fn decode, uint64_t live, uint64_t exec,
	unsigned n, vu *d)
{
	if (!live || !decode)
		return false;
	BY_KIND(f, load_rows, a, f, decode, live, exec, n, d);
}

static bool are_own_channels(const struct texel_format *f, unsigned n)
{
	for (unsigned c = 0; c < n; c++)
		if (f->sel[c] >= SEL_R && f->sel[c] != SEL_R + c)
			return false;
	return true;
}

/* Where the records of a whole wave are, found by their index alone and all there, whose texels of these bytes lie at multiples
 * of `align`: their base and offsets.  False: not these. */
V_INLINE bool find_records(struct cu_wave *w, const struct cu_rec *r, unsigned bytes, uint32_t align, uintptr_t *base,
	int32_t at[CU_LANES])
{
	const struct gcn_inst *in = r->in;
	const uint32_t *v = &w->sgpr[in->src[1]], stride = ISA_GET(v, V_STRIDE), records = ISA_GET(v, V_NUM_RECORDS);
	const uint64_t size = (uint64_t)records * stride, first = v_base(v) + cu_src32(w, r, 2);
	const vu *index = (const vu *)w->vgpr[in->src[0] & 255];
	vu most = v_setu(0);
	*base = first + (uint32_t)in->offset;
	if (!in->idxen || in->offen || in->addr64 || (uint32_t)in->offset >= stride || cu_exec(w) != ~0ull)
		return false;
	if (ISA_GET(v, V_TID_ENABLE) || ISA_GET(v, V_SWIZZLE_EN) || first & 3 || ((*base | stride) & (align - 1)) || size >> 31)
		return false;
	if (!cu_mapped(w, first, ((size + 3) & ~3ull) + (bytes > 4 ? bytes - 4 : 0)))
		return false;
	for (int i = 0; i < NV; i++) {
		most = v_maxu(most, index[i]);
		v_store(&at[i * VL], (vi)(index[i] * v_setu(stride)));
	}
	return records && !m_bits(u_gt(most, v_setu(records - 1)));
}

/* What most texels and vertices are.  False: not these. */
static bool load_by_index(struct cu_wave *w, const struct cu_rec *r, const struct texel_format *f, tex_decode_fn decode, unsigned n)
{
	alignas(64) int32_t at[CU_LANES];
	uintptr_t base;
	if (!decode || !are_own_channels(f, n) || !find_records(w, r, f->bytes, f->align, &base, at))
		return false;
	BY_KIND(f, load_records, base, at, f, decode, n, (vu *)cu_dst(w, r));
}

/* The same of formats that are n dwords, which are the channels: they are known by a look at the V#. */
V_INLINE bool load_as_dwords(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	static const uint8_t dfmt[5] = { 0, DFMT_32, DFMT_32_32, DFMT_32_32_32, DFMT_32_32_32_32 };
	const uint32_t *v = &w->sgpr[r->in->src[1]];
	alignas(64) int32_t at[CU_LANES];
	uintptr_t base;
	if (r->in->fmt != GCN_MUBUF || v_dfmt(v) != dfmt[n] || !is_of_bits(ISA_GET(v, V_NUM_FORMAT)))
		return false;
	V_UNROLL
	for (unsigned c = 0; c < n; c++)
		if (ISA_GET(v, V_DST_SEL(c)) != SEL_R + c)
			return false;
	if (!find_records(w, r, 4 * n, 4, &base, at))
		return false;
	vu *const d = (vu *)cu_dst(w, r);
	for (int i = 0; i < NV; i++) {
		vi raw[4];
		texels_at(4 * n, base, &at[i * VL], raw);
		V_UNROLL
		for (unsigned c = 0; c < n; c++)
			d[c * NV + i] = (vu)raw[c];
	}
	return true;
}
#undef BY_KIND
#undef KIND

static inline const struct cu_rec *load(struct cu_wave *w, const struct cu_rec *r, unsigned n,
	enum packing p)
{
	struct buf_address a;
	struct texel_format f;
	uint64_t exec = cu_exec(w), live = 0, far = 0;
	if (p == WORDS && load_as_dwords(w, r, n))
		return r + 1;
	get_format(r->in, &w->sgpr[r->in->src[1]], &f);
	tex_decode_fn decode = CU_FN(cu_tex_decoder)(f.dfmt, f.nfmt);
	bool valid = cu_format_in_buffers(f.dfmt) && (decode || cu_format_valid_buffer(f.dfmt, f.nfmt));
	if (valid && p == WORDS && load_by_index(w, r, &f, decode, n))
		return r + 1;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	if (valid)
		live = buf_inside_whole(&a, f.bytes);
	if (valid && !buf_mapped(w, &a, f.bytes, false))
		return CU_FN(cu_buf_unmapped)(w, r, &a, f.bytes, false);
	if (a.span >> 31)
		LANE_BITS(far, i, m_sign(a.offset[i]));
	if (valid && p == WORDS && !(far & live) && load_near(&a, &f, decode, live, exec, n, (vu *)cu_dst(w, r)))
		return r + 1;
	for (int i = 0; i < NV; i++) {
		struct texels t;
		vi comps[4];
		vm in = m_part(live, i), on = m_part(exec, i);
		if (valid) {
			if (!decode)
				memset(&t, 0, sizeof(t));
			texels_load(&a, &f, i, live, far & live, &t);
			if (decode)
				decode(t.raw, comps);
			else
				decode_rare(&f, t.raw, comps);
			for (unsigned c = 0; c < 4; c++) /* out of range: the memory's components are zero */
				comps[c] = (vi)m_sel(in, (vu)comps[c], v_setu(0));
		}
		for (unsigned c = 0; c < n; c++) {
			vu x = valid ? (vu)selected(&f, c, comps) : v_setu(0);
			put_channel(w, r, &f, p, c, i, on, x);
		}
	}
	return r + 1;
}
/* Texels of lanes i * VL + those of live. */
V_INLINE void store_sized(unsigned bytes, struct cu_wave *w, const struct cu_rec *r, const struct buf_address *a, uint32_t align,
	int i, uint32_t live, const vi raw[4])
{
	alignas(64) uint32_t texel[4 * VL]; /* of more than a dword, those of lanes 4 k + l from l * VL + 4 k on */
	if (bytes <= 4) {
		v_store(texel, raw[0]);
	} else {
		const v_int_reg component[4] = { (v_int_reg)raw[0], (v_int_reg)raw[1], (v_int_reg)raw[2], (v_int_reg)raw[3] };
		vi lines[4];
		v_transpose(component, lines);
		for (int k = 0; k < 4; k++)
			v_store(texel + k * VL, lines[k]);
	}
	for (; live; live &= live - 1) {
		const unsigned l = (unsigned)__builtin_ctz(live);
		uint8_t *at = (uint8_t *)((a->base + ((const uint32_t *)a->offset)[(unsigned)i * VL + l]) & ~(uintptr_t)(align - 1));
		cu_note_store(w, r->pc, at, bytes);
		memcpy(at, texel + (bytes <= 4 ? l : (l & 3) * VL + (l & ~3u)), bytes);
	}
}

static void store_texels(struct cu_wave *w, const struct cu_rec *r, const struct buf_address *a, const struct texel_format *f,
	int i, uint32_t live, const vi raw[4])
{
	switch (f->bytes) { /* so that the copies have constant sizes */
	case 1: store_sized(1, w, r, a, f->align, i, live, raw); break;
	case 2: store_sized(2, w, r, a, f->align, i, live, raw); break;
	case 4: store_sized(4, w, r, a, f->align, i, live, raw); break;
	case 8: store_sized(8, w, r, a, f->align, i, live, raw); break;
	case 12: store_sized(12, w, r, a, f->align, i, live, raw); break;
	case 16: store_sized(16, w, r, a, f->align, i, live, raw); break;
	default: store_sized(f->bytes, w, r, a, f->align, i, live, raw); break;
	}
}

/* A memory component gets the channel whose DST_SEL names it. */
static inline const struct cu_rec *store(struct cu_wave *w, const struct cu_rec *r, unsigned n,
	enum packing p)
{
	struct buf_address a;
	struct texel_format f;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	get_format(r->in, a.v, &f);
	tex_encode_fn encode = CU_FN(cu_tex_encoder)(f.dfmt, f.nfmt);
	bool valid = cu_format_in_buffers(f.dfmt) &&
		(encode || (cu_format_valid_buffer(f.dfmt, f.nfmt) && f.nfmt != NFMT_SNORM_OGL));
	uint64_t live = valid ? buf_inside_whole(&a, f.bytes) : 0;
	if (valid && !buf_mapped(w, &a, f.bytes, false))
		return CU_FN(cu_buf_unmapped)(w, r, &a, f.bytes, false);
	for (int i = 0; i < NV; i++) {
		vi comps[4], raw[4] = { { 0 } };
		if (!(live >> (i * VL) & ((1ull << VL) - 1)))
			continue;
		memset(comps, 0, sizeof(comps));
		for (unsigned c = 0; c < n; c++)
			if (f.sel[c] >= SEL_R)
				comps[f.sel[c] - SEL_R] = (vi)get_channel(w, r, &f, p, c, i);
		if (encode)
			encode(comps, raw);
		else
			encode_rare(&f, comps, raw);
		store_texels(w, r, &a, &f, i, (uint32_t)(live >> (i * VL)) & ((1u << VL) - 1), raw);
	}
	return r + 1;
}

#define FORMAT_OPS(SUFFIX, N, P) \
	CU_DIRECT_CALL(BUFFER_LOAD_FORMAT_##SUFFIX, load(w, r, N, P)); \
	CU_DIRECT_CALL(BUFFER_STORE_FORMAT_##SUFFIX, store(w, r, N, P))
#define TYPED_OPS(SUFFIX, N, P) \
	FORMAT_OPS(SUFFIX, N, P); \
	CU_DIRECT_CALL(TBUFFER_LOAD_FORMAT_##SUFFIX, load(w, r, N, P)); \
	CU_DIRECT_CALL(TBUFFER_STORE_FORMAT_##SUFFIX, store(w, r, N, P))
TYPED_OPS(XY, 2, WORDS);
TYPED_OPS(XYZ, 3, WORDS);
TYPED_OPS(XYZW, 4, WORDS);
TYPED_OPS(D16_X, 1, HALVES);
TYPED_OPS(D16_XY, 2, HALVES);
TYPED_OPS(D16_XYZ, 3, HALVES);
TYPED_OPS(D16_XYZW, 4, HALVES);
FORMAT_OPS(D16_HI_X, 1, HIGH);
TYPED_OPS(D16_XY_UNPACKED, 2, LOOSE);
TYPED_OPS(D16_XYZ_UNPACKED, 3, LOOSE);
TYPED_OPS(D16_XYZW_UNPACKED, 4, LOOSE);

/* The one load that may go to LDS. */
static const struct cu_rec *load_x(struct cu_wave *w, const struct cu_rec *r)
{
	vu kept[NV];
	uint32_t *d = cu_dst(w, r);
	if (!r->in->lds)
		return load(w, r, 1, WORDS);
	memcpy(kept, d, sizeof(kept));
	const struct cu_rec *next = load(w, r, 1, WORDS);
	if (next == r + 1) {
		CU_EACH(l, cu_exec(w)) {
			uint8_t *p = buf_lds(w, r, (unsigned)l);
			if (p)
				memcpy(p, &d[l], 4);
		}
	}
	memcpy(d, kept, sizeof(kept));
	return next;
}
CU_DIRECT_CALL(BUFFER_LOAD_FORMAT_X, load_x(w, r));
CU_DIRECT_CALL(BUFFER_STORE_FORMAT_X, store(w, r, 1, WORDS));
CU_DIRECT_CALL(TBUFFER_LOAD_FORMAT_X, load(w, r, 1, WORDS));
CU_DIRECT_CALL(TBUFFER_STORE_FORMAT_X, store(w, r, 1, WORDS));
