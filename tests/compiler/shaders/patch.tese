// SPDX-License-Identifier: MIT
#version 450
layout(triangles, fractional_odd_spacing, ccw) in;
layout(location = 0) in vec4 color[];
layout(location = 1) in mat3x2 matrix[];
layout(location = 5) in struct { float a; ivec2 b[2]; } s[];
layout(location = 10) patch in vec4 corner[3];
layout(location = 14) patch in Block { float sum; double wide; } block;
layout(location = 0) out vec4 out_color;
layout(location = 1) flat out int id;
layout(push_constant) uniform Push { int which; };
void main()
{
	vec3 t = gl_TessCoord;
	gl_Position = t.x * gl_in[0].gl_Position + t.y * gl_in[1].gl_Position + t.z * gl_in[2].gl_Position;
	out_color = color[which] + corner[which] + vec4(matrix[which][which], s[1].b[which]) + float(block.wide) * block.sum;
	gl_PointSize = gl_TessLevelOuter[which] + gl_TessLevelInner[0];
	id = gl_PrimitiveID + gl_PatchVerticesIn;
}
