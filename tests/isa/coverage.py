#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What of LLVM's instructions the table has, the compute unit executes and the
tests compare, by generation and format.

    coverage.py check ISA_COVERAGE REF_MEM SOURCE    the table has all of LLVM's, and nothing else,
                                                     and SOURCE/docs/isa-coverage.md is what this makes
    coverage.py write ISA_COVERAGE REF_MEM SOURCE    the same, and writes it

LLVM's mnemonics are those of its assembler's own table, a run of names with
their lengths before them, in libLLVM; llvm-mc says which a processor has."""
import glob
import os
import re
import shutil
import subprocess
import sys

SKIP = 77
CPUS = ["gfx600", "gfx700", "gfx803", "gfx900"]
NAME = re.compile(rb"[a-z][a-z0-9_]*")
# Other names of opcodes that are there: v_mul_lo_u32; v_add_i32 and the like.
ALIASES = {"gfx600": {"v_add_co_u32", "v_sub_co_u32", "v_subrev_co_u32"}, "gfx803": {"v_mul_lo_i32"}}
ALIASES["gfx700"], ALIASES["gfx900"] = ALIASES["gfx600"], ALIASES["gfx803"]


def mnemonic_table(library):
    """All names of the run that has v_mad_mixlo_f16 in it."""
    with open(library, "rb") as f:
        data = f.read()
    anchor = b"\x0fv_mad_mixlo_f16"
    best = []
    start = data.find(anchor)
    while start >= 0:
        names, at = [], start
        while NAME.fullmatch(data[at + 1:at + 1 + data[at]]):
            names.append(data[at + 1:at + 1 + data[at]].decode())
            at += 1 + data[at]
        at = start
        while True:
            for n in range(2, 64):
                if data[at - 1 - n] == n and NAME.fullmatch(data[at - n:at]):
                    break
            else:
                break
            names.append(data[at - n:at].decode())
            at -= 1 + n
        best = max(best, names, key=len)
        start = data.find(anchor, start + 1)
    return sorted({n for n in best if not re.search("_(e32|e64|sdwa|dpp)$", n)})


def known_to_llvm(cpu, names):
    """Those that llvm-mc refuses for the lack of operands at most."""
    out = subprocess.run(["llvm-mc-19", "-arch=amdgcn", "-mcpu=" + cpu], input="\n".join(names) + "\n",
                         capture_output=True, text=True, timeout=60)
    missing = {int(m.group(1)) for m in re.finditer(
        r"^<stdin>:(\d+):\d+: error: (instruction not supported|invalid instruction|unrecognized)", out.stderr, re.M)}
    return {n for i, n in enumerate(names, 1) if i not in missing} - ALIASES[cpu]


def read_table(program):
    """{cpu: {mnemonic: (format, name in the table, executes, reference, why, forms, refused forms, their reason)}}"""
    table = {cpu: {} for cpu in CPUS}
    for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
        cpu, fmt, name, base, executes, reference, why, forms, refused, reason = line.split("\t")
        reason = reason.replace("not supported: ", "")
        table[cpu][name] = (fmt, base, executes == "1", reference == "1", why, int(forms), int(refused), reason)
    return table


def tested_names(ref_mem, source):
    """Compared by the memory reference, or named in a test of the compute unit."""
    names = set(subprocess.run([ref_mem, "--list"], capture_output=True, text=True, check=True).stdout.split())
    for path in glob.glob(os.path.join(source, "tests", "core", "*.c")):
        with open(path) as f:
            names |= {n.lower() for n in re.findall(r"GCN_([A-Z][A-Z0-9_]+)", f.read())}
    return names | ({"exp"} if "export" in names else set())


def row(fmt, entries, llvm):
    ours = [e for e in entries if not fmt or e[1][0] == fmt]
    return "| %s | %d | %d | %d | %d |" % (
        fmt or "all", sum(n in llvm for n, _ in ours), len(ours), sum(e[2] for _, e in ours),
        sum(e[2] and e[-1] for _, e in ours))


def document(table, llvm, tested):
    lines = ["# What of the instruction set is there", "",
             "Made by `ninja isa_coverage_doc`; do not edit. LLVM: mnemonics that llvm-mc 19 has for the processor,",
             "by the format of our row. Table: rows of `isa/gcn.def`. Executed: the compute unit runs it, in every form",
             "that the encoder's tests have unless it is named below. Tested: compared with the independent reference",
             "of `tests/core/ref`, or named in a test of `tests/core`.", ""]
    for cpu in reversed(CPUS):
        entries = [(n, e + (e[3] or e[1] in tested,)) for n, e in sorted(table[cpu].items())]
        lines += ["## " + cpu, "", "| format | LLVM | table | executed | tested |", "|---|---:|---:|---:|---:|"]
        lines += [row(f, entries, llvm[cpu]) for f in sorted({e[0] for _, e in entries})]
        lines += [row("", entries, llvm[cpu]), ""]
        refused = [(n, e[4]) for n, e in entries if not e[2]]
        if refused:
            lines += ["Not executed:", ""] + ["- `%s`: %s" % r for r in refused] + [""]
        forms = [(n, e[6], e[5], e[7]) for n, e in entries if e[2] and e[6]]
        if forms:
            lines += ["Not executed in every form:", ""]
            lines += ["- `%s`: %d of %d forms that the tests encode: %s" % f for f in forms] + [""]
        untested = ["`%s`" % n for n, e in entries if e[2] and not e[-1]]
        if untested:
            lines += ["Executed, but neither in the reference nor named in a test: " + ", ".join(untested) + ".", ""]
    return "\n".join(lines).rstrip() + "\n"


def main():
    mode, program, ref_mem, source = sys.argv[1:]
    libraries = sorted(glob.glob("/usr/lib/*/libLLVM*19*") + glob.glob("/usr/lib/llvm-19/lib/libLLVM*.so*"))
    if not libraries or not shutil.which("llvm-mc-19"):
        print("no LLVM 19")
        return SKIP
    names = mnemonic_table(os.path.realpath(libraries[0]))
    if len(names) < 2000:
        sys.exit("%d mnemonics in %s: the table was not found" % (len(names), libraries[0]))
    table = read_table(program)
    llvm = {cpu: known_to_llvm(cpu, names) for cpu in CPUS}
    bad = 0
    for cpu in CPUS:
        missing, extra = sorted(llvm[cpu] - set(table[cpu])), sorted(set(table[cpu]) - llvm[cpu])
        print("%s: %d mnemonics of LLVM, %d of ours; missing: %s; extra: %s" % (
            cpu, len(llvm[cpu]), len(table[cpu]), missing, extra))
        # Messages to nobody are refused by what they say; all else runs in every form.
        partly = [n for n, e in table[cpu].items() if e[2] and e[6] and n != "s_sendmsg"]
        print("%s: %d forms make programs; in part: %s" % (cpu, sum(e[5] - e[6] for e in table[cpu].values()), partly))
        bad += len(missing) + len(extra) + (len(llvm[cpu]) < 800) + len(partly)
    text, path = document(table, llvm, tested_names(ref_mem, source)), os.path.join(source, "docs", "isa-coverage.md")
    if mode == "write":
        with open(path, "w") as f:
            f.write(text)
    elif open(path).read() != text:
        print(path + " is not what this makes: ninja isa_coverage_doc")
        bad += 1
    return 1 if bad else 0


sys.exit(main())
