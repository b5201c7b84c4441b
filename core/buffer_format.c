/* MUBUF and MTBUF with formats: a texel of the V#'s (MUBUF) or the
 * instruction's (MTBUF) format per lane.  MUBUF applies the V#'s DST_SEL. */
#include "core/journal.h"
#include "core/buffer.h"
#include "core/format_layout.h"
#include <string.h>

/* The texture unit's converters: dwords of the texels to channels, and back;
 * NULL for no such format. */
typedef void (*decode_fn)(const vi raw[4], vi out[4]);
typedef void (*encode_fn)(const vi in[4], vi raw[4]);
decode_fn CU_FN(cu_tex_decoder)(unsigned dfmt, unsigned nfmt);
encode_fn CU_FN(cu_tex_encoder)(unsigned dfmt, unsigned nfmt);

struct texel_format {
	unsigned dfmt, nfmt;
	unsigned bytes;
	uint32_t align; /* of an address: its component's size */
	uint8_t sel[4];
};

static uint32_t component_bytes(unsigned dfmt)
{
	switch (dfmt) {
	case DFMT_8: case DFMT_8_8: case DFMT_8_8_8_8:
		return 1;
	case DFMT_16: case DFMT_16_16: case DFMT_16_16_16_16:
	case DFMT_5_6_5: case DFMT_1_5_5_5: case DFMT_5_5_5_1: case DFMT_4_4_4_4:
		return 2;
	default:
		return 4;
	}
}
static void get_format(const struct gcn_inst *in, const uint32_t *v, struct texel_format *f)
{
	bool typed = in->fmt == GCN_MTBUF;
	f->dfmt = typed ? in->dfmt : ISA_GET(v, V_DATA_FORMAT);
	f->nfmt = typed ? in->nfmt : ISA_GET(v, V_NUM_FORMAT);
	for (unsigned c = 0; c < 4; c++)
		f->sel[c] = typed ? (uint8_t)(SEL_R + c) : (uint8_t)ISA_GET(v, V_DST_SEL(c));
	f->bytes = cu_format_layout(f->dfmt).bytes;
	f->align = component_bytes(f->dfmt);
}

/* Texels of LV lanes as dwords, in range ones only; others 0. */
struct texels { vi raw[4]; };

static void texels_far(const struct buf_address *a, const struct texel_format *f, int i,
	uint64_t live, struct texels *t)
{
	const uint32_t *o = (const uint32_t *)a->offset;
	memset(t, 0, sizeof(*t));
	for (int l = 0; l < LV; l++) {
		uint32_t dw[4] = { 0 };
		if (!(live >> (i * LV + l) & 1))
			continue;
		memcpy(dw, (const void *)((a->base + o[i * LV + l]) & ~(uintptr_t)(f->align - 1)), f->bytes);
		for (int c = 0; c < 4; c++)
			((uint32_t *)&t->raw[c])[l] = dw[c];
	}
}
static void texels_load(const struct buf_address *a, const struct texel_format *f, int i,
	uint64_t live, bool far, struct texels *t)
{
	vu offset = a->offset[i] & splat(~(f->align - 1));
	vm mask = lane_mask(live, i);
	if (far || f->bytes < 4) { /* a gather would read beyond a short texel */
		texels_far(a, f, i, live, t);
		return;
	}
	for (unsigned c = 0; c < f->bytes / 4; c++)
		t->raw[c] = I(gather((const char *)a->base + 4 * c, offset, mask));
}
static vi selected(const struct texel_format *f, unsigned c, const vi comps[4])
{
	if (f->sel[c] >= SEL_R)
		return comps[f->sel[c] - SEL_R];
	bool integer = f->nfmt == NFMT_UINT || f->nfmt == NFMT_SINT;
	return I(splat(f->sel[c] == SEL_1 ? (integer ? 1 : 0x3f800000) : 0));
}
static inline const struct cu_rec *load(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	struct buf_address a;
	struct texel_format f;
	uint64_t exec = cu_exec(w), live = 0, far;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	get_format(r->in, a.v, &f);
	decode_fn decode = CU_FN(cu_tex_decoder)(f.dfmt, f.nfmt);
	if (decode)
		live = buf_inside(&a, 0);
	LANE_BITS(far, i, m_sign(a.offset[i]));
	for (int i = 0; i < NV; i++) {
		struct texels t;
		vi comps[4];
		vm in = lane_mask(live, i), on = lane_mask(exec, i);
		if (decode) {
			texels_load(&a, &f, i, live, far & live, &t);
			decode(t.raw, comps);
			for (unsigned c = 0; c < 4; c++) /* out of range: the memory's components are zero */
				comps[c] = I(sel(in, U(comps[c]), splat(0)));
		}
		for (unsigned c = 0; c < n; c++) {
			vu *d = (vu *)cu_dst(w, r) + c * NV + i;
			vu x = decode ? U(selected(&f, c, comps)) : splat(0);
			*d = sel(on, x, *d);
		}
	}
	return r + 1;
}
/* A memory component gets the channel whose DST_SEL names it. */
static inline const struct cu_rec *store(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	struct buf_address a;
	struct texel_format f;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	get_format(r->in, a.v, &f);
	encode_fn encode = CU_FN(cu_tex_encoder)(f.dfmt, f.nfmt);
	uint64_t live = encode ? buf_inside(&a, 0) : 0;
	for (int i = 0; i < NV; i++) {
		vi comps[4], raw[4];
		if (!(live >> (i * LV) & ((1ull << LV) - 1)))
			continue;
		memset(comps, 0, sizeof(comps));
		for (unsigned c = 0; c < n; c++)
			if (f.sel[c] >= SEL_R)
				comps[f.sel[c] - SEL_R] = ((const vi *)cu_dst(w, r))[c * NV + i];
		encode(comps, raw);
		for (int l = 0; l < LV; l++) {
			uint32_t dw[4];
			if (!(live >> (i * LV + l) & 1))
				continue;
			for (int c = 0; c < 4; c++)
				dw[c] = ((const uint32_t *)&raw[c])[l];
			void *at = (void *)((a.base + ((const uint32_t *)a.offset)[i * LV + l])
				& ~(uintptr_t)(f.align - 1));
			cu_note_store(w, r->pc, at, f.bytes);
			memcpy(at, dw, f.bytes);
		}
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
