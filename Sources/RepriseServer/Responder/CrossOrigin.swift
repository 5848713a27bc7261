// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The header lines that let a web page from another origin read an answer (Fetch standard, section 3.2, "HTTP CORS
/// protocol").
enum CrossOrigin {
    /// The line for every answer, also to a request without an origin. A browser must not reuse that answer for a
    /// request with an origin.
    static let vary = Array("Vary: Origin".utf8)

    /// Appends the lines for an answer to a page from `origin`. They replace the recorded lines, which name the origin
    /// at the time of the recording.
    static func appendLines(origin: [UInt8], to output: inout [UInt8]) {
        output += allowsOrigin
        output += origin
        output += allowsCredentials
    }

    private static let allowsOrigin = Array("Access-Control-Allow-Origin: ".utf8)
    private static let allowsCredentials = Array("\r\nAccess-Control-Allow-Credentials: true\r\n".utf8)

    /// Returns the line, with CR LF, that lets a page read all header lines of an answer; empty if there are none.
    /// Because the `*` wildcard is not allowed with credentials, the names are listed.
    static func exposure(of headers: [HeaderLine]) -> [UInt8] {
        var names: [String] = []
        for line in headers where !replaces(line) && !names.contains(where: { line.hasName($0) }) {
            names.append(line.name)
        }
        if names.isEmpty { return [] }
        return Array("Access-Control-Expose-Headers: \(names.joined(separator: ", "))\r\n".utf8)
    }

    /// Returns the lines that answer a preflight request from `origin`.
    static func preflightLines(
        origin: String,
        methods: [String],
        headers: String?,
        asksForPrivateNetwork: Bool
    ) -> [HeaderLine] {
        var lines = [
            HeaderLine(name: "Access-Control-Allow-Origin", value: origin),
            HeaderLine(name: "Access-Control-Allow-Credentials", value: "true"),
            HeaderLine(name: "Access-Control-Allow-Methods", value: methods.joined(separator: ", ")),
        ]
        if let headers { lines.append(HeaderLine(name: "Access-Control-Allow-Headers", value: headers)) }
        if asksForPrivateNetwork {
            lines.append(HeaderLine(name: "Access-Control-Allow-Private-Network", value: "true"))
        }
        // Fixtures change during development. A browser that caches this answer for hours would hide the changes.
        lines.append(HeaderLine(name: "Access-Control-Max-Age", value: "5"))
        lines.append(HeaderLine(name: "Vary", value: "Origin"))
        return lines
    }

    /// Whether a recorded line must be replaced.
    static func replaces(_ line: HeaderLine) -> Bool {
        let prefix = "access-control-"
        return line.bytes.count > prefix.utf8.count
            && zip(line.bytes, prefix.utf8).allSatisfy { $0.asciiLowercased == $1 }
    }
}
