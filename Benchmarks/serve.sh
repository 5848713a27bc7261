#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares mockserver, run as a user would run it, with nginx, in alternating runs on the same machine. Prints Markdown.
# Requires Linux, Swift, and `apt-get install nginx-light wrk`.
set -euo pipefail
export LC_ALL=C

usage() {
    cat <<'TEXT'
usage: Benchmarks/serve.sh [--quick] [--only CASE[,CASE]] [--mockserver PATH] [--rounds N] [--seconds S]
                           [--server-core N] [--load-core N] [--peers]

  replies   requests/s and CPU per request against nginx `return 200`, pair by pair:
            10, 10,000 and 100,000 fixtures; one path, all paths in turn, misses
  start     time from exec to the ready line with 10 to 100,000 fixtures
  memory    resident memory after a million requests
  body      resident memory while a 1 GiB body goes to a fast and to a slow reader
  readers   resident memory while 300 clients have requested a body of 8 MiB and do not read it
  streams   10,000 paced streams at once, and how far each chunk was off its time
  edits     CPU of 10,000 recorded streams that are edited, against as many that are played as recorded
  peers     with WIREMOCK_JAR=/path/to/standalone.jar: WireMock beside the same nginx (also --peers)

Every case but `peers` runs unless --only names some. --quick is for a look, not for numbers to publish.
--mockserver takes a release build from elsewhere instead of building one.
TEXT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
cases=replies,start,memory,body,readers,streams,edits
rounds=5 seconds=5 starts=20 sizes=(10 10000 100000) million=1000000
server_core=0 load_core=1 mockserver=""
while (($#)); do
    case $1 in
    --quick) rounds=3 seconds=2 starts=5 sizes=(10 100000) million=200000 ;;
    --only) cases=$2 && shift ;;
    --mockserver) mockserver=$(realpath "$2") && shift ;;
    --rounds) rounds=$2 && shift ;;
    --seconds) seconds=$2 && shift ;;
    --server-core) server_core=$2 && shift ;;
    --load-core) load_core=$2 && shift ;;
    --peers) cases+=,peers ;;
    *) usage && exit 64 ;;
    esac
    shift
done

source "$here/servers.sh"
prepare nginx wrk

wants() { [[ ,$cases, == *,$1,* ]]; }
note() { echo "$*" >&2; }

# --- What is measured -------------------------------------------------------------------------------------------

build() {
    build_mockserver
    if wants streams || wants edits; then
        note "building StreamLoad"
        swift build -c release --package-path "$here" --product StreamLoad >&2
        stream_load=$(swift build -c release --package-path "$here" --show-bin-path)/StreamLoad
    fi
}

# body_of NUMBER: prints the body of a reply, 76 bytes. All servers send the same header lines and number of bytes.
body_of() { printf '{"id":"%06d","name":"A small reply, as static fixtures give it","ok":true}' "$1"; }

# fixtures DIR COUNT: writes cassettes of at most 10,000 exchanges, with the paths /api/v1/items/0 to COUNT - 1.
fixtures() {
    mkdir -p "$1"
    awk -v dir="$1" -v count="$2" '
        function finish() { if (file) { print "\n  ]\n}" > file; close(file) } }
        BEGIN {
            for (i = 0; i < count; i++) {
                if (i % 10000 == 0) {
                    finish()
                    file = sprintf("%s/items-%02d.cassette.json", dir, i / 10000)
                    printf "{\n  \"reprise\": 1,\n  \"exchanges\": [\n" > file
                } else printf ",\n" > file
                printf "    {\n      \"request\": {\n        \"method\": \"GET\",\n" > file
                printf "        \"url\": \"https://api.example.com/api/v1/items/%d\",\n", i > file
                printf "        \"headers\": [\"Accept: application/json\"]\n      },\n" > file
                printf "      \"response\": {\n        \"status\": \"200 OK\",\n        \"headers\": [\n" > file
                printf "          \"Server: nginx/1.22.1\",\n" > file
                printf "          \"Date: Sat, 21 Nov 2026 09:00:00 GMT\",\n" > file
                printf "          \"Content-Type: application/json\",\n          \"Content-Length: 76\",\n" > file
                printf "          \"Connection: keep-alive\"\n        ],\n        \"body\": {\"json\": " > file
                printf "{\"id\":\"%06d\",\"name\":\"A small reply, as static fixtures give it\",\"ok\":true}", i > file
                printf "}\n      }\n    }" > file
            }
            finish()
        }'
}

