/* SPDX-License-Identifier: MIT */
#include "icd/program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "icd/device.h"
#include "icd/shader_module.h"
#include "icd/stage.h"
#include "isa/gcn.h"
#include "isa/gsvs.h"

static_assert((int)COMPILER_DESC_COMBINED == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER &&
	(int)COMPILER_DESC_STORAGE_IMAGE == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE &&
	(int)COMPILER_DESC_STORAGE_TEXEL == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER &&
	(int)COMPILER_DESC_SSBO_DYNAMIC == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC &&
	(int)COMPILER_DESC_INPUT_ATTACHMENT == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
	"the compiler numbers descriptor types as Vulkan does");

/* Of a stage that pipelines take. */
static enum compiler_stage stage_of(VkShaderStageFlagBits bit)
{
	enum compiler_stage stage = 0;
	while (stage + 1 < COMPILER_STAGES && icd_stage_bits[stage] != bit)
		stage++;
	return stage;
}

/* An inline uniform block is a uniform buffer, if its V# stands in front of it. */
static struct compiler_binding binding_of(const struct icd_pipeline_layout *layout, uint32_t set, uint32_t i)
{
	const struct icd_binding *b = &layout->set[set]->binding[i];
	struct compiler_binding out = { .set = set, .binding = b->binding, .type = b->type, .count = b->count,
		.offset = b->offset, .stride = b->stride, .dynamic = layout->dynamic_base[set] + b->dynamic,
		.ycbcr = b->ycbcr, .variable = layout->set[set]->variable && i + 1 == layout->set[set]->binding_count };
	if (b->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT)
		out.type = COMPILER_DESC_MUTABLE;
	if (b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
		out.type = b->head ? COMPILER_DESC_UBO : COMPILER_DESC_INLINE;
		out.count = b->count != 0;
		out.stride = b->head ? b->head : b->count;
	}
	return out;
}

/* The compiler's view of layout and specialization; `spec` and `bindings` have room. */
static void fill_input(struct compiler_input *in, const VkSpecializationInfo *spec,
	const struct icd_pipeline_layout *layout, struct compiler_spec *specs,
	struct compiler_binding *bindings)
{
	in->spec = specs;
	for (uint32_t i = 0; spec && i < spec->mapEntryCount; i++) {
		const VkSpecializationMapEntry *e = &spec->pMapEntries[i];
		specs[in->spec_count++] = (struct compiler_spec){ .id = e->constantID,
			.size = (uint32_t)e->size, .data = (const uint8_t *)spec->pData + e->offset };
	}
	in->bindings = bindings;
	for (uint32_t s = 0; s < layout->set_count; s++) {
		for (uint32_t i = 0; i < layout->set[s]->binding_count; i++)
			bindings[in->binding_count++] = binding_of(layout, s, i);
	}
}

static VkResult report(struct icd_device *device, const struct icd_shader_module *module,
	enum compiler_status status, const char *message)
{
	switch (status) {
	case COMPILER_OK:
		return VK_SUCCESS;
	case COMPILER_NO_MEMORY:
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	case COMPILER_UNSUPPORTED:
		return icd_error(device->instance, VK_ERROR_FEATURE_NOT_PRESENT, &module->base,
			"shader is not supported: %s", message);
	default:
		return icd_error(device->instance, VK_ERROR_UNKNOWN, &module->base,
			"shader is invalid: %s", message);
	}
}

static VkResult compile(struct icd_device *device, const VkPipelineShaderStageCreateInfo *stage,
	const struct icd_shader_module *module, const struct icd_pipeline_layout *layout,
	struct compiler_options options, const char *name, struct compiler_shader *out)
{
	const VkSpecializationInfo *spec = stage->pSpecializationInfo;
	size_t specs = spec ? spec->mapEntryCount : 0, bindings = 0;
	struct compiler_input in = { .stage = stage_of(stage->stage), .words = module->words,
		.word_count = module->word_count, .entry = stage->pName,
		.options = options, .dump_dir = device->instance->env.dump_dir };
	char message[512];
	enum compiler_status status;
	struct compiler_spec *room;
	static_assert(_Alignof(struct compiler_spec) >= _Alignof(struct compiler_binding), "bindings follow");

