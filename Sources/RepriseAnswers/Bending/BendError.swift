// SPDX-License-Identifier: Apache-2.0

/// The reason that a response cannot be edited as requested.
public struct BendError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected and what was found.
    public let description: String

    package init(_ description: String) {
        self.description = description
    }
}
