/* SPDX-License-Identifier: MIT */
/* Where elements lie, by the words of isa/surface.h and without its functions: planes of
 * texels and of blocks of texels, whatever sizes of blocks isa/formats.def has. */
#include "isa/surface.h"

#include "tests/check.h"

static uint64_t state = 88172645463325252ull;
static uint32_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

static uint64_t up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }
static uint32_t shrunk(uint32_t size, unsigned level) { return size >> level > 1 ? size >> level : 1; }

/* What a plane was made of. */
struct model { uint32_t width, height, slices; unsigned bpe, block_width, block_height, block_depth, samples, tiling; bool is_3d; };

static uint64_t columns(const struct model *m, unsigned level)
{
	return up(shrunk(m->width, level), m->block_width) / m->block_width;
}
static uint64_t rows(const struct model *m, unsigned level)
{
	return up(shrunk(m->height, level), m->block_height) / m->block_height;
}
static uint64_t slice_bytes(const struct model *m, unsigned level)
{
	uint64_t bytes = (uint64_t)m->bpe * m->samples;
	if (m->tiling == TILING_4X4)
		return up(up(columns(m, level), 8) * up(rows(m, level), 8) * bytes, 256);
	return up(rows(m, level) * up(columns(m, level) * bytes, 64), 256);
}
static uint32_t slices(const struct model *m, unsigned level) { return m->is_3d ? shrunk(m->slices, level) : m->slices; }
static uint64_t level_at(const struct model *m, unsigned level)
{
	uint64_t at = 0;
	for (unsigned l = 0; l < level; l++)
		at += up(slices(m, l), m->block_depth) / m->block_depth * slice_bytes(m, l);
	return at;
}
static uint64_t element_at(const struct model *m, unsigned level, uint64_t x, uint64_t y, uint64_t z, unsigned sample)
{
	uint64_t slice = level_at(m, level) + z * slice_bytes(m, level);
	if (m->tiling == TILING_LINEAR)
		return slice + y * up(columns(m, level) * m->bpe, 64) + x * m->bpe;
	uint64_t part = y / 4 * (up(columns(m, level), 8) / 4) + x / 4;
	uint64_t inside = x % 2 + y % 2 * 2 + x / 2 % 2 * 4 + y / 2 % 2 * 8;
	return slice + ((part * m->samples + sample) * 16 + inside) * m->bpe;
}

static struct surf_plane plane_of(const struct model *m, uint8_t *base)
{
	struct surf_plane p = { .base = base, .width = m->width, .height = m->height, .slices = m->slices, .is_3d = m->is_3d,
		.tiling = (uint8_t)m->tiling, .samples = (uint8_t)m->samples, .bpe = (uint8_t)m->bpe,
		.block_width = (uint8_t)m->block_width, .block_height = (uint8_t)m->block_height,
		.block_depth = (uint8_t)m->block_depth };
	surf_lay(&p);
	return p;
}

static struct model random_model(void)
{
	static const uint8_t blocks[][2] = { { 1, 1 }, { 1, 1 }, { 4, 4 }, { 8, 8 }, { 5, 4 }, { 12, 10 } };
	static const uint8_t bytes[] = { 1, 2, 3, 4, 6, 8, 12, 16 };
	const uint8_t *block = blocks[rnd() % 6];
	struct model m = { 1 + rnd() % 90, 1 + rnd() % 90, 1 + rnd() % 6, bytes[rnd() % 8], block[0], block[1], 1, 1,
		TILING_LINEAR, rnd() % 3 == 0 };
	if (m.is_3d && block[0] > 1)
		m.block_depth = 1 + rnd() % 5;
	if (rnd() & 1)
		m.tiling = TILING_4X4;
	if (m.tiling == TILING_4X4 && block[0] == 1 && !m.is_3d)
		m.samples = 1u << rnd() % 4;
	return m;
}

/* Some element of level l of what begins at base. */
static void check_element(const struct model *m, const struct surf_plane *p, const uint8_t *base, unsigned l)
{
	uint32_t x = rnd() % surf_columns(p), y = rnd() % surf_rows(p), z = rnd() % surf_layers(p), s = rnd() % m->samples;
	uint64_t expect = element_at(m, l, x, y, z, s);
	uint64_t at = (uint64_t)(surf_at(p, x, y, z) - base) + s * surf_sample_stride(p);
	uint64_t row = (uint64_t)(surf_row(p, y, z) - base);
	const struct surf_plane from = surf_slices(*p, z, 1);
	EXPECT(at == expect, "(%u, %u, %u) sample %u", x, y, z, s);
	if (m->samples > 1)
		x = surf_ms_x(m->samples, x, s);
	EXPECT(row + surf_x_part(p->tiling, p->bpe, x) == expect, "row (%u, %u, %u) sample %u", x, y, z, s);
	if (m->samples == 1 && m->tiling == TILING_4X4)
		EXPECT(surf_part(p->bpe, p->pitch, x / 4, y / 4) + z * p->slice_stride + level_at(m, l) ==
			element_at(m, l, x & ~3u, y & ~3u, z, 0), "part of (%u, %u)", x, y);
	EXPECT(expect + m->bpe <= level_at(m, l + 1), "past the level");
	EXPECT(surf_row(&from, y, 0) - base == (int64_t)row && from.slices == 1, "slice %u", z);
}

