#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Downloads a package with apt from the repository at URL/apt, in a folder of its own: apt.sh URL
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p lists/partial cache/archives/partial
touch status
echo "deb [trusted=yes] $1/apt ./" >sources.list
apt() {
    apt-get -q -o Dir::State::Lists="$folder/lists" -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache" \
        -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=- "$@" >&2
}
apt update
apt download hello
echo "$(apt-get --version | awk 'NR == 1 { print $2 }') $(cat hello_1_all.deb)"
