/* SPDX-License-Identifier: MIT */
/* Cache files that somebody made to do harm, with the right checksums: what they hold
 * is not used unless all of it is fit to run.  First one case for each thing that is
 * checked, then thousands of random ones, each run: whatever the code does, the worst
 * is a lost device.  Take a build with sanitizers.  Arguments: rounds and seed. */
#define WORK_DRAWS 3
#include "cache_mutate.h"
#include "cache_run.h"

static VkResult run(void *vk, struct blob b, VkPipelineCreateFlags flags, struct blob *saved)
{
	return cache_run(vk, b, flags, saved);
}

static int swapped(const struct mutate *m)
{
	struct icd_record vs, cs;
	struct blob b = mutate_copy(m);
	size_t v = mutate_find(b, COMPILER_VS, &vs), c = mutate_find(b, COMPILER_CS, &cs);
	memcpy(b.p + v + offsetof(struct icd_record, key), cs.key, sizeof cs.key);
	memcpy(b.p + c + offsetof(struct icd_record, key), vs.key, sizeof vs.key);
	return mutate_must_miss(m, b, "a program of another stage");
}

static int cases(const struct mutate *m)
{
#define N(stage, field, value) MUTATE_NUMBER(m, COMPILER_##stage, field, value)
	return N(VS, stage, 7) + N(VS, vgprs, 257) + N(VS, sgprs, 129) + N(VS, scratch_bytes, 131057) +
		N(CS, scratch_bytes, 0xffffffff) + N(CS, lds_bytes, 65537) + N(VS, user_sgprs, 9) + N(PS, user_sgprs, 32) +
		N(CS, user_sgprs, 17) + N(VS, param_count, 33) + N(VS, param_of_slot[4], 0x20202020) + N(PS, num_interp, 33) +
		N(PS, ps_input_ena, 0x10000) + N(PS, sample_shading, 2) + N(CS, workgroup[0], 0) + N(CS, workgroup[1], 1025) +
		N(CS, workgroup[2], 0x10001) + N(CS, tgid_en, 8) + N(CS, tidig_comp_cnt, 3) + mutate_code_cases(m) + swapped(m);
#undef N
}

int main(int argc, char **argv)
{
	uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 400;
	struct vk vk;
	setenv("QW_BUDGET", "20000", 1);
	setenv("QW_THREADS", "1", 1);
	vk_start(&vk);
	struct mutate m = mutate_start(run, &vk, 3, argc > 2 ? strtoull(argv[2], NULL, 0) : 1);
	int failed = cases(&m);
	mutate_rounds(&m, rounds, "work");
	free(m.good.p);
	vk_stop(&vk);
	return failed != 0;
}
