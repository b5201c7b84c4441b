#version 450
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_KHR_shader_subgroup_ballot : require
/* Discards in discard_switch.glsl.  DEMOTE: they are demotions; LOOP: the switch runs in
 * a loop; DIRECT: it stands in main, not in a function; BALLOT: who is left, in place of
 * the derivatives. */
layout(std430, set = 0, binding = 0) readonly buffer Data { uint data[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Results { uint results[]; };
layout(location = 0) out uvec4 color;
uint g, id, steps = 0u;
#ifdef DEMOTE
#define END demote;
#else
#define END discard;
#endif
#define NOTE results[64u + id] = g;
#ifndef DIRECT
void fall(uint x)
{
#include "discard_switch.glsl"
	steps++;
}
#endif
void main()
{
	id = uint(gl_FragCoord.x);
	g = data[id] & 1023u;
#if defined DIRECT
	uint x = (data[id] >> 10) % 16u;
#include "discard_switch.glsl"
#elif defined LOOP
	while (steps < 3u) /* which lanes that end in there never change */
		fall(((data[id] >> 10) + steps * 7u) % 16u);
#else
	fall((data[id] >> 10) % 16u);
	fall(((data[id] >> 10) + 7u) % 16u);
	fall(((data[id] >> 10) + 14u) % 16u);
#endif
	results[id] = g;
#ifdef BALLOT
	color = uvec4(g, subgroupBallot(true).xy, 0u);
#else
	color = uvec4(g, floatBitsToUint(dFdxFine(float(g & 0xffffu))), floatBitsToUint(dFdyFine(float(g & 0xffffu))),
		floatBitsToUint(dFdxFine(helperInvocationEXT() ? 1.0 : 0.0)));
#endif
}
