// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

// Requests and responses of HTTPTypes as those of Foundation, and back. Foundation keeps one value for each name of a
// field, in no order: what is repeated is joined, and the order is lost.

extension URLRequest {
    /// The request, without its content.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` if its scheme, authority and path are no URL of HTTP.
    init(_ request: HTTPRequest) throws(TransportError) {
        guard let scheme = request.scheme?.lowercased(), scheme == "http" || scheme == "https",
            request.authority?.isEmpty == false, let url = URL(string: request.urlText), url.host != nil
        else {
            throw TransportError(
                .invalidRequest,
                """
                \(request.method) \(request.shownURL) cannot be sent: expected the scheme http or https, an authority \
                that is a host with a port or without one, and a path
                """
            )
        }
        self.init(url: url)
        // Foundation's own limit of 60 seconds would end streams that are silent for longer.
        timeoutInterval = Self.noTimeout
        httpMethod = request.method.rawValue
        for field in request.headerFields {
            let name = field.name.rawName
            let separator = field.name == .cookie ? "; " : ", "
            let others = value(forHTTPHeaderField: name).map { $0 + separator } ?? ""
            setValue(others + field.value, forHTTPHeaderField: name)
        }
    }

    /// A year, in seconds: as good as no limit. Foundation has no other way to say so.
    static let noTimeout: TimeInterval = 365 * 86_400
}

extension HTTPResponse {
    /// The head of a response, its fields by name; those that are no fields are left out.
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

    /// The head of a content whose codings (RFC 9110 section 8.4) Foundation has undone: what said how it was coded and
    /// how long it was then would be wrong.
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
