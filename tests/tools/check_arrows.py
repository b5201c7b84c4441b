#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes point where the table below says and nowhere else, from room to room and
within a room from part to part; they are written room/name.h, from the root.  A header
named *_priv.h is its own directory's, and a header's guard is its path.  Kernel levels
are named in one place.

    check_arrows.py SOURCE_ROOT"""
import os
import pathlib
import re
import sys

# Who may include what: a directory (without those in it) or one file, which then has a
# row of its own.  A row is written below those that it needs.
ARROWS = {
    "isa": "",
    "isa/text": "isa",
    "compiler": "isa/stages.h isa/strmout.h",
    "compiler/ir": "compiler isa/abi.h isa/bits.h isa/mode.h isa/poly.h isa/stages.h",
    "compiler/spv": "compiler compiler/ir isa",
    "compiler/gcn": "compiler compiler/ir isa isa/text/gcn_elf.h",
    "compiler/compile.h": "compiler compiler/ir",
    "compiler/compile.c": "compiler compiler/compile.h compiler/ir compiler/spv compiler/gcn isa",
    "core": "isa",
    "core/format": "core isa",
    "core/interp": "core isa isa/text/gcn_disasm.h",
    "core/mem": "core core/format core/interp isa",
    "core/tex": "core core/format core/interp core/mem/atomic_lanes.h isa",
    "core/jit": "core core/interp core/tex/mimg.h core/tex/tex_ops.h isa isa/text/gcn_disasm.h",
    "raster": "core core/format/block.h core/format/format.h core/format/format_layout.h core/jit/jit_host.h isa",
    "raster/front": "raster core core/format/format.h isa",
    "raster/back": "raster core core/format/format.h core/format/format_layout.h core/format/format_run.h core/format/format_vec.h isa",
    "raster/dma": "raster core core/format/format.h core/format/block.h isa",
    "raster/cp": "raster raster/front raster/back/back.h raster/dma/dma.h core isa",
    "raster/gpu.c": "raster raster/cp raster/front raster/back/back.h core core/interp/closed.h core/jit/jit_host.h",
    "icd": "compiler/compiler.h raster/rs.h core/level.h core/blake2s.h isa isa/text/pm4_dump.h",
    "icd/wsi": "icd",
}
ROOMS = ("isa", "compiler", "core", "raster", "icd")
# Made by the build.
GENERATED = {"icd": ("icd_entrypoints.h", "icd_newer.h", "icd_structs.h", "quadwave_version.h"),
             "compiler/spv": ("spv_newer.h",)}
# Headers of others, and the only place that sees them.
OUTSIDE = {r"vulkan/": "icd", r"spirv/": "compiler/spv", r"Zydis|Zycore": "core/jit", r"xcb/|X11/|wayland": "icd/wsi"}
# A kernel level by name, and who may name one: the table of levels, the code generator.
LEVEL = re.compile(r"\w_[vV][34]\b")
LEVELS = ("core/level.", "core/jit/")


def part(path):
    return path if path in ARROWS else os.path.dirname(path)


def may(source, target):
    """Whether a file of the part `source` may include the header `target`."""
    if part(target) == source:
        return True
    allowed = ARROWS[source].split()
    return target in allowed or part(target) in allowed and part(target) != target


def complain(path, text, exists):
    """What is wrong with the includes of a file, line by line."""
    source = part(path)
    if source not in ARROWS:
        yield f"{path}: {source}/ has no row in check_arrows.py"
        return
    for number, line in enumerate(text.split("\n"), 1):
        if LEVEL.search(line) and not path.startswith(LEVELS):
            yield f"{path}:{number}: {line.strip()}: levels are core/level.h's to list and to choose"
        match = re.match(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', line)
        if not match:
            continue
        target, system = match.groups()
        where = f"{path}:{number}: {line.strip()}: "
        if system:
            for pattern, only in OUTSIDE.items():
                if re.match(pattern, system) and not f"{path}/".startswith(f"{only}/"):
                    yield where + f"only {only}/ sees it"
        elif target in GENERATED.get(source, ()):
            continue
        elif target.split("/")[0] not in ROOMS or not exists(target):
            yield where + "includes are room/name.h from the root"
        elif target.endswith("_priv.h") and os.path.dirname(target) != os.path.dirname(path):
            yield where + f"it is private to {os.path.dirname(target)}/"
        elif not may(source, target):
            yield where + f"no arrow from {source} to {part(target)}"
    if path.endswith(".h"):
        guard = re.sub(r"[/.]", "_", path).upper()
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            yield f"{path}: the guard is {guard}"


def order():
    """Arrows of the table go upwards, so that there is no way round."""
    seen = []
    for source, allowed in ARROWS.items():
        for target in allowed.split():
            if target not in seen and os.path.dirname(target) not in seen:
                yield f"check_arrows.py: {source} may include {target}, which stands below it"
        seen.append(source)


def check_the_check():
    def wrong(path, line):
        return list(complain(path, line, lambda name: True))
    bad = [("core/tex/tex.c", '#include "core/jit/jit.h"'), ("raster/front/pa.c", '#include "raster/cp/gpu.h"'),
        ("raster/pool.c", '#include "raster/cp/gpu.h"'), ("compiler/ir/ir.c", '#include "ir.h"'),
        ("core/mem/flat.c", '#include "core/interp/program_priv.h"'), ("raster/gpu.c", "#include <vulkan/vulkan.h>"),
        ("icd/device.c", '#include "raster/cp/gpu.h"'), ("icd/image.c", "#include <xcb/xcb.h>"),
        ("isa/new/x.c", ""), ("isa/x.h", "#ifndef X_H\n#define X_H\n"), ("raster/cp/cp.c", '#include "raster/back/sc.h"'),
        ("raster/back/tile.c", "\tlevel >= CU_LEVEL_V4 ? x_v4 : x_v3;")]
    good = [("raster/gpu.c", '#include "raster/cp/gpu.h"'), ("icd/wsi/x.c", "#include <xcb/xcb.h>"),
        ("core/interp/x.c", '#include "core/interp/program_priv.h"'), ("isa/x.h", "#ifndef ISA_X_H\n#define ISA_X_H\n")]
    return [f"the check itself: {b}" for b in bad if not wrong(*b)] + [f"the check itself: {g}" for g in good if wrong(*g)]


def main():
    root = pathlib.Path(sys.argv[1])
    found = check_the_check() + list(order())
    files = [p for room in ROOMS for p in sorted((root / room).rglob("*")) if p.suffix in (".c", ".h", ".def")]
    for p in files:
        found += complain(p.relative_to(root).as_posix(), p.read_text(), lambda name: (root / name).is_file())
    if not files:
        found.append(f"no sources in {root}")
    print("\n".join(found) or f"{len(files)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
