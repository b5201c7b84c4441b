#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer R { uint failed, checks, first; };
layout(push_constant) uniform P { uint v[32]; };
void check(bool c) { checks++; if (!c) { if (failed == 0) first = checks; failed++; } }
int early(int x)
{
	if (x < 0)
		return -1;
	for (int i = 0; i < 10; i++) {
		if (i == x)
			return i * 100;
		if (i == 7)
			break;
	}
	return 5;
}
int sw(int x)
{
	int r = 0;
	switch (x) {
	case 0:
		r += 1;
	case 1:
		r += 2;
		break;
	default:
		r += 4;
	case 2:
		r += 8;
		if (x == 9)
			break;
		r += 16;
		break;
	case 5: case 6:
		return 1000;
	}
	return r;
}
int nested(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		int k = 0;
		while (true) {
			k++;
			if (k == 3)
				continue;
			if (k > i)
				break;
			switch (k) {
			case 1:
				sum += 1;
				continue;
			case 4:
				sum += 100;
				break;
			default:
				sum += 10;
			}
			sum += 1000;
		}
		if (i == 5)
			return sum;
	}
	return -sum;
}
int do_while(int n)
{
	int i = 0, s = 0;
	do {
		i++;
		if (i == 2)
			continue;
		s += i;
		if (s > 20)
			break;
	} while (i < n);
	return s * 100 + i;
}
bool side(inout int c, bool r) { c++; return r; }
int swap_loop(int n)
{
	int a = 1, b = 2;
	for (int i = 0; i < n; i++) {
		int t = a;
		a = b;
		b = t;
	}
	return a * 10 + b;
}
int deep(int x)
{
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 4; j++) {
			for (int k = 0; k < 4; k++) {
				if (i * 16 + j * 4 + k == x)
					return i + j + k;
				if (k == 3 - j)
					break;
			}
			if (j == 3 && i == 3)
				return -2;
		}
	}
	return -1;
}
void main()
{
	int one = int(v[0]);
	check(early(-one) == -1 && early(3) == 300 && early(8 * one) == 5 && early(7) == 700);   // 1
	check(sw(0) == 3 && sw(one) == 2 && sw(2) == 24);
	check(sw(3 * one) == 28 && sw(5) == 1000 && sw(6) == 1000 && sw(9 * one) == 12);
	check(nested(2) == -1 && nested(6) == 7255 && nested(3) == -1012);
	check(do_while(one) == 101 && do_while(3) == 403 && do_while(100) == 2607);              // 5
	int c = 0;
	check((side(c, false) && side(c, true)) == false && c == 1);
	check((side(c, true) || side(c, true)) && c == 2);
	check((one == 1 ? side(c, true) : side(c, false)) && c == 3);
	check(swap_loop(one) == 21 && swap_loop(2) == 12);
	check(deep(0) == 0 && deep(17 * one) == 2 && deep(7) == -2 && deep(63) == -2);             // 10
	int s = 0;
	for (int i = 0; i < 10; i++) {
		if ((i & 1) == one)
			continue;
		s += i;
	}
	check(s == 20);
	s = 0;
	for (int i = 0, j = 10; i < j; i++, j--)
		s += j - i;
	check(s == 30);
	while (s > 0) { s -= 7; if (s == 2) { s = 50; break; } }
	check(s == 50);
}
