/* The state file of gcnrun: one statement a line.  See docs/man/gcnrun.1. */
#include "tools/gcnrun.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/memory.h"
#include "isa/resource.h"
#include "isa/surface.h"

/* Where the reader is.  After the first error nothing more is read. */
struct reader {
	struct run_state *s;
	const char *file, *p;
	unsigned line;
	bool failed;
};

__attribute__((format(printf, 2, 3)))
static bool fail(struct reader *r, const char *format, ...)
{
	va_list args;
	if (r->failed)
		return false;
	r->failed = true;
	fprintf(stderr, "%s:%u: ", r->file, r->line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "; found \"%.*s\"\n", (int)strcspn(r->p, "\n"), r->p);
	return false;
}

/* --- words --- */

static void skip(struct reader *r)
{
	while (*r->p == ' ' || *r->p == '\t' || *r->p == ',' || *r->p == '\r')
		r->p++;
}
static bool at_end(struct reader *r)
{
	skip(r);
	return !*r->p || *r->p == '\n' || *r->p == '#';
}
static bool accept(struct reader *r, const char *word)
{
	size_t n = strlen(word);
	skip(r);
	if (strncmp(r->p, word, n) || (isalnum((unsigned char)word[n - 1]) && (isalnum((unsigned char)r->p[n]) || r->p[n] == '_')))
		return false;
	r->p += n;
	return true;
}
static bool expect(struct reader *r, const char *word)
{
	return accept(r, word) || fail(r, "\"%s\" is expected", word);
}
static size_t name(struct reader *r, const char **start)
{
	size_t n = 0;
	skip(r);
	*start = r->p;
	while (isalnum((unsigned char)r->p[n]) || r->p[n] == '_')
		n++;
	r->p += n;
	return n;
}
static uint64_t number(struct reader *r)
{
	char *end;
	skip(r);
	uint64_t x = strtoull(r->p, &end, 0);
	if (end == r->p)
		fail(r, "a number is expected");
	r->p = end;
	return x;
}
/* A value of 32 bits, or of 64 (*wide): an integer, a float (with a point or an
 * exponent), or &NAME+OFFSET, the address of a block. */
static uint64_t value(struct reader *r, bool *wide)
{
	char *end;
	*wide = false;
	if (accept(r, "&")) {
		const char *start;
		size_t n = name(r, &start);
		struct run_block *b = run_state_find(r->s, start, n);
		*wide = true;
		if (!b || !b->mem) {
			r->p = start;
			fail(r, "there is no block of that name");
			return 0;
		}
		return (uintptr_t)b->mem + (accept(r, "+") ? number(r) : 0);
	}
	skip(r);
	size_t n = strcspn(r->p, " \t,\n\r#");
	bool hex = memchr(r->p, 'x', n) || memchr(r->p, 'X', n);
	if (!hex && (memchr(r->p, '.', n) || memchr(r->p, 'e', n) || memchr(r->p, 'n', n))) {
		float f = strtof(r->p, &end);
		uint32_t bits;
		memcpy(&bits, &f, 4);
		if (end == r->p)
			fail(r, "a value is expected");
		r->p = end;
		return bits;
	}
	int64_t x = *r->p == '-' ? strtoll(r->p, &end, 0) : (int64_t)strtoull(r->p, &end, 0);
	if (end == r->p)
		fail(r, "a value is expected: a number, a float or &NAME");
	else if (x > 0xffffffffll || x < -0x80000000ll)
		fail(r, "the value does not fit into 32 bits");
	r->p = end;
	return (uint32_t)x;
}

/* [N], [N..M] or nothing: all. */
static bool range(struct reader *r, uint64_t *first, uint64_t *last)
{
	if (*r->p != '[')
		return false;
	r->p++;
	*first = *last = number(r);
	if (accept(r, ".."))
		*last = number(r);
	expect(r, "]");
	return true;
}

/* --- registers --- */

static const struct { const char *name; unsigned number; } special[] = {
	{ "flat_scratch", 102 }, { "xnack_mask", 104 }, { "vcc", 106 }, { "m0", 124 }, { "exec", 126 },
};
void run_sgpr_name(unsigned n, char *text, size_t size)
{
	snprintf(text, size, "s%u", n);
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (n == 124 ? special[i].number == n : special[i].number == (n & ~1u))
			snprintf(text, size, "%s%s", special[i].name, n == 124 ? "" : n & 1 ? "_hi" : "_lo");
	if (n >= 108 && n < 124)
		snprintf(text, size, "ttmp%u", n - 108);
}

