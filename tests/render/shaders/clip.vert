#version 450
// SPDX-License-Identifier: MIT

layout(push_constant) uniform constants {
	vec4 color;
	int shape;
	float tilt;
};
layout(location = 0) out vec2 place;
out gl_PerVertex {
	vec4 gl_Position;
	float gl_ClipDistance[2];
};

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main()
{
	vec2 corner = corners[gl_VertexIndex % 6];
	int cell = gl_VertexIndex / 6;
	gl_ClipDistance[0] = 1.0;
	gl_ClipDistance[1] = 1.0;
	place = corner;
	if (shape == 0) { // 16 cells, cut by two oblique planes
		vec2 p = (vec2(cell % 4, cell / 4) + corner) / 2.0 - 1.0;
		gl_Position = vec4(p, 0.5, 1);
		gl_ClipDistance[0] = 0.8 - p.x - 0.4 * p.y;
		gl_ClipDistance[1] = p.x * 1.5 + p.y * 0.7 + 0.9;
	} else if (shape == 1) { // a plane whose depth runs from left to right, beyond 0 and 1 when tilt is above 1
		gl_Position = vec4(corner * 2.0 - 1.0, 0.5 + (corner.x - 0.5) * tilt, 1);
	} else if (shape == 2) { // a floor from far ahead to behind the eye
		float w = mix(-2.0, 10.0, corner.y);
		gl_Position = vec4((corner.x - 0.5) * 12.0, 1.0, w * 0.9, w);
		place = vec2(corner.x * 12.0, w);
	} else { // 12 triangles around the middle, every other turned the other way
		int i = gl_VertexIndex / 3, k = gl_VertexIndex % 3;
		if ((i & 1) == 1)
			k = 2 - k;
		float t = float(i) / 12.0 * 2.0 - 1.0;
		vec2 a = vec2(t, 0.95), b = vec2(t + 0.12, -0.95 + 0.3 * tilt), c = vec2(t + 0.24, 0.5);
		gl_Position = vec4(k == 0 ? a : k == 1 ? b : c, 0.4 + 0.02 * float(i) - 0.3 * tilt, 1);
		place = gl_Position.xy;
	}
}
