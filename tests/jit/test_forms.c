/* SPDX-License-Identifier: MIT */
/* Instructions by their form are the bytes that Zydis gives: all vector
 * mnemonics that the translator uses and general ones, with random operands. */
#include <Zydis/Zydis.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/jit/jit_emit.h"
#include "core/jit/jit_vector.h"

enum { TURNS = 400, THREADS = 4 };

static uint32_t rnd(uint64_t *s)
{
	*s = *s * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*s >> 33);
}

/* --- random instructions --- */

struct shape { uint16_t mnemonic; const char *operands; };
/* r R: 32 and 64 bits, b: bytes; m M: the same in memory; i: immediate; x y z:
 * vectors; X Y Z: those or memory; k: a mask; 4: a dword in memory. */
#define S(M, ...) { ZYDIS_MNEMONIC_##M, __VA_ARGS__ }
static const struct shape shapes[] = {
	S(MOV, "rr"), S(MOV, "RR"), S(MOV, "rm"), S(MOV, "mr"), S(MOV, "RM"), S(MOV, "MR"), S(MOV, "ri"),
	S(MOV, "mi"), S(MOV, "bb"), S(ADD, "RR"), S(ADD, "ri"), S(ADD, "Ri"), S(ADD, "Mi"), S(ADD, "mr"),
	S(ADC, "rm"), S(SUB, "ri"), S(SUB, "RM"), S(AND, "ri"), S(AND, "Ri"), S(OR, "ri"), S(OR, "mr"),
	S(XOR, "rr"), S(XOR, "RR"), S(CMP, "Mi"), S(CMP, "mi"), S(CMP, "Ri"), S(CMP, "rm"), S(TEST, "rr"),
	S(TEST, "ri"), S(IMUL, "rr"), S(IMUL, "rri"), S(IMUL, "rm"), S(SHL, "ri"), S(SHR, "Ri"), S(SAR, "ri"),
	S(LEA, "RM"), S(PUSH, "R"), S(POP, "R"), S(NOT, "r"), S(NEG, "R"), S(BT, "ri"), S(BTS, "Ri"), S(BT, "mi"),
	S(BSF, "rr"), S(POPCNT, "RR"), S(LZCNT, "rr"), S(MOVZX, "rb"), S(MOVSXD, "Rr"), S(CMOVZ, "RR"),
	S(CMOVNBE, "RM"), S(SETZ, "b"), S(CALL, "M"), S(JMP, "R"), S(SHLX, "rrr"), S(BSWAP, "r"),
	S(VMOVAPS, "xx"), S(VMOVAPS, "yy"), S(VMOVAPS, "yY"), S(VMOVUPS, "Yy"), S(VMOVD, "xr"), S(VMOVQ, "Rx"),
	S(VADDPS, "xxX"), S(VADDPS, "yyY"), S(VFMADD231PS, "yyY"), S(VFMADD213PS, "yyy"), S(VSQRTPS, "yY"),
	S(VCMPPS, "yyYi"), S(VPERMILPS, "yyi"), S(VPSLLD, "yyi"), S(VPSRAD, "yyi"), S(VPSRLDQ, "xxi"),
	S(VPSLLVD, "yyY"), S(VPMULLD, "yyY"), S(VPAND, "yyY"), S(VPXOR, "xxx"), S(VPCMPEQD, "yyY"),
	S(VBLENDVPS, "yyYy"), S(VMOVMSKPS, "ry"), S(VPBROADCASTB, "xM"), S(VBROADCASTSS, "y4"),
	S(VBROADCASTSS, "yx"), S(VPMOVZXBD, "yx"), S(VPINSRQ, "xxRi"), S(VEXTRACTF128, "xyi"), S(VROUNDPS, "yYi"),
	S(VCVTDQ2PS, "yY"), S(VCVTTPS2DQ, "yy"), S(VRSQRTPS, "yy"), S(KMOVW, "km"), S(KMOVW, "mk"), S(KMOVW, "kk"),
	S(KANDW, "kkk"), S(KNOTW, "kk"), S(KMOVW, "rk"), S(KMOVW, "kr"),
};
static const struct shape masked[] = { /* under k0 to k7, zmm with a broadcast now and then */
	S(VMOVAPS, "zz"), S(VMOVAPS, "zZ"), S(VMOVUPS, "Zz"), S(VADDPS, "zzZ"), S(VFMADD231PS, "zzZ"),
	S(VMULPS, "yyY"), S(VPANDD, "zzZ"), S(VPTERNLOGD, "zzZi"), S(VBLENDMPS, "zzZ"), S(VPSLLD, "zzi"),
	S(VPSLLVD, "zzZ"), S(VPERMILPS, "zzi"), S(VCMPPS, "kzZi"), S(VPCMPUD, "kzZi"), S(VRNDSCALEPS, "zZi"),
	S(VBROADCASTSS, "z4"), S(VPBROADCASTD, "zr"), S(VCVTDQ2PS, "zZ"), S(VGETEXPPS, "zz"), S(VSCALEFPS, "zzZ"),
	S(VPERMD, "zzZ"), S(VPMULLD, "zzZ"), S(VPMOVZXBD, "zx"), S(VFIXUPIMMPS, "zzZi"), S(VRCP14PS, "zz"),
};

