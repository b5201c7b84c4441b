#version 450
// SPDX-License-Identifier: MIT
layout(binding = 0) uniform sampler2DMS ms;
layout(binding = 1) uniform usampler2DMSArray msa;
layout(input_attachment_index = 0, binding = 2) uniform subpassInputMS sub;
layout(input_attachment_index = 1, binding = 3) uniform isubpassInputMS subi;
layout(binding = 4) uniform sampler2DMS many[3];
layout(location = 0) sample in vec4 s;
layout(location = 1) centroid in vec4 c;
layout(location = 2) noperspective in vec4 l;
layout(location = 3) flat in ivec4 n;
layout(location = 4) in vec4 v;
layout(location = 0) out vec4 o;
layout(location = 1) out uvec4 u;
void main()
{
	o = s + c + interpolateAtSample(v, gl_SampleID) + interpolateAtSample(l, n.x) + interpolateAtCentroid(v);
	o.xy += gl_SamplePosition + gl_FragCoord.xy;
	o += texelFetch(ms, n.xy, n.z) + texelFetch(ms, n.xy, 3) + texelFetch(many[n.w], n.xy, 0);
	o += subpassLoad(sub, 1) + vec4(subpassLoad(subi, n.w));
	o.zw += vec2(textureSize(ms)) + float(textureSamples(ms) + textureSamples(msa) + textureSamples(many[n.x]));
	u = texelFetch(msa, n.xyz, gl_SampleID) + uvec4(textureSize(msa), 0u);
	u.x += uint(gl_SampleMaskIn[0]);
	gl_SampleMask[0] = gl_SampleMaskIn[0] & n.w;
}
