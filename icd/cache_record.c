/* SPDX-License-Identifier: MIT */
#include "icd/cache_record.h"

#include <string.h>
#include "icd/program.h"
#include "icd/vk.h"
#include "isa/abi.h"
#include "isa/gsvs.h"
#include "isa/regs.h"

enum {
	MAX_CODE_DWORDS = 1 << 24,
	MAX_SGPRS = 128, MAX_VGPRS = 256, MAX_LDS_BYTES = 65536, MAX_PARAMS = 32,
	MAX_INVOCATIONS = 1024,
};

size_t icd_record_bytes(uint32_t code_dwords)
{
	return code_dwords <= MAX_CODE_DWORDS ? sizeof(struct icd_record) + (size_t)code_dwords * 4 : 0;
}

void icd_record_checksum(const struct icd_record_context *c, const struct icd_record *r, const void *code,
	uint8_t out[ICD_HASH_BYTES])
{
	struct icd_hash h;
	if (r->kind == ICD_RECORD_TRANSLATION)
		icd_hash_init_keyed(&h, "quadwave cached translation", c->mac_key);
	else
		icd_hash_init(&h, "quadwave cached program");
	icd_hash_add(&h, c->uuid, VK_UUID_SIZE);
	icd_hash_u32(&h, r->bytes);
	icd_hash_u32(&h, r->kind);
	icd_hash_add(&h, r->key, sizeof r->key);
	icd_hash_add(&h, &r->shader, sizeof r->shader);
	icd_hash_add(&h, code, (size_t)r->shader.code_dwords * 4);
	icd_hash_finish(&h, out);
}

void icd_record_write(const struct icd_record_context *c, enum icd_record_kind kind,
	const uint8_t key[ICD_HASH_BYTES], const struct compiler_shader *shader, const void *code, void *p)
{
	struct icd_record r;
	size_t bytes = icd_record_bytes(shader->code_dwords);
	memset(&r, 0, sizeof r);
	r.bytes = (uint32_t)bytes;
	r.kind = kind;
	memcpy(r.key, key, sizeof r.key);
	memcpy(&r.shader, shader, sizeof r.shader);
	r.shader.code = NULL;
	icd_record_checksum(c, &r, code, r.checksum);
	memcpy(p, &r, sizeof r);
	memcpy((uint8_t *)p + sizeof r, code, bytes - sizeof r);
}

/* --- what the driver and the GPU rely on --- */

static bool vertex_is_sound(const struct compiler_shader *s)
{
	if (s->param_count > MAX_PARAMS)
		return false;
	for (int i = 0; i < COMPILER_SLOT_COUNT; i++)
		if (s->param_of_slot[i] != COMPILER_NO_PARAM && s->param_of_slot[i] >= s->param_count)
			return false;
	for (int i = 0; i < ISA_STRMOUT_BUFFERS; i++)
		if (s->strmout_stride[i] > ISA_STRMOUT_MAX_STRIDE)
			return false;
	return s->strmout_buffers <= 0xffff;
}

/* What these do to the GPU is checked there, for each draw. */
static bool geometry_is_sound(const struct compiler_shader *s)
{
	return !s->first_half && s->gs_vertices_out <= ABI_GS_MAX_VERTICES &&
		s->gs_invocations <= ABI_GS_MAX_INVOCATIONS && s->gs_out_type <= GS_OUT_TRIANGLES && s->gs_streams <= ISA_STREAMS;
}

static bool tess_is_sound(const struct compiler_shader *s)
{
	const struct compiler_tess *t = &s->tess;
	return t->domain <= TESS_QUAD + 1 && t->spacing <= PART_FRAC_EVEN + 1 && t->order <= OUTPUT_TRIANGLE_CCW &&
		t->points <= 1 && t->vertices <= ABI_PATCH_MAX_POINTS;
}

static bool pixel_is_sound(const struct compiler_shader *s)
{
	if (s->num_interp > sizeof s->interp / sizeof s->interp[0] ||
		s->ps_input_ena > 0xffff || s->sample_shading > 1)
		return false;
	for (uint32_t i = 0; i < s->num_interp; i++)
		if (s->interp[i].slot >= COMPILER_SLOT_COUNT || s->interp[i].kind >= COMPILER_INTERP_KINDS)
			return false;
	return true;
}

static bool compute_is_sound(const struct compiler_shader *s)
{
	uint64_t invocations = 1;
	for (int i = 0; i < 3; i++) {
		if (!s->workgroup[i] || s->workgroup[i] > MAX_INVOCATIONS)
			return false;
		invocations *= s->workgroup[i];
	}
	return invocations <= MAX_INVOCATIONS && s->tgid_en <= 7 && s->tidig_comp_cnt <= 2;
}

