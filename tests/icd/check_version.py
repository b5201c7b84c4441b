#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What says a version says the one of CMakeLists.txt: the driver, its manifests, the
commands, vulkaninfo where it is installed; and no source of the driver states another.

    check_version.py VERSION API_VERSION TEST_ICD_IDENTITY MANIFEST INSTALLED_MANIFEST COMMAND..."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

failures = 0


def expect(where, found, wanted):
    global failures
    if found != wanted:
        failures += 1
        print(f"{where}: {found!r}, expected {wanted!r}")


def output(*command, **variables):
    p = subprocess.run(command, env=dict(os.environ, **variables), capture_output=True, text=True, timeout=60)
    if p.returncode:
        print(p.stdout + p.stderr)
    return p.stdout


def dotted(number):
    """A version as vulkaninfo prints that of a driver it does not know: one number."""
    n = int(number) if number.isdigit() else None
    return number if n is None else f"{n >> 22 & 0x7f}.{n >> 12 & 0x3ff}.{n & 0xfff}"


def vulkaninfo(manifest, version, api):
    if not shutil.which("vulkaninfo"):
        print("vulkaninfo is not installed")
        return
    preload = os.environ.get("QW_PRELOAD", "")
    text = output("vulkaninfo", "--summary", VK_ICD_FILENAMES=manifest, **({"LD_PRELOAD": preload} if preload else {}))
    expect("vulkaninfo, apiVersion", re.findall(r"apiVersion\s*= ([\d.]+)", text), [api])
    driver = [dotted(v) for v in re.findall(r"driverVersion\s*= ([\d.]+)", text)]
    expect("vulkaninfo, driverVersion", driver, [version])


def sources():
    root = pathlib.Path(__file__).resolve().parents[2]
    for path in sorted(p for p in (root / "icd").rglob("*") if p.is_file()):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r'MAKE_(API_)?VERSION\([^)]*\d+, *\d+, *\d+|api_version": *"\d', line):
                expect(f"{path.name}:{number}", line.strip(), "no version of its own")


def main():
    version, api, identity, manifest, installed = sys.argv[1:6]
    said = output(identity)
    expect("instance", re.findall(r"^instance: Vulkan ([\d.]+)$", said, re.M), [api])
    expect("device", re.findall(r"^device: Vulkan ([\d.]+), driver ([\d.]+)$", said, re.M), [(api, version)])
    for path in manifest, installed:
        expect(path, json.loads(pathlib.Path(path).read_text())["ICD"]["api_version"], api)
    for command in sys.argv[6:]:
        name = os.path.basename(command)
        expect(name, output(command, "--version").strip(), f"{name} (Quadwave) {version}")
    vulkaninfo(manifest, version, api)
    sources()
    sys.exit(1 if failures else 0)


main()