static void set_resource(struct reader *r, unsigned at);

/* Values from SGPR `at` on; 64-bit ones take two. */
static void set_scalars(struct reader *r, unsigned at)
{
	uint32_t *sgpr = r->s->wave->sgpr;
	if (accept(r, "V#") || accept(r, "T#") || accept(r, "S#")) {
		r->p -= 2;
		set_resource(r, at);
		return;
	}
	while (!at_end(r) && !r->failed) {
		bool wide;
		uint64_t x = value(r, &wide);
		/* EXEC, VCC and the like are one 64-bit number when there is one value. */
		if (at + wide >= 128) {
			fail(r, "that is no SGPR");
			return;
		}
		sgpr[at++] = (uint32_t)x;
		if (wide)
			sgpr[at++] = (uint32_t)(x >> 32);
	}
}
/* VALUE, .. one a lane from the first on, one for all, or lane * N + M. */
static void set_lanes(struct reader *r, uint32_t lanes[CU_LANES], uint64_t first, uint64_t last)
{
	bool wide;
	if (last >= CU_LANES || first > last) {
		fail(r, "lanes are 0 to 63");
		return;
	}
	if (accept(r, "lane")) {
		uint32_t times = accept(r, "*") ? (uint32_t)value(r, &wide) : 1;
		uint32_t plus = accept(r, "+") ? (uint32_t)value(r, &wide) : 0;
		for (uint64_t l = first; l <= last; l++)
			lanes[l] = (uint32_t)l * times + plus;
		return;
	}
	uint32_t x = 0;
	uint64_t l = first;
	bool one = true;
	for (; l <= last && !at_end(r) && !r->failed; l++) {
		x = (uint32_t)value(r, &wide);
		if (wide)
			fail(r, "an address takes two VGPRs: name its halves with .lo and .hi of an SGPR");
		lanes[l] = x;
		one = l == first;
	}
	for (; one && l <= last; l++)
		lanes[l] = x;
}
/* "s4", "v7", "vcc" ..; false when it is no register. */
static bool set_register(struct reader *r)
{
	const char *start = r->p;
	uint64_t first = 0, last = CU_LANES - 1;
	struct cu_wave *w = r->s->wave;
	if ((*r->p == 's' || *r->p == 'v') && isdigit((unsigned char)r->p[1])) {
		bool vector = *r->p++ == 'v';
		uint64_t n = number(r);
		if (vector)
			range(r, &first, &last);
		if (!accept(r, "=")) {
			r->p = start;
			return false;
		}
		if (n >= (vector ? 256 : 104))
			fail(r, "there is no such register");
		else if (vector)
			set_lanes(r, w->vgpr[n], first, last);
		else
			set_scalars(r, (unsigned)n);
		return true;
	}
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		if (!accept(r, special[i].name))
			continue;
		expect(r, "=");
		skip(r);
		if (*r->p == '&' || special[i].number == 124) {
			set_scalars(r, special[i].number);
		} else {
			uint64_t x = number(r);
			memcpy(&w->sgpr[special[i].number], &x, 8);
		}
		return true;
	}
	if (accept(r, "scc")) {
		expect(r, "=");
		w->scc = number(r) != 0;
		return true;
	}
	if (accept(r, "mode")) {
		expect(r, "=");
		w->mode = (uint32_t)number(r);
		return true;
	}
	return false;
}

/* --- blocks --- */

