#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 position;
layout(location = 3) in vec2 uv;
layout(location = 5) in vec4 tint;
layout(set = 0, binding = 0) uniform Block { mat4 mvp; vec4 plane; } block;
layout(location = 1) out vec2 out_uv;
layout(location = 4) flat out uint number;
layout(location = 7) out vec4 color;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };
void main()
{
	gl_Position = block.mvp * position;
	gl_PointSize = 3.0;
	gl_ClipDistance[0] = dot(position, block.plane);
	gl_ClipDistance[1] = position.x;
	out_uv = uv;
	number = uint(gl_InstanceIndex);
	color = tint;
}
