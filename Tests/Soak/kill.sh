#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Kills `mockserver record` under load, again and again, and checks what it wrote: Tests/Soak/kill.sh [option…]
#
#     Tests/Soak/kill.sh                       50 kills of the last debug build
#     Tests/Soak/kill.sh --kills 500 --mockserver .build/release/mockserver
#
# Without Python 3.9 or later, it prints the reason and succeeds.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/../.."

python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null ||
    { echo "Python 3.9 or later is missing. The test was left out." && exit 0; }

exec python3 Tests/Soak/kill.py --mockserver .build/debug/mockserver "$@"
