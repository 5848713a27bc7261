// SPDX-License-Identifier: Apache-2.0

public import RepriseReplay

/// A failure of a test whose requests do not match its cassette.
public struct CassetteFailure: Error, Sendable, CustomStringConvertible {
    /// The cassette's path.
    public var path: String
    /// What was replayed, the misses, and the unused exchanges.
    public var report: ReplayReport
    /// The command that records the cassette again.
    public var remedy: String

    private static let shownLimit = 10

    /// The misses with their nearest fixtures, the unused exchanges, and what to do.
    public var description: String { text(withUnused: true) }

    /// - Parameter withUnused: Whether to list unused exchanges. They mean nothing if the test ended early.
    func text(withUnused: Bool) -> String {
        var parts = ["\(path) does not contain everything that the test requests."]
        if report.misses.isEmpty { parts = ["\(path) contains more than the test requests."] }
        parts += report.misses.prefix(Self.shownLimit).map(\.message)
        parts += Self.rest(report.misses.count)
        if withUnused, !report.unused.isEmpty {
            let lines = report.unused.prefix(Self.shownLimit).map { "  \($0)" }
            parts.append((["Recorded, but not requested:"] + lines).joined(separator: "\n"))
            parts += Self.rest(report.unused.count)
            parts.append("To record the cassette again:\n  \(remedy)")
        }
        return parts.joined(separator: "\n\n")
    }

    private static func rest(_ count: Int) -> [String] {
        count > shownLimit ? ["… and \(count - shownLimit) more"] : []
    }
}
