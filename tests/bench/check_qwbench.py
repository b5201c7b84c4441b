#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_qwbench.py PART QWBENCH MANIFEST SPY_LIBRARY: the options of qwbench, on a few quick scenes.
PART is the name of a function check_PART below."""
import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

failures = 0
QUICK = ["--runs", "1", "--seconds", "0.001"]
SCENES = ["clear", "quads_nearest", "draws", "first_cube"]


def expect(good, what):
    global failures
    if not good:
        failures += 1
        print(f"wrong: {what}")


class Bench:
    def __init__(self, program, manifest, spy, directory):
        self.program, self.manifest, self.spy, self.directory = program, manifest, spy, directory

    def path(self, name):
        return os.path.join(self.directory, name)

    def run(self, *options, status=0, environment=None, icds=None):
        """Runs it; what it wrote to stdout and stderr."""
        drivers = [word for icd in icds or [self.manifest] for word in ("--icd", icd)]
        out = subprocess.run([self.program, *drivers, *QUICK, *options], capture_output=True, text=True, timeout=300,
                             env=dict(os.environ, **environment or {}))
        expect(out.returncode == status, f"{' '.join(options)}: status {out.returncode}, not {status}: "
               f"{out.stdout[-600:]}{out.stderr[-600:]}")
        return out.stdout + out.stderr

    def scenes(self, names=SCENES):
        return [word for name in names for word in ("--scene", name)]

    def manifest_of_spy(self, name):
        with open(self.path(name), "w") as file:
            json.dump({"file_format_version": "1.0.0",
                       "ICD": {"library_path": self.spy, "api_version": "1.1.0"}}, file)
        return self.path(name)

    def spied(self, *options, names=("spy_icd.json",)):
        """What processes of drivers that write it down were started with."""
        notes = self.path("notes")
        self.run(*options, "--scene", "clear", status=1, environment={"SPY_FILE": notes},
                 icds=[self.manifest_of_spy(name) for name in names])
        with open(notes) as file:
            lines = file.read().splitlines()
        os.remove(notes)
        return lines

    def results(self, *options):
        self.run(*options, "--json", self.path("out.json"))
        with open(self.path("out.json")) as file:
            return json.load(file)


def has_v4():
    with open("/proc/cpuinfo") as file:
        flags = set(re.search(r"^flags\s*:(.*)$", file.read(), re.M).group(1).split())
    return {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= flags


def check_cpu(bench):
    lines = bench.spied("--cpu", "v3", names=["spy_icd.json", "lvp_icd.json", "vk_swiftshader_icd.json"])
    for started, what in ("cpu v3 caps - ", "QW_CPU"), ("cpu - caps avx ", "lavapipe's level"), ("cpu - caps - ", "nothing"):
        expect(any(started in line for line in lines), f"--cpu v3 starts nobody with {what} set: {lines}")
    said = bench.run("--cpu", "v5", status=2)
    expect("v3 and v4 exist" in said, f"--cpu v5 says {said!r}")
    if not has_v4():
        for level in "v4", "both":
            said = bench.run("--cpu", level, status=2)
            expect("AVX-512" in said, f"--cpu {level} says {said!r}")
        return
    got = bench.results("--cpu", "both", "--hash", *bench.scenes())
    expect([d.get("cpu") for d in got["drivers"]] == ["v3", "v4"], "--cpu both has other drivers")
    for row in got["scenes"]:
        expect(row["results"][0]["hash"] == row["results"][1]["hash"], f"{row['scene']}: v3 and v4 differ")
        expect(len(row["ratios"]) == 2, "a ratio for each level")
    # A driver of ours once more, as lavapipe's: a level is held against its like.
    with open(bench.manifest) as file, open(bench.path("lvp_icd.json"), "w") as other:
        other.write(file.read())
    bench.run("--cpu", "both", "--scene", "draws", "--json", bench.path("out.json"),
              icds=[bench.manifest, bench.path("lvp_icd.json")])
    with open(bench.path("out.json")) as file:
        got = json.load(file)
    expect([d["name"] for d in got["drivers"]] == ["quadwave v3", "quadwave v4", "lavapipe v3", "lavapipe v4"],
           f"drivers {got['drivers']}")
    values = [cell["median"] for cell in got["scenes"][0]["results"]]
    for level, ratio in enumerate(got["scenes"][0]["ratios"]):
        expect(abs(ratio / (values[level] / values[level + 2]) - 1) < 1e-4, f"ratio {ratio} of {values}")


def check_threads(bench):
    lines = bench.spied("--threads", "1,3")
    for count in "1", "3":
        expect(any(f"threads {count} {count}" in line for line in lines), f"no process with {count} threads: {lines}")
    cpus = len(os.sched_getaffinity(0))
    expect(all(line.endswith(f"cpus {cpus}") for line in lines), f"CPUs taken from a driver with variables: {lines}")
    lines = bench.spied("--threads", "1", names=["spy_icd.json", "vk_swiftshader_icd.json"])
    expect(any("threads 1 1 cpus 1" in line for line in lines), f"SwiftShader has all CPUs: {lines}")
    got = bench.results("--threads", "1,2", *bench.scenes())
    expect([(row["scene"], row["threads"]) for row in got["scenes"]] == [(s, n) for s in SCENES for n in (1, 2)],
           "a row for each scene and count")
    for one, two in zip(got["scenes"][::2], got["scenes"][1::2]):
        a, b = (row["results"][0] for row in (one, two))
        times = a["median"] / b["median"] if one["lower_wins"] else b["median"] / a["median"]
        expect(a["scaling"] == 1 and abs(b["scaling"] / times - 1) < 1e-4, f"{one['scene']}: scaling {b['scaling']}")
    for wrong in "0", "1,", "x", "1.5", "1,2,3,4,5,6,7,8,9":
        bench.run("--threads", wrong, status=2)


def check_hash(bench):
    for name, value in ("QW_CORE", "interp"), ("QW_CORE", "jit"), ("QW_THREADS", "1"), ("QW_THREADS", "3"):
        bench.run("--hash", *bench.scenes(), environment={name: value})
    bench.run("--record", "--hashes", bench.path("record"), *bench.scenes(["clear", "draws"]))
    with open(bench.path("record")) as file:
        text = file.read()
    bench.run("--hash", "--hashes", bench.path("record"), *bench.scenes(["clear", "draws"]))
    said = bench.run("--hash", "--hashes", bench.path("record"), "--scene", "first_cube", status=1)
    expect("first_cube" in said and "is not recorded" in said, f"a scene that is not recorded: {said!r}")
    digit = re.search(r"^draws +(\w)", text, re.M)
    with open(bench.path("record"), "w") as file:
        file.write(text[:digit.start(1)] + ("1" if digit[1] == "0" else "0") + text[digit.end(1):])
    said = bench.run("--hash", "--hashes", bench.path("record"), *bench.scenes(["clear", "draws"]), status=1)
    expect("draws on quadwave: wrong frame" in said and "clear on" not in said, f"another frame: {said!r}")
    bench.run("--record", "--hashes", bench.path("record"), "--scene", "draws")
    with open(bench.path("record")) as file:
        expect(file.read() == text, "--record of one scene keeps the others")
    with open(bench.path("record"), "w") as file:
        file.write("draws 12 34\n")
    said = bench.run("--hash", "--hashes", bench.path("record"), "--scene", "draws", status=2)
    expect("record:1:" in said, f"a file that is no record: {said!r}")


def check_json(bench):
    got = bench.results("--scene", "draws", "--runs", "3")
    cell = got["scenes"][0]["results"][0]
    runs = sorted(cell["runs"])
    expect(len(runs) == 3 and cell["median"] == runs[1], f"median of {runs} is {cell['median']}")
    expect(abs(cell["spread"] - (runs[2] - runs[0]) / runs[1]) < 1e-4, f"spread of {runs} is {cell['spread']}")
    expect(re.fullmatch(r"[0-9a-f]{16}", cell["hash"]), "a hash")
    expect(got["machine"] and re.fullmatch(r"\d{4}-\d\d-\d\d", got["date"]), "machine and date")
    bench.run("--scene", "draws", "--json", bench.path("no/such/directory"), status=1)


def check_svg(bench):
    # A driver without a name of ours, to have two: the second of the two has no value.
    bench.run("--scene", "draws", "--scene", "first_cube", "--svg", bench.path("out.svg"), "--json", bench.path("out.json"),
              "--threads", "1,2", icds=[bench.manifest, bench.manifest, bench.manifest_of_spy("a<b_icd.json")])
    with open(bench.path("out.json")) as file:
        got = json.load(file)
    root = xml.etree.ElementTree.parse(bench.path("out.svg")).getroot()
    name = "{http://www.w3.org/2000/svg}"
    words = [text.text for text in root.iter(name + "text")]
    expect(f"{got['machine']}, {got['date']}" in words, f"no machine and date in {words}")
    expect("a<b" in words and words.count("no value") == 4, f"the driver without values in {words}")
    bars = [float(bar.get("width")) for bar in root.iter(name + "rect") if bar.get("height") == "10"]
    values = [[cell["median"] for cell in row["results"][:2]] for row in got["scenes"]]
    expect(len(bars) == 8, f"{len(bars)} bars")
    for row, (a, b), ours, other in zip(got["scenes"], values, bars[::2], bars[1::2]):
        share = b / a if row["lower_wins"] else a / b
        expect(max(ours, other) == max(bars), f"{row['scene']}: the best is not the longest")
        expect(abs(ours / other / share - 1) < 0.01, f"{row['scene']}: bars {ours}, {other} of {a}, {b}")
        expect(f"ratio {row['ratio']:.2f}" in words, f"{row['scene']}: no ratio {row['ratio']:.2f}")
    bench.run("--scene", "draws", "--svg", bench.path("no/such/directory"), status=1)


def check_picture(bench):
    bench.run("--scene", "draws", "--picture", bench.path("out.ppm"))
    with open(bench.path("out.ppm"), "rb") as file:
        data = file.read()
    head = data[:16]
    expect(head.startswith(b"P6\n1280 720\n255\n") and len(data) == 16 + 3 * 1280 * 720, f"{len(data)} bytes, {head}")
    # The first cell's triangle: 0, 0, 255; and beyond its hypotenuse nothing.
    expect(data[16 + 3 * (2 * 1280 + 2):][:3] == b"\x00\x00\xff", "a pixel of the first triangle")
    expect(data[16 + 3 * (8 * 1280 + 9):][:3] == b"\x00\x00\x00", "a pixel outside")
    bench.run("--picture", bench.path("out.ppm"), status=2)
    bench.run("--scene", "draws", "--picture", bench.path("no/such/directory"), status=1)


def shares(said, part):
    """Percentages by name of one part of a profile."""
    text = re.search(rf"^{part}\n(.*?)(\n\n|\Z)", said, re.M | re.S)
    return {name: float(share) for share, name in re.findall(r"^ +([\d.]+) %  (.*)$", text[1] if text else "", re.M)}


def may_trace():
    """Whether this place lets a process sample another; some containers do not."""
    seize, libc = 0x4206, ctypes.CDLL(None)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    child = os.fork()
    if child == 0:
        signal.pause()
    traced = libc.ptrace(seize, child, None, None) == 0
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return traced


def check_profile(bench):
    if not may_trace():
        print("no process may be traced here")
        sys.exit(77)
    # A place without perf: the process samples itself.
    said = bench.run("--profile", "compute_fma", "--seconds", "1", environment={"PATH": bench.directory})
    expect("perf took no samples" in said and "by ptrace" in said, f"without perf: {said!r}")
    blocks, functions = shares(said, "blocks"), shares(said, "functions")
    samples = int((re.search(r"(\d+) samples", said) or "0")[1])
    expect(samples >= 10 and abs(sum(blocks.values()) - 100) < 1, f"blocks of {samples} samples: {blocks}")
    # Threads that wait are in the C library: how many do is the machine's matter.
    shader, busy = blocks.get("CU: translated shaders", 0), 100 - blocks.get("C library", 0)
    expect(shader > 0.5 * busy > 5 and abs(sum(shares(said, "shaders").values()) - shader) < 1,
           f"a scene that is one long shader: {said!r}")
    said = bench.run("--profile", "tex_srgb8", "--seconds", "1", "--sampler", "ptrace")
    blocks, functions = shares(said, "blocks"), shares(said, "functions")
    expect(blocks.get("TA: textures", 0) > 15, f"a scene that samples: {said!r}")
    expect(any(re.match(r"TA: textures +\w+ \(tex_\w+\.c\)", name) for name in functions), f"its kernel: {functions}")
    expect("no scene" in bench.run("--profile", "no_scene", status=2), "a scene that is none")
    bench.run("--profile", "draws", "--sampler", "magic", status=2)


def main():
    with tempfile.TemporaryDirectory() as directory:
        globals()["check_" + sys.argv[1]](Bench(*sys.argv[2:], directory))
    print(f"{failures} failures")
    sys.exit(1 if failures else 0)


main()
