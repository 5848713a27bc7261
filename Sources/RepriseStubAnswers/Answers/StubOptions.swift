// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How stubs answer.
public struct StubOptions: Sendable, Hashable {
    /// Whether every answer is a template, even if its mapping does not name the transformer `response-template`. The
    /// default is `false`.
    public var rendersAllTemplates: Bool
    /// The seed of random values in templates and of random delays. With the same seed, each answer of a stub is the
    /// same in each run. If nil, the default, the values differ.
    public var seed: UInt64?
    /// The time that templates see. If nil, the default, it is the current time.
    public var now: Date?
    /// Regular expressions for the environment variables that templates may read with `systemValue`. An expression must
    /// match the whole name, in any case. The default is none. Names that begin with `wiremock` are always permitted.
    public var permittedSystemKeys: [String]

    /// Creates options.
    public init(
        rendersAllTemplates: Bool = false,
        seed: UInt64? = nil,
        now: Date? = nil,
        permittedSystemKeys: [String] = []
    ) {
        self.rendersAllTemplates = rendersAllTemplates
        self.seed = seed
        self.now = now
        self.permittedSystemKeys = permittedSystemKeys
    }
}
