/* SPDX-License-Identifier: MIT */
/* What gcnrun prints of the state. */
#include "tools/gcnrun.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/format.h"
#include "isa/resource.h"

/* How a number is shown. */
enum show { HEX, UNSIGNED, SIGNED, FLOAT };

static void print_number(enum show show, unsigned bytes, uint32_t x)
{
	float f;
	memcpy(&f, &x, 4);
	if (show == HEX)
		printf(" %0*x", (int)(2 * bytes), x);
	else if (show == UNSIGNED)
		printf(" %u", x);
	else if (show == SIGNED)
		printf(" %d", bytes == 1 ? (int8_t)x : bytes == 2 ? (int16_t)x : (int32_t)x);
	else
		printf(" %.9g", (double)f);
}
/* ".u32" and the like at *p: how, and of how many bytes; 4 without one. */
static bool read_type(const char **p, enum show *show, unsigned *bytes)
{
	*show = HEX;
	*bytes = 4;
	if (**p != '.' || (*p)[1] == '.')
		return true;
	char kind = (*p)[1];
	unsigned bits = (unsigned)strtoul(*p + 2, (char **)p, 10);
	*show = kind == 'u' ? UNSIGNED : kind == 'i' ? SIGNED : kind == 'f' ? FLOAT : HEX;
	*bytes = bits / 8;
	return strchr("uifx", kind) && (bits == 32 || ((bits == 8 || bits == 16) && kind != 'f'));
}
static bool read_range(const char **p, uint64_t *first, uint64_t *last)
{
	char *end;
	if (**p != '[')
		return true;
	*first = *last = strtoull(*p + 1, &end, 0);
	if (!strncmp(end, "..", 2))
		*last = strtoull(end + 2, &end, 0);
	*p = end + 1;
	return *end == ']' && *first <= *last;
}
static bool unknown(const char *item)
{
	fprintf(stderr, "gcnrun: nothing to print is called %s\n", item);
	return false;
}
static void print_row(const char *item, uint64_t at, uint64_t i)
{
	if (i == at && strchr(item, '['))
		printf("%.*s[%llu] =", (int)strcspn(item, ".["), item, (unsigned long long)i);
	else if (i == at)
		printf("%.*s =", (int)strcspn(item, "."), item);
	else if ((i - at) % 8 == 0)
		printf("\n  [%llu]", (unsigned long long)i);
}

