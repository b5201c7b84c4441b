/* SPDX-License-Identifier: MIT */
/* What a compilation may take: stack, private memory, memory and work.  Modules
 * are written here, compiled on a thread of 256 KiB of stack, and compiled or
 * refused with a message that names the place. */
#include "spv_test.h"

#include <pthread.h>
#include <stdarg.h>

#include "isa/abi.h"
#include "tests/check.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
enum { STACK = 2 << 20 }; /* bigger frames */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { STACK = 2 << 20 };
#else
enum { STACK = 256 << 10 };
#endif
#else
enum { STACK = 256 << 10 };
#endif

/* --- a module --- */

struct words { uint32_t *at; size_t count, room; };

static void word(struct words *w, uint32_t value)
{
	if (w->count == w->room) {
		w->room = w->room ? 2 * w->room : 1024;
		w->at = realloc(w->at, w->room * 4);
		CHECK(w->at);
	}
	w->at[w->count++] = value;
}

/* n operands. */
static void op(struct words *w, uint32_t opcode, unsigned n, ...)
{
	va_list args;
	va_start(args, n);
	word(w, (n + 1) << 16 | opcode);
	while (n--)
		word(w, va_arg(args, uint32_t));
	va_end(args);
}

enum { VOID = 1, FN, UINT, BOOL, PTR, BLOCK, ARRAY, PBLOCK, PUINT, BUFFER, ZERO, ONE, MAIN, VAR, X, FREE };