# stream_fixture DIR: writes a cassette for GET /stream with 16 events of 512 bytes, 250 ms apart.
stream_fixture() {
    mkdir -p "$1"
    awk -v file="$1/stream.cassette.json" 'BEGIN {
        for (i = 0; i < 504; i++) text = text "x"
        printf "{\"reprise\": 1, \"exchanges\": [{\n" > file
        printf "  \"request\": {\"method\": \"GET\", \"url\": \"https://api.example.com/stream\"},\n" > file
        printf "  \"response\": {\"status\": \"200 OK\", \"headers\": [\"Content-Type: text/event-stream\", " > file
        printf "\"Transfer-Encoding: chunked\"], \"stream\": [\n" > file
        for (i = 0; i < 16; i++) printf "    {\"after\": 250, \"text\": \"data: %s\\n\\n\"},\n", text > file
        printf "    {\"after\": 0, \"end\": \"complete\"}\n  ]}\n}]}\n" > file
    }'
}

# edited_fixtures DIR: writes three cassettes whose streams have the same 16 chunks at the same times, once --bend has
# removed the ninth event of GET /shortened, and the mapping for GET /extended has inserted one.
edited_fixtures() {
    mkdir -p "$1"
    awk -v dir="$1" '
        function event(name, after, i) {
            printf "    {\"after\": %d, \"text\": \"data: %s\\n\\n\"},\n", after, text > name
        }
        function cassette(path, count, extra, name, i) {
            name = dir "/" path ".cassette.json"
            printf "{\"reprise\": 1, \"exchanges\": [{\n" > name
            printf "  \"request\": {\"method\": \"GET\", \"url\": \"https://api.example.com/%s\"},\n", path > name
            printf "  \"response\": {\"status\": \"200 OK\", \"headers\": [\"Content-Type: text/event-stream\", " > name
            printf "\"Transfer-Encoding: chunked\"], \"stream\": [\n" > name
            for (i = 1; i <= count; i++) {
                event(name, 250)
                if (i == extra) event(name, 0)
            }
            printf "    {\"after\": 0, \"end\": \"complete\"}\n  ]}\n}]}\n" > name
        }
        BEGIN {
            for (i = 0; i < 504; i++) text = text "x"
            cassette("recorded", 16, 0)
            cassette("shortened", 16, 8)
            cassette("short", 15, 0)
            name = dir "/extended.stub.json"
            printf "{\"request\": {\"method\": \"GET\", \"url\": \"/extended\"}, \"response\": {" > name
            printf "\"recorded\": \"short.cassette.json#1\", \"bend\": [{\"afterEvent\": 8, \"delay\": 250}, " > name
            printf "{\"afterEvent\": 8, \"insert\": \"data: %s\\n\\n\"}]}}\n", text > name
        }'
}

# --- Servers ----------------------------------------------------------------------------------------------------

start_plain_nginx() {
    nginx_port=$(free_port)
    start_nginx nginx "$server_core" "$nginx_port" "location / { return 200 '$(body_of 0)'; }"
}

alive() {
    kill -0 "$1" 2>/dev/null && return
    wait "$1" || fail "a server ended by itself with status $?"
}

# --- Measures ---------------------------------------------------------------------------------------------------

mib() { awk -v kib="$1" 'BEGIN { printf "%.1f", kib / 1024 }'; }
thousands() { printf '%.0f' "$1" | sed -E ':a; s/^([0-9]+)([0-9]{3})/\1,\2/; ta'; }