struct run_block *run_state_find(struct run_state *s, const char *text, size_t length)
{
	for (unsigned i = 0; i < s->blocks; i++)
		if (strlen(s->block[i].name) == length && !memcmp(s->block[i].name, text, length))
			return &s->block[i];
	return NULL;
}
static struct run_block *add_block(struct reader *r, const char *text, size_t length)
{
	struct run_state *s = r->s;
	if (!length || length >= sizeof(s->block[0].name) || s->blocks == RUN_MAX_BLOCKS || run_state_find(s, text, length)) {
		fail(r, "a new name is expected, of at most 31 letters; there can be 64");
		return NULL;
	}
	struct run_block *b = &s->block[s->blocks];
	memset(b, 0, sizeof(*b));
	memcpy(b->name, text, length);
	return b;
}
static bool take_memory(struct reader *r, struct run_block *b, uint64_t bytes, bool addressable)
{
	if (!bytes || bytes > 1u << 30)
		return fail(r, "1 byte to 1 GiB");
	b->bytes = (size_t)bytes;
	b->mem = aligned_alloc(4096, (b->bytes + 4095) & ~(size_t)4095);
	if (!b->mem)
		return fail(r, "there is no memory for that");
	memset(b->mem, 0, (b->bytes + 4095) & ~(size_t)4095);
	r->s->blocks++;
	if (addressable && !cu_memory_add(r->s->memory, b->mem, (b->bytes + 15) & ~(size_t)15))
		return fail(r, "there is no memory for that");
	return true;
}
/* lds, gds BYTES; scratch BYTES (of a lane); buffer NAME BYTES. */
static bool add_memory(struct reader *r)
{
	static const char *const kinds[] = { "lds", "gds", "scratch", "buffer" };
	struct cu_wave *w = r->s->wave;
	const char *line = r->p;
	for (unsigned k = 0; k < 4; k++) {
		const char *start = kinds[k];
		size_t n = strlen(start);
		if (!accept(r, kinds[k]))
			continue;
		skip(r);
		if (k < 3 && !isdigit((unsigned char)*r->p)) {
			r->p = line; /* lds.u32[..] = */
			return false;
		}
		if (k == 3)
			n = name(r, &start);
		struct run_block *b = add_block(r, start, n);
		uint64_t bytes = number(r);
		if (k == 2)
			bytes = (bytes + 3) / 4 * 256;
		if (r->failed || (k < 2 && bytes > CU_LDS_BYTES && !fail(r, "at most 65536 bytes")) ||
		    !take_memory(r, b, bytes, k == 3))
			return true;
		if (k == 0)
			w->lds = b->mem, w->lds_bytes = (uint32_t)b->bytes;
		if (k == 1)
			w->gds = b->mem, w->gds_bytes = (uint32_t)b->bytes;
		if (k == 2) {
			uint64_t a = (uintptr_t)b->mem;
			w->scratch = b->mem, w->scratch_bytes = (uint32_t)b->bytes;
			memcpy(&w->sgpr[102], &a, 8);
		}
		return true;
	}
	return false;
}

/* --- names of formats and the like --- */

struct word { const char *name; unsigned value; };
#define WORD(x) { #x, DFMT_##x }
static const struct word dfmts[] = { WORD(8), WORD(16), WORD(8_8), WORD(32), WORD(16_16), WORD(10_11_11), WORD(11_11_10),
	WORD(10_10_10_2), WORD(2_10_10_10), WORD(8_8_8_8), WORD(32_32), WORD(16_16_16_16), WORD(32_32_32),
	WORD(32_32_32_32), WORD(5_6_5), WORD(1_5_5_5), WORD(5_5_5_1), WORD(4_4_4_4), WORD(8_24), WORD(24_8),
	WORD(5_9_9_9), { NULL, 0 } };
static const struct word nfmts[] = { { "unorm", 0 }, { "snorm", 1 }, { "uscaled", 2 }, { "sscaled", 3 }, { "uint", 4 },
	{ "sint", 5 }, { "snorm_ogl", 6 }, { "float", 7 }, { "srgb", 9 }, { NULL, 0 } };
static const struct word types[] = { { "1d", T_TYPE_1D }, { "2d", T_TYPE_2D }, { "3d", T_TYPE_3D }, { "cube", T_TYPE_CUBE },
	{ "1d_array", T_TYPE_1D_ARRAY }, { "2d_array", T_TYPE_2D_ARRAY }, { NULL, 0 } };
static const struct word clamps[] = { { "wrap", 0 }, { "mirror", 1 }, { "edge", 2 }, { "mirror_once", 3 }, { "border", 6 },
	{ NULL, 0 } };
static const struct word filters[] = { { "point", 0 }, { "linear", 1 }, { NULL, 0 } };
static const struct word mips[] = { { "none", 0 }, { "point", 1 }, { "linear", 2 }, { NULL, 0 } };
static const struct word compares[] = { { "never", 0 }, { "less", 1 }, { "equal", 2 }, { "lequal", 3 }, { "greater", 4 },
	{ "notequal", 5 }, { "gequal", 6 }, { "always", 7 }, { NULL, 0 } };

