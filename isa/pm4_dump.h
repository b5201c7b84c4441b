/* A PM4 stream as text, for people: one line a packet, then its payload with
 * the names of pm4.h, and registers with their fields. */
#ifndef ISA_PM4_DUMP_H
#define ISA_PM4_DUMP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints `dwords` dwords at `words`, reading nothing past them and following
 * no address.  What is malformed is printed as such; after a header that is
 * no type-3 packet the dump goes on with the next dword. Returns the number
 * of malformed packets. */
size_t pm4_dump(FILE *out, const uint32_t *words, size_t dwords);

#endif
