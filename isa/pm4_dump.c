/* PM4 dump; see pm4_dump.h. */
#include "isa/pm4_dump.h"

#include <string.h>

#include "isa/pm4.h"
#include "isa/regs.h"
#include "isa/regs_table.h"

struct dump {
	FILE *out;
	size_t malformed;
};

/* Names of payload dwords in order, separated by blanks; "..." repeats the
 * last name for the rest.  The layouts are those of pm4.h. */
static const char *payload_names(unsigned op)
{
#define SURFACE(s) s ".base_lo " s ".base_hi " s ".width " s ".height " s ".slices " s ".is_3d " \
	s ".level " s ".tiling " s ".dfmt " s ".nfmt " s ".sel " s ".samples "
	static const struct { uint8_t op; const char *names; } table[] = {
		{ PM4_DISPATCH_DIRECT, "groups_x groups_y groups_z initiator" },
		{ PM4_DISPATCH_INDIRECT, "address_lo address_hi 0 0" },
		{ PM4_SET_PREDICATION, "address_lo address_hi op" },
		{ PM4_DRAW_INDIRECT_MULTI,
			"address_lo address_hi vtx_loc_inst_loc draw_index_loc count stride 0" },
		{ PM4_DRAW_INDEX_2, "max_indices address_lo address_hi index_count 0" },
		{ PM4_DRAW_INDEX_AUTO, "vertex_count source" },
		{ PM4_NUM_INSTANCES, "count" },
		{ PM4_WRITE_DATA, "control address_lo address_hi data ..." },
		{ PM4_DRAW_INDEX_INDIRECT_MULTI, "address_lo address_hi vtx_loc_inst_loc "
			"draw_index_loc count stride 0 index_base_lo index_base_hi max_indices" },
		{ PM4_WAIT_REG_MEM, "function address_lo address_hi reference mask poll" },
		{ PM4_INDIRECT_BUFFER, "address_lo address_hi dwords" },
		{ PM4_EVENT_WRITE, "event address_lo address_hi" },
		{ PM4_RELEASE_MEM, "event data_sel address_lo address_hi data_lo data_hi 0" },
		{ PM4_ACQUIRE_MEM, "coher 0 ..." },
		{ PM4_QW_COPY_BUFFER, "src_lo src_hi dst_lo dst_hi bytes_lo bytes_hi" },
		{ PM4_QW_FILL_BUFFER, "dst_lo dst_hi bytes_lo bytes_hi value" },
		{ PM4_QW_COPY_IMAGE, "kind " SURFACE("src") SURFACE("dst")
			"buffer.address_lo buffer.address_hi buffer.row_texels buffer.image_rows "
			"src_x src_y src_z dst_x dst_y dst_z width height depth" },
		{ PM4_QW_BLIT_IMAGE, SURFACE("src") SURFACE("dst")
			"src_x0 src_y0 src_z0 src_x1 src_y1 src_z1 "
			"dst_x0 dst_y0 dst_z0 dst_x1 dst_y1 dst_z1 linear" },
		{ PM4_QW_CLEAR_IMAGE, SURFACE("dst") "first_slice slice_count value ..." },
		{ PM4_QW_CLEAR_TARGET, "targets x y width height first_slice slice_count value ..." },
		{ PM4_QW_RESOLVE_IMAGE, SURFACE("src") SURFACE("dst")
			"src_x src_y src_z dst_x dst_y dst_z width height depth mode" },
		{ PM4_QW_COPY_QUERY,
			"src_lo src_hi count kind flags dst_lo dst_hi stride_lo stride_hi" },
	};
#undef SURFACE
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].op == op)
			return table[i].names;
	return "data ...";
}

/* Copies the next name of a list; keeps the previous one at "..." or the end. */
static const char *next_name(const char *list, char name[32])
{
	size_t length = strcspn(list, " ");
	if (!length || !strncmp(list, "...", 3))
		return list;
	if (length > 31)
		length = 31;
	memcpy(name, list, length);
	name[length] = 0;
	list += length;
	return *list ? list + 1 : list;
}

