// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The header lines that let a browser's page from another origin read an answer
/// (Fetch standard, section 3.2, "HTTP CORS protocol").
enum CrossOrigin {
    /// The line for an answer to a request without an origin: a browser must not reuse it for one with an origin.
    static let withoutOrigin = [HeaderLine(name: "Vary", value: "Origin")]

    /// The lines for an answer to a page of `origin`. Recorded lines name the origin that the recording's page had;
    /// they are replaced. Credentials rule out the `*` wildcards, so that names are listed.
    static func lines(origin: String, exposing headers: [HeaderLine]) -> [HeaderLine] {
        var lines = [
            HeaderLine(name: "Access-Control-Allow-Origin", value: origin),
            HeaderLine(name: "Access-Control-Allow-Credentials", value: "true"),
        ]
        var names: [String] = []
        for line in headers where !replaces(line) && !names.contains(where: { line.hasName($0) }) {
            names.append(line.name)
        }
        if !names.isEmpty {
            lines.append(HeaderLine(name: "Access-Control-Expose-Headers", value: names.joined(separator: ", ")))
        }
        lines.append(HeaderLine(name: "Vary", value: "Origin"))
        return lines
    }

    /// The lines that answer a preflight from `origin`, which asks for `method` and `headers`.
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
        // Fixtures change under a developer's hands; a browser that remembers an answer for hours would hide that.
        lines.append(HeaderLine(name: "Access-Control-Max-Age", value: "5"))
        lines.append(HeaderLine(name: "Vary", value: "Origin"))
        return lines
    }

    /// Whether a recorded line is in the way of ours.
    static func replaces(_ line: HeaderLine) -> Bool {
        line.name.lowercased().hasPrefix("access-control-")
    }
}