static bool print_vgpr(struct run_state *s, const char *item)
{
	char *end;
	unsigned long n = strtoul(item + 1, &end, 10);
	const char *p = end;
	uint64_t first = 0, last = CU_LANES - 1;
	enum show show;
	unsigned bytes;
	if (n >= CU_VGPRS || !read_type(&p, &show, &bytes) || !read_range(&p, &first, &last) || *p || last >= CU_LANES)
		return unknown(item);
	for (uint64_t l = first; l <= last; l++) {
		print_row(item, first, l);
		print_number(show, 4, s->wave->vgpr[n][l]);
	}
	putchar('\n');
	return true;
}
/* s4, s4..s7, s4.f32, s4..s7.u32 */
static bool print_sgprs(struct run_state *s, const char *item)
{
	char *end;
	unsigned long n = strtoul(item + 1, &end, 10), last = n;
	const char *p = end;
	enum show show;
	unsigned bytes;
	if (!strncmp(p, "..s", 3)) {
		last = strtoul(p + 3, &end, 10);
		p = end;
	}
	if (last >= 104 || !read_type(&p, &show, &bytes) || *p)
		return unknown(item);
	for (unsigned long i = n; i <= last; i++) {
		printf("s%lu =", i);
		print_number(show, 4, s->wave->sgpr[i]);
		putchar('\n');
	}
	return true;
}
static bool print_special(struct run_state *s, const char *item)
{
	static const struct { const char *name; unsigned number; } pairs[] = { { "vcc", GCN_SRC_VCC }, { "exec", GCN_SRC_EXEC },
		{ "flat_scratch", GCN_SRC_FLAT_SCRATCH }, { "xnack_mask", GCN_SRC_XNACK_MASK } };
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (!strcmp(item, pairs[i].name)) {
			printf("%s = %08x%08x\n", item, s->wave->sgpr[pairs[i].number + 1], s->wave->sgpr[pairs[i].number]);
			return true;
		}
	if (!strcmp(item, "scc"))
		printf("scc = %u\n", s->wave->scc);
	else if (!strcmp(item, "m0"))
		printf("m0 = %08x\n", s->wave->sgpr[GCN_SRC_M0]);
	else if (!strcmp(item, "mode"))
		printf("mode = %08x\n", s->wave->mode);
	else
		return false;
	return true;
}
/* Exported targets: mrt0.x = .. */
static bool print_exports(struct run_state *s)
{
	for (unsigned t = 0; t < 64; t++) {
		for (unsigned c = 0; s->exports->targets >> t & 1 && c < 4; c++) {
			char name[24];
			if (!(s->exports->mask[t] >> c & 1))
				continue;
			if (t == 8 || t == 9)
				snprintf(name, sizeof(name), "%s", t == 8 ? "mrtz" : "null");
			else
				snprintf(name, sizeof(name), "%s%u", t < 8 ? "mrt" : t < 32 ? "pos" : "param",
					t < 8 ? t : t < 32 ? t - 12 : t - 32);
			printf("%s_%c =", name, "xyzw"[c]);
			for (int l = 0; l < CU_LANES; l++) {
				if (l && l % 8 == 0)
					printf("\n  [%d]", l);
				print_number(HEX, 4, s->exports->data[t][c][l]);
			}
			printf("\n%s lanes = %016llx\n", name, (unsigned long long)s->exports->exec[t]);
		}
	}
	return true;
}
static void print_texels(const struct run_block *b)
{
	bool integer = b->nfmt == NFMT_UINT || b->nfmt == NFMT_SINT;
	for (uint32_t level = 0; level < b->levels; level++) {
		const struct surf_plane l = surf_level(run_plane(b), level);
		for (uint32_t z = 0; z < l.slices; z++)
			for (uint32_t y = 0; y < l.height; y++)
				for (uint32_t x = 0; x < l.width; x++) {
					uint32_t v[4];
					cu_format_unpack(b->dfmt, b->nfmt, surf_at(&l, x, y, z), v);
					printf("%s[%u,%u,%u,%u] =", b->name, x, y, z, level);
					for (unsigned c = 0; c < 4; c++)
						print_number(integer ? b->nfmt == NFMT_SINT ? SIGNED : UNSIGNED : FLOAT, 4, v[c]);
					putchar('\n');
				}
	}
}
static bool print_block(struct run_state *s, const char *item)
{
	size_t n = strcspn(item, ".[");
	const struct run_block *b = run_state_find(s, item, n);
	const char *p = item + n;
	enum show show;
	unsigned bytes;
	if (!b || !read_type(&p, &show, &bytes))
		return unknown(item);
	if (b->image && !item[n]) {
		print_texels(b);
		return true;
	}
	uint64_t first = 0, last = b->bytes / bytes - 1;
	if (b->bytes < bytes || !read_range(&p, &first, &last) || *p || last >= b->bytes / bytes)
		return unknown(item);
	for (uint64_t i = first; i <= last; i++) {
		uint32_t x = 0;
		memcpy(&x, b->mem + i * bytes, bytes);
		print_row(item, first, i);
		print_number(show, bytes, x);
	}
	putchar('\n');
	return true;
}

bool run_print(struct run_state *s, const char *item)
{
	if (*item == 'v' && isdigit((unsigned char)item[1]))
		return print_vgpr(s, item);
	if (*item == 's' && isdigit((unsigned char)item[1]))
		return print_sgprs(s, item);
	if (!strcmp(item, "exports"))
		return print_exports(s);
	return print_special(s, item) || print_block(s, item);
}

void run_print_changes(const struct cu_wave *before, const struct cu_wave *after)
{
	for (unsigned i = 0; i < 128; i++) {
		char name[16];
		if (before->sgpr[i] == after->sgpr[i])
			continue;
		run_sgpr_name(i, name, sizeof(name));
		printf("%s = %08x\n", name, after->sgpr[i]);
	}
	if (before->scc != after->scc)
		printf("scc = %u\n", after->scc);
	for (unsigned i = 0; i < CU_VGPRS; i++) {
		if (!memcmp(before->vgpr[i], after->vgpr[i], sizeof(after->vgpr[i])))
			continue;
		printf("v%u =", i);
		for (int l = 0; l < CU_LANES; l++) {
			if (l && l % 8 == 0)
				printf("\n  [%d]", l);
			print_number(HEX, 4, after->vgpr[i][l]);
		}
		putchar('\n');
	}
}