static unsigned word(struct reader *r, const struct word *list)
{
	const char *start;
	size_t n = name(r, &start);
	for (const struct word *w = list; w->name; w++)
		if (strlen(w->name) == n && !memcmp(w->name, start, n))
			return w->value;
	r->p = start;
	fprintf(stderr, "gcnrun: there are");
	for (const struct word *w = list; w->name; w++)
		fprintf(stderr, " %s", w->name);
	fputc('\n', stderr);
	fail(r, "an unknown word");
	return 0;
}

/* image NAME TYPE WxH[xD] format=F num=N [levels=N] [tiled] */
static bool add_image(struct reader *r)
{
	const char *start;
	if (!accept(r, "image"))
		return false;
	size_t n = name(r, &start);
	struct run_block *b = add_block(r, start, n);
	if (!b)
		return true;
	b->image = true;
	b->type = word(r, types);
	b->width = (uint32_t)number(r);
	b->height = b->slices = b->levels = 1;
	b->dfmt = DFMT_32, b->nfmt = NFMT_UINT, b->tiling = TILING_LINEAR;
	if (*r->p == 'x')
		r->p++, b->height = (uint32_t)number(r);
	if (*r->p == 'x')
		r->p++, b->slices = (uint32_t)number(r);
	while (!at_end(r) && !r->failed) {
		if (accept(r, "format="))
			b->dfmt = word(r, dfmts);
		else if (accept(r, "num="))
			b->nfmt = word(r, nfmts);
		else if (accept(r, "levels="))
			b->levels = (uint32_t)number(r);
		else if (accept(r, "tiled"))
			b->tiling = TILING_4X4;
		else
			fail(r, "format=, num=, levels= or tiled is expected");
	}
	if (r->failed)
		return true;
	if (!b->width || !b->height || !b->slices || !b->levels || b->width > 16384 || b->height > 16384 || b->slices > 8192 ||
	    b->levels > 15 || !cu_format_valid(b->dfmt, b->nfmt)) {
		fail(r, "sizes are 1 to 16384, 8192 slices, 15 levels, and the format must exist");
		return true;
	}
	take_memory(r, b, surf_plane_bytes(b->tiling, surf_dfmt_bytes(b->dfmt), b->width, b->height, b->slices,
		b->type == T_TYPE_3D, b->levels), true);
	return true;
}

/* --- descriptors --- */

