#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sends a request with each client that is installed, unchanged, and prints a table: Tests/Clients/clients.sh
# [HOST]. The environment decides how the host is reached, which is api.example.test by default and does not exist:
#
#     mockserver run clients.cassette.json --record --map api.example.test=127.0.0.1:9000 -- Tests/Clients/clients.sh
#
# CLIENTS_PYTHON    The Python that has the libraries. The default is python3.
# CLIENTS_ONLY      A regular expression: the clients to try.
#
# Exits with status 1 if a client failed. A client that is not installed is in the table as such.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
host=${1:-api.example.test}
python=${CLIENTS_PYTHON:-python3}
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
status=0
export GOCACHE=${GOCACHE:-$temporary/go} GOFLAGS=-mod=mod GOTOOLCHAIN=local PYTHONDONTWRITEBYTECODE=1
export AWS_EC2_METADATA_DISABLED=true AWS_ACCESS_KEY_ID=AKIANONE AWS_SECRET_ACCESS_KEY=none AWS_DEFAULT_REGION=us-east-1
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}

# try NAME PROGRAM COMMAND…: runs the command with {} replaced by the origin, for https and for http. It prints the
# client's version and something with "hello" in it, or exits with 77 if a library is missing.
try() {
    local name=$1 program=$2 results=() version=
    shift 2
    [[ $name =~ ${CLIENTS_ONLY:-.} ]] || return 0
    if ! command -v "$program" >/dev/null; then
        echo "| $name | | not installed | not installed |"
        return 0
    fi
    for scheme in https http; do
        local output code
        output=$(timeout 60 "${@//\{\}/$scheme://$host}" 2>"$temporary/errors") && code=0 || code=$?
        if [[ $code == 77 ]]; then
            results+=("not installed")
        elif [[ $code == 0 && $output == *hello* ]]; then
            results+=(ok)
            version=${output%% *}
        else
            results+=("**failed**")
            status=1
            { echo "$name, $scheme: exit status $code, output: $output"; tail -5 "$temporary/errors"; } >&2
        fi
    done
    echo "| $name | $version | ${results[0]} | ${results[1]} |"
}

# The version of a program and what it prints.
with_version='version=$1; shift; echo "$version $("$@")"'
version_of() { "$@" 2>/dev/null | head -1 | grep -oE '[0-9]+\.[0-9.]+' | head -1; }
versioned() {
    local name=$1 program=$2
    shift 2
    try "$name" "$program" bash -c "$with_version" sh "$(version_of "$program" --version)" "$program" "$@"
}

echo "| client | version | https | http |"
echo "|---|---|---|---|"
versioned curl curl --silent --show-error --max-time 20 {}/curl
versioned wget wget --quiet --tries=1 --timeout=20 --output-document=- {}/wget
versioned "git ls-remote" git ls-remote {}/repo.git
try apt apt-get ./apt.sh {}
versioned "AWS CLI" aws s3api list-buckets --endpoint-url {}
for library in urllib requests httpx aiohttp boto3 openai anthropic; do
    try "Python $library" "$python" "$python" clients.py "$library" {}
done
try "Node fetch" node node client.mjs fetch {}
try "Node http(s).get" node node client.mjs request {}
try "Node http(s).get with an agent of its own" node node client.mjs agent {}
for package in undici axios got; do
    try "Node $package" node node client.mjs "$package" {}
done
try "Java HttpClient" java java Client.java client {}
try "Java HttpURLConnection" java java Client.java connection {}
try "Ruby Net::HTTP" ruby ruby -r net/http -e 'puts RUBY_VERSION + " " + Net::HTTP.get(URI(ARGV[0] + "/ruby"))' {}
try "Go net/http" go go run client.go {}
try "Perl LWP" perl perl client.pl LWP {}
try "Perl HTTP::Tiny" perl perl client.pl Tiny {}
try "PHP curl" php php client.php {}

# On Linux, URLSession trusts only the certificates of the system. The client's process sees those of the run instead.
store=/etc/ssl/certs/ca-certificates.crt
system_store='[[ $2 == http:* ]] && exec "$@"; unshare -rm true && [[ -e $0 ]] || exit 77
exec unshare -rm sh -c '\''mount --bind "$SSL_CERT_FILE" "$0" && exec "$@"'\'' "$0" "$@"'
if [[ $(uname) == Linux && URLSession =~ ${CLIENTS_ONLY:-.} ]] && command -v swiftc >/dev/null; then
    swiftc -o "$temporary/urlsession" client.swift
    try "Swift URLSession" swiftc bash -c "$with_version" sh "$(version_of swiftc --version)" \
        bash -c "$system_store" "$store" "$temporary/urlsession" {}
fi
exit $status
