// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The next request after a redirect response (RFC 9110 section 15.4).
struct Redirection: Sendable {
    /// The request to send next.
    let request: HTTPRequest
    /// Whether the next request repeats the body.
    let keepsBody: Bool

    /// Creates the next request from a redirect response.
    ///
    /// - Parameters:
    ///   - response: The response to `request`.
    ///   - request: The request that was sent, with `scheme`, `authority`, and `path` set.
    /// - Returns: Nil if the response is not a redirect that can be followed. It is then the final response.
    /// - Throws: ``TransportError`` if the redirect's target is not a valid URL for a request.
    init?(_ response: HTTPResponse, to request: HTTPRequest) throws(TransportError) {
        let status = response.status.code
        guard [301, 302, 303, 307, 308].contains(status), let location = response.headerFields[.location] else {
            return nil
        }
        var next = request
        let becomesGet =
            switch status {
            case 303: request.method != .head
            case 301, 302: request.method == .post
            default: false
            }
        keepsBody = status > 303 || (status < 303 && !becomesGet)
        if becomesGet { next.method = .get }
        if !keepsBody { next.headerFields.removeContentFields() }
        try next.point(to: location)
        if !next.hasOrigin(of: request) {
            // Credentials are meant only for the origin that they were set for.
            next.headerFields.removeAll { $0.name.isCredential }
            next.headerFields[.host] = nil
        }
        self.request = next
    }
}

extension HTTPField.Name {
    /// The Host field, which HTTPTypes represents as the authority.
    static let host = Self("Host")!
}

extension HTTPFields {
    /// Removes the fields that describe content. A request that became GET has none (RFC 9110 section 15.4.4).
    fileprivate mutating func removeContentFields() {
        self[fields: .contentType] = []
        self[fields: .contentLength] = []
        self[fields: .contentEncoding] = []
        self[fields: .contentLanguage] = []
        self[fields: .contentLocation] = []
        self[fields: .transferEncoding] = []
        self[fields: .expect] = []
    }
}

extension HTTPRequest {
    /// Whether both requests have the same origin: scheme, host, and port, normalized.
    fileprivate func hasOrigin(of other: HTTPRequest) -> Bool {
        guard scheme?.lowercased() == other.scheme?.lowercased(), let authority, let otherAuthority = other.authority
        else { return false }
        let port = scheme?.lowercased() == "https" ? ":443" : ":80"
        func normal(_ text: String) -> String {
            let text = text.lowercased()
            return text.hasSuffix(port) ? String(text.dropLast(port.utf8.count)) : text
        }
        return normal(authority) == normal(otherAuthority)
    }

    fileprivate mutating func point(to location: String) throws(TransportError) {
        let here = URLReference(urlText)
        let target = URLReference(location).resolved(against: here)
        func refuse(_ reason: String) -> TransportError {
            TransportError(
                .malformedResponse,
                "\(method) \(shownURL) was redirected to \(SecretQuery.quoted(location)), \(reason)"
            )
        }
        guard let scheme = target.scheme, scheme == "http" || scheme == "https" else {
            throw refuse("which is neither http nor https")
        }
        guard let authority = target.authority, !authority.isEmpty, !authority.contains("@") else {
            throw refuse("which has no host or contains user information")
        }
        do throws(ClientError) {
            self.authority = try Authority.checked(authority[...], in: location)
        } catch {
            throw refuse("which has an invalid host: \(error.message)")
        }
        self.scheme = scheme
        let path = target.path.isEmpty ? "/" : target.path
        self.path = PercentEscape.encoded(
            target.query.map { "\(path)?\($0)" } ?? String(path),
            except: Self.targetBytes
        )
    }

    /// The bytes allowed in a target. All others are percent-encoded, because servers send them anyway and browsers
    /// accept them.
    private static let targetBytes = ByteSet(0x21...0x7E)
}
