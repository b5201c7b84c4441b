#version 450
// SPDX-License-Identifier: MIT
// What constants of the pipeline turn on.
layout(constant_id = 0) const bool discards = false;
layout(constant_id = 1) const bool counts = false;
layout(constant_id = 2) const bool samples = false;
layout(location = 1) in vec2 uv;
layout(set = 0, binding = 1) uniform sampler2D image;
layout(set = 0, binding = 2, std430) buffer Counter { uint hits; };
layout(location = 0) out vec4 color;
void main()
{
	color = vec4(uv, 0, 1);
	if (discards && uv.x < 0.5)
		discard;
	if (counts)
		atomicAdd(hits, 1u);
	if (samples)
		color *= texture(image, uv);
}
