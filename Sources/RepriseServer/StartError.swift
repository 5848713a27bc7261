// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO

/// Why a server could not start to listen.
public struct StartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public let code: Code
    /// What went wrong and what to do, for a person.
    public let description: String

    /// What went wrong. More codes may come.
    public struct Code: Sendable, Hashable {
        private let name: String

        /// Another process listens on the port.
        public static let portTaken = Code(name: "portTaken")
        /// A certificate or a key cannot be used.
        public static let tls = Code(name: "tls")
        /// The configuration asks for what a server cannot do.
        public static let configuration = Code(name: "configuration")
        /// The system said no for another reason; the description tells it.
        public static let system = Code(name: "system")
    }

    init(_ error: TLSError, tls: MockServer.TLS) {
        code = .tls
        description =
            switch tls {
            case .files(let certificate, let key): "cannot serve https with \(certificate) and \(key): \(error)"
            case .localAuthority(let folder?, _): "cannot serve https with the authority in \(folder): \(error)"
            case .localAuthority(nil, _): "cannot serve https: \(error)"
            }
    }

    init(_ error: TLSError, upstream: String) {
        code = .tls
        description = "cannot forward to \(upstream): \(error)"
    }

    init(unsupported matcher: Matcher.Custom) {
        code = .configuration
        description =
            "cannot compare requests with the custom matcher '\(matcher.name)': a server takes no closures; "
            + "remove it, or replay in process with ReplayingTransport"
    }

    init(invalidHost host: String) {
        code = .system
        description = "cannot listen on '\(host)': expected a name or an address such as 127.0.0.1 or ::1"
    }

    init(_ error: SystemError, host: String, port: Int) {
        if error.isAddressInUse {
            code = .portTaken
            description =
                "port \(port) on \(host) is taken by another process: stop it, or choose another port (0 takes a free one)"
        } else {
            code = .system
            description = "cannot listen on \(host), port \(port): \(error)"
        }
    }
}
