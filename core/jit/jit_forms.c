/* SPDX-License-Identifier: MIT */
/* Forms, see jit_forms.h.  A form is learned from an instruction of canonical
 * registers, each operand another one, so that its bytes tell the places of the
 * operands; see Intel's manual, volume 2, chapter 2, for what the bytes are. */
#include "core/jit/jit_forms.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "core/jit/jit_emit.h"

enum { FORMS = 1024, SLOTS = 2048, OPERANDS = 4, TRIES = 16 };
enum form_kind {
	FORM_DIRECT, /* by Zydis every time */
	FORM_FIXED,  /* always the same bytes */
	FORM_PLAIN, FORM_VEX, FORM_EVEX, /* with a ModRM byte */
	FORM_SHORT,  /* the register, if any, in the opcode */
};

struct form {
	uint64_t key[2];
	uint8_t kind;     /* FORM_* */
	uint8_t prefix;   /* 0x66, 0xf2, 0xf3 or 0 */
	uint8_t map, opcode;
	uint8_t w, low;   /* VEX: L and pp; EVEX: pp */
	uint8_t last;     /* EVEX: z, L'L, b in place */
	uint8_t digit;    /* of ModRM, where no operand is there */
	int8_t reg, rm, vvvv, is4, mem, imm; /* operand by place, -1: none */
	uint8_t imm_bytes, disp_shift;
	uint8_t size, bytes[10]; /* FORM_FIXED */
};

struct jit_x_forms {
	atomic_uint count;
	_Atomic uint16_t slot[SLOTS]; /* form + 1; 0: free */
	struct form *form;            /* FORMS; untouched beyond count */
};

struct jit_x_forms *jit_x_forms_create(void)
{
	struct jit_x_forms *f = calloc(1, sizeof(*f));
	if (f && !(f->form = malloc(FORMS * sizeof(f->form[0])))) {
		free(f);
		return NULL;
	}
	return f;
}
void jit_x_forms_destroy(struct jit_x_forms *f)
{
	if (f)
		free(f->form);
	free(f);
}

/* --- registers --- */

enum { C_NONE, C_GPR8, C_GPR16, C_GPR32, C_GPR64, C_XMM, C_YMM, C_ZMM, C_K };

#define CLASS(first, last, class) [ZYDIS_REGISTER_##first ... ZYDIS_REGISTER_##last] = class
static const uint8_t class_of[ZYDIS_REGISTER_MAX_VALUE + 1] = {
	/* Other byte registers need a REX prefix, or forbid one. */
	CLASS(AL, BL, C_GPR8), CLASS(AX, R15W, C_GPR16), CLASS(EAX, R15D, C_GPR32), CLASS(RAX, R15, C_GPR64),
	CLASS(XMM0, XMM31, C_XMM), CLASS(YMM0, YMM31, C_YMM), CLASS(ZMM0, ZMM31, C_ZMM), CLASS(K0, K7, C_K),
};
static const uint16_t first_of[] = { [C_NONE] = 0, [C_GPR8] = ZYDIS_REGISTER_AL, [C_GPR16] = ZYDIS_REGISTER_AX,
	[C_GPR32] = ZYDIS_REGISTER_EAX, [C_GPR64] = ZYDIS_REGISTER_RAX, [C_XMM] = ZYDIS_REGISTER_XMM0,
	[C_YMM] = ZYDIS_REGISTER_YMM0, [C_ZMM] = ZYDIS_REGISTER_ZMM0, [C_K] = ZYDIS_REGISTER_K0 };

