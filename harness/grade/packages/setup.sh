#!/usr/bin/env bash
# Installs what the harness needs, once, when the image is made. Debian 12 and Ubuntu 24.04.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
[[ -f harness ]] || cd /autograder/source
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends g++ bubblewrap libboost-context-dev libopenblas-dev python3-venv
python3 -m venv .venv
.venv/bin/pip install --disable-pip-version-check --no-input --requirement reports/requirements.txt
