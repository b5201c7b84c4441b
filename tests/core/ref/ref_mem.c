/* SPDX-License-Identifier: MIT */
#include "ref_mem.h"

#include <string.h>
#include "isa/abi.h"
#include "isa/resource.h"
#include "ref_format.h"

struct run {
	struct ref_mem_wave *w;
	const struct gcn_inst *in;
	const char *name;
	uint64_t exec;
	uint32_t result[8][64]; /* VGPRs from dst on, written at the end */
	unsigned results;
	/* Two stores of an instruction, write2, go one after the other, each over all lanes. */
	unsigned pass, passes;
	bool open; /* the document does not say */
};

static bool starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }
static bool has(const char *s, const char *part) { return strstr(s, part) != NULL; }
static bool active(const struct run *r, int l) { return r->exec >> l & 1; }
static uint32_t vreg(const struct run *r, unsigned operand, unsigned n, int l)
{
	return r->w->vgpr[operand - 256 + n][l];
}
static uint64_t pair(const uint32_t *p) { return (uint64_t)p[1] << 32 | p[0]; }
static uint64_t wide(const struct run *r, unsigned operand, unsigned n, int l)
{
	return (uint64_t)vreg(r, operand, n + 1, l) << 32 | vreg(r, operand, n, l);
}
static uint32_t scalar(const struct run *r, unsigned operand)
{
	if (operand < 128)
		return r->w->sgpr[operand];
	if (operand >= 128 && operand <= 192)
		return operand - 128;
	return (uint32_t)(192 - (int)operand);
}

/* The memory at a; NULL outside. */
static uint8_t *at(struct run *r, uint64_t a, unsigned n)
{
	struct ref_mem_wave *w = r->w;
	if (a >= w->address && a - w->address + n <= w->bytes)
		return w->memory + (a - w->address);
	w->fault = true;
	return NULL;
}
static uint8_t *lds_at(struct run *r, uint64_t a, unsigned n)
{
	a -= a % (n < 4 ? n : 4);
	return a + n <= r->w->lds_bytes ? r->w->lds + a : NULL;
}
static uint64_t get(const uint8_t *p, unsigned n)
{
	uint64_t x = 0;
	if (p)
		memcpy(&x, p, n);
	return x;
}
static void set(uint8_t *p, uint64_t x, unsigned n)
{
	if (p)
		memcpy(p, &x, n);
}

/* --- atomics --- */

static double number(uint64_t x, bool wide)
{
	uint32_t lo = (uint32_t)x;
	double d;
	float f;
	memcpy(&d, &x, 8);
	memcpy(&f, &lo, 4);
	return wide ? d : (double)f;
}
static uint64_t float_atomic(const char *op, uint64_t old, uint64_t data, uint64_t cmp, bool wide)
{
	double m = number(old, wide), d = number(data, wide), c = number(cmp, wide);
	if (starts(op, "fcmp") || starts(op, "cmp"))
		return m == c ? data : old;
	if (has(op, "add")) {
		float sum = (float)m + (float)d;
		uint32_t bits;
		memcpy(&bits, &sum, 4);
		return sum != sum ? 0x7fc00000 : bits;
	}
	if (m != m)
		return data;
	return has(op, "min") ? (d < m ? data : old) : d > m ? data : old;
}
/* op: the mnemonic from the operation on. */
static uint64_t atomic(const char *op, uint64_t old, uint64_t data, uint64_t cmp, bool wide)
{
	uint64_t mask = wide ? ~0ull : 0xffffffff;
	int64_t so = wide ? (int64_t)old : (int32_t)old, sd = wide ? (int64_t)data : (int32_t)data;
	bool is_signed = starts(op, "smin") || starts(op, "smax") || has(op, "_i32") || has(op, "_i64");
	if (has(op, "_f32") || has(op, "_f64") || (*op == 'f' && op[1] != 0))
		return float_atomic(op, old, data, cmp, wide);
	if (starts(op, "swap") || starts(op, "wrxchg") || starts(op, "write"))
		return data;
	if (starts(op, "cmp"))
		return old == cmp ? data : old;
	if (starts(op, "add"))
		return (old + data) & mask;
	if (starts(op, "sub"))
		return (old - data) & mask;
	if (starts(op, "rsub"))
		return (data - old) & mask;
	if (has(op, "min"))
		return is_signed ? (sd < so ? data : old) : data < old ? data : old;
	if (has(op, "max"))
		return is_signed ? (sd > so ? data : old) : data > old ? data : old;
	if (starts(op, "and"))
		return old & data;
	if (starts(op, "or"))
		return old | data;
	if (starts(op, "xor"))
		return old ^ data;
	if (starts(op, "inc"))
		return old >= data ? 0 : old + 1;
	if (starts(op, "dec"))
		return old == 0 || old > data ? data : old - 1;
	return (old & ~data) | cmp; /* mskor: data is the mask */
}

