#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a compute shader of random control flow that checks itself.

usage: gen_flow.py SEED OUTPUT.comp

Functions fold what they pass through into a hash; the program is run here as
well, and the shader compares its hashes with ours (see test_spv_eval.c)."""
import random
import sys

MASK = 0xffffffff


class Break(Exception):
    pass


class Continue(Exception):
    pass


class Return(Exception):
    pass


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.label = 0
        self.functions = []

    def cond(self):
        kind = self.r.randrange(4)
        if kind == 0:
            return ("bit", self.r.randrange(8))
        if kind == 1:
            return ("less", self.r.randrange(1, 7))
        if kind == 2:
            return ("not", self.cond())
        return (self.r.choice(["and", "or"]), self.cond(), self.cond())

    def block(self, depth, loop, switch):
        count = self.r.randrange(1, 4)
        out = []
        for _ in range(count):
            s = self.statement(depth, loop, switch)
            out.append(s)
            if s[0] in ("break", "continue", "return"):
                break
        return out

    def statement(self, depth, loop, switch):
        self.label += 1
        kinds = ["mark", "mark"]
        if depth > 0:
            kinds += ["if", "if", "if", "for", "while", "do", "switch", "switch"]
        if self.functions:
            kinds.append("call")
        if loop:
            kinds += ["continue", "break"]
        elif switch:
            kinds += ["break"]
        kinds.append("return")
        kind = self.r.choice(kinds)
        if kind in ("break", "continue", "return"):
            if self.r.random() < 0.6:
                return ("if", self.cond(), [(kind,)], [])
            return (kind,)
        if kind == "mark":
            return ("mark", self.label)
        if kind == "call":
            return ("call", self.r.choice(self.functions)[0])
        if kind == "if":
            other = self.block(depth - 1, loop, switch) if self.r.random() < 0.6 else []
            return ("if", self.cond(), self.block(depth - 1, loop, switch), other)
        if kind == "switch":
            values = self.r.sample(range(6), self.r.randrange(1, 5))
            arms = [([v], self.block(depth - 1, loop, True), self.r.random() < 0.4) for v in values]
            if self.r.random() < 0.7:
                arms.insert(self.r.randrange(len(arms) + 1), (None, self.block(depth - 1, loop, True), self.r.random() < 0.4))
            arms = [(v, b, fall and i + 1 < len(arms)) for i, (v, b, fall) in enumerate(arms)]
            return ("switch", arms, self.label)
        return (kind, self.r.randrange(1, 5), self.block(depth - 1, True, False), self.cond(), self.label)

    def program(self):
        for i in range(self.r.randrange(1, 4)):
            self.functions.append((f"f{i}", self.block(self.r.choice([2, 3, 3, 4]) - i % 2, False, False)))


class Run:
    """h: hash, x: what conditions look at, fuel: bounds the loops."""

    def __init__(self, functions, x):
        self.functions = dict(functions)
        self.h, self.x, self.fuel = 1, x, 60

    def step(self, k):
        self.h = (self.h * 31 + k) & MASK
        self.x = (self.x * 5 + k) & MASK

    def cond(self, c):
        if c[0] == "bit":
            return bool(self.x >> c[1] & 1)
        if c[0] == "less":
            return self.x % 7 < c[1]
        if c[0] == "not":
            return not self.cond(c[1])
        if c[0] == "and":
            return self.cond(c[1]) and self.cond(c[2])
        return self.cond(c[1]) or self.cond(c[2])

    def burn(self):
        if self.fuel == 0:
            return False
        self.fuel -= 1
        return True

    def block(self, block):
        for s in block:
            self.statement(s)

    def switch(self, arms):
        value = self.x % 7
        start = next((i for i, a in enumerate(arms) if a[0] == [value]), None)
        if start is None:
            start = next((i for i, a in enumerate(arms) if a[0] is None), None)
        if start is None:
            return
        try:
            for _, body, fall in arms[start:]:
                self.block(body)
                if not fall:
                    break
        except Break:
            pass

    def statement(self, s):
        kind = s[0]
        if kind == "mark":
            self.step(s[1])
        elif kind == "call":
            self.call(s[1])
        elif kind == "if":
            self.block(s[2] if self.cond(s[1]) else s[3])
        elif kind == "switch":
            self.step(s[2])
            self.switch(s[1])
        elif kind == "break":
            raise Break
        elif kind == "continue":
            raise Continue
        elif kind == "return":
            raise Return
        else:
            self.loop(s)

    def loop(self, s):
        kind, n, body, c, label = s
        i = 0
        try:
            while kind == "do" or (i < n if kind == "for" else self.cond(c)):
                if not self.burn():
                    break
                try:
                    self.block(body)
                except Continue:
                    pass
                if kind == "for":
                    i += 1
                    self.step(label)
                elif kind == "do" and not self.cond(c):
                    break
        except Break:
            pass

    def call(self, name):
        try:
            self.block(self.functions[name])
        except Return:
            pass
        self.step(7)


def text_cond(c):
    if c[0] == "bit":
        return f"(x >> {c[1]} & 1u) == 1u"
    if c[0] == "less":
        return f"x % 7u < {c[1]}u"
    if c[0] == "not":
        return f"!({text_cond(c[1])})"
    return f"({text_cond(c[1])} {'&&' if c[0] == 'and' else '||'} {text_cond(c[2])})"


def text(block, out, indent):
    tab = "\t" * indent
    for s in block:
        kind = s[0]
        if kind == "mark":
            out.append(f"{tab}mark({s[1]}u);")
        elif kind == "call":
            out.append(f"{tab}{s[1]}();")
        elif kind in ("break", "continue", "return"):
            out.append(f"{tab}{kind};")
        elif kind == "if":
            out.append(f"{tab}if ({text_cond(s[1])}) {{")
            text(s[2], out, indent + 1)
            if s[3]:
                out.append(f"{tab}}} else {{")
                text(s[3], out, indent + 1)
            out.append(f"{tab}}}")
        elif kind == "switch":
            out.append(f"{tab}mark({s[2]}u);")
            out.append(f"{tab}switch (int(x % 7u)) {{")
            for values, body, fall in s[1]:
                out.append(f"{tab}{'default' if values is None else 'case %d' % values[0]}:")
                text(body, out, indent + 1)
                if not fall and not (body and body[-1][0] in ("break", "continue", "return")):
                    out.append(f"{tab}\tbreak;")
            out.append(f"{tab}}}")
        else:
            _, n, body, c, label = s
            head = {"for": f"for (int i = 0; i < {n}; i++, mark({label}u)) {{",
                    "while": f"while ({text_cond(c)}) {{", "do": "do {"}[kind]
            out.append(f"{tab}{head}")
            out.append(f"{tab}\tif (fuel == 0u) break;")
            out.append(f"{tab}\tfuel--;")
            text(body, out, indent + 1)
            out.append(f"{tab}}} while ({text_cond(c)});" if kind == "do" else f"{tab}}}")


def main():
    seed = int(sys.argv[1])
    g = Generator(seed)
    g.program()
    out = ["#version 450", "layout(local_size_x = 1) in;",
           "layout(std430, binding = 0) buffer R { uint failed, checks, first; };",
           "layout(push_constant) uniform P { uint v[32]; };", "uint h, x, fuel;",
           "void mark(uint k) { h = h * 31u + k; x = x * 5u + k; }"]
    for name, body in g.functions:
        out.append(f"void {name}_()\n{{")
        text(body, out, 1)
        out.append(f"}}\nvoid {name}() {{ {name}_(); mark(7u); }}")
    last = g.functions[-1][0]
    out.append("void check(uint k, uint want) { h = 1u; x = k; fuel = 60u; " + last + "();")
    out.append("\tchecks++; if (h != want) { if (failed == 0u) first = checks; failed++; } }")
    inputs = [random.Random(seed * 100 + k).randrange(1 << 16) for k in range(12)]
    runs = [Run(g.functions, value) for value in inputs]
    for run in runs:
        run.call(last)
    out.append("void main()\n{")
    for name, values in ("start", inputs), ("want", [run.h for run in runs]):
        out.append(f"\tuint {name}[12] = uint[12]({', '.join(str(v) + 'u' for v in values)});")
    out.append("\tfor (int i = 0; i < 12; i++)\n\t\tcheck(start[i], want[i]);\n}")
    with open(sys.argv[2], "w") as f:
        f.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
