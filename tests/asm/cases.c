/* SPDX-License-Identifier: MIT */
/* asm_cases CPU: assembles each line of standard input by itself, \n in it
 * being the end of a line, and prints what became of it: bytes, or the error
 * as LINE:COLUMN: WHAT... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/text/gcn_asm.h"

static void unescape(char *text)
{
	char *out = text;
	for (const char *p = text; *p; p++) {
		bool escaped = p[0] == '\\' && (p[1] == 'n' || p[1] == '\\' || p[1] == '"');
		p += escaped;
		*out++ = escaped && *p == 'n' ? '\n' : *p;
	}
	*out = 0;
}

static void print_result(const struct gcn_asm_result *r)
{
	char text[512];
	if (r->error_count) {
		gcn_asm_format_error(&r->errors[0], "", text, sizeof(text));
		printf("%s\n", text + 1); /* the ":" after the absent name */
		return;
	}
	for (size_t i = 0; i < r->size; i++)
		printf("%02x", ((const unsigned char *)r->code)[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	static char line[65536];
	enum gcn_gen gen;
	if (argc != 2 || !gcn_find_cpu(argv[1], &gen)) {
		fprintf(stderr, "usage: asm_cases CPU\n");
		return 2;
	}
	while (fgets(line, sizeof(line), stdin)) {
		struct gcn_asm_result r;
		line[strcspn(line, "\n")] = 0;
		unescape(line);
		bool ok = gcn_asm(gen, line, &r);
		if (ok != !r.error_count)
			return 1;
		print_result(&r);
		gcn_asm_free(&r);
	}
	return 0;
}
