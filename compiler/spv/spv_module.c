/* SPDX-License-Identifier: MIT */
/* The head of a module: capabilities, extensions, the entry point and its
 * execution modes, decorations. */
#include "compiler/spv/spv_priv.h"

#include <string.h>

static const uint16_t accepted_capabilities[] = {
	SpvCapabilityTessellation, SpvCapabilityTessellationPointSize, SpvCapabilityGeometry, SpvCapabilityGeometryPointSize,
	SpvCapabilityMultiViewport, SpvCapabilityShaderLayer, SpvCapabilityShaderViewportIndex, SpvCapabilityShaderViewportIndexLayerEXT,
	SpvCapabilityMatrix, SpvCapabilityShader, SpvCapabilityInputAttachment, SpvCapabilitySampled1D,
	SpvCapabilityImage1D, SpvCapabilitySampledBuffer, SpvCapabilityImageBuffer, SpvCapabilityImageQuery,
	SpvCapabilityDerivativeControl, SpvCapabilityStorageImageExtendedFormats,
	SpvCapabilityStorageImageReadWithoutFormat, SpvCapabilityStorageImageWriteWithoutFormat,
	SpvCapabilityImageGatherExtended, SpvCapabilityClipDistance, SpvCapabilityCullDistance,
	SpvCapabilitySampledCubeArray, SpvCapabilityImageCubeArray, SpvCapabilityInterpolationFunction,
	SpvCapabilitySampleRateShading, SpvCapabilityStorageImageMultisample, SpvCapabilityImageMSArray, SpvCapabilityUniformBufferArrayDynamicIndexing,
	SpvCapabilitySampledImageArrayDynamicIndexing, SpvCapabilityStorageBufferArrayDynamicIndexing,
	SpvCapabilityStorageImageArrayDynamicIndexing, SpvCapabilityDrawParameters, SpvCapabilityGroupNonUniform,
	SpvCapabilityGroupNonUniformVote, SpvCapabilityGroupNonUniformBallot, SpvCapabilityMultiView,
	SpvCapabilityDeviceGroup, SpvCapabilityVulkanMemoryModel, SpvCapabilityDemoteToHelperInvocationEXT,
	SpvCapabilityVulkanMemoryModelDeviceScope, SpvCapabilitySignedZeroInfNanPreserve,
	SpvCapabilityDenormPreserve, SpvCapabilityRoundingModeRTE, SpvCapabilityRoundingModeRTZ, SpvCapabilityDenormFlushToZero, SpvCapabilityGroupNonUniformShuffle,
	SpvCapabilityGroupNonUniformShuffleRelative, SpvCapabilityGroupNonUniformQuad,
	SpvCapabilityGroupNonUniformArithmetic, SpvCapabilityGroupNonUniformClustered, SpvCapabilityInt8, SpvCapabilityInt16,
	SpvCapabilityInt64, SpvCapabilityFloat16, SpvCapabilityFloat64, SpvCapabilityStorageBuffer8BitAccess,
	SpvCapabilityUniformAndStorageBuffer8BitAccess, SpvCapabilityStoragePushConstant8,
	SpvCapabilityStorageBuffer16BitAccess, SpvCapabilityUniformAndStorageBuffer16BitAccess,
	SpvCapabilityStoragePushConstant16, SpvCapabilityStorageInputOutput16, SpvCapabilityPhysicalStorageBufferAddresses,
	SpvCapabilityVariablePointers, SpvCapabilityVariablePointersStorageBuffer, SpvCapabilityInt64Atomics,
	SpvCapabilityAtomicFloat32AddEXT, SpvCapabilityAtomicFloat64AddEXT, SpvCapabilityAtomicFloat32MinMaxEXT,
	SpvCapabilityAtomicFloat64MinMaxEXT, SpvCapabilityAtomicFloat16AddEXT, SpvCapabilityAtomicFloat16MinMaxEXT,
	SpvCapabilityInt64ImageEXT, SpvCapabilityDotProduct, SpvCapabilityDotProductInputAll,
	SpvCapabilityDotProductInput4x8Bit, SpvCapabilityDotProductInput4x8BitPacked, SpvCapabilityExpectAssumeKHR,
	SpvCapabilityGroupNonUniformRotateKHR, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR,
	SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR, SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR,
	SpvCapabilityShaderNonUniform, SpvCapabilityRuntimeDescriptorArray,
	SpvCapabilityInputAttachmentArrayDynamicIndexing, SpvCapabilityUniformTexelBufferArrayDynamicIndexing,
	SpvCapabilityStorageTexelBufferArrayDynamicIndexing, SpvCapabilityUniformBufferArrayNonUniformIndexing,
	SpvCapabilitySampledImageArrayNonUniformIndexing, SpvCapabilityStorageBufferArrayNonUniformIndexing,
	SpvCapabilityStorageImageArrayNonUniformIndexing, SpvCapabilityInputAttachmentArrayNonUniformIndexing,
	SpvCapabilityUniformTexelBufferArrayNonUniformIndexing, SpvCapabilityStorageTexelBufferArrayNonUniformIndexing,
	SpvCapabilityTransformFeedback, SpvCapabilityGeometryStreams, SpvCapabilityMeshShadingEXT, SpvCapabilityQuadControlKHR,
	SpvCapabilityFragmentBarycentricKHR, SpvCapabilitySubgroupBallotKHR, SpvCapabilitySubgroupVoteKHR,
};