	for (uint32_t s = 0; s < layout->set_count; s++)
		bindings += layout->set[s]->binding_count;
	room = icd_zalloc(&device->alloc, specs * sizeof *room + bindings * sizeof(struct compiler_binding),
		VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
	if (!room)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	fill_input(&in, spec, layout, room, (struct compiler_binding *)(room + specs));
	in.dump_name = name;
	status = compiler_compile(&in, out, message, sizeof message);
	icd_free(&device->alloc, room);
	if (status == COMPILER_OK && !icd_program_fits(out, message, sizeof message)) {
		compiler_shader_finish(out);
		status = COMPILER_UNSUPPORTED;
	}
	return report(device, module, status, message);
}

/* --- names: without snprintf, every pipeline pays for them --- */

static char *put(char *at, const char *text, size_t most)
{
	size_t n = strnlen(text, most);
	memcpy(at, text, n);
	at[n] = 0;
	return at + n;
}

/* Five digits at least, and the stage. */
static void set_name(struct icd_program_id *id, uint32_t number, const char *stage)
{
	char digits[16], *at = digits + sizeof digits;
	*--at = 0;
	for (int n = 0; n < 5 || number; n++, number /= 10)
		*--at = (char)('0' + number % 10);
	put(put(put(id->name, at, 10), "_", 1), stage, 2);
}

static void set_label(const VkPipelineShaderStageCreateInfo *stage, const struct icd_shader_module *module,
	struct icd_program_id *id)
{
	enum { ENTRY = 24, MODULE = 32, KEY_BYTES = 4 };
	static_assert(sizeof id->name + sizeof " (, , )" + ENTRY + 2 * KEY_BYTES + MODULE <= sizeof id->label, "room");
	char *at = put(put(put(put(id->label, id->name, sizeof id->name), " (", 2), stage->pName, ENTRY), ", ", 2);
	for (int i = 0; i < KEY_BYTES; i++) {
		*at++ = "0123456789abcdef"[id->key[i] >> 4];
		*at++ = "0123456789abcdef"[id->key[i] & 15];
	}
	if (module && module->base.name)
		at = put(put(at, ", ", 2), module->base.name, MODULE);
	put(at, ")", 1);
}

/* Tables behind the code: streamout's has an end (isa/strmout.h), and vertices in GSVS have what theirs tells of
 * them (isa/gsvs.h). */
static bool tables_are_sound(const struct compiler_shader *shader)
{
	const uint32_t *gsvs = shader->code + compiler_gsvs_at(shader);
	if (shader->capture_dwords && shader->code[shader->code_dwords - 1])
		return false;
	for (uint32_t i = 0; i < shader->gsvs_dwords; i += ISA_GSVS_COMPONENT_DWORDS)
		if (gsvs[i] != ISA_GSVS_FIXED && gsvs[i] >= shader->gs_item_dwords)
			return false;
	return true;
}

/* A first half ends where the second will begin, and is checked as if it ended there. */
static struct cu_program *decode(struct icd_device *device, const struct compiler_shader *shader)
{
	const size_t dwords = compiler_program_dwords(shader);
	if (!tables_are_sound(shader))
		return NULL;
	if (!shader->first_half)
		return rs_gpu_decode(device->gpu, shader->code, dwords);
	uint32_t *ended = malloc((dwords + 1) * sizeof *ended);
	if (!ended)
		return NULL;
	memcpy(ended, shader->code, dwords * sizeof *ended);
	struct gcn_inst end = { .op = GCN_S_ENDPGM, .fmt = GCN_SOPP, .dst = GCN_SRC_NONE, .sdst = GCN_SRC_NONE };
	uint32_t words[4];
	const bool known = gcn_encode(GCN_GFX9, &end, words, NULL) == 1;
	ended[dwords] = words[0];
	struct cu_program *p = known ? rs_gpu_decode(device->gpu, ended, dwords + 1) : NULL;
	free(ended);
	return p;
}

/* The cache's program, if it has one that is fit to run where it is asked for. */
static bool find(struct icd_device *device, struct icd_pipeline_cache *cache, enum compiler_stage stage, bool first_half,
	struct compiler_shader *out, struct icd_program_id *id)
{
	bool foreign;
	if (!icd_pipeline_cache_find(cache, id->key, out, &foreign))
		return false;
	if (!foreign)
		return true;
	id->decoded = out->stage == stage && (out->first_half != 0) == first_half ? decode(device, out) : NULL;
	if (id->decoded)
		return true;
	icd_pipeline_cache_reject(cache, id->key);
	compiler_shader_finish(out);
	return false;
}

/* A stage without a module names one by its identity; what is no name of ours is `nothing`. */
static const uint8_t *named(const VkPipelineShaderStageCreateInfo *stage, const uint8_t nothing[ICD_HASH_BYTES])
{
	const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *i = icd_find_struct(stage->pNext,
		VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
	return i && i->identifierSize == ICD_HASH_BYTES ? i->pIdentifier : nothing;
}

VkResult icd_program_get(struct icd_device *device, struct icd_pipeline_cache *cache,
	const VkPipelineShaderStageCreateInfo *stage, const struct icd_pipeline_layout *layout,
	VkPipelineCreateFlags flags, struct compiler_options options, struct compiler_shader *out,
	struct icd_program_id *id)
{
	static const uint8_t nothing[ICD_HASH_BYTES];
	const bool fail = flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
	const struct icd_shader_module *module = icd_shader_module_from_handle(stage->module);
	const enum compiler_stage which = stage_of(stage->stage);
	const uint64_t begin = icd_feedback_now();
	VkResult result;

	id->decoded = NULL;
	id->feedback = (struct icd_stage_feedback){ .stage = stage->stage };
	icd_program_key(stage, module ? module->identity : named(stage, nothing), layout, options, id->key);
	set_name(id, atomic_fetch_add(&device->program_number, 1), isa_stages[which].name);
	set_label(stage, module, id);
	/* A dump wants to see every shader. */
	if ((fail || !device->instance->env.dump_dir) && find(device, cache, which, options.first_half != 0, out, id)) {
		id->feedback.hit = true;
		id->feedback.duration = icd_feedback_now() - begin;
		return VK_SUCCESS;
	}
	if (fail || !module)
		return VK_PIPELINE_COMPILE_REQUIRED;
	result = compile(device, stage, module, layout, options, id->name, out);
	if (result == VK_SUCCESS)
		icd_pipeline_cache_insert(cache, id->key, out);
	id->feedback.duration = icd_feedback_now() - begin;
	return result;
}
