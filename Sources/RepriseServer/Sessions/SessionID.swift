// SPDX-License-Identifier: Apache-2.0

/// Identifies a session: stubs, states, and a journal of their own, so that parallel tests share a server.
struct SessionID: Sendable, Hashable, CustomStringConvertible {
    /// The identifier as clients send it: 15 letters and digits.
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Returns an identifier that nobody can guess. As text, it needs no memory of its own.
    static func random() -> SessionID {
        SessionID(String((0..<15).map { _ in digits[Int.random(in: digits.indices)] }))
    }

    private static let digits = Array("abcdefghijklmnopqrstuvwxyz234567")

    var description: String { text }
}

/// A session as the clients of the server reach it.
struct SessionInfo: Sendable, Hashable {
    let id: SessionID
    /// The number of the session in the journal.
    let number: Int
    /// The loopback port at which every request belongs to the session.
    let port: Int
    /// The URL of ``port``, such as `http://127.0.0.1:49200`.
    let url: String
    /// The URL of the server with the prefix of the session, such as `http://127.0.0.1:8080/__session/k3wq…`.
    let prefixURL: String
}

/// The session that all requests of a connection belong to, because of the port that it came in at.
struct SessionDoor: Sendable, Hashable {
    let id: SessionID
    let number: Int
}
