/* SPDX-License-Identifier: MIT */
/* The register values that go with vertex and fragment programs, and that
 * llvm-objdump, where installed, reads every program fully.
 * Arguments: the directory of the modules. */
#include "compiler/compiler.h"
#include "isa/gcn.h"
#include "isa/regs.h"
#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t words[1 << 16];

static const struct compiler_binding bindings[] = {
	{ .set = 0, .binding = 0, .type = COMPILER_DESC_UBO, .count = 1, .offset = 0, .stride = 16 },
	{ .set = 0, .binding = 1, .type = COMPILER_DESC_COMBINED, .count = 1, .offset = 64, .stride = 64 },
	{ .set = 0, .binding = 2, .type = COMPILER_DESC_SSBO, .count = 1, .offset = 128, .stride = 16 },
};

static bool compile_as(const char *dir, const char *file, enum compiler_stage stage, struct compiler_options options,
	const struct compiler_spec *constants, size_t count, struct compiler_shader *out)
{
	char path[4096], message[300];
	snprintf(path, sizeof path, "%s/%s.spv", dir, file);
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(words, 4, sizeof words / 4, f) : 0;
	if (f)
		fclose(f);
	struct compiler_input in = { .stage = stage, .words = words, .word_count = n, .entry = "main", .bindings = bindings,
		.binding_count = 3, .options = options, .spec = constants, .spec_count = count, .dump_dir = dir, .dump_name = file };
	enum compiler_status status = compiler_compile(&in, out, message, sizeof message);
	if (status != COMPILER_OK)
		printf("%s: %s\n", path, message);
	EXPECT(status == COMPILER_OK);
	return status == COMPILER_OK;
}

static bool compile_with(const char *dir, const char *file, enum compiler_stage stage, struct compiler_options options,
	struct compiler_shader *out)
{
	return compile_as(dir, file, stage, options, NULL, 0, out);
}

static bool compile(const char *dir, const char *file, enum compiler_stage stage, struct compiler_shader *out)
{
	return compile_with(dir, file, stage, (struct compiler_options){ .instance_attrs = 1u << 5 }, out);
}

/* Instructions with this operation; *last gets the last one. */
static unsigned count_op(const struct compiler_shader *s, enum gcn_op op, struct gcn_inst *last)
{
	unsigned n = 0;
	struct gcn_inst in;
	for (uint32_t at = 0, size; at < s->code_dwords; at += size) {
		size = gcn_decode(GCN_GFX9, s->code + at, s->code_dwords - at, &in);
		EXPECT(size > 0);
		if (!size)
			return n;
		if (in.op == op) {
			n++;
			*last = in;
		}
	}
	return n;
}

/* Every instruction is shown as one, in as many lines as there are. */
static void check_objdump(const char *dir, const char *file, const struct compiler_shader *s)
{
	char command[4200], line[400];
	unsigned lines = 0;
	snprintf(command, sizeof command, "llvm-objdump-19 -d --mcpu=gfx900 '%s/%s.elf' 2>/dev/null", dir, file);
	FILE *f = popen(command, "r");
	while (f && fgets(line, sizeof line, f)) {
		lines += strstr(line, "// ") != NULL;
		if (strstr(line, ".long") || strstr(line, "unknown")) {
			printf("%s: %s", file, line);
			failures++;
		}
	}
	bool ran = f && pclose(f) == 0;
	if (!ran)
		printf("no llvm-objdump-19: %s is not read\n", file);
	else
		EXPECT(lines == s->instructions);
}

static void check_vertex(const char *dir)
{
	struct compiler_shader s;
	struct gcn_inst in;
	if (!compile(dir, "stage.vert", COMPILER_VS, &s))
		return;
	EXPECT(s.user_sgprs == 8 && s.param_count == 4);
	EXPECT(s.param_of_slot[1] == 0 && s.param_of_slot[4] == 1 && s.param_of_slot[7] == 2);
	EXPECT(s.param_of_slot[COMPILER_SLOT_CLIP0] == 3 && s.param_of_slot[0] == COMPILER_NO_PARAM);
	EXPECT(s.pa_cl_vs_out_cntl == (REG_SET(PA_CL_VS_OUT_CNTL, CLIP_DIST_ENA, 3) |
		REG_SET(PA_CL_VS_OUT_CNTL, USE_VTX_POINT_SIZE, 1) | REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA, 1) |
		REG_SET(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA, 1)));
	EXPECT(count_op(&s, GCN_EXPORT, &in) == 3 + 4);
	/* One index for the attributes by vertex, one for that by instance. */
	EXPECT(count_op(&s, GCN_BUFFER_LOAD_FORMAT_XYZW, &in) == 2 && in.idxen);
	EXPECT(count_op(&s, GCN_BUFFER_LOAD_FORMAT_XY, &in) == 1);
	EXPECT(s.vgprs >= 2 && s.scratch_bytes == 0);
	check_objdump(dir, "stage.vert", &s);
	compiler_shader_finish(&s);
}

