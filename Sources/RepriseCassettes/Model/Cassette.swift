// SPDX-License-Identifier: Apache-2.0

/// Recorded exchanges, in the order in which their requests started.
package struct Cassette: Sendable, Hashable {
    /// The version of the format that this release reads and writes.
    package static let format = 1

    /// The exchanges.
    package var exchanges: [Exchange]
    /// A note by the author of the file.
    package var note: String?

    /// Creates a cassette that holds `exchanges`.
    package init(exchanges: [Exchange] = [], note: String? = nil) {
        self.exchanges = exchanges
        self.note = note
    }
}
