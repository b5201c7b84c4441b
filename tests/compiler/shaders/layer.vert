#version 450
// SPDX-License-Identifier: MIT
#extension GL_ARB_shader_viewport_layer_array : enable
void main() { gl_Position = vec4(0); gl_Layer = 1; }
