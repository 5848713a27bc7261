#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes each target for a while: Tests/Fuzz/run.sh [seconds] [target…]
#
# A target NAME is Tests/Fuzz/NAMEFuzz.swift, which defines LLVMFuzzerTestOneInput, and its seeds in
# Tests/Fuzz/Corpus/NAME. What is found goes to .build/fuzz, never to the seeds. Fails on the first crash, with the input
# that caused it.
#
# REPRISE_FUZZ_SEED  The seed of the random search, a positive number. With a seed, a target starts from the seeds in
#                    Tests/Fuzz/Corpus alone, so that it tries the same inputs in the same order each time, as far as
#                    the time allows. `.ci/run` sets it. Without it, each search is different and continues from what
#                    earlier searches found. To look for new crashes, run the script by hand without it.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Of the client, the decoders alone: they import nothing.
streams=Sources/Reprise/Streams
lines="$streams/StreamDecoder.swift $streams/StreamDecodingError.swift $streams/Lines"

# NAME, the longest input worth trying, and what is compiled into the target: files and folders. What it imports is in
# `modules`.
targets=(
    "RequestParser 2048 Tests/Fuzz/InputCuts.swift"
    "ResponseParser 2048 Tests/Fuzz/InputCuts.swift"
    "ChunkedDecoder 1024 Tests/Fuzz/InputCuts.swift"
    "JSONPath 1024 Tests/Fuzz/InputCuts.swift"
    "Template 512 Tests/Fuzz/InputCuts.swift"
    "CassetteReader 4096 Tests/Fuzz/ReportedPlaces.swift"
    "HARReader 4096 Tests/Fuzz/ReportedPlaces.swift"
    "StubMatcher 1024 Tests/Fuzz/InputCuts.swift"
    "StubMappingReader 4096 Tests/Fuzz/ReportedPlaces.swift"
    "AdminModel 2048 Tests/Fuzz/InputCuts.swift"
    "BodyRedactor 1024 Tests/Fuzz/InputCuts.swift"
    "PlainEvents 512 Tests/Fuzz/InputCuts.swift"
    "DecodedViews 1024 Tests/Fuzz/InputCuts.swift"
    "LineDecoder 1024 $lines Tests/Fuzz/InputCuts.swift"
    "ServerSentEventDecoder 1024 $lines $streams/Events Tests/Fuzz/InputCuts.swift"
)

seconds=${1:-60}
shift || true
output=.build/fuzz
mkdir -p "$output"

# What is fuzzed, and what that stands on, in the order in which they import one another.
modules=(RepriseLocking RepriseStorage RepriseText RepriseDocuments RepriseQueries RepriseContentCoding RepriseHashing RepriseWire RepriseCassettes
    RepriseStubs RepriseMatching RepriseAnswers RepriseRedaction RepriseAdmin RepriseTemplates RepriseStubAnswers RepriseFixtures)

compile() {
    swiftc -O -wmo -swift-version 6 -sanitize=fuzzer,address -parse-as-library -package-name reprise \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
        -enable-upcoming-feature MemberImportVisibility -enable-experimental-feature Lifetimes \
        -I "$output" -I Sources/CRepriseZlib -I Sources/CRepriseOpenSSL "$@"
}

module() {
    local name=$1 files
    # Without what needs packages of others: the reading of rules, and what stands on it.
    files=$(find "Sources/$name" -name '*.swift' ! -name 'RedactionFile*' ! -name 'SecretCheck.swift' ! -name 'AnswerCheck.swift')
    # shellcheck disable=SC2086
    if ! compile -enable-testing -module-name "$name" -emit-module -emit-module-path "$output/$name.swiftmodule" -emit-object $files \
        -o "$output/$name.o" >"$output/$name.log" 2>&1; then
        cat "$output/$name.log" >&2
        return 1
    fi
}

build() {
    local name=$1 folders=$2
    # The linker warns about each of the sanitizer's symbols; what the compiler says is shown when it fails.
    # shellcheck disable=SC2046,SC2086
    if ! compile -module-name "${name}Fuzz" "${objects[@]}" $(find $folders -name '*.swift') \
        "Tests/Fuzz/${name}Fuzz.swift" -o "$output/$name" >"$output/$name.log" 2>&1; then
        grep -v "Cannot export local symbol" "$output/$name.log" >&2
        return 1
    fi
}

fuzz() {
    local name=$1 length=$2
    local options=(-max_total_time="$seconds" -max_len="$length" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1)
    options+=(-artifact_prefix="$output/$name-")
    if [ -f "Tests/Fuzz/$name.dict" ]; then options+=(-dict="Tests/Fuzz/$name.dict"); fi
    local corpora=("Tests/Fuzz/Corpus/$name")
    if [ -n "${REPRISE_FUZZ_SEED:-}" ]; then
        options+=(-seed="$REPRISE_FUZZ_SEED")
        # The first folder takes the new inputs.
        rm -rf "$output/seeded/$name"
        mkdir -p "$output/seeded/$name"
        corpora=("$output/seeded/$name" "${corpora[@]}")
    else
        mkdir -p "$output/corpus/$name"
        corpora=("$output/corpus/$name" "${corpora[@]}")
    fi
    if ! "$output/$name" "${options[@]}" "${corpora[@]}" >"$output/$name.log" 2>&1; then
        tail -n 40 "$output/$name.log" >&2
        echo "$name: a crash, see above and $output/$name-*" >&2
        return 1
    fi
    echo "$name: $(grep -E 'number_of_executed_units|DONE' "$output/$name.log" | tr -s ' \n' ' ')"
}

objects=()
for name in "${modules[@]}"; do
    module "$name"
    objects+=("$output/$name.o")
done
for target in "${targets[@]}"; do
    read -r name length folders <<<"$target"
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    build "$name" "$folders"
    fuzz "$name" "$length"
done
