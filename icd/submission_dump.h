/* SPDX-License-Identifier: MIT */
/* QW_DUMP: the packets of a submission as text (isa/text/pm4_dump.h). */
#ifndef ICD_SUBMISSION_DUMP_H
#define ICD_SUBMISSION_DUMP_H

#include <stddef.h>
#include <stdint.h>

/* Writes DIR/submit_NUMBER.pm4: the stream and, after it, each buffer that it calls,
 * in the order of the calls and theirs in turn.  Nothing where it cannot be written. */
void icd_submission_dump(const char *dir, uint32_t number, const uint32_t *ib, size_t dwords);

#endif