static const char *const accepted_extensions[] = {
	"SPV_KHR_storage_buffer_storage_class", "SPV_KHR_shader_draw_parameters", "SPV_KHR_multiview",
	"SPV_KHR_variable_pointers", "SPV_KHR_device_group", "SPV_KHR_non_semantic_info",
	"SPV_KHR_terminate_invocation", "SPV_EXT_demote_to_helper_invocation", "SPV_KHR_vulkan_memory_model",
	"SPV_KHR_relaxed_extended_instruction", "SPV_KHR_no_integer_wrap_decoration", "SPV_KHR_16bit_storage",
	"SPV_KHR_float_controls", "SPV_EXT_shader_viewport_index_layer", "SPV_KHR_8bit_storage", "SPV_KHR_physical_storage_buffer",
	"SPV_EXT_physical_storage_buffer", "SPV_EXT_shader_atomic_float_add", "SPV_EXT_shader_atomic_float16_add", "SPV_EXT_shader_image_int64",
	"SPV_EXT_shader_atomic_float_min_max", "SPV_KHR_integer_dot_product", "SPV_KHR_expect_assume",
	"SPV_KHR_subgroup_rotate", "SPV_KHR_workgroup_memory_explicit_layout",
	"SPV_EXT_descriptor_indexing", "SPV_KHR_subgroup_uniform_control_flow", "SPV_KHR_maximal_reconvergence",
	"SPV_KHR_quad_control", "SPV_KHR_fragment_shader_barycentric", "SPV_EXT_mesh_shader", "SPV_KHR_fragment_shading_rate", "SPV_KHR_shader_ballot", "SPV_KHR_subgroup_vote",
};

static void check_capability(struct spv *s, uint32_t capability)
{
	for (size_t i = 0; i < sizeof accepted_capabilities / sizeof accepted_capabilities[0]; i++)
		if (accepted_capabilities[i] == capability) {
			s->multiview |= capability == SpvCapabilityMultiView;
			s->streams |= capability == SpvCapabilityGeometryStreams;
			s->shared_pointers |= capability == SpvCapabilityVariablePointers;
			s->storage_pointers |= s->shared_pointers || capability == SpvCapabilityVariablePointersStorageBuffer;
			s->subgroups |= (capability >= SpvCapabilityGroupNonUniform &&
				capability <= SpvCapabilityGroupNonUniformQuad) || capability == SpvCapabilityGroupNonUniformRotateKHR ||
				capability == SpvCapabilityQuadControlKHR || capability == SpvCapabilitySubgroupBallotKHR ||
				capability == SpvCapabilitySubgroupVoteKHR;
			return;
		}
	/* Compilers of GLSL put a shading rate into the default block of primitives, used or not; who writes one is refused there. */
	if (capability == SpvCapabilityFragmentShadingRateKHR && s->f->stage == COMPILER_MS)
		return;
	spv_unsupported(s, "capability %s (%u)", spv_enum_name(SPV_ENUM_CAPABILITY, capability), capability);
}

