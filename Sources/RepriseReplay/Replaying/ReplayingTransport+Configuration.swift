// SPDX-License-Identifier: Apache-2.0

public import Reprise
public import RepriseAnswers
public import RepriseFixtures
public import RepriseMatching

extension ReplayingTransport {
    /// How to replay.
    public struct Configuration: Sendable {
        /// What has to be as it was recorded. Method, path, query and body by default.
        public var matching: [Matcher]
        /// What a request gets when all recorded answers to it were given. The last one again by default.
        public var afterLast: AfterLast
        /// How fast time passes. Not at all by default.
        public var pace: Pace
        /// In which chunks bodies come. The recorded ones by default.
        public var chunking: Chunking
        /// What becomes of a request that no fixture answers. It fails by default, with `TransportError.Code.noFixture`.
        public var unmatched: ReplayMode.Unmatched
        /// Where such a request goes if it may pass through; nil, the default, for the platform's live transport.
        public var base: (any Transport)?
        /// On which pauses pass; nil for `Ambient.clock`, or else the system's. With `Pace.virtual` a
        /// ``VirtualClock``; any other is replaced by one.
        public var clock: (any Clock<Duration>)?
        /// What a miss tells the reader to do beside `mockserver record …`, in one line; nil for nothing.
        public var remedy: String?

        /// A configuration, each part of which may be left at its default.
        public init(
            matching: [Matcher] = .standard,
            afterLast: AfterLast = .repeat,
            pace: Pace = .instant,
            chunking: Chunking = .recorded,
            unmatched: ReplayMode.Unmatched = .fail,
            over base: (any Transport)? = nil,
            clock: (any Clock<Duration>)? = nil,
            remedy: String? = nil
        ) {
            self.matching = matching
            self.afterLast = afterLast
            self.pace = pace
            self.chunking = chunking
            self.unmatched = unmatched
            self.base = base
            self.clock = clock
            self.remedy = remedy
        }
    }

    /// In which chunks the bodies of responses come.
    public enum Chunking: Sendable, Hashable {
        /// In those that were recorded; a large one in pieces of 64 KiB, the last of which ends the chunk.
        case recorded
        /// So many bytes each, 1 at least; the last has what is left.
        case bytes(Int)
        /// All in one.
        case coalesced
        /// Of sizes that look like chance, and are the same for the same number.
        case seeded(UInt64)
        /// Cut behind so many bytes of each body, and nowhere else.
        case cuts([Int])
    }
}

extension TransportError.Code {
    /// No fixture answers this request.
    public static let noFixture = Self(rawValue: "noFixture")
}
