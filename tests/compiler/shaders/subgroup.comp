#version 450
// SPDX-License-Identifier: MIT
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_ballot : enable
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer R { uint r[]; };
void main()
{
	uint i = gl_GlobalInvocationID.x, x = r[i];
	if (subgroupElect())
		r[i] = gl_SubgroupID + gl_NumSubgroups * gl_SubgroupSize;
	bool any_ = subgroupAny(x > 3u), all_ = subgroupAll(x > 3u), eq = subgroupAllEqual(vec2(x)), eqb = subgroupAllEqual(x > 1u);
	uvec4 b = subgroupBallot(x == 1u);
	r[i + 1] = uint(any_) + uint(all_) + uint(eq) + uint(eqb) + b.x + b.y;
	r[i + 2] = subgroupBroadcast(x, 5) + subgroupBroadcastFirst(x) + uint(subgroupBroadcastFirst(x > 2u));
	r[i + 3] = subgroupBallotBitCount(b) + subgroupBallotInclusiveBitCount(b) + subgroupBallotExclusiveBitCount(b);
	r[i + 4] = subgroupBallotFindLSB(b) + subgroupBallotFindMSB(b) + uint(subgroupInverseBallot(b)) + uint(subgroupBallotBitExtract(b, i));
	r[i + 5] = gl_SubgroupEqMask.x + gl_SubgroupGeMask.y + gl_SubgroupGtMask.x + gl_SubgroupLeMask.y + gl_SubgroupLtMask.x + gl_SubgroupInvocationID;
	subgroupBarrier();
	subgroupMemoryBarrier();
}
