/* SPDX-License-Identifier: MIT */
/* The address layout of every sampling instruction, from the memory handling
 * document (seed 004): { offset } { bias } { z-compare } { derivative } { body }
 * { clamp } { lod }.  An instruction with an operand that changes nothing must
 * do what the one without it does: offset 0, bias 0, clamp 0; lod 0 is _lz;
 * coarse derivatives are derivatives; and a comparison is that of the sampled
 * value.  If an operand were read from another place, the rest would be wrong. */
#include "tex_harness.h"

enum { ADDR = 10, OTHER = 30, DATA = 60, RESULT = 70 };

/* o offset, b bias, c compare, d derivatives, r body, l clamp or lod */
static const struct { enum gcn_op op; const char *layout; } table[] = {
	{ GCN_IMAGE_SAMPLE, "r" }, { GCN_IMAGE_SAMPLE_CL, "rl" }, { GCN_IMAGE_SAMPLE_D, "dr" },
	{ GCN_IMAGE_SAMPLE_D_CL, "drl" }, { GCN_IMAGE_SAMPLE_L, "rl" }, { GCN_IMAGE_SAMPLE_B, "br" },
	{ GCN_IMAGE_SAMPLE_B_CL, "brl" }, { GCN_IMAGE_SAMPLE_LZ, "r" }, { GCN_IMAGE_SAMPLE_C, "cr" },
	{ GCN_IMAGE_SAMPLE_C_CL, "crl" }, { GCN_IMAGE_SAMPLE_C_D, "cdr" }, { GCN_IMAGE_SAMPLE_C_D_CL, "cdrl" },
	{ GCN_IMAGE_SAMPLE_C_L, "crl" }, { GCN_IMAGE_SAMPLE_C_B, "bcr" }, { GCN_IMAGE_SAMPLE_C_B_CL, "bcrl" },
	{ GCN_IMAGE_SAMPLE_C_LZ, "cr" }, { GCN_IMAGE_SAMPLE_O, "or" }, { GCN_IMAGE_SAMPLE_CL_O, "orl" },
	{ GCN_IMAGE_SAMPLE_D_O, "odr" }, { GCN_IMAGE_SAMPLE_D_CL_O, "odrl" }, { GCN_IMAGE_SAMPLE_L_O, "orl" },
	{ GCN_IMAGE_SAMPLE_B_O, "obr" }, { GCN_IMAGE_SAMPLE_B_CL_O, "obrl" }, { GCN_IMAGE_SAMPLE_LZ_O, "or" },
	{ GCN_IMAGE_SAMPLE_C_O, "ocr" }, { GCN_IMAGE_SAMPLE_C_CL_O, "ocrl" }, { GCN_IMAGE_SAMPLE_C_D_O, "ocdr" },
	{ GCN_IMAGE_SAMPLE_C_D_CL_O, "ocdrl" }, { GCN_IMAGE_SAMPLE_C_L_O, "ocrl" }, { GCN_IMAGE_SAMPLE_C_B_O, "obcr" },
	{ GCN_IMAGE_SAMPLE_C_B_CL_O, "obcrl" }, { GCN_IMAGE_SAMPLE_C_LZ_O, "ocr" }, { GCN_IMAGE_GATHER4, "r" },
	{ GCN_IMAGE_GATHER4_CL, "rl" }, { GCN_IMAGE_GATHER4_L, "rl" }, { GCN_IMAGE_GATHER4_B, "br" },
	{ GCN_IMAGE_GATHER4_B_CL, "brl" }, { GCN_IMAGE_GATHER4_LZ, "r" }, { GCN_IMAGE_GATHER4_C, "cr" },
	{ GCN_IMAGE_GATHER4_C_CL, "crl" }, { GCN_IMAGE_GATHER4_C_L, "crl" }, { GCN_IMAGE_GATHER4_C_B, "bcr" },
	{ GCN_IMAGE_GATHER4_C_B_CL, "bcrl" }, { GCN_IMAGE_GATHER4_C_LZ, "cr" }, { GCN_IMAGE_GATHER4_O, "or" },
	{ GCN_IMAGE_GATHER4_CL_O, "orl" }, { GCN_IMAGE_GATHER4_L_O, "orl" }, { GCN_IMAGE_GATHER4_B_O, "obr" },
	{ GCN_IMAGE_GATHER4_B_CL_O, "obrl" }, { GCN_IMAGE_GATHER4_LZ_O, "or" }, { GCN_IMAGE_GATHER4_C_O, "ocr" },
	{ GCN_IMAGE_GATHER4_C_CL_O, "ocrl" }, { GCN_IMAGE_GATHER4_C_L_O, "ocrl" }, { GCN_IMAGE_GATHER4_C_B_O, "obcr" },
	{ GCN_IMAGE_GATHER4_C_B_CL_O, "obcrl" }, { GCN_IMAGE_GATHER4_C_LZ_O, "ocr" }, { GCN_IMAGE_SAMPLE_CD, "dr" },
	{ GCN_IMAGE_SAMPLE_CD_CL, "drl" }, { GCN_IMAGE_SAMPLE_C_CD, "cdr" }, { GCN_IMAGE_SAMPLE_C_CD_CL, "cdrl" },
	{ GCN_IMAGE_SAMPLE_CD_O, "odr" }, { GCN_IMAGE_SAMPLE_CD_CL_O, "odrl" }, { GCN_IMAGE_SAMPLE_C_CD_O, "ocdr" },
	{ GCN_IMAGE_SAMPLE_C_CD_CL_O, "ocdrl" }, };

