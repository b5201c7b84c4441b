#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint words[]; } result;
layout(set = 0, binding = 1) uniform In { uint word; } source;
void main() { result.words[gl_LocalInvocationIndex] = source.word; }
