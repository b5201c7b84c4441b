/* SPDX-License-Identifier: MIT */
/* Screenshots of an X server, for the demo and the tests; the help text says how. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

struct picture { uint32_t width, height; uint8_t *rgb; };

/* --- PNG: one stored block a row, so no compressor is needed --- */

static uint32_t crc32_of(uint32_t crc, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (0xEDB88320u & -(crc & 1));
	}
	return crc;
}

static void put32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

static bool write_chunk(FILE *f, const char *type, const uint8_t *data, uint32_t n)
{
	uint8_t word[8], crc[4];
	put32(word, n);
	memcpy(word + 4, type, 4);
	put32(crc, ~crc32_of(crc32_of(~0u, word + 4, 4), data, n));
	return fwrite(word, 8, 1, f) == 1 && (n == 0 || fwrite(data, n, 1, f) == 1) && fwrite(crc, 4, 1, f) == 1;
}

static bool write_png(FILE *f, const struct picture *p)
{
	size_t row = 1 + 3 * (size_t)p->width, n = 2 + (row + 5) * p->height + 4;
	uint8_t *z = malloc(n), *at = z, header[13] = { [8] = 8, 2 };
	uint32_t a = 1, b = 0;
	if (!z || row > 65535)
		return false;
	*at++ = 0x78;
	*at++ = 0x01;
	for (uint32_t y = 0; y < p->height; y++) {
		const uint8_t len[5] = { y + 1 == p->height, (uint8_t)row, (uint8_t)(row >> 8), (uint8_t)~row,
			(uint8_t)(~row >> 8) };
		memcpy(at, len, 5);
		at[5] = 0;
		memcpy(at + 6, p->rgb + 3 * (size_t)p->width * y, row - 1);
		for (size_t i = 0; i < row; i++) {
			a = (a + at[5 + i]) % 65521;
			b = (b + a) % 65521;
		}
		at += 5 + row;
	}
	put32(at, b << 16 | a);
	put32(header, p->width);
	put32(header + 4, p->height);
	bool ok = fwrite("\x89PNG\r\n\x1a\n", 8, 1, f) == 1 && write_chunk(f, "IHDR", header, 13) &&
		write_chunk(f, "IDAT", z, (uint32_t)n) && write_chunk(f, "IEND", header, 0);
	free(z);
	return ok;
}

static bool write_ppm(FILE *f, const struct picture *p)
{
	fprintf(f, "P6\n%u %u\n255\n", p->width, p->height);
	return fwrite(p->rgb, 3 * (size_t)p->width, p->height, f) == p->height;
}

static bool read_ppm(const char *name, struct picture *p)
{
	FILE *f = fopen(name, "rb");
	bool ok = f && fscanf(f, "P6 %u %u 255", &p->width, &p->height) == 2 && fgetc(f) != EOF &&
		p->width < 65536 && p->height < 65536 && (p->rgb = malloc(3 * (size_t)p->width * p->height + 1)) &&
		fread(p->rgb, 3 * (size_t)p->width, p->height, f) == p->height;
	if (f)
		fclose(f);
	return ok;
}

/* --- the server --- */

static bool grab(xcb_connection_t *c, xcb_screen_t *screen, struct picture *p)
{
	xcb_get_image_reply_t *image = xcb_get_image_reply(c, xcb_get_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, screen->root,
		0, 0, screen->width_in_pixels, screen->height_in_pixels, ~0u), NULL);
	if (!image)
		return false;
	*p = (struct picture){ screen->width_in_pixels, screen->height_in_pixels, NULL };
	size_t count = (size_t)p->width * p->height;
	const uint8_t *bgrx = xcb_get_image_data(image);
	p->rgb = malloc(count * 3);
	if (!p->rgb || (size_t)xcb_get_image_data_length(image) < count * 4) {
		free(image);
		return false;
	}
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < 3; k++)
			p->rgb[3 * i + k] = bgrx[4 * i + 2 - k];
	free(image);
	return true;
}

static int fail(const char *what)
{
	fprintf(stderr, "qwshot: %s\n", what);
	return 1;
}

static int run_diff(const char *a_name, const char *b_name)
{
	struct picture a, b;
	double sum = 0;
	if (!read_ppm(a_name, &a) || !read_ppm(b_name, &b))
		return fail("cannot read a picture");
	if (a.width != b.width || a.height != b.height)
		return fail("the pictures differ in size");
	size_t n = 3 * (size_t)a.width * a.height;
	for (size_t i = 0; i < n; i++)
		sum += (double)(a.rgb[i] - b.rgb[i]) * (a.rgb[i] - b.rgb[i]);
	printf("%.4f\n", 100.0 * sqrt(sum / (double)n) / 255.0);
	free(a.rgb);
	free(b.rgb);
	return 0;
}

/* A window without a background, below all others: where it is uncovered the
 * server paints nothing. */
static void keep(xcb_connection_t *c, xcb_screen_t *screen)
{
	const uint32_t values[] = { XCB_BACK_PIXMAP_NONE, 1 };
	xcb_window_t window = xcb_generate_id(c);
	xcb_create_window(c, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, screen->width_in_pixels,
		screen->height_in_pixels, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual,
		XCB_CW_BACK_PIXMAP | XCB_CW_OVERRIDE_REDIRECT, values);
	xcb_map_window(c, window);
	free(xcb_get_geometry_reply(c, xcb_get_geometry(c, window), NULL));
	puts("ready");
	fflush(stdout);
	xcb_generic_event_t *event;
	while ((event = xcb_wait_for_event(c)))
		free(event);
}

static int run_server(int argc, char **argv)
{
	xcb_connection_t *c = xcb_connect(NULL, NULL);
	if (xcb_connection_has_error(c))
		return fail("no X server");
	xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
	int result = 0;
	if (!strcmp(argv[1], "keep")) {
		keep(c, screen);
	} else {
		struct picture p = { 0 };
		const char *dot = strrchr(argv[2], '.');
		FILE *f = fopen(argv[2], "wb");
		bool png = dot && !strcmp(dot, ".png");
		if (!f || !grab(c, screen, &p) || !(png ? write_png(f, &p) : write_ppm(f, &p)))
			result = fail("cannot take or write the picture");
		if (f && fclose(f))
			result = fail("cannot write the picture");
		free(p.rgb);
	}
	xcb_disconnect(c);
	return result;
}

static const char help[] =
	"usage: qwshot grab FILE        the root window of the X server, as FILE.png or FILE.ppm\n"
	"       qwshot keep             while it runs, the screen keeps what a closing window\n"
	"                               showed; says \"ready\" once it does\n"
	"       qwshot diff A.ppm B.ppm root mean square difference, in percent of full scale\n";

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			fputs(help, stdout);
			return 0;
		}
		if (argv[i][0] == '-') {
			fprintf(stderr, "qwshot: unknown option %s\n%s", argv[i], help);
			return 2;
		}
	}
	if (argc == 4 && !strcmp(argv[1], "diff"))
		return run_diff(argv[2], argv[3]);
	if ((argc == 2 && !strcmp(argv[1], "keep")) || (argc == 3 && !strcmp(argv[1], "grab")))
		return run_server(argc, argv);
	fputs(help, stderr);
	return 2;
}
