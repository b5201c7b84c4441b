#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The judge: llvm-mc must assemble our text to our bytes, and llvm-objdump
must read our ELF files.

    check_llvm.py ISA_GCN ELF_FILE

ISA_GCN print: lines of bytes<TAB>assembly; ISA_GCN elf FILE: writes an ELF
with the first of them, in order."""
import re
import shutil
import subprocess
import sys

SKIP = 77
MARK = 0x7000  # s_nop MARK+n before a case, so that a refused line is found


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True)


def words(encoding):
    octets = [int(b, 16) for b in encoding.split(",")]
    return ",".join("%08x" % int.from_bytes(bytes(octets[i:i + 4]), "little")
                    for i in range(0, len(octets), 4))


def assemble(cpu, lines):
    """Bytes that llvm-mc makes of each line, None where it refuses."""
    source = "".join("s_setprio 0x%x\n%s\n" % (n & 0x7fff, l) for n, l in enumerate(lines))
    out = run(["llvm-mc-19", "-arch=amdgcn", "-mcpu=" + cpu, "-show-encoding"], source).stdout
    result, at, expect = [None] * len(lines), -1, 0
    for line in out.splitlines():
        m = re.search(r"encoding: \[([0-9a-fx,]+)\]", line)
        if not m:
            continue
        got = words(m.group(1))
        # A mark is the expected s_setprio, and the case before it is done.
        if got == "%08x" % (0xbf8f0000 | (expect & 0x7fff)) and (at == expect - 1):
            at, expect = expect, expect + 1
        elif at >= 0 and result[at] is None:
            result[at] = got
    return result


def check_assembly(program, cpu):
    cases = [l.split("\t") for l in run([program, "print", cpu]).stdout.splitlines()]
    if len(cases) < 10000:
        return "only %d cases" % len(cases)
    bad = 0
    for (ours, text), theirs in zip(cases, assemble(cpu, [t for _, t in cases])):
        if ours != theirs:
            bad += 1
            if bad <= 20:
                print("%s: ours %s, llvm-mc %s" % (text, ours, theirs))
    print("%s: %d instructions, %d differ" % (cpu, len(cases), bad))
    return "encodings differ" if bad else None


def check_elf(program, path):
    expected = [l.split("\t")[0] for l in run([program, "elf", path]).stdout.splitlines()]
    out = run(["llvm-objdump-19", "-d", path])
    if out.returncode or "elf64-amdgpu" not in out.stdout:
        return "llvm-objdump does not read the file: " + out.stderr
    code = re.findall(r"// [0-9A-F]+: ([0-9A-F ]+)$", out.stdout, re.M)
    got = [c.strip().replace(" ", ",").lower() for c in code]
    symbols = re.findall(r"^[0-9a-f]+ <(\w+)>:$", out.stdout, re.M)
    if symbols != ["first", "second"]:
        return "symbols are %s" % symbols
    missing = [e for e in expected if e not in got]
    print("ELF: %d instructions, %d not found" % (len(expected), len(missing)))
    return "the disassembly differs" if missing or not expected else None


def main():
    if not shutil.which("llvm-mc-19") or not shutil.which("llvm-objdump-19"):
        print("no llvm-mc-19 or llvm-objdump-19")
        return SKIP
    checks = [check_assembly(sys.argv[1], cpu) for cpu in ("gfx600", "gfx700", "gfx803", "gfx900")]
    failures = [f for f in checks + [check_elf(*sys.argv[1:3])] if f]
    for failure in failures:
        print("FAIL:", failure)
    return 1 if failures else 0


sys.exit(main())