static void dump_payload(struct dump *d, unsigned op, const uint32_t *payload, size_t count)
{
	const char *list = payload_names(op);
	char name[32] = "";
	for (size_t i = 0; i < count; i++) {
		list = next_name(list, name);
		fprintf(d->out, "    %-24s 0x%08x\n", name, payload[i]);
	}
}

static void dump_register(struct dump *d, uint32_t address, uint32_t value)
{
	unsigned element = 0;
	const struct isa_reg *reg = isa_find_reg(address, &element);
	if (!reg) {
		fprintf(d->out, "    0x%05x %-32s 0x%08x\n", address, "(unknown register)", value);
		return;
	}
	char name[64];
	if (reg->count > 1)
		snprintf(name, sizeof(name), "%s_%u", reg->name, element);
	else
		snprintf(name, sizeof(name), "%s", reg->name);
	fprintf(d->out, "    0x%05x %-32s 0x%08x", address, name, value);
	size_t end = isa_reg_fields_end(reg);
	for (size_t i = reg->first_field; i < end; i++) {
		const struct isa_reg_bits *f = &isa_reg_bits[i];
		uint32_t bits = value >> f->lo & REG_MASK_(f->width);
		const char *value = isa_value_name(f, bits);
		if (bits && value)
			fprintf(d->out, " %s=%s", f->name, value);
		else if (bits)
			fprintf(d->out, " %s=%u", f->name, bits);
	}
	fputc('\n', d->out);
}

static void malformed(struct dump *d, const char *what)
{
	d->malformed++;
	fprintf(d->out, "    malformed: %s\n", what);
}

static void dump_registers(struct dump *d, unsigned op, const uint32_t *payload, size_t count)
{
	uint32_t base = op == PM4_SET_CONTEXT_REG ? REG_CONTEXT_BASE :
		op == PM4_SET_SH_REG ? REG_SH_BASE : REG_UCONFIG_BASE;
	uint32_t limit = op == PM4_SET_CONTEXT_REG ? REG_CONTEXT_DWORDS :
		op == PM4_SET_SH_REG ? REG_SH_DWORDS : REG_UCONFIG_DWORDS;
	if (!count)
		return;
	uint32_t index = payload[0] & 0xffff;
	if (index + (count - 1) > limit)
		malformed(d, "register index past the end of its space");
	for (size_t i = 1; i < count; i++)
		dump_register(d, base + 4 * (uint32_t)(index + i - 1), payload[i]);
}

static void dump_packet(struct dump *d, uint32_t header, const uint32_t *payload, size_t count)
{
	unsigned op = pm4_opcode(header);
	const struct isa_packet *packet = isa_find_packet(op);
	fprintf(d->out, "%s%s, %zu dwords\n", packet ? packet->name : "(unknown opcode)",
		header & 1 ? " (predicated)" : "", count);
	if (!packet)
		malformed(d, "no such opcode");
	else if (count < packet->min || (packet->max && count > packet->max))
		malformed(d, "wrong payload size");
	if (op == PM4_SET_CONTEXT_REG || op == PM4_SET_SH_REG || op == PM4_SET_UCONFIG_REG)
		dump_registers(d, op, payload, count);
	else
		dump_payload(d, op, payload, count);
}

size_t pm4_dump(FILE *out, const uint32_t *words, size_t dwords)
{
	struct dump d = { out, 0 };
	for (size_t at = 0; at < dwords;) {
		uint32_t header = words[at];
		fprintf(out, "%06zx: %08x ", at * 4, header);
		at++;
		if (pm4_type(header) != 3) {
			fprintf(out, "(no type-3 packet)\n");
			malformed(&d, "header");
			continue;
		}
		size_t count = pm4_payload(header), left = dwords - at;
		if (count > left) {
			dump_packet(&d, header, words + at, left);
			malformed(&d, "the packet is longer than the stream");
			break;
		}
		dump_packet(&d, header, words + at, count);
		at += count;
	}
	return d.malformed;
}
