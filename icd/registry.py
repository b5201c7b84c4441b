# SPDX-License-Identifier: MIT
"""The registry that the driver is generated from: the system's vk.xml, and over it what is newer (vk_newer.xml)."""
import xml.etree.ElementTree as ET

PLATFORMS = {None, "xcb", "xlib", "wayland"}


def for_vulkan(element, attribute="api"):
    value = element.get(attribute)
    return value is None or "vulkan" in value.split(",")


def text_of(element):
    """The C text of a <proto>, <param>, <member> or <type>, comments left out."""
    parts = [element.text or ""]
    for child in element:
        if child.tag != "comment":
            parts.append("".join(child.itertext()))
        parts.append(child.tail or "")
    return " ".join("".join(parts).split())


def name_of(element):
    """Of a type, a command or an extension; None where it has none."""
    inner = element.find("name" if element.tag == "type" else "proto/name")
    return element.get("name") if inner is None else inner.text


def lay_over(root, newer):
    """Puts what `newer` has and `root` has not into `root`; gives that, by section."""
    added = {}
    for section, tag in (("types", "type"), ("commands", "command"), ("extensions", "extension")):
        place = root.find(section)
        known = {name_of(e) for e in place.findall(tag)}
        added[section] = [e for e in newer.findall(f"{section}/{tag}") if name_of(e) not in known]
        place.extend(added[section])
    return added


def read(vk_xml, newer_xml):
    """The root of the registry, and what it has of newer_xml alone."""
    root = ET.parse(vk_xml).getroot()
    return root, lay_over(root, ET.parse(newer_xml).getroot())
