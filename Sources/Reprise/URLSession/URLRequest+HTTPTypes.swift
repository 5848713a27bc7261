// SPDX-License-Identifier: Apache-2.0

package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

// Conversions between requests and responses of HTTPTypes and those of Foundation. Foundation stores one value for
// each field name, without order. Repeated fields are joined, and their order is lost.

extension URLRequest {
    /// Creates a request without content.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` if the scheme, authority, and path do not form an HTTP URL.
    init(_ request: HTTPRequest) throws(TransportError) {
        guard let scheme = request.scheme?.lowercased(), scheme == "http" || scheme == "https",
            request.authority?.isEmpty == false, let url = URL(string: request.urlText), url.host != nil
        else { throw TransportError(withoutOrigin: request) }
        self.init(url: url)
        // Foundation's default limit of 60 seconds would end streams that are silent for longer.
        timeoutInterval = Self.noTimeout
        httpMethod = request.method.rawValue
        for field in request.headerFields {
            let name = field.name.rawName
            let separator = field.name == .cookie ? "; " : ", "
            let others = value(forHTTPHeaderField: name).map { $0 + separator } ?? ""
            setValue(others + field.value, forHTTPHeaderField: name)
        }
    }

    #if canImport(FoundationNetworking)
        /// Whether Reprise's own transport sends the request, so that no cassette may answer it. On Linux, the session
        /// of the transport asks no cassette.
        package var isLive: Bool { false }
    #else
        /// Whether Reprise's own transport sends the request, so that no cassette may answer it.
        package var isLive: Bool { URLProtocol.property(forKey: Self.liveKey, in: self) != nil }

        func markedAsLive() -> URLRequest {
            guard let copy = (self as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return self }
            URLProtocol.setProperty(true, forKey: Self.liveKey, in: copy)
            return copy as URLRequest
        }

        private static let liveKey = "reprise.live"
    #endif

    /// A year in seconds, which amounts to no limit. Foundation has no other way to specify this.
    static let noTimeout: TimeInterval = 365 * 86_400
}

extension HTTPRequest {
    /// Creates the head of a URL session's request. Fields that describe the framing are left out, because the
    /// transport writes its own.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` if the URL is not an HTTP URL, or if the method is invalid.
    package init(_ request: URLRequest) throws(TransportError) {
        let text = request.url?.absoluteString ?? ""
        let url: RequestURL
        do { url = try RequestURL(absolute: text) } catch { throw TransportError(.invalidRequest, error.message) }
        let name = request.httpMethod ?? "GET"
        guard let method = Method(name) else {
            throw TransportError(.invalidRequest, "expected a method such as GET, found \(name.debugDescription)")
        }
        self.init(method: method, scheme: url.scheme, authority: url.authority, path: url.target)
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(name), ![.host, .contentLength, .transferEncoding].contains(name) else {
                continue
            }
            headerFields.append(HTTPField(name: name, value: value))
        }
    }
}

extension HTTPURLResponse {
    /// Creates a URL session's response from a head. Repeated fields are joined.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - url: The URL of the response.
    ///   - adjust: Changes the fields.
    package convenience init?(_ response: HTTPResponse, url: URL, adjust: (inout [String: String]) -> Void) {
        var fields: [String: String] = [:]
        // The first spelling of a name is kept.
        var spellings: [HTTPField.Name: String] = [:]
        for field in response.headerFields {
            let name = spellings[field.name] ?? field.name.rawName
            spellings[field.name] = name
            fields[name] = (fields[name].map { "\($0), " } ?? "") + field.value
        }
        adjust(&fields)
        self.init(url: url, statusCode: response.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}

extension HTTPResponse {
    /// Creates a head from a response, with the fields sorted by name. Invalid fields are left out.
    init(_ response: HTTPURLResponse) {
        var fields = HTTPFields()
        let pairs = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { (name: $0, value: value as? String ?? "\(value)") }
        }
        for (name, value) in pairs.sorted(by: { $0.name < $1.name }) {
            guard let name = HTTPField.Name(name) else { continue }
            let values = name == .setCookie ? Self.cookies(joined: value) : [value[...]]
            for value in values { fields.append(HTTPField(name: name, value: String(value))) }
        }
        self.init(status: Status(code: response.statusCode), headerFields: fields)
    }

    /// Separates the Set-Cookie fields that Foundation has joined with a comma and a space.
    ///
    /// Dates and quoted values contain these too, so they separate fields only outside of quotes, and if a name and an
    /// equals sign follow.
    static func cookies(joined value: String) -> [Substring] {
        let quote = UInt8(ascii: "\"")
        let lastQuote = value.utf8.lastIndex(of: quote) ?? value.startIndex
        var (parts, isQuoted) = ([Substring](), false)
        for piece in value.split(separator: ",", omittingEmptySubsequences: false) {
            // A quote that is never closed is part of the value.
            if let last = parts.last, isQuoted && piece.startIndex <= lastQuote || !beginsCookie(piece) {
                parts[parts.count - 1] = value[last.startIndex..<piece.endIndex]
            } else {
                parts.append(parts.isEmpty ? piece : piece.dropFirst())
                isQuoted = false
            }
            if !piece.utf8.count(where: { $0 == quote }).isMultiple(of: 2) { isQuoted.toggle() }
        }
        return parts
    }

    private static func beginsCookie(_ text: Substring) -> Bool {
        guard text.utf8.first == 0x20, let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return HTTPField.Name(String(text.dropFirst()[..<equals])) != nil
    }

    /// Removes the fields that describe the codings (RFC 9110 section 8.4) and the encoded length of the content, if
    /// Foundation has already decoded it.
    mutating func removeUndoneCodings() {
        let undone = ["gzip", "x-gzip", "deflate", "br"]
        guard headerFields.members(.contentEncoding).allSatisfy({ undone.contains($0.lowercased()) }),
            headerFields.contains(.contentEncoding)
        else { return }
        headerFields[.contentEncoding] = nil
        headerFields[.contentLength] = nil
    }
}
