#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py GCNRUN [--rebase]: runs every kernel of this directory and compares
what gcnrun prints with NAME.out; --rebase writes NAME.out instead.

A line "# options: .." in NAME.run gives options, "# input: .." the keys for
--step. Addresses that differ from run to run are not printed by these kernels."""
import pathlib
import re
import subprocess
import sys
import tempfile

def run(tool, kernel, level):
    state = kernel.with_suffix(".run")
    text = state.read_text()
    options = re.findall(r"^# options: (.*)$", text, re.M)
    keys = re.findall(r"^# input: (.*)$", text, re.M)
    args = [tool, "--level=" + level] + (options[0].split() if options else []) + [kernel.name, state.name]
    p = subprocess.run(args, input="\n".join(keys[0].split("|")) + "\n" if keys else "", text=True,
                       capture_output=True, cwd=kernel.parent, timeout=60)
    return p.stdout + p.stderr + f"exit {p.returncode}\n"

def main():
    tool, rebase = sys.argv[1], "--rebase" in sys.argv
    here = pathlib.Path(__file__).resolve().parent
    levels = ["v3"]
    if subprocess.run([tool, "--level=v4", "/dev/null"], capture_output=True).stderr.find(b"AVX-512") < 0:
        levels.append("v4")
    failed = 0
    kernels = sorted(here.glob("*.s"))
    for kernel in kernels:
        for level in levels:
            got = run(tool, kernel, level)
            out = kernel.with_suffix(".out")
            if rebase:
                out.write_text(got)
            elif got != out.read_text():
                print(f"{kernel.name} at {level}:\n{got}expected:\n{out.read_text()}")
                failed += 1
    asm = pathlib.Path(tool).with_name("gcnasm")
    with tempfile.TemporaryDirectory() as scratch:
        for kind in ("bin", "elf"): # the same kernel as machine code
            code = f"{scratch}/double.{kind}"
            subprocess.run([asm, "--filetype=" + kind, "-o", code, here / "double.s"], check=True)
            p = subprocess.run([tool, code, here / "double.run"], text=True, capture_output=True)
            if p.stdout + f"exit {p.returncode}\n" != (here / "double.out").read_text():
                print(f"double.{kind}: {p.stdout}{p.stderr}")
                failed += 1
    bad = subprocess.run([tool], capture_output=True).returncode, \
        subprocess.run([tool, "-mcpu=gfx1100", "x.s"], capture_output=True).returncode, \
        subprocess.run([tool, "--help"], capture_output=True).returncode
    if bad != (2, 2, 0):
        print("usage:", bad)
        failed += 1
    print(f"{len(kernels)} kernels, {failed} failures")
    return failed != 0 or not kernels

sys.exit(main())
