/* SPDX-License-Identifier: MIT */
/* A PM4 stream as text, for people: the dwords in order, one a line, with the
 * names of pm4.def; a blank line between packets.
 *
 *   c0026900 SET_CONTEXT_REG
 *   00000200 DB_DEPTH_CONTROL
 *   00000016 -> [DB_DEPTH_CONTROL]
 *   	 .Z_ENABLE = 1;
 *   	 .ZFUNC = COMPARE_LESS;
 *
 * Fields that are 0 are shown where 0 has a name, unless all of the register is 0. */
#ifndef ISA_TEXT_PM4_DUMP_H
#define ISA_TEXT_PM4_DUMP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints `dwords` dwords at `words`, reading nothing past them and following
 * no address.  What is malformed is printed as such; after a header that is
 * no type-3 packet the dump goes on with the next dword. Returns the number
 * of malformed packets. */
size_t pm4_dump(FILE *out, const uint32_t *words, size_t dwords);

#endif
