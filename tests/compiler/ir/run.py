#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TEST_IR_TEXT SPIRV_AS [--rebase]: runs every NAME.ir and NAME.spvasm of this
directory and compares what test_ir_text prints with NAME.out; --rebase writes NAME.out
instead, to be read before it is committed.

What depends on the order in which the C compiler evaluates arguments (numbers of what
passes build by nested calls) is not printed here: gcc and clang differ.

Lines "# steps: .." (in .spvasm "; steps: ..") are the steps, see test_ir_text.c: each line
starts anew from the input."""
import pathlib
import re
import subprocess
import sys
import tempfile

def run(tool, assembler, source, scratch):
    path = source.name
    if source.suffix == ".spvasm":
        path = f"{scratch}/{source.stem}.spv"
        subprocess.run([assembler, "--target-env", "spv1.3", source, "-o", path], check=True)
    got = ""
    for steps in re.findall(r"^[#;] steps: (.*)$", source.read_text(), re.M):
        p = subprocess.run([tool, path, source.name, *steps.split()], text=True, capture_output=True, cwd=source.parent, timeout=60)
        got += f"--- {steps}\n{p.stdout}{p.stderr}"
        if p.returncode:
            got += f"exit {p.returncode}\n"
    return got

def main():
    tool, assembler, rebase = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], "--rebase" in sys.argv
    here = pathlib.Path(__file__).resolve().parent
    failed = 0
    sources = sorted([*here.glob("*.ir"), *here.glob("*.spvasm")])
    with tempfile.TemporaryDirectory() as scratch:
        for source in sources:
            got = run(tool, assembler, source, scratch)
            out = source.with_suffix(".out")
            if rebase:
                out.write_text(got)
            elif not got or not out.exists() or got != out.read_text():
                print(f"{source.name}:\n{got}expected:\n{out.read_text() if out.exists() else 'nothing'}")
                failed += 1
    print(f"{len(sources)} inputs, {failed} failures")
    return failed != 0 or not sources

sys.exit(main())
