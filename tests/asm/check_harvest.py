#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""LLVM's own words for every opcode and modifier: what llvm-mc disassembles
from the encodings of isa_gcn's cases (prints for them, before gfx8), our
assembler must give back.

    check_harvest.py golden ASM_CASES DIR           the texts of DIR/harvest
    check_harvest.py rebase ISA_GCN DIR             writes those, a part of all
    check_harvest.py llvm ASM_CASES ISA_GCN         all of them, from llvm-mc now

A line is the bytes that llvm-mc makes of the text, a tab, the text."""
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # not beside the sources
from check_cases import CPUS, SKIP, is_error, llvm_batch

REFUSED = "refused"


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)


def our_cases(isa_gcn, cpu):
    """{bytes: text} of each case, in order."""
    cases = {}
    for line in run([isa_gcn, "print", cpu], "").stdout.splitlines():
        words, text = line.split("\t")
        cases["".join(bytes.fromhex(w)[::-1].hex() for w in words.split(","))] = text
    return cases


def disassembled(cpu, cases):
    text = "".join(",".join("0x" + c[i:i + 2] for i in range(0, len(c), 2)) + "\n" for c in cases)
    out = run(["llvm-mc-19", "-arch=amdgcn", "-mcpu=" + cpu, "-disassemble"], text)
    return list(cases), [l.strip() for l in out.stdout.splitlines() if l.startswith("\t")], out.stderr


def printed(cpu, cases):
    """llvm-mc disassembles nothing before gfx8, but prints what it assembles."""
    out = run(["llvm-mc-19", "-arch=amdgcn", "-mcpu=" + cpu, "-show-encoding"], "\n".join(cases.values()) + "\n")
    pairs = re.findall(r"^\t(.*?)\s*; encoding: \[(.*)\]$", out.stdout, re.M)
    return [e.replace("0x", "").replace(",", "") for _, e in pairs], [t for t, _ in pairs], out.stderr


def harvest(isa_gcn, cpu):
    """(bytes, LLVM's text) of each."""
    cases = our_cases(isa_gcn, cpu)
    codes, lines, errors = (disassembled if cpu in ("gfx803", "gfx900") else printed)(cpu, cases)
    lines = [l for l in lines if not l.startswith(".")]
    if len(lines) != len(cases) or len(codes) != len(cases):
        sys.exit("%s: %d encodings, %d texts: %s" % (cpu, len(cases), len(lines), errors[:500]))
    # A few texts are other code, or none, to llvm-mc itself: 16-bit constants.
    return list(zip(llvm_batch(cpu, lines), lines))


def selection(pairs):
    """The first two of a mnemonic, then every sixteenth, and each modifier's first use."""
    count, known = {}, set()
    for code, text in pairs:
        name = text.split()[0]
        n = count[name] = count.get(name, 0) + 1
        words = {w.strip(",") for w in text.split()[1:] if w[0].islower() and w[0] not in "svt"}
        if n <= 2 or n % 16 == 0 or words - known:
            yield code, text
        known |= words


def compare(program, cpu, pairs):
    bad = 0
    got = run([program, cpu], "".join(t + "\n" for _, t in pairs)).stdout.splitlines()
    for result, (code, text) in zip(got, pairs):
        if (REFUSED if is_error(result) else result) != (code or REFUSED):
            bad += 1
            if bad <= 20:
                print("%s: %s: %s, expected %s" % (cpu, text, result, code))
    print("%s: %d texts, %d differ" % (cpu, len(pairs), bad))
    return bad + abs(len(got) - len(pairs)) + (len(pairs) < 2000)


def main():
    mode, program, other = sys.argv[1:]
    if mode != "golden" and not shutil.which("llvm-mc-19"):
        print("no llvm-mc-19")
        return SKIP
    bad = 0
    for cpu in CPUS:
        path = os.path.join(other, "harvest", cpu + ".txt")
        if mode == "rebase":
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.writelines("%s\t%s\n" % (c or REFUSED, t) for c, t in selection(harvest(program, cpu)))
        elif mode == "golden":
            with open(path) as f:
                bad += compare(program, cpu, [tuple(l.rstrip("\n").split("\t")) for l in f])
        else:
            bad += compare(program, cpu, harvest(other, cpu))
    return 1 if bad else 0


sys.exit(main())
