// SPDX-License-Identifier: Apache-2.0

import RepriseText

/// Crashes unless `condition` holds, so that the fuzzer reports the input.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

/// Requires at least one problem, not too many, and a place in `input` for each.
func requireProblems(_ error: FixtureProblems, in input: [UInt8]) {
    require(1...102 ~= error.problems.count, "\(error.problems.count) problems")
    for problem in error.problems {
        guard let location = problem.location else { fatalError("no place: \(problem)") }
        require(!problem.message.isEmpty, "no message")
        requirePlace(location, in: input)
    }
}

/// Requires that `location` is a character of `input`, or the end of a line.
func requirePlace(_ location: FilePosition, in input: [UInt8]) {
    var lines: [[UInt8]] = [[]]
    var index = 0
    while index < input.count {
        let byte = input[index]
        index += 1
        if byte == 0x0A || byte == 0x0D {
            if byte == 0x0D, index < input.count, input[index] == 0x0A { index += 1 }
            lines.append([])
        } else {
            lines[lines.count - 1].append(byte)
        }
    }
    require(1...lines.count ~= location.line, "line \(location.line) of \(lines.count)")
    require(1...lines[location.line - 1].count + 1 ~= location.column, "column \(location.column)")
}
