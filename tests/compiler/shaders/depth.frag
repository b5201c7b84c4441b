#version 450
// SPDX-License-Identifier: MIT
layout(depth_greater) out float gl_FragDepth;
layout(location = 0, index = 0) out vec4 c0;
layout(location = 0, index = 1) out vec4 c1;
layout(location = 0) in vec4 v;
void kill(float x) { if (x < 0.0) discard; }
void main()
{
	if (v.x < 0.25)
		discard;
	kill(v.y);
	float s = 0.0;
	for (float t = 0.0; t < 1.0; t += v.z) {
		s += t;
		kill(s - 5.0);
	}
	gl_FragDepth = s;
	gl_SampleMask[0] = 1;
	c0 = v;
	c1 = v * s;
}
