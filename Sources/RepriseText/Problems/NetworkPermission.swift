// SPDX-License-Identifier: Apache-2.0

/// Whether a test or a tool may use the network to record. On CI, it may not unless a variable allows it.
package enum NetworkPermission {
    /// The environment variable that allows network access when `CI` is set.
    package static let variable = "REPRISE_ALLOW_NETWORK"

    /// - Parameter value: Returns the value of an environment variable.
    package static func isForbidden(_ value: (_ variable: String) -> String?) -> Bool {
        isSet(value("CI")) && !isSet(value(variable))
    }

    /// Whether a Boolean environment variable is on. An unknown value counts as on.
    package static func isSet(_ value: String?) -> Bool { flag(value) ?? true }

    /// Returns the value of a Boolean environment variable; nil if it is neither on nor off.
    package static func flag(_ value: String?) -> Bool? {
        switch value?.lowercased() {
        case "1", "true", "yes", "on": true
        case nil, "", "0", "false", "no", "off": false
        default: nil
        }
    }

    /// Returns the reason that a mode is refused, and what to do.
    ///
    /// - Parameter isMissing: Whether the mode would replay the cassette if it existed.
    package static func refusal(of mode: String, cassette: String, isMissing: Bool) -> String {
        """
        \(cassette)\(isMissing ? " does not exist and would be recorded" : ""): expected a mode without network access \
        because CI is set, found \(mode); commit the cassette and replay it, or set \(variable)=1
        """
    }
}
