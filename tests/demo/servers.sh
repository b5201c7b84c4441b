# SPDX-License-Identifier: MIT
# Display servers for one test: gone with it, as is the directory $work.
work=$(mktemp -d)
servers=
finish() {
	for pid in $servers; do
		kill "$pid" 2>/dev/null && kill -CONT "$pid" 2>/dev/null || true
	done
	rm -rf "$work"
}
trap finish EXIT INT TERM

need() {
	for program; do
		command -v "$program" >/dev/null || { echo "no $program"; exit 77; }
	done
}

if [ "${QW_PRELOAD:-}" = none ]; then
	echo "no shared runtime of the sanitizer"
	exit 77
fi

# start_x [OPTION...]: options of the server.
start_x() {
	mkfifo "$work/display"
	Xvfb -displayfd 3 -screen 0 640x640x24 -noreset -nolisten tcp "$@" 3>"$work/display" 2>/dev/null &
	servers="$servers $!"
	read -r number <"$work/display"
	export DISPLAY=":$number"
}

start_wayland() {
	export XDG_RUNTIME_DIR="$work" WAYLAND_DISPLAY=qw-test
	weston --backend=headless-backend.so --socket="$WAYLAND_DISPLAY" --idle-time=0 >"$work/weston" 2>&1 &
	servers="$servers $!"
	for _ in $(seq 100); do
		[ -S "$work/$WAYLAND_DISPLAY" ] && return
		sleep 0.1
	done
	cat "$work/weston"
	exit 1
}
