/* SPDX-License-Identifier: MIT */
/* The identity of this build: the linker's build id, else the version. */
#ifndef ICD_BUILD_ID_H
#define ICD_BUILD_ID_H

#include <stdint.h>
#include "quadwave_version.h"

/* VK_MAKE_API_VERSION is a macro: the numbers have to be arguments before it sees them. */
#define ICD_MAKE_VERSION(...) VK_MAKE_API_VERSION(__VA_ARGS__)
#define ICD_DRIVER_VERSION ICD_MAKE_VERSION(0, QW_VERSION_NUMBERS)

/* 16 bytes that change with every build; `salt` makes different ones. */
void icd_build_id(const char *salt, uint8_t out[16]);

/* What the linker wrote, as `file` prints it: its first 16 digits, "none" if it wrote
 * nothing. */
enum { ICD_BUILD_ID_HEX = 17 };
void icd_build_id_hex(char out[ICD_BUILD_ID_HEX]);

#endif
