#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random words: does the decoder see what llvm-mc sees?

    fuzz_llvm.py ISA_GCN GEN COUNT [SEED]

A quarter of the COUNT words is random, a quarter has the fixed bits of an
encoding, half are instructions with some bits changed.  llvm-mc-19 must agree
  - on valid or not and on the length (gfx803, gfx900: it disassembles no older
    generation), and on the bytes: our text and its own assemble to the same;
  - on what may be encoded: it assembles our text exactly when gcn_encode takes
    the record, to bytes that decode to the same text.
What it decodes but refuses to assemble again is no instruction here.  All
other differences are in EXPLAINED, with their reasons, or the test fails."""
import collections
import os
import random
import re
import shutil
import subprocess
import sys

SKIP = 77
NOP = 0xbf800000
MC = "llvm-mc-19"

# (name, reason, predicate of a Case): the first that holds explains it.
EXPLAINED = [
    ("typed-tfe", "TFE of typed buffers: in AMD's manuals, not known to llvm-mc",
     lambda c: re.match(r"tbuffer_.* tfe", c.text)),
    ("i16-float", "a float constant as 16-bit integer operand: llvm-mc prints its bits as a literal",
     lambda c: c.kind in ("length", "encodes") and re.search(r"[iub]16|pk_", c.text)
     and re.search(r"-?\d\.\d", c.text)),
    ("export-half", "exp compr with half a pair enabled: text cannot say it",
     lambda c: c.kind == "other meaning" and re.match(r"exp .* compr", c.text)),
    ("dpp-control", "llvm-mc decodes DPP controls that gfx8 and gfx9 do not define",
     lambda c: c.kind == "llvm only" and "_dpp" in c.theirs and not re.search(r"row_|wave_|quad_", c.theirs)),
    ("nop-operand", "v_nop and v_clrexcp with the mark of SDWA or DPP: llvm-mc takes them for the plain form",
     lambda c: c.kind in ("llvm only", "length", "bytes") and c.theirs in ("v_nop", "v_clrexcp")),
    ("constant-result", "llvm-mc takes read-only 64-bit codes as mask destination, gfx9's apertures for SGPRs",
     lambda c: c.kind == "llvm only" and re.search(r" src_(shared|private|pops|vccz|execz|scc)", c.theirs)),
    ("constant-mask", "llvm-mc takes them as the mask that is read too",
     lambda c: c.kind == "does not encode" and re.match(
         r"v_(cndmask|addc|subb|subbrev)_.*_e64 .*, src_(shared|private|pops|vccz|execz|scc)\w*( clamp)?$", c.text)),
    ("atomic-tfe", "llvm-mc lets TFE's dword stand for data that an image atomic does not have",
     lambda c: c.kind == "does not encode" and re.match(r"image_atomic_.* tfe", c.text)),
    ("integer-sign", "llvm-mc takes abs and neg of the integer source of a few float instructions",
     lambda c: c.kind == "llvm only" and re.match(r"v_ldexp_|v_cvt_pk(accum)?_u8_f32|v_trig_preop_f64", c.theirs)),
    ("integer-omod", "llvm-mc takes omod of conversions to integers, where it means nothing",
     lambda c: c.kind == "llvm only" and re.match(r"v_cvt_\w*[iu](16|32)_f|v_frexp_exp_i", c.theirs)
     and re.search(r" mul:| div:", c.theirs)),
    ("half-literal", "of the literal of a 16-bit operand the low half is left, perhaps an inline constant",
     lambda c: c.kind in ("length", "other meaning") and re.search(r"[fiub]16", c.text)
     and re.search(r"0x([0-9a-f]{1,2}|ff[0-9a-f]{2}|[3cb4][0-9a-f]00|3118)\b", c.text)),
    ("shared-literal", "of a literal that both operands read llvm-mc prints an inline constant if there is one",
     lambda c: c.kind == "length" and c.words[0] & 0xffff == 0xffff and re.search(r", (0x[0-9a-f]{1,8}), \1$", c.text)),
    ("reserved-field", "export targets, attributes above 32: llvm-mc has no text for them, the field has",
     lambda c: c.kind == "encodes" and re.search(r"invalid_target|attr(3[3-9]|[4-6]\d)\.", c.text)),
    ("movreld-lds", "llvm-mc lets v_movreld_b32 use M0 twice, as an index and for src_lds_direct",
     lambda c: c.kind == "does not encode" and re.match(r"v_movreld_b32\w* v\d+, src_lds_direct", c.text)),
    ("join-constant", "llvm-mc has s_cbranch_join with registers only, but decodes constants",
     lambda c: c.kind == "encodes" and c.text.startswith("s_cbranch_join")),
    ("cvt-f16-constant", "llvm-mc has no inline constants in v_cvt_f32_f16_e64 before gfx8, but has in _e32",
     lambda c: c.kind == "encodes" and c.text.startswith("v_cvt_f32_f16_e64")),
    ("sdwa-unused", "llvm-mc decodes the reserved 3 of DST_UNUSED as UNUSED_PAD",
     lambda c: c.kind == "llvm only" and "_sdwa" in c.theirs and c.words[1] >> 11 & 3 == 3),
    ("gather4-d16-tfe", "llvm-mc has no gather4 with d16 and tfe, whose result is three dwords",
     lambda c: c.kind == "encodes" and re.match(r"image_gather4.* tfe.* d16", c.text)),
    ("message-bits", "llvm-mc drops bits of s_sendmsg that its message does not use",
     lambda c: c.kind == "bytes" and c.text.startswith("s_sendmsg")),
    ("waitcnt-bits", "llvm-mc drops bits of s_waitcnt that no counter has, our text keeps them",
     lambda c: c.kind == "bytes" and c.text.startswith("s_waitcnt 0x")),
    ("swizzle-text", "llvm-mc prints a ds_swizzle pattern that is not the offset's, we print the number",
     lambda c: c.kind == "bytes" and c.text.startswith("ds_swizzle_b32")),
    ("smem-zero", "an SGPR and an immediate 0: we write the SGPR alone, which means the same",
     lambda c: c.kind == "bytes" and "offset:0x0" in c.theirs),
    ("image-end", "llvm-mc gives gather4 with d16 and image comparisons more data than they have, beyond v255",
     lambda c: c.kind == "ours only" and re.match(r"image_(gather4.* d16|atomic_f?cmpswap)", c.text)),
    ("gws-bit25", "llvm-mc ignores bit 25 of DS, but not in ds_gws_*",
     lambda c: c.kind == "ours only" and c.text.startswith("ds_gws_") and c.words[0] >> 25 & 1),
    ("src2-bit25", "llvm-mc ignores bit 25 of DS, but not in ds_*_src2 and ds_nop",
     lambda c: c.kind == "ours only" and re.match(r"ds_(\w+_src2_|nop$)", c.text) and c.words[0] >> 25 & 1),
    ("lds-bit55", "llvm-mc ignores bit 55 (NV) of GLOBAL and SCRATCH, but not in forms to LDS",
     lambda c: c.kind == "ours only" and re.match(r"(global|scratch)_load_.* lds", c.text)),
    ("wbinvl1-bit15", "llvm-mc ignores bit 15 of MUBUF, but not in buffer_wbinvl1",
     lambda c: c.kind == "ours only" and c.text.startswith("buffer_wbinvl1") and c.words[0] >> 15 & 1),
]


def run(command, text=""):
    quick = dict(os.environ, LLVM_DISABLE_SYMBOLIZATION="1", LLVM_DISABLE_CRASH_REPORT="1")
    return subprocess.run(command, input=text, capture_output=True, text=True, env=quick)


def octets(words):
    return b"".join(w.to_bytes(4, "little") for w in words)


# --- words ---

def prefixes(gen):
    """(mask, match) of the encodings that the generation has."""
    names = {"OLD": (6, 7), "GFX7_8": (7, 8), "GFX8": (8,), "GFX8_9": (8, 9), "GFX9": (9,), "ALL": (6, 7, 8, 9)}
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../isa/fields.def")
    rows = re.findall(r"^ENC\(\w+, ENC_(\w+), \d, (\w+), (\w+)\)", open(path).read(), re.M)
    return [(int(mask, 16), int(match, 16)) for gens, mask, match in rows
            if int(mask, 16) and gen in names[gens]]


def make_words(program, cpu, count, seed):
    rnd = random.Random(seed)
    fixed = prefixes(int(cpu[3]))
    lines = run([program, "print", cpu]).stdout.splitlines()
    cases = [[int(w, 16) for w in line.split("\t")[0].split(",")] for line in lines]
    for i in range(count):
        words = [rnd.getrandbits(32), rnd.getrandbits(32)]
        if i % 4 == 1:
            mask, match = rnd.choice(fixed)
            words[0] = words[0] & ~mask | match
        elif i % 4 > 1:
            case = rnd.choice(cases)
            words[:len(case)] = case
            flips = rnd.randint(1, 3) if i % 4 == 2 else rnd.randint(3, 12)
            for _ in range(flips):
                bit = rnd.randrange(32 * len(case))
                words[bit // 32] ^= 1 << bit % 32
        yield tuple(words[:2])


# --- llvm-mc ---


def is_mark(encoding, n):
    return len(encoding) == 4 and encoding[2:] == b"\x8f\xbf" and encoding[0] | encoding[1] << 8 == n & 0xffff


def encodings(lines):
    """(bytes, text) of each line of assembly with its encoding."""
    for line in lines:
        m = re.match(r"\t(.*?)\s*;.*encoding: \[([0-9a-fA-Fx,]+)\]", line)
        if m:
            yield bytes(int(b, 16) for b in m.group(2).split(",")), m.group(1)


def disassemble(cpu, items):
    """(dwords, text) of the first instruction of each, None if invalid.  llvm-mc
    crashes on some SDWA words: those are invalid too."""
    if not items:
        return []
    lines = []
    for n, words in enumerate(items):
        lines.append(" ".join("0x%02x" % b for b in octets(words + (NOP,))))
        lines.append("0x%02x 0x%02x 0x8f 0xbf" % (n & 255, n >> 8 & 255))  # s_setprio n
    out = run([MC, "-disassemble", "-arch=amdgcn", "-mcpu=" + cpu, "-show-encoding"], "\n".join(lines) + "\n")
    if out.returncode < 0:
        half = len(items) // 2
        return disassemble(cpu, items[:half]) + disassemble(cpu, items[half:]) if half else [None]
    bad = {int(n) for n in re.findall(r"<stdin>:(\d+):1: warning: invalid instruction", out.stderr)}
    result, first = [], None
    for code, text in encodings(out.stdout.splitlines()):
        if is_mark(code, len(result)) and text.startswith("s_setprio"):
            result.append(None if 2 * len(result) + 1 in bad else first)
            first = None
        elif first is None:
            first = (len(code) // 4, text)
    if len(result) != len(items):
        sys.exit("llvm-mc answered %d of %d words" % (len(result), len(items)))
    return result


def assemble(cpu, texts):
    """Bytes of each text, None where llvm-mc refuses."""
    source = "".join("s_setprio 0x%x\n%s\n" % (n & 0xffff, t) for n, t in enumerate(texts))
    result, n = [None] * len(texts), 0
    for code, text in encodings(run([MC, "-arch=amdgcn", "-mcpu=" + cpu, "-show-encoding"], source).stdout.splitlines()):
        if is_mark(code, n) and text.startswith("s_setprio") and n < len(texts):
            n += 1
        elif result[n - 1] is None:
            result[n - 1] = code
    return result


# --- comparison ---

def decode(program, cpu, items):
    """(dwords, bytes after encoding again or None, text); None if undecodable."""
    text = "".join(" ".join("%x" % w for w in words) + "\n" for words in items)
    result = []
    for line in run([program, "decode", cpu], text).stdout.splitlines():
        size, words, text = (line.split("\t") + ["", ""])[:3]
        again = None if words in ("-", "") else octets(int(w, 16) for w in words.split(","))
        result.append((int(size), again, text) if size != "0" else None)
    return result


class Case:
    def __init__(self, kind, words, ours, theirs):
        self.kind, self.words = kind, words
        self.text, self.theirs = ours or "", theirs or ""

    def __str__(self):
        return "%s: %s: ours %r, llvm-mc %r" % (self.kind, " ".join("%08x" % w for w in self.words), self.text, self.theirs)


def sdwa_without_us(words, ours):
    return ours is None and words[0] & 0x800001ff == 0xf9


def llvm_view(cpu, items, ours):
    """What llvm-mc decodes; words that may crash it go in small groups."""
    view = [None] * len(items)
    risky = [i for i, w in enumerate(items) if sdwa_without_us(w, ours[i])]
    others = sorted(set(range(len(items))) - set(risky))
    for group, size in ((risky, 8), (others, 30000)):
        for k in range(0, len(group), size):
            part = group[k:k + size]
            for i, seen in zip(part, disassemble(cpu, [items[i] for i in part])):
                view[i] = seen
    return view


def differences(program, cpu, items):
    ours = decode(program, cpu, items)
    disassembles = cpu in ("gfx803", "gfx900")
    theirs = llvm_view(cpu, items, ours) if disassembles else [None] * len(items)
    texts = sorted({o[2] for o in ours if o} | {t[1] for t in theirs if t})
    code = dict(zip(texts, assemble(cpu, texts)))
    again = sorted({code[o[2]] for o in ours if o and code[o[2]]})
    words_of = [tuple(int.from_bytes(b[i:i + 4], "little") for i in range(0, len(b), 4)) for b in again]
    text_of = {b: d and d[2] for b, d in zip(again, decode(program, cpu, words_of))}
    for words, o, t in zip(items, ours, theirs):
        own = code[o[2]] if o else None
        other = code[t[1]] if t else None
        if disassembles and (o is None) != (t is None):
            if o or other:
                yield Case("ours only" if o else "llvm only", words, o and o[2], t and t[1])
        elif disassembles and o and o[0] != t[0]:
            if other:
                yield Case("length", words, o[2], t[1])
        elif disassembles and o and other and own != other:
            yield Case("bytes" if own else "our text refused", words, o[2], t[1])
        elif o and (own is None) != (o[1] is None):
            yield Case("encodes" if o[1] else "does not encode", words, o[2], t and t[1])
        elif o and own and text_of[own] != o[2]:
            yield Case("other meaning", words, o[2], text_of[own])


def report(cpu, count, counts, examples):
    total = sum(counts.values())
    print("%s: %d words, %d differ" % (cpu, count, total))
    reasons = {name: reason for name, reason, _ in EXPLAINED}
    for name, n in counts.most_common():
        print("%8d %s: %s" % (n, name, reasons.get(name, "NOT EXPLAINED")))
    for case in examples:
        print("FAIL", case)


def main():
    program, cpu, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    if not shutil.which(MC):
        print("no " + MC)
        return SKIP
    counts, examples, items = collections.Counter(), [], list(make_words(program, cpu, count, seed))
    for k in range(0, count, 50000):
        for case in differences(program, cpu, items[k:k + 50000]):
            names = [name for name, _, holds in EXPLAINED if holds(case)]
            counts[names[0] if names else case.kind] += 1
            if not names and sum(c.kind == case.kind for c in examples) < 12:
                examples.append(case)
    report(cpu, count, counts, examples)
    return 1 if examples else 0


if __name__ == "__main__":
    sys.exit(main())
