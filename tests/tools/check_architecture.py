#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/architecture.md names files that exist, has a row for each room with sources and
each part of one, and in the rows of compiler/ each file, by itself or by a pattern.

    check_architecture.py SOURCE_DIRECTORY"""
import fnmatch
import os
import re
import sys

ROOMS = ["isa", "compiler", "core", "raster", "icd", "tests", "bench", "tools"]
PARTED = ROOMS[:5]  # each directory has a row
COMPLETE = "compiler"  # whose rows name all files
SOURCE = (".c", ".h", ".def", ".py")


def files_below(root, room):
    return [os.path.relpath(os.path.join(d, f), root) for d, _, names in os.walk(os.path.join(root, room)) for f in names]


def matches(path, name):
    """`ra*`, `wait` and `compile.c` are names of files, with their ending or without."""
    base = os.path.basename(path)
    return fnmatch.fnmatchcase(base, name) or fnmatch.fnmatchcase(os.path.splitext(base)[0], name)


def check_names(root, text, files):
    """What is written as the name of a file, with a path or an ending."""
    for name in sorted(set(re.findall(r"`([\w./*-]+)`", text))):
        if "/" in name and not os.path.exists(os.path.join(root, name)):
            yield f"{name} is not there"
        if "/" not in name and name.endswith(SOURCE) and not any(matches(f, name) for f in files):
            yield f"no room has a file {name}"


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
    wrong = list(check_names(root, text, sum(rooms.values(), [])))
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
