#version 450
// SPDX-License-Identifier: MIT
layout(early_fragment_tests) in;
layout(location = 0) in vec3 a;
layout(location = 1) noperspective in vec2 xy;
layout(location = 1, component = 2) centroid in float z;
layout(location = 2) flat in ivec4 ids;
layout(location = 3) in Block { vec4 c; layout(location = 7) vec2 d; sample float e[2]; } blk;
layout(location = 12) in mat2 mo;
layout(location = 14) in float dyn[4];
layout(location = 0) out vec4 o0;
layout(location = 1) out uvec2 o1;
layout(location = 2) out float o2[2];
in float gl_ClipDistance[3];
layout(push_constant) uniform P { int k; };
void main()
{
	o0 = vec4(a, z) + gl_FragCoord + blk.c + vec4(mo[0], mo[1]);
	if (gl_FrontFacing)
		o0.xy += gl_PointCoord;
	o0.zw += xy + blk.d * blk.e[k] + gl_SamplePosition;
	o1 = uvec2(ids.x + gl_SampleID, gl_SampleMaskIn[0]);
	o2[0] = dyn[k] + interpolateAtCentroid(a.x) + interpolateAtOffset(xy, vec2(0.25)).x + interpolateAtSample(z, 1);
	o2[1] = gl_ClipDistance[1] + gl_ClipDistance[k] + float(gl_HelperInvocation) + interpolateAtCentroid(dyn[k]);
	o0.x += interpolateAtCentroid(a).y;
}
