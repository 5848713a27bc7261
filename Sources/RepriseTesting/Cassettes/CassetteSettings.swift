// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseAnswers
internal import RepriseReplay
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A test's settings for its cassette. Unset values are taken from the enclosing scope.
struct CassetteSettings: Sendable {
    var mode: ReplayMode?
    var matching: [Matcher]?
    var afterLast: AfterLast?
    var pace: Pace?
    var folder: URL?
    var base: (any Transport)?
    var configuration: CassetteSession.Configuration?
    var bends: [Bend]?
    /// Whether the test fails without a request.
    var expectsRequests: Bool?

    init(
        _ mode: ReplayMode? = nil,
        _ matching: [Matcher]? = nil,
        _ pace: Pace? = nil,
        _ folder: URL? = nil,
        _ base: (any Transport)? = nil,
        _ configuration: CassetteSession.Configuration? = nil,
        _ expectsRequests: Bool? = nil,
        _ afterLast: AfterLast? = nil,
        _ bends: [Bend]? = nil
    ) {
        self.mode = mode
        self.matching = matching
        self.pace = pace
        self.folder = folder
        self.base = base
        self.configuration = configuration
        self.afterLast = afterLast
        self.bends = bends
        self.expectsRequests = expectsRequests
    }

    /// Returns these settings, with unset values taken from `outer`.
    func over(_ outer: CassetteSettings) -> CassetteSettings {
        CassetteSettings(
            mode ?? outer.mode,
            matching ?? outer.matching,
            pace ?? outer.pace,
            folder ?? outer.folder,
            base ?? outer.base,
            configuration ?? outer.configuration,
            expectsRequests ?? outer.expectsRequests,
            afterLast ?? outer.afterLast,
            bends ?? outer.bends
        )
    }

    /// - Parameters:
    ///   - test: The test, whose command records what is missing.
    ///   - isShared: Whether other tests may use the cassette. What they recorded is not replaced.
    ///   - codeToSet: Returns the code in the test that has an argument.
    func sessionConfiguration(
        for test: TestIdentity,
        isShared: Bool,
        codeToSet: @escaping @Sendable (_ argument: String) -> String
    ) -> CassetteSession.Configuration {
        var session = configuration ?? CassetteSession.Configuration()
        session.replay.codeToSet = codeToSet
        if let matching { session.replay.matching = matching }
        if let afterLast { session.replay.afterLast = afterLast }
        if let pace { session.replay.pace = pace }
        if let bends { session.replay.bends = bends }
        let own = isShared ? nil : test.command(recording: .overwrite)
        session.replay.remedyForRepeats = session.replay.remedy ?? own
        session.replay.remedy = session.replay.remedy ?? own ?? test.command(recording: .append)
        switch session.replay.pace {
        case .instant, .virtual: session.replay.clock = session.replay.clock ?? VirtualClock()
        case .recorded, .factor: break
        }
        return session
    }
}
