/* SPDX-License-Identifier: MIT */
#include "icd/border.h"

#include <string.h>
#include "icd/device.h"

bool icd_borders_init(struct icd_device *device)
{
	struct icd_borders *b = &device->borders;
	if (!device->enabled.customBorderColors)
		return true;
	b->table = icd_gpu_alloc(device, NULL, S_BORDER_ENTRIES * sizeof *b->table, 256);
	if (!b->table)
		return false;
	static_assert(sizeof *b->table == S_BORDER_BYTES, "an entry");
	if (!pthread_mutex_init(&b->mutex, NULL))
		return true;
	icd_gpu_free(device, NULL, b->table);
	b->table = NULL;
	return false;
}

void icd_borders_finish(struct icd_device *device)
{
	struct icd_borders *b = &device->borders;
	if (!b->table)
		return;
	pthread_mutex_destroy(&b->mutex);
	icd_gpu_free(device, NULL, b->table);
}

static uint32_t first_free(const struct icd_borders *b)
{
	for (uint32_t i = 0; i < S_BORDER_ENTRIES / 64; i++)
		if (~b->taken[i])
			return 64 * i + (uint32_t)__builtin_ctzll(~b->taken[i]);
	return ICD_BORDER_NONE;
}

uint32_t icd_border_take(struct icd_device *device, const uint32_t color[4], uint32_t wanted)
{
	struct icd_borders *b = &device->borders;
	if (!b->table || (wanted != ICD_BORDER_NONE && wanted >= S_BORDER_ENTRIES))
		return ICD_BORDER_NONE;
	pthread_mutex_lock(&b->mutex);
	uint32_t n = wanted == ICD_BORDER_NONE ? first_free(b) : wanted;
	if (n != ICD_BORDER_NONE && b->taken[n / 64] >> n % 64 & 1)
		n = ICD_BORDER_NONE;
	if (n != ICD_BORDER_NONE) {
		b->taken[n / 64] |= 1ull << n % 64;
		memcpy(b->table[n], color, sizeof b->table[n]);
	}
	pthread_mutex_unlock(&b->mutex);
	return n;
}

void icd_border_give(struct icd_device *device, uint32_t entry)
{
	struct icd_borders *b = &device->borders;
	if (entry == ICD_BORDER_NONE)
		return;
	pthread_mutex_lock(&b->mutex);
	b->taken[entry / 64] &= ~(1ull << entry % 64);
	pthread_mutex_unlock(&b->mutex);
}