# drive PID PORT EXPECTED TARGET [COUNT]: runs wrk once and prints requests/s and CPU microseconds per request. TARGET
# is a path or, with COUNT, a format string for that many paths. EXPECTED is 2xx or 404.
drive() {
    local pid=$1 port=$2 expected=$3 target=$4 count=${5:-} before after output url
    url=http://127.0.0.1:$port
    before=$(cpu_us "$pid")
    if [[ $count ]]; then
        output=$(taskset -c "$load_core" wrk -t1 -c32 -d"${seconds}s" -s "$here/wrk/paths.lua" "$url" -- "$target" "$count")
    else
        output=$(taskset -c "$load_core" wrk -t1 -c32 -d"${seconds}s" "$url$target")
    fi
    after=$(cpu_us "$pid")
    awk -v cpu=$((after - before)) -v expected="$expected" '
        /requests in/ { requests = $1 }
        /^Requests\/sec/ { rate = $2 }
        /Socket errors/ { bad = $0 }
        /Non-2xx/ { other = $NF }
        END {
            if (bad) { print "wrk: " bad > "/dev/stderr"; exit 1 }
            if ((expected == "2xx") != (other + 0 == 0)) {
                print "wrk: " other + 0 " of " requests " replies were not " expected > "/dev/stderr"; exit 1
            }
            printf "%.0f %.3f\n", rate, cpu / requests
        }' <<<"$output"
}

measure_replies() {
    local size name round pid port mock nginx rows=()
    declare -A pids ports
    start_plain_nginx
    for size in "${sizes[@]}"; do
        fixtures "$work/items-$size" "$size"
        start_mockserver "$work/items-$size"
        pids[$size]=$mock_pid ports[$size]=$mock_port
        for name in one all miss; do rows+=("$size $name"); done
    done
    for ((round = 1; round <= rounds; round++)); do
        for row in "${rows[@]}"; do
            read -r size name <<<"$row"
            pid=${pids[$size]} port=${ports[$size]}
            nginx=$(drive "$nginx_pid" "$nginx_port" 2xx /api/v1/items/0)
            alive "$pid"
            case $name in
            one) mock=$(drive "$pid" "$port" 2xx "/api/v1/items/$((size / 2))") ;;
            all) mock=$(drive "$pid" "$port" 2xx "/api/v1/items/%d" "$size") ;;
            miss) mock=$(drive "$pid" "$port" 404 "/api/v1/items/none-%d" 1000) ;;
            esac
            note "round $round, $size fixtures, $name: nginx $nginx, mockserver $mock (requests/s, us)"
            echo "$nginx $mock" >>"$work/$size-$name.pairs"
        done
    done
    echo
    echo "### Replies: CPU per request, $rounds pairs of ${seconds} s each, medians"
    echo
    echo "| request | fixtures | nginx requests/s | mockserver requests/s | nginx us | mockserver us | ratio (range) | to a hit at ${sizes[0]} |"
    echo "|---|---:|---:|---:|---:|---:|---:|---:|"
    for name in one all miss; do
        for size in "${sizes[@]}"; do reply_row "$size" "$name"; done
    done
    echo
    echo "Resident with $(thousands "${sizes[-1]}") fixtures: $(mib "$(status_kib "${pids[${sizes[-1]}]}" VmRSS)") MiB."
    for pid in "${pids[@]}" "$nginx_pid"; do stop "$pid"; done
}

reply_row() {
    local size=$1 name=$2 pairs=$work/$1-$2.pairs ratios label
    case $name in
    one) label="hit, one path" ;;
    all) label="hit, every path in turn" ;;
    miss) label="miss" ;;
    esac
    ratios=$(awk '{ printf "%.3f\n", $4 / $2 }' "$pairs" | sort -n)
    printf '| %s | %s | %s | %s | %.2f | %.2f | %.2f (%.2f to %.2f) | %.2f |\n' "$label" "$(thousands "$size")" \
        "$(thousands "$(column 1 "$pairs")")" "$(thousands "$(column 3 "$pairs")")" "$(column 2 "$pairs")" "$(column 4 "$pairs")" \
        "$(median <<<"$ratios")" "$(head -1 <<<"$ratios")" "$(tail -1 <<<"$ratios")" \
        "$(paste -d' ' "$pairs" "$work/${sizes[0]}-one.pairs" |
            awk '{ printf "%.3f\n", ($4 / $2) / ($8 / $6) }' | median)"
}

# column N FILE: prints the median of column N.
column() { awk -v c="$1" '{ print $c }' "$2" | median; }

