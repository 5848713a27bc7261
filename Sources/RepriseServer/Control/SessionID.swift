// SPDX-License-Identifier: Apache-2.0

/// Identifies a session: stubs, states, and a journal of their own, so that parallel tests share a server.
struct SessionID: Sendable, Hashable, CustomStringConvertible {
    /// The identifier as clients send it.
    let text: String

    init(_ text: String) {
        self.text = text
    }

    var description: String { text }
}
