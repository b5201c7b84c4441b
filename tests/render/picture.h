/* SPDX-License-Identifier: MIT */
/* RGB pictures of 8 bits a channel: PPM files and how two of them differ. */
#ifndef QW_TESTS_RENDER_PICTURE_H
#define QW_TESTS_RENDER_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct picture {
	uint32_t width, height;
	uint8_t *rgb; /* rows from the top, tight; free() it */
};

bool picture_write(const struct picture *p, const char *name);
bool picture_read(struct picture *p, const char *name);

struct difference {
	double rmse;   /* percent of full scale */
	double pixels; /* percent of pixels with a channel more than 16/255 off */
};
/* False when the sizes differ. */
bool picture_compare(const struct picture *a, const struct picture *b, struct difference *d);

/* The channels of one pixel. */
static inline const uint8_t *picture_at(const struct picture *p, uint32_t x, uint32_t y)
{
	return p->rgb + 3 * ((size_t)y * p->width + x);
}

#endif
