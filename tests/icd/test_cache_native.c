/* SPDX-License-Identifier: MIT */
/* What QW_CACHE says a cache's bytes hold: GCN code alone, or translations too, which
 * are taken where the user's key made their MAC and nowhere else. */
#define WORK_DRAWS 3
#include <unistd.h>
#include "cache_blob.h"
#include "work.h"

static char directory[64], key_file[80];

/* A device that keeps caches in a way, with some user's key. */
static struct vk start(const char *mode, const char *user)
{
	struct vk vk;
	snprintf(key_file, sizeof key_file, "%s/%s", directory, user);
	setenv("QW_CACHE_KEY", key_file, 1);
	if (mode)
		setenv("QW_CACHE", mode, 1);
	else
		unsetenv("QW_CACHE");
	vk_start(&vk);
	return vk;
}

/* What a cache of these bytes gives again, before anything is made with it. */
static struct blob reload(struct vk *vk, struct blob in)
{
	VkPipelineCacheCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
		.initialDataSize = in.size, .pInitialData = in.p };
	VkPipelineCache cache;
	struct blob out;
	OK(FN(vk, vkCreatePipelineCache)(vk->device, &info, NULL, &cache));
	OK(FN(vk, vkGetPipelineCacheData)(vk->device, cache, &out.size, NULL));
	CHECK((out.p = malloc(out.size)));
	OK(FN(vk, vkGetPipelineCacheData)(vk->device, cache, &out.size, out.p));
	FN(vk, vkDestroyPipelineCache)(vk->device, cache, NULL);
	return out;
}

static struct blob draw(struct vk *vk, struct blob in, VkPipelineCreateFlags flags)
{
	struct work w = { .cache_data = in.p, .cache_size = in.size, .flags = flags };
	struct blob out;
	OK(work_make(vk, NULL, &w));
	OK(FN(vk, vkGetPipelineCacheData)(vk->device, w.cache, &out.size, NULL));
	CHECK((out.p = malloc(out.size)));
	OK(FN(vk, vkGetPipelineCacheData)(vk->device, w.cache, &out.size, out.p));
	work_destroy(vk, NULL, &w);
	return out;
}

/* Programs and translations that a new device takes of these bytes. */
static void expect(const char *mode, const char *user, struct blob in, int programs, int translations)
{
	struct vk vk = start(mode, user);
	struct blob out = reload(&vk, in);
	CHECK(blob_count(out, ICD_RECORD_PROGRAM) == programs);
	CHECK(blob_count(out, ICD_RECORD_TRANSLATION) == translations);
	free(out.p);
	if (programs == 3)
		free(draw(&vk, in, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT).p);
	vk_stop(&vk);
}

/* Every byte of the first translation's record, in turn: machine code that was changed. */
static void damaged(struct blob native)
{
	struct icd_record r = { 0 };
	size_t at = BLOB_HEADER;
	while (blob_record(native, at, &r) && r.kind != ICD_RECORD_TRANSLATION)
		at += r.bytes;
	CHECK(r.kind == ICD_RECORD_TRANSLATION && r.bytes > sizeof r);
	struct blob one = { malloc(BLOB_HEADER + r.bytes), BLOB_HEADER + r.bytes };
	const struct icd_record_context mac = { native.p + BLOB_HEADER - BLOB_UUID, (const uint8_t *)"another key, that of a bad man.." };
	struct icd_record out;
	memcpy(one.p, native.p, BLOB_HEADER);
	memcpy(one.p + BLOB_HEADER, native.p + at, r.bytes);
	CHECK(icd_record_read(&mac, one.p + BLOB_HEADER, r.bytes, &out) == ICD_RECORD_PASSED);
	/* Who knows how to make a MAC, but not the key. */
	icd_record_checksum(&mac, &r, native.p + at + sizeof r, r.checksum);
	memcpy(one.p + BLOB_HEADER, &r, sizeof r);
	CHECK(icd_record_read(&mac, one.p + BLOB_HEADER, r.bytes, &out) == ICD_RECORD_TAKEN);
	for (size_t i = 0; i < r.bytes; i++) {
		one.p[BLOB_HEADER + i] ^= (uint8_t)(1u << i % 8);
		CHECK(icd_record_read(&mac, one.p + BLOB_HEADER, r.bytes, &out) != ICD_RECORD_TAKEN);
		one.p[BLOB_HEADER + i] ^= (uint8_t)(1u << i % 8);
	}
	/* One of another build. */
	one.p[BLOB_HEADER - 1] ^= 1;
	const struct icd_record_context moved = { one.p + BLOB_HEADER - BLOB_UUID, mac.mac_key };
	CHECK(icd_record_read(&moved, one.p + BLOB_HEADER, r.bytes, &out) == ICD_RECORD_PASSED);
	free(one.p);
}

/* All machine code set to int3, and no driver runs it. */
static void poisoned(struct blob native)
{
	struct blob b = { malloc(native.size), native.size };
	struct icd_record r;
	memcpy(b.p, native.p, native.size);
	for (size_t at = BLOB_HEADER; blob_record(b, at, &r); at += r.bytes)
		if (r.kind == ICD_RECORD_TRANSLATION)
			memset(b.p + at + sizeof r + (r.bytes - sizeof r) / 2, 0xcc, (r.bytes - sizeof r) / 2);
	expect("native", "mine", b, 3, 0);
	expect(NULL, "mine", b, 3, 0);
	free(b.p);
}

int main(void)
{
	struct blob none = { NULL, 0 }, gcn, native, garbage;
	strcpy(directory, "/tmp/qw-native-XXXXXX");
	CHECK(mkdtemp(directory));
	unsetenv("QW_CORE"); /* translations are of plain use */
	struct vk vk = start(NULL, "mine");
	gcn = draw(&vk, none, 0);
	vk_stop(&vk);
	CHECK(access(key_file, F_OK)); /* nothing is written that nobody asked for */
	CHECK(blob_count(gcn, ICD_RECORD_PROGRAM) == 3 && !blob_count(gcn, ICD_RECORD_TRANSLATION));
	vk = start("native", "mine");
	native = draw(&vk, none, 0);
	vk_stop(&vk);
	CHECK(blob_count(native, ICD_RECORD_PROGRAM) == 3);
	if (blob_count(native, ICD_RECORD_TRANSLATION) != 3) {
		printf("skipped: nothing is translated here\n");
		return 0;
	}
	expect("native", "mine", native, 3, 3);
	expect("native", "yours", native, 3, 0);
	expect("gcn", "mine", native, 3, 0);
	expect("nonsense", "mine", native, 3, 0);
	expect("native", "no/such/place", native, 3, 0);
	expect("native", "mine", gcn, 3, 0);
	damaged(native);
	poisoned(native);
	garbage = (struct blob){ native.p, native.size - 1 };
	expect("native", "mine", garbage, 3, 2);
	snprintf(key_file, sizeof key_file, "%s/mine", directory);
	unlink(key_file);
	snprintf(key_file, sizeof key_file, "%s/yours", directory);
	unlink(key_file);
	rmdir(directory);
	free(gcn.p);
	free(native.p);
	return 0;
}