measure_start() {
    local size run line begin end ready
    echo
    echo "### Start: exec to ready line, median of $starts"
    echo
    echo "| fixtures | cassettes | milliseconds | MB/s of cassette |"
    echo "|---:|---:|---:|---:|"
    for size in 10 100 10000 100000; do
        [[ -d $work/items-$size ]] || fixtures "$work/items-$size" "$size"
        rm -f "$work/start"
        for ((run = 0; run < starts; run++)); do
            begin=$EPOCHREALTIME
            exec {ready}< <(exec "$mockserver" "$work/items-$size" --threads 1 --quiet --port 0)
            mock_pid=$!
            read -r line <&"$ready" || fail "no ready line"
            end=$EPOCHREALTIME
            exec {ready}<&-
            stop "$mock_pid"
            echo $(((${end/./} - ${begin/./}))) >>"$work/start"
        done
        awk -v us="$(median <"$work/start")" -v bytes="$(cat "$work/items-$size"/* | wc -c)" \
            -v size="$(thousands "$size")" -v files="$(ls "$work/items-$size" | wc -l)" \
            'BEGIN { printf "| %s | %d | %.1f | %.0f |\n", size, files, us / 1000, bytes / us }'
    done
}

measure_memory() {
    local done=0 output
    [[ -d $work/items-10 ]] || fixtures "$work/items-10" 10
    start_mockserver "$work/items-10"
    while ((done < million)); do
        output=$(taskset -c "$load_core" wrk -t1 -c32 -d5s -s "$here/wrk/paths.lua" \
            "http://127.0.0.1:$mock_port" -- "/api/v1/items/%d" 10)
        done=$((done + $(awk '/requests in/ { print $1 }' <<<"$output")))
    done
    echo
    echo "### Resident memory: 10 fixtures, journal on, after $(thousands $done) requests"
    echo
    echo "$(mib "$(status_kib "$mock_pid" VmRSS)") MiB, at most $(mib "$(status_kib "$mock_pid" VmHWM)") MiB."
    stop "$mock_pid"
}

# fetch PORT PATH: sends a request and prints everything received until the server closes the connection.
fetch() {
    exec 3<>"/dev/tcp/127.0.0.1/$1"
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$2" >&3
    cat <&3
    exec 3<&-
}

# Reads standard input slowly, with a pause after each MiB, and prints the number of bytes.
slowly() {
    local count total=0
    while count=$(dd bs=1M count=1 iflag=fullblock status=none | wc -c) && ((count)); do
        total=$((total + count))
        sleep 0.01
    done
    echo $total
}

measure_body() {
    local size=$((1 << 30)) begin end count reader
    mkdir -p "$work/body"
    # The file is not sparse, so that it is stored on the disk like a real one.
    head -c $size /dev/zero >"$work/body/big.get.bin"
    echo
    echo "### A 1 GiB body file"
    echo
    echo "| reader | seconds | resident, at most MiB |"
    echo "|---|---:|---:|"
    for reader in fast slow; do
        start_mockserver "$work/body"
        begin=$EPOCHREALTIME
        if [[ $reader == fast ]]; then
            count=$(fetch "$mock_port" /big | wc -c)
        else
            count=$(fetch "$mock_port" /big | slowly)
        fi
        end=$EPOCHREALTIME
        ((count > size)) || fail "of a 1 GiB body $count bytes came, head included"
        awk -v reader=$reader -v us=$(((${end/./} - ${begin/./}))) -v hwm="$(status_kib "$mock_pid" VmHWM)" \
            'BEGIN { printf "| %s | %.1f | %.1f |\n", reader, us / 1e6, hwm / 1024 }'
        stop "$mock_pid"
    done
    rm -rf "$work/body"
}

# Opens 300 connections that request a body and do not read it, and prints the memory that the server then uses.
# $1: the label; $2: the request line; further arguments: header lines.
readers_row() {
    local label=$1 before fd fds=() line
    shift
    before=$(status_kib "$mock_pid" VmRSS)
    for _ in {1..300}; do
        exec {fd}<>"/dev/tcp/127.0.0.1/$mock_port"
        printf '%s\r\n' "$@" "" >&"$fd"
        fds+=("$fd")
    done
    # A reader's first line shows that its request was answered.
    for fd in "${fds[@]}"; do
        read -r line <&"$fd"
        [[ $line == "HTTP/1.1 200 OK"* ]] || fail "expected 200 OK, found $line"
    done
    printf '| %s | %s | %s | %s |\n' "$label" "$(mib "$before")" "$(mib "$(status_kib "$mock_pid" VmRSS)")" \
        "$(ls "/proc/$mock_pid/fd" | wc -l)"
    for fd in "${fds[@]}"; do exec {fd}>&-; done
}

