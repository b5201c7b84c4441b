#version 450
// SPDX-License-Identifier: MIT
// Outputs of every kind, captured to two buffers.
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(xfb_buffer = 0, xfb_stride = 72) out;
layout(xfb_buffer = 1, xfb_stride = 52) out;
layout(xfb_buffer = 0) out gl_PerVertex {
	layout(xfb_offset = 0) vec4 gl_Position;
	layout(xfb_offset = 16) float gl_PointSize;
	layout(xfb_offset = 20) float gl_ClipDistance[2];
};
layout(location = 0, xfb_buffer = 0, xfb_offset = 32) out vec4 color;
layout(location = 1, xfb_buffer = 0, xfb_offset = 48) flat out dvec2 wide;
layout(location = 2, xfb_buffer = 1, xfb_offset = 0) flat out uint number;
layout(location = 3, xfb_buffer = 1, xfb_offset = 4) flat out f16vec3 halves;
layout(location = 4, xfb_buffer = 1, xfb_offset = 10) flat out u16vec2 shorts;
layout(location = 5, xfb_buffer = 1) out Block {
	layout(xfb_offset = 16) vec2 array[2];
	vec4 not_captured;
	layout(xfb_offset = 32) mat2 matrix;
} block;
void main()
{
	int n = gl_VertexIndex + 10 * gl_InstanceIndex;
	float f = float(n);
	gl_Position = vec4(f, f + 0.5, -f, 1.0);
	gl_PointSize = f + 1.0;
	gl_ClipDistance[0] = f * 0.25;
	gl_ClipDistance[1] = f + 2.0;
	color = vec4(f, f + 1.0, f + 2.0, f + 3.0);
	wide = dvec2(double(n) * 0.25lf, -double(n));
	number = uint(n) * 0x01010101u;
	halves = f16vec3(float16_t(f), float16_t(f + 0.5), float16_t(-f));
	shorts = u16vec2(uint16_t(n), uint16_t(3 * n));
	block.array[0] = vec2(f, -1.0);
	block.array[1] = vec2(f, -2.0);
	block.not_captured = vec4(7.0);
	block.matrix = mat2(f, 1.0, 2.0, f);
}
