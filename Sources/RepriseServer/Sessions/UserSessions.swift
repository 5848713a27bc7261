// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText

/// The sessions of the proxy's users, such as the parallel workers of a test runner. Each begins with its first
/// request, and lasts as long as the server.
final class UserSessions: Sendable {
    private let sessions = Locked<[SessionID: ServedSession]>([:])

    /// Clients can name any number of users.
    private static let limit = 1_000

    var isEmpty: Bool { sessions.withLock { $0.isEmpty } }

    var all: [SessionID: ServedSession] { sessions.withLock { $0 } }

    subscript(_ id: SessionID) -> ServedSession? { sessions.withLock { $0[id] } }

    /// Returns the session of a user, which it opens at the first call; nil if there are too many.
    func open(_ id: SessionID, _ encoder: HTTP1Encoder) -> ServedSession? {
        sessions.withLock { sessions in
            if let known = sessions[id] { return known }
            guard sessions.count < Self.limit else { return nil }
            // Sessions that clients open are numbered upward from 1.
            let session = ServedSession(id, number: SessionRoute.unknown - 1 - sessions.count, encoder)
            sessions[id] = session
            return session
        }
    }
}

extension SessionID {
    /// Creates the identifier that is the user's name in Basic credentials (RFC 7617); nil without a colon, or if the
    /// name does not consist of one to 64 letters, digits, `-`, `_`, and `.`.
    init?(user credentials: ArraySlice<UInt8>) {
        guard let text = Base64.decode(credentials), let colon = text.firstIndex(of: 0x3A) else { return nil }
        let name = text[..<colon]
        guard 1...64 ~= name.count, name.allSatisfy({ isAlphanumeric($0) || "-_.".utf8.contains($0) }) else {
            return nil
        }
        self.init(String(decoding: name, as: UTF8.self))
    }
}
