// SPDX-License-Identifier: Apache-2.0

extension Client: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The base URL, without secrets in its query.
    public var description: String { "Client(\(shownBase))" }

    /// The ``description``.
    public var debugDescription: String { description }

    /// The base URL and the configuration, without credentials.
    public var customMirror: Mirror {
        Mirror(self, children: ["baseURL": shownBase, "configuration": configuration], displayStyle: .struct)
    }

    private var shownBase: String {
        switch shared.base {
        case .none: "no base URL"
        case .fixed(.success(let url)): SecretQuery.redacted("\(url.scheme)://\(url.authority)\(url.target)")
        case .fixed(.failure(let error)): error.description
        case .asked: "a closure"
        }
    }
}

extension Client.Configuration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The settings in one line, without credentials.
    public var description: String {
        let settings = shownSettings.map { name, value in "\(name): \(value)" }
        return "Client.Configuration(\(settings.joined(separator: ", ")))"
    }

    /// The ``description``.
    public var debugDescription: String { description }

    /// The settings, without credentials. Objects of the app, such as interceptors, appear as the names of their types.
    public var customMirror: Mirror {
        Mirror(self, children: shownSettings.map { (label: $0, value: $1) }, displayStyle: .struct)
    }

    private var shownSettings: [(String, Any)] {
        [
            ("headers", headers.shown),
            ("credentialOrigins", credentialOrigins.sorted()),
            ("timeout", timeout.map { "\($0)" } ?? "none"),
            ("connectTimeout", connectTimeout.map { "\($0)" } ?? "none"),
            ("redirects", redirects),
            ("errorBodyLimit", errorBodyLimit),
            ("maxConcurrentRequests", maxConcurrentRequests.map { "\($0)" } ?? "none"),
            ("userAgent", userAgent.map { "\($0)" } ?? "none"),
            ("tokenProvider", tokenProvider.map { "\(type(of: $0))" } ?? "none"),
            ("interceptors", interceptors.map { "\(type(of: $0))" }),
        ]
    }
}
