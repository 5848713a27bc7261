#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares mockserver as a proxy with nginx's proxy_pass and with mitmproxy, in alternating runs on the same machine.
# Prints Markdown. Requires Linux, Swift, and `apt-get install nginx-light wrk curl`.
set -euo pipefail
export LC_ALL=C

usage() {
    cat <<'TEXT'
usage: Benchmarks/proxy.sh [--only CASE[,CASE]] [--mockserver PATH] [--rounds N] [--seconds S]
                           [--server-core N] [--load-core N]

  replies   CPU per request of small GETs, connections kept on both sides, against nginx `proxy_pass`:
            forwarded only, recorded, and recorded with another URL each time
  memory    resident memory while 1 GiB is forwarded and recorded
  tunnels   with MITMDUMP=/path/to/mitmdump: GETs over TLS through CONNECT, replayed and recorded, with 16 connections
            that are kept, and with a connection and a handshake for each request, against mitmproxy

Every case but `tunnels` runs unless --only names some. The upstream server is another nginx, on the load's core.
--mockserver takes a release build from elsewhere.
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

# drive_tunnels PID PORT PATH keep|new: prints requests/s and CPU seconds per 10,000 requests.
drive_tunnels() {
    local before after output
    before=$(cpu_us "$1")
    output=$(taskset -c "$load_core" "$work/tunnels" "$2" "127.0.0.1:$tls_port" "$3" 16 "$seconds" "$4")
    after=$(cpu_us "$1")
    awk -v cpu=$((after - before)) '{ printf "%.0f %.4f\n", $1 / $2, cpu / 100 / $1 }' <<<"$output"
}

# start_mitmproxy ARGUMENT…: starts mitmdump and sets mitm_pid and mitm_port. Its leaf has the same kind of key.
start_mitmproxy() {
    mitm_port=$(free_port)
    taskset -c "$server_core" "$MITMDUMP" --quiet --listen-host 127.0.0.1 --listen-port "$mitm_port" \
        --set confdir="$work/mitmproxy" --set connection_strategy=lazy --certs "*=$work/leaf.pem" "$@" >&2 &
    mitm_pid=$!
    children+=("$mitm_pid")
    await_port "$mitm_port"
}

# compare_tunnels NAME PATH START-MITMPROXY START-MOCKSERVER: prints two rows of the table.
compare_tunnels() {
    local mode label round theirs ours
    for mode in keep new; do
        [[ $mode == keep ]] && label="connections kept" || label="a handshake each time"
        rm -f "$work/rounds"
        for ((round = 1; round <= rounds; round++)); do
            "$3"
            theirs=$(drive_tunnels "$mitm_pid" "$mitm_port" "$2" "$mode")
            stop "$mitm_pid"
            "$4"
            ours=$(drive_tunnels "$mock_pid" "$mock_port" "$2" "$mode")
            stop "$mock_pid"
            echo "$1, $label, round $round: mitmproxy $theirs, mockserver $ours (requests/s, s)" >&2
            echo "$theirs $ours" >>"$work/rounds"
            rm -rf "$work"/new.*
        done
        printf '| %s, %s | %.0f | %.0f | %.2f | %.3f | 1/%.0f |\n' "$1" "$label" $(for column in 1 3 2 4; do
            awk -v c=$column '{ print $c }' "$work/rounds" | median
        done) "$(awk '{ print $2 / $4 }' "$work/rounds" | median)"
    done
}

replaying_mitmproxy() {
    start_mitmproxy --server-replay "$work/flows" --set server_replay_reuse=true --set server_replay_extra=kill
}
replaying_mockserver() { start_mockserver serve "$work/t.cassette.json" --proxy; }
recording_mitmproxy() { start_mitmproxy --ssl-insecure --save-stream-file "$work/new.flows"; }
recording_mockserver() { start_mockserver record --proxy --insecure --out "$work/new.cassette.json"; }

measure_tunnels() {
    local url
    command -v "${MITMDUMP:=mitmdump}" >/dev/null || fail "$MITMDUMP is missing: pip install mitmproxy"
    cc -O2 -pthread -D_GNU_SOURCE -o "$work/tunnels" "$here/tunnels.c" -lssl -lcrypto
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=127.0.0.1 -days 7 \
        -addext "subjectAltName = IP:127.0.0.1" -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null
    cat "$work/key.pem" "$work/certificate.pem" >"$work/leaf.pem"
    tls_port=$(free_port)
    start_nginx tls "$load_core" "$(free_port)" "" "server {
        listen 127.0.0.1:$tls_port ssl; ssl_certificate $work/certificate.pem; ssl_certificate_key $work/key.pem;
        location / { return 200 '$body'; } }"
    url=https://127.0.0.1:$tls_port/api/v1/items/1
    start_mitmproxy --ssl-insecure --save-stream-file "$work/flows"
    curl -sSf --insecure --proxy "http://127.0.0.1:$mitm_port" "$url" >/dev/null && stop "$mitm_pid"
    start_mockserver record --proxy --insecure --out "$work/t.cassette.json"
    curl -sSf --insecure --proxy "http://127.0.0.1:$mock_port" "$url" >/dev/null && stop "$mock_pid"
    echo
    echo "### GETs through CONNECT, $rounds rounds of ${seconds} s each, medians"
    echo
    echo "| | mitmproxy, requests/s | mockserver | mitmproxy, CPU s for 10,000 requests | mockserver | CPU |"
    echo "|---|---:|---:|---:|---:|---:|"
    compare_tunnels replayed /api/v1/items/1 replaying_mitmproxy replaying_mockserver
    compare_tunnels "recorded, another URL each time" /api/v1/items/%ld recording_mitmproxy recording_mockserver
}

for case in ${cases//,/ }; do "measure_$case"; done
