/* SPDX-License-Identifier: MIT */
/* qwscenes: draws the render tests' scenes on the driver that the loader finds.
 *
 *   qwscenes [--scene NAME]... [--out DIR] [--against DIR] [--list]
 *
 * Prints one line a scene: its name and the hash of what was read back.
 * --out writes NAME.ppm; --against compares with the pictures that another
 * driver left in DIR, within the bounds that each scene states.
 * Exit status 0: all well; 1: a scene failed, crashed or differs; 77: nothing
 * failed, but the driver lacks what a scene needs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/render/scene.h"

static const struct scene *const scenes[] = { &scene_seed_triangle, &scene_textured_cube, &scene_blend_overlap,
	&scene_stencil_shadow, &scene_points_lines, &scene_instancing_indirect, &scene_compute_image,
	&scene_mrt_formats, &scene_derivatives_discard, &scene_clip_scissor_bias,
	&scene_multisample, &scene_geometry, &scene_tessellation, &scene_meshlets };
enum { SCENES = sizeof scenes / sizeof *scenes, PATH = 1024 };

struct options {
	const char *out, *against;
	bool chosen[SCENES], any_chosen;
};

static void path_of(char *path, const char *dir, const struct scene *scene)
{
	snprintf(path, PATH, "%s/%s.ppm", dir, scene->name);
}

static int compare(const struct scene *scene, const struct picture *ours, const char *dir)
{
	struct difference d;
	struct picture theirs;
	char path[PATH];
	path_of(path, dir, scene);
	if (!picture_read(&theirs, path)) {
		printf("%s: cannot read %s\n", scene->name, path);
		return 1;
	}
	const bool same_size = picture_compare(ours, &theirs, &d);
	free(theirs.rgb);
	if (!same_size) {
		printf("%s: %s has another size\n", scene->name, path);
		return 1;
	}
	const bool good = d.rmse <= scene->max_rmse && d.pixels <= scene->max_pixels;
	printf("%-20s rmse %.3f %% (at most %.3g %%), %.3f %% of pixels differ (at most %.3g %%)%s\n", scene->name,
		d.rmse, scene->max_rmse, d.pixels, scene->max_pixels, good ? "" : ": too much");
	return good ? 0 : 1;
}

static int run_scene(const struct options *o, const struct scene *scene)
{
	struct vh h;
	struct output out = { 0 };
	char path[PATH];
	int status = 0;
	const struct vh_wants mesh = { .core = scene->features, .version = VK_API_VERSION_1_3, .mesh = true,
		.v13.maintenance4 = VK_TRUE }; /* LocalSizeId */
	if (scene->mesh && vh_has_mesh())
		vh_open_wants(&h, "qwscenes", &mesh);
	else
		vh_open(&h, "qwscenes", &scene->features);
	scene->draw(&h, &out);
	vh_close(&h);
	printf("%-20s %016llx\n", scene->name, (unsigned long long)out.hash);
	const char *wrong = scene->check ? scene->check(&out.picture) : NULL;
	if (wrong) {
		printf("%s: %s\n", scene->name, wrong);
		status = 1;
	}
	if (o->out) {
		path_of(path, o->out, scene);
		if (!picture_write(&out.picture, path))
			vh_fail("cannot write %s", path);
	}
	if (o->against && compare(scene, &out.picture, o->against) != 0)
		status = 1;
	free(out.picture.rgb);
	return status;
}

/* In a process of its own, so that a crash costs one scene. */
static int run_apart(const struct options *o, const struct scene *scene)
{
	int status = 0;
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0)
		exit(run_scene(o, scene));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		vh_fail("cannot start a process");
	if (WIFSIGNALED(status)) {
		printf("%s: crashed: %s\n", scene->name, strsignal(WTERMSIG(status)));
		return 1;
	}
	if (WEXITSTATUS(status) != 0)
		fprintf(stderr, "%s: ended with status %d\n", scene->name, WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

static _Noreturn void usage(void)
{
	fputs("usage: qwscenes [--scene NAME]... [--out DIR] [--against DIR] [--list]\n", stderr);
	exit(2);
}

static struct options parse(int argc, char **argv)
{
	struct options o = { 0 };
	for (int i = 1; i < argc; i += 2) {
		if (strcmp(argv[i], "--list") == 0) {
			for (int s = 0; s < SCENES; s++)
				puts(scenes[s]->name);
			exit(0);
		}
		if (i + 1 == argc)
			usage();
		if (strcmp(argv[i], "--out") == 0) {
			o.out = argv[i + 1];
		} else if (strcmp(argv[i], "--against") == 0) {
			o.against = argv[i + 1];
		} else if (strcmp(argv[i], "--scene") == 0) {
			int s = 0;
			while (s < SCENES && strcmp(scenes[s]->name, argv[i + 1]) != 0)
				s++;
			if (s == SCENES)
				usage();
			o.chosen[s] = o.any_chosen = true;
		} else {
			usage();
		}
	}
	return o;
}

int main(int argc, char **argv)
{
	const struct options o = parse(argc, argv);
	int worst = 0;
	for (int s = 0; s < SCENES; s++) {
		if (o.any_chosen && !o.chosen[s])
			continue;
		const int status = run_apart(&o, scenes[s]);
		if (status == VH_LACKS && worst == 0)
			worst = VH_LACKS;
		else if (status != 0 && status != VH_LACKS)
			worst = 1;
	}
	return worst;
}
