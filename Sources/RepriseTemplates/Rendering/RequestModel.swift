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
        return Self.pairs(url[url.utf8.index(after: mark)..<end])
    }

    private func decodedCookies() -> [TemplateValue.Entry] {
        var cookies = GroupedValues()
        for line in request.headers where line.hasName("cookie") {
            for cookie in RequestCookie.cookies(in: line.valueBytes) {
                cookies.append(
                    String(decoding: cookie.name, as: UTF8.self),
                    String(decoding: cookie.value, as: UTF8.self)
                )
            }
        }
        return cookies.entries
    }

    /// Returns the names of a query with their values.
    private static func pairs(_ text: Substring) -> [TemplateValue.Entry] {
        var values = GroupedValues()
        for pair in FormText.decodedPairs(text) { values.append(pair.name, pair.value) }
        return values.entries
    }
}

/// Values by name, in the order in which the names appear first.
private struct GroupedValues {
    private var groups: [(name: String, values: [String])] = []
    /// Only needed for many names: with a few, comparing them is faster.
    private var places: [ExactText: Int] = [:]

    mutating func append(_ name: String, _ value: String) {
        let place = groups.count < 16 ? groups.firstIndex { $0.name == name } : places[name]
        if let place {
            groups[place].values.append(value)
            return
        }
        groups.append((name, [value]))
        if groups.count == 16 {
            for (index, group) in groups.enumerated() { places[group.name] = index }
        } else if groups.count > 16 {
            places[name] = groups.count - 1
        }
    }

    var entries: [TemplateValue.Entry] { groups.map { TemplateValue.Entry($0.name, .values($0.values)) } }
}
