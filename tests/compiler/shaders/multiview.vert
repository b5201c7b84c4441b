#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_multiview : enable
#extension GL_EXT_device_group : enable
layout(binding = 0) uniform U { mat4 m[2]; };
layout(location = 0) in vec4 p;
void main() { gl_Position = m[gl_ViewIndex] * p + float(gl_DeviceIndex); }
