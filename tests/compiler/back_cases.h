/* SPDX-License-Identifier: MIT */
/* The bodies of tests/compiler/back/, compiled as C: what the GPU must give. */
#ifndef BACK_CASES_H
#define BACK_CASES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t uint;
extern uint32_t back_data[512], back_params[16];
#define DATA(i) back_data[i]
#define PARAM(i) back_params[i]
#define U(x) ((uint32_t)(x))
#define I(x) ((int32_t)(x))
#define F(x) ((float)(x))
#define FN static

/* The shaders fall through on purpose. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#define run run_arith
#include "back/arith.inc"
#undef run
#define run run_flow
#include "back/flow.inc"
#undef run
#define run run_early
#include "back/early.inc"
#undef run
#define run run_arrays
#include "back/arrays.inc"
#undef run
#define run run_bools
#include "back/bools.inc"
#undef run
#define run run_uniform
#include "back/uniform.inc"
#undef run
#define run run_pressure
#include "back/pressure.inc"
#undef run
#define run run_floats
#include "back/floats.inc"
#undef run
#define run run_far
#include "back/far.inc"
#undef run
#define run run_group
#include "back/group.inc"
#undef run
#define nested nested_switches
#define run run_switches
#include "back/switches.inc"
#undef run
#undef nested
typedef struct Big Big;
typedef struct Two Two;
#define run run_copies
#include "back/copies.inc"
#undef run
#define run run_unroll
#include "back/unroll.inc"
#undef run

#pragma GCC diagnostic pop

static const struct back_case { const char *name; uint (*run)(uint id, uint x); } back_cases[] = {
	{ "arith", run_arith }, { "flow", run_flow }, { "early", run_early }, { "arrays", run_arrays },
	{ "bools", run_bools }, { "uniform", run_uniform }, { "pressure", run_pressure }, { "floats", run_floats },
	{ "group", run_group }, { "switches", run_switches }, { "copies", run_copies }, { "far", run_far },
	{ "unroll", run_unroll },
};

#endif
