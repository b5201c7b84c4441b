#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_licence.py ROOT: every source file names its licence. Left out are data, expected output
and text that has no comments, by name."""
import os
import re
import subprocess
import sys

LINE = "SPDX-License-Identifier: MIT"
LEFT_OUT = [r"LICENSE", r".*\.md", r".*\.out", r"icd/quadwave_icd\.json\.in", r".*\.png", r"docs/.*\.svg",
            r"tests/asm/(cases|golden|harvest)/.*\.txt", r"tests/isa/gfx\d+/.*\.txt", r"tests/cts/.*\.txt"]


def files(root):
    git = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
    if git.returncode == 0 and git.stdout:
        return git.stdout.split("\0")[:-1]
    found = []
    for directory, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f in (".ci", ".github") or not re.match(r"\.|build|__pycache__", f)]
        found += [os.path.relpath(os.path.join(directory, n), root) for n in names]
    return found


def main():
    root = sys.argv[1]
    left_out = re.compile("|".join(f"(?:{p})" for p in LEFT_OUT))
    checked = failures = 0
    for name in sorted(files(root)):
        path = os.path.join(root, name)
        if left_out.fullmatch(name) or not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8") as f:
            text = f.read()
        checked += 1
        if not any(line.strip(" \t*/#;.\\\"") == LINE for line in text.splitlines()):
            failures += 1
            print(f"{name}: no line with {LINE}")
    print(f"{checked} files, {failures} without a licence")
    sys.exit(1 if failures or checked == 0 else 0)


main()
