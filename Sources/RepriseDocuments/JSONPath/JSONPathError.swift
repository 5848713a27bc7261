// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The reason that a text is not a JSONPath.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset, in UTF-8, of the first byte that is invalid, or the length of the text if it ends too early.
    public var offset: Int
    /// What was expected and what was found.
    public var message: String

    /// Creates an error at `offset`.
    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    /// `character N: message`, counted from 1.
    public var description: String { "character \(offset + 1): \(message)" }
}