static bool mesh_is_sound(const struct compiler_shader *s)
{
	uint32_t vertices = REG_GET(s->mesh_output, QW_MESH_OUTPUT, VERTICES);
	uint32_t prims = REG_GET(s->mesh_output, QW_MESH_OUTPUT, PRIMITIVES);
	uint32_t type = REG_GET(s->mesh_cntl, QW_MESH_CNTL, PRIM_TYPE);
	return vertex_is_sound(s) && vertices && vertices <= ABI_MESH_MAX_VERTICES && vertices % 4 == 0 && prims &&
		prims <= ABI_MESH_MAX_PRIMITIVES && s->payload_bytes <= ABI_TASK_MAX_PAYLOAD &&
		REG_GET(s->mesh_output, QW_MESH_OUTPUT, PARAMS) == s->vertex_params &&
		s->vertex_params + REG_GET(s->mesh_output, QW_MESH_OUTPUT, PRIM_PARAMS) == s->param_count &&
		(type == DI_PT_POINTLIST || type == DI_PT_LINELIST || type == DI_PT_TRILIST);
}

static bool program_is_sound(const struct compiler_shader *s)
{
	if (s->stage >= COMPILER_STAGES || s->user_sgprs != isa_stages[s->stage].user_sgprs)
		return false;
	/* What is captured has an end within the table; streamout looks at the rest when it is used. */
	if (s->capture_dwords % ISA_STRMOUT_RUN_DWORDS || s->capture_dwords > (ISA_STRMOUT_RUNS + 1) * ISA_STRMOUT_RUN_DWORDS ||
		s->gsvs_dwords % (4 * ISA_GSVS_COMPONENT_DWORDS) || s->gsvs_dwords > ISA_GSVS_COMPONENTS * ISA_GSVS_COMPONENT_DWORDS ||
		s->table_dwords > ABI_MAX_TABLE_DWORDS || s->table_dwords + s->capture_dwords + s->gsvs_dwords >= s->code_dwords)
		return false;
	/* The second half follows the first's instructions. */
	if (s->first_half && s->table_dwords + s->capture_dwords + s->gsvs_dwords)
		return false;
	if (!s->code_dwords || s->vgprs > MAX_VGPRS || s->sgprs > MAX_SGPRS || s->scratch_bytes > ABI_MAX_SCRATCH_BYTES ||
		s->lds_bytes > MAX_LDS_BYTES || s->float_mode > 0xff)
		return false;
	switch (s->stage) {
	case COMPILER_VS: return vertex_is_sound(s) && s->first_half <= 1;
	case COMPILER_TCS: return tess_is_sound(s) && !s->first_half;
	case COMPILER_TES: return vertex_is_sound(s) && tess_is_sound(s) && s->first_half <= 1;
	case COMPILER_GS: return vertex_is_sound(s) && geometry_is_sound(s);
	case COMPILER_PS: return pixel_is_sound(s);
	case COMPILER_CS: return compute_is_sound(s);
	case COMPILER_TS: return compute_is_sound(s) && s->payload_bytes <= ABI_TASK_MAX_PAYLOAD;
	case COMPILER_MS: return compute_is_sound(s) && mesh_is_sound(s);
	default: return false;
	}
}

/* In the same time wherever they differ: nobody finds a MAC byte by byte. */
static bool differ(const uint8_t a[ICD_HASH_BYTES], const uint8_t b[ICD_HASH_BYTES])
{
	unsigned bits = 0;
	for (int i = 0; i < ICD_HASH_BYTES; i++)
		bits |= a[i] ^ b[i];
	return bits != 0;
}

enum icd_record_status icd_record_read(const struct icd_record_context *c, const void *p, size_t size,
	struct icd_record *out)
{
	uint8_t sum[ICD_HASH_BYTES];
	if (size < sizeof *out)
		return ICD_RECORD_DAMAGED;
	memcpy(out, p, sizeof *out);
	if (out->bytes > size || !out->bytes || out->bytes != icd_record_bytes(out->shader.code_dwords))
		return ICD_RECORD_DAMAGED;
	if (out->kind == ICD_RECORD_TRANSLATION && !c->mac_key)
		return ICD_RECORD_PASSED;
	if (out->kind != ICD_RECORD_PROGRAM && out->kind != ICD_RECORD_TRANSLATION)
		return ICD_RECORD_DAMAGED;
	icd_record_checksum(c, out, (const uint8_t *)p + sizeof *out, sum);
	out->shader.code = NULL;
	if (differ(sum, out->checksum))
		return out->kind == ICD_RECORD_PROGRAM ? ICD_RECORD_DAMAGED : ICD_RECORD_PASSED;
	return out->kind == ICD_RECORD_TRANSLATION || program_is_sound(&out->shader) ? ICD_RECORD_TAKEN :
		ICD_RECORD_PASSED;
}
