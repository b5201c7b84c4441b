#version 450
// SPDX-License-Identifier: MIT
layout(quads, point_mode) in;
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 12) out vec3 place;
void main()
{
	place = vec3(gl_TessCoord.xy, gl_PrimitiveID);
	gl_Position = vec4(gl_TessCoord.xy, 0.5, 1.0);
}
