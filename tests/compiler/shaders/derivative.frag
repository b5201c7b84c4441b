#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 o;
void main()
{
	o = dFdx(v) + dFdy(v) + fwidth(v) + dFdxFine(v) + dFdyCoarse(v) + fwidthFine(v) + fwidthCoarse(v) + dFdxCoarse(v) + dFdyFine(v);
	precise float p = v.x * v.y + v.z;
	o.x += p;
}
