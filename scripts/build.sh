#!/usr/bin/env bash
# Builds the release: target/release/clusterwright and target/site. Does nothing if nothing changed.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh

stamp=target/release/clusterwright.stamp
library=target/site/pkg

# The content of everything that the build reads. cargo would find that out too, but then wasm-opt, the compression
# and the minifier run each time.
fingerprint() {
  {
    rustc --version
    find engine app server style public migrations -type f \
      -not -path '*/tests/*' -not -path '*/benches/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
    sha256sum Cargo.toml Cargo.lock package-lock.json scripts/build.sh
  } | sha256sum
}

built() {
  [ -x target/release/clusterwright ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$1" ] &&
    compgen -G "$library/*.wasm" >/dev/null
}

now=$(fingerprint)
if built "$now"; then
  exit 0
fi

rm -f "$stamp"
quietly build "Building the server and the browser library (minutes the first time; progress is in $logs/build.log)" \
  cargo leptos build --release --precompress --cargo-locked
# declarations for TypeScript that nobody asked for
rm -f "$library"/*.d.*ts "$library"/*.d.*ts.gz "$library"/*.d.*ts.br
printf '%s\n' "$now" >"$stamp"
