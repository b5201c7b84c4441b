// SPDX-License-Identifier: MIT
// Flowers of sixteen petals, each two triangles, on a grid of 8 x 8: one geometry for the mesh
// shaders and for the vertex shader that draws the same.
const uint GRID = 8, PETALS = 16;
const float STEP[17] = float[](0.0, 0.38268343, 0.70710678, 0.92387953, 1.0, 0.92387953, 0.70710678, 0.38268343,
	0.0, -0.38268343, -0.70710678, -0.92387953, -1.0, -0.92387953, -0.70710678, -0.38268343, 0.0);

vec2 turn(uint sixteenth)
{
	return vec2(STEP[(sixteenth + 4u) & 15u], STEP[sixteenth & 15u]);
}

// Every third flower has no petals in its left half.
bool exists(uint flower, uint petal)
{
	return flower % 3u != 2u || petal < 4u || petal >= 12u;
}

// Corner 0: the middle, 1 and 2: sides, 3: the tip.
vec4 corner(uint flower, uint petal, uint n)
{
	vec2 middle = (vec2(flower % GRID, flower / GRID) + 0.5) * (2.0 / float(GRID)) - 1.0;
	vec2 to = turn(petal), side = vec2(-to.y, to.x);
	vec2 at = n == 0u ? vec2(0.0) : n == 3u ? to * 0.12 : to * 0.07 + side * (n == 1u ? 0.016 : -0.016);
	return vec4(middle + at, 0.25 + float(petal) / 64.0, 1.0);
}

vec3 shade(uint flower, uint petal)
{
	return vec3(float(flower % GRID) / 7.0, float(flower / GRID) / 7.0, float(petal) / 15.0);
}
