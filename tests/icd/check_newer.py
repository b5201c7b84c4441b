#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What vk_newer.xml declares is there with the system's registry, and gone with one that has it.

  check_newer.py icd/ vk.xml
"""
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

icd, vk_xml = sys.argv[1:3]
newer_xml = os.path.join(icd, "vk_newer.xml")
sys.dont_write_bytecode = True
sys.path.insert(0, icd)
import registry  # noqa: E402


def header(path, folder):
    out = os.path.join(folder, "newer.h")
    subprocess.run([sys.executable, "-B", os.path.join(icd, "gen_newer.py"), path, newer_xml, out], check=True)
    with open(out) as f:
        return f.read()


with tempfile.TemporaryDirectory() as folder:
    root, added = registry.read(vk_xml, newer_xml)
    names = {e.get("name") for e in ET.parse(newer_xml).findall("extensions/extension")}
    old = header(vk_xml, folder)
    for name in sorted(names):
        here = name in {e.get("name") for e in added["extensions"]}
        if (f"#define {name} 1\n" in old) != here:
            sys.exit(f"{name} is declared where the registry has it, or not where it has not")
    required = {e.get("name") for x in added["extensions"] for e in x.findall("require/*")}
    for element in added["types"] + added["commands"]:
        if registry.name_of(element) not in required:
            sys.exit(f"{registry.name_of(element)} is of no extension")
    later = os.path.join(folder, "vk.xml")
    ET.ElementTree(root).write(later)
    if "#define VK" in header(later, folder):
        sys.exit("a registry that has everything leaves something to declare")
    print(f"{len(added['extensions'])} of {len(names)} extensions are newer than the registry")
