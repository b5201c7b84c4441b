#version 450
// SPDX-License-Identifier: MIT
/* Forces among bodies, a tile of them in shared memory at a time. */
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer Bodies { vec4 body[]; };
layout(set = 0, binding = 1) writeonly buffer Forces { vec4 force[]; };
layout(push_constant) uniform Push { uint count; };
shared vec4 tile[128];

void main()
{
	vec4 me = body[gl_GlobalInvocationID.x];
	vec3 sum = vec3(0);
	for (uint first = 0u; first < count; first += 128u) {
		tile[gl_LocalInvocationIndex] = body[first + gl_LocalInvocationIndex];
		barrier();
		for (uint k = 0u; k < 128u; k++) {
			vec3 d = tile[k].xyz - me.xyz;
			float r = inversesqrt(dot(d, d) + 0.01);
			sum += tile[k].w * r * r * r * d;
		}
		barrier();
	}
	force[gl_GlobalInvocationID.x] = vec4(sum, 0);
}
