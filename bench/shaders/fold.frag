// SPDX-License-Identifier: MIT
// About 100 instructions once the loop is unrolled.
#version 450

layout(constant_id = 0) const int kind = 0;
layout(constant_id = 1) const float salt = 0; // too little to be seen
layout(location = 0) out vec4 color;

void main()
{
	vec2 p = gl_FragCoord.xy / 360.0 - vec2(16.0 / 9.0, 1);
	vec3 sum = vec3(0);
	float k = float(kind) + salt;
	for (int i = 0; i < 6; i++) {
		vec2 a = abs(p) * vec2(1.0 + 0.01 * k, 1) - vec2(0.2 + 0.01 * k, 0.3);
		p = vec2(0.8 * a.x - 0.6 * a.y, 0.6 * a.x + 0.8 * a.y);
		float r = length(p);
		sum += vec3(1.0 / (1.0 + 4.0 * r), min(abs(p.x), 1.0), r / (1.0 + r));
	}
	color = vec4(sum / 6.0, 1);
}
