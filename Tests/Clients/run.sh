#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Records the requests of many unchanged clients under 'mockserver run', ends their server, and replays them. Prints a
# table for each: Tests/Clients/run.sh [--mockserver BINARY]
#
# REPRISE_CLIENTS_CACHE    The folder for the Python libraries. The default is a folder in the system's temporary folder.
#
# Other clients are tried if they are installed, such as curl, apt, Node, Java, and PHP. Exits with status 77 if Python
# is missing, and with 1 if a client failed.
set -euo pipefail
cd "$(dirname "$0")/../.."
tests=$PWD/Tests/Clients
cache=${REPRISE_CLIENTS_CACHE:-${TMPDIR:-/tmp}/reprise-clients}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || {
    echo "Python 3.9 or later is missing. The clients were left out."
    exit 77
}

if [[ ${1:-} == --mockserver ]]; then
    mockserver=$(realpath "$2")
else
    swift build --product mockserver
    mockserver=$(swift build --show-bin-path)/mockserver
fi

# Without the libraries, the table says which ones are missing.
if ! cmp -s "$tests/requirements.txt" "$cache/requirements.txt"; then
    python3 -m venv "$cache" &&
        "$cache/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$tests/requirements.txt" &&
        cp "$tests/requirements.txt" "$cache/" || echo "pip cannot install the libraries." >&2
fi

folder=$(mktemp -d)
origin=
trap '[[ -z $origin ]] || kill "$origin" 2>/dev/null; rm -rf "$folder"' EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=api.example.test -days 7 \
    -addext "subjectAltName = DNS:api.example.test" -keyout "$folder/key.pem" -out "$folder/origin.pem" 2>/dev/null
cat "$folder/key.pem" "$folder/origin.pem" >"$folder/both.pem"
python3 "$tests/origin.py" "$folder/both.pem" "$folder/port" &
origin=$!
for ((tries = 0; tries < 100; tries++)); do
    [[ -s $folder/port ]] && break
    sleep 0.1
done
# The configuration of this machine's apt has commands that change the machine.
echo 'Dir::Etc::Parts "-"; Dir::Etc::main "-";' >"$folder/apt.conf"
export APT_CONFIG=$folder/apt.conf
export CLIENTS_PYTHON=$cache/bin/python REPRISE_ALLOW_NETWORK=1
run() { "$mockserver" run "$folder/clients.cassette.json" "$@" -- "$tests/clients.sh"; }
echo "Recorded:"
run --record --map "api.example.test=127.0.0.1:$(<"$folder/port")" --upstream-ca "$folder/origin.pem"
kill "$origin" && wait "$origin" 2>/dev/null || true
origin=
echo "Replayed:"
run
