// SPDX-License-Identifier: Apache-2.0

/// A conformance case that a transport does not pass, and why.
struct KnownDeviation: Sendable {
    let transport: TransportUnderTest
    let platform: Platform
    /// The name of the ``ConformanceCase``.
    let name: String
    let kind: Kind
    /// What happens instead and why, with sources, in Markdown.
    let cause: String

    enum Kind: Sendable {
        /// The case fails.
        case fails
        /// The case sometimes fails, depending on timing or on the version of the system.
        case mayFail
        /// The case ends the process.
        case endsProcess
    }

    enum Platform: String, Sendable {
        case linux = "Linux"
        case apple = "Apple"
        case all = "Linux, Apple"

        var isThis: Bool {
            #if os(Linux)
                self != .apple
            #else
                self != .linux
            #endif
        }
    }

    init(
        _ transport: TransportUnderTest,
        on platform: Platform,
        _ name: String,
        _ kind: Kind = .fails,
        because cause: String
    ) {
        self.transport = transport
        self.platform = platform
        self.name = name
        self.kind = kind
        self.cause = cause
    }

    /// Whether the case may also pass.
    var isIntermittent: Bool {
        #if os(Linux)
            kind == .mayFail
        #else
            // Deviations on Apple platforms are taken from documentation and bug reports.
            true
        #endif
    }

    static func of(_ conformanceCase: ConformanceCase, with transport: TransportUnderTest) -> KnownDeviation? {
        all.first { $0.transport == transport && $0.name == conformanceCase.name && $0.platform.isThis }
    }
}
