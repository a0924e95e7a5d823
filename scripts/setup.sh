#!/usr/bin/env bash
# Installs what is missing: `setup.sh build` what it takes to build and serve, `setup.sh test` also what tests need.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh

purpose=${1:-build}

# the newest cargo-leptos that Rust 1.95 compiles
leptos_version=0.3.10
deny_version=0.20.2

# cargo_tool NAME CRATE VERSION FLAGS...: installs a tool. Without optimization: they run for seconds, and would
# compile for half an hour. One target directory, so that they share what they have in common.
cargo_tool() {
  local name=$1 crate=$2 version=$3
  shift 3
  quietly "install-$crate" "Installing $crate $version: $name" \
    env CARGO_TARGET_DIR=target/tools CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=256 cargo install "$crate" --version "$version" --force "$@"
}

# locked_version CRATE: its version in Cargo.lock
locked_version() {
  sed -n "/^name = \"$1\"\$/{n;s/^version = \"\(.*\)\"\$/\1/p;q}" Cargo.lock
}

need_base() {
  have cargo || die "Rust 1.95 or newer is needed; install it with rustup"
  have cc || die "a C compiler is needed (SQLite is compiled in); on Debian: apt-get install gcc libc6-dev"
  have node || die "Node.js 20 or newer is needed"
  have npm || die "npm is needed; it comes with Node.js"
  node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 10) ? 0 : 1)' ||
    die "Node.js 20.10 or newer is needed; this is $(node --version)"
}

need_wasm_target() {
  local libraries
  libraries=$(rustc --print target-libdir --target wasm32-unknown-unknown)
  if [ ! -d "$libraries" ]; then
    have rustup || die "the Rust target wasm32-unknown-unknown is missing, and there is no rustup to add it"
    quietly install-wasm-target "Adding the Rust target wasm32-unknown-unknown: the browser library is WebAssembly" \
      rustup target add wasm32-unknown-unknown
  fi
}

need_node_modules() {
  # npm's own time stamps say nothing after a checkout, so what was installed is compared
  local installed=node_modules/.installed-lock.json
  if ! cmp -s package-lock.json "$installed"; then
    quietly npm "Installing the Node packages: wasm-opt shrinks the browser library, plotly.js draws the charts" \
      env PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --ignore-scripts
    cp package-lock.json "$installed"
  fi
  local plotly=node_modules/plotly.js-basic-dist-min
  cmp -s $plotly/plotly-basic.min.js public/vendor/plotly-basic.min.js ||
    install -D -m 644 $plotly/plotly-basic.min.js public/vendor/plotly-basic.min.js
  cmp -s $plotly/LICENSE public/vendor/plotly-LICENSE.txt ||
    install -D -m 644 $plotly/LICENSE public/vendor/plotly-LICENSE.txt
}

need_cargo_leptos() {
  case "$(cargo-leptos --version 2>/dev/null || true)" in
    "cargo-leptos 0.3."*) ;;
    *) cargo_tool "builds the server and the browser library together (about 6 minutes)" \
      cargo-leptos "$leptos_version" --locked ;;
  esac
}

need_wasm_bindgen() {
  # it has to be the very version that the library was compiled with
  local version
  version=$(locked_version wasm-bindgen)
  if [ "$(wasm-bindgen --version 2>/dev/null || true)" != "wasm-bindgen $version" ]; then
    # its own lock file names a version that the registry doesn't have
    cargo_tool "makes the JavaScript around the browser library (about 2 minutes)" wasm-bindgen-cli "$version"
  fi
}

need_cargo_deny() {
  have cargo-deny ||
    cargo_tool "checks licences and sources of dependencies (about 3 minutes)" cargo-deny "$deny_version" --locked
}

need_chromium() {
  if [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
    have apt-get || die "Chromium is needed for the browser tests; install it and set CHROMIUM to its path"
    quietly apt-update "Installing Chromium: the browser tests run in it" as_root apt-get update
    quietly apt-chromium "  … its Debian package" as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends chromium
  fi
}

need_libreoffice() {
  if ! have "${SOFFICE:-soffice}"; then
    have apt-get || die "LibreOffice Calc is needed for the tests of spreadsheets; install it and set SOFFICE to its path"
    quietly apt-update-office "Installing LibreOffice Calc: it computes our workbooks (90 MB to load, 276 MB on the disk)" \
      as_root apt-get update
    quietly apt-libreoffice "  … its Debian package, without a window" as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends libreoffice-calc-nogui
  fi
}

need_curl_and_python() {
  have curl && have python3 && return
  have apt-get || die "curl and Python 3 are needed to run the examples of the API; install them"
  quietly apt-update-examples "Installing curl and Python 3: the examples of the API are run" as_root apt-get update
  quietly apt-examples "  … their Debian packages" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends curl python3
}

need_base
need_wasm_target
need_node_modules
need_cargo_leptos
need_wasm_bindgen
case "$purpose" in
  build) ;;
  audit) need_cargo_deny ;;
  test)
    need_cargo_deny
    need_chromium
    need_libreoffice
    need_curl_and_python
    ;;
  *) die "setup.sh build, audit or test; not $purpose" ;;
esac
rm -rf target/tools
