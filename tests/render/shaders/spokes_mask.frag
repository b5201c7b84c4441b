#version 450
// SPDX-License-Identifier: MIT

layout(location = 0) in vec4 shade;
layout(location = 1) in vec2 place;
layout(location = 0) out vec4 target;

/* Column by column one sample less; green where the pixel is covered in part. */
void main()
{
	int keep = 15 >> int(place.x * 5.0);
	gl_SampleMask[0] = keep;
	target = vec4(interpolateAtSample(shade, 2).bg, gl_SampleMaskIn[0] == 15 ? 0.0 : 1.0, 1).rbga;
}
