// SPDX-License-Identifier: MIT
// Four samples a pixel; coordinates lightly turned, as scene_texture.c knows.

layout(constant_id = 0) const float scale = 1.0;
layout(constant_id = 1) const float apart = 0.0;
layout(constant_id = 2) const float stretch = 1.0;
