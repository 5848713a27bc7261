#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares mockserver as a proxy with nginx's proxy_pass, in alternating runs on the same machine. Prints Markdown.
# Requires Linux, Swift, and `apt-get install nginx-light wrk curl`.
set -euo pipefail
export LC_ALL=C

usage() {
    cat <<'TEXT'
usage: Benchmarks/proxy.sh [--only CASE[,CASE]] [--mockserver PATH] [--rounds N] [--seconds S]
                           [--server-core N] [--load-core N]

  replies   CPU per request of small GETs, connections kept on both sides, against nginx `proxy_pass`:
            forwarded only, recorded, and recorded with another URL each time
  memory    resident memory while 1 GiB is forwarded and recorded

The upstream server is another nginx, on the load's core. --mockserver takes a release build from elsewhere.
TEXT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
cases=replies,memory rounds=5 seconds=3 server_core=0 load_core=1 mockserver=""
while (($#)); do
    case $1 in
    --only) cases=$2 && shift ;;
    --mockserver) mockserver=$(realpath "$2") && shift ;;
    --rounds) rounds=$2 && shift ;;
    --seconds) seconds=$2 && shift ;;
    --server-core) server_core=$2 && shift ;;
    --load-core) load_core=$2 && shift ;;
    *) usage && exit 64 ;;
    esac
    shift
done

source "$here/servers.sh"
prepare nginx wrk curl
build_mockserver

# drive PID PORT [ARGUMENT…]: prints requests/s and CPU microseconds per request. The arguments are for wrk.
drive() {
    local before after output url="http://127.0.0.1:$2"
    (($# > 2)) || url+=/api/v1/items/1
    before=$(cpu_us "$1")
    output=$(taskset -c "$load_core" wrk -t1 -c32 -d"${seconds}s" "${@:3:2}" "$url" "${@:5}")
    after=$(cpu_us "$1")
    awk -v cpu=$((after - before)) '
        /requests in/ { requests = $1 }
        /^Requests\/sec/ { rate = $2 }
        /Socket errors|Non-2xx/ { print "wrk: " $0 > "/dev/stderr"; exit 1 }
        END { printf "%.0f %.3f\n", rate, cpu / requests }' <<<"$output"
}

upstream_port=$(free_port)
body='{"id":"000000","name":"A small reply, as static fixtures give it","ok":true}'
start_nginx upstream "$load_core" "$upstream_port" "location / { return 200 '$body'; } location /big { root $work; }"
proxy_port=$(free_port)
start_nginx proxy "$server_core" "$proxy_port" \
    "location / { proxy_pass http://peer; proxy_http_version 1.1; proxy_set_header Connection ''; }" \
    "upstream peer { server 127.0.0.1:$upstream_port; keepalive 64; keepalive_requests 1000000000; }"
proxy_pid=$nginx_pid
mkdir "$work/none" && echo x >"$work/none/x.get.txt"

# drive_recorder [ARGUMENT…]: drives a new recorder, so that the cassette does not grow.
drive_recorder() {
    start_mockserver record "http://127.0.0.1:$upstream_port" --out "$work/a.cassette.json" --mode overwrite
    drive "$mock_pid" "$mock_port" "$@"
    kill -KILL "$mock_pid" && wait "$mock_pid" 2>/dev/null || true
    rm -rf "$work"/a.cassette.*
}

measure_replies() {
    local forward_pid forward_port round nginx forward record others
    start_mockserver serve "$work/none" --unmatched-to "http://127.0.0.1:$upstream_port"
    forward_pid=$mock_pid forward_port=$mock_port
    for ((round = 1; round <= rounds; round++)); do
        nginx=$(drive "$proxy_pid" "$proxy_port")
        forward=$(drive "$forward_pid" "$forward_port")
        record=$(drive_recorder)
        others=$(drive_recorder -s "$here/wrk/paths.lua" -- /api/v1/items/%d 100000)
        echo "round $round: nginx $nginx, forwarded $forward, recorded $record and $others (requests/s, us)" >&2
        echo "$nginx $forward $record $others" >>"$work/rounds"
    done
    echo
    echo "### Small GETs through a proxy, $rounds rounds of ${seconds} s each, medians"
    echo
    echo "| proxy | requests/s | CPU us a request | to nginx |"
    echo "|---|---:|---:|---:|"
    row "nginx \`proxy_pass\`" 1
    row "mockserver, forwarded" 3
    row "mockserver, recorded" 5
    row "mockserver, recorded, another URL each time" 7
    stop "$forward_pid"
}

# row NAME COLUMN: prints a row of the table. COLUMN is the column of the rate; the CPU time is in the next one.
row() {
    printf '| %s | %.0f | %.1f | %.2f |\n' "$1" "$(awk -v c="$2" '{ print $c }' "$work/rounds" | median)" \
        "$(awk -v c=$(($2 + 1)) '{ print $c }' "$work/rounds" | median)" \
        "$(awk -v c=$(($2 + 1)) '{ print $c / $2 }' "$work/rounds" | median)"
}

measure_memory() {
    local before after
    mkdir -p "$work/big"
    truncate -s 1G "$work/big/file"
    start_mockserver record "http://127.0.0.1:$upstream_port" --out "$work/b.cassette.json"
    before=$(cpu_us "$mock_pid")
    curl -sSf "http://127.0.0.1:$mock_port/big/file" | wc -c >"$work/size"
    after=$(cpu_us "$mock_pid")
    (($(<"$work/size") == 1 << 30)) || fail "$(<"$work/size") bytes came instead of 1 GiB"
    echo
    echo "1 GiB forwarded and recorded: $(($(status_kib "$mock_pid" VmHWM) / 1024)) MiB resident at most," \
        "$(((after - before) / 1000)) ms of CPU."
    stop "$mock_pid"
}

for case in ${cases//,/ }; do "measure_$case"; done
