/* SPDX-License-Identifier: MIT */
/* Waves one after another in one run (cu_wave.next). */
#ifndef CORE_JIT_JIT_AGAIN_H
#define CORE_JIT_JIT_AGAIN_H

#include <stdint.h>

struct jit_region;
struct jit_translator;

/* Behind what a region does once, before its strips: the next wave begins here, if it can. */
void jit_again_here(struct jit_region *g);
/* The same behind its slots of images, which the next wave may keep. */
void jit_again_images(struct jit_region *g);
/* The same where its images are not for strips. */
void jit_again_apart(struct jit_region *g);
/* Before a program's end: goes to the next wave, if the owner has one. */
void jit_again_end(struct jit_translator *t);

#endif
