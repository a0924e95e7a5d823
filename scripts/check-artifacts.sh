#!/usr/bin/env bash
# Checks the files of plans by the parsers of the software that reads them. Needs Python 3.11 and fio; takes PyPI packages
# (about 200 MB) and Debian's promtool into target/artifacts.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/common.sh
source scripts/common.sh

place=target/artifacts
mkdir -p "$place"
have python3 || die "Python 3.11 or newer is needed"
have fio || die "fio is needed; on Debian: apt-get install --no-install-recommends fio"
have jq || die "jq is needed; on Debian: apt-get install jq"

need_packages() {
  local wanted=end2end/artifacts
  if ! cat "$wanted"/requirements*.txt | cmp -s - "$place/installed"; then
    rm -rf "$place/venv"
    quietly artifacts-venv "Making a Python environment" python3 -m venv "$place/venv"
    quietly artifacts-pip "Installing the parsers" "$place/venv/bin/pip" install --no-cache-dir -r "$wanted/requirements.txt"
    quietly artifacts-bare "  … and the training software, without torch" \
      "$place/venv/bin/pip" install --no-cache-dir --no-deps -r "$wanted/requirements-bare.txt"
    if [ "${ARTIFACTS_TORCH:-}" = real ]; then
      quietly artifacts-torch "  … and torch (6 GB)" "$place/venv/bin/pip" install --no-cache-dir \
        torch==2.15.0 torchdata==0.11.0 tokenizers==0.23.3 datasets==5.2.0 tensorboard==2.21.0
    fi
    cat "$wanted"/requirements*.txt >"$place/installed"
  fi
}

need_promtool() {
  if have promtool; then
    return
  fi
  if [ ! -x "$place/usr/bin/promtool" ]; then
    have apt-get || die "promtool is needed; it comes with Prometheus"
    # unpacked, not installed: the package starts a server
    (cd "$place" && quietly_apt prometheus)
  fi
  PROMTOOL="$PWD/$place/usr/bin/promtool"
  export PROMTOOL
}

quietly_apt() {
  apt-get download "$1" >/dev/null 2>&1 || die "apt-get can't download $1; try apt-get update"
  dpkg-deb -x "$1"_*.deb . && rm -f "$1"_*.deb
}

need_packages
need_promtool
rm -rf "$place/plans"
say "Writing the files of $(jq length end2end/artifacts/plans.json) plans"
cargo run -q --locked -p engine --example handover -- end2end/artifacts/plans.json "$place/plans"
say "Checking them"
PYTHONPATH=end2end/artifacts "$place/venv/bin/python" end2end/artifacts/check.py "$place/plans"
