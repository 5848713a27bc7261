#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares mockserver with WireMock 2.35.1: Tests/WireMock/run.sh [--mockserver BINARY] [option…]
#
# Both serve the folders in Tests/WireMock/corpus and answer the same requests. Fails for a difference that
# expected-differences.json does not list. The other options are those of compare.py, property.py (after `property`) and
# compare-cpu.py (after `cpu`):
#
#     Tests/WireMock/run.sh --only matrix          one folder
#     Tests/WireMock/run.sh --dump answers.json    WireMock alone; writes its answers to a file
#     Tests/WireMock/run.sh property --seed 7      random mappings and requests
#     Tests/WireMock/run.sh cpu                    CPU time per request
#     Tests/WireMock/run.sh admin                  the endpoints below /__admin
#     Tests/WireMock/run.sh client                 WireMock's Python client; needs the Python package requests
#     Tests/WireMock/run.sh java-client            WireMock's Java client; needs a JDK
#
# REPRISE_WIREMOCK_CACHE    The folder for WireMock's jar, from the wheel of its Python client. The default is a folder
#                           in the system's temporary folder.
#
# Without Java, Python, or a way to download the jar, it prints the reason and succeeds.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/../.."

cache=${REPRISE_WIREMOCK_CACHE:-${TMPDIR:-/tmp}/reprise-wiremock}
jar=$cache/wiremock-standalone-2.35.1.jar
tests=Tests/WireMock

leave_out() {
    echo "$1 The comparison with WireMock was left out."
    exit 0
}

java -version >/dev/null 2>&1 || leave_out "Java is missing."
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || leave_out "Python 3.9 or later is missing."

download() {
    mkdir -p "$cache" &&
        cat >"$cache/requirements.txt" <<'END' &&
wiremock==2.7.0 --hash=sha256:11b3f5fd12dcede9084c6f0e900a08fd7c29c0d31b80d4c5d081671a52d46d55
END
        python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$cache" \
            --requirement "$cache/requirements.txt" &&
        python3 - "$cache" <<'END'
import pathlib, sys, zipfile

cache = pathlib.Path(sys.argv[1])
name = "wiremock-standalone-2.35.1.jar"
with zipfile.ZipFile(cache / "wiremock-2.7.0-py3-none-any.whl") as wheel:
    part = cache / f"{name}.part"
    part.write_bytes(wheel.read(f"wiremock/server/{name}"))
    part.rename(cache / name)
END
}

[[ -e $jar ]] || download || leave_out "pip cannot download WireMock's jar."

script=compare.py
case ${1:-} in
    property) script=property.py && shift ;;
    cpu) script=compare-cpu.py && shift ;;
    admin) script=admin.py && shift ;;
    client) script=client.py && shift ;;
    java-client)
        javac -version >/dev/null 2>&1 || leave_out "The Java compiler is missing."
        script=java-client.py && shift
        ;;
esac

binary=() needs_binary=1
for argument in "$@"; do
    case $argument in
        --mockserver | --mockserver=* | --dump | --dump=* | --help | -h) needs_binary= ;;
    esac
done
if [[ $needs_binary ]]; then
    swift build --product mockserver
    binary=(--mockserver "$(swift build --show-bin-path)/mockserver")
fi
exec python3 "$tests/$script" --jar "$jar" ${binary[@]+"${binary[@]}"} "$@"