static struct run_block *block_named(struct reader *r, bool image)
{
	const char *start;
	size_t n = name(r, &start);
	struct run_block *b = run_state_find(r->s, start, n);
	if (b && b->image == image)
		return b;
	r->p = start;
	fail(r, image ? "the name of an image is expected" : "the name of a buffer is expected");
	return NULL;
}
/* sel=xyzw, of x y z w 0 1 */
static void read_select(struct reader *r, uint32_t *d)
{
	static const char letters[] = "01__xyzw";
	for (unsigned c = 0; c < 4; c++) {
		const char *at = *r->p && *r->p != '_' ? strchr(letters, *r->p) : NULL;
		if (!at) {
			fail(r, "four of x y z w 0 1 are expected");
			return;
		}
		ISA_SET(d, V_DST_SEL(c), (uint32_t)(at - letters));
		r->p++;
	}
}
static void buffer_resource(struct reader *r, uint32_t v[4])
{
	struct run_block *b = block_named(r, false);
	bool records = false;
	if (!b)
		return;
	uint64_t a = (uintptr_t)b->mem;
	memset(v, 0, 16);
	ISA_SET(v, V_DATA_FORMAT, DFMT_32);
	ISA_SET(v, V_NUM_FORMAT, NFMT_UINT);
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(v, V_DST_SEL(c), SEL_R + c);
	while (!at_end(r) && !r->failed) {
		if (accept(r, "offset="))
			a += number(r);
		else if (accept(r, "stride="))
			ISA_SET(v, V_STRIDE, (uint32_t)number(r));
		else if (accept(r, "records="))
			records = true, v[2] = (uint32_t)number(r);
		else if (accept(r, "format="))
			ISA_SET(v, V_DATA_FORMAT, word(r, dfmts));
		else if (accept(r, "num="))
			ISA_SET(v, V_NUM_FORMAT, word(r, nfmts));
		else if (accept(r, "sel="))
			read_select(r, v);
		else if (accept(r, "tid"))
			ISA_SET(v, V_TID_ENABLE, 1);
		else if (accept(r, "swizzle"))
			ISA_SET(v, V_SWIZZLE_EN, 1);
		else if (accept(r, "elem="))
			ISA_SET(v, V_ELEM_SIZE, (uint32_t)number(r));
		else if (accept(r, "index="))
			ISA_SET(v, V_INDEX_STRIDE, (uint32_t)number(r));
		else
			fail(r, "offset= stride= records= format= num= sel= tid swizzle elem= or index= is expected");
	}
	ISA_SET(v, V_BASE_LO, (uint32_t)a);
	ISA_SET(v, V_BASE_HI, (uint32_t)(a >> 32));
	if (!records)
		v[2] = (uint32_t)(ISA_GET(v, V_STRIDE) ? b->bytes / ISA_GET(v, V_STRIDE) : b->bytes);
}
static void image_resource(struct reader *r, uint32_t t[8])
{
	struct run_block *b = block_named(r, true);
	if (!b)
		return;
	uint64_t a = (uintptr_t)b->mem >> 8;
	memset(t, 0, 32);
	ISA_SET(t, T_BASE_LO, (uint32_t)a);
	ISA_SET(t, T_BASE_HI, (uint32_t)(a >> 32));
	ISA_SET(t, T_DATA_FORMAT, b->dfmt);
	ISA_SET(t, T_NUM_FORMAT, b->nfmt);
	ISA_SET(t, T_WIDTH, b->width - 1);
	ISA_SET(t, T_HEIGHT, b->height - 1);
	ISA_SET(t, T_DEPTH, b->slices - 1);
	ISA_SET(t, T_LAST_LEVEL, b->levels - 1);
	ISA_SET(t, T_TILING_INDEX, b->tiling);
	ISA_SET(t, T_TYPE, b->type);
	if (b->type != T_TYPE_3D)
		ISA_SET(t, T_LAST_ARRAY, b->slices - 1);
	for (unsigned c = 0; c < 4; c++)
		ISA_SET(t, T_DST_SEL(c), SEL_R + c);
	while (!at_end(r) && !r->failed) {
		if (accept(r, "sel="))
			read_select(r, t);
		else if (accept(r, "base_level="))
			ISA_SET(t, T_BASE_LEVEL, (uint32_t)number(r));
		else
			fail(r, "sel= or base_level= is expected");
	}
}
static void sampler_resource(struct reader *r, uint32_t s[4])
{
	memset(s, 0, 16);
	ISA_SET(s, S_MAX_LOD, 0xfff);
	while (!at_end(r) && !r->failed) {
		if (accept(r, "clamp=")) {
			unsigned c = word(r, clamps);
			ISA_SET(s, S_CLAMP_X, c);
			ISA_SET(s, S_CLAMP_Y, c);
			ISA_SET(s, S_CLAMP_Z, c);
		} else if (accept(r, "filter=")) {
			unsigned f = word(r, filters);
			ISA_SET(s, S_XY_MAG_FILTER, f);
			ISA_SET(s, S_XY_MIN_FILTER, f);
		} else if (accept(r, "mip=")) {
			ISA_SET(s, S_MIP_FILTER, word(r, mips));
		} else if (accept(r, "compare=")) {
			ISA_SET(s, S_DEPTH_COMPARE_FUNC, word(r, compares));
		} else if (accept(r, "unnormalized")) {
			ISA_SET(s, S_FORCE_UNNORMALIZED, 1);
		} else {
			fail(r, "clamp= filter= mip= compare= or unnormalized is expected");
		}
	}
}
static void set_resource(struct reader *r, unsigned at)
{
	uint32_t *d = &r->s->wave->sgpr[at];
	if (at > 96)
		fail(r, "a descriptor does not fit there");
	else if (accept(r, "V#"))
		buffer_resource(r, d);
	else if (accept(r, "T#"))
		image_resource(r, d);
	else if (accept(r, "S#"))
		sampler_resource(r, d);
}

/* --- contents --- */

