// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseText

/// An error that prevented a server from starting.
public struct StartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public let code: Code
    /// What went wrong and what to do about it.
    public let description: String

    /// A kind of error. More codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String

        /// Another process is using the port.
        public static let portTaken = Code(name: "portTaken")
        /// A certificate or a key is unusable.
        public static let tls = Code(name: "tls")
        /// The configuration contains something that a server does not support.
        public static let configuration = Code(name: "configuration")
        /// The system reported another error; see the description.
        public static let system = Code(name: "system")
    }

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
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

    init(own url: String) {
        code = .configuration
        description = "expected another server as the upstream, found this one at \(url); choose another URL or port"
    }

    init(unsupported matcher: Matcher.Custom) {
        code = .configuration
        description =
            "expected matchers that a server supports, found the custom matcher '\(matcher.name)'; "
            + "remove it, or replay in process with ReplayingTransport"
    }

    init(bends problems: FixtureProblems) {
        code = .configuration
        description = "cannot edit the recorded responses: \(problems)"
    }

    init(redaction problems: FixtureProblems) {
        code = .configuration
        description = "cannot read the redaction rules: \(problems)"
    }

    init(staticFolder problem: FixtureProblem) {
        code = .configuration
        description = "cannot serve static files from \(problem.description)"
    }

    /// Within a connection that uses TLS, the proxy could not terminate the TLS of a tunnel.
    static let secureProxy = StartError(
        .configuration,
        "expected either TLS for clients of the server, or a proxy, found both; leave out one of them"
    )

    init(invalidHost host: String) {
        code = .system
        description = "cannot listen on '\(host)': expected a name or an address such as 127.0.0.1 or ::1"
    }

    init(_ error: SystemError, host: String, port: Int) {
        if error.isAddressInUse {
            code = .portTaken
            description =
                "port \(port) on \(host) is in use by another process; stop it, or use port 0 for a free one"
        } else {
            code = .system
            description = "cannot listen on \(host), port \(port): \(error)"
        }
    }
}
