#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reads the streams in Fixtures/llm with the official Python libraries of both APIs: Tests/SDKs/run.sh
# [--mockserver BINARY]
#
# REPRISE_SDK_CACHE    The folder for the libraries. The default is a folder in the system's temporary folder.
#
# Exits with status 77 if Python is missing or the libraries cannot be installed.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/../.."

cache=${REPRISE_SDK_CACHE:-${TMPDIR:-/tmp}/reprise-sdks}
tests=Tests/SDKs

leave_out() {
    echo "$1 The official libraries were left out."
    exit 77
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || leave_out "Python 3.9 or later is missing."

install() {
    cmp -s "$tests/requirements.txt" "$cache/requirements.txt" && return
    python3 -m venv "$cache" &&
        "$cache/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$tests/requirements.txt" &&
        cp "$tests/requirements.txt" "$cache/"
}
install || leave_out "pip cannot install the libraries."

binary=
if [[ ${1:-} == --mockserver ]]; then
    binary=$2
else
    swift build --product mockserver
    binary=$(swift build --show-bin-path)/mockserver
fi
exec "$cache/bin/python" "$tests/read_streams.py" "$binary"
