# SPDX-License-Identifier: Apache-2.0
#
# Functions that the server benchmarks share. Source this file after the options are read. It uses `server_core`,
# `load_core` and `mockserver`, which may be empty. `prepare` sets `work`, a folder that is removed at the end.

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# prepare TOOL…: checks that this machine can run the benchmark, and creates the folder `work`.
prepare() {
    local tool
    PATH=$PATH:/usr/sbin
    [[ $(uname) == Linux ]] || fail "measures with taskset and /proc: Linux only"
    for tool in "$@"; do
        command -v "$tool" >/dev/null || fail "$tool is missing: apt-get install nginx-light wrk curl"
    done
    (($(nproc) > 1)) || fail "needs two cores, one for the server and one for the load"
    ulimit -n "$(ulimit -Hn)"
    work=$(mktemp -d)
}

children=()
cleanup() {
    for pid in "${children[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

build_mockserver() {
    [[ -z $mockserver ]] || return 0
    echo "building mockserver" >&2
    (cd "$root" && swift build -c release --static-swift-stdlib --product mockserver >&2)
    mockserver=$(cd "$root" && swift build -c release --static-swift-stdlib --show-bin-path)/mockserver
}

# --- Servers ----------------------------------------------------------------------------------------------------

free_port() {
    local port
    for _ in {1..100}; do
        port=$((20000 + RANDOM % 10000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo $port && return; }
    done
    fail "no free port"
}

await_port() {
    for _ in {1..200}; do
        (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
        sleep 0.05
    done
    fail "nothing listens on port $1"
}

# start_nginx NAME CORE PORT SERVER [MORE]: starts nginx and sets nginx_pid. SERVER is the content of the `server`
# block, and MORE is placed before that block.
start_nginx() {
    cat >"$work/$1.conf" <<CONF
daemon off;
master_process off;
worker_processes 1;
pid $work/$1.pid;
error_log $work/$1.log;
events { worker_connections 1024; }
http {
    access_log off;
    keepalive_requests 1000000000;
    default_type application/json;
    client_body_temp_path $work; proxy_temp_path $work; fastcgi_temp_path $work;
    uwsgi_temp_path $work; scgi_temp_path $work;
    ${5:-}
    server { listen 127.0.0.1:$3; $4 }
}
CONF
    taskset -c "$2" nginx -c "$work/$1.conf" 2>>"$work/$1.log" &
    nginx_pid=$!
    children+=("$nginx_pid")
    await_port "$3"
}

# start_mockserver ARGUMENT…: starts mockserver and sets mock_pid and mock_port.
start_mockserver() {
    rm -f "$work/port" "$work/ready"
    taskset -c "$server_core" "$mockserver" "$@" --threads 1 --quiet --port 0 --port-file "$work/port" >"$work/ready" &
    mock_pid=$!
    children+=("$mock_pid")
    for _ in {1..1200}; do
        [[ -s $work/ready ]] && mock_port=$(<"$work/port") && return
        kill -0 $mock_pid 2>/dev/null || fail "mockserver did not start"
        sleep 0.05
    done
    fail "mockserver was not ready after a minute"
}

stop() {
    kill "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
}

# --- Numbers ----------------------------------------------------------------------------------------------------

ticks=$(getconf CLK_TCK)
# cpu_us PID: prints the user and system time that a process has used, in microseconds.
cpu_us() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | awk -v t="$ticks" '{ printf "%.0f", ($12 + $13) * 1e6 / t }'; }
status_kib() { awk -v name="$2:" '$1 == name { print $2 }' "/proc/$1/status"; }
median() { sort -n | awk '{ v[NR] = $1 } END { print NR ? (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 : "-" }'; }