static void check_extension(struct spv *s, const char *name)
{
	if (strncmp(name, "SPV_GOOGLE_", 11) == 0)
		return;
	for (size_t i = 0; i < sizeof accepted_extensions / sizeof accepted_extensions[0]; i++)
		if (strcmp(accepted_extensions[i], name) == 0)
			return;
	spv_unsupported(s, "extension %s", name);
}

static void add_decoration(struct spv *s, uint32_t target, int32_t member, uint32_t decoration,
	const uint32_t *param, uint32_t params)
{
	if (target >= s->bound || !s->dense[target])
		return;
	struct spv_id *id = spv_id(s, target);
	struct spv_decor *d = spv_alloc(s, 1, sizeof *d);
	*d = (struct spv_decor){ id->decor, decoration, member, param, params };
	id->decor = d;
	id->precise |= decoration == SpvDecorationNoContraction;
}

static void apply_group(struct spv *s, uint32_t group, uint32_t target, int32_t member)
{
	if (group >= s->bound || !s->dense[group] || group == target)
		return;
	for (const struct spv_decor *d = spv_id(s, group)->decor; d; d = d->next)
		add_decoration(s, target, member, d->decoration, d->param, d->params);
}

const struct spv_decor *spv_decoration(const struct spv_id *id, uint32_t decoration, int32_t member)
{
	for (const struct spv_decor *d = id->decor; d; d = d->next)
		if (d->decoration == decoration && d->member == member)
			return d;
	return NULL;
}

uint32_t spv_decor_param(struct spv *s, const struct spv_decor *d)
{
	if (d->params < 1)
		spv_invalid(s, "a decoration lacks its operand");
	return d->param[0];
}

static void entry_point(struct spv *s, struct spv_op op)
{
	static const uint32_t models[] = {
#define S(name, text, model, ...) SpvExecutionModel##model,
		ISA_STAGES(S)
#undef S
	};
	const char *name;
	uint32_t words;
	if (!spv_string(s, op.w + 3, op.n - 3u, &name, &words))
		spv_invalid(s, "the name has no terminator");
	if (op.w[1] != models[s->in->stage] || strcmp(name, s->in->entry) != 0)
		return;
	if (s->entry)
		spv_invalid(s, "two entry points \"%s\" of one stage", name);
	s->entry = op.w[2];
	s->interface_ = op.w + 3 + words;
	s->interface_count = op.n - 3 - words;
}

/* Of the floats that an execution mode is about. */
static uint32_t float_bits(struct spv *s, struct spv_op op)
{
	uint32_t bits = op.w[3];
	if (bits != 16 && bits != 32 && bits != 64)
		spv_invalid(s, "floats of %u bits", bits);
	return bits;
}

/* Of floats of op.w[3] bits; those of 16 and of 64 have one mode. */
static void set_float_mode(struct spv *s, struct spv_op op, bool rounding, uint32_t value)
{
	uint32_t bits = float_bits(s, op), at;
	if (rounding)
		at = bits == 32 ? ISA_MODE_ROUND_F32 : ISA_MODE_ROUND_F16_F64;
	else
		at = bits == 32 ? ISA_MODE_DENORM_F32 : ISA_MODE_DENORM_F16_F64;
	if (s->float_modes_set >> at & 1 && (s->f->float_mode >> at & 3) != value)
		spv_invalid(s, "two modes for floats of %s bits", bits == 32 ? "32" : "16 and 64");
	s->float_modes_set |= 1u << at;
	s->f->float_mode = (s->f->float_mode & ~(3u << at)) | value << at;
}

