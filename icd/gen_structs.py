#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the features and properties of a device from the registry.

  gen_structs.py vk.xml vk_newer.xml header.h source.c

Header: struct icd_features and struct icd_properties, which hold every feature and
every property there is, each once and by its name in Vulkan.
Source: of every structure that vkGetPhysicalDeviceFeatures2 and
vkGetPhysicalDeviceProperties2 can fill, the versions and extensions that have it, and
where each member lies in it and in ours.
"""
import re
import sys

import registry
from gen_entrypoints import ext_enum
from registry import PLATFORMS, for_vulkan, text_of

# What a structure calls otherwise than that of the version which took it in.
RENAMED = {
    ("VkPhysicalDeviceSubgroupProperties", "supportedStages"): "subgroupSupportedStages",
    ("VkPhysicalDeviceSubgroupProperties", "supportedOperations"): "subgroupSupportedOperations",
    ("VkPhysicalDeviceSubgroupProperties", "quadOperationsInAllStages"): "subgroupQuadOperationsInAllStages",
}


class Member:
    def __init__(self, struct, element):
        self.theirs = element.find("name").text
        self.ours = RENAMED.get((struct, self.theirs), self.theirs)
        self.text = text_of(element)

    def declaration(self):
        return re.sub(rf"\b{self.theirs}\b", self.ours, self.text)


class Struct:
    def __init__(self, element, wrapper):
        self.name = element.get("name")
        members = [m for m in element.findall("member") if for_vulkan(m)]
        self.type, self.place = members[0].get("values"), f"{self.name}, "
        if self.name == f"VkPhysicalDevice{wrapper}":
            self.type = f"VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_{wrapper.upper()}_2"
            self.place = f"{self.name}2, {wrapper.lower()}."
        else:
            members = members[2:]
        self.members = [Member(self.name, m) for m in members]
        self.version, self.extensions = None, []

    def rank(self):
        """Versions first, then what is of Khronos, of several authors, of one."""
        if re.search(r"Vulkan\d+(Features|Properties)$", self.name):
            return -1
        author = re.search(r"[A-Z]*$", self.name).group()
        return {"": 0, "KHR": 1, "EXT": 2}.get(author, 3)


def read_users(root, structs):
    """Which versions and extensions have a structure, also by another name of it."""
    aliases = {t.get("name"): t.get("alias") for t in root.findall("types/type") if t.get("alias")}
    for element in root.findall("feature") + root.findall("extensions/extension"):
        is_version = element.tag == "feature"
        if not for_vulkan(element, "api" if is_version else "supported") or (
                not is_version and element.get("platform") not in PLATFORMS):
            continue
        for used in element.findall("require/type"):
            struct = structs.get(aliases.get(used.get("name"), used.get("name")))
            if struct and is_version:
                struct.version = struct.version or tuple(int(n) for n in element.get("number").split("."))
            elif struct and element.get("name") not in struct.extensions:
                struct.extensions.append(element.get("name"))


def name_members(structs):
    """A version's structure repeats members of others, which mean the same.  Others that
    share a name do not mean the same: the first by rank keeps it."""
    owner = {}
    for struct in sorted(structs, key=Struct.rank):
        if struct.rank() < 0:
            continue
        for member in struct.members:
            if owner.setdefault(member.ours, struct) is not struct:
                member.ours += "_" + struct.name[len("VkPhysicalDevice"):]


def read_structs(root, wrapper):
    """Those that extend VkPhysicalDevice<wrapper>2, and what it wraps; none with pointers,
    which want more than a copy.  All features are VkBool32."""
    structs = {}
    for element in root.findall("types/type"):
        name, extends = element.get("name"), (element.get("structextends") or "").split(",")
        if element.get("alias") or not (
                name == f"VkPhysicalDevice{wrapper}" or f"VkPhysicalDevice{wrapper}2" in extends):
            continue
        struct = Struct(element, wrapper)
        if not any("*" in m.text or wrapper == "Features" and not m.text.startswith("VkBool32 ")
                   for m in struct.members):
            structs[name] = struct
    read_users(root, structs)
    structs = [s for s in structs.values() if s.version or s.extensions]
    name_members(structs)
    return structs


def write_struct(out, name, structs):
    declared = {}
    out.write(f"struct {name} {{\n")
    for struct in structs:
        for member in struct.members:
            if member.ours not in declared:
                out.write(f"\t{member.declaration()};\n")
            if declared.setdefault(member.ours, member.declaration()) != member.declaration():
                sys.exit(f"vk.xml: {struct.name}.{member.theirs} is declared differently elsewhere")
    out.write("};\n\n")


def write_table(out, name, ours, structs):
    for struct in structs:
        out.write(f"static const struct icd_member members_{struct.name}[] = {{\n")
        for m in struct.members:
            out.write(f"\tMEMBER(\"{m.theirs}\", {struct.place}{m.theirs}, {ours}, {m.ours}),\n")
        out.write("};\n")
    out.write(f"static const struct icd_struct {ours}[] = {{\n")
    for struct in structs:
        version = "VK_MAKE_API_VERSION(0, {}, {}, 0)".format(*struct.version) if struct.version else "0"
        users = ", ".join(ext_enum(e) for e in struct.extensions) or "0"
        out.write(f"\t{{ {struct.type}, {version}, \"{struct.name}\",\n\t\tmembers_{struct.name}, "
                  f"{len(struct.members)}, {len(struct.extensions)}, {{ {users} }} }},\n")
    out.write("};\n"
              f"const struct icd_structs {name} = {{ {ours}, sizeof {ours} / sizeof {ours}[0] }};\n\n")


HEADER = """/* Generated by icd/gen_structs.py from the registry: do not edit. */
#ifndef ICD_STRUCTS_GENERATED_H
#define ICD_STRUCTS_GENERATED_H

#include "icd_entrypoints.h"

"""
SOURCE = """/* Generated by icd/gen_structs.py from the registry: do not edit. */
#include "icd/structs.h"

#include <stddef.h>

#define MEMBER(name, THEIRS, theirs, OURS, ours) { name, offsetof(THEIRS, theirs), \\
	offsetof(struct OURS, ours), sizeof ((struct OURS *)0)->ours }

"""


def main():
    root, _ = registry.read(sys.argv[1], sys.argv[2])
    features, properties = read_structs(root, "Features"), read_structs(root, "Properties")
    with open(sys.argv[3], "w") as out:
        most = max(len(s.extensions) for s in features + properties)
        out.write(HEADER + f"enum {{ ICD_STRUCT_EXTENSIONS = {most} }};\n\n")
        write_struct(out, "icd_features", features)
        write_struct(out, "icd_properties", properties)
        out.write("#endif\n")
    with open(sys.argv[4], "w") as out:
        out.write(SOURCE)
        write_table(out, "icd_feature_structs", "icd_features", features)
        write_table(out, "icd_property_structs", "icd_properties", properties)


main()
