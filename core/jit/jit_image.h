/* SPDX-License-Identifier: MIT */
/* Image instructions within regions: see jit_image.c. */
#ifndef CORE_JIT_JIT_IMAGE_H
#define CORE_JIT_JIT_IMAGE_H

#include "core/jit/jit_region.h"

/* Whether strips can do it, if its descriptors say so, too; its operands: coordinates, layer, what is compared with. */
bool jit_image_known(const struct jit_translator *t, uint32_t i);
void jit_image_vgprs(const struct jit_translator *t, uint32_t i, struct jit_inst *j);
/* The slot for i's descriptors in the region at hand; -1: no room. */
int jit_image_slot(struct jit_region *g, uint32_t i);
/* Before the strips: fills the slots; goes to `no` where strips cannot do all of them. */
void jit_images_once(struct jit_region *g, int no);

/* Strips do images that follow one another in two steps, each for all of them: where the texels are, then what they come
 * to.  What the first leaves in memory takes a while to be there, so that other strips do best to be in between.  The
 * instruction behind those from i on. */
uint32_t jit_image_group(const struct jit_region *g, uint32_t i);
/* Taps of the group that an image is: a sample with a third coordinate may be of two slices. */
unsigned jit_image_taps(const struct jit_region *g, uint32_t i);
/* Which of the descriptors of a group, up to `end`, may be read of a tile: g->tiled_slot; and, when all strips have found the
 * group's texels, the tile. */
void jit_image_choose_tile(struct jit_region *g, uint32_t i, uint32_t end);
void jit_image_tile(struct jit_region *g, uint32_t i, uint32_t end);
/* What the samples of a group have in common: g->shares. */
void jit_image_share(struct jit_region *g, uint32_t i, uint32_t end);
/* Before each step, and the steps of the group's image that begins with `tap`, instruction i. */
void jit_image_begin(struct jit_region *g);
void jit_image_find(struct jit_region *g, uint32_t i, unsigned tap);
void jit_image_read(struct jit_region *g, uint32_t i, unsigned tap);

#endif
