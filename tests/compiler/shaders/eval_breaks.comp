#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer R { uint failed, checks, first; };
layout(push_constant) uniform P { uint v[32]; };
void check(bool c) { checks++; if (!c) { if (failed == 0) first = checks; failed++; } }
/* A loop that is left in 300 places: its exit has a value from each. */
#define L(k) if (x == (k)) { r = 3 * (k) + w; if (v[1] == 2) break; r = 0; } w = w * 5 + 1;
#define L10(k) L(k) L(k + 1) L(k + 2) L(k + 3) L(k + 4) L(k + 5) L(k + 6) L(k + 7) L(k + 8) L(k + 9)
#define L100(k) L10(k) L10(k + 10) L10(k + 20) L10(k + 30) L10(k + 40) L10(k + 50) L10(k + 60) L10(k + 70) L10(k + 80) L10(k + 90)
uint leave(uint x)
{
	uint r = 0, w = v[3];
	while (true) {
		L100(0) L100(100) L100(200)
		r = 7;
		break;
	}
	return r;
}
uint expected(uint x)
{
	uint w = v[3];
	for (uint i = 0; i < x; i++)
		w = w * 5 + 1;
	return x < 300 ? 3 * x + w : 7;
}
void main()
{
	uint one = v[0];
	check(leave(one - 1) == expected(0));
	check(leave(one + 42) == expected(43));
	check(leave(one + 43) == expected(44));
	check(leave(one + 254) == expected(255));
	check(leave(one + 255) == expected(256));
	check(leave(one + 298) == expected(299));
	check(leave(one + 299) == expected(300));
}
