/* SPDX-License-Identifier: MIT */
/* What draws find in registers and LDS that they have not written: of the draw
 * before nothing shows, for vertex and pixel waves.  One draw leaves 0.5 wherever
 * it can; the next, with other programs, paints what it finds there. */
#include "bare_metal.h"

enum { ONE_HALF = 240, P0 = 2, TRACE = 0x80, BLANK = 0x40 };

static const float verts[] = {
	0.9f, -0.9f, 0,  0.5f, 0.5f, 0.5f,
	-0.9f, -0.9f, 0, 0.5f, 0.5f, 0.5f,
	0.0f, 0.9f, 0,   0.5f, 0.5f, 0.5f,
};

static void halves(struct code *c, unsigned v)
{
	for (unsigned i = 0; i < 4; i++)
		mov(c, GCN_V_MOV_B32, (uint16_t)VGPR(v + i), ONE_HALF);
}

/* Its parameter is v200.., of its own making or found. */
static void vertex(struct code *c, bool leaves)
{
	fetch(c, 4, 0);
	mov(c, GCN_V_MOV_B32, VGPR(7), GCN_SRC_1F);
	if (leaves)
		halves(c, 200);
	plain(c, GCN_S_WAITCNT, gcn_waitcnt(0, 7, 15));
	export(c, GCN_EXP_POS0, 4, 1, 0);
	export(c, GCN_EXP_PARAM0, 200, 0, 0);
	plain(c, GCN_S_ENDPGM, 0);
}

/* Paints v100.. */
static void pixel(struct code *c, bool leaves)
{
	if (leaves)
		halves(c, 100);
	export(c, GCN_EXP_MRT0, 100, 1, 1);
	plain(c, GCN_S_ENDPGM, 0);
}

/* Paints an attribute. */
static void pixel_attribute(struct code *c, unsigned attr)
{
	mov(c, GCN_S_MOV_B32, GCN_SRC_M0, 0);
	plain(c, GCN_S_NOP, 0);
	for (unsigned ch = 0; ch < 4; ch++) {
		struct gcn_inst in;
		gcn_inst_init(&in, GCN_V_INTERP_MOV_F32);
		in.dst = (uint16_t)VGPR(2 + ch);
		in.src[0] = P0;
		in.attr = (uint8_t)attr;
		in.attrchan = (uint8_t)ch;
		add(c, &in);
	}
	export(c, GCN_EXP_MRT0, 2, 1, 1);
	plain(c, GCN_S_ENDPGM, 0);
}

enum subject { VERTEX_VGPRS, PIXEL_VGPRS, PIXEL_LDS, SUBJECTS };
static const char *const names[] = { "VGPRs of vertex waves", "VGPRs of pixel waves", "LDS of pixel waves" };

/* One draw over a grey frame, all on one thread. */
static void draw(struct rs_gpu *gpu, uint8_t *frame, enum subject subject, bool leaves)
{
	static struct code vs, ps;
	static struct stream s;
	struct pm4_clear_target clear = { .targets = PM4_CLEAR_COLOR0, .width = WIDTH, .height = HEIGHT,
		.slice_count = 1, .value = { bits(0.25f), bits(0.25f), bits(0.25f), bits(0.25f) } };
	memset(&vs, 0, sizeof vs);
	memset(&ps, 0, sizeof ps);
	vertex(&vs, leaves || subject == PIXEL_LDS);
	if (subject == PIXEL_VGPRS)
		pixel(&ps, leaves);
	else
		pixel_attribute(&ps, subject == PIXEL_LDS);
	s.n = 0;
	set_target(&s, frame);
	set_geometry(&s);
	set_programs(&s, &vs, &ps, verts, 3);
	if (subject == PIXEL_LDS && leaves) { /* attribute 1 is there */
		PACKET(&s, SET_CONTEXT_REG, R_SPI_PS_INPUT_CNTL, 0, 0);
		PACKET(&s, SET_CONTEXT_REG, R_SPI_PS_IN_CONTROL, REG_SET(SPI_PS_IN_CONTROL, NUM_INTERP, 2));
	}
	packet(&s, PM4_QW_CLEAR_TARGET, PM4_DWORDS(pm4_clear_target), (const uint32_t *)&clear);
	PACKET(&s, SET_UCONFIG_REG, R_VGT_PRIMITIVE_TYPE, 4);
	PACKET(&s, NUM_INSTANCES, 1);
	PACKET(&s, DRAW_INDEX_AUTO, 3, PM4_DI_SRC_AUTO);
	PACKET(&s, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
	if (rs_gpu_execute(gpu, s.dw, s.n) != RS_OK) {
		printf("lost: %s\n", rs_gpu_error(gpu));
		exit(1);
	}
	rs_gpu_forget(gpu, vs.dw);
	rs_gpu_forget(gpu, ps.dw);
}

/* Bytes of the frame that are `value`. */
static unsigned count(const uint8_t *frame, uint8_t value)
{
	unsigned n = 0;
	for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 4; i++)
		n += frame[i] == value;
	return n;
}

static bool one(uint8_t *frame, const char *core, const char *level, enum subject subject, uint32_t poison)
{
	const char *why = "";
	struct rs_gpu *gpu = rs_gpu_create(&(struct rs_gpu_info){ .threads = 1, .level = level, .core = core,
		.poison = poison }, &why);
	if (!gpu && !strcmp(level, "v4"))
		return true;
	CHECK(gpu);
	draw(gpu, frame, subject, true);
	unsigned covered = count(frame, TRACE);
	CHECK(covered > 100000 && covered + count(frame, BLANK) == WIDTH * HEIGHT * 4);
	draw(gpu, frame, subject, false);
	/* Beyond the end of LDS there is nothing, not even poison. */
	unsigned good = count(frame, poison && subject != PIXEL_LDS ? 255 : 0), leaked = count(frame, TRACE);
	if (leaked || good != covered)
		printf("%s, %s, %s, poison %x: %u of %u bytes show what was there, %u are blank\n", names[subject], core, level,
			poison, leaked, covered, good);
	rs_gpu_destroy(gpu);
	return !leaked && good == covered;
}

int main(void)
{
	/* Translated alone, a program does not leave what nobody reads. */
	static const char *const cores[] = { "interp", "check" }, *const levels[] = { "v3", "v4" };
	uint8_t *frame = aligned_alloc(256, (size_t)WIDTH * HEIGHT * 4);
	bool good = true;
	CHECK(frame);
	for (int subject = 0; subject < SUBJECTS; subject++)
		for (int way = 0; way < 8; way++)
			good &= one(frame, cores[way & 1], levels[way >> 1 & 1], (enum subject)subject, way & 4 ? bits(1) : 0);
	free(frame);
	return !good;
}
