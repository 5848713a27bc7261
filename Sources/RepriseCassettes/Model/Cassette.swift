// SPDX-License-Identifier: Apache-2.0

/// Recorded exchanges, in the order in which their requests started.
public struct Cassette: Sendable, Hashable {
    /// The version of the format that this release reads and writes.
    public static let format = 1

    /// The exchanges.
    public var exchanges: [Exchange]
    /// A remark of the file's author.
    public var note: String?

    /// A cassette of `exchanges`.
    public init(exchanges: [Exchange] = [], note: String? = nil) {
        self.exchanges = exchanges
        self.note = note
    }
}