static void check_fragment(const char *dir)
{
	struct compiler_shader s;
	struct gcn_inst in;
	if (!compile(dir, "stage.frag", COMPILER_PS, &s))
		return;
	EXPECT(s.ps_input_ena == (REG_SET(SPI_PS_INPUT_ENA, PERSP_CENTER_ENA, 1) |
		REG_SET(SPI_PS_INPUT_ENA, PERSP_PULL_MODEL_ENA, 1) | REG_SET(SPI_PS_INPUT_ENA, LINEAR_CENTER_ENA, 1) |
		REG_SET(SPI_PS_INPUT_ENA, POS_X_FLOAT_ENA, 1) | REG_SET(SPI_PS_INPUT_ENA, POS_Y_FLOAT_ENA, 1) |
		REG_SET(SPI_PS_INPUT_ENA, POS_Z_FLOAT_ENA, 1)));
	EXPECT(s.num_interp == 3);
	for (unsigned i = 0; i < s.num_interp; i++)
		EXPECT(s.interp[i].kind == (s.interp[i].slot == 4 ? COMPILER_INTERP_FLAT : COMPILER_INTERP_SMOOTH));
	EXPECT(s.cb_shader_mask == 0x30f && s.col_format == 0x909 && s.z_format);
	EXPECT(s.db_shader_control == (REG_SET(DB_SHADER_CONTROL, Z_EXPORT_ENABLE, 1) |
		REG_SET(DB_SHADER_CONTROL, KILL_ENABLE, 1) | REG_SET(DB_SHADER_CONTROL, EXEC_ON_NOOP, 1)));
	/* mrtz, mrt0, mrt2, and the null export of waves that lost all lanes. */
	EXPECT(count_op(&s, GCN_EXPORT, &in) == 4 && in.exp_target == GCN_EXP_NULL && in.done && in.vm);
	EXPECT(count_op(&s, GCN_S_WQM_B64, &in) == 1);
	EXPECT(count_op(&s, GCN_IMAGE_SAMPLE, &in) == 1 && in.dmask == 15);
	EXPECT(count_op(&s, GCN_BUFFER_ATOMIC_ADD, &in) == 1 && !in.glc);
	check_objdump(dir, "stage.frag", &s);
	compiler_shader_finish(&s);
}

/* What constants of the pipeline turn off asks for nothing: no late depth, no helper lanes. */
static void check_optional(const char *dir)
{
	for (unsigned on = 0; on < 8; on++) {
		const uint32_t value[3] = { on & 1, on >> 1 & 1, on >> 2 & 1 };
		const struct compiler_spec constants[3] = { { 0, 4, &value[0] }, { 1, 4, &value[1] }, { 2, 4, &value[2] } };
		struct compiler_shader s;
		struct gcn_inst in;
		if (!compile_as(dir, "optional.frag", COMPILER_PS, (struct compiler_options){ 0 }, constants, 3, &s))
			return;
		EXPECT(s.db_shader_control == (REG_SET(DB_SHADER_CONTROL, KILL_ENABLE, value[0]) |
			REG_SET(DB_SHADER_CONTROL, EXEC_ON_NOOP, value[1])));
		EXPECT(count_op(&s, GCN_S_WQM_B64, &in) == value[2]);
		EXPECT(count_op(&s, GCN_EXPORT, &in) == 1 + value[0]);
		compiler_shader_finish(&s);
	}
}

static bool same_code(const struct compiler_shader *a, const struct compiler_shader *b)
{
	return a->code_dwords == b->code_dwords && !memcmp(a->code, b->code, 4 * a->code_dwords);
}

/* With device_views ViewIndex is as DeviceIndex. */
static void check_views(const char *dir)
{
	struct compiler_shader views, device_views, device;
	if (!compile(dir, "ViewIndex", COMPILER_VS, &views) || !compile(dir, "DeviceIndex", COMPILER_VS, &device) ||
		!compile_with(dir, "ViewIndex", COMPILER_VS, (struct compiler_options){ .device_views = 1 }, &device_views))
		return;
	EXPECT(!same_code(&views, &device));
	EXPECT(same_code(&device_views, &device));
	compiler_shader_finish(&views);
	compiler_shader_finish(&device_views);
	compiler_shader_finish(&device);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return printf("the modules' directory is missing\n"), 2;
	check_vertex(argv[1]);
	check_fragment(argv[1]);
	check_optional(argv[1]);
	check_views(argv[1]);
	return failures != 0;
}
