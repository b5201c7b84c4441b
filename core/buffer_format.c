/* MUBUF and MTBUF with formats: a texel of the V#'s (MUBUF) or the
 * instruction's (MTBUF) format per lane.  MUBUF applies the V#'s DST_SEL. */
#include "core/buffer.h"
#include "core/format.h"
#include <string.h>

struct texel_format {
	unsigned dfmt, nfmt;
	uint8_t sel[4];
	unsigned align; /* of an address: its component's size */
	unsigned dwords; /* components of 32 bits, kept as they are; 0: by conversion */
};

static unsigned component_bytes(unsigned dfmt)
{
	switch (dfmt) {
	case DFMT_8: case DFMT_8_8: case DFMT_8_8_8_8:
		return 1;
	case DFMT_16: case DFMT_16_16: case DFMT_16_16_16_16:
		return 2;
	default:
		return 4;
	}
}
static unsigned raw_dwords(unsigned dfmt, unsigned nfmt)
{
	if (nfmt != NFMT_UINT && nfmt != NFMT_SINT && nfmt != NFMT_FLOAT)
		return 0;
	return dfmt == DFMT_32 ? 1 : dfmt == DFMT_32_32 ? 2 : dfmt == DFMT_32_32_32 ? 3
		: dfmt == DFMT_32_32_32_32 ? 4 : 0;
}
/* False for a format that does not exist: reads 0, writes nothing. */
static bool get_format(const struct gcn_inst *in, const uint32_t *v, struct texel_format *f)
{
	bool typed = in->fmt == GCN_MTBUF;
	f->dfmt = typed ? in->dfmt : ISA_GET(v, V_DATA_FORMAT);
	f->nfmt = typed ? in->nfmt : ISA_GET(v, V_NUM_FORMAT);
	for (unsigned c = 0; c < 4; c++)
		f->sel[c] = typed ? (uint8_t)(SEL_R + c) : (uint8_t)ISA_GET(v, V_DST_SEL(c));
	f->align = component_bytes(f->dfmt);
	f->dwords = raw_dwords(f->dfmt, f->nfmt);
	return cu_format_valid(f->dfmt, f->nfmt);
}
static inline void *texel(const struct buf_address *a, const struct texel_format *f, int l)
{
	return (void *)((a->base + a->offset[l]) & ~(uintptr_t)(f->align - 1));
}
static uint32_t one_of(unsigned nfmt)
{
	return nfmt == NFMT_UINT || nfmt == NFMT_SINT ? 1 : 0x3f800000;
}

/* Memory components of 16 lanes. */
static void read16(const struct buf_address *a, const struct texel_format *f, int first,
	uint32_t mask, uint32_t out[4][16])
{
	const void *src[16];
	for (int i = 0; i < 16; i++)
		src[i] = texel(a, f, first + i);
	if (!f->dwords) {
		cu_format_unpack16(f->dfmt, f->nfmt, src, mask, out);
		return;
	}
	for (unsigned c = 0; c < 4; c++) {
		for (int i = 0; i < 16; i++) {
			if (!(mask >> i & 1))
				continue;
			if (c < f->dwords)
				out[c][i] = ((const uint32_t *)src[i])[c];
			else
				out[c][i] = c == 3 ? one_of(f->nfmt) : 0;
		}
	}
}
static const uint32_t *selected(const struct texel_format *f, unsigned c, uint32_t comps[4][16],
	const uint32_t constant[2][16])
{
	return f->sel[c] >= SEL_R ? comps[f->sel[c] - SEL_R] : constant[f->sel[c] & 1];
}
static const struct cu_rec *load(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	struct buf_address a;
	struct texel_format f;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	uint64_t exec = cu_exec(w), live = get_format(r->in, a.v, &f) ? buf_live(w, &a) : 0;
	uint32_t *d = cu_dst(w, r), constant[2][16] = { { 0 } };
	for (int i = 0; i < 16; i++)
		constant[1][i] = one_of(f.nfmt);
	for (int first = 0; first < 64; first += 16) {
		uint32_t on = (uint32_t)(exec >> first) & 0xffff, in = (uint32_t)(live >> first) & 0xffff;
		uint32_t comps[4][16] = { { 0 } };
		if (!on)
			continue;
		if (in)
			read16(&a, &f, first, in, comps);
		for (unsigned c = 0; c < n; c++) {
			const uint32_t *s = selected(&f, c, comps, constant);
			for (int i = 0; i < 16; i++)
				if (on >> i & 1)
					d[64 * c + first + i] = in >> i & 1 ? s[i] : 0;
		}
	}
	return r + 1;
}
/* A memory component gets the channel whose DST_SEL names it. */
static const struct cu_rec *store(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	struct buf_address a;
	struct texel_format f;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	if (!get_format(r->in, a.v, &f))
		return r + 1;
	const uint32_t *d = cu_dst(w, r);
	for (uint64_t live = buf_live(w, &a); live; live &= live - 1) {
		int l = __builtin_ctzll(live);
		uint32_t comps[4] = { 0 };
		for (unsigned c = 0; c < n; c++)
			if (f.sel[c] >= SEL_R)
				comps[f.sel[c] - SEL_R] = d[64 * c + l];
		if (f.dwords)
			memcpy(texel(&a, &f, l), comps, 4 * f.dwords);
		else
			cu_format_pack(f.dfmt, f.nfmt, comps, texel(&a, &f, l));
	}
	return r + 1;
}

#define FORMAT_OP(NAME, CALL) \
	CU_HANDLER(h_##NAME) \
	{ \
		return CALL; \
	} \
	CU_DIRECT(NAME)
#define FORMAT_OPS(SUFFIX, N) \
	FORMAT_OP(BUFFER_LOAD_FORMAT_##SUFFIX, load(w, r, N)); \
	FORMAT_OP(BUFFER_STORE_FORMAT_##SUFFIX, store(w, r, N)); \
	FORMAT_OP(TBUFFER_LOAD_FORMAT_##SUFFIX, load(w, r, N)); \
	FORMAT_OP(TBUFFER_STORE_FORMAT_##SUFFIX, store(w, r, N))
FORMAT_OPS(X, 1);
FORMAT_OPS(XY, 2);
FORMAT_OPS(XYZ, 3);
FORMAT_OPS(XYZW, 4);
