#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes core/format/format_srgb.c: the sRGB tables, every entry correctly rounded.

Run by hand when the tables change; needs mpmath.  The curve is that of the
Khronos Data Format Specification 1.3, section 13.3 (IEC 61966-2-1)."""
import os
import re
import struct
from mpmath import mp, mpf, floor

mp.prec = 200


def to_linear(c):
    return c / mpf('12.92') if c <= mpf('0.04045') else ((c + mpf('0.055')) / mpf('1.055')) ** mpf('2.4')


def float_of(bits):
    return mpf(struct.unpack('<f', struct.pack('<I', bits))[0])


def nearest(x):
    """Bits of the float nearest to x, of two the even one."""
    if x == 0:
        return 0
    b = struct.unpack('<I', struct.pack('<f', float(x)))[0]
    return min((b - 1, b, b + 1), key=lambda n: (abs(float_of(n) - x), n & 1))


def at_least(x):
    """Bits of the smallest float >= x."""
    b = nearest(x)
    return b if float_of(b) >= x else b + 1


decode = [nearest(to_linear(mpf(k) / 255)) for k in range(256)]
limit = [at_least(to_linear((mpf(k) + mpf(0.5)) / 255)) for k in range(255)]
FIRST = 0x39000000  # 2^-13: everything below encodes to 0
steps = []
for b in range((0x3f800000 - FIRST) >> 16):
    lo, hi = FIRST + (b << 16), FIRST + (b << 16) + 0xffff
    code = sum(t <= lo for t in limit)
    within = [t for t in limit if lo < t <= hi]
    assert len(within) <= 1
    steps.append((code << 16) + (0x10000 - (within[0] - lo) if within else 0))
assert limit[0] > FIRST

# As it is filtered: the numbers of core/tex/tex_srgb.h, step by step.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tex/tex_srgb.h')) as header:
    *POLYNOMIAL, STRAIGHT = re.findall(r'v_setf\((-?0x[0-9a-f.]+p[+-]\d+)f\)', header.read())


def exactly(number):
    return mpf(float.fromhex(number))


def to_filtered(code):
    if code <= 10:
        return nearest(code * exactly(STRAIGHT))
    p = exactly(POLYNOMIAL[0])
    for c in POLYNOMIAL[1:]:
        value = p * code + exactly(c)
        p = float_of(nearest(value)) if value >= 0 else -float_of(nearest(-value))
    return nearest(p)


filtered = [to_filtered(k) for k in range(256)]

with open(__file__[:-2] + 'c', 'w') as out:
    out.write('/* SPDX-License-Identifier: MIT */\n/* The sRGB tables; written by format_srgb.py. */\n#include "core/format/format_layout.h"\n')

    def table(kind, name, values, fmt, per):
        out.write('\n%s %s = {\n' % (kind, name))
        for i in range(0, len(values), per):
            out.write('\t' + ' '.join(fmt % v + ',' for v in values[i:i + per]) + '\n')
        out.write('};\n')

    table('const uint32_t', 'cu_srgb_decode_bits[256]', decode, '0x%08x', 8)
    table('const uint32_t', 'cu_srgb_filter_bits[256]', filtered, '0x%08x', 8)
    table('const uint32_t', 'cu_srgb_steps[CU_SRGB_BUCKETS]', steps, '0x%06x', 10)
