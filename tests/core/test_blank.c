/* SPDX-License-Identifier: MIT */
/* The third coordinate of an image of three dimensions, of an instruction that does not say that there is one and of a
 * program that never writes it: zero whatever was in the VGPR, unless whoever started the wave has set it, or the program
 * may have after all. */
#include "core/format/format.h"
#include "core/interp/interp.h"
#include "core/jit/jit.h"
#include "core/jit/jit_host.h"
#include "core/mode.h"
#include "interp_harness.h"
#include "isa/resource.h"
#include "isa/surface.h"

enum { SIDE = 4, SLICES = 3, IMAGE_SGPR = 8, X = 8, Y, Z, RESULT = 20, STALE = 1, WRITTEN = 2 };

static uint8_t memory[1 << 14] __attribute__((aligned(4096)));
static uint32_t descriptor[8];

static uint32_t texel(unsigned slice) { return 0x100 + slice; }

static void make_image(void)
{
	struct surf_plane p = { .base = memory, .width = SIDE, .height = SIDE, .slices = SLICES, .is_3d = true,
		.tiling = TILING_LINEAR, .samples = 1, .dfmt = DFMT_32, .nfmt = NFMT_UINT };
	surf_init(&p);
	for (uint32_t z = 0; z < SLICES; z++)
		memcpy(surf_at(&p, 1, 2, z), &(uint32_t){ texel(z) }, 4);
	const uint64_t base = (uintptr_t)memory >> 8;
	ISA_SET(descriptor, T_BASE_LO, (uint32_t)base);
	ISA_SET(descriptor, T_BASE_HI, (uint32_t)(base >> 32));
	ISA_SET(descriptor, T_DATA_FORMAT, DFMT_32);
	ISA_SET(descriptor, T_NUM_FORMAT, NFMT_UINT);
	ISA_SET(descriptor, T_WIDTH, SIDE - 1);
	ISA_SET(descriptor, T_HEIGHT, SIDE - 1);
	ISA_SET(descriptor, T_DEPTH, SLICES - 1);
	ISA_SET(descriptor, T_TILING_INDEX, TILING_LINEAR);
	ISA_SET(descriptor, T_TYPE, T_TYPE_3D);
	ISA_SET(descriptor, T_DST_SEL(0), SEL_R);
}

static void load(struct code *c)
{
	struct gcn_inst in = inst(GCN_IMAGE_LOAD);
	in.dst = V(RESULT);
	in.src[0] = V(X);
	in.src[1] = IMAGE_SGPR;
	in.dmask = 1;
	put(c, &in);
}

static void flat(struct code *c)
{
	op1(c, GCN_V_MOV_B32, V(X), K(1));
	op1(c, GCN_V_MOV_B32, V(Y), K(2));
	load(c);
}
static void written(struct code *c)
{
	op1(c, GCN_V_MOV_B32, V(Z), K(WRITTEN));
	flat(c);
}
/* Written by the first turn of two, behind the instruction. */
static void written_by_loop(struct code *c)
{
	op1(c, GCN_S_MOV_B32, 4, K(2));
	const size_t top = c->n;
	flat(c);
	op1(c, GCN_V_MOV_B32, V(Z), K(WRITTEN));
	op2(c, GCN_S_SUB_U32, 4, 4, K(1));
	op2(c, GCN_S_CMP_LG_U32, NONE, 4, K(0));
	imm(c, GCN_S_CBRANCH_SCC1, (int32_t)top - (int32_t)c->n - 1);
}
static const struct test_case { const char *name; void (*make)(struct code *c); unsigned inputs; bool blank; unsigned slice; } cases[] = {
	{ "never written", flat, 0, true, 0 },
	{ "an input", flat, Z + 1, true, STALE },
	{ "written before", written, 0, false, WRITTEN },
	{ "written by the turn before", written_by_loop, 0, false, WRITTEN },
};

static void one(const struct test_case *t, enum cu_level level, const char *core)
{
	static struct cu_wave wave;
	struct code *c = calloc(1, sizeof *c);
	struct cu_host_info info = { 0 };
	const char *why = "";
	t->make(c);
	end(c);
	cu_core_parse(core, &info.core);
	struct cu_host *host = cu_host_create(&info, &why);
	struct cu_program *p = program(level, c);
	cu_host_add(host, p, "blank", (struct cu_host_blob){ 0 });
	const bool known = info.core != CU_CORE_CHECK; /* else everything is cleared */
	EXPECT(!known || !!(p->unwritten.blank[0] >> Z & 1) == t->blank, "%s, %s: blank VGPRs 0x%llx", t->name, core,
		(unsigned long long)p->unwritten.blank[0]);
	EXPECT(!known || !(p->unwritten.on[0] >> Z & 1 && t->blank), "%s, %s: cleared by who starts it", t->name, core);
	cu_wave_init(&wave, ~0ull, NULL);
	for (unsigned v = 0; v < CU_VGPRS; v++)
		for (unsigned l = 0; l < CU_LANES; l++)
			wave.vgpr[v][l] = STALE;
	cu_wave_fresh(&wave, p, t->inputs, CU_SETS_ALL, 0);
	memcpy(&wave.sgpr[IMAGE_SGPR], descriptor, sizeof descriptor);
	const enum cu_status status = cu_wave_run(p, &wave);
	EXPECT(status == CU_DONE, "%s, %s: %s", t->name, core, wave.error.text);
	EXPECT(wave.vgpr[RESULT][0] == texel(t->slice) && wave.vgpr[RESULT][63] == texel(t->slice),
		"%s, level %d, %s: texel 0x%x, not of slice %u", t->name, level, core, wave.vgpr[RESULT][0], t->slice);
	cu_program_destroy(p);
	cu_host_destroy(host);
	free(c);
}

int main(void)
{
	static const char *const cores[] = { "interp", "jit", "check" };
	const unsigned mxcsr = cu_fp_enter();
	make_image();
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (enum cu_level level = CU_LEVEL_V3; level <= CU_LEVEL_V4; level++)
			for (unsigned k = 0; k < 3 && has_level(level); k++)
				one(&cases[i], level, cores[k]);
	cu_fp_leave(mxcsr);
	return finish("blank");
}
