/* SPDX-License-Identifier: MIT */
/* Programs are read within the memory that holds them: code that runs on to its end, at
 * the edge of a page that cannot be read. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "isa/gcn.h"
#include "raster/rs.h"

enum { PAGE = 4096, ROOM = 64 }; /* dwords before the edge: programs are 256-byte aligned */

static int failures;

static void check(bool ok, const char *what)
{
	if (!ok) {
		printf("%s\n", what);
		failures++;
	}
}

struct code { uint32_t dw[8]; unsigned n; };

static void add(struct code *c, enum gcn_op op, uint16_t src, int32_t offset)
{
	const char *why = "";
	struct gcn_inst in;
	gcn_inst_init(&in, op);
	in.offset = offset;
	if (src)
		in.src[0] = src;
	c->n += gcn_encode(GCN_GFX9, &in, c->dw + c->n, &why);
	check(!why || !*why, why);
}

/* The code, after so many s_nop that it ends at the edge. */
static bool decodes(struct rs_gpu *gpu, uint32_t *edge, const struct code *c, uint32_t dwords)
{
	struct code nop = { .n = 0 };
	add(&nop, GCN_S_NOP, 0, 0);
	for (uint32_t i = 0; i < ROOM; i++)
		edge[(int)i - ROOM] = nop.dw[0];
	memcpy(edge - c->n, c->dw, 4 * c->n);
	struct cu_program *p = rs_gpu_decode(gpu, edge - ROOM, dwords);
	rs_gpu_drop(p);
	return p;
}

int main(void)
{
	struct rs_gpu_info info = { .threads = 1, .checked = true };
	const struct rs_prepare plainly = { .name = "test" };
	const char *why;
	uint8_t *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct rs_gpu *gpu = rs_gpu_create(&info, &why);
	if (pages == MAP_FAILED || !gpu || mprotect(pages + PAGE, PAGE, PROT_NONE))
		return 1;
	uint32_t *edge = (uint32_t *)(pages + PAGE), *start = edge - ROOM;
	struct code end = { .n = 0 }, none = { .n = 0 }, jump = { .n = 0 }, mode = { .n = 0 };
	add(&end, GCN_S_ENDPGM, 0, 0);

	check(decodes(gpu, edge, &end, ROOM), "code with an end is not decoded");
	check(!decodes(gpu, edge, &end, ROOM - 1), "code is decoded whose end is outside");
	check(!decodes(gpu, edge, &none, ROOM), "code without an end is decoded");
	add(&jump, GCN_S_SETPC_B64, 8, 0);
	check(!decodes(gpu, edge, &jump, ROOM), "code with a computed jump is decoded");
	add(&mode, GCN_S_SETREG_IMM32_B32, GCN_SRC_LITERAL, 1 | 7 << 11); /* MODE, its low byte */
	add(&mode, GCN_S_ENDPGM, 0, 0);
	check(!decodes(gpu, edge, &mode, ROOM), "code that changes MODE is decoded");

	/* The same by address, where nobody said how long it is: to the end of its memory. */
	if (!rs_gpu_add_memory(gpu, start, 4 * ROOM))
		return 1;
	decodes(gpu, edge, &none, ROOM);
	check(!rs_gpu_prepare(gpu, start, &plainly), "code without an end is made ready");
	decodes(gpu, edge, &end, ROOM);
	check(rs_gpu_prepare(gpu, start, &plainly), "code with an end is not made ready");
	rs_gpu_destroy(gpu);
	printf("test_programs: %s\n", failures ? "FAILED" : "ok");
	return failures != 0;
}
