/* SPDX-License-Identifier: MIT */
/* The state file of gcnrun: one statement a line.  See docs/man/gcnrun.1. */
#include "tools/gcnrun_read.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/format.h"
#include "core/memory.h"
#include "isa/resource.h"

/* --- registers --- */

static const struct { const char *name; unsigned number; } special[] = {
	{ "flat_scratch", GCN_SRC_FLAT_SCRATCH }, { "xnack_mask", GCN_SRC_XNACK_MASK }, { "vcc", GCN_SRC_VCC },
	{ "m0", GCN_SRC_M0 }, { "exec", GCN_SRC_EXEC },
};
void run_sgpr_name(unsigned n, char *text, size_t size)
{
	snprintf(text, size, "s%u", n);
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (n == GCN_SRC_M0 ? special[i].number == n : special[i].number == (n & ~1u))
			snprintf(text, size, "%s%s", special[i].name, n == GCN_SRC_M0 ? "" : n & 1 ? "_hi" : "_lo");
	if (n >= GCN_SRC_TTMP0 && n < GCN_SRC_M0)
		snprintf(text, size, "ttmp%u", n - GCN_SRC_TTMP0);
}

/* Values from SGPR `at` on; 64-bit ones take two. */
static void set_scalars(struct run_reader *r, unsigned at)
{
	uint32_t *sgpr = r->s->wave->sgpr;
	if (run_set_resource(r, at))
		return;
	while (!run_at_end(r) && !r->failed) {
		bool wide;
		uint64_t x = run_value(r, &wide);
		/* EXEC, VCC and the like are one 64-bit number when there is one value. */
		if (at + wide >= 128) {
			run_fail(r, "that is no SGPR");
			return;
		}
		sgpr[at++] = (uint32_t)x;
		if (wide)
			sgpr[at++] = (uint32_t)(x >> 32);
	}
}
/* VALUE, .. one a lane from the first on, one for all, or lane * N + M. */
static void set_lanes(struct run_reader *r, uint32_t lanes[CU_LANES], uint64_t first, uint64_t last)
{
	bool wide;
	if (last >= CU_LANES || first > last) {
		run_fail(r, "lanes are 0 to 63");
		return;
	}
	if (run_accept(r, "lane")) {
		uint32_t times = run_accept(r, "*") ? (uint32_t)run_value(r, &wide) : 1;
		uint32_t plus = run_accept(r, "+") ? (uint32_t)run_value(r, &wide) : 0;
		for (uint64_t l = first; l <= last; l++)
			lanes[l] = (uint32_t)l * times + plus;
		return;
	}
	uint32_t x = 0;
	uint64_t l = first;
	bool one = true;
	for (; l <= last && !run_at_end(r) && !r->failed; l++) {
		x = (uint32_t)run_value(r, &wide);
		if (wide)
			run_fail(r, "an address takes two VGPRs: name its halves with .lo and .hi of an SGPR");
		lanes[l] = x;
		one = l == first;
	}
	for (; one && l <= last; l++)
		lanes[l] = x;
}
/* "s4", "v7", "vcc" ..; false when it is no register. */
static bool set_register(struct run_reader *r)
{
	const char *start = r->p;
	uint64_t first = 0, last = CU_LANES - 1;
	struct cu_wave *w = r->s->wave;
	if ((*r->p == 's' || *r->p == 'v') && isdigit((unsigned char)r->p[1])) {
		bool vector = *r->p++ == 'v';
		uint64_t n = run_number(r);
		if (vector)
			run_range(r, &first, &last);
		if (!run_accept(r, "=")) {
			r->p = start;
			return false;
		}
		if (n >= (vector ? 256 : 104))
			run_fail(r, "there is no such register");
		else if (vector)
			set_lanes(r, w->vgpr[n], first, last);
		else
			set_scalars(r, (unsigned)n);
		return true;
	}
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		if (!run_accept(r, special[i].name))
			continue;
		run_expect(r, "=");
		run_skip(r);
		if (*r->p == '&' || special[i].number == GCN_SRC_M0) {
			set_scalars(r, special[i].number);
		} else {
			uint64_t x = run_number(r);
			memcpy(&w->sgpr[special[i].number], &x, 8);
		}
		return true;
	}
	if (run_accept(r, "scc")) {
		run_expect(r, "=");
		w->scc = run_number(r) != 0;
		return true;
	}
	if (run_accept(r, "mode")) {
		run_expect(r, "=");
		w->mode = (uint32_t)run_number(r);
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
struct run_block *run_add_block(struct run_reader *r, const char *text, size_t length)
{
	struct run_state *s = r->s;
	if (!length || length >= sizeof(s->block[0].name) || s->blocks == RUN_MAX_BLOCKS || run_state_find(s, text, length)) {
		run_fail(r, "a new name is expected, of at most 31 letters; there can be 64");
		return NULL;
	}
	struct run_block *b = &s->block[s->blocks];
	memset(b, 0, sizeof(*b));
	memcpy(b->name, text, length);
	return b;
}
bool run_take_memory(struct run_reader *r, struct run_block *b, uint64_t bytes, bool addressable)
{
	if (!bytes || bytes > 1u << 30)
		return run_fail(r, "1 byte to 1 GiB");
	b->bytes = (size_t)bytes;
	b->mem = aligned_alloc(4096, (b->bytes + 4095) & ~(size_t)4095);
	if (!b->mem)
		return run_fail(r, "there is no memory for that");
	memset(b->mem, 0, (b->bytes + 4095) & ~(size_t)4095);
	r->s->blocks++;
	if (addressable && !cu_memory_add(r->s->memory, b->mem, (b->bytes + 15) & ~(size_t)15))
		return run_fail(r, "there is no memory for that");
	return true;
}
/* lds, gds BYTES; scratch BYTES (of a lane); buffer NAME BYTES. */
static bool add_memory(struct run_reader *r)
{
	static const char *const kinds[] = { "lds", "gds", "scratch", "buffer" };
	struct cu_wave *w = r->s->wave;
	const char *line = r->p;
	for (unsigned k = 0; k < 4; k++) {
		const char *start = kinds[k];
		size_t n = strlen(start);
		if (!run_accept(r, kinds[k]))
			continue;
		run_skip(r);
		if (k < 3 && !isdigit((unsigned char)*r->p)) {
			r->p = line; /* lds.u32[..] = */
			return false;
		}
		if (k == 3)
			n = run_name(r, &start);
		struct run_block *b = run_add_block(r, start, n);
		uint64_t bytes = run_number(r);
		if (k == 2)
			bytes = (bytes + 3) / 4 * 256;
		if (r->failed || (k < 2 && bytes > CU_LDS_BYTES && !run_fail(r, "at most 65536 bytes")) ||
		    !run_take_memory(r, b, bytes, k == 3))
			return true;
		if (k == 0)
			w->lds = b->mem, w->lds_bytes = (uint32_t)b->bytes;
		if (k == 1)
			w->gds = b->mem, w->gds_bytes = (uint32_t)b->bytes;
		if (k == 2) {
			uint64_t a = (uintptr_t)b->mem;
			w->scratch = b->mem, w->scratch_bytes = (uint32_t)b->bytes;
			memcpy(&w->sgpr[GCN_SRC_FLAT_SCRATCH], &a, 8);
		}
		return true;
	}
	return false;
}

/* --- contents --- */

/* NAME.TYPE[FIRST] = VALUE, ..: elements from FIRST on. */
static void set_elements(struct run_reader *r, struct run_block *b)
{
	static const struct run_word sizes[] = { { "u8", 1 }, { "i8", 1 }, { "u16", 2 }, { "i16", 2 }, { "u32", 4 }, { "i32", 4 },
		{ "f32", 4 }, { NULL, 0 } };
	uint64_t at = 0, last;
	unsigned size = run_word(r, sizes);
	run_range(r, &at, &last);
	run_expect(r, "=");
	for (; !run_at_end(r) && !r->failed; at++) {
		bool wide;
		uint64_t x = run_value(r, &wide);
		unsigned n = wide ? 8 : size;
		if (at > b->bytes || at * size + n > b->bytes)
			run_fail(r, "beyond the end of the block");
		else
			memcpy(b->mem + at * size, &x, n);
		at += wide && size == 4;
	}
}
/* NAME[X,Y,Z,LEVEL] = R, G, B, A: one texel, in its format. */
static void set_texel(struct run_reader *r, struct run_block *b)
{
	uint32_t c[4] = { 0 }, v[4] = { 0 };
	bool wide;
	for (unsigned i = 0; i < 4 && !run_accept(r, "]"); i++)
		c[i] = (uint32_t)run_number(r);
	if (r->p[-1] != ']')
		run_expect(r, "]");
	run_expect(r, "=");
	for (unsigned i = 0; i < 4 && !run_at_end(r); i++)
		v[i] = (uint32_t)run_value(r, &wide);
	if (r->failed)
		return;
	const struct surf_plane l = surf_level(run_plane(b), c[3] < b->levels ? c[3] : 0);
	if (c[3] >= b->levels || c[0] >= l.width || c[1] >= l.height || c[2] >= l.slices) {
		run_fail(r, "that texel is outside the image");
		return;
	}
	cu_format_pack(b->dfmt, b->nfmt, v, surf_at(&l, c[0], c[1], c[2]));
}
static void set_block(struct run_reader *r)
{
	const char *start;
	size_t n = run_name(r, &start);
	struct run_block *b = run_state_find(r->s, start, n);
	if (!b) {
		r->p = start;
		run_fail(r, "a register, a block, or one of buffer image lds gds scratch print is expected");
	} else if (*r->p == '.') {
		r->p++;
		set_elements(r, b);
	} else if (*r->p == '[' && b->image) {
		r->p++;
		set_texel(r, b);
	} else {
		run_fail(r, b->image ? ".TYPE or [X,Y,Z,LEVEL] is expected" : ".TYPE is expected");
	}
}

static void add_prints(struct run_reader *r)
{
	while (!run_at_end(r) && !r->failed) {
		size_t n = strcspn(r->p, " \t,\n\r#");
		if (r->s->prints == RUN_MAX_PRINTS || !(r->s->print[r->s->prints] = strndup(r->p, n)))
			run_fail(r, "too much to print");
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
	struct run_reader r = { .s = s, .file = file, .p = text, .line = 1 };
	while (!r.failed && *r.p) {
		if (!run_at_end(&r)) {
			if (run_accept(&r, "print"))
				add_prints(&r);
			else if (!run_add_image(&r) && !add_memory(&r) && !set_register(&r))
				set_block(&r);
			if (!r.failed && !run_at_end(&r))
				run_fail(&r, "the line should end here");
		}
		r.p += strcspn(r.p, "\n");
		if (*r.p) {
			r.p++;
			r.line++;
		}
	}
	return !r.failed;
}
