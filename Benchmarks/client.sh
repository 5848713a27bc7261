#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares four clients: SocketTransport, the complete Client over it, AsyncHTTPClient and URLSession. They take turns,
# each in its own process, with the same mockserver. Prints Markdown. Requires Linux and Swift.
set -euo pipefail
export LC_ALL=C

usage() {
    cat <<'TEXT'
usage: Benchmarks/client.sh [--rounds N] [--seconds S] [--only requests,download] [--mockserver PATH]
                            [--clients socket,client,ahc,urlsession]

  requests   small GETs at 1, 16 and 64 concurrent: requests/s, CPU of the client per request, peak memory
  download   one response of 1 GiB, read chunk by chunk: MiB/s, CPU, peak memory
TEXT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
rounds=3 seconds=2 cases=requests,download mockserver="" clients=socket,client,ahc,urlsession
while (($#)); do
    case $1 in
    --rounds) rounds=$2 && shift ;;
    --seconds) seconds=$2 && shift ;;
    --only) cases=$2 && shift ;;
    --clients) clients=$2 && shift ;;
    --mockserver) mockserver=$(realpath "$2") && shift ;;
    *) usage && exit 64 ;;
    esac
    shift
done
wants() { [[ ,$cases, == *,$1,* ]]; }
IFS=, read -ra clients <<<"$clients"

if [[ -z $mockserver ]]; then
    (cd "$root" && swift build -c release --product mockserver >&2)
    mockserver=$(cd "$root" && swift build -c release --show-bin-path)/mockserver
fi
swift build -c release --package-path "$here" --product ClientLoad >&2
load=$(swift build -c release --package-path "$here" --show-bin-path)/ClientLoad

work=$(mktemp -d)
server=""
trap '[[ $server ]] && kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
mkdir "$work/fixtures"
printf '{"id":"000001","name":"A small reply, as static fixtures give it","ok":true}' >"$work/fixtures/item.get.json"
# The file is sparse, which makes no difference, because it is sent from the system's cache.
truncate -s 1G "$work/fixtures/large.get.bin"
"$mockserver" "$work/fixtures" --threads 1 --quiet --port 0 --port-file "$work/port" >"$work/ready" &
server=$!
for _ in {1..200}; do
    [[ -s $work/ready ]] && break
    sleep 0.05
done
url=http://127.0.0.1:$(<"$work/port")

# median: prints the median of the numbers on standard input, one per line.
median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

# measure FILE COMMAND…: appends a line of results to the file. If the command fails, reports it and appends nothing.
measure() {
    local file=$1
    shift
    timeout 300 "$@" >>"$file" || echo "client.sh: failed: $*" >&2
}

column() { awk -F '\t' -v n="$2" '{ print $n }' "$1" | median; }

if wants requests; then
    echo "| concurrent | client | requests/s | CPU us/request | peak MiB |"
    echo "|---|---|---|---|---|"
    for concurrency in 1 16 64; do
        for ((round = 0; round < rounds; round++)); do
            for client in "${clients[@]}"; do
                measure "$work/$client-$concurrency" "$load" "$client" requests "$url/item" \
                    --concurrency "$concurrency" --seconds "$seconds"
            done
        done
        for client in "${clients[@]}"; do
            file=$work/$client-$concurrency
            echo "| $concurrency | $client | $(column "$file" 4) | $(column "$file" 5) | $(column "$file" 6) |"
        done
    done
    echo
fi

if wants download; then
    echo "| client, 1 GiB | MiB/s | CPU ms/MiB | peak MiB |"
    echo "|---|---|---|---|"
    for ((round = 0; round < rounds; round++)); do
        for client in "${clients[@]}"; do
            measure "$work/$client-large" "$load" "$client" download "$url/large"
        done
    done
    for client in "${clients[@]}"; do
        file=$work/$client-large
        echo "| $client | $(column "$file" 4) | $(column "$file" 5) | $(column "$file" 6) |"
    done
fi
