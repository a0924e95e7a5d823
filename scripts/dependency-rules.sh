#!/usr/bin/env bash
# Holds the direction of dependencies: server → app → engine, and what must not reach the engine or the browser.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=false

# refuse WHAT NAMES TREE...: fails if a name (a whole word pattern) is among the crates that `cargo tree TREE...` lists
refuse() {
  local what=$1 names=$2 crates found
  shift 2
  crates=$(cargo tree --locked --prefix none --format '{lib}' --edges normal,no-proc-macro "$@" |
    sed 's/ (\*)$//' | sort -u)
  if [ "$(wc -w <<<"$crates")" -lt 2 ]; then
    echo "error: no dependencies listed for $what: the check checks nothing" >&2
    failed=true
    return
  fi
  found=$(grep -xE "$names" <<<"$crates" | tr '\n' ' ' || true)
  if [ -n "$found" ]; then
    echo "error: $what depends on: $found" >&2
    failed=true
  else
    echo "$what: $(wc -l <<<"$crates") crates, none of $names"
  fi
}

refuse "engine" 'app|server|tokio|axum|sqlx.*|leptos.*|rand|getrandom|chrono|time' -p engine --target all
refuse "app" 'server|sqlx.*|libsqlite3_sys' -p app --features ssr
refuse "app in the browser" 'server|sqlx.*|libsqlite3_sys|axum.*|leptos_axum|tokio|hyper|plotly.*|rand|chrono' \
  -p app --no-default-features --features hydrate --target wasm32-unknown-unknown

if $failed; then
  exit 1
fi