static inline unsigned class_at(unsigned reg)
{
	return reg <= ZYDIS_REGISTER_MAX_VALUE ? class_of[reg] : C_NONE;
}
/* Within their class. */
#define N4(reg, n) [(reg) + (n)] = (n), [(reg) + (n) + 1] = (n) + 1, [(reg) + (n) + 2] = (n) + 2, [(reg) + (n) + 3] = (n) + 3
#define N8(reg, n) N4(reg, n), N4(reg, (n) + 4)
#define N16(reg, n) N8(reg, n), N8(reg, (n) + 8)
#define N32(reg) N16(reg, 0), N16(reg, 16)
static const uint8_t numbers[ZYDIS_REGISTER_MAX_VALUE + 1] = { N4(ZYDIS_REGISTER_AL, 0), N16(ZYDIS_REGISTER_AX, 0),
	N16(ZYDIS_REGISTER_EAX, 0), N16(ZYDIS_REGISTER_RAX, 0), N32(ZYDIS_REGISTER_XMM0), N32(ZYDIS_REGISTER_YMM0),
	N32(ZYDIS_REGISTER_ZMM0), N8(ZYDIS_REGISTER_K0, 0) };
static inline unsigned number_of(unsigned reg) { return numbers[reg]; }
static inline bool is_vector(unsigned class)
{
	return class >= C_XMM && class <= C_ZMM;
}

/* --- keys --- */

/* Immediates between two of these are encoded alike. */
static unsigned imm_class(int64_t v)
{
	if (v == 1)
		return 1; /* shifts have an opcode of their own */
	if (v >= -128 && v < 128)
		return 2;
	if (v >= 0 && v < 256)
		return 3;
	if (v >= -32768 && v < 32768)
		return 4;
	if (v >= 0 && v < 65536)
		return 5;
	if (v >= INT32_MIN && v <= INT32_MAX)
		return 6;
	return v >= 0 && v <= UINT32_MAX ? 7 : 0;
}

enum { HIGH = 1 << 23, ACCUMULATOR = 1 << 24, TURNED = 1 << 25 };

/* Of moves between registers Zydis takes the opcode that stores where this spares
 * a byte of VEX: when the source alone is one of the upper eight. */
static bool may_turn(const struct x_inst *in)
{
	const struct xo *o = in->o;
	if (in->n != 2 || in->mask >= 0 || o[0].kind != XO_REG || o[1].kind != XO_REG)
		return false;
	unsigned to = class_at(o[0].reg), from = class_at(o[1].reg);
	return is_vector(to) && is_vector(from) && number_of(o[0].reg) < 8 && number_of(o[1].reg) / 8 == 1;
}

static bool mem_key(const struct xo *o, uint64_t *out)
{
	unsigned index = o->index ? class_at(o->index) : C_GPR64;
	if (class_at(o->reg) != C_GPR64 || index != C_GPR64 || o->size > 127 || o->index == ZYDIS_REGISTER_RSP)
		return false;
	*out = XO_MEM | (uint64_t)o->size << 6 | (uint64_t)(o->index != 0) << 13;
	return true;
}

/* False: no form will do. */
static bool make_key(const struct x_inst *in, uint64_t key[2])
{
	bool vectors = false, high = false, imm = false;
	key[0] = in->mnemonic | in->n << 16 | (in->mask < 0 ? 0u : in->mask ? 2u : 1u) << 20
		| (unsigned)in->zeroing << 22 | (uint64_t)in->jump << 40;
	key[1] = 0;
	if (in->n > OPERANDS)
		return false;
	for (unsigned i = 0; i < in->n; i++) {
		const struct xo *o = &in->o[i];
		uint64_t part = o->kind;
		if (o->kind == XO_REG) {
			unsigned class = class_at(o->reg);
			if (class == C_NONE)
				return false;
			part |= class << 2;
			vectors |= is_vector(class);
			high |= is_vector(class) && number_of(o->reg) >= 16;
			key[0] |= (uint64_t)o->rounding << 41;
		} else if (o->kind == XO_MEM) {
			if (!mem_key(o, &part))
				return false;
			key[0] |= (uint64_t)o->bcast << 32;
		} else {
			imm = true;
		}
		key[1] |= part << 16 * i;
	}
	/* VEX does not reach the upper half. */
	if (high && in->mask < 0)
		key[0] |= HIGH;
	else if (may_turn(in))
		key[0] |= TURNED;
	if (!imm)
		return true;
	const struct xo *last = &in->o[in->n - 1];
	unsigned class = imm_class(last->value);
	bool accumulator = in->o[0].kind == XO_REG && number_of(in->o[0].reg) == 0;
	if (vectors) /* one byte without a sign */
		return last->kind == XO_IMM && last->value >= 0 && last->value < 256;
	key[0] |= (uint64_t)class << 28 | (accumulator ? ACCUMULATOR : 0);
	return class && last->kind == XO_IMM;
}

