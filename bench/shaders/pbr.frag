#version 450
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
// Metal and roughness under four lights and an environment, the sum of whose light is split.
#include "pbr.glsl"

layout(location = 0) in vec3 at;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 1) uniform samplerCube irradiance;
layout(binding = 2) uniform samplerCube prefiltered;
layout(binding = 3) uniform sampler2D brdf;
layout(binding = 4) uniform sampler2D albedo_map;
layout(binding = 5) uniform sampler2D normal_map;
layout(binding = 6) uniform sampler2D material_map;

const float most_lod = 5.0, pi = 3.14159265;

// Cook-Torrance: GGX, Smith after Schlick, Fresnel after Schlick.
vec3 reflect_light(vec3 n, vec3 v, vec3 l, vec3 f0, vec3 diffuse, float rough)
{
	vec3 h = normalize(v + l);
	float nl = clamp(dot(n, l), 0.0, 1.0), nv = clamp(dot(n, v), 0.001, 1.0), nh = clamp(dot(n, h), 0.0, 1.0);
	float alpha = rough * rough, square = alpha * alpha, base = nh * nh * (square - 1.0) + 1.0;
	float d = square / (pi * base * base);
	float k = (rough + 1.0) * (rough + 1.0) / 8.0;
	float g = nl / (nl * (1.0 - k) + k) * nv / (nv * (1.0 - k) + k);
	vec3 f = f0 + (1.0 - f0) * pow(1.0 - clamp(dot(v, h), 0.0, 1.0), 5.0);
	return ((1.0 - f) * diffuse / pi + d * g * f / (4.0 * nl * nv + 0.001)) * nl;
}

void main()
{
	vec3 albedo = base.rgb * texture(albedo_map, uv).rgb;
	vec3 material = texture(material_map, uv).rgb, bump = 2.0 * texture(normal_map, uv).xyz - 1.0;
	float rough = factor.y * material.g, metal = factor.x * material.b;
	vec3 n = normalize(normal), t = normalize(tangent.xyz - dot(tangent.xyz, n) * n), b = tangent.w * cross(n, t);
	n = normalize(mat3(t, b, n) * bump);
	vec3 v = normalize(eye.xyz - at), f0 = mix(vec3(0.04), albedo, metal), diffuse = (1.0 - metal) * albedo;
	float nv = max(dot(n, v), 0.0);

	vec3 sum = vec3(0.0);
	for (int i = 0; i < 4; i++)
		sum += lights[i].color.rgb * reflect_light(n, v, normalize(lights[i].at.xyz - at), f0, diffuse, rough);

	vec3 f = f0 + (max(vec3(1.0 - rough), f0) - f0) * pow(1.0 - nv, 5.0);
	vec2 scale = texture(brdf, vec2(nv, rough)).rg;
	vec3 mirrored = textureLod(prefiltered, reflect(-v, n), rough * most_lod).rgb;
	vec3 around = (1.0 - f) * diffuse * texture(irradiance, n).rgb + mirrored * (f * scale.x + scale.y);
	sum += material.r * around;
	color = vec4(clamp(sum * (2.51 * sum + 0.03) / (sum * (2.43 * sum + 0.59) + 0.14), 0.0, 1.0), 1);
}
