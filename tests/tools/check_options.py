#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every tool answers --help on stdout with status 0, refuses what it does not know
on stderr with status 2, and neither writes a file nor starts anything.

    check_options.py TOOLS_DIRECTORY PROGRAM..."""
import os
import stat
import subprocess
import sys
import tempfile

# What a tool would set up, build or show with: in front of PATH, they leave a mark.
STARTED = ["apt-get", "cmake", "ctest", "dpkg-query", "ninja", "sudo", "vkcube", "Xvfb"]
failures = 0


def complain(command, what):
    global failures
    failures += 1
    print(f"{' '.join(command)}: {what}")


def check(command, status, work, environment, watched):
    before = [set(os.listdir(d)) for d in watched]
    out = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, timeout=60,
                         stdin=subprocess.DEVNULL)
    if out.returncode != status:
        complain(command, f"status {out.returncode}, expected {status}; {out.stderr[-200:]}")
    said, silent = (out.stdout, out.stderr) if status == 0 else (out.stderr, out.stdout)
    if not said.strip():
        complain(command, "says nothing where it should")
    if silent:
        complain(command, f"says {silent[:200]!r} on the wrong stream")
    if status == 0 and "usage" not in said.lower():
        complain(command, "no usage in the help")
    for directory, old in zip(watched, before):
        for name in sorted(set(os.listdir(directory)) - old):
            complain(command, f"wrote {name}")
            if directory == work:
                os.remove(os.path.join(work, name))


def main():
    tools = os.path.abspath(sys.argv[1])
    root = os.path.dirname(tools)
    scripts = [os.path.join(tools, name) for name in sorted(os.listdir(tools))]
    scripts = [s for s in scripts if os.path.isfile(s) and os.access(s, os.X_OK)]
    with tempfile.TemporaryDirectory() as stubs, tempfile.TemporaryDirectory() as work:
        for name in STARTED:
            path = os.path.join(stubs, name)
            with open(path, "w") as stub:
                stub.write(f"#!/bin/sh\n: >'{work}/started-{name}'\nexit 1\n")
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        environment = dict(os.environ, PATH=stubs + ":" + os.environ["PATH"])
        watched = [work, root, tools]
        for tool in scripts + sys.argv[2:]:
            check([tool, "--help"], 0, work, environment, watched)
            check([tool, "--no-such-option"], 2, work, environment, watched)
            check([tool, "--no-such-option", "value"], 2, work, environment, watched)
        for program in sys.argv[2:]:
            if os.path.basename(program) == "qwshot":
                check([program, "grab", "--no-such-option"], 2, work, environment, watched)
        check([os.path.join(tools, "demo"), "one.png", "two.png"], 2, work, environment, watched)
        check([os.path.join(tools, "test"), "--label", "no-such-label"], 2, work, environment, watched)
    print(f"{len(scripts) + len(sys.argv) - 2} tools, {failures} failures")
    sys.exit(1 if failures else 0)


main()
