#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Variants of syntax, one a line in cases/*.txt, on four generations.

    check_cases.py golden ASM_CASES DIR   against DIR/golden
    check_cases.py rebase ASM_CASES DIR   writes DIR/golden
    check_cases.py llvm ASM_CASES DIR     against llvm-mc: the same bytes, or both refuse

A case is the text up to a tab, \\n in it ends a line; after the tab stands why
llvm-mc says otherwise. Lines that begin with % are comments. A golden line is
the bytes or LINE:COLUMN: error, a tab, the text."""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SKIP = 77
CPUS = ["gfx600", "gfx700", "gfx803", "gfx900"]


def read_cases(directory):
    """(file, [(text, reason)]) of each file."""
    for name in sorted(os.listdir(os.path.join(directory, "cases"))):
        with open(os.path.join(directory, "cases", name)) as f:
            lines = [l.rstrip("\n") for l in f if l.strip() and not l.startswith("%")]
        yield name, [(l.split("\t") + [""])[:2] for l in lines]


def assemble(program, cpu, cases):
    text = "".join(t + "\n" for t, _ in cases)
    out = subprocess.run([program, cpu], input=text, capture_output=True, text=True)
    if out.returncode:
        sys.exit("asm_cases: exit %d: %s" % (out.returncode, out.stderr))
    return out.stdout.splitlines()


def is_error(result):
    return ":" in result


def golden(program, directory, rebase):
    bad = total = refused = 0
    for name, cases in read_cases(directory):
        for cpu in CPUS:
            path = os.path.join(directory, "golden", cpu, name)
            got = ["%s\t%s" % (r, t) for r, (t, _) in zip(assemble(program, cpu, cases), cases)]
            if rebase:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w") as f:
                    f.write("\n".join(got) + "\n")
            with open(path) as f:
                expected = f.read().splitlines()
            total += len(got)
            refused += sum(is_error(g.split("\t")[0]) for g in got)
            if len(expected) != len(got):
                bad += 1
                print("%s: %d lines, expected %d" % (path, len(got), len(expected)))
            for g, e in zip(got, expected):
                if g != e:
                    bad += 1
                    print("%s: expected %s\n      got %s" % (path, e, g))
    print("%d cases, %d refused, %d differ" % (total, refused, bad))
    return bad or total < 4000 or refused < 1000


def is_alone(text):
    """Cases that would disturb others in one file."""
    return "\\n" in text or re.match(r"\s*[\w.$]+\s*[:=]|\.|/\*|#|//|.*'", text) is not None


def llvm_batch(cpu, texts):
    """Bytes of each line, None where llvm-mc refuses. s_setprio N stands before
    case N, and tells where its output begins."""
    source = "".join("s_setprio 0x%x\n%s\n" % (n & 0x7fff, t) for n, t in enumerate(texts))
    out = subprocess.run(["llvm-mc-19", "-arch=amdgcn", "-mcpu=" + cpu, "-show-encoding"],
                         input=source, capture_output=True, text=True, timeout=60)
    errors = {(int(l) - 2) // 2 for l in re.findall(r"^<stdin>:(\d+):\d+: error:", out.stderr, re.M)}
    result, at = [None] * len(texts), -1
    for encoding in re.findall(r"encoding: \[([^\]]+)\]", out.stdout):
        octets = encoding.replace("0x", "").replace(",", "")
        mark = (at + 1) & 0x7fff
        if octets == "%02x%02x8fbf" % (mark & 255, mark >> 8):
            at += 1
        elif at not in errors:
            result[at] = (result[at] or "") + octets
    return result


def text_of_elf(elf):
    """Hexadecimal bytes of .text; with a mark if something was left to the linker."""
    (table,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3a)
    sections = [struct.unpack_from("<IIQQQQ", elf, table + i * size) for i in range(count)]
    text, mark = "", ""
    for name, kind, _, _, offset, length in sections:
        at = sections[names][4] + name
        title = elf[at:elf.index(b"\0", at)]
        if title == b".text":
            text = elf[offset:offset + length].hex()
        if title == b".rel.text":
            mark = "+relocation"
    return text + mark


def llvm_alone(cpu, text, directory):
    text = re.sub(r'\\([n\\"])', lambda m: "\n" if m.group(1) == "n" else m.group(1), text)
    path = os.path.join(directory, "case")
    try:
        out = subprocess.run(["llvm-mc-19", "-arch=amdgcn", "-mcpu=" + cpu, "-filetype=obj", "-o", path + ".o"],
                             input=text + "\n", capture_output=True, text=True, timeout=10)
    except subprocess.TimeoutExpired:
        return "does not end"
    if out.returncode:
        return None
    with open(path + ".o", "rb") as f:
        return text_of_elf(f.read())


def llvm(program, directory):
    bad = total = explained = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, cases in read_cases(directory):
            differ = [0] * len(cases)
            for cpu in CPUS:
                ours = assemble(program, cpu, cases)
                theirs = [None] * len(cases)
                together = [i for i, (t, _) in enumerate(cases) if not is_alone(t)]
                for i, r in zip(together, llvm_batch(cpu, [cases[i][0] for i in together])):
                    theirs[i] = r
                for i, (text, _) in enumerate(cases):
                    if is_alone(text):
                        theirs[i] = llvm_alone(cpu, text, scratch)
                    total += 1
                    if (None if is_error(ours[i]) else ours[i]) == theirs[i]:
                        continue
                    differ[i] += 1
                    if not cases[i][1]:
                        bad += 1
                        print("%s %s: %s: ours %s, llvm-mc %s" % (name, cpu, text, ours[i], theirs[i]))
            for i, (text, reason) in enumerate(cases):
                explained += differ[i] if reason else 0
                if reason and not differ[i]:
                    bad += 1
                    print("%s: %s: no difference to explain" % (name, text))
    print("%d cases, %d differ with a reason, %d without" % (total, explained, bad))
    return bad


def main():
    mode, program, directory = sys.argv[1:]
    if mode in ("golden", "rebase"):
        return 1 if golden(program, directory, mode == "rebase") else 0
    if not shutil.which("llvm-mc-19"):
        print("no llvm-mc-19")
        return SKIP
    return 1 if llvm(program, directory) else 0


if __name__ == "__main__":
    sys.exit(main())
