// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
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
        else {
            throw TransportError(
                .invalidRequest,
                """
                \(request.method) \(request.shownURL) has no valid origin: expected the scheme http or https, a host \
                with an optional port, and a path
                """
            )
        }
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

    /// A year in seconds, which amounts to no limit. Foundation has no other way to specify this.
    static let noTimeout: TimeInterval = 365 * 86_400
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
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(status: Status(code: response.statusCode), headerFields: fields)
    }

    /// Removes the fields that describe the codings (RFC 9110 section 8.4) and the encoded length of the content, if
    /// Foundation has already decoded it.
    mutating func removeUndoneCodings() {
        guard let codings = headerFields[.contentEncoding]?.lowercased() else { return }
        let undone = ["gzip", "x-gzip", "deflate", "br"]
        let isUndone = codings.split(separator: ",").allSatisfy { coding in
            undone.contains(coding.trimmingCharacters(in: .whitespaces))
        }
        guard isUndone else { return }
        headerFields[.contentEncoding] = nil
        headerFields[.contentLength] = nil
    }
}
