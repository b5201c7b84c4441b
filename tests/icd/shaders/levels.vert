#version 450
// SPDX-License-Identifier: MIT
// The number of the first instance is every level.
void main()
{
	gl_Position = vec4(gl_InstanceIndex);
}
