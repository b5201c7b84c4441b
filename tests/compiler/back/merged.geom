#version 450
// SPDX-License-Identifier: MIT
layout(triangles, invocations = 2) in;
layout(triangle_strip, max_vertices = 5) out;
layout(location = 3) flat in uint id[];
layout(location = 2) out uvec3 who;
layout(location = 4) out float same;
void main()
{
	int count = int(id[gl_PrimitiveIDIn % 3] & 3u) + 3; // some are more than there may be
	for (int i = 0; i < count; i++) {
		gl_Position = gl_in[i % 3].gl_Position;
		who.xy = uvec2(id[i % 3], gl_InvocationID);
		if (i > 2)
			who.z = uint(i);
		same = 0.25;
		EmitVertex();
		if (i == 2)
			EndPrimitive();
	}
}
