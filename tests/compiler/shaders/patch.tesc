// SPDX-License-Identifier: MIT
#version 450
// Inputs and outputs of each kind: arrays and matrices, of vertices and of patches; vertices of other invocations.
layout(vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 1) in vec2 pair[][3];
layout(location = 0) out vec4 out_color[];
layout(location = 1) out mat3x2 out_matrix[];
layout(location = 5) out struct { float a; ivec2 b[2]; } out_struct[];
layout(location = 10) patch out vec4 corner[3];
layout(location = 14) patch out Block { float sum; double wide; } block;
layout(push_constant) uniform Push { int which; };
void main()
{
	gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position + gl_in[(gl_InvocationID + 1) % gl_PatchVerticesIn].gl_Position;
	out_color[gl_InvocationID] = color[gl_InvocationID];
	out_matrix[gl_InvocationID] = mat3x2(pair[gl_InvocationID][0], pair[gl_InvocationID][which], pair[which][2]);
	out_struct[gl_InvocationID].a = float(gl_PrimitiveID);
	out_struct[gl_InvocationID].b[which] = ivec2(gl_InvocationID, which);
	corner[gl_InvocationID] = gl_in[gl_InvocationID].gl_Position;
	barrier();
	if (gl_InvocationID == 0) {
		gl_TessLevelOuter[0] = out_color[1].x;
		gl_TessLevelOuter[1] = out_color[which].y;
		gl_TessLevelOuter[2] = out_struct[2].a;
		gl_TessLevelOuter[3] = 1;
		gl_TessLevelInner[0] = corner[which].z;
		gl_TessLevelInner[1] = 2;
		block.sum = out_color[0].x + out_color[1].x + out_color[2].x;
		block.wide = double(block.sum) * 2;
	}
}
