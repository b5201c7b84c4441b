/* SPDX-License-Identifier: MIT */
/* The table of what the vertices of a geometry program consist of.  The compiler writes it behind
 * the program (compiler_shader.gsvs_dwords), registers name it (QW_GSVS_TABLE), and primitive assembly
 * reads it: on a Vega a copy program knows as much.
 *
 * A record a component, in vectors of four and in the order in which a vertex program would export
 * them (isa/abi.h): the dword of a vertex in GSVS that it is, or the value that it has in all vertices. */
#ifndef ISA_GSVS_H
#define ISA_GSVS_H

#include <stdint.h>

enum { ISA_GSVS_COMPONENTS = 4 * (4 + 32), /* of a table at most: positions and their like, params */
	ISA_GSVS_COMPONENT_DWORDS = 2 };
#define ISA_GSVS_FIXED 0xffffffffu

struct isa_gsvs_component {
	uint32_t dword;                  /* ISA_GSVS_FIXED: it is not in GSVS */
	uint32_t value;                  /* of one that is not */
};

#endif
