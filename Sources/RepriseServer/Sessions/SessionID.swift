// SPDX-License-Identifier: Apache-2.0

/// The identifier of a session, which has its own stubs, states, and journal, so that parallel tests can share a
/// server.
struct SessionID: Sendable, Hashable, CustomStringConvertible {
    /// The identifier as clients send it: 15 letters and digits, or the name of a user of the proxy.
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Returns an identifier that cannot be guessed. Its text is short enough to be stored without an allocation.
    static func random() -> SessionID {
        SessionID(String((0..<15).map { _ in digits[Int.random(in: digits.indices)] }))
    }

    private static let digits = Array("abcdefghijklmnopqrstuvwxyz234567")

    var description: String { text }
}

/// The addresses at which clients reach a session.
struct SessionInfo: Sendable, Hashable {
    let id: SessionID
    let number: Int
    /// The loopback port at which every request belongs to the session.
    let port: Int
    /// The URL of ``port``, such as `http://127.0.0.1:49200`.
    let url: String
    /// The URL of the server with the prefix of the session, such as `http://127.0.0.1:8080/__session/k3wq…`.
    let prefixURL: String
}

/// The session that all requests of a connection belong to, because of the port at which it arrived, or because of the
/// user whom its client names to the proxy.
struct SessionListener: Sendable, Hashable {
    let id: SessionID
    let number: Int
}
