#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) out vec4 shade;
layout(location = 1) out vec2 place;
layout(constant_id = 0) const int kind = 0;

/* Spokes of a wheel that lean, so that they cut each other (kind 0), or a
 * rectangle of the lower half: left (1), middle (2), right (3). */
void main()
{
	int i = gl_VertexIndex / 3, corner = gl_VertexIndex % 3;
	if (kind > 0) {
		vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
		place = at;
		shade = vec4(1, 1 - at.x, at.y, at.x);
		gl_Position = vec4((float(kind) - 2.5 + 0.95 * at.x) * 0.625, 0.27 + 0.7 * at.y, 0.5, 1);
		return;
	}
	float t = float(i) / 10.0 - 0.93;
	vec2 along = vec2(1 - t * t, 2 * t) / (1 + t * t), across = vec2(-along.y, along.x);
	if ((i & 1) == 1)
		along = -along;
	vec2 at = corner == 0 ? -0.2 * along : 0.9 * along + (float(corner) - 1.5) * 0.11 * across;
	place = vec2(0);
	shade = vec4(float(i % 3) * 0.5, float(i % 5) * 0.25, 1 - float(i % 4) * 0.3, 1);
	gl_Position = vec4(at.x, at.y * 0.55 - 0.4, corner == 2 ? 0.2 : corner == 0 ? 0.5 : 0.8, 1);
}
