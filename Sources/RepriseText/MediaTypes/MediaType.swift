// SPDX-License-Identifier: Apache-2.0

/// The value of a Content-Type field (RFC 9110 section 8.3.1), parsed leniently.
package struct MediaType {
    private let value: [UInt8]
    /// `type/subtype` in lower case.
    package let essence: [UInt8]

    /// Parses a header's value.
    package init(_ value: [UInt8]) {
        self.value = value
        var essence: [UInt8] = []
        essence.reserveCapacity(min(value.count, 64))
        for byte in value {
            if byte == UInt8(ascii: ";") { break }
            if byte > 0x20 { essence.append(byte.asciiLowercased) }
        }
        self.essence = essence
    }

    /// Parses a header's value.
    package init(_ value: String) {
        self.init(Array(value.utf8))
    }

    /// `type/subtype` in lower case.
    package var name: String { String(decoding: essence, as: UTF8.self) }

    /// Whether the type is `application/json`, `text/json`, or any `+json` type (RFC 6839 section 3.1).
    package var isJSON: Bool {
        essence.suffix(5).elementsEqual("/json".utf8) || essence.suffix(5).elementsEqual("+json".utf8)
    }

    /// Whether the type is `application/xml`, `text/xml`, or any `+xml` type (RFC 7303).
    package var isXML: Bool {
        essence.suffix(4).elementsEqual("/xml".utf8) || essence.suffix(4).elementsEqual("+xml".utf8)
    }

    /// Whether the type is a URL-encoded form.
    package var isForm: Bool { essence.elementsEqual("application/x-www-form-urlencoded".utf8) }

    /// Whether the type is any multipart type.
    package var isMultipart: Bool { essence.starts(with: "multipart/".utf8) }

    /// Whether the type is server-sent events.
    package var isEventStream: Bool { essence.elementsEqual("text/event-stream".utf8) }

    /// Whether the type is JSON lines or a JSON text sequence (RFC 7464, RFC 8091).
    package var isJSONLines: Bool {
        Self.jsonLines.contains(essence) || essence.suffix(9).elementsEqual("+json-seq".utf8)
    }

    /// Whether content of this type arrives piece by piece and is meaningful before its end: server-sent events, JSON
    /// lines, JSON sequences, and multipart types whose parts replace each other.
    package var isStream: Bool {
        isEventStream || isJSONLines || essence.elementsEqual("multipart/x-mixed-replace".utf8)
    }

    /// Whether browsers may run scripts in content of this type: HTML, XML, which may contain XHTML, multipart types with
    /// such parts, and types that browsers ignore in favor of what the content looks like (MIME Sniffing section 7).
    package var mayRunScripts: Bool {
        !essence.contains(UInt8(ascii: "/"))
            || Self.scripted.contains { essence.suffix($0.count).elementsEqual($0) }
    }

    private static let scripted = ["/html", "/xml", "+xml", "/x-mixed-replace", "/unknown", "*/*"].map {
        Array($0.utf8)
    }
    private static let jsonLines = [
        "x-ndjson", "ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-lines", "stream+json", "json-seq",
    ].map { Array("application/\($0)".utf8) }

    /// Returns a parameter's value without its quotes. `name` must be in lower case.
    package func parameter(_ name: StaticString) -> [UInt8]? {
        HeaderParameters.value(of: name, in: value)
    }
}

/// The `; name=value` parameters of a field value (RFC 9110 section 5.6.6).
package enum HeaderParameters {
    /// Returns the value of the first parameter with the given name, without quotes and backslashes. `name` must be
    /// in lower case.
    package static func value(of name: StaticString, in header: [UInt8]) -> [UInt8]? {
        var index = header.firstIndex(of: UInt8(ascii: ";")) ?? header.count
        while index < header.count {
            index += 1
            let nameStart = index
            while index < header.count, header[index] != UInt8(ascii: "="), header[index] != UInt8(ascii: ";") {
                index += 1
            }
            let found = header[nameStart..<index].filter { $0 > 0x20 }.map(\.asciiLowercased)
            guard index < header.count, header[index] == UInt8(ascii: "=") else { continue }
            index += 1
            let value = parameterValue(header, &index)
            if found.elementsEqual(String(describing: name).utf8) { return value }
        }
        return nil
    }

    /// Reads a token or a quoted string, up to the next `;`.
    private static func parameterValue(_ header: [UInt8], _ index: inout Int) -> [UInt8] {
        var value: [UInt8] = []
        while index < header.count, header[index] == 0x20 || header[index] == 0x09 { index += 1 }
        let isQuoted = index < header.count && header[index] == UInt8(ascii: "\"")
        if isQuoted { index += 1 }
        while index < header.count, header[index] != (isQuoted ? UInt8(ascii: "\"") : UInt8(ascii: ";")) {
            if isQuoted, header[index] == UInt8(ascii: "\\"), index + 1 < header.count { index += 1 }
            value.append(header[index])
            index += 1
        }
        while index < header.count, header[index] != UInt8(ascii: ";") { index += 1 }
        while !isQuoted, let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        return value
    }
}
