/* SPDX-License-Identifier: MIT */
/* The user's key, for what the driver keeps in files and must know for its own:
 * 32 random bytes in a file that only the user can read. */
#ifndef ICD_USER_KEY_H
#define ICD_USER_KEY_H

#include <stdbool.h>
#include "icd/hash.h"

enum { ICD_USER_KEY_WHY = 160 };

/* Reads the key, made at first use.  path: the file, in a directory that exists; NULL:
 * quadwave/key in $XDG_CACHE_HOME, else in $HOME/.cache, made if need be.  Whoever is
 * first of several processes makes the key and all get that one; a process that is
 * killed leaves no part of one.  False, with the reason in `why`, without a key: the
 * file cannot be made, is not 32 bytes, or it or its directory belongs to another user
 * or lets others write (the file: read). */
bool icd_user_key(const char *path, uint8_t key[ICD_HASH_KEY_BYTES], char why[ICD_USER_KEY_WHY]);

#endif