static struct words begin(void)
{
	struct words w = { 0 };
	word(&w, SpvMagicNumber);
	word(&w, 0x10000);
	word(&w, 0);
	word(&w, 1 << 21);
	word(&w, 0);
	op(&w, SpvOpCapability, 1, SpvCapabilityShader);
	op(&w, SpvOpMemoryModel, 2, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
	op(&w, SpvOpEntryPoint, 4, SpvExecutionModelGLCompute, MAIN, 0x6e69616du, 0);
	op(&w, SpvOpExecutionMode, 5, MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
	op(&w, SpvOpName, 3, MAIN, 0x6e69616du, 0);
	op(&w, SpvOpName, 3, VAR, 0x66667562u, 0); /* buff */
	op(&w, SpvOpDecorate, 3, ARRAY, SpvDecorationArrayStride, 4);
	op(&w, SpvOpMemberDecorate, 4, BLOCK, 0, SpvDecorationOffset, 0);
	op(&w, SpvOpDecorate, 2, BLOCK, SpvDecorationBufferBlock);
	op(&w, SpvOpDecorate, 3, BUFFER, SpvDecorationDescriptorSet, 0);
	op(&w, SpvOpDecorate, 3, BUFFER, SpvDecorationBinding, 0);
	op(&w, SpvOpTypeVoid, 1, VOID);
	op(&w, SpvOpTypeFunction, 2, FN, VOID);
	op(&w, SpvOpTypeInt, 3, UINT, 32, 0);
	op(&w, SpvOpTypeBool, 1, BOOL);
	op(&w, SpvOpTypeRuntimeArray, 2, ARRAY, UINT);
	op(&w, SpvOpTypeStruct, 2, BLOCK, ARRAY);
	op(&w, SpvOpTypePointer, 3, PBLOCK, SpvStorageClassUniform, BLOCK);
	op(&w, SpvOpTypePointer, 3, PUINT, SpvStorageClassUniform, UINT);
	op(&w, SpvOpTypePointer, 3, PTR, SpvStorageClassFunction, UINT);
	op(&w, SpvOpVariable, 3, PBLOCK, BUFFER, SpvStorageClassUniform);
	op(&w, SpvOpConstant, 3, UINT, ZERO, 0);
	op(&w, SpvOpConstant, 3, UINT, ONE, 1);
	return w;
}

/* Opens main; X is a uint that nobody knows.  `type`: of the pointer VAR. */
static uint32_t open_main(struct words *w, uint32_t type, uint32_t next)
{
	op(w, SpvOpFunction, 4, VOID, MAIN, 0, FN);
	op(w, SpvOpLabel, 1, next);
	op(w, SpvOpVariable, 3, type, VAR, SpvStorageClassFunction);
	op(w, SpvOpAccessChain, 5, PUINT, next + 1, BUFFER, ZERO, ZERO);
	op(w, SpvOpLoad, 3, UINT, X, next + 1);
	return next + 2;
}

/* data[1] = value. */
static void close_main(struct words *w, uint32_t value, uint32_t next)
{
	op(w, SpvOpAccessChain, 5, PUINT, next, BUFFER, ZERO, ONE);
	op(w, SpvOpStore, 2, next, value);
	op(w, SpvOpReturn, 0);
	op(w, SpvOpFunctionEnd, 0);
}

/* --- compiling --- */

struct job { struct words w; enum compiler_status status; char message[300]; struct compiler_shader shader; };

static void *compile(void *arg)
{
	struct job *j = arg;
	struct compiler_binding binding = { .type = COMPILER_DESC_SSBO, .count = 1, .stride = 16 };
	struct compiler_input in = { .stage = COMPILER_CS, .words = j->w.at, .word_count = j->w.count, .entry = "main",
		.bindings = &binding, .binding_count = 1 };
	j->status = compiler_compile(&in, &j->shader, j->message, sizeof j->message);
	return NULL;
}

static struct job run(struct words w)
{
	struct job j = { .w = w };
	pthread_attr_t attr;
	pthread_t thread;
	pthread_attr_init(&attr);
	CHECK(!pthread_attr_setstacksize(&attr, STACK));
	CHECK(!pthread_create(&thread, &attr, compile, &j));
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	compiler_shader_finish(&j.shader);
	free(w.at);
	return j;
}

static void expect(struct job j, enum compiler_status status, const char *what, const char *part)
{
	if (j.status == status && strstr(j.message, part))
		return;
	fprintf(stderr, "%s: status %d, not %d: %s (want: %s)\n", what, j.status, status, j.message, part);
	exit(1);
}

/* --- stack --- */

/* if (v < x) v = v + x, n times; nested or in a row. */
static struct words ifs(uint32_t n, bool nest)
{
	struct words w = begin();
	uint32_t id = open_main(&w, PTR, FREE), merges = id + 5 * n;
	op(&w, SpvOpStore, 2, VAR, X);
	for (uint32_t i = 0; i < n; i++, id += 4) {
		op(&w, SpvOpLoad, 3, UINT, id, VAR);
		op(&w, SpvOpULessThan, 4, BOOL, id + 1, id, X);
		op(&w, SpvOpSelectionMerge, 2, merges + i, 0);
		op(&w, SpvOpBranchConditional, 3, id + 1, id + 2, merges + i);
		op(&w, SpvOpLabel, 1, id + 2);
		op(&w, SpvOpIAdd, 4, UINT, id + 3, id, X);
		op(&w, SpvOpStore, 2, VAR, id + 3);
		if (nest)
			continue;
		op(&w, SpvOpBranch, 1, merges + i);
		op(&w, SpvOpLabel, 1, merges + i);
	}
	for (uint32_t i = n; nest && i-- > 0;) {
		op(&w, SpvOpBranch, 1, merges + i);
		op(&w, SpvOpLabel, 1, merges + i);
	}
	op(&w, SpvOpLoad, 3, UINT, merges + n, VAR);
	close_main(&w, merges + n, merges + n + 1);
	return w;
}

/* Structs in structs, read as a whole. */
static struct words types(uint32_t n)
{
	struct words w = begin();
	uint32_t id = FREE, pointer = FREE + n + 1;
	op(&w, SpvOpTypeStruct, 2, id, UINT);
	for (uint32_t i = 0; i < n; i++, id++)
		op(&w, SpvOpTypeStruct, 2, id + 1, id);
	op(&w, SpvOpTypePointer, 3, pointer, SpvStorageClassFunction, id);
	uint32_t next = open_main(&w, pointer, pointer + 1);
	op(&w, SpvOpLoad, 3, id, next, VAR);
	op(&w, SpvOpStore, 2, VAR, next);
	close_main(&w, X, next + 1);
	return w;
}

static void test_stack(void)
{
	expect(run(ifs(1000, false)), COMPILER_OK, "1000 ifs", "");
	expect(run(ifs(4000, false)), COMPILER_OK, "4000 ifs", "");
	expect(run(ifs(20000, false)), COMPILER_OK, "20000 ifs", "");
	expect(run(ifs(280, true)), COMPILER_OK, "280 ifs in each other", "");
	expect(run(ifs(20000, true)), COMPILER_UNSUPPORTED, "20000 ifs in each other", "nests deeper");
	expect(run(types(60)), COMPILER_OK, "60 structs in each other", "");
	expect(run(types(20000)), COMPILER_UNSUPPORTED, "20000 structs in each other", "nest deeper");
}

/* --- work --- */

/* An array of n uints with an index that nobody knows, doubled by additions. */
static struct words array(uint32_t n, uint32_t doublings)
{
	struct words w = begin();
	uint32_t length = FREE, type = FREE + 1, pointer = FREE + 2;
	op(&w, SpvOpConstant, 3, UINT, length, n);
	op(&w, SpvOpTypeArray, 3, type, UINT, length);
	op(&w, SpvOpTypePointer, 3, pointer, SpvStorageClassFunction, type);
	uint32_t next = open_main(&w, pointer, FREE + 3), index = X;
	while (doublings--) {
		op(&w, SpvOpIAdd, 4, UINT, next, index, index);
		index = next++;
	}
	op(&w, SpvOpAccessChain, 4, PTR, next, VAR, index);
	op(&w, SpvOpStore, 2, next, X);
	op(&w, SpvOpLoad, 3, UINT, next + 1, next);
	close_main(&w, next + 1, next + 2);
	return w;
}

/* Each of n functions calls the next twice; the last does nothing. */
static struct words calls(uint32_t n)
{
	struct words w = begin();
	for (uint32_t i = n; i-- > 0;) {
		op(&w, SpvOpFunction, 4, VOID, FREE + i, 0, FN);
		op(&w, SpvOpLabel, 1, FREE + n + 3 * i);
		for (uint32_t k = 1; k < 3 && i + 1 < n; k++)
			op(&w, SpvOpFunctionCall, 3, VOID, FREE + n + 3 * i + k, FREE + i + 1);
		op(&w, SpvOpReturn, 0);
		op(&w, SpvOpFunctionEnd, 0);
	}
	uint32_t next = open_main(&w, PTR, FREE + 4 * n);
	op(&w, SpvOpFunctionCall, 3, VOID, next, FREE);
	close_main(&w, X, next + 1);
	return w;
}

/* A struct of a struct twice, n times, of nothing in the end: read from the buffer's end. */
static struct words nothing(uint32_t n)
{
	struct words w = begin();
	op(&w, SpvOpTypeStruct, 1, FREE);
	for (uint32_t i = 0; i < n; i++)
		op(&w, SpvOpTypeStruct, 3, FREE + i + 1, FREE + i, FREE + i);
	uint32_t type = FREE + n, next = type + 1;
	op(&w, SpvOpTypePointer, 3, next, SpvStorageClassWorkgroup, type);
	op(&w, SpvOpVariable, 3, next, next + 1, SpvStorageClassWorkgroup);
	uint32_t end = open_main(&w, PTR, next + 2);
	op(&w, SpvOpLoad, 3, type, end, next + 1);
	op(&w, SpvOpStore, 2, next + 1, end);
	close_main(&w, X, end + 1);
	return w;
}

static void test_work(void)
{
	expect(run(nothing(60)), COMPILER_OK, "2^60 times nothing", "");
	expect(run(array(20, 60)), COMPILER_OK, "an index doubled 60 times", "");
	expect(run(calls(12)), COMPILER_OK, "2^12 calls", "");
	expect(run(calls(40)), COMPILER_UNSUPPORTED, "2^40 calls", "ticks of work");
	expect(run(calls(40)), COMPILER_UNSUPPORTED, "2^40 calls", " in function ");
}

/* --- private memory --- */

/* Beside an array of `words` uints n values that live at once, of which most are spilled. */
static struct words spills(uint32_t words, uint32_t n)
{
	struct words w = begin();
	uint32_t length = FREE, type = FREE + 1, pointer = FREE + 2;
	op(&w, SpvOpConstant, 3, UINT, length, words);
	op(&w, SpvOpTypeArray, 3, type, UINT, length);
	op(&w, SpvOpTypePointer, 3, pointer, SpvStorageClassFunction, type);
	uint32_t next = open_main(&w, pointer, FREE + 3), value = next + 2, sum = value + n;
	op(&w, SpvOpAccessChain, 4, PTR, next, VAR, X);
	op(&w, SpvOpStore, 2, next, X);
	op(&w, SpvOpLoad, 3, UINT, next + 1, next);
	for (uint32_t i = 0; i < n; i++)
		op(&w, SpvOpIMul, 4, UINT, value + i, value + i - 1, X);
	for (uint32_t i = n; i-- > 0; sum += 2) {
		op(&w, SpvOpIMul, 4, UINT, sum, i + 1 == n ? X : sum - 1, X);
		op(&w, SpvOpBitwiseXor, 4, UINT, sum + 1, sum, value + i);
	}
	close_main(&w, sum - 1, sum);
	return w;
}

static void test_scratch(void)
{
	struct job j = run(array(ABI_MAX_SCRATCH_BYTES / 4, 0));
	expect(j, COMPILER_OK, "all of scratch", "");
	CHECK(j.shader.scratch_bytes == ABI_MAX_SCRATCH_BYTES);
	expect(run(array(ABI_MAX_SCRATCH_BYTES / 4 + 1, 0)), COMPILER_UNSUPPORTED, "more than scratch", "131060 bytes a lane");
	expect(run(array(65536, 0)), COMPILER_UNSUPPORTED, "65536 words", "(buff) in function main");

	/* The array leaves room for the spilled values, or for one too few. */
	enum { VALUES = 400, ROOM = 300 };
	j = run(spills(ABI_MAX_SCRATCH_BYTES / 4 - ROOM, VALUES));
	expect(j, COMPILER_OK, "an array and spilled values", "");
	CHECK(j.shader.spilled_vgprs > 100 && j.shader.spilled_vgprs < ROOM);
	CHECK(j.shader.scratch_bytes > ABI_MAX_SCRATCH_BYTES - 4 * ROOM && j.shader.scratch_bytes <= ABI_MAX_SCRATCH_BYTES);
	uint32_t spilled = j.shader.scratch_bytes / 4 - (ABI_MAX_SCRATCH_BYTES / 4 - ROOM);
	expect(run(spills(ABI_MAX_SCRATCH_BYTES / 4 - spilled, VALUES)), COMPILER_OK, "just as many spilled values", "");
	j = run(spills(ABI_MAX_SCRATCH_BYTES / 4 - spilled + 1, VALUES));
	expect(j, COMPILER_UNSUPPORTED, "a spilled value too many", "private memory and spilled registers of 131060 bytes a lane");
	expect(j, COMPILER_UNSUPPORTED, "a spilled value too many", ": OpIMul %");
	expect(j, COMPILER_UNSUPPORTED, "a spilled value too many", "in function main (%13): register allocation: ");
}

/* --- the account --- */

static void test_account(void)
{
	struct ir_pool *pool = ir_pool_create();
	CHECK(pool && pool->budget->memory == 0);
	ir_alloc(pool, 1);
	uint64_t chunk = pool->budget->memory;
	CHECK(chunk >= 64 << 10);
	ir_alloc(pool, 1 << 20);
	CHECK(pool->budget->memory >= chunk + (1 << 20));
	CHECK(ir_alloc(pool, 1) && pool->budget->memory < chunk + (2 << 20)); /* the first chunk goes on */
	uint64_t before = pool->budget->memory;
	struct ir_pool *part = ir_pool_create_part(pool);
	uint32_t *p = ir_calloc(pool, 1000, 4);
	CHECK(p && part && !p[999] && pool->budget->memory >= before + 4000);
	p[7] = 7;
	p = ir_realloc(pool, p, 40000);
	CHECK(p && p[7] == 7 && pool->budget->memory >= before + 40000 && pool->budget->memory < before + 44000);
	ir_alloc(part, 1 << 20);
	CHECK(pool->budget->memory >= before + (1 << 20) + 40000);
	ir_free(pool, p);
	ir_pool_destroy(part);
	CHECK(pool->budget->memory == before && !ir_pool_failed(pool));
	CHECK(!ir_calloc(pool, SIZE_MAX / 4, 8) && pool->budget->fault == IR_FAULT_MEMORY);
	ir_pool_destroy(pool);

	pool = ir_pool_create();
	CHECK(pool);
	pool->budget->memory_limit = 1 << 20;
	while (!ir_pool_failed(pool))
		CHECK(ir_alloc(pool, 100));
	CHECK(pool->budget->fault == IR_FAULT_MEMORY && pool->budget->memory_peak <= (1 << 20) + (128 << 10));
	ir_pool_destroy(pool);

	pool = ir_pool_create();
	CHECK(pool);
	pool->budget->work_limit = 10;
	CHECK(ir_charge(pool, 10) && !ir_charge_at(pool, 1, 77) && !ir_charge(pool, 0));
	CHECK(pool->budget->fault == IR_FAULT_WORK && pool->budget->word == 77);
	ir_pool_destroy(pool);
}

int main(void)
{
	test_account();
	test_scratch();
	test_work();
	test_stack();
	return 0;
}
