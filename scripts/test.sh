#!/usr/bin/env bash
# Every check there is, in the order in which a failure costs least. Stops at the first that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh

durations=()
started=$SECONDS

# recap: what was done, how long it took, and what the test runners said
recap() {
  local log
  echo
  say "Steps"
  printf '  %s\n' "${durations[@]}"
  for log in "$logs/test-rust.log" "$logs/test-browser.log"; do
    if [ -f "$log" ]; then
      say "Summary of $(basename "$log" .log)"
      grep -E '^test result:|^(ℹ|#) (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ' "$log" || true
    fi
  done
}

# step NAME TEXT COMMAND...: runs COMMAND in the open, and keeps its output for the recap
step() {
  local name=$1 text=$2 from=$SECONDS log
  log="$logs/$name.log"
  shift 2
  echo
  say "$text"
  if "$@" </dev/null 2>&1 | tee "$log"; then
    durations+=("$(printf '%5d s  %s' $((SECONDS - from)) "$text")")
    say "$text: done in $((SECONDS - from)) s"
  else
    durations+=("$(printf '%5d s  %s: FAILED' $((SECONDS - from)) "$text")")
    recap
    echo
    say "FAILED: $text (log: $log)" >&2
    exit 1
  fi
}

# nothing of an earlier run may look like this one's
rm -f "$logs"/test-*.log

step test-setup "Tools" bash scripts/setup.sh test
step test-format "Format" cargo fmt --all --check
step test-clippy "Clippy, host" cargo clippy --workspace --all-targets --locked -- -D warnings
step test-clippy-wasm "Clippy, browser" cargo clippy -p app --no-default-features --features hydrate \
  --target wasm32-unknown-unknown --locked -- -D warnings
step test-rust "Unit, property, integration and documentation tests" cargo test --workspace --locked
step test-doc "Documentation builds" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
step test-deny "Bans, licences, sources" cargo deny check --hide-inclusion-graph bans licenses sources
step test-rules "Direction of dependencies" bash scripts/dependency-rules.sh
step test-build "Release build" bash scripts/build.sh
step test-budget "Size of what the browser loads" bash scripts/wasm-budget.sh
step test-browser "Browser tests, with and without scripts" node --test --test-concurrency=1 --test-reporter=spec \
  end2end/*.test.mjs

recap
echo
say "Everything passed in $(((SECONDS - started) / 60)) min $(((SECONDS - started) % 60)) s"
