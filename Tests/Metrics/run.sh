#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reads the server's metrics with Prometheus' own parsers: Tests/Metrics/run.sh [MOCKSERVER]
#
# MOCKSERVER is the built program; by default, that of the last debug build.
#
# REPRISE_METRICS_CACHE    The folder for the parsers, from the package prometheus_client. The default is a folder in the
#                          system's temporary folder.
#
# Without Python or a way to download the parsers, it prints the reason and succeeds.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/../.."

cache=${REPRISE_METRICS_CACHE:-${TMPDIR:-/tmp}/reprise-prometheus}

leave_out() {
    echo "$1 The check of the metrics was left out."
    exit 0
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || leave_out "Python 3.9 or later is missing."
[[ -e $cache/bin/python ]] || python3 -m venv "$cache" || leave_out "Python cannot create an environment."
"$cache/bin/python" -c 'import prometheus_client' 2>/dev/null ||
    "$cache/bin/python" -m pip install --quiet --disable-pip-version-check prometheus_client==0.25.0 ||
    leave_out "pip cannot download prometheus_client."

exec "$cache/bin/python" Tests/Metrics/check.py "${1:-.build/debug/mockserver}"
