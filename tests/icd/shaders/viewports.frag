#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) flat in int instance;
layout(location = 0) out vec4 color;
void main()
{
	color = vec4(float(instance + 1) / 255.0, gl_FragCoord.z, 0.0, 1.0);
}
