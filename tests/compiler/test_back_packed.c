/* SPDX-License-Identifier: MIT */
/* tests/compiler/back/packed.comp, whose halves are packed, compared with one component at a
 * time in soft floats: the bits, of NaNs that they are NaNs.  The code must have packed
 * instructions and none of the same operations on single halves.
 * Argument: packed.spv */
#include "compiler/spv/spv.h"

#include "../core/ref/ref_float.h"
#include "back_exec.h"
#include "isa/gcn.h"

enum { ITEMS = 256, MAX_WORDS = 1 << 16 };
struct in { uint16_t x[4], y[4], z[4], p[4], q[4]; };
struct out { uint16_t sums[4], swizzled[4], chained[4], chosen[4], whole[4]; int16_t bounds[4]; };
static struct in input[ITEMS];
static struct out output[ITEMS];
static uint32_t words[MAX_WORDS];

static uint16_t add(uint16_t a, uint16_t b) { return (uint16_t)rf_add(RF_16, a, b, RF_NEAREST); }
static uint16_t mul(uint16_t a, uint16_t b) { return (uint16_t)rf_mul(RF_16, a, b, RF_NEAREST); }
static uint16_t fma_(uint16_t a, uint16_t b, uint16_t c) { return (uint16_t)rf_fma(RF_16, a, b, c, RF_NEAREST); }
static uint16_t negate(uint16_t a) { return a ^ 0x8000; }
static uint16_t extreme(uint16_t a, uint16_t b, bool max)
{
	if (rf_is_nan(RF_16, a) || rf_is_nan(RF_16, b))
		return rf_is_nan(RF_16, a) ? b : a;
	if (rf_equal(RF_16, a, b)) /* -0 is below +0 */
		return max ? a & b : a | b;
	return rf_less(RF_16, a, b) == max ? b : a;
}

static struct out model(const struct in *v)
{
	static const unsigned swap[4] = { 1, 0, 3, 2 };
	static const uint16_t thirds[4] = { 0x3e00, 0xb400, 0x4000, 0 };
	static const int16_t bounds[4] = { 3, -4, 5, -6 };
	struct out r;
	for (unsigned k = 0; k < 4; k++) {
		r.sums[k] = add(mul(add(v->x[k], v->y[k]), v->z[k]), negate(v->x[k]));
		r.swizzled[k] = fma_(v->x[swap[k]], negate(v->y[k & 2]), thirds[k]);
		uint16_t c = v->z[k];
		for (unsigned i = 0; i < 5; i++)
			c = extreme(fma_(c, v->x[k], v->y[k]), negate(v->z[3 - k]), true);
		r.chained[k] = c;
		r.chosen[k] = v->p[0] > v->q[0] ? extreme(mul(v->x[k], v->y[k]), add(v->z[k], v->x[0]), false) : v->x[k];
		uint16_t least = v->p[k] < v->q[k] ? v->p[k] : v->q[k];
		uint16_t whole = (uint16_t)((uint32_t)(uint16_t)(v->p[k] + v->q[k]) * v->p[k] - v->q[swap[k]]);
		r.whole[k] = whole > least ? whole : least;
		int16_t p = (int16_t)v->p[k], q = (int16_t)v->q[k];
		r.bounds[k] = (int16_t)((p > q ? p : q) + (p < bounds[k] ? p : bounds[k]));
	}
	return r;
}

static bool same(uint16_t a, uint16_t b)
{
	return a == b || (rf_is_nan(RF_16, a) && rf_is_nan(RF_16, b));
}

static int compare(unsigned i)
{
	struct out want = model(&input[i]);
	const struct out *got = &output[i];
	int bad = 0;
	for (unsigned k = 0; k < 4; k++) {
		bool ok = same(got->sums[k], want.sums[k]) && same(got->swizzled[k], want.swizzled[k]) &&
			same(got->chained[k], want.chained[k]) && same(got->chosen[k], want.chosen[k]) &&
			got->whole[k] == want.whole[k] && got->bounds[k] == want.bounds[k];
		if (!ok && bad++ < 1)
			printf("item %u component %u: sums %x %x swizzled %x %x chained %x %x chosen %x %x whole %x %x bounds %x %x\n", i, k,
				got->sums[k], want.sums[k], got->swizzled[k], want.swizzled[k], got->chained[k], want.chained[k],
				got->chosen[k], want.chosen[k], got->whole[k], want.whole[k], got->bounds[k] & 0xffff,
				want.bounds[k] & 0xffff);
	}
	return bad;
}

/* Counts of packed operations, and of the same ones on single halves. */
static void count(const struct compiler_shader *s, unsigned *packed, unsigned *single)
{
	struct gcn_inst in;
	for (uint32_t at = 0; at < s->code_dwords;) {
		unsigned n = gcn_decode(GCN_GFX9, s->code + at, s->code_dwords - at, &in);
		at += n ? n : 1;
		*packed += n > 0 && in.fmt == GCN_VOP3P;
		*single += n > 0 && (in.op == GCN_V_ADD_F16 || in.op == GCN_V_SUB_F16 || in.op == GCN_V_MUL_F16 ||
			in.op == GCN_V_FMA_LEGACY_F16 || in.op == GCN_V_MAX_F16 || in.op == GCN_V_MIN_F16);
	}
}

int main(int argc, char **argv)
{
	FILE *f = fopen(argc > 1 ? argv[1] : "", "rb");
	size_t n = f ? fread(words, 4, MAX_WORDS, f) : 0;
	if (f)
		fclose(f);
	struct compiler_input in = { .stage = COMPILER_CS, .words = words, .word_count = n, .entry = "main",
		.bindings = back_bindings, .binding_count = 3, .dump_dir = getenv("QW_DUMP"), .dump_name = "packed" };
	struct compiler_shader shader;
	char message[300];
	if (compiler_compile(&in, &shader, message, sizeof message) != COMPILER_OK) {
		printf("%s\n", message);
		return 1;
	}
	uint32_t seed = 1;
	uint16_t *v = input[0].x;
	for (size_t i = 0; i < sizeof input / 2; i++) {
		seed = seed * 1664525u + 1013904223u;
		v[i] = (uint16_t)(seed >> 16);
		if (seed >> 8 & 1) /* near one */
			v[i] = (uint16_t)((v[i] & 0x83ff) | (0x3400 + (seed & 0xc) * 0x100));
	}
	const struct back_buffer buffers[BACK_BUFFERS] = { { input, sizeof input }, { output, sizeof output }, { input, 16 } };
	struct cu_error err = { "" };
	struct back_program program = { 0 };
	bool ok = back_program_create(&program, &shader, "packed", &err) && back_program_run(&program, buffers, NULL, ITEMS / 64, &err);
	int bad = !ok;
	if (!ok)
		printf("%s\n", err.text);
	for (unsigned i = 0; ok && i < ITEMS; i++)
		bad += compare(i);
	unsigned packed = 0, single = 0;
	count(&shader, &packed, &single);
	printf("%u packed instructions, %u single ones, %d components differ\n", packed, single, bad);
	back_program_destroy(&program);
	compiler_shader_finish(&shader);
	return bad || !packed || single;
}
