/* The cache and its file format:
 *
 *   VkPipelineCacheHeaderVersionOne (32 bytes), then entries:
 *     u32 bytes of the record, u32 dwords of code, key, checksum of what follows,
 *     struct compiler_shader (code pointer 0), code
 *
 * The UUID in the header changes with every build, so the layout of the struct
 * may change too.  A blob is taken entry by entry as far as it is sound. */
#include "icd/pipeline_cache.h"

#include <stdlib.h>
#include <string.h>
#include "icd/device.h"
#include "icd/hash.h"

struct record {
	uint32_t bytes, code_dwords;
	uint8_t key[16], checksum[16];
	struct compiler_shader shader;
};
enum { HEADER_BYTES = 32, FIRST_BUCKETS = 64 };
static_assert(sizeof(VkPipelineCacheHeaderVersionOne) == HEADER_BYTES, "as the specification has it");

static struct icd_cache_entry **bucket_of(struct icd_pipeline_cache *cache, const uint8_t key[16])
{
	uint32_t h;
	memcpy(&h, key, sizeof h);
	return &cache->bucket[h % cache->bucket_count];
}

static struct icd_cache_entry *find(struct icd_pipeline_cache *cache, const uint8_t key[16])
{
	struct icd_cache_entry *e;
	if (!cache->bucket_count)
		return NULL;
	e = *bucket_of(cache, key);
	while (e && memcmp(e->key, key, 16))
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

/* `code` need not be aligned.  The mutex is held for the table only: an entry
 * never changes and stays as long as the cache. */
static void insert(struct icd_pipeline_cache *cache, const uint8_t key[16],
	const struct compiler_shader *shader, const void *code)
{
	struct icd_cache_entry *e = icd_zalloc(&cache->alloc, sizeof *e + (size_t)shader->code_dwords * 4,
		VK_SYSTEM_ALLOCATION_SCOPE_CACHE);
	if (!e)
		return;
	memcpy(e->key, key, 16);
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

bool icd_pipeline_cache_find(struct icd_pipeline_cache *cache, const uint8_t key[16],
	struct compiler_shader *out)
{
	const struct icd_cache_entry *e;
	if (!cache)
		return false;
	pthread_mutex_lock(&cache->mutex);
	e = find(cache, key);
	pthread_mutex_unlock(&cache->mutex);
	if (!e)
		return false;
	*out = e->shader;
	out->code = malloc((size_t)e->shader.code_dwords * 4 + 4);
	if (out->code)
		memcpy(out->code, e->code, (size_t)e->shader.code_dwords * 4);
	return out->code != NULL;
}

void icd_pipeline_cache_insert(struct icd_pipeline_cache *cache, const uint8_t key[16],
	const struct compiler_shader *shader)
{
	if (cache)
		insert(cache, key, shader, shader->code);
}

/* A translation is an entry of its own, beside the program's. */
static void translation_key(const uint8_t key[16], enum cu_level level, uint8_t out[16])
{
	struct icd_hash h;
	icd_hash_init(&h);
	icd_hash_add(&h, key, 16);
	icd_hash_u32(&h, (uint32_t)level);
	icd_hash_finish(&h, out);
}

void *icd_pipeline_cache_find_translation(struct icd_pipeline_cache *cache, const uint8_t key[16],
	enum cu_level level, size_t *bytes)
{
	struct compiler_shader found;
	uint8_t own[16];
	translation_key(key, level, own);
	if (!icd_pipeline_cache_find(cache, own, &found))
		return NULL;
	*bytes = (size_t)found.code_dwords * 4;
	return found.code;
}

void icd_pipeline_cache_insert_translation(struct icd_pipeline_cache *cache, const uint8_t key[16],
	enum cu_level level, const void *data, size_t bytes)
{
	struct compiler_shader none = { .code_dwords = (uint32_t)(bytes / 4) };
	uint8_t own[16];
	if (!cache)
		return;
	translation_key(key, level, own);
	insert(cache, own, &none, data);
}

static void make_header(const struct icd_device *device, VkPipelineCacheHeaderVersionOne *h)
{
	const VkPhysicalDeviceProperties *p = &device->physical_device->properties;
	memset(h, 0, sizeof *h);
	h->headerSize = HEADER_BYTES;
	h->headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
	h->vendorID = p->vendorID;
	h->deviceID = p->deviceID;
	memcpy(h->pipelineCacheUUID, p->pipelineCacheUUID, VK_UUID_SIZE);
}

static void checksum(const struct record *r, const void *code, uint8_t out[16])
{
	struct icd_hash h;
	icd_hash_init(&h);
	icd_hash_add(&h, r->key, sizeof r->key);
	icd_hash_add(&h, &r->shader, sizeof r->shader);
	icd_hash_add(&h, code, (size_t)r->code_dwords * 4);
	icd_hash_finish(&h, out);
}

static void load(struct icd_pipeline_cache *cache, const uint8_t *p, size_t size)
{
	VkPipelineCacheHeaderVersionOne header;
	make_header(cache->base.device, &header);
	if (size < HEADER_BYTES || memcmp(p, &header, HEADER_BYTES))
		return;
	p += HEADER_BYTES;
	size -= HEADER_BYTES;
	while (size >= sizeof(struct record)) {
		struct record r;
		uint8_t sum[16];
		memcpy(&r, p, sizeof r);
		if (r.bytes > size || r.bytes < sizeof r || r.code_dwords != r.shader.code_dwords ||
			r.bytes - sizeof r != (uint64_t)r.code_dwords * 4)
			return;
		checksum(&r, p + sizeof r, sum);
		if (memcmp(sum, r.checksum, sizeof sum))
			return;
		insert(cache, r.key, &r.shader, p + sizeof r);
		p += r.bytes;
		size -= r.bytes;
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

/* Writes what fits, whole entries only; returns false when some did not. */
static bool store(const struct icd_pipeline_cache *cache, uint8_t *p, size_t room, size_t *used)
{
	bool all = true;
	for (uint32_t i = 0; i < cache->bucket_count; i++) {
		for (const struct icd_cache_entry *e = cache->bucket[i]; e; e = e->next) {
			struct record r = { .code_dwords = e->shader.code_dwords, .shader = e->shader };
			r.bytes = (uint32_t)sizeof r + r.code_dwords * 4;
			if (p && r.bytes > room - *used) {
				all = false;
				continue;
			}
			if (p) {
				memcpy(r.key, e->key, sizeof r.key);
				r.shader.code = NULL;
				checksum(&r, e->code, r.checksum);
				memcpy(p + *used, &r, sizeof r);
				memcpy(p + *used + sizeof r, e->code, (size_t)r.code_dwords * 4);
			}
			*used += r.bytes;
		}
	}
	return all;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPipelineCacheData(VkDevice _device, VkPipelineCache _cache,
	size_t *pDataSize, void *pData)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_pipeline_cache, cache, _cache);
	VkPipelineCacheHeaderVersionOne header;
	size_t used = HEADER_BYTES;
	bool all;

	if (pData && *pDataSize < HEADER_BYTES) {
		*pDataSize = 0;
		return VK_INCOMPLETE;
	}
	if (pData) {
		make_header(device, &header);
		memcpy(pData, &header, HEADER_BYTES);
	}
	pthread_mutex_lock(&cache->mutex);
	all = store(cache, pData, *pDataSize, &used);
	pthread_mutex_unlock(&cache->mutex);
	*pDataSize = used;
	return all ? VK_SUCCESS : VK_INCOMPLETE;
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
				icd_pipeline_cache_insert(dst, e->key, &e->shader);
		pthread_mutex_unlock(&src->mutex);
	}
	return VK_SUCCESS;
}