static struct xo random_mem(uint64_t *s, unsigned bytes)
{
	static const int64_t disp[] = { 0, 4, 8, 64, 127, 128, -128, -129, 4096, -4096, 8128, 8192, -8192, 1 << 20 };
	int64_t at = rnd(s) % 3 ? disp[rnd(s) % 14] : (int64_t)(rnd(s) % 70000) - 35000;
	struct xo o = jit_x_mem(ZYDIS_REGISTER_RAX + rnd(s) % 16, rnd(s) & 1 ? at : at / 64 * 64, bytes);
	if (rnd(s) % 4 == 0) {
		o.index = (uint16_t)(ZYDIS_REGISTER_RAX + rnd(s) % 16);
		o.scale = (uint8_t)(1u << rnd(s) % 4);
	}
	return o;
}

static struct xo random_imm(uint64_t *s, bool byte)
{
	static const int64_t values[] = { 0, 1, -1, 2, 127, 128, -128, -129, 255, 256, 32767, 32768, 65535, 65536,
		0x7fffffff, -0x80000000ll };
	if (byte)
		return jit_x_imm(rnd(s) & 31);
	return jit_x_imm(rnd(s) & 1 ? values[rnd(s) % 16] : (int32_t)(rnd(s) << 1));
}

static struct xo random_operand(uint64_t *s, const struct shape *h, char c, unsigned regs)
{
	bool vector = strpbrk(h->operands, "xyzXYZ") != NULL;
	bool shift = strchr("SHL SHR SAR", 'S') && (h->mnemonic == ZYDIS_MNEMONIC_SHL
		|| h->mnemonic == ZYDIS_MNEMONIC_SHR || h->mnemonic == ZYDIS_MNEMONIC_SAR
		|| h->mnemonic == ZYDIS_MNEMONIC_BT || h->mnemonic == ZYDIS_MNEMONIC_BTS);
	bool memory = rnd(s) & 1;
	switch (c) {
	case 'b': return jit_x_reg(ZYDIS_REGISTER_AL + rnd(s) % 4);
	case 'r': return jit_x_reg(ZYDIS_REGISTER_EAX + rnd(s) % 16);
	case 'R': return jit_x_reg(ZYDIS_REGISTER_RAX + rnd(s) % 16);
	case 'm': return random_mem(s, h->mnemonic == ZYDIS_MNEMONIC_KMOVW ? 2 : 4);
	case 'M': return random_mem(s, h->mnemonic == ZYDIS_MNEMONIC_VPBROADCASTB ? 1 : 8);
	case '4': return random_mem(s, 4);
	case 'i': return random_imm(s, vector || shift);
	case 'k': return jit_x_reg(ZYDIS_REGISTER_K0 + rnd(s) % 8);
	case 'X': if (memory) return random_mem(s, 16); /* fall through */
	case 'x': return jit_x_reg(ZYDIS_REGISTER_XMM0 + rnd(s) % regs);
	case 'Y': if (memory) return random_mem(s, 32); /* fall through */
	case 'y': return jit_x_reg(ZYDIS_REGISTER_YMM0 + rnd(s) % regs);
	case 'Z': if (memory) return random_mem(s, 64); /* fall through */
	default: return jit_x_reg(ZYDIS_REGISTER_ZMM0 + rnd(s) % regs);
	}
}

