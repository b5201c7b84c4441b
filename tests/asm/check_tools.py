#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gcnasm and gcndis as commands: streams and files, file types, exit codes,
ELF files of ours and of llvm-mc, and the dumps that QW_DUMP writes.

    check_tools.py GCNASM GCNDIS [BUILD_DIRECTORY]   without one: no dumps"""
import glob
import os
import shutil
import struct
import subprocess
import sys
import tempfile

TEXT = """\
start:	v_mov_b32 v0, 0x3e800000 // a literal
	s_cbranch_scc0 start
	s_branch end
	.long 0xffffffff
	.globl end
end:	s_endpgm
"""
WORDS = ["7e0002ff", "3e800000", "bf84fffd", "bf820001", "ffffffff", "bf810000"]
failures = 0


def run(*command, data=b"", env=None, cwd=None):
    return subprocess.run(command, input=data, capture_output=True, timeout=600, env=env, cwd=cwd)


def expect(what, got, wanted):
    global failures
    if got != wanted:
        failures += 1
        print("%s: got %r, expected %r" % (what, got, wanted))


def assemble(asm, text, *options):
    out = run(asm, *options, data=text.encode())
    expect("exit of gcnasm %s: %s" % (options, out.stderr.decode()), out.returncode, 0)
    return out.stdout


def text_of_elf(elf):
    """Bytes of the first section with code."""
    (table,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, _ = struct.unpack_from("<HHH", elf, 0x3a)
    for i in range(count):
        _, kind, flags, _, offset, length = struct.unpack_from("<IIQQQQ", elf, table + i * size)
        if kind == 1 and flags & 4:
            return elf[offset:offset + length]
    return None


def check_asm(asm, directory):
    code = assemble(asm, TEXT)
    expect("hex", assemble(asm, TEXT, "--filetype=hex").decode().split(), WORDS)
    expect("bin", code, b"".join(bytes.fromhex(w)[::-1] for w in WORDS))
    expect("lines", assemble(asm, TEXT, "--filetype=hex", "--lines").decode().split("\n")[2], "bf84fffd 2")
    source, target = os.path.join(directory, "a.s"), os.path.join(directory, "a.bin")
    with open(source, "w") as f:
        f.write(TEXT)
    expect("files", run(asm, "-mcpu=gfx900", source, "-o", target).returncode, 0)
    with open(target, "rb") as f:
        expect("file", f.read(), code)
    for arguments, data, status, word in [
            (["--help"], b"", 0, b"usage: gcnasm"), (["--version"], b"", 0, b"gcnasm"),
            (["-mcpu=gfx1030"], b"", 2, b"gfx1030"), (["--filetype=obj"], b"", 2, b"obj"),
            (["--frobnicate"], b"", 2, b"frobnicate"), (["a", "b"], b"", 2, b"one input"),
            ([os.path.join(directory, "absent")], b"", 2, b"absent"),
            (["-o", os.path.join(directory, "no", "where")], b"s_nop 0", 2, b"where"),
            (["-"], b"s_nop 0\0s_nop 1", 1, b"no text"),
            (["-mcpu=tahiti"], b"\nv_mov_b32 v0, v1 row_shl:1\n", 1,
             b"<stdin>:2:18: error: gfx600 has no modifier row_shl; found row_shl"),
            ([], b"s_mov_b32 s0, v0", 1,
             b"<stdin>:1:15: error: the operand cannot be this register; found v0; expected one SGPR or")]:
        out = run(asm, *arguments, data=data)
        expect("exit of gcnasm %s" % arguments, out.returncode, status)
        expect("message of gcnasm %s in %r" % (arguments, out.stdout + out.stderr), word in out.stdout + out.stderr, True)
    return code


def check_dis(dis, asm, code, directory):
    listing = run(dis, data=code).stdout
    expect("round trip", assemble(asm, listing.decode()), code)
    for text in (" ".join(WORDS), ",".join("0x" + w for w in WORDS), "\n".join(w + " # x" for w in WORDS),
                 "[" + ",".join("0x%02x" % b for b in code) + "]"):
        expect("listing of %s" % text, run(dis, data=text.encode()).stdout, listing)
    elf = assemble(asm, TEXT, "--filetype=elf", "-mcpu=bonaire")
    out = run(dis, data=elf).stdout.decode()
    for part in ("start:\n", "\t.globl end\nend:\n", "s_cbranch_scc0 start\n", "s_branch end\n",
                 "\t.long 0xffffffff // does not decode\n"):
        expect("%r in the listing of the ELF file: %s" % (part, out), part in out, True)
    expect("ELF again", assemble(asm, out, "-mcpu=bonaire"), assemble(asm, TEXT, "-mcpu=bonaire"))
    expect("comments", b"// 000008: bf84fffd\n" in run(dis, "--offsets", "--encodings", data=code).stdout, True)
    for arguments, data, status, word in [
            (["--help"], b"", 0, b"usage: gcndis"), (["-mcpu=v100"], b"", 2, b"v100"), (["--strict"], code, 1, b""),
            (["--strict"], code[:8], 0, b""), (["--filetype=elf"], code, 1, b""), ([], elf[:80], 1, b""),
            (["--filetype=hex"], b"7e00 02ff", 1, b"7e00"), (["--filetype=bin"], code + b"\x01", 0, b".byte 0x01"),
            ([os.path.join(directory, "absent")], b"", 2, b"absent")]:
        out = run(dis, *arguments, data=data)
        expect("exit of gcndis %s" % arguments, out.returncode, status)
        expect("message of gcndis %s in %r" % (arguments, out.stdout + out.stderr), word in out.stdout + out.stderr, True)


def check_llvm(dis, asm, directory):
    """An object of llvm-mc lists and assembles to its own .text."""
    path = os.path.join(directory, "llvm.o")
    for cpu in ("gfx600", "gfx700", "gfx803", "gfx900"):
        made = run("llvm-mc-19", "-arch=amdgcn", "-mcpu=" + cpu, "-filetype=obj", "-o", path, data=TEXT.encode())
        expect("llvm-mc: %s" % made.stderr, made.returncode, 0)
        again = assemble(asm, run(dis, path).stdout.decode(), "-mcpu=" + cpu)
        with open(path, "rb") as f:
            expect("llvm-mc's object", again, text_of_elf(f.read()))


def dumping_commands(build):
    """Tests that compile shaders: compute shaders, and scenes through the loader."""
    back = os.path.join(build, "tests", "compiler")
    modules = sorted(glob.glob(os.path.join(back, "back", "*.spv")))
    if os.path.exists(os.path.join(back, "test_back_run")) and modules:
        yield [os.path.join(back, "test_back_run")] + [
            os.path.basename(m)[:-4] + "=" + m for m in modules if "stage" not in m]
    scenes = os.path.join(build, "tests", "render", "qwscenes")
    if os.path.exists(scenes) and os.path.exists(os.path.join(build, "quadwave_icd.json")):
        yield [scenes]


def check_dumps(dis, asm, build, directory):
    """Every shader that a test compiles comes back from its listing."""
    dumps = os.path.join(directory, "dumps")
    os.mkdir(dumps)
    environment = dict(os.environ, QW_DUMP=dumps, VK_ICD_FILENAMES=os.path.join(build, "quadwave_icd.json"),
                       XDG_RUNTIME_DIR=directory)
    for command in dumping_commands(build):
        before = len(os.listdir(dumps))
        run(*command, env=environment, cwd=directory)
        expect("%s dumps" % command[0], len(os.listdir(dumps)) > before, True)
    files = [f for f in sorted(os.listdir(dumps)) if f.endswith(".elf")]
    for name in files:
        path, again = os.path.join(dumps, name), os.path.join(directory, "again.elf")
        out = run(dis, "--strict", path)
        expect("listing of %s: %s" % (name, out.stderr), out.returncode, 0)
        assemble(asm, out.stdout.decode(), "--filetype=elf", "-o", again)
        expect("listing of the code from %s" % name, run(dis, again).stdout, out.stdout)
        with open(path, "rb") as f, open(again, "rb") as g:
            expect("code of %s" % name, text_of_elf(f.read()), text_of_elf(g.read()))
    print("%d shaders" % len(files))


def main():
    asm, dis = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as directory:
        code = check_asm(asm, directory)
        check_dis(dis, asm, code, directory)
        if shutil.which("llvm-mc-19"):
            check_llvm(dis, asm, directory)
        else:
            print("no llvm-mc-19: its objects are not looked at")
        if len(sys.argv) > 3:
            check_dumps(dis, asm, sys.argv[3], directory)
    print("%d failures" % failures)
    return 1 if failures else 0


sys.exit(main())
