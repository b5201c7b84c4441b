/* SPDX-License-Identifier: MIT */
/* QW_DUMP writes the packets of each submission: by name, the command buffer's and
 * its secondary's, with the registers' fields and values. */
#include <unistd.h>
#define WORK_DRAWS 1
#include "work.h"

static char *read_file(const char *path)
{
	static char text[1 << 20];
	FILE *f = fopen(path, "r");
	CHECK(f);
	size_t n = fread(text, 1, sizeof text - 1, f);
	fclose(f);
	text[n] = 0;
	return text;
}

/* These stand in the text in this order. */
static void expect(const char *text, const char *const *parts, size_t count)
{
	const char *at = text;
	for (size_t i = 0; i < count; i++) {
		const char *found = strstr(at, parts[i]);
		if (!found)
			fprintf(stderr, "no \"%s\" after %zu bytes of:\n%s", parts[i], (size_t)(at - text), text);
		CHECK(found);
		at = found + strlen(parts[i]);
	}
}

int main(void)
{
	static const char *const parts[] = {
		"level 0, ", "\nc0023f00 INDIRECT_BUFFER\n", " address_lo\n",
		"level 1, ", "-> [COMPUTE_USER_DATA_0]\n",
		"\n\nc0031500 DISPATCH_DIRECT\n00000004 groups_x\n00000001 groups_y\n", "\n\nc0055800 ACQUIRE_MEM\n00000000 coher\n",
		"QW_COPY_BUFFER\n", "-> [CB_COLOR_INFO_0]\n", "QW_CLEAR_TARGET\n00000401 targets\n", "INDIRECT_BUFFER\n",
		"level 2, ", "-> [PA_SU_SC_MODE_CNTL]\n", "\t .FACE = FACE_CCW;\n",
		"-> [CB_COLOR_CONTROL]\n\t .MODE = CB_MODE_NORMAL;\n\t .ROP3 = ROP3_COPY;\n",
		"\n\nc0012d00 DRAW_INDEX_AUTO\n00000003 vertices\n00000002 source\n",
	};
	char dir[] = "/tmp/qw-dump-XXXXXX", path[64], command[64];
	struct vk vk;
	struct work w = { 0 };
	CHECK(mkdtemp(dir));
	setenv("QW_DUMP", dir, 1);
	vk_start(&vk);
	OK(work_make(&vk, NULL, &w));
	OK(work_submit(&vk, &w));
	work_destroy(&vk, NULL, &w);
	vk_stop(&vk);
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/submit_%05d.pm4", dir, i);
		const char *text = read_file(path);
		expect(text, parts, sizeof parts / sizeof parts[0]);
		CHECK(strstr(text, "-> [VGT_PRIMITIVE_TYPE] = DI_PT_TRILIST\n"));
		CHECK(!strstr(text, "malformed") && !strstr(text, "unknown"));
	}
	snprintf(path, sizeof path, "%s/submit_00002.pm4", dir);
	CHECK(access(path, F_OK) != 0);
	snprintf(command, sizeof command, "rm -r %s", dir);
	CHECK(system(command) == 0);
	return 0;
}
