// SPDX-License-Identifier: Apache-2.0

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the size of the body.
    public var description: String { "\(status.text), \(body)" }

    /// The ``description``.
    public var debugDescription: String { description }

    /// The status, the header fields without credentials, and the size of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": status, "headers": headers.shown, "body": body,
                "url": url.map(SecretQuery.quoted) ?? "unknown",
            ],
            displayStyle: .struct
        )
    }
}

extension RawHead: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status line and the field lines, without credentials.
    public var description: String { ([shownStatus] + shownFields).joined(separator: "\n") }

    /// The ``description``.
    public var debugDescription: String { description }

    /// The status line and the field lines, without credentials.
    public var customMirror: Mirror {
        Mirror(self, children: ["statusLine": shownStatus, "fieldLines": shownFields], displayStyle: .struct)
    }

    private var shownStatus: String { String(decoding: statusLine, as: UTF8.self) }

    private var shownFields: [String] {
        fieldLines.map { line in
            HTTPField(line: Array(line)).map { "\($0.name.rawName): \($0.shownValue)" } ?? "(an invalid line)"
        }
    }
}

extension StubTransport.Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL, without secrets in the query.
    public var description: String { head.shownLine }

    /// The ``description``.
    public var debugDescription: String { description }

    /// The request, the header fields, and the start of the body, without credentials.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "request": description, "headers": headers.shown,
                "body": Body(body).shown(type: headers[.contentType]), "parameters": parameters,
            ],
            displayStyle: .struct
        )
    }
}

extension CachingTransport: CustomReflectable {
    /// The statistics, without the stored responses.
    public var customMirror: Mirror { Mirror(self, children: ["statistics": statistics]) }
}

extension CacheKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without secrets in the query. The fields may contain credentials, so they are not shown.
    public var description: String { SecretQuery.quoted(url) }

    /// The ``description``.
    public var debugDescription: String { description }

    /// The URL and the number of fields.
    public var customMirror: Mirror {
        Mirror(self, children: ["url": description, "fields": fields.count], displayStyle: .struct)
    }
}
