# SPDX-License-Identifier: MIT
"""GDB, where it is installed, names translated code: check_gdb.py PROGRAM"""
import shutil
import subprocess
import sys

gdb = shutil.which("gdb")
if not gdb:
    print("skipped: no gdb here")
    sys.exit(0)
run = subprocess.run([gdb, "-q", "-nx", "-batch", "-ex", "run", "-ex", "backtrace", "--args", sys.argv[1], "stop"],
                     capture_output=True, text=True, timeout=60, check=False)
text = run.stdout + run.stderr
if "ptrace" in text or "Could not trace" in text:
    print("skipped: no debugger may attach here")
    sys.exit(0)
print(text)
sys.exit(0 if "SIGTRAP" in text and "in quadwave_test_a ()" in text else 1)