static void execution_mode(struct spv *s, struct spv_op op)
{
	if (op.w[1] != s->entry || spv_mesh_mode(s, op))
		return;
	switch (op.w[2]) {
	case SpvExecutionModeEarlyFragmentTests: s->f->early_fragment_tests = true; break;
	case SpvExecutionModeDepthReplacing: s->f->depth_replacing = true; break;
	case SpvExecutionModeDepthGreater: s->f->depth_greater = true; break;
	case SpvExecutionModeDepthLess: s->f->depth_less = true; break;
	case SpvExecutionModeXfb: s->xfb = true; break;
	case SpvExecutionModeLocalSize:
		memcpy(s->local_size, op.w + 3, sizeof s->local_size);
		break;
	case SpvExecutionModeLocalSizeId:
		memcpy(s->local_size_id, op.w + 3, sizeof s->local_size_id);
		break;
	case SpvExecutionModeOriginUpperLeft: case SpvExecutionModeDepthUnchanged: case SpvExecutionModeLocalSizeHint:
	/* lanes that parted meet again where the structure of the program says so, as early as can be */
	case SpvExecutionModeSubgroupUniformControlFlowKHR: case SpvExecutionModeMaximallyReconvergesKHR:
	/* quads are whole, and their derivatives those of four pixels, in all programs */
	case SpvExecutionModeQuadDerivativesKHR: case SpvExecutionModeRequireFullQuadsKHR:
		break;
	case SpvExecutionModeInputPoints: case SpvExecutionModeInputLines: case SpvExecutionModeInputLinesAdjacency:
	case SpvExecutionModeTriangles: case SpvExecutionModeInputTrianglesAdjacency: case SpvExecutionModeInvocations:
	case SpvExecutionModeOutputVertices: case SpvExecutionModeOutputPoints: case SpvExecutionModeOutputLineStrip:
	case SpvExecutionModeOutputTriangleStrip:
		if (s->f->stage == COMPILER_TCS || s->f->stage == COMPILER_TES) {
			spv_tess_mode(s, op);
			break;
		}
		if (s->f->stage != COMPILER_GS)
			spv_unsupported(s, "execution mode %s (%u) in this stage", spv_enum_name(SPV_ENUM_MODE, op.w[2]), op.w[2]);
		spv_geometry_mode(s, op);
		break;
	case SpvExecutionModeQuads: case SpvExecutionModeIsolines: case SpvExecutionModeSpacingEqual:
	case SpvExecutionModeSpacingFractionalEven: case SpvExecutionModeSpacingFractionalOdd:
	case SpvExecutionModeVertexOrderCw: case SpvExecutionModeVertexOrderCcw: case SpvExecutionModePointMode:
		spv_tess_mode(s, op);
		break;
	case SpvExecutionModeSignedZeroInfNanPreserve: s->f->exact_floats |= float_bits(s, op); break;
	case SpvExecutionModeRoundingModeRTE: set_float_mode(s, op, true, ISA_ROUND_EVEN); break;
	case SpvExecutionModeRoundingModeRTZ: set_float_mode(s, op, true, ISA_ROUND_ZERO); break;
	case SpvExecutionModeDenormPreserve: set_float_mode(s, op, false, ISA_DENORM_KEEP); break;
	case SpvExecutionModeDenormFlushToZero: set_float_mode(s, op, false, ISA_DENORM_FLUSH); break;
	default:
		spv_unsupported(s, "execution mode %s (%u)", spv_enum_name(SPV_ENUM_MODE, op.w[2]), op.w[2]);
	}
}

