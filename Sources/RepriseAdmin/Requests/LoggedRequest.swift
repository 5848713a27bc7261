// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
internal import RepriseText

/// A request that a server received, as the admin API describes it.
public struct LoggedRequest: AdminModel {
    /// The path and query, as sent.
    public var url: String
    /// The URL with the scheme and the host that the request named.
    public var absoluteURL: String?
    /// Whether the request came through the server's proxy.
    package var isProxied = false
    /// The method.
    public var method: String
    /// The address of the client; `nil` if it is unknown.
    public var clientIP: String?
    /// The header fields, in order.
    public var headers: [NamedValues]
    /// The cookies.
    public var cookies: [NamedValues]
    /// The content, without chunked coding; `nil` if it is unknown.
    public var body: [UInt8]?
    /// Whether ``body`` is the complete content. The server keeps only the start of long content that no stub compares.
    public var isBodyComplete: Bool
    /// When the request was complete, in milliseconds since the start of 1970; `nil` if it is unknown.
    public var loggedDate: Int?
    /// The version of HTTP, such as `HTTP/1.1`; `nil` if it is unknown.
    public var httpVersion: String?
    /// `http` or `https`.
    public var scheme: String?
    /// The host that the request named, without a port.
    public var host: String?
    /// The port that the request named, or the default port of the scheme.
    public var port: Int?
    /// The query parameters, decoded.
    public var query: [NamedValues]
    /// The fields of a form, decoded.
    public var form: [NamedValues]

    /// Creates a request.
    public init(method: String, url: String) {
        self.method = method
        self.url = url
        headers = []
        cookies = []
        isBodyComplete = true
        query = []
        form = []
    }

    /// The content as text. Bytes that are not UTF-8 are replaced.
    public var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a request")
        url = try fields.requiredString("url")
        method = try fields.string("method") ?? "GET"
        absoluteURL = try fields.string("absoluteUrl")
        clientIP = try fields.string("clientIp")
        headers = try [NamedValues](members: "headers", in: fields)
        cookies = try [NamedValues](members: "cookies", in: fields)
        // Bytes that are not text are preserved only in Base64.
        body = try fields.bytes("bodyAsBase64")
        if body == nil { body = try fields.string("body").map { Array($0.utf8) } }
        isBodyComplete = try fields.boolean("bodyTruncated") != true
        loggedDate = try fields.integer("loggedDate")
        httpVersion = try fields.string("protocol")
        scheme = try fields.string("scheme")
        host = try fields.string("host")
        port = try fields.integer("port")
        query = try [NamedValues](parameters: "queryParams", in: fields)
        form = try [NamedValues](parameters: "formParams", in: fields)
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree {
        var members: JSONObject = [
            "url": .string(url),
            "absoluteUrl": absoluteURL.map { .string($0) },
            "method": .string(method),
            "clientIp": clientIP.map { .string($0) },
            "headers": headers.json,
            "cookies": cookies.json,
            "browserProxyRequest": .bool(isProxied),
            "loggedDate": loggedDate.map { .integer($0) },
        ]
        if let body {
            members.append("bodyAsBase64", .string(Base64.text(body)))
            members.append("body", .string(String(decoding: body, as: UTF8.self)))
        }
        members.append("protocol", httpVersion.map { .string($0) })
        members.append("scheme", scheme.map { .string($0) })
        members.append("host", host.map { .string($0) })
        members.append("port", port.map { .integer($0) })
        members.append("loggedDateString", loggedDate.map { .string(CalendarTime(milliseconds: $0).text + "Z") })
        members.append("queryParams", query.parameters)
        if !form.isEmpty { members.append("formParams", form.parameters) }
        if !isBodyComplete { members.append("bodyTruncated", true) }
        return members.tree
    }
}
