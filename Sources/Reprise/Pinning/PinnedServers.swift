// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// The pins of a URL session and the servers that have presented a matching certificate.
///
/// A session validates the certificate once per connection, and not at all if it resumes a TLS session of another URL
/// session in the same process (Technical Q&A QA1727). A response is therefore passed on only if its server has
/// presented a certificate that matches the same pins, to this session or to another one in the process.
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

    /// Records that the server of a request presented a matching certificate.
    func add(serverOf request: HTTPRequest) {
        guard let entry = entry(of: request) else { return }
        Self.fitting.withLock { entries in _ = entries.insert(entry) }
    }

    /// Whether a response to the request can be passed on. Either its server has presented a matching certificate, or
    /// the request uses http and involves no certificate.
    func mayAnswer(_ request: HTTPRequest) -> Bool {
        guard let entry = entry(of: request) else { return true }
        return Self.fitting.withLock { $0.contains(entry) }
    }

    /// Returns nil for a request without TLS.
    private func entry(of request: HTTPRequest) -> Entry? {
        guard request.scheme?.lowercased() == "https" else { return nil }
        let authority = request.authority?.lowercased() ?? ""
        return Entry(
            pinning: pinning,
            server: authority.hasSuffix(":443") ? String(authority.dropLast(4)) : authority
        )
    }
}
