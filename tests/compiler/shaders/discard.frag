#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
layout(binding = 0) uniform sampler2D t;
bool test(float x) { if (x > 2.0) { discard; } return x > 1.0; }
void main()
{
	if (v.a < 0.5)
		discard;
	if (test(v.x))
		c = texture(t, v.xy);
	else {
		c = v;
		if (v.z < 0.0) { c.x = 1.0; discard; }
	}
}
