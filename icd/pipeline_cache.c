/* SPDX-License-Identifier: MIT */
/* The cache and its file format: VkPipelineCacheHeaderVersionOne (32 bytes), then
 * records (cache_record.h).  A blob is taken record by record as far as it is sound. */
#include "icd/pipeline_cache.h"

#include <stdlib.h>
#include <string.h>
#include "icd/cache_record.h"
#include "icd/device.h"

enum { HEADER_BYTES = 32, FIRST_BUCKETS = 64 };
static_assert(sizeof(VkPipelineCacheHeaderVersionOne) == HEADER_BYTES, "as the specification has it");

static struct icd_cache_entry **bucket_of(struct icd_pipeline_cache *cache, const uint8_t key[ICD_HASH_BYTES])
{
	uint32_t h;
	memcpy(&h, key, sizeof h);
	return &cache->bucket[h % cache->bucket_count];
}

static struct icd_cache_entry *find(struct icd_pipeline_cache *cache, const uint8_t key[ICD_HASH_BYTES])
{
	struct icd_cache_entry *e;
	if (!cache->bucket_count)
		return NULL;
	e = *bucket_of(cache, key);
	while (e && (e->rejected || memcmp(e->key, key, ICD_HASH_BYTES)))
		e = e->next;
	return e;
}

/* Keeps chains short; without memory they just grow longer. */
static bool grow(struct icd_pipeline_cache *cache)
{
	uint32_t count = cache->bucket_count ? cache->bucket_count * 4 : FIRST_BUCKETS;
	struct icd_cache_entry **old = cache->bucket, **fresh;
	uint32_t old_count = cache->bucket_count;

	if (cache->entry_count < old_count)
		return true;
	fresh = icd_zalloc(&cache->alloc, count * sizeof *fresh, VK_SYSTEM_ALLOCATION_SCOPE_CACHE);
	if (!fresh)
		return old_count > 0;
	cache->bucket = fresh;
	cache->bucket_count = count;
	for (uint32_t i = 0; i < old_count; i++) {
		while (old[i]) {
			struct icd_cache_entry *e = old[i], **b = bucket_of(cache, e->key);
			old[i] = e->next;
			e->next = *b;
			*b = e;
		}
	}
	icd_free(&cache->alloc, old);
	return true;
}

/* `code` need not be aligned.  The mutex is held for the table only: but for `rejected`,
 * which it guards, an entry never changes and stays as long as the cache. */
static void insert(struct icd_pipeline_cache *cache, const uint8_t key[ICD_HASH_BYTES],
	const struct compiler_shader *shader, const void *code, bool foreign)
{
	struct icd_cache_entry *e = icd_zalloc(&cache->alloc, sizeof *e + (size_t)shader->code_dwords * 4,
		VK_SYSTEM_ALLOCATION_SCOPE_CACHE);
	if (!e)
		return;
	memcpy(e->key, key, ICD_HASH_BYTES);
	e->foreign = foreign;
	e->shader = *shader;
	memcpy(e->code, code, (size_t)shader->code_dwords * 4);
	e->shader.code = e->code;
	pthread_mutex_lock(&cache->mutex);
	bool fresh = !find(cache, key) && grow(cache);
	if (fresh) {
		struct icd_cache_entry **b = bucket_of(cache, key);
		e->next = *b;
		*b = e;
		cache->entry_count++;
	}
	pthread_mutex_unlock(&cache->mutex);
	if (!fresh)
		icd_free(&cache->alloc, e);
}

bool icd_pipeline_cache_find(struct icd_pipeline_cache *cache, const uint8_t key[ICD_HASH_BYTES],
	struct compiler_shader *out, bool *foreign)
{
	const struct icd_cache_entry *e;
	if (!cache)
		return false;
	pthread_mutex_lock(&cache->mutex);
	e = find(cache, key);
	pthread_mutex_unlock(&cache->mutex);
	if (!e)
		return false;
	*foreign = e->foreign;
	*out = e->shader;
	out->code = malloc((size_t)e->shader.code_dwords * 4 + 4);
	if (out->code)
		memcpy(out->code, e->code, (size_t)e->shader.code_dwords * 4);
	return out->code != NULL;
}

void icd_pipeline_cache_insert(struct icd_pipeline_cache *cache, const uint8_t key[ICD_HASH_BYTES],
	const struct compiler_shader *shader)
{
	if (cache)
		insert(cache, key, shader, shader->code, false);
}

void icd_pipeline_cache_reject(struct icd_pipeline_cache *cache, const uint8_t key[ICD_HASH_BYTES])
{
	struct icd_cache_entry *e;
	pthread_mutex_lock(&cache->mutex);
	e = find(cache, key);
	if (e && e->foreign)
		e->rejected = true;
	pthread_mutex_unlock(&cache->mutex);
}

static void make_header(const struct icd_device *device, VkPipelineCacheHeaderVersionOne *h)
{
	const struct icd_properties *p = &device->physical_device->properties;
	memset(h, 0, sizeof *h);
	h->headerSize = HEADER_BYTES;
	h->headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
	h->vendorID = p->vendorID;
	h->deviceID = p->deviceID;
	memcpy(h->pipelineCacheUUID, p->pipelineCacheUUID, VK_UUID_SIZE);
}

static struct icd_record_context context_of(const struct icd_device *device)
{
	return (struct icd_record_context){ device->physical_device->properties.pipelineCacheUUID,
		device->cache_native ? device->cache_key : NULL };
}

