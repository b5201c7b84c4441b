/* SPDX-License-Identifier: MIT */
#include "tests/render/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool picture_write(const struct picture *p, const char *name)
{
	const size_t size = 3 * (size_t)p->width * p->height;
	FILE *f = fopen(name, "wb");
	if (!f)
		return false;
	fprintf(f, "P6\n%u %u\n255\n", p->width, p->height);
	const bool written = fwrite(p->rgb, 1, size, f) == size;
	return fclose(f) == 0 && written;
}

bool picture_read(struct picture *p, const char *name)
{
	FILE *f = fopen(name, "rb");
	size_t size = 0;
	*p = (struct picture){ 0 };
	if (!f)
		return false;
	if (fscanf(f, "P6 %u %u 255", &p->width, &p->height) == 2 && fgetc(f) == '\n' && p->width < 16384 &&
	    p->height < 16384) {
		size = 3 * (size_t)p->width * p->height;
		p->rgb = malloc(size);
	}
	const bool good = p->rgb && fread(p->rgb, 1, size, f) == size;
	fclose(f);
	if (!good) {
		free(p->rgb);
		p->rgb = NULL;
	}
	return good;
}

bool picture_compare(const struct picture *a, const struct picture *b, struct difference *d)
{
	enum { FAR = 16 };
	const size_t pixels = (size_t)a->width * a->height;
	uint64_t squares = 0, far = 0;
	if (a->width != b->width || a->height != b->height)
		return false;
	for (size_t i = 0; i < pixels; i++) {
		int most = 0;
		for (size_t c = 3 * i; c < 3 * i + 3; c++) {
			const int delta = abs(a->rgb[c] - b->rgb[c]);
			squares += (uint64_t)(delta * delta);
			most = delta > most ? delta : most;
		}
		far += most > FAR;
	}
	d->rmse = 100 * sqrt((double)squares / (3 * (double)pixels)) / 255;
	d->pixels = 100 * (double)far / (double)pixels;
	return true;
}
