// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parts of a request that templates read, decoded when they are first used.
final class RequestModel {
    let request: TemplateRequest
    let isOriginal: Bool
    /// The body as text.
    private(set) lazy var body = String(decoding: request.body, as: UTF8.self)
    private(set) lazy var path: TemplateValue = decodedPath()
    private(set) lazy var query: [TemplateValue.Entry] = decodedQuery()
    private(set) lazy var cookies: [TemplateValue.Entry] = decodedCookies()
    private(set) lazy var parts: [TemplateRequest.Part] = request.parts()

    init(_ request: TemplateRequest, isOriginal: Bool) {
        self.request = request
        self.isOriginal = isOriginal
    }

    func property(_ name: String) -> TemplateValue {
        switch name {
        case "method": .opaque(request.method)
        case "url": .string(request.url)
        case "path": path
        case "pathSegments": path
        case "query": .model(.query(isOriginal: isOriginal))
        case "headers": .model(.headers(isOriginal: isOriginal))
        case "cookies": .model(.cookies(isOriginal: isOriginal))
        case "body": .string(body)
        case "bodyAsBase64": .string(Base64.text(request.body))
        case "scheme": .string(request.scheme)
        case "host": .string(request.host)
        case "port": .integer(request.port)
        case "baseUrl": .string(baseURL)
        case "clientIp": .string(request.clientIP)
        case "id": .string(request.id)
        case "parts": .model(.parts(isOriginal: isOriginal))
        case "multipart": .bool(!parts.isEmpty)
        case "requestLine": .model(.requestLine(isOriginal: isOriginal))
        default: .null
        }
    }

    /// Returns a property of the request line, as older templates write it.
    func lineProperty(_ name: String) -> TemplateValue {
        switch name {
        case "method", "path", "pathSegments", "query", "scheme", "host", "port", "baseUrl": property(name)
        default: .null
        }
    }

    /// Returns the values of the header field.
    func header(_ name: String) -> TemplateValue {
        Self.header(name, in: request.headers)
    }

    static func header(_ name: String, in lines: [HeaderLine]) -> TemplateValue {
        let values = lines.filter { $0.hasName(name) }.map(\.value)
        return values.isEmpty ? .null : .values(values)
    }

    /// The header fields, sorted by name.
    var headers: [TemplateValue.Entry] { Self.headers(request.headers) }

    static func headers(_ lines: [HeaderLine]) -> [TemplateValue.Entry] {
        var values: [ExactText: (name: String, values: [String])] = [:]
        for line in lines { values[line.name.lowercased(), default: (line.name, [])].values.append(line.value) }
        return values.sorted { $0.key < $1.key }.map { TemplateValue.Entry($0.value.name, .values($0.value.values)) }
    }

    private var baseURL: String {
        let isDefault = request.port == (request.scheme == "https" ? 443 : 80)
        let host = "\(request.scheme)://\(request.host)"
        return (isDefault ? host : "\(host):\(request.port)") + request.basePath
    }

    private func decodedPath() -> TemplateValue {
        let raw = Substring(request.url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        let segments = raw.utf8.split(separator: UInt8(ascii: "/")).map { PercentEscape.decoded(Substring($0)) }
        let parameters = request.pathParameters.map { TemplateValue.Entry($0.name, .string($0.value)) }
        return .path(PercentEscape.decoded(raw), segments: segments, parameters: parameters)
    }

    private func decodedQuery() -> [TemplateValue.Entry] {
        let url = request.url
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        let end = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        guard mark < end else { return [] }
        return Self.entries(FormText.decodedPairs(url[url.utf8.index(after: mark)..<end]))
    }

    private func decodedCookies() -> [TemplateValue.Entry] {
        let cookies = request.headers.filter { $0.hasName("cookie") }
            .flatMap { RequestCookie.cookies(in: $0.valueBytes) }
        return Self.entries(
            cookies.map { (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self)) }
        )
    }

    /// Returns the names with their values.
    static func entries(_ pairs: [(name: String, value: String)]) -> [TemplateValue.Entry] {
        placesOfEqual(pairs.map(\.name)).map { places in
            TemplateValue.Entry(pairs[places[0]].name, .values(places.map { pairs[$0].value }))
        }
    }
}
