#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Finds out whether the tests notice mistakes: Tests/Mutation/run.sh ROOM SEED COUNT
#
# ROOM is a folder below Sources, such as RepriseTemplates, or several that count as one, such as
# RepriseControl+RepriseServer/Sessions. With commas between rooms, each gets COUNT mistakes, and they are built
# together. The script copies the package and puts the mistakes into the copy, at places that SEED decides: a comparison
# or a number is one off, a condition is negated, a call or an assignment is left out. They are built once, and are made
# one at a time. For each, the suites of the room's test targets run that reach the place, and if these pass, those of
# the targets above. A test that fails, or takes five times as long as without a mistake, catches it. Prints the mistakes
# that no test catches. The first run takes about half an hour for 60 mistakes.
#
# REPRISE_MUTATION_ONLY    Numbers of mistakes to try again, with the tests as they are now. The mistakes are those of
#                          the previous run.
# REPRISE_MUTATION_FOLDER  Where the copy is. The default is .build/mutation.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

(($# == 3)) || { sed -n '4,20s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2 && exit 64; }
IFS=, read -ra rooms <<<"$1"
modules=$(tr ',+' '\n\n' <<<"$1" | cut -d/ -f1 | sort -u)
seed=$2 count=$3 only=${REPRISE_MUTATION_ONLY:-}
copy=${REPRISE_MUTATION_FOLDER:-$PWD/.build/mutation}
mutants=$copy/mutants.tsv reached=$copy/reached
mkdir -p "$copy"
log=$(mktemp) skipped=$(mktemp) stage=$(mktemp -d)
trap 'rm -rf "$log" "$skipped" "$stage"' EXIT
# Brings files of the stage to the copy. Only what differs gets a new date, so that only that is built again.
bring() {
    (cd "$stage" && find "$@" -type f) | while IFS= read -r path; do
        cmp -s "$stage/$path" "$copy/$path" && continue
        mkdir -p "$(dirname "$copy/$path")" && cp -p "$stage/$path" "$copy/$path"
    done
    (cd "$copy" && find "$@" -type f 2>/dev/null || true) | while IFS= read -r path; do
        [[ -e $stage/$path ]] || rm "$copy/$path"
    done
}

fill_stage() {
    rm -rf "${stage:?}"/*
    git ls-files -coz --exclude-standard | while IFS= read -rd '' file; do
        [[ ! -f $file ]] || printf '%s\0' "$file"
    done | tar --null -T - -cf - | tar -xpf - -C "$stage"
    [[ ! -e Package.resolved ]] || cp -p Package.resolved "$stage"
    sed "s/MODULES/$(sed 's/.*/"&",/' <<<"$modules" | tr -d '\n')/" Tests/Mutation/narrow.swift.txt >>"$stage/Package.swift"
}

prepare() {
    fill_stage
    rm -rf "$reached"
    "$mutate" "$stage" "$seed" "$count" "${rooms[@]}" <"$skipped" >"$mutants"
    (cd "$stage" && ls -A) | while IFS= read -r path; do bring "$path"; done
}

build() { nice swift build --build-tests --package-path "$copy" >"$log" 2>&1; }
# Leaves out the lines of the mistakes at, or else before, the errors of the compiler.
skip_errors() {
    local file line before=$(wc -l <"$skipped")
    while IFS=: read -r file line _; do
        cut -f3 "$mutants" | awk -F: -v file="$file" -v line="$line" '$1 == file && $2 <= line { found = $1 ":" $2 }
            END { if (found) print found }' >>"$skipped"
    done < <(grep -oE 'Sources/[^ :]+\.swift:[0-9]+:[0-9]+: error' "$log" | sort -u)
    sort -u -o "$skipped" "$skipped"
    (($(wc -l <"$skipped") > before))
}

if [[ $only ]]; then
    fill_stage
    bring Tests
    build || { grep error: "$log" >&2 && exit 1; }
else
    nice swift build --package-path Tests/Mutation --scratch-path .build/mutate --product Mutate >&2
    mutate=$(swift build --package-path Tests/Mutation --scratch-path .build/mutate --show-bin-path)/Mutate
    prepare
    until build; do
        skip_errors || { tail -n 30 "$log" >&2 && exit 1; }
        prepare
    done
fi
bundle=$(swift build --package-path "$copy" --show-bin-path)/reprisePackageTests.xctest
tests=(swift test --skip-build --package-path "$copy")
[[ ! -f $bundle ]] || tests=("$bundle" --testing-library swift-testing)

# passes NUMBER SECONDS SUITE…: whether the tests of the suites pass with the mistake. The first failure ends them.
passes() {
    local number=$1 end=$((SECONDS + $2)) job filter
    filter="^($(IFS='|' && sed 's/[.()]/\\&/g' <<<"${*:3}"))(/|\$)"
    : >"$log"
    set -m # so that the job can be ended with its children
    (cd "$copy" && REPRISE_MUTANT=$number exec nice "${tests[@]}" --filter "$filter") >"$log" 2>&1 </dev/null &
    job=$!
    set +m
    while kill -0 $job 2>/dev/null && ((SECONDS < end)) && ! grep -q 'recorded an issue' "$log"; do sleep 0.05; done
    kill -KILL -- -$job 2>/dev/null || true
    wait $job 2>/dev/null
}

# Runs each suite once without a mistake, if it did not before: the places that it reaches, and how long it takes.
look() {
    local suite begin
    for suite in "$@"; do
        [[ -e $reached/$suite/seconds ]] && continue
        rm -rf "${reached:?}/$suite" && mkdir -p "$reached/$suite"
        begin=$SECONDS
        REPRISE_MUTANTS_REACHED=$reached/$suite passes 0 900 "$suite" ||
            { rm -rf "${reached:?}/$suite"/* && echo "left out, because it fails without a mistake: $suite" >&2; }
        echo $((SECONDS - begin)) >"$reached/$suite/seconds"
    done
}

# catches NUMBER SUITE…: whether a test of the suites that reach the mistake fails. The quick ones run first.
catches() {
    local number=$1 quick suite seconds chosen time
    for quick in 1 0; do
        chosen=() time=20
        for suite in "${@:2}"; do
            [[ -e $reached/$suite/$number ]] || continue
            seconds=$(<"$reached/$suite/seconds")
            if (((seconds < 3) == quick)); then
                chosen+=("$suite") time=$((time + 5 * seconds))
            fi
        done
        if ((${#chosen[@]})) && ! passes "$number" $time "${chosen[@]}"; then return 0; fi
    done
    return 1
}

list=$("$bundle" --testing-library swift-testing --list-tests 2>/dev/null || swift test list --skip-build --package-path "$copy")
suites=$(sed 's,/.*,,; s/ .*//' <<<"$list" | sort -u)
for room in "${rooms[@]}"; do
    all=0 survivors=()
    targets=$(tr '+' '\n' <<<"$room" | sed 's,/.*,,; s/$/Tests/' | sort -u | paste -sd'|')
    mapfile -t own < <(grep -E "^($targets)\." <<<"$suites")
    mapfile -t above < <(grep -vE "^($targets)\." <<<"$suites")
    [[ ! $only ]] || for suite in "${own[@]}"; do rm -f "$reached/$suite/seconds"; done
    look "${own[@]}"
    while IFS=$'\t' read -r number of place mistake; do
        [[ $of == "$room" && (! $only || " $only " == *" $number "*) ]] || continue
        all=$((all + 1))
        catches "$number" "${own[@]}" || survivors+=("$number: $place $mistake")
        echo "${#survivors[@]} of $all mistakes survive $targets: $number" >&2
    done <"$mutants"
    caught=$((all - ${#survivors[@]}))
    ((caught == all)) || look "${above[@]}"
    for survivor in "${survivors[@]}"; do
        number=${survivor%%:*}
        catches "$number" "${above[@]}" && caught=$((caught + 1)) && continue
        [[ $(find "$reached" -name "$number") ]] && how=survives || how="is never reached"
        echo "$how: $survivor"
    done
    echo "$room, seed $seed: caught $caught of $all"
done
