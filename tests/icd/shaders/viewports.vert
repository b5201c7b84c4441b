#version 450
// SPDX-License-Identifier: MIT
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) flat out int instance;
void main()
{
	instance = gl_InstanceIndex;
	gl_ViewportIndex = gl_InstanceIndex;
	gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