/* --- writing --- */

static uint8_t *put(uint8_t *p, uint64_t value, unsigned bytes)
{
	memcpy(p, &value, 8); /* the rest is written over, or not counted */
	return p + bytes;
}

/* ModRM, SIB and displacement of a memory operand. */
static uint8_t *put_mem(const struct form *f, const struct xo *o, unsigned reg, uint8_t *p)
{
	unsigned base = number_of(o->reg) & 7, digit = (reg & 7) << 3;
	bool sib = o->index || base == 4;
	int64_t small = o->value >> f->disp_shift;
	bool fits = small * ((int64_t)1 << f->disp_shift) == o->value && small >= -128 && small < 128;
	unsigned mod = o->value == 0 && base != 5 ? 0 : fits ? 1 : 2;
	*p++ = (uint8_t)(mod << 6 | digit | (sib ? 4 : base));
	if (sib) {
		unsigned scale = o->index ? (unsigned)__builtin_ctz(o->scale | 8u) : 0;
		*p++ = (uint8_t)(scale << 6 | (o->index ? number_of(o->index) & 7 : 4u) << 3 | base);
	}
	return mod == 0 ? p : mod == 1 ? put(p, (uint64_t)small, 1) : put(p, (uint64_t)o->value, 4);
}

static uint8_t *put_map(uint8_t *p, unsigned map)
{
	if (map)
		*p++ = 0x0f;
	if (map > 1)
		*p++ = map == 2 ? 0x38 : 0x3a;
	return p;
}

/* Registers by place, all five bits; X and B as prefixes have them. */
struct places { unsigned reg, rm, vvvv, x, b; };

static inline struct places find_places(const struct form *f, const struct xo *o)
{
	struct places n = { f->digit, 0, 0, 0, 0 };
	if (f->reg >= 0)
		n.reg = number_of(o[f->reg].reg);
	if (f->vvvv >= 0)
		n.vvvv = number_of(o[f->vvvv].reg);
	if (f->mem >= 0) {
		n.b = number_of(o[f->mem].reg) >> 3;
		n.x = o[f->mem].index ? number_of(o[f->mem].index) >> 3 : 0;
	} else {
		n.rm = number_of(o[f->rm].reg);
		n.b = n.rm >> 3 & 1;
		n.x = n.rm >> 4;
	}
	return n;
}

static uint8_t *put_prefixes(const struct form *f, const struct places *n, int mask, uint8_t *p)
{
	unsigned r = n->reg >> 3 & 1, vvvv = (~n->vvvv & 15) << 3;
	if (f->kind == FORM_EVEX) {
		unsigned high = n->reg >> 4, p0 = (r << 7 | n->x << 6 | n->b << 5 | high << 4) ^ 0xf0;
		*p++ = 0x62;
		*p++ = (uint8_t)(p0 | f->map);
		*p++ = (uint8_t)(f->w << 7 | vvvv | 4 | f->low);
		*p++ = (uint8_t)(f->last | (n->vvvv >> 4 ^ 1) << 3 | (mask > 0 ? (unsigned)mask : 0));
		return p;
	}
	if (f->kind == FORM_PLAIN) {
		unsigned rex = f->w << 3 | r << 2 | n->x << 1 | n->b;
		if (f->prefix)
			*p++ = f->prefix;
		if (rex)
			*p++ = (uint8_t)(0x40 | rex);
		return put_map(p, f->map);
	}
	if (!n->x && !n->b && !f->w && f->map == 1) {
		*p++ = 0xc5;
		*p++ = (uint8_t)((r ^ 1) << 7 | vvvv | f->low);
		return p;
	}
	*p++ = 0xc4;
	*p++ = (uint8_t)(((r << 7 | n->x << 6 | n->b << 5) ^ 0xe0) | f->map);
	*p++ = (uint8_t)(f->w << 7 | vvvv | f->low);
	return p;
}