measure_readers() {
    local target
    mkdir -p "$work/readers"
    head -c $((8 << 20)) /dev/zero | tr '\0' x >"$work/readers/file.get.bin"
    # More than the system buffers for a connection, once as a text and once as 8,192 chunks.
    awk -v file="$work/readers/memory.cassette.json" 'BEGIN {
        text = "x"
        while (length(text) < 1024) text = text text
        printf "{\"reprise\": 1, \"exchanges\": [{\n" > file
        printf "  \"request\": {\"method\": \"GET\", \"url\": \"https://api.example.com/text\"},\n" > file
        printf "  \"response\": {\"status\": \"200 OK\", \"headers\": [\"Content-Length: 8388608\"], " > file
        printf "\"body\": {\"text\": \"" > file
        for (i = 0; i < 8192; i++) printf "%s", text > file
        printf "\"}}\n}, {\n" > file
        printf "  \"request\": {\"method\": \"GET\", \"url\": \"https://api.example.com/chunks\"},\n" > file
        printf "  \"response\": {\"status\": \"200 OK\", \"headers\": [\"Transfer-Encoding: chunked\"], " > file
        printf "\"stream\": [\n" > file
        for (i = 0; i < 8192; i++) printf "    {\"text\": \"%s\"},\n", text > file
        printf "    {\"end\": \"complete\"}\n  ]}\n}]}\n" > file
    }'
    echo
    echo "### 300 readers of a body of 8 MiB that do not read"
    echo
    echo "| body, request | resident before, MiB | with the readers, MiB | descriptors |"
    echo "|---|---:|---:|---:|"
    for target in /text /chunks /file; do
        start_mockserver "$work/readers" --cors
        readers_row "$target, keep-alive" "GET $target HTTP/1.1" "Host: x"
        readers_row "$target, Connection: close" "GET $target HTTP/1.1" "Host: x" "Connection: close"
        readers_row "$target, HTTP/1.0" "GET $target HTTP/1.0"
        readers_row "$target, --cors with an origin" "GET $target HTTP/1.1" "Host: x" "Origin: http://localhost:3000"
        stop "$mock_pid"
    done
}

measure_streams() {
    local spread before
    stream_fixture "$work/stream"
    start_mockserver "$work/stream"
    echo
    echo "### 10,000 paced streams at once: 16 chunks of 512 bytes, 250 ms apart, one loop"
    for spread in 1000 0; do
        echo
        if ((spread)); then echo "Requests spread over 1 s:"; else echo "All requests at once:"; fi
        echo
        echo '```'
        before=$(cpu_us "$mock_pid")
        taskset -c "$load_core" "$stream_load" --port "$mock_port" --path /stream --connections 10000 \
            --chunks 16 --bytes 512 --interval-ms 250 --spread-ms $spread || true
        echo "server     $((($(cpu_us "$mock_pid") - before) / 160000)) us of CPU per chunk, connections included"
        echo '```'
    done
    echo
    echo "Resident: $(mib "$(status_kib "$mock_pid" VmRSS)") MiB, at most $(mib "$(status_kib "$mock_pid" VmHWM)") MiB."
    stop "$mock_pid"
}

# Prints the CPU microseconds that the server needs for a chunk of 10,000 streams of a path.
chunk_us() {
    local before
    before=$(cpu_us "$mock_pid")
    taskset -c "$load_core" "$stream_load" --port "$mock_port" --path "$1" --connections 10000 --chunks 16 --bytes 512 \
        --interval-ms 250 >"$work/load" || fail "not every stream of $1 was complete: $(<"$work/load")"
    grep -q ' 0 of another size' "$work/load" || fail "expected chunks of 512 bytes: $(<"$work/load")"
    awk -v us=$(($(cpu_us "$mock_pid") - before)) 'BEGIN { printf "%.3f\n", us / 160000 }'
}

