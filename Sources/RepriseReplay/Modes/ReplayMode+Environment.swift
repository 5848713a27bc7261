// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseText

extension ReplayMode {
    /// The environment variable that overrides the mode set in code.
    public static let variable = "REPRISE_MODE"
    /// The environment variable that allows network access when `CI` is set.
    public static let networkVariable = NetworkGuard.variable

    /// Returns the mode in effect. ``variable`` overrides any mode set in code, except ``stub``.
    ///
    /// - Parameter environment: The environment variables.
    /// - Throws: ``ReplayModeError`` if the value of ``variable`` is invalid.
    public func resolved(in environment: [String: String]) throws(ReplayModeError) -> ReplayMode {
        guard self != .stub, let value = environment[Self.variable], !value.isEmpty else { return self }
        guard let mode = Self.named[value.lowercased()] else { throw ReplayModeError(unknown: value) }
        return mode
    }

    /// Checks that network access is allowed. On CI, it is not unless ``networkVariable`` is set.
    func checkNetwork(for cassette: String, in environment: [String: String]) throws(ReplayModeError) {
        guard NetworkGuard.isForbidden(in: environment) else { return }
        throw ReplayModeError(network: self, cassette: cassette)
    }

    private static let named: [String: ReplayMode] = [
        "live": .live, "once": .record(.once), "append": .record(.append), "overwrite": .record(.overwrite),
        "replay": .replay, "passthrough": .replay(unmatched: .passThrough),
    ]
}

extension ReplayMode: CustomStringConvertible {
    /// The mode as spelled in ``variable``.
    public var description: String {
        switch self {
        case .live: "live"
        case .record(let mode): mode.rawValue
        case .replay(.fail): "replay"
        case .replay(.passThrough): "passthrough"
        case .stub: "stub"
        }
    }
}

/// An error about a mode that is invalid or not allowed.
public struct ReplayModeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, what was found, and what to do.
    public var description: String

    init(unknown value: String) {
        description = """
            \(ReplayMode.variable): expected live, once, append, overwrite, replay, or passthrough, found \
            \(DisplayText.escaped(value, limit: 60))
            """
    }

    init(network mode: ReplayMode, cassette: String) {
        description = NetworkPermission.refusal(
            of: "\(mode)",
            cassette: cassette,
            isMissing: mode == .record(.once)
        )
    }
}