/* --- DS --- */

static void narrow_result(struct run *r, int l, uint32_t x)
{
	const char *n = r->name;
	bool is_signed = has(n, "sbyte") || has(n, "sshort") || has(n, "_i8") || has(n, "_i16");
	bool byte = has(n, "byte") || has(n, "8");
	uint32_t old = r->w->vgpr[r->in->dst - 256][l];
	if (is_signed)
		x = byte ? (uint32_t)(int8_t)x : (uint32_t)(int16_t)x;
	if (has(n, "d16_hi"))
		x = x << 16 | (old & 0xffff);
	else if (has(n, "d16"))
		x = (x & 0xffff) | (old & 0xffff0000);
	r->result[0][l] = x;
	r->results = 1;
}
static void ds_dwords(struct run *r, int l, uint64_t a, unsigned n, unsigned first, const uint16_t data, bool read, bool write)
{
	a -= a % 4;
	for (unsigned i = 0; i < n; i++) {
		uint8_t *p = lds_at(r, a + 4 * i, 4);
		if (read) {
			r->result[first + i][l] = (uint32_t)get(p, 4);
			r->results = first + i + 1;
		}
		if (write && (r->passes == 1 || r->pass == first / n))
			set(p, vreg(r, data, i, l), 4);
	}
}
static bool ends64(const char *n) { return !strcmp(n + strlen(n) - 2, "64"); }
static unsigned ds_size(const char *n)
{
	return has(n, "b128") ? 4 : has(n, "b96") ? 3 : ends64(n) ? 2 : 1;
}
static void ds_lanes(struct run *r)
{
	const struct gcn_inst *in = r->in;
	const char *n = r->name + 3;
	uint32_t offset = (uint32_t)in->offset & 0xffff;
	bool is_wide = ends64(n);
	for (int l = 0; l < 64; l++) {
		if (!active(r, l))
			continue;
		uint64_t a = in->src[0] != GCN_SRC_NONE ? (uint64_t)vreg(r, in->src[0], 0, l) + offset : 0;
		uint32_t m0 = r->w->sgpr[124] & 0xffff;
		if (has(n, "addtid")) {
			uint8_t *p = lds_at(r, (uint64_t)m0 + offset + 4 * (uint64_t)l, 4);
			if (starts(n, "write"))
				set(p, vreg(r, in->src[1], 0, l), 4);
			else
				r->result[0][l] = (uint32_t)get(p, 4), r->results = 1;
		} else if (starts(n, "write2") || starts(n, "read2") || starts(n, "wrxchg2")) {
			unsigned size = ds_size(n), scale = 4 * size * (has(n, "st64") ? 64 : 1);
			for (unsigned k = 0; k < 2; k++)
				ds_dwords(r, l, (uint64_t)vreg(r, in->src[0], 0, l) + (offset >> 8 * k & 255) * scale, size,
					k * size, in->src[1 + k], !starts(n, "write"), !starts(n, "read"));
		} else if (starts(n, "read") || (starts(n, "write") && !has(n, "src2"))) {
			unsigned bytes = has(n, "8") && !has(n, "b128") ? 1 : has(n, "16") ? 2 : 4;
			bool hi = has(n, "d16_hi");
			if (bytes == 4)
				ds_dwords(r, l, a, ds_size(n), 0, in->src[1], *n == 'r', *n == 'w');
			else if (*n == 'r')
				narrow_result(r, l, (uint32_t)get(lds_at(r, a, bytes), bytes));
			else
				set(lds_at(r, a, bytes), vreg(r, in->src[1], 0, l) >> (hi ? 16 : 0), bytes);
		} else if (has(n, "src2")) {
			uint32_t addr = vreg(r, in->src[0], 0, l);
			bool far = offset & 0x8000;
			int32_t step = far ? (int32_t)addr >> 17 : (int16_t)(uint16_t)(offset << 1) >> 1;
			uint32_t from = far ? addr & 0x1ffff : addr;
			unsigned bytes = is_wide ? 8 : 4;
			uint8_t *pa = lds_at(r, from, bytes), *pb = lds_at(r, (from + (uint32_t)step * 4) & 0xffff, bytes);
			if (pa)
				set(pa, atomic(n, get(pa, bytes), get(pb, bytes), 0, is_wide), bytes);
		} else if (starts(n, "wrap")) {
			uint8_t *p = lds_at(r, a, 4);
			uint32_t old = (uint32_t)get(p, 4), d = vreg(r, in->src[1], 0, l);
			set(p, old >= d ? old - d : old + vreg(r, in->src[2], 0, l), 4);
			r->result[0][l] = old, r->results = 1;
		} else if (starts(n, "condxchg")) {
			for (unsigned i = 0; i < 2; i++) {
				uint32_t d = vreg(r, in->src[1], i, l);
				uint8_t *p = lds_at(r, a + 4 * i, 4);
				r->result[i][l] = (uint32_t)get(p, 4);
				if (d >> 31)
					set(p, d & 0x7fffffff, 4);
			}
			r->results = 2;
		} else {
			unsigned bytes = is_wide ? 8 : 4;
			uint64_t d = is_wide ? wide(r, in->src[1], 0, l) : vreg(r, in->src[1], 0, l), d2 = 0, old;
			uint8_t *p = lds_at(r, a, bytes);
			if (in->src[2] >= 256 && in->src[2] < 512)
				d2 = is_wide ? wide(r, in->src[2], 0, l) : vreg(r, in->src[2], 0, l);
			old = get(p, bytes);
			/* cmpst: the first operand is compared, the second stored */
			set(p, starts(n, "cmpst") ? atomic(n, old, d2, d, is_wide) : atomic(n, old, d, d2, is_wide), bytes);
			if (has(n, "rtn")) {
				r->result[0][l] = (uint32_t)old;
				r->result[1][l] = (uint32_t)(old >> 32);
				r->results = is_wide ? 2 : 1;
			}
		}
	}
}
static uint32_t from_lane(const struct run *r, unsigned operand, unsigned l)
{
	return active(r, (int)l) ? vreg(r, operand, 0, (int)l) : 0;
}
static unsigned swizzle_lane(uint32_t o, unsigned l)
{
	unsigned j = 0, m = o & 31;
	if (o >= 0xe000) {
		for (unsigned b = 0; b < 5; b++)
			j |= (l >> b & 1) << (4 - b);
		for (unsigned b = 0; b < 5; b++)
			j >>= m >> b & 1;
		return j | (l & m);
	}
	if (o >= 0xc000) {
		int turn = (int)(o >> 5 & 31) * (o >> 10 & 1 ? -1 : 1);
		return (l & m) | ((unsigned)((int)l + turn) & ~m & 31);
	}
	if (o & 0x8000)
		return (l & 28) | (o >> 2 * (l & 3) & 3);
	return ((l & m) | (o >> 5 & 31)) ^ (o >> 10 & 31);
}
static bool ds(struct run *r)
{
	const struct gcn_inst *in = r->in;
	const char *n = r->name + 3;
	uint32_t offset = (uint32_t)in->offset & 0xffff;
	r->results = 1;
	if (starts(n, "swizzle")) {
		for (unsigned l = 0; l < 64; l++)
			r->result[0][l] = from_lane(r, in->src[0], (l & 32) | swizzle_lane(offset, l & 31));
	} else if (starts(n, "bpermute")) {
		for (int l = 0; l < 64; l++)
			r->result[0][l] = from_lane(r, in->src[1], (vreg(r, in->src[0], 0, l) + offset) / 4 % 64);
	} else if (starts(n, "permute")) {
		for (int l = 0; l < 64; l++)
			if (active(r, l))
				r->result[0][(vreg(r, in->src[0], 0, l) + offset) / 4 % 64] = vreg(r, in->src[1], 0, l);
	} else if (starts(n, "append") || starts(n, "consume")) {
		uint8_t *p = lds_at(r, (r->w->sgpr[124] & 0xffff) + offset, 4);
		uint32_t old = (uint32_t)get(p, 4), lanes = 0;
		for (int l = 0; l < 64; l++) {
			r->result[0][l] = old;
			lanes += active(r, l);
		}
		set(p, *n == 'a' ? old + lanes : old - lanes, 4);
	} else {
		r->results = 0;
		r->passes = has(n, "write2") ? 2 : 1;
		for (r->pass = 0; r->pass < r->passes; r->pass++)
			ds_lanes(r);
	}
	return true;
}

