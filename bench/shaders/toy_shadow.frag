#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "toy.glsl"

float error_function(float x)
{
	float a = abs(x), t = 1.0 + (0.278393 + (0.230389 + 0.078108 * a * a) * a) * a;
	t *= t;
	return sign(x) * (1.0 - 1.0 / (t * t));
}

/* Cards with round corners over their blurred shadows, as toolkits draw them: the blur is exact across, eight steps down. */
void main()
{
	const vec2 half_size = vec2(0.22, 0.14);
	const float radius = 0.05, sharpness = 14.0;
	vec2 p = mod(place() + 4.0, vec2(0.6, 0.45)) - vec2(0.3, 0.225);
	float shadow = 0.0;
	for (int i = 0; i < 8; i++) {
		float step_down = (float(i) - 3.5) * 0.03, y = p.y - 0.03 + step_down;
		float inside = min(half_size.y - radius - abs(y), 0.0);
		float across = half_size.x - radius + sqrt(max(radius * radius - inside * inside, 0.0));
		float covered = 0.5 * (error_function((p.x + across) * sharpness) - error_function((p.x - across) * sharpness));
		if (abs(y) < half_size.y)
			shadow += covered * exp(-step_down * step_down * sharpness * sharpness) * sharpness * 0.56419 * 0.03;
	}
	vec2 q = abs(p) - half_size + radius;
	float card = clamp(0.5 - 360.0 * (length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius), 0.0, 1.0);
	color = vec4(mix(vec3(0.85, 0.87, 0.9) * (1.0 - 0.5 * shadow), vec3(0.98, 0.97, 0.96), card), 1);
}