static int find(const char *name)
{
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(gcn_op_info(table[i].op)->name, name))
			return (int)i;
	return -1;
}
/* The name without `part`, a word between underscores; false when it has none. */
static bool without(const char *name, const char *part, const char *instead, char out[64])
{
	size_t n = strlen(part);
	for (const char *p = strchr(name, '_'); p; p = strchr(p + 1, '_'))
		if (!strncmp(p + 1, part, n) && (p[1 + n] == '_' || !p[1 + n])) {
			snprintf(out, 64, "%.*s%s%s", (int)(p - name), name, instead, p + 1 + n);
			return true;
		}
	return false;
}
static unsigned dwords(const struct image *img, char kind)
{
	unsigned dims = image_dims(img);
	return kind == 'd' ? 2 * dims : kind == 'r' ? dims + image_arrayed(img) : 1;
}
/* VGPRs from ADDR on; with `skip` the same from OTHER on, but for that operand. */
static void address(struct cu_wave *w, const struct image *img, const char *layout, char neutral, char skip)
{
	unsigned from = ADDR, to = OTHER;
	for (; *layout; layout++) {
		for (unsigned i = 0; i < dwords(img, *layout); i++, from++) {
			for (int l = 0; l < 64; l++)
				w->vgpr[from][l] = *layout == 'o' ? rnd() & 0x3f3f3f : *layout == 'l' ? float_bits((float)(rnd01() * 2)) :
					*layout == 'd' ? float_bits((float)(rnd01() * 0.3 - 0.15)) : float_bits((float)(rnd01() * 1.5 - 0.25));
			if (*layout == neutral)
				memset(w->vgpr[from], 0, sizeof(w->vgpr[from]));
			if (*layout != skip)
				memcpy(w->vgpr[to++], w->vgpr[from], sizeof(w->vgpr[from]));
		}
	}
}
/* Fixed-point texels: the reference is clamped first. */
static bool holds(unsigned func, float ref, float texel)
{
	ref = ref > 0 ? ref < 1 ? ref : 1 : 0;
	return (func & 1 && ref < texel) || (func & 2 && ref == texel) || (func & 4 && ref > texel);
}

