/* SPDX-License-Identifier: MIT */
/* A small writer of SPIR-V modules, for the generators of the growth test: a
 * shader whose main function is open until module_finish. */
#ifndef TESTS_GROWTH_MODULE_H
#define TESTS_GROWTH_MODULE_H

#include "compiler/compiler.h"

#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parts of a module in their order; helpers come before main. */
enum module_part { PART_HEAD, PART_ENTRY, PART_MODES, PART_DECOR, PART_GLOBAL, PART_HELPERS, PART_LOCALS, PART_MAIN, PART_COUNT };

enum { MODULE_BINDINGS = 4096, MODULE_CONSTS = 64 };

struct module {
	struct module_words { uint32_t *at; size_t count, room; } part[PART_COUNT];
	uint32_t next_id;
	enum compiler_stage stage;
	enum module_part into;      /* where instructions go: PART_MAIN, or PART_HELPERS */
	uint32_t interface[128], interfaces;
	struct compiler_binding bindings[MODULE_BINDINGS];
	size_t binding_count;
	uint32_t consts[MODULE_CONSTS]; /* uint 0.. */
	/* types */
	uint32_t t_void, t_bool, t_uint, t_float, t_vec4, t_func, t_ptr, t_in_block, t_block_ptr, t_buffer_ptr;
	uint32_t buffer;            /* SSBO { uint data[]; }, set 0 binding 0 */
	uint32_t main, lane;        /* lane: an invocation's own number */
	uint32_t x, u;              /* values in main: of the lane, and equal in all lanes */
	uint32_t *words;            /* by module_finish */
	size_t word_count;
};

/* Opens main; x and u are loaded from the buffer. */
void module_init(struct module *m, enum compiler_stage stage);
/* Stores `result` (a uint) for the lane and closes main. */
void module_finish(struct module *m, uint32_t result);
void module_free(struct module *m);

uint32_t module_id(struct module *m);
/* An instruction as it is: opcode and n operands. */
void module_raw(struct module *m, enum module_part part, unsigned op, const uint32_t *operands, size_t n);
#define RAW(m, part, op, ...) \
	module_raw(m, part, op, (const uint32_t[]){ __VA_ARGS__ }, sizeof(const uint32_t[]){ __VA_ARGS__ } / 4)
/* Into the function being written. */
#define OP(m, op, ...) RAW(m, (m)->into, op, __VA_ARGS__)
/* The same with a result of the given type, whose id it gives. */
uint32_t module_result(struct module *m, enum module_part part, unsigned op, uint32_t type, const uint32_t *operands, size_t n);
#define RES(m, op, type, ...) module_result(m, (m)->into, op, type, \
	(const uint32_t[]){ __VA_ARGS__ }, sizeof(const uint32_t[]){ __VA_ARGS__ } / 4)
#define GLOBAL(m, op, type, ...) module_result(m, PART_GLOBAL, op, type, \
	(const uint32_t[]){ __VA_ARGS__ }, sizeof(const uint32_t[]){ __VA_ARGS__ } / 4)
/* A type: its id comes first. */
uint32_t module_type_op(struct module *m, unsigned op, const uint32_t *operands, size_t n);
#define TYPE(m, op, ...) module_type_op(m, op, (const uint32_t[]){ __VA_ARGS__ }, sizeof(const uint32_t[]){ __VA_ARGS__ } / 4)

uint32_t module_const(struct module *m, uint32_t value);
uint32_t module_array(struct module *m, uint32_t element, uint32_t length);
uint32_t module_pointer(struct module *m, unsigned storage, uint32_t type);
/* A variable of a type: Function ones are main's own. */
uint32_t module_variable(struct module *m, unsigned storage, uint32_t type);
uint32_t module_load(struct module *m, uint32_t pointer);             /* of a uint */
void module_store(struct module *m, uint32_t pointer, uint32_t value);
uint32_t module_buffer_load(struct module *m, uint32_t index);        /* data[index] */
void module_buffer_store(struct module *m, uint32_t index, uint32_t value);
void module_decorate_binding(struct module *m, uint32_t variable, uint32_t binding, enum compiler_desc type, uint32_t count);

/* value & 1 << bit % 32, as a bool. */
uint32_t module_test(struct module *m, uint32_t value, uint32_t bit);
void module_label(struct module *m, uint32_t label);
/* Ends the block with an if whose arms are `then` and `merge`; opens `then`. */
uint32_t module_if(struct module *m, uint32_t condition);
void module_end_if(struct module *m, uint32_t merge);

#endif
