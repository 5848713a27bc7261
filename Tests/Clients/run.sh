#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sends requests with many unchanged clients to a host that does not exist, through a proxy and under the variables of
# 'mockserver ca env', and prints a table: Tests/Clients/run.sh [--mockserver BINARY]
#
# REPRISE_CLIENTS_CACHE    The folder for the Python libraries. The default is a folder in the system's temporary folder.
#
# Other clients are tried if they are installed: curl, wget, git, Node, Java, Ruby, and Go. Exits with status 77 if Python
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
proxy=
trap '[[ -z $proxy ]] || kill "$proxy" 2>/dev/null; rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder/config
"$mockserver" ca install --yes --no-stores >/dev/null 2>&1
authority=$XDG_CONFIG_HOME/reprise

openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj / -keyout "$folder/host.pem" \
    -out "$folder/request" 2>/dev/null
openssl x509 -req -in "$folder/request" -CA "$authority/ca.pem" -CAkey "$authority/ca-key.pem" -CAcreateserial \
    -CAserial "$folder/serial" -days 7 -extfile <(echo "subjectAltName = critical, DNS:api.example.test") \
    >>"$folder/host.pem" 2>/dev/null
python3 "$tests/origin.py" "$folder/host.pem" "$folder/port" &
proxy=$!
for ((tries = 0; tries < 100; tries++)); do
    [[ -s $folder/port ]] && break
    sleep 0.1
done
variables=$("$mockserver" ca env --proxy "http://127.0.0.1:$(<"$folder/port")")
eval "$variables"
CLIENTS_PYTHON=$cache/bin/python "$tests/clients.sh"
