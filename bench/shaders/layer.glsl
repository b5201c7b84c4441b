/* SPDX-License-Identifier: MIT */
// Some light on a bent surface: about 20 operations.
layout(location = 0) flat in int layer;
layout(location = 0) out vec4 color;

vec3 shade()
{
	vec2 p = gl_FragCoord.xy / vec2(1280, 720) - 0.5;
	vec3 n = normalize(vec3(p, 0.5 + 0.05 * float(layer)));
	float lambert = max(dot(n, vec3(0.48, 0.6, 0.64)), 0.0);
	vec3 base = vec3(0.2 + 0.05 * float(layer), 0.9 - 0.05 * float(layer), 0.5);
	return base * (0.2 + 0.8 * lambert);
}