static void load(struct icd_pipeline_cache *cache, const uint8_t *p, size_t size)
{
	struct icd_device *device = cache->base.device;
	const struct icd_record_context context = context_of(device);
	VkPipelineCacheHeaderVersionOne header;
	enum icd_record_status status;
	struct icd_record r;
	make_header(device, &header);
	if (size < HEADER_BYTES || memcmp(p, &header, HEADER_BYTES))
		return;
	for (p += HEADER_BYTES, size -= HEADER_BYTES; size; p += r.bytes, size -= r.bytes) {
		status = icd_record_read(&context, p, size, &r);
		if (status == ICD_RECORD_DAMAGED)
			return;
		if (status == ICD_RECORD_TAKEN && r.kind == ICD_RECORD_PROGRAM)
			insert(cache, r.key, &r.shader, p + sizeof r, true);
		else if (status == ICD_RECORD_TAKEN && r.shader.stage == (uint32_t)rs_gpu_level(device->gpu))
			icd_translations_insert(&device->translations, r.key, p + sizeof r,
				(size_t)r.shader.code_dwords * 4);
	}
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreatePipelineCache(VkDevice _device,
	const VkPipelineCacheCreateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkPipelineCache *pPipelineCache)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_pipeline_cache *cache = icd_object_alloc(device, pAllocator, sizeof *cache,
		VK_OBJECT_TYPE_PIPELINE_CACHE);
	if (!cache)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (pthread_mutex_init(&cache->mutex, NULL)) {
		icd_object_free(device, pAllocator, cache);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	cache->alloc = *icd_alloc_pick(&device->alloc, pAllocator);
	if (info->initialDataSize && info->pInitialData)
		load(cache, info->pInitialData, info->initialDataSize);
	*pPipelineCache = icd_pipeline_cache_to_handle(cache);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyPipelineCache(VkDevice _device, VkPipelineCache _cache,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_pipeline_cache, cache, _cache);
	if (!cache)
		return;
	for (uint32_t i = 0; i < cache->bucket_count; i++) {
		while (cache->bucket[i]) {
			struct icd_cache_entry *e = cache->bucket[i];
			cache->bucket[i] = e->next;
			icd_free(&cache->alloc, e);
		}
	}
	icd_free(&cache->alloc, cache->bucket);
	pthread_mutex_destroy(&cache->mutex);
	icd_object_free(device, pAllocator, cache);
}

/* Bytes to write to, or to count: p NULL. */
struct output { const struct icd_record_context *context; uint8_t *p; size_t room, used; bool all; };

/* A whole record or, where it does not fit, nothing. */
static void put(struct output *o, enum icd_record_kind kind, const uint8_t key[ICD_HASH_BYTES],
	const struct compiler_shader *shader, const void *code)
{
	size_t bytes = icd_record_bytes(shader->code_dwords);
	if (!bytes)
		return;
	if (o->p && bytes > o->room - o->used) {
		o->all = false;
		return;
	}
	if (o->p)
		icd_record_write(o->context, kind, key, shader, code, o->p + o->used);
	o->used += bytes;
}

static void put_entry(struct output *o, struct icd_device *device, const struct icd_cache_entry *e)
{
	if (e->rejected)
		return;
	put(o, ICD_RECORD_PROGRAM, e->key, &e->shader, e->code);
	if (!o->context->mac_key)
		return;
	struct icd_translation *t = icd_translations_find(&device->translations, e->key);
	if (t) {
		struct compiler_shader none = { .code_dwords = (uint32_t)(t->bytes / 4),
			.stage = rs_gpu_level(device->gpu) };
		put(o, ICD_RECORD_TRANSLATION, e->key, &none, t->data);
	}
	icd_translation_unref(t);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPipelineCacheData(VkDevice _device, VkPipelineCache _cache,
	size_t *pDataSize, void *pData)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_pipeline_cache, cache, _cache);
	const struct icd_record_context context = context_of(device);
	struct output o = { &context, pData, *pDataSize, HEADER_BYTES, true };
	VkPipelineCacheHeaderVersionOne header;

	if (pData && *pDataSize < HEADER_BYTES) {
		*pDataSize = 0;
		return VK_INCOMPLETE;
	}
	if (pData) {
		make_header(device, &header);
		memcpy(pData, &header, HEADER_BYTES);
	}
	pthread_mutex_lock(&cache->mutex);
	for (uint32_t i = 0; i < cache->bucket_count; i++)
		for (const struct icd_cache_entry *e = cache->bucket[i]; e; e = e->next)
			put_entry(&o, device, e);
	pthread_mutex_unlock(&cache->mutex);
	*pDataSize = o.used;
	return o.all ? VK_SUCCESS : VK_INCOMPLETE;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_MergePipelineCaches(VkDevice device, VkPipelineCache dstCache,
	uint32_t srcCacheCount, const VkPipelineCache *pSrcCaches)
{
	ICD_FROM_HANDLE(icd_pipeline_cache, dst, dstCache);
	for (uint32_t s = 0; s < srcCacheCount; s++) {
		struct icd_pipeline_cache *src = icd_pipeline_cache_from_handle(pSrcCaches[s]);
		pthread_mutex_lock(&src->mutex);
		for (uint32_t i = 0; i < src->bucket_count; i++)
			for (const struct icd_cache_entry *e = src->bucket[i]; e; e = e->next)
				if (!e->rejected)
					insert(dst, e->key, &e->shader, e->code, e->foreign);
		pthread_mutex_unlock(&src->mutex);
	}
	return VK_SUCCESS;
}
