/* SPDX-License-Identifier: MIT */
/* Vector opcodes that few programs use: sums of absolute differences over
 * sliding bytes, digits of 2/pi, screen partitions. */
#include "core/interp/valu.h"

/* --- four sums, each of four bytes of s0 (8 bytes) from another byte on --- */
static inline uint32_t byte_diffs(uint32_t a, uint32_t b, bool masked)
{
	uint32_t sum = 0;
	for (int i = 0; i < 32; i += 8) {
		int x = (int)(a >> i & 255), y = (int)(b >> i & 255);
		if (!masked || y)
			sum += (uint32_t)(x > y ? x - y : y - x);
	}
	return sum;
}
static inline void sad4(const struct cu_vop *o, int l, bool masked, uint32_t sums[4])
{
	uint64_t a = lane64(o->s[0], l);
	for (int i = 0; i < 4; i++)
		sums[i] = byte_diffs((uint32_t)(a >> (8 * i)), o->s[1][l], masked);
}
static inline void sad_halves(struct cu_vop *o, bool masked, bool clamp)
{
	for (int l = 0; l < 64; l++) {
		uint32_t sums[4];
		uint64_t add = lane64(o->s[2], l), r = 0;
		sad4(o, l, masked, sums);
		for (int i = 0; i < 4; i++) {
			uint32_t x = sums[i] + (uint32_t)(add >> (16 * i) & 0xffff);
			r |= (uint64_t)(clamp && x > 0xffff ? 0xffff : x & 0xffff) << (16 * i);
		}
		put64(o->d, l, r);
	}
}
static inline void sad_dwords(struct cu_vop *o, bool clamp)
{
	for (int l = 0; l < 64; l++) {
		uint32_t sums[4];
		sad4(o, l, true, sums);
		for (int i = 0; i < 4; i++) {
			uint32_t add = o->s[2][64 * i + l], x = sums[i] + add;
			o->d[64 * i + l] = clamp && x < add ? ~0u : x;
		}
	}
}
#define SAD4(NAME, T, CALL, CLAMPED_CALL) \
	static void k_##NAME##_CLAMP(struct cu_vop *o) { CLAMPED_CALL; } \
	VALU_DESC(NAME##_CLAMP, 3, T, B64, B32, T, 0, ); \
	static void k_##NAME(struct cu_vop *o) { CALL; } \
	VALU_DESC(NAME, 3, T, B64, B32, T, 0, .saturating = &CU_FN(cu_op_##NAME##_CLAMP))
SAD4(V_QSAD_PK_U16_U8, B64, sad_halves(o, false, false), sad_halves(o, false, true));
SAD4(V_MQSAD_PK_U16_U8, B64, sad_halves(o, true, false), sad_halves(o, true, true));
SAD4(V_MQSAD_U32_U8, B128, sad_dwords(o, false), sad_dwords(o, true));

/* --- v_trig_preop_f64: 53 bits of 2/pi from where they matter for s0, segment
 * s1.  The first 1201 bits after the point; what follows them reads as 0 --- */
static const uint32_t two_over_pi[38] = {
	0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
	0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
	0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
	0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
	0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
	0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
	0x56033046, 0xfc7b0000,
};
static inline uint64_t digits(unsigned at) /* 53 bits from bit `at` after the point */
{
	uint64_t r = 0;
	for (unsigned i = at / 32; i < at / 32 + 3; i++) {
		uint64_t word = i < 38 ? two_over_pi[i] : 0;
		int up = (int)at + 53 - 32 * ((int)i + 1); /* the word's place in the result */
		r |= up >= 0 ? word << up : up > -32 ? word >> -up : 0;
	}
	return r & 0x1fffffffffffff;
}
static inline uint64_t trig_preop(uint64_t a, uint32_t segment)
{
	unsigned exponent = (unsigned)(a >> 52 & 2047), shift = (segment & 31) * 53;
	if (exponent > 1077)
		shift += exponent - 1077;
	/* No digits beyond a shift of 1200: two factors round once. */
	int scale = -53 - (int)shift + (exponent >= 1968 ? 128 : 0);
	union { uint64_t u; double d; } r = { .d = (double)digits(shift) * 0x1p-500 };
	union { uint64_t u; double d; } s = { .u = (uint64_t)(1023 + 500 + scale) << 52 };
	r.d = shift > 1200 ? 0 : r.d * s.d;
	return r.u;
}
static void k_V_TRIG_PREOP_F64(struct cu_vop *o)
{
	for (int l = 0; l < 64; l++)
		put64(o->d, l, trig_preop(lane64(o->s[0], l), o->s[1][l]));
}
VALU_DESC(V_TRIG_PREOP_F64, 2, F64, F64, B32, NONE, 0, );

/* --- v_screen_partition_4se_b32: a table by the low byte, one digit an entry --- */
static const char partitions[257] =
	"137f5fff7ffffffff26efafffbffffffdf4cff5fffdfffff9bf8fffafffeffff"
	"ffff4cdf6fffeffffffff89bf99ffdffffff7f13ff9fffbfffff6ef26ff6fff7"
	"bfffffff23bfaffff7fffffff19df5ffffefffffef8cffaffffdffff67f4fff5"
	"9fffdfffffff8ceff66ffefffffff467ff6fff7fffffbf239ff9fffbffff9df1";
static inline uint32_t partition(uint32_t a)
{
	char digit = partitions[a & 255];
	return (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}
LANE1(V_SCREEN_PARTITION_4SE_B32, B32, B32, 0, partition(a));
