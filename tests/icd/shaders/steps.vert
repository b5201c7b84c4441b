#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in uint each;
layout(location = 1) in uint stepped;
layout(location = 2) in uint fixed_;
layout(set = 0, binding = 0) buffer Out { uvec4 data[]; };
void main()
{
	data[gl_InstanceIndex] = uvec4(each, stepped, fixed_, gl_InstanceIndex);
	gl_Position = vec4(0.0);
}