static void test_elements(void)
{
	for (int round = 0; round < 3000; round++) {
		const struct model m = random_model();
		uint8_t *base = (uint8_t *)(uintptr_t)0x100000;
		const struct surf_plane zero = plane_of(&m, base);
		unsigned levels = m.samples > 1 ? 1 : 1 + rnd() % 8;
		EXPECT(surf_plane_bytes(&zero, levels) == level_at(&m, levels), "%u levels", levels);
		for (unsigned l = 0; l < levels; l++) {
			const struct surf_plane p = surf_level(zero, l);
			EXPECT(p.width == shrunk(m.width, l) && p.height == shrunk(m.height, l), "level %u of %ux%u", l, m.width, m.height);
			EXPECT(surf_columns(&p) == columns(&m, l) && surf_rows(&p) == rows(&m, l), "level %u of %ux%u", l, m.width, m.height);
			EXPECT(p.slice_stride == slice_bytes(&m, l) && p.slices == slices(&m, l), "level %u", l);
			for (int i = 0; i < 20; i++)
				check_element(&m, &p, base, l);
		}
	}
}

static void test_places(void)
{
	for (int round = 0; round < 20000; round++) {
		const struct model m = random_model();
		const struct surf_plane p = plane_of(&m, (uint8_t *)(uintptr_t)0x100000);
		uint32_t texel[3] = { rnd() % m.width, rnd() % m.height, rnd() % m.slices };
		uint32_t at[3] = { texel[0], texel[1], texel[2] };
		bool first = !(texel[0] % m.block_width) && !(texel[1] % m.block_height) && !(texel[2] % m.block_depth);
		EXPECT(surf_place(&p, at) == first, "(%u, %u) in blocks of %ux%u", texel[0], texel[1], m.block_width, m.block_height);
		EXPECT(at[0] == texel[0] / m.block_width && at[1] == texel[1] / m.block_height && at[2] == texel[2] / m.block_depth,
			"(%u, %u, %u)", texel[0], texel[1], texel[2]);
		uint32_t rest[3] = { surf_columns(&p) - at[0], surf_rows(&p) - at[1], surf_layers(&p) - at[2] };
		EXPECT(surf_holds(&p, at, rest), "the rest is outside");
		unsigned i = rnd() % 3;
		rest[i]++;
		EXPECT(!surf_holds(&p, at, rest), "axis %u", i);
		at[i] += rest[i] - 1; /* the end */
		rest[i] = UINT32_MAX;
		EXPECT(!surf_holds(&p, at, rest), "axis %u wraps", i);
		at[i]++;
		rest[i] = 1;
		EXPECT(!surf_holds(&p, at, rest), "axis %u begins outside", i);
	}
}

static void test_faults(void)
{
	const struct surf_plane good = { .base = (uint8_t *)(uintptr_t)256, .width = 5, .height = 5, .slices = 1, .samples = 1,
		.tiling = TILING_4X4, .dfmt = DFMT_8_8_8_8 };
	for (int what = 0; what < 10; what++) {
		struct surf_plane p = good;
		switch (what) {
		case 1: p.dfmt = DFMT_INVALID; break;
		case 2: p.dfmt = 63; break;
		case 3: p.tiling = 31; break;
		case 4: p.samples = 0; break;
		case 5: p.samples = 3; break;
		case 6: p.samples = 16; break;
		case 7: p.samples = 2; p.tiling = TILING_LINEAR; break;
		case 8: p.base = NULL; break;
		case 9: p.dfmt = DFMT_ASTC_4x4x3; break; /* not 3D */
		}
		surf_init(&p);
		EXPECT(!surf_fault(&p) == !what, "fault %d", what);
	}
}

/* Every format's element is what its row says, in planes too. */
static void test_formats(void)
{
#define DATA_FORMAT(name, number, bytes, across, down, ...) { \
	struct surf_plane p = { .width = 3, .height = 3, .slices = 1, .samples = 1, .dfmt = DFMT_##name }; \
	surf_init(&p); \
	EXPECT(p.bpe == (bytes) && p.block_width == (across) && p.block_height == (down), #name); }
	ISA_DATA_FORMATS(DATA_FORMAT)
#undef DATA_FORMAT
#define DEEP_FORMAT(name, slices) EXPECT(surf_dfmt_depth(DFMT_##name) == (slices), #name);
	ISA_DEEP_FORMATS(DEEP_FORMAT)
#undef DEEP_FORMAT
}

int main(void)
{
	test_elements();
	test_places();
	test_faults();
	test_formats();
	return failures != 0;
}
