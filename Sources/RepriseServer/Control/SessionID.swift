// SPDX-License-Identifier: Apache-2.0

/// Identifies a session, which has its own stubs, states, and journal, so that parallel tests can share a server.
struct SessionID: Sendable, Hashable, CustomStringConvertible {
    /// The identifier as clients send it.
    let text: String

    init(_ text: String) {
        self.text = text
    }

    var description: String { text }
}
