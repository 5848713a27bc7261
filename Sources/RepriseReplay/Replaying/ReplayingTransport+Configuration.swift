// SPDX-License-Identifier: Apache-2.0

public import Reprise
public import RepriseAnswers
public import RepriseFixtures
public import RepriseMatching
package import RepriseRedaction
public import RepriseStubAnswers
public import RepriseText

extension ReplayingTransport {
    /// The settings of a replay.
    public struct Configuration: Sendable {
        /// The parts of a request that must match the recording. The default is method, path, query, and body.
        public var matching: [Matcher]
        /// What follows the last answer of a sequence. If nil, the default, a strict replay plays each recorded
        /// exchange once, and a further request is a miss. Handwritten fixtures repeat their last answer, and so do
        /// recorded ones if requests may pass through or if there are ``bends``, because clients repeat requests that
        /// fail.
        public var afterLast: AfterLast?
        /// How fast recorded time passes. By default, it takes no time.
        public var pace: Pace
        /// How bodies are split into chunks. The default is the recorded chunks.
        public var chunking: Chunking
        /// Edits of the recorded responses, which end, stall, or change them. The default is none.
        public var bends: [Bend]
        /// What happens to a request that no fixture answers. By default, it fails with
        /// `TransportError.Code.noFixture`.
        public var unmatched: ReplayMode.Unmatched
        /// The transport for requests that pass through; nil, the default, for the client's live transport.
        public var base: (any Transport)?
        /// How stubs answer: which answers are templates, the seed of random values, and the time that templates see.
        /// ``ReplayingTransport/init(paths:configuration:)`` also loads stubs with these options.
        public var stubs: StubOptions
        /// The transport for requests that stubs forward to another server (`proxyBaseUrl`). If nil, the default, such
        /// requests fail, so that a file cannot make a test use the network.
        public var proxy: (any Transport)?
        /// The clock for pauses; nil for `Ambient.clock`, or else the system clock. With `Pace.virtual`, any clock
        /// other than a ``VirtualClock`` is replaced by one.
        public var clock: (any Clock<Duration>)?
        /// A one-line instruction that the message of a miss shows in addition to `mockserver record …`; nil for none.
        public var remedy: String?
        /// Whether the delays of stubs pass on the clock even if ``pace`` is instant.
        package var keepsStubDelays = false
        /// The redaction of reports of misses; nil for that of the fixtures at their paths.
        package var redaction: Redaction?
        /// The remedy for a request that was recorded, but not as often; nil for none.
        package var remedyForRepeats: String?
        /// Returns the code that has an argument such as `matching: [.path]`, for the message of a miss.
        package var codeToSet: @Sendable (_ argument: String) -> String = { $0 }

        /// Creates a configuration. Omitted values have their defaults.
        public init(
            matching: [Matcher] = .standard,
            afterLast: AfterLast? = nil,
            pace: Pace = .instant,
            chunking: Chunking = .recorded,
            bends: [Bend] = [],
            unmatched: ReplayMode.Unmatched = .fail,
            over base: (any Transport)? = nil,
            stubs: StubOptions = StubOptions(),
            proxy: (any Transport)? = nil,
            clock: (any Clock<Duration>)? = nil,
            remedy: String? = nil
        ) {
            self.matching = matching
            self.afterLast = afterLast
            self.pace = pace
            self.chunking = chunking
            self.bends = bends
            self.unmatched = unmatched
            self.base = base
            self.stubs = stubs
            self.proxy = proxy
            self.clock = clock
            self.remedy = remedy
        }

        /// Returns the rules by which a replay of fixtures finds answers.
        package func rules(for fixtures: [Fixture]) -> MatchingRules {
            let isStrict = unmatched == .fail && bends.isEmpty && fixtures.contains { $0.recording != nil }
            return MatchingRules(matching, afterLast: afterLast ?? (isStrict ? .miss : .repeat))
        }
    }

    /// How the bodies of responses are split into chunks.
    public enum Chunking: Sendable, Hashable {
        /// The recorded chunks. A large chunk is split into pieces of 64 KiB, and the last piece ends it.
        case recorded
        /// Chunks of this many bytes, at least 1. The last chunk has the rest.
        case bytes(Int)
        /// A single chunk.
        case coalesced
        /// Chunks of pseudorandom sizes, which are the same for the same seed.
        case seeded(UInt64)
        /// Chunks that are cut at these byte offsets of each body.
        case cuts([Int])
    }
}

extension TransportError.Code {
    /// No fixture answers the request.
    public static let noFixture = Self(rawValue: "noFixture")
}
