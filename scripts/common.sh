# Shared by the scripts beside it: source it, don't run it.
# shellcheck shell=bash

# cargo-leptos runs the wasm-opt and wasm-bindgen that it finds here, and would else try to download them
export PATH="$PWD/node_modules/.bin:${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"

logs=target/logs
mkdir -p "$logs"

# say TEXT...: one line to the person
say() {
  printf '==> %s\n' "$*"
}

# die TEXT...: says why it can't go on, and stops
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# have COMMAND: whether it can be run
have() {
  command -v "$1" >/dev/null 2>&1
}

# quietly NAME TEXT COMMAND...: says TEXT, runs COMMAND with its output in a log, shows the log if it fails
quietly() {
  local log="$logs/$1.log"
  say "$2"
  shift 2
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 100 "$log" >&2
    die "this failed: $* (the end of its log is above, all of it in $log)"
  fi
}

# as_root COMMAND...: runs it as root, or says what to run
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    die "needs root; run this once and try again: sudo $*"
  fi
}