measure_edits() {
    local round path
    edited_fixtures "$work/edits"
    start_mockserver "$work/edits" --bend 'GET /shortened event 9: drop'
    chunk_us /recorded >/dev/null
    for ((round = 1; round <= rounds; round++)); do
        for path in recorded shortened extended; do chunk_us "/$path" >>"$work/edits-$path"; done
        note "round $round, us per chunk: $(tail -qn 1 "$work"/edits-{recorded,shortened,extended} | tr '\n' ' ')"
    done
    stop "$mock_pid"
    echo
    echo "### Edited streams: CPU per chunk of 10,000 streams at once, $rounds rounds, medians"
    echo
    echo "| stream | us per chunk | ratio (range) |"
    echo "|---|---:|---:|"
    for path in recorded shortened extended; do
        paste -d' ' "$work/edits-recorded" "$work/edits-$path" | awk '{ printf "%.3f\n", $2 / $1 }' | sort -n >"$work/ratios"
        case $path in
        recorded) echo "| as recorded | $(median <"$work/edits-$path") | |" ;;
        *)
            printf '| %s | %s | %.2f (%.2f to %.2f) |\n' \
                "$([[ $path == shortened ]] && echo "without an event, by --bend" || echo "with one more event, by a stub mapping")" \
                "$(median <"$work/edits-$path")" "$(median <"$work/ratios")" \
                "$(head -1 "$work/ratios")" "$(tail -1 "$work/ratios")"
            ;;
        esac
    done
}

measure_peers() {
    local size round port pid nginx peer pairs
    if [[ -z ${WIREMOCK_JAR:-} ]]; then
        note "peers: set WIREMOCK_JAR to WireMock's standalone jar"
        return
    fi
    start_plain_nginx
    echo
    echo "### WireMock ($(basename "$WIREMOCK_JAR")), request journal off"
    echo
    echo "| stubs | nginx requests/s | requests/s | nginx us | us | ratio | resident MiB |"
    echo "|---:|---:|---:|---:|---:|---:|---:|"
    for size in 10 5000; do
        pairs=$work/$size-wiremock.pairs
        mkdir -p "$work/wiremock-$size/mappings"
        awk -v count=$size 'BEGIN {
            printf "{\"mappings\": ["
            for (i = 0; i < count; i++) {
                printf "%s\n{\"request\": {\"method\": \"GET\", \"url\": \"/api/v1/items/%d\"}, ", i ? "," : "", i
                printf "\"response\": {\"status\": 200, \"headers\": {\"Content-Type\": \"application/json\"}, "
                printf "\"jsonBody\": {\"id\": \"%06d\", \"name\": \"A small reply, as static fixtures give it\", ", i
                printf "\"ok\": true}}}"
            }
            print "]}"
        }' >"$work/wiremock-$size/mappings/items.json"
        port=$(free_port)
        taskset -c "$server_core" java -jar "$WIREMOCK_JAR" --port "$port" --root-dir "$work/wiremock-$size" \
            --no-request-journal --disable-banner >/dev/null 2>&1 &
        pid=$!
        children+=("$pid")
        await_port "$port"
        # Warm up Java's just-in-time compiler with a run that is not counted.
        drive "$pid" "$port" 2xx /api/v1/items/$((size / 2)) >/dev/null
        for ((round = 1; round <= rounds; round++)); do
            nginx=$(drive "$nginx_pid" "$nginx_port" 2xx /api/v1/items/0)
            peer=$(drive "$pid" "$port" 2xx /api/v1/items/$((size / 2)))
            note "round $round, WireMock with $size stubs: nginx $nginx, WireMock $peer (requests/s, us)"
            echo "$nginx $peer" >>"$pairs"
        done
        printf '| %s | %s | %s | %.2f | %.2f | %.1f | %s |\n' "$(thousands $size)" \
            "$(thousands "$(column 1 "$pairs")")" "$(thousands "$(column 3 "$pairs")")" "$(column 2 "$pairs")" "$(column 4 "$pairs")" \
            "$(awk '{ print $4 / $2 }' "$pairs" | median)" "$(mib "$(status_kib "$pid" VmHWM)")"
        stop "$pid"
    done
    stop "$nginx_pid"
}

build
echo "$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores, Linux $(uname -r)," \
    "$(nginx -v 2>&1 | sed 's/.*: //'), $(wrk -v 2>&1 | awk '/^wrk/ { print $1, $2; exit }')," \
    "server on core $server_core, load on core $load_core"
for case in replies start memory body readers streams edits peers; do
    if wants $case; then "measure_$case"; fi
done
