# SPDX-License-Identifier: MIT
# What tests/package/run does within the bare Debian.
set -eu
fail() {
	echo "failed: $*"
	exit 1
}
get() {
	apt-get -q "$@" >/tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; fail "apt-get $*"; }
}
# Dependencies alone: what is missing here is missing in Depends.
get update
get install -y --no-install-recommends /tmp/quadwave.deb
manifest=/usr/share/vulkan/icd.d/quadwave_icd.json
library=$(sed -n 's/.*"library_path": "\(.*\)".*/\1/p' $manifest)
[ -f "$library" ] || fail "$manifest names $library"
! ldd "$library" | grep 'not found' || fail "$library lacks libraries"
for tool in gcnasm gcndis gcnrun; do
	$tool --version
	[ -f /usr/share/man/man1/$tool.1.gz ] || { ls -l /usr/share/man/man1 >&2; fail "no man page of $tool"; }
done
grep -q 'MIT License' /usr/share/doc/quadwave-vulkan/copyright || fail "no licence"

get install -y --no-install-recommends vulkan-tools xvfb
vulkaninfo --summary >/tmp/summary 2>&1 || { cat /tmp/summary; fail vulkaninfo; }
grep 'deviceName' /tmp/summary
[ "$(grep -c 'deviceName *= Quadwave (gfx900)' /tmp/summary)" = 1 ] || fail "vulkaninfo sees no Quadwave"

mkfifo /tmp/display
Xvfb -displayfd 3 -screen 0 640x640x24 -noreset -nolisten tcp 3>/tmp/display 2>/tmp/xvfb.log &
server=$!
trap 'kill $server' EXIT
read -r number </tmp/display
DISPLAY=":$number" vkcube --c 10 >/tmp/cube.log 2>&1 || { cat /tmp/cube.log; fail vkcube; }
cat /tmp/cube.log
grep -q '^Selected GPU 0: Quadwave (gfx900)' /tmp/cube.log || fail "vkcube found another driver"

get purge -y quadwave-vulkan
for file in $manifest "$library" /usr/bin/gcnasm; do
	[ ! -e "$file" ] || fail "$file outlives the package"
done
echo passed
