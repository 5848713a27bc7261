// SPDX-License-Identifier: Apache-2.0

public import RepriseReplay

/// A test that asked for something else than what is in its cassette.
public struct CassetteFailure: Error, Sendable, CustomStringConvertible {
    /// The cassette's path.
    public var path: String
    /// What was replayed, what was asked for in vain, and what was not asked for.
    public var report: ReplayReport
    /// The command that records the cassette again.
    public var remedy: String

    private static let shownLimit = 10

    /// What was asked for in vain, with what was nearest, and what was not asked for; and what to do.
    public var description: String { text(withUnused: true) }

    /// - Parameter withUnused: whether it tells what was not asked for: where the test ended early, that says nothing.
    func text(withUnused: Bool) -> String {
        var parts = ["\(path) does not have what the test asks for."]
        if report.misses.isEmpty { parts = ["\(path) has more than what the test asks for."] }
        parts += report.misses.prefix(Self.shownLimit).map(\.message)
        parts += Self.rest(report.misses.count)
        if withUnused, !report.unused.isEmpty {
            let lines = report.unused.prefix(Self.shownLimit).map { "  \($0)" }
            parts.append((["Recorded, but not asked for:"] + lines).joined(separator: "\n"))
            parts += Self.rest(report.unused.count)
            parts.append("To record the cassette again:\n  \(remedy)")
        }
        return parts.joined(separator: "\n\n")
    }

    private static func rest(_ count: Int) -> [String] {
        count > shownLimit ? ["… and \(count - shownLimit) more"] : []
    }
}
