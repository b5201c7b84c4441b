// SPDX-License-Identifier: MIT
#version 450

layout(triangles, equal_spacing, point_mode) in;
layout(location = 0) in vec3 color[];
layout(location = 1) patch in vec3 mean;
layout(location = 0) out vec3 shade;

vec4 at(int i) { return gl_in[i].gl_Position; }

void main()
{
	vec3 t = gl_TessCoord;
	gl_Position = t.z * at(0) + t.x * at(1) + t.y * at(2);
	shade = mix(t.z * color[0] + t.x * color[1] + t.y * color[2], mean, 0.25);
	gl_PointSize = 2;
}
