#version 450
// SPDX-License-Identifier: MIT
// What is asked of images: sizes of the first level and of others, levels, samples.
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { int lod; int said[]; };
layout(binding = 1) uniform texture2D plain;
layout(binding = 2) uniform texture3D volume;
layout(binding = 3) uniform textureCubeArray cubes;
layout(binding = 4) uniform texture1DArray lines;
layout(binding = 5) uniform texture2DMS samples;
layout(binding = 6, rgba8) uniform image2DArray layers;
layout(binding = 7) uniform texture2DArray none;
layout(binding = 8, rgba8) uniform image3D no_image;

int at = 0;
void say(int v) { said[at++] = v; }
void say(ivec2 v) { say(v.x); say(v.y); }
void say(ivec3 v) { say(v.xy); say(v.z); }

void main()
{
	int lane = int(gl_LocalInvocationIndex);
	if (lane == 0) {
		say(textureSize(plain, 0));
		say(textureSize(plain, 1));
		say(textureSize(plain, lod));
		say(textureQueryLevels(plain));
		say(textureSize(volume, 0));
		say(textureQueryLevels(volume));
		say(textureSize(cubes, 0));
		say(textureSize(lines, 0));
		say(textureSize(samples));
		say(textureSamples(samples));
		say(imageSize(layers));
		say(textureSize(none, 0));
		say(textureQueryLevels(none));
		say(imageSize(no_image));
	}
	said[64 + lane] = textureSize(plain, lane & 3).x * 1000 + textureSize(plain, 0).y + lane;
}
