// SPDX-License-Identifier: MIT
// 48 points in the lower half, 8 a row; sizes 1 to 24.5, some across the border.
#version 450

layout(location = 0) out vec3 shade;

void main()
{
	int column = gl_VertexIndex % 8, row = gl_VertexIndex / 8;
	gl_Position = vec4(-1.0 + float(column) * 0.285, 0.02 + float(row) * 0.194, 0, 1);
	gl_PointSize = 1.0 + float(gl_VertexIndex) * 0.5;
	shade = vec3(0.3 + 0.1 * float(column), 1.0 - 0.15 * float(row), 0.5);
}
