#version 450
// SPDX-License-Identifier: MIT
// The volume behind what the light meets: both caps, and sides at the edges where its part ends;
// seen from above, down to the ground.
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 18) out;
layout(location = 0) in vec3 place[];
layout(location = 0) flat out vec3 tint;

const vec2 away = vec2(1.0, 0.5);

bool is_lit(vec3 a, vec3 b, vec3 c)
{
	return dot(cross(b - a, c - a), vec3(-away, 1)) > 0.0;
}

void emit(vec3 at, float down)
{
	gl_Position = vec4((at.xy + away * at.z * down) / vec2(80, 45) - 1.0, 0, 1);
	tint = vec3(0.25, 0.5, 0.75);
	EmitVertex();
}

void main()
{
	if (!is_lit(place[0], place[2], place[4]))
		return;
	for (int cap = 0; cap < 2; cap++) {
		for (int i = 0; i < 6; i += 2)
			emit(place[i], float(cap));
		EndPrimitive();
	}
	for (int i = 0; i < 6; i += 2) {
		int next = (i + 2) % 6;
		if (is_lit(place[i], place[i + 1], place[next]))
			continue;
		emit(place[i], 0.0);
		emit(place[next], 0.0);
		emit(place[i], 1.0);
		emit(place[next], 1.0);
		EndPrimitive();
	}
}
