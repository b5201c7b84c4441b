// SPDX-License-Identifier: MIT
// Each point has an outer level, and the first two the inner ones: read from other invocations.
#version 450

layout(vertices = 4) out;
layout(location = 0) in Point { vec3 color; vec2 levels; } from[];
layout(location = 0) out vec3 color[];
layout(location = 1) patch out vec3 mean;
layout(location = 2) out float outer[];

void main()
{
	gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
	color[gl_InvocationID] = from[gl_InvocationID].color;
	outer[gl_InvocationID] = from[gl_InvocationID].levels.x;
	barrier();
	if (gl_InvocationID == 0) {
		mean = (color[0] + color[1] + color[2] + color[3]) / 4;
		for (int i = 0; i < 4; i++)
			gl_TessLevelOuter[i] = outer[i];
		for (int i = 0; i < 2; i++)
			gl_TessLevelInner[i] = from[i].levels.y;
	}
}
