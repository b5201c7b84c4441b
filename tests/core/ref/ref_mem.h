/* SPDX-License-Identifier: MIT */
/* Memory instructions lane by lane, for tests: the address expressions, range
 * rules and tables of the memory handling document (seed 004, GcnMemHandling)
 * and the instruction descriptions of the manual.  By mnemonic; of the project
 * it knows isa/ headers only. */
#ifndef TESTS_CORE_REF_MEM_H
#define TESTS_CORE_REF_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "isa/gcn.h"

struct ref_mem_wave {
	uint32_t vgpr[256][64], sgpr[128];
	/* Memory: what the wave sees at `address`.  An access outside: `fault`. */
	uint8_t *memory;
	uint64_t address, bytes;
	uint8_t *lds;
	uint32_t lds_bytes;
	uint8_t *scratch;
	uint64_t scratch_address;
	uint32_t scratch_bytes;
	bool fault;
};

/* False for an instruction that it does not know, or where the document leaves
 * open what happens (stores in formats that are for reading). */
bool ref_mem_run(struct ref_mem_wave *w, const struct gcn_inst *in);

#endif