/* --- scalar --- */

static bool smem(struct run *r)
{
	struct ref_mem_wave *w = r->w;
	const struct gcn_inst *in = r->in;
	bool buffer = has(r->name, "buffer"), is_wide = has(r->name, "_x2");
	unsigned n = has(r->name, "x16") ? 16 : has(r->name, "x8") ? 8 : has(r->name, "x4") ? 4 : has(r->name, "x2") ? 2 : 1;
	const uint32_t *v = &w->sgpr[in->src[0]];
	int64_t offset = in->offset;
	if (in->src[1] != GCN_SRC_NONE)
		offset += scalar(r, in->src[1]);
	uint64_t a, size = ~0ull;
	if (buffer) {
		size = (uint64_t)v[2] * (v[1] >> 16 & 0x3fff ? v[1] >> 16 & 0x3fff : 1);
		offset = (uint32_t)offset & ~3u;
		a = (pair(v) + (uint64_t)offset) & 0xffffffffffff;
		a = ((pair(v) & 0xffffffffffff) + (uint64_t)offset) & ~3ull;
	} else if (has(r->name, "scratch")) { /* a lane's offset, in memory of 64 lanes */
		a = (pair(v) + 64 * (uint64_t)offset - w->scratch_address) & ~3ull;
		w->fault = a >= w->scratch_bytes || a + 4 * n > w->scratch_bytes;
		if (w->fault)
			return true;
		if (has(r->name, "store"))
			memcpy(w->scratch + a, &w->sgpr[in->dst], 4 * n);
		else
			memcpy(&w->sgpr[in->dst], w->scratch + a, 4 * n);
		return true;
	} else {
		a = (pair(v) + (uint64_t)offset) & ~3ull;
	}
	if (has(r->name, "atomic")) {
		unsigned bytes = is_wide ? 8 : 4;
		uint32_t *d = &w->sgpr[in->dst];
		const char *op = strstr(r->name, "atomic_") + 7;
		bool inside = !buffer || (uint64_t)offset < size;
		uint8_t *p = inside ? at(r, a & ~(uint64_t)(bytes - 1), bytes) : NULL;
		uint64_t old = get(p, bytes), cmp = starts(op, "cmp") ? is_wide ? pair(d + 2) : d[1] : 0;
		if (w->fault)
			return true;
		set(p, atomic(op, old, is_wide ? pair(d) : d[0], cmp, is_wide), bytes);
		if (in->glc)
			memcpy(d, &old, bytes);
		return true;
	}
	for (unsigned i = 0; i < n; i++) {
		bool inside = !buffer || (uint64_t)offset + 4 * i < size;
		uint8_t *p = inside ? at(r, a + 4 * i, 4) : NULL;
		if (w->fault)
			return true;
		if (has(r->name, "store"))
			set(p, w->sgpr[in->dst + i], 4);
		else
			w->sgpr[in->dst + i] = (uint32_t)get(p, 4);
	}
	return true;
}

