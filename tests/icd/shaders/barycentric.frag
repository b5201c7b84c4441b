#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) in vec4 shade;
layout(location = 1) pervertexEXT in float mark[3];
layout(location = 0) out vec4 color;
// What the rasteriser interpolates, what this does, and vertex 0's share.
void main()
{
	float mine = dot(gl_BaryCoordEXT, vec3(mark[0], mark[1], mark[2]));
	color = vec4(shade.y, mine, gl_BaryCoordEXT.x, mark[0]);
}
