/* SPDX-License-Identifier: MIT */
/* PM4 dump; see pm4_dump.h. */
#include "isa/text/pm4_dump.h"

#include <stdbool.h>
#include <string.h>

#include "isa/pm4.h"
#include "isa/regs.h"
#include "isa/regs_table.h"

struct dump {
	FILE *out;
	size_t malformed;
};

/* The next of a list's names, or "" at its end. */
static const char *next_name(const char *list, char name[32])
{
	list += strspn(list, " ");
	size_t length = strcspn(list, " ");
	snprintf(name, 32, "%.*s", (int)length, list);
	return list + length;
}

static const char *names_of_part(const char *part)
{
	const struct isa_packet_part *p = isa_packet_parts;
	while (p->name && strcmp(p->name, part))
		p++;
	return p->name ? p->names : "";
}

/* A dword by its name; NAME=SET with the name of its value, if it has one. */
static void dump_dword(struct dump *d, const char *prefix, char *name, uint32_t value)
{
	char *set = strchr(name, '=');
	if (set)
		*set++ = 0;
	const char *meaning = set ? isa_set_name(set, value) : NULL;
	fprintf(d->out, "%08x %s%s", value, prefix, name);
	if (meaning)
		fprintf(d->out, " = %s_%s", set, meaning);
	fputc('\n', d->out);
}

/* Prints dwords of *p up to `end` with the names of a list, before each `prefix`. */
static void dump_names(struct dump *d, const char *prefix, const char *names, const uint32_t **p, const uint32_t *end)
{
	char name[32] = "", last[32];
	while (*p < end) {
		memcpy(last, name, sizeof(last));
		names = next_name(names, name);
		char *part = strchr(name, ':');
		if (!*name)
			return;
		if (!strcmp(name, "...")) {
			while (*p < end)
				fprintf(d->out, "%08x %s%s\n", *(*p)++, prefix, last);
		} else if (part) {
			char inner[40];
			*part = 0;
			snprintf(inner, sizeof(inner), "%s.", name);
			dump_names(d, inner, names_of_part(part + 1), p, end);
		} else {
			dump_dword(d, prefix, name, *(*p)++);
		}
	}
}

static void dump_payload(struct dump *d, const struct isa_packet *packet, const uint32_t *payload, size_t count)
{
	const uint32_t *p = payload, *end = payload + count;
	dump_names(d, "", packet ? packet->names : "", &p, end);
	while (p < end)
		fprintf(d->out, "%08x\n", *p++);
}

/* A register that is all one named value goes on its own line. */
static bool dump_whole(struct dump *d, const struct isa_reg_bits *f, size_t count, uint32_t value)
{
	const char *name = count == 1 && !f->lo && !(value & ~REG_MASK_(f->width)) ? isa_value_name(f, value) : NULL;
	if (name)
		fprintf(d->out, " = %s_%s\n", f->set, name);
	return name != NULL;
}

static void dump_fields(struct dump *d, const struct isa_reg_bits *f, size_t count, uint32_t value)
{
	for (; count; count--, f++) {
		uint32_t bits = value >> f->lo & REG_MASK_(f->width);
		const char *name = isa_value_name(f, bits);
		if (name)
			fprintf(d->out, "\t .%s = %s_%s;\n", f->name, f->set, name);
		else if (bits)
			fprintf(d->out, "\t .%s = %u;\n", f->name, bits);
	}
}

/* NAME, or NAME_n of an array; false: no such register. */
static bool register_name(const struct isa_reg *reg, unsigned element, char name[64])
{
	if (reg && reg->count > 1)
		snprintf(name, 64, "%s_%u", reg->name, element);
	else
		snprintf(name, 64, "%s", reg ? reg->name : "(unknown register)");
	return reg != NULL;
}

static void dump_register(struct dump *d, uint32_t address, uint32_t value)
{
	unsigned element = 0;
	const struct isa_reg *reg = isa_find_reg(address, &element);
	char name[64];
	bool known = register_name(reg, element, name);
	fprintf(d->out, "%08x -> [%s]", value, name);
	if (!known) {
		fprintf(d->out, " at 0x%05x\n", address);
		return;
	}
	const struct isa_reg_bits *fields = &isa_reg_bits[reg->first_field];
	size_t count = isa_reg_fields_end(reg) - reg->first_field;
	if (dump_whole(d, fields, count, value))
		return;
	fputc('\n', d->out);
	if (value)
		dump_fields(d, fields, count, value);
}

static void malformed(struct dump *d, const char *what)
{
	d->malformed++;
	fprintf(d->out, "malformed: %s\n", what);
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
	unsigned element = 0;
	const struct isa_reg *first = isa_find_reg(base + 4 * index, &element);
	char name[64];
	register_name(first, element, name);
	fprintf(d->out, "%08x %s\n", payload[0], name);
	if (index + (count - 1) > limit)
		malformed(d, "register index past the end of its space");
	for (size_t i = 1; i < count; i++)
		dump_register(d, base + 4 * (uint32_t)(index + i - 1), payload[i]);
}

static void dump_packet(struct dump *d, uint32_t header, const uint32_t *payload, size_t count)
{
	unsigned op = pm4_opcode(header);
	const struct isa_packet *packet = isa_find_packet(op);
	fprintf(d->out, "%s%s\n", packet ? packet->name : "(unknown opcode)", header & 1 ? " (predicated)" : "");
	if (!packet)
		malformed(d, "no such opcode");
	else if (count < packet->min || (packet->max && count > packet->max))
		malformed(d, "wrong payload size");
	if (op == PM4_SET_CONTEXT_REG || op == PM4_SET_SH_REG || op == PM4_SET_UCONFIG_REG)
		dump_registers(d, op, payload, count);
	else
		dump_payload(d, packet, payload, count);
}

size_t pm4_dump(FILE *out, const uint32_t *words, size_t dwords)
{
	struct dump d = { out, 0 };
	for (size_t at = 0; at < dwords;) {
		uint32_t header = words[at];
		fprintf(out, "%s%08x ", at ? "\n" : "", header);
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
