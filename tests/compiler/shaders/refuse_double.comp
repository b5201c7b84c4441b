#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer R { double d; };
void main() { d = d * 2.0; }
