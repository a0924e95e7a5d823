#!/usr/bin/env bash
# Holds the size of what the browser loads before anyone does anything, in bytes as sent (brotli).
set -euo pipefail
cd "$(dirname "$0")/.."

folder=target/site/pkg
wasm_limit=$((200 * 1024))
wasm_warning=$((180 * 1024))
total_limit=$((220 * 1024))

# only ENDING: the one file that ends so
only() {
  local files=("$folder"/*"$1")
  if [ "${#files[@]}" != 1 ] || [ ! -f "${files[0]}" ]; then
    echo "error: expected one file $folder/*$1, found: ${files[*]}" >&2
    exit 1
  fi
  printf '%s' "${files[0]}"
}

size() {
  stat -c %s "$1"
}

wasm=$(only .wasm)
script=$(only .js)
style=$(only .css)
printf '%-8s %10s %10s %10s\n' part raw gzip brotli
for file in "$wasm" "$script" "$style"; do
  printf '%-8s %10d %10d %10d\n' "${file##*.}" "$(size "$file")" "$(size "$file.gz")" "$(size "$file.br")"
done

wasm_size=$(size "$wasm.br")
total=$((wasm_size + $(size "$script.br")))
echo "WebAssembly: $wasm_size of $wasm_limit bytes; with its script: $total of $total_limit bytes"

failed=false
if [ "$wasm_size" -gt "$wasm_limit" ]; then
  echo "error: the WebAssembly is over its limit" >&2
  failed=true
elif [ "$wasm_size" -gt "$wasm_warning" ]; then
  echo "warning: the WebAssembly nears its limit (warning from $wasm_warning bytes)"
fi
if [ "$total" -gt "$total_limit" ]; then
  echo "error: WebAssembly and script together are over their limit" >&2
  failed=true
fi
# figures are made on the server; the crate alone would add 49 KB. Panic messages name the files of a crate.
if grep -aqE 'plotly-[0-9]+\.[0-9]+' "$wasm"; then
  echo "error: the plotly crate is in the WebAssembly" >&2
  failed=true
fi
if $failed; then
  exit 1
fi