static uint8_t *write_short(const struct form *f, const struct xo *o, uint8_t *p)
{
	unsigned n = f->reg >= 0 ? number_of(o[f->reg].reg) : 0, rex = f->w << 3 | n >> 3;
	if (f->prefix)
		*p++ = f->prefix;
	if (rex)
		*p++ = (uint8_t)(0x40 | rex);
	*p++ = (uint8_t)(f->opcode | (n & 7));
	return p;
}

static size_t write_form(const struct form *f, const struct x_inst *in, uint8_t *out)
{
	const struct xo *o = in->o;
	uint8_t *p = out;
	if (f->kind == FORM_FIXED) {
		memcpy(out, f->bytes, sizeof(f->bytes));
		return f->size;
	}
	if (f->kind == FORM_SHORT) {
		p = write_short(f, o, p);
	} else {
		struct places n = find_places(f, o);
		p = put_prefixes(f, &n, in->mask, p);
		*p++ = f->opcode;
		if (f->mem >= 0)
			p = put_mem(f, &o[f->mem], n.reg, p);
		else
			*p++ = (uint8_t)(0xc0 | (n.reg & 7) << 3 | (n.rm & 7));
	}
	if (f->imm >= 0)
		p = put(p, (uint64_t)o[f->imm].value, f->imm_bytes);
	else if (f->is4 >= 0)
		*p++ = (uint8_t)(number_of(o[f->is4].reg) << 4);
	return (size_t)(p - out);
}

/* --- learning --- */

/* The canonical instruction of in's form. */
static const uint8_t canonical[OPERANDS] = { 1, 2, 3, 5 };
enum { BASE = ZYDIS_REGISTER_RDI, INDEX = ZYDIS_REGISTER_RSI };

static struct x_inst canonize(const struct x_inst *in, uint64_t key0, struct xo o[OPERANDS])
{
	struct x_inst c = *in;
	c.o = o;
	c.mask = in->mask > 0 ? 1 : in->mask;
	for (unsigned i = 0; i < in->n; i++) {
		unsigned class = class_at(in->o[i].reg), n = canonical[i];
		o[i] = in->o[i];
		if (o[i].kind == XO_MEM) {
			o[i].reg = BASE;
			o[i].index = o[i].index ? INDEX : 0;
			o[i].value = o[i].size;
		} else if (o[i].kind == XO_REG) {
			n += is_vector(class) && key0 & HIGH ? 16 : i == 1 && key0 & TURNED ? 8 : 0;
			o[i].reg = (uint16_t)(first_of[class] + (i == 0 && key0 & ACCUMULATOR ? 0 : n));
		}
	}
	return c;
}

/* What is being read, and which operands were found. */
struct reader {
	const struct x_inst *in;
	const uint8_t *p, *end;
	unsigned found;
};

static int operand_at(struct reader *r, unsigned number)
{
	for (unsigned i = 0; i < r->in->n; i++)
		if (r->in->o[i].kind == XO_REG && !(r->found >> i & 1) && number_of(r->in->o[i].reg) == number) {
			r->found |= 1u << i;
			return (int)i;
		}
	return -1;
}

static void read_map(struct reader *r, struct form *f)
{
	if (*r->p != 0x0f)
		return;
	f->map = 1;
	r->p++;
	if (*r->p == 0x38 || *r->p == 0x3a)
		f->map = *r->p++ == 0x38 ? 2 : 3;
}

