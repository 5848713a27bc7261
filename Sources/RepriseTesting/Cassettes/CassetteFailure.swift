// SPDX-License-Identifier: Apache-2.0

public import RepriseReplay

/// A failure of a test whose requests do not match its cassette, or that has no requests.
public struct CassetteFailure: Error, Sendable, CustomStringConvertible {
    /// The cassette's path.
    public var path: String
    /// What was replayed, the misses, and the unused exchanges.
    public var report: ReplayReport
    /// The command that records the cassette again.
    public var remedy: String
    var isShared = false
    /// Whether the test's requests come through a server.
    var isServed = false
    /// The code that lets a test pass without requests; nil if there were requests.
    var codeWithoutRequests: String?

    /// The argument that lets a test pass without requests.
    static let withoutRequests = "expectsRequests: false"
    private static let shownLimit = 10

    /// The misses with their nearest fixtures, the unused exchanges, and what to do.
    public var description: String { text(withUnused: true) }

    /// - Parameter withUnused: Whether to list unused exchanges. They mean nothing if the test ended early.
    func text(withUnused: Bool) -> String {
        if let codeWithoutRequests {
            guard !isServed else {
                return """
                    No request reached the mock server, so \(path) was not used.

                    Give the code server.url as its base URL.

                    If there should be no requests:
                      \(codeWithoutRequests)
                    """
            }
            return Self.text(
                "No request reached the cassette, so \(path) was not used.",
                codeWithoutRequests
            )
        }
        var parts = ["\(path) does not contain everything that the test requests."]
        if report.misses.isEmpty { parts = ["\(path) contains more than the test requests."] }
        parts += report.misses.prefix(Self.shownLimit).map(\.message)
        parts += Self.rest(report.misses.count)
        if withUnused, !report.unused.isEmpty {
            let lines = report.unused.prefix(Self.shownLimit).map { "  \($0)" }
            parts.append((["Recorded, but not requested:"] + lines).joined(separator: "\n"))
            parts += Self.rest(report.unused.count)
            let heading =
                isShared ? "If no other test uses the cassette, record it again:" : "To record the cassette again:"
            // After a miss, this would remove what other tests use.
            if !isShared || report.misses.isEmpty { parts.append("\(heading)\n  \(remedy)") }
        }
        return parts.joined(separator: "\n\n")
    }

    /// Returns the reasons that no request reached the cassette, and what to do.
    ///
    /// - Parameters:
    ///   - fact: What was not used.
    ///   - code: The code that lets the test pass without requests.
    static func text(_ fact: String, _ code: String) -> String {
        """
        \(fact)

        A cassette answers and records the requests of Reprise's Client, of URLSession.shared, and of URL sessions \
        that are created with cassette.sessionConfiguration. If the code uses another HTTP library, use \
        withMockServer(recording:to:), and give the code server.url as its base URL. If the code can take neither, run \
        the tests under mockserver run. If the code creates a Client with a transport of its own, pass that transport \
        as live: instead. In a detached task, use the transport of TestCassette.current.

        If there should be no requests:
          \(code)
        """
    }

    private static func rest(_ count: Int) -> [String] {
        count > shownLimit ? ["… and \(count - shownLimit) more"] : []
    }
}
