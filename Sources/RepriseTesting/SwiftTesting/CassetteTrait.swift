// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    public import Reprise
    public import RepriseMatching
    public import RepriseReplay
    public import Testing

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    /// A trait that gives a test, or each test of a suite, a cassette named after the test's module, suite, and
    /// function.
    ///
    /// ```swift
    /// @Suite(.cassette(mode: .record(.once)))
    /// struct LibraryTests {
    ///     @Test func lends() async throws {
    ///         let book: Book = try await Client("https://api.example.com/v1").get("/books/43").value()
    ///         #expect(book.title == "Tides and Timetables")
    ///     }
    /// }
    /// ```
    ///
    /// All cases of a parameterized test share one cassette and one replay of it.
    ///
    /// The recording of a test is written if the test passes. If it fails, its cassette stays unchanged in every
    /// mode, unless `REPRISE_KEEP_FAILED=1` is set.
    ///
    /// A test without requests fails, because it would not notice that its code uses another HTTP library. A suite with
    /// the trait fails only if none of its tests sends a request and no cassette is in the suite's folder.
    public struct CassetteTrait: TestTrait, SuiteTrait, CassetteScoping {
        var settings: CassetteSettings
        var cassetteName: String? { nil }

        /// Whether the trait applies to each test of a suite, including tests in nested suites. Always true.
        public var isRecursive: Bool { true }
    }

    /// A trait that gives a test a cassette with a name that you choose.
    ///
    /// A suite cannot have this trait, because its tests would overwrite each other's recordings.
    public struct NamedCassetteTrait: TestTrait, CassetteScoping {
        var settings: CassetteSettings
        let cassetteName: String?
    }

    @available(
        *,
        unavailable,
        message: "the tests of a suite can't share a cassette; write @Suite(.cassette), without a name"
    )
    extension NamedCassetteTrait: SuiteTrait {}

    extension Trait where Self == CassetteTrait {
        /// A cassette named after the test; on a suite, one for each of its tests.
        public static var cassette: Self { CassetteTrait(settings: CassetteSettings()) }

        /// A cassette named after the test; on a suite, one for each of its tests.
        ///
        /// Settings that are omitted are taken from the enclosing suite.
        ///
        /// - Parameters:
        ///   - matching: The parts of a request that must match the recording; nil for method, path, query, and body.
        ///   - mode: Where answers come from; nil for the cassette alone. `REPRISE_MODE` overrides the mode.
        ///   - afterLast: What follows the last of the answers to equal requests. If nil, a further request is a miss
        ///     in a strict replay, and the last answer repeats in the other modes and with edits.
        ///   - pace: How fast recorded time passes. If nil, it takes no real time.
        ///   - expectsRequests: Whether a test fails if it sends no request that reaches its cassette, or a
        ///     suite without cassettes if none of its tests does; nil for true, unless the argument `mode` is `live`.
        ///   - folder: The folder of the cassettes; nil for the value of `REPRISE_FIXTURES`, or else `Fixtures/` next
        ///     to the test's source file.
        ///   - base: The transport that reaches the network; nil for the client's live transport.
        ///   - configuration: Other settings for recording and replaying.
        public static func cassette(
            matching: [Matcher]? = nil,
            afterLast: AfterLast? = nil,
            mode: ReplayMode? = nil,
            pace: Pace? = nil,
            expectsRequests: Bool? = nil,
            in folder: URL? = nil,
            over base: (any Transport)? = nil,
            configuration: CassetteSession.Configuration? = nil
        ) -> Self {
            CassetteTrait(
                settings: .init(mode, matching, pace, folder, base, configuration, expectsRequests, afterLast)
            )
        }
    }

    extension Trait where Self == NamedCassetteTrait {
        /// A cassette with the given name.
        ///
        /// Settings that are omitted are taken from the enclosing suite.
        ///
        /// - Parameters:
        ///   - name: The name of the cassette in its folder: `users` is `Fixtures/users.cassette.json`.
        ///   - matching: The parts of a request that must match the recording; nil for method, path, query, and body.
        ///   - mode: Where answers come from; nil for the cassette alone. `REPRISE_MODE` overrides the mode.
        ///   - afterLast: What follows the last of the answers to equal requests. If nil, a further request is a miss
        ///     in a strict replay, and the last answer repeats in the other modes and with edits.
        ///   - pace: How fast recorded time passes. If nil, it takes no real time.
        ///   - expectsRequests: Whether a test fails if it sends no request that reaches its cassette. If nil,
        ///     it fails unless the argument `mode` is `live`.
        ///   - folder: The folder of the cassettes; nil for the value of `REPRISE_FIXTURES`, or else `Fixtures/` next
        ///     to the test's source file.
        ///   - base: The transport that reaches the network; nil for the client's live transport.
        ///   - configuration: Other settings for recording and replaying.
        public static func cassette(
            _ name: String,
            matching: [Matcher]? = nil,
            afterLast: AfterLast? = nil,
            mode: ReplayMode? = nil,
            pace: Pace? = nil,
            expectsRequests: Bool? = nil,
            in folder: URL? = nil,
            over base: (any Transport)? = nil,
            configuration: CassetteSession.Configuration? = nil
        ) -> Self {
            NamedCassetteTrait(
                settings: .init(mode, matching, pace, folder, base, configuration, expectsRequests, afterLast),
                cassetteName: name
            )
        }
    }
#endif
