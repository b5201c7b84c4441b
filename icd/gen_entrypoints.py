#!/usr/bin/env python3
"""Generates the Vulkan tables of icd/ from the registry (vk.xml).

  gen_entrypoints.py vk.xml header.h source.c

Header: the enum of extensions, the set type, and one prototype icd_NAME per
command vkNAME (aliases share the function of the command they stand for).
Source: the table of extensions, that of the structures of features with the names
of their members, and the table of entry points, sorted by name.
Functions are referenced weakly: one that nobody wrote is NULL in the table.
"""
import sys
import xml.etree.ElementTree as ET

PLATFORMS = {None, "xcb", "xlib", "wayland"}
DEVICE_HANDLES = {"VkDevice", "VkQueue", "VkCommandBuffer"}


def for_vulkan(element, attribute="api"):
    value = element.get(attribute)
    return value is None or "vulkan" in value.split(",")


def text_of(element):
    """The C text of a <proto> or <param>, comments left out."""
    parts = [element.text or ""]
    for child in element:
        if child.tag != "comment":
            parts.append("".join(child.itertext()))
        parts.append(child.tail or "")
    return " ".join("".join(parts).split())


class Command:
    def __init__(self, name, target):
        self.name = name
        self.target = target      # the command whose function it shares
        self.core = None          # (major, minor) of the version that has it
        self.extensions = []

    @property
    def function(self):
        return "icd_" + self.target.name[2:]


def read_commands(root):
    prototypes, aliases = {}, {}
    for element in root.findall("commands/command"):
        if not for_vulkan(element):
            continue
        if element.get("alias"):
            aliases[element.get("name")] = element.get("alias")
            continue
        proto = element.find("proto")
        params = [p for p in element.findall("param") if for_vulkan(p)]
        prototypes[proto.find("name").text] = (proto, params)
    commands = {}
    for name in prototypes:
        command = Command(name, None)
        command.target = command
        command.result = prototypes[name][0].find("type").text
        command.params = [text_of(p) for p in prototypes[name][1]]
        command.first = prototypes[name][1][0].find("type").text
        commands[name] = command
    for name, target in aliases.items():
        while target in aliases:
            target = aliases[target]
        if target in commands:
            commands[name] = Command(name, commands[target])
    return commands


def read_features(root, commands):
    for feature in root.findall("feature"):
        if not for_vulkan(feature):
            continue
        version = tuple(int(n) for n in feature.get("number").split("."))
        for element in feature.findall("require/command"):
            commands[element.get("name")].core = version


def read_extensions(root, commands):
    extensions = []
    for ext in root.findall("extensions/extension"):
        if not for_vulkan(ext, "supported") or ext.get("platform") not in PLATFORMS:
            continue
        version = "1"
        for element in ext.findall("require/enum"):
            if element.get("name").endswith("_SPEC_VERSION") and element.get("value"):
                version = element.get("value")
        extensions.append((ext.get("name"), version, ext.get("type") == "instance"))
        for element in ext.findall("require/command"):
            users = commands[element.get("name")].extensions
            if ext.get("name") not in users:
                users.append(ext.get("name"))
    return sorted(extensions)


def read_feature_structs(root):
    """(sType, structure, members) of all that only hold features: VkBool32 after
    VkBool32, chained into VkDeviceCreateInfo.  VkPhysicalDeviceFeatures goes by the
    type of the structure that wraps it."""
    used = set()
    for element in root.findall("feature") + root.findall("extensions/extension"):
        if element.tag == "feature" and for_vulkan(element) or (
                for_vulkan(element, "supported") and element.get("platform") in PLATFORMS):
            used.update(t.get("name") for t in element.findall("require/type"))
    structs = []
    for element in root.findall("types/type"):
        name, members = element.get("name"), element.findall("member")
        members = [m for m in members if for_vulkan(m)]
        flags = [m.find("name").text for m in members if m.find("type").text == "VkBool32"]
        if name == "VkPhysicalDeviceFeatures":
            structs.append(("VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2", name, flags))
        elif name in used and "VkDeviceCreateInfo" in (element.get("structextends") or "").split(","):
            if flags and len(flags) == len(members) - 2:
                structs.append((members[0].get("values"), name, flags))
    return structs


def level_of(command):
    first = command.target.first
    if command.name == "vkGetInstanceProcAddr" or first == "VkInstance":
        return "INSTANCE"
    if first == "VkPhysicalDevice":
        return "PHYSICAL_DEVICE"
    return "DEVICE" if first in DEVICE_HANDLES else "GLOBAL"