/* NAME.TYPE[FIRST] = VALUE, ..: elements from FIRST on. */
static void set_elements(struct reader *r, struct run_block *b)
{
	static const struct word sizes[] = { { "u8", 1 }, { "i8", 1 }, { "u16", 2 }, { "i16", 2 }, { "u32", 4 }, { "i32", 4 },
		{ "f32", 4 }, { NULL, 0 } };
	uint64_t at = 0, last;
	unsigned size = word(r, sizes);
	range(r, &at, &last);
	expect(r, "=");
	for (; !at_end(r) && !r->failed; at++) {
		bool wide;
		uint64_t x = value(r, &wide);
		unsigned n = wide ? 8 : size;
		if (at > b->bytes || at * size + n > b->bytes)
			fail(r, "beyond the end of the block");
		else
			memcpy(b->mem + at * size, &x, n);
		at += wide && size == 4;
	}
}
/* NAME[X,Y,Z,LEVEL] = R, G, B, A: one texel, in its format. */
static void set_texel(struct reader *r, struct run_block *b)
{
	uint32_t c[4] = { 0 }, v[4] = { 0 };
	bool wide;
	for (unsigned i = 0; i < 4 && !accept(r, "]"); i++)
		c[i] = (uint32_t)number(r);
	if (r->p[-1] != ']')
		expect(r, "]");
	expect(r, "=");
	for (unsigned i = 0; i < 4 && !at_end(r); i++)
		v[i] = (uint32_t)value(r, &wide);
	if (r->failed)
		return;
	unsigned bpe = surf_dfmt_bytes(b->dfmt);
	struct surf_level l = surf_level_at(b->tiling, bpe, b->width, b->height, b->slices, b->type == T_TYPE_3D, c[3]);
	if (c[3] >= b->levels || c[0] >= l.width || c[1] >= l.height || c[2] >= l.slices) {
		fail(r, "that texel is outside the image");
		return;
	}
	cu_format_pack(b->dfmt, b->nfmt, v, b->mem + l.offset + c[2] * l.slice_stride +
		surf_x_part(b->tiling, bpe, c[0]) + surf_y_part(b->tiling, bpe, l.pitch, c[1]));
}
static void set_block(struct reader *r)
{
	const char *start;
	size_t n = name(r, &start);
	struct run_block *b = run_state_find(r->s, start, n);
	if (!b) {
		r->p = start;
		fail(r, "a register, a block, or one of buffer image lds gds scratch print is expected");
	} else if (*r->p == '.') {
		r->p++;
		set_elements(r, b);
	} else if (*r->p == '[' && b->image) {
		r->p++;
		set_texel(r, b);
	} else {
		fail(r, b->image ? ".TYPE or [X,Y,Z,LEVEL] is expected" : ".TYPE is expected");
	}
}

static void add_prints(struct reader *r)
{
	while (!at_end(r) && !r->failed) {
		size_t n = strcspn(r->p, " \t,\n\r#");
		if (r->s->prints == RUN_MAX_PRINTS || !(r->s->print[r->s->prints] = strndup(r->p, n)))
			fail(r, "too much to print");
		else
			r->s->prints++;
		r->p += n;
	}
}

bool run_state_init(struct run_state *s)
{
	memset(s, 0, sizeof(*s));
	s->wave = aligned_alloc(64, sizeof(*s->wave));
	s->exports = aligned_alloc(64, (sizeof(*s->exports) + 63) & ~(size_t)63);
	s->memory = cu_memory_create();
	if (!s->wave || !s->exports || !s->memory) {
		fputs("gcnrun: out of memory\n", stderr);
		return false;
	}
	memset(s->wave, 0, sizeof(*s->wave));
	memset(s->exports, 0, sizeof(*s->exports));
	cu_wave_init(s->wave, ~0ull, s->exports);
	s->wave->memory = s->memory;
	return true;
}
void run_state_finish(struct run_state *s)
{
	for (unsigned i = 0; i < s->blocks; i++)
		free(s->block[i].mem);
	for (unsigned i = 0; i < s->prints; i++)
		free(s->print[i]);
	cu_memory_destroy(s->memory);
	free(s->exports);
	free(s->wave);
}
bool run_state_read(struct run_state *s, const char *file, const char *text)
{
	struct reader r = { .s = s, .file = file, .p = text, .line = 1 };
	while (!r.failed && *r.p) {
		if (!at_end(&r)) {
			if (accept(&r, "print"))
				add_prints(&r);
			else if (!add_image(&r) && !add_memory(&r) && !set_register(&r))
				set_block(&r);
			if (!r.failed && !at_end(&r))
				fail(&r, "the line should end here");
		}
		r.p += strcspn(r.p, "\n");
		if (*r.p) {
			r.p++;
			r.line++;
		}
	}
	return !r.failed;
}