/* --- buffers: seed 004, "The address depends on couple factors" --- */

struct place { uint64_t base, bufoffset, limit; bool index_ok; };

static struct place place_of(const struct run *r, int l)
{
	const struct gcn_inst *in = r->in;
	const uint32_t *v = &r->w->sgpr[in->src[1]];
	uint32_t stride = v[1] >> 16 & 0x3fff, records = v[2], soffset = scalar(r, in->src[2]);
	bool tid = v[3] >> 23 & 1, swizzle = v[1] >> 31;
	struct place p = { (pair(v) & 0xffffffffffff) + soffset, 0, 0, true };
	if (in->addr64) {
		p.base += wide(r, in->src[0], 0, l) + (uint64_t)in->offset;
		p.limit = ~0ull; /* "No range checking for 64-bit mode addressing" */
		return p;
	}
	uint32_t aoffset = (uint32_t)in->offset + (in->offen ? vreg(r, in->src[0], in->idxen, l) : 0);
	uint32_t aindex = (in->idxen ? vreg(r, in->src[0], 0, l) : 0) + (tid ? (uint32_t)l : 0);
	p.bufoffset = (uint32_t)(aindex * stride + aoffset);
	if (swizzle) {
		uint32_t elem = 2u << (v[3] >> 19 & 3), count = 8u << (v[3] >> 21 & 3);
		p.bufoffset = (uint32_t)(aoffset % elem + elem * (aindex % count) +
			count * (aindex / count * stride + aoffset / elem * elem));
	}
	if (!stride) {
		p.limit = records > soffset ? records - soffset : 0;
		p.limit = p.bufoffset < p.limit ? p.limit - p.bufoffset : 0;
	} else if (in->idxen || tid) {
		p.index_ok = aindex < records;
		p.limit = aoffset < stride ? stride - aoffset : 0;
	} else { /* the records bound what the document leaves open */
		uint64_t size = (uint64_t)records * stride;
		size = size > soffset ? size - soffset : 0;
		p.limit = aoffset < size ? size - aoffset : 0;
	}
	if (!p.index_ok)
		p.limit = 0;
	return p;
}
/* The memory of dword i, NULL out of range; align: of the address. */
static uint8_t *buffer_at(struct run *r, const struct place *p, unsigned i, unsigned align, unsigned bytes)
{
	if (p->limit <= 4 * i)
		return NULL;
	return at(r, ((p->base + p->bufoffset + 4 * i) & ~(uint64_t)(align - 1)), bytes);
}
static uint32_t to16(unsigned nfmt, uint32_t x)
{
	float f;
	memcpy(&f, &x, 4);
	if (nfmt == NFMT_UINT)
		return x > 0xffff ? 0xffff : x;
	if (nfmt == NFMT_SINT)
		return (uint32_t)((int32_t)x > 0x7fff ? 0x7fff : (int32_t)x < -0x8000 ? -0x8000 : (int32_t)x) & 0xffff;
	return ref_to_half(f);
}
static uint32_t from16(unsigned nfmt, uint32_t h)
{
	float f = ref_half(h & 0xffff);
	uint32_t x;
	memcpy(&x, &f, 4);
	return nfmt == NFMT_UINT ? h & 0xffff : nfmt == NFMT_SINT ? (uint32_t)(int16_t)h : x;
}
static unsigned channels(const char *name)
{
	return has(name, "xyzw") ? 4 : has(name, "xyz") ? 3 : has(name, "xy") ? 2 : 1;
}
static void format_lane(struct run *r, int l)
{
	const struct gcn_inst *in = r->in;
	const uint32_t *v = &r->w->sgpr[in->src[1]];
	bool typed = in->fmt == GCN_MTBUF, d16 = has(r->name, "d16"), hi = has(r->name, "d16_hi");
	bool loose = d16 && gcn_op_info((enum gcn_op)in->op)->opcode[GCN_GFX9] < 0; /* gfx8: a channel a VGPR */
	unsigned dfmt = typed ? in->dfmt : (v[3] >> 24 & 3) << 4 | (v[3] >> 15 & 15), nfmt = typed ? in->nfmt : v[3] >> 12 & 7;
	unsigned n = channels(r->name), bytes = ref_format_bytes(dfmt), whole = 0;
	struct place p = place_of(r, l);
	bool store = has(r->name, "store"), record = p.index_ok && (v[1] >> 16 & 0x3fff) && (in->idxen || v[3] >> 23 & 1);
	uint8_t *q = NULL;
	uint32_t mem[4] = { 0 }, out[4];
	if (store && ref_format_readable(dfmt, nfmt) && !ref_format_writable(dfmt, nfmt))
		r->open = true;
	if (!record && bytes > 4) /* without a record all dwords must be in range */
		whole = (bytes - 1) / 4;
	if (p.limit > 4 * whole && (store ? ref_format_writable(dfmt, nfmt) : ref_format_readable(dfmt, nfmt)))
		q = buffer_at(r, &p, 0, ref_format_align(dfmt), bytes);
	if (r->w->fault)
		return;
	for (unsigned c = 0; c < 4; c++) {
		unsigned sel = typed ? SEL_R + c : v[3] >> 3 * c & 7;
		if (store) {
			uint32_t x = c < n ? vreg(r, in->dst, d16 && !loose ? c / 2 : c, l) : 0;
			if (d16)
				x = from16(nfmt, hi || (c & 1 && !loose) ? x >> 16 : x);
			if (c < n && sel >= SEL_R)
				mem[sel - SEL_R] = x;
		}
	}
	if (store) {
		if (q)
			ref_format_encode(dfmt, nfmt, mem, q);
		return;
	}
	if (q)
		ref_format_decode(dfmt, nfmt, q, mem);
	for (unsigned c = 0; c < 4; c++) {
		unsigned sel = typed ? SEL_R + c : v[3] >> 3 * c & 7;
		uint32_t one = nfmt == NFMT_UINT || nfmt == NFMT_SINT ? 1 : 0x3f800000;
		out[c] = sel >= SEL_R ? mem[sel - SEL_R] : sel == SEL_1 ? one : 0;
		if (!ref_format_readable(dfmt, nfmt))
			out[c] = 0;
	}
	r->results = d16 && !loose ? (n + 1) / 2 : n;
	for (unsigned c = 0; c < n; c++) {
		if (hi)
			r->result[0][l] = to16(nfmt, out[0]) << 16 | (r->w->vgpr[in->dst - 256][l] & 0xffff);
		else if (loose)
			r->result[c][l] = to16(nfmt, out[c]);
		else if (d16)
			r->result[c / 2][l] = c & 1 ? r->result[c / 2][l] | to16(nfmt, out[c]) << 16 : to16(nfmt, out[c]);
		else
			r->result[c][l] = out[c];
	}
}
static void buffer_lane(struct run *r, int l)
{
	const struct gcn_inst *in = r->in;
	const char *n = r->name;
	struct place p = place_of(r, l);
	uint8_t *lds = lds_at(r, (r->w->sgpr[124] & 0xfffc) + 4u * (unsigned)l, 4);
	unsigned dwords = has(n, "x4") ? 4 : has(n, "x3") ? 3 : has(n, "dwordx2") ? 2 : 1;
	if (has(n, "lds")) {
		set(buffer_at(r, &p, 0, 4, 4), get(lds, 4), 4);
	} else if (has(n, "atomic")) {
		bool is_wide = has(n, "_x2");
		unsigned bytes = is_wide ? 8 : 4;
		const char *op = n + strlen("buffer_atomic_");
		bool record = (r->w->sgpr[in->src[1] + 1] >> 16 & 0x3fff) && (in->idxen || r->w->sgpr[in->src[1] + 3] >> 23 & 1);
		bool compare = has(op, "cmpswap");
		uint8_t *q = is_wide && !record && p.limit <= 4 ? NULL : buffer_at(r, &p, 0, bytes, bytes);
		uint64_t old = get(q, bytes), cmp = 0;
		if (compare)
			cmp = is_wide ? wide(r, in->dst, 2, l) : vreg(r, in->dst, 1, l);
		if (q)
			set(q, atomic(op, old, is_wide ? wide(r, in->dst, 0, l) : vreg(r, in->dst, 0, l), cmp, is_wide), bytes);
		r->result[0][l] = (uint32_t)old;
		r->result[1][l] = (uint32_t)(old >> 32);
		r->results = in->glc ? bytes / 4 : 0;
	} else if (has(n, "byte") || has(n, "short")) {
		unsigned bytes = has(n, "byte") ? 1 : 2;
		uint8_t *q = buffer_at(r, &p, 0, bytes, bytes);
		if (has(n, "store"))
			set(q, vreg(r, in->dst, 0, l) >> (has(n, "hi") ? 16 : 0), bytes);
		else
			narrow_result(r, l, (uint32_t)get(q, bytes));
	} else {
		for (unsigned i = 0; i < dwords; i++) {
			uint8_t *q = buffer_at(r, &p, i, 4, 4);
			if (!has(n, "store"))
				r->result[i][l] = (uint32_t)get(q, 4), r->results = dwords;
			else
				set(q, vreg(r, in->dst, i, l), 4);
		}
	}
	if (in->lds && has(n, "load")) {
		bool narrow = has(n, "byte") || has(n, "short");
		uint32_t mask = !narrow ? ~0u : has(n, "byte") ? 0xff : 0xffff; /* zero-extended */
		set(lds, r->result[0][l] & mask, 4);
		r->results = 0;
	}
}
static bool buffer(struct run *r)
{
	const struct gcn_inst *in = r->in;
	for (int l = 0; l < 64 && !r->w->fault; l++) {
		if (!active(r, l))
			continue;
		if (has(r->name, "format"))
			format_lane(r, l);
		else
			buffer_lane(r, l);
		if (in->lds && has(r->name, "format")) {
			set(lds_at(r, (r->w->sgpr[124] & 0xfffc) + 4u * (unsigned)l, 4), r->result[0][l], 4);
			r->results = 0;
		}
	}
	if (in->tfe) {
		memset(r->result[r->results], 0, 256);
		r->results++;
	}
	return true;
}

