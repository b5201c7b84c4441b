#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer R { uint failed, checks, first; };
layout(push_constant) uniform P { uint v[32]; };
void check(bool c) { checks++; if (!c) { if (failed == 0) first = checks; failed++; } }
/* More exits in a row than control flow may nest: returns, and a loop's breaks and continues. */
#define X10(S, k) S(k) S(k + 1) S(k + 2) S(k + 3) S(k + 4) S(k + 5) S(k + 6) S(k + 7) S(k + 8) S(k + 9)
#define X50(S, k) X10(S, k) X10(S, k + 10) X10(S, k + 20) X10(S, k + 30) X10(S, k + 40)
#define X350(S, k) X50(S, k) X50(S, k + 50) X50(S, k + 100) X50(S, k + 150) X50(S, k + 200) X50(S, k + 250) X50(S, k + 300)
#define RETURN(k) if (x == (k)) return 3 * (k) + w; w = w * 5 + 1;
#define LEAVE(k) if (x == 2 * (k)) { turns += w; break; } if (x == 2 * (k) + 1) { x += 150; turns += 1000; continue; } w = w * 5 + 1;
uint returns(uint x)
{
	uint w = v[3];
	X350(RETURN, 0) X350(RETURN, 350)
	return 7;
}
uint leaves(uint x)
{
	uint turns = 0, w = 0;
	for (uint i = 0; i < 3; i++) {
		w = v[3];
		X350(LEAVE, 0)
		turns++;
	}
	return turns;
}
uint after(uint steps)
{
	uint w = v[3];
	for (uint i = 0; i < steps; i++)
		w = w * 5 + 1;
	return w;
}
/* What the two give, one turn at a time. */
uint left(uint x)
{
	uint turns = 0;
	for (uint i = 0; i < 3; i++) {
		if (x < 700 && x % 2 == 0)
			return turns + after(x / 2);
		turns += x < 700 ? 1000 : 1;
		x += x < 700 ? 150 : 0;
	}
	return turns;
}
void main()
{
	uint none = v[0] - 1;
	for (uint i = 0; i < 9; i++) {
		uint x = none + i * 99 - i / 6; /* 0 .. 495, 593, 692, 791 */
		check(returns(x) == (x < 700 ? 3 * x + after(x) : 7));
	}
	for (uint i = 0; i < 15; i++) {
		uint x = none + i * 53; /* up to 742, even and odd */
		check(leaves(x) == left(x));
	}
}
