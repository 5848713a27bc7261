// SPDX-License-Identifier: Apache-2.0

extension Call: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL, without secrets in the query.
    public var description: String { "\(method) \(shownTarget)" }

    /// The ``description``.
    public var debugDescription: String { description }

    /// The request, the header fields without credentials, and the size of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "request": description, "headers": (shownRequest?.headerFields ?? headers).shown,
                "body": body.map { "\($0)" } ?? "none",
            ],
            displayStyle: .struct
        )
    }

    /// The request, unless it is invalid or a closure would have to return the base URL.
    private var shownRequest: HTTPRequest? {
        if case .asked = client.shared.base { return nil }
        return try? request()
    }

    private var shownTarget: String {
        if let request = shownRequest { return request.shownURL }
        let target = query.isEmpty ? path : "\(path)\(path.contains("?") ? "&" : "?")\(query)"
        return target.utf8.contains(UInt8(ascii: "@")) ? "a URL with an @" : SecretQuery.redacted(target)
    }
}

extension Call.Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL, without secrets in the query.
    public var description: String { head.shownLine }

    /// The ``description``.
    public var debugDescription: String { description }

    /// The request, the header fields without credentials, and the size of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "request": description, "headers": head.headerFields.shown, "body": body.map { "\($0)" } ?? "none",
                "options": options, "attempt": attempt, "isStream": isStream,
            ],
            displayStyle: .struct
        )
    }
}

extension FailedAttempt: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of the attempt, the request, and the error, without credentials.
    public var description: String {
        "attempt \(number)\(request.map { " of \($0.shownLine)" } ?? ""): \(error)"
    }

    /// The ``description``.
    public var debugDescription: String { description }

    /// The number, the request, the status, and the error, without credentials.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "number": number, "request": request?.shownLine ?? "unknown",
                "status": response?.status.text ?? "none", "error": error,
            ],
            displayStyle: .struct
        )
    }
}

extension ClientError: CustomDebugStringConvertible, CustomReflectable {
    /// The ``description``.
    public var debugDescription: String { description }

    /// The code, the message, the request without credentials, the response, and the underlying error.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "code": code, "message": message, "request": request?.shownLine ?? "none",
                "headers": request?.headerFields.shown ?? [], "response": response.map { $0 as Any } ?? "none",
                "underlying": underlying.map { $0 as Any } ?? "none",
            ],
            displayStyle: .struct
        )
    }
}