/* --- FLAT, GLOBAL, SCRATCH --- */

static uint8_t *scratch_at(struct run *r, uint32_t o, unsigned n, int l)
{
	uint64_t a = pair(&r->w->sgpr[102]) - r->w->scratch_address + o / 4 * 256ull + 4 * (unsigned)l + o % 4;
	if (a + n <= r->w->scratch_bytes)
		return r->w->scratch + a;
	r->w->fault = true;
	return NULL;
}
static uint8_t *flat_at(struct run *r, unsigned i, unsigned n, int l)
{
	const struct gcn_inst *in = r->in;
	bool saddr = in->src[2] != GCN_SRC_NONE, has_v = in->src[0] != GCN_SRC_NONE;
	uint64_t a = (uint64_t)(int64_t)in->offset + 4 * i;
	if (in->fmt == GCN_SCRATCH) {
		a += saddr ? r->w->sgpr[in->src[2]] : has_v ? vreg(r, in->src[0], 0, l) : 0;
		return scratch_at(r, (uint32_t)a & ~(uint32_t)(n - 1), n, l);
	}
	a += saddr ? pair(&r->w->sgpr[in->src[2]]) + vreg(r, in->src[0], 0, l) : wide(r, in->src[0], 0, l);
	a &= ~(uint64_t)(n - 1);
	if (in->fmt == GCN_FLAT && a >= ABI_PRIVATE_BASE && a <= ABI_PRIVATE_LIMIT)
		return scratch_at(r, (uint32_t)a, n, l);
	if (in->fmt == GCN_FLAT && a >= ABI_SHARED_BASE && a <= ABI_SHARED_LIMIT)
		return (a & 0xffffffff) + n <= r->w->lds_bytes ? r->w->lds + (uint32_t)a : NULL;
	return at(r, a, n);
}
static void flat_lane(struct run *r, int l)
{
	const struct gcn_inst *in = r->in;
	const char *n = r->name;
	unsigned dwords = has(n, "x4") ? 4 : has(n, "x3") ? 3 : has(n, "dwordx2") ? 2 : 1;
	if (has(n, "atomic")) {
		bool is_wide = has(n, "_x2");
		unsigned bytes = is_wide ? 8 : 4;
		const char *op = strstr(n, "atomic_") + 7;
		uint8_t *p = flat_at(r, 0, bytes, l);
		uint64_t old = get(p, bytes), cmp = 0, d = is_wide ? wide(r, in->src[1], 0, l) : vreg(r, in->src[1], 0, l);
		if (has(op, "cmpswap"))
			cmp = is_wide ? wide(r, in->src[1], 2, l) : vreg(r, in->src[1], 1, l);
		if (p)
			set(p, atomic(op, old, d, cmp, is_wide), bytes);
		r->result[0][l] = (uint32_t)old;
		r->result[1][l] = (uint32_t)(old >> 32);
		r->results = in->glc ? bytes / 4 : 0;
	} else if (in->lds) {
		unsigned bytes = has(n, "byte") ? 1 : has(n, "short") ? 2 : 4;
		set(lds_at(r, (r->w->sgpr[124] & 0xfffc) + 4u * (unsigned)l, 4), get(flat_at(r, 0, bytes, l), bytes), 4);
	} else if (has(n, "byte") || has(n, "short")) {
		unsigned bytes = has(n, "byte") ? 1 : 2;
		uint8_t *p = flat_at(r, 0, bytes, l);
		if (has(n, "store"))
			set(p, vreg(r, in->src[1], 0, l) >> (has(n, "hi") ? 16 : 0), bytes);
		else
			narrow_result(r, l, (uint32_t)get(p, bytes));
	} else if (has(n, "load")) {
		for (unsigned i = 0; i < dwords; i++)
			r->result[i][l] = (uint32_t)get(flat_at(r, i, 4, l), 4), r->results = dwords;
	}
}
static bool flat(struct run *r)
{
	const char *n = r->name;
	unsigned dwords = has(n, "x4") ? 4 : has(n, "x3") ? 3 : has(n, "dwordx2") ? 2 : 1;
	for (int l = 0; l < 64 && !r->w->fault; l++)
		if (active(r, l))
			flat_lane(r, l);
	if (has(n, "store_dword"))
		for (int l = 0; l < 64 && !r->w->fault; l++)
			for (unsigned i = 0; i < dwords && active(r, l); i++)
				set(flat_at(r, i, 4, l), vreg(r, r->in->src[1], i, l), 4);
	return true;
}

bool ref_mem_run(struct ref_mem_wave *w, const struct gcn_inst *in)
{
	static struct run r;
	bool ok;
	memset(&r, 0, sizeof(r));
	r.w = w;
	r.in = in;
	r.name = gcn_op_info((enum gcn_op)in->op)->name;
	r.exec = pair(&w->sgpr[126]);
	if (has(r.name, "dcache") || has(r.name, "probe") || has(r.name, "wbinvl1") || has(r.name, "ds_nop"))
		return true; /* caches are not modelled */
	switch (in->fmt) {
	case GCN_DS: ok = ds(&r); break;
	case GCN_SMEM: ok = smem(&r); break;
	case GCN_MUBUF: case GCN_MTBUF: ok = buffer(&r); break;
	case GCN_FLAT: case GCN_GLOBAL: case GCN_SCRATCH: ok = flat(&r); break;
	default: return false;
	}
	for (unsigned i = 0; i < r.results && !w->fault; i++)
		for (int l = 0; l < 64; l++)
			if (active(&r, l))
				w->vgpr[in->dst - 256 + i][l] = r.result[i][l];
	return ok && !r.open;
}
