#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the runtime tree of docker/Dockerfile without a Docker engine, with debootstrap and chroot, and proves that the
# server starts and serves there with the packages of docker/runtime-packages alone. Run as root, on Debian or Ubuntu:
#
#   docker/verify.sh [--keep] [FOLDER]
#
# FOLDER     where the tree is made, and kept for the next run with --keep (a temporary folder)
# DEBIAN_MIRROR   where debootstrap gets packages (http://deb.debian.org/debian)
# MOCKSERVER      a release binary to try, linked with --static-swift-stdlib (built here if it is not set)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

keep=
if [[ ${1:-} == --keep ]]; then
    keep=1
    shift
fi
root=${1:-$(mktemp -d)}
release=$(sed -n 's/^ARG DEBIAN_RELEASE=//p' docker/Dockerfile)
user=$(sed -n 's/^USER //p' docker/Dockerfile)
mapfile -t packages <docker/runtime-packages
server=

fail() {
    echo "verify: $*" >&2
    exit 1
}

finish() {
    [[ $server ]] && kill "$server" 2>/dev/null && wait "$server" || true
    if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
    # Never into what is mounted there.
    [[ $keep ]] || rm -rf --one-file-system "$root"
}
trap finish EXIT

((EUID == 0)) || fail "run as root: chroot and debootstrap need it"
for tool in debootstrap curl; do
    command -v "$tool" >/dev/null || fail "$tool is missing: apt-get install $tool"
done

echo "== build"
if [[ -z ${MOCKSERVER:-} ]]; then
    swift build -c release --product mockserver --static-swift-stdlib
    MOCKSERVER=.build/release/mockserver
fi

echo "== $release with ${packages[*]}"
mkdir -p "$root"
chmod 755 "$root"
# As debian:*-slim: what is essential, and apt.
if ! [[ -e $root/etc/debian_version ]]; then
    log=$(mktemp)
    debootstrap --variant=minbase --include="$(IFS=, && echo "${packages[*]}")" "$release" "$root" \
        "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$log" 2>&1 || { tail -n 20 "$log" && fail "debootstrap failed"; }
    rm -f "$log"
fi
install -s "$MOCKSERVER" "$root/usr/local/bin/mockserver"
mkdir -p "$root/fixtures"
cp -R Fixtures/. "$root/fixtures/"

# Every container has it, and Swift reads a command's arguments from there.
mkdir -p "$root/proc"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"

# As the image runs a command; variables may stand before it.
in_image=(chroot --userspec="$user" "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin)

echo "== shared libraries"
libraries=$(chroot "$root" ldd /usr/local/bin/mockserver)
echo "$libraries"
if grep -q 'not found' <<<"$libraries"; then fail "a library is missing: name its package in docker/runtime-packages"; fi
# Each is there because a package of the list brings it, not by the way.
while read -r path; do
    path=$(chroot "$root" readlink -f "$path")
    # Debian's packages name files below /lib or /usr/lib, which are one place.
    owner=$({ chroot "$root" dpkg -S "${path#/usr}" "$path" 2>/dev/null || true; } | sed -n '1s/:.*//p')
    case $owner in
        # Essential in every Debian.
        libc6) ;;
        *) printf '%s\n' "${packages[@]}" | grep -qx "$owner" || fail "$path is of $owner, which is not listed" ;;
    esac
done < <(sed -nE 's/^.* => (\/[^ ]+).*/\1/p' <<<"$libraries")

echo "== serve"
"${in_image[@]}" MOCKSERVER_HOST=0.0.0.0 MOCKSERVER_PORT=0 mockserver serve /fixtures >"$root/ready" 2>"$root/log" &
server=$!
for _ in $(seq 100); do
    grep -q '^mockserver listening on ' "$root/ready" && break
    kill -0 "$server" 2>/dev/null || { cat "$root/log" && fail "the server ended"; }
    sleep 0.1
done
cat "$root/ready"
port=$(sed -nE 's/^mockserver listening on [^ ]*:([0-9]+).*/\1/p' "$root/ready")
[[ $port ]] || fail "the server did not get ready"
[[ $(stat -c %u "/proc/$server") == "${user%%:*}" ]] || fail "the server does not run as $user"

get() { curl --fail --silent --show-error --max-time 20 "http://127.0.0.1:$port$1"; }
get '/v1/books?page=1&genre=travel' | grep -q 'The Lighthouse Atlas' || fail "the recorded books did not come"
echo "GET /v1/books?page=1&genre=travel: ok"
"${in_image[@]}" MOCKSERVER_HOST=0.0.0.0 MOCKSERVER_PORT="$port" mockserver health || fail "the health check failed"
kill -TERM "$server"
wait "$server" || fail "the server ended with $?"
server=
if "${in_image[@]}" MOCKSERVER_PORT="$port" mockserver health 2>/dev/null; then fail "the health check finds a server that is gone"; fi
echo "health: ok; SIGTERM: ok"
"${in_image[@]}" mockserver check /fixtures
du -shx --exclude=fixtures "$root" | sed 's/\t.*/ in all/'
echo "verified"