def ext_enum(name):
    return "ICD_EXT_" + name[3:]


def write_feature_structs(out, structs):
    for _, name, flags in structs:
        names = "".join(f"\t\"{flag}\",\n" for flag in flags)
        out.write(f"static const char *const names_{name}[] = {{\n{names}}};\n")
    out.write("\nconst struct icd_feature_info icd_feature_infos[] = {\n")
    for stype, name, flags in structs:
        out.write(f"\t{{ {stype}, {len(flags)}, \"{name}\", names_{name} }},\n")
    out.write("};\nconst uint32_t icd_feature_info_count = "
              "sizeof icd_feature_infos / sizeof icd_feature_infos[0];\n\n")


def write_header(path, commands, extensions):
    with open(path, "w") as out:
        out.write("/* Generated by icd/gen_entrypoints.py from vk.xml: do not edit. */\n"
                  "#ifndef ICD_ENTRYPOINTS_H\n#define ICD_ENTRYPOINTS_H\n\n"
                  "#include <stdbool.h>\n#include \"icd/vk.h\"\n\nenum icd_extension {\n")
        for name, _, _ in extensions:
            out.write(f"\t{ext_enum(name)},\n")
        out.write("\tICD_EXTENSION_COUNT\n};\n\n"
                  "struct icd_extension_set { bool has[ICD_EXTENSION_COUNT]; };\n"
                  "struct icd_extension_info { const char *name; uint32_t version; bool instance; };\n"
                  "extern const struct icd_extension_info icd_extension_infos[ICD_EXTENSION_COUNT];\n\n"
                  "/* Behind a structure's header: `count` VkBool32 members, and their names. */\n"
                  "struct icd_feature_info {\n\tVkStructureType type;\n\tuint32_t count;\n"
                  "\tconst char *name, *const *members;\n};\n"
                  "extern const struct icd_feature_info icd_feature_infos[];\n"
                  "extern const uint32_t icd_feature_info_count;\n\n"
                  "#pragma GCC visibility push(hidden)\n")
        for command in commands:
            if command.target is command:
                out.write(f"VKAPI_ATTR {command.result} VKAPI_CALL {command.function}("
                          f"{', '.join(command.params)});\n")
        out.write("#pragma GCC visibility pop\n\n#endif\n")


def write_source(path, commands, extensions, structs):
    most = max(len(c.extensions) for c in commands)
    with open(path, "w") as out:
        out.write("/* Generated by icd/gen_entrypoints.py from vk.xml: do not edit. */\n"
                  "#include \"icd/entrypoint.h\"\n\n")
        for command in commands:
            if command.target is command:
                out.write(f"#pragma weak {command.function}\n")
        out.write("\nconst struct icd_extension_info icd_extension_infos[ICD_EXTENSION_COUNT] = {\n")
        for name, version, instance in extensions:
            out.write(f"\t{{ \"{name}\", {version}, {str(instance).lower()} }},\n")
        out.write("};\n\n")
        write_feature_structs(out, structs)
        out.write(f"_Static_assert({most} <= ICD_ENTRYPOINT_EXTENSIONS, \"room for the extensions\");\n\n"
                  "const struct icd_entrypoint icd_entrypoints[] = {\n")
        for command in sorted(commands, key=lambda c: c.name):
            core = f"VK_MAKE_API_VERSION(0, {command.core[0]}, {command.core[1]}, 0)" if command.core else "0"
            users = ", ".join(ext_enum(e) for e in command.extensions) or "0"
            out.write(f"\t{{ \"{command.name}\", (PFN_vkVoidFunction){command.function}, "
                      f"ICD_LEVEL_{level_of(command)},\n\t\t{core}, {len(command.extensions)}, {{ {users} }} }},\n")
        out.write("};\nconst uint32_t icd_entrypoint_count = "
                  "sizeof icd_entrypoints / sizeof icd_entrypoints[0];\n")


def main():
    root = ET.parse(sys.argv[1]).getroot()
    commands = read_commands(root)
    read_features(root, commands)
    extensions = read_extensions(root, commands)
    used = [c for c in commands.values() if c.core or c.extensions]
    targets = {c.target.name for c in used}
    # An alias may be in use where its target is not: the target still needs a prototype.
    listed = used + [commands[n] for n in sorted(targets) if not (commands[n].core or commands[n].extensions)]
    write_header(sys.argv[2], listed, extensions)
    write_source(sys.argv[3], used, extensions, read_feature_structs(root))


main()
