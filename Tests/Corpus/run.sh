#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Records the corpus of secrets with the mock server, vcrpy, and mitmproxy: Tests/Corpus/run.sh [reprise] [vcrpy] [mitmproxy] [killed]
#
# MOCKSERVER               The built program; by default, it is built for release.
# REPRISE_CORPUS_REPORT    A file for the list of everything that failed.
# REPRISE_CORPUS_CACHE     The folder for vcrpy and mitmproxy. The default is a folder in the system's temporary folder.
#
# Without Python or a way to download the tools, it prints the reason and succeeds.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/../.."

cache=${REPRISE_CORPUS_CACHE:-${TMPDIR:-/tmp}/reprise-corpus}

leave_out() {
    echo "$1 The comparison was left out."
    exit 0
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || leave_out "Python 3.10 or later is missing."
[[ -e $cache/bin/python ]] || python3 -m venv "$cache" || leave_out "Python cannot create an environment."
"$cache/bin/python" -c 'import vcr, mitmproxy' 2>/dev/null ||
    "$cache/bin/python" -m pip install --quiet --disable-pip-version-check vcrpy==8.1.1 mitmproxy==11.0.2 ||
    leave_out "pip cannot download vcrpy and mitmproxy."

if [[ -z ${MOCKSERVER:-} ]]; then
    swift build -c release --product mockserver
    MOCKSERVER=$(swift build -c release --show-bin-path)/mockserver
fi
export MOCKSERVER

exec "$cache/bin/python" Tests/Corpus/compare.py "$@"
