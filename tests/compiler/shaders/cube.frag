#version 450
// SPDX-License-Identifier: MIT
layout(binding = 1) uniform sampler2D tex;
layout(location = 0) in vec4 texcoord;
layout(location = 1) in vec3 frag_pos;
layout(location = 0) out vec4 color;
const vec3 light = vec3(0.424, 0.566, 0.707);
void main()
{
	vec3 dx = dFdx(frag_pos), dy = dFdy(frag_pos);
	vec3 normal = normalize(cross(dx, dy));
	float l = max(0.0, dot(light, normal));
	color = l * texture(tex, texcoord.xy);
}
