// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    public import Reprise
    public import RepriseReplay
    public import Testing

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    /// A cassette for a test, or one for each test of a suite, named after its module, suite and function.
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
    /// All cases of a parameterised test have one cassette, and one replay of it.
    ///
    /// What a test records is written if the test passes. One that failed leaves its cassette as it was, in every mode,
    /// unless `REPRISE_KEEP_FAILED=1`.
    public struct CassetteTrait: TestTrait, SuiteTrait, CassetteScoping {
        let settings: CassetteSettings
        var cassetteName: String? { nil }

        /// True: each test of a suite has its cassette, those of suites within it too.
        public var isRecursive: Bool { true }
    }

    /// A cassette for a test, with a name.
    ///
    /// A suite has none: its tests would record over one another.
    public struct NamedCassetteTrait: TestTrait, CassetteScoping {
        let settings: CassetteSettings
        let cassetteName: String?
    }

    extension Trait where Self == CassetteTrait {
        /// A cassette with the name of the test; of a suite, one for each of its tests.
        public static var cassette: Self { CassetteTrait(settings: CassetteSettings()) }

        /// A cassette with the name of the test; of a suite, one for each of its tests.
        ///
        /// What is not said here is as a suite around it says.
        ///
        /// - Parameters:
        ///   - matching: what has to be as it was recorded; nil for method, path, query and body.
        ///   - mode: where answers come from; nil for the cassette alone. `REPRISE_MODE` overrides it.
        ///   - pace: how fast recorded time passes; nil for not at all.
        ///   - folder: where the cassettes are; nil for what `REPRISE_FIXTURES` names, or else `Fixtures/` beside the
        ///     test's source file.
        ///   - base: what reaches the network; nil for the platform's live transport.
        ///   - configuration: all else about recording and replaying.
        public static func cassette(
            matching: [Matcher]? = nil,
            mode: ReplayMode? = nil,
            pace: Pace? = nil,
            in folder: URL? = nil,
            over base: (any Transport)? = nil,
            configuration: CassetteSession.Configuration? = nil
        ) -> Self {
            CassetteTrait(settings: CassetteSettings(mode, matching, pace, folder, base, configuration))
        }
    }

    extension Trait where Self == NamedCassetteTrait {
        /// The cassette `name`.
        ///
        /// What is not said here is as a suite around it says.
        ///
        /// - Parameters:
        ///   - name: the cassette's, in its folder: `users` is `Fixtures/users.cassette.json`.
        ///   - matching: what has to be as it was recorded; nil for method, path, query and body.
        ///   - mode: where answers come from; nil for the cassette alone. `REPRISE_MODE` overrides it.
        ///   - pace: how fast recorded time passes; nil for not at all.
        ///   - folder: where the cassettes are; nil for what `REPRISE_FIXTURES` names, or else `Fixtures/` beside the
        ///     test's source file.
        ///   - base: what reaches the network; nil for the platform's live transport.
        ///   - configuration: all else about recording and replaying.
        public static func cassette(
            _ name: String,
            matching: [Matcher]? = nil,
            mode: ReplayMode? = nil,
            pace: Pace? = nil,
            in folder: URL? = nil,
            over base: (any Transport)? = nil,
            configuration: CassetteSession.Configuration? = nil
        ) -> Self {
            NamedCassetteTrait(
                settings: CassetteSettings(mode, matching, pace, folder, base, configuration),
                cassetteName: name
            )
        }
    }
#endif
