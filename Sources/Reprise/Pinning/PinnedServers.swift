// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// The pins of a URL session, and the servers that have fitted one.
///
/// A session asks for a certificate once for each connection that it makes, and not at all where it resumes a TLS session
/// of another URL session in the same process (Technical Q&A QA1727). So a response is handed on only if its server has
/// shown a certificate that fits the same pins, to this session or to another one of the process.
struct PinnedServers: Sendable {
    let pinning: Pinning

    private struct Entry: Hashable {
        let pinning: Pinning
        let server: String
    }

    private static let fitting = Locked<Set<Entry>>([])

    init(_ pinning: Pinning) {
        self.pinning = pinning
    }

    /// Remembers that the server of a request has shown a certificate that fits.
    func add(serverOf request: HTTPRequest) {
        guard let entry = entry(of: request) else { return }
        Self.fitting.withLock { entries in _ = entries.insert(entry) }
    }

    /// Whether a response to the request may be handed on: its server has shown a certificate that fits, or it has none to
    /// show, because the request goes by http.
    func mayAnswer(_ request: HTTPRequest) -> Bool {
        guard let entry = entry(of: request) else { return true }
        return Self.fitting.withLock { $0.contains(entry) }
    }

    /// Nil for a request without TLS.
    private func entry(of request: HTTPRequest) -> Entry? {
        guard request.scheme?.lowercased() == "https" else { return nil }
        let authority = request.authority?.lowercased() ?? ""
        return Entry(
            pinning: pinning,
            server: authority.hasSuffix(":443") ? String(authority.dropLast(4)) : authority
        )
    }
}
