#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Loads a server while stubs, sessions, and the journal change, and checks every answer: Tests/Soak/run.sh [option…]
#
#     Tests/Soak/run.sh                                    20,000 requests, and 2 runs of 50 parallel tests
#     Tests/Soak/run.sh --requests 1000000 --runs 50 --tests 200 --mockserver .build/release/mockserver
#
# By default, it uses the last debug build. Without Python 3.9 or later, it prints the reason and succeeds.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/../.."

python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null ||
    { echo "Python 3.9 or later is missing. The soak test was left out." && exit 0; }

ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
exec python3 Tests/Soak/soak.py --mockserver .build/debug/mockserver "$@"