/* Table row k does what the instruction called `simple` does. */
static void compare(struct cu_wave *w, struct image *img, uint32_t s[4], unsigned k, const char *simple, char neutral,
	char skip)
{
	int other = find(simple);
	const char *name = gcn_op_info(table[k].op)->name;
	bool gathers = strstr(name, "gather"), compares = skip == 'c';
	unsigned func = ISA_GET(s, S_DEPTH_COMPARE_FUNC), place = ADDR, results = gathers ? 4 : 1;
	EXPECT(other >= 0, "no %s", simple);
	if (other < 0)
		return;
	address(w, img, table[k].layout, neutral, skip);
	for (const char *p = table[k].layout; compares && *p != 'c'; p++)
		place += dwords(img, *p);
	struct gcn_inst a = mimg(table[k].op, ADDR, DATA, 1, img), b = mimg(table[other].op, OTHER, RESULT, 1, img);
	EXPECT(run(w, &a, img, s), "%s: %s", name, w->error.text);
	EXPECT(run(w, &b, img, s), "%s: %s", simple, w->error.text);
	for (unsigned n = 0; n < results; n++)
		for (int l = 0; l < 64; l++) {
			uint32_t got = w->vgpr[DATA + n][l], want = w->vgpr[RESULT + n][l];
			if (compares)
				want = holds(func, bits_float(w->vgpr[place][l]), bits_float(want)) ? 0x3f800000 : 0;
			EXPECT(got == want, "%s is not %s: lane %d, %08x and %08x", name, simple, l, got, want);
		}
}

static unsigned check_row(struct cu_wave *w, struct image *img, uint32_t s[4], unsigned k)
{
	const char *name = gcn_op_info(table[k].op)->name;
	char simple[64];
	unsigned checks = 0;
	ISA_SET(s, S_XY_MAG_FILTER, 0);
	ISA_SET(s, S_XY_MIN_FILTER, 0);
	if (without(name, "o", "", simple))
		compare(w, img, s, k, simple, 'o', 'o'), checks++;
	if (without(name, "b", "", simple))
		compare(w, img, s, k, simple, 'b', 'b'), checks++;
	if (without(name, "cl", "", simple))
		compare(w, img, s, k, simple, 'l', 'l'), checks++;
	if (without(name, "l", "_lz", simple))
		compare(w, img, s, k, simple, 'l', 'l'), checks++;
	if (without(name, "cd", "_d", simple))
		compare(w, img, s, k, simple, 0, 0), checks++;
	/* A cube's missing corner is a mean, of results and not of texels. */
	if (without(name, "c", "", simple) && !(img->type == T_TYPE_CUBE && strstr(name, "gather")))
		compare(w, img, s, k, simple, 0, 'c'), checks++;
	return checks;
}

int main(void)
{
	static const unsigned types[] = { T_TYPE_2D, T_TYPE_CUBE, T_TYPE_2D_ARRAY, T_TYPE_1D, T_TYPE_3D, T_TYPE_1D_ARRAY };
	struct cu_wave *w = wave_create();
	unsigned rows = sizeof(table) / sizeof(table[0]), checks = 0;
	for (unsigned k = 0; k < rows; k++) {
		bool gathers = strstr(gcn_op_info(table[k].op)->name, "gather");
		unsigned of_row = 0;
		for (unsigned round = 0; round < 18; round++) {
			unsigned type = types[round % (gathers ? 3 : 6)], size = 5 + rnd() % 12;
			struct image img = image_create(type, DFMT_16, NFMT_UNORM, TILING_LINEAR, size,
				type == T_TYPE_1D || type == T_TYPE_1D_ARRAY ? 1 : size,
				type == T_TYPE_CUBE ? 6 : type == T_TYPE_2D || type == T_TYPE_1D ? 1 : 3, 3);
			uint32_t s[4] = { 0 };
			ISA_SET(s, S_MAX_LOD, 4095);
			ISA_SET(s, S_MIP_FILTER, S_MIP_POINT);
			ISA_SET(s, S_DEPTH_COMPARE_FUNC, rnd() % 8);
			ISA_SET(s, S_CLAMP_X, rnd() % 4);
			cu_set_exec(w, ~0ull);
			of_row += check_row(w, &img, s, k);
			image_destroy(&img);
		}
		EXPECT(of_row || !strcmp(table[k].layout, "r") || !strcmp(table[k].layout, "dr"), "%s was not compared",
			gcn_op_info(table[k].op)->name);
		checks += of_row;
	}
	free(w);
	printf("%u instructions, %u comparisons, %d failures\n", rows, checks, failures);
	return failures != 0;
}
