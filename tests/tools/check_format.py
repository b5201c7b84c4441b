#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_format.py TOOLS_DIRECTORY: tools/format mends spacing and indentation, leaves to the author
what it should, finds nothing to do in what it has written, and --check writes nothing."""
import os
import subprocess
import sys
import tempfile

WRONG = """struct pair { int a, b; };
enum { FIRST,SECOND };
int f(int a,int b)
{
    if(a==b){
\t\treturn a;
\t}
\tfor (int i=0;i<3;i++)
\t\tg (a,b);
\tint t[]={ 1, 2,
\t\t3 };       /* three */
\tswitch (a) {
\t\tcase 1: case 2:
\t\treturn a ? b : c ? d
\t\t\t\t: t[0]*2;
\t}
      return a|b;
}
"""
RIGHT = """struct pair { int a, b; };
enum { FIRST, SECOND };
int f(int a, int b)
{
\tif (a == b) {
\t\treturn a;
\t}
\tfor (int i = 0; i < 3; i++)
\t\tg(a, b);
\tint t[] = { 1, 2,
\t\t3 };       /* three */
\tswitch (a) {
\tcase 1: case 2:
\t\treturn a ? b : c ? d
\t\t\t\t: t[0]*2;
\t}
\treturn a | b;
}
"""


def run(tool, *arguments):
    p = subprocess.run([tool, *arguments], capture_output=True, text=True)
    if p.returncode == 77:
        print(p.stderr)
        sys.exit(77)
    return p.returncode


def main():
    tool = os.path.join(sys.argv[1], "format")
    with tempfile.TemporaryDirectory() as work:
        name = os.path.join(work, "x.c")
        steps = [("--check", WRONG, 1, WRONG), ("", WRONG, 0, RIGHT), ("--check", RIGHT, 0, RIGHT)]
        for option, before, status, after in steps:
            with open(name, "w") as f:
                f.write(before)
            found = run(tool, *[a for a in (option, name) if a])
            with open(name) as f:
                text = f.read()
            if (found, text) != (status, after):
                print(f"{option}: status {found}, expected {status}\n{text}")
                sys.exit(1)


main()
