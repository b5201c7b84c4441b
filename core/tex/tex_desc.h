/* SPDX-License-Identifier: MIT */
/* Decoded descriptors and where a wave finds them. */
#ifndef CORE_TEX_TEX_DESC_H
#define CORE_TEX_TEX_DESC_H

#include "core/memory.h"
#include "core/tex/tex.h"
#include "core/tex_cache.h"

/* Of struct tex_desc's `how`: above the level, bits of the instruction; TABLE: the S# names a colour of the table. */
enum { TEX_HOW_LEVEL = 15, TEX_HOW_DA = 1 << 4, TEX_HOW_UNORM = 1 << 5, TEX_HOW_SAMPLER = 1 << 6, TEX_HOW_TABLE = 1 << 7 };

V_INLINE uint32_t tex_desc_how(const struct gcn_inst *in, const uint32_t *s)
{
	return CU_LEVEL | (in->da ? TEX_HOW_DA : 0) | (in->unorm ? TEX_HOW_UNORM : 0) | (s ? TEX_HOW_SAMPLER : 0);
}

V_INLINE __m128i tex_desc_sampler(const uint32_t *s)
{
	return s ? _mm_loadu_si128((const __m128i *)s) : _mm_setzero_si128();
}

/* By the image's address, the sampler, and how an instruction has them: one image is sampled and loaded from. */
V_INLINE unsigned tex_desc_hash(const uint32_t t[8], __m128i s, uint32_t how)
{
	const uint32_t kind = (how & ~(uint32_t)(TEX_HOW_LEVEL | TEX_HOW_TABLE)) << 16;
	return ((t[0] ^ t[2] ^ (uint32_t)_mm_cvtsi128_si32(s) ^ kind) * 0x9e3779b1u) >> (32 - CU_TEX_PLACE_BITS);
}

V_INLINE bool tex_desc_is(const struct tex_desc *d, const uint32_t t[8], __m128i s, uint32_t how)
{
	const __m256i image = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)d->t), _mm256_loadu_si256((const __m256i *)t));
	const __m128i sampler = _mm_xor_si128(_mm_loadu_si128((const __m128i *)d->s), s);
	return d->how == how && _mm256_testz_si256(image, image) && _mm_testz_si128(sampler, sampler);
}

/* What the descriptors of an instruction come to, s NULL without a sampler: from
 * the wave's cache, else decoded into *own. */
#define tex_desc_decode CU_FN(cu_tex_desc_decode)
struct tex_desc *tex_desc_decode(struct cu_wave *w, const struct gcn_inst *in, const uint32_t t[8], const uint32_t *s,
	struct tex_desc *own);

/* The same, quick where the cache has them. */
V_INLINE struct tex_desc *tex_desc_of(struct cu_wave *w, const struct gcn_inst *in, const uint32_t t[8], const uint32_t *s,
	struct tex_desc *own)
{
	if (__builtin_expect(w->tex && w->tex->set, 1)) {
		const __m128i sampler = tex_desc_sampler(s);
		const uint32_t how = tex_desc_how(in, s);
		struct tex_desc *d = w->tex->set->place[tex_desc_hash(t, sampler, how)];
		if (__builtin_expect(d && tex_desc_is(d, t, sampler, how), 1))
			return d; /* no colour of the table is in it, which may have changed */
	}
	return tex_desc_decode(w, in, t, s, own);
}

/* What stands for d, of blocks with a decoded plane, for an instruction that it was found for: itself or that of their texels.
 * idle: nothing is read by it now. */
#define tex_desc_decoded CU_FN(cu_tex_desc_decoded)
struct tex_desc *tex_desc_decoded(struct cu_wave *w, const struct gcn_inst *in, const uint32_t *s, struct tex_desc *d, bool idle,
	struct tex_desc *own);

/* tex_desc_mapped, where the wave does not remember the range. */
#define tex_desc_look_up CU_FN(cu_tex_desc_look_up)
bool tex_desc_look_up(struct cu_wave *w, struct tex_desc *d);

/* Whether the wave may access the image. */
V_INLINE bool tex_desc_mapped(struct cu_wave *w, struct tex_desc *d)
{
	const uint64_t base = (uintptr_t)d->image.base;
	return __builtin_expect(cu_span_holds(cu_span_of(w, base), base, d->image.bytes), 1) || tex_desc_look_up(w, d);
}

#endif
