/* SPDX-License-Identifier: MIT */
// Four chains; 8 steps are 32 FMA.
const vec4 scale = vec4(0.985, -0.98, 0.975, -0.99);
const vec4 add = vec4(0.009, 0.7, 0.012, 1.1);
#define STEP v = fma(v, scale, add);
#define STEPS8 STEP STEP STEP STEP STEP STEP STEP STEP
