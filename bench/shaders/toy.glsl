/* SPDX-License-Identifier: MIT */
layout(location = 0) out vec4 color;

vec2 place() { return (gl_FragCoord.xy - vec2(640, 360)) / 360.0; }
