// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The values that templates read of a request, decoded when they are first used.
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

    /// Returns a property of the request.
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
        var values: [String: (name: String, values: [String])] = [:]
        for line in lines { values[line.name.lowercased(), default: (line.name, [])].values.append(line.value) }
        return values.sorted { $0.key < $1.key }.map { TemplateValue.Entry($0.value.name, .values($0.value.values)) }
    }

    private var baseURL: String {
        let isDefault = request.port == (request.scheme == "https" ? 443 : 80)
        let host = "\(request.scheme)://\(request.host)"
        return isDefault ? host : "\(host):\(request.port)"
    }

    private func decodedPath() -> TemplateValue {
        let raw = request.url.prefix { $0 != "?" && $0 != "#" }
        let segments = raw.split(separator: "/").map { PercentEscape.decoded($0) }
        let parameters = request.pathParameters.map { TemplateValue.Entry($0.name, .string($0.value)) }
        return .path(PercentEscape.decoded(raw), segments: segments, parameters: parameters)
    }

    private func decodedQuery() -> [TemplateValue.Entry] {
        guard let mark = request.url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        var query = request.url[request.url.index(after: mark)...]
        if let fragment = query.firstIndex(of: "#") { query = query[..<fragment] }
        return Self.pairs(query, separator: "&") { FormText.decoded($0) }
    }

    private func decodedCookies() -> [TemplateValue.Entry] {
        var cookies = GroupedValues()
        for line in request.headers where line.hasName("cookie") {
            for pair in line.value.split(separator: ";") {
                let trimmed = pair.drop { $0 == " " }
                guard let equals = trimmed.firstIndex(of: "=") else { continue }
                cookies.append(String(trimmed[..<equals]), String(trimmed[trimmed.index(after: equals)...]))
            }
        }
        return cookies.entries
    }

    /// Returns the names of a query or form with their values.
    static func pairs(
        _ text: Substring,
        separator: Character,
        decode: (Substring) -> String
    ) -> [TemplateValue.Entry] {
        var values = GroupedValues()
        for pair in text.split(separator: separator) {
            let equals = pair.firstIndex(of: "=")
            let name = decode(pair[..<(equals ?? pair.endIndex)])
            values.append(name, equals.map { decode(pair[pair.index(after: $0)...]) } ?? "")
        }
        return values.entries
    }
}

/// Values by name, in the order in which the names appear first.
private struct GroupedValues {
    private var names: [String] = []
    private var values: [String: [String]] = [:]

    mutating func append(_ name: String, _ value: String) {
        if values[name] == nil { names.append(name) }
        values[name, default: []].append(value)
    }

    var entries: [TemplateValue.Entry] {
        names.map { TemplateValue.Entry($0, .values(values[$0] ?? [])) }
    }
}
