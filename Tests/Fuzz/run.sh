#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes each target for a while: Tests/Fuzz/run.sh [seconds] [target…]
#
# A target NAME is Tests/Fuzz/NAMEFuzz.swift, which defines LLVMFuzzerTestOneInput, and its seeds in
# Tests/Fuzz/Corpus/NAME. What is found goes to .build/fuzz, never to the seeds. Fails on the first crash, with the input
# that caused it.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Of the client, the decoders alone: they import nothing.
streams=Sources/Reprise/Streams
lines="$streams/StreamDecoder.swift $streams/StreamDecodingError.swift $streams/Lines"

# NAME, the longest input worth trying, and what is compiled into the target: files and folders.
targets=(
    "RequestParser 2048 Sources/HTTPWire Tests/Fuzz/InputCuts.swift"
    "ResponseParser 2048 Sources/HTTPWire Tests/Fuzz/InputCuts.swift"
    "ChunkedDecoder 1024 Sources/HTTPWire Tests/Fuzz/InputCuts.swift"
    "CassetteReader 4096 Sources/RepriseFixtures Tests/Fuzz/ReportedPlaces.swift"
    "HARReader 4096 Sources/RepriseFixtures Tests/Fuzz/ReportedPlaces.swift"
    "LineDecoder 1024 $lines Tests/Fuzz/InputCuts.swift"
    "ServerSentEventDecoder 1024 $lines $streams/Events Tests/Fuzz/InputCuts.swift"
)

seconds=${1:-60}
shift || true
output=.build/fuzz
mkdir -p "$output"

build() {
    local name=$1 folders=$2
    # The linker warns about each of the sanitizer's symbols; what the compiler says is shown when it fails.
    # shellcheck disable=SC2046,SC2086
    if ! swiftc -O -wmo -swift-version 6 -sanitize=fuzzer,address -parse-as-library -module-name "${name}Fuzz" \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
        -enable-upcoming-feature MemberImportVisibility \
        $(find $folders -name '*.swift') "Tests/Fuzz/${name}Fuzz.swift" -o "$output/$name" \
        >"$output/$name.log" 2>&1; then
        grep -v "Cannot export local symbol" "$output/$name.log" >&2
        return 1
    fi
}

fuzz() {
    local name=$1 length=$2
    local options=(-max_total_time="$seconds" -max_len="$length" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1)
    options+=(-artifact_prefix="$output/$name-")
    if [ -f "Tests/Fuzz/$name.dict" ]; then options+=(-dict="Tests/Fuzz/$name.dict"); fi
    mkdir -p "$output/corpus/$name"
    if ! "$output/$name" "${options[@]}" "$output/corpus/$name" "Tests/Fuzz/Corpus/$name" >"$output/$name.log" 2>&1; then
        tail -n 40 "$output/$name.log" >&2
        echo "$name: a crash, see above and $output/$name-*" >&2
        return 1
    fi
    echo "$name: $(grep -E 'number_of_executed_units|DONE' "$output/$name.log" | tr -s ' \n' ' ')"
}

for target in "${targets[@]}"; do
    read -r name length folders <<<"$target"
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    build "$name" "$folders"
    fuzz "$name" "$length"
done
