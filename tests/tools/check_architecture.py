#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/architecture.md, README.md, CONTRIBUTING.md and SECURITY.md name files that exist, with
NAME for any name; the first has a row for each room with sources and each part of one, and in
the rows of compiler/ each file, by itself or by a pattern.

    check_architecture.py SOURCE_DIRECTORY"""
import fnmatch
import glob
import os
import re
import sys

PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/architecture.md")
ROOMS = ["isa", "compiler", "core", "raster", "icd", "tests", "bench", "tools"]
PARTED = ROOMS[:5]  # each directory has a row
COMPLETE = "compiler"  # whose rows name all files
SOURCE = (".c", ".h", ".def", ".py")
EXAMPLE = "room/part/name.h"


def files_below(root, room):
    return [os.path.relpath(os.path.join(d, f), root) for d, _, names in os.walk(os.path.join(root, room)) for f in names]


def matches(path, name):
    """`ra*`, `wait` and `compile.c` are names of files, with their ending or without."""
    base = os.path.basename(path)
    return fnmatch.fnmatchcase(base, name) or fnmatch.fnmatchcase(os.path.splitext(base)[0], name)


def is_there(root, name, tests):
    """A path, a pattern of paths, or the name of a test: of one that CMake lists, or of a program."""
    program = os.path.join(root, "tests", os.path.dirname(name), f"test_{os.path.basename(name)}.c")
    return glob.glob(os.path.join(root, name.replace("NAME", "*"))) or name in tests or os.path.exists(program)


def check_names(root, page, files, tests):
    """What a page writes as the name of a file, with a path or an ending, and its links."""
    with open(os.path.join(root, page)) as f:
        text = f.read()
    for name in sorted(set(re.findall(r"`([\w./*-]+)`", text))):
        if "/" in name and not name.startswith(("/", "build")) and name != EXAMPLE and not is_there(root, name, tests):
            yield f"{page}: {name} is not there"
        pattern = name.replace("NAME", "*")
        ending = name.startswith(".")
        if "/" not in name and name.endswith(SOURCE) and not ending and not any(matches(f, pattern) for f in files):
            yield f"{page}: no room has a file {name}"
    for link in sorted(set(re.findall(r"\]\(([^)#:]+)[#)]", text))):
        if not os.path.exists(os.path.join(root, os.path.dirname(page), link)):
            yield f"{page}: the link to {link} leads nowhere"


def names_of_tests(root):
    for path in glob.glob(os.path.join(root, "tests", "*", "CMakeLists.txt")):
        with open(path) as f:
            yield from re.findall(r"add_test\(NAME ([\w./-]+)", f.read())


def check_row(room, row, files):
    names = re.findall(r"`([\w.*-]+)`", row)
    for name in names:
        if not any(matches(f, name) for f in files):
            yield f"{room}/ has no {name}"
    for f in sorted(files):
        if room.split("/")[0] == COMPLETE and f.endswith(SOURCE) and not any(matches(f, name) for name in names):
            yield f"the row of {room}/ does not name {f}"


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "docs", "architecture.md")) as f:
        text = f.read()
    rooms = {room: files_below(root, room) for room in ROOMS}
    rows = dict(re.findall(r"^\| `([\w/]+)/` \| (.*) \|$", text, re.M))
    tests = set(names_of_tests(root))
    wrong = [line for page in PAGES for line in check_names(root, page, sum(rooms.values(), []), tests)]
    parts = {}
    for f in sum((rooms[room] for room in PARTED), []):
        if f.endswith(SOURCE):
            parts.setdefault(os.path.dirname(f), []).append(f)
    wrong += [f"no row for {part}/" for part in sorted(parts) if part not in rows]
    for room, row in rows.items():
        wrong += check_row(room, row, parts.get(room) or rooms.get(room, []))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
