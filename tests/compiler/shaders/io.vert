#version 450
// SPDX-License-Identifier: MIT
#extension GL_ARB_shader_draw_parameters : enable
layout(location = 0) in vec4 pos;
layout(location = 1) in mat3 m;
layout(location = 4) in ivec2 i2;
layout(location = 5) in float arr[3];
layout(location = 8, component = 2) in vec2 packed_;
layout(location = 0) out vec3 a;
layout(location = 1, component = 0) out vec2 xy;
layout(location = 1, component = 2) out float z;
layout(location = 2) flat out ivec4 ids;
layout(location = 3) out Block { vec4 c; layout(location = 7) vec2 d; float e[2]; } blk;
layout(location = 12) out mat2 mo;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[6]; float gl_CullDistance[2]; };
layout(push_constant) uniform P { int k; vec4 planes[6]; };
void main()
{
	gl_Position = pos;
	gl_PointSize = 3.0;
	for (int i = 0; i < 6; i++)
		gl_ClipDistance[i] = dot(pos, planes[i]);
	gl_CullDistance[0] = pos.x;
	gl_CullDistance[1] = arr[k];
	a = m * pos.xyz + m[k];
	xy = packed_;
	z = float(i2.x);
	ids = ivec4(gl_VertexIndex, gl_InstanceIndex, gl_DrawIDARB, gl_BaseVertexARB + gl_BaseInstanceARB);
	blk.c = pos;
	blk.d = pos.xy;
	blk.e[k] = 1.0;
	mo = mat2(m);
}