static void head_instruction(struct spv *s, struct spv_op op)
{
	const char *text;
	uint32_t words;
	switch (op.op) {
	case SpvOpCapability:
		check_capability(s, op.w[1]);
		break;
	case SpvOpExtension:
		if (spv_string(s, op.w + 1, op.n - 1u, &text, &words))
			check_extension(s, text);
		break;
	case SpvOpExtInstImport:
		if (!spv_string(s, op.w + 2, op.n - 2u, &text, &words))
			spv_invalid(s, "the name has no terminator");
		if (strcmp(text, "GLSL.std.450") == 0)
			spv_id(s, op.w[1])->kind = SPV_ID_GLSL;
		else if (strncmp(text, "NonSemantic.", 12) == 0)
			spv_id(s, op.w[1])->kind = SPV_ID_NONSEMANTIC;
		else
			spv_unsupported(s, "extended instruction set %s", text);
		break;
	case SpvOpMemoryModel:
		if (op.w[1] != SpvAddressingModelLogical && op.w[1] != SpvAddressingModelPhysicalStorageBuffer64)
			spv_unsupported(s, "addressing model %u", op.w[1]);
		if (op.w[2] != SpvMemoryModelGLSL450 && op.w[2] != SpvMemoryModelVulkan)
			spv_unsupported(s, "memory model %u", op.w[2]);
		break;
	case SpvOpEntryPoint:
		entry_point(s, op);
		break;
	case SpvOpExecutionMode: case SpvOpExecutionModeId:
		execution_mode(s, op);
		break;
	case SpvOpDecorate:
		add_decoration(s, op.w[1], -1, op.w[2], op.w + 3, op.n - 3u);
		break;
	case SpvOpMemberDecorate:
		if (op.w[2] > INT32_MAX)
			spv_invalid(s, "member %u", op.w[2]);
		add_decoration(s, op.w[1], (int32_t)op.w[2], op.w[3], op.w + 4, op.n - 4u);
		break;
	case SpvOpGroupDecorate:
		for (uint32_t i = 2; i < op.n; i++)
			apply_group(s, op.w[1], op.w[i], -1);
		break;
	case SpvOpGroupMemberDecorate:
		for (uint32_t i = 2; i + 1 < op.n; i += 2)
			apply_group(s, op.w[1], op.w[i], (int32_t)(op.w[i + 1] & INT32_MAX));
		break;
	default:
		break;
	}
}

/* A store that another lane or a later load can see.  For whole modules, so
 * that loads of a module without any can move freely. */
static bool writes_memory(struct spv *s, struct spv_op op)
{
	if (op.op == SpvOpAtomicFAddEXT || op.op == SpvOpAtomicFMinEXT || op.op == SpvOpAtomicFMaxEXT)
		return true;
	if (op.op == SpvOpImageWrite || (op.op >= SpvOpAtomicStore && op.op <= SpvOpAtomicXor))
		return true;
	if (op.op != SpvOpStore && op.op != SpvOpCopyMemory)
		return false;
	struct spv_op def = spv_at(s, spv_id(s, op.w[1])->at);
	if (def.op != SpvOpAccessChain && def.op != SpvOpInBoundsAccessChain && def.op != SpvOpVariable)
		return true;
	struct spv_op type = spv_at(s, spv_id(s, def.w[1])->at);
	return type.op == SpvOpTypePointer && (type.w[2] == SpvStorageClassUniform ||
		type.w[2] == SpvStorageClassStorageBuffer || type.w[2] == SpvStorageClassPhysicalStorageBuffer);
}

void spv_module(struct spv *s)
{
	spv_each(s, op, 5, s->functions) {
		s->cur = op;
		head_instruction(s, op);
	}
	spv_each(s, op, s->functions, s->count)
		s->module_writes |= writes_memory(s, op);
	s->cur = spv_at(s, 5);
	if (!s->entry)
		spv_invalid(s, "no entry point \"%s\" of this stage", s->in->entry);
	if (s->f->depth_greater || s->f->depth_less)
		s->f->depth_replacing = true;
	if (s->f->stage == COMPILER_GS)
		spv_geometry_check(s);
	if (s->f->stage == COMPILER_TCS || s->f->stage == COMPILER_TES)
		spv_tess_check(s);
}
