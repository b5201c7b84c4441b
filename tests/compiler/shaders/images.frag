#version 450
// SPDX-License-Identifier: MIT
layout(binding = 0) uniform sampler1D s1;
layout(binding = 1) uniform sampler2D s2;
layout(binding = 2) uniform sampler3D s3;
layout(binding = 3) uniform samplerCube sc;
layout(binding = 4) uniform sampler2DArray s2a;
layout(binding = 5) uniform samplerCubeArray sca;
layout(binding = 6) uniform sampler2DShadow sh;
layout(binding = 7) uniform samplerCubeShadow sch;
layout(binding = 8) uniform isampler2D is2;
layout(binding = 9) uniform usamplerBuffer ub;
layout(binding = 10) uniform sampler2DMS ms;
layout(binding = 11) uniform sampler2D many[4];
layout(binding = 12) uniform texture2D tex;
layout(binding = 13) uniform sampler smp;
layout(binding = 14) uniform texture2D texs[3];
layout(binding = 15) uniform sampler1DArrayShadow sha;
layout(binding = 16) uniform sampler2DArrayShadow sh2a;
layout(input_attachment_index = 0, binding = 17) uniform subpassInput sub;
layout(binding = 18) uniform samplerShadow smps;
layout(location = 0) in vec4 v;
layout(location = 1) flat in ivec4 n;
layout(location = 0) out vec4 o;
vec4 through(texture2D t, vec2 at) { return texture(sampler2D(t, smp), at); }
vec4 combined(sampler2D t, vec2 at) { return textureLod(t, at, 1.0); }
void main()
{
	o = texture(s1, v.x) + texture(s2, v.xy) + texture(s3, v.xyz) + texture(sc, v.xyz) + texture(s2a, v.xyz) + texture(sca, v);
	o += texture(s2, v.xy, 0.5) + textureLod(s2, v.xy, 2.0) + textureGrad(s3, v.xyz, v.xxx, v.yyy) + textureOffset(s2, v.xy, ivec2(1, -1));
	o += textureProj(s2, v.xyz) + textureProj(s2, v) + textureProjLod(s3, v, 1.0) + textureProjGradOffset(s2, v, v.xy, v.zw, ivec2(1));
	o.x += texture(sh, v.xyz) + texture(sch, v) + textureProj(sh, v) + textureLod(sh, v.xyz, 0.0) + texture(sha, v.xyz) + texture(sh2a, v);
	o += texelFetch(s2, n.xy, 1) + texelFetch(s2a, n.xyz, 0) + vec4(texelFetch(is2, n.xy, 0)) + vec4(texelFetch(ub, n.x)) + texelFetch(ms, n.xy, n.z);
	o += texelFetchOffset(s2, n.xy, 0, ivec2(2, 3));
	o += textureGather(s2, v.xy, 2) + textureGather(sc, v.xyz) + textureGatherOffset(s2, v.xy, ivec2(1, 2), 1) + textureGather(sh, v.xy, v.z);
	const ivec2 offsets[4] = ivec2[](ivec2(0), ivec2(1), ivec2(2), ivec2(3));
	o += textureGatherOffsets(s2, v.xy, offsets, 0);
	o += texture(many[2], v.xy) + texture(many[n.x], v.xy) + through(tex, v.xy) + through(texs[n.y], v.xy) + combined(many[n.z], v.zw);
	o.y += texture(sampler2DShadow(tex, smps), v.xyz);
	o.xy += vec2(textureSize(s2, 0)) + vec2(textureSize(sc, n.x)) + textureQueryLod(s2a, v.xy);
	o.xyz += vec3(textureSize(s2a, 0)) + vec3(textureSize(sca, 0)) + float(textureQueryLevels(s2) + textureSamples(ms) + textureSize(ub));
	o += subpassLoad(sub);
	if (v.x > 0.0)
		o += texture(s2, v.xy).wzyx;
}
