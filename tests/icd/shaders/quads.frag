#version 450
#extension GL_EXT_nonuniform_qualifier : require
// SPDX-License-Identifier: MIT
layout(set = 0, binding = 0) buffer Out { vec4 texels[]; } result;
layout(set = 0, binding = 1) uniform sampler2D images[];
/* Neighbours sample different images, whose texels are (image, level); a pixel is two
 * texels wide, of every other row of quads four. */
void main()
{
	uvec2 at = uvec2(gl_FragCoord.xy);
	uint image = (at.x + at.y) % 3u;
	vec2 uv = gl_FragCoord.xy * (at.y / 2 % 2 == 0 ? 2.0 : 4.0) / 16.0;
	vec2 lod = textureQueryLod(images[nonuniformEXT(image)], uv);
	result.texels[16 * at.y + at.x] = vec4(texture(images[nonuniformEXT(image)], uv).xy, lod.y,
		texture(images[nonuniformEXT(image)], uv, 1.0).y);
}
