#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Numbers that isa/ has names for stand nowhere else: special SGPRs, and enums
of compare functions.  check_numbers.py SOURCE_ROOT"""
import pathlib
import re
import sys

ROOMS = ("core", "raster", "icd", "compiler", "tools", "bench")
SGPR = re.compile(r"(?<![\w.\-+])(102|106|124|126)(?![\w.])")
COMPARE = re.compile(r"enum\b[^{;]*\{\s*NEVER\b")
# What else these numbers are: file, text of the line.
OTHER = (
    ("core/format/format_srgb.c", ", "),  # a table of 8-bit values
    ("core/format/etc.c", "{ 33, 106 }"),  # modifiers of colours
    ("core/interp/math.h", "v_setu(126)"),  # an exponent
)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code(text):
    """Without comments and strings, line by line."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def complaints(name, text):
    text = code(text)
    found = ["%s: an enum of compare functions: isa/regs.def has COMPARE_*" % name] if COMPARE.search(text) else []
    for number, line in enumerate(text.split("\n"), 1):
        other = any(name == file and part in line for file, part in OTHER)
        if SGPR.search(line) and not other:
            found.append("%s:%d: a bare SGPR number, isa/gcn_operand.h has GCN_SRC_*: %s" % (name, number, line.strip()))
    return found


def check_the_check():
    bad = ("x = w->sgpr[126];", "{ NULL, 106 }", "enum f {\n\tNEVER, LESS };", "n < 124")
    good = ("/* s[102:103] */", '"126"', "x126", "-126", "0x106", "12.124", "COMPARE_NEVER")
    return [t for t in bad if not complaints("a", t)] + [t for t in good if complaints("a", t)]


def main():
    root = pathlib.Path(sys.argv[1])
    found = ["the check itself: " + t for t in check_the_check()]
    files = [p for room in ROOMS for p in sorted((root / room).rglob("*")) if p.suffix in (".c", ".h")]
    for path in files:
        found += complaints(path.relative_to(root).as_posix(), path.read_text())
    if not files:
        found.append("no sources in %s" % root)
    print("\n".join(found) or "%d files" % len(files))
    return 1 if found else 0


sys.exit(main())