/* Up to the opcode; gives the registers' upper bits, and vvvv. */
static void read_prefixes(struct reader *r, struct form *f, unsigned *reg, unsigned *rm, unsigned *vvvv)
{
	const uint8_t *p = r->p;
	f->kind = p[0] == 0x62 ? FORM_EVEX : p[0] == 0xc4 || p[0] == 0xc5 ? FORM_VEX : FORM_PLAIN;
	if (f->kind == FORM_EVEX) {
		f->map = p[1] & 7;
		f->w = p[2] >> 7;
		f->low = p[2] & 3;
		f->last = p[3] & 0xf0;
		*reg = (p[1] & 0x10 ? 0 : 16) | (p[1] & 0x80 ? 0 : 8);
		*rm = (p[1] & 0x40 ? 0 : 16) | (p[1] & 0x20 ? 0 : 8);
		*vvvv = (~p[2] >> 3 & 15) | (p[3] & 8 ? 0 : 16);
		r->p += 4;
	} else if (f->kind == FORM_VEX) {
		unsigned last = p[0] == 0xc5 ? p[1] : p[2];
		f->map = p[0] == 0xc5 ? 1 : p[1] & 31;
		f->w = p[0] == 0xc5 ? 0 : p[2] >> 7;
		f->low = last & 7;
		*reg = p[1] & 0x80 ? 0 : 8;
		*rm = p[0] == 0xc5 || p[1] & 0x20 ? 0 : 8;
		*vvvv = ~last >> 3 & 15;
		r->p += p[0] == 0xc5 ? 2 : 3;
	} else {
		if (*r->p == 0x66 || *r->p == 0xf2 || *r->p == 0xf3)
			f->prefix = *r->p++;
		if ((*r->p & 0xf0) == 0x40)
			f->w = *r->p++ >> 3 & 1;
		read_map(r, f);
	}
}

/* Opcodes of one byte without ModRM: a register in the opcode, or RAX alone. */
static bool is_short(const struct form *f, bool *with_register)
{
	unsigned op = f->opcode;
	*with_register = (op >= 0x50 && op < 0x60) || (op >= 0xb8 && op < 0xc0);
	return f->kind == FORM_PLAIN && f->map == 0
		&& (*with_register || (op < 0x40 && (op & 7) >= 4) || op == 0xa8 || op == 0xa9);
}

static bool read_modrm(struct reader *r, struct form *f, unsigned reg, unsigned rm)
{
	unsigned modrm = *r->p++, mod = modrm >> 6;
	f->digit = modrm >> 3 & 7;
	if (mod == 3) {
		f->rm = (int8_t)operand_at(r, rm | (modrm & 7));
		if (f->rm < 0)
			return false;
	} else {
		for (unsigned i = 0; i < r->in->n; i++)
			if (r->in->o[i].kind == XO_MEM)
				f->mem = (int8_t)i;
		if (mod != 1 || f->mem < 0 || ((modrm & 7) == 4) != (r->in->o[f->mem].index != 0))
			return false;
		r->p += (modrm & 7) == 4;
		unsigned disp = *r->p++, size = r->in->o[f->mem].size;
		if ((disp != 1 && disp != size) || size & (size - 1))
			return false;
		f->disp_shift = (uint8_t)(disp == size ? 0 : __builtin_ctz(size));
	}
	f->reg = -1;
	return true;
}

/* What is behind ModRM; false unless it is all understood. */
static bool read_rest(struct reader *r, struct form *f)
{
	const struct x_inst *in = r->in;
	const struct xo *last = &in->o[in->n - 1];
	size_t left = (size_t)(r->end - r->p);
	if (r->p > r->end)
		return false;
	if (last->kind == XO_IMM) {
		if (left == 0 && last->value == 1)
			return true; /* a shift by 1 */
		f->imm = (int8_t)(in->n - 1);
		f->imm_bytes = (uint8_t)left;
		return (left == 1 || left == 2 || left == 4) && !memcmp(r->p, &last->value, left);
	}
	if (left == 1 && !(*r->p & 15))
		f->is4 = (int8_t)operand_at(r, *r->p++ >> 4);
	return r->p == r->end;
}

static bool understand(const struct x_inst *in, const uint8_t *bytes, size_t n, struct form *f)
{
	struct reader r = { .in = in, .p = bytes, .end = bytes + n };
	unsigned reg = 0, rm = 0, vvvv = 0, registers = 0;
	bool with_register;
	read_prefixes(&r, f, &reg, &rm, &vvvv);
	f->opcode = *r.p++;
	if (is_short(f, &with_register)) {
		f->kind = FORM_SHORT;
		f->reg = (int8_t)operand_at(&r, with_register ? f->opcode & 7u : 0);
		if (f->reg < 0)
			return false;
		f->opcode &= with_register ? 0xf8 : 0xff;
		f->reg = with_register ? f->reg : -1;
	} else if (!read_modrm(&r, f, reg, rm)) {
		return false;
	}
	if (!read_rest(&r, f))
		return false;
	if (f->kind != FORM_SHORT) {
		f->vvvv = (int8_t)(f->kind == FORM_PLAIN ? -1 : operand_at(&r, vvvv));
		f->reg = (int8_t)operand_at(&r, reg | f->digit);
	}
	for (unsigned i = 0; i < in->n; i++)
		registers |= (unsigned)(in->o[i].kind == XO_REG) << i;
	return r.found == registers;
}

