// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// The header lines of a route file. They are in the file next to it whose name has `.headers` appended:
/// `users/42.get.json.headers`.
///
/// Each line is a header line as on the wire. Empty lines are ignored, and so are lines that start with `#`, although a
/// field name may start with it. The lines are sent in this order after those that the server adds. They replace
/// the added lines with the same name, such as Content-Type.
enum RouteFileHeaders {
    /// The text that follows the name of the route file.
    static let suffix = ".headers"

    /// Parses the lines.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - file: The path of the file, for messages.
    /// - Throws: All problems found.
    static func lines(of bytes: [UInt8], file: String) throws(FixtureProblems) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        var problems: [FixtureProblem] = []
        var start = bytes.span.startsWithByteOrderMark ? 3 : 0
        while start < bytes.count, problems.count <= FixtureProblems.limitOfFile {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            var line = bytes[start..<end]
            if line.last == 0x0D { line.removeLast() }
            start = end + 1
            if line.first == UInt8(ascii: "#") || line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
            do throws(Fault) {
                lines.append(try parse(line))
            } catch {
                let location = FilePosition(offset: line.startIndex + error.offset, in: bytes)
                let isLast = problems.count == FixtureProblems.limitOfFile
                let message = isLast ? FixtureProblems.andMore : error.message
                problems.append(FixtureProblem(file: file, location: location, message: message))
            }
        }
        guard problems.isEmpty else { throw FixtureProblems(problems) }
        return lines
    }

    /// A mistake in one line.
    private struct Fault: Error {
        /// The offset in the line.
        var offset: Int
        var message: String
    }

    private static func parse(_ bytes: ArraySlice<UInt8>) throws(Fault) -> HeaderLine {
        guard let line = HeaderLine(bytes: Array(bytes)) else {
            let found = HeaderLine.problem(in: Array(bytes)).map { "\($0)" } ?? "another line"
            throw Fault(
                offset: offset(ofProblemIn: bytes),
                message: "expected a header line such as 'Location: /login', found \(found) in "
                    + "'\(DisplayText.escaped(bytes, limit: 60))'; correct it, or start the line with # for a comment"
            )
        }
        for (name, reason) in computed where line.hasName(name) {
            throw Fault(offset: 0, message: "expected no \(name) line, because \(reason), found one; remove it")
        }
        return line
    }

    /// The lines that only the server can write.
    private static let computed = [
        ("Content-Length", "the server sends the number of bytes in the route file"),
        ("Transfer-Encoding", "the server decides how to frame the answer"),
    ]

    /// Returns the offset of the first byte that is not allowed, or 0 if the line lacks something.
    private static func offset(ofProblemIn bytes: ArraySlice<UInt8>) -> Int {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return 0 }
        if let place = bytes[..<colon].firstIndex(where: { !isTokenByte($0) }) { return place - bytes.startIndex }
        let control = bytes[colon...].firstIndex { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
        return (control ?? bytes.startIndex) - bytes.startIndex
    }
}
