#version 450

layout(location = 0) in vec4 tint;
layout(location = 0) out vec4 target;

void main()
{
	target = tint;
}
