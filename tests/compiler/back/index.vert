#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_multiview : enable
#extension GL_EXT_device_group : enable
layout(location = 0) in vec4 position;
layout(set = 0, binding = 0) uniform Block { mat4 mvp[4]; } block;
void main()
{
	gl_Position = block.mvp[INDEX] * position;
}