static void learn(const struct x_inst *in, const uint8_t *bytes, size_t n, x_encode_fn encode, void *context,
	struct form *f)
{
	uint8_t other[X_ROOM] = { 0 };
	struct xo o[OPERANDS];
	f->reg = f->rm = f->vvvv = f->is4 = f->mem = f->imm = -1;
	f->disp_shift = 0;
	if (!in->n && n <= sizeof(f->bytes)) {
		f->kind = FORM_FIXED;
		f->size = (uint8_t)n;
		memcpy(f->bytes, bytes, n);
		return;
	}
	struct x_inst c = canonize(in, f->key[0], o);
	size_t size = encode(context, &c, other);
	bool ok = in->n && size && understand(&c, other, size, f);
	/* What was understood must give back what Zydis made of both. */
	uint8_t again[X_ROOM];
	ok = ok && write_form(f, &c, again) == size && !memcmp(again, other, size)
		&& write_form(f, in, again) == n && !memcmp(again, bytes, n);
	if (!ok)
		f->kind = FORM_DIRECT;
}

/* --- the table --- */

static uint32_t hash(const uint64_t key[2])
{
	uint64_t h = key[0] * 0x9e3779b97f4a7c15ull ^ key[1] * 0xd6e8feb86659fd93ull;
	return (uint32_t)(h >> 40 ^ h >> 20);
}

static const struct form *look_up(struct jit_x_forms *t, const uint64_t key[2])
{
	uint32_t h = hash(key);
	for (unsigned i = 0; i < TRIES; i++) {
		unsigned n = atomic_load_explicit(&t->slot[(h + i) % SLOTS], memory_order_acquire);
		if (!n)
			return NULL;
		const struct form *f = &t->form[n - 1];
		if (f->key[0] == key[0] && f->key[1] == key[1])
			return f;
	}
	return NULL;
}

/* Nothing happens when the table is full.  Two threads may add the same form. */
static void add(struct jit_x_forms *t, const struct form *f)
{
	if (atomic_load_explicit(&t->count, memory_order_relaxed) >= FORMS)
		return;
	unsigned at = atomic_fetch_add(&t->count, 1);
	uint32_t h = hash(f->key);
	if (at >= FORMS)
		return;
	t->form[at] = *f;
	for (unsigned i = 0; i < TRIES; i++) {
		uint16_t none = 0;
		if (atomic_compare_exchange_strong(&t->slot[(h + i) % SLOTS], &none, (uint16_t)(at + 1)))
			return;
	}
}

size_t jit_x_forms_write(struct jit_x_forms *forms, const struct x_inst *in, x_encode_fn encode, void *context,
	uint8_t *out)
{
	uint64_t key[2];
	if (!forms || !make_key(in, key))
		return encode(context, in, out);
	const struct form *f = look_up(forms, key);
	if (f && f->kind != FORM_DIRECT)
		return write_form(f, in, out);
	size_t n = encode(context, in, out);
	if (!f && n) {
		struct form fresh = { .key = { key[0], key[1] } };
		learn(in, out, n, encode, context, &fresh);
		add(forms, &fresh);
	}
	return n;
}

void jit_x_forms_count(const struct jit_x_forms *t, unsigned *known, unsigned *direct)
{
	*known = atomic_load(&t->count);
	*known = *known < FORMS ? *known : FORMS;
	*direct = 0;
	for (unsigned i = 0; i < *known; i++)
		*direct += t->form[i].kind == FORM_DIRECT;
}
