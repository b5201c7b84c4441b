/* Not written yet: every program stays with the interpreter. */
#include "core/jit/jit.h"

bool cu_jit_translate(const struct cu_program *p, const struct cu_jit_options *options,
	struct cu_jit_image *out, struct cu_error *err)
{
	cu_error_at(err, 0, NULL, "there is no translator yet");
	return false;
}
