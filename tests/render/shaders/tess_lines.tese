// SPDX-License-Identifier: MIT
#version 450

layout(isolines, equal_spacing) in;
layout(location = 0) in vec3 color[];
layout(location = 1) patch in vec3 mean;
layout(location = 0) out vec3 shade;

vec4 at(int i) { return gl_in[i].gl_Position; }

void main()
{
	vec3 t = gl_TessCoord;
	gl_Position = mix(mix(at(0), at(1), t.x), mix(at(3), at(2), t.x), t.y);
	gl_Position.xy += 0.06 * t.x * (1 - t.x) * vec2(t.y, 1 - t.y);
	shade = mix(mix(color[0], color[1], t.x), mix(color[3], color[2], t.x), t.y);
}