/* One that Zydis may refuse: as jit_x_emit says, b->failed. */
static void emit(struct jit_x_buf *b, struct jit_x_buf *plain, const struct shape *h, bool mask, uint64_t *s)
{
	struct xo o[4];
	unsigned n = (unsigned)strlen(h->operands);
	int k = mask ? (int)(rnd(s) % 8) : -1;
	for (unsigned i = 0; i < n; i++) {
		o[i] = random_operand(s, h, h->operands[i], mask ? 32 : 16);
		if (o[i].kind == XO_MEM && o[i].size == 64 && i == n - 1 && rnd(s) & 1) {
			o[i].bcast = 16;
			o[i].size = 4;
		}
	}
	bool zero = k > 0 && rnd(s) % 4 == 0;
	jit_x_emit(b, (ZydisMnemonic)h->mnemonic, k, zero, n, o);
	jit_x_emit(plain, (ZydisMnemonic)h->mnemonic, k, zero, n, o);
}

/* --- the test --- */

struct worker { pthread_t thread; struct jit_x_forms *forms; uint64_t seed; unsigned done, refused, wrong; };

static void one(struct worker *w, const struct shape *h, bool mask)
{
	struct jit_x_buf b, plain;
	jit_x_init(&b, w->forms);
	jit_x_init(&plain, NULL);
	emit(&b, &plain, h, mask, &w->seed);
	w->done++;
	w->refused += plain.failed != NULL;
	if (!b.failed != !plain.failed || b.n != plain.n || (b.n && memcmp(b.code, plain.code, b.n))) {
		printf("%s %s:", ZydisMnemonicGetString((ZydisMnemonic)h->mnemonic), h->operands);
		for (size_t i = 0; i < b.n; i++)
			printf(" %02x", b.code[i]);
		printf(", by Zydis");
		for (size_t i = 0; i < plain.n; i++)
			printf(" %02x", plain.code[i]);
		printf("\n");
		w->wrong++;
	}
	jit_x_free(&b);
	jit_x_free(&plain);
}

static void *work(void *argument)
{
	struct worker *w = argument;
	for (int turn = 0; turn < TURNS && w->wrong < 20; turn++) {
		for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
			one(w, &shapes[i], false);
		for (unsigned i = 0; i < sizeof masked / sizeof *masked; i++)
			one(w, &masked[i], true);
	}
	return NULL;
}

int main(void)
{
	struct worker w[THREADS];
	struct jit_x_forms *forms = jit_x_forms_create();
	unsigned known, direct, done = 0, refused = 0, wrong = 0;
	if (!forms)
		return 1;
	for (unsigned i = 0; i < THREADS; i++) {
		w[i] = (struct worker){ .forms = forms, .seed = i + 1 };
		if (pthread_create(&w[i].thread, NULL, work, &w[i]))
			return 1;
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(w[i].thread, NULL);
		done += w[i].done;
		refused += w[i].refused;
		wrong += w[i].wrong;
	}
	jit_x_forms_count(forms, &known, &direct);
	printf("%u instructions, %u refused, %u wrong; %u forms, %u by Zydis alone\n", done, refused, wrong, known,
		direct);
	jit_x_forms_destroy(forms);
	return wrong || refused > done / 20 || direct > known / 20;
}
