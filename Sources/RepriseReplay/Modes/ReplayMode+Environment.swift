// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension ReplayMode {
    /// The variable that overrides the mode that code asks for.
    public static let variable = "REPRISE_MODE"
    /// The variable that allows the network where `CI` is set.
    public static let networkVariable = "REPRISE_ALLOW_NETWORK"

    /// The mode that holds: ``variable`` goes before what code asks for, but never before ``stub``.
    ///
    /// - Parameter environment: the variables.
    /// - Throws: ``ReplayModeError`` if ``variable`` has a value that is none.
    public func resolved(in environment: [String: String]) throws(ReplayModeError) -> ReplayMode {
        guard self != .stub, let value = environment[Self.variable], !value.isEmpty else { return self }
        guard let mode = Self.named[value.lowercased()] else { throw ReplayModeError(unknown: value) }
        return mode
    }

    /// Checks that the network is allowed: not on CI, unless ``networkVariable`` says so.
    func checkNetwork(for cassette: String, in environment: [String: String]) throws(ReplayModeError) {
        guard Self.isSet(environment["CI"]), !Self.isSet(environment[Self.networkVariable]) else { return }
        throw ReplayModeError(network: self, cassette: cassette)
    }

    /// Whether a variable that is on or off is on.
    package static func isSet(_ value: String?) -> Bool {
        guard let value = value?.lowercased() else { return false }
        return !["", "0", "false", "no"].contains(value)
    }

    private static let named: [String: ReplayMode] = [
        "live": .live, "once": .record(.once), "append": .record(.append), "overwrite": .record(.overwrite),
        "replay": .replay, "passthrough": .replay(unmatched: .passThrough),
    ]
}

extension ReplayMode: CustomStringConvertible {
    /// The mode as ``variable`` spells it.
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

/// Why a mode cannot hold.
public struct ReplayModeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, what was found, and what to do.
    public var description: String

    init(unknown value: String) {
        description = """
            \(ReplayMode.variable): expected live, once, append, overwrite, replay or passthrough, found \
            \(DisplayText.escaped(value, limit: 60))
            """
    }

    init(network mode: ReplayMode, cassette: String) {
        let missing = mode == .record(.once) ? ", which is not there, so that it would have to be recorded" : ""
        description = """
            \(cassette)\(missing): the mode \(mode) may reach the network, which is not allowed where CI is set; commit \
            the cassette and replay it, or set \(ReplayMode.networkVariable)=1
            """
    }
}
